"""Learning values from self-play, and the stored results."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.stdlib.value_network import compute_strength
from courtly.lab import train_value

GAMES = Path(train_value.__file__).parents[1] / "games"


def test_relevant_traits_increase_the_strength():
    """Of three traits, the first helps, the second does not matter, and the third helps only beyond 5."""
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 11, (2, 4000, 3))
    worth = [3 * row[:, 0] + 4 * np.maximum(row[:, 2] - 5, 0) for row in (one, other)]
    data = one / 1.0, other / 1.0, (worth[0] - worth[1]) / 10, np.arange(4000) * 8
    weights, scale, told = train_value.train_weights(train_value.initial_weights(3, 6, rng), data, 200, 0.0)
    weights = train_value.quantize_weights(weights, np.zeros(3), np.ones(3), scale)
    assert len(weights) == 3 + 6 * 5 and "held out" in told

    def of(*traits):
        return compute_strength(weights, list(traits), 0, 3)

    assert of(8, 3, 3) > of(4, 9, 3) and of(4, 3, 10) > of(4, 3, 7)
    rises = [of(4, 5, i + 1) - of(4, 5, i) for i in range(10)]
    assert min(rises[6:]) > max(rises[:4])
    assert abs(of(5, 9, 5) - of(5, 1, 5)) < (of(6, 5, 5) - of(4, 5, 5)) // 2


def test_the_gradient_of_the_loss_is_correct():
    rng = np.random.default_rng(2)
    x, came, weights = rng.normal(size=(40, 3)), rng.random(20), rng.normal(size=3 + 4 * 5)
    _, nats, grows = train_value.evaluate_loss(weights, x, came)
    for k, little in enumerate(np.eye(len(weights)) * 1e-6):
        assert (train_value.evaluate_loss(weights + little, x, came)[1] - nats) / 1e-6 == pytest.approx(
            grows[k], abs=1e-5
        )


@pytest.mark.parametrize(
    "file",
    [*sorted(GAMES.glob("*/learned.json")), *sorted(GAMES.glob("*/chances.json")), GAMES / "petition" / "weights.json"],
    ids=lambda file: f"{file.parent.name}-{file.stem}",
)
def test_results_document_their_origin(file):
    """The command, the number of games, the seed, and the commit of the sources."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["made"].startswith(("make train GAME=", "python tools/")) and kept["games"] >= 100
    assert isinstance(kept["seed"], int) and re.fullmatch("[0-9a-f]{40}", kept["commit"])


@pytest.mark.parametrize("count", [0, 3])
def test_games_are_stored_with_their_traits(count):
    game = find_game("puppet")
    noted, finals = train_value.play_games("puppet", 2, count, 40, 3, 1, 0.1)
    again, ends = train_value.play_games("puppet", 2, count, 41, 2, 1, 0.1)
    kept = noted[:, 0] > 40
    assert (noted[kept] == again).all() and (finals[1:] == ends).all()
    assert {*noted[:, 0]} == {40, 41, 42} and list(noted[:4, 1]) == [0, 1, 0, 1]
    assert noted.shape[1] == 2 + game.policy.TRAITS
    assert (finals % 10 > 1).all() and (finals[:, 0] != finals[:, 1]).all()
    one, other, ahead, which = train_value.seat_pairs(noted, finals, 40)
    assert len(one) == len(other) == len(ahead) == len(which) == len(noted) // 2
    assert (np.sign(ahead) == np.sign(finals[which // 8 - 40, 0] - finals[which // 8 - 40, 1])).all()


def test_a_game_that_does_not_end_is_reported(monkeypatch):
    """A mistake of the rules' author: no game is as short as declared here."""
    game, load = Game("courtly.games.puppet"), loader.load_driver
    game.bounds.update(decisions=5, events=5)
    monkeypatch.setattr(train_value, "find_game", lambda name: game)
    # bypass the caches, which other tests use
    monkeypatch.setattr(loader, "load_driver", lambda game, driver: load(game, loader.CompiledBackend(None), driver))
    with pytest.raises(RulesError, match="from game 40 of seed 1: a native game does not end within its bounds"):
        train_value.play_games("puppet", 2, 0, 40, 1, 1, 0.0)

"""Learning values from self-play, and the stored results."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from interpreted_drivers import load_interpreted

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
    weights, scale, report = train_value.train_weights(train_value.initial_weights(3, 6, rng), data, 200, 0.0)
    weights = train_value.quantize_weights(weights, np.zeros(3), np.ones(3), scale)
    assert len(weights) == 3 + 6 * 5 and "held out" in report

    def strength_of(*traits):
        return compute_strength(weights, list(traits), 0, 3)

    assert strength_of(8, 3, 3) > strength_of(4, 9, 3) and strength_of(4, 3, 10) > strength_of(4, 3, 7)
    increases = [strength_of(4, 5, i + 1) - strength_of(4, 5, i) for i in range(10)]
    assert min(increases[6:]) > max(increases[:4])
    assert abs(strength_of(5, 9, 5) - strength_of(5, 1, 5)) < (strength_of(6, 5, 5) - strength_of(4, 5, 5)) // 2


def test_training_stops_after_the_step_with_the_lowest_loss_on_held_out_games(monkeypatch):
    """The held-out games contradict the others, so that every step away from weights without effect is worse."""
    monkeypatch.setattr(train_value, "EARLY_STOP_STEPS", 3)
    one, other = np.random.default_rng(1).integers(0, 11, (2, 400, 1)) / 1.0
    games = np.arange(400)
    margins = (one - other)[:, 0] * np.where(games % 10 == 9, -1, 1)
    steps, evaluate_loss = [], train_value.evaluate_loss

    def count_steps(weights, x, outcomes):
        steps.append(len(x) == 2 * 40)
        return evaluate_loss(weights, x, outcomes)

    monkeypatch.setattr(train_value, "evaluate_loss", count_steps)
    initial = np.zeros(1 + 2 * 3)
    weights, _, _ = train_value.train_weights(initial, (one, other, margins, games * 8), 200, 0.0)
    assert (weights == initial).all()
    assert sum(steps) == 1 + 3 + 1, "the initial weights, three steps, and the report"


def test_the_gradient_of_the_loss_is_correct():
    rng = np.random.default_rng(2)
    x, outcomes, weights = rng.normal(size=(40, 3)), rng.random(20), rng.normal(size=3 + 4 * 5)
    _, loss, gradient = train_value.evaluate_loss(weights, x, outcomes)
    for k, step in enumerate(np.eye(len(weights)) * 1e-6):
        assert (train_value.evaluate_loss(weights + step, x, outcomes)[1] - loss) / 1e-6 == pytest.approx(
            gradient[k], abs=1e-5
        )


@pytest.mark.parametrize(
    "file",
    [*sorted(GAMES.glob("*/learned.json")), *sorted(GAMES.glob("*/chances.json")), GAMES / "petition" / "weights.json"],
    ids=lambda file: f"{file.parent.name}-{file.stem}",
)
def test_results_document_their_origin(file):
    """The command, the number of games, the seed, and the commit of the sources."""
    result = json.loads(file.read_text(encoding="utf-8"))
    assert result["made"].startswith(("make train GAME=", "python tools/")) and result["games"] >= 100
    assert isinstance(result["seed"], int) and re.fullmatch("[0-9a-f]{40}", result["commit"])


@pytest.mark.parametrize("count", [0, 3])
def test_games_are_stored_with_their_traits(count):
    game = find_game("puppet")
    traits, finals = train_value.play_games("puppet", 2, count, 40, 3, 1, 0.1)
    later_traits, later_finals = train_value.play_games("puppet", 2, count, 41, 2, 1, 0.1)
    later_rows = traits[:, 0] > 40
    assert (traits[later_rows] == later_traits).all() and (finals[1:] == later_finals).all()
    assert {*traits[:, 0]} == {40, 41, 42} and list(traits[:4, 1]) == [0, 1, 0, 1]
    assert traits.shape[1] == 2 + game.policy.TRAITS
    assert (finals % 10 > 1).all() and (finals[:, 0] != finals[:, 1]).all()
    one, other, lead, rows = train_value.seat_pairs(traits, finals, 40)
    assert len(one) == len(other) == len(lead) == len(rows) == len(traits) // 2
    assert (np.sign(lead) == np.sign(finals[rows // 8 - 40, 0] - finals[rows // 8 - 40, 1])).all()


def test_a_game_that_does_not_end_is_reported(monkeypatch):
    """A mistake of the rules' author: no game is as short as declared here."""
    game, load = Game("courtly.games.puppet"), loader.load_driver
    game.bounds.update(decisions=5, events=5)
    monkeypatch.setattr(train_value, "find_game", lambda name: game)
    # bypass the caches, which other tests use
    monkeypatch.setattr(loader, "load_driver", lambda game, driver: load(game, loader.CompiledBackend(None), driver))
    with pytest.raises(RulesError, match="from game 40 of seed 1: a native game does not end within its bounds"):
        train_value.play_games("puppet", 2, 0, 40, 1, 1, 0.0)


def test_the_command_explains_itself():
    command = [sys.executable, "-m", train_value.__name__, "--help"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert process.returncode == 0 and "--generations" in process.stdout


def test_the_command_writes_weights_with_their_origin(tmp_path, monkeypatch, capsys):
    folder = tmp_path / f"of_{tmp_path.name}"  # its own package
    shutil.copytree(find_game("puppet").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(str(tmp_path))
    game = Game(folder.name)
    monkeypatch.setattr(train_value, "find_game", lambda name: game)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    options = ["--generations", "0:12,0:10", "--hidden", "2", "--rounds", "3", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", ["train_value", "puppet", *options, "--keep", str(tmp_path / "kept")])
    train_value.main()
    result = json.loads((folder / "learned.json").read_text(encoding="utf-8"))
    assert result["made"] == 'make train GAME=puppet ARGS="--generations 0:12,0:10 --hidden 2 --rounds 3"'
    assert result["games"] == 22 and result["seed"] == 1 and result["version"] == game.version
    traits = game.policy.TRAITS
    assert len(result["weights"]) == traits + 2 * (traits + 2) and all(type(n) is int for n in result["weights"])
    assert re.fullmatch("0: .* of 12 games; held out: .*\n0: .* of 10 games; held out: .*\n", capsys.readouterr().out)
    assert [file.name for file in sorted((tmp_path / "kept").iterdir())] == ["puppet-0-0-1.npz", "puppet-1-0-1.npz"]

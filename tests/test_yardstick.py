"""The C program that is the reference for speed plays the same games as the rules."""

import importlib
import sys
from pathlib import Path

import pytest

from courtly.engine.native import loader
from courtly.engine.rng import make_generator

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
yardstick = importlib.import_module("yardstick")

GAMES = 48  # by the default rules, game 17 would be the first that differs


@pytest.mark.skipif(
    not yardstick.compiler(), reason="no C compiler was found: install gcc, or set CC to the path of another one"
)
def test_the_c_plays_the_same_games(tmp_path):
    game, players = yardstick.GAME, yardstick.PLAYERS
    driver = loader.load_driver(game, loader.InterpretedBackend())
    rows = yardstick.play_in_c(tmp_path)(0, GAMES)  # some games end, others reach the limit of rounds
    for number in range(GAMES):
        s, counts = game.State(players=players, **yardstick.OPTIONS), [0, 0]
        _, room, weights = loader.make_rows(game)
        driver.begin(s)
        driver.play_to_end(s, make_generator(yardstick.SEED, number), room, weights, counts)
        game.rules.scores(s, room)
        assert rows[number].tolist() == counts + room[:players]

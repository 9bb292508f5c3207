"""Machine code plays as the interpreted rules do: after every move of random games every field is the same."""

import random

import pytest
from forms import random_games
from properties import random_options

from courtly.engine import native
from courtly.engine.game import find_game, game_ids

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("name", game_ids())
def test_native_equals_interpreted_after_every_move(name, long):
    game, r = find_game(name), random.Random(1)
    both = native.load(game, native.Interpreted()), native.load(game)
    for players in game.players:
        random_games(both, players, 1000 if long else 12, lambda: random_options(game, r), 1 << 60 if long else 20_000)

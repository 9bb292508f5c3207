"""The facts of Web of Power agree with the rules."""

import random

from courtly.engine.game import find_game
from courtly.games.cardinal.map import COUNTRIES
from courtly.testing.checks.properties import random_positions

GAME = find_game("cardinal")


def test_no_cardinal_can_be_placed_in_a_full_country():
    full = free = 0
    for play in random_positions(GAME, 3, random.Random(5)):
        told = GAME.facts(play.view(None))
        for seat in play.pending:
            for move in play.legal(seat):
                if move.verb in ("cardinal", "second_cardinal"):
                    assert not told["full"][COUNTRIES.index(move.args["country"])]
                    free += 1
        full += sum(full and top > 0 for full, top in zip(told["full"], play.state.top, strict=True))
    assert full > 10 and free > 10

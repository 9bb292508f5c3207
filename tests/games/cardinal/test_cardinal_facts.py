"""The facts of Web of Power agree with the rules."""

import random

from courtly.engine.game import find_game
from courtly.games.cardinal.map import COUNTRIES
from courtly.testing.checks.properties import random_positions

GAME = find_game("cardinal")


def test_no_cardinal_can_be_placed_in_a_full_country():
    full_countries = cardinal_moves = 0
    for position in random_positions(GAME, 3, random.Random(5)):
        facts = GAME.facts(position.view(None))
        for seat in position.pending:
            for move in position.legal(seat):
                if move.verb in ("cardinal", "second_cardinal"):
                    assert not facts["full"][COUNTRIES.index(move.args["country"])]
                    cardinal_moves += 1
        full_countries += sum(
            full_countries and top > 0 for full_countries, top in zip(facts["full"], position.state.top, strict=True)
        )
    assert full_countries > 10 and cardinal_moves > 10

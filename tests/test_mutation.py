"""Mutation tests detect that too many audiences see something; if that is not possible, they say so instead of
searching forever.
"""

import types

from courtly.engine.constants import EVERYONE
from courtly.engine.game import Game, find_game
from courtly.testing.checks.mutation import (
    find_hidden_verbs,
    find_unnoticed_leaks,
    find_violation,
    make_leaking_game,
    tell_everybody,
)


def test_an_additional_audience_of_a_verb_is_detected():
    game = find_game("sealed_bids")
    assert find_hidden_verbs(game) == {"answer": False, "choose": True, "deal": False, "seen": False}
    assert not list(find_unnoticed_leaks(game))


def test_a_declared_disclosure_is_not_detected():
    game = Game("sealed_bids")
    game.__dict__["rules"] = types.SimpleNamespace(**{**vars(game.rules), "reveals": lambda s, seat, move: EVERYONE})
    assert "all seats see deal" in list(find_unnoticed_leaks(game))


def test_a_mistake_in_an_audience_is_detected():
    violation = find_violation(make_leaking_game(find_game("sealed_bids"), "choose", tell_everybody), 1000)
    assert "receives an event for choose card=" in str(violation)

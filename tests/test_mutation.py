"""That more are told than should be is noticed; where it is not, that is said, and not looked for without an end."""

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


def test_whoever_more_is_told_of_a_verb_it_is_noticed():
    game = find_game("sealed_bids")
    assert find_hidden_verbs(game) == {"answer": False, "choose": True, "deal": False, "seen": False}
    assert not list(find_unnoticed_leaks(game))


def test_what_the_rules_declare_to_show_can_be_told_to_all_unnoticed():
    game = Game("sealed_bids")
    game.__dict__["rules"] = types.SimpleNamespace(**{**vars(game.rules), "reveals": lambda s, seat, move: EVERYONE})
    assert "all seats see deal" in list(find_unnoticed_leaks(game))


def test_a_mistake_about_who_is_told_is_caught():
    wrong = find_violation(make_leaking_game(find_game("sealed_bids"), "choose", tell_everybody), 1000)
    assert "receives an event for choose card=" in str(wrong)

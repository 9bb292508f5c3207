"""The properties of every game notice mistakes in its rules: those that stand in the game's mistakes.py."""

import random

import pytest
from mutants import caught, mistakes, mutated, overheard
from properties import positions, what_is_told_is_seen

from courtly.engine.game import EVERYONE, find_game, game_ids

pytestmark = pytest.mark.thorough
MISTAKES = [
    pytest.param(name, mistake, id=f"{name}: {mistake[0]}", marks=[pytest.mark.long] * rare)
    for name in game_ids()
    for rare in (False, True)
    for mistake in mistakes(name, rare)
]


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_a_mistake_is_caught(name, mistake):
    assert caught(mutated(find_game(name), mistake), 60_000)


@pytest.mark.parametrize("name", [name for name in game_ids() if mistakes(name, rare=False)])
def test_the_rules_themselves_pass(name):
    assert not caught(find_game(name), 500)


def hidden_verbs(game):
    """The verbs that are not always told to everybody, in a few random games."""
    found, r = set(), random.Random(1)
    for players in game.players:
        for play in positions(game, players, r):
            seat, move = play.next()
            if play.audience(seat, move) != EVERYONE:
                found.add(play.moves.decode(move).verb)
    return sorted(found)


def noticed(game, verb, most=2000):
    """Does "what is told is seen" notice something within so many positions in which this can be done or happen?"""
    r, looked = random.Random(2), 0
    try:
        while looked < most:
            for players in game.players:
                for play in positions(game, players, r):
                    if any(move.verb == verb for actor in play.actors for move in play.legal(actor)):
                        looked += what_is_told_is_seen(play, r.randrange(-1, players))
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("name", [name for name in game_ids() if find_game(name).hidden])
def test_that_a_verb_is_told_to_everybody_is_caught(name):
    game = find_game(name)
    hidden = hidden_verbs(game)
    assert hidden
    assert [verb for verb in hidden if not noticed(overheard(game, verb, EVERYONE), verb)] == []

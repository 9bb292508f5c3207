"""Worked examples with numbers: how many rolls earn a character, and the best player's probability to earn one."""

from fractions import Fraction
from itertools import product

import pytest

from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.petition import rules as r
from courtly.games.petition.dice import earned
from courtly.games.petition.table import MOVES, Card, Phase

GAME = find_game("petition")

NOTHING = [0] * 6


def counts(dice):
    return [dice.count(face) for face in range(1, 7)]


def rolls(n, card):
    """Return how many of the ordered rolls of n dice earn the card."""
    bit = 1 << Card.names.index(card)
    return sum(1 for dice in product(range(1, 7), repeat=n) if earned(counts(dice), NOTHING) & bit)


@pytest.mark.parametrize(
    "card, number", [("farmer", 96), ("maid", 27), ("philosopher", 27), ("laborer", 20), ("guard", 6)]
)
def test_rolls_of_three_dice(card, number):
    assert rolls(3, card) == number  # W18


@pytest.mark.parametrize("card, number", [("hunter", 6), ("astronomer", 96), ("merchant", 70)])
def test_rolls_of_four_dice(card, number):
    assert rolls(4, card) == number  # W19


def chance_of_best_play(owned_cards, goal):
    """Return the probability that the goal can be claimed at the end of a turn, playing only for it: every move and
    every roll of the real rules.
    """
    s = r.State(players=2, first_player=1)
    r.setup(s)
    for card in owned_cards:
        s.owns[0][Card.names.index(card)] = 1
        s.supply[Card.names.index(card)] -= 1
    r.begin_turn(s)
    return claim_probability(s, MOVES.claim + Card.names.index(goal), {})


def claim_probability(s, goal, cache):
    key = s.pack()
    if key not in cache:
        position = Position(GAME, state=s)
        if s.phase == Phase.CLAIMING:
            cache[key] = Fraction(goal in position.legal(s.seat))
        elif position.chance:
            outcomes = position.outcomes()
            cache[key] = sum(
                weight * claim_probability(state_after_move(s, NOBODY, event), goal, cache)
                for event, weight in outcomes
            ) / sum(weight for _, weight in outcomes)
        else:
            cache[key] = max(
                claim_probability(state_after_move(s, s.seat, move), goal, cache) for move in position.legal(s.seat)
            )
    return cache[key]


def state_after_move(s, seat, move):
    state = s.copy()
    r.apply(state, seat, move)
    return state


@pytest.mark.parametrize(
    "owns, goal, chance",
    [
        ([], "farmer", Fraction(193, 243)),
        ([], "guard", Fraction(269, 1944)),  # W20
        (["farmer"], "hunter", Fraction(5459, 69984)),
        (["farmer"], "astronomer", Fraction(16181, 46656)),  # W21
    ],
)
def test_the_best_player_has_the_stated_chance(owns, goal, chance):
    assert chance_of_best_play(owns, goal) == chance

"""A wrong distribution of hidden information is detected; see courtly/testing/checks/belief_check.py."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.testing.checks.belief_check import check_worlds_match_beliefs
from courtly.testing.checks.mutation import make_mutant
from courtly.testing.resources import uninferable_fields


def test_a_wrong_distribution_is_detected():
    """Always deal the first possible card: no hand is impossible, but the frequencies are wrong."""
    mutant = make_mutant(
        find_game("sealed_bids"),
        (
            "",
            "rules.py",
            "        s.hand[seat][draw_card(rng, s.spare, KINDS)] += 1\n",
            "        card = 0\n        while not s.spare[card]:\n            card += 1\n"
            "        s.spare[card] -= 1\n        s.hand[seat][card] += 1\n",
        ),
    )
    with pytest.raises(AssertionError, match="determinize gives"):
        check_worlds_match_beliefs(
            mutant, 3, random.Random(14), games=10, count=500, steps=200, skip=set(uninferable_fields("sealed_bids"))
        )

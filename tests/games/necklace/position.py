"""Constraints on positions of Queen's Necklace."""

from courtly.games.necklace import position
from courtly.testing.resources import invariants


def complete(s, given):
    """Complete a position. Raises ValueError if the given fields contradict each other."""
    position.complete(s, given)
    try:
        if given:
            invariants("necklace")(s)
    except AssertionError as error:
        raise ValueError(str(error)) from None

"""Positions of Queen's Necklace: what must hold of each."""

from courtly.games.necklace import position
from courtly.testing.resources import invariants


def complete(s, given):
    """ValueError if the fields that are given contradict each other."""
    position.complete(s, given)
    try:
        if given:
            invariants("necklace")(s)
    except AssertionError as wrong:
        raise ValueError(str(wrong)) from None

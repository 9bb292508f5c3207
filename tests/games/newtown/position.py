"""Constraints on positions of The King's New Town."""

from pathlib import Path

from courtly.engine.scenarios.files import load_module
from courtly.games.newtown import position

check = load_module(Path(__file__).with_name("invariants.py")).check


def complete(s, given):
    """Complete a position. Raises ValueError if the given fields contradict each other."""
    position.complete(s, given)
    try:
        check(s)
    except AssertionError as error:
        raise ValueError(str(error)) from None

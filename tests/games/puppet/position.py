"""Constraints on positions of Puppet Kingdom."""

from pathlib import Path

from courtly.engine.scenarios.files import load_module
from courtly.games.puppet import position
from courtly.games.puppet import table as t

check = load_module(Path(__file__).with_name("invariants.py")).check


def complete(s, given):
    """Complete a position. Raises ValueError if the given fields contradict each other."""
    position.complete(s, given)
    try:
        if given and s.phase in (t.Phase.REVEALING, t.Phase.DRAFTING):
            check(s)
    except AssertionError as error:
        raise ValueError(error) from None

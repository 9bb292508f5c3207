"""What chance could have done: so that anyone can check every random event of a finished game without knowing its
rules."""

from __future__ import annotations

from courtly.engine.match import Match
from courtly.engine.transcript import possible
from courtly.server import shapes


def draws(match: Match) -> list[shapes.Draw]:
    """Every random event in order: its ply, the event that happened, and what could have happened then with which
    weights."""
    return [
        {
            "ply": ply,
            "move": match.entries[ply].move,
            "moves": [int(event) for event, _ in outcomes],
            "weights": [n for _, n in outcomes],
        }
        for ply, outcomes in possible(match).items()
    ]

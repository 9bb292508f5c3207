"""What chance could have done: so that anyone can check every random event of a finished game without knowing its
rules."""

from __future__ import annotations

from courtly.engine.game import NOBODY
from courtly.engine.match import Match
from courtly.server import shapes


def draws(match: Match) -> list[shapes.Draw]:
    """Every random event in order: its ply, the event that happened, and what could have happened then with which
    weights."""
    again = Match(match.game, match.players, match.options, match.source, start=False)
    found: list[shapes.Draw] = []
    for entry in match.entries:
        if entry.seat == NOBODY:
            outcomes = again.outcomes()
            found.append(
                {
                    "ply": entry.ply,
                    "move": entry.move,
                    "moves": [int(event) for event, _ in outcomes],
                    "weights": [n for _, n in outcomes],
                }
            )
        again.follow(entry)
    return found

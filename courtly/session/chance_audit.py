"""The possible outcomes of every random event of a finished game, so that anyone can verify the draws without the
rules."""

from __future__ import annotations

from typing import Any

from courtly.engine.match import Match
from courtly.engine.rng import CommittedChance
from courtly.engine.transcript import iter_outcomes, iter_record_lines
from courtly.runtime.time_slices import collect_in_slices
from courtly.session import schemas


async def list_random_events(match: Match) -> list[schemas.RandomEvent]:
    """Return every random event in order: its ply, the number of its draw, the event that happened, and the possible
    events with their weights."""
    assert isinstance(match.source, CommittedChance)
    outcomes_by_entry = zip(match.entries, await collect_in_slices(iter_outcomes(match)), strict=True)
    return [
        {
            "ply": entry.ply,
            "draw": match.source.place(entry.ply, event),
            "move": entry.move,
            "moves": [int(move) for move, _ in outcomes],
            "weights": [n for _, n in outcomes],
        }
        for event, (entry, outcomes) in enumerate(
            (entry, outcomes) for entry, outcomes in outcomes_by_entry if outcomes
        )
    ]


async def record_text(match: Match, **extra_keys: Any) -> str:
    """Return the same as `write_record`, written in slices."""
    return "".join(await collect_in_slices(iter_record_lines(match, extra_keys)))

"""Functions that all rules need, in the dialect."""

from __future__ import annotations

from typing import Any

from courtly.engine.rng import Row


def enter_phase(s: Any, phase: int, pending: int) -> None:
    """Begin a phase. `pending`: the bits of the seats that decide, or CHANCE."""
    s.phase = phase
    s.pending = pending


def append_nonempty(row: Row, count: int, first: int, moves: Row, n: int) -> int:
    """Append a move for each nonzero number among the first `count` of a row: `first` plus its index.

    They follow the `n` moves that are already listed. Returns the new number of moves.
    """
    for i in range(count):
        moves[n] = first + i  # written without a branch, which the processor could not predict
        n += row[i] > 0
    return n

"""What all rules say again and again. In the dialect."""

from __future__ import annotations

from typing import Any

from courtly.engine.rng import Row


def enter_phase(s: Any, phase: int, pending: int) -> None:
    """A phase begins: these seats decide (their bits), or CHANCE does."""
    s.phase = phase
    s.pending = pending


def append_nonempty(row: Row, count: int, first: int, moves: Row, n: int) -> int:
    """A move for each of the first `count` places of a row where there is anything: `first` and the place's number.
    They come after the `n` moves that are listed; returns how many there are then."""
    for i in range(count):
        moves[n] = first + i  # without a branch that nobody could foresee
        n += row[i] > 0
    return n

"""Long computations in the event loop, in slices short enough not to delay moves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TypeVar

SLICE_S = 0.004  # of work between two turns of the event loop, shared by all running computations

T = TypeVar("T")

_running = 0


async def run_in_slices(steps: Iterable[T]) -> T:
    """Exhaust the iterable `steps`, with a turn of the event loop after each slice. Returns the last item. Raises
    ValueError if there is none."""
    global _running
    last: list[T] = []
    start_time = time.monotonic()
    _running += 1
    try:
        for item in steps:
            last = [item]
            if time.monotonic() - start_time > SLICE_S / _running:
                await asyncio.sleep(0)
                start_time = time.monotonic()
    finally:
        _running -= 1
    if not last:
        raise ValueError("there are no steps")
    return last[0]


async def collect_in_slices(steps: Iterable[T]) -> list[T]:
    """Return every item of `steps`, computed in slices."""
    items: list[T] = []

    def iter_collecting() -> Iterable[None]:
        yield None
        for item in steps:
            items.append(item)
            yield None

    await run_in_slices(iter_collecting())
    return items

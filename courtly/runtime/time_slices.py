"""Long work in the event loop, in slices short enough that nobody's move waits for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TypeVar

SLICE_S = 0.004  # of work between two turns of the event loop, shared by all that is running

T = TypeVar("T")

_running = 0


async def run_in_slices(steps: Iterable[T]) -> T:
    """Take every item of `steps`, pausing whenever a slice is used up. Returns the last item. ValueError if there is
    none."""
    global _running
    last: list[T] = []
    began = time.monotonic()
    _running += 1
    try:
        for item in steps:
            last = [item]
            if time.monotonic() - began > SLICE_S / _running:
                await asyncio.sleep(0)
                began = time.monotonic()
    finally:
        _running -= 1
    if not last:
        raise ValueError("there are no steps")
    return last[0]


async def collect_in_slices(steps: Iterable[T]) -> list[T]:
    """Return every item of `steps`, pausing likewise."""
    items: list[T] = []

    def kept() -> Iterable[None]:
        yield None
        for item in steps:
            items.append(item)
            yield None

    await run_in_slices(kept())
    return items

"""The server's time: the system time at the start, advanced by a clock that cannot be set.

The server's time never goes back. A gap is a period in which the process did not run: it was stopped, the machine
slept, or the system clock was set forward. Observers are called with a gap before `now` returns a time after it. Any
other difference from the system time is corrected slowly.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

BEAT_S = 1.0  # seconds between calls of `beat`
GAP_MS = 5_000  # a longer time between two calls of `now` counts as a gap
SLEW_MS = 1  # largest correction towards the system time at each beat
STEP_MS = 60_000  # a larger difference is not drift: the system clock was set
SETTLED_BEATS = 60  # beats for which the system clock must stay ahead before the server's time jumps forward to it

log = logging.getLogger("courtly.server")


def wall_ms() -> int:
    """Return the system time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def elapsed_ms() -> int:
    """Return milliseconds since an arbitrary moment, from a clock that cannot be set.

    On Linux and macOS the clock also runs while the machine sleeps.
    """
    if sys.platform == "linux":
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    elif sys.platform == "darwin":  # noqa: RET505 - without elif, mypy reports the code after the return as unreachable
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // 1_000_000
    else:
        return time.monotonic_ns() // 1_000_000


class Gap(NamedTuple):
    """A period in which this process did not run; both times are milliseconds since 1970."""

    since: int
    until: int


Observer = Callable[[Gap], None]


class Timekeeper:
    """The clock of one process. Not thread-safe: only the event loop's thread may use it.

    Args:
        wall: Returns the system time in milliseconds since 1970.
        elapsed: Returns milliseconds since an arbitrary moment, from a clock that cannot be set and that runs while
            the machine sleeps.
    """

    def __init__(self, wall: Callable[[], int] = wall_ms, elapsed: Callable[[], int] = elapsed_ms):
        self._wall, self._elapsed = wall, elapsed
        self._latest = wall()
        self._offset = self._latest - elapsed()
        self._forward_beats = 0  # consecutive beats at which the system clock was ahead by more than STEP_MS
        self._reported_ms = 0  # how far behind the system clock was at the last warning
        self._observers: list[Observer] = []

    def now(self) -> int:
        """Return the server's time in milliseconds since 1970. Calls the observers first if there was a gap."""
        gap = Gap(self._latest, max(self._latest, self._offset + self._elapsed()))
        self._latest = gap.until
        if self._observers and gap.until - gap.since > GAP_MS:
            log.warning("this process did not run for %.1f s", (gap.until - gap.since) / 1000)
            self._notify_observers(gap)
        return gap.until

    def _notify_observers(self, gap: Gap) -> None:
        for observer in self._observers:
            observer(gap)

    def beat(self) -> None:
        """Detect a gap and correct the time towards the system time. Called every BEAT_S seconds."""
        ahead = self._wall() - self.now()
        self._forward_beats = self._forward_beats + 1 if ahead > STEP_MS else 0
        if self._forward_beats > SETTLED_BEATS:
            log.warning("system clock was set forward by %.0f s: server time follows", ahead / 1000)
            gap = Gap(self._latest, self._latest + ahead)
            self.shift(ahead)
            self._notify_observers(gap)
            return
        self._offset += max(-SLEW_MS, min(SLEW_MS, ahead))
        behind = max(0, -ahead)
        if behind > self._reported_ms + STEP_MS:
            log.warning(
                "system clock is %.0f s behind server time; server time is corrected by %.1f s an hour; "
                "restart the server to correct it at once",
                behind / 1000,
                3.6 * SLEW_MS / BEAT_S,
            )
        if abs(behind - self._reported_ms) > STEP_MS:
            self._reported_ms = behind

    def shift(self, ms: int) -> None:
        """Move the time forward by `ms` milliseconds. A negative value is allowed only before this process serves."""
        self._latest = self.now() + ms
        self._offset += ms

    def add_observer(self, observer: Observer) -> None:
        """Call `observer` with each gap from now on."""
        self._latest = max(self._latest, self._offset + self._elapsed())
        self._observers.append(observer)

    def remove_observer(self, observer: Observer) -> None:
        """Stop calling `observer`. Raises ValueError if it is not registered."""
        self._observers.remove(observer)


TIMEKEEPER = Timekeeper()


def now() -> int:
    """Return the server's time in milliseconds since 1970. It never goes back."""
    return TIMEKEEPER.now()

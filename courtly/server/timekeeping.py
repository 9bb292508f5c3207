"""The server's time: the system's time at the start, carried on by a clock that nobody can set.

It never goes back. Time that passed for nobody is a gap: the process was stopped, the machine slept, or the system's
clock was set forward. Observers are told of a gap before anybody learns the time after it. Any other difference from
the system's time is made up for slowly.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

BEAT_S = 1.0  # seconds between calls of `beat`
GAP_MS = 5_000  # without a call of `now` for longer, the process did not run
SLEW_MS = 1  # by which the time follows the system's at each beat, at most
STEP_MS = 60_000  # by more the system's clock does not drift: it was set
SETTLED_BEATS = 60  # after which it is believed that it was set forward

log = logging.getLogger("courtly.server")


def wall_ms() -> int:
    """Return the system's time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def elapsed_ms() -> int:
    """Return milliseconds since some moment. Nobody can set this clock, and it goes on while the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    elif sys.platform == "darwin":  # noqa: RET505 - mypy takes what follows a return for unreachable
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // 1_000_000
    else:
        return time.monotonic_ns() // 1_000_000


class Gap(NamedTuple):
    """Between these times, in milliseconds since 1970, no time passed for this process."""

    since: int
    until: int


Observer = Callable[[Gap], None]


class Timekeeper:
    """The time of one process. To be used by the thread of the event loop only.

    Args:
        wall: The system's time in milliseconds since 1970.
        elapsed: Milliseconds since any moment; it must not be set, nor stop while the machine sleeps.
    """

    def __init__(self, wall: Callable[[], int] = wall_ms, elapsed: Callable[[], int] = elapsed_ms):
        self._wall, self._elapsed = wall, elapsed
        self._latest = wall()
        self._offset = self._latest - elapsed()
        self._forward_beats = 0  # for which the system's clock was further ahead than by drift
        self._reported_ms = 0  # by which the system's clock is behind, as the log has told
        self._observers: list[Observer] = []

    def now(self) -> int:
        """Return the server's time in milliseconds since 1970. It never goes back."""
        gap = Gap(self._latest, max(self._latest, self._offset + self._elapsed()))
        self._latest = gap.until
        if self._observers and gap.until - gap.since > GAP_MS:
            log.warning("this process did not run for %.1f s", (gap.until - gap.since) / 1000)
            self._tell(gap)
        return gap.until

    def _tell(self, gap: Gap) -> None:
        for observer in self._observers:
            observer(gap)

    def beat(self) -> None:
        """Notice a gap though nobody asks for the time, and follow the system's time."""
        ahead = self._wall() - self.now()
        self._forward_beats = self._forward_beats + 1 if ahead > STEP_MS else 0
        if self._forward_beats > SETTLED_BEATS:
            log.warning("the system's clock was set forward by %.0f s: the server's time follows", ahead / 1000)
            gap = Gap(self._latest, self._latest + ahead)
            self.shift(ahead)
            self._tell(gap)
            return
        self._offset += max(-SLEW_MS, min(SLEW_MS, ahead))
        behind = max(0, -ahead)
        if behind > self._reported_ms + STEP_MS:
            log.warning(
                "the system's clock is %.0f s behind the server's time, which follows by %.1f s an hour; "
                "restart the server to follow at once",
                behind / 1000,
                3.6 * SLEW_MS / BEAT_S,
            )
        if abs(behind - self._reported_ms) > STEP_MS:
            self._reported_ms = behind

    def shift(self, ms: int) -> None:
        """Go on from a time that is later, or, before this process serves, earlier by so many milliseconds."""
        self._latest = self.now() + ms
        self._offset += ms

    def observe(self, observer: Observer) -> None:
        """From now on `observer` is called with each gap."""
        self._latest = max(self._latest, self._offset + self._elapsed())
        self._observers.append(observer)

    def ignore(self, observer: Observer) -> None:
        self._observers.remove(observer)


TIMEKEEPER = Timekeeper()


def now() -> int:
    """Return the server's time in milliseconds since 1970. It never goes back."""
    return TIMEKEEPER.now()

"""Bounds that a person never meets and a runaway program does."""

from __future__ import annotations

import time

KEYS = 10_000  # senders remembered at once


class Bucket:
    """Each sender may do `rate` things a second, and `burst` at once."""

    def __init__(self, rate: float, burst: float):
        self.rate = rate
        self.burst = burst
        self._left: dict[str, tuple[float, float]] = {}  # sender -> what was left, and when

    def take(self, sender: str) -> bool:
        """May this sender do one more thing now?"""
        now = time.monotonic()
        left, then = self._left.pop(sender, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        if left < 1:
            self._left[sender] = (left, now)
            return False
        self._left[sender] = (left - 1, now)  # put back at the end: the first is whoever was quiet longest
        if len(self._left) > KEYS:
            del self._left[next(iter(self._left))]
        return True

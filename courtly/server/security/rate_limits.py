"""Bounds that a person never meets and a runaway program does: for each guest, and for each address, because cookies
can be had without end.

Of several processes each tells the others once a second which addresses take much by it (see peers.py), so an address
that goes to all of them gets little more than by one; what guests may do is counted by each for itself.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from functools import lru_cache

MAX_SENDERS = 10_000  # senders remembered at once
# of what one may have: who takes more in a second, or holds more, is told to the other processes
REPORTED_FRACTION = 0.1
REFUSAL_DELAY_S = 0.25  # until a refusal for sending too much: a program that does not wait is made to
MAX_REPORTED_SENDERS = 20  # senders told at once of each kind, so that all go into one word


@lru_cache(4096)
def network_of(address: str) -> str:
    """Who is behind an address: of IPv6, whoever has one has the 2**64 that begin alike."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address  # not over the internet
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


class TokenBucket:
    """Each sender may do `rate` things a second, and `burst` at once."""

    def __init__(self, rate: float, burst: float):
        self.rate = rate
        self.burst = burst
        self._left: dict[str, tuple[float, float]] = {}  # sender -> what was left, and when
        self._taken: Counter[str] | None = None  # by whom, since the other processes were told, if there are any

    def take(self, sender: str) -> bool:
        """May this sender do one more thing now?"""
        left, now = self._now(sender)
        if left < 1:
            self._left[sender] = (left, now)
            return False
        self._left[sender] = (left - 1, now)  # put back at the end: the first is whoever was quiet longest
        if len(self._left) > MAX_SENDERS:
            del self._left[next(iter(self._left))]
        if self._taken is not None:
            self._taken[sender] += 1
        return True

    def _now(self, sender: str) -> tuple[float, float]:
        now = time.monotonic()
        left, then = self._left.pop(sender, (self.burst, now))
        return min(self.burst, left + (now - then) * self.rate), now

    def heavy(self) -> dict[str, int]:
        """Who has taken much since this was asked last, and how much."""
        taken, self._taken = self._taken or Counter(), Counter()
        return {
            sender: n for sender, n in taken.most_common(MAX_REPORTED_SENDERS) if n >= REPORTED_FRACTION * self.rate
        }

    def spend(self, sender: str, n: int) -> None:
        """So much was taken by another process."""
        left, now = self._now(sender)
        self._left[sender] = (max(-self.burst, left - n), now)


class GuestAndAddressLimit:
    """The same for each guest, and `people` times as much for all behind one address. Who has no cookie counts as one
    guest with all others there who have none."""

    def __init__(self, rate: float, burst: float, people: int):
        self._guests = TokenBucket(rate, burst)
        self.addresses = TokenBucket(people * rate, people * burst)

    def take(self, guest: str | None, address: str) -> bool:
        """May this guest, from there, do one more thing now? Whoever is refused takes nothing from the others there."""
        there = network_of(address)
        return self._guests.take(guest or there) and self.addresses.take(there)


class ConcurrencyLimit:
    """How many each holds at once: `each` guest, `people` times as many all behind one address, and `most` all
    together."""

    def __init__(self, each: int, people: int, most: int):
        self.each, self.people, self.most = each, people, most
        self.taken = 0
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self.elsewhere: dict[str, dict[str, int]] = {}  # process -> how many an address holds by it, if many

    def take(self, guest: str | None, address: str) -> bool:
        """Is there one more? Who takes it gives it back."""
        there = network_of(address)
        who = guest or there
        held = self._addresses[there] + sum(held.get(there, 0) for held in self.elsewhere.values())
        free = self._guests[who] < self.each and held < self.people * self.each
        if not free or self.taken >= self.most:
            return False
        self._count(who, there, 1)
        return True

    def heavy(self) -> dict[str, int]:
        """Which addresses hold many here."""
        most = self._addresses.most_common(MAX_REPORTED_SENDERS)
        return {there: held for there, held in most if held >= REPORTED_FRACTION * self.people * self.each}

    def give_back(self, guest: str | None, address: str) -> None:
        there = network_of(address)
        self._count(guest or there, there, -1)

    def _count(self, who: str, there: str, change: int) -> None:
        self.taken += change
        for held, key in ((self._guests, who), (self._addresses, there)):
            held[key] += change
            if not held[key]:
                del held[key]

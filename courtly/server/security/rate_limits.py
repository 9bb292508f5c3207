"""Rate limits that a person does not reach, but a runaway program does.

There is a limit for each guest and one for each address, because a client can request any number of cookies. With
several processes, each reports heavy addresses to the others once a second (see peer_sync.py), so that an address
gains little by using all of them. Each process counts guests separately.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from functools import lru_cache

MAX_SENDERS = 10_000  # senders remembered by one bucket
REPORTED_FRACTION = 0.1  # fraction of a limit above which an address is reported to the other processes
REFUSAL_DELAY_S = 0.25  # seconds before error-too-fast is sent; slows down clients that do not wait by themselves
MAX_REPORTED_SENDERS = 20  # reported senders of each limit, so that the report fits into one notification


@lru_cache(4096)
def network_of(address: str) -> str:
    """Return the key under which an address is limited: an IPv4 address, or the /64 network of an IPv6 address.

    Text that is no IP address is returned as it is.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address  # for example a Unix socket
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


class TokenBucket:
    """A token bucket for each sender: `rate` tokens a second, at most `burst` at once."""

    def __init__(self, rate: float, burst: float):
        self.rate = rate
        self.burst = burst
        self._tokens: dict[str, tuple[float, float]] = {}  # sender -> tokens left, and the time of that
        self._taken: Counter[str] | None = None  # tokens taken since the last report; None: no report is made

    def take(self, sender: str) -> bool:
        """Take one token. Returns False if the sender has none left."""
        left, now = self._take_out(sender)
        if left < 1:
            self._tokens[sender] = (left, now)
            return False
        self._tokens[sender] = (left - 1, now)  # moves to the end: the first sender has been idle longest
        if len(self._tokens) > MAX_SENDERS:
            del self._tokens[next(iter(self._tokens))]
        if self._taken is not None:
            self._taken[sender] += 1
        return True

    def _take_out(self, sender: str) -> tuple[float, float]:
        """Remove a sender's entry. Returns its tokens now, and the time."""
        now = time.monotonic()
        left, since = self._tokens.pop(sender, (self.burst, now))
        return min(self.burst, left + (now - since) * self.rate), now

    def heavy_senders(self) -> dict[str, int]:
        """Return the senders that took the most tokens since the last call, each with the number of tokens.

        Only senders above REPORTED_FRACTION of a second's tokens are included. The first call starts the counting.
        """
        taken, self._taken = self._taken or Counter(), Counter()
        return {
            sender: n for sender, n in taken.most_common(MAX_REPORTED_SENDERS) if n >= REPORTED_FRACTION * self.rate
        }

    def spend(self, sender: str, n: int) -> None:
        """Subtract `n` tokens that the sender took from other processes."""
        left, now = self._take_out(sender)
        self._tokens[sender] = (max(-self.burst, left - n), now)


class GuestAndAddressLimit:
    """A token bucket for each guest, and one for each address with `people` times the tokens.

    All clients without a cookie at one address count as one guest.
    """

    def __init__(self, rate: float, burst: float, people: int):
        self._guests = TokenBucket(rate, burst)
        self.addresses = TokenBucket(people * rate, people * burst)

    def take(self, guest: str | None, address: str) -> bool:
        """Take one token of the guest and one of the address. Returns False if either has none left.

        A guest without tokens takes none from its address.
        """
        network = network_of(address)
        return self._guests.take(guest or network) and self.addresses.take(network)


class ConcurrencyLimit:
    """A limit on connections that are open at once.

    Args:
        per_guest: The limit of one guest.
        people: An address may hold `people * per_guest`.
        total: The limit of this process.
    """

    def __init__(self, per_guest: int, people: int, total: int):
        self.per_guest, self.people, self.total = per_guest, people, total
        self.open_count = 0
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self.peer_counts: dict[str, dict[str, int]] = {}  # process -> connections of the heavy addresses there

    def take(self, guest: str | None, address: str) -> bool:
        """Count one more connection. Returns False if a limit is reached; otherwise the caller must `release` it."""
        network = network_of(address)
        sender = guest or network
        address_count = self._addresses[network] + sum(
            address_count.get(network, 0) for address_count in self.peer_counts.values()
        )
        has_room = self._guests[sender] < self.per_guest and address_count < self.people * self.per_guest
        if not has_room or self.open_count >= self.total:
            return False
        self._count(sender, network, 1)
        return True

    def heavy_addresses(self) -> dict[str, int]:
        """Return the addresses above REPORTED_FRACTION of their limit, each with its connections to this process."""
        heaviest = self._addresses.most_common(MAX_REPORTED_SENDERS)
        return {network: n for network, n in heaviest if n >= REPORTED_FRACTION * self.people * self.per_guest}

    def release(self, guest: str | None, address: str) -> None:
        """Stop counting a connection."""
        network = network_of(address)
        self._count(guest or network, network, -1)

    def _count(self, sender: str, network: str, change: int) -> None:
        self.open_count += change
        for counter, key in ((self._guests, sender), (self._addresses, network)):
            counter[key] += change
            if not counter[key]:
                del counter[key]

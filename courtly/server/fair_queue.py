"""A queue that no guest and no address can keep others out of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from courtly.server.limits import household

REMEMBERED_SENDERS = 10_000


@dataclass(eq=False)
class _Waiting:
    guest: str
    address: str
    key: Hashable
    turn: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Runs `size` jobs at a time. Of the jobs that wait, the next is one of the address that was served longest ago,
    and there of the guest that was served longest ago; among equals the one that came first. So a sender that asks
    seldom waits for no more than what runs already, however much others ask.

    `changed` is called when the places of those that wait have changed.
    """

    def __init__(self, size: int, changed: Callable[[], None] = lambda: None):
        self._free = size
        self._changed = changed
        self._waiting: list[_Waiting] = []
        self._served: dict[tuple[str, str], int] = {}  # ("guest" or "address", which) -> number of its last turn
        self._turns = count(1)

    @asynccontextmanager
    async def turn(self, guest: str, address: str, key: Hashable = None) -> AsyncIterator[None]:
        """Wait for a turn and hold it. `key`: what `places` calls this job."""
        job = _Waiting(guest, household(address), key)
        self._waiting.append(job)
        self._start()
        try:
            if not job.turn.done():
                self._changed()
                await job.turn
            yield
        finally:
            if job in self._waiting:  # cancelled before its turn
                self._waiting.remove(job)
                self._changed()
            else:
                self._free += 1
                self._start()

    def held(self, guest: str) -> int:
        """Return how many jobs of a guest wait."""
        return sum(job.guest == guest for job in self._waiting)

    def held_by_address(self, address: str) -> int:
        """Return how many jobs of an address wait."""
        there = household(address)
        return sum(job.address == there for job in self._waiting)

    def places(self) -> dict[Hashable, int]:
        """Return how many of the jobs that wait now come before each of them, as far as nobody else asks."""
        served, left, found = dict(self._served), [*self._waiting], dict[Hashable, int]()
        turns = count(next(self._turns))
        while left:
            job = self._next(left, served)
            left.remove(job)
            self._note(job, served, next(turns))
            found[job.key] = len(found)
        return found

    def _start(self) -> None:
        started = False
        while self._free and self._waiting:
            job = self._next(self._waiting, self._served)
            self._waiting.remove(job)
            self._note(job, self._served, next(self._turns))
            while len(self._served) > REMEMBERED_SENDERS:
                del self._served[next(iter(self._served))]
            self._free -= 1
            job.turn.set_result(None)
            started = True
        if started and self._waiting:
            self._changed()

    @staticmethod
    def _next(waiting: list[_Waiting], served: dict[tuple[str, str], int]) -> _Waiting:
        return min(
            waiting, key=lambda job: (served.get(("address", job.address), 0), served.get(("guest", job.guest), 0))
        )

    @staticmethod
    def _note(job: _Waiting, served: dict[tuple[str, str], int], turn: int) -> None:
        for sender in (("address", job.address), ("guest", job.guest)):
            served.pop(sender, None)  # put back at the end: the first was served longest ago
            served[sender] = turn

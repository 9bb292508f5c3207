"""A queue that no guest and no address can keep others out of."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from courtly.server.limits import household

REMEMBERED_SENDERS = 10_000
Sender = tuple[str, str | None]  # an address, and a guest there; None: all of them


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
        self._served: dict[Sender, int] = {}  # number of its last turn
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
        return {job.key: place for place, job in enumerate(self._order())}

    def _order(self) -> list[_Waiting]:
        """Return the jobs that wait in the order of their turns, by two sorts: the places of all are told whenever one
        has changed."""
        by_guest = self._in_turn(self._waiting, lambda job: (job.address, job.guest))
        return self._in_turn(by_guest, lambda job: (job.address, None))

    def _in_turn(self, jobs: list[_Waiting], sender: Callable[[_Waiting], Sender]) -> list[_Waiting]:
        """Return the jobs round by round: one of each sender, the sender that was served longest ago first, and of
        equals the one that comes first here. Each sender's own jobs keep their order."""
        first, rounds = dict[Sender, int](), Counter[Sender]()
        ranks: dict[_Waiting, tuple[int, int, int]] = {}
        for n, job in enumerate(jobs):
            who = sender(job)
            ranks[job] = rounds[who], self._served.get(who, 0), first.setdefault(who, n)
            rounds[who] += 1
        return sorted(jobs, key=ranks.__getitem__)

    def _start(self) -> None:
        started = False
        while self._free and self._waiting:
            job = self._order()[0]
            self._waiting.remove(job)
            turn = next(self._turns)
            for sender in ((job.address, None), (job.address, job.guest)):
                self._served.pop(sender, None)  # put back at the end: the first was served longest ago
                self._served[sender] = turn
            while len(self._served) > REMEMBERED_SENDERS:
                del self._served[next(iter(self._served))]
            self._free -= 1
            if not job.turn.done():  # else its task was cancelled just now, and gives the turn back
                job.turn.set_result(None)
            started = True
        if started and self._waiting:
            self._changed()

"""A queue that no guest and no address can keep others out of."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from courtly.server.security.rate_limits import network_of

REMEMBERED_SENDERS = 10_000
HALF_LIFE_S = 10  # of what a sender has used
OVERTAKING_FROM_S = 1.0  # that a sender has used less than the one it overtakes
Sender = tuple[str, str | None]  # an address, and a guest there; None: all of them
T = TypeVar("T")


@dataclass(eq=False)
class Job:
    """What was asked for. `overtaken`: the job that rests until this one has ended."""

    guest: str
    address: str
    key: Hashable
    used_s: float = 0.0  # without the time in which others overtook it
    overtaken: Job | None = None
    turn: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Runs `size` jobs at a time. Of the jobs that wait, the next is one of the address that was served longest ago,
    and there of the guest that was served longest ago; among equals the one that came first. So a sender that asks
    seldom waits for no more than what runs already, however much others ask.

    Nor does it wait for that where jobs can be overtaken: a job begins at once, and one of those that run rests until
    it has ended, if its sender has used a second less of late than that of the other, and than those of the jobs that
    rest for the other. Of several it is the one whose sender has used most. Of the jobs that wait only one whose sender
    has used least overtakes. Of two jobs of one address their guests count.
    """

    def __init__(
        self,
        size: int,
        changed: Callable[[], None] = lambda: None,
        overtaking: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ):
        """
        Args:
            size: How many jobs run at a time.
            changed: Called when the places of those that wait have changed.
            overtaking: Can jobs be overtaken?
            clock: Tells the seconds.
        """
        self._size, self._changed, self._overtaking, self._clock = size, changed, overtaking, clock
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._served: dict[Sender, int] = {}  # number of its last turn
        self._spent: dict[Sender, tuple[float, float]] = {}  # seconds, halved every HALF_LIFE_S; when that was so
        self._turns = count(1)
        self._charged_at = clock()

    @asynccontextmanager
    async def turn(self, guest: str, address: str, key: Hashable = None) -> AsyncIterator[Job]:
        """Wait for a turn and hold it. `key`: what `places` calls this job. Yields the job."""
        job = Job(guest, network_of(address), key)
        self._waiting.append(job)
        self._start()
        try:
            if not job.turn.done():
                self._changed()
                await job.turn
            yield job
        finally:
            if job in self._waiting:  # cancelled before its turn
                self._waiting.remove(job)
                self._changed()
            else:
                self._charge()
                self._running.remove(job)
                for other in self._running:
                    if other.overtaken is job:
                        other.overtaken = job.overtaken
                for sender in _senders(job):
                    self._note(self._spent, sender, (self._used_s(sender) + job.used_s, self._clock()))
                self._start()

    def held(self, guest: str) -> int:
        """Return how many jobs of a guest wait."""
        return sum(job.guest == guest for job in self._waiting)

    def held_by_address(self, address: str) -> int:
        """Return how many jobs of an address wait."""
        there = network_of(address)
        return sum(job.address == there for job in self._waiting)

    def places(self) -> dict[Hashable, int]:
        """Return how many of the jobs that wait now come before each of them, as far as nobody else asks."""
        return {job.key: place for place, job in enumerate(self._order())}

    def _order(self) -> list[Job]:
        """Return the jobs that wait in the order of their turns, by two sorts: the places of all are told whenever one
        has changed."""
        by_guest = self._in_turn(self._waiting, lambda job: (job.address, job.guest))
        return self._in_turn(by_guest, lambda job: (job.address, None))

    def _in_turn(self, jobs: list[Job], sender: Callable[[Job], Sender]) -> list[Job]:
        """Return the jobs round by round: one of each sender, the sender that was served longest ago first, and of
        equals the one that comes first here. Each sender's own jobs keep their order."""
        first, rounds = dict[Sender, int](), Counter[Sender]()
        ranks: dict[Job, tuple[int, int, int]] = {}
        for n, job in enumerate(jobs):
            who = sender(job)
            ranks[job] = rounds[who], self._served.get(who, 0), first.setdefault(who, n)
            rounds[who] += 1
        return sorted(jobs, key=ranks.__getitem__)

    def _start(self) -> None:
        started = False
        while job := self._next():
            self._waiting.remove(job)
            turn = next(self._turns)
            for sender in _senders(job):
                self._note(self._served, sender, turn)
            self._charge()
            job.overtaken = None if self._has_room() else self._passed(job)
            self._running.append(job)
            if not job.turn.done():  # else its task was cancelled just now, and gives the turn back
                job.turn.set_result(None)
            started = True
        if started and self._waiting:
            self._changed()

    def _next(self) -> Job | None:
        """Return the job that begins now, if one does."""
        if not self._waiting or self._has_room():
            return self._order()[0] if self._waiting else None
        if not self._overtaking:
            return None
        job = min(self._waiting, key=self._used)
        return job if self._passed(job) else None

    def _has_room(self) -> bool:
        return len(self._working()) < self._size

    def _working(self) -> list[Job]:
        """Return the jobs that run and do not rest."""
        resting = {job.overtaken for job in self._running}
        return [job for job in self._running if job not in resting]

    def _passed(self, job: Job) -> Job | None:
        """Return the job that this one overtakes, if it overtakes one."""
        passed = [other for other in self._working() if all(self._passes(job, one) for one in _with_resting(other))]
        return max(passed, key=self._used, default=None)

    def _passes(self, job: Job, running: Job) -> bool:
        """Has the sender of this job used so little of late that it does not wait for one that runs?"""
        mine, theirs = [*zip(_senders(job), _senders(running), strict=True)][job.address == running.address]
        return self._used_s(mine) + OVERTAKING_FROM_S < self._used_s(theirs)

    def _charge(self) -> None:
        """Count the time since the last change for the jobs that went on in it."""
        now = self._clock()
        for job in self._working():
            job.used_s += now - self._charged_at
        self._charged_at = now

    def _used(self, job: Job) -> list[float]:
        """Return the seconds of its address, and of its guest there."""
        return [self._used_s(sender) for sender in _senders(job)]

    def _used_s(self, sender: Sender) -> float:
        """Return the seconds that those jobs of a sender took that have ended, as far as they still count."""
        now = self._clock()
        seconds, then = self._spent.get(sender, (0.0, now))
        return float(seconds * 0.5 ** ((now - then) / HALF_LIFE_S))

    @staticmethod
    def _note(table: dict[Sender, T], sender: Sender, value: T) -> None:
        """Remember it of a sender; the senders that were noted longest ago are forgotten."""
        table.pop(sender, None)  # put back at the end
        table[sender] = value
        while len(table) > REMEMBERED_SENDERS:
            del table[next(iter(table))]


def _senders(job: Job) -> tuple[Sender, Sender]:
    return (job.address, None), (job.address, job.guest)


def _with_resting(job: Job) -> Iterator[Job]:
    """Yield a job and those that rest for it."""
    found: Job | None = job
    while found:
        yield found
        found = found.overtaken

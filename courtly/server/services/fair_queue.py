"""A queue that is fair between guests and between addresses."""

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
HALF_LIFE_S = 10  # seconds after which used time counts half
OVERTAKING_FROM_S = 1.0  # difference of used seconds from which a job overtakes another
Sender = tuple[str, str | None]  # an address, and a guest there; None: all guests there
T = TypeVar("T")


@dataclass(eq=False)
class Job:
    """A job in the queue. `overtaken`: the job that is paused until this one has ended."""

    guest: str
    address: str
    key: Hashable
    used_s: float = 0.0  # run time in seconds, without pauses
    overtaken: Job | None = None
    turn: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """A queue that runs `size` jobs at a time and shares turns fairly between senders.

    The next job is one of the address that was served longest ago, and there of the guest that was served longest ago;
    among equals the one that came first. A sender with few jobs therefore waits only for running jobs, however many
    jobs other senders have.

    With `overtaking`, it need not wait for running jobs either. A waiting job starts at once, and a running job is
    paused until it has ended, if the waiting job's sender has recently used more than OVERTAKING_FROM_S seconds less
    than the senders of the running job and of all jobs that are paused for it. If several running jobs qualify, the one
    whose sender has used most is paused. Only the waiting job whose sender has used least may overtake. Two jobs of the
    same address are compared by guest.
    """

    def __init__(
        self,
        size: int,
        places_changed: Callable[[], None] = lambda: None,
        overtaking: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ):
        """
        Args:
            size: The number of jobs that run at a time.
            places_changed: Called when the places of waiting jobs have changed.
            overtaking: Whether jobs can overtake running jobs.
            clock: Returns a monotonic time in seconds.
        """
        self._size, self._report_places, self._overtaking, self._clock = size, places_changed, overtaking, clock
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._served: dict[Sender, int] = {}  # sender -> number of its last turn
        # sender -> decayed seconds, and the time of that value
        self._used_by_sender: dict[Sender, tuple[float, float]] = {}
        self._turns = count(1)
        self._charged_at = clock()

    @asynccontextmanager
    async def turn(self, guest: str, address: str, key: Hashable = None) -> AsyncIterator[Job]:
        """Wait for a turn and hold it during the block. Yields the job. `key` identifies the job in `places`."""
        job = Job(guest, network_of(address), key)
        self._waiting.append(job)
        self._start()
        try:
            if not job.turn.done():
                self._report_places()
                await job.turn
            yield job
        finally:
            if job in self._waiting:  # cancelled before its turn
                self._waiting.remove(job)
                self._report_places()
            else:
                self._charge()
                self._running.remove(job)
                for other in self._running:
                    if other.overtaken is job:
                        other.overtaken = job.overtaken
                for sender in _senders(job):
                    self._remember(self._used_by_sender, sender, (self._used_s(sender) + job.used_s, self._clock()))
                self._start()

    def count_waiting(self, guest: str) -> int:
        """Return the number of waiting jobs of a guest."""
        return sum(job.guest == guest for job in self._waiting)

    def count_waiting_at_address(self, address: str) -> int:
        """Return the number of waiting jobs of an address."""
        network = network_of(address)
        return sum(job.address == network for job in self._waiting)

    def places(self) -> dict[Hashable, int]:
        """Return for each waiting job, by its key, how many waiting jobs come before it. New jobs may change this."""
        return {job.key: place for place, job in enumerate(self._order())}

    def _order(self) -> list[Job]:
        """Return the waiting jobs in the order of their turns. Two sorts keep it fast: `places` is called often."""
        by_guest = self._order_in_rounds(self._waiting, lambda job: (job.address, job.guest))
        return self._order_in_rounds(by_guest, lambda job: (job.address, None))

    def _order_in_rounds(self, jobs: list[Job], sender: Callable[[Job], Sender]) -> list[Job]:
        """Return the jobs in rounds with one job of each sender.

        In a round, senders are ordered by the time since they were served, then by their first job in `jobs`. The jobs
        of one sender keep their order.
        """
        first, rounds = dict[Sender, int](), Counter[Sender]()
        ranks: dict[Job, tuple[int, int, int]] = {}
        for n, job in enumerate(jobs):
            sender_key = sender(job)
            ranks[job] = rounds[sender_key], self._served.get(sender_key, 0), first.setdefault(sender_key, n)
            rounds[sender_key] += 1
        return sorted(jobs, key=ranks.__getitem__)

    def _start(self) -> None:
        """Start all jobs that may start now."""
        has_started = False
        while job := self._next_job():
            self._waiting.remove(job)
            turn = next(self._turns)
            for sender in _senders(job):
                self._remember(self._served, sender, turn)
            self._charge()
            job.overtaken = None if self._has_free_slot() else self._find_job_to_overtake(job)
            self._running.append(job)
            if not job.turn.done():  # done: its task was cancelled, and `turn` returns the turn
                job.turn.set_result(None)
            has_started = True
        if has_started and self._waiting:
            self._report_places()

    def _next_job(self) -> Job | None:
        """Return the next job that may start now, or None."""
        if not self._waiting or self._has_free_slot():
            return self._order()[0] if self._waiting else None
        if not self._overtaking:
            return None
        job = min(self._waiting, key=self._used_by)
        return job if self._find_job_to_overtake(job) else None

    def _has_free_slot(self) -> bool:
        return len(self._active_jobs()) < self._size

    def _active_jobs(self) -> list[Job]:
        """Return the jobs that run and are not paused."""
        paused = {job.overtaken for job in self._running}
        return [job for job in self._running if job not in paused]

    def _find_job_to_overtake(self, job: Job) -> Job | None:
        """Return the running job that `job` may overtake, or None."""
        candidates = [
            other
            for other in self._active_jobs()
            if all(self._may_overtake(job, running) for running in _with_paused(other))
        ]
        return max(candidates, key=self._used_by, default=None)

    def _may_overtake(self, job: Job, running: Job) -> bool:
        """Return whether the sender of `job` has used OVERTAKING_FROM_S less than that of `running`."""
        own_sender, other_sender = [*zip(_senders(job), _senders(running), strict=True)][job.address == running.address]
        return self._used_s(own_sender) + OVERTAKING_FROM_S < self._used_s(other_sender)

    def _charge(self) -> None:
        """Add the time since the last call to the run time of the jobs that were working."""
        now = self._clock()
        for job in self._active_jobs():
            job.used_s += now - self._charged_at
        self._charged_at = now

    def _used_by(self, job: Job) -> list[float]:
        """Return the seconds that a job's address, and its guest there, have used."""
        return [self._used_s(sender) for sender in _senders(job)]

    def _used_s(self, sender: Sender) -> float:
        """Return the decayed run time of a sender's ended jobs in seconds."""
        now = self._clock()
        seconds, since = self._used_by_sender.get(sender, (0.0, now))
        return float(seconds * 0.5 ** ((now - since) / HALF_LIFE_S))

    @staticmethod
    def _remember(table: dict[Sender, T], sender: Sender, value: T) -> None:
        """Store a value for a sender. Beyond REMEMBERED_SENDERS, drop the sender whose value is oldest."""
        table.pop(sender, None)  # moves to the end
        table[sender] = value
        while len(table) > REMEMBERED_SENDERS:
            del table[next(iter(table))]


def _senders(job: Job) -> tuple[Sender, Sender]:
    return (job.address, None), (job.address, job.guest)


def _with_paused(job: Job) -> Iterator[Job]:
    """Yield a job and the jobs that are paused for it."""
    current: Job | None = job
    while current:
        yield current
        current = current.overtaken

"""The one thread that talks to the database. Jobs that wait together are committed together."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from courtly.server.errors import CommitUncertainError
from courtly.server.observability.metrics import COMMIT_JOBS, COMMIT_SECONDS
from courtly.server.persistence import repository
from courtly.server.persistence.repository import JournalAppend

T = TypeVar("T")
MAX_RETRIES = 3  # of a group
DEADLOCK_DETECTED = "40P01"  # PostgreSQL's name for it
MAX_GROUP_JOBS = 256  # jobs in one commit at most
# seconds: coming back from the database the thread waits so long for its turn, a dozen times a commit
SWITCH_INTERVAL_S = 0.001


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], Any]
    moves: JournalAppend | None
    answer: asyncio.Future[Any]
    alone: bool


class GroupCommitWriter:
    """`await writer.do(work)` runs work(connection) in the thread that writes and returns its result once it is
    on disk."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        # A daemon: after an exception elsewhere a waiting writer must not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[Connection], T], moves: JournalAppend | None = None, alone: bool = False) -> T:
        """What `work` returns or raises. When it raises, nothing that it did is kept. `moves` are added to a journal
        before, with those of all others who wait. `alone`: in a transaction of its own, as what locks a whole table of
        the database must be: with rows locked before, two processes would wait for each other."""
        answer: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, moves, answer, alone))
        return await answer

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Commit what is waiting and end the thread."""
        self._jobs.put(None)
        self._thread.join()
        self.engine.dispose()

    def _run(self) -> None:
        job = self._jobs.get()
        while job is not None:
            group = [job]
            while len(group) < MAX_GROUP_JOBS and not self._jobs.empty():
                job = self._jobs.get()
                if job is None or job.alone or group[0].alone:
                    break
                group.append(job)
            self._commit(group)
            if job is group[-1]:  # none is taken from the queue beyond these
                job = self._jobs.get()

    def _commit(self, group: list[_Job], retries: int = MAX_RETRIES) -> None:
        """Do these together. If one of them fails nothing of the group is kept, and each is done by itself; if the
        connection was lost before the commit, or PostgreSQL ended the transaction because it and another waited for
        each other, all are done once more."""
        results: list[Any] = []
        working, began = False, time.monotonic()
        try:
            with self.engine.begin() as connection:
                working = True
                if moves := [job.moves for job in group if job.moves]:
                    repository.append_entries(connection, moves)
                results = [job.work(connection) for job in group]
                working = False
        except Exception as error:  # whatever it is, it belongs to whoever asked
            lost = isinstance(error, DBAPIError) and error.connection_invalidated
            deadlock = getattr(getattr(error, "orig", None), "sqlstate", None) == DEADLOCK_DETECTED
            if working and (lost or deadlock) and retries:
                self._commit(group, retries - 1)
                return
            if working and not lost and len(group) > 1:
                for job in group:
                    self._commit([job])
                return
            unsure = lost and bool(results)
            results = [CommitUncertainError("the connection broke during a commit") if unsure else error] * len(group)
        COMMIT_SECONDS.observe(time.monotonic() - began)
        COMMIT_JOBS.observe(len(group))
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self._loop.call_soon_threadsafe(_settle, list(zip(group, results, strict=True)))


def _settle(results: list[tuple[_Job, Any]]) -> None:
    for job, result in results:
        if job.answer.done():
            continue
        if isinstance(result, Exception):
            job.answer.set_exception(result)
        else:
            job.answer.set_result(result)

"""The writer: the only thread of a process that talks to the database. Waiting jobs are committed in groups."""

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
MAX_RETRIES = 3  # retries of a group
DEADLOCK_DETECTED = "40P01"  # SQLSTATE of PostgreSQL
MAX_GROUP_JOBS = 256  # jobs in one commit
# Python's switch interval: the longest wait of the thread for the GIL after each of about 12 round trips of a commit
SWITCH_INTERVAL_S = 0.001


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], Any]
    moves: JournalAppend | None
    future: asyncio.Future[Any]
    is_alone: bool


class GroupCommitWriter:
    """A thread that runs database jobs. `await writer.do(work)` returns the result of `work` after commit."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        # a daemon thread, so that the process can end after an exception elsewhere
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    async def do(
        self, work: Callable[[Connection], T], moves: JournalAppend | None = None, is_alone: bool = False
    ) -> T:
        """Run a job and return its result once it is committed.

        Args:
            work: The job. If it raises, its changes are rolled back and the exception is raised here.
            moves: Entries that are added to a journal before `work`, together with those of all jobs in the group.
            is_alone: Run the job in a transaction of its own. Required for jobs that lock a whole database table: after
                row locks of other jobs, two processes could deadlock.

        Raises:
            CommitUncertainError: The connection failed during COMMIT.
        """
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, moves, future, is_alone))
        return await future

    @property
    def waiting(self) -> int:
        """The number of waiting jobs."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Commit all waiting jobs and end the thread."""
        self._jobs.put(None)
        self._thread.join()
        self.engine.dispose()

    def _run(self) -> None:
        job = self._jobs.get()
        while job is not None:
            group = [job]
            while len(group) < MAX_GROUP_JOBS and not self._jobs.empty():
                job = self._jobs.get()
                if job is None or job.is_alone or group[0].is_alone:
                    break
                group.append(job)
            self._commit(group)
            if job is group[-1]:  # otherwise `job` is already the first one of the next group
                job = self._jobs.get()

    def _commit(self, group: list[_Job], retries: int = MAX_RETRIES) -> None:
        """Run a group of jobs in one transaction, and deliver the results.

        If a job fails, the group is rolled back and each job runs in its own transaction. If the connection is lost
        before COMMIT, or PostgreSQL detects a deadlock, the group is retried.
        """
        results: list[Any] = []
        is_open, start_time = False, time.monotonic()
        try:
            with self.engine.begin() as connection:
                is_open = True
                if moves := [job.moves for job in group if job.moves]:
                    repository.append_entries(connection, moves)
                results = [job.work(connection) for job in group]
                is_open = False
        except Exception as error:  # raised in the callers of the jobs
            is_connection_lost = isinstance(error, DBAPIError) and error.connection_invalidated
            is_deadlock = getattr(getattr(error, "orig", None), "sqlstate", None) == DEADLOCK_DETECTED
            if is_open and (is_connection_lost or is_deadlock) and retries:
                self._commit(group, retries - 1)
                return
            if is_open and not is_connection_lost and len(group) > 1:
                for job in group:
                    self._commit([job])
                return
            is_uncertain = is_connection_lost and bool(results)
            results = [CommitUncertainError("the connection failed during COMMIT") if is_uncertain else error] * len(
                group
            )
        COMMIT_SECONDS.observe(time.monotonic() - start_time)
        COMMIT_JOBS.observe(len(group))
        with contextlib.suppress(RuntimeError):  # the event loop has ended, and no caller waits any more
            self._loop.call_soon_threadsafe(_settle, list(zip(group, results, strict=True)))


def _settle(results: list[tuple[_Job, Any]]) -> None:
    """Deliver results to the waiting callers. Runs in the event loop."""
    for job, result in results:
        if job.future.done():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)

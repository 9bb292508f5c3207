"""Reviews of finished games (courtly.review).

Each requested game is reviewed once. Reviews run one after another, each in a process with the lowest priority.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from courtly.bots.runtime.worker_pool import BotError
from courtly.engine.native import loader
from courtly.engine.position import CommandRefusedError
from courtly.review.analysis import REVIEW_FORMAT
from courtly.server.cluster.pg_notify import PEER_TIMEOUT_S
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import repository
from courtly.server.security.rate_limits import network_of
from courtly.server.services.context import ServiceContext
from courtly.server.services.fair_queue import FairQueue
from courtly.server.tables.table import LiveTable
from courtly.session import schemas
from courtly.session.chance_audit import record_text

WORKER_COMMAND = (sys.executable, "-m", "courtly.review.worker")
MIN_SIMULATIONS = 20  # simulations of each move, at least
INTERPRETED_DIVISOR = 20  # an interpreted review uses the number of simulations divided by this
MAX_WAITING_PER_GUEST = 100  # requested reviews of one guest that are not finished
PROGRESS_INTERVAL_S = 0.5  # seconds between progress messages
STARTED: schemas.ReviewProgress = {"state": "working", "judged": 0, "total": 0, "ahead": 0}
QUEUE_POLL_S = 1.0  # seconds between checks whether the process that makes a review is alive
MAX_ANSWER_BYTES = 1 << 24  # longest line that a review process writes

log = logging.getLogger("courtly.server")


class AnalysisJobs:
    """The queue of requested reviews. Clients see progress and results in the messages about the table."""

    def __init__(self, context: ServiceContext):
        self.context = context
        self._queue = FairQueue(1, self._publish_places)
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by table
        self._senders: dict[str, tuple[str, ...]] = {}  # table -> guest and address of the request

    def request(self, table: LiveTable, guest: str, address: str) -> None:
        """Queue a review of a finished game, unless it is reviewed or queued already.

        Raises CommandRefusedError if no machine code is installed, or if the guest or the address has too many
        unfinished requests.
        """
        if table.has_review or table.row.id in self._tasks:
            return
        if not loader.is_available():
            raise CommandRefusedError("error-no-machine-code")
        limits = {
            guest: MAX_WAITING_PER_GUEST,
            network_of(address): MAX_WAITING_PER_GUEST * self.context.settings.people_per_address,
        }
        if any(sum(sender in asker for asker in self._senders.values()) >= n for sender, n in limits.items()):
            raise CommandRefusedError("error-too-fast")
        if not table.review or _has_failed(table):  # otherwise another process is making the review
            table.review = STARTED
            table.publish_table()
        self._senders[table.row.id] = tuple(limits)
        self._tasks[table.row.id] = asyncio.create_task(self._work(table, guest, address))

    def _publish_places(self) -> None:
        """Send the new places of waiting reviews to their tables."""
        for table, ahead in self._queue.places().items():
            assert isinstance(table, LiveTable)
            place: schemas.ReviewProgress = {**STARTED, "ahead": ahead + 1}  # + 1: the review in progress
            if table.review != place and not table.has_review:
                table.review = place
                self._publish_progress(table)

    async def _work(self, table: LiveTable, guest: str, address: str) -> None:
        try:
            # before the turn, so that other reviews need not wait
            native_code = await self._wait_for_compiler(table.row.game)
            last_progress = time.monotonic()
            while not (table.has_review or _has_failed(table)):
                async with (
                    self._queue.turn(guest, address, table),
                    self.context.peers.claim(f"review {table.row.id}") as is_ours,
                ):
                    if is_ours or time.monotonic() - last_progress > PEER_TIMEOUT_S:
                        await self._review(table, native_code)
                        return
                # another process has the lock; it publishes its progress while it is alive
                await asyncio.sleep(QUEUE_POLL_S)
                if self.context.peers.is_reviewing(table.row.id):
                    last_progress = time.monotonic()
        finally:
            del self._tasks[table.row.id], self._senders[table.row.id]

    async def _wait_for_compiler(self, game: str) -> bool:
        """Wait until a game's search is compiled. Returns False if compiling fails."""
        try:
            await self.context.bots.wait_until_compiled(game)
        except BotError as error:
            log.error("reviews of %s run without machine code: %s", game, error)
            return False
        return True

    async def _review(self, table: LiveTable, native_code: bool) -> None:
        """Make and store a review, unless another process has stored it."""
        is_stored, start_time = False, time.monotonic()
        try:
            table.review = STARTED
            self._publish_progress(table)
            if not await self.context.writer.do(lambda c: repository.load_review(c, table.row.id, REVIEW_FORMAT)):
                async with asyncio.timeout(self.context.settings.review_limit):
                    text = json.dumps(await self._make_review(table, native_code), separators=(",", ":"))
                await self.context.writer.do(lambda c: repository.save_review(c, table.row.id, REVIEW_FORMAT, text))
                log.info("table %s: reviewed in %.0f s", table.row.id, time.monotonic() - start_time)
            is_stored = True
        except (TimeoutError, OSError, ValueError) as error:
            log.error("table %s cannot be reviewed: %s", table.row.id, str(error) or "it took too long")
        except SQLAlchemyError as error:
            log.error("review of table %s not stored: the database refused: %s", table.row.id, database_reason(error))
        finally:
            table.has_review = is_stored
            table.review = None if is_stored else {**STARTED, "state": "failed"}
            self._publish_progress(table)

    def _publish_progress(self, table: LiveTable) -> None:
        """Send the progress of a review to clients and other processes."""
        table.publish_table()
        self.context.peers.publish("review", t=table.row.id, state=table.review, made=table.has_review)

    async def _make_review(self, table: LiveTable, native_code: bool) -> dict[str, Any]:
        """Return the review of a game.

        Without machine code, or if it fails, the review is made interpreted, with fewer simulations. Raises ValueError
        with the reason if there is no review.
        """
        record, count = await record_text(table.require_match()), self.context.settings.review_simulations
        if native_code:
            try:
                return await self._run_review_process(table, {"record": record, "simulations": count})
            except ValueError as error:
                log.error("table %s is reviewed without machine code: %s", table.row.id, error)
        slowly = {"record": record, "simulations": max(MIN_SIMULATIONS, count // INTERPRETED_DIVISOR), "native": False}
        return await self._run_review_process(table, slowly)

    async def _run_review_process(self, table: LiveTable, question: dict[str, Any]) -> dict[str, Any]:
        """Run a review process and return its result. Raises ValueError if it reports an error or ends without one."""
        process_group = None if sys.platform == "win32" else 0  # keeps the terminal's interrupt from the process
        worker = await asyncio.create_subprocess_exec(
            *WORKER_COMMAND, stdin=PIPE, stdout=PIPE, limit=MAX_ANSWER_BYTES, process_group=process_group
        )
        assert worker.stdin and worker.stdout
        try:
            with contextlib.suppress(OSError):  # the process has ended already: its last line or its silence says why
                if sys.platform != "win32":
                    os.setpriority(os.PRIO_PROCESS, worker.pid, 19)
                worker.stdin.write(json.dumps(question).encode() + b"\n")
                await worker.stdin.drain()
            published_at = 0.0
            while line := await worker.stdout.readline():
                step: dict[str, Any] = json.loads(line)
                if "review" in step:
                    review: dict[str, Any] = step["review"]
                    return review
                if "error" in step:
                    raise ValueError(step["error"])
                table.review = {**STARTED, "judged": step["judged"], "total": step["total"]}
                if time.monotonic() - published_at > PROGRESS_INTERVAL_S:
                    published_at = time.monotonic()
                    self._publish_progress(table)
            raise ValueError("its process ended")
        finally:
            with contextlib.suppress(ProcessLookupError):  # the process has ended already
                worker.kill()
            await worker.wait()

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _has_failed(table: LiveTable) -> bool:
    return table.review is not None and table.review["state"] == "failed"

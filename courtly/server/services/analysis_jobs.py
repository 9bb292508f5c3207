"""The analysis of finished games (courtly.review): made once for each table that asks, one after the other, each in a
process of its own that gives way to all others."""

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
MIN_SIMULATIONS = 20  # of each move
INTERPRETED_DIVISOR = 20  # times fewer simulations without machine code
MAX_WAITING_PER_GUEST = 100  # analyses asked for and not made, at most
PROGRESS_INTERVAL_S = 0.5  # seconds between two words of how far it is
STARTED: schemas.ReviewProgress = {"state": "working", "done": 0, "of": 0, "ahead": 0}
QUEUE_POLL_S = 1.0  # seconds until it is looked whether who was first is still there
MAX_ANSWER_BYTES = 1 << 24  # bytes of the longest answer

log = logging.getLogger("courtly.server")


class AnalysisJobs:
    """`ask` begins; how far it is, and that it is made, is told with the table."""

    def __init__(self, context: ServiceContext):
        self.context = context
        self._queue = FairQueue(1, self._moved_up)
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by table
        self._askers: dict[str, tuple[str, ...]] = {}  # table -> the guest who asked, and the address

    def ask(self, table: LiveTable, guest: str, address: str) -> None:
        """Have the game analysed, unless it is or will be, in turn with all who ask. CommandRefusedError before the
        end, where there is no machine code, and where this guest or address waits for too many already."""
        match = table.playing()
        if not match.over:
            raise CommandRefusedError("error-not-over")
        if table.reviewed or table.row.id in self._tasks:
            return
        if not loader.is_available():
            raise CommandRefusedError("error-no-machine-code")
        most = {
            guest: MAX_WAITING_PER_GUEST,
            network_of(address): MAX_WAITING_PER_GUEST * self.context.settings.people_per_address,
        }
        if any(sum(sender in asker for asker in self._askers.values()) >= n for sender, n in most.items()):
            raise CommandRefusedError("error-too-fast")
        if not table.review or _failed(table):  # else it is being made elsewhere
            table.review = STARTED
            table.tell_table()
        self._askers[table.row.id] = tuple(most)
        self._tasks[table.row.id] = asyncio.create_task(self._work(table, guest, address))

    def _moved_up(self) -> None:
        """The places of those that wait have changed: tell their tables."""
        for table, ahead in self._queue.places().items():
            assert isinstance(table, LiveTable)
            place: schemas.ReviewProgress = {**STARTED, "ahead": ahead + 1}  # and the one that is being made
            if table.review != place and not table.reviewed:
                table.review = place
                self._tell(table)

    async def _work(self, table: LiveTable, guest: str, address: str) -> None:
        try:
            native_code = await self._compiled(table.row.game)  # before its turn: it keeps nobody waiting
            told = time.monotonic()
            while not (table.reviewed or _failed(table)):
                async with (
                    self._queue.turn(guest, address, table),
                    self.context.peers.claim(f"review {table.row.id}") as ours,
                ):
                    if ours or time.monotonic() - told > PEER_TIMEOUT_S:
                        await self._review(table, native_code)
                        return
                # another process was asked as well, and tells how far it is while it lives
                await asyncio.sleep(QUEUE_POLL_S)
                if self.context.peers.reviewing(table.row.id):
                    told = time.monotonic()
        finally:
            del self._tasks[table.row.id], self._askers[table.row.id]

    async def _compiled(self, game: str) -> bool:
        """Wait until a game's search is compiled. False if it cannot be."""
        try:
            await self.context.bots.compiled(game)
        except BotError as why:
            log.error("games of %s are reviewed without machine code: %s", game, why)
            return False
        return True

    async def _review(self, table: LiveTable, native_code: bool) -> None:
        made, started = False, time.monotonic()
        try:
            table.review = STARTED
            self._tell(table)
            if not await self.context.writer.do(lambda c: repository.load_review(c, table.row.id, REVIEW_FORMAT)):
                async with asyncio.timeout(self.context.settings.review_limit):
                    text = json.dumps(await self._made(table, native_code), separators=(",", ":"))
                await self.context.writer.do(lambda c: repository.save_review(c, table.row.id, REVIEW_FORMAT, text))
                log.info("table %s: reviewed in %.0f s", table.row.id, time.monotonic() - started)
            made = True
        except (TimeoutError, OSError, ValueError) as wrong:
            log.error("table %s cannot be reviewed: %s", table.row.id, str(wrong) or "it took too long")
        except SQLAlchemyError as wrong:
            log.error("the review of table %s: the database refused: %s", table.row.id, database_reason(wrong))
        finally:
            table.reviewed = made
            table.review = None if made else {**STARTED, "state": "failed"}
            self._tell(table)

    def _tell(self, table: LiveTable) -> None:
        table.tell_table()
        self.context.peers.publish("review", t=table.row.id, state=table.review, made=table.reviewed)

    async def _made(self, table: LiveTable, native_code: bool) -> dict[str, Any]:
        """Return the analysis; with fewer simulations and without machine code if there is none, or if it fails.
        ValueError says why there is no analysis."""
        record, count = await record_text(table.playing()), self.context.settings.review_simulations
        if native_code:
            try:
                return await self._thought(table, {"record": record, "simulations": count})
            except ValueError as why:
                log.error("table %s is reviewed without machine code: %s", table.row.id, why)
        slowly = {"record": record, "simulations": max(MIN_SIMULATIONS, count // INTERPRETED_DIVISOR), "native": False}
        return await self._thought(table, slowly)

    async def _thought(self, table: LiveTable, question: dict[str, Any]) -> dict[str, Any]:
        """ValueError if the process ends without a result, or says why there is none."""
        group = None if sys.platform == "win32" else 0  # an interrupt from the terminal is the server's alone
        worker = await asyncio.create_subprocess_exec(
            *WORKER_COMMAND, stdin=PIPE, stdout=PIPE, limit=MAX_ANSWER_BYTES, process_group=group
        )
        assert worker.stdin and worker.stdout
        try:
            if sys.platform != "win32":
                os.setpriority(os.PRIO_PROCESS, worker.pid, 19)
            worker.stdin.write(json.dumps(question).encode() + b"\n")
            await worker.stdin.drain()
            told = 0.0
            while line := await worker.stdout.readline():
                step: dict[str, Any] = json.loads(line)
                if "review" in step:
                    review: dict[str, Any] = step["review"]
                    return review
                if "error" in step:
                    raise ValueError(step["error"])
                table.review = {**STARTED, "done": step["done"], "of": step["of"]}
                if time.monotonic() - told > PROGRESS_INTERVAL_S:
                    told = time.monotonic()
                    self._tell(table)
            raise ValueError("its process ended")
        finally:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                worker.kill()
            await worker.wait()

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _failed(table: LiveTable) -> bool:
    return table.review is not None and table.review["state"] == "failed"

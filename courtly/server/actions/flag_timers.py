"""The flags of the clocks: when a seat has no time left, a bot makes its decision.

Each table has one timer, set to the earliest flag. For a table whose match is in memory, it is set from the clocks, and
for other tables from the database; a periodic query finds tables that are not in memory at all. A timer that fires too
early does no harm, because the clocks are checked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import CommandRefusedError
from courtly.server import timekeeping
from courtly.server.application import Application, do_nothing
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import repository
from courtly.server.tables.table import LiveTable
from courtly.server.timekeeping import Gap, now
from courtly.session.clocks import ClockPause

SWEEP_INTERVAL_S = 60.0  # seconds between queries for tables with flags
OPEN_NOTE_INTERVAL_S = 2.0  # seconds between open notes of this process, if there can be other processes
LAG_MS = 1000  # a larger difference from the other processes' time is corrected; smaller ones may be transmission time
# With clocks in use, a running server stores an open note (the time at which it was open) at least this often.
OPEN_NOTE_MAX_AGE_MS = int(1500 * SWEEP_INTERVAL_S)

log = logging.getLogger("courtly.server")


def call_later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    """Call a function after a delay. Tests replace this function."""
    return asyncio.get_running_loop().call_later(seconds, call)


class FlagTimers:
    """The timers of all flags, and the periods in which no player's time runs. Created by `start`."""

    def __init__(self, application: Application):
        self.application = application
        self._tasks: set[asyncio.Task[None]] = set()
        self._gaps: list[Gap] = []  # gaps of this process that are not stored yet
        self._loop = asyncio.get_running_loop()
        timekeeping.TIMEKEEPER.add_observer(self._note_gap)
        self._start_task(_run_repeatedly(timekeeping.BEAT_S, self._beat))
        self._start_task(_run_repeatedly(SWEEP_INTERVAL_S, self.sweep_logging_errors))
        if application.peers.has_peers:
            self._start_task(_run_repeatedly(OPEN_NOTE_INTERVAL_S, self._store_open_note))

    @classmethod
    async def start(cls, application: Application) -> FlagTimers:
        """Start the timers. Flags move by the time in which no process was running."""

        async def was_serving() -> bool:
            since = now() - OPEN_NOTE_MAX_AGE_MS
            return await application.writer.do(lambda c: repository.has_open_note_since(c, since))

        async with application.peers.claim_opening(was_serving) as is_first:
            if not is_first and abs(lag := await application.peers.measure_lag()) > LAG_MS:
                log.warning("adopting the time of the other processes: %+.0f s", lag / 1000)
                timekeeping.TIMEKEEPER.shift(lag)
            opened_at, open_or_join = now(), repository.open_server if is_first else repository.join_server
            closures, has_corrected = await application.writer.do(lambda c: open_or_join(c, opened_at))
        application.closures += closures
        last_closure = closures[-1] if closures and closures[-1].until == opened_at else None
        timers = cls(application)
        application.schedule_flags, application.check_flags, application.reload_closures = (
            timers.set_timer,
            timers.sweep_logging_errors,
            timers.reload_closures,
        )
        if has_corrected:
            log.warning("running games have entries in the future: the system clock was wrong then, or is wrong now")
            await timers._reload_tables()
        for table in list(application.tables.by_id.values()):
            if table.row.next_flag_at is not None and table.flag_timer is None:
                timers._start_timer(
                    table,
                    table.row.next_flag_at
                    + (opened_at - last_closure.since if last_closure and not has_corrected else 0),
                )
        return timers

    async def close(self) -> None:
        """Stop all timers, and store that no time runs until the server starts again."""
        self.application.schedule_flags, self.application.check_flags, self.application.reload_closures = (
            lambda table: None,
            do_nothing,
            do_nothing,
        )
        timekeeping.TIMEKEEPER.remove_observer(self._note_gap)
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for table in self.application.tables.by_id.values():
            self._cancel_timer(table)
        with contextlib.suppress(SQLAlchemyError):  # no time then counts since the last open note
            await self._store_gaps(is_closing=True)

    # --- timers -------------------------------------------------------------------------------------------------------

    def set_timer(self, table: LiveTable) -> None:
        """Set the timer of a table again, because its clocks may have changed."""
        is_playing = table.clocks is not None and table.status == "playing"
        next_flag_at = table.clocks.next_flag_at(excluded=table.timed_out) if table.clocks and is_playing else None
        self._cancel_timer(table)
        if next_flag_at is not None:
            self._start_timer(table, next_flag_at)

    def _cancel_timer(self, table: LiveTable) -> None:
        if table.flag_timer:
            table.flag_timer.cancel()
        table.flag_timer = None

    def _start_timer(self, table: LiveTable, flag_at: int) -> None:
        def handle() -> None:
            table.flag_timer = None
            self._start_task(self._handle_flag(table.row.id))

        table.flag_timer = call_later(max(0, flag_at - now()) / 1000, handle)

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle_flag(self, table_id: str) -> None:
        """Check the flags of a table, and let bots move for seats without time.

        Tables without a match in memory are checked by the process with the singleton duty only.
        """
        is_unloaded = (
            table_id not in self.application.tables.by_id or self.application.tables.by_id[table_id].match is None
        )
        if is_unloaded and not self.application.peers.has_duty:
            return
        try:
            table = await self.application.tables.get(table_id)
        except CommandRefusedError:  # the table was removed
            return
        except SQLAlchemyError as error:
            log.error("flag of table %s delayed: the database refused: %s", table_id, database_reason(error))
            return  # the next sweep tries again
        async with table.lock:  # a move in progress comes first
            if table.clocks is None or table.status != "playing" or table.problem:
                return
            table.timed_out |= table.clocks.timed_out(now())
        self.set_timer(table)
        self.application.schedule_bots(table)

    # --- periodic work ------------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Advance the server's time. Must not wait for the database, because a late beat counts as a gap."""
        timekeeping.TIMEKEEPER.beat()

    async def sweep_logging_errors(self) -> None:
        """Run `sweep`, and log a database error."""
        try:
            await self.sweep()
        except SQLAlchemyError as error:
            log.error("sweep for flags failed: the database refused: %s", database_reason(error))

    async def sweep(self) -> None:
        """Find tables without a timer whose flags fall before the next sweep, and check them."""
        await self._store_gaps()
        next_sweep = now() + int(1000 * SWEEP_INTERVAL_S)
        for table_id in await self.application.writer.do(lambda c: repository.load_tables_with_flags(c, next_sweep)):
            table = self.application.tables.by_id.get(table_id)
            if table is None or not (table.flag_timer or table.timed_out or table.problem):
                await self._handle_flag(table_id)

    async def _store_open_note(self) -> None:
        """Store an open note, and log a database error.

        Other processes that were suspended learn from the note that time did run.
        """
        try:
            await self._store_gaps()
        except SQLAlchemyError as error:
            log.error("open note not stored: the database refused: %s", database_reason(error))

    async def _store_gaps(self, is_closing: bool = False) -> None:
        """Store that the server is open, if clocks are in use, and the gaps in which no process ran."""
        noted_at, gaps = now(), self._gaps[:]
        has_clocks = any(
            table.row.clock and table.status == "playing" for table in self.application.tables.by_id.values()
        )
        if not (gaps or has_clocks or is_closing):
            return
        returned_ms = await self.application.writer.do(lambda c: repository.save_open_note(c, noted_at, gaps))
        self._gaps = [gap for gap in self._gaps if gap not in gaps]
        if gaps and not is_closing:
            await self.reload_closures()
            if returned_ms:
                log.warning("clocks stood still while the server did not run: %.1f s", returned_ms / 1000)
                self.application.peers.publish("closed")

    # --- gaps ---------------------------------------------------------------------------------------------------------

    def _note_gap(self, gap: Gap) -> None:
        """Handle a gap. Until the database shows whether another process ran, no player's time counts for it."""
        self._gaps.append(gap)
        self.application.closures.append(ClockPause(None, *gap))
        self._loop.call_soon(self._resume)

    def _resume(self) -> None:
        """Set all timers again after a gap, and send the clocks to all clients."""
        for table in self.application.tables.by_id.values():
            self._resume_table(table)
        self._start_task(self._store_open_note())

    def _resume_table(self, table: LiveTable) -> None:
        if table.clocks and table.status == "playing":
            self.set_timer(table)
            table.publish_clocks()

    async def reload_closures(self) -> None:
        """Reload the periods in which no process was running, and recompute the clocks that they change."""
        stored_pauses = await self.application.writer.do(lambda c: repository.load_pauses(c, None))
        closures = [*stored_pauses, *(ClockPause(None, *gap) for gap in self._gaps)]
        changed = {*closures} ^ {*self.application.closures}
        self.application.closures[:] = closures
        for table in list(self.application.tables.by_id.values()) if changed else []:
            async with table.lock:
                if table.clocks and table.clocks.at > min(pause.since for pause in changed):
                    await table.recompute_clocks()
            self._resume_table(table)

    async def _reload_tables(self) -> None:
        """Reload all tables in memory, after times were corrected in the database."""
        tables = self.application.tables.by_id
        stored_tables = await self.application.writer.do(lambda c: repository.load_tables(c, list(tables)))
        for table_id, (row, _) in stored_tables.items():
            if table := tables.get(table_id):
                async with table.lock:
                    table.row, loaded_match = row, table.match
                    table.match = table.problem = table.clocks = None
                    if loaded_match:
                        with contextlib.suppress(CommandRefusedError):  # its rules fail, and its clients are notified
                            await self.application.tables.reload(table)


async def _run_repeatedly(seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await work()

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
from courtly.server.application import Application, no_work
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
        timekeeping.TIMEKEEPER.observe(self._note_gap)
        self._soon(_repeat(timekeeping.BEAT_S, self._beat))
        self._soon(_repeat(SWEEP_INTERVAL_S, self.look))
        if application.peers.several:
            self._soon(_repeat(OPEN_NOTE_INTERVAL_S, self._note))

    @classmethod
    async def start(cls, application: Application) -> FlagTimers:
        """Start the timers. Flags move by the time in which no process was running."""

        async def lately() -> bool:
            since = now() - OPEN_NOTE_MAX_AGE_MS
            return await application.writer.do(lambda c: repository.has_open_note_since(c, since))

        async with application.peers.opening(lately) as first:
            if not first and abs(lag := await application.peers.lag()) > LAG_MS:
                log.warning("adopting the time of the other processes: %+.0f s", lag / 1000)
                timekeeping.TIMEKEEPER.shift(lag)
            opened_at, opened = now(), repository.open_server if first else repository.join_server
            closed, corrected = await application.writer.do(lambda c: opened(c, opened_at))
        application.closures += closed
        missed = closed[-1] if closed and closed[-1].until == opened_at else None
        flags = cls(application)
        application.schedule_flags, application.check_flags, application.reload_closures = (
            flags.watch,
            flags.look,
            flags.look_for_closed,
        )
        if corrected:
            log.warning("running games have entries in the future: the system clock was wrong then, or is wrong now")
            await flags._take_up_again()
        for table in list(application.tables.by_id.values()):
            if table.row.next_flag_at is not None and table.flag is None:
                flags._set(
                    table, table.row.next_flag_at + (opened_at - missed.since if missed and not corrected else 0)
                )
        return flags

    async def close(self) -> None:
        """Stop all timers, and store that no time runs until the server starts again."""
        self.application.schedule_flags, self.application.check_flags, self.application.reload_closures = (
            lambda table: None,
            no_work,
            no_work,
        )
        timekeeping.TIMEKEEPER.ignore(self._note_gap)
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for table in self.application.tables.by_id.values():
            self._lower(table)
        with contextlib.suppress(SQLAlchemyError):  # no time then counts since the last open note
            await self._stay_open(closing=True)

    # --- timers -------------------------------------------------------------------------------------------------------

    def watch(self, table: LiveTable) -> None:
        """Set the timer of a table again, because its clocks may have changed."""
        playing = table.clocks is not None and table.status == "playing"
        falls = table.clocks.falls(but=table.fallen) if table.clocks and playing else None
        self._lower(table)
        if falls is not None:
            self._set(table, falls)

    def _lower(self, table: LiveTable) -> None:
        if table.flag:
            table.flag.cancel()
        table.flag = None

    def _set(self, table: LiveTable, falls: int) -> None:
        def fall() -> None:
            table.flag = None
            self._soon(self._fall(table.row.id))

        table.flag = call_later(max(0, falls - now()) / 1000, fall)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fall(self, table_id: str) -> None:
        """Check the flags of a table, and let bots move for seats without time.

        Tables without a match in memory are checked by the process with the singleton duty only.
        """
        asleep = table_id not in self.application.tables.by_id or self.application.tables.by_id[table_id].match is None
        if asleep and not self.application.peers.duty:
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
            table.fallen |= table.clocks.fallen(now())
        self.watch(table)
        self.application.schedule_bots(table)

    # --- periodic work ------------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Advance the server's time. Must not wait for the database, because a late beat counts as a gap."""
        timekeeping.TIMEKEEPER.beat()

    async def look(self) -> None:
        """Run `go_round`, and log a database error."""
        try:
            await self.go_round()
        except SQLAlchemyError as error:
            log.error("sweep for flags failed: the database refused: %s", database_reason(error))

    async def go_round(self) -> None:
        """Find tables without a timer whose flags fall before the next sweep, and check them."""
        await self._stay_open()
        soon = now() + int(1000 * SWEEP_INTERVAL_S)
        for table_id in await self.application.writer.do(lambda c: repository.load_tables_with_flags(c, soon)):
            table = self.application.tables.by_id.get(table_id)
            if table is None or not (table.flag or table.fallen or table.problem):
                await self._fall(table_id)

    async def _note(self) -> None:
        """Store an open note, and log a database error.

        Other processes that were suspended learn from the note that time did run.
        """
        try:
            await self._stay_open()
        except SQLAlchemyError as error:
            log.error("open note not stored: the database refused: %s", database_reason(error))

    async def _stay_open(self, closing: bool = False) -> None:
        """Store that the server is open, if clocks are in use, and the gaps in which no process ran."""
        noted_at, gaps = now(), self._gaps[:]
        clocks = any(table.row.clock and table.status == "playing" for table in self.application.tables.by_id.values())
        if not (gaps or clocks or closing):
            return
        given_back = await self.application.writer.do(lambda c: repository.save_open_note(c, noted_at, gaps))
        self._gaps = [gap for gap in self._gaps if gap not in gaps]
        if gaps and not closing:
            await self.look_for_closed()
            if given_back:
                log.warning("clocks stood still while the server did not run: %.1f s", given_back / 1000)
                self.application.peers.publish("closed")

    # --- gaps ---------------------------------------------------------------------------------------------------------

    def _note_gap(self, gap: Gap) -> None:
        """Handle a gap. Until the database shows whether another process ran, no player's time counts for it."""
        self._gaps.append(gap)
        self.application.closures.append(ClockPause(None, *gap))
        self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        """Set all timers again after a gap, and send the clocks to all clients."""
        for table in self.application.tables.by_id.values():
            self._go_on_at(table)
        self._soon(self._note())

    def _go_on_at(self, table: LiveTable) -> None:
        if table.clocks and table.status == "playing":
            self.watch(table)
            table.publish_clocks()

    async def look_for_closed(self) -> None:
        """Reload the periods in which no process was running, and recompute the clocks that they change."""
        stored_pauses = await self.application.writer.do(lambda c: repository.load_pauses(c, None))
        closed = [*stored_pauses, *(ClockPause(None, *gap) for gap in self._gaps)]
        changed = {*closed} ^ {*self.application.closures}
        self.application.closures[:] = closed
        for table in list(self.application.tables.by_id.values()) if changed else []:
            async with table.lock:
                if table.clocks and table.clocks.at > min(still.since for still in changed):
                    await table.count_again()
            self._go_on_at(table)

    async def _take_up_again(self) -> None:
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


async def _repeat(seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await work()

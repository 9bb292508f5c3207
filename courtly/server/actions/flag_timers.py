"""The flags of the clocks: when somebody's time is out, a bot decides.

Each table has one timer, for whose flag falls first. It is set from what is in memory, and for a table that is asleep
from what the database knows; looking there now and then finds those that are not in memory at all. A timer that is too
early does no harm: the clocks decide.
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

SWEEP_INTERVAL_S = 60.0  # seconds between looks into the database
# seconds between notes that the house is open, where there can be other processes that need to know
OPEN_NOTE_INTERVAL_S = 2.0
LAG_MS = 1000  # from the time of the other processes, which may be heard a little late
# milliseconds in which a house that is open says so, if there are clocks
OPEN_NOTE_MAX_AGE_MS = int(1500 * SWEEP_INTERVAL_S)

log = logging.getLogger("courtly.server")


def call_later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    """Tests have a clock of their own."""
    return asyncio.get_running_loop().call_later(seconds, call)


class FlagTimers:
    """Made in `raised`."""

    def __init__(self, application: Application):
        self.application = application
        self._tasks: set[asyncio.Task[None]] = set()
        self._gaps: list[Gap] = []  # in which this process did not run, and which are not kept yet
        self._loop = asyncio.get_running_loop()
        timekeeping.TIMEKEEPER.observe(self._note_gap)
        self._soon(_repeat(timekeeping.BEAT_S, self._beat))
        self._soon(_repeat(SWEEP_INTERVAL_S, self.look))
        if application.peers.several:
            self._soon(_repeat(OPEN_NOTE_INTERVAL_S, self._note))

    @classmethod
    async def start(cls, application: Application) -> FlagTimers:
        """From now on flags fall at this house. While it was closed no time ran."""

        async def lately() -> bool:
            since = now() - OPEN_NOTE_MAX_AGE_MS
            return await application.writer.do(lambda c: repository.has_open_note_since(c, since))

        async with application.peers.opening(lately) as first:
            if not first and abs(lag := await application.peers.lag()) > LAG_MS:
                log.warning("this process takes the time of the others: %+.0f s", lag / 1000)
                timekeeping.TIMEKEEPER.shift(lag)
            at, opened = now(), repository.open_server if first else repository.join_server
            closed, corrected = await application.writer.do(lambda c: opened(c, at))
        application.closures += closed
        missed = closed[-1] if closed and closed[-1].until == at else None
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
            if table.row.falls is not None and table.flag is None:
                flags._set(table, table.row.falls + (at - missed.since if missed and not corrected else 0))
        return flags

    async def close(self) -> None:
        """No flag falls any more, and no time runs until the house opens again."""
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
        with contextlib.suppress(SQLAlchemyError):  # then none has run since the last round
            await self._stay_open(closing=True)

    # --- timers -------------------------------------------------------------------------------------------------------

    def watch(self, table: LiveTable) -> None:
        """Whose time runs at this table, or whether any does, may have changed."""
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
        """Somebody's time may be out at this table. Of those that are asleep, one process looks after all."""
        asleep = table_id not in self.application.tables.by_id or self.application.tables.by_id[table_id].match is None
        if asleep and not self.application.peers.duty:
            return
        try:
            table = await self.application.tables.get(table_id)
        except CommandRefusedError:  # it is gone
            return
        except SQLAlchemyError as error:
            log.error("a flag at table %s waits: the database refused: %s", table_id, database_reason(error))
            return  # until the next round
        async with table.lock:  # a move on its way comes first
            if table.clocks is None or table.status != "playing" or table.problem:
                return
            table.fallen |= table.clocks.fallen(now())
        self.watch(table)
        self.application.schedule_bots(table)

    # --- now and then -------------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Does not wait for the database, or it would not notice that this process runs."""
        timekeeping.TIMEKEEPER.beat()

    async def look(self) -> None:
        try:
            await self.go_round()
        except SQLAlchemyError as error:
            log.error("looking for flags: the database refused: %s", database_reason(error))

    async def go_round(self) -> None:
        """Look for flags that are to fall soon at tables without a timer."""
        await self._stay_open()
        soon = now() + int(1000 * SWEEP_INTERVAL_S)
        for table_id in await self.application.writer.do(lambda c: repository.load_tables_with_flags(c, soon)):
            table = self.application.tables.by_id.get(table_id)
            if table is None or not (table.flag or table.fallen or table.problem):
                await self._fall(table_id)

    async def _note(self) -> None:
        """Say that the house is open, so that the other processes know it if they did not run meanwhile."""
        try:
            await self._stay_open()
        except SQLAlchemyError as error:
            log.error("the time is not kept: the database refused: %s", database_reason(error))

    async def _stay_open(self, closing: bool = False) -> None:
        """Keep that the house is open if there are clocks, and when it was not."""
        at, gaps = now(), self._gaps[:]
        clocks = any(table.row.clock and table.status == "playing" for table in self.application.tables.by_id.values())
        if not (gaps or clocks or closing):
            return
        given_back = await self.application.writer.do(lambda c: repository.save_open_note(c, at, gaps))
        self._gaps = [gap for gap in self._gaps if gap not in gaps]
        if gaps and not closing:
            await self.look_for_closed()
            if given_back:
                log.warning("the time in which the server did not run is no player's: %.1f s", given_back / 1000)
                self.application.peers.publish("closed")

    # --- gaps ---------------------------------------------------------------------------------------------------------

    def _note_gap(self, gap: Gap) -> None:
        """No time passed here. Until it is known whether another process ran, no player's time ran meanwhile."""
        self._gaps.append(gap)
        self.application.closures.append(ClockPause(None, *gap))
        self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        """After a gap: flags fall later, and everybody is told."""
        for table in self.application.tables.by_id.values():
            self._go_on_at(table)
        self._soon(self._note())

    def _go_on_at(self, table: LiveTable) -> None:
        if table.clocks and table.status == "playing":
            self.watch(table)
            table.tell_clocks()

    async def look_for_closed(self) -> None:
        """Take up from the database when the house was closed, where that is otherwise than is known."""
        found = await self.application.writer.do(lambda c: repository.load_pauses(c, None))
        closed = [*found, *(ClockPause(None, *gap) for gap in self._gaps)]
        changed = {*closed} ^ {*self.application.closures}
        self.application.closures[:] = closed
        for table in list(self.application.tables.by_id.values()) if changed else []:
            async with table.lock:
                if table.clocks and table.clocks.at > min(still.since for still in changed):
                    await table.count_again()
            self._go_on_at(table)

    async def _take_up_again(self) -> None:
        """Take up what is in memory once more, after times were corrected in the database."""
        tables = self.application.tables.by_id
        found = await self.application.writer.do(lambda c: repository.load_tables(c, list(tables)))
        for table_id, (row, _) in found.items():
            if table := tables.get(table_id):
                async with table.lock:
                    table.row, known = row, table.match
                    table.match = table.problem = table.clocks = None
                    if known:
                        with contextlib.suppress(CommandRefusedError):  # its rules fail, as everybody there is told
                            await self.application.tables.reload(table)


async def _repeat(seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await work()

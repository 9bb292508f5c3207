"""The flags of the clocks: when somebody's time is out, a bot decides.

Each table has one timer, for whose flag falls first. It is set from what is in memory, and for a table that is asleep
from what the database knows; looking there now and then finds those that are not in memory at all. A timer that is too
early does no harm: the clocks decide.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import Refused
from courtly.server import store
from courtly.server.house import House, nothing
from courtly.server.logs import reason
from courtly.server.tables import Table, now

ROUND = 60.0  # seconds between looks into the database
LATELY = int(1500 * ROUND)  # milliseconds in which a house that is open says so, if there are clocks

log = logging.getLogger("courtly.server")


def later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    """Tests have a clock of their own."""
    return asyncio.get_running_loop().call_later(seconds, call)


class Flags:
    """Made in `raised`."""

    def __init__(self, house: House):
        self.house = house
        self._falling: set[asyncio.Task[None]] = set()
        self._rounds = asyncio.create_task(self._go_round())

    @classmethod
    async def raised(cls, house: House) -> Flags:
        """From now on flags fall at this house. While it was closed no time ran."""
        lately = partial(house.writer.do, lambda c: store.was_open(c, now() - LATELY))
        async with house.peers.opening(lately) as first:
            at, opened = now(), store.open_house if first else store.visit_house
            house.closed += await house.writer.do(lambda c: opened(c, at))
        missed = house.closed[-1] if house.closed and house.closed[-1].until == at else None
        flags = cls(house)
        house.watch, house.look_for_flags = flags.watch, flags.look
        for table in list(house.tables.values()):
            if table.row.falls is not None:
                flags._set(table, table.row.falls + (at - missed.since if missed else 0))
        return flags

    async def close(self) -> None:
        """No flag falls any more, and no time runs until the house opens again."""
        self.house.watch, self.house.look_for_flags = lambda table: None, nothing
        tasks = [self._rounds, *self._falling]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for table in self.house.tables.values():
            self._lower(table)
        with contextlib.suppress(SQLAlchemyError):  # then none has run since the last round
            await self._stay_open()

    # --- timers -------------------------------------------------------------------------------------------------------

    def watch(self, table: Table) -> None:
        """Whose time runs at this table, or whether any does, may have changed."""
        playing = table.clocks is not None and table.status == "playing"
        falls = table.clocks.falls(but=table.fallen) if table.clocks and playing else None
        self._lower(table)
        if falls is not None:
            self._set(table, falls)

    def _lower(self, table: Table) -> None:
        if table.flag:
            table.flag.cancel()
        table.flag = None

    def _set(self, table: Table, falls: int) -> None:
        def fall() -> None:
            table.flag = None
            self._fall_soon(table.row.id)

        table.flag = later(max(0, falls - now()) / 1000, fall)

    def _fall_soon(self, table_id: str) -> None:
        task = asyncio.create_task(self._fall(table_id))
        self._falling.add(task)
        task.add_done_callback(self._falling.discard)

    async def _fall(self, table_id: str) -> None:
        """Somebody's time may be out at this table. Of those that are asleep, one process looks after all."""
        asleep = table_id not in self.house.tables or self.house.tables[table_id].match is None
        if asleep and not self.house.peers.duty:
            return
        try:
            table = await self.house.table(table_id)
        except Refused:  # it is gone
            return
        except SQLAlchemyError as error:
            log.error("a flag at table %s waits: the database refused: %s", table_id, reason(error))
            return  # until the next round
        async with table.lock:  # a move on its way comes first
            if table.clocks is None or table.status != "playing" or table.problem:
                return
            table.fallen |= table.clocks.fallen(now())
        self.watch(table)
        self.house.wake(table)

    # --- now and then -------------------------------------------------------------------------------------------------

    async def _go_round(self) -> None:
        while True:
            await asyncio.sleep(ROUND)
            await self.look()

    async def look(self) -> None:
        try:
            await self.go_round()
        except SQLAlchemyError as error:
            log.error("looking for flags: the database refused: %s", reason(error))

    async def go_round(self) -> None:
        """Look for flags that are to fall soon at tables without a timer."""
        await self._stay_open()
        soon = now() + int(1000 * ROUND)
        for table_id in await self.house.writer.do(lambda c: store.load_falling(c, soon)):
            table = self.house.tables.get(table_id)
            if table is None or not (table.flag or table.fallen or table.problem):
                await self._fall(table_id)

    async def _stay_open(self) -> None:
        if any(table.row.clock and table.status == "playing" for table in self.house.tables.values()):
            at = now()
            await self.house.writer.do(lambda c: store.stay_open(c, at))

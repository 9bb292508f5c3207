"""The timeout of the exchange of numbers: see number_exchange.py.

Every process sets a timer for each table in its memory; the first committed change takes effect.
"""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import CommandRefusedError
from courtly.server.actions import seating
from courtly.server.application import Application
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence.timeouts import STORAGE_RETRY_DELAY_S
from courtly.server.tables.table import LiveTable
from courtly.session import number_exchange

log = logging.getLogger("courtly.server")


class NumberExchangeTimers:
    """Ends exchanges of numbers that take too long, including those of tables that were loaded at the start."""

    def __init__(self, application: Application):
        self.application = application
        self._tasks: set[asyncio.Task[None]] = set()
        application.schedule_numbers = self.expect
        for table in application.tables.by_id.values():
            self.expect(table)

    async def close(self) -> None:
        self.application.schedule_numbers = lambda table: None
        for table in self.application.tables.by_id.values():
            self._cancel(table)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def expect(self, table: LiveTable) -> None:
        """Set the timer of a table if numbers are missing there, otherwise cancel it."""
        if not number_exchange.is_open(table.status, table.seats):
            self._cancel(table)
        elif table.exchange_timer is None:
            self._set(table, number_exchange.NUMBER_TIMEOUT_S)

    @staticmethod
    def _cancel(table: LiveTable) -> None:
        if table.exchange_timer:
            table.exchange_timer.cancel()
        table.exchange_timer = None

    def _set(self, table: LiveTable, seconds: float) -> None:
        def end() -> None:
            table.exchange_timer = None
            task = asyncio.create_task(self._end(table, table.row.dice_secret))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        table.exchange_timer = asyncio.get_running_loop().call_later(seconds, end)

    async def _end(self, table: LiveTable, secret: str) -> None:
        try:
            await seating.end_exchange(self.application, table, secret)
        except CommandRefusedError:  # the table was removed meanwhile
            return
        except SQLAlchemyError as error:
            log.error("exchange of table %s not ended: the database refused: %s", table.row.id, database_reason(error))
        if number_exchange.is_open(table.status, table.seats) and not table.is_removed and table.exchange_timer is None:
            self._set(table, STORAGE_RETRY_DELAY_S)

"""Connections to PostgreSQL that are closed if no answer arrives in time.

The statement timeout and TCP timeouts do not cover a PostgreSQL server that hangs: it ends no statement, and its
operating system still acknowledges all packets.
"""

from __future__ import annotations

from psycopg import AsyncConnection, Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.errors import _WaitTimeout
from psycopg.rows import TupleRow

from courtly.server.persistence.timeouts import STATEMENT_TIMEOUT_S

SERVER_TIMEOUT_MARGIN_S = 1.0  # seconds after the statement timeout for PostgreSQL's error message to arrive
SHORT_TIMEOUT_S = 7.0  # seconds for statements that never take long
INTERRUPT_POLL_S = 0.1  # seconds between checks for Ctrl-C; psycopg's default


class DeadlineConnection(Connection[TupleRow]):
    """A connection of the engine. `limit`: seconds for an answer; None: no limit."""

    limit: float | None = STATEMENT_TIMEOUT_S + SERVER_TIMEOUT_MARGIN_S

    def wait(self, gen: PQGen[RV], interval: float = INTERRUPT_POLL_S, timeout: float | None = None) -> RV:
        try:
            return super().wait(gen, interval, self.limit if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            self.close()  # the outcome of the statement is unknown
        raise OperationalError(f"no answer within {self.limit:g} s")


class AsyncDeadlineConnection(AsyncConnection[TupleRow]):
    """A connection for locks and notifications. `limit`: seconds for an answer."""

    limit = SHORT_TIMEOUT_S

    async def wait(self, gen: PQGen[RV], interval: float = INTERRUPT_POLL_S, timeout: float | None = None) -> RV:
        try:
            return await super().wait(gen, interval, self.limit if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            await self.close()
        raise OperationalError(f"no answer within {self.limit:g} s")

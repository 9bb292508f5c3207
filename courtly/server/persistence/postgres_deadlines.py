"""Connections to PostgreSQL that are given up where no answer comes. What limits statements and networks does not limit
this: a server that hangs does nothing, and its system still acknowledges all that it is sent."""

from __future__ import annotations

from psycopg import AsyncConnection, Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.errors import _WaitTimeout
from psycopg.rows import TupleRow

from courtly.server.persistence.timeouts import STATEMENT_TIMEOUT_S

SERVER_TIMEOUT_MARGIN_S = 1.0  # seconds after which PostgreSQL, which ends it then, has said so
SHORT_TIMEOUT_S = 7.0  # seconds for what never takes long
INTERRUPT_POLL_S = 0.1  # seconds between looks for Ctrl-C, as psycopg has it


class DeadlineConnection(Connection[TupleRow]):
    """For the engine."""

    limit: float | None = STATEMENT_TIMEOUT_S + SERVER_TIMEOUT_MARGIN_S

    def wait(self, gen: PQGen[RV], interval: float = INTERRUPT_POLL_S, timeout: float | None = None) -> RV:
        try:
            return super().wait(gen, interval, self.limit if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            self.close()  # what comes of it is not known
        raise OperationalError(f"no answer within {self.limit:g} s")


class AsyncDeadlineConnection(AsyncConnection[TupleRow]):
    """For what is beside it."""

    limit = SHORT_TIMEOUT_S

    async def wait(self, gen: PQGen[RV], interval: float = INTERRUPT_POLL_S, timeout: float | None = None) -> RV:
        try:
            return await super().wait(gen, interval, self.limit if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            await self.close()
        raise OperationalError(f"no answer within {self.limit:g} s")

"""Connections to PostgreSQL that are given up where no answer comes. What limits statements and networks does not limit
this: a server that hangs does nothing, and its system still acknowledges all that it is sent."""

from __future__ import annotations

from psycopg import AsyncConnection, Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.errors import _WaitTimeout
from psycopg.rows import TupleRow

from courtly.server.persistence.engine import PATIENCE

LATE = 1.0  # seconds after which PostgreSQL, which ends it then, has said so
SOON = 7.0  # seconds for what never takes long
INTERVAL = 0.1  # seconds between looks for Ctrl-C, as psycopg has it


class Impatient(Connection[TupleRow]):
    """For the engine."""

    limit: float | None = PATIENCE + LATE

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL, timeout: float | None = None) -> RV:
        try:
            return super().wait(gen, interval, self.limit if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            self.close()  # what comes of it is not known
        raise OperationalError(f"no answer within {self.limit:g} s")


class AsyncImpatient(AsyncConnection[TupleRow]):
    """For what is beside it."""

    limit = SOON

    async def wait(self, gen: PQGen[RV], interval: float = INTERVAL, timeout: float | None = None) -> RV:
        try:
            return await super().wait(gen, interval, self.limit if timeout is None else timeout)
        except _WaitTimeout:
            if timeout is not None:
                raise
            await self.close()
        raise OperationalError(f"no answer within {self.limit:g} s")

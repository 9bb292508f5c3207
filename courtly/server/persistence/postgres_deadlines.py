"""Connections to PostgreSQL that are closed if no answer arrives in time.

The statement timeout and TCP timeouts do not cover a PostgreSQL server that hangs: it ends no statement, and its
operating system still acknowledges all packets.
"""

from __future__ import annotations

import time
from typing import Any

from psycopg import AsyncConnection, Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.rows import TupleRow

from courtly.engine.errors import CourtlyError
from courtly.server.persistence.timeouts import STATEMENT_TIMEOUT_S

SERVER_TIMEOUT_MARGIN_S = 1.0  # seconds after the statement timeout for PostgreSQL's error message to arrive
SHORT_TIMEOUT_S = 7.0  # seconds for statements that never take long


class AnswerTimeoutError(CourtlyError, OperationalError):
    """PostgreSQL did not answer in time. The connection is closed, and the outcome of the statement unknown."""


def limit_wait(generator: PQGen[RV], limit: float) -> PQGen[RV]:
    """Return psycopg's generator of an operation, with a limit in seconds for the whole operation.

    Psycopg resumes a generator when the connection is ready, and with 0 several times a second while it is not.

    Raises:
        AnswerTimeoutError: The connection was not ready, and the time is over.
    """
    end = time.monotonic() + limit
    try:
        awaited = next(generator)
        while True:
            ready = yield awaited
            if not ready and time.monotonic() > end:
                raise AnswerTimeoutError(f"no answer within {limit:g} s")
            awaited = generator.send(ready)
    except StopIteration as finished:
        result: RV = finished.value
        return result


class DeadlineConnection(Connection[TupleRow]):
    """A connection of the engine. `limit`: seconds for an answer; None: no limit."""

    limit: float | None = STATEMENT_TIMEOUT_S + SERVER_TIMEOUT_MARGIN_S

    def wait(self, gen: PQGen[RV], *arguments: Any, **options: Any) -> RV:
        """Carry out an operation. A `timeout` among the options replaces the limit."""
        if self.limit is not None and options.get("timeout") is None:
            gen = limit_wait(gen, self.limit)
        try:
            return super().wait(gen, *arguments, **options)
        except AnswerTimeoutError:
            self.close()
            raise


class AsyncDeadlineConnection(AsyncConnection[TupleRow]):
    """A connection for locks and notifications. `limit`: seconds for an answer."""

    limit = SHORT_TIMEOUT_S

    async def wait(self, gen: PQGen[RV], *arguments: Any, **options: Any) -> RV:
        """Carry out an operation. A `timeout` among the options replaces the limit."""
        if options.get("timeout") is None:
            gen = limit_wait(gen, self.limit)
        try:
            return await super().wait(gen, *arguments, **options)
        except AnswerTimeoutError:
            await self.close()
            raise

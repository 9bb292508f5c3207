"""Which process does what only one should do: PostgreSQL's advisory locks, each held by a session and free when that
ends.

Nothing is damaged when two do it after all, for the journal and the other keys decide; it would only be done in vain,
or told twice. A process that hangs keeps its locks: who cannot wait for it does not, and acts beside it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from courtly.server.cluster.pg_notify import HEARTBEAT_INTERVAL_S, RECONNECT_DELAY_S, connect, one_line

if TYPE_CHECKING:
    from psycopg import AsyncConnection

SERVER_LOCK = "the house is open"  # held by every process, with the others
# seconds in which those that were open come back to a database that was started again
RECONNECT_GRACE_S = 3 * HEARTBEAT_INTERVAL_S

log = logging.getLogger("courtly.server")


def lock_id(name: str) -> int:
    return int.from_bytes(blake2b(f"courtly {name}".encode(), digest_size=8).digest(), "big", signed=True)


class AdvisoryLocks:
    def __init__(self, url: str):
        self._url = url
        self._connection: AsyncConnection[tuple[Any, ...]] | None = None
        self._one = asyncio.Lock()
        self._open = self._closed = False
        self._leaving: set[asyncio.Task[bool | None]] = set()

    async def close(self) -> None:
        """Nothing is ours any more."""
        async with self._one:
            self._closed = True
            if self._connection:
                await self._connection.close()

    async def _ask(self, function: str, name: str) -> bool | None:
        """What a function says of the lock of this name; None where the database does not answer."""
        try:
            async with self._one:
                if self._closed:
                    return None
                if self._connection is None:
                    self._connection = await connect(self._url)
                    if self._open:
                        await self._connection.execute("SELECT pg_advisory_lock_shared(%s)", (lock_id(SERVER_LOCK),))
                found = await self._connection.execute(f"SELECT {function}(%s)", (lock_id(name),))
                row = await found.fetchone()
                return row is not None and bool(row[0])
        except Exception as error:
            if self._connection:
                log.warning("what is whose to do is not known: %s", one_line(error))
                await self._connection.close()
            self._connection = None
            return None

    async def has(self, name: str) -> bool:
        """Is this ours from now on, or still? It is for as long as the connection lives."""
        return bool(await self._ask("pg_try_advisory_lock", name))

    @asynccontextmanager
    async def claim(self, name: str) -> AsyncIterator[bool]:
        """Is this ours to do? Then it is nobody else's meanwhile."""
        mine = bool(await self._ask("pg_try_advisory_lock", name))
        try:
            yield mine
        finally:
            if mine:  # in a task of its own: whoever did it may have been cancelled
                task = asyncio.create_task(self._ask("pg_advisory_unlock", name))
                self._leaving.add(task)
                task.add_done_callback(self._leaving.discard)

    @asynccontextmanager
    async def opening(self, lately: Callable[[], Awaitable[bool]]) -> AsyncIterator[bool]:
        """Was no process open until now? Others wait until the first has done what is to be done then. `lately`: one
        was, a moment ago; it may only have lost its locks, with the database."""
        first = await self._first()
        if first and await lately():
            await self._ask("pg_advisory_unlock", SERVER_LOCK)
            await asyncio.sleep(RECONNECT_GRACE_S)
            first = await self._first()
        try:
            while not first and not self._closed and not await self._ask("pg_try_advisory_lock_shared", SERVER_LOCK):
                await asyncio.sleep(RECONNECT_DELAY_S)
            yield first
        finally:
            self._open = True
            if first:
                await self._ask("pg_advisory_lock_shared", SERVER_LOCK)
                await self._ask("pg_advisory_unlock", SERVER_LOCK)

    async def _first(self) -> bool:
        while (first := await self._ask("pg_try_advisory_lock", SERVER_LOCK)) is None and not self._closed:
            await asyncio.sleep(RECONNECT_DELAY_S)
        return bool(first)

"""Advisory locks of PostgreSQL, for work that only one process should do. A lock is free when its session ends.

The locks are an optimisation: if two processes run the same job, unique keys in the database reject the second write;
the only cost is duplicate work or a duplicate notification. A process that hangs keeps its locks, so work that cannot
wait is done without the lock after a while.
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

SERVER_LOCK = "server is open"  # a shared lock that every serving process holds
RECONNECT_GRACE_S = 3 * HEARTBEAT_INTERVAL_S  # seconds for serving processes to reconnect after a database restart

log = logging.getLogger("courtly.server")


def lock_id(name: str) -> int:
    """Return the number of a lock: a signed 64-bit hash of its name."""
    return int.from_bytes(blake2b(f"courtly {name}".encode(), digest_size=8).digest(), "big", signed=True)


class AdvisoryLocks:
    """The advisory locks of one process, all held by one database session."""

    def __init__(self, url: str):
        self._url = url
        self._connection: AsyncConnection[tuple[Any, ...]] | None = None
        self._lock = asyncio.Lock()
        self._is_serving = self._is_closed = False
        self._releases: set[asyncio.Task[bool | None]] = set()

    async def close(self) -> None:
        """Release all locks."""
        async with self._lock:
            self._is_closed = True
            if self._connection:
                await self._connection.close()

    async def _call(self, function: str, name: str) -> bool | None:
        """Return the result of a lock function of PostgreSQL for a lock; None if the database is out of reach."""
        try:
            async with self._lock:
                if self._is_closed:
                    return None
                if self._connection is None:
                    self._connection = await connect(self._url)
                    if self._is_serving:
                        await self._connection.execute("SELECT pg_advisory_lock_shared(%s)", (lock_id(SERVER_LOCK),))
                cursor = await self._connection.execute(f"SELECT {function}(%s)", (lock_id(name),))
                row = await cursor.fetchone()
                return row is not None and bool(row[0])
        except Exception as error:
            if self._connection:
                log.warning("connection for advisory locks lost, its locks are released: %s", one_line(error))
                await self._connection.close()
            self._connection = None
            return None

    async def acquire(self, name: str) -> bool:
        """Acquire a lock, or confirm that this process still holds it. Returns whether it does.

        The process holds the lock until its connection ends.
        """
        return bool(await self._call("pg_try_advisory_lock", name))

    @asynccontextmanager
    async def claim(self, name: str) -> AsyncIterator[bool]:
        """Try to acquire a lock for the block. Yields whether this process holds it."""
        has_lock = bool(await self._call("pg_try_advisory_lock", name))
        try:
            yield has_lock
        finally:
            if has_lock:  # in a task of its own, because the current task may be cancelled
                task = asyncio.create_task(self._call("pg_advisory_unlock", name))
                self._releases.add(task)
                task.add_done_callback(self._releases.discard)

    @asynccontextmanager
    async def claim_opening(self, was_serving: Callable[[], Awaitable[bool]]) -> AsyncIterator[bool]:
        """Yield whether no other process is serving yet. Other processes wait until the first one leaves the block.

        Args:
            was_serving: Returns whether a process was serving a moment ago. It may have lost its lock in a restart of
                the database, so this process gives it RECONNECT_GRACE_S seconds to reconnect.
        """
        is_first = await self._acquire_server_lock()
        if is_first and await was_serving():
            await self._call("pg_advisory_unlock", SERVER_LOCK)
            await asyncio.sleep(RECONNECT_GRACE_S)
            is_first = await self._acquire_server_lock()
        try:
            while (
                not is_first
                and not self._is_closed
                and not await self._call("pg_try_advisory_lock_shared", SERVER_LOCK)
            ):
                await asyncio.sleep(RECONNECT_DELAY_S)
            yield is_first
        finally:
            self._is_serving = True
            if is_first:
                await self._call("pg_advisory_lock_shared", SERVER_LOCK)
                await self._call("pg_advisory_unlock", SERVER_LOCK)

    async def _acquire_server_lock(self) -> bool:
        """Return whether this process gets the exclusive server lock. Retries while the database is out of reach."""
        while (result := await self._call("pg_try_advisory_lock", SERVER_LOCK)) is None and not self._is_closed:
            await asyncio.sleep(RECONNECT_DELAY_S)
        return bool(result)

"""Synchronisation of the processes of a server on one PostgreSQL database.

Each process applies the changes of the others to its memory within milliseconds. Correctness does not depend on it: the
journal's unique key decides which of two moves is stored, and a table's revision which of two changes of its seats. A
process reads from the database what it has missed.

Several processes on one SQLite file cannot damage data either, but they do not notify each other: a page shows the
changes of another process only after a command of its own or after a reload, and both processes may run the bots of the
same table. A server with several processes therefore needs PostgreSQL.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, make_url

from courtly.server.application import Application
from courtly.server.cluster import pg_notify
from courtly.server.cluster.advisory_locks import AdvisoryLocks
from courtly.server.cluster.pg_notify import NotifyChannel
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.sync.peer_event_handlers import PeerEventHandlers
from courtly.server.tables.table import LiveTable
from courtly.server.timekeeping import now

# Held by the process with the singleton duty. The lock's id is a hash of this text, and processes of two versions may
# share a database, so the text never changes.
SINGLETON_LOCK = "what one does for all"
BOT_OVERDUE_S = 3.0  # seconds beyond the bot limit after which another process also runs a table's bots

log = logging.getLogger("courtly.server")


class PeerSync(SingleProcess):
    """The connection of a process to the other processes of the server. Created by `join`."""

    several = True

    def __init__(self, application: Application, url: str):
        self.application = application
        self.duty = False
        self._open = False  # whether this process serves; only then do others adopt its time
        self._heavy = False  # whether the last report contained an address with many connections
        self._served = time.monotonic()  # time of the last heartbeat of another process with the singleton duty
        self._lag = asyncio.get_running_loop().create_future()  # what `lag` returns
        self._news = PeerEventHandlers(application)
        self._channel = NotifyChannel(url, self)
        self._claims = AdvisoryLocks(url)
        self._sent_presence: WeakKeyDictionary[LiveTable, tuple[list[str], list[str]]] = (
            WeakKeyDictionary()
        )  # the presence (connected and hidden guests) last sent to the others
        # length of a match whose bots another process runs, and the time since when it has that length
        self._waited: WeakKeyDictionary[LiveTable, tuple[int, float]] = WeakKeyDictionary()

    @classmethod
    async def join(cls, application: Application, engine: Engine) -> None:
        """Connect an application to the other processes on its database. Does nothing if there can be none."""
        if engine.dialect.name != "postgresql" or engine.driver != "psycopg" or sys.platform == "win32":
            return  # on Windows psycopg does not support asyncio's default event loop
        direct = make_url(application.settings.database_direct or engine.url)
        url = direct.set(drivername="postgresql").render_as_string(hide_password=False)
        application.peers = peers = cls(application, url)
        peers._tell_limits()  # from now on
        await peers._channel.open()

    async def close(self) -> None:
        await self._channel.close()
        await self._news.close()
        await self._claims.close()

    @property
    def connected(self) -> bool:
        return self._channel.connected

    # --- interface of SingleProcess ----------------------------------------------------------------------------------

    def publish(self, kind: str, **payload: object) -> None:
        self._channel.publish(kind, **payload)

    def publish_presence(self, table: LiveTable) -> None:
        sitting = {seat.guest_id for seat in table.seats}
        now = sorted({subscriber.guest or "" for subscriber in table.subscribers if subscriber.guest in sitting})
        now += [""] * bool(table.subscribers)
        in_sight = {subscriber.guest or "" for subscriber in table.subscribers if not subscriber.hidden}
        hidden = [guest for guest in now if guest not in in_sight]
        if (now, hidden) != self._sent_presence.get(table, ([], [])):
            self._sent_presence[table] = now, hidden
            self.publish("here", t=table.row.id, g=now, h=hidden)

    def elsewhere(self, table_id: str) -> dict[str, dict[str, bool]]:
        return self._news.elsewhere.get(table_id, {})

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        return self._claims.claim(name)

    def reviewing(self, table_id: str) -> bool:
        return table_id in self._news.reviewing

    @asynccontextmanager
    async def opening(self, lately: Callable[[], Awaitable[bool]]) -> AsyncIterator[bool]:
        async with self._claims.opening(lately) as first:
            yield first
        self._open = True

    async def lag(self) -> int:
        try:
            return await asyncio.wait_for(asyncio.shield(self._lag), pg_notify.PEER_TIMEOUT_S)
        except TimeoutError:  # they hang, or are of a version that does not say it
            return 0

    @asynccontextmanager
    async def drive(self, table: LiveTable) -> AsyncIterator[bool]:
        async with self._claims.claim(f"bots {table.row.id}") as mine:
            if mine:
                self._waited.pop(table, None)
            yield mine or self._overdue(table)

    def _overdue(self, table: LiveTable) -> bool:
        """Return whether another process has the bots' lock but has made no move for too long. It may hang."""
        length, now = len(table.match.entries) if table.match else 0, time.monotonic()
        before, since = self._waited.get(table, (-1, now))
        if before != length:
            self._waited[table] = length, now
            return False
        return now - since > self.application.settings.bot_limit + BOT_OVERDUE_S

    # --- callbacks of the channel -------------------------------------------------------------------------------------

    def handle_notification(self, process: str, kind: str, payload: dict[str, object]) -> None:
        self._news.hear(process, kind, payload)

    def lost(self) -> None:
        self._served = time.monotonic()  # a heartbeat of the process with the duty may have been missed
        self._news.look_everywhere()

    def send_local_state(self) -> None:
        self._sent_presence.clear()
        for table in self.application.tables.by_id.values():
            self.publish_presence(table)
            for seat, guests in table.votes.items():
                for guest in guests:
                    self.publish("vote", t=table.row.id, s=seat, g=guest)

    def gone(self, process: str) -> None:
        self._news.gone(process)

    def alive(self) -> dict[str, Any]:
        return ({"duty": 1} if self.duty else {}) | ({"at": now()} if self._open else {})

    def handle_peer_time(self, at: int) -> None:
        if not self._lag.done():
            self._lag.set_result(at - now())

    def served(self) -> None:
        self._served = time.monotonic()

    async def beat(self) -> None:
        """Take over bots and the singleton duty from processes that have ended, and report heavy addresses."""
        for table in list(self.application.tables.by_id.values()):
            if table.match is not None:
                self.application.schedule_bots(table)
        self._tell_limits()
        had, has = self.duty, await self._claims.has(SINGLETON_LOCK) or self._unserved()
        if had != has:
            log.info("singleton duty: %s", "taken over" if has else "given up")
            if had:
                self.application.turn_notifications.rest()
            else:
                await self.application.turn_notifications.begin()  # if this fails, the next beat tries again
            self.duty = has
            if has:
                self._news.soon(self.application.check_flags())  # may take longer than a heartbeat can wait

    def _tell_limits(self) -> None:
        """Report the addresses with heavy use of this process. After the last one, send one empty report."""
        taken = {name: heavy for name, bucket in self.application.address_limits.items() if (heavy := bucket.heavy())}
        held = self.application.socket_limit.heavy()
        if taken or held or self._heavy:
            self.publish("limits", taken=taken, held=held)
        self._heavy = bool(held)

    def _unserved(self) -> bool:
        """Return whether this process must take the duty without the lock, because the process that holds it hangs."""
        silent = time.monotonic() - self._served > pg_notify.PEER_TIMEOUT_S
        return self.connected and silent and (self.duty or self._channel.first)

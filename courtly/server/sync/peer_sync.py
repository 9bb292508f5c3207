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

    has_peers = True

    def __init__(self, application: Application, url: str):
        self.application = application
        self.has_duty = False
        self._is_serving = False  # whether this process serves; only then do others adopt its time
        self._has_reported_heavy = False  # whether the last report contained an address with many connections
        # time of the last heartbeat of another process with the singleton duty
        self._duty_heartbeat_at = time.monotonic()
        self._lag_ms = asyncio.get_running_loop().create_future()  # what `measure_lag` returns
        self._events = PeerEventHandlers(application)
        self._channel = NotifyChannel(url, self)
        self._locks = AdvisoryLocks(url)
        # the presence (connected and hidden guests) last sent to the others
        self._sent_presence: WeakKeyDictionary[LiveTable, tuple[list[str], list[str]]] = WeakKeyDictionary()
        # length of a match whose bots another process runs, and the time since when it has that length
        self._foreign_bots: WeakKeyDictionary[LiveTable, tuple[int, float]] = WeakKeyDictionary()

    @classmethod
    async def join(cls, application: Application, engine: Engine) -> None:
        """Connect an application to the other processes on its database. Does nothing if there can be none."""
        if engine.dialect.name != "postgresql" or engine.driver != "psycopg" or sys.platform == "win32":
            return  # on Windows psycopg does not support asyncio's default event loop
        direct = make_url(application.settings.database_direct or engine.url)
        url = direct.set(drivername="postgresql").render_as_string(hide_password=False)
        application.peers = peers = cls(application, url)
        peers._publish_limits()  # from now on
        await peers._channel.open()

    async def close(self) -> None:
        await self._channel.close()
        await self._events.close()
        await self._locks.close()

    @property
    def is_connected(self) -> bool:
        return self._channel.is_connected

    # --- interface of SingleProcess ----------------------------------------------------------------------------------

    def publish(self, kind: str, **payload: object) -> None:
        self._channel.publish(kind, **payload)

    def publish_presence(self, table: LiveTable) -> None:
        seated_guests = {seat.guest_id for seat in table.seats}
        connected = sorted(
            {subscriber.guest or "" for subscriber in table.subscribers if subscriber.guest in seated_guests}
        )
        connected += [""] * bool(table.subscribers)
        visible = {subscriber.guest or "" for subscriber in table.subscribers if not subscriber.hidden}
        hidden = [guest for guest in connected if guest not in visible]
        if (connected, hidden) != self._sent_presence.get(table, ([], [])):
            self._sent_presence[table] = connected, hidden
            self.publish("here", t=table.row.id, g=connected, h=hidden)

    def guests_elsewhere(self, table_id: str) -> dict[str, dict[str, bool]]:
        return self._events.presence.get(table_id, {})

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        return self._locks.claim(name)

    def is_reviewing(self, table_id: str) -> bool:
        return table_id in self._events.reviewing_processes

    @asynccontextmanager
    async def claim_opening(self, was_serving: Callable[[], Awaitable[bool]]) -> AsyncIterator[bool]:
        async with self._locks.claim_opening(was_serving) as is_first:
            yield is_first
        self._is_serving = True

    async def measure_lag(self) -> int:
        try:
            return await asyncio.wait_for(asyncio.shield(self._lag_ms), pg_notify.PEER_TIMEOUT_S)
        except TimeoutError:  # they hang, or are of a version that does not say it
            return 0

    @asynccontextmanager
    async def claim_bots(self, table: LiveTable) -> AsyncIterator[bool]:
        async with self._locks.claim(f"bots {table.row.id}") as has_lock:
            if has_lock:
                self._foreign_bots.pop(table, None)
            yield has_lock or self._is_overdue(table)

    def _is_overdue(self, table: LiveTable) -> bool:
        """Return whether another process has the bots' lock but has made no move for too long. It may hang."""
        length, now = len(table.match.entries) if table.match else 0, time.monotonic()
        before, since = self._foreign_bots.get(table, (-1, now))
        if before != length:
            self._foreign_bots[table] = length, now
            return False
        return now - since > self.application.settings.bot_limit + BOT_OVERDUE_S

    # --- callbacks of the channel -------------------------------------------------------------------------------------

    def handle_notification(self, process: str, kind: str, payload: dict[str, object]) -> None:
        self._events.handle(process, kind, payload)

    def handle_possible_loss(self) -> None:
        self._duty_heartbeat_at = time.monotonic()  # a heartbeat of the process with the duty may have been missed
        self._events.schedule_refresh()

    def send_local_state(self) -> None:
        self._sent_presence.clear()
        for table in self.application.tables.by_id.values():
            self.publish_presence(table)
            for seat, guests in table.votes.items():
                for guest in guests:
                    self.publish("vote", t=table.row.id, s=seat, g=guest)

    def handle_process_end(self, process: str) -> None:
        self._events.handle_process_end(process)

    def heartbeat_fields(self) -> dict[str, Any]:
        return ({"duty": 1} if self.has_duty else {}) | ({"at": now()} if self._is_serving else {})

    def handle_peer_time(self, at: int) -> None:
        if not self._lag_ms.done():
            self._lag_ms.set_result(at - now())

    def handle_duty_heartbeat(self) -> None:
        self._duty_heartbeat_at = time.monotonic()

    async def do_periodic_work(self) -> None:
        """Take over bots and the singleton duty from processes that have ended, and report heavy addresses."""
        for table in list(self.application.tables.by_id.values()):
            if table.match is not None:
                self.application.schedule_bots(table)
        self._publish_limits()
        had_duty, has_duty = self.has_duty, await self._locks.acquire(SINGLETON_LOCK) or self._must_take_duty()
        if had_duty != has_duty:
            log.info("singleton duty: %s", "taken over" if has_duty else "given up")
            if had_duty:
                self.application.turn_notifications.deactivate()
            else:
                await self.application.turn_notifications.activate()  # if this fails, the next beat tries again
            self.has_duty = has_duty
            if has_duty:
                self._events.start_task(self.application.check_flags())  # may take longer than a heartbeat can wait

    def _publish_limits(self) -> None:
        """Report the addresses with heavy use of this process. After the last one, send one empty report."""
        taken = {
            name: heavy for name, bucket in self.application.address_limits.items() if (heavy := bucket.heavy_senders())
        }
        held = self.application.socket_limit.heavy_addresses()
        if taken or held or self._has_reported_heavy:
            self.publish("limits", taken=taken, held=held)
        self._has_reported_heavy = bool(held)

    def _must_take_duty(self) -> bool:
        """Return whether this process must take the duty without the lock, because the process that holds it hangs."""
        is_silent = time.monotonic() - self._duty_heartbeat_at > pg_notify.PEER_TIMEOUT_S
        return self.is_connected and is_silent and (self.has_duty or self._channel.is_first)

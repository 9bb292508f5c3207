"""Notifications between the processes of a server, by LISTEN and NOTIFY of PostgreSQL.

Notifications are sent after commit, on a separate connection: PostgreSQL commits transactions that contain NOTIFY one
after another, each with its own write to disk. Notifications may be lost, so correctness never depends on them; a
process that may have missed one re-reads the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from courtly.server.observability.log_setup import database_reason

if TYPE_CHECKING:
    from psycopg import AsyncConnection

CHANNEL = "courtly"
MAX_PAYLOAD_BYTES = 7900  # PostgreSQL's limit is 8000 bytes
HEARTBEAT_INTERVAL_S = 1.0  # seconds between heartbeats
PEER_TIMEOUT_S = 4.0  # seconds without a heartbeat after which a process counts as gone
RECONNECT_DELAY_S = 0.25  # seconds before reconnecting
# Client and server notice a broken connection within seconds, even if it is idle. Notifications need no write to disk.
CONNECTION_SETTINGS: dict[str, Any] = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 7000,
    "options": "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
    "-c tcp_user_timeout=7000 -c synchronous_commit=off",
}

log = logging.getLogger("courtly.server")


async def connect(url: str) -> AsyncConnection[tuple[Any, ...]]:
    """Open a connection of its own to the database. `url` must not lead through a pooler: see `database_direct`."""
    from courtly.server.persistence.postgres_deadlines import AsyncDeadlineConnection

    return await AsyncDeadlineConnection.connect(url, autocommit=True, **CONNECTION_SETTINGS)


def one_line(error: Exception) -> str:
    """Return the kind of an exception and the first line of its message."""
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


class ChannelListener(Protocol):
    """The callbacks of a channel."""

    def handle_notification(self, process: str, kind: str, payload: dict[str, Any]) -> None:
        """Handle a notification. Those of one process arrive in the order in which they were sent."""

    def handle_possible_loss(self) -> None:
        """Handle the possible loss of notifications."""

    def send_local_state(self) -> None:
        """Send the state that is not in the database again, because another process does not know it."""

    def handle_process_end(self, process: str) -> None:
        """Handle the end, or the silence, of another process."""

    def heartbeat_fields(self) -> dict[str, Any]:
        """Return the fields of a heartbeat."""

    def handle_peer_time(self, at: int) -> None:
        """Handle the time of another process, in milliseconds since 1970."""

    def handle_duty_heartbeat(self) -> None:
        """Handle a heartbeat of the process that holds the singleton duty."""

    async def do_periodic_work(self) -> None:
        """Do the work of each second."""


class NotifyChannel:
    """A channel on which the processes of a server notify each other. `publish` never blocks."""

    def __init__(self, url: str, listener: ChannelListener):
        self.is_connected = False
        self._url = url
        self._listener = listener
        self._process_id = secrets.token_hex(4)
        self._heard_at: dict[str, float] = {}  # process -> time of its last notification
        self._asks_for_state = False  # whether the next heartbeat asks other processes for their state
        self._queue: list[str] = []
        self._has_queued = asyncio.Event()  # set while notifications wait to be sent
        self._is_listening = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_first(self) -> bool:
        """Whether this process has the smallest id of all that are alive. All processes agree on which one has."""
        return self._process_id < min(self._heard_at, default="~")

    async def open(self) -> None:
        """Start the channel. Returns once the first connection listens."""
        self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._send_queued, self._send_heartbeats)]
        await self._is_listening.wait()

    async def close(self) -> None:
        """Tell the other processes that this one ends, and stop."""
        self.publish("bye")
        for _ in range(50):
            if self._queue and self.is_connected:
                await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- sending ------------------------------------------------------------------------------------------------------

    def publish(self, kind: str, **payload: Any) -> None:
        """Queue a notification.

        One that is too long is shortened to its table (`t`) and the end of the game (`over`); receivers then read the
        database.
        """
        payload_text = json.dumps([self._process_id, kind, payload], separators=(",", ":"))
        if len(payload_text) > MAX_PAYLOAD_BYTES:
            payload_text = json.dumps(
                [self._process_id, kind, {name: payload[name] for name in ("t", "over") if name in payload}]
            )
        self._queue.append(payload_text)
        self._has_queued.set()

    async def _send_queued(self) -> None:
        connection = None
        while True:
            await self._has_queued.wait()
            payloads = self._queue[:]
            try:
                if connection is None:
                    connection = await connect(self._url)
                await connection.execute(
                    "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload", (CHANNEL, payloads)
                )
                del self._queue[: len(payloads)]
            except Exception as error:
                if connection is not None:
                    log.warning("cannot notify other processes: %s", one_line(error))
                    await connection.close()
                connection = None
                self._queue.clear()
                self.publish("again")
                self._listener.send_local_state()  # the discarded notifications may have contained presence
                await asyncio.sleep(RECONNECT_DELAY_S)
            if not self._queue:
                self._has_queued.clear()

    # --- receiving ----------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            try:
                async with await connect(self._url) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._heard_at = dict.fromkeys(self._heard_at, asyncio.get_running_loop().time())
                    self.is_connected = True
                    self._is_listening.set()
                    self.publish("who")
                    self._listener.handle_possible_loss()
                    has_heard = True
                    while has_heard:  # the process receives its own heartbeats; silence means a broken connection
                        has_heard = False
                        async for notification in connection.notifies(timeout=PEER_TIMEOUT_S):
                            has_heard = True
                            self._handle_payload(notification.payload)
                    log.warning("cannot hear other processes: no notification for %g s, reconnecting", PEER_TIMEOUT_S)
            except Exception as error:
                if self.is_connected or not self._is_listening.is_set():
                    log.warning("cannot hear other processes: %s", one_line(error))
            self.is_connected = False
            await asyncio.sleep(RECONNECT_DELAY_S)

    def _handle_payload(self, text: str) -> None:
        process, kind, payload = json.loads(text)
        if process == self._process_id:
            return
        if process not in self._heard_at:
            self._asks_for_state = True  # its earlier notifications are unknown
        self._heard_at[process] = asyncio.get_running_loop().time()
        if payload.get("duty"):
            self._listener.handle_duty_heartbeat()
        if kind in ("alive", "who") and "at" in payload:
            self._listener.handle_peer_time(payload["at"])
        if kind == "bye":
            self._forget_process(process)
            return
        if kind == "again":
            self._listener.handle_possible_loss()
        elif kind == "who":
            self._listener.send_local_state()
        elif kind != "alive":
            self._listener.handle_notification(process, kind, payload)

    def _forget_process(self, process: str) -> None:
        """Forget a process that has ended. It may have committed something without a notification."""
        del self._heard_at[process]
        self._listener.handle_process_end(process)
        self._listener.handle_possible_loss()

    # --- heartbeat ----------------------------------------------------------------------------------------------------

    async def _send_heartbeats(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self.publish("who" if self._asks_for_state else "alive", **self._listener.heartbeat_fields())
            self._asks_for_state = False
            slept_at = loop.time()
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)
            now = loop.time()
            if now - slept_at > PEER_TIMEOUT_S / 2:  # this process was suspended; the others' heartbeats still wait
                self._heard_at = dict.fromkeys(self._heard_at, now)
                self._listener.handle_possible_loss()
            if self.is_connected:
                for process in [
                    process for process, last_heard in self._heard_at.items() if now - last_heard > PEER_TIMEOUT_S
                ]:
                    log.warning("process %s is silent", process)
                    self._forget_process(process)
            try:
                await self._listener.do_periodic_work()
            except SQLAlchemyError as error:  # the next beat tries again
                log.warning("work of each second failed, retrying: %s", database_reason(error))

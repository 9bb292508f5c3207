"""Words between the processes of a house, by PostgreSQL's LISTEN and NOTIFY.

A word is said after what it tells of is committed, on a connection of its own: transactions that notify commit one
after another, each with its write to disk. So words may be lost, with a connection or by a crash in between, and
nothing rests on them but how soon something is known: whoever may have missed one looks into the database.
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
MAX_PAYLOAD_BYTES = 7900  # bytes of a word: PostgreSQL takes fewer than 8000
HEARTBEAT_INTERVAL_S = 1.0  # seconds between signs of life
PEER_TIMEOUT_S = 4.0  # seconds without any, after which a process is gone
RECONNECT_DELAY_S = 0.25  # seconds before another try to connect
# Both sides notice within some seconds when the other is out of reach, whether anything was on its way or not; what is
# only said need not be on disk.
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
    """A connection beside the writer's. It does not go through a pooler: see `database_direct`."""
    from courtly.server.persistence.postgres_deadlines import AsyncDeadlineConnection

    return await AsyncDeadlineConnection.connect(url, autocommit=True, **CONNECTION_SETTINGS)


def one_line(error: Exception) -> str:
    """In a line."""
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


class ChannelListener(Protocol):
    """Whom a channel tells."""

    def heard(self, process: str, kind: str, what: dict[str, Any]) -> None:
        """Another process says something: of each of them everything comes in its order."""

    def lost(self) -> None:
        """Something that was said may not have been heard."""

    def asked(self) -> None:
        """There is a process that does not know what is said once and not kept."""

    def gone(self, process: str) -> None:
        """It has ended, or is silent."""

    def alive(self) -> dict[str, Any]:
        """What goes with a sign of life."""

    def told_time(self, at: int) -> None:
        """It is this time by another process."""

    def served(self) -> None:
        """Another does what one does for all."""

    async def beat(self) -> None:
        """A second has passed."""


class NotifyChannel:
    """`say` waits for nobody."""

    def __init__(self, url: str, listener: ChannelListener):
        self.connected = False
        self._url = url
        self._listener = listener
        self._me = secrets.token_hex(4)
        self._others: dict[str, float] = {}  # process -> when it was heard last
        self._asking = False  # what others say once
        self._waiting: list[str] = []
        self._something = asyncio.Event()  # waits to be told
        self._listening = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def first(self) -> bool:
        """Of all that live, which agree about that?"""
        return self._me < min(self._others, default="~")

    async def open(self) -> None:
        """From now on, as soon as the database is there."""
        self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._tell, self._live)]
        await self._listening.wait()

    async def close(self) -> None:
        self.say("bye")
        for _ in range(50):
            if self._waiting and self.connected:
                await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- telling ------------------------------------------------------------------------------------------------------

    def say(self, kind: str, **what: Any) -> None:
        """What is too long is told by its table alone, and whether its game is over, and then read from the
        database."""
        word = json.dumps([self._me, kind, what], separators=(",", ":"))
        if len(word) > MAX_PAYLOAD_BYTES:
            word = json.dumps([self._me, kind, {name: what[name] for name in ("t", "over") if name in what}])
        self._waiting.append(word)
        self._something.set()

    async def _tell(self) -> None:
        connection = None
        while True:
            await self._something.wait()
            said = self._waiting[:]
            try:
                if connection is None:
                    connection = await connect(self._url)
                await connection.execute("SELECT pg_notify(%s, said) FROM unnest(%s::text[]) AS said", (CHANNEL, said))
                del self._waiting[: len(said)]
            except Exception as error:
                if connection is not None:
                    log.warning("other processes are not told: %s", one_line(error))
                    await connection.close()
                connection = None
                self._waiting.clear()
                self.say("again")
                self._listener.asked()  # they do not know who is here, either
                await asyncio.sleep(RECONNECT_DELAY_S)
            if not self._waiting:
                self._something.clear()

    # --- hearing ------------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            try:
                async with await connect(self._url) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._others = dict.fromkeys(self._others, asyncio.get_running_loop().time())
                    self.connected = True
                    self._listening.set()
                    self.say("who")
                    self._listener.lost()
                    heard = True
                    while heard:  # this process hears itself, too: who hears nothing is cut off
                        heard = False
                        async for word in connection.notifies(timeout=PEER_TIMEOUT_S):
                            heard = True
                            self._heard(word.payload)
                    log.warning("other processes are not heard: there is silence")
            except Exception as error:
                if self.connected or not self._listening.is_set():
                    log.warning("other processes are not heard: %s", one_line(error))
            self.connected = False
            await asyncio.sleep(RECONNECT_DELAY_S)

    def _heard(self, word: str) -> None:
        process, kind, what = json.loads(word)
        if process == self._me:
            return
        if process not in self._others:
            self._asking = True  # of what it said before nothing is known
        self._others[process] = asyncio.get_running_loop().time()
        if what.get("duty"):
            self._listener.served()
        if kind in ("alive", "who") and "at" in what:
            self._listener.told_time(what["at"])
        if kind == "bye":
            self._end(process)
            return
        if kind == "again":
            self._listener.lost()
        elif kind == "who":
            self._listener.asked()
        elif kind != "alive":
            self._listener.heard(process, kind, what)

    def _end(self, process: str) -> None:
        """It may have ended between a commit and telling of it."""
        del self._others[process]
        self._listener.gone(process)
        self._listener.lost()

    # --- living -------------------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self.say("who" if self._asking else "alive", **self._listener.alive())
            self._asking = False
            slept = loop.time()
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)
            now = loop.time()
            if now - slept > PEER_TIMEOUT_S / 2:  # this process stood still: what the others said is still to be heard
                self._others = dict.fromkeys(self._others, now)
                self._listener.lost()
            if self.connected:
                for process in [process for process, at in self._others.items() if now - at > PEER_TIMEOUT_S]:
                    log.warning("a process is silent")
                    self._end(process)
            try:
                await self._listener.beat()
            except SQLAlchemyError as error:  # the next one does what this one could not
                log.warning("what is done once a second was not: %s", database_reason(error))

"""The WebSockets: a table, and the lobby; see docs/protocol.md."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from courtly.engine.game import MAX_SEATS
from courtly.engine.position import Audience, CommandRefusedError
from courtly.server.actions.game_commands import Command, command, foresee
from courtly.server.application import RETRY, House
from courtly.server.errors import as_message, unkept
from courtly.server.http.api import address
from courtly.server.http.middleware.request_guard import foreign
from courtly.server.messaging.send_queue import GONE, Outbox, encode
from courtly.server.observability.log_setup import reason
from courtly.server.process.graceful_close import RESTART
from courtly.server.schemas.requests import (
    FROM_CLIENT,
    AnyMessage,
    Foresee,
    Hello,
    Hidden,
    Ping,
    Play,
    Resync,
    Undo,
    where_wrong,
)
from courtly.server.security.rate_limits import REFUSAL_DELAY_S
from courtly.server.tables.table import Listener, Table

TRY_LATER = 1013  # close code: too many connections, too slow a reader, or the disk refused
BROKEN = 1011  # close code: a bug
SIGNED_OUT = 4401  # close code: by somebody who is the same person elsewhere
UNKNOWN = 4404  # close code: no such table
HELLO_WITHIN = 10.0  # seconds
LAST_WORDS = 1.0  # seconds for what is still to be said
TRIES = 10  # to read what a socket is about, while the disk refuses

T = TypeVar("T")

log = logging.getLogger("courtly.server")


class Connection:
    """A WebSocket with its outbox. `handle` is given every message; its refusals are answered and the connection
    stays."""

    def __init__(self, socket: WebSocket, house: House, guest: str | None):
        self.socket = socket
        self.house = house
        self.guest = guest
        self.address = address(socket)
        # done when it ends, with the code to close with; None: that follows from what was heard
        self.dropped: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.outbox = Outbox(house.settings.outbox, socket.send_text, lambda: self.drop(TRY_LATER))

    def drop(self, code: int | None) -> None:
        """Nothing more is said or heard."""
        if not self.dropped.done():
            self.dropped.set_result(code)

    def refuse(self, refused: CommandRefusedError, key: str | None = None) -> None:
        self.outbox.put(encode(as_message(refused, key)))

    def failed(self, error: Exception, key: str | None = None) -> int:
        """Tell the log and the other side that the disk refused, or that there is a bug. Returns the code to close
        with, if it must end."""
        if isinstance(error, SQLAlchemyError):
            log.error("the database refused: %s", reason(error))
            self.refuse(unkept(error), key)
            return TRY_LATER
        log.error("a socket is answered error-server", exc_info=error)
        self.refuse(CommandRefusedError("error-server"), key)
        return BROKEN

    async def read(self) -> AnyMessage | None:
        """Read the next message. Returns None if it is answered here: a ping, or what cannot be read."""
        try:
            event = await self.socket.receive()
        except RuntimeError:  # it was closed while something was being sent
            raise WebSocketDisconnect(1006) from None
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        if not self.house.commands.take(self.guest, self.address):
            self.refuse(CommandRefusedError("error-too-fast"))
            await asyncio.sleep(REFUSAL_DELAY_S)  # nothing more is read of it meanwhile
            return None
        try:
            message = FROM_CLIENT.validate_json(event.get("text") or event.get("bytes") or b"")
        except ValidationError as error:
            self.refuse(
                CommandRefusedError(
                    "error-malformed", **where_wrong(list(error.errors(include_input=False, include_url=False)))
                )
            )
            return None
        if isinstance(message, Ping):
            self.outbox.put(encode({"type": "pong"}))
            return None
        return message

    async def patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """What it gives. Where the disk refuses, the other side is told so, and it is tried again for a while."""
        for tried in range(TRIES):
            try:
                return await work()
            except SQLAlchemyError as error:
                if not tried:
                    self.failed(error)
            await asyncio.sleep(RETRY)
        return await work()

    async def run(self, listen: Callable[[], Awaitable[int]]) -> None:
        """Listen until that ends or it is dropped. `listen` returns the code to close with."""
        listening = asyncio.ensure_future(self._listen(listen))
        listening.add_done_callback(lambda _: self.drop(None))
        try:
            code = await self.dropped
            if code is None:
                code = self._end(listening)
                await self.outbox.empty(LAST_WORDS)
        except asyncio.CancelledError:  # the server stops; who came last of all was not told so
            code = RESTART
        finally:
            listening.cancel()
            self.outbox.stop()
            await asyncio.gather(listening, return_exceptions=True)
        if code is not None:
            await self.close(code)

    @staticmethod
    def _end(listening: asyncio.Future[int]) -> int | None:
        """The code to close with, if there is still something to close."""
        try:
            return listening.result()
        except WebSocketDisconnect as end:
            return RESTART if end.code == RESTART else None

    async def _listen(self, listen: Callable[[], Awaitable[int]]) -> int:
        try:
            return await listen()
        except WebSocketDisconnect:
            raise
        except Exception as error:
            return self.failed(error)

    async def close(self, code: int) -> None:
        with contextlib.suppress(*GONE):
            async with asyncio.timeout(1):
                await self.socket.close(code)


@contextlib.asynccontextmanager
async def connected(socket: WebSocket) -> AsyncIterator[Connection | None]:
    """An accepted connection, counted; None if it was turned away."""
    house: House = socket.app.state.house
    guest, there = house.guest(socket), address(socket)
    if foreign(socket.headers):
        await socket.close()  # before it is accepted: 403
        yield None
        return
    fast = not house.commands.take(guest, there)
    if fast or not house.sockets.take(guest, there):
        await socket.accept()
        why = CommandRefusedError("error-too-fast" if fast else "error-too-many-sockets")
        await socket.send_text(encode(as_message(why)))
        await asyncio.sleep(REFUSAL_DELAY_S)
        await socket.close(TRY_LATER)
        yield None
        return
    connection = Connection(socket, house, guest)
    try:
        with house.line(guest, lambda: connection.drop(SIGNED_OUT)):
            await socket.accept()
            yield connection
    except WebSocketDisconnect:
        pass
    except Exception as error:
        await connection.close(connection.failed(error))
    finally:
        house.sockets.give_back(guest, there)


def compare_page(connection: Connection, hello: Hello) -> None:
    """Tell an old page that there are newer files."""
    if hello.page is not None and hello.page != connection.house.statics.hash:
        connection.outbox.put(encode({"type": "page", "hash": connection.house.statics.hash}))


async def lobby(socket: WebSocket) -> None:
    async with connected(socket) as connection:
        if connection is None:
            return
        house = connection.house
        watcher = (connection.guest, connection.outbox)

        async def listen() -> int:
            await connection.patiently(lambda: house.take_up_mine(connection.guest))
            house.lobby.watchers.add(watcher)
            connection.outbox.put(house.lobby.message(connection.guest))
            while True:
                message = await connection.read()
                if isinstance(message, Hello):
                    compare_page(connection, message)

        try:
            await connection.run(listen)
        finally:
            house.lobby.watchers.discard(watcher)


async def table(socket: WebSocket) -> None:
    async with connected(socket) as connection:
        if connection is not None:
            await connection.run(lambda: _attend(connection, socket.path_params["table_id"]))


async def _attend(connection: Connection, table_id: str) -> int:
    """Be at a table until the connection ends."""
    house, guest = connection.house, connection.guest
    hello = await _hello(connection)
    if hello is None:
        return TRY_LATER
    compare_page(connection, hello)
    try:
        at = await connection.patiently(lambda: house.table(table_id))
    except CommandRefusedError as refused:
        connection.refuse(refused)
        return UNKNOWN
    listener = Listener(guest, connection.outbox, _seen(hello), hello.hidden)
    at.attend(listener)
    if not hello.hidden:
        house.notices.seen(at, guest)
    try:
        at.tell_table()
        at.show_all(listener)
        house.talk.greet(at, listener)
        house.wake(at)
        house.lobby.changed()
        while True:
            message = await connection.read()
            if isinstance(message, Play | Undo):
                await _command(connection, at, message)
            elif isinstance(message, Foresee):
                await _foresee(connection, at, message)
            elif isinstance(message, Resync):
                await connection.outbox.empty()  # nothing more is read from who does not read
                listener.seen.clear()
                at.show_all(listener)
            elif isinstance(message, Hidden):
                listener.hidden = message.hidden
                at.crowd()
                if not message.hidden:
                    house.notices.seen(at, guest)
                house.notices.look_later(at)
    finally:
        at.depart(listener)
        house.notices.look_later(at)
        at.tell_table()
        house.lobby.changed()


async def _hello(connection: Connection) -> Hello | None:
    """The greeting that comes first; None if none comes in time."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(HELLO_WITHIN):
            while True:
                message = await connection.read()
                if isinstance(message, Hello):
                    return message
                if message is not None:
                    connection.refuse(CommandRefusedError("error-malformed", where="type", problem="hello_first"))
    return None


def _seen(hello: Hello) -> dict[Audience, int]:
    named = {str(seat): seat for seat in range(MAX_SEATS)} | {"null": None}
    return {named[seat]: n for seat, n in hello.since.items() if seat in named}


async def _command(connection: Connection, at: Table, message: Play | Undo) -> None:
    wanted = Command(message.seat, message.seq, tuple(message.moves) if isinstance(message, Play) else None)

    def done() -> None:
        connection.outbox.put(encode({"type": "done", "key": message.key}))

    try:
        if connection.guest is None:
            raise CommandRefusedError("error-no-cookie")
        await command(connection.house, at, connection.guest, wanted, message.key, done)
    except CommandRefusedError as refused:
        connection.refuse(refused, message.key)
    except Exception as error:
        connection.failed(error, message.key)


async def _foresee(connection: Connection, at: Table, message: Foresee) -> None:
    try:
        view = await foresee(connection.house, at, connection.guest, message)
        connection.outbox.put(encode({"type": "foreseen", "key": message.key, "view": view}))
    except CommandRefusedError as refused:
        connection.refuse(refused, message.key)
    except Exception as error:
        connection.failed(error, message.key)


class Talker:
    """What serves a socket, as ASGI calls it: everything else that FastAPI lays around it would stay for as long."""

    def __init__(self, serve: Callable[[WebSocket], Awaitable[None]]):
        self.serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.serve(WebSocket(scope, receive, send))


SOCKETS = [WebSocketRoute("/ws/lobby", Talker(lobby)), WebSocketRoute("/ws/tables/{table_id}", Talker(table))]

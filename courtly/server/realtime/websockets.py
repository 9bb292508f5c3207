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

from courtly.engine.constants import MAX_SEATS
from courtly.engine.position import Audience, CommandRefusedError
from courtly.server.actions.game_commands import Command, preview_moves, run_command
from courtly.server.application import Application
from courtly.server.errors import as_message, storage_refusal
from courtly.server.http.dependencies import client_address
from courtly.server.http.middleware.request_guard import is_cross_site
from courtly.server.messaging.send_queue import DISCONNECT_ERRORS, SendQueue, encode
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence.timeouts import STORAGE_RETRY_DELAY_S
from courtly.server.realtime.close_codes import CLOSE_CODE_RESTART
from courtly.server.schemas.requests import (
    CLIENT_MESSAGE,
    ClientMessage,
    HelloMessage,
    HiddenMessage,
    PingMessage,
    PlayMessage,
    PreviewMessage,
    ResyncMessage,
    UndoMessage,
    malformed_arguments,
)
from courtly.server.security.rate_limits import REFUSAL_DELAY_S
from courtly.server.tables.table import LiveTable, Subscriber

CLOSE_CODE_TRY_LATER = 1013  # close code: too many connections, too slow a reader, or the disk refused
CLOSE_CODE_SERVER_ERROR = 1011  # close code: a bug
CLOSE_CODE_SIGNED_OUT = 4401  # close code: by somebody who is the same person elsewhere
CLOSE_CODE_UNKNOWN_TABLE = 4404  # close code: no such table
HELLO_TIMEOUT_S = 10.0  # seconds
FLUSH_TIMEOUT_S = 1.0  # seconds for what is still to be said
MAX_STORAGE_TRIES = 10  # to read what a socket is about, while the disk refuses

T = TypeVar("T")

log = logging.getLogger("courtly.server")


class SocketConnection:
    """A WebSocket with its outbox. `handle` is given every message; its refusals are answered and the connection
    stays."""

    def __init__(self, socket: WebSocket, application: Application, guest: str | None):
        self.socket = socket
        self.application = application
        self.guest = guest
        self.address = client_address(socket)
        # done when it ends, with the code to close with; None: that follows from what was heard
        self.dropped: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.outbox = SendQueue(application.settings.outbox, socket.send_text, lambda: self.drop(CLOSE_CODE_TRY_LATER))

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
            log.error("the database refused: %s", database_reason(error))
            self.refuse(storage_refusal(error), key)
            return CLOSE_CODE_TRY_LATER
        log.error("a socket is answered error-server", exc_info=error)
        self.refuse(CommandRefusedError("error-server"), key)
        return CLOSE_CODE_SERVER_ERROR

    async def read(self) -> ClientMessage | None:
        """Read the next message. Returns None if it is answered here: a ping, or what cannot be read."""
        try:
            event = await self.socket.receive()
        except RuntimeError:  # it was closed while something was being sent
            raise WebSocketDisconnect(1006) from None
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        if not self.application.command_limit.take(self.guest, self.address):
            self.refuse(CommandRefusedError("error-too-fast"))
            await asyncio.sleep(REFUSAL_DELAY_S)  # nothing more is read of it meanwhile
            return None
        try:
            message = CLIENT_MESSAGE.validate_json(event.get("text") or event.get("bytes") or b"")
        except ValidationError as error:
            self.refuse(
                CommandRefusedError(
                    "error-malformed", **malformed_arguments(list(error.errors(include_input=False, include_url=False)))
                )
            )
            return None
        if isinstance(message, PingMessage):
            self.outbox.put(encode({"type": "pong"}))
            return None
        return message

    async def patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """What it gives. Where the disk refuses, the other side is told so, and it is tried again for a while."""
        for tried in range(MAX_STORAGE_TRIES):
            try:
                return await work()
            except SQLAlchemyError as error:
                if not tried:
                    self.failed(error)
            await asyncio.sleep(STORAGE_RETRY_DELAY_S)
        return await work()

    async def run(self, listen: Callable[[], Awaitable[int]]) -> None:
        """Listen until that ends or it is dropped. `listen` returns the code to close with."""
        listening = asyncio.ensure_future(self._listen(listen))
        listening.add_done_callback(lambda _: self.drop(None))
        try:
            code = await self.dropped
            if code is None:
                code = self._end(listening)
                await self.outbox.empty(FLUSH_TIMEOUT_S)
        except asyncio.CancelledError:  # the server stops; who came last of all was not told so
            code = CLOSE_CODE_RESTART
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
            return CLOSE_CODE_RESTART if end.code == CLOSE_CODE_RESTART else None

    async def _listen(self, listen: Callable[[], Awaitable[int]]) -> int:
        try:
            return await listen()
        except WebSocketDisconnect:
            raise
        except Exception as error:
            return self.failed(error)

    async def close(self, code: int) -> None:
        with contextlib.suppress(*DISCONNECT_ERRORS):
            async with asyncio.timeout(1):
                await self.socket.close(code)


@contextlib.asynccontextmanager
async def accept_connection(socket: WebSocket) -> AsyncIterator[SocketConnection | None]:
    """An accepted connection, counted; None if it was turned away."""
    application: Application = socket.app.state.application
    guest, there = application.guests.identify(socket), client_address(socket)
    if is_cross_site(socket.headers):
        await socket.close()  # before it is accepted: 403
        yield None
        return
    fast = not application.command_limit.take(guest, there)
    if fast or not application.socket_limit.take(guest, there):
        await socket.accept()
        why = CommandRefusedError("error-too-fast" if fast else "error-too-many-sockets")
        await socket.send_text(encode(as_message(why)))
        await asyncio.sleep(REFUSAL_DELAY_S)
        await socket.close(CLOSE_CODE_TRY_LATER)
        yield None
        return
    connection = SocketConnection(socket, application, guest)
    try:
        with application.guests.connection(guest, lambda: connection.drop(CLOSE_CODE_SIGNED_OUT)):
            await socket.accept()
            yield connection
    except WebSocketDisconnect:
        pass
    except Exception as error:
        await connection.close(connection.failed(error))
    finally:
        application.socket_limit.give_back(guest, there)


def report_newer_page(connection: SocketConnection, hello: HelloMessage) -> None:
    """Tell an old page that there are newer files."""
    if hello.page is not None and hello.page != connection.application.assets.hash:
        connection.outbox.put(encode({"type": "page", "hash": connection.application.assets.hash}))


async def serve_lobby(socket: WebSocket) -> None:
    async with accept_connection(socket) as connection:
        if connection is None:
            return
        application = connection.application
        watcher = (connection.guest, connection.outbox)

        async def listen() -> int:
            await connection.patiently(lambda: application.tables.load_of_guest(connection.guest))
            application.lobby.watchers.add(watcher)
            connection.outbox.put(application.lobby.message(connection.guest))
            while True:
                message = await connection.read()
                if isinstance(message, HelloMessage):
                    report_newer_page(connection, message)

        try:
            await connection.run(listen)
        finally:
            application.lobby.watchers.discard(watcher)


async def serve_table(socket: WebSocket) -> None:
    async with accept_connection(socket) as connection:
        if connection is not None:
            await connection.run(lambda: _serve_table(connection, socket.path_params["table_id"]))


async def _serve_table(connection: SocketConnection, table_id: str) -> int:
    """Be at a table until the connection ends."""
    application, guest = connection.application, connection.guest
    hello = await _read_hello(connection)
    if hello is None:
        return CLOSE_CODE_TRY_LATER
    report_newer_page(connection, hello)
    try:
        at = await connection.patiently(lambda: application.tables.get(table_id))
    except CommandRefusedError as refused:
        connection.refuse(refused)
        return CLOSE_CODE_UNKNOWN_TABLE
    listener = Subscriber(guest, connection.outbox, _seen_cues(hello), hello.hidden)
    at.attend(listener)
    if not hello.hidden:
        application.turn_notifications.seen(at, guest)
    try:
        at.tell_table()
        at.show_all(listener)
        application.chat.greet(at, listener)
        application.schedule_bots(at)
        application.lobby.changed()
        while True:
            message = await connection.read()
            if isinstance(message, PlayMessage | UndoMessage):
                await _run_command(connection, at, message)
            elif isinstance(message, PreviewMessage):
                await _preview_moves(connection, at, message)
            elif isinstance(message, ResyncMessage):
                await connection.outbox.empty()  # nothing more is read from who does not read
                listener.seen.clear()
                at.show_all(listener)
            elif isinstance(message, HiddenMessage):
                listener.hidden = message.hidden
                at.crowd()
                if not message.hidden:
                    application.turn_notifications.seen(at, guest)
                application.turn_notifications.look_later(at)
    finally:
        at.depart(listener)
        application.turn_notifications.look_later(at)
        at.tell_table()
        application.lobby.changed()


async def _read_hello(connection: SocketConnection) -> HelloMessage | None:
    """The greeting that comes first; None if none comes in time."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(HELLO_TIMEOUT_S):
            while True:
                message = await connection.read()
                if isinstance(message, HelloMessage):
                    return message
                if message is not None:
                    connection.refuse(CommandRefusedError("error-malformed", where="type", problem="hello_first"))
    return None


def _seen_cues(hello: HelloMessage) -> dict[Audience, int]:
    named = {str(seat): seat for seat in range(MAX_SEATS)} | {"null": None}
    return {named[seat]: n for seat, n in hello.since.items() if seat in named}


async def _run_command(connection: SocketConnection, at: LiveTable, message: PlayMessage | UndoMessage) -> None:
    wanted = Command(message.seat, message.seq, tuple(message.moves) if isinstance(message, PlayMessage) else None)

    def done() -> None:
        connection.outbox.put(encode({"type": "done", "key": message.key}))

    try:
        if connection.guest is None:
            raise CommandRefusedError("error-no-cookie")
        await run_command(connection.application, at, connection.guest, wanted, message.key, done)
    except CommandRefusedError as refused:
        connection.refuse(refused, message.key)
    except Exception as error:
        connection.failed(error, message.key)


async def _preview_moves(connection: SocketConnection, at: LiveTable, message: PreviewMessage) -> None:
    try:
        view = await preview_moves(connection.application, at, connection.guest, message)
        connection.outbox.put(encode({"type": "foreseen", "key": message.key, "view": view}))
    except CommandRefusedError as refused:
        connection.refuse(refused, message.key)
    except Exception as error:
        connection.failed(error, message.key)


class SocketEndpoint:
    """What serves a socket, as ASGI calls it: everything else that FastAPI lays around it would stay for as long."""

    def __init__(self, serve: Callable[[WebSocket], Awaitable[None]]):
        self.serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.serve(WebSocket(scope, receive, send))


SOCKET_ROUTES = [
    WebSocketRoute("/ws/lobby", SocketEndpoint(serve_lobby)),
    WebSocketRoute("/ws/tables/{table_id}", SocketEndpoint(serve_table)),
]

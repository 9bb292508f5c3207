"""The WebSockets of tables and of the lobby; see docs/protocol.md."""

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

CLOSE_CODE_TRY_LATER = 1013  # too many connections, a client that reads too slowly, or a database error
CLOSE_CODE_SERVER_ERROR = 1011  # a bug in the server
CLOSE_CODE_SIGNED_OUT = 4401  # the guest signed out all other browsers, or deleted the account
CLOSE_CODE_UNKNOWN_TABLE = 4404
HELLO_TIMEOUT_S = 10.0  # seconds for the client's first message
FLUSH_TIMEOUT_S = 1.0  # seconds to send the queued messages before a connection is closed
MAX_STORAGE_TRIES = 10  # reads of the table or the lobby's tables, while the database refuses

T = TypeVar("T")

log = logging.getLogger("courtly.server")


class SocketConnection:
    """A WebSocket of a client, with its queue of outgoing messages."""

    def __init__(self, socket: WebSocket, application: Application, guest: str | None):
        self.socket = socket
        self.application = application
        self.guest = guest
        self.address = client_address(socket)
        # done when the connection must end, with the close code; None: the code follows from how listening ended
        self.close_code: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.outbox = SendQueue(
            application.settings.max_queued_messages, socket.send_text, lambda: self.drop(CLOSE_CODE_TRY_LATER)
        )

    def drop(self, code: int | None) -> None:
        """End the connection with a close code; None if listening has ended."""
        if not self.close_code.done():
            self.close_code.set_result(code)

    def refuse(self, refused: CommandRefusedError, key: str | None = None) -> None:
        """Send an error message. `key` is the idempotency key of the refused command."""
        self.outbox.put(encode(as_message(refused, key)))

    def report_failure(self, error: Exception, key: str | None = None) -> int:
        """Log an exception and send an error message to the client.

        Returns the close code, for a caller that ends the connection.
        """
        if isinstance(error, SQLAlchemyError):
            log.error("the database refused: %s", database_reason(error))
            self.refuse(storage_refusal(error), key)
            return CLOSE_CODE_TRY_LATER
        log.error("websocket answered with error-server", exc_info=error)
        self.refuse(CommandRefusedError("error-server"), key)
        return CLOSE_CODE_SERVER_ERROR

    async def read(self) -> ClientMessage | None:
        """Read the next message.

        Returns None if this method has answered it: a ping, an invalid message, or one too many. Raises
        WebSocketDisconnect when the connection ends.
        """
        try:
            event = await self.socket.receive()
        except RuntimeError:  # the connection was closed during a send
            raise WebSocketDisconnect(1006) from None
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        if not self.application.command_limit.take(self.guest, self.address):
            self.refuse(CommandRefusedError("error-too-fast"))
            await asyncio.sleep(REFUSAL_DELAY_S)  # slows the client down: no message is read meanwhile
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

    async def retry_storage(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work`, retrying while the database refuses.

        Sends the client one error message after the first failure. Raises SQLAlchemyError after MAX_STORAGE_TRIES
        retries.
        """
        for attempt in range(MAX_STORAGE_TRIES):
            try:
                return await work()
            except SQLAlchemyError as error:
                if not attempt:
                    self.report_failure(error)
            await asyncio.sleep(STORAGE_RETRY_DELAY_S)
        return await work()

    async def run(self, listen: Callable[[], Awaitable[int]]) -> None:
        """Run `listen` until it ends or the connection is dropped, then close. `listen` returns the close code."""
        listening = asyncio.ensure_future(self._listen(listen))
        listening.add_done_callback(lambda _: self.drop(None))
        try:
            code = await self.close_code
            if code is None:
                code = self._close_code_of(listening)
                await self.outbox.wait_until_empty(FLUSH_TIMEOUT_S)
        except asyncio.CancelledError:  # the server stops, and this connection got no disconnect event
            code = CLOSE_CODE_RESTART
        finally:
            listening.cancel()
            self.outbox.stop()
            await asyncio.gather(listening, return_exceptions=True)
        if code is not None:
            await self.close(code)

    @staticmethod
    def _close_code_of(listening: asyncio.Future[int]) -> int | None:
        """Return the close code after listening has ended; None if the client has disconnected."""
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
            return self.report_failure(error)

    async def close(self, code: int) -> None:
        """Close the WebSocket. Waits at most a second."""
        with contextlib.suppress(*DISCONNECT_ERRORS):
            async with asyncio.timeout(1):
                await self.socket.close(code)


@contextlib.asynccontextmanager
async def accept_connection(socket: WebSocket) -> AsyncIterator[SocketConnection | None]:
    """Accept a WebSocket and yield its connection, or None if the connection was refused.

    The connection counts towards the limits of its guest and address until the block ends.
    """
    application: Application = socket.app.state.application
    guest, address = application.guests.identify(socket), client_address(socket)
    if is_cross_site(socket.headers):
        await socket.close()  # before it is accepted: 403
        yield None
        return
    is_too_fast = not application.command_limit.take(guest, address)
    if is_too_fast or not application.socket_limit.take(guest, address):
        await socket.accept()
        refusal = CommandRefusedError("error-too-fast" if is_too_fast else "error-too-many-sockets")
        await socket.send_text(encode(as_message(refusal)))
        await asyncio.sleep(REFUSAL_DELAY_S)
        await socket.close(CLOSE_CODE_TRY_LATER)
        yield None
        return
    connection = SocketConnection(socket, application, guest)
    try:
        with application.guests.register_connection(guest, lambda: connection.drop(CLOSE_CODE_SIGNED_OUT)):
            await socket.accept()
            yield connection
    except WebSocketDisconnect:
        pass
    except Exception as error:
        await connection.close(connection.report_failure(error))
    finally:
        application.socket_limit.release(guest, address)


def report_newer_page(connection: SocketConnection, hello: HelloMessage) -> None:
    """Send the current hash of the page's files if the client's page has another one."""
    if hello.page is not None and hello.page != connection.application.assets.hash:
        connection.outbox.put(encode({"type": "page", "hash": connection.application.assets.hash}))


async def serve_lobby(socket: WebSocket) -> None:
    """Serve /ws/lobby: send the lobby's tables, and again whenever they change."""
    async with accept_connection(socket) as connection:
        if connection is None:
            return
        application = connection.application
        watcher = (connection.guest, connection.outbox)

        async def listen() -> int:
            await connection.retry_storage(lambda: application.tables.load_tables_of_guest(connection.guest))
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
    """Serve /ws/tables/{table_id}."""
    async with accept_connection(socket) as connection:
        if connection is not None:
            await connection.run(lambda: _serve_table(connection, socket.path_params["table_id"]))


async def _serve_table(connection: SocketConnection, table_id: str) -> int:
    """Serve a client at a table until the connection ends. Returns the close code."""
    application, guest = connection.application, connection.guest
    hello = await _read_hello(connection)
    if hello is None:
        return CLOSE_CODE_TRY_LATER
    report_newer_page(connection, hello)
    try:
        table = await connection.retry_storage(lambda: application.tables.get(table_id))
    except CommandRefusedError as refused:
        connection.refuse(refused)
        return CLOSE_CODE_UNKNOWN_TABLE
    subscriber = Subscriber(guest, connection.outbox, _seen_cues(hello), hello.hidden)
    table.add_subscriber(subscriber)
    if not hello.hidden:
        application.turn_notifications.withdraw(table, guest)
    try:
        table.publish_table()
        table.send_all_views(subscriber)
        application.chat.send_newest(table, subscriber)
        application.schedule_bots(table)
        application.lobby.schedule_update()
        while True:
            message = await connection.read()
            if isinstance(message, PlayMessage | UndoMessage):
                await _run_command(connection, table, message)
            elif isinstance(message, PreviewMessage):
                await _preview_moves(connection, table, message)
            elif isinstance(message, ResyncMessage):
                await connection.outbox.wait_until_empty()  # no further message is read while the client does not read
                subscriber.next_cues.clear()
                table.send_all_views(subscriber)
            elif isinstance(message, HiddenMessage):
                subscriber.hidden = message.hidden
                table.notify_presence()
                if not message.hidden:
                    application.turn_notifications.withdraw(table, guest)
                application.turn_notifications.notify_after_grace(table)
    finally:
        table.remove_subscriber(subscriber)
        application.turn_notifications.notify_after_grace(table)
        table.publish_table()
        application.lobby.schedule_update()


async def _read_hello(connection: SocketConnection) -> HelloMessage | None:
    """Return the client's hello message; None if it does not arrive within HELLO_TIMEOUT_S."""
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
    """Return for each audience named in `hello.since` the number of the first cue to send."""
    audiences = {str(seat): seat for seat in range(MAX_SEATS)} | {"null": None}
    return {audiences[seat]: n for seat, n in hello.since.items() if seat in audiences}


async def _run_command(connection: SocketConnection, table: LiveTable, message: PlayMessage | UndoMessage) -> None:
    command = Command(message.seat, message.seq, tuple(message.moves) if isinstance(message, PlayMessage) else None)

    def confirm() -> None:
        connection.outbox.put(encode({"type": "done", "key": message.key}))

    try:
        if connection.guest is None:
            raise CommandRefusedError("error-no-cookie")
        await run_command(connection.application, table, connection.guest, command, message.key, confirm)
    except CommandRefusedError as refused:
        connection.refuse(refused, message.key)
    except Exception as error:
        connection.report_failure(error, message.key)


async def _preview_moves(connection: SocketConnection, table: LiveTable, message: PreviewMessage) -> None:
    try:
        view = await preview_moves(connection.application, table, connection.guest, message)
        connection.outbox.put(encode({"type": "preview", "key": message.key, "view": view}))
    except CommandRefusedError as refused:
        connection.refuse(refused, message.key)
    except Exception as error:
        connection.report_failure(error, message.key)


class SocketEndpoint:
    """A bare ASGI application for a WebSocket.

    FastAPI's own wrapper would keep several objects in memory for as long as the WebSocket is open.
    """

    def __init__(self, serve: Callable[[WebSocket], Awaitable[None]]):
        self.serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.serve(WebSocket(scope, receive, send))


SOCKET_ROUTES = [
    WebSocketRoute("/ws/lobby", SocketEndpoint(serve_lobby)),
    WebSocketRoute("/ws/tables/{table_id}", SocketEndpoint(serve_table)),
]

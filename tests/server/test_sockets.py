"""A WebSocket whose client, database or handler fails. The socket is a fake; the messages are real."""

import asyncio
import json
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError
from starlette.websockets import WebSocketDisconnect

from courtly.server.realtime import websockets
from courtly.server.realtime.websockets import (
    CLOSE_CODE_SERVER_ERROR,
    CLOSE_CODE_TRY_LATER,
    SocketConnection,
    accept_connection,
)

REFUSED = OperationalError("SELECT 1", {}, Exception("the disk is full"))
HELLO = {"type": "hello", "since": {}}


class Limit:
    """A limit that allows `left` more times."""

    def __init__(self, left=99):
        self.left, self.released = left, 0

    def take(self, *_):
        self.left -= 1
        return self.left >= 0

    def release(self, *_):
        self.released += 1


class Socket:
    """A socket that receives these messages; an exception is raised instead. Then it stays silent."""

    def __init__(self, *messages, messages_allowed=99):
        self.messages, self.sent, self.closed = [*messages], [], []
        self.headers, self.client = {}, SimpleNamespace(host="127.0.0.1")

        @contextmanager
        def register_connection(*_):
            yield

        self.limit = Limit()
        guests = SimpleNamespace(identify=lambda _: "ada", register_connection=register_connection)
        self.application = SimpleNamespace(
            settings=SimpleNamespace(max_queued_messages=9),
            command_limit=Limit(messages_allowed),
            socket_limit=self.limit,
            guests=guests,
        )
        self.app = SimpleNamespace(state=SimpleNamespace(application=self.application))

    async def accept(self):
        """Nothing has to be done."""

    async def receive(self):
        if not self.messages:
            await asyncio.sleep(600)
        message = self.messages.pop(0)
        if isinstance(message, Exception):
            raise message
        return {"type": "websocket.receive", "text": json.dumps(message)}

    async def send_text(self, text):
        self.sent.append(json.loads(text))

    async def close(self, code=1000):
        self.closed.append(code)

    @property
    def errors(self):
        return [message["error"]["id"] for message in self.sent if message["type"] == "error"]


@pytest.fixture(autouse=True)
def short_times(monkeypatch):
    for name in ("REFUSAL_DELAY_S", "STORAGE_RETRY_DELAY_S"):
        monkeypatch.setattr(websockets, name, 0)
    monkeypatch.setattr(websockets, "HELLO_TIMEOUT_S", 0.1)


def run_with_connection(socket, script):
    async def run():
        connection = SocketConnection(socket, socket.application, "ada")
        result = await script(connection)
        await connection.outbox.wait_until_empty()
        return result

    return asyncio.run(run())


def test_messages_beyond_the_limit_are_refused():
    socket = Socket(HELLO, HELLO, messages_allowed=1)

    async def script(connection):
        return [await connection.read() for _ in range(2)]

    first, second = run_with_connection(socket, script)
    assert first.type == "hello" and second is None and socket.errors == ["error-too-fast"]


def test_a_connection_that_was_closed_during_a_send_has_ended():
    socket = Socket(RuntimeError("WebSocket is not connected"))

    async def script(connection):
        with pytest.raises(WebSocketDisconnect):
            await connection.read()

    run_with_connection(socket, script)


def test_another_first_message_is_refused_and_none_is_not_waited_for():
    socket = Socket({"type": "resync"})
    assert run_with_connection(socket, websockets._read_hello) is None
    assert socket.errors == ["error-malformed"]


def test_a_storage_error_is_reported_once_and_retried():
    outcomes, socket = [REFUSED, REFUSED, "table"], Socket()

    async def work():
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    assert run_with_connection(socket, lambda connection: connection.retry_storage(work)) == "table"
    assert len(socket.errors) == 1


def test_a_storage_error_that_stays_is_raised(monkeypatch):
    monkeypatch.setattr(websockets, "MAX_STORAGE_TRIES", 2)
    socket, calls = Socket(), []

    async def work():
        calls.append(1)
        raise REFUSED

    async def script(connection):
        with pytest.raises(OperationalError):
            await connection.retry_storage(work)

    run_with_connection(socket, script)
    assert len(calls) == 3 and len(socket.errors) == 1


@pytest.mark.parametrize(
    ("error", "codes"),
    [
        (ZeroDivisionError(), [CLOSE_CODE_SERVER_ERROR]),
        (REFUSED, [CLOSE_CODE_TRY_LATER]),
        (WebSocketDisconnect(1001), []),
    ],
)
def test_a_connection_that_fails_is_closed_and_does_not_count_any_more(error, codes):
    socket = Socket()

    async def run():
        async with accept_connection(socket):
            raise error

    asyncio.run(run())
    assert socket.closed == codes and socket.limit.released == 1


@pytest.mark.parametrize(("messages_allowed", "sockets_allowed"), [(0, 9), (9, 0)])
def test_connections_beyond_a_limit_are_refused(messages_allowed, sockets_allowed):
    socket = Socket(messages_allowed=messages_allowed)
    socket.limit.left = sockets_allowed

    async def run():
        async with accept_connection(socket) as connection:
            assert connection is None

    asyncio.run(run())
    assert socket.errors == ["error-too-many-sockets" if messages_allowed else "error-too-fast"]
    assert socket.closed == [CLOSE_CODE_TRY_LATER] and not socket.limit.released


def test_a_connection_without_a_first_message_is_closed(monkeypatch):
    monkeypatch.setattr(websockets, "_read_hello", lambda _: asyncio.sleep(0))  # returns None
    socket = Socket()
    assert run_with_connection(socket, lambda c: websockets._serve_table(c, "t")) == CLOSE_CODE_TRY_LATER


def test_a_preview_that_fails_is_answered(monkeypatch):
    async def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(websockets, "preview_moves", fail)
    socket, message = Socket(), SimpleNamespace(key="k")
    run_with_connection(socket, lambda c: websockets._preview_moves(c, None, message))
    [answer] = socket.sent
    assert socket.errors == ["error-server"] and answer["key"] == "k"

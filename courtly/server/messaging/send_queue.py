"""Queues of messages to one client.

A client whose queue overflows is disconnected; it reconnects and receives a full snapshot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from msgspec.json import Encoder
from starlette.websockets import WebSocketDisconnect

from courtly.session.schemas import FromServer

# exceptions of a send after the client has disconnected; RuntimeError: it disconnected during the send
DISCONNECT_ERRORS = (WebSocketDisconnect, OSError, RuntimeError)
MAX_QUEUED_CHARACTERS = 4_000_000  # characters that may wait for one client, beside the message being sent
_JSON = Encoder()  # ten times as fast as `json`; each move is encoded for every client at the table

T = TypeVar("T")


def encode(message: FromServer) -> str:
    """Return a message as JSON."""
    return _JSON.encode(message).decode()


class MessageDeque(Generic[T]):
    """A queue for a single reader, with a tenth of the memory of `asyncio.Queue`.

    A server has thousands of WebSockets, most of them idle.
    """

    __slots__ = ("_reader", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, letter: T) -> None:
        self._waiting.append(letter)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    def empty(self) -> bool:
        return not self._waiting

    async def get(self) -> T:
        while not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._waiting.pop(0)


class SendQueue:
    """A bounded queue of messages to one client. A task exists only while messages are waiting.

    Args:
        size: The number of messages that may wait.
        send: Sends one message. It is called with one message after another.
        drop: Ends the connection. It is called when the client has disconnected, and when more than `size` messages or
            MAX_QUEUED_CHARACTERS are waiting.
    """

    __slots__ = ("_chars", "_drop", "_send", "_size", "_waiting", "_write_task", "is_closed")

    def __init__(self, size: int, send: Callable[[str], Coroutine[Any, Any, None]], drop: Callable[[], None]):
        self._waiting: list[str] = []
        self._chars = 0  # in all waiting messages
        self._write_task: asyncio.Task[None] | None = None
        self._size = size
        self._send = send
        self._drop = drop
        self.is_closed = False

    def put(self, text: str) -> None:
        """Queue a message. If the queue is full, drop the connection; later messages are ignored."""
        if self.is_closed:
            return
        if len(self._waiting) < self._size and (not self._waiting or self._chars + len(text) <= MAX_QUEUED_CHARACTERS):
            self._waiting.append(text)
            self._chars += len(text)
            if self._write_task is None:
                self._write_task = asyncio.create_task(self._write())
        else:
            self.is_closed = True
            self._waiting.clear()
            self._drop()

    @property
    def length(self) -> int:
        """The number of waiting messages."""
        return len(self._waiting)

    async def _write(self) -> None:
        try:
            while self._waiting:
                text = self._waiting.pop(0)
                self._chars -= len(text)
                await self._send(text)
        except DISCONNECT_ERRORS:
            self._drop()
        finally:
            self._write_task = None

    async def wait_until_empty(self, timeout_s: float | None = None) -> None:
        """Wait until all messages are sent, at most `timeout_s` seconds; None: without a limit."""
        if self._write_task:
            await asyncio.wait([self._write_task], timeout=timeout_s)

    def stop(self) -> None:
        """Stop sending. Waiting messages are discarded."""
        self.is_closed = True
        if self._write_task:
            self._write_task.cancel()

"""Messages on their way to one connection. Who reads too slowly is dropped, comes back and is told anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from msgspec.json import Encoder
from starlette.websockets import WebSocketDisconnect

from courtly.session.schemas import FromServer

# the other side; the last: while something was being sent
DISCONNECT_ERRORS = (WebSocketDisconnect, OSError, RuntimeError)
MAX_QUEUED_CHARACTERS = 4_000_000  # of text that may wait for one reader, beside the message that is being sent
_JSON = Encoder()  # every move is told to everybody at the table: it takes a tenth of the time that `json` does

T = TypeVar("T")


def encode(message: FromServer) -> str:
    return _JSON.encode(message).decode()


class MessageDeque(Generic[T]):
    """What `asyncio.Queue` is to a single reader, in a tenth of the memory: of sockets there are thousands, and most
    of them wait."""

    __slots__ = ("_reader", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, letter: T) -> None:
        self._waiting.append(letter)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    def qsize(self) -> int:
        return len(self._waiting)

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
    """`send` is given one message after another; `drop` is called when it fails because the other side is gone, and
    once when more than `size` messages, or MAX_CHARS of text, wait. Only while there are some does anything run."""

    __slots__ = ("_chars", "_drop", "_send", "_size", "_waiting", "_writing", "full")

    def __init__(self, size: int, send: Callable[[str], Coroutine[Any, Any, None]], drop: Callable[[], None]):
        self._waiting: list[str] = []
        self._chars = 0  # in all that waits
        self._writing: asyncio.Task[None] | None = None
        self._size = size
        self._send = send
        self._drop = drop
        self.full = False

    def put(self, text: str) -> None:
        if self.full:
            return
        if len(self._waiting) < self._size and (not self._waiting or self._chars + len(text) <= MAX_QUEUED_CHARACTERS):
            self._waiting.append(text)
            self._chars += len(text)
            if self._writing is None:
                self._writing = asyncio.create_task(self._write())
        else:
            self.full = True
            self._waiting.clear()
            self._drop()

    @property
    def length(self) -> int:
        """How many messages wait."""
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
            self._writing = None

    async def empty(self, within: float | None = None) -> None:
        """Wait until all is sent, but no longer than so many seconds. None: however long it takes."""
        if self._writing:
            await asyncio.wait([self._writing], timeout=within)

    def stop(self) -> None:
        """Nothing more is sent."""
        self.full = True
        if self._writing:
            self._writing.cancel()

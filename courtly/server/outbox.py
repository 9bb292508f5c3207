"""Messages on their way to one connection. Who reads too slowly is dropped, comes back and is told anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec.json import Encoder

from courtly.server.shapes import FromServer

_JSON = Encoder()  # every move is told to everybody at the table: it takes a tenth of the time that `json` does


def encode(message: FromServer) -> str:
    return _JSON.encode(message).decode()


class Outbox:
    """`drop` is called once, when more than `size` messages wait."""

    def __init__(self, size: int, drop: Callable[[], None]):
        self._waiting: asyncio.Queue[str] = asyncio.Queue(size)
        self._drop = drop
        self.full = False

    def put(self, text: str) -> None:
        if self.full:
            return
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self.full = True
            self._drop()

    @property
    def length(self) -> int:
        """How many messages wait."""
        return self._waiting.qsize()

    async def get(self) -> str:
        return await self._waiting.get()

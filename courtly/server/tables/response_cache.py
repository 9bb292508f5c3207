"""A cache of recent answers to commands, so that a command that is sent again gets the same answer at once."""

from __future__ import annotations

from collections import OrderedDict
from typing import cast

from msgspec.json import decode, encode

from courtly.engine import schemas

MAX_BYTES = 8_000_000  # size of all cached answers; the oldest are evicted first

Key = tuple[str, str, str]  # table, guest, idempotency key


class ResponseCache:
    """The cache, in memory only. The database still knows the key of a command whose answer was evicted."""

    def __init__(self) -> None:
        self._texts: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0

    def store(self, table: str, guest: str, key: str, view: schemas.View) -> None:
        text = encode(view)
        self._bytes += len(text) - len(self._texts.pop((table, guest, key), b""))
        self._texts[table, guest, key] = text
        while self._bytes > MAX_BYTES:
            self._bytes -= len(self._texts.popitem(last=False)[1])

    def find(self, table: str, guest: str, key: str) -> schemas.View | None:
        """Return the cached answer, or None."""
        text = self._texts.get((table, guest, key))
        return None if text is None else cast("schemas.View", decode(text))

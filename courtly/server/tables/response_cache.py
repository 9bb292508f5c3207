"""The answers to commands of late, so that the same command sent again gets the same answer in constant time."""

from __future__ import annotations

from collections import OrderedDict
from typing import cast

from msgspec.json import decode, encode

from courtly.engine import schemas

MAX_BYTES = 8_000_000  # of all answers kept; the oldest go first

Key = tuple[str, str, str]  # table, guest, idempotency key


class ResponseCache:
    """Kept in memory alone. A command whose answer is gone is still known by its key in the database."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0

    def keep(self, table: str, guest: str, key: str, answer: schemas.View) -> None:
        text = encode(answer)
        self._bytes += len(text) - len(self._kept.pop((table, guest, key), b""))
        self._kept[table, guest, key] = text
        while self._bytes > MAX_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1])

    def find(self, table: str, guest: str, key: str) -> schemas.View | None:
        """Return the answer; None if it is not kept any more."""
        text = self._kept.get((table, guest, key))
        return None if text is None else cast("schemas.View", decode(text))

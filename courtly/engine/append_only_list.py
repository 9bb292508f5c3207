"""A list that grows at its end, with copies in constant time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")


class AppendOnlyList(Sequence[T]):
    """An append-only list. Copies share its items: `copy` takes constant time, and so does `append` to the longest of
    those that share. Appending to another one copies its items first."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()):
        self._items = list(items)
        self._length = len(self._items)

    def append(self, item: T) -> None:
        """Append an item. If a longer copy shares the items, copy them first."""
        if len(self._items) != self._length:
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def remove(self, start: int, stop: int) -> None:
        """Remove the items with indexes from `start` up to, but not including, `stop`."""
        if stop < self._length:
            self._items = self._items[:start] + self._items[stop : self._length]
            self._length = len(self._items)
        else:
            self._length = start

    def copy(self) -> AppendOnlyList[T]:
        """Return an independent copy that shares the items."""
        other: AppendOnlyList[T] = AppendOnlyList.__new__(AppendOnlyList)
        other._items, other._length = self._items, self._length
        return other

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> list[T]: ...

    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            start, stop, step = at.indices(self._length)
            return self._items[start:stop:step] if step > 0 else list(self)[at]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._items[at if at >= 0 else at + self._length]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (list, AppendOnlyList)):
            return NotImplemented
        return len(self) == len(other) and all(left == right for left, right in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # mutable, like a list

    def __repr__(self) -> str:
        return repr(list(self))

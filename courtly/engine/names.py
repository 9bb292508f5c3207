"""Names for numbers: the phases of a game, its cards, its refusals.

    class Phase(Names):
        DEALING, CHOOSING, OVER = range(3)

    Phase.CHOOSING == 1, len(Phase) == 3, tuple(Phase) == ("dealing", "choosing", "over")

It is what IntEnum is, but for two things: its members are plain ints, as cheap in rules as any other number (native.py
makes constants of them), and going through it gives the names as JSON and texts write them, so that it can be an axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Named(type):
    """The type of all such classes: a sequence of names, the first of which means 0."""

    names: tuple[str, ...]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Named:
        made = super().__new__(cls, name, bases, body)
        numbers = {k: v for k, v in body.items() if k.isupper()}
        if list(numbers.values()) != list(range(len(numbers))):
            raise TypeError(f"{name}: names stand in the order of their numbers, from 0")
        made.names = tuple(k.lower() for k in numbers)
        return made

    def __len__(cls) -> int:
        return len(cls.names)

    def __iter__(cls) -> Iterator[str]:
        return iter(cls.names)

    def __getitem__(cls, number: int) -> str:
        return cls.names[number]


class Names(metaclass=Named):
    """Base of a game's names for numbers."""

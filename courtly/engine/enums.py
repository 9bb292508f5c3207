"""Names for numbers: the phases of a game, its cards, its refusals.

    class Phase(NamedInt):
        DEALING, CHOOSING, OVER = range(3)

    Phase.CHOOSING == 1, len(Phase) == 3, tuple(Phase) == ("dealing", "choosing", "over")

It differs from IntEnum in two points: the members are plain ints, as cheap in rules as any other number (loader.py
turns them into constants), and iterating over the class yields the names as JSON and texts write them, so that it can
be an axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Kind = type  # type checkers treat it as a class, because it is written as one
else:
    Kind = object


class NamedIntType(Kind):
    """The object that such a class statement creates: a sequence of names, the first of which means 0.

    It is not a class itself, because Python reads the attributes of an object twice as fast as those of a class.
    """

    names: tuple[str, ...]

    def __init__(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]):
        numbers = {k: v for k, v in body.items() if k.isupper()}
        if list(numbers.values()) != list(range(len(numbers))):
            raise TypeError(f"{name}: the members must be numbered 0, 1, 2 … in the order of their names")
        self.names = tuple(k.lower() for k in numbers)
        for k, v in numbers.items():
            setattr(self, k, v)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, number: int) -> str:
        return self.names[number]


class NamedInt(metaclass=NamedIntType):
    """Base of a game's names for numbers."""

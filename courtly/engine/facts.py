"""The declaration of a game's facts: what its rules derive from a view, so that boards compute no rules.

    class Offer(FactsBase):
        move = number()
        points = number(Source)                    # a list, one number for each source

    class Facts(FactsBase):
        part = word(of=("draft", "first", "end"))  # set by index; a name in JSON
        now = number(SEATS)                        # a list as long as there are players
        leads = members(COUNTRIES)                 # set as bits; in JSON the list of the members of each set
        pile = number(up_to(9))                    # a list of up to nine numbers
        missing = number(keyed(BUILDINGS), Good)   # in JSON an object: the name of a building, and its list
        offers = record(Offer, up_to(40))          # set as out.offers[3].points[0] = 5
        tried = number(30, scratch=True)           # working space, not in JSON

Every number is NOTHING until it is set. In JSON,

- null stands for a number without a value, and for a record or a list of fixed length in which no number has one;
  only a list along seats is never null;
- a list of up to n items ends before the first item in which no number has a value;
- an object lacks the names for which no number has a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from courtly.engine.enums import NamedIntType
from courtly.engine.state import Axis, Field, Places, Seats

NOTHING = -(1 << 31)  # a number that has no value
NUMBER_BYTES = 4
RECORD_NAME = "Facts"  # of the class in facts.py


class Logged(NamedTuple):
    """A field whose changes the log names.

    Attributes:
        field: A public field of the state: one number for each seat, a row for each seat, or a single number, which
            then belongs to the seat that moves.
        names: What it counts, such as ("points",); for a row, a name for each of its places. The catalogue has
            `<game>-counted-<name>` for each.
        verbs: The moves and events whose changes are named; () for all. A text that says the amount itself needs no
            second one.
        revealed_after: For a row of each seat: phases in which it is not chosen yet, or in secret. The move that ends
            one of them names the numbers of all seats, instead of changes; () to name changes.
    """

    field: str
    names: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    revealed_after: tuple[int, ...] = ()


class UpTo(int):
    """An axis of a list whose length may be less."""


class Keyed(tuple[str, ...]):
    """An axis of names, which become the keys of an object."""

    __slots__ = ()


def up_to(n: int) -> UpTo:
    """Return an axis for a list of at most n items."""
    return UpTo(n)


def keyed(names: Sequence[str] | NamedIntType) -> Keyed:
    """Return an axis for an object with some of these names."""
    return Keyed(names.names if isinstance(names, NamedIntType) else names)


class Fact(Field):
    """A field of facts.

    Attributes:
        kind: What its numbers become in JSON: "number", "word", "members" or "record".
        words: The names of the numbers of a "word".
        record: The class of a "record"; None for others.
        hidden: True for working space.
    """

    __slots__ = ("hidden", "kind", "record", "words")

    def __init__(
        self,
        kind: str,
        axes: Sequence[Axis],
        words: Sequence[str] = (),
        record: type[FactsBase] | None = None,
        scratch: bool = False,
    ):
        super().__init__(NUMBER_BYTES, axes, None, None, None, None, (), False, 0, None, False, False, scratch, ())
        self.kind, self.words, self.record, self.hidden = kind, tuple(words), record, scratch

    @property
    def item_length(self) -> int:
        """How many numbers stand for one item: 1, or those of a record."""
        return 1 if self.record is None else self.record.length

    def blank(self, shape: Sequence[int]) -> Any:
        """Return a value of this shape in which nothing is set."""
        if not shape:
            return NOTHING if self.record is None else self.record()
        if len(shape) == 1:
            return [NOTHING] * shape[0] if self.record is None else RecordList(self.record, shape[0])
        return [self.blank(shape[1:]) for _ in range(shape[0])]


class RecordList(list[Any]):
    """Records in which nothing is set, each created when it is first used: positions have few of the most possible."""

    def __init__(self, record: type[FactsBase], count: int):
        super().__init__([None] * count)
        self.record = record

    def __getitem__(self, index: Any) -> Any:
        """Return a record."""
        if super().__getitem__(index) is None:
            self[index] = self.record()
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[Any]:
        """Yield all records."""
        return (self[index] for index in range(len(self)))


# Fields are numbers or nested lists of numbers, though declared as Fact: therefore these return Any.


def number(*axes: Axis, scratch: bool = False) -> Any:
    """Declare numbers. `scratch`: working space, which is not in JSON."""
    return Fact("number", axes, scratch=scratch)


def word(*axes: Axis, of: Sequence[str] | NamedIntType) -> Any:
    """Declare numbers that become names in JSON: those of a tuple, or of a NamedInt class with hyphens."""
    return Fact("word", axes, [name.replace("_", "-") for name in of] if isinstance(of, NamedIntType) else of)


def members(*axes: Axis) -> Any:
    """Declare sets, one bit for each member. In JSON they are lists of the members' numbers."""
    return Fact("members", axes)


def record(of: type[FactsBase], *axes: Axis) -> Any:
    """Declare records of another class of facts."""
    return Fact("record", axes, record=of)


class FactsBase:
    """Base class of facts, and of the records in them. Fields are attributes."""

    fields: ClassVar[dict[str, Fact]] = {}
    length: ClassVar[int] = 0

    if TYPE_CHECKING:

        def __getattr__(self, field: str) -> Any: ...
        def __setattr__(self, field: str, value: Any) -> None: ...

    def __init_subclass__(cls) -> None:
        """Collect the fields."""
        cls.fields = {name: fact for name, fact in vars(cls).items() if isinstance(fact, Fact)}
        for name, fact in cls.fields.items():
            fact.name = name
            delattr(cls, name)
        cls.length = sum(fact.length * fact.item_length for fact in cls.fields.values())

    def __init__(self) -> None:
        """Create facts in which nothing is set."""
        for name, fact in self.fields.items():
            setattr(self, name, fact.blank(fact.shape))

    def as_json(self, players: int) -> dict[str, Any]:
        """Return the facts as boards get them. `players`: how many there are."""
        return {
            name: _read(fact, getattr(self, name), fact.axes, players)
            for name, fact in self.fields.items()
            if not fact.hidden
        }

    def numbers(self) -> Iterator[int]:
        """Yield all numbers, in the order in which a compiled game stores them."""
        for name in self.fields:
            yield from _flatten(getattr(self, name))


def _flatten(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _flatten(item)
    elif isinstance(value, FactsBase):
        yield from value.numbers()
    else:
        yield int(value)


def _read(fact: Fact, value: Any, axes: Sequence[Axis], players: int) -> Any:
    """Return the JSON of a field, or of a part of it along these axes."""
    if not axes:
        return _read_item(fact, value, players)
    axis, *inner = axes
    if isinstance(axis, Seats | Places):
        value = islice(value, players)
    if isinstance(axis, UpTo):
        return [_read(fact, item, inner, players) for item in takewhile(_has_value, value)]
    if isinstance(axis, Keyed):
        pairs = zip(axis, value, strict=True)
        return {name: _read(fact, item, inner, players) for name, item in pairs if _has_value(item)}
    items = [_read(fact, item, inner, players) for item in value]
    return items if isinstance(axis, Seats | Places) or any(item is not None for item in items) else None


def _read_item(fact: Fact, value: Any, players: int) -> Any:
    if fact.record is not None:
        return value.as_json(players) if _has_value(value) else None
    if value == NOTHING:
        return None
    if fact.kind == "word":
        return fact.words[value]
    if fact.kind == "members":
        return [i for i in range(value.bit_length()) if value >> i & 1]
    return int(value)


def _has_value(value: Any) -> bool:
    """Return True if any number of a value has one."""
    if isinstance(value, list):
        if isinstance(value[0], list | FactsBase):
            return any(map(_has_value, value))
        return value.count(NOTHING) < len(value)  # much faster than to look at each
    if isinstance(value, FactsBase):
        return any(_has_value(getattr(value, name)) for name, fact in value.fields.items() if not fact.hidden)
    return bool(value != NOTHING)


def describe_facts(facts: type[FactsBase]) -> dict[str, Any]:
    """Return what a program in another language needs to read facts that a compiled game has written, as JSON.

    Returns:
        `length`, the number of 32-bit numbers, and `fields`: for each its `offset` in numbers, its `axes`, and its
        `kind`; for a "word" its `words`, and for a "record" its `length` and `fields`. An axis has a `length` and a
        `kind`: "fixed", "players" (a list as long as there are players), "up-to" or "keyed", with its `names`.
    """
    fields: dict[str, Any] = {}
    for name, offset in lay_out_facts(facts).items():
        fact = facts.fields[name]
        fields[name] = {"offset": offset, "kind": fact.kind, "axes": [_describe_axis(axis) for axis in fact.axes]}
        if fact.kind == "word":
            fields[name]["words"] = list(fact.words)
        if fact.record is not None:
            fields[name] |= describe_facts(fact.record)
        if fact.hidden:
            del fields[name]
    return {"length": facts.length, "fields": fields}


def _describe_axis(axis: Axis) -> dict[str, Any]:
    if isinstance(axis, Keyed):
        return {"kind": "keyed", "length": len(axis), "names": list(axis)}
    kind = "players" if isinstance(axis, Seats | Places) else "up-to" if isinstance(axis, UpTo) else "fixed"
    return {"kind": kind, "length": int(axis) if isinstance(axis, int) else len(axis)}


def lay_out_facts(facts: type[FactsBase]) -> dict[str, int]:
    """Return the place of each field in the numbers of a record."""
    offsets, end = {}, 0
    for name, fact in facts.fields.items():
        offsets[name] = end
        end += fact.length * fact.item_length
    return offsets


def list_records(facts: type[FactsBase]) -> dict[str, type[FactsBase]]:
    """Return the classes of facts and of the records in them, by name. Raises ValueError if two have one name."""
    found = {facts.__name__: facts}
    for fact in facts.fields.values():
        for name, inner in list_records(fact.record).items() if fact.record is not None else ():
            if found.setdefault(name, inner) is not inner:
                raise ValueError(f"expected records of different names, found two named {name}")
    return found

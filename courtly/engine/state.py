"""A game state declared once, field by field, with who may see each field.

    class State(StateBase):
        players = i8(option=(2, 3, 4))                    # a table option, set before setup; the first is the default
        phase = i8(of=Phase)                              # one of these, by its index
        king = i8(of=SEATS, none=NOBODY)                  # a seat, or none
        row = i8(SLOTS, of=Card, none=0)                  # a card + 1; 0: none
        place = i8(Card, of=Place, then=SEATS)            # the last of these is the first seat's, then come the others'
        claim = i8(3, Claim, each=(i8(of=SEATS), i8(of=Card)))    # whose, and to what
        leaders = i8(bits=SEATS)                          # a set of seats, a bit for each
        score = i16(SEATS, least=-20, most=200)           # a count; one that is never negative says no `least`
        laid = i32(key=True)                              # a code that only the rules read
        hand = i8(SEATS, Card, most=3, private=True)      # a row is seen by its owner alone
        stack = i8(Card, most=3, secret=True)             # seen by nobody
        tally = i8(Card, scratch=True)                    # working space: never shown, saved or compared

An axis is a length, a range, a tuple of names or a class of them, or SEATS = seats(4), or places(4): as many as there
are players, but no seats; rules always use the index.
What is stored says what its numbers mean, so that a program that knows no game can make observations of it.
Interpreted, a field is an int or nested lists of ints. Packed, the record is a C struct; `layout()` describes the same
bytes to NumPy. Nothing here imports NumPy.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import attrgetter, index
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from courtly.engine.enums import NamedIntType

Axis = int | range | tuple[str, ...] | NamedIntType
Visibility = Literal["public", "private", "secret", "scratch"]
_CODES = {1: "b", 2: "h", 4: "i"}


class Seats(int):
    """An axis whose values are seats."""


def seats(n: int) -> Seats:
    """The axis of so many seats: of an argument that names a player, of a field that has a row for each."""
    return Seats(n)


class Places(int):
    """An axis with as many places as somebody sits at the table, which are no seats: those of a row, of an order."""


def places(n: int) -> Places:
    """The axis of so many places, one for each seat there can be."""
    return Places(n)


class Field:
    """One field of a record.

    `size` is in bytes, `shape` in elements; `visible` is public, private, secret or scratch. What its numbers mean:
    `of`: one value of this axis, by its index; of these `none` stands for no value, and where that is 0 the others
    come after it; where `most` is said, numbers go on after the last value; where `then` names seats, the last value is
    the first of them, and the others come after it. `bits`: a set of values of this axis. `each`: what is declared here
    of each place of the last axis. `key`: a code, nothing for observers. Else a count. `least` and `most` hold for all
    but keys, and are None where nothing is declared. `names`: those of a class of names, by number.
    """

    __slots__ = (
        *("name", "size", "axes", "shape", "length", "visible", "option"),
        *("of", "none", "then", "bits", "each", "key", "least", "most", "names"),
    )

    def __init__(
        self,
        size: int,
        axes: Sequence[Axis],
        of: Axis | None,
        none: int | None,
        then: Seats | None,
        bits: Axis | None,
        each: tuple[Field, ...],
        key: bool,
        least: int,
        most: int | None,
        private: bool,
        secret: bool,
        scratch: bool,
        option: tuple[int, ...],
    ):
        if private + secret + scratch > 1:
            raise TypeError("a field is public, or private, or secret, or scratch")
        if private and not axes:
            raise TypeError("a private field has one row for each seat")
        if option and (axes or private or secret or scratch):
            raise TypeError("an option is a single public number")
        if (
            (of is not None) + (bits is not None) + bool(each) + key > 1
            or most is not None
            and (bits is not None or each or key)
        ):
            raise TypeError("a number is one of an axis, or a set of bits, or a count, or a key")
        if none is not None and of is None or none not in (None, 0, -1):
            raise TypeError("none goes with of, and is 0 or -1")
        if then is not None and (of is None or most is not None):
            raise TypeError("then goes with of, and without most")
        if each and (not axes or len(each) != _axis_length(axes[-1]) or any(f.each or f.axes for f in each)):
            raise TypeError("each says what a single number means in each place of the last axis")
        if most is None and least or most is not None and most <= least:
            raise TypeError("a count goes from least, which is 0 or said, to most")
        self.name = ""
        self.size = size
        self.axes: tuple[Axis, ...] = tuple(tuple(a) if isinstance(a, NamedIntType) else a for a in axes)
        self.shape = tuple(map(_axis_length, axes))
        self.length = 1
        for n in self.shape:
            self.length *= n
        self.visible: Visibility = "private" if private else "secret" if secret else "scratch" if scratch else "public"
        self.option = option
        self.of, self.none, self.then, self.bits, self.key = of, none, then, bits, key
        self.each: tuple[Field, ...] = each
        self.names = of.names if isinstance(of, NamedIntType) and none != 0 else ()
        self.least: int | None
        self.most: int | None
        if option:
            self.least, self.most = min(option), max(option)
        elif each:
            bounds = [f.bounds for f in each]
            self.least, self.most = min(least for least, _ in bounds), max(most for _, most in bounds)
        elif of is not None:
            last = _axis_length(of) - (none != 0) + (0 if then is None else then - 1)
            self.least, self.most = (none or 0), last if most is None else most
        elif bits is not None:
            self.least, self.most = 0, (1 << _axis_length(bits)) - 1
        else:
            self.least, self.most = None if most is None else least, most

    @property
    def declared(self) -> bool:
        """Is it said what its numbers mean?"""
        return self.key or self.most is not None

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that it can hold, as declared, or by its width."""
        wide = 1 << 8 * self.size - 1
        return (-wide, wide - 1) if self.least is None or self.most is None else (self.least, self.most)


def _axis_length(axis: Axis) -> int:
    return int(axis) if isinstance(axis, int) else len(axis)


def _field_factory(size: int) -> Any:
    def field(
        *axes: Axis,
        of: Axis | None = None,
        none: int | None = None,
        then: Seats | None = None,
        bits: Axis | None = None,
        each: tuple[Field, ...] = (),
        key: bool = False,
        least: int = 0,
        most: int | None = None,
        private: bool = False,
        secret: bool = False,
        scratch: bool = False,
        option: tuple[int, ...] = (),
    ) -> Any:
        return Field(size, axes, of, none, then, bits, each, key, least, most, private, secret, scratch, option)

    return field


i8, i16, i32 = (
    _field_factory(1),
    _field_factory(2),
    _field_factory(4),
)  # signed only: mixing signed and unsigned makes floats in Numba


def _blank_value(shape: Sequence[int]) -> Any:
    if len(shape) > 1:
        return [_blank_value(shape[1:]) for _ in range(shape[0])]
    return [0] * shape[0] if shape else 0


def _copy(value: Any, depth: int) -> Any:
    if depth == 0:
        return value
    if depth == 1:
        return value[:]
    if depth == 2:
        return [row[:] for row in value]  # most tables: twice as fast
    return [_copy(row, depth - 1) for row in value]


def _flatten(value: Any, depth: int) -> Any:
    for _ in range(depth - 1):
        value = chain.from_iterable(value)
    return value


def _copy_expression(value: str, depth: int) -> str:
    """The expression that copies what this one names."""
    values = (value, f"{value}[:]", f"[row[:] for row in {value}]")
    return values[depth] if depth < len(values) else f"_copy({value}, {depth})"


def _compile_function(name: str, *lines: str) -> Any:
    """A function: search and undo copy states, and bots and boards are shown them, more than they do anything else; a
    loop over the fields takes half as long again."""
    made: dict[str, Any] = {"_copy": _copy}
    exec("\n".join([f"def {name}:", *lines, "    return"]), made)
    return made[name.partition("(")[0]]


def _make_copier(fields: Iterable[Field]) -> Callable[[Any, Any], None]:
    lines = [f"    other.{f.name} = {_copy_expression(f'self.{f.name}', len(f.shape))}" for f in fields]
    copy_to: Callable[[Any, Any], None] = _compile_function("copy_to(self, other)", *lines)
    return copy_to


def _make_viewer(fields: Iterable[Field]) -> Callable[[Any, int | None], dict[str, Any]]:
    shown = {
        "public": lambda f: _copy_expression(f"self.{f.name}", len(f.shape)),
        "private": lambda f: (
            f"[{_copy_expression('mine', len(f.shape) - 1)} if i == seat else None "
            f"for i, mine in enumerate(self.{f.name})]"
        ),
    }
    items = [f"{f.name!r}: {shown[f.visible](f)}," for f in fields if f.visible in shown]
    seen_by: Callable[[Any, int | None], dict[str, Any]] = _compile_function(
        "seen_by(self, seat)", "    return {", *items, "    }"
    )
    return seen_by


def _make_getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """These attributes in a tuple, one alone too."""
    return attrgetter(*names) if len(names) > 1 else lambda record: tuple(getattr(record, name) for name in names)


def _nest(values: list[Any], shape: Sequence[int]) -> list[Any]:
    for n in reversed(shape[1:]):
        values = [values[i : i + n] for i in range(0, len(values), n)]
    return values


class StateType(type):
    """Collects the fields of a record and lays them out: scratch last, so that what is stored is one prefix."""

    fields: dict[str, Field]
    stored: tuple[Field, ...]
    scratch: tuple[Field, ...]
    options: tuple[Field, ...]
    _copy_to: Callable[[Any, Any], None]  # all fields to another record
    _seen_by: Callable[[Any, int | None], dict[str, Any]]
    _values: Callable[[Any], tuple[Any, ...]]  # of what is stored, in one go
    packing: struct.Struct

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> StateType:
        own = {k: v for k, v in body.items() if isinstance(v, Field)}
        fields = {k: f for base in bases for k, f in getattr(base, "fields", {}).items()} | own
        for k, f in own.items():
            f.name = k
            del body[k]  # a slot may not share its name with a class attribute
        body["__slots__"] = tuple(own)
        made = super().__new__(cls, name, bases, body)
        made.fields = fields
        made._copy_to = _make_copier(fields.values())
        made._seen_by = _make_viewer(fields.values())
        made.stored = tuple(f for f in fields.values() if f.visible != "scratch")
        made.scratch = tuple(f for f in fields.values() if f.visible == "scratch")
        made.options = tuple(f for f in made.stored if f.option)
        made._values = _make_getter([f.name for f in made.stored])
        made.packing = struct.Struct("@" + "".join(f"{f.length}{_CODES[f.size]}" for f in made.stored))
        return made


class StateBase(metaclass=StateType):
    """The state of one game. Fields are plain attributes."""

    fields: ClassVar[dict[str, Field]]
    stored: ClassVar[tuple[Field, ...]]
    scratch: ClassVar[tuple[Field, ...]]
    options: ClassVar[tuple[Field, ...]]
    _copy_to: ClassVar[Callable[[Any, Any], None]]
    _seen_by: ClassVar[Callable[[Any, int | None], dict[str, Any]]]
    _values: ClassVar[Callable[[Any], tuple[Any, ...]]]
    packing: ClassVar[struct.Struct]

    if TYPE_CHECKING:

        def __getattr__(self, field: str) -> Any: ...  # a number, or lists of them: fields are declared as Field
        def __setattr__(self, field: str, value: Any) -> None: ...

    def __init__(self, **options: int):
        """A blank state. ValueError if an option is unknown or has a value that is not offered."""
        for name, f in self.fields.items():
            setattr(self, name, _blank_value(f.shape))
        for f in self.options:
            value = options.pop(f.name, f.option[0])
            if not hasattr(value, "__index__") or value not in f.option:  # a whole number: NumPy's are, 20.0 is not
                raise ValueError(f"{f.name} may be one of {f.option}, not {value!r}")
            setattr(self, f.name, index(value))
        if options:
            raise ValueError(f"unknown options: {', '.join(options)}")

    def copy(self) -> Self:
        """An independent copy, scratch included."""
        other = object.__new__(type(self))
        type(self)._copy_to(self, other)
        return other

    def __eq__(self, other: object) -> bool:  # and so no hash: a state changes
        return type(self) is type(other) and type(self)._values(self) == type(self)._values(other)

    def pack(self) -> bytes:
        """The stored fields as a C struct. OverflowError names the field whose value does not fit it."""
        values: list[int] = []
        for f, v in zip(self.stored, type(self)._values(self), strict=True):
            if not f.shape:
                values.append(v)
            elif len(f.shape) == 1:
                values.extend(v)
            else:
                values.extend(_flatten(v, len(f.shape)))
        try:
            return self.packing.pack(*values)
        except struct.error as wrong:
            raise OverflowError(f"{self._misfit()}: {wrong}") from None

    def fit(self, known: StateBase) -> None:
        """As if packed, of a record that differs from one that is known to fit: OverflowError names the field."""
        for f, value, before in zip(self.stored, type(self)._values(self), type(self)._values(known), strict=True):
            if value != before:
                numbers = _flatten(value, len(f.shape)) if f.shape else (value,)
                try:
                    struct.pack(f"{f.length}{_CODES[f.size]}", *numbers)
                except struct.error as wrong:
                    raise OverflowError(f"{f.name}: {wrong}") from None

    def _misfit(self) -> str:
        for f in self.stored:
            v = getattr(self, f.name)
            bound = 1 << 8 * f.size - 1
            values = list(_flatten(v, len(f.shape))) if f.shape else [v]
            if len(values) != f.length or not all(-bound <= x < bound for x in values):
                return f.name
        return type(self).__name__

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """The state that `pack` made these bytes of; scratch is blank."""
        self = object.__new__(cls)
        values = list(cls.packing.unpack_from(data))
        at = 0
        for f in cls.stored:
            setattr(self, f.name, _nest(values[at : at + f.length], f.shape) if f.shape else values[at])
            at += f.length
        for f in cls.scratch:
            setattr(self, f.name, _blank_value(f.shape))
        return self

    def view(self, seat: int | None = None, laid_open: bool = False) -> dict[str, Any]:
        """What one seat may see, or a spectator (None). Other seats' rows of a private field are None, unless all is
        laid open; secret fields are missing."""
        seen = type(self)._seen_by(self, seat)
        if laid_open:
            for f in self.stored:
                if f.visible == "private":
                    seen[f.name] = _copy(getattr(self, f.name), len(f.shape))
        return seen

    def looks_like(self, other: StateBase, seat: int | None) -> bool:
        """Has this seat the same view of both?"""
        for f in self.stored:
            mine, theirs = getattr(self, f.name), getattr(other, f.name)
            if mine != theirs:
                if f.visible == "public" or f.visible == "private" and seat is not None and mine[seat] != theirs[seat]:
                    return False
        return True

    @classmethod
    def from_view(cls, seen: dict[str, Any]) -> Self:
        """A record that holds what a view shows; what it hides is 0."""
        self = object.__new__(cls)
        for name, f in cls.fields.items():
            v = seen.get(name)
            if v is None:
                value = _blank_value(f.shape)
            elif f.visible == "private":
                value = [_copy(row, len(f.shape) - 1) if row is not None else _blank_value(f.shape[1:]) for row in v]
            else:
                value = _copy(v, len(f.shape))
            setattr(self, name, value)
        return self

    @classmethod
    def layout(cls) -> Any:
        """The same bytes as a NumPy dtype, scratch at the end."""
        import numpy as np

        return np.dtype([(f.name, f"i{f.size}", f.shape) for f in cls.stored + cls.scratch], align=True)

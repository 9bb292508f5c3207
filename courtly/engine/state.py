"""The declaration of a game's state: its fields, their meaning, and their visibility.

    class State(StateBase):
        players = i8(option=(2, 3, 4))                    # a table option, set before setup; the first is the default
        phase = i8(of=Phase)                              # one of these, by its index
        king = i8(of=SEATS, none=NOBODY)                  # a seat, or none
        row = i8(SLOTS, of=Card, none=0)                  # a card + 1; 0: none
        place = i8(Card, of=Place, then=SEATS)            # the last place stands for seat 0; other seats follow
        claim = i8(3, Claim, each=(i8(of=SEATS), i8(of=Card)))    # the seat and the card of each claim
        leaders = i8(bits=SEATS)                          # a set of seats, a bit for each
        score = i16(SEATS, least=-20, most=200)           # a count; `least` defaults to 0
        laid = i32(key=True)                              # a code that only the rules read
        hand = i8(SEATS, Card, most=3, private=True)      # each seat sees its own row only
        stack = i8(Card, most=3, secret=True)             # no audience sees it
        tally = i8(Card, scratch=True)                    # working space: never shown, stored or compared

An axis is a length, a range, a tuple of names or a NamedInt class, or SEATS = seats(4), or places(4): as many as there
are players, but the values are not seats. Rules always use the index.

The declarations say what the numbers of stored fields mean, so that a program without knowledge of the game can encode
observations. Interpreted, a field is an int or nested lists of ints. Packed, the record is a C struct; `layout()`
describes the same bytes to NumPy. This module does not import NumPy.
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
    """Return an axis of n seats: for an argument that names a player, or a field with one row for each seat."""
    return Seats(n)


class Places(int):
    """An axis with one place for each player, where the places are not seats: of a row, or of an order."""


def places(n: int) -> Places:
    """Return an axis of n places, one for each possible seat."""
    return Places(n)


class Field:
    """A field of a state.

    Attributes:
        name: Its name in the class.
        size: Bytes of each number.
        axes: Its axes.
        shape: Its length along each axis.
        length: How many numbers it holds.
        visible: "public", "private", "secret" or "scratch".
        option: The values that a table may choose from, the default first; () if it is not an option.
        of: Each number is the index of a value on this axis.
        none: With `of`, the number that stands for no value. If it is 0, the indexes are counted from 1.
        then: With `of`, an axis of seats: the last value of `of` stands for seat 0, and the other seats follow it.
        bits: Each number is a set of values of this axis, one bit for each.
        each: The declarations of the single places of the last axis.
        key: True for a code that means nothing to observers.
        least: The least number; None if it is not declared.
        most: The greatest number; None if it is not declared. With `of`, numbers may go beyond the last value up to it.
        names: The names of the numbers, if `of` is a NamedInt class.

    A field with none of `of`, `bits`, `each` and `key` holds counts.
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
            raise TypeError("a field can be only one of private, secret and scratch")
        if private and not axes:
            raise TypeError("a private field needs an axis, one row for each seat")
        if option and (axes or private or secret or scratch):
            raise TypeError("an option must be a single public number")
        if (
            (of is not None) + (bits is not None) + bool(each) + key > 1
            or most is not None
            and (bits is not None or each or key)
        ):
            raise TypeError("use only one of of, bits, each and key; bits, each and key exclude most")
        if none is not None and of is None or none not in (None, 0, -1):
            raise TypeError("none needs of, and must be 0 or -1")
        if then is not None and (of is None or most is not None):
            raise TypeError("then needs of, and excludes most")
        if each and (not axes or len(each) != _axis_length(axes[-1]) or any(f.each or f.axes for f in each)):
            raise TypeError("each needs a declaration without axes for each place of the last axis")
        if most is None and least or most is not None and most <= least:
            raise TypeError("least needs most, and must be below it")
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
        """True if the declaration says what its numbers mean."""
        return self.key or self.most is not None

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that it can hold, as declared, or else by its size."""
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


i8, i16, i32 = (_field_factory(1), _field_factory(2), _field_factory(4))  # signed only, as all numbers of the dialect


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
        return [row[:] for row in value]  # the common case, twice as fast
    return [_copy(row, depth - 1) for row in value]


def _flatten(value: Any, depth: int) -> Any:
    for _ in range(depth - 1):
        value = chain.from_iterable(value)
    return value


def _copy_expression(value: str, depth: int) -> str:
    """Return Python source that copies a value of this depth, given the source that names it."""
    values = (value, f"{value}[:]", f"[row[:] for row in {value}]")
    return values[depth] if depth < len(values) else f"_copy({value}, {depth})"


def _compile_function(name: str, *lines: str) -> Any:
    """Return a function compiled from these lines. Copies and views of states take most of the time of search, undo and
    bots; a loop over the fields takes 1.5 times as long."""
    namespace: dict[str, Any] = {"_copy": _copy}
    exec("\n".join([f"def {name}:", *lines, "    return"]), namespace)
    return namespace[name.partition("(")[0]]


def _make_copier(fields: Iterable[Field]) -> Callable[[Any, Any], None]:
    lines = [f"    other.{f.name} = {_copy_expression(f'self.{f.name}', len(f.shape))}" for f in fields]
    copy_to: Callable[[Any, Any], None] = _compile_function("copy_to(self, other)", *lines)
    return copy_to


def _make_viewer(fields: Iterable[Field]) -> Callable[[Any, int | None], dict[str, Any]]:
    visible_fields = {
        "public": lambda f: _copy_expression(f"self.{f.name}", len(f.shape)),
        "private": lambda f: (
            f"[{_copy_expression('mine', len(f.shape) - 1)} if i == seat else None "
            f"for i, mine in enumerate(self.{f.name})]"
        ),
    }
    items = [f"{f.name!r}: {visible_fields[f.visible](f)}," for f in fields if f.visible in visible_fields]
    seen_by: Callable[[Any, int | None], dict[str, Any]] = _compile_function(
        "seen_by(self, seat)", "    return {", *items, "    }"
    )
    return seen_by


def _make_getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that gets these attributes as a tuple, also if there is only one."""
    return attrgetter(*names) if len(names) > 1 else lambda record: tuple(getattr(record, name) for name in names)


def _nest(values: list[Any], shape: Sequence[int]) -> list[Any]:
    for n in reversed(shape[1:]):
        values = [values[i : i + n] for i in range(0, len(values), n)]
    return values


class StateType(type):
    """Metaclass that collects the fields of a record and lays them out: scratch fields last, so that the stored fields
    are a prefix of the bytes."""

    fields: dict[str, Field]
    stored: tuple[Field, ...]
    scratch: tuple[Field, ...]
    options: tuple[Field, ...]
    _copy_to: Callable[[Any, Any], None]  # copies all fields to another record
    _seen_by: Callable[[Any, int | None], dict[str, Any]]
    _values: Callable[[Any], tuple[Any, ...]]  # the values of the stored fields
    packing: struct.Struct

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> StateType:
        own_fields = {k: v for k, v in body.items() if isinstance(v, Field)}
        fields = {k: f for base in bases for k, f in getattr(base, "fields", {}).items()} | own_fields
        for k, f in own_fields.items():
            f.name = k
            del body[k]  # a slot must not have the name of a class attribute
        body["__slots__"] = tuple(own_fields)
        state_class = super().__new__(cls, name, bases, body)
        state_class.fields = fields
        state_class._copy_to = _make_copier(fields.values())
        state_class._seen_by = _make_viewer(fields.values())
        state_class.stored = tuple(f for f in fields.values() if f.visible != "scratch")
        state_class.scratch = tuple(f for f in fields.values() if f.visible == "scratch")
        state_class.options = tuple(f for f in state_class.stored if f.option)
        state_class._values = _make_getter([f.name for f in state_class.stored])
        state_class.packing = struct.Struct("@" + "".join(f"{f.length}{_CODES[f.size]}" for f in state_class.stored))
        return state_class


class StateBase(metaclass=StateType):
    """Base class of the states of games. Fields are attributes.

    Args:
        options: Values of the option fields; the others have their defaults.

    Raises:
        ValueError: An option is unknown, or does not have this value.
    """

    fields: ClassVar[dict[str, Field]]
    stored: ClassVar[tuple[Field, ...]]
    scratch: ClassVar[tuple[Field, ...]]
    options: ClassVar[tuple[Field, ...]]
    _copy_to: ClassVar[Callable[[Any, Any], None]]
    _seen_by: ClassVar[Callable[[Any, int | None], dict[str, Any]]]
    _values: ClassVar[Callable[[Any], tuple[Any, ...]]]
    packing: ClassVar[struct.Struct]

    if TYPE_CHECKING:

        def __getattr__(self, field: str) -> Any: ...  # a number or nested lists, though declared as Field
        def __setattr__(self, field: str, value: Any) -> None: ...

    def __init__(self, **options: int):
        """Create a blank state. Raises ValueError if an option is unknown or does not have this value."""
        for name, f in self.fields.items():
            setattr(self, name, _blank_value(f.shape))
        for f in self.options:
            value = options.pop(f.name, f.option[0])
            if not hasattr(value, "__index__") or value not in f.option:  # accept whole numbers of NumPy, but not 20.0
                raise ValueError(f"{f.name} may be one of {f.option}, not {value!r}")
            setattr(self, f.name, index(value))
        if options:
            raise ValueError(f"unknown options: {', '.join(options)}")

    def copy(self) -> Self:
        """Return an independent copy, scratch fields included."""
        other = object.__new__(type(self))
        type(self)._copy_to(self, other)
        return other

    def __eq__(self, other: object) -> bool:  # no __hash__, because states are mutable
        return type(self) is type(other) and type(self)._values(self) == type(self)._values(other)

    def pack(self) -> bytes:
        """Return the stored fields as a C struct. Raises OverflowError, naming the field, if a value does not fit into
        it."""
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
        except struct.error as error:
            raise OverflowError(f"{self._misfit()}: {error}") from None

    def fit(self, template: StateBase) -> None:
        """Check that the stored fields can be packed, given another record (`template`) that can. Raises OverflowError,
        naming the field, like `pack`."""
        for f, value, before in zip(self.stored, type(self)._values(self), type(self)._values(template), strict=True):
            if value != before:
                numbers = _flatten(value, len(f.shape)) if f.shape else (value,)
                try:
                    struct.pack(f"{f.length}{_CODES[f.size]}", *numbers)
                except struct.error as error:
                    raise OverflowError(f"{f.name}: {error}") from None

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
        """Return the state that `pack` made these bytes from. Scratch fields are 0."""
        self = object.__new__(cls)
        values = list(cls.packing.unpack_from(data))
        offset = 0
        for f in cls.stored:
            setattr(self, f.name, _nest(values[offset : offset + f.length], f.shape) if f.shape else values[offset])
            offset += f.length
        for f in cls.scratch:
            setattr(self, f.name, _blank_value(f.shape))
        return self

    def view(self, seat: int | None = None, laid_open: bool = False) -> dict[str, Any]:
        """Return the fields that one seat may see, or a spectator (None). The rows of other seats in private fields are
        None, unless `laid_open`; secret fields are missing."""
        values = type(self)._seen_by(self, seat)
        if laid_open:
            for f in self.stored:
                if f.visible == "private":
                    values[f.name] = _copy(getattr(self, f.name), len(f.shape))
        return values

    def looks_like(self, other: StateBase, seat: int | None) -> bool:
        """Return True if this seat has the same view of both states."""
        for f in self.stored:
            own_value, other_value = getattr(self, f.name), getattr(other, f.name)
            if own_value != other_value:
                if (
                    f.visible == "public"
                    or f.visible == "private"
                    and seat is not None
                    and own_value[seat] != other_value[seat]
                ):
                    return False
        return True

    @classmethod
    def from_view(cls, view: dict[str, Any]) -> Self:
        """Return a state with the values of a view; what the view hides is 0."""
        self = object.__new__(cls)
        for name, f in cls.fields.items():
            v = view.get(name)
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
        """Return the layout of the bytes as a NumPy dtype, scratch fields at the end."""
        import numpy as np

        return np.dtype([(f.name, f"i{f.size}", f.shape) for f in cls.stored + cls.scratch], align=True)

"""What a seat sees as a row of numbers, derived for every game from the declaration of its state (state.py).

    from courtly.adapters.observation import get_encoder

    seen = get_encoder(courtly.game("necklace"), players=3)
    seen.encode(position.state, seat)     # float32, from -1 to 1; seen.names names each number
    seen.raw(position.state, seat)        # int16, as declared; seen.raw_names

A row contains the public fields, the seat's own row of each private field, whose turn it is, and the seat's number.
Seats, as indices and as values, are relative to the observer: `me`, then `+1` for the next. Left out are unused seats,
places that only games with more players have, options, which are constant, and keys, which mean nothing to observers.
Secret fields are never read.

| a field that holds | float32 | int16 |
|---|---|---|
| a count | divided by the greatest magnitude that it can have | unchanged |
| a value of an axis | one-hot; all zeros for "none" | its number; a seat's relative to the observer |
| a set | 0 or 1 for each value | the same |

The float32 form has the counts first. In the int16 form, a count that needs more than 16 bits takes two numbers: the
quotient and the remainder of a division by 32768.

The functions that write these rows are generated from the declarations, in the dialect of the rules, and run
interpreted or native (`write_source`). `python -m courtly.adapters.observation` writes docs/observations.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import GAMES_PACKAGE, Game, find_game, game_ids
from courtly.engine.state import Axis, Field, Places, Seats, seats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from courtly.engine.state import StateBase

INT16_LIMIT = 1 << 15  # -INT16_LIMIT to INT16_LIMIT - 1 fit 16 bits
VISIBLE_KINDS = ("public", "private")
ArrayT = TypeVar("ArrayT", bound="NDArray[Any]")
DOCS_PAGE = Path(__file__).parents[2] / "docs" / "observations.md"


class FieldPart:
    """One field in one of the two forms; or one place of its last axis, if each place there has its own meaning."""

    def __init__(self, field: Field, raw: bool, place: int | None = None):
        self.field, self.raw, self.place = field, raw, place
        self.meaning = meaning = field if place is None else field.each[place]
        own, end = int(field.visible == "private"), len(field.axes) - (place is not None)
        self.axes = list(zip(field.axes, field.shape, strict=True))[own:end]
        self.members = seats(MAX_SEATS) if field.name == "pending" else meaning.bits
        self.counts = self.members is None and meaning.of is None
        # number of named values before the seats; None if no value is a seat
        self.before: int | None = None
        if isinstance(meaning.of, Seats) and meaning.most == meaning.of - (meaning.none != 0):
            self.before = 0
        elif meaning.then is not None and meaning.of is not None:
            self.before = _axis_length(meaning.of, MAX_SEATS) - 1
        self.least, self.most = meaning.bounds
        self.first = int(meaning.none == 0)  # the number that stands for the axis's first value

    @property
    def label(self) -> str:
        """The name of the place of the last axis, in brackets; "" for a whole field."""
        return "" if self.place is None else f"[{_axis_labels(self.field.axes[-1], MAX_SEATS)[self.place]}]"

    def element_size(self, players: int) -> int:
        """Return how many numbers one element takes."""
        if self.members is not None:
            return _axis_length(self.members, players)
        if self.counts or self.raw:
            return 2 if self.raw and (self.least < -INT16_LIMIT or self.most >= INT16_LIMIT) else 1
        return self.most - self.first + 1 if self.before is None else self.before + players

    def size(self, players: int) -> int:
        """Return how many numbers the whole part takes."""
        return prod(_axis_length(axis, players) for axis, _ in self.axes) * self.element_size(players)

    def names(self, players: int) -> Iterator[str]:
        """Yield a name for each number, such as `cards[me][3]=gold`."""
        for indices in product(*(_axis_labels(axis, players) for axis, _ in self.axes)):
            for value in self.meanings(players):
                yield self.field.name + "".join(f"[{i}]" for i in indices) + self.label + value

    def meanings(self, players: int) -> list[str]:
        """Return the suffix of the name of each number of an element."""
        if self.members is not None:
            return [f":{value}" for value in _axis_labels(self.members, players)]
        if self.counts or self.raw:
            return [".high", ".low"] if self.element_size(players) == 2 else [""]
        axis = self.meaning.of
        labels = [] if axis is None or isinstance(axis, Seats) else _axis_labels(axis, players)
        if self.before is None:
            labels += [str(n + self.first) for n in range(len(labels), self.most + 1 - self.first)]
        else:
            labels = [*labels[: self.before], *_axis_labels(seats(players), players)]
        return [f"={value}" for value in labels]

    def bounds(self, players: int) -> list[tuple[int, int]]:
        """Return the least and the greatest value of each number of the int16 form."""
        ranges = [(self.least, self.most if self.before is None else self.before + players - 1 + self.first)]
        if self.members is not None:
            ranges = [(0, 1)]
        elif self.element_size(players) == 2:
            ranges = [(self.least >> 15, self.most >> 15), (0, INT16_LIMIT - 1)]
        return ranges * (self.size(players) // len(ranges))

    def code(self, start: int, players: int) -> list[str]:
        """Return the lines of code that write the part into `out` from index `start`."""
        row, place, lines = f"s.{self.field.name}" + "[seat]" * (self.field.visible == "private"), f"{start}", []
        step = self.size(players)
        for k, (axis, _) in enumerate(self.axes):
            n = _axis_length(axis, players)
            step //= n
            lines.append("    " * k + f"for i{k} in range({n}):")
            if isinstance(axis, Seats):
                rotation = f"p{k} = seat + i{k}", f"if p{k} >= {players}:", f"    p{k} -= {players}"
                lines += ["    " * (k + 1) + line for line in rotation]
            index = f"p{k}" if isinstance(axis, Seats) else f"i{k}"
            row = f"{row}[{index}]"
            if k + 1 < len(self.axes):
                name = f"row_{self.field.name}_{k}"  # a variable holds rows of one shape
                lines.append("    " * (k + 1) + f"{name} = {row}")
                row = name
            place += f" + i{k}" + f" * {step}" * (step > 1)
        if self.place is not None:
            row += f"[{self.place}]"
        indent = "    " * (len(self.axes) + 1)
        return [*("    " + line for line in lines), *(indent + line for line in self._element(row, place, players))]

    def _element(self, v: str, place: str, players: int) -> list[str]:
        """Return the lines of code that write one element, the expression `v`, at index `place`."""
        if self.members is not None:
            bit = f"(seat + b) % {players}" if isinstance(self.members, Seats) else "b"
            n = _axis_length(self.members, players)
            return [f"v = {v}", f"for b in range({n}):", f"    out[{place} + b] = v >> {bit} & 1"]
        if not self.counts and (self.before is not None or not self.raw):
            rotation = []
            if self.before is not None:
                rotation = ["    v -= seat", f"    if v < {self.before}:", f"        v += {players}"]
            if self.before:
                rotation = [f"    if v >= {self.before}:", *("    " + line for line in rotation)]
            n = self.most - self.first + 1 if self.before is None else self.before + players
            assignment = f"out[{place}] = v" + f" + {self.first}" * self.first if self.raw else f"out[{place} + v] = 1"
            otherwise = ["else:", f"    out[{place}] = {v}"] if self.raw else []
            return [
                f"v = {v}" + f" - {self.first}" * self.first,
                f"if 0 <= v < {n}:",
                *rotation,
                f"    {assignment}",
                *otherwise,
            ]
        if self.element_size(players) == 2:
            return [f"out[{place}] = {v} >> 15", f"out[{place} + 1] = {v} & {INT16_LIMIT - 1}"]
        return [f"out[{place}] = {v}"]


def _axis_length(axis: Axis, players: int) -> int:
    """Return how many values an axis has in a game of `players`."""
    return players if isinstance(axis, Seats | Places) else int(axis) if isinstance(axis, int) else len(axis)


def _axis_labels(axis: Axis, players: int) -> list[str]:
    if isinstance(axis, Seats):
        return ["me", *(f"+{k}" for k in range(1, players))]
    return [str(value) for value in (range(_axis_length(axis, players)) if isinstance(axis, int) else axis)]


class ObservationForm:
    """One of the two forms in which a game is observed: its parts in order, and the code that writes them."""

    def __init__(self, game: Game, raw: bool):
        visible_fields = [f for f in game.State.stored if f.visible in VISIBLE_KINDS and not f.option and not f.key]
        parts = [
            FieldPart(f, raw, place) for f in visible_fields for place in (range(len(f.each)) if f.each else (None,))
        ]
        self.raw = raw
        self.parts = parts if raw else sorted(parts, key=lambda part: not part.counts)  # counts first

    def names(self, players: int) -> list[str]:
        """Return a name for each number of a row."""
        me = ["me"] if self.raw else [f"me={seat}" for seat in range(players)]
        return [*(name for part in self.parts for name in part.names(players)), *me]

    def code(self, name: str, players: int) -> str:
        """Return the source, in the dialect, of a function that writes what `seat` sees of state `s` into `out`."""
        lines, offset = [f"def {name}_{players}(s, seat, out):"], 0
        for part in self.parts:
            lines += part.code(offset, players)
            offset += part.size(players)
        me = f"out[{offset}] = seat" if self.raw else f"out[{offset} + seat] = 1"
        return "\n".join([*lines, f"    {me}", ""])


@cache
def observation_forms(game: Game) -> tuple[ObservationForm, ObservationForm]:
    """Return the float32 form and the int16 form of a game."""
    return ObservationForm(game, raw=False), ObservationForm(game, raw=True)


@cache
def write_source(game: Game) -> str:
    """Generate the functions that write a game's observations.

    Args:
        game: The game.

    Returns:
        Source of `scaled(s, seat, out)` and `raw(s, seat, out)`, which run on interpreted and native states. `out` of
            `scaled` must be zeros; the caller multiplies its counts by `Encoder.scale`.
    """
    source = []
    for name, form in zip(("scaled", "raw"), observation_forms(game), strict=True):
        for players in game.players:
            source += [form.code(name, players), f"{name}_{players}.no_alias = True  # `out` does not overlap `s`\n"]
        branches = [
            f"    if s.players == {players}:\n        {name}_{players}(s, seat, out)" for players in game.players
        ]
        source += [f"def {name}(s, seat, out):", *branches, ""]
    return "\n".join(source)


@cache
def _compile_source(game: Game) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(write_source(game), namespace)
    return namespace


class Encoder:
    """Writes what each seat of a game sees as numbers, for one number of players.

    `size` and `names` describe the float32 form; `raw_size` and `raw_names` the int16 form. `raw_least` and `raw_most`
    (int16, shape (raw_size,)) bound the numbers of the int16 form. `scale` (float32) holds the factors of the counts,
    the first `len(scale)` numbers of the float32 form.
    """

    def __init__(self, game: Game, players: int):
        """Lay out the row.

        Args:
            game: The game.
            players: The number of players of the games to observe.

        Raises:
            ValueError: The game does not allow this number of players.
        """
        if players not in game.players:
            raise ValueError(f"{game.id} is for {', '.join(map(str, game.players))} players, not {players!r}")
        self.game, self.players = game, players
        form, raw = observation_forms(game)
        self.names, self.raw_names = form.names(players), raw.names(players)
        self.size, self.raw_size = len(self.names), len(self.raw_names)
        greatest = [
            max(-part.least, part.most) for part in form.parts if part.counts for _ in range(part.size(players))
        ]
        self.scale: NDArray[np.float32] = (1 / np.array(greatest)).astype(np.float32)
        bounds = [bound for part in raw.parts for bound in part.bounds(players)]
        ends = np.array([*bounds, (0, players - 1)], np.int16)
        self.raw_least, self.raw_most = ends.T
        self._functions = _compile_source(game)

    def encode(self, state: StateBase, seat: int, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return what a seat sees, in the float32 form.

        Args:
            state: A state of the game, interpreted or native.
            seat: The observing seat.
            out: float32, shape (size,): overwritten and returned. Default: a new array.

        Returns:
            float32, shape (size,), numbers from -1 to 1.

        Raises:
            ValueError: There is no such seat, the state has another number of players, or `out` has another shape or
                dtype.
        """
        numbers: NDArray[np.float32] = self._run_encoder("scaled", state, seat, np.dtype(np.float32), self.size)
        numbers[: len(self.scale)] *= self.scale
        return numbers if out is None else _copy_into(out, numbers)

    def raw(self, state: StateBase, seat: int, out: NDArray[np.int16] | None = None) -> NDArray[np.int16]:
        """Return what a seat sees, in the int16 form.

        Args:
            state: A state of the game, interpreted or native.
            seat: The observing seat.
            out: int16, shape (raw_size,): overwritten and returned. Default: a new array.

        Returns:
            int16, shape (raw_size,), numbers as declared, with seats relative to the observer.

        Raises:
            ValueError: There is no such seat, the state has another number of players, or `out` has another shape or
                dtype.
        """
        numbers: NDArray[np.int16] = self._run_encoder("raw", state, seat, np.dtype(np.int16), self.raw_size)
        return numbers if out is None else _copy_into(out, numbers)

    def _run_encoder(self, form: str, state: StateBase, seat: int, kind: np.dtype[Any], size: int) -> Any:
        if not 0 <= seat < self.players or state.players != self.players:
            raise ValueError(
                f"seat {seat} of {state.players} players cannot be observed by an encoder for {self.players}"
            )
        row = array(kind.char, bytes(kind.itemsize * size))  # item assignment is much faster than with NumPy
        self._functions[form](state, seat, row)
        return np.frombuffer(row, kind)


def _copy_into(out: ArrayT, numbers: ArrayT) -> ArrayT:
    if out.dtype != numbers.dtype or out.shape != numbers.shape:
        raise ValueError(f"out must be {numbers.dtype} of shape {numbers.shape}, not {out.dtype} of shape {out.shape}")
    out[:] = numbers
    return out


@cache
def get_encoder(game: Game, players: int) -> Encoder:
    """Return the cached encoder of a game. Making one takes milliseconds.

    Args:
        game: The game.
        players: The number of players of the games to observe.

    Raises:
        ValueError: The game does not allow this number of players.
    """
    return Encoder(game, players)


def render_page() -> str:
    """Return the text of docs/observations.md."""
    parts = [PAGE_HEAD]
    for name in game_ids():
        game = find_game(name)
        if game.package.startswith(GAMES_PACKAGE):
            parts.append(_game_table(game))
    return "\n".join(parts)


PAGE_HEAD = """# Observations

Every number of an observation, by game. `python -m courtly.adapters.observation` writes this page from the declarations
of the games; [The research guide](research.md#observations) says how to get observations.

- Numbers stand in the order of the rows: first of the table, then of a field's axes, from left to right. The float32
  form has the counts first; the int16 form has the fields in the order of the state's declaration.
- `seats` are counted from the observing seat on: me, the next, and so on.
- `own row` marks a private field, of which a seat observes its own row only.
- The last two columns show how each form encodes the field: `one-hot` has a 0 or 1 for each value, `÷ 110` divides a
  count by 110.
- A field with names and no "none" always has a value. Where it does not apply, such as the owner of land without a
  building, the value is the first name or the last that was true, and means nothing. Other fields say whether it
  applies, and the game's `table.py` says which.
"""


def _game_table(game: Game) -> str:
    (form, raw), encoders = observation_forms(game), [get_encoder(game, players) for players in game.players]
    by_name = {part.field.name + part.label: part for part in raw.parts}
    return "\n".join(
        [
            f"## {game.id}",
            "",
            "| players | float32 numbers | counts | int16 numbers |",
            "|---|---|---|---|",
            *(f"| {e.players} | {e.size} | {len(e.scale)} | {e.raw_size} |" for e in encoders),
            "",
            "| field | axes | numbers | float32 | int16 |",
            "|---|---|---|---|---|",
            *(_part_row(part, by_name[part.field.name + part.label]) for part in form.parts),
            "| `me` | | seats | one-hot: the observing seat, counted from 0 at the table | its number |",
            "",
        ]
    )


def _part_row(part: FieldPart, raw: FieldPart) -> str:
    f, has_none = part.field, part.meaning.none is not None
    axes = " × ".join(_axis_text(axis) for axis, _ in part.axes)
    numbers = f"{part.element_size(MAX_SEATS)}"
    if isinstance(part.members, Seats) or part.before == 0:
        numbers = "seats"
    elif part.before:
        numbers = f"{part.before} + seats"
    if part.members is not None:
        long_text, short_text = f"a set of {_axis_text(part.members)}: 0 or 1 for each", "0 or 1 for each"
    elif part.counts:
        long_text, short_text = f"÷ {max(-part.least, part.most)}", f"{part.least} to {part.most}"
        short_text += ", in two" * (raw.element_size(MAX_SEATS) == 2)
    else:
        labels = [value[1:] for value in part.meanings(MAX_SEATS)]
        labels = labels if part.before is None else [*labels[: part.before], "seats"]
        long_text = f"one-hot: `{_list_text(labels)}`" + "; all 0: none" * has_none
        short_text = f"its number, {part.least}: none" if has_none else "its number"
    private = ", own row" * (f.visible == "private")
    return f"| `{f.name}{part.label}`{private} | {axes} | {numbers} | {long_text} | {short_text} |"


def _axis_text(axis: Axis) -> str:
    """Return a short description of an axis."""
    if isinstance(axis, Seats | Places):
        return "seats" if isinstance(axis, Seats) else "places, one for each seat"
    return str(axis) if isinstance(axis, int) else _list_text([*map(str, axis)])


def _list_text(values: list[str]) -> str:
    return ", ".join(values if len(values) <= 12 else [*values[:2], "…", values[-1]])


def main() -> None:
    """Write docs/observations.md."""
    DOCS_PAGE.write_text(render_page(), encoding="utf-8")


if __name__ == "__main__":
    main()

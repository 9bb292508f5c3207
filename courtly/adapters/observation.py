"""What a seat sees as a row of numbers, for every game, from the declarations of its state alone (state.py).

    from courtly.adapters.observation import get_encoder

    seen = get_encoder(courtly.game("necklace"), players=3)
    seen.encode(position.state, seat)     # float32, from -1 to 1; seen.names says what each number is
    seen.raw(position.state, seat)        # int16, as declared; seen.raw_names

In it are the public fields, and of private ones the seat's own row; whose turn it is, and who I am. Seats, be they rows
or values, are counted from mine on: `me`, `+1` is the next. Seats that nobody sits on are left out, and so are places
that only larger tables have, options, which do not change, and keys, which mean nothing to observers. What is secret is
never asked for.

| a field that holds | float32 | int16 |
|---|---|---|
| a count | divided by the greatest it can be, up or down | as it is |
| one of an axis | a 1 in the place of its value; none at all for none | its number; of a seat, counted from mine on |
| a set | a 0 or 1 for each value | the same |

Counts come first in the float32 form. A count that needs more than 16 bits is two numbers in the int16 form: how often
it contains 32768, and what remains.

The functions that write these rows are themselves written from the declarations, in the dialect of the rules, and serve
interpreted and native (`write_source`). `python -m courtly.adapters.observation` writes docs/observations.md.
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

INT16_LIMIT = 1 << 15  # from -WORD to WORD - 1 fit 16 bits
VISIBLE_KINDS = ("public", "private")
ArrayT = TypeVar("ArrayT", bound="NDArray[Any]")
DOCS_PAGE = Path(__file__).parents[2] / "docs" / "observations.md"


class FieldPart:
    """A field as it is observed, in one of the two forms; or, where each place of its last axis means something else,
    this place of it."""

    def __init__(self, field: Field, raw: bool, place: int | None = None):
        self.field, self.raw, self.place = field, raw, place
        self.meaning = meaning = field if place is None else field.each[place]
        own, end = int(field.visible == "private"), len(field.axes) - (place is not None)
        self.axes = list(zip(field.axes, field.shape, strict=True))[own:end]
        self.members = seats(MAX_SEATS) if field.name == "pending" else meaning.bits
        self.counts = self.members is None and meaning.of is None
        # how many values there are before the seats; None: it names none
        self.before: int | None = None
        if isinstance(meaning.of, Seats) and meaning.most == meaning.of - (meaning.none != 0):
            self.before = 0
        elif meaning.then is not None and meaning.of is not None:
            self.before = _axis_length(meaning.of, MAX_SEATS) - 1
        self.least, self.most = meaning.bounds
        self.first = int(meaning.none == 0)  # the number of the first value of an axis

    @property
    def label(self) -> str:
        """Of a place of the last axis, its name."""
        return "" if self.place is None else f"[{_axis_labels(self.field.axes[-1], MAX_SEATS)[self.place]}]"

    def element_size(self, players: int) -> int:
        """How many numbers one element is."""
        if self.members is not None:
            return _axis_length(self.members, players)
        if self.counts or self.raw:
            return 2 if self.raw and (self.least < -INT16_LIMIT or self.most >= INT16_LIMIT) else 1
        return self.most - self.first + 1 if self.before is None else self.before + players

    def size(self, players: int) -> int:
        """How many numbers it is."""
        return prod(_axis_length(axis, players) for axis, _ in self.axes) * self.element_size(players)

    def names(self, players: int) -> Iterator[str]:
        for at in product(*(_axis_labels(axis, players) for axis, _ in self.axes)):
            for value in self.meanings(players):
                yield self.field.name + "".join(f"[{i}]" for i in at) + self.label + value

    def meanings(self, players: int) -> list[str]:
        """What each number of an element says."""
        if self.members is not None:
            return [f":{value}" for value in _axis_labels(self.members, players)]
        if self.counts or self.raw:
            return [".high", ".low"] if self.element_size(players) == 2 else [""]
        axis = self.meaning.of
        named = [] if axis is None or isinstance(axis, Seats) else _axis_labels(axis, players)
        if self.before is None:
            named += [str(n + self.first) for n in range(len(named), self.most + 1 - self.first)]
        else:
            named = [*named[: self.before], *_axis_labels(seats(players), players)]
        return [f"={value}" for value in named]

    def bounds(self, players: int) -> list[tuple[int, int]]:
        """The least and the greatest that each of its numbers can be, in the int16 form."""
        each = [(self.least, self.most if self.before is None else self.before + players - 1 + self.first)]
        if self.members is not None:
            each = [(0, 1)]
        elif self.element_size(players) == 2:
            each = [(self.least >> 15, self.most >> 15), (0, INT16_LIMIT - 1)]
        return each * (self.size(players) // len(each))

    def code(self, start: int, players: int) -> list[str]:
        """What writes it into `out` from `start` on."""
        row, place, lines = f"s.{self.field.name}" + "[seat]" * (self.field.visible == "private"), f"{start}", []
        step = self.size(players)
        for k, (axis, _) in enumerate(self.axes):
            n = _axis_length(axis, players)
            step //= n
            lines.append("    " * k + f"for i{k} in range({n}):")
            if isinstance(axis, Seats):
                turned = f"p{k} = seat + i{k}", f"if p{k} >= {players}:", f"    p{k} -= {players}"
                lines += ["    " * (k + 1) + line for line in turned]
            index = f"p{k}" if isinstance(axis, Seats) else f"i{k}"
            row = f"{row}[{index}]"
            if k + 1 < len(self.axes):
                lines.append("    " * (k + 1) + f"row{k} = {row}")
                row = f"row{k}"
            place += f" + i{k}" + f" * {step}" * (step > 1)
        if self.place is not None:
            row += f"[{self.place}]"
        deep = "    " * (len(self.axes) + 1)
        return [*("    " + line for line in lines), *(deep + line for line in self._element(row, place, players))]

    def _element(self, v: str, place: str, players: int) -> list[str]:
        if self.members is not None:
            bit = f"(seat + b) % {players}" if isinstance(self.members, Seats) else "b"
            n = _axis_length(self.members, players)
            return [f"v = {v}", f"for b in range({n}):", f"    out[{place} + b] = v >> {bit} & 1"]
        if not self.counts and (self.before is not None or not self.raw):
            turned = []
            if self.before is not None:
                turned = ["    v -= seat", f"    if v < {self.before}:", f"        v += {players}"]
            if self.before:
                turned = [f"    if v >= {self.before}:", *("    " + line for line in turned)]
            n = self.most - self.first + 1 if self.before is None else self.before + players
            put = f"out[{place}] = v" + f" + {self.first}" * self.first if self.raw else f"out[{place} + v] = 1"
            none = ["else:", f"    out[{place}] = {v}"] if self.raw else []
            return [f"v = {v}" + f" - {self.first}" * self.first, f"if 0 <= v < {n}:", *turned, f"    {put}", *none]
        if self.element_size(players) == 2:
            return [f"out[{place}] = {v} >> 15", f"out[{place} + 1] = {v} & {INT16_LIMIT - 1}"]
        return [f"out[{place}] = {v}"]


def _axis_length(axis: Axis, players: int) -> int:
    """How many values of an axis there are for so many players."""
    return players if isinstance(axis, Seats | Places) else int(axis) if isinstance(axis, int) else len(axis)


def _axis_labels(axis: Axis, players: int) -> list[str]:
    if isinstance(axis, Seats):
        return ["me", *(f"+{k}" for k in range(1, players))]
    return [str(value) for value in (range(_axis_length(axis, players)) if isinstance(axis, int) else axis)]


class ObservationForm:
    """One of the two forms in which a game is observed: its parts in their order, and the code that writes it."""

    def __init__(self, game: Game, raw: bool):
        seen = [f for f in game.State.stored if f.visible in VISIBLE_KINDS and not f.option and not f.key]
        parts = [FieldPart(f, raw, place) for f in seen for place in (range(len(f.each)) if f.each else (None,))]
        self.raw = raw
        self.parts = parts if raw else sorted(parts, key=lambda part: not part.counts)  # counts first

    def names(self, players: int) -> list[str]:
        me = ["me"] if self.raw else [f"me={seat}" for seat in range(players)]
        return [*(name for part in self.parts for name in part.names(players)), *me]

    def code(self, name: str, players: int) -> str:
        """A function in the dialect that writes what `seat` sees of `s` into `out`."""
        lines, at = [f"def {name}_{players}(s, seat, out):"], 0
        for part in self.parts:
            lines += part.code(at, players)
            at += part.size(players)
        me = f"out[{at}] = seat" if self.raw else f"out[{at} + seat] = 1"
        return "\n".join([*lines, f"    {me}", ""])


@cache
def observation_forms(game: Game) -> tuple[ObservationForm, ObservationForm]:
    """The float32 form of a game and the int16 form."""
    return ObservationForm(game, raw=False), ObservationForm(game, raw=True)


@cache
def write_source(game: Game) -> str:
    """The source of `scaled(s, seat, out)` and `raw(s, seat, out)` of a game, for states in either form of its rules:
    they write what the seat sees. The counts of the first are still to be multiplied by `Encoder.scale`, and all else
    has to be 0 before."""
    source = []
    for name, form in zip(("scaled", "raw"), observation_forms(game), strict=True):
        for players in game.players:
            source += [form.code(name, players), f"{name}_{players}.no_alias = True  # `out` is no part of `s`\n"]
        chosen = [f"    if s.players == {players}:\n        {name}_{players}(s, seat, out)" for players in game.players]
        source += [f"def {name}(s, seat, out):", *chosen, ""]
    return "\n".join(source)


@cache
def _compile_source(game: Game) -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(write_source(game), made)
    return made


class Encoder:
    """What each seat of a game for so many players sees, as numbers.

    `size`, `names`: of the float32 form; `raw_size`, `raw_names`: of the int16 form, whose numbers lie from `raw_least`
    to `raw_most`. The first `len(scale)` numbers of the float32 form are counts. ValueError if the game is not for so
    many players.
    """

    def __init__(self, game: Game, players: int):
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
        self._made = _compile_source(game)

    def encode(self, state: StateBase, seat: int, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """float32, `size` numbers from -1 to 1. ValueError if nobody has this seat."""
        made: NDArray[np.float32] = self._run_encoder("scaled", state, seat, np.dtype(np.float32), self.size)
        made[: len(self.scale)] *= self.scale
        return made if out is None else _copy_into(out, made)

    def raw(self, state: StateBase, seat: int, out: NDArray[np.int16] | None = None) -> NDArray[np.int16]:
        """int16, `raw_size` numbers as they are declared, seats counted from mine on. ValueError as above."""
        made: NDArray[np.int16] = self._run_encoder("raw", state, seat, np.dtype(np.int16), self.raw_size)
        return made if out is None else _copy_into(out, made)

    def _run_encoder(self, form: str, state: StateBase, seat: int, kind: np.dtype[Any], size: int) -> Any:
        if not 0 <= seat < self.players or state.players != self.players:
            raise ValueError(f"seat {seat} of {state.players} players has no eyes made for {self.players}")
        row = array(kind.char, bytes(kind.itemsize * size))  # Python writes into it far more quickly than into NumPy's
        self._made[form](state, seat, row)
        return np.frombuffer(row, kind)


def _copy_into(out: ArrayT, made: ArrayT) -> ArrayT:
    if out.dtype != made.dtype or out.shape != made.shape:
        raise ValueError(f"out is {made.dtype} of shape {made.shape}, not {out.dtype} of {out.shape}")
    out[:] = made
    return out


@cache
def get_encoder(game: Game, players: int) -> Encoder:
    """One for all: making it takes milliseconds."""
    return Encoder(game, players)


def render_page() -> str:
    """docs/observations.md."""
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
    f, none = part.field, part.meaning.none is not None
    axes = " × ".join(_axis_text(axis) for axis, _ in part.axes)
    numbers = f"{part.element_size(MAX_SEATS)}"
    if isinstance(part.members, Seats) or part.before == 0:
        numbers = "seats"
    elif part.before:
        numbers = f"{part.before} + seats"
    if part.members is not None:
        says, short = f"a set of {_axis_text(part.members)}: 0 or 1 for each", "0 or 1 for each"
    elif part.counts:
        says, short = f"÷ {max(-part.least, part.most)}", f"{part.least} to {part.most}"
        short += ", in two" * (raw.element_size(MAX_SEATS) == 2)
    else:
        named = [value[1:] for value in part.meanings(MAX_SEATS)]
        named = named if part.before is None else [*named[: part.before], "seats"]
        says = f"one-hot: `{_list_text(named)}`" + "; all 0: none" * none
        short = f"its number, {part.least}: none" if none else "its number"
    private = ", own row" * (f.visible == "private")
    return f"| `{f.name}{part.label}`{private} | {axes} | {numbers} | {says} | {short} |"


def _axis_text(axis: Axis) -> str:
    """An axis, in a word."""
    if isinstance(axis, Seats | Places):
        return "seats" if isinstance(axis, Seats) else "places, one for each seat"
    return str(axis) if isinstance(axis, int) else _list_text([*map(str, axis)])


def _list_text(values: list[str]) -> str:
    return ", ".join(values if len(values) <= 12 else [*values[:2], "…", values[-1]])


def main() -> None:
    DOCS_PAGE.write_text(render_page(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""A game's moves and random events as numbers.

    MOVES = Moves(keep=dict(face=FACES), forge=dict(target=seats(4), gem=GEMS), pass_={},
                  chance=dict(die=dict(face=FACES)))
    VERB, X, Y, Z = MOVES.columns

    moves[n] = MOVES.forge + target * len(GEMS) + gem   # in legal: the first id of a verb, and indexes
    verb, x, y = VERB[move], X[move], Y[move]           # in apply: the first id again

Ids run in the order of declaration, arguments row by row; random events come after what players do. People and JSON see
a verb with the values of its arguments: names, or the numbers of a range. Those who may not see a move are told its
verb, and of its arguments those that are declared so: `draw=dict(player=public_argument(seats(4)), card=CARDS)` tells
who drew. Where the verb alone would tell a secret, `hidden=dict(pay="decide", forgo="decide")` names the word that
others are told instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from courtly.engine import schemas
from courtly.engine.enums import NamedIntType
from courtly.engine.errors import CourtlyError
from courtly.engine.state import Axis, Seats


class PublicArgument(NamedTuple):
    axis: Axis


def public_argument(axis: Axis) -> PublicArgument:
    """The axis of an argument that is told even to those who may not see the others."""
    return PublicArgument(axis)


class Move(int):
    """A move: its id, which knows its words. `move == 3`, `move.verb == "keep"`, `move.args == {"face": 4}`,
    `str(move) == "keep face=4"`."""

    verb: str
    args: Mapping[str, Any]

    @classmethod
    def of(cls, id: int, verb: str, args: dict[str, Any]) -> Move:
        move = cls(id)
        move.verb, move.args = verb, MappingProxyType(args)
        return move

    @property
    def id(self) -> int:
        return int(self)

    def as_json(self) -> schemas.Move:
        return {"id": int(self), "verb": self.verb, "args": dict(self.args)}

    def __str__(self) -> str:
        return " ".join([self.verb, *(f"{name}={value}" for name, value in self.args.items())])

    def __repr__(self) -> str:
        return f"<move {int(self)}: {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Move.of, (int(self), self.verb, dict(self.args))


class UnknownMoveError(CourtlyError, ValueError):
    """No such verb, argument or value; says which."""


def _axis_values(axis: Axis) -> tuple[Any, ...]:
    return tuple(range(axis)) if isinstance(axis, int) else tuple(axis)


class Moves:
    """A game's moves, row by row. `count`: ids below it are players' moves; `total`: all ids."""

    def __init__(
        self,
        chance: Mapping[str, Mapping[str, Axis | PublicArgument]] | None = None,
        hidden: Mapping[str, str] | None = None,
        **verbs: Mapping[str, Axis | PublicArgument],
    ):
        self.count = self.total = 0
        self.hidden = dict(hidden or {})
        self.first: dict[str, int] = {}
        self.args: dict[str, dict[str, Axis]] = {}
        self.told: dict[str, list[str]] = {}  # of the arguments of a verb, those that are told to everybody
        self._rows: list[tuple[str, tuple[int, ...]]] = []
        for name, args in verbs.items():
            self._add(name, args)
        self.count = len(self._rows)
        for name, args in (chance or {}).items():
            self._add(name, args)
        self.total = len(self._rows)
        if unknown := self.hidden.keys() - self.first.keys():
            raise TypeError(f"hidden: there is no verb {', '.join(sorted(unknown))}")
        if both := [verb for verb in self.hidden if self.told[verb]]:
            raise TypeError(f"{', '.join(both)}: of a hidden verb no argument can be told")
        self._named = tuple(self._name(i) for i in range(self.total))

    def _add(self, name: str, args: Mapping[str, Axis | PublicArgument]) -> None:
        spelt, name = name, name.rstrip("_")
        if len(args) > 3:
            raise TypeError(f"{name}: at most three arguments; make it two moves")
        if name in self.first:
            raise TypeError(f"{name} is declared twice")
        self.first[name] = len(self._rows)
        if hasattr(type(self), spelt) or spelt in vars(self):
            raise TypeError(f"no verb can be called {name}: that is an attribute of Moves")
        setattr(self, spelt, len(self._rows))
        self.told[name] = [arg for arg, axis in args.items() if isinstance(axis, PublicArgument)]
        axes = {arg: axis.axis if isinstance(axis, PublicArgument) else axis for arg, axis in args.items()}
        self.args[name] = {arg: tuple(axis) if isinstance(axis, NamedIntType) else axis for arg, axis in axes.items()}
        rows: list[tuple[int, ...]] = [()]
        for axis in self.args[name].values():
            rows = [row + (i,) for row in rows for i in range(len(_axis_values(axis)))]
        self._rows += [(name, row) for row in rows]

    def _name(self, move: int) -> Move:
        verb, row = self._rows[move]
        return Move.of(
            move,
            verb,
            {arg: _axis_values(axis)[i] for (arg, axis), i in zip(self.args[verb].items(), row, strict=True)},
        )

    if TYPE_CHECKING:

        def __getattr__(self, verb: str) -> int:
            """Every verb is an attribute, made by `_add`: the id of its first move."""

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """For every id: its verb's first id, and the indexes of its first, second and third argument (0 where it has
        none)."""
        return (
            tuple(self.first[verb] for verb, _ in self._rows),
            *(tuple(row[k] if k < len(row) else 0 for _, row in self._rows) for k in range(3)),
        )

    def decode(self, move: int) -> Move:
        """What an id means. UnknownMoveError if there is none."""
        if not 0 <= move < self.total:
            raise UnknownMoveError(f"there is no move {move}")
        return self._named[move]

    def named(self, moves: Iterable[int]) -> list[Move]:
        """What these ids mean."""
        return [self._named[move] for move in moves]

    def listed(self, rule: Callable[..., int], *args: Any) -> list[int]:
        """The ids that a rule writes down and counts, `legal` or a part of it: `listed(legal, s, seat)`."""
        moves = [0] * self.total
        n = rule(*args, moves)
        return moves[:n]

    def unseen(self, move: int) -> tuple[str, dict[str, Any] | None]:
        """The verb and the arguments, if any, that are told to those who may not see a move."""
        named = self._named[move]
        told = {arg: named.args[arg] for arg in self.told[named.verb]}
        return self.hidden.get(named.verb, named.verb), told or None

    def encode(self, verb: str, **named: Any) -> int:
        """The id of a verb with its arguments' values. UnknownMoveError says what is wrong."""
        if verb not in self.first:
            raise UnknownMoveError(f"there is no move {verb!r}")
        args = self.args[verb]
        if named.keys() != args.keys():
            raise UnknownMoveError(f"{verb} takes {', '.join(args) or 'nothing'}, not {', '.join(named) or 'nothing'}")
        move = 0
        for name, axis in args.items():
            values = _axis_values(axis)
            if named[name] not in values:
                raise UnknownMoveError(f"{verb}: {name} is {named[name]!r}, not one of {', '.join(map(str, values))}")
            move = move * len(values) + values.index(named[name])
        return self.first[verb] + move

    def words(self, move: int) -> str:
        """A move in words: "keep face=4"."""
        return str(self._named[move])

    def read(self, words: str) -> int:
        """The id of a move in words; values may stand without their argument's name: "keep 4". UnknownMoveError says
        what is wrong."""
        verb, *rest = words.split() or [""]
        args = self.args.get(verb, {})
        if verb in self.args and len(rest) != len(args):
            raise UnknownMoveError(f"{verb} takes {', '.join(args) or 'nothing'}, not {' '.join(rest) or 'nothing'}")
        named: dict[str, Any] = {}
        for (arg, axis), value in zip(args.items(), rest, strict=False):
            name, equals, text = value.rpartition("=")
            if equals and name != arg:
                raise UnknownMoveError(f"{verb} takes {', '.join(args)}, not {name}")
            named[arg] = next((v for v in _axis_values(axis) if str(v) == text), text)
        return self.encode(verb, **named)

    def describe(self, chance: bool) -> dict[str, schemas.Verb]:
        """The verbs of players, or of chance, with the values of their arguments, for JSON."""
        return {
            verb: {
                "first": first,
                "args": {
                    arg: {"values": list(_axis_values(axis)), "seat": isinstance(axis, Seats)}
                    for arg, axis in self.args[verb].items()
                },
            }
            for verb, first in self.first.items()
            if (first >= self.count) == chance
        }

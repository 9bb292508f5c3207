"""A game's moves and random events as numbers.

    MOVES = Moves(keep=dict(face=FACES), forge=dict(target=seats(4), gem=GEMS), pass_={},
                  chance=dict(die=dict(face=FACES)))
    VERB, X, Y, Z = MOVES.columns

    moves[n] = MOVES.forge + target * len(GEMS) + gem   # in legal: the first id of a verb, and indexes
    verb, x, y = VERB[move], X[move], Y[move]           # in apply: the first id again

Ids follow the order of declaration, and within a verb the arguments row by row. Random events come after the moves of
players. Texts and JSON name the verb and the values of its arguments: names, or the numbers of a range. An audience
that may not see the arguments of a move receives the verb and the arguments that are declared public:
`draw=dict(player=public_argument(seats(4)), card=CARDS)` shows everyone which player drew. Where even the verb would
disclose a secret, `hidden=dict(pay="decide", forgo="decide")` names the verb that is shown instead.
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
    """The axis of an argument that every audience may see."""

    axis: Axis


def public_argument(axis: Axis) -> PublicArgument:
    """Declare an argument with this axis as public: audiences that may not see the other arguments still see this
    one."""
    return PublicArgument(axis)


class Move(int):
    """A move: its id, with its verb and arguments. It behaves as the number.

    move == 3
    move.verb == "keep"
    move.args == {"face": 4}
    str(move) == "keep face=4"
    """

    verb: str
    args: Mapping[str, Any]

    @classmethod
    def of(cls, id: int, verb: str, args: dict[str, Any]) -> Move:
        """Create a move from its id, its verb and the values of its arguments."""
        move = cls(id)
        move.verb, move.args = verb, MappingProxyType(args)
        return move

    @property
    def id(self) -> int:
        """The number of the move."""
        return int(self)

    def as_json(self) -> schemas.Move:
        """Return the move as JSON: id, verb and args."""
        return {"id": int(self), "verb": self.verb, "args": dict(self.args)}

    def __str__(self) -> str:
        return " ".join([self.verb, *(f"{name}={value}" for name, value in self.args.items())])

    def __repr__(self) -> str:
        return f"<move {int(self)}: {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Move.of, (int(self), self.verb, dict(self.args))


class UnknownMoveError(CourtlyError, ValueError):
    """A move names no such verb, argument or value; the message says which."""


def _axis_values(axis: Axis) -> tuple[Any, ...]:
    return tuple(range(axis)) if isinstance(axis, int) else tuple(axis)


class Moves:
    """The moves of a game, row by row.

    Attributes:
        count: The number of moves of players; their ids are below it.
        total: The number of all ids, random events included.
        first: The first id of each verb.
        args: The arguments of each verb, with their axes.
        public_args: The names of the public arguments of each verb.
        hidden: For each verb that is itself secret, the verb that others see.
    """

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
        self.public_args: dict[str, list[str]] = {}  # the public arguments of each verb
        self._rows: list[tuple[str, tuple[int, ...]]] = []
        for name, args in verbs.items():
            self._add(name, args)
        self.count = len(self._rows)
        for name, args in (chance or {}).items():
            self._add(name, args)
        self.total = len(self._rows)
        if unknown_verbs := self.hidden.keys() - self.first.keys():
            raise TypeError(f"hidden names unknown verbs: {', '.join(sorted(unknown_verbs))}")
        if both := [verb for verb in self.hidden if self.public_args[verb]]:
            raise TypeError(f"{', '.join(both)}: a hidden verb cannot have public arguments")
        self._decoded = tuple(self._name(i) for i in range(self.total))

    def _add(self, name: str, args: Mapping[str, Axis | PublicArgument]) -> None:
        spelt, name = name, name.rstrip("_")
        if len(args) > 3:
            raise TypeError(f"{name}: a verb has at most three arguments; split it into two moves")
        if name in self.first:
            raise TypeError(f"{name} is declared twice")
        self.first[name] = len(self._rows)
        if hasattr(type(self), spelt) or spelt in vars(self):
            raise TypeError(f"a verb cannot be named {name}, which is an attribute of Moves")
        setattr(self, spelt, len(self._rows))
        self.public_args[name] = [arg for arg, axis in args.items() if isinstance(axis, PublicArgument)]
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
            """Return the first id of a verb; `_add` makes each verb an attribute."""

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """Four tuples, indexed by id: the first id of its verb, and the indexes of its first, second and third argument
        (0 for an argument that it does not have)."""
        return (
            tuple(self.first[verb] for verb, _ in self._rows),
            *(tuple(row[k] if k < len(row) else 0 for _, row in self._rows) for k in range(3)),
        )

    def decode(self, move: int) -> Move:
        """Return the move with this id. Raises UnknownMoveError if there is none."""
        if not 0 <= move < self.total:
            raise UnknownMoveError(f"unknown move {move}: ids go from 0 to {self.total - 1}")
        return self._decoded[move]

    def named(self, moves: Iterable[int]) -> list[Move]:
        """Return the moves with these ids."""
        return [self._decoded[move] for move in moves]

    def listed(self, rule: Callable[..., int], *args: Any) -> list[int]:
        """Return the ids that a rule writes into a row, such as `legal` or a part of it: `listed(legal, s, seat)`."""
        moves = [0] * self.total
        n = rule(*args, moves)
        return moves[:n]

    def unseen(self, move: int) -> tuple[str, dict[str, Any] | None]:
        """Return the verb, and the arguments or None, that an audience sees that may not see the move."""
        decoded = self._decoded[move]
        public_args = {arg: decoded.args[arg] for arg in self.public_args[decoded.verb]}
        return self.hidden.get(decoded.verb, decoded.verb), public_args or None

    def encode(self, verb: str, **arguments: Any) -> int:
        """Return the id of a verb with the values of its arguments. Raises UnknownMoveError if there is no such
        move."""
        if verb not in self.first:
            raise UnknownMoveError(f"unknown verb {verb!r}")
        args = self.args[verb]
        if arguments.keys() != args.keys():
            raise UnknownMoveError(
                f"{verb} takes {', '.join(args) or 'nothing'}, not {', '.join(arguments) or 'nothing'}"
            )
        move = 0
        for name, axis in args.items():
            values = _axis_values(axis)
            if arguments[name] not in values:
                raise UnknownMoveError(
                    f"{verb}: {name} is {arguments[name]!r}, not one of {', '.join(map(str, values))}"
                )
            move = move * len(values) + values.index(arguments[name])
        return self.first[verb] + move

    def words(self, move: int) -> str:
        """Return a move as text, such as "keep face=4"."""
        return str(self._decoded[move])

    def read(self, words: str) -> int:
        """Return the id of a move given as text. The names of the arguments may be left out: "keep 4".

        Raises UnknownMoveError if there is no such move.
        """
        verb, *rest = words.split() or [""]
        args = self.args.get(verb, {})
        if verb in self.args and len(rest) != len(args):
            raise UnknownMoveError(f"{verb} takes {', '.join(args) or 'nothing'}, not {' '.join(rest) or 'nothing'}")
        arguments: dict[str, Any] = {}
        for (arg, axis), value in zip(args.items(), rest, strict=False):
            name, equals, text = value.rpartition("=")
            if equals and name != arg:
                raise UnknownMoveError(f"{verb} takes {', '.join(args)}, not {name}")
            arguments[arg] = next((v for v in _axis_values(axis) if str(v) == text), text)
        return self.encode(verb, **arguments)

    def describe(self, chance: bool) -> dict[str, schemas.Verb]:
        """Return the verbs of players, or of chance, with the values of their arguments, as JSON."""
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

"""Positions whose rules are machine code, for programs that ask one by one: what an interpreted position answers in
several microseconds is answered in one.

    position = courtly.NativePosition(courtly.game("petition"), players=3)      # then as any position

It needs `courtly[native]`; the first of a game in a process waits until its rules are loaded, and the first ever until
they are compiled. `make_fastest_position` takes an interpreted one where there is no compiler.
"""

from __future__ import annotations

import importlib
import threading
import warnings
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, Self

from courtly.engine import schemas
from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.game import Game
from courtly.engine.moves import Move
from courtly.engine.position import INVALID_PENDING, Audience, MoveLike, Position
from courtly.engine.rng import GENERATOR_SIZE, Row, draw_word
from courtly.engine.state import StateBase

POSITION_DRIVER = "courtly.engine.native.single_position_driver"
# by name: a driver and a loader of rules have no types to follow, and programs are read strictly that use this
loader, position_driver = (
    importlib.import_module("courtly.engine.native.loader"),
    importlib.import_module(POSITION_DRIVER),
)
INVALID_REQUEST, MOVES, WEIGHTS, RNG, MOVE_COUNTS = (
    position_driver.INVALID_REQUEST,
    position_driver.MOVES,
    position_driver.WEIGHTS,
    position_driver.RNG,
    position_driver.MOVE_COUNTS,
)
Operation = position_driver.Operation
LEGAL, PLAY, OUTCOMES, HAPPEN, EVENT = (
    Operation.LEGAL,
    Operation.PLAY,
    Operation.OUTCOMES,
    Operation.HAPPEN,
    Operation.EVENT,
)
OPERATION_BY_RULE = {
    "audience": Operation.AUDIENCE,
    "reveals": Operation.REVEALS,
    "scores": Operation.SCORES,
    "determinize": Operation.IMAGINE,
}


class ThreadBuffers(threading.local):
    """What the rules write into, of each thread its own: int64, four rows, and those of moves and weights as Python
    reads them most quickly."""

    def __init__(self, game: Game):
        import numpy as np

        self.rows = np.zeros((4, max(game.room, GENERATOR_SIZE)), np.int64)
        self.rows[MOVE_COUNTS, :2] = game.moves.count, game.moves.total
        self.moves, self.weights = memoryview(self.rows[MOVES]), memoryview(self.rows[WEIGHTS])


class NativeRules:
    """A game's rules as machine code. `ask` is `run_operation` of single_position_driver.py, compiled: it looks at no
    argument's type, so it gets arrays of this module alone."""

    def __init__(self, game: Game):
        import numpy

        self.numpy = numpy
        self.layout, self.size, self.game = game.State.layout(), game.State.packing.size, game
        self.local = ThreadBuffers(game)
        entry_point = loader.load_driver(game, driver=POSITION_DRIVER, nogil=False).run_operation
        self.ask = loader.compile_entry_point(
            game, entry_point, self.array(self.room(b"")), self.local.rows, LEGAL, 0, 0
        )
        # of what an audience sees, every bit; of the rest none
        self.seen = {seat: self._mask(seat) for seat in (None, *range(game.players[-1]))}
        self.named = game.moves.named(range(game.moves.total))
        self._begun: dict[Any, StateBase] = {}

    def beginning(self, players: int | None, options: Mapping[str, int]) -> StateBase:
        """A new game, set up. ValueError as of a position."""
        if any(type(given) is not int for given in (players or 0, *options.values())):  # 2.0 would be 2 in the key
            return Position(self.game, players, options).state
        key = players, *sorted(options.items())
        if key not in self._begun:
            self._begun[key] = Position(self.game, players, options).state
        return self._begun[key]

    def _mask(self, seat: Audience) -> Any:
        mask = bytearray(self.layout.itemsize)
        fields = self.array(mask)
        for f in self.game.State.stored:
            if f.visible == "public":
                fields[f.name] = -1
            elif f.visible == "private" and seat is not None:
                fields[f.name][0, seat] = -1
        return self.numpy.frombuffer(mask, self.numpy.uint8, self.size)

    def room(self, packed: bytes) -> bytearray:
        """The bytes of a packed record, with room for scratch."""
        return bytearray(packed.ljust(self.layout.itemsize, b"\0"))

    def array(self, held: bytearray) -> Any:
        """The same bytes as an array of one record."""
        return self.numpy.frombuffer(held, self.layout)

    def key(self, held: bytearray, seat: Audience) -> bytes:
        """What the fields show an audience; 0 where they show it nothing."""
        numpy = self.numpy
        shown: bytes = (numpy.frombuffer(held, numpy.uint8, self.size) & self.seen[seat]).tobytes()
        return shown


@cache
def load_native_rules(game: Game) -> NativeRules:
    """The machine code of a game's rules, compiled or loaded. RuntimeError if there is no compiler; RulesError if the
    rules cannot be compiled."""
    if not loader.is_available():
        raise RuntimeError(
            "positions in machine code need a compiler: pip install 'courtly[native]' (and no COURTLY_NATIVE=0)"
        )
    return NativeRules(game)


class NativePosition(Position):
    """A position in machine code: it answers as an interpreted one does, and what is asked one by one several times as
    quickly (whole views take longer).

    `state` is a copy: what is written there changes nothing until it is given back (`position.state = state`). Rules
    are not watched while they run natively; where they do what they must not, it is said when it is noticed.
    """

    _LOOKED_UP = Position._LOOKED_UP | {"_machine", "_ask_natively", "_local", "_named", "_states"}

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        state: StateBase | None = None,
    ):
        code = load_native_rules(game)
        self._most_decisions, self._most_events = game.bounds["decisions"], game.bounds["events"]
        super().__init__(game, state=code.beginning(players, options or {}) if state is None else state)

    def _look_up(self) -> None:
        super()._look_up()
        self._machine = code = load_native_rules(self.game)
        self._ask_natively, self._local, self._named = code.ask, code.local, code.named

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        self._states = self._machine.array(self._bytes)

    # --- the state, as bytes ------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateBase:
        return self.game.State.unpack(self.packed)

    @state.setter
    def state(self, record: StateBase) -> None:
        self._bytes = made = self._machine.room(record.pack())
        self._states = self._machine.array(made)
        self._players: int = record.players
        self._pending: int = record.pending

    @property
    def packed(self) -> bytes:
        return bytes(self._bytes[: self._machine.size])

    @property
    def array(self) -> Any:
        """The state itself, not a copy: an array of one record, laid out as `State.layout()` says. Only to be read."""
        return self._states

    # --- whose turn it is ---------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return self._players

    @property
    def pending(self) -> tuple[int, ...]:
        return SEATS_BY_MASK[self._pending & CHANCE - 1]

    @property
    def chance(self) -> bool:
        return self._pending == CHANCE

    @property
    def over(self) -> bool:
        return self._pending == 0

    # --- what may be done ---------------------------------------------------------------------------------------------

    def legal(self, seat: Audience) -> list[Move]:
        named = self._named
        return [named[move] for move in self.legal_ids(seat)]

    def legal_ids(self, seat: Audience) -> list[int]:
        """The ids of the moves open to a seat, as plain numbers, which takes half the time."""
        if seat == NOBODY:
            return [int(move) for move, _ in self.outcomes()]
        if seat is None or not 0 <= seat < self._players or not self._pending >> seat & 1:
            self._sits(seat)
            return []
        local = self._local
        n = self._ask_natively(self._states, local.rows, LEGAL, seat, 0)
        if n < 1:
            return [*map(int, self._interpreted().legal(seat))]
        found: list[int] = local.moves[:n].tolist()
        return found

    def outcomes(self) -> list[tuple[Move, int]]:
        named = self._named
        moves, weights = self.outcome_ids()
        return [(named[move], weight) for move, weight in zip(moves, weights, strict=True)]

    def outcome_ids(self) -> tuple[list[int], list[int]]:
        if self._pending != CHANCE:
            return [], []
        local = self._local
        n = self._ask_natively(self._states, local.rows, OUTCOMES, NOBODY, 0)
        if n < 1:
            return self._interpreted().outcome_ids()
        return local.moves[:n].tolist(), local.weights[:n].tolist()

    # --- moving -------------------------------------------------------------------------------------------------------

    def play(self, seat: int, moves: MoveLike | Sequence[MoveLike]) -> object:
        kind = type(moves)
        if (kind is not Move and kind is not int) or type(seat) is not int or not self._do(PLAY, seat, moves):
            super().play(seat, moves)
        return None

    def happen(self, what: MoveLike | Row) -> Move:
        if self._pending != CHANCE or isinstance(what, int | str):
            return super().happen(what)
        if not self._do(HAPPEN, NOBODY, draw_word(what)):
            self._take(self._interpreted(), "happen", what)
        assert self._led is not None
        return self._named[self._led[1]]

    def apply(self, seat: int, move: int) -> None:
        if not self._do(EVENT if seat == NOBODY else PLAY, seat, move):
            self._take(self._interpreted(), "apply", seat, move)

    def _do(self, what: int, seat: int, move: Any) -> bool:
        """Can it be done, and is it?"""
        if self.events >= self._most_events if seat == NOBODY else self.decisions >= self._most_decisions:
            return False
        try:
            done = self._ask_natively(self._states, self._local.rows, what, seat, move)
        except (TypeError, OverflowError):  # no number, or none of this size
            return False
        if done == INVALID_REQUEST:
            return False
        self._pending = pending = done & 0xFFFF
        if pending != CHANCE and pending >> self._players:
            raise self._broken(INVALID_PENDING.format(pending), "apply", seat, done >> 16)
        if seat == NOBODY:
            self.events += 1
        else:
            self.decisions += 1
        self._led = seat, done >> 16
        return True

    def _interpreted(self) -> Position:
        """The same position, interpreted: what is wrong is told in the author's line."""
        return Position._with(self, self.state)

    def _take(self, other: Position, what: str, *args: Any) -> None:
        """Do there what could not be done here, and take over what comes of it."""
        getattr(other, what)(*args)
        self.state = other.state
        self.decisions, self.events, self._led = other.decisions, other.events, other._led

    # --- what is known ------------------------------------------------------------------------------------------------

    def _ask(self, rule: str, *args: Any) -> Any:
        what = OPERATION_BY_RULE.get(rule)
        if what is None:
            return super()._ask(rule, *args)
        ask, states, rows = self._ask_natively, self._states, self._local.rows
        if what == Operation.SCORES:
            [out] = args
            rows[MOVES, : len(out)] = 0
            ask(states, rows, what, 0, 0)
            out[:] = rows[MOVES, : len(out)].tolist()
        elif what == Operation.IMAGINE:
            seat, rng = args
            rows[RNG, :GENERATOR_SIZE] = rng
            ask(states, rows, what, seat, 0)
            rng[:] = rows[RNG, :GENERATOR_SIZE].tolist()
        else:
            return ask(states, rows, what, *args)
        return None

    def key(self, seat: Audience) -> Hashable:
        self._sits(seat)
        return seat, self._machine.key(self._bytes, seat)

    @classmethod
    def from_view(cls, game: Game, view: schemas.PositionView) -> Self:
        position = cls(game, state=game.State.from_view(view["state"]))
        position._whole = False
        return position

    def now(self) -> Position:
        return self.copy()

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._bytes = made = self._bytes[:]
        other._states = self._machine.array(made)
        return other

    def _with(self, state: StateBase) -> Position:
        other = self.copy()
        other.state = state
        return other


SEATS_BY_MASK = tuple(
    tuple(seat for seat in range(CHANCE.bit_length() - 1) if bits >> seat & 1) for bits in range(CHANCE)
)


def make_fastest_position(
    game: Game, players: int | None = None, options: Mapping[str, int] | None = None, *, state: StateBase | None = None
) -> Position:
    """A position in machine code; where there is no compiler an interpreted one, and a RuntimeWarning."""
    if loader.is_available():
        return NativePosition(game, players, options, state=state)
    warnings.warn(
        "positions are interpreted, which takes several times as long: pip install 'courtly[native]'",
        RuntimeWarning,
        stacklevel=2,
    )
    return Position(game, players, options, state=state)

"""Positions whose rules are compiled to machine code, for programs that ask for single answers: one microsecond instead
of several.

    position = courtly.NativePosition(courtly.game("petition"), players=3)      # then use it like any position

This needs `courtly[native]`. The first position of a game in a process waits until its rules are loaded, and the first
ever until they are compiled. `make_fastest_position` falls back to an interpreted one if there is no compiler.
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
from courtly.engine.native.compiler.types import INT, RecordType, RowType
from courtly.engine.position import INVALID_PENDING, Audience, MoveLike, Position
from courtly.engine.rng import GENERATOR_SIZE, Row, draw_word
from courtly.engine.state import StateBase

POSITION_DRIVER = "courtly.engine.native.single_position_driver"
# by name: type checkers cannot follow drivers and loaders, and programs that import this module are checked strictly
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
    """The buffers that the rules write into, for each thread its own: four int64 rows, with memoryviews of the rows of
    moves and weights, which Python reads fastest."""

    def __init__(self, game: Game):
        import numpy as np

        self.rows = np.zeros((4, max(game.room, GENERATOR_SIZE)), np.int64)
        self.rows[MOVE_COUNTS, :2] = game.moves.count, game.moves.total
        self.address = address_of(self.rows)
        self.moves, self.weights = memoryview(self.rows[MOVES]), memoryview(self.rows[WEIGHTS])


class NativeRules:
    """The compiled rules of a game. `ask` is `run_operation` of single_position_driver.py; it takes the addresses of
    the state and of the rows."""

    def __init__(self, game: Game):
        import numpy

        self.numpy = numpy
        self.layout, self.size, self.game = game.State.layout(), game.State.packing.size, game
        self.local = ThreadBuffers(game)
        states, rows = RowType(RecordType(self.layout.itemsize), (1,)), RowType(INT, self.local.rows.shape)
        entry_point = loader.load_driver(game, driver=POSITION_DRIVER, nogil=False).run_operation
        self.ask = entry_point.function_for((states, rows, INT, INT, INT))
        # for each audience, a mask with all bits of the fields that it sees
        self.visible_masks = {seat: self._mask(seat) for seat in (None, *range(game.players[-1]))}
        self.move_list = game.moves.named(range(game.moves.total))
        self._begun: dict[Any, StateBase] = {}

    def beginning(self, players: int | None, options: Mapping[str, int]) -> StateBase:
        """Return the state of a new game after setup. Raises ValueError like Position."""
        if any(type(number) is not int for number in (players or 0, *options.values())):  # 2.0 would match 2 in the key
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
        """Return the bytes of a packed record, extended by the space for scratch fields."""
        return bytearray(packed.ljust(self.layout.itemsize, b"\0"))

    def array(self, held: bytearray) -> Any:
        """Return the same bytes as an array of one record."""
        return self.numpy.frombuffer(held, self.layout)

    def key(self, held: bytearray, seat: Audience) -> bytes:
        """Return the fields that an audience sees, as bytes; hidden ones are 0."""
        numpy = self.numpy
        shown: bytes = (numpy.frombuffer(held, numpy.uint8, self.size) & self.visible_masks[seat]).tobytes()
        return shown


def address_of(array: Any) -> int:
    """Return where an array lies in memory."""
    address: int = array.__array_interface__["data"][0]
    return address


@cache
def load_native_rules(game: Game) -> NativeRules:
    """Return the compiled rules of a game; load or compile them on the first call.

    Raises:
        CompilerUnavailableError: There is no usable compiler, or COURTLY_NATIVE=0 turns it off.
        RulesError: The rules cannot be compiled.
    """
    if obstacle := loader.find_obstacle(loads_llvm=True):
        raise loader.CompilerUnavailableError(f"native positions need machine code: {obstacle}")
    return NativeRules(game)


class NativePosition(Position):
    """A position with compiled rules. It gives the same answers as an interpreted one, several times as fast for single
    questions. Whole views take longer.

    `state` is a copy: changes in it have no effect until it is assigned (`position.state = state`). The compiled rules
    run without bounds checks; a violation is detected only after the call, if at all.
    """

    _LOOKED_UP = Position._LOOKED_UP | {"_machine", "_ask_natively", "_local", "_named", "_states", "_address"}

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
        self._ask_natively, self._local, self._move_list = code.ask, code.local, code.move_list

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._states = self._machine.array(self._bytes)
        self._address = address_of(self._states)

    # --- the state, as bytes ------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateBase:
        """A copy of the state. Assign a state to change the position."""
        return self.game.State.unpack(self.packed)

    @state.setter
    def state(self, record: StateBase) -> None:
        """Replace the state by a copy of this one."""
        self._bytes = contents = self._machine.room(record.pack())
        self._states = self._machine.array(contents)
        self._address = address_of(self._states)
        self._players: int = record.players
        self._pending: int = record.pending

    @property
    def packed(self) -> bytes:
        """The state's stored fields as bytes."""
        return bytes(self._bytes[: self._machine.size])

    @property
    def array(self) -> Any:
        """The state itself, not a copy: an array of one record, laid out as `State.layout()` says. Do not write to
        it."""
        return self._states

    @property
    def address(self) -> int:
        """Where the state lies in memory, for machine code."""
        return self._address

    # --- whose turn it is ---------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of players."""
        return self._players

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may move."""
        return SEATS_BY_MASK[self._pending & CHANCE - 1]

    @property
    def chance(self) -> bool:
        """True if a random event is due."""
        return self._pending == CHANCE

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self._pending == 0

    # --- what may be done ---------------------------------------------------------------------------------------------

    def legal(self, seat: Audience) -> list[Move]:
        """Return the legal moves of a seat, or the possible random events (seat NOBODY); none for spectators."""
        move_list = self._move_list
        return [move_list[move] for move in self.legal_ids(seat)]

    def legal_ids(self, seat: Audience) -> list[int]:
        """Return the ids of the legal moves of a seat as plain numbers, in half the time of `legal`."""
        if seat == NOBODY:
            return [int(move) for move, _ in self.outcomes()]
        if seat is None or not 0 <= seat < self._players or not self._pending >> seat & 1:
            self._sits(seat)
            return []
        local = self._local
        n = self._ask_natively(self._address, local.address, LEGAL, seat, 0)
        if n < 1:
            return [*map(int, self._interpreted().legal(seat))]
        ids: list[int] = local.moves[:n].tolist()
        return ids

    def outcomes(self) -> list[tuple[Move, int]]:
        """Return the possible random events with their weights."""
        move_list = self._move_list
        moves, weights = self.outcome_ids()
        return [(move_list[move], weight) for move, weight in zip(moves, weights, strict=True)]

    def outcome_ids(self) -> tuple[list[int], list[int]]:
        """Return the possible random events and their weights, as plain numbers."""
        if self._pending != CHANCE:
            return [], []
        local = self._local
        n = self._ask_natively(self._address, local.address, OUTCOMES, NOBODY, 0)
        if n < 1:
            return self._interpreted().outcome_ids()
        return local.moves[:n].tolist(), local.weights[:n].tolist()

    # --- moving -------------------------------------------------------------------------------------------------------

    def play(self, seat: int, moves: MoveLike | Sequence[MoveLike]) -> object:
        """Make a move, or several in order: all of them or none. Raises CommandRefusedError like `Position.play`."""
        kind = type(moves)
        if (kind is not Move and kind is not int) or type(seat) is not int or not self._do(PLAY, seat, moves):
            super().play(seat, moves)
        return None

    def happen(self, event_or_rng: MoveLike | Row) -> Move:
        """Let a random event happen and return it: a given one, or one that a generator draws."""
        if self._pending != CHANCE or isinstance(event_or_rng, int | str):
            return super().happen(event_or_rng)
        if not self._do(HAPPEN, NOBODY, draw_word(event_or_rng)):
            self._take(self._interpreted(), "happen", event_or_rng)
        assert self._led is not None
        return self._move_list[self._led[1]]

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or a random event (seat NOBODY)."""
        if not self._do(EVENT if seat == NOBODY else PLAY, seat, move):
            self._take(self._interpreted(), "apply", seat, move)

    def _do(self, operation: int, seat: int, move: Any) -> bool:
        """Make the move or event if the compiled rules accept it. Returns False, with nothing changed, if they do
        not."""
        if self.events >= self._most_events if seat == NOBODY else self.decisions >= self._most_decisions:
            return False
        try:
            done = self._ask_natively(self._address, self._local.address, operation, seat, move)
        except (TypeError, OverflowError):  # not a number, or one too large
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
        """Return the same position interpreted, which reports errors with the author's line."""
        return Position._with(self, self.state)

    def _take(self, other: Position, method: str, *args: Any) -> None:
        """Call a method of another position, and copy its resulting state and counts."""
        getattr(other, method)(*args)
        self.state = other.state
        self.decisions, self.events, self._led = other.decisions, other.events, other._led

    # --- what is known ------------------------------------------------------------------------------------------------

    def _ask(self, rule: str, *args: Any) -> Any:
        operation = OPERATION_BY_RULE.get(rule)
        if operation is None:
            return super()._ask(rule, *args)
        ask, state, rows, place = self._ask_natively, self._address, self._local.rows, self._local.address
        if operation == Operation.SCORES:
            [out] = args
            rows[MOVES, : len(out)] = 0
            ask(state, place, operation, 0, 0)
            out[:] = rows[MOVES, : len(out)].tolist()
        elif operation == Operation.IMAGINE:
            seat, rng = args
            rows[RNG, :GENERATOR_SIZE] = rng
            ask(state, place, operation, seat, 0)
            rng[:] = rows[RNG, :GENERATOR_SIZE].tolist()
        else:
            return ask(state, place, operation, *args)
        return None

    def key(self, seat: Audience) -> Hashable:
        """Return a hashable value of what the fields show this audience."""
        self._sits(seat)
        return seat, self._machine.key(self._bytes, seat)

    @classmethod
    def from_view(cls, game: Game, view: schemas.PositionView) -> Self:
        """Return the position that a view shows. Fields that the view hides are 0; `imagine` fills them in."""
        position = cls(game, state=game.State.from_view(view["state"]))
        position._whole = False
        return position

    def now(self) -> Position:
        """Return an independent copy."""
        return self.copy()

    def copy(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._bytes = contents = self._bytes[:]
        other._states = self._machine.array(contents)
        other._address = address_of(other._states)
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
    """Return a native position; without a usable compiler an interpreted one, with a RuntimeWarning."""
    obstacle = loader.find_obstacle(loads_llvm=True)
    if not obstacle:
        return NativePosition(game, players, options, state=state)
    warnings.warn(
        f"using interpreted positions, which are several times slower: {obstacle}", RuntimeWarning, stacklevel=2
    )
    return Position(game, players, options, state=state)

"""Positions whose rules are compiled to machine code, for programs that ask for single answers: half a microsecond
instead of several.

    position = courtly.NativePosition(courtly.game("petition"), players=3)      # then use it like any position

This needs `courtly[native]`. The first position of a game in a process waits until its rules are loaded, and the first
ever until they are compiled. `make_fastest_position` falls back to an interpreted one if there is no compiler.
"""

from __future__ import annotations

import importlib
import threading
import warnings
from array import array
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, Self

from courtly.engine import schemas
from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.game import Game
from courtly.engine.moves import Move
from courtly.engine.native.compiler.program import lay_out_record
from courtly.engine.native.compiler.types import INT, OWN, RecordType, RowType
from courtly.engine.native.rows import address_of, make_row, mask_visible
from courtly.engine.position import INVALID_PENDING, Audience, MoveLike, Position
from courtly.engine.rng import GENERATOR_SIZE, Row, draw_word
from courtly.engine.state import StateBase

POSITION_DRIVER = "courtly.engine.native.single_position_driver"
# by name: type checkers cannot follow drivers and loaders, and programs that import this module are checked strictly
loader, position_driver = (
    importlib.import_module("courtly.engine.native.loader"),
    importlib.import_module(POSITION_DRIVER),
)
INVALID_REQUEST, FAULT, MOVES, WEIGHTS, RNG = (
    position_driver.INVALID_REQUEST,
    position_driver.FAULT,
    position_driver.MOVES,
    position_driver.WEIGHTS,
    position_driver.RNG,
)
Operation = position_driver.Operation
OUTCOMES, HAPPEN, EVENT = Operation.OUTCOMES, Operation.HAPPEN, Operation.EVENT
OPERATION_BY_RULE = {
    "audience": Operation.AUDIENCE,
    "reveals": Operation.REVEALS,
    "scores": Operation.SCORES,
    "determinize": Operation.IMAGINE,
}


class ThreadBuffers(threading.local):
    """The rows of 64-bit numbers that `run_operation` writes into, for each thread its own."""

    def __init__(self, row_length: int):
        rows = make_row(3 * row_length)
        self.address = address_of(rows)
        self.moves, self.weights, self.rng = (
            rows[row * row_length : (row + 1) * row_length] for row in (MOVES, WEIGHTS, RNG)
        )


class NativeRules:
    """The compiled rules of a game.

    Attributes:
        list_moves: Returns the legal moves for the address of a state and a seat: a list of `Move`.
        list_ids: Returns the same as plain numbers.
        make_move: Makes a move, given the address of a state, a seat and a move. Returns the new `pending`.
        ask: `run_operation` of single_position_driver.py; it takes the addresses of the state and of the rows.
        size: The bytes of a state's stored fields.
        record_size: The bytes of a state.
    """

    def __init__(self, game: Game):
        self.size, self.game = game.State.packing.size, game
        _, self.record_size = lay_out_record(game.State)
        row_length = max(game.room, GENERATOR_SIZE)
        self.local = ThreadBuffers(row_length)
        states, rows = RowType(RecordType(self.record_size), (1,)), RowType(INT, (3, row_length))
        driver = loader.load_driver(game, driver=POSITION_DRIVER, nogil=False)
        own = RowType(INT, (game.room,), OWN)
        self.move_list = tuple(game.moves.named(range(game.moves.total)))
        moves = self.move_list[: game.moves.count]
        self.list_moves = driver.list_moves.list_function_for((states, INT, own), moves)
        self.list_ids = driver.list_moves.list_function_for((states, INT, own), tuple(map(int, moves)))
        self.make_move = driver.make_move.function_for((states, INT, INT, own))
        self.ask = driver.run_operation.function_for((states, rows, INT, INT, INT))
        # for each audience, a number with all bits of the fields that it sees
        self._visible_masks = {
            seat: int.from_bytes(mask_visible(game.State, seat), "little") for seat in (None, *range(game.players[-1]))
        }
        self._begun: dict[Any, StateBase] = {}

    def beginning(self, players: int | None, options: Mapping[str, int]) -> StateBase:
        """Return the state of a new game after setup. Raises ValueError like Position."""
        if any(type(number) is not int for number in (players or 0, *options.values())):  # 2.0 would match 2 in the key
            return Position(self.game, players, options).state
        key = players, *sorted(options.items())
        if key not in self._begun:
            self._begun[key] = Position(self.game, players, options).state
        return self._begun[key]

    def make_room(self, packed: bytes) -> bytearray:
        """Return the bytes of a packed record, extended by the space for scratch fields."""
        return bytearray(packed.ljust(self.record_size, b"\0"))

    def key(self, held: bytearray, seat: Audience) -> bytes:
        """Return the fields that an audience sees, as bytes; hidden ones are 0."""
        shown = int.from_bytes(held[: self.size], "little") & self._visible_masks[seat]
        return shown.to_bytes(self.size, "little")


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

    _LOOKED_UP = Position._LOOKED_UP | {
        "_machine",
        "_list_moves",
        "_list_ids",
        "_make_move",
        "_ask_natively",
        "_local",
        "_move_list",
        "_address",
    }

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
        self._list_moves, self._list_ids, self._make_move = code.list_moves, code.list_ids, code.make_move
        self._ask_natively, self._local, self._move_list = code.ask, code.local, code.move_list

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._address = address_of(self._bytes)

    # --- the state, as bytes ------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateBase:
        """A copy of the state. Assign a state to change the position."""
        return self.game.State.unpack(self.packed)

    @state.setter
    def state(self, record: StateBase) -> None:
        """Replace the state by a copy of this one."""
        self._bytes = self._machine.make_room(record.pack())
        self._address = address_of(self._bytes)
        self._players: int = record.players
        self._pending: int = record.pending

    @property
    def packed(self) -> bytes:
        """The state's stored fields as bytes."""
        return bytes(self._bytes[: self._machine.size])

    @property
    def array(self) -> Any:
        """The state itself, not a copy: a NumPy array of one record, laid out as `State.layout()` says. Do not write to
        it."""
        import numpy

        return numpy.frombuffer(self._bytes, self.game.State.layout())

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
        try:
            moves: list[Move] = self._list_moves(self._address, seat)
        except (TypeError, OverflowError):  # not a seat
            moves = []
        return moves or self._explain_no_moves(seat)

    def legal_ids(self, seat: Audience) -> list[int]:
        """Return the ids of the legal moves of a seat as plain numbers."""
        try:
            ids: list[int] = self._list_ids(self._address, seat)
        except (TypeError, OverflowError):
            ids = []
        return ids or [*map(int, self._explain_no_moves(seat))]

    def _explain_no_moves(self, seat: Audience) -> list[Move]:
        """Return random events, or no moves; or raise an error, if the seat does not exist or the rules fail."""
        if seat == NOBODY:
            return [move for move, _ in self.outcomes()]
        if seat is None or not 0 <= seat < self._players or not self._pending >> seat & 1:
            self._sits(seat)
            return []
        return self._interpreted().legal(seat)

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
        move: Any = moves
        # `apply` does the same: called from here, it would take a fifth of the time
        if (kind is Move or kind is int) and self.decisions < self._most_decisions:
            try:
                pending = self._make_move(self._address, seat, move)
            except (TypeError, OverflowError):  # not a seat, or too large
                pending = INVALID_REQUEST
            if pending >= 0:
                self._pending = pending
                self.decisions += 1
                self._led = seat, move
                return None
            if pending != INVALID_REQUEST:
                raise self._broken(INVALID_PENDING.format(pending - FAULT), "apply", seat, move)
        return super().play(seat, moves)

    def happen(self, event_or_rng: MoveLike | Row) -> Move:
        """Let a random event happen and return it: a given one, or one that a generator draws."""
        if self._pending != CHANCE or isinstance(event_or_rng, int | str):
            return super().happen(event_or_rng)
        if not self._let_happen(HAPPEN, draw_word(event_or_rng)):
            self._take(self._interpreted(), "happen", event_or_rng)
        assert self._led is not None
        return self._move_list[self._led[1]]

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or a random event (seat NOBODY)."""
        if not (self._let_happen(EVENT, move) if seat == NOBODY else self._play_one(seat, move)):
            self._take(self._interpreted(), "apply", seat, move)

    def _play_one(self, seat: int, move: Any) -> bool:
        """Make a move if the compiled rules accept it. Returns False, with nothing changed, if they do not."""
        if self.decisions >= self._most_decisions:
            return False
        try:
            pending = self._make_move(self._address, seat, move)
        except (TypeError, OverflowError):  # not a number, or one too large
            return False
        if pending == INVALID_REQUEST:
            return False
        if pending < 0:
            raise self._broken(INVALID_PENDING.format(pending - FAULT), "apply", seat, move)
        self._pending = pending
        self.decisions += 1
        self._led = seat, move
        return True

    def _let_happen(self, operation: int, event: Any) -> bool:
        """Let an event happen if the compiled rules accept it. Returns False, with nothing changed, if they do not."""
        if self.events >= self._most_events:
            return False
        try:
            done = self._ask_natively(self._address, self._local.address, operation, NOBODY, event)
        except (TypeError, OverflowError):
            return False
        if done == INVALID_REQUEST:
            return False
        self._pending = pending = done & 0xFFFF
        if pending != CHANCE and pending >> self._players:
            raise self._broken(INVALID_PENDING.format(pending), "apply", NOBODY, done >> 16)
        self.events += 1
        self._led = NOBODY, done >> 16
        return True

    def _interpreted(self) -> Position:
        """Return the same position interpreted, which reports errors with the author's line."""
        return self._with(self.state)

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
        ask, local = self._ask_natively, self._local
        if operation == Operation.SCORES:
            [out] = args
            local.moves[: len(out)] = array("q", [0] * len(out))
            ask(self._address, local.address, operation, 0, 0)
            out[:] = local.moves[: len(out)].tolist()
        elif operation == Operation.IMAGINE:
            seat, rng = args
            local.rng[:GENERATOR_SIZE] = array("q", rng)
            ask(self._address, local.address, operation, seat, 0)
            rng[:] = local.rng[:GENERATOR_SIZE].tolist()
        else:
            return ask(self._address, local.address, operation, *args)
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
        other._bytes = self._bytes[:]
        other._address = address_of(other._bytes)
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

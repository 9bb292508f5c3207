"""Positions and moves written as text: the format of scenarios (courtly/testing/checks/scenario_checks.py) and
lessons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import Any

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game
from courtly.engine.moves import UnknownMoveError
from courtly.engine.position import Position
from courtly.engine.state import StateBase

SCENARIO_KEYS = {"title", "source", "players", "options", "given", "step"}


class ScenarioError(CourtlyError):
    """A scenario that does not hold, or that is invalid; the message says why."""


@contextmanager
def errors_name_step(step: int, key: str) -> Iterator[None]:
    """Context manager: add the step (from 1; 0 for `given`) and the key to an error that is raised inside."""
    try:
        yield
    except (ScenarioError, UnknownMoveError) as error:
        vars(error).setdefault("place", (step, key))
        raise


class Scenario:
    """A scenario: a position, and steps with moves and checks.

    Args:
        game: The game.
        data: The content of its TOML file.
        complete: A function `complete(state, names of given fields)` that fills in the fields that follow from these;
            it raises ValueError if such a position is impossible.
    """

    def __init__(self, game: Game, data: dict[str, Any], complete: Any = None):
        self.game, self.rules, self.moves = game, game.rules, game.moves
        self.data = data
        require_known_keys(data, SCENARIO_KEYS, "scenario")
        if not data.get("title") or not data.get("step"):
            raise ScenarioError("a scenario needs a title and at least one step")
        self.position = Position(game, data["players"], data.get("options", {}))
        values = data.get("given", {})
        for name, value in values.items():
            with errors_name_step(0, name):
                self._set(name, value)
        if complete is not None:
            try:
                complete(self.state, frozenset(values))
            except ValueError as error:
                raise ScenarioError(f"the position is impossible: {error}") from None
        self.state.pack()

    @property
    def state(self) -> StateBase:
        """The state of its position."""
        return self.position.state

    def run(self) -> None:
        """Run all steps. Raises ScenarioError at the first check that fails."""
        for number, step in enumerate(self.data["step"], start=1):
            with errors_name_step(number, ""):
                require_known_keys(step, STEP_KEYS, "step")
            self.check_step(number, step)

    def check_step(self, number: int, step: dict[str, Any]) -> None:
        """Carry out a step: its moves, then its checks."""
        for key, handler in STEP_HANDLERS.items():
            if key in step:
                with errors_name_step(number, key):
                    handler(self, step[key])

    def moves_in_order(self) -> list[tuple[int, int]]:
        """Return the moves of all steps, each with its seat."""
        return [
            seat_and_move
            for step in self.data["step"]
            for line in step.get("do", [])
            for seat_and_move in self.read(line)
        ]

    # --- moves --------------------------------------------------------------------------------------------------------

    def read(self, line: str) -> list[tuple[int, int]]:
        """Return the moves of a line, each with its seat (NOBODY for "*")."""
        actor, _, rest = line.partition(" ")
        if actor != "*" and not actor.isdigit():
            raise ScenarioError(f"{line!r} must begin with a seat, or with * for a random event")
        return [(NOBODY if actor == "*" else int(actor), self.moves.read(words)) for words in rest.split(",")]

    def run_lines(self, lines: list[str]) -> None:
        """Make the moves of these lines in order. Raises ScenarioError at the first that is not legal."""
        for line in lines:
            for seat, move in self.read(line):
                self.make(seat, move)

    def make(self, seat: int, move: int) -> None:
        """Make a move. Raises ScenarioError if it is not legal."""
        if move not in self.position.legal(seat):
            raise ScenarioError(f"{seat} {self.moves.words(move)} is not legal; {self._read_situation()}")
        self.position.apply(seat, move)
        self.state.pack()

    def _read_situation(self) -> str:
        return (
            "; ".join(f"{seat} may: {', '.join(map(str, self.position.legal(seat)))}" for seat in self.position.actors)
            or "the game is over"
        )

    def _check_legal(self, lines: list[str], expected: bool = True) -> None:
        for seat, move in (seat_and_move for line in lines for seat_and_move in self.read(line)):
            if (move in self.position.legal(seat)) != expected:
                raise ScenarioError(f"{seat} {self.moves.words(move)} is {'not ' if expected else ''}legal")

    def _check_illegal(self, lines: list[str]) -> None:
        self._check_legal(lines, expected=False)

    def _check_choices(self, lines: list[str]) -> None:
        expected: dict[int, set[int]] = {}
        for line in lines:
            for seat, move in self.read(line):
                expected.setdefault(seat, set()).add(move)
        for seat, moves in expected.items():
            actual = set(self.position.legal(seat))
            if actual != moves:
                unexpected, missing = (
                    ", ".join(map(self.moves.words, sorted(difference))) or "nothing"
                    for difference in (actual - moves, moves - actual)
                )
                raise ScenarioError(f"{seat} may also: {unexpected}; {seat} may not: {missing}")

    def _check_refused(self, reasons: dict[str, str]) -> None:
        for line, reason in reasons.items():
            self._check_refusal_reason(line, reason)

    def _check_refusal_reason(self, line: str, reason: str) -> None:
        [(seat, move)] = self.read(line)
        if move in self.position.legal(seat):
            raise ScenarioError(f"{line} is legal")
        actual = self.position.reason(seat, move)
        if actual != reason:
            raise ScenarioError(f"{line} is refused because of {actual}, not {reason}")

    # --- fields -------------------------------------------------------------------------------------------------------

    def _set(self, name: str, value: Any) -> None:
        field = self._field(name)
        if len(field.shape) == 2 and isinstance(value, dict):
            for key, row in value.items():
                getattr(self.state, name)[_axis_index(field.axes[0], key, name)] = self._row(row, field, 1)
        else:
            setattr(self.state, name, self._value(field, value))

    def _check_expected(self, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            self._expect(name, value)

    def _expect(self, name: str, value: Any) -> None:
        field = self._field(name)
        actual = getattr(self.state, name)
        if len(field.shape) == 2 and isinstance(value, dict):
            for key, row in value.items():
                index = _axis_index(field.axes[0], key, name)
                if actual[index] != self._row(row, field, 1):
                    raise ScenarioError(f"{name}.{key} is {_named_counts(actual[index], field.axes[1])}, not {row}")
        elif actual != self._value(field, value):
            raise ScenarioError(
                f"{name} is {_named_counts(actual, field.axes[-1] if field.axes else None)}, not {value}"
            )

    def _field(self, name: str) -> Any:
        if name not in self.state.fields:
            raise ScenarioError(f"there is no field {name!r}")
        return self.state.fields[name]

    def _value(self, field: Any, value: Any) -> Any:
        if len(field.shape) == 2:
            if not isinstance(value, list) or len(value) != field.shape[0]:
                raise ScenarioError(
                    f"{field.name} needs a list of {field.shape[0]} rows, or a table of single rows by index or name"
                )
            return [self._row(row, field, 1) for row in value]
        if field.shape:
            return self._row(value, field, 0)
        if field.name == "pending" and not isinstance(value, int):
            return CHANCE if value == "chance" else sum(1 << seat for seat in value)
        return self._number(value, field)

    def _row(self, value: Any, field: Any, depth: int) -> list[int]:
        axis, name = field.axes[depth], field.name
        if isinstance(value, list) and isinstance(axis, int):
            if len(value) != axis:
                raise ScenarioError(f"{name} has {axis} numbers, not {len(value)}")
            return [self._number(v, field) for v in value]
        row = [0] * (axis if isinstance(axis, int) else len(axis))
        for key, number in value.items() if isinstance(value, dict) else ((key, 1) for key in value):
            row[_axis_index(axis, key, name)] += self._number(number, field)
        return row

    def _number(self, value: Any, field: Any) -> int:
        if isinstance(value, str):
            if value.lower() in field.names:
                return int(field.names.index(value.lower()))
            constant = getattr(self.rules, value, None)
            if not value.isupper() or not isinstance(constant, int):
                raise ScenarioError(f"{value!r} is neither a value of {field.name} nor a constant of the rules")
            return constant
        if not isinstance(value, int):
            raise ScenarioError(f"{value!r} is not a whole number")
        return value

    def _check_scores(self, expected: list[int]) -> None:
        if not self.position.over:
            raise ScenarioError("the game is not over")
        if self.position.scores != expected:
            raise ScenarioError(f"the scores are {self.position.scores}, not {expected}")


STEP_HANDLERS: dict[str, Callable[[Scenario, Any], None]] = {  # in this order
    "do": Scenario.run_lines,
    "legal": Scenario._check_legal,
    "illegal": Scenario._check_illegal,
    "choices": Scenario._check_choices,
    "refused": Scenario._check_refused,
    "expect": Scenario._check_expected,
    "scores": Scenario._check_scores,
}
STEP_KEYS = STEP_HANDLERS.keys()


def require_known_keys(data: dict[str, Any], keys: Set[str], kind: str) -> None:
    """Raise ScenarioError if a table has other keys than these."""
    if data.keys() - keys:
        raise ScenarioError(f"unknown keys of a {kind}: {', '.join(sorted(data.keys() - keys))}")


def _axis_index(axis: Any, key: Any, name: str) -> int:
    values = list(range(axis)) if isinstance(axis, int) else list(axis)
    for i, value in enumerate(values):
        if str(value) == str(key):
            return i
    raise ScenarioError(f"{name} has no {key!r}, only {', '.join(map(str, values))}")


def _named_counts(value: Any, axis: Any) -> Any:
    if axis is None or isinstance(axis, int) or value and isinstance(value[0], list):
        return value
    return {axis[i]: n for i, n in enumerate(value) if n}

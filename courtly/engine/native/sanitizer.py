"""Rules with checks of every index, number and loop.

Interpreted, Python reports an index beyond a row, but accepts negative indexes and numbers that are too wide for their
fields. Machine code reports none of these, unless it is compiled with checks (`CompiledBackend(is_checked=True)`). Here
all of them raise errors with the author's line: `CheckedPosition` is an interpreted position with these checks, to
locate a fault.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, cast

from courtly.engine.game import Game
from courtly.engine.native.compiler.function_writer import MAX_LOOP_ROUNDS
from courtly.engine.native.module_loader import InterpretedBackend, ModuleLoader
from courtly.engine.position import Position
from courtly.engine.state import StateBase

RULES_INTERFACE_MODULE = "courtly.engine.rules_interface"


INT64_BOUND = 1 << 63


class CheckedRow(list[Any]):
    """A row that raises IndexError for indexes outside of it, negative ones included, and OverflowError for numbers
    below `least` or above `most`."""

    def __init__(self, values: Any, least: int = -INT64_BOUND, most: int = INT64_BOUND - 1):
        super().__init__(values)
        self.least, self.most = least, most

    def __getitem__(self, i: Any) -> Any:
        if type(i) is int and not 0 <= i < len(self):
            raise IndexError(f"index {i} of a row of {len(self)}")
        return super().__getitem__(i)

    def __setitem__(self, i: Any, value: Any) -> None:
        if type(i) is int and not 0 <= i < len(self):
            raise IndexError(f"index {i} of a row of {len(self)}")
        if type(value) is int and not self.least <= value <= self.most:
            raise OverflowError(f"{value} is not from {self.least} to {self.most}")
        super().__setitem__(i, value)


class CheckedTuple(tuple[Any, ...]):
    """A tuple that raises IndexError for indexes outside of it, negative ones included."""

    __slots__ = ()

    def __getitem__(self, i: Any) -> Any:
        if type(i) is int and not 0 <= i < len(self):
            raise IndexError(f"index {i} of an array of {len(self)}")
        return super().__getitem__(i)


def make_checked_rows(value: Any, least: int, most: int) -> Any:
    """Return a value with all its lists replaced by checked rows."""
    return (
        CheckedRow((make_checked_rows(x, least, most) for x in value), least, most)
        if isinstance(value, list)
        else value
    )


@cache
def _range_checked_type(state: type[StateBase]) -> type[StateBase]:
    """Return a subclass of a state that raises OverflowError if a single number leaves its declared range."""
    bounds = {name: f.bounds for name, f in state.fields.items() if not f.shape}

    def store(self: StateBase, name: str, value: Any) -> None:
        if name in bounds:
            least, most = bounds[name]
            if not least <= value <= most:
                raise OverflowError(f"{name} must be from {least} to {most}, not {value}")
        object.__setattr__(self, name, value)

    return cast("type[StateBase]", type(state.__name__, (state,), {"__setattr__": store}))


def make_checked_state(state: StateBase) -> StateBase:
    """Return a copy of a state that raises IndexError or OverflowError for invalid accesses."""
    twin: StateBase = object.__new__(_range_checked_type(type(state)))
    for name, field in state.fields.items():
        setattr(twin, name, make_checked_rows(getattr(state, name), *field.bounds))
    return twin


class CheckedInterpretedBackend(InterpretedBackend):
    """Interpreted code with checks of arrays and a limit for loops."""

    def function(self, f: Any, driver: bool) -> Any:
        """Return a function with a limit for its loops."""
        return rewrite_source(super().function(f, driver), _LoopLimiter())

    def array(self, t: Any) -> Any:
        """Return a tuple with checked indexes."""
        return CheckedTuple(x if type(x) is int else self.array(x) for x in t)


@cache
def _load_checked_rules(game: Game) -> Any:
    return ModuleLoader(game, CheckedInterpretedBackend()).modules[RULES_INTERFACE_MODULE]


class CheckedPosition(Position):
    """A position that raises RulesError, with the author's line, for invalid indexes, numbers and endless loops."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        state: StateBase | None = None,
    ):
        blank = game.State(players=players or game.players[0], **(options or {})) if state is None else state
        super().__init__(game, state=make_checked_state(blank))
        if state is None:
            self._ask("setup")

    def _look_up(self) -> None:
        super()._look_up()
        self.rules = _load_checked_rules(self.game)

    def _row(self, n: int) -> list[int]:
        return CheckedRow([0] * n)


# --- changes to the source code ---------------------------------------------------------------------------------------


@cache
def _functions_by_line(file: str) -> dict[int, ast.FunctionDef]:
    """Return a module's functions by their first lines."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {node.lineno: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def rewrite_source(f: types.FunctionType, how: ast.NodeTransformer) -> Any:
    """Return a function whose source was transformed; the line numbers stay the same."""
    code = f.__code__
    definition = _functions_by_line(code.co_filename).get(code.co_firstlineno)
    if definition is None or definition.name != f.__name__:
        return f
    module = ast.Module([how.visit(deepcopy(definition))], [])
    namespace: dict[str, Callable[..., Any]] = {}
    exec(compile(ast.fix_missing_locations(module), code.co_filename, "exec"), f.__globals__, namespace)
    return namespace[f.__name__]


class _LoopLimiter(ast.NodeTransformer):
    """Adds a limit of rounds to every `while` loop."""

    def __init__(self) -> None:
        self.names = 0

    def name(self) -> str:
        self.names += 1
        return f"_{self.names}"

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        rounds = self.name()
        node.body[:0] = _statements_at(
            node, f"{rounds} += 1\nif {rounds} > {MAX_LOOP_ROUNDS}: raise RuntimeError('endless loop')"
        )
        return [*_statements_at(node, f"{rounds} = 0"), node]


def _statements_at(node: ast.AST, text: str) -> list[ast.stmt]:
    """Return these statements with the position of another node."""
    statements = ast.parse(text).body
    for statement in statements:
        for part in ast.walk(statement):
            if hasattr(part, "lineno"):
                ast.copy_location(part, node)
    return statements

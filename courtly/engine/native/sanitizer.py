"""Rules with every index, number and loop looked at.

Interpreted, an index outside a row is an error, but one below 0 is not, and a number may be wider than its field;
natively none of this is. Here all of it is an error in the author's line: `Checked` is a position that complains, to
find out what is wrong in a game; `Checks` is the machine code that does, for many games.
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
from courtly.engine.native.loader import Compiled, Interpreted, Loader
from courtly.engine.position import Position
from courtly.engine.state import Record

ROUNDS = 1 << 20  # of a `while`, more than rules need
CONTRACT = "courtly.engine.rules_interface"


WIDE = 1 << 63


class Row(list[Any]):
    """A row of numbers, none below `least` or above `most`, that cannot be read or written outside, from either
    end."""

    def __init__(self, values: Any, least: int = -WIDE, most: int = WIDE - 1):
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


class Array(tuple[Any, ...]):
    """Numbers that cannot be read outside, from either end."""

    __slots__ = ()

    def __getitem__(self, i: Any) -> Any:
        if type(i) is int and not 0 <= i < len(self):
            raise IndexError(f"index {i} of an array of {len(self)}")
        return super().__getitem__(i)


def rows(value: Any, least: int, most: int) -> Any:
    return Row((rows(x, least, most) for x in value), least, most) if isinstance(value, list) else value


@cache
def _narrow(state: type[Record]) -> type[Record]:
    """The same record, whose single numbers complain where they are not what is declared."""
    bounds = {name: f.bounds for name, f in state.fields.items() if not f.shape}

    def store(self: Record, name: str, value: Any) -> None:
        if name in bounds:
            least, most = bounds[name]
            if not least <= value <= most:
                raise OverflowError(f"{name} is from {least} to {most}, not {value}")
        object.__setattr__(self, name, value)

    return cast("type[Record]", type(state.__name__, (state,), {"__setattr__": store}))


def complaining(state: Record) -> Record:
    """A copy whose fields complain."""
    twin: Record = object.__new__(_narrow(type(state)))
    for name, field in state.fields.items():
        setattr(twin, name, rows(getattr(state, name), *field.bounds))
    return twin


class Bounded(Interpreted):
    """Python whose arrays complain, and whose loops end."""

    def function(self, f: Any, driver: bool) -> Any:
        return rewritten(super().function(f, driver), _Loops())

    def array(self, t: Any) -> Any:
        return Array(x if type(x) is int else self.array(x) for x in t)


@cache
def _rules(game: Game) -> Any:
    return Loader(game, Bounded()).modules[CONTRACT]


class Checked(Position):
    """A position that complains: BrokenRules says in which line."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        state: Record | None = None,
    ):
        blank = game.State(players=players or game.players[0], **(options or {})) if state is None else state
        super().__init__(game, state=complaining(blank))
        if state is None:
            self._ask("setup")

    def _look_up(self) -> None:
        super()._look_up()
        self.rules = _rules(self.game)

    def _row(self, n: int) -> list[int]:
        return Row([0] * n)


class Checks(Compiled):
    """Machine code that raises IndexError, OverflowError or RuntimeError where a game's rules do what they must
    not."""

    def __init__(self, game: Game, cache: Path | None = None):
        super().__init__(cache and cache / "checked", boundscheck=True)
        self.package = f"{game.package}."
        self.low = super().function(_low, driver=False)

    def function(self, f: Any, driver: bool) -> Any:
        if f.__module__.startswith(self.package):
            f.__globals__["_low"] = self.low
            f = rewritten(f, _Stores())
        return super().function(f, driver)


def _low(i: int) -> int:
    if i < 0:
        raise IndexError("an index below 0")
    return i


# --- what is put into the source --------------------------------------------------------------------------------------


@cache
def _functions(file: str) -> dict[int, ast.FunctionDef]:
    """A module's functions by their first lines."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {node.lineno: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def rewritten(f: types.FunctionType, how: ast.NodeTransformer) -> Any:
    """The same function with something put into its source; its lines keep their numbers."""
    code = f.__code__
    found = _functions(code.co_filename).get(code.co_firstlineno)
    if found is None or found.name != f.__name__:
        return f
    module = ast.Module([how.visit(deepcopy(found))], [])
    made: dict[str, Callable[..., Any]] = {}
    exec(compile(ast.fix_missing_locations(module), code.co_filename, "exec"), f.__globals__, made)
    return made[f.__name__]


class _Loops(ast.NodeTransformer):
    """Every `while` comes to an end."""

    def __init__(self) -> None:
        self.names = 0

    def name(self) -> str:
        self.names += 1
        return f"_{self.names}"

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        rounds = self.name()
        node.body[:0] = _lines(
            node, f"{rounds} += 1\nif {rounds} > {ROUNDS}: raise RuntimeError('a loop without an end')"
        )
        return [*_lines(node, f"{rounds} = 0"), node]


class _Stores(_Loops):
    """No index is below 0, and every number that is written into a field or row is there afterwards."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
            node.slice = ast.copy_location(ast.Call(ast.Name("_low", ast.Load()), [node.slice], []), node.slice)
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        self.generic_visit(node)
        stores: list[ast.stmt] = []
        node.targets = [self.through(target, stores) for target in node.targets]
        return [node, *stores]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            return node
        made = self.fixed(node.target)
        result = ast.BinOp(_loaded(node.target), node.op, node.value)
        stores: list[ast.stmt] = []
        target = self.through(node.target, stores)
        return [*made, ast.copy_location(ast.Assign([target], result), node), *stores]

    def through(self, target: ast.expr, stores: list[ast.stmt]) -> ast.expr:
        """What is assigned to instead of a target; `stores` are what then brings it there and looks."""
        if isinstance(target, ast.Tuple):
            target.elts = [self.through(element, stores) for element in target.elts]
        if isinstance(target, ast.Name | ast.Tuple):
            return target
        value = self.name()
        stores += self.fixed(target)
        stores.append(ast.copy_location(ast.Assign([target], ast.Name(value, ast.Load())), target))
        look = ast.Compare(_loaded(target), [ast.NotEq()], [ast.Name(value, ast.Load())])
        complain = _lines(target, "raise OverflowError('a number too wide for its field')")
        stores.append(ast.copy_location(ast.If(look, complain, []), target))
        return ast.copy_location(ast.Name(value, ast.Store()), target)

    def fixed(self, target: ast.expr) -> list[ast.stmt]:
        """The indexes of a target are worked out once, before it is used."""
        made: list[ast.stmt] = []
        while isinstance(target, ast.Subscript):
            if not isinstance(target.slice, ast.Constant | ast.Name):
                name = self.name()
                made.insert(0, ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], target.slice), target))
                target.slice = ast.copy_location(ast.Name(name, ast.Load()), target)
            target = target.value
        return made


def _loaded(target: ast.expr) -> Any:
    found: Any = deepcopy(target)
    found.ctx = ast.Load()
    return found


def _lines(node: ast.AST, text: str) -> list[ast.stmt]:
    """Statements that stand where something else does."""
    made = ast.parse(text).body
    for statement in made:
        for part in ast.walk(statement):
            if hasattr(part, "lineno"):
                ast.copy_location(part, node)
    return made

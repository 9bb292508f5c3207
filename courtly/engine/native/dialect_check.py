"""The check that a rules module stays within the dialect, the subset of Python that means the same interpreted and
native."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from courtly.engine.enums import NamedIntType
from courtly.engine.errors import RulesError
from courtly.engine.facts import FactsBase, list_records
from courtly.engine.finding import Finding
from courtly.engine.game import (
    FACTS_FUNCTIONS,
    MEASURE_FUNCTIONS,
    OPTIONAL_RULES_FUNCTIONS,
    POLICY_FUNCTIONS,
    RULES_FUNCTIONS,
    Game,
)
from courtly.engine.moves import Moves
from courtly.engine.state import Field

ALLOWED_NODES = (
    ast.Expr,
    ast.arguments,
    ast.arg,
    ast.Return,
    ast.Assign,
    ast.AugAssign,
    ast.If,
    ast.While,
    ast.For,
    ast.Break,
    ast.Continue,
    ast.Pass,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.IfExp,
    ast.Compare,
    ast.Call,
    ast.Constant,
    ast.Subscript,
    ast.Attribute,
    ast.Name,
    ast.Tuple,
    ast.expr_context,
    ast.boolop,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
)
FORBIDDEN_OPERATORS = (ast.Div, ast.Pow, ast.MatMult, ast.In, ast.NotIn, ast.Is, ast.IsNot)
IMPOSSIBLE_DEPTH = -1  # of fields that can only be set number by number
ALLOWED_BUILTINS = {"range", "min", "max", "abs"}
IMPORTABLE_MODULES = tuple(
    f"courtly.engine.{name}"
    for name in (
        "state",
        "enums",
        "moves",
        "constants",
        "facts",
        "rng",
        "stdlib.common",
        "stdlib.hidden_hands",
        "stdlib.value_network",
    )
)


Complaint = tuple[int, str]  # a line, and a description of the problem there


class DialectError(RulesError):
    """Rules that use Python outside of the dialect. `findings` has all places."""

    def __init__(self, game: Game, findings: list[Finding]):
        advice = "outside the dialect: change these lines, or play interpreted"
        super().__init__(game.id, "\n  ".join([advice, *map(str, findings)]))
        self.findings = findings


def check_game(game: Game) -> list[Finding]:
    """Return everything outside of the dialect in the functions of a game's rules, policy, facts and measures, and in
    the functions that these call."""
    findings: list[Finding] = []
    visited: set[tuple[str, str]] = set()
    waiting = [("rules", name) for name in (*RULES_FUNCTIONS, *OPTIONAL_RULES_FUNCTIONS)]
    if game.policy:
        waiting += [("policy", name) for name in POLICY_FUNCTIONS]
    if game.facts_module:
        waiting += [("facts", name) for name in FACTS_FUNCTIONS]
    if game.measures:
        waiting += [("measures", name) for name in MEASURE_FUNCTIONS]
    records = list_records(game.Facts).values() if game.Facts else ()
    modules: dict[str, ModuleChecker] = {}
    while waiting:
        name, function = waiting.pop()
        if (name, function) in visited:
            continue
        visited.add((name, function))
        file = game.folder / f"{name}.py"
        if name not in modules:
            source = file.read_text(encoding="utf-8")
            values = vars(importlib.import_module(f"{game.package}.{name}"))
            modules[name] = ModuleChecker(source, game.State.fields, game.package, values, records)
            findings += [Finding(file, *complaint) for complaint in modules[name].imports()]
        module = modules[name]
        findings += [Finding(file, *complaint) for complaint in module.complaints(function)]
        for called in module.calls.get(function, ()):
            waiting.append((module.source_of.get(called, name), called))
    return findings


class ModuleChecker:
    """The check of one module, function by function.

    Args:
        source: Its source.
        fields: The fields of the game's State.
        package: The package of the game.
        values: The values of the module's names.
        records: The classes of the game's facts.

    Attributes:
        depths: For each field the number of brackets down to a number; for a field of records IMPOSSIBLE_DEPTH. Fields
            of different classes may have the same name.
    """

    def __init__(
        self,
        source: str,
        fields: Mapping[str, Field],
        package: str,
        values: Mapping[str, Any],
        records: Iterable[type[FactsBase]] = (),
    ):
        self.tree = ast.parse(source)
        self.depths: dict[str, set[int]] = {name: {len(field.shape)} for name, field in fields.items()}
        for record in records:
            for name, fact in record.fields.items():
                depth = len(fact.shape) if fact.record is None else IMPOSSIBLE_DEPTH
                self.depths.setdefault(name, set()).add(depth)
        self.package = package
        self.numbers = {k: v for k, v in values.items() if isinstance(v, NamedIntType | Moves)}
        self.functions = {n.name: n for n in self.tree.body if isinstance(n, ast.FunctionDef)}
        imports = [n for n in self.tree.body if isinstance(n, ast.ImportFrom)]
        self.known = set(self.functions) | ALLOWED_BUILTINS | {a.asname or a.name for n in imports for a in n.names}
        self.names = self.known | {name for n in self.tree.body for name in _assigned_names(n)}
        own = [n for n in imports if str(n.module).startswith(f"{package}.")]
        self.source_of = {a.name: str(n.module).removeprefix(f"{package}.") for n in own for a in n.names}
        self.calls = {
            name: {n.func.id for n in ast.walk(f) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            for name, f in self.functions.items()
        }

    def imports(self) -> list[Complaint]:
        """Return the imports that the dialect does not allow."""
        return [complaint for node in self.tree.body for complaint in _check_import(node, self.package)]

    def complaints(self, name: str) -> list[Complaint]:
        """Return everything outside of the dialect in one function; an empty list if the module does not define it."""
        if name not in self.functions:
            return []
        function = self.functions[name]
        itself = [(function.lineno, f"{name} is recursive")] * _is_recursive(name, self.calls)
        return [*_FunctionChecker(function, self).complaints(), *itself]


def _check_import(node: ast.stmt, package: str) -> Iterator[Complaint]:
    if (
        isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("courtly.engine")
        and node.module not in IMPORTABLE_MODULES
    ):
        yield node.lineno, f"imports {node.module}: of the engine, import only {', '.join(IMPORTABLE_MODULES)}"
    if (
        isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("courtly.games")
        and not (node.module or "").startswith(package)
    ):
        yield node.lineno, f"imports {node.module} from another game"
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
        yield node.lineno, f"imports * from {node.module}: import each name explicitly"


def _assigned_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement assigns or defines."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            yield n.id
        elif isinstance(n, (ast.ClassDef, ast.FunctionDef)):
            yield n.name


def _is_recursive(name: str, calls: Mapping[str, set[str]]) -> bool:
    visited: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        other = waiting.pop()
        if other == name:
            return True
        if other not in visited:
            visited.add(other)
            waiting += calls.get(other, ())
    return False


class _FunctionChecker:
    def __init__(self, function: ast.FunctionDef, module: ModuleChecker):
        self.function = function
        self.known = module.known
        self.names = module.names | {a.arg for a in function.args.args} | set(_assigned_names(function))
        self.depths = module.depths
        self.numbers = module.numbers

    def complaints(self) -> Iterator[Complaint]:
        f = self.function
        if f.args.defaults or f.args.kwonlyargs or f.args.vararg or f.args.kwarg or f.decorator_list:
            yield f.lineno, "needs positional arguments without defaults, and no decorators"
        returns = set()
        body = f.body[1:] if ast.get_docstring(f) is not None else f.body
        for top in body:
            for line, node in _nodes_with_lines(top, f.lineno):
                yield from ((line, text) for text in self._node(node))
                if isinstance(node, ast.Return):
                    returns.add(node.value is not None)
        if len(returns) > 1:
            yield f.lineno, "returns a number on some paths and nothing on others"
        if True in returns and not _always_returns(f.body):
            yield f.lineno, "may end without returning its number"

    def _node(self, node: ast.AST) -> Iterator[str]:
        if not isinstance(node, ALLOWED_NODES) or isinstance(node, FORBIDDEN_OPERATORS):
            yield f"{type(node).__name__} is not in the dialect"
        elif isinstance(node, ast.Name) and node.id not in self.names:
            yield f"the name {node.id} is not defined"
        elif isinstance(node, ast.Attribute) and not self._has(node):
            yield f"there is no {ast.unparse(node)}"
        elif isinstance(node, ast.Constant) and type(node.value) not in (int, bool):
            yield f"constant {node.value!r}: must be a whole number"
        elif isinstance(node, ast.Call) and (
            not isinstance(node.func, ast.Name) or node.func.id not in self.known or node.keywords
        ):
            yield f"calls {ast.unparse(node.func)}: only module-level functions, without keyword arguments"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Slice, ast.Tuple)):
            yield "use one index in each bracket, and no slices"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from self._set(target, node.value)
        elif isinstance(node, ast.AugAssign):
            yield from self._set(node.target, None)

    def _has(self, node: ast.Attribute) -> bool:
        """Return True if this is a constant of a NamedInt class or of Moves, or a field of the state or of facts."""
        if isinstance(node.value, ast.Name) and node.value.id in self.numbers:
            return type(vars(self.numbers[node.value.id]).get(node.attr)) is int
        return isinstance(node.ctx, ast.Store) or node.attr in self.depths

    def _set(self, target: ast.expr, value: ast.expr | None) -> Iterator[str]:
        depth = 0
        while isinstance(target, ast.Subscript):
            target, depth = target.value, depth + 1
        if not isinstance(target, ast.Attribute):
            return
        if target.attr not in self.depths:
            yield f"no field {target.attr}"
            return
        if depth not in self.depths[target.attr]:
            yield f"set {target.attr} number by number: interpreted code would share a row, native code copies it"
        if (
            isinstance(value, (ast.Compare, ast.BoolOp))
            or isinstance(value, ast.UnaryOp)
            and isinstance(value.op, ast.Not)
        ):
            yield f"{target.attr} would hold a bool; assign 1 or 0"


def _nodes_with_lines(node: ast.AST, line: int) -> Iterator[tuple[int, ast.AST]]:
    """Yield a node and all nodes inside it, each with its line. An operator node, which has no line of its own, gets
    that of the node around it."""
    line = getattr(node, "lineno", line)
    yield line, node
    for part in ast.iter_child_nodes(node):
        yield from _nodes_with_lines(part, line)


def _always_returns(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.Return):
        return True
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return not any(isinstance(n, ast.Break) for n in ast.walk(last))
    return (
        isinstance(last, ast.If) and bool(last.orelse) and _always_returns(last.body) and _always_returns(last.orelse)
    )

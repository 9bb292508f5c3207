"""The linter detects code outside the dialect."""

import pytest

from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.native.dialect_check import ModuleChecker
from courtly.engine.state import StateBase, i8


class State(StateBase):
    n = i8()
    row = i8(3)
    grid = i8(3, 3)


class Phase(NamedInt):
    FIRST, SECOND = range(2)


VALUES = {"Phase": Phase, "MOVES": Moves(keep={}, pass_={})}


def complaints(source, fields, package):
    module = ModuleChecker(source, fields, package, VALUES)
    found = module.imports() + [complaint for name in module.functions for complaint in module.complaints(name)]
    return [f"{line}: {text}" for line, text in found]


def complaints_about(body, head=""):
    return complaints(
        f"from courtly.games.x.table import MOVES, Phase\n{head}\ndef f(s, a):\n    {body}\n",
        State.fields,
        "courtly.games.x",
    )


@pytest.mark.parametrize(
    "body",
    [
        "s.n = a + 1",
        "s.row[a] = s.grid[a][1]",
        "return max(a, 2) if a > 1 else -a",
        "for i in range(3): s.row[i] += i",
        "x, y = a, 1\n    s.n = x * y",
        "while a:\n        a -= 1\n        if a == 2:\n            break",
        "s.n = Phase.SECOND + MOVES.pass_",
    ],
)
def test_code_inside_the_dialect_has_no_complaints(body):
    assert complaints_about(body) == []


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("s.n = a / 2", "Div"),
        ("s.n = a ** 2", "Pow"),
        ("x = [1, 2]", "List"),
        ("x = s.row[0:2]", "one index"),
        ("x = s.grid[0, 1]", "one index"),
        ("s.n = 1.5", "whole number"),
        ("x = 'a'", "whole number"),
        ("s.row = s.grid[0]", "number by number"),
        ("s.grid[0] = s.row", "number by number"),
        ("s.n = a > 1", "would hold a bool"),
        ("s.n = not a", "would hold a bool"),
        ("s.m = 1", "no field m"),
        ("s.n = s.m", "there is no s.m"),
        ("s.n = Phase.THIRD", "there is no Phase.THIRD"),
        ("s.n = Phase.names", "there is no Phase.names"),
        ("s.n = MOVES.give", "there is no MOVES.give"),
        ("s.n = MOVES.hidden", "there is no MOVES.hidden"),
        ("print(a)", "calls print"),
        ("s.n = len(s.row)", "calls len"),
        ("x = lambda: 1", "Lambda"),
        ("raise ValueError", "Raise"),
        ("x = a in s.row", "In is not"),
        ("assert a", "Assert"),
        ("f(s, a)", "is recursive"),
        ("x = {}", "Dict"),
        ("x = max(a, key=a)", "calls max"),
        ("try:\n        pass\n    except ValueError:\n        pass", "Try"),
        ("x = [i for i in range(3)]", "ListComp"),
        ("if a:\n        return 1\n    return", "returns a number on some paths"),
        ("if a:\n        return 1", "may end without"),
        ("global q", "Global"),
        ("x = f'{a}'", "JoinedStr"),
        ("s.n = b", "the name b is not defined"),
        ("x = Y\n    Y = 1\n    x = Z", "the name Z is not defined"),
    ],
)
def test_code_outside_the_dialect_is_reported(body, complaint):
    assert any(complaint in text for text in complaints_about(body)), complaints_about(body)


def test_invalid_signatures_and_imports_are_reported():
    assert any("positional arguments" in c for c in complaints("def f(s, a=1):\n    s.n = a\n", State.fields, "p"))
    assert any("positional arguments" in c for c in complaints("@cache\ndef f(s):\n    s.n = 1\n", State.fields, "p"))
    assert any("another game" in c for c in complaints_about("pass", "from courtly.games.y.rules import z"))
    assert any(
        "of the engine, import only" in c for c in complaints_about("pass", "from courtly.engine.match import Match")
    )
    assert complaints_about("pass", "from courtly.games.x.sale import z") == []
    assert any(
        "import each name explicitly" in c for c in complaints_about("pass", "from courtly.games.x.table import *")
    )
    assert any(
        "the name NOBODY_AT_ALL is not defined" in c
        for c in complaints_about("s.n = NOBODY_AT_ALL + OWN", "from courtly.games.x.sale import z\nOWN = 1")
    )


def test_indirect_recursion_is_reported():
    assert any("is recursive" in c for c in complaints("def f(s):\n    g(s)\ndef g(s):\n    f(s)\n", State.fields, "p"))


def test_the_reported_line_is_that_of_the_expression():
    assert complaints_about("s.n = (\n        a\n        + a / 2\n    )") == ["6: Div is not in the dialect"]

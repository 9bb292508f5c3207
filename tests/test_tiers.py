"""Each test is in one of the two tiers, and slow tests were measured."""

import ast
import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiers

ROOT = Path(__file__).parents[1]
SUITE = ROOT / "courtly" / "testing" / "game_tests.py"  # inherited by each tests/games/<game>/test_game.py


def defined_in(file):
    return {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("file", tiers.read())
def test_slow_tests_exist_and_were_measured(file):
    names = defined_in(tiers.HERE / file) | (defined_in(SUITE) if file.endswith("/test_game.py") else set())
    for test, row in tiers.read()[file].items():
        assert test in names, f"{file} has no {test}: update tests/slow.toml with tools/slow_tests.py"
        assert 0 <= row["kept"] < row["cases"]
        assert row["seconds"] > 1, f"{test} is not slow"


def test_the_only_tests_of_a_feature_exist():
    for file, kept_tests in runpy.run_path(str(ROOT / "tools" / "slow_tests.py"))["ALWAYS"].items():
        assert {*kept_tests} <= defined_in(tiers.HERE / file), f"{file}: update ALWAYS in tools/slow_tests.py"


def test_only_the_table_decides_what_is_slow():
    """Only the table may do so; otherwise a test could be in neither tier."""
    slow_marker = re.compile(r"mark\.(slow|thorough)\b")
    assert [f for f in tiers.HERE.rglob("*.py") if f != Path(__file__) and slow_marker.search(f.read_text())] == []


def test_together_the_two_tiers_are_everything():
    commands = re.findall(r"^(test[\w-]*):.*\n\t@\$\(PYTEST\) ?(.*) \$\(ARGS\)$", (ROOT / "Makefile").read_text(), re.M)
    assert dict(commands) == {"test": '-m "not slow"', "test-slow": "-m slow", "test-all": ""}
    assert re.findall(r"^make (.*)$", (ROOT / ".ci" / "run").read_text(), re.M) == ["check", "test", "test-slow"]


def test_kept_cases_are_evenly_spaced():
    rows = ((file, test, row) for file, tests in tiers.read().items() for test, row in tests.items())
    file, test, row = next(entry for entry in rows if entry[2]["kept"])
    path = tiers.HERE / file
    cases = [SimpleNamespace(path=path, originalname=test, name=f"{test}[{i}]") for i in range(row["cases"])]
    others = [SimpleNamespace(path=path, originalname="test_of_no_such_name", name="test_of_no_such_name")]
    slow = tiers.slow_among(others + cases)
    assert others[0] not in slow
    assert len(cases) - len(slow) == row["kept"]


def test_indices_are_evenly_spaced():
    assert tiers.evenly_spaced(10, 2) == {2, 7}
    assert tiers.evenly_spaced(5, 0) == set()
    assert tiers.evenly_spaced(3, 5) == {0, 1, 2}
    assert all(len(tiers.evenly_spaced(n, k)) == min(n, k) for n in range(1, 30) for k in range(n + 2))

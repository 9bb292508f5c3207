"""A game of another package gets all property tests with one line in its own tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import courtly

TESTS_FOLDER = Path(__file__).parent
TEST = """
from courtly.testing import GameTests

class TestPackage(GameTests):
    game = "outside_bids"
"""
SCENARIO = """
title = "The first player may look"
players = 2
[[step]]
do = ["* deal one, deal one, deal one, deal two, deal two, deal two, prize 4"]
choices = ["0 skip, look 1"]
"""
INVARIANTS = """
def check(s):
    with open(__file__ + ".called", "w") as marker:
        marker.write("yes")
"""


@pytest.fixture
def package(tmp_path):
    """A package with a copy of sealed bids, and its tests."""
    folder, tests = tmp_path / "outside_bids", tmp_path / "tests"
    shutil.copytree(TESTS_FOLDER / "sealed_bids", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace("sealed_bids", "outside_bids"), encoding="utf-8")
    tests.mkdir()
    (tests / "test_package.py").write_text(TEST, encoding="utf-8")
    (tests / "look.toml").write_text(SCENARIO, encoding="utf-8")
    (tests / "invariants.py").write_text(INVARIANTS, encoding="utf-8")
    return tmp_path


def run(package, *args):
    """Run pytest on the package, in its own folder."""
    root = Path(courtly.__file__).parent.parent
    env = os.environ | {
        "PYTHONPATH": f"{package}{os.pathsep}{root}",
        "COURTLY_GAMES": "outside_bids",
        "PYTEST_ADDOPTS": "",
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", *args, "tests"],
        cwd=package,
        env=env,
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_one_line_gives_a_package_all_property_tests(package):
    process = run(package, "-W", "error", "-k", "dialect or (secrets and 5) or scenario or said or legal")
    assert process.returncode == 0, process.stdout
    assert all(
        f"PASSED tests/test_package.py::TestPackage::test_{name}" in process.stdout
        for name in ("scenario[look]", "secrets_are_kept[5]", "everything_is_said[ja]")
    ), process.stdout
    assert (package / "tests" / "invariants.py.called").exists()
    assert "heuristic" not in process.stdout, "it has no bot"


def test_a_leak_is_detected_and_long_runs_are_available(package):
    rules = package / "outside_bids" / "rules.py"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("return 1 << s.target", "return EVERYONE"), encoding="utf-8"
    )
    process = run(package, "-p", "courtly.testing.pytest_plugin", "--long", "-k", "secrets_are_kept and 2")
    assert process.returncode == 1 and "distinguish" in process.stdout, process.stdout

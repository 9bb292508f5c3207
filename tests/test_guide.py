"""The game that docs/a-whole-game.md makes from nothing is a game."""

import json
import os
import subprocess
import sys
from pathlib import Path

import guide
import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return guide.write(tmp_path_factory.mktemp("courtly-favours"))


def run(package, *args):
    """A program in the package's folder, where its game is installed."""
    env = os.environ | {"PYTHONPATH": f"{package}{os.pathsep}{ROOT}", "COURTLY_GAMES": "favours", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, "-m", *args], cwd=package, env=env, capture_output=True, text=True, timeout=1200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_that_is_asked_of_a_game_is_asked_of_it(package):
    said = run(package, "pytest", "-q", "-rA", "-m", "not thorough")
    for name in ("scenario[drives-away]", "the_folder_has_the_plan", "secrets_are_kept[4]", "everything_is_said[ja]"):
        assert f"PASSED tests/test_favours.py::TestFavours::test_{name}" in said


@pytest.mark.thorough
def test_its_secrets_are_dealt_as_they_should_be_and_it_compiles(package):
    run(package, "pytest", "-q", "-m", "thorough", "-k", "believed or twins or native")


def test_its_bot_is_better_than_chance(package):
    said = run(
        package,
        *("courtly", "simulate", "favours", "--players", "2", "--games", "200", "--bots", "heuristic,random", "--json"),
    )
    assert json.loads(said)["wins"][0] > 100


def test_no_line_of_it_is_too_wide(package):
    assert [path for path in package.rglob("*") if path.suffix in (".py", ".js", ".css") and _too_wide(path)] == []


def _too_wide(path):
    return any(len(line) > 120 for line in path.read_text(encoding="utf-8").splitlines())

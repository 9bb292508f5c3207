"""The games under examples/, each a package of its own: all that is asked of a game is asked of them. And the programs
there, in a short form."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))


def run(package, *args):
    """`courtly` in the package's folder, where its game is installed and no other."""
    env = os.environ | {
        "PYTHONPATH": f"{package}{os.pathsep}{ROOT}",
        "COURTLY_GAMES": package.name,
        "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        [sys.executable, "-m", "courtly", *args], cwd=package, env=env, capture_output=True, text=True, timeout=1200
    )
    return done.returncode, done.stdout, done.stderr


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("package", EXAMPLES, ids=lambda package: package.name)
def test_nothing_is_found_in_machine_code_and_long_play_and_every_mistake_is(package):
    code, found, summary = run(package, "check", package.name)
    assert (code, found) == (0, ""), summary


@pytest.mark.parametrize("package", EXAMPLES, ids=lambda package: package.name)
def test_its_bot_is_better_than_chance(package):
    asked = ("--players", "2", "--games", "100", "--bots", "heuristic,random", "--interpreted", "--json")
    code, said, log = run(package, "simulate", package.name, *asked)
    assert code == 0 and json.loads(said)["wins"][0] > 50, log


def curve(program, *args):
    """What a program prints: from its second line on, a number and a figure."""
    env = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}", "COURTLY_GAMES": "sealed_bids"}
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / program, *args], env=env, capture_output=True, text=True, timeout=1200
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.partition("\n\n")[0].splitlines()[1:]]
    return {int(row[0]): float(row[1].rstrip("%")) for row in rows}, done.stdout


def test_the_tiny_court_is_solved():
    exploitability, said = curve("cfr.py", "--iterations", "50")
    assert exploitability[1] > exploitability[10] > exploitability[50] < 0.001
    assert "0.000  0.500  0.500 seat 0, deal courtier=lord, deal, offer honour=crown" in said


def test_openspiels_search_plays_better_the_longer_it_thinks():
    place, _ = curve("is_mcts.py", "--game", "sealed_bids", "--games", "40", "2", "64")
    assert place[64] > max(55, place[2])

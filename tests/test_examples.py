"""The games under examples/, each in its own package, pass all checks; the example programs run, in a short form."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))


def run(package, *args):
    """Run `courtly` in the package's folder, with only its game installed."""
    env = os.environ | {
        "PYTHONPATH": f"{package}{os.pathsep}{ROOT}",
        "COURTLY_GAMES": package.name,
        "PYTEST_ADDOPTS": "",
    }
    process = subprocess.run(
        [sys.executable, "-m", "courtly", *args], cwd=package, env=env, capture_output=True, text=True, timeout=1200
    )
    return process.returncode, process.stdout, process.stderr


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("package", EXAMPLES, ids=lambda package: package.name)
def test_thorough_checks_find_nothing_and_all_mistakes_are_detected(package):
    code, findings, summary = run(package, "check", package.name)
    assert (code, findings) == (0, ""), summary


@pytest.mark.parametrize("package", EXAMPLES, ids=lambda package: package.name)
def test_the_bot_of_a_package_is_better_than_chance(package):
    options = ("--players", "2", "--games", "100", "--bots", "heuristic,random", "--interpreted", "--json")
    code, output, log = run(package, "simulate", package.name, *options)
    assert code == 0 and json.loads(output)["wins"][0] > 50, log


def run_example(program, *args):
    """Return the output of a program: from the second line on, pairs of numbers."""
    env = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}", "COURTLY_GAMES": "sealed_bids"}
    process = subprocess.run(
        [sys.executable, ROOT / "examples" / program, *args], env=env, capture_output=True, text=True, timeout=1200
    )
    assert process.returncode == 0, process.stderr
    rows = [line.split() for line in process.stdout.partition("\n\n")[0].splitlines()[1:]]
    return {int(row[0]): float(row[1].rstrip("%")) for row in rows}, process.stdout


def test_the_tiny_court_is_solved():
    exploitability, output = run_example("cfr.py", "--iterations", "50")
    assert exploitability[1] > exploitability[10] > exploitability[50] < 0.001
    assert "0.000  0.500  0.500 seat 0, deal courtier=lord, deal, offer honour=crown" in output


def test_openspiels_search_improves_with_more_simulations():
    place, _ = run_example("is_mcts.py", "--game", "sealed_bids", "--games", "40", "2", "64")
    assert place[64] > max(55, place[2])

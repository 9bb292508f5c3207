"""The programs of docs/research.md in JavaScript run in node."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from node_program import copy_modules, find_node, needs_node

from courtly.bots.webassembly import compile_with_search
from courtly.engine import transcript
from courtly.engine.game import find_game

GUIDE = Path(__file__).parent.parent / "docs" / "research.md"
PROGRAMS = re.findall(r"^```javascript\n(.*?)^```$", GUIDE.read_text("utf-8"), re.S | re.M)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the modules and the compiled game that the programs read."""
    path = tmp_path_factory.mktemp("guide")
    copy_modules(path / "web")
    (path / "games").mkdir()
    module = compile_with_search(find_game("petition"))
    (path / "games" / "petition.wasm").write_bytes(module.code)
    (path / "games" / "petition.json").write_text(json.dumps(module.description))
    return path


def run_program(folder, text):
    """Return what a program of the guide prints."""
    [program] = [program for program in PROGRAMS if text in program]
    (folder / "program.mjs").write_text(program)
    process = subprocess.run([find_node(), "program.mjs"], cwd=folder, capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    return process.stdout


@needs_node
def test_a_random_game(folder):
    assert re.match(r"BigInt64Array\(\d\) \[", run_program(folder, "pickWeighted"))


@needs_node
def test_a_match_and_its_record(folder):
    assert transcript.check(run_program(folder, "writeRecord(match)")).over


@needs_node
def test_a_search_and_hints(folder):
    *chances, verb = run_program(folder, "advise(").split()
    assert sum(map(int, chances)) == pytest.approx(1000, abs=3) and verb in find_game("petition").moves.first


def test_every_program_runs_here():
    assert len(PROGRAMS) == 3

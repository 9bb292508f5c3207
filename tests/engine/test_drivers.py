"""Custom drivers: a module of any package is compiled with a game's rules, and errors are reported without a crash."""

import os
import subprocess
import sys

import pytest

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import seed_generator

COUNT_DRIVER = '''
from courtly.engine.rng import pick_weighted
from courtly.engine.rules_interface import apply, chance, legal, setup
from courtly.engine.constants import CHANCE, NOBODY
from outside.steps import first_seat
ENTRY_POINTS = ("open_moves",)

def first_moves(s, moves):
    return legal(s, first_seat(s), moves)

def open_moves(s, rng, moves, weights):
    """How many moves the first seat has, in a new game."""
    setup(s)
    while s.pending == CHANCE:
        n = chance(s, moves, weights)
        apply(s, NOBODY, moves[pick_weighted(rng, weights, n)])
    return first_moves(s, moves)
'''
STEPS_MODULE = """
def first_seat(s):
    for seat in range(s.players):
        if s.pending >> seat & 1:
            return seat
    return -1
"""
RUN_DRIVER = """
import sys
from courtly.engine.native import loader as native
from courtly.engine.rng import seed_generator
from courtly.engine.rng import make_generator, seed_generator
from courtly.engine.game import Game, find_game
from courtly.engine.position import Position
game = find_game("sealed_bids")
plain, driver = native.load_driver(game, native.InterpretedBackend(), sys.argv[1]), native.load_driver(
  game, driver=sys.argv[1])
states, *buffers = native.make_arrays(game, 1)
states["players"], states["looks"] = 2, 0
for number in range(20):
    seed_generator(buffers[0], number, 0)
    expected = plain.open_moves(game.State(players=2, looks=0), make_generator(number), *native.make_rows(game)[1:])
    assert driver.open_moves(states[0].copy(), *buffers) == expected > 0
"""


@pytest.fixture
def write_outside_package(tmp_path, monkeypatch):
    """Return a function that writes modules of a package outside Courtly."""
    (tmp_path / "outside").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**modules):
        for name, text in {"__init__": "", **modules}.items():
            (tmp_path / "outside" / f"{name}.py").write_text(text, encoding="utf-8")

    yield write
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside"]:
        del sys.modules[name]


def test_an_interpreted_driver_works_on_rows():
    game = find_game("sealed_bids")
    driver, (rng, moves, weights) = loader.load_driver(game, loader.InterpretedBackend()), loader.make_rows(game)
    seed_generator(rng, 7, 0)
    state = game.State(players=2)
    driver.begin(state)
    while state.pending:
        assert driver.step(state, rng, moves, weights) in range(game.moves.total)
    assert Position(game, state=state).scores


@pytest.mark.parametrize("driver", ["outside.count", "alone"])
def test_a_driver_of_any_package_is_compiled(write_outside_package, tmp_path, driver):
    """In its own process, because it once crashed the interpreter."""
    write_outside_package(count=COUNT_DRIVER, steps=STEPS_MODULE)
    (tmp_path / "alone.py").write_text(
        STEPS_MODULE + COUNT_DRIVER.replace("from outside.steps import first_seat\n", ""), encoding="utf-8"
    )
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    result = subprocess.run(
        [sys.executable, "-c", RUN_DRIVER, driver],
        env={**os.environ, "PYTHONPATH": path, "COURTLY_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def step(s):\n    return 1\n", "no ENTRY_POINTS"),
        ("ENTRY_POINTS = ('step', 'stride')\ndef step(s):\n    return 1\n", "stride"),
        ("ENTRY_POINTS = ('STEP',)\nSTEP = 3\n", "STEP"),
        ("from courtly.engine.native.playout_driver import step\nENTRY_POINTS = ('step',)\n", "step"),
    ],
    ids=["no ENTRY_POINTS", "not there", "no function", "of another module"],
)
@pytest.mark.parametrize("backend", [loader.InterpretedBackend, loader.CompiledBackend])
def test_a_driver_with_an_undefined_name_is_rejected(write_outside_package, text, message, backend):
    write_outside_package(wrong=text)
    with pytest.raises(ValueError, match=message):
        loader.load_driver(find_game("sealed_bids"), backend(), driver="outside.wrong")


def test_a_drivers_modules_are_part_of_its_machine_code(write_outside_package):
    write_outside_package(count=COUNT_DRIVER, steps=STEPS_MODULE)
    folder_before = loader.cache_folder(find_game("sealed_bids"), "outside.count")
    write_outside_package(count=COUNT_DRIVER, steps=STEPS_MODULE + "\n# changed\n")
    assert loader.cache_folder(find_game("sealed_bids"), "outside.count") != folder_before


COMPILE_PROGRAM = """
from courtly.engine.native import loader as native
from courtly.engine.native.compiler import machine_code
from courtly.engine.game import find_game
count, compile_module = 0, machine_code.compile_module
def counted(*arguments):
    global count
    count += 1
    return compile_module(*arguments)
machine_code.compile_module = counted
native.compile_playouts(native.load_driver(find_game("sealed_bids")))
print(count)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows each process compiles separately")
def test_one_of_two_processes_compiles(tmp_path):
    environment = {**os.environ, "COURTLY_CACHE": str(tmp_path)}
    program = [sys.executable, "-c", COMPILE_PROGRAM]
    processes = [subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(process.communicate()[0] for process in processes) == ["0\n", "1\n"]

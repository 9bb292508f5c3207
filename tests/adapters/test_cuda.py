"""The rules on a graphics card: kernels, compiled for the processor, play the same games as `courtly simulate`; and the
programs for cards compile without one. What needs a card is skipped without one.
"""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from processor_device import InterpretedDevice, ProcessorArray, ProcessorDevice

from courtly.adapters import cuda
from courtly.adapters.cuda_device import SharedRow, flatten_arguments
from courtly.engine.errors import RulesError
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.cuda_kernel import LocalRow, compile_kernel, write_kernel
from courtly.engine.native.compiler.installation import CompilerUnavailableError
from courtly.engine.native.compiler.types import INT, UNKNOWN_LENGTH, RowType
from courtly.engine.native.dialect_check import DialectError
from courtly.engine.rng import GENERATOR_HEAD, GENERATOR_SIZE, draw_word, make_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate

ROOT = Path(__file__).parents[2]
CASES = [(name, players) for name in game_ids() for players in find_game(name).players]
NO_CARD = cuda.why_unavailable()


def play(name, *arguments, lanes=64):
    return cuda.CudaRunner(find_game(name), lanes, ProcessorDevice()).play(*arguments)


@pytest.mark.parametrize("name, players", CASES)
def test_a_kernel_plays_the_games_of_the_processor(name, players):
    played = play(name, 7, 0, 100, players)  # more games than are played at the same time
    expected = simulate(Plan(name, players, 100, 7, {}, None), cores=1)
    assert played.digest() == expected["digest"]
    assert int(played.decisions.sum()) == expected["decisions"] and int(played.events.sum()) == expected["chance"]
    assert played.scores.shape == (100, players) and played.states["players"].tolist() == [players] * 100


def test_an_interpreted_kernel_plays_the_same():
    games = cuda.CudaRunner(find_game("puppet"), 64, InterpretedDevice()).play(7, 3, 4, 2)
    assert games.digest() == play("puppet", 7, 3, 4, 2).digest() and games.scores.any()


def test_options_and_numbers_of_games_are_respected():
    options = {"round_limit": min(find_game("petition").options["round_limit"][1:])}
    played = play("petition", 5, 0, 40, 3, options)
    assert played.digest() == simulate(Plan("petition", 3, 40, 5, options, None), cores=1)["digest"]
    later = play("petition", 5, 30, 10, 3, options)
    assert later.scores.tolist() == played.scores[30:].tolist()


def test_unsupported_arguments_are_rejected():
    for players, options in ((9, {}), (2, {"looks": 77}), (2, {"nothing": 1})):
        with pytest.raises(ValueError, match="players|looks|nothing"):
            play("sealed_bids", 1, 0, 1, players, options)
    for seed, first, games in ((-1, 0, 1), (1, -1, 1), (1, 0, 0), (1, 0, "1")):
        with pytest.raises(ValueError, match="whole numbers"):
            play("sealed_bids", seed, first, games)
    with pytest.raises(ValueError, match="lanes"):
        cuda.CudaRunner(find_game("sealed_bids"), 0, ProcessorDevice())


def test_endless_games_are_reported(monkeypatch):
    game = find_game("sealed_bids")
    monkeypatch.setitem(game.bounds, "decisions", 10)  # fewer than there are in its game 0
    with pytest.raises(RulesError, match="^sealed_bids: game 0 of seed 7: a game on the graphics card") as error:
        play("sealed_bids", 7, 0, 2, 2)
    assert "game.toml" in str(error.value)


def test_a_generator_without_words_draws_the_same_words():
    whole = make_generator(3, 5)
    head = make_generator(3, 5)[:GENERATOR_HEAD]
    draw = vars(draw_word)["gpu"]
    assert [draw_word(whole) for _ in range(GENERATOR_SIZE)] == [draw(head) for _ in range(GENERATOR_SIZE)]
    assert len(head) == GENERATOR_HEAD


# --- programs for a card ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_a_program_is_compiled_without_a_card(name):
    """It is whole, and its tables are in global memory: constant memory is limited to 64 KB."""
    ptx = cuda.compile_ptx(find_game(name), find_game(name).players[-1])
    assert ptx.count(".visible .entry play_column_kernel(") == 1
    assert ".extern" not in ptx and ".const" not in ptx
    if shutil.which("ptxas"):
        assemble = ["ptxas", "-arch=sm_90", "--output-file", os.devnull, "-"]
        result = subprocess.run(assemble, input=ptx, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr


def test_a_kernel_takes_numbers_and_rows_without_the_constant_and_local_ones():
    parameters = {
        "number": INT,
        "limit": 7,
        "rows": RowType("i32", (3, UNKNOWN_LENGTH)),
        "room": LocalRow(RowType("i64", (5,))),
        "row": RowType("i8", (UNKNOWN_LENGTH,)),
    }
    rows, row = ProcessorArray(np.zeros((3, 9), "i4")), ProcessorArray(np.zeros(4, "i1"))
    assert flatten_arguments(parameters, [1, rows, row]) == [1, rows, 9, row, 4]
    with pytest.raises(ValueError, match="is shorter"):
        flatten_arguments(parameters, [1, rows])


def test_rules_outside_of_the_dialect_are_reported_before_compiling(tmp_path, monkeypatch):
    from courtly.engine.native.compiler import driver

    monkeypatch.setenv("COURTLY_CACHE", str(tmp_path))
    monkeypatch.setattr(driver, "check_game", lambda game: ["rules.py:1: a lambda is not in the dialect"])
    with pytest.raises(DialectError, match="lambda"):
        cuda.compile_ptx(find_game("sealed_bids"))
    assert not list(tmp_path.rglob("*.ptx"))


def test_a_line_that_cannot_be_compiled_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("COURTLY_CACHE", str(tmp_path))
    wrong = {"number": INT}  # too few parameters
    with pytest.raises(RulesError, match="play_column: expected 14 arguments, found 2"):
        compile_kernel(find_game("sealed_bids"), cuda.DRIVER, "play_column", wrong)


def test_an_llvm_without_graphics_cards_is_reported(monkeypatch):
    monkeypatch.setattr(machine_code, "GPU_TRIPLE", "vax-unknown-unknown")
    with pytest.raises(CompilerUnavailableError, match="built without graphics cards"):
        machine_code.gpu_machine.__wrapped__()


def test_programs_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("COURTLY_CACHE", str(tmp_path))
    first = cuda.compile_ptx(find_game("sealed_bids"))
    monkeypatch.setattr("courtly.engine.native.compiler.machine_code.compile_module", lambda text, machine: 1 / 0)
    assert cuda.compile_ptx(find_game("sealed_bids")) == first


def test_local_rows_that_share_memory_have_room_for_the_larger():
    columns = cuda.StateColumns(find_game("petition"))
    text = write_kernel(
        find_game("petition"), cuda.DRIVER, "play_column", cuda.playout_parameters(columns, 2), "", "", on_gpu=True
    )
    assert f"%states = alloca [{columns.words * 4} x i8]" in text and "%words = alloca" not in text


# --- without a card, and on one ---------------------------------------------------------------------------------------


def run_benchmark(*arguments):
    search_path = [ROOT, ROOT / "tests", ROOT / "examples" / "levee", ROOT / "courtly" / "template"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, search_path)), "COURTLY_GAMES": "sealed_bids"}
    program = [sys.executable, ROOT / "benchmarks" / "graphics_card.py", *arguments]
    return subprocess.run(program, env=env, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.skipif(not NO_CARD, reason="this machine has a graphics card, and the test needs one without")
def test_without_a_card_there_is_a_one_line_error():
    with pytest.raises(RuntimeError, match="cuda-core is not installed|no graphics card that CUDA can use") as error:
        cuda.CudaRunner(find_game("sealed_bids"))
    assert "\n" not in str(error.value)
    result = run_benchmark()
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"cannot measure: {NO_CARD}\n"


def test_actions_in_the_memory_of_the_processor_are_rejected():
    pytest.importorskip("cuda.core", reason='cuda-core is not installed: pip install "courtly[cuda]"')
    for numbers in (np.zeros(3, np.int64), [1, 2, 3]):
        with pytest.raises(ValueError, match="expected an array on the card"):
            SharedRow(numbers, 3, -1)


def test_without_cuda_core_the_extra_is_named():
    program = (
        "import sys; sys.modules['cuda'] = None; from courtly.adapters.cuda import why_unavailable; "
        "print(why_unavailable())"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == 'cuda-core is not installed: pip install "courtly[cuda]"\n'


@pytest.mark.skipif(bool(NO_CARD), reason=f"needs a graphics card: {NO_CARD}")
@pytest.mark.parametrize("name, players", CASES)
def test_a_card_plays_the_same_games(name, players):
    played = cuda.CudaRunner(find_game(name)).play(7, 0, 500, players)
    assert played.digest() == simulate(Plan(name, players, 500, 7, {}, None))["digest"]


def test_the_benchmark_measures_each_game():
    program = runpy.run_path(str(ROOT / "benchmarks" / "graphics_card.py"))
    line = program["measure"](find_game("sealed_bids"), ProcessorDevice(), games=6, rounds=1, steps=2)
    assert line.startswith("sealed_bids  5 players  ") and "simulate" in line

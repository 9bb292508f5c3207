"""The rules on a GPU: the same games as on the CPU, run by Numba's simulator in a separate process; and, if the GPU
compiler is installed, compiled programs without a GPU.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from courtly.adapters import cuda
from courtly.engine.game import find_game, game_ids

ROOT = Path(__file__).parents[2]
PLAY_PROGRAM = """
import json, sys
from courtly.adapters.cuda import CudaRunner
from courtly.engine.game import find_game
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate

def both(name, players, games, options):
    card = CudaRunner(find_game(name), lanes=2)                    # more games than play side by side
    played = card.play(7, 0, games, players, options)
    same = simulate(Plan(name, players, games, 7, options, None), interpreted=True, cores=1)
    return [played.digest(), int(played.decisions.sum()), int(played.events.sum()), played.scores.shape], [
        same["digest"], same["decisions"], same["chance"], (games, players)]

print(json.dumps([both(*run) for run in json.loads(sys.argv[1])]))
"""
# for speed, To Court the King has its minimum round limit
RUNS = [
    *(["sealed_bids", players, 5, {}] for players in find_game("sealed_bids").players),
    ["levee", 4, 3, {}],
    ["favours", 3, 3, {}],
    ["petition", 2, 1, {"round_limit": min(find_game("petition").options["round_limit"][1:])}],
    *([name, find_game(name).players[-1], 1, {}] for name in game_ids() if name not in ("petition", "sealed_bids")),
]


def run_python(program, *args, simulated=True, games="sealed_bids,levee,favours"):
    search_path = [ROOT, ROOT / "tests", ROOT / "examples" / "levee", ROOT / "courtly" / "template"]
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, search_path)),
        "COURTLY_GAMES": games,
        "NUMBA_ENABLE_CUDASIM": str(int(simulated)),
        "PYTHONWARNINGS": "ignore",
    }
    return subprocess.run(
        [sys.executable, *program, *args], env=env, capture_output=True, text=True, timeout=600, check=False
    )


def test_a_simulated_gpu_plays_the_same_games():
    result = run_python(["-c", PLAY_PROGRAM], json.dumps(RUNS))
    assert result.returncode == 0, result.stderr
    for run, (gpu_result, cpu_result) in zip(RUNS, json.loads(result.stdout), strict=True):
        assert gpu_result == cpu_result, run


INVALID_RUNS = """
from courtly.adapters.cuda import CudaRunner
from courtly.engine.errors import RulesError
from courtly.engine.game import find_game

game = find_game("sealed_bids")
for players, options in ((9, {}), (2, {"looks": 77}), (2, {"nothing": 1})):
    try:
        CudaRunner(game).play(1, 0, 1, players, options)
        print("played")
    except ValueError as error:
        print("ValueError")
game.bounds["decisions"] = 10                                # fewer than there are in its game 0
try:
    CudaRunner(game).play(7, 0, 2, 2)
except RulesError as error:
    print(error)
"""


def test_unsupported_arguments_are_rejected_and_endless_games_reported():
    result = run_python(["-c", INVALID_RUNS])
    assert result.returncode == 0, result.stderr
    *errors, endless_message = result.stdout.splitlines()
    assert errors == ["ValueError"] * 3
    assert (
        endless_message.startswith("sealed_bids: game 0 of seed 7: a game on the graphics card")
        and "game.toml" in endless_message
    )


@pytest.mark.skipif(not cuda.why_unavailable(), reason="this machine has a GPU, and the test needs one without")
def test_without_a_gpu_there_is_a_one_line_error():
    with pytest.raises(RuntimeError, match="numba-cuda is not installed|no graphics card"):
        cuda.CudaRunner(find_game("sealed_bids"))
    result = run_python([ROOT / "benchmarks" / "graphics_card.py"], simulated=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"cannot measure: {cuda.why_unavailable()}\n"


def test_the_benchmark_prints_a_line_per_game():
    short_run = ("--games", "3", "--lanes", "2", "--check", "2", "--rounds", "1")
    result = run_python([ROOT / "benchmarks" / "graphics_card.py"], "sealed_bids", *short_run)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("sealed_bids  5 players   card ")


@pytest.mark.skipif(bool(cuda.why_unavailable()), reason=f"not run on a GPU: {cuda.why_unavailable()}")
@pytest.mark.parametrize("name", game_ids())
def test_a_gpu_plays_the_same_games(name):
    from courtly.lab.plan import Plan
    from courtly.lab.runs.simulate import simulate

    game = find_game(name)
    for players in game.players:
        gpu_games, cpu_report = (
            cuda.CudaRunner(game).play(7, 0, 500, players),
            simulate(Plan(name, players, 500, 7, {}, None)),
        )
        assert gpu_games.digest() == cpu_report["digest"]


def compiler():
    """Return why programs for a GPU cannot be compiled, or ""."""
    if importlib.util.find_spec("numba_cuda") is None:
        return "numba-cuda is not installed: pip install 'courtly[cuda]'"
    try:
        from numba.cuda.cudadrv import nvvm

        nvvm.NVVM()
    except Exception as error:
        return f"there is no NVVM: {type(error).__name__}"
    return ""


@pytest.mark.skipif(bool(compiler()), reason=f"not compiled for a GPU: {compiler()}")
@pytest.mark.parametrize("name", game_ids())
def test_a_program_is_compiled_without_a_gpu(name):
    """All tables are in global memory, since constant memory is limited to 64 KB."""
    ptx = cuda.compile_ptx(find_game(name))
    assert ptx.count(".visible .entry") == 1 and ".const" not in ptx

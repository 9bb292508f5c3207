"""Measures the compiler and its machine code in one run.

For each game: what its playouts and its search take to compile and to load from the cache, a whole `courtly simulate`,
decisions and simulations per second, and the calls of a position from Python. For all games together: the memory of a
process in which their masters play, and the size of the installation.

    python benchmarks/compiler.py [--runs 5] [--positions 300] [--json] [GAME …]

All figures are medians. Compilation, loading and memory are measured in processes of their own, with the compiler
already imported. Seconds of compilation, decisions per second and microseconds are processor time, so that they mean
something on a busy machine as well; the other times are wall-clock. `ratio`: how many times as fast as interpreted.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from search import measure as measure_search

from courtly.bots.registry import find_bot, level_number, warm_up_bot
from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.native_position import NativePosition
from courtly.engine.native.rows import make_records
from courtly.engine.position import Position
from courtly.engine.rng import make_generator, seed_generator

QUESTIONS = ("legal", "play", "happen", "copy", "view", "key", "imagine")
REPEATS = 20  # calls of each method per position
SEARCH_DECISIONS = 20  # decisions of the search that are measured
ROUND_S = 0.2  # processor seconds of a round of playouts
Times = dict[str, float]


@click.command()
@click.option("--runs", default=5, show_default=True, help="Number of runs, and of rounds of playouts.")
@click.option("--positions", default=300, show_default=True, help="Positions of each game that are asked.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--task", hidden=True, help="Measure this once, in this process.")
@click.argument("names", nargs=-1)
def main(runs: int, positions: int, as_json: bool, task: str | None, names: tuple[str, ...]) -> None:
    games = [*map(find_game, names or game_ids())]
    if task:
        click.echo(json.dumps(TASKS[task](games)))
        return
    for game in games:
        row = measure_game(game, runs, positions)
        click.echo(json.dumps({"game": game.id, **row}) if as_json else format_row(game.id, row))
    whole = {"bot_process_mb": measure_memory(games), "installed_mb": installed_megabytes("llvmlite")}
    click.echo(json.dumps(whole) if as_json else format_row("all games", whole))


def format_row(title: str, row: dict[str, Any]) -> str:
    return "\n".join([title, *(f"  {name:28} {value}" for name, value in row.items())])


def measure_game(game: Game, runs: int, positions: int) -> dict[str, Any]:
    compiled, loaded, simulated = [], [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            compiled.append(run_task("compile", game.id, cache))
            loaded.append(run_task("compile", game.id, cache))
            simulated.append(measure_command(cache, "simulate", game.id, "--games", "1", "--cores", "1"))
    row: dict[str, Any] = {
        f"cold_{part}_s": round(statistics.median(run[part]["processor_s"] for run in compiled), 2)
        for part in ("playouts", "search")
    }
    for part in ("playouts", "search"):
        row[f"cached_{part}_ms"] = round(1000 * statistics.median(run[part]["clock_s"] for run in loaded), 1)
    row["simulate_command_s"] = round(statistics.median(simulated), 2)
    for form in ("interpreted", "native"):
        rate = statistics.median(measure_playouts(game, form == "native", runs))
        row[f"{form}_decisions_per_s"] = round(rate)
    row["decisions_ratio"] = round(row["native_decisions_per_s"] / row["interpreted_decisions_per_s"], 1)
    count = level_number(game, "master")
    times, _ = measure_search(game.id, game.players[-1], count, SEARCH_DECISIONS, 1)
    seconds = statistics.median(worked for worked, _ in times)
    row["master_ms"] = round(1000 * seconds, 1)
    row["simulations_per_s"] = None if hasattr(game.policy, "solve") else round(count / seconds)
    interpreted, native = (measure_position(game, form, positions) for form in (Position, NativePosition))
    for name in QUESTIONS:
        row[f"{name}_us"] = round(native[name], 2)
        row[f"{name}_ratio"] = round(interpreted[name] / native[name], 1)
    return row


# --- tasks in processes of their own ----------------------------------------------------------------------------------


def run_task(task: str, game: str, cache: str) -> Any:
    """Return what this program prints for a task."""
    environment = os.environ | {"COURTLY_CACHE": cache}
    command = [sys.executable, __file__, "--task", task, *game.split()]
    return json.loads(subprocess.run(command, check=True, capture_output=True, env=environment).stdout)


def measure_command(cache: str, *arguments: str) -> float:
    """Return the wall-clock seconds of a whole command."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "courtly", *arguments]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"COURTLY_CACHE": cache})
    return time.perf_counter() - started


def measure_memory(games: list[Game]) -> float:
    """Return the resident memory in MB of a process in which masters of these games have decided. Their machine code is
    in the cache before."""
    ids = " ".join(game.id for game in games)
    with tempfile.TemporaryDirectory() as cache:
        run_task("memory", ids, cache)
        return float(run_task("memory", ids, cache))


def compile_once(games: list[Game]) -> dict[str, Times]:
    """Return the seconds that a game's playouts and search take to compile into an empty cache, or to load."""
    [game] = games
    loader.find_obstacle(loads_llvm=True)
    make_records(game.State, 1)  # imports the rules, which is not measured
    bot = find_bot(game, "master")
    return {
        "playouts": measure_call(lambda: loader.compile_playouts(loader.load_driver(game))),
        "search": measure_call(lambda: warm_up_bot(bot)),
    }


def decide_once(games: list[Game]) -> float:
    """Let a master of each game decide, and return the process's resident memory in MB (on Linux)."""
    for game in games:
        position, rng = Position(game), make_generator(1)
        while position.chance or len(position.legal(position.pending[0])) < 2:
            position.happen(rng) if position.chance else position.play(
                position.pending[0], position.legal(position.pending[0])[0]
            )
        find_bot(game, "master")(game, position.view(position.pending[0]), make_generator(2))
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024, 1)


TASKS: dict[str, Callable[[list[Game]], Any]] = {"compile": compile_once, "memory": decide_once}


def measure_call(call: Callable[[], object]) -> Times:
    clock, processor = time.perf_counter(), time.process_time()
    call()
    return {"clock_s": time.perf_counter() - clock, "processor_s": time.process_time() - processor}


def installed_megabytes(*names: str) -> dict[str, float]:
    """Return the size of installed packages in MB."""
    sizes = {}
    for name in names:
        files = importlib.metadata.files(name) or []
        paths = [Path(str(file.locate())) for file in files]
        sizes[name] = round(sum(path.stat().st_size for path in paths if path.exists()) / 1e6, 1)
    return sizes


# --- machine code -----------------------------------------------------------------------------------------------------


def measure_playouts(game: Game, native: bool, rounds: int) -> list[float]:
    """Return decisions per second of processor time in random games with the most players, on one core."""
    if native:
        driver = loader.compile_playouts(loader.load_driver(game))
    else:
        driver = loader.load_driver(game, loader.InterpretedBackend())
    blank = game.State(players=game.players[-1])
    states, rng, moves, weights = loader.make_arrays(game, 2)
    states[1:].view("u1")[: game.State.packing.size] = list(blank.pack())
    finals, shares = states[:0].copy(), loader.make_arrays(game, 1)[2][:MAX_SEATS]
    finals.resize(1000)
    rows = loader.make_rows(game)
    rates, first, games = [], 0, 1
    while len(rates) < rounds:
        counts = loader.make_arrays(game, 1)[1][:2] if native else [0, 0]
        started = time.thread_time()
        if native:
            driver.playouts(states, finals, 1, first, games, rng, moves, weights, counts, shares)
        else:
            for number in range(first, first + games):
                s = blank.copy()
                seed_generator(rows[0], 1, number)
                driver.begin(s)
                driver.play_to_end(s, *rows, counts)
        seconds = time.thread_time() - started
        if seconds < ROUND_S and games < len(finals):
            games = min(2 * games, len(finals))
            continue
        rates.append(int(counts[0]) / seconds)
        first += games
    return rates


def measure_position(game: Game, form: type[Position], positions: int) -> Times:
    """Return the medians of the microseconds of each method in games with the most players."""
    r, rng = random.Random(1), make_generator(1)
    times_us: dict[str, list[float]] = {name: [] for name in QUESTIONS}
    position = form(game, game.players[-1])
    while len(times_us["legal"]) < positions:
        if position.over:
            position = form(game, game.players[-1])
        if position.chance:
            twins = [position.copy() for _ in range(REPEATS)]
            times_us["happen"].append(measure_question(lambda twin: twin.happen(rng), twins))
            position.happen(rng)
            continue
        seat = r.choice(position.pending)
        move = r.choice(position.legal(seat))
        if r.random() < 0.2:
            twins = [position.copy() for _ in range(REPEATS)]
            times_us["legal"].append(measure_question(lambda twin, seat=seat: twin.legal(seat), twins))
            times_us["copy"].append(measure_question(lambda twin: twin.copy(), twins))
            times_us["view"].append(measure_question(lambda twin, seat=seat: twin.view(seat), twins))
            times_us["key"].append(measure_question(lambda twin, seat=seat: twin.key(seat), twins))
            times_us["imagine"].append(measure_question(lambda twin, seat=seat: twin.imagine(seat, rng), twins))
            times_us["play"].append(measure_question(lambda twin, seat=seat, move=move: twin.play(seat, move), twins))
        position.play(seat, move)
    return {name: statistics.median(times) for name, times in times_us.items()}


def measure_question(ask: Callable[[Any], object], twins: list[Any]) -> float:
    """Return the microseconds of one call."""
    started = time.process_time_ns()
    for twin in twins:
        ask(twin)
    return (time.process_time_ns() - started) / 1000 / len(twins)


if __name__ == "__main__":
    main()

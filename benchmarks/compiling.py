"""Measures how long a game's playouts take to compile with an empty cache, and to load from the cache: wall-clock and
processor seconds, each in a process of its own, without the start of the compiler. On a busy machine only processor
time is meaningful.

    python benchmarks/compiling.py [GAME…] [--runs 3]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from courtly.engine.game import find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.compiler import machine_code


@click.command()
@click.argument("games", nargs=-1)
@click.option("--runs", default=3, show_default=True, help="Number of runs.")
@click.option("--folder", hidden=True, help="Compile once into this folder and print the seconds.")
def main(games: tuple[str, ...], runs: int, folder: str | None) -> None:
    if folder:
        compile_once(games[0], Path(folder))
        return
    for game in games or game_ids():
        cold, cached = [], []
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as empty_folder:
                for times in (cold, cached):
                    times.append(measure_compilation(game, empty_folder))
        click.echo(f"{game:12} cold {format_times(cold)}   from cache {format_times(cached)}")


def measure_compilation(game: str, folder: str) -> list[float]:
    """Return the wall-clock and processor seconds."""
    process = subprocess.run([sys.executable, __file__, game, "--folder", folder], check=True, capture_output=True)
    return [*map(float, process.stdout.split())]


def format_times(times: list[list[float]]) -> str:
    clock, processor = map(min, zip(*times, strict=True))
    return f"{clock:5.2f} s, {processor:5.2f} s CPU"


def compile_once(name: str, folder: Path) -> None:
    game, form = find_game(name), loader.CompiledBackend(folder)
    machine_code.host_machine()
    loader.make_arrays(game, 1)  # imports NumPy and the rules, which is not measured
    clock, processor = time.perf_counter(), time.process_time()
    loader.compile_playouts(loader.load_driver(game, form))
    click.echo(f"{time.perf_counter() - clock} {time.process_time() - processor}")


if __name__ == "__main__":
    main()

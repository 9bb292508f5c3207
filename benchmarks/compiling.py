"""How long it takes until a game's playouts are machine code, with an empty cache, and to load them from it: seconds on
the clock, and of a processor, which count where others use the machine. Each in a process of its own, the compiler
itself being started.

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


@click.command()
@click.argument("games", nargs=-1)
@click.option("--runs", default=3, show_default=True)
@click.option("--folder", hidden=True, help="Compile into this folder, and tell the seconds.")
def main(games: tuple[str, ...], runs: int, folder: str | None) -> None:
    if folder:
        compile_once(games[0], Path(folder))
        return
    for game in games or game_ids():
        cold, cached = [], []
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as empty:
                for found in (cold, cached):
                    found.append(measure_compilation(game, empty))
        click.echo(f"{game:12} cold {format_times(cold)}   from cache {format_times(cached)}")


def measure_compilation(game: str, folder: str) -> list[float]:
    """On the clock, of a processor."""
    told = subprocess.run([sys.executable, __file__, game, "--folder", folder], check=True, capture_output=True)
    return [*map(float, told.stdout.split())]


def format_times(found: list[list[float]]) -> str:
    clock, processor = map(min, zip(*found, strict=True))
    return f"{clock:5.2f} s, {processor:5.2f} s of a processor"


def compile_once(name: str, folder: Path) -> None:
    game, form = find_game(name), loader.CompiledBackend(folder)
    form.numba.njit(lambda n: n)(1)
    clock, processor = time.perf_counter(), time.process_time()
    loader.compile_playouts(loader.load_driver(game, form))
    click.echo(f"{time.perf_counter() - clock} {time.process_time() - processor}")


if __name__ == "__main__":
    main()

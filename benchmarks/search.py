"""Measures the search: simulations per second on one core, at decisions of games between heuristics, and the time and
memory of a decision; in several processes at the same time if requested.

    python benchmarks/search.py [--count 2000] [--at-once 1] [--most] [GAME …]
"""

from __future__ import annotations

import statistics
import time
from multiprocessing import get_context
from pathlib import Path

import click

from courtly.bots.registry import find_bot
from courtly.bots.search.search import DEFAULT_SIMULATIONS, Search
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.engine.schemas import PositionView

MEASURED_EVERY = 5  # every fifth decision among several moves is measured


@click.command()
@click.option("--count", default=DEFAULT_SIMULATIONS, show_default=True, help="Simulations per decision.")
@click.option("--decisions", default=60, show_default=True, help="Number of decisions.")
@click.option("--at-once", default=1, show_default=True, help="Processes that search at the same time.")
@click.option("--most", is_flag=True, help="Play with the most players instead of the fewest.")
@click.argument("names", nargs=-1)
def main(count: int, decisions: int, at_once: int, most: bool, names: tuple[str, ...]) -> None:
    for name in names or game_ids():
        game = find_game(name)
        players = game.players[-1 if most else 0]
        Search(game, 1).warm()  # fill the compile cache for all processes
        with get_context("spawn").Pool(at_once) as processes:
            rows = processes.starmap(measure, [(name, players, count, decisions, k) for k in range(at_once)], 1)
        cpu_times, wall_times = ([pair[i] for times, _ in rows for pair in times] for i in range(2))
        speed = count / statistics.median(cpu_times)
        memory = max(megabytes for _, megabytes in rows)
        click.echo(
            f"{name}, {players} players, {count} simulations: {speed:,.0f} simulations/s, mean "
            f"{1000 * statistics.mean(cpu_times):.0f} ms of processor time; wall clock "
            f"{1000 * statistics.mean(wall_times):.0f} ms, slowest {1000 * max(wall_times):.0f} ms; {memory:.0f} MB"
        )


def measure(
    name: str, players: int, count: int, decisions: int, number: int
) -> tuple[list[tuple[float, float]], float]:
    """Return the processor and wall-clock time of each decision in seconds, and the peak memory in MB (on Linux)."""
    game = find_game(name)
    search = Search(game, count)
    search.warm()
    times = []
    for view in collect_views(game, players, decisions, number):
        cpu_before, start_time = time.thread_time(), time.perf_counter()
        search.think(view, number)
        times.append((time.thread_time() - cpu_before, time.perf_counter() - start_time))
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.exists() else []
    peak = next((line.split()[1] for line in lines if line.startswith("VmHWM")), 0)
    return times, int(peak) / 1024


def collect_views(game: Game, players: int, count: int, number: int) -> list[PositionView]:
    """Return views of decisions among several moves, in games between heuristics."""
    choose, rng, views, skipped_count = find_bot(game, "heuristic"), make_generator(2, number), [], 0
    for deal in range(count):
        position, luck = Position(game, players), make_generator(1 + number, deal)
        while not position.over:
            if position.chance:
                position.happen(luck)
                continue
            view = position.view(position.pending[0])
            if len(view["legal"]) > 1:
                skipped_count += 1
                if skipped_count % MEASURED_EVERY == 0:
                    views.append(view)
                    if len(views) == count:
                        return views
            position.apply(position.pending[0], choose(game, view, rng))
    return views


if __name__ == "__main__":
    main()

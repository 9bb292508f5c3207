"""Measures `courtly lab play`, with warm compile caches: time to play, measure and store games, peak memory, and disk
space.

    python benchmarks/laboratory.py [--games 100000] [--cores 2] [GAME …]
    python benchmarks/laboratory.py --report [--games 1000000] [--cores 2] [GAME …]
    python benchmarks/laboratory.py --cluster [--games 1000000] [GAME …]

With --report, `courtly lab report` is measured instead, with the fewest players.

With --cluster (Ray on this machine): the speedup of two workers over one, and the overhead, which is the share of the
workers' time beyond that of the same games on one core without a cluster.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from courtly.engine.game import find_game, game_ids

SHORT_GAME_OPTIONS = {"petition": ["--option", "round_limit=20"]}  # without a limit, random games hardly ever end


def run(command: str, name: str, games: int, out: str, *words: str) -> tuple[float, float]:
    """Return the wall-clock and processor seconds of a command."""
    arguments = ["lab", command, name, "--games", str(games), "--out", out, *SHORT_GAME_OPTIONS.get(name, []), *words]
    start_time, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "courtly", *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start_time, cpu_seconds


def measure_here(name: str, games: int, cores: int, command: str) -> None:
    words = ["--players", str(find_game(name).players[0]), "--cores", str(cores)]
    with tempfile.TemporaryDirectory() as folder:
        run(command, name, 2, f"{folder}/first", *words)
        duration_s, cpu_seconds = run(command, name, games, f"{folder}/games", *words)
        size = sum(path.stat().st_size for path in Path(folder, "games").rglob("*") if path.is_file())
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    click.echo(
        f"{name}, {command}: {games:,} games in {duration_s:.1f} s on {cores} cores ({cpu_seconds:.1f} s of "
        f"processor time); "
        f"{size / 1e6:.0f} MB on disk, peak memory {peak_mb:.0f} MB"
    )


CLUSTER_PROGRAM = """
import sys, time
from courtly.lab.execution import ray_cluster as cluster
from courtly.lab.runs.batch_runner import run_batches
from courtly.lab.plan import Plan
name, players, games, options, workers = eval(sys.argv[1])
plan = Plan(name, players, games, 1, options, None)
cluster.choose_cluster("ray" if workers else None)
list(run_batches(plan._replace(games=20_000), cores=workers or 1))      # warm-up: every worker loads its machine code
began, spent = time.perf_counter(), time.process_time()
for batch in run_batches(plan, cores=workers or 1): pass
print(time.perf_counter() - began, time.process_time() - spent)
"""


def measure_on_cluster(name: str, games: int) -> None:
    options = {"round_limit": 20} if name == "petition" else {}
    times = []
    for workers in (0, 1, 2):
        plan = repr((name, find_game(name).players[0], games, options, workers))
        process = subprocess.run(
            [sys.executable, "-c", CLUSTER_PROGRAM, plan], check=True, capture_output=True, text=True
        )
        times.append(float(process.stdout.split()[0]))
    single_s, one_worker_s, two_workers_s = times
    click.echo(
        f"{name}: {games:,} games in {single_s:.1f} s on one core, {one_worker_s:.1f} s with one worker of a cluster, "
        f"{two_workers_s:.1f} s with two: {one_worker_s / two_workers_s:.2f} times as fast; "
        f"overhead {1 - single_s / one_worker_s:.0%} with one, {1 - single_s / (2 * two_workers_s):.0%} with two"
    )


@click.command()
@click.option("--games", type=int, help="Number of games. Default: 1,000,000 of Queen's Necklace, else 100,000.")
@click.option("--cores", default=os.cpu_count() or 1, show_default=True, help="Number of cores.")
@click.option("--cluster", is_flag=True, help="Measure a Ray cluster on this machine.")
@click.option("--report", is_flag=True, help="Measure `courtly lab report`.")
@click.argument("names", nargs=-1)
def main(games: int | None, cores: int, cluster: bool, report: bool, names: tuple[str, ...]) -> None:
    for name in names or game_ids():
        many = games or (1_000_000 if name == "necklace" else 100_000)
        if cluster:
            measure_on_cluster(name, many)
        else:
            measure_here(name, many, cores, "report" if report else "play")


if __name__ == "__main__":
    main()

"""Measures BatchedGames: random decisions per second on one core and on two.

    python benchmarks/vector.py [--games 1024] [--rounds 15] [--json] [GAME:PLAYERS…]

A step includes everything: draw and apply a legal move in each game, apply random events up to the next decision, write
rewards and restart games that are over, and write the legal moves (list and mask) and the next observation, as int16 or
float32. All seats are heroes. `cpu` figures are per second of processor time; two cores are compared with one by wall
clock, which is meaningful only if both cores are free. All variants are measured in turns; medians are printed.
"""

from __future__ import annotations

import json
import statistics
import time

import click

from courtly.adapters.arrays import BatchedGames
from courtly.engine.game import find_game, game_ids

DECISIONS_PER_ROUND = 400_000


class Run:
    """One variant, measured repeatedly."""

    def __init__(self, game: str, players: int, kind: str, games: int, threads: int):
        self.arrays = BatchedGames(find_game(game), games * threads, players, kind=kind, threads=threads)
        self.arrays.reset(1)
        self.steps = max(1, DECISIONS_PER_ROUND // games)
        self.of_clock: list[float] = []
        self.of_processor: list[float] = []

    def round(self) -> None:
        arrays = self.arrays
        clock, processor = time.perf_counter(), time.process_time()
        for _ in range(self.steps):
            arrays.step()
        step_count = self.steps * arrays.n
        self.of_clock.append(step_count / (time.perf_counter() - clock))
        self.of_processor.append(step_count / (time.process_time() - processor))

    @property
    def clock(self) -> float:
        return statistics.median(self.of_clock)

    @property
    def processor(self) -> float:
        return statistics.median(self.of_processor)


@click.command()
@click.argument("tables", nargs=-1)
@click.option("--games", default=1024, show_default=True, help="Games per core.")
@click.option("--rounds", default=15, show_default=True, help="Number of rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(tables: tuple[str, ...], games: int, rounds: int, as_json: bool) -> None:
    rows = []
    for table in tables or [f"{name}:{players}" for name in game_ids() for players in find_game(name).players]:
        name, _, players = table.partition(":")
        runs = {
            (kind, threads): Run(name, int(players or find_game(name).players[0]), kind, games, threads)
            for kind in ("int16", "float32")
            for threads in (1, 2)
        }
        for _ in range(rounds):
            for run in runs.values():
                run.round()
        row: dict[str, object] = {"game": table, "games": games}
        for kind in ("int16", "float32"):
            single, double = runs[kind, 1], runs[kind, 2]
            row[kind] = {
                "decisions_per_cpu_s": round(single.processor),
                "decisions_per_s": round(single.clock),
                "two_cores_per_s": round(double.clock),
                "two_cores_per_cpu_s": round(double.processor),
                "gain": round(
                    statistics.median(b / a for a, b in zip(single.of_clock, double.of_clock, strict=True)), 2
                ),
            }
        rows.append(row)
        if not as_json:
            click.echo(" ".join(f"{key} {value}" for key, value in row.items()))
    if as_json:
        click.echo(json.dumps(rows))


if __name__ == "__main__":
    main()

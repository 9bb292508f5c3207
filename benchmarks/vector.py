"""How fast many games side by side are: random decisions per second, on one core and on two.

    python benchmarks/vector.py [--games 1024] [--rounds 15] [--json] [GAME:PLAYERS…]

A step is all of it: a legal move is drawn for each game, it is made, random events happen until somebody decides again,
a game that is over gives its rewards and begins anew, and the legal moves (list and mask) and what the next seat sees
are written, as int16 numbers or as float32. All seats are decided for. *CPU* is per second of processor time on one
core; *two cores* is by the clock, against one core by the clock, so it says something only where both are free.
Rounds of all are played in turn; the medians are told. `--games` are those of each core.
"""

from __future__ import annotations

import json
import statistics
import time

import click

from courtly.adapters.arrays import BatchedGames
from courtly.engine.game import find_game, game_ids

DECISIONS_PER_ROUND = 400_000  # of a round


class Run:
    """One way to play, measured again and again."""

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
        done = self.steps * arrays.n
        self.of_clock.append(done / (time.perf_counter() - clock))
        self.of_processor.append(done / (time.process_time() - processor))

    @property
    def clock(self) -> float:
        return statistics.median(self.of_clock)

    @property
    def processor(self) -> float:
        return statistics.median(self.of_processor)


@click.command()
@click.argument("tables", nargs=-1)
@click.option("--games", default=1024, show_default=True, help="side by side on a core")
@click.option("--rounds", default=15, show_default=True)
@click.option("--json", "as_json", is_flag=True)
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
            one, two = runs[kind, 1], runs[kind, 2]
            row[kind] = {
                "decisions_per_cpu_s": round(one.processor),
                "decisions_per_s": round(one.clock),
                "two_cores_per_s": round(two.clock),
                "two_cores_per_cpu_s": round(two.processor),
                "gain": round(statistics.median(b / a for a, b in zip(one.of_clock, two.of_clock, strict=True)), 2),
            }
        rows.append(row)
        if not as_json:
            click.echo(" ".join(f"{key} {value}" for key, value in row.items()))
    if as_json:
        click.echo(json.dumps(rows))


if __name__ == "__main__":
    main()

"""Measures the exact computation of chains in Web of Power, in machine code: all cloisters joined to the last of a
player's twenty.

    python benchmarks/cardinal_chains.py [--sets 10000]

There are three kinds of sets: those at the end of random games, twenty random sites, and twenty connected sites (the
hardest).
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import find_game
from courtly.engine.native import loader as native_loader
from courtly.games.cardinal.map import DEGREE, NEAR, SITES
from courtly.games.cardinal.scoring import CLOISTERS

GAME = find_game("cardinal")


@click.command()
@click.option("--sets", default=10_000, show_default=True, help="Number of sets of each kind.")
def main(sets: int) -> None:
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    compiled = native_loader.load_driver(GAME, driver="cardinal_chains_driver").place_last
    rng = random.Random(1)
    scattered = [rng.sample(range(len(SITES)), CLOISTERS) for _ in range(sets)]
    blobs = [random_joined_cloisters(rng) for _ in range(sets)]
    for name, sets_of_sites in (
        ("final positions of random games", final_cloisters(sets)),
        ("random sites", scattered),
        ("joined sites", blobs),
    ):
        click.echo(f"{name}: {measure_times(compiled, sets_of_sites)}")


def final_cloisters(sets: int) -> list[list[int]]:
    """Return each player's cloisters at the end of random games."""
    driver = native_loader.compile_playouts(native_loader.load_driver(GAME))
    states, rng, moves, weights = native_loader.make_arrays(GAME, 2)
    players = 3
    blank_state = GAME.State(players=players).pack()
    states.view("u1").reshape(2, -1)[1, : len(blank_state)] = list(blank_state)
    ends = np.zeros(sets // players + 1, states.dtype)
    driver.playouts(
        states, ends, 1, 0, len(ends), rng, moves, weights, np.zeros(2, np.int64), np.zeros(MAX_SEATS, np.int64)
    )
    return [list(np.flatnonzero(end["owner"] == seat + 1)) for end in ends for seat in range(players)][:sets]


def random_joined_cloisters(rng: random.Random) -> list[int]:
    places = [rng.randrange(len(SITES))]
    while len(places) < CLOISTERS:
        places.append(rng.choice([NEAR[a][k] for a in places for k in range(DEGREE[a]) if NEAR[a][k] not in places]))
    return places


def measure_times(compiled: Any, sets_of_sites: list[list[int]]) -> str:
    states = native_loader.make_arrays(GAME, 1)[0]
    blank_states = states.copy()
    durations = []
    for sites in [sets_of_sites[0], *sets_of_sites]:
        states[:] = blank_states
        states["owner"][0, sites[:-1]] = 1
        start_time = time.thread_time()
        compiled(states, sites[-1])
        durations.append(time.thread_time() - start_time)
    durations = sorted(durations[1:])
    mean = sum(durations) / len(durations)
    return f"{1e6 * mean:.1f} µs on average, {1e6 * durations[-1]:.0f} µs at worst, of {len(durations)}"


if __name__ == "__main__":
    main()

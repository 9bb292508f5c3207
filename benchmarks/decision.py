"""Measures a decision at a table in interpreted rules: legal moves, the move, and the view of every seat, in
milliseconds.

    python benchmarks/decision.py [--games 20] [GAME …]
"""

from __future__ import annotations

import random
import statistics
import time

import click

from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.rng import make_generator


@click.command()
@click.option("--games", default=20, show_default=True, help="Number of games.")
@click.option("--most", default=2000, show_default=True, help="Largest number of decisions per game.")
@click.argument("names", nargs=-1)
def main(games: int, most: int, names: tuple[str, ...]) -> None:
    for name in names or game_ids():
        game = find_game(name)
        r = random.Random(1)
        times = [t for _ in range(games) for t in one_game(game, game.players[-1], r, most)]
        quantiles = statistics.quantiles(times, n=100)
        half, most_of_all = 1000 * quantiles[49], 1000 * quantiles[98]
        click.echo(
            f"{name}, {game.players[-1]} players: median {half:.3f} ms, "
            f"p99 {most_of_all:.3f} ms, {len(times)} decisions"
        )


def one_game(game: Game, players: int, r: random.Random, most: int) -> list[float]:
    """Return the seconds of each decision of a random game."""
    position, times = Position(game, players), list[float]()
    rng = make_generator(1)
    while not position.over and len(times) < most:
        if position.chance:
            position.happen(rng)
            continue
        seat = r.choice(position.pending)
        start_time = time.perf_counter()
        position.apply(seat, r.choice(position.legal(seat)))
        for k in range(players):
            position.view(k)
        times.append(time.perf_counter() - start_time)
    return times


if __name__ == "__main__":
    main()

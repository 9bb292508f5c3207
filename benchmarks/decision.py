"""What a decision costs in plain Python at a table: legal moves, the move itself, and what every seat may know, in milliseconds.

    python benchmarks/decision.py [--games 20] [GAME …]
"""
from __future__ import annotations

import random
import statistics
import time

import click

from courtly.engine.game import CHANCE, NOBODY, Game, find_game, game_ids
from courtly.engine.match import glance


@click.command()
@click.option("--games", default=20, show_default=True)
@click.option("--most", default=2000, show_default=True, help="decisions of one game")
@click.argument("names", nargs=-1)
def main(games: int, most: int, names: tuple[str, ...]) -> None:
    for name in names or game_ids():
        game = find_game(name)
        r = random.Random(1)
        times = [t for _ in range(games) for t in one_game(game, game.players[-1], r, most)]
        quick = statistics.quantiles(times, n=100)
        half, most_of_all = 1000 * quick[49], 1000 * quick[98]
        click.echo(f"{name}, {game.players[-1]} players: median {half:.3f} ms, 99 % below {most_of_all:.3f} ms, of {len(times)} decisions")


def one_game(game: Game, players: int, r: random.Random, most: int) -> list[float]:
    """Seconds of each decision of a random game."""
    rules, state, times = game.rules, game.State(players=players), []
    moves, weights = [0] * game.room, [0] * game.room
    rules.setup(state)
    while state.pending and len(times) < most:
        if state.pending == CHANCE:
            n = rules.chance(state, moves, weights)
            rules.apply(state, NOBODY, r.choices(moves[:n], weights[:n])[0])
            continue
        seat = r.choice([k for k in range(players) if state.pending >> k & 1])
        started = time.perf_counter()
        n = rules.legal(state, seat, moves)
        rules.apply(state, seat, moves[r.randrange(n)])
        for k in range(players):
            glance(game, state, k)
        times.append(time.perf_counter() - started)
    return times


if __name__ == "__main__":
    main()

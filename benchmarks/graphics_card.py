"""Compares random games on a graphics card and on the CPU, in decisions per second.

    python benchmarks/graphics_card.py [GAME…] [--games 262144] [--rounds 3]

The kernel is compiled first, and the digests of the same games are compared. For the card, the best round is printed:
playing alone, and including the transfer of states to the CPU; for the CPU, the native code on all cores.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import click

from courtly.engine.game import Game, find_game, game_ids
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate

SEED = 1


@click.command()
@click.argument("games_of", metavar="[GAME…]", nargs=-1)
@click.option("--games", default=1 << 18, show_default=True, help="Games per round.")
@click.option("--lanes", default=1 << 16, show_default=True, help="Games played at the same time.")
@click.option("--check", default=1000, show_default=True, help="Games to compare first.")
@click.option("--rounds", default=3, show_default=True, help="Number of rounds.")
def main(games_of: tuple[str, ...], games: int, lanes: int, check: int, rounds: int) -> None:
    try:
        from courtly.adapters import cuda
    except ImportError as error:
        sys.exit(f"cannot measure: {error}")
    if reason := cuda.why_unavailable():
        click.echo(f"cannot measure: {reason}")
        return
    for name in games_of or game_ids():
        measure(cuda, find_game(name), games, lanes, check, rounds)


def measure(cuda: Any, game: Game, games: int, lanes: int, check: int, rounds: int) -> None:
    players = game.players[-1]
    card = cuda.CudaRunner(game, lanes)
    compile_s, _ = time_call(lambda: card.play(SEED, 0, 1, players))
    same = simulate(Plan(game.id, players, check, SEED, {}, None))["digest"]
    if card.play(SEED, 0, check, players).digest() != same:
        sys.exit(f"{game.id}: the games on the card differ from those on the CPU")
    card.seconds = 0.0
    rates = []
    for _ in range(rounds):
        card.seconds = 0.0
        total_s, played = time_call(lambda: card.play(SEED, 0, games, players))
        rates.append((played.decisions.sum() / card.seconds, played.decisions.sum() / total_s))
    on_card, with_states = map(max, zip(*rates, strict=True))
    of_processor = max(
        simulate(Plan(game.id, players, max(check, games // 64), SEED, {}, None))["decisions_per_s"]
        for _ in range(rounds)
    )
    click.echo(
        f"{game.id:12} {players} players   card {on_card / 1e6:8.1f} M/s, {with_states / 1e6:8.1f} M/s with transfer"
        f"   CPU {of_processor / 1e6:6.1f} M/s   compiled in {compile_s:.0f} s"
    )


def time_call(call: Callable[[], Any]) -> tuple[float, Any]:
    start_time = time.perf_counter()
    value = call()
    return time.perf_counter() - start_time, value


if __name__ == "__main__":
    main()

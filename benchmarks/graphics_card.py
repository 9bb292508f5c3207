"""Compares random games on a graphics card and on the processor, in decisions per second.

    python benchmarks/graphics_card.py [GAME…] [--games 262144] [--rounds 5] [--steps 64]

The digests of some games are compared first. Then, for each game, with the most players: whole games on the card; the
same with the transfer of final states; steps of as many games with observation (int16), mask and rewards; and whole
games on all cores of the processor. Medians of the rounds.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import click

from courtly.engine.game import Game, find_game, game_ids
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate

SEED = 1
CHECKED_GAMES = 1000


@click.command()
@click.argument("names", metavar="[GAME…]", nargs=-1)
@click.option("--games", default=1 << 18, show_default=True, help="Games played at the same time.")
@click.option("--rounds", default=5, show_default=True, help="Number of rounds.")
@click.option("--steps", default=64, show_default=True, help="Steps of each game in a round.")
def main(names: tuple[str, ...], games: int, rounds: int, steps: int) -> None:
    try:
        from courtly.adapters.cuda_device import CudaDevice, why_unavailable
    except ImportError as error:
        sys.exit(f"cannot measure: {error}")
    if reason := why_unavailable():
        click.echo(f"cannot measure: {reason}")
        return
    device = CudaDevice()
    for name in names or game_ids():
        click.echo(measure(find_game(name), device, games, rounds, steps))


def measure(game: Game, device: Any, games: int, rounds: int, steps: int) -> str:
    """Return a line with the figures of a game."""
    from courtly.adapters.cuda import CudaRunner
    from courtly.adapters.cuda_vector import CudaGames

    players, checked = game.players[-1], min(games, CHECKED_GAMES)
    runner = CudaRunner(game, games, device)
    preparing, played = time_call(lambda: runner.play(SEED, 0, checked, players))
    plan = Plan(game.id, players, checked, SEED, {}, None)
    if played.digest() != simulate(plan)["digest"]:
        sys.exit(f"{game.id}: the games on the card differ from those on the processor")
    envs = CudaGames(game, games, players, kind="int16", device=device)
    envs.reset(SEED)
    envs.step()
    envs.synchronize()
    rates: dict[str, list[float]] = {"whole games": [], "with transfer": [], "steps": [], "simulate": []}
    for _ in range(rounds):
        runner.seconds = 0.0
        seconds, played = time_call(lambda: runner.play(SEED, 0, games, players))
        decisions = int(played.decisions.sum())
        rates["whole games"].append(decisions / runner.seconds)
        rates["with transfer"].append(decisions / seconds)
        rates["steps"].append(games * steps / time_call(lambda: run_steps(envs, steps))[0])
        rates["simulate"].append(simulate(plan)["decisions_per_s"])
    figures = "   ".join(f"{name} {statistics.median(values) / 1e6:.1f} M/s" for name, values in rates.items())
    return f"{game.id:12} {players} players   {figures}   prepared in {preparing:.1f} s"


def run_steps(envs: Any, steps: int) -> None:
    for _ in range(steps):
        envs.step()
    envs.synchronize()


def time_call(call: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    value = call()
    return time.perf_counter() - started, value


if __name__ == "__main__":
    main()

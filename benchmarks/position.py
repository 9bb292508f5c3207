"""Measures the methods of a position from Python, interpreted and native: microseconds of processor time, medians over
positions of random games.

    python benchmarks/position.py [--positions 400] [--json] [GAME …]

`play` includes the check that the move is legal; `view` is that of the seat to move.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import click

from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.native_position import NativePosition
from courtly.engine.position import Position
from courtly.engine.rng import make_generator

QUESTIONS = ("legal", "play", "happen", "copy", "view", "key", "imagine")
REPEATS = 20  # calls of each method per position


@click.command()
@click.option("--positions", default=400, show_default=True, help="Positions of each game in each form.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("names", nargs=-1)
def main(positions: int, as_json: bool, names: tuple[str, ...]) -> None:
    forms: list[type[Position]] = [Position, *([NativePosition] if loader.is_available() else [])]
    for game in map(find_game, names or game_ids()):
        for form in forms:
            times_us = measure(game, form, positions)
            if as_json:
                click.echo(json.dumps({"game": game.id, "form": form.__name__, "microseconds": times_us}))
            else:
                times = "  ".join(f"{name} {times_us[name]:6.2f}" for name in QUESTIONS)
                click.echo(f"{game.id:10} {form.__name__:15} {times}")


def measure(game: Game, form: type[Position], positions: int) -> dict[str, float]:
    """Return the medians in games with the most players."""
    r, rng = random.Random(1), make_generator(1)
    times_us: dict[str, list[float]] = {name: [] for name in QUESTIONS}
    position = form(game, game.players[-1])
    while len(times_us["legal"]) < positions:
        if position.over:
            position = form(game, game.players[-1])
        if position.chance:
            twins = [position.copy() for _ in range(REPEATS)]
            times_us["happen"].append(measure_question(lambda twin: twin.happen(rng), twins))
            position.happen(rng)
            continue
        seat = r.choice(position.pending)
        move = r.choice(position.legal(seat))
        if r.random() < 0.2:
            twins = [position.copy() for _ in range(REPEATS)]
            times_us["legal"].append(measure_question(lambda twin, seat=seat: twin.legal(seat), twins))
            times_us["copy"].append(measure_question(lambda twin: twin.copy(), twins))
            times_us["view"].append(measure_question(lambda twin, seat=seat: twin.view(seat), twins))
            times_us["key"].append(measure_question(lambda twin, seat=seat: twin.key(seat), twins))
            times_us["imagine"].append(measure_question(lambda twin, seat=seat: twin.imagine(seat, rng), twins))
            times_us["play"].append(measure_question(lambda twin, seat=seat, move=move: twin.play(seat, move), twins))
        position.play(seat, move)
    return {name: round(statistics.median(times), 2) for name, times in times_us.items()}


def measure_question(question: Callable[[Any], object], twins: list[Any]) -> float:
    """Return the microseconds of one call."""
    start_time = time.process_time_ns()
    for twin in twins:
        question(twin)
    return (time.process_time_ns() - start_time) / 1000 / len(twins)


if __name__ == "__main__":
    main()

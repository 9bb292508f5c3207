"""Measures environments that are stepped one by one from Python: decisions per second of processor time, medians.

    python benchmarks/environments.py [--seconds 1] [--json] [GAME …]

PettingZoo: a loop over `agent_iter` that reads every observation and makes a random legal move, with the usual wrappers
(`env`) and without (`raw_env`). Gymnasium: the decisions of a random hero against compiled bots (random, and the policy
if the game has one) and against the squire, which is plain Python; the opponents' decisions are not counted.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from courtly.adapters import gymnasium as heroes
from courtly.adapters import pettingzoo as zoo
from courtly.bots.registry import has_move_policy
from courtly.engine.game import Game, find_game, game_ids

ROUNDS = 5  # measurements, of which the median is printed
GAME_OPTIONS = {"petition": {"round_limit": 20}}  # without a limit, random games hardly ever end


@click.command()
@click.option("--seconds", default=1.0, show_default=True, help="Processor time for each figure, in seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("names", nargs=-1)
def main(seconds: float, as_json: bool, names: tuple[str, ...]) -> None:
    for game in map(find_game, names or game_ids()):
        environments = {
            "env": step_agents(zoo.env(game.id, **GAME_OPTIONS.get(game.id, {}))),
            "raw_env": step_agents(zoo.raw_env(game.id, **GAME_OPTIONS.get(game.id, {}))),
            "against random": step_hero(game, "random"),
            **({"against policy": step_hero(game, "policy")} if has_move_policy(game) else {}),
            "against squire": step_hero(game, "squire"),
        }
        rates = {name: measure_rate(steps, seconds) for name, steps in environments.items()}
        if as_json:
            click.echo(json.dumps({"game": game.id, "decisions_per_s": rates}))
        else:
            click.echo(f"{game.id:10} " + "  ".join(f"{name} {n:7,.0f}" for name, n in rates.items()))


def choose_action(mask: Any) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[int(random.random() * len(legal))])


def step_agents(env: Any) -> Iterator[None]:
    """Yield after each decision, endlessly."""
    seed = 0
    while True:
        env.reset(seed=seed)
        seed += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(choose_action(observation["action_mask"]))
                yield


def step_hero(game: Game, opponents: str) -> Iterator[None]:
    env = heroes.HeroEnv(game.id, opponents=opponents, **GAME_OPTIONS.get(game.id, {}))
    seed = 0
    while True:
        _, info = env.reset(seed=seed)
        seed += 1
        is_over = False
        while not is_over:
            _, _, terminated, truncated, info = env.step(choose_action(info["action_mask"]))
            is_over = terminated or truncated
            yield


def measure_rate(steps: Iterator[None], seconds: float) -> int:
    """Return decisions per second of processor time."""
    next(steps)
    rates = []
    for _ in range(ROUNDS):
        decisions, start_time = 0, time.process_time()
        while time.process_time() < start_time + seconds / ROUNDS:
            for _ in range(20):
                next(steps)
            decisions += 20
        rates.append(decisions / (time.process_time() - start_time))
    return round(statistics.median(rates))


if __name__ == "__main__":
    main()

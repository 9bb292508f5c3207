"""Measures OpenSpiel's Python interface, in decisions per second of processor time: the usual loop with its random
events; the same with every player's information state; with copies; and `rl_environment`, which has every player's
observation at each step. Medians.

    python benchmarks/openspiel.py [--seconds 1] [--repeats 5] [GAME …]     e.g. "necklace(players=3)", kuhn_poker
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import click
import pyspiel
from open_spiel.python import rl_environment

from courtly.adapters import openspiel

GAMES = ("petition(players=2,round_limit=20)", "cardinal", "necklace(players=3)", "newtown", "puppet(players=3)")


@click.command()
@click.option("--seconds", default=1.0, show_default=True, help="Processor time of each measurement.")
@click.option("--repeats", default=5, show_default=True, help="Number of measurements.")
@click.argument("names", nargs=-1)
def main(seconds: float, repeats: int, names: tuple[str, ...]) -> None:
    assert openspiel
    registered_names = pyspiel.registered_names()
    for name in names or GAMES:
        our_name = f"courtly_{name}"
        game = pyspiel.load_game(our_name if our_name.partition("(")[0] in registered_names else name)
        rates = [f"{label} {median_rate(play, game, seconds, repeats):,.0f}/s" for label, play in MEASURED.items()]
        click.echo(f"{name}: {', '.join(rates)}")


def median_rate(play: Callable[[Any, random.Random], int], game: Any, seconds: float, repeats: int) -> float:
    r, rates = random.Random(1), []
    play(game, r)
    for _ in range(repeats):
        start_time, n = time.process_time(), 0
        while (elapsed := time.process_time() - start_time) < seconds:
            n += play(game, r)
        rates.append(n / elapsed)
    return statistics.median(rates)


def step(state: Any, r: random.Random) -> int:
    """Apply a random action or event. Return 1 for an action, 0 for an event."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(r.choices(outcomes, chances)[0])
        return 0
    state.apply_action(r.choice(state.legal_actions()))
    return 1


def play_loop(game: Any, r: random.Random) -> int:
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        decisions += step(state, r)
    return decisions


def play_with_information_states(game: Any, r: random.Random) -> int:
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if not state.is_chance_node():
            for player in range(game.num_players()):
                state.information_state_string(player)
        decisions += step(state, r)
    return decisions


def play_with_copies(game: Any, r: random.Random) -> int:
    """Play a game, copying the state before each decision."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        state = state.clone()
        decisions += step(state, r)
    return decisions


def play_environment(game: Any, r: random.Random) -> int:
    env, decisions = rl_environment.Environment(game), 0
    time_step = env.reset()
    while not time_step.last():
        observations = time_step.observations
        time_step = env.step([r.choice(observations["legal_actions"][observations["current_player"]])])
        decisions += 1
    return decisions


MEASURED = {
    "loop": play_loop,
    "with information states": play_with_information_states,
    "with copies": play_with_copies,
    "rl_environment": play_environment,
}

if __name__ == "__main__":
    main()

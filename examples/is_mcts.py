"""OpenSpiel's information set Monte Carlo tree search (IS-MCTS) against Courtly's bots, with compiled random playouts.

It prints the mean place of the search (100 %: always first, 0 %: always last) for each number of simulations per
decision.

    python examples/is_mcts.py [--game cardinal] [--against random] [--games 24] [SIMULATIONS …]

Needs courtly[research]. In some minutes it prints:

    simulations  mean place in 24 games of cardinal against random
              8   68.8%
             32   64.6%
            128  100.0%

With fewer simulations than legal moves, of which there are often thirty, each move is tried at most once, and the
choice is random.
"""

import os
import random
import time
from concurrent.futures import ProcessPoolExecutor

import click
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

from courtly.adapters.openspiel import CourtlyState, NativeEvaluator
from courtly.bots.registry import find_bot
from courtly.engine.rng import make_generator


@click.command()
@click.option("--game", default="cardinal", show_default=True, help="Id of a game with hidden information.")
@click.option("--against", default="random", show_default=True, help="Opponents: random or squire.")
@click.option("--games", default=24, show_default=True, help="Number of games.")
@click.argument("simulations", nargs=-1, type=int)
def main(game: str, against: str, games: int, simulations: tuple[int, ...]) -> None:
    print(f"simulations  mean place in {games} games of {game} against {against}")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for most in simulations or (8, 32, 128):
            begun = time.perf_counter()
            tables = [(game, against, most, number) for number in range(games)]
            returns = [(value + 1) / 2 for value in pool.map(played, *zip(*tables, strict=True))]
            print(f"{most:11}  {np.mean(returns):6.1%}   {time.perf_counter() - begun:.0f} s", flush=True)


def played(name: str, against: str, simulations: int, number: int) -> float:
    """Return the place of the search in one game, from -1 to 1. The search takes each seat in turn."""
    game = pyspiel.load_game(f"courtly_{name}")  # with the fewest players
    r, rng, mine = random.Random(number), make_generator(number), number % game.num_players()
    search = ismcts.ISMCTSBot(
        game, NativeEvaluator(game, number=number), 1.0, simulations, random_state=np.random.RandomState(number)
    )
    search.set_resampler(lambda state, player: state.resample_from_infostate(player, r.random))  # reproducible
    bot, state = find_bot(game.courtly, against), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            events, chances = zip(*state.chance_outcomes(), strict=True)
            action = r.choices(events, chances)[0]
        elif state.current_player() == mine:
            action = search.step(state)
        else:
            action = bot(game.courtly, current_view(state), rng)
        state.apply_action(action)
    return float(state.returns()[mine])


def current_view(state: CourtlyState) -> dict:
    """Return the view from which Courtly's bots decide: that of the current player."""
    return state.line.position.view(state.current_player())


if __name__ == "__main__":
    main()

"""Counterfactual regret minimization by OpenSpiel (CFR+) on the tiny court, until nobody can do better: how far each
player still is from a best reply, on the average, and in the end the bids of the equilibrium.

    python examples/cfr.py [--iterations 1000] [--honours 1]          it needs courtly[research]

It prints, in 15 seconds of processor time:

    iterations  exploitability
             1  0.407407
            10  0.008215
           100  0.000089
          1000  0.000001
"""

import os
import sys
import time
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parent / "tiny_court"))
os.environ["COURTLY_GAMES"] = "tiny_court"

import pyspiel

from courtly.adapters import openspiel

assert openspiel  # with it OpenSpiel knows our games


@click.command()
@click.option("--iterations", default=1000, show_default=True)
@click.option("--honours", type=click.IntRange(1, 2), default=1, show_default=True, help="2: ten times as long")
def main(iterations: int, honours: int) -> None:
    game = pyspiel.load_game("courtly_tiny_court", {"honours": honours})
    solver = pyspiel.CFRPlusSolver(game)
    print("iterations  exploitability")
    for n in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if n == iterations or n in (10**k for k in range(9)):
            print(f"{n:10}  {pyspiel.exploitability(game, solver.average_policy()):.6f}", flush=True)
    policy = solver.average_policy()
    print("\nchances to bid nothing, a coin, two coins; who knows")
    for told, chances in sorted(bids(game.new_initial_state(), policy).items()):
        print(*(f"{chance:6.3f}" for chance in chances), told)
    worth = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    print(f"\nworth to each player: {worth[0]:+.6f} {worth[1]:+.6f}; {time.process_time():.0f} s")


def bids(state: "pyspiel.State", policy: "pyspiel.Policy") -> dict[str, list[float]]:
    """The first bids of the first player, by what it was told."""
    if state.is_chance_node():
        return {k: v for action in state.legal_actions() for k, v in bids(state.child(action), policy).items()}
    chances = policy.action_probabilities(state)
    told = state.information_state_string().replace("\nchance", ",")
    return {told: [chances[action] for action in state.legal_actions()]}


if __name__ == "__main__":
    main()

"""Solves the tiny court by OpenSpiel's counterfactual regret minimization (CFR+) and prints the exploitability of the
average policy, and at the end the bids of the equilibrium.

    python examples/cfr.py [--iterations 1000] [--honours 1]          needs courtly[research]

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

assert openspiel  # the import registers the games


@click.command()
@click.option("--iterations", default=1000, show_default=True, help="Number of CFR+ iterations.")
@click.option(
    "--honours",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="Number of honours; 2 takes ten times as long.",
)
def main(iterations: int, honours: int) -> None:
    game = pyspiel.load_game("courtly_tiny_court", {"honours": honours})
    solver = pyspiel.CFRPlusSolver(game)
    print("iterations  exploitability")
    for n in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if n == iterations or n in (10**k for k in range(9)):
            print(f"{n:10}  {pyspiel.exploitability(game, solver.average_policy()):.6f}", flush=True)
    policy = solver.average_policy()
    print("\nprobabilities to bid 0, 1 and 2 coins; information state")
    for information, chances in sorted(bids(game.new_initial_state(), policy).items()):
        print(*(f"{chance:6.3f}" for chance in chances), information)
    worth = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    print(f"\nvalue for each player: {worth[0]:+.6f} {worth[1]:+.6f}; {time.process_time():.0f} s")


def bids(state: "pyspiel.State", policy: "pyspiel.Policy") -> dict[str, list[float]]:
    """Return the probabilities of the first player's bids, by information state."""
    if state.is_chance_node():
        return {k: v for action in state.legal_actions() for k, v in bids(state.child(action), policy).items()}
    chances = policy.action_probabilities(state)
    information = state.information_state_string().replace("\nchance", ",")
    return {information: [chances[action] for action in state.legal_actions()]}


if __name__ == "__main__":
    main()

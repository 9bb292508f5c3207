"""Measure which bots without Python are as strong as the page and the squire, each alone among squires.

    python benchmarks/browser_levels.py [--games 200] [--bots search:20,policy:4] [--players 3] [GAME …]

A browser has no page and no squire, which are ordinary Python. It has searches with any number of simulations, and
policies that make some decisions at random. For each game this prints the share of victories with its 95 % interval
(Wilson): "policy:4" makes one decision in four at random.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from courtly.engine.game import find_game, game_ids
from courtly.lab.strength.ladder import REFERENCE_BOT, Pairing, compute_standings, play_ladder, share_text

SEED = 1
BOTS = "page,policy:3,policy:6,policy:12,policy,search:5,search:10,search:20,search:40"


@click.command()
@click.argument("games", nargs=-1)
@click.option("--games", "games_per_bot", default=200, help="Least number of games of each bot.")
@click.option("--bots", default=BOTS, help="The bots, with commas.")
@click.option("--players", type=int, default=None, help="Number of players. Default: the fewest and the most.")
def main(games: tuple[str, ...], games_per_bot: int, bots: str, players: int | None) -> None:
    """Print the share of victories of each bot alone among squires."""
    for name in games or game_ids():
        game = find_game(name)
        for count in [players] if players else sorted({game.players[0], game.players[-1]}):
            pairings = [Pairing(count, bot, REFERENCE_BOT, games_per_bot) for bot in bots.split(",")]
            with tempfile.TemporaryDirectory() as folder:
                results = play_ladder(game, pairings, SEED, Path(folder) / "games.jsonl")
            for standing in compute_standings(results):
                if standing.bot != REFERENCE_BOT:
                    print(name, count, "players", standing.bot, share_text(standing.shares[REFERENCE_BOT]), flush=True)


if __name__ == "__main__":
    main()

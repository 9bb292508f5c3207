"""Measures a bot's win share against another bot, with its 95 % interval, and the time of its decisions.

    python benchmarks/bots.py [--bot heuristic] [--against random] [--games 200] [--most] [GAME …]
    python benchmarks/bots.py --bot search:2000 --against heuristic --games 40

Each deal is played once from every seat. A search has a fixed number of simulations, so its win share does not depend
on the machine.
"""

from __future__ import annotations

import time
from itertools import count

import click
from scipy.stats import binomtest

from courtly.bots.registry import find_bot, warm_up_bot
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate


@click.command()
@click.option("--bot", default="heuristic", show_default=True, help="The bot to measure.")
@click.option("--against", default="random", show_default=True, help="The bot in all other seats.")
@click.option("--games", default=200, show_default=True, help="Number of games.")
@click.option("--seed", default=1000, show_default=True, help="Seed of the games.")
@click.option("--most", is_flag=True, help="Play with the most players instead of the fewest.")
@click.argument("names", nargs=-1)
def main(bot: str, against: str, games: int, seed: int, most: bool, names: tuple[str, ...]) -> None:
    for game in map(find_game, names or game_ids()):
        try:
            warm_up_bot(find_bot(game, bot))
            find_bot(game, against)
        except LookupError as error:
            click.echo(error)
            continue
        players = game.players[-1 if most else 0]
        click.echo(
            f"{game.id}: {measure_strength(game, players, bot, against, games, seed)}; "
            f"{measure_pace(game, players, bot)}"
        )


def measure_strength(game: Game, players: int, bot: str, against: str, games: int, seed: int) -> str:
    """Return the win share of one bot alone among copies of the other, each deal from every seat, as text."""
    deals = -(-games // players)
    wins = 0.0
    for seat in range(players):
        bots = tuple(bot if k == seat else against for k in range(players))
        wins += simulate(Plan(game.id, players, deals, seed, {}, bots))["wins"][seat]
    played = deals * players
    low, high = binomtest(round(wins), played).proportion_ci(method="wilson")
    share = f"{wins / played:.1%} (95 % interval {low:.1%} to {high:.1%}; par {1 / players:.1%})"
    return f"{wins:g} of {played} games won by {bot} against {against}, {players} players: {share}"


def measure_pace(game: Game, players: int, bot: str, decisions: int = 300) -> str:
    """Return the processor time of its decisions among several moves, in games among its like, as text."""
    choose, rng = find_bot(game, bot), make_generator(1)
    times: list[float] = []
    for number in count():
        position, luck = Position(game, players), make_generator(2, number)
        while not position.over:
            if position.chance:
                position.happen(luck)
                continue
            view = position.view(position.pending[0])
            start_time = time.process_time()
            move = choose(game, view, rng)
            if len(view["legal"]) > 1:
                times.append(1000 * (time.process_time() - start_time))
            if len(times) == decisions:
                return f"mean {sum(times) / decisions:.2f} ms, slowest {max(times):.1f} ms"
            position.apply(position.pending[0], move)
    raise AssertionError("games never end")


if __name__ == "__main__":
    main()

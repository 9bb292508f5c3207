"""How well and how fast each game's heuristic plays: its share of victories against random players, with a 95 %
interval, and its slowest answer.

    python benchmarks/bots.py [--games 200] [GAME …]
"""

from __future__ import annotations

import time

import click
from scipy.stats import binomtest

from courtly.bots import bot_names, find_bot
from courtly.engine.chance import Seeded, generator
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.match import Match
from courtly.lab.plan import Plan
from courtly.lab.simulate import simulate


@click.command()
@click.option("--games", default=200, show_default=True)
@click.argument("names", nargs=-1)
def main(games: int, names: tuple[str, ...]) -> None:
    for game in map(find_game, names or game_ids()):
        if "heuristic" in bot_names(game):
            click.echo(f"{game.id}: {strength(game, games)}; {slowest(game)}")


def strength(game: Game, games: int) -> str:
    """One heuristic, in each seat for the same number of games, against random players; as few players as can play."""
    players = game.players[0]
    won, played = 0.0, 0
    for seat in range(players):
        bots = tuple("heuristic" if k == seat else "random" for k in range(players))
        result = simulate(Plan(game.id, players, games // players, 1000 + seat, {}, bots))
        won += result["wins"][seat]
        played += games // players
    low, high = binomtest(round(won), played).proportion_ci(method="wilson")
    share = f"{won / played:.1%} (95 % interval {low:.1%} to {high:.1%})"
    return f"{won:g} of {played} games won with {players} players: {share}"


def slowest(game: Game, games: int = 3) -> str:
    """The longest that a heuristic thought about one decision in games among its like, as many as can play."""
    choose = find_bot(game, "heuristic")
    times = []
    for number in range(games):
        match = Match(game, game.players[-1], {}, Seeded(number))
        mind = generator(number)
        while not match.over:
            seat = match.pending[0]
            seen = match.view(seat)
            started = time.perf_counter()
            move = choose(game, seen, mind)
            times.append(time.perf_counter() - started)
            match.play(seat, move)
    times.sort()
    median, worst = times[len(times) // 2] * 1000, times[-1] * 1000
    return f"{len(times) // games} decisions a game, median {median:.2f} ms, slowest {worst:.1f} ms"


if __name__ == "__main__":
    main()

"""Are the chances of winning that a review tells true?

    python benchmarks/calibration.py petition --players 2 --games 100

Bots play; at some decisions of each game the chances of every seat after the move that is made are simulated, from what
its player knows. Printed: their Brier score beside that of saying the same of every seat, how far they are off on
average, and a table: of what was said to be so likely, how much was won.
"""

from __future__ import annotations

import json
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import click

from courtly.bots import find_bot
from courtly.engine.chance import generator
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.lab.calibration import Said, brier, gap, reliability
from courtly.review import outcome, searching


@click.command()
@click.argument("game")
@click.option("--players", type=int, help="Default: the fewest.")
@click.option("--games", default=100, show_default=True)
@click.option("--decisions", default=8, show_default=True, help="Of each game that are looked at.")
@click.option("--simulations", default=400, show_default=True)
@click.option("--bot", default="heuristic", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--cores", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(
    game: str,
    players: int | None,
    games: int,
    decisions: int,
    simulations: int,
    bot: str,
    seed: int,
    cores: int,
    as_json: bool,
) -> None:
    players = players or find_game(game).players[0]
    searching(game, simulations).warm()
    with ProcessPoolExecutor(cores) as pool:
        work = pool.map(partial(told, game, players, decisions, simulations, bot, seed), range(games))
        said = [one for game_of in work for one in game_of]
    even = brier(one._replace(chance=1 / players) for one in said)
    if as_json:
        found = {"brier": brier(said), "even": even, "gap": gap(said), "bins": [b._asdict() for b in reliability(said)]}
        click.echo(json.dumps({"game": game, "players": players, "games": games, "bot": bot, **found}))
        return
    click.echo(
        f"{game}, {players} players, {games} games of {bot}, {len(said)} chances from {simulations} simulations: "
        f"Brier {brier(said):.3f} (all the same: {even:.3f}), off by {gap(said):.3f}"
    )
    for b in reliability(said):
        click.echo(f"  {b.least:.1f}-{b.most:.1f}  {b.times:5}  said {b.said:.2f}  came {b.came:.2f}")


def told(name: str, players: int, decisions: int, simulations: int, bot: str, seed: int, number: int) -> list[Said]:
    """What is said at some decisions of one game of bots, and what came."""
    game = find_game(name)
    position, rng = Position(game, players), generator(seed, number)
    choose, minds = find_bot(game, bot), [generator(seed + 1 + seat, number) for seat in range(players)]
    met = []
    while not position.over:
        if position.chance:
            position.happen(rng)
            continue
        seat = position.pending[0]
        view = position.view(seat)
        only = len(view["legal"]) == 1
        move = view["legal"][0]["id"] if only else choose(game, view, minds[seat])
        if not only:
            met.append((view, move))
        position.apply(seat, move)
    assert position.scores is not None
    came, search, said = outcome(position.scores), searching(name, simulations), list[Said]()
    for i, (view, move) in enumerate(random.Random(number).sample(met, min(decisions, len(met)))):
        said += map(Said, search.chances(view, move, i).shares, came)
    return said


if __name__ == "__main__":
    main()

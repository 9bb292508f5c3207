"""Are the chances of winning that a review tells true?

    python benchmarks/calibration.py petition --players 2 --games 100 [--seed 2]

Bots play; at some decisions of each game the chances of every seat after the move that is made are simulated, from what
its player knows. Printed: their Brier score beside that of saying the same of every seat, how far they are off on
average, both also for the bare victories (tools/chances.py finds how far these are to be believed, from games of seed
1), and a table: of what was said to be so likely, how much was won.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import click

from courtly.bots.search.probability_calibration import load_trust
from courtly.engine.game import find_game
from courtly.lab.statistics.calibration import (
    DecisionForecast,
    brier_score,
    calibration_error,
    forecast_game,
    reliability_bins,
    to_predictions,
)
from courtly.review.analysis import load_search


@click.command()
@click.argument("game")
@click.option("--players", type=int, help="Default: the fewest.")
@click.option("--games", default=100, show_default=True)
@click.option("--decisions", default=8, show_default=True, help="Of each game that are looked at.")
@click.option("--simulations", default=400, show_default=True)
@click.option("--bot", default="heuristic", show_default=True)
@click.option("--seed", default=2, show_default=True)
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
    load_search(game, simulations).warm()
    with ProcessPoolExecutor(cores) as pool:
        work = pool.map(partial(forecast, game, players, bot, decisions, simulations, seed), range(games))
        met = [one for of_a_game in work for one in of_a_game]
    bare, told = to_predictions(met, 1), to_predictions(met, load_trust(find_game(game), players))
    even = brier_score(one._replace(chance=1 / players) for one in bare)
    if as_json:
        found = {
            "brier": brier_score(told),
            "even": even,
            "gap": calibration_error(told),
            "bins": [b._asdict() for b in reliability_bins(told)],
        }
        click.echo(json.dumps({"game": game, "players": players, "games": games, "bot": bot, **found}))
        return
    click.echo(
        f"{game}, {players} players, {games} games of {bot}, {len(told)} chances from {simulations} simulations: "
        f"Brier {brier_score(told):.3f} (bare {brier_score(bare):.3f}, all the same {even:.3f}), off by "
        f"{calibration_error(told):.3f} "
        f"(bare {calibration_error(bare):.3f})"
    )
    for b in reliability_bins(told):
        click.echo(f"  {b.least:.1f}-{b.most:.1f}  {b.times:5}  said {b.said:.2f}  came {b.came:.2f}")


def forecast(
    name: str, players: int, bot: str, decisions: int, simulations: int, seed: int, number: int
) -> list[DecisionForecast]:
    return forecast_game(load_search(name, simulations), players, bot, decisions, seed, number)


if __name__ == "__main__":
    main()

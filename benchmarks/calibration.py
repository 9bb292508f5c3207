"""Evaluates the calibration of the win probabilities that a review shows.

    python benchmarks/calibration.py petition --players 2 --games 100 [--seed 2]

Bots play games. At some decisions a search predicts every seat's share of victories after the move, from what the
player knows. Printed are the Brier score, also that of a uniform prediction, and the calibration error, both also for
uncalibrated predictions (tools/chances.py calibrates them, by games of seed 1), and a reliability table.
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
@click.option("--players", type=int, help="Number of players. Default: the fewest.")
@click.option("--games", default=100, show_default=True, help="Number of games.")
@click.option("--decisions", default=8, show_default=True, help="Decisions per game at which the search predicts.")
@click.option("--simulations", default=400, show_default=True, help="Simulations per decision.")
@click.option("--bot", default="heuristic", show_default=True, help="The bot that plays.")
@click.option("--seed", default=2, show_default=True, help="Seed of the games.")
@click.option("--cores", default=1, show_default=True, help="Number of processes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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
        forecasts = [one for of_a_game in work for one in of_a_game]
    uncalibrated, calibrated = (
        to_predictions(forecasts, 1),
        to_predictions(forecasts, load_trust(find_game(game), players)),
    )
    even_score = brier_score(one._replace(chance=1 / players) for one in uncalibrated)
    if as_json:
        found = {
            "brier": brier_score(calibrated),
            "even": even_score,
            "gap": calibration_error(calibrated),
            "bins": [b._asdict() for b in reliability_bins(calibrated)],
        }
        click.echo(json.dumps({"game": game, "players": players, "games": games, "bot": bot, **found}))
        return
    click.echo(
        f"{game}, {players} players, {games} games of {bot}, {len(calibrated)} predictions by "
        f"{simulations} simulations: "
        f"Brier score {brier_score(calibrated):.3f} (uncalibrated {brier_score(uncalibrated):.3f}, uniform "
        f"{even_score:.3f}), calibration "
        f"error {calibration_error(calibrated):.3f} (uncalibrated {calibration_error(uncalibrated):.3f})"
    )
    for b in reliability_bins(calibrated):
        click.echo(f"  {b.lowest:.1f}-{b.highest:.1f}  {b.times:5}  predicted {b.predicted:.2f}  won {b.outcome:.2f}")


def forecast(
    name: str, players: int, bot: str, decisions: int, simulations: int, seed: int, number: int
) -> list[DecisionForecast]:
    return forecast_game(load_search(name, simulations), players, bot, decisions, seed, number)


if __name__ == "__main__":
    main()

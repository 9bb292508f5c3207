"""Calibrates the win probabilities that a search predicts for a game, and writes its `chances.json`.

    python tools/chances.py necklace --games 200

For each number of players, the bots play games in turns. At some of their decisions a search predicts the shares of
victories. The exponent that makes these predictions most accurate is fitted
(courtly.bots.search.probability_calibration). `benchmarks/calibration.py` with another seed evaluates the result.
"""

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import click
from scipy.optimize import minimize_scalar

from courtly.bots.search.probability_calibration import CALIBRATION_FILE
from courtly.engine.game import find_game
from courtly.lab.provenance import source_commit
from courtly.lab.statistics.calibration import (
    DecisionForecast,
    brier_score,
    calibration_error,
    forecast_game,
    to_predictions,
)
from courtly.review.analysis import load_search

SEED = 1
DECISIONS_PER_GAME = 10  # decisions of each game at which the search predicts
SIMULATIONS = 400


@click.command()
@click.argument("name")
@click.option(
    "--bots", default="squire,search:200", show_default=True, help="Comma-separated bots that play the games in turns."
)
@click.option("--games", default=200, show_default=True, help="Number of games for each number of players.")
@click.option("--cores", default=2, show_default=True, help="Number of processes.")
def main(name: str, bots: str, games: int, cores: int) -> None:
    game, sources = find_game(name), source_commit()
    trust, reports = {}, {}
    load_search(name, SIMULATIONS).warm()
    for players in game.players:
        with ProcessPoolExecutor(cores) as pool:
            work = pool.map(partial(play_game, name, players, bots.split(",")), range(games))
            predictions = [prediction for of_one in work for prediction in of_one]
        power = minimize_scalar(
            lambda power, predictions: brier_score(to_predictions(predictions, power)),
            bounds=(0.1, 3),
            args=(predictions,),
        ).x
        uncalibrated, calibrated = to_predictions(predictions, 1), to_predictions(predictions, power)
        trust[players] = round(power, 2)
        reports[players] = (
            f"{len(predictions)} decisions of {games} games: Brier score {brier_score(uncalibrated):.4f}, "
            f"calibrated {brier_score(calibrated):.4f}; calibration error {calibration_error(uncalibrated):.3f}, "
            f"calibrated {calibration_error(calibrated):.3f}"
        )
        click.echo(f"{players}: {trust[players]}, {reports[players]}")
    command = f"python tools/chances.py {name} --bots {bots} --games {games}"
    content = {
        "made": command,
        "seed": SEED,
        "games": games * len(trust),
        "commit": sources,
        "told": reports,
        "trust": trust,
    }
    (game.folder / CALIBRATION_FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def play_game(name: str, players: int, bots: list[str], number: int) -> list[DecisionForecast]:
    return forecast_game(
        load_search(name, SIMULATIONS), players, bots[number % len(bots)], DECISIONS_PER_GAME, SEED, number
    )


if __name__ == "__main__":
    main()

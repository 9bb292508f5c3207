"""Calibration of win probabilities: of events predicted with probability 0.7, 70 % should happen."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

from courtly.bots.registry import find_bot
from courtly.bots.search.probability_calibration import calibrate_all
from courtly.bots.search.search import Search
from courtly.bots.secret_choices import reopen_choices
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.review.analysis import victory_shares


class Prediction(NamedTuple):
    """A predicted probability, and the outcome from 0 to 1."""

    chance: float
    outcome: float


class DecisionForecast(NamedTuple):
    """The predicted shares of victories after a seat's move, and the actual shares at the end."""

    seat: int
    shares: list[float]
    outcomes: list[float]


class ReliabilityBin(NamedTuple):
    """The predictions between two bounds: their number, mean prediction (`predicted`) and mean outcome (`outcome`)."""

    lowest: float
    highest: float
    times: int
    predicted: float
    outcome: float


def brier_score(predictions: Iterable[Prediction]) -> float:
    """Return the mean squared error of predictions; 0 is perfect. Raises ValueError if there are none."""
    squares = [(chance - outcome) ** 2 for chance, outcome in predictions]
    if not squares:
        raise ValueError("no predictions")
    return sum(squares) / len(squares)


def reliability_bins(predictions: Iterable[Prediction], bins: int = 10) -> list[ReliabilityBin]:
    """Return predictions grouped by probability. Empty bins are left out.

    Args:
        predictions: The predictions.
        bins: Number of bins of equal width.
    """
    inside: list[list[Prediction]] = [[] for _ in range(bins)]
    for prediction in predictions:
        inside[min(int(prediction.chance * bins), bins - 1)].append(prediction)
    return [
        ReliabilityBin(
            i / bins,
            (i + 1) / bins,
            len(bin_predictions),
            sum(prediction.chance for prediction in bin_predictions) / len(bin_predictions),
            sum(prediction.outcome for prediction in bin_predictions) / len(bin_predictions),
        )
        for i, bin_predictions in enumerate(inside)
        if bin_predictions
    ]


def calibration_error(predictions: Iterable[Prediction], bins: int = 10) -> float:
    """Return the expected calibration error: the mean absolute difference between prediction and outcome over bins.

    Args:
        predictions: The predictions.
        bins: Number of bins of equal width.
    """
    filled_bins = reliability_bins(predictions, bins)
    return sum(b.times * abs(b.predicted - b.outcome) for b in filled_bins) / sum(b.times for b in filled_bins)


def forecast_game(
    search: Search, players: int, bot: str, decisions: int, seed: int, number: int
) -> list[DecisionForecast]:
    """Play one game of bots and predict shares of victories at some of its decisions.

    Args:
        search: The search that predicts, from what the deciding seat sees.
        players: Number of players.
        bot: Name of the bot that plays every seat.
        decisions: Largest number of decisions to predict at.
        seed: Seed of the game.
        number: Number of the game.
    """
    game = search.game
    position, rng = Position(game, players), make_generator(seed, number)
    choose, rngs = find_bot(game, bot), [make_generator(seed + 1 + seat, number) for seat in range(players)]
    decision_points = []
    while not position.over:
        if position.chance:
            position.happen(rng)
            continue
        seat = position.pending[0]
        view = position.view(seat)
        is_forced = len(view["legal"]) == 1
        move = view["legal"][0]["id"] if is_forced else choose(game, view, rngs[seat])
        if not is_forced:
            decision_points.append((seat, view, move))
        position.apply(seat, move)
    assert position.scores is not None
    outcomes = victory_shares(position.scores)
    sampled = random.Random(number).sample(decision_points, min(decisions, len(decision_points)))
    return [
        DecisionForecast(seat, search.tally(reopen_choices(game, view), move, i).shares, outcomes)
        for i, (seat, view, move) in enumerate(sampled)
    ]


def to_predictions(forecasts: Iterable[DecisionForecast], trust: float) -> list[Prediction]:
    """Return the calibrated prediction for each seat of each forecast.

    Args:
        forecasts: The forecasts.
        trust: The game's calibration exponent; 1 leaves predictions unchanged.
    """
    return [
        Prediction(*pair)
        for seat, shares, outcomes in forecasts
        for pair in zip(calibrate_all(shares, seat, trust), outcomes, strict=True)
    ]

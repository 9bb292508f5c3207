"""Are chances true? Of what is said to happen in 7 of 10 cases, 7 of 10 should happen."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

from courtly.bots.registry import find_bot
from courtly.bots.search.probability_calibration import calibrate_all
from courtly.bots.search.search import Search
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.review.analysis import victory_shares


class Prediction(NamedTuple):
    """What was said beforehand of something, from 0 to 1, and how much of it came true."""

    chance: float
    came: float


class DecisionForecast(NamedTuple):
    """The shares of victories that were found for a seat after its move, and what each had of it in the end."""

    seat: int
    shares: list[float]
    came: list[float]


class ReliabilityBin(NamedTuple):
    """All that was said between two bounds: how often, what on average, and how much of it came true on average."""

    least: float
    most: float
    times: int
    said: float
    came: float


def brier_score(told: Iterable[Prediction]) -> float:
    """How far what was said is from what came, squared, on average: 0 is perfect. ValueError if nothing was said."""
    squares = [(chance - came) ** 2 for chance, came in told]
    if not squares:
        raise ValueError("nothing was said")
    return sum(squares) / len(squares)


def reliability_bins(told: Iterable[Prediction], bins: int = 10) -> list[ReliabilityBin]:
    """What was said, by how likely it was said to be; bins in which there is nothing are left out."""
    inside: list[list[Prediction]] = [[] for _ in range(bins)]
    for said in told:
        inside[min(int(said.chance * bins), bins - 1)].append(said)
    return [
        ReliabilityBin(
            i / bins,
            (i + 1) / bins,
            len(these),
            sum(said.chance for said in these) / len(these),
            sum(said.came for said in these) / len(these),
        )
        for i, these in enumerate(inside)
        if these
    ]


def calibration_error(told: Iterable[Prediction], bins: int = 10) -> float:
    """By how much what was said is off, on average over all that was said: the expected calibration error."""
    found = reliability_bins(told, bins)
    return sum(b.times * abs(b.said - b.came) for b in found) / sum(b.times for b in found)


def forecast_game(
    search: Search, players: int, bot: str, decisions: int, seed: int, number: int
) -> list[DecisionForecast]:
    """What is found at some decisions of one game of bots, from what whoever makes them knows, and what came."""
    game = search.game
    position, rng = Position(game, players), make_generator(seed, number)
    choose, minds = find_bot(game, bot), [make_generator(seed + 1 + seat, number) for seat in range(players)]
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
            met.append((seat, view, move))
        position.apply(seat, move)
    assert position.scores is not None
    came = victory_shares(position.scores)
    looked = random.Random(number).sample(met, min(decisions, len(met)))
    return [
        DecisionForecast(seat, search.tally(view, move, i).shares, came) for i, (seat, view, move) in enumerate(looked)
    ]


def to_predictions(found: Iterable[DecisionForecast], trust: float) -> list[Prediction]:
    """What is said of that to be believed."""
    return [
        Prediction(*pair)
        for seat, shares, came in found
        for pair in zip(calibrate_all(shares, seat, trust), came, strict=True)
    ]

"""Luck and skill: a decomposition of the variance of victories.

The same deals are played with a stronger bot in every seat in turn, among weaker ones. The variance of what a seat wins
is split into parts: the seat, the presence of the stronger bot, chance (what stays with the seat through all rotations
of a deal), and the rest (the interaction of luck and play).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, inf, isfinite, log10
from typing import Any, NamedTuple

import numpy as np

from courtly.lab.batch import WIN_PARTS as VICTORY
from courtly.lab.batch import Batch
from courtly.lab.plan import Plan
from courtly.lab.runs.checkpoint import Accumulator
from courtly.lab.statistics.game_measures import JACKKNIFE_BATCHES, Estimate, estimate_proportion, jackknife_interval

ELO_SCALE = 400  # rating points that correspond to odds of 10 to 1


class VarianceParts(NamedTuple):
    """The shares of the variance of what a seat wins, and the strength of the bot among the others."""

    seats: Estimate
    strength: Estimate
    chance: Estimate
    rest: Estimate
    won: Estimate  # share of games that the stronger bot won
    rating: Estimate  # rating points by which it is stronger


def seat_turns(plan: Plan, strong: str, weak: str) -> list[Plan]:
    """Return copies of a plan with the stronger bot in each seat in turn.

    Args:
        plan: The plan.
        strong: Name of the stronger bot.
        weak: Name of the bot in all other seats.
    """
    seats = range(plan.players)
    return [plan._replace(bots=tuple(strong if seat == turn else weak for seat in seats)) for turn in seats]


class MirroredDeals(Accumulator):
    """Sums over deals that were played in every rotation."""

    SAVED_FIELDS = "_deals", "_sums", "_products"

    def __init__(self, players: int, deals: int):
        """Start without deals.

        Args:
            players: Number of players.
            deals: Number of deals of the whole plan.
        """
        self.players = players
        self.size = -(-deals // JACKKNIFE_BATCHES)
        groups = -(-deals // self.size)
        self._deals = np.zeros(groups)
        self._sums = np.zeros((groups, players, players))  # by rotation and seat, in 60ths: integers
        self._products = np.zeros((groups, players, players, players))  # by seat and two rotations

    def add(self, *batches: Batch) -> None:
        """Add the batches of the same deals in every rotation."""
        shares = np.stack([batch.shares for batch in batches], 1).astype(np.float64)  # deal, turn, seat
        group = (batches[0].first + np.arange(len(shares))) // self.size
        for group_number in np.unique(group):
            group_shares = shares[group == group_number]
            self._deals[group_number] += len(group_shares)
            self._sums[group_number] += group_shares.sum(0)
            self._products[group_number] += np.einsum("dts,dus->stu", group_shares, group_shares)

    def estimate(self) -> VarianceParts:
        """Return the decomposition with jackknife intervals."""
        deals = int(self._deals.sum())
        middle = self._parts(self._deals.sum(), self._sums.sum(0), self._products.sum(0))
        left_out = np.array(
            [
                self._parts(deals - n, self._sums.sum(0) - sums, self._products.sum(0) - products)
                for n, sums, products in zip(self._deals, self._sums, self._products, strict=True)
            ]
            if len(self._deals) > 1
            else [middle]
        )
        games = deals * self.players
        seats, strength, chance, rest = (
            jackknife_interval(value, left_out[:, i], games) for i, value in enumerate(middle)
        )
        won = estimate_proportion(round(float(np.einsum("btt->", self._sums)) / VICTORY), games)
        return VarianceParts(seats, strength, chance, rest, won, self._rating(won))

    def _parts(self, deals: float, sums: Any, products: Any) -> list[float]:
        p = self.players
        means = sums / deals  # by rotation and seat
        within = products / deals - np.einsum("ts,us->stu", means, means)  # by seat: covariance of two rotations
        within *= deals / max(1.0, deals - 1)
        own_covariance = float(np.einsum("stt->", within)) / p**2
        together = (float(within.sum()) - own_covariance * p**2) / (p * p * (p - 1)) if p > 1 else 0.0
        noise = float(np.einsum("stt->", within)) / p / p / deals  # sampling variance of the means
        between = float(((means - means.mean()) ** 2).mean())
        seats = float(((means.mean(0) - means.mean()) ** 2).mean())
        sampling_variance = float(within.sum()) / p**3 / deals  # sampling variance of a seat's mean over rotations
        total = between + own_covariance - noise
        if total <= 0:
            return [0.0, 0.0, 0.0, 0.0]
        parts = [seats - sampling_variance, between - seats - (noise - sampling_variance), together]
        return [float(part) / total for part in parts] + [1 - float(sum(parts)) / total]

    def _rating(self, won: Estimate) -> Estimate:
        """Return the rating difference that gives this share of victories among opponents of equal strength."""
        others = max(1, self.players - 1)

        def points(share: float) -> float:
            if share <= 0 or share >= 1:
                return inf if share >= 1 else -inf
            return ELO_SCALE * log10(share * others / (1 - share))

        return Estimate(points(won.value), points(won.low), points(won.high), won.sample)


def cumulate_ratings(steps: Iterable[Estimate]) -> list[Estimate]:
    """Return cumulative ratings from 0 for the weakest, given the independently measured steps."""
    ratings, height, below, above = [Estimate(0.0, 0.0, 0.0, 0)], 0.0, 0.0, 0.0
    for step in steps:
        if isfinite(step.value) and isfinite(height):
            below, above = hypot(below, step.value - step.low), hypot(above, step.high - step.value)
            height += step.value
            ratings.append(Estimate(height, height - below, height + above, step.sample))
        else:  # an infinite step: only the bounds of the interval add up
            height = step.value
            ratings.append(Estimate(height, ratings[-1].low + step.low, ratings[-1].high + step.high, step.sample))
    return ratings

"""Statistics of batches: means, shares and ratios with intervals, distributions, the worth of components, and notable
games.

Batches are added one after another, so memory does not depend on the number of games. Only integer sums are kept; they
are exact, so neither the number of cores nor the batch boundaries change a figure. All intervals are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import inf, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import stats
from scipy.linalg import pinvh

from courtly.lab.batch import WIN_PARTS as VICTORY
from courtly.lab.batch import Array, Batch
from courtly.lab.runs.checkpoint import Accumulator

CONFIDENCE_LEVEL = 0.95
JACKKNIFE_BATCHES = 100  # groups of consecutive games, each left out once
PROGRESS_PARTS = 10_000  # unit of a game's progress: ten-thousandths of its decisions
MAX_BINS = 1 << 16  # of a histogram; wider ranges are counted in coarser bins

GAME_FACTS = ("decisions", "events", "turns", "forced", "choices", "leads", "decided", "behind", "comeback", "margin")
ENDING_FACTS = ("tied", "broken", "always")  # shared victory; tie broken; winner never behind
SEAT_FACTS = ("share", "place", "points")  # by seat; by order of play; by seat
# facts whose distribution is kept, per game; "points" per seat
DISTRIBUTIONS = ("decisions", "turns", "seconds", "decided", "margin", "leads", "behind", "points")
EXTREME_KINDS = ("longest", "shortest", "margin", "comeback")


class Estimate(NamedTuple):
    """A figure with its interval, and the number of games that it is based on."""

    value: float
    low: float
    high: float
    sample: int


class HypothesisTest(NamedTuple):
    """A test statistic, its p-value, and the number of games."""

    statistic: float
    p: float
    sample: int


class Pace(NamedTuple):
    """Assumed time of a human player, in seconds."""

    choice: int = 12  # a decision with a choice
    rest: int = 2  # a decision without one, or a random event


class Histogram(Accumulator):
    """Counts of integers: exact within a range of MAX_BINS, else in bins of equal width."""

    SAVED_FIELDS = "width", "first", "counts"

    def __init__(self) -> None:
        self.width, self.first = 1, 0  # width of a bin; lowest number of the first bin
        self.counts = np.zeros(0, np.int64)

    def add(self, values: Any) -> None:
        """Count integers.

        Args:
            values: Integer array, shape (n,).
        """
        if not len(values):
            return
        low, high = int(values.min()), int(values.max())
        if len(self.counts):
            low, high = min(low, self.first), max(high, self.first + self.width * len(self.counts) - 1)
        while (high - low) // self.width + 2 > MAX_BINS:
            self._merge_bins()
        first = low - low % self.width
        if first < self.first or not len(self.counts):
            gap = (self.first - first) // self.width if len(self.counts) else 0
            self.counts = np.concatenate([np.zeros(gap, np.int64), self.counts])
            self.first = first
        counts = np.bincount((values.astype(np.int64) - self.first) // self.width, minlength=len(self.counts))
        counts[: len(self.counts)] += self.counts
        self.counts = counts

    def _merge_bins(self) -> None:
        """Double the width of the bins, which begin at multiples of it."""
        odd = self.first // self.width % 2
        counts = np.concatenate([np.zeros(odd, np.int64), self.counts])
        counts = np.concatenate([counts, np.zeros(len(counts) % 2, np.int64)])
        self.first -= odd * self.width
        self.width, self.counts = 2 * self.width, counts.reshape(-1, 2).sum(1)

    @property
    def sample(self) -> int:
        """The number of integers counted."""
        return int(self.counts.sum())

    def quantile(self, share: float) -> Estimate:
        """Return a quantile with its interval by order statistics.

        Args:
            share: The share of numbers below it, from 0 to 1.
        """
        n, upto = self.sample, self.counts.cumsum()
        low, high = stats.binom.interval(CONFIDENCE_LEVEL, n, share)
        ranks = (share * n, max(low, 0), min(high, n - 1) + 1)
        value, lowest, highest = (self.first + self.width * int(np.searchsorted(upto, max(1, r))) for r in ranks)
        return Estimate(value, lowest, highest, n)

    def share(self, low: float, high: float = inf) -> Estimate:
        """Return the share of numbers in a range, with its Wilson interval.

        Args:
            low: Lower bound, inclusive.
            high: Upper bound, exclusive.
        """
        values = self.first + self.width * np.arange(len(self.counts))
        return estimate_proportion(int(self.counts[(values >= low) & (values < high)].sum()), self.sample)


def estimate_proportion(count: int, sample: int) -> Estimate:
    """Return a proportion with its Wilson interval; 0, from 0 to 1, for an empty sample.

    Args:
        count: Number of successes.
        sample: Size of the sample.
    """
    if not sample:
        return Estimate(0.0, 0.0, 1.0, 0)
    interval = stats.binomtest(count, sample).proportion_ci(CONFIDENCE_LEVEL, "wilson")
    return Estimate(count / sample, float(interval.low), float(interval.high), sample)


class ExtremeGame(NamedTuple):
    """A notable game: why, its number, and the value that makes it notable."""

    kind: str
    game: int
    value: int


class Sums(NamedTuple):
    """Sums over games: of each fact; and for each component, the seats that own it (`held`) and their victories in
    60ths (`won`)."""

    games: float
    players: int
    facts: dict[str, float]
    held: Any
    won: Any

    def mean(self, fact: str) -> float:
        """Return a fact's mean per game."""
        return self.facts[fact] / self.games


class Tally(Accumulator):
    """The sums of a plan's games by group of consecutive games.

    The interval of any function of the sums comes from the jackknife: each group is left out once, and the variation of
    the result gives its standard error. For two variants with the same seeds, the same group is left out of both, so
    variation that they share cancels.
    """

    SAVED_FIELDS: ClassVar[tuple[str, ...]] = ("group_games", "facts", "held", "won")

    def __init__(self, players: int, components: tuple[str, ...], games: int):
        """Start without games.

        Args:
            players: Number of players.
            components: The names of the components that a seat can own; those after them are not counted.
            games: Number of games of the whole plan.
        """
        self.players, self.components = players, components
        self.size = -(-games // JACKKNIFE_BATCHES)
        self.groups = -(-games // self.size)
        self.names = fact_names(players)
        # integers in float64, all far below 2**53
        self.group_games = np.zeros(self.groups, np.float64)
        self.facts: Array = np.zeros((self.groups, len(self.names)), np.float64)
        self.held: Array = np.zeros((self.groups, len(components)), np.float64)
        self.won = np.zeros_like(self.held)

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        self._add_facts(batch, game_facts(batch))

    def _add_facts(self, batch: Batch, facts: Mapping[str, Any]) -> Array:
        """Add a batch, given its facts. Return these as a table, float64, of shape (games, names)."""
        table = np.stack([facts[name] for name in self.names], 1).astype(np.float64)
        is_owner = batch.owned[:, :, : len(self.components)] > 0
        held, won = is_owner.sum(1), (is_owner * batch.shares[:, :, None].astype(np.int64)).sum(1)
        group = (batch.first + np.arange(batch.games)) // self.size
        for into, rows in ((self.group_games, 1), (self.facts, table), (self.held, held), (self.won, won)):
            np.add.at(into, group, rows)
        return table

    @property
    def games(self) -> int:
        """The number of games added."""
        return int(self.group_games.sum())

    @cached_property
    def leave_one_out_sums(self) -> list[Sums]:
        """The sums without each of the groups. Valid once all games are added."""
        return [self.sums(group) for group in range(self.groups)]

    def sums(self, without: int | None = None) -> Sums:
        """Return the sums over all games, or without those of one group."""

        def total(array: Any) -> Any:
            return array.sum(0) - (0 if without is None else array[without])

        return Sums(
            float(total(self.group_games)),
            self.players,
            dict(zip(self.names, map(float, total(self.facts)), strict=True)),
            total(self.held),
            total(self.won),
        )


def jackknife_estimate(figure: Callable[..., float], *tallies: Tally) -> Estimate:
    """Return a function of sums with its jackknife interval.

    Args:
        figure: Computes the figure from the sums of each tally.
        *tallies: Tallies of the same games.
    """
    value = figure(*(t.sums() for t in tallies))
    left_out = np.array([figure(*left) for left in zip(*(t.leave_one_out_sums for t in tallies), strict=True)])
    return jackknife_interval(value, left_out, tallies[0].games)


class GameMeasures(Tally):
    """All statistics of one plan's games."""

    SAVED_FIELDS = (*Tally.SAVED_FIELDS, "_products", "spread", "worth", "_found")

    def __init__(self, players: int, components: tuple[str, ...], games: int, pace: Pace | None = None):
        """Start without games.

        Args:
            players: Number of players.
            components: The names of the components that a seat can own; () measures none.
            games: Number of games of the whole plan.
            pace: Assumed time of human players.
        """
        super().__init__(players, components, games)
        self.pace = pace or Pace()
        self._products: Array = np.zeros((len(self.names),) * 2, np.float64)
        self.spread = {name: Histogram() for name in DISTRIBUTIONS}
        self.worth = WorthRegression(self)
        self._found = np.full((len(EXTREME_KINDS), 2), -1)  # by kind: value, game

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        facts = game_facts(batch)
        table = self._add_facts(batch, facts)
        self._products += table.T @ table
        seconds = (facts["decisions"] - facts["forced"]) * self.pace.choice
        seconds = seconds + (facts["forced"] + facts["events"]) * self.pace.rest
        for name, histogram in self.spread.items():
            histogram.add(seconds if name == "seconds" else batch.points.ravel() if name == "points" else facts[name])
        self.worth.add(batch)
        longest = facts["decisions"]
        for row, values in zip(self._found, (longest, -longest, facts["margin"], facts["behind"]), strict=True):
            at = int(values.argmax())
            if row[1] < 0 or (int(values[at]), -batch.first - at) > (int(row[0]), -int(row[1])):
                row[:] = values[at], batch.first + at

    @property
    def extremes(self) -> dict[str, ExtremeGame]:
        """The notable games by kind; the first of several with the same value."""
        return {
            kind: ExtremeGame(kind, int(game), abs(int(value)))
            for kind, (value, game) in zip(EXTREME_KINDS, self._found, strict=True)
            if game >= 0
        }

    # --- figures ------------------------------------------------------------------------------------------------------

    def mean(self, weights: Mapping[str, float] | str) -> Estimate:
        """Return a mean per game with its interval.

        Args:
            weights: The name of a fact (see `fact_names`), or a weighted sum as weights by name.
        """
        row = self._row({weights: 1.0} if isinstance(weights, str) else weights)
        return self._figure(float(row @ self._mean), float(row @ self._covariance @ row))

    def ratio(self, above: Mapping[str, float] | str, below: Mapping[str, float] | str) -> Estimate:
        """Return the ratio of two sums over all games, with the delta method's interval.

        Args:
            above: The numerator: the name of a fact, or weights by name.
            below: The denominator, likewise.

        Returns:
            The ratio; 0, from -inf to inf, if the denominator is 0.
        """
        up, down = (self._row({weights: 1.0} if isinstance(weights, str) else weights) for weights in (above, below))
        total = float(down @ self._mean)
        if not total:
            return Estimate(0.0, -inf, inf, self.games)
        value = float(up @ self._mean) / total
        row = (up - value * down) / total
        return self._figure(value, float(row @ self._covariance @ row))

    def seconds(self) -> Estimate:
        """Return the estimated duration of a game between people, in seconds."""
        choice, rest = self.pace
        return self.mean({"decisions": choice, "forced": rest - choice, "events": rest})

    def share_of_games(self, name: str) -> Estimate:
        """Return the share of games in which a yes-or-no fact holds, with its Wilson interval.

        Args:
            name: "comeback", "tied", "broken" or "always".
        """
        return estimate_proportion(int(self._sums[self.names.index(name)]), self.games)

    def mean_by_seat(self, fact: str) -> list[Estimate]:
        """Return the mean of a fact for each seat.

        Args:
            fact: "share", "place" or "points". The first two are returned as shares of a victory.
        """
        unit = 1.0 if fact == "points" else 1 / VICTORY
        return [self.mean({f"{fact}_{seat}": unit}) for seat in range(self.players)]

    def test_equality(self, fact: str) -> HypothesisTest:
        """Return Hotelling's T-squared test of the hypothesis that all seats have the same mean.

        Args:
            fact: "share", "place" or "points".
        """
        columns = [self.names.index(f"{fact}_{seat}") for seat in range(self.players)]
        contrast = np.eye(self.players)[1:] - np.eye(self.players)[0]
        difference = contrast @ self._mean[columns]
        spread = contrast @ self._covariance[np.ix_(columns, columns)] @ contrast.T
        values = np.linalg.eigvalsh(spread)
        rank = int((values > 1e-9 * max(values.max(), 1e-300)).sum())
        free = self.games - rank
        if not difference.any() or free < 1 or values.max() <= 0:
            return HypothesisTest(0.0, 1.0, self.games)
        t_squared = self.games * float(difference @ pinvh(spread) @ difference)
        statistic = t_squared * free / (rank * (self.games - 1))
        return HypothesisTest(statistic, float(stats.f.sf(statistic, rank, free)), self.games)

    @property
    def _sums(self) -> Any:
        return self.facts.sum(0)

    @property
    def _mean(self) -> Any:
        return self._sums / max(1, self.games)

    @property
    def _covariance(self) -> Any:
        """The covariance matrix of the facts of one game."""
        centred = self._products - np.outer(self._sums, self._sums) / max(1, self.games)
        return centred / max(1, self.games - 1)

    def _row(self, weights: Mapping[str, float]) -> Any:
        row = np.zeros(len(self.names))
        for name, weight in weights.items():
            row[self.names.index(name)] = weight
        return row

    def _figure(self, value: float, variance: float) -> Estimate:
        if self.games < 2:
            return Estimate(value, -inf, inf, self.games)
        reach = float(stats.t.isf((1 - CONFIDENCE_LEVEL) / 2, self.games - 1)) * sqrt(max(0.0, variance) / self.games)
        return Estimate(value, value - reach, value + reach, self.games)


def fact_names(players: int) -> list[str]:
    """Return the names of all facts of a game with this many players."""
    return [*GAME_FACTS, *ENDING_FACTS, *(f"{of}_{seat}" for of in SEAT_FACTS for seat in range(players))]


def game_facts(batch: Batch) -> dict[str, Any]:
    """Return each fact of the games of a batch: integer or boolean arrays of shape (games,)."""
    points, shares = batch.points.astype(np.int64), batch.shares.astype(np.int64)
    games, players = points.shape
    sorted_points = np.sort(points, 1)
    best = shares.max(1)
    level = (points == sorted_points[:, -1:]).sum(1) > 1
    decisions = batch.decisions.astype(np.int64)
    order = (np.maximum(batch.start, 0).astype(np.int64)[:, None] + np.arange(players)) % players
    shares_by_place = np.take_along_axis(shares, order, 1)
    facts: dict[str, Any] = {
        "decisions": decisions,
        "events": batch.events.astype(np.int64),
        "turns": batch.turns.astype(np.int64),
        "forced": batch.forced.astype(np.int64),
        "choices": batch.choices.astype(np.int64),
        "leads": batch.leads.astype(np.int64),
        "decided": batch.led.astype(np.int64) * PROGRESS_PARTS // np.maximum(1, decisions),
        "behind": batch.behind.astype(np.int64),
        "comeback": batch.behind > 0,
        "margin": sorted_points[:, -1] - sorted_points[:, -2] if players > 1 else np.zeros(games, np.int64),
        "tied": best < VICTORY,
        "broken": level & (best == VICTORY),
        "always": batch.led == 0,
    }
    for seat in range(players):
        facts |= {
            f"share_{seat}": shares[:, seat],
            f"place_{seat}": shares_by_place[:, seat],
            f"points_{seat}": points[:, seat],
        }
    return facts


# --- the worth of components ------------------------------------------------------------------------------------------


class ComponentWorth(NamedTuple):
    """What owning a component is associated with.

    `points` and `wins`: the regression coefficients for one more of it, with all other components and the seat equal;
    None if collinearity leaves them undetermined.
    """

    games: Estimate  # share of games in which a seat owns it
    seats: Estimate  # share of seats that own it
    many: Estimate  # mean number that an owner has
    share: Estimate  # mean share of the victory of an owner
    points: Estimate | None
    wins: Estimate | None


class WorthRegression(Accumulator):
    """A linear regression of points and victories on the seat and everything that it owns.

    Intervals come from the jackknife over the groups of a tally, since the seats of a game are not independent.
    """

    SAVED_FIELDS = "_products", "_games"

    def __init__(self, tally: Tally):
        self.tally, self.players, self.components = tally, tally.players, len(tally.components)
        width = self.players + self.components + 2  # seat indicators, components; points and victories
        self._products: Array = np.zeros((tally.groups, width, width), np.float64)  # integers
        self._games = np.zeros(self.components, np.int64)

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        if not self.components:
            return
        number = batch.first + np.arange(len(batch.start))
        for group in np.unique(number // self.tally.size):
            is_in_group = number // self.tally.size == group
            self._add_group(int(group), batch.owned[is_in_group], batch.points[is_in_group], batch.shares[is_in_group])

    def _add_group(self, group: int, owned: Any, points: Any, shares: Any) -> None:
        games = len(owned)
        rows = np.empty((games, self.players, self._products.shape[1]))
        rows[:, :, : self.players] = np.eye(self.players)
        rows[:, :, self.players : -2] = owned
        rows[:, :, -2] = points
        rows[:, :, -1] = shares
        rows = rows.reshape(games * self.players, -1)
        self._products[group] += rows.T @ rows
        self._games += (owned > 0).any(1).sum(0)

    def estimate(self) -> list[ComponentWorth]:
        """Return the worth of each component, in order; [] without games or components."""
        games = self.tally.games
        if not self.components or not games:
            return []
        counted = self._products[:, : self.players, self.players : -2].sum(1)
        fitted = self._fit(games)
        worth = []
        for c in range(self.components):
            held, won = self.tally.held[:, c], self.tally.won[:, c]
            points, wins = (None if fit is None else fit[c] for fit in fitted)
            worth.append(
                ComponentWorth(
                    estimate_proportion(int(self._games[c]), games),
                    self._jackknife_ratio(held, self.tally.group_games * self.players, games),
                    self._jackknife_ratio(counted[:, c], held, games),
                    self._jackknife_ratio(won / VICTORY, held, games),
                    points,
                    wins,
                )
            )
        return worth

    def _jackknife_ratio(self, above: Any, below: Any, games: int) -> Estimate:
        """Return a ratio of sums over groups, with its interval."""
        total = float(below.sum())
        if not total:
            return Estimate(0.0, -inf, inf, games)
        value = float(above.sum()) / total
        rest = total - below
        left_out = np.divide(above.sum() - above, rest, out=np.full(len(above), value), where=rest > 0)
        return jackknife_interval(value, left_out, games)

    def _fit(self, games: int) -> tuple[list[Estimate | None] | None, list[Estimate | None] | None]:
        whole = self._products.sum(0)
        scale = np.sqrt(np.maximum(1e-300, np.diag(whole)[:-2]))
        is_used = np.diag(whole)[:-2] > 0
        if not is_used[self.players :].any() or self.tally.groups < 2:
            return None, None

        def fit(products: Any) -> tuple[Any, Any]:
            inner = products[:-2, :-2] / np.outer(scale, scale)
            values, vectors = np.linalg.eigh(inner)
            nonzero = values > 1e-9 * values.max()
            coefficients = vectors[:, nonzero] @ (
                (vectors[:, nonzero].T @ (products[:-2, -2:] / scale[:, None])) / values[nonzero, None]
            )
            determined = (vectors[:, nonzero] ** 2).sum(1) > 1 - 1e-6  # in the row space
            return coefficients / scale[:, None], determined

        middle, determined = fit(whole)
        left_out = np.stack([fit(whole - group_products)[0] for group_products in self._products])
        units = 1.0, 1 / VICTORY
        of_points, of_wins = (
            [
                jackknife_interval(float(middle[at, y]) * unit, left_out[:, at, y] * unit, games)
                if determined[at] and is_used[at]
                else None
                for at in range(self.players, len(middle))
            ]
            for y, unit in enumerate(units)
        )
        return of_points, of_wins


def jackknife_interval(value: float, left_out: Any, games: int) -> Estimate:
    """Return a figure with its jackknife interval.

    Args:
        value: The figure.
        left_out: Its values with each group left out, shape (groups,).
        games: Number of games, reported as the sample.
    """
    groups = len(left_out)
    if groups < 2:
        return Estimate(value, -inf, inf, games)
    deviation = sqrt((groups - 1) / groups * float(((left_out - left_out.mean()) ** 2).sum()))
    reach = float(stats.t.isf((1 - CONFIDENCE_LEVEL) / 2, groups - 1)) * deviation
    return Estimate(value, value - reach, value + reach, games)

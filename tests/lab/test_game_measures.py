"""Measures of games are correct, compared with a game with known answers."""

from math import hypot, inf

import numpy as np
import pytest
from joined_batches import join_batches
from known_values.rules import CROWNS, WORTH
from scipy import stats

from courtly.lab.batch import Batch, empty_batch
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import _play_interpreted, run_batches
from courtly.lab.statistics.game_measures import (
    JACKKNIFE_BATCHES,
    MAX_BINS,
    Estimate,
    GameMeasures,
    Histogram,
    estimate_proportion,
)
from courtly.lab.statistics.variance_decomposition import MirroredDeals, cumulate_ratings

pytestmark = pytest.mark.usefixtures("known_values")
RUNS = 100


def plan(games: int, seed: int = 0) -> Plan:
    return Plan("known_values", 3, games, seed, {}, None)


def answers_inside(measures: GameMeasures) -> dict[str, tuple[bool, float]]:
    """Return, for each known answer, whether it is inside its interval, with the interval's width."""
    known_answers = dict(
        zip(
            ("first", "second", "third"),
            zip(measures.mean_by_seat("share"), np.divide(CROWNS, 100), strict=True),
            strict=True,
        )
    )
    for name, interval, worth in zip(("cup", "jewel", "ring"), measures.worth.estimate(), WORTH, strict=True):
        known_answers |= {name: (interval.points, worth), f"{name} wins": (interval.wins, 0)}
    return {name: interval.low <= truth <= interval.high for name, (interval, truth) in known_answers.items()}


def measures_of(parts: list[Batch]) -> GameMeasures:
    measures = GameMeasures(3, ("cup", "jewel", "ring"), sum(part.games for part in parts))
    for part in parts:
        measures.add(part)
    return measures


def test_known_answers_are_inside_the_intervals(long):
    """In 95 of 100 runs. By default a run has few interpreted games; with --long it uses machine code."""
    if long:
        games = join_batches(list(run_batches(plan(RUNS * 1000))))
    else:
        games, _ = _play_interpreted(plan(RUNS * 60), 0, RUNS * 60)
    games_per_run = games.games // RUNS
    hits = []
    for run in range(RUNS):
        columns = [getattr(games, name)[run * games_per_run : (run + 1) * games_per_run] for name in Batch._fields[1:]]
        hits.append(answers_inside(measures_of([Batch(0, *columns)])))
    shares = {name: np.mean([hit[name] for hit in hits]) for name in hits[0]}
    inside = sum(sum(hit.values()) for hit in hits)
    low, high = (0.93, 0.97) if long else (0.91, 0.99)
    assert low <= inside / (RUNS * len(shares)) <= high, shares
    # none deviates much by itself: less than once in a thousand by chance
    assert min(shares.values()) >= stats.binom.ppf(0.0001, RUNS, 0.95) / RUNS, shares


def test_a_component_that_comes_with_another_has_no_worth_of_its_own():
    """Jewels come with cups: a seat with jewels has more points, but not because of the jewels."""
    games, _ = _play_interpreted(plan(3000), 0, 3000)
    jewels, points = games.owned[:, :, 1].ravel(), games.points.ravel()
    assert np.polyfit(jewels, points, 1)[0] > 2
    jewel = measures_of([games]).worth.estimate()[1]
    assert jewel.points.low < 0 < jewel.points.high and jewel.points.high - jewel.points.low < 1


def test_equal_seats_are_seldom_called_different():
    rng, false = np.random.default_rng(3), 0
    for _ in range(200):
        part = random_batch(300, rng)
        false += measures_of([part]).test_equality("share").p < 0.05
    assert false <= stats.binom.ppf(0.9999, 200, 0.05)
    unequal = random_batch(300, rng, weights=(2, 1, 1))
    assert measures_of([unequal]).test_equality("share").p < 0.01


def random_batch(games: int, rng: np.random.Generator, weights: tuple[float, ...] = (1, 1, 1)) -> Batch:
    """Return random parts that belong to no game."""
    batch = empty_batch(0, games, 3, 3)
    winners = rng.choice(3, games, p=np.divide(weights, sum(weights)))
    batch.shares[np.arange(games), winners] = 60
    batch.decisions[:] = rng.integers(5, 50, games)
    batch.choices[:] = batch.decisions * 3
    batch.forced[:] = rng.integers(0, 5, games)
    batch.points[:] = rng.integers(0, 40, (games, 3))
    batch.owned[:] = rng.integers(0, 3, (games, 3, 3))
    return batch


def split_batch(batch: Batch, *ends: int) -> list[Batch]:
    bounds = [0, *ends, batch.games]
    column_lists = [
        [getattr(batch, name)[a:b] for name in Batch._fields[1:]] for a, b in zip(bounds, bounds[1:], strict=False)
    ]
    return [Batch(first, *columns) for first, columns in zip(bounds, column_lists, strict=False)]


def test_the_division_into_parts_does_not_matter():
    batch = random_batch(1000, np.random.default_rng(1))
    undivided, divided = measures_of([batch]), measures_of(split_batch(batch, 1, 7, 333, 334, 999))
    assert undivided.worth.estimate() == divided.worth.estimate()
    assert undivided.extremes == divided.extremes
    for name in undivided.names:
        assert undivided.mean(name) == divided.mean(name)
    for name, spread in undivided.spread.items():
        assert spread.quantile(0.3) == divided.spread[name].quantile(0.3)


def test_statistics_match_the_library():
    batch = random_batch(500, np.random.default_rng(2))
    measures, decisions = measures_of([batch]), batch.decisions
    mean = stats.ttest_1samp(decisions, 0).confidence_interval(0.95)
    figure = measures.mean("decisions")
    assert (figure.value, figure.low, figure.high) == pytest.approx((decisions.mean(), mean.low, mean.high))
    quantile = stats.quantile_test(decisions, q=0, p=0.25).confidence_interval(0.95)
    measured_quantile = measures.spread["decisions"].quantile(0.25)
    assert abs(measured_quantile.low - quantile.low) <= 1 and abs(measured_quantile.high - quantile.high) <= 1
    assert measures.ratio("choices", "decisions").value == 3
    rows = np.concatenate([np.tile(np.eye(3), (500, 1)), batch.owned.reshape(-1, 3)], 1)
    coefficients, *_ = np.linalg.lstsq(rows, batch.points.ravel().astype(float), rcond=None)
    assert [figure.points.value for figure in measures.worth.estimate()] == pytest.approx(coefficients[3:])


def test_indistinguishable_worths_are_not_reported():
    batch = random_batch(200, np.random.default_rng(5))
    batch.owned[:, :, 1] = batch.owned[:, :, 0]  # they always occur together
    batch.owned[:, :, 2] = 0  # no seat has it
    first, second, third = measures_of([batch]).worth.estimate()
    assert first.points is None and second.points is None and third.points is None
    assert third.games.value == 0 and third.games.high > 0


@pytest.mark.parametrize("games", [1, 2, 3, JACKKNIFE_BATCHES + 1])
def test_few_games_give_wide_intervals(games):
    measures = measures_of([random_batch(games, np.random.default_rng(4))])
    assert measures.mean("decisions").sample == games
    assert 0 <= measures.test_equality("share").p <= 1
    assert len(measures.worth.estimate()) == 3


def test_a_histogram_keeps_its_size():
    rng, histogram = np.random.default_rng(6), Histogram()
    values = np.concatenate([rng.integers(-50, 50, 1000), rng.integers(-(10**9), 10**9, 1000), [-(10**9), 10**9]])
    for part in np.array_split(values, 7):
        histogram.add(part)
    assert histogram.sample == len(values) and len(histogram.counts) <= MAX_BINS
    assert histogram.quantile(0.5).value == pytest.approx(np.median(values), abs=histogram.width)
    narrow_histogram = Histogram()
    for part in np.array_split(values[:1000], 9):
        narrow_histogram.add(part)
    assert narrow_histogram.width == 1 and narrow_histogram.quantile(0.5).value == np.sort(values[:1000])[499]


def test_strength_seats_and_luck_are_separated():
    """Synthetic deals in which the deciding factor is known: luck of the deal, seat or bot."""
    rng = np.random.default_rng(7)

    def estimate_for(luck: float, seat: float, strength: float):
        deals, mirrored = 4000, MirroredDeals(3, 4000)
        deal_luck = rng.normal(size=(deals, 3)) * luck
        turn_batches = []
        for turn in range(3):
            level = (
                deal_luck + rng.normal(size=(deals, 3)) + seat * np.array([1, 0, 0]) + strength * (np.arange(3) == turn)
            )
            batch = empty_batch(0, deals, 3, 0)
            batch.shares[np.arange(deals), level.argmax(1)] = 60
            turn_batches.append(batch)
        mirrored.add(*turn_batches)
        return mirrored.estimate()

    without_causes = estimate_for(0, 0, 0)
    assert (
        max(without_causes.strength.value, without_causes.seats.value, without_causes.chance.value) < 0.01
        and without_causes.rest.value > 0.98
    )
    assert without_causes.rating.low < 0 < without_causes.rating.high
    with_luck, with_seats, with_strength = estimate_for(5, 0, 0), estimate_for(0, 5, 0), estimate_for(0, 0, 5)
    assert with_luck.chance.value > 0.6 > 0.05 > with_luck.strength.high
    assert with_seats.seats.value > 0.9 and with_strength.strength.value > 0.9 and with_strength.rating.low > 400


def test_empty_samples_have_the_widest_intervals():
    histogram = Histogram()
    histogram.add(np.zeros(0, np.int64))
    assert len(histogram.counts) == 0 and estimate_proportion(0, 0) == Estimate(0.0, 0.0, 1.0, 0)


def test_ratings_add_up_the_steps():
    """After an infinite step only the bounds add up."""
    steps = [Estimate(30.0, 20.0, 40.0, 9), Estimate(40.0, 0.0, 80.0, 9), Estimate(inf, 10.0, inf, 9)]
    ratings = cumulate_ratings(steps)
    assert [rating.value for rating in ratings] == [0.0, 30.0, 70.0, inf]
    assert ratings[2].low == pytest.approx(70 - hypot(10, 40)) and ratings[2].high == pytest.approx(70 + hypot(10, 40))
    assert ratings[3].low == ratings[2].low + 10 and ratings[3].high == inf

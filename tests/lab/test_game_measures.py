"""Measures of games are correct, compared with a game with known answers."""

import numpy as np
import pytest
from known_values.rules import CROWNS, WORTH
from scipy import stats

from courtly.lab.batch import Batch, empty_batch, join_batches
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import _play_interpreted, run_batches
from courtly.lab.statistics.game_measures import JACKKNIFE_BATCHES, MAX_BINS, GameMeasures, Histogram
from courtly.lab.statistics.variance_decomposition import MirroredDeals

pytestmark = pytest.mark.usefixtures("known_values")
RUNS = 100


def plan(games: int, seed: int = 0) -> Plan:
    return Plan("known_values", 3, games, seed, {}, None)


def found(measures: GameMeasures) -> dict[str, tuple[bool, float]]:
    """Return, for each known answer, whether it is inside its interval, with the interval's width."""
    known = dict(
        zip(("first", "second", "third"), zip(measures.each("share"), np.divide(CROWNS, 100), strict=True), strict=True)
    )
    for name, of, worth in zip(("cup", "jewel", "ring"), measures.worth.estimate(), WORTH, strict=True):
        known |= {name: (of.points, worth), f"{name} wins": (of.wins, 0)}
    return {name: of.low <= truth <= of.high for name, (of, truth) in known.items()}


def measured(parts: list[Batch]) -> GameMeasures:
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
    each = games.games // RUNS
    hits = []
    for run in range(RUNS):
        rows = [getattr(games, name)[run * each : (run + 1) * each] for name in Batch._fields[1:]]
        hits.append(found(measured([Batch(0, *rows)])))
    shares = {name: np.mean([hit[name] for hit in hits]) for name in hits[0]}
    inside = sum(sum(hit.values()) for hit in hits)
    low, high = (0.93, 0.97) if long else (0.91, 0.99)
    assert low <= inside / (RUNS * len(shares)) <= high, shares
    # none deviates much by itself: less than once in a thousand by chance
    assert min(shares.values()) >= stats.binom.ppf(0.0001, RUNS, 0.95) / RUNS, shares


def test_a_correlated_thing_has_no_worth():
    """Jewels come with cups: a seat with jewels has more points, but not because of the jewels."""
    games, _ = _play_interpreted(plan(3000), 0, 3000)
    jewels, points = games.owned[:, :, 1].ravel(), games.points.ravel()
    assert np.polyfit(jewels, points, 1)[0] > 2
    jewel = measured([games]).worth.estimate()[1]
    assert jewel.points.low < 0 < jewel.points.high and jewel.points.high - jewel.points.low < 1


def test_equal_seats_are_seldom_called_different():
    rng, false = np.random.default_rng(3), 0
    for _ in range(200):
        part = made(300, rng)
        false += measured([part]).equal("share").p < 0.05
    assert false <= stats.binom.ppf(0.9999, 200, 0.05)
    unequal = made(300, rng, weights=(2, 1, 1))
    assert measured([unequal]).equal("share").p < 0.01


def made(games: int, rng: np.random.Generator, weights: tuple[float, ...] = (1, 1, 1)) -> Batch:
    """Return random parts that belong to no game."""
    part = empty_batch(0, games, 3, 3)
    winners = rng.choice(3, games, p=np.divide(weights, sum(weights)))
    part.shares[np.arange(games), winners] = 60
    part.decisions[:] = rng.integers(5, 50, games)
    part.choices[:] = part.decisions * 3
    part.forced[:] = rng.integers(0, 5, games)
    part.points[:] = rng.integers(0, 40, (games, 3))
    part.owned[:] = rng.integers(0, 3, (games, 3, 3))
    return part


def cut(part: Batch, *ends: int) -> list[Batch]:
    bounds = [0, *ends, part.games]
    rows = [[getattr(part, name)[a:b] for name in Batch._fields[1:]] for a, b in zip(bounds, bounds[1:], strict=False)]
    return [Batch(first, *of) for first, of in zip(bounds, rows, strict=False)]


def test_the_division_into_parts_does_not_matter():
    part = made(1000, np.random.default_rng(1))
    whole, parts = measured([part]), measured(cut(part, 1, 7, 333, 334, 999))
    assert whole.worth.estimate() == parts.worth.estimate()
    assert whole.extremes == parts.extremes
    for name in whole.names:
        assert whole.of(name) == parts.of(name)
    for name, spread in whole.spread.items():
        assert spread.at(0.3) == parts.spread[name].at(0.3)


def test_statistics_match_the_library():
    part = made(500, np.random.default_rng(2))
    measures, decisions = measured([part]), part.decisions
    mean = stats.ttest_1samp(decisions, 0).confidence_interval(0.95)
    of = measures.of("decisions")
    assert (of.value, of.low, of.high) == pytest.approx((decisions.mean(), mean.low, mean.high))
    middle = stats.quantile_test(decisions, q=0, p=0.25).confidence_interval(0.95)
    at = measures.spread["decisions"].at(0.25)
    assert abs(at.low - middle.low) <= 1 and abs(at.high - middle.high) <= 1
    assert measures.ratio("choices", "decisions").value == 3
    rows = np.concatenate([np.tile(np.eye(3), (500, 1)), part.owned.reshape(-1, 3)], 1)
    fit, *_ = np.linalg.lstsq(rows, part.points.ravel().astype(float), rcond=None)
    assert [of.points.value for of in measures.worth.estimate()] == pytest.approx(fit[3:])


def test_indistinguishable_worths_are_not_reported():
    part = made(200, np.random.default_rng(5))
    part.owned[:, :, 1] = part.owned[:, :, 0]  # they always occur together
    part.owned[:, :, 2] = 0  # no seat has it
    first, second, third = measured([part]).worth.estimate()
    assert first.points is None and second.points is None and third.points is None
    assert third.games.value == 0 and third.games.high > 0


@pytest.mark.parametrize("games", [1, 2, 3, JACKKNIFE_BATCHES + 1])
def test_few_games_give_wide_intervals(games):
    measures = measured([made(games, np.random.default_rng(4))])
    assert measures.of("decisions").sample == games
    assert 0 <= measures.equal("share").p <= 1
    assert len(measures.worth.estimate()) == 3


def test_a_histogram_keeps_its_size():
    rng, of = np.random.default_rng(6), Histogram()
    values = np.concatenate([rng.integers(-50, 50, 1000), rng.integers(-(10**9), 10**9, 1000), [-(10**9), 10**9]])
    for part in np.array_split(values, 7):
        of.add(part)
    assert of.sample == len(values) and len(of.counts) <= MAX_BINS
    assert of.at(0.5).value == pytest.approx(np.median(values), abs=of.width)
    narrow = Histogram()
    for part in np.array_split(values[:1000], 9):
        narrow.add(part)
    assert narrow.width == 1 and narrow.at(0.5).value == np.sort(values[:1000])[499]


def test_strength_seats_and_luck_are_separated():
    """Synthetic deals in which the deciding factor is known: luck of the deal, seat or bot."""
    rng = np.random.default_rng(7)

    def parts(luck: float, seat: float, strength: float):
        deals, mirrored = 4000, MirroredDeals(3, 4000)
        dealt = rng.normal(size=(deals, 3)) * luck
        turns = []
        for turn in range(3):
            level = dealt + rng.normal(size=(deals, 3)) + seat * np.array([1, 0, 0]) + strength * (np.arange(3) == turn)
            part = empty_batch(0, deals, 3, 0)
            part.shares[np.arange(deals), level.argmax(1)] = 60
            turns.append(part)
        mirrored.add(*turns)
        return mirrored.estimate()

    none = parts(0, 0, 0)
    assert max(none.strength.value, none.seats.value, none.chance.value) < 0.01 and none.rest.value > 0.98
    assert none.rating.low < 0 < none.rating.high
    lucky, placed, strong = parts(5, 0, 0), parts(0, 5, 0), parts(0, 0, 5)
    assert lucky.chance.value > 0.6 > 0.05 > lucky.strength.high
    assert placed.seats.value > 0.9 and strong.strength.value > 0.9 and strong.rating.low > 400

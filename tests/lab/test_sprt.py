"""The sequential test's verdicts on which bot is better, and their error rates."""

from itertools import count, islice
from math import inf, log, log10

import numpy as np
import pytest
from scipy.stats import binom

from courtly.engine.game import find_game
from courtly.lab.statistics.sprt import DealCounts, EloHypotheses, elo_of, is_look_due, share_of
from courtly.lab.strength.match_runner import run_games

HYPOTHESES = EloHypotheses(0, 100, 0.05, 0.05)


def simulated_deals(rng, players, elo, luck):
    """Yield deals of one bot among equal others, from every seat. `luck` is the spread of seats' chances between deals,
    which affects all bots equally.
    """
    while True:
        seat_weights, win_count = np.exp(rng.normal(0, luck, players)), 0
        for seat in range(players):
            chances = seat_weights.copy()
            chances[seat] *= 10 ** (elo / 400)
            win_count += rng.choice(players, p=chances / chances.sum()) == seat
        yield win_count / players, (1 - win_count / players) / (players - 1)


def run_test(stream, hypotheses, early=False):
    """Return the verdict and the number of deals it took."""
    counts = DealCounts()
    for number, deal in enumerate(stream, 1):
        counts[deal] += 1
        if is_look_due(number) and (verdict := hypotheses.decide(counts, early)) is not None:
            return verdict, number
    return None, 0


def count_verdicts(runs, verdict, stream, hypotheses=HYPOTHESES, early=False):
    """Return how often this verdict occurs."""
    return sum(run_test(stream(seed), hypotheses, early)[0] is verdict for seed in range(runs))


def upper_quantile(share, runs):
    """Return the 99.9 % quantile of the number of such results."""
    return binom.ppf(0.999, runs, share)


RUNS = {False: 60, True: 600}


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize(("players", "luck"), [(2, 0), (2, 1), (4, 1)])
def test_the_type_i_error_rate_is_bounded(players, luck, early, long):
    runs = RUNS[long]
    false_verdicts = count_verdicts(
        runs, True, lambda seed: simulated_deals(np.random.default_rng(seed), players, 0, luck), HYPOTHESES, early
    )
    assert false_verdicts <= upper_quantile(HYPOTHESES.alpha, runs)


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_the_type_ii_error_rate_is_bounded(players, early, long):
    runs = RUNS[long]
    false_verdicts = count_verdicts(
        runs, False, lambda seed: simulated_deals(np.random.default_rng(seed), players, 100, 0), HYPOTHESES, early
    )
    assert false_verdicts <= upper_quantile(HYPOTHESES.beta, runs)
    assert (
        count_verdicts(
            10, True, lambda seed: simulated_deals(np.random.default_rng(seed), players, 300, 0), HYPOTHESES, early
        )
        == 10
    )


def test_a_much_better_bot_is_found_soon():
    hypotheses = EloHypotheses(0, 20, 0.01, 0.01)
    (_, late_count), (verdict, early_count) = (
        run_test(simulated_deals(np.random.default_rng(1), 2, 500, 0), hypotheses, early=early)
        for early in (False, True)
    )
    assert verdict and early_count < late_count / 3


BIDS = find_game("sealed_bids")


def test_a_bot_is_as_good_as_itself(long):
    """Two equal bots in real games: each deal is played from every seat, so they differ by chance only."""
    runs, false_verdicts = RUNS[long], 0
    for seed in range(runs):
        stream = run_games(BIDS, ((deal, ("random", "random")) for deal in range(4000)), seed, None, 1)
        pairs = iter(lambda stream=stream: list(islice(stream, 2)), [])
        shares = ((one.wins[0] + other.wins[1]) / 120 for one, other in pairs)
        false_verdicts += run_test(((a, 1 - a) for a in shares), HYPOTHESES)[0] is True
        stream.close()
    assert false_verdicts <= upper_quantile(HYPOTHESES.alpha, runs)


def test_for_whole_victories_it_is_the_binomial_ratio():
    counts = DealCounts({(1.0, 0.0): 700, (0.0, 1.0): 500})
    low, high = 0.5, share_of(100)
    assert HYPOTHESES.log_ratio(counts) == pytest.approx(700 * log(high / low) + 500 * log((1 - high) / low), rel=1e-4)
    assert counts.share() == pytest.approx(7 / 12, rel=1e-5)


def test_correlated_deals_are_more_informative_than_games():
    by_deals = DealCounts({(1.0, 0.0): 100, (0.5, 0.5): 900})
    by_games = DealCounts({(1.0, 0.0): 1100, (0.0, 1.0): 900})
    assert by_deals.share() == pytest.approx(by_games.share(), rel=1e-5)
    assert HYPOTHESES._replace(high=20).log_ratio(by_deals) > 3 * HYPOTHESES._replace(high=20).log_ratio(by_games)


def test_intervals_hold_the_truth(long):
    runs, inside = 10 * RUNS[long], 0
    for seed in range(runs):
        counts = DealCounts(islice(simulated_deals(np.random.default_rng(seed), 3, 80, 0), 60))
        low, high = counts.interval()
        inside += low <= share_of(80) <= high
    assert binom.ppf(0.001, runs, 0.93) <= inside <= binom.ppf(0.999, runs, 0.97)


@pytest.mark.parametrize(("result", "bound"), [((1.0, 0.0), 1), ((0.0, 1.0), 0)])
def test_a_bot_that_always_won_has_a_finite_interval(result, bound):
    low, high = DealCounts({result: 20}).interval()
    assert (high if bound else low) == pytest.approx(bound, abs=1e-3)
    assert abs((low if bound else high) - bound) == pytest.approx(1 - np.exp(-1.92 / 20), abs=0.01)


def test_points_and_shares_are_the_same():
    assert share_of(0) == 0.5 and share_of(400) == pytest.approx(10 / 11)
    assert elo_of(share_of(37)) == pytest.approx(37)
    assert elo_of(0.75) == pytest.approx(400 * log10(3))
    assert (elo_of(1), elo_of(0)) == (inf, -inf)


def test_interim_analyses_become_rarer():
    looks = list(islice(filter(is_look_due, count(1)), 200))
    assert looks[:64] == [*range(1, 65)]
    assert all(b - a <= max(1, a / 30) for a, b in zip(looks, looks[1:], strict=False))

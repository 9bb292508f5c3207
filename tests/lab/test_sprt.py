"""The sequential test's verdicts on which bot is better, and their error rates."""

from itertools import count, islice
from math import inf, log, log10

import numpy as np
import pytest
from scipy.stats import binom

from courtly.engine.game import find_game
from courtly.lab.statistics.sprt import DealCounts, EloHypotheses, elo_of, is_look_due, share_of
from courtly.lab.strength.match_runner import run_games

PLAIN = EloHypotheses(0, 100, 0.05, 0.05)


def deals(rng, players, elo, luck):
    """Yield deals of one bot among equal others, from every seat. `luck` is the spread of seats' chances between deals,
    which affects all bots equally.
    """
    while True:
        seats, won = np.exp(rng.normal(0, luck, players)), 0
        for seat in range(players):
            chances = seats.copy()
            chances[seat] *= 10 ** (elo / 400)
            won += rng.choice(players, p=chances / chances.sum()) == seat
        yield won / players, (1 - won / players) / (players - 1)


def answer(stream, asked, soon=False):
    """Return the verdict and the number of deals it took."""
    found = DealCounts()
    for number, deal in enumerate(stream, 1):
        found[deal] += 1
        if is_look_due(number) and (said := asked.decide(found, soon)) is not None:
            return said, number
    return None, 0


def often(runs, said, stream, asked=PLAIN, soon=False):
    """Return how often this verdict occurs."""
    return sum(answer(stream(seed), asked, soon)[0] is said for seed in range(runs))


def at_most(share, runs):
    """Return the 99.9 % quantile of the number of such results."""
    return binom.ppf(0.999, runs, share)


RUNS = {False: 60, True: 600}


@pytest.mark.parametrize("soon", [False, True])
@pytest.mark.parametrize(("players", "luck"), [(2, 0), (2, 1), (4, 1)])
def test_the_type_i_error_rate(players, luck, soon, long):
    runs = RUNS[long]
    wrong = often(runs, True, lambda seed: deals(np.random.default_rng(seed), players, 0, luck), PLAIN, soon)
    assert wrong <= at_most(PLAIN.alpha, runs)


@pytest.mark.parametrize("soon", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_the_type_ii_error_rate(players, soon, long):
    runs = RUNS[long]
    missed = often(runs, False, lambda seed: deals(np.random.default_rng(seed), players, 100, 0), PLAIN, soon)
    assert missed <= at_most(PLAIN.beta, runs)
    assert often(10, True, lambda seed: deals(np.random.default_rng(seed), players, 300, 0), PLAIN, soon) == 10


def test_a_much_better_bot_is_found_soon():
    fine = EloHypotheses(0, 20, 0.01, 0.01)
    (_, late), (said, soon) = (
        answer(deals(np.random.default_rng(1), 2, 500, 0), fine, soon=kind) for kind in (False, True)
    )
    assert said and soon < late / 3


BIDS = find_game("sealed_bids")


def test_a_bot_is_as_good_as_itself(long):
    """Two equal bots in real games: each deal is played from every seat, so they differ by chance only."""
    runs, wrong = RUNS[long], 0
    for seed in range(runs):
        stream = run_games(BIDS, ((deal, ("random", "random")) for deal in range(4000)), seed, None, 1)
        pairs = iter(lambda stream=stream: list(islice(stream, 2)), [])
        won = ((one.wins[0] + other.wins[1]) / 120 for one, other in pairs)
        wrong += answer(((a, 1 - a) for a in won), PLAIN)[0] is True
        stream.close()
    assert wrong <= at_most(PLAIN.alpha, runs)


def test_for_whole_victories_it_is_the_binomial_ratio():
    found = DealCounts({(1.0, 0.0): 700, (0.0, 1.0): 500})
    low, high = 0.5, share_of(100)
    assert PLAIN.log_ratio(found) == pytest.approx(700 * log(high / low) + 500 * log((1 - high) / low), rel=1e-4)
    assert found.share() == pytest.approx(7 / 12, rel=1e-5)


def test_correlated_deals_are_more_informative_than_games():
    pairs = DealCounts({(1.0, 0.0): 100, (0.5, 0.5): 900})
    alone = DealCounts({(1.0, 0.0): 1100, (0.0, 1.0): 900})
    assert pairs.share() == pytest.approx(alone.share(), rel=1e-5)
    assert PLAIN._replace(high=20).log_ratio(pairs) > 3 * PLAIN._replace(high=20).log_ratio(alone)


def test_intervals_hold_the_truth(long):
    runs, inside = 10 * RUNS[long], 0
    for seed in range(runs):
        found = DealCounts(islice(deals(np.random.default_rng(seed), 3, 80, 0), 60))
        low, high = found.interval()
        inside += low <= share_of(80) <= high
    assert binom.ppf(0.001, runs, 0.93) <= inside <= binom.ppf(0.999, runs, 0.97)


@pytest.mark.parametrize(("won", "bound"), [((1.0, 0.0), 1), ((0.0, 1.0), 0)])
def test_a_bot_that_always_won_has_a_finite_interval(won, bound):
    low, high = DealCounts({won: 20}).interval()
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

"""Sequential test of whether one bot is better than another, decided as soon as the evidence suffices.

A generalized sequential probability ratio test (GSPRT), as used by chess engine developers: a deal played from every
seat is one observation with any values, and the two hypotheses are differences of `low` or `high` Elo points, each at
its maximum likelihood. For two players and undivided victories these are the five results of a pair of games
(pentanomial).

An observation is (a, b), the mean share of the victory per seat of either bot. The hypothesis that they share victories
as `share` to 1 - `share` means that a (1 - share) - b share has mean 0; Owen's empirical likelihood gives its
likelihood ("Empirical Likelihood", 2001).
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from math import inf, log, log10
from typing import Any, NamedTuple

ELO_SCALE = 400  # points that correspond to odds of 10 to 1
PRIOR_COUNT = 0.001  # pseudo-count of (1, 0) and of (0, 1), so that no likelihood is zero
CHI2_95_HALF = 1.9207  # half the 95 % quantile of chi-squared with 1 degree of freedom
BISECT_TOLERANCE, MIN_SHARE = 1e-12, 1e-6
MAX_ELO = 2000  # largest difference that the mixture considers


def share_of(elo: float) -> float:
    """Return the expected share of victories of a player who is `elo` points better than the other."""
    return float(1 / (1 + 10 ** (-elo / ELO_SCALE)))


def elo_of(share: float) -> float:
    """Return the difference in Elo points for a share of victories; ±inf for 1 or more, or 0 or less."""
    return inf if share >= 1 else -inf if share <= 0 else ELO_SCALE * log10(share / (1 - share))


class DealCounts(Counter[tuple[float, float]]):
    """The number of deals with each result (a, b)."""

    def rows(self) -> tuple[Any, Any, Any]:
        """Return the results and their counts, including the prior: a, b and counts, float64, shape (results,)."""
        import numpy as np

        a, b = np.array([*self, (1.0, 0.0), (0.0, 1.0)]).T
        return a, b, np.array([*self.values(), PRIOR_COUNT, PRIOR_COUNT])

    def share(self) -> float:
        """Return the share of the victories of the two that the first has."""
        a, b, counts = self.rows()
        return float(counts @ a / (counts @ (a + b)))

    def likelihood(self, share: float) -> float:
        """Return the log empirical likelihood of a share, relative to the maximum."""
        import numpy as np
        from scipy.optimize import brentq

        a, b, counts = self.rows()
        y = a * (1 - share) - b * share
        low, high = -1 / y.max(), -1 / y.min()
        at = brentq(
            lambda t: float(counts @ (y / (1 + t * y))),
            low * (1 - BISECT_TOLERANCE),
            high * (1 - BISECT_TOLERANCE),
            xtol=BISECT_TOLERANCE,
        )
        return float(-(counts @ np.log1p(at * y)))

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the share."""
        from scipy.optimize import brentq

        middle = self.share()

        def is_outside(share: float) -> float:
            return -CHI2_95_HALF - self.likelihood(share)

        low = brentq(is_outside, MIN_SHARE, middle) if is_outside(MIN_SHARE) > 0 else 0.0
        high = brentq(is_outside, middle, 1 - MIN_SHARE) if is_outside(1 - MIN_SHARE) > 0 else 1.0
        return float(low), float(high)


class Verdict(StrEnum):
    """The outcome for a pair of bots."""

    BETTER = "better"
    WORSE = "worse"
    CLOSE = "close"  # neither is better by `high` points
    OPEN = "open"  # not decided yet


class EloHypotheses(NamedTuple):
    """The hypotheses that the first bot is `low` or `high` Elo points better.

    `alpha`: probability of accepting `high` if the difference is `low` (type I error). `beta`: probability of accepting
    `low` if it is `high` (type II error).
    """

    low: float
    high: float
    alpha: float
    beta: float

    def log_ratio(self, deals: DealCounts) -> float:
        """Return the log likelihood ratio of `high` to `low`."""
        return deals.likelihood(share_of(self.high)) - deals.likelihood(share_of(self.low))

    def mixture_log_ratio(self, deals: DealCounts) -> float:
        """Return the log likelihood ratio of a mixture to `low`. Its hypotheses are `high` and larger differences, each
        twice as far from `low` and with half the weight, so that large differences are detected early (Wald's weight
        functions)."""
        import numpy as np

        low, ratios = deals.likelihood(share_of(self.low)), list[float]()
        step = self.high - self.low
        while step < MAX_ELO:
            ratios.append(deals.likelihood(share_of(self.low + step)) - low - (len(ratios) + 1) * log(2))
            step *= 2
        return float(np.logaddexp.reduce(ratios)) if ratios else self.log_ratio(deals)

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the log likelihood ratio: accept `low` at or below the first, `high` at or above the second."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def decide(self, deals: DealCounts, use_mixture: bool = False) -> bool | None:
        """Return whether `high` is accepted (True) or `low` (False); None to continue.

        Args:
            deals: The results so far.
            use_mixture: Test against `high` or more, by the mixture, which detects large differences early.
        """
        ratio, (low, high) = self.log_ratio(deals), self.bounds
        if ratio <= low:
            return False
        return True if (self.mixture_log_ratio(deals) if use_mixture else ratio) >= high else None


def is_look_due(deals: int) -> bool:
    """Return whether to test after this many deals: after each up to 63, then 32 times per doubling."""
    return deals % (1 << max(0, deals.bit_length() - 6)) == 0

"""Is one bot better than another? Deals come in one after another, and it is said as soon as it is certain enough.

A generalised sequential probability ratio test, as those who develop engines have it: a deal played from every seat is
one observation, whatever values it takes, and each of two answers (so many Elo points, or so many more) is as likely as
the deals can make it. For two players with whole victories these are the five results of a pair of games.

What a deal gave stands for as much as it tells of who of the two is stronger: `a` and `b`, what a seat of either had of
the victories on average. That they share them as `share` to 1 - `share` means that a (1 - share) - b share is 0 on
average, and how likely that is at best Owen's empirical likelihood tells ("Empirical likelihood", 2001).
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from math import inf, log, log10
from typing import Any, NamedTuple

ELO_SCALE = 400  # points by which a player is better who is ten times as likely to win
PRIOR_COUNT = 0.001  # how often, as it were, each of two might have won all
CHI2_95_HALF = 1.9207  # by how much less likely, as a logarithm, is what lies outside of 95 of 100 intervals
BISECT_TOLERANCE, MIN_SHARE = 1e-12, 1e-6
MAX_ELO = 2000  # points


def share_of(elo: float) -> float:
    """What who is so many points better has of the victories of two."""
    return float(1 / (1 + 10 ** (-elo / ELO_SCALE)))


def elo_of(share: float) -> float:
    return inf if share >= 1 else -inf if share <= 0 else ELO_SCALE * log10(share / (1 - share))


class DealCounts(Counter[tuple[float, float]]):
    """How often each (a, b) came."""

    def rows(self) -> tuple[Any, Any, Any]:
        import numpy as np

        a, b = np.array([*self, (1.0, 0.0), (0.0, 1.0)]).T
        return a, b, np.array([*self.values(), PRIOR_COUNT, PRIOR_COUNT])

    def share(self) -> float:
        """How the two share their victories."""
        a, b, often = self.rows()
        return float(often @ a / (often @ (a + b)))

    def likelihood(self, share: float) -> float:
        """How likely what came is at best if they share in this way; the logarithm, beside the best of all."""
        import numpy as np
        from scipy.optimize import brentq

        a, b, often = self.rows()
        y = a * (1 - share) - b * share
        low, high = -1 / y.max(), -1 / y.min()
        at = brentq(
            lambda t: float(often @ (y / (1 + t * y))),
            low * (1 - BISECT_TOLERANCE),
            high * (1 - BISECT_TOLERANCE),
            xtol=BISECT_TOLERANCE,
        )
        return float(-(often @ np.log1p(at * y)))

    def interval(self) -> tuple[float, float]:
        """Where 95 of 100 times the share is found."""
        from scipy.optimize import brentq

        middle = self.share()

        def outside(share: float) -> float:
            return -CHI2_95_HALF - self.likelihood(share)

        low = brentq(outside, MIN_SHARE, middle) if outside(MIN_SHARE) > 0 else 0.0
        high = brentq(outside, middle, 1 - MIN_SHARE) if outside(1 - MIN_SHARE) > 0 else 1.0
        return float(low), float(high)


class Verdict(StrEnum):
    """What is said of one and another."""

    BETTER = "better"
    WORSE = "worse"
    CLOSE = "close"  # neither is as much better as was asked
    OPEN = "open"  # nothing can be said yet


class EloHypotheses(NamedTuple):
    """Is one `high` points better, or only `low`? `alpha`: how often that is said though it is only `low`; `beta`: how
    often it is not said though it is `high`."""

    low: float
    high: float
    alpha: float
    beta: float

    def log_ratio(self, deals: DealCounts) -> float:
        """How much more likely `high` makes what came than `low`, as a logarithm."""
        return deals.likelihood(share_of(self.high)) - deals.likelihood(share_of(self.low))

    def mixture_log_ratio(self, deals: DealCounts) -> float:
        """The same of many answers together, each twice as far from `low` as the one before and half as much believed:
        so who is far better is known soon (Wald's weight functions)."""
        import numpy as np

        low, ratios = deals.likelihood(share_of(self.low)), list[float]()
        step = self.high - self.low
        while step < MAX_ELO:
            ratios.append(deals.likelihood(share_of(self.low + step)) - low - (len(ratios) + 1) * log(2))
            step *= 2
        return float(np.logaddexp.reduce(ratios)) if ratios else self.log_ratio(deals)

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first it is `low`, at or above the second `high`."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def decide(self, deals: DealCounts, soon: bool = False) -> bool | None:
        """Is it `high`? None: go on. `soon`: asked is whether it is that or any more."""
        ratio, (low, high) = self.log_ratio(deals), self.bounds
        if ratio <= low:
            return False
        return True if (self.mixture_log_ratio(deals) if soon else ratio) >= high else None


def is_look_due(deals: int) -> bool:
    """Is it time to look, after so many deals? Up to 63 after each, then after every fiftieth or so."""
    return deals % (1 << max(0, deals.bit_length() - 6)) == 0

"""Shares from 0 to 1, rounded the same on every machine. Percents shown together add up."""

from collections.abc import Sequence
from math import floor

FLOAT_ERROR_UNITS = 1e-6  # of the last digit; more than arithmetic with floating-point numbers changes


def round_share(share: float, decimals: int) -> float:
    """Return a share or a difference of shares with this number of decimals; a half is rounded up, also one that is
    missed by the inaccuracy of floating-point numbers."""
    units: int = 10**decimals
    return floor(units * share + 0.5 + FLOAT_ERROR_UNITS) / units


def to_percent(chance: float) -> int:
    return round(100 * chance)


def round_to_percents(changes: Sequence[float], total: int) -> list[int]:
    """Round changes to percents that add up to `total`: the remainder goes to the changes with the largest rounding
    errors."""
    percents = [to_percent(change) for change in changes]
    while left := total - sum(percents):
        sign = 1 if left > 0 else -1
        errors = [sign * (100 * change - percent) for change, percent in zip(changes, percents, strict=True)]
        percents[errors.index(max(errors))] += sign
    return percents


def shares_to_percents(shares: Sequence[float]) -> list[int]:
    """Round the chances of all players or outcomes, or of some: the percents of all add up to 100, never to more."""
    total = sum(shares)
    return round_to_percents([share / max(1, total) for share in shares], min(100, to_percent(total)))

"""Shares from 0 to 1, rounded the same on every machine."""

from math import floor

FLOAT_ERROR_UNITS = 1e-6  # of the last digit; more than arithmetic with floating-point numbers changes


def round_share(share: float, decimals: int) -> float:
    """Return a share or a difference of shares with this number of decimals; a half is rounded up, also one that is
    missed by the inaccuracy of floating-point numbers."""
    units: int = 10**decimals
    return floor(units * share + 0.5 + FLOAT_ERROR_UNITS) / units

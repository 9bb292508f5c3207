"""The calibration of the chances that a search reports. The games of its simulations differ from those of the table, so
its estimates are too certain or not certain enough, by a factor that depends on the game and is stored in its
`chances.json`.

tools/chances.py fits it: the odds of a seat, relative to those of a seat without information, are raised to the power
that fits the results best. A power above 1 moves the chances away from the mean, one below 1 towards it; 0 and 1 do not
change.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game

CALIBRATION_FILE = "chances.json"


class InvalidCalibrationError(CourtlyError, ValueError):
    """A calibration file that is malformed; the message says why."""


@cache
def load_trust(game: Game, players: int) -> float:
    """Return the power for this number of players; 1 if none was fitted. Raises InvalidCalibrationError."""
    file = game.folder / CALIBRATION_FILE
    if not file.exists():
        return 1.0
    try:
        trust = float(json.loads(file.read_text(encoding="utf-8"))["trust"].get(str(players), 1))
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise InvalidCalibrationError(f"{file}: {wrong!r}") from None
    if not 0 < trust < 10:
        raise InvalidCalibrationError(f"{file}: {trust} is no power for odds")
    return trust


def calibrate(share: float, players: int, trust: float) -> float:
    """Return a seat's chance to win, calibrated from its share of the simulated victories."""
    if not 0 < share < 1:
        return min(max(share, 0.0), 1.0)
    odds: float = (share * (players - 1) / (1 - share)) ** trust / (players - 1)
    return odds / (1 + odds)


def calibrate_all(shares: Sequence[float], seat: int, trust: float) -> list[float]:
    """Return the calibrated chances of all seats. That of `seat` is calibrated by itself, so that the order of its
    moves does not change; the other seats divide the rest."""
    told = [calibrate(share, len(shares), trust) for share in shares]
    return replace_share(told, seat, told[seat])


def replace_share(shares: Sequence[float], seat: int, share: float) -> list[float]:
    """Return the shares after one seat's share is replaced; the other seats divide the rest in proportion."""
    others = sum(shares) - shares[seat]
    return [
        share if other == seat else (1 - share) * (own / others if others else 1 / max(1, len(shares) - 1))
        for other, own in enumerate(shares)
    ]

"""How far the chances that a search finds are to be believed. Its own games are not those of the table: what it sees it
takes for more certain than it is, or for less, in each game by another measure, which stands in its `chances.json`.

tools/chances.py finds it: odds, beside those of a seat of which nothing is known, are raised to so high a power as
makes them come true. Above 1 chances become bolder, below 1 more cautious; what never or always happened stays so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game

CALIBRATION_FILE = "chances.json"


class InvalidCalibrationError(CourtlyError, ValueError):
    """A file that says how far chances are to be believed, and does not hold together; says which."""


@cache
def load_trust(game: Game, players: int) -> float:
    """The power for so many players: 1 where none was found."""
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
    """How much of a seat's share of the victories is to be believed."""
    if not 0 < share < 1:
        return min(max(share, 0.0), 1.0)
    odds: float = (share * (players - 1) / (1 - share)) ** trust / (players - 1)
    return odds / (1 + odds)


def calibrate_all(shares: Sequence[float], seat: int, trust: float) -> list[float]:
    """The same of all seats: `seat` for itself, so that what is better stays better; the others divide what is left."""
    told = [calibrate(share, len(shares), trust) for share in shares]
    return replace_share(told, seat, told[seat])


def replace_share(shares: Sequence[float], seat: int, share: float) -> list[float]:
    """The same shares when one of them is another, and the others divide what is left."""
    others = sum(shares) - shares[seat]
    return [
        share if other == seat else (1 - share) * (own / others if others else 1 / max(1, len(shares) - 1))
        for other, own in enumerate(shares)
    ]

"""Goals, in words: a measure and where it shall lie.

    length 60..90        seats within 1%        ties <= 5%        rarest(building) >= 2%

`within` is how far from 0; what is counted in hundredths takes a % sign if you like.
"""

from __future__ import annotations

import re
from math import inf
from typing import NamedTuple

from courtly.engine.errors import CourtlyError
from courtly.lab.statistics.batch_sums import MeasureRequest, UnknownMeasureError, parse_measure

NUMBER_PATTERN = r"-?\d+(?:\.\d+)?"
GOAL_PATTERN = re.compile(
    rf"\s*(?P<name>[\w-]+)\s*(?:\(\s*(?P<of>[^)]*?)\s*\))?\s*"
    rf"(?:within\s*(?P<within>{NUMBER_PATTERN})|(?P<least>{NUMBER_PATTERN})\s*\.\.\s*(?P<most>{NUMBER_PATTERN})"
    rf"|(?P<sign><=|>=)\s*(?P<bound>{NUMBER_PATTERN}))"
    rf"\s*(?P<unit>%?)\s*"
)


class InvalidGoalError(CourtlyError, ValueError):
    """What is no goal: says so in one line."""


class Goal(NamedTuple):
    """A measure that shall lie between two bounds. `width`: what counts as far from them."""

    text: str
    asked: MeasureRequest
    low: float
    high: float
    width: float

    def shortfall(self, value: float) -> float:
        """How far it is missed, in widths; 0: it is reached."""
        return max(self.low - value, value - self.high, 0.0) / self.width


def parse_goal(text: str, components: tuple[str, ...]) -> Goal:
    """InvalidGoalError, or UnknownMeasureError, says what is wrong with it."""
    found = GOAL_PATTERN.fullmatch(text)
    if not found:
        raise InvalidGoalError(
            f"{text!r} is no goal: say what shall lie where, such as length 60..90, seats within 1%, ties <= 5%"
        )
    try:
        what = parse_measure(found["name"], found["of"] or "", components)
    except UnknownMeasureError as wrong:
        raise InvalidGoalError(f"{text!r}: {wrong}") from None
    if found["unit"] and what.measure.unit != "%":
        raise InvalidGoalError(f"{text!r}: {what} is counted in {what.measure.unit}, not in %")
    if found["within"]:
        low, high = -float(found["within"]), float(found["within"])
    elif found["sign"]:
        bound = float(found["bound"])
        low, high = (-inf, bound) if found["sign"] == "<=" else (bound, inf)
    else:
        low, high = float(found["least"]), float(found["most"])
    if low > high:
        raise InvalidGoalError(f"{text!r}: nothing lies between {low:g} and {high:g}")
    ends = [abs(end) for end in (low, high) if abs(end) < inf]
    width = (high - low) / 2 if high - low < inf else max(ends) / 4
    return Goal(text.strip(), what, low, high, width or 1.0)

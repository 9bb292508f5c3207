"""Goals as text: a measure and the range in which it must be.

    length 60..90        seats within 1%        ties <= 5%        rarest(building) >= 2%

`within` bounds the distance from 0. A % sign is optional for measures in percent.
"""

from __future__ import annotations

import re
from math import inf
from typing import NamedTuple

from courtly.engine.errors import CourtlyError
from courtly.lab.statistics.named_measures import MeasureRequest, UnknownMeasureError, parse_measure

NUMBER_PATTERN = r"-?\d+(?:\.\d+)?"
GOAL_PATTERN = re.compile(
    rf"\s*(?P<name>[\w-]+)\s*(?:\(\s*(?P<of>[^)]*?)\s*\))?\s*"
    rf"(?:within\s*(?P<within>{NUMBER_PATTERN})|(?P<low>{NUMBER_PATTERN})\s*\.\.\s*(?P<high>{NUMBER_PATTERN})"
    rf"|(?P<sign><=|>=)\s*(?P<bound>{NUMBER_PATTERN}))"
    rf"\s*(?P<unit>%?)\s*"
)


class InvalidGoalError(CourtlyError, ValueError):
    """A text is not a valid goal. The message says why in one line."""


class Goal(NamedTuple):
    """A measure that must be between two bounds. `width`: the distance from them that counts as 1."""

    text: str
    request: MeasureRequest
    low: float
    high: float
    width: float

    def shortfall(self, value: float) -> float:
        """Return the distance from the range in widths; 0 inside it."""
        return max(self.low - value, value - self.high, 0.0) / self.width


def parse_goal(text: str, components: tuple[str, ...]) -> Goal:
    """Parse a goal.

    Args:
        text: Such as "length 60..90".
        components: The game's component names.

    Raises:
        InvalidGoalError: The text is not a goal, the unit is wrong, or there is no such measure or component.
    """
    parts = GOAL_PATTERN.fullmatch(text)
    if not parts:
        raise InvalidGoalError(
            f"{text!r} is not a goal: expected a measure and a range: length 60..90, seats within 1%, ties <= 5%"
        )
    try:
        request = parse_measure(parts["name"], parts["of"] or "", components)
    except UnknownMeasureError as error:
        raise InvalidGoalError(f"{text!r}: {error}") from None
    if parts["unit"] and request.measure.unit != "%":
        raise InvalidGoalError(f"{text!r}: {request} is measured in {request.measure.unit}, not in %")
    if parts["within"]:
        low, high = -float(parts["within"]), float(parts["within"])
    elif parts["sign"]:
        bound = float(parts["bound"])
        low, high = (-inf, bound) if parts["sign"] == "<=" else (bound, inf)
    else:
        low, high = float(parts["low"]), float(parts["high"])
    if low > high:
        raise InvalidGoalError(f"{text!r}: the lower bound {low:g} is above the upper bound {high:g}")
    ends = [abs(end) for end in (low, high) if abs(end) < inf]
    width = (high - low) / 2 if high - low < inf else max(ends) / 4
    return Goal(text.strip(), request, low, high, width or 1.0)

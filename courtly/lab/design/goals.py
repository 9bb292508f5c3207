"""Goals, in words: a measure and where it shall lie.

    length 60..90        seats within 1%        ties <= 5%        rarest(building) >= 2%

`within` is how far from 0; what is counted in hundredths takes a % sign if you like.
"""

from __future__ import annotations

import re
from math import inf
from typing import NamedTuple

from courtly.lab.statistics.batch_sums import Asked, NotMeasured, asked

NUMBER = r"-?\d+(?:\.\d+)?"
FORM = re.compile(
    rf"\s*(?P<name>[\w-]+)\s*(?:\(\s*(?P<of>[^)]*?)\s*\))?\s*"
    rf"(?:within\s*(?P<within>{NUMBER})|(?P<least>{NUMBER})\s*\.\.\s*(?P<most>{NUMBER})"
    rf"|(?P<sign><=|>=)\s*(?P<bound>{NUMBER}))"
    rf"\s*(?P<unit>%?)\s*"
)


class NoGoal(ValueError):
    """What is no goal: says so in one line."""


class Goal(NamedTuple):
    """A measure that shall lie between two bounds. `width`: what counts as far from them."""

    text: str
    asked: Asked
    low: float
    high: float
    width: float

    def short(self, value: float) -> float:
        """How far it is missed, in widths; 0: it is reached."""
        return max(self.low - value, value - self.high, 0.0) / self.width


def goal(text: str, components: tuple[str, ...]) -> Goal:
    """NoGoal, or NotMeasured, says what is wrong with it."""
    found = FORM.fullmatch(text)
    if not found:
        raise NoGoal(
            f"{text!r} is no goal: say what shall lie where, such as length 60..90, seats within 1%, ties <= 5%"
        )
    try:
        what = asked(found["name"], found["of"] or "", components)
    except NotMeasured as wrong:
        raise NoGoal(f"{text!r}: {wrong}") from None
    if found["unit"] and what.measure.unit != "%":
        raise NoGoal(f"{text!r}: {what} is counted in {what.measure.unit}, not in %")
    if found["within"]:
        low, high = -float(found["within"]), float(found["within"])
    elif found["sign"]:
        bound = float(found["bound"])
        low, high = (-inf, bound) if found["sign"] == "<=" else (bound, inf)
    else:
        low, high = float(found["least"]), float(found["most"])
    if low > high:
        raise NoGoal(f"{text!r}: nothing lies between {low:g} and {high:g}")
    ends = [abs(end) for end in (low, high) if abs(end) < inf]
    width = (high - low) / 2 if high - low < inf else max(ends) / 4
    return Goal(text.strip(), what, low, high, width or 1.0)

"""Measures of a plan's games by name, for goals and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game
from courtly.lab import dataset
from courtly.lab.batch import WIN_PARTS
from courtly.lab.statistics.game_measures import PROGRESS_PARTS, Estimate, Pace, Sums, Tally, jackknife_estimate

PERCENT = 100.0


class UnknownMeasureError(CourtlyError, ValueError):
    """There is no such measure or component. The message lists those there are."""


class Measure(NamedTuple):
    """A measure. `of` computes it from sums; with `apart`, from sums and the indices of some components. `unit`: "%" or
    what is counted."""

    unit: str
    of: Callable[..., float]
    apart: bool = False


def _seat_imbalance(s: Sums) -> float:
    """Return the largest deviation of a seat's share of victories from an equal share, in percent."""
    shares = [s.mean(f"share_{seat}") / WIN_PARTS for seat in range(s.players)]
    return PERCENT * max(abs(share - 1 / len(shares)) for share in shares)


def _win_share_spread(s: Sums, components: Any) -> float:
    """Return the weighted standard deviation of the components' win shares, in percent."""
    held, won = s.held[components], s.won[components]
    is_owned = held > 0
    if not is_owned.any():
        return 0.0
    rate = won[is_owned] / WIN_PARTS / held[is_owned]
    middle = np.average(rate, weights=held[is_owned])
    return PERCENT * float(np.sqrt(np.average((rate - middle) ** 2, weights=held[is_owned])))


def _rarest_share(s: Sums, components: Any) -> float:
    """Return the share of seats that own the rarest component, in percent."""
    return PERCENT * float(s.held[components].min()) / s.games / s.players


MEASURES = {
    "length": Measure("decisions", lambda s: s.mean("decisions")),
    "turns": Measure("turns", lambda s: s.mean("turns")),
    "minutes": Measure("minutes", lambda s: _mean_seconds(s) / 60),
    "choices": Measure("moves", lambda s: s.facts["choices"] / s.facts["decisions"]),
    "forced": Measure("%", lambda s: PERCENT * s.facts["forced"] / s.facts["decisions"]),
    "seats": Measure("%", _seat_imbalance),
    "starter": Measure("%", lambda s: PERCENT * (s.mean("place_0") / WIN_PARTS - 1 / s.players)),
    "ties": Measure("%", lambda s: PERCENT * s.mean("tied")),
    "leads": Measure("changes", lambda s: s.mean("leads")),
    "decided": Measure("%", lambda s: PERCENT * s.mean("decided") / PROGRESS_PARTS),
    "comebacks": Measure("%", lambda s: PERCENT * s.mean("comeback")),
    "behind": Measure("points", lambda s: s.mean("behind")),
    "margin": Measure("points", lambda s: s.mean("margin")),
    "points": Measure("points", lambda s: sum(s.mean(f"points_{seat}") for seat in range(s.players)) / s.players),
    "winners": Measure("%", _win_share_spread, apart=True),
    "rarest": Measure("%", _rarest_share, apart=True),
}


def _mean_seconds(s: Sums) -> float:
    choice, rest = Pace()
    return choice * (s.mean("decisions") - s.mean("forced")) + rest * (s.mean("forced") + s.mean("events"))


class MeasureRequest(NamedTuple):
    """A measure, and a pattern for the names of components if it depends on some."""

    name: str
    of: str = "*"

    @property
    def measure(self) -> Measure:
        """The measure of this name."""
        return MEASURES[self.name]

    def figure(self, s: Sums, components: tuple[str, ...]) -> float:
        """Return the measure's value.

        Args:
            s: Sums over games.
            components: The game's component names.
        """
        measure = self.measure
        return measure.of(s, match_components(components, self.of)) if measure.apart else measure.of(s)

    def estimate(self, tally: Tally) -> Estimate:
        """Return the measure with its interval."""
        return jackknife_estimate(lambda s: self.figure(s, tally.components), tally)

    def __str__(self) -> str:
        return f"{self.name}({self.of})" if self.of != "*" else self.name


def parse_measure(name: str, pattern: str, components: tuple[str, ...]) -> MeasureRequest:
    """Return the request for a measure.

    Args:
        name: A name in MEASURES.
        pattern: Pattern of component names; "" for all.
        components: The game's component names.

    Raises:
        UnknownMeasureError: There is no such measure or component, or the measure is not one of components.
    """
    if name not in MEASURES:
        raise UnknownMeasureError(f"unknown measure {name!r}; there are {', '.join(MEASURES)}")
    if not MEASURES[name].apart:
        if pattern:
            raise UnknownMeasureError(f"{name} cannot be measured for {pattern}: it describes whole games")
        return MeasureRequest(name)
    if not len(match_components(components, pattern or "*")):
        raise UnknownMeasureError(
            f"{name}: no component is called {pattern or '*'}; there are {', '.join(components) or 'none'}"
        )
    return MeasureRequest(name, pattern or "*")


def match_components(components: tuple[str, ...], pattern: str) -> Any:
    """Return the indices of the components that match a pattern: int64, shape (matches,).

    Args:
        components: The game's component names.
        pattern: A name, its first word, or a pattern with `*`: `building palace`, `building`, `*`.
    """
    matches = [
        i for i, name in enumerate(components) if fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern} *")
    ]
    return np.array(matches, np.int64)


def component_names(game: Game) -> tuple[str, ...]:
    """Return the names of everything that a seat can own at the end, such as `building palace`."""
    return tuple(dataset.component_labels(game))

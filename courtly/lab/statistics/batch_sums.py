"""Measures of a plan's games by name, for goals and comparisons.

Sums are kept for groups of consecutive games. The interval of any function of the sums comes from the jackknife: each
group is left out once, and the variation of the result gives its standard error. For two variants with the same seeds,
the same group is left out of both, so variation that they share cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game
from courtly.lab import dataset
from courtly.lab.batch import WIN_PARTS, Batch
from courtly.lab.runs.checkpoint import Accumulator
from courtly.lab.statistics.game_measures import (
    JACKKNIFE_BATCHES,
    PROGRESS_PARTS,
    Estimate,
    Pace,
    fact_names,
    game_facts,
    jackknife_interval,
)

PERCENT = 100.0


class UnknownMeasureError(CourtlyError, ValueError):
    """There is no such measure or component. The message lists those there are."""


class Sums(NamedTuple):
    """Sums over games: of each fact; and for each component, the seats that own it (`held`) and their victories in
    60ths (`won`)."""

    games: float
    players: int
    facts: dict[str, float]
    held: Any
    won: Any

    def mean(self, fact: str) -> float:
        """Return a fact's mean per game."""
        return self.facts[fact] / self.games


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


def _win_share_spread(s: Sums, these: Any) -> float:
    """Return the weighted standard deviation of the components' win shares, in percent."""
    held, won = s.held[these], s.won[these]
    had = held > 0
    if not had.any():
        return 0.0
    rate = won[had] / WIN_PARTS / held[had]
    middle = np.average(rate, weights=held[had])
    return PERCENT * float(np.sqrt(np.average((rate - middle) ** 2, weights=held[had])))


def _rarest_share(s: Sums, these: Any) -> float:
    """Return the share of seats that own the rarest component, in percent."""
    return PERCENT * float(s.held[these].min()) / s.games / s.players


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

    def __str__(self) -> str:
        return f"{self.name}({self.of})" if self.of != "*" else self.name


def parse_measure(name: str, of: str, components: tuple[str, ...]) -> MeasureRequest:
    """Return the request for a measure.

    Args:
        name: A name in MEASURES.
        of: Pattern of component names; "" for all.
        components: The game's component names.

    Raises:
        UnknownMeasureError: There is no such measure or component, or the measure is not one of components.
    """
    if name not in MEASURES:
        raise UnknownMeasureError(f"unknown measure {name!r}; there are {', '.join(MEASURES)}")
    if not MEASURES[name].apart:
        if of:
            raise UnknownMeasureError(f"{name} cannot be measured for {of}: it describes whole games")
        return MeasureRequest(name)
    if not len(match_components(components, of or "*")):
        raise UnknownMeasureError(
            f"{name}: no component is called {of or '*'}; there are {', '.join(components) or 'none'}"
        )
    return MeasureRequest(name, of or "*")


def match_components(components: tuple[str, ...], of: str) -> Any:
    """Return the indices of the components that match a pattern: int64, shape (matches,).

    Args:
        components: The game's component names.
        of: A name, its first word, or a pattern with `*`: `building palace`, `building`, `*`.
    """
    like = [i for i, name in enumerate(components) if fnmatchcase(name, of) or fnmatchcase(name, f"{of} *")]
    return np.array(like, np.int64)


def component_names(game: Game) -> tuple[str, ...]:
    """Return the names of everything that a seat can own at the end, such as `building palace`."""
    return tuple(dataset.component_labels(game))


class Tally(Accumulator):
    """The sums of a plan's games by group."""

    SAVED_FIELDS = "games", "facts", "held", "won"

    def __init__(self, players: int, components: tuple[str, ...], games: int):
        """Start without games.

        Args:
            players: Number of players.
            components: The game's component names.
            games: Number of games of the whole plan.
        """
        self.players, self.components = players, components
        self.size = -(-games // JACKKNIFE_BATCHES)
        self.groups = -(-games // self.size)
        self.names = fact_names(players)
        self.games = np.zeros(self.groups, np.float64)
        self.facts = np.zeros((self.groups, len(self.names)), np.float64)  # integers in float64, as the others
        self.held = np.zeros((self.groups, len(components)), np.float64)
        self.won = np.zeros_like(self.held)

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        found = game_facts(batch)
        table = np.stack([np.asarray(found[name], np.float64) for name in self.names], 1)
        has = batch.owned > 0
        held, won = has.sum(1), (has * batch.shares[:, :, None].astype(np.int64)).sum(1)
        group = (batch.first + np.arange(batch.games)) // self.size
        np.add.at(self.games, group, 1)
        for into, of in ((self.facts, table), (self.held, held), (self.won, won)):
            np.add.at(into, group, of)

    @property
    def sample(self) -> int:
        """The number of games added."""
        return int(self.games.sum())

    @cached_property
    def leave_one_out_sums(self) -> list[Sums]:
        """The sums without each of the groups. Valid once all games are added."""
        return [self.sums(group) for group in range(self.groups)]

    def sums(self, without: int | None = None) -> Sums:
        """Return the sums over all games, or without those of one group."""

        def total(of: Any) -> Any:
            return of.sum(0) - (0 if without is None else of[without])

        return Sums(
            float(total(self.games)),
            self.players,
            dict(zip(self.names, map(float, total(self.facts)), strict=True)),
            total(self.held),
            total(self.won),
        )

    def figure(self, what: MeasureRequest) -> Estimate:
        """Return a measure with its interval."""
        return jackknife_estimate(lambda s: what.figure(s, self.components), self)


def jackknife_estimate(of: Callable[..., float], *tallies: Tally) -> Estimate:
    """Return a function of sums with its jackknife interval.

    Args:
        of: Computes the figure from the sums of each tally.
        *tallies: Tallies of the same games.
    """
    value = of(*(t.sums() for t in tallies))
    made = np.array([of(*left) for left in zip(*(t.leave_one_out_sums for t in tallies), strict=True)])
    return jackknife_interval(value, made, tallies[0].sample)

"""Are chances true? Of what is said to happen in 7 of 10 cases, 7 of 10 should happen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Said(NamedTuple):
    """What was said beforehand of something, from 0 to 1, and how much of it came true."""

    chance: float
    came: float


class Bin(NamedTuple):
    """All that was said between two bounds: how often, what on average, and how much of it came true on average."""

    least: float
    most: float
    times: int
    said: float
    came: float


def brier(told: Iterable[Said]) -> float:
    """How far what was said is from what came, squared, on average: 0 is perfect. ValueError if nothing was said."""
    squares = [(chance - came) ** 2 for chance, came in told]
    if not squares:
        raise ValueError("nothing was said")
    return sum(squares) / len(squares)


def reliability(told: Iterable[Said], bins: int = 10) -> list[Bin]:
    """What was said, by how likely it was said to be; bins in which there is nothing are left out."""
    inside: list[list[Said]] = [[] for _ in range(bins)]
    for said in told:
        inside[min(int(said.chance * bins), bins - 1)].append(said)
    return [
        Bin(
            i / bins,
            (i + 1) / bins,
            len(these),
            sum(said.chance for said in these) / len(these),
            sum(said.came for said in these) / len(these),
        )
        for i, these in enumerate(inside)
        if these
    ]


def gap(told: Iterable[Said], bins: int = 10) -> float:
    """By how much what was said is off, on average over all that was said: the expected calibration error."""
    found = reliability(told, bins)
    return sum(b.times * abs(b.said - b.came) for b in found) / sum(b.times for b in found)

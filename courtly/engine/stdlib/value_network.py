"""What was learned of a game by playing it, small enough for every simulation of a search: in the dialect.

A game's `policy.py` tells in `traits` what to notice about each seat, in whole numbers; `courtly.lab.train_value` has
the game play against itself and finds the weights: a layer of hidden numbers, each a sum of traits by weights, or 0
where that is negative, and what each trait and each hidden number counts. By how much one seat is stronger than
another tells the chance, as log odds, that it is placed before the other.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import Any

from courtly.engine.errors import CourtlyError
from courtly.engine.rng import Row

WEIGHT_SCALE = 1 << 10  # what counts as one in the weights
ODDS_STEPS = 64  # of a log odds of one
ODDS_TABLE = tuple(round(1000 / (1 + exp(-i / ODDS_STEPS))) for i in range(8 * ODDS_STEPS))


class InvalidWeightsError(CourtlyError, ValueError):
    """A file of weights that does not hold together, or is of another version of the game; says which."""


def load_weights(file: Path, traits: int) -> tuple[int, ...]:
    """The weights of so many traits that a file holds. The hidden numbers are even in number, as they are worked out
    two at a time, which is several times as fast: the last may count nothing. OSError says that it cannot be read."""
    weights = load_rows(file, "weights")[0]
    hidden, over = divmod(len(weights) - traits, traits + 2)
    if hidden < 0 or over:
        raise InvalidWeightsError(f"{file}: {len(weights)} weights are none for {traits} traits")
    return weights + (0,) * (hidden % 2 * (traits + 2))


def load_rows(file: Path, *names: str) -> list[tuple[int, ...]]:
    """The rows of whole numbers that a file in a game's folder holds by these names, learned of the game as it is."""
    version = tomllib.loads(file.with_name("game.toml").read_text(encoding="utf-8"))["version"]
    try:
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        found, learned_of = [tuple(kept[name]) for name in names], kept["version"]
    except (ValueError, KeyError, TypeError) as wrong:
        raise InvalidWeightsError(f"{file}: {wrong!r}") from None
    if learned_of != version:
        raise InvalidWeightsError(f"{file}: learned of version {learned_of} of the game, which is {version}")
    if any({*map(type, row)} != {int} for row in found):
        raise InvalidWeightsError(f"{file}: not all its weights are whole numbers")
    return found


def compute_strength(weights: Sequence[int], noticed: Row, at: int, n: int) -> int:
    """Of the n traits noticed from `at` on. `weights` as `load_weights` gives them: what each trait counts; then for
    each hidden number its constant, what it counts, and the weight of each trait."""
    all_ = 0
    for i in range(n):
        all_ += weights[i] * noticed[at + i]
    all_ *= WEIGHT_SCALE
    size = n + 2
    for first in range(n, len(weights), 2 * size):
        one = weights[first]
        other = weights[first + size]
        for i in range(n):
            trait = noticed[at + i]
            one += weights[first + 2 + i] * trait
            other += weights[first + size + 2 + i] * trait
        all_ += max(one, 0) * weights[first + 1] + max(other, 0) * weights[first + size + 1]
    return all_


def compute_placements(out: Row, players: int, at: int) -> None:
    """The strengths of all seats stand from `at` on; to `out` goes the share of the others that each is likely to be
    placed before, in thousandths."""
    for seat in range(players):
        all_ = 0
        for other in range(players):
            if other != seat:
                ahead = out[at + seat] - out[at + other]
                odds = ODDS_TABLE[min(abs(ahead) * ODDS_STEPS // (WEIGHT_SCALE * WEIGHT_SCALE), len(ODDS_TABLE) - 1)]
                all_ += odds if ahead >= 0 else 1000 - odds
        out[seat] = all_ // max(1, players - 1)

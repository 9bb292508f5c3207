"""A value network, learned from games of self-play and small enough for each simulation of a search. In the dialect.

The function `traits` of a game's `policy.py` returns whole numbers about each seat; `courtly.lab.train_value` lets the
game play against itself and fits the weights. The strength of a seat is a weighted sum of its traits and of a hidden
layer of rectified linear units. The difference between the strengths of two seats is the log odds that one is placed
before the other.
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

WEIGHT_SCALE = 1 << 10  # the number that stands for 1 in the weights
ODDS_STEPS = 64  # steps of the table for a log odds of 1
ODDS_TABLE = tuple(round(1000 / (1 + exp(-i / ODDS_STEPS))) for i in range(8 * ODDS_STEPS))


class InvalidWeightsError(CourtlyError, ValueError):
    """A file of weights that is malformed, or belongs to another version of the game; the message says which."""


def load_weights(file: Path, traits: int) -> tuple[int, ...]:
    """Return the weights for `traits` traits that a file holds.

    The number of hidden units is even, because computing two at a time is several times as fast: a unit with weights of
    0 is added if needed.

    Raises:
        OSError: The file cannot be read.
        InvalidWeightsError: The file is malformed, or belongs to another version of the game.
    """
    weights = load_rows(file, "weights")[0]
    hidden, over = divmod(len(weights) - traits, traits + 2)
    if hidden < 0 or over:
        raise InvalidWeightsError(f"{file}: {len(weights)} weights do not match {traits} traits")
    return weights + (0,) * (hidden % 2 * (traits + 2))


def load_rows(file: Path, *names: str) -> list[tuple[int, ...]]:
    """Return the rows of whole numbers with these names from a file in a game's folder. Raises InvalidWeightsError
    unless the file names the current version of the game."""
    version = tomllib.loads(file.with_name("game.toml").read_text(encoding="utf-8"))["version"]
    try:
        contents: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        rows, learned_of = [tuple(contents[name]) for name in names], contents["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidWeightsError(f"{file}: {error!r}") from None
    if learned_of != version:
        raise InvalidWeightsError(f"{file}: learned for version {learned_of}, but the game has version {version}")
    if any({*map(type, row)} != {int} for row in rows):
        raise InvalidWeightsError(f"{file}: some of its weights are not whole numbers")
    return rows


def compute_strength(weights: Sequence[int], noticed: Row, at: int, n: int) -> int:
    """Return the strength for the n traits from `noticed[at]` on.

    `weights`, as `load_weights` returns them: the weight of each trait; then for each hidden unit its bias, its output
    weight, and its weight of each trait.
    """
    all_ = 0
    for i in range(n):
        all_ += weights[i] * noticed[at + i]
    all_ *= WEIGHT_SCALE
    size = n + 2
    for first in range(n, len(weights), 2 * size):
        unit = weights[first]
        next_unit = weights[first + size]
        for i in range(n):
            trait = noticed[at + i]
            unit += weights[first + 2 + i] * trait
            next_unit += weights[first + size + 2 + i] * trait
        all_ += max(unit, 0) * weights[first + 1] + max(next_unit, 0) * weights[first + size + 1]
    return all_


def compute_placements(out: Row, players: int, at: int) -> None:
    """Write to `out`, in thousandths, the expected share of the other seats that each seat is placed before, given the
    strengths of all seats from `out[at]` on."""
    for seat in range(players):
        all_ = 0
        for other in range(players):
            if other != seat:
                ahead = out[at + seat] - out[at + other]
                odds = ODDS_TABLE[min(abs(ahead) * ODDS_STEPS // (WEIGHT_SCALE * WEIGHT_SCALE), len(ODDS_TABLE) - 1)]
                all_ += odds if ahead >= 0 else 1000 - odds
        out[seat] = all_ // max(1, players - 1)

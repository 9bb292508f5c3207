"""What so many consecutive games of a plan gave: all that is measured of them, as arrays with a row a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

WIN_PARTS = 60  # a victory, divisible among any number of winners
Array = np.ndarray[Any, np.dtype[Any]]


class Batch(NamedTuple):
    """Of g games with p players and c components. How it stands is looked at before each decision and in the end, by
    points as players count them."""

    first: int  # the number of its first game
    start: Array  # int8[g]: the seat that began; -1: all began at once
    decisions: Array  # int32[g], and so the next three
    events: Array
    turns: Array  # runs of decisions by one seat
    forced: Array  # decisions with one legal move
    choices: Array  # int64[g]: legal moves over all decisions
    points: Array  # int64[g, p]: without tie-breaks
    scores: Array  # int64[g, p]: with tie-breaks; the highest wins
    shares: Array  # int16[g, p]: 60ths of a victory
    leads: Array  # int32[g]: how often another seat came to lead alone than the one that last did
    led: Array  # int32[g]: decisions made when the later winner was behind for the last time; 0: never behind
    behind: Array  # int64[g]: the most points by which the later winner was ever behind
    owned: Array  # int16[g, p, c]: components that a seat has in the end

    @property
    def games(self) -> int:
        return len(self.start)


PER_GAME_FIELDS = Batch._fields[1:]  # those that have a row for each game


def empty_batch(first: int, games: int, players: int, components: int) -> Batch:
    """Room for so many games."""
    each = {"points": np.int64, "scores": np.int64, "shares": np.int16}
    wide = {"choices": np.int64, "behind": np.int64, "start": np.int8}
    return Batch(
        first,
        *(
            np.zeros((games, players, components), np.int16)
            if name == "owned"
            else np.zeros((games, players), each[name])
            if name in each
            else np.zeros(games, wide.get(name, np.int32))
            for name in PER_GAME_FIELDS
        ),
    )


def join_batches(batches: Iterable[Batch]) -> Batch:
    """Consecutive batches as one."""
    given = list(batches)
    return Batch(
        given[0].first, *(np.concatenate([getattr(batch, name) for batch in given]) for name in PER_GAME_FIELDS)
    )

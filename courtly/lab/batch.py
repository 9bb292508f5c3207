"""The measurements of consecutive games of a plan: arrays with a row for each game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

WIN_PARTS = 60  # parts of a victory: divisible by any number of winners
Array = np.ndarray[Any, np.dtype[Any]]


class Batch(NamedTuple):
    """Measurements of g games with p players and c components.

    The standing, in points as players count them, is read before each decision and at the end.
    """

    first: int  # number of the first game
    start: Array  # int8[g]: the seat that began; -1 if all began at once
    decisions: Array  # int32[g], as the next three
    events: Array
    turns: Array  # runs of decisions by one seat
    forced: Array  # decisions with one legal move
    choices: Array  # int64[g]: legal moves over all decisions
    points: Array  # int64[g, p]: without tie-breaks
    scores: Array  # int64[g, p]: with tie-breaks; the highest wins
    shares: Array  # int16[g, p]: 60ths of a victory
    leads: Array  # int32[g]: times that the sole lead passed to another seat
    led: Array  # int32[g]: decisions made when the winner was behind for the last time; 0 if never behind
    behind: Array  # int64[g]: largest deficit of the winner, in points
    owned: Array  # int16[g, p, c]: components that a seat owns at the end

    @property
    def games(self) -> int:
        """The number of games, g."""
        return len(self.start)


PER_GAME_FIELDS = Batch._fields[1:]  # the fields with a row for each game


def empty_batch(first: int, games: int, players: int, components: int) -> Batch:
    """Return a batch of zeros for this many games.

    Args:
        first: Number of the first game.
        games: Number of games.
        players: Players of each game.
        components: Number of components that a seat can own.
    """
    columns_by_seat = {"points": np.int64, "scores": np.int64, "shares": np.int16}
    wide_columns = {"choices": np.int64, "behind": np.int64, "start": np.int8}
    return Batch(
        first,
        *(
            np.zeros((games, players, components), np.int16)
            if name == "owned"
            else np.zeros((games, players), columns_by_seat[name])
            if name in columns_by_seat
            else np.zeros(games, wide_columns.get(name, np.int32))
            for name in PER_GAME_FIELDS
        ),
    )

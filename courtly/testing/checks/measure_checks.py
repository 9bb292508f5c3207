"""Checks of a game's `measures.py`, from which `courtly lab` measures games."""

from __future__ import annotations

import random
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.testing.checks.properties import random_positions
from courtly.testing.failure_location import PropertyFailedError

UNWRITTEN = -(1 << 40)  # marks numbers that the function did not write
MAX_OWNED = (1 << 15) - 1  # largest count of a component


def check_measures(game: Game, players: int, r: random.Random) -> None:
    """Check `measures.py` in one random game.

    Raises:
        PropertyFailedError: Points cannot be computed in some position, their order contradicts the scores, a component
            is not counted for each seat, or measuring changes the state.
    """
    measures, position = game.measures, None
    for position in random_positions(game, players, r):
        if hasattr(measures, "starter") and not position.decisions and not position.chance:
            seat = _call_rule(measures.starter, position, position.state)
            if not NOBODY <= seat < players:
                raise PropertyFailedError(
                    measures.starter, f"starter returns seat {seat}, but there are {players} players"
                )
        if hasattr(measures, "points"):
            _written_numbers(measures.points, position, players, position.state)
    assert position is not None
    if hasattr(measures, "points"):
        points, scores = _written_numbers(measures.points, position, players, position.state), position.standing()
        for a in range(players):
            if any(scores[a] > scores[b] and points[a] < points[b] for b in range(players)):
                problem = f"the points {points} and the scores {scores} do not have the same order"
                raise PropertyFailedError(measures.points, problem)
    if hasattr(measures, "owned"):
        for seat in range(players):
            if not all(
                0 <= n <= MAX_OWNED
                for n in _written_numbers(measures.owned, position, game.owned.total, position.state, seat)
            ):
                raise PropertyFailedError(measures.owned, f"counts of components must be from 0 to {MAX_OWNED}")


def _written_numbers(function: Any, position: Position, n: int, *args: Any) -> list[int]:
    """Return the n numbers that a function writes. Raises PropertyFailedError if it leaves one out."""
    out = [UNWRITTEN] * n
    _call_rule(function, position, *args, out)
    if UNWRITTEN in out:
        raise PropertyFailedError(function, f"it must write {n} numbers, but leaves out number {out.index(UNWRITTEN)}")
    return out


def _call_rule(function: Any, position: Position, *args: Any) -> Any:
    """Call a function. Raises PropertyFailedError if it changes the state."""
    before = position.state.pack()
    value = function(*args)
    if position.state.pack() != before:
        raise PropertyFailedError(function, "it changes the state that it measures")
    return value

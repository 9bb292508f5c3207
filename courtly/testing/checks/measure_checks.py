"""What `courtly lab` measures of a game, by its `measures.py`."""

from __future__ import annotations

import random
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.testing.checks.properties import random_positions
from courtly.testing.failure_location import PropertyFailedError

UNWRITTEN = -(1 << 40)  # stands where nothing has been written
MAX_OWNED = (1 << 15) - 1  # of a component


def check_measures(game: Game, players: int, r: random.Random) -> None:
    """In one random game: points are told at any time, whoever wins has most of them in the end, every component is
    counted for every seat, and to measure changes nothing."""
    asked, position = game.measures, None
    for position in random_positions(game, players, r):
        if hasattr(asked, "starter") and not position.decisions and not position.chance:
            seat = _call_rule(asked.starter, position, position.state)
            if not NOBODY <= seat < players:
                raise PropertyFailedError(asked.starter, f"seat {seat} begins, which nobody sits on")
        if hasattr(asked, "points"):
            _written_numbers(asked.points, position, players, position.state)
    assert position is not None
    if hasattr(asked, "points"):
        points, scores = _written_numbers(asked.points, position, players, position.state), position.standing()
        for a in range(players):
            if any(scores[a] > scores[b] and points[a] < points[b] for b in range(players)):
                said = f"the points {points} and the scores {scores} do not have the same order"
                raise PropertyFailedError(asked.points, said)
    if hasattr(asked, "owned"):
        for seat in range(players):
            if not all(
                0 <= n <= MAX_OWNED
                for n in _written_numbers(asked.owned, position, game.owned.total, position.state, seat)
            ):
                raise PropertyFailedError(asked.owned, f"counts of components are 0 to {MAX_OWNED}")


def _written_numbers(function: Any, position: Position, n: int, *args: Any) -> list[int]:
    """The n numbers that it writes."""
    out = [UNWRITTEN] * n
    _call_rule(function, position, *args, out)
    if UNWRITTEN in out:
        raise PropertyFailedError(
            function, f"of {n} numbers that it is to write it leaves out number {out.index(UNWRITTEN)}"
        )
    return out


def _call_rule(function: Any, position: Position, *args: Any) -> Any:
    before = position.state.pack()
    found = function(*args)
    if position.state.pack() != before:
        raise PropertyFailedError(function, "it changes the state that it is to measure")
    return found

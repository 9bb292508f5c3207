"""What `courtly lab` measures of a game, by its `measures.py`."""

from __future__ import annotations

import random
from typing import Any

from courtly.engine.game import NOBODY, Game
from courtly.engine.position import Position
from courtly.testing.checks.properties import positions
from courtly.testing.failure_location import Broken

UNSAID = -(1 << 40)  # stands where nothing has been written
MOST = (1 << 15) - 1  # of a component


def measures_hold(game: Game, players: int, r: random.Random) -> None:
    """In one random game: points are told at any time, whoever wins has most of them in the end, every component is
    counted for every seat, and to measure changes nothing."""
    asked, position = game.measures, None
    for position in positions(game, players, r):
        if hasattr(asked, "starter") and not position.decisions and not position.chance:
            seat = _asked(asked.starter, position, position.state)
            if not NOBODY <= seat < players:
                raise Broken(asked.starter, f"seat {seat} begins, which nobody sits on")
        if hasattr(asked, "points"):
            _rows(asked.points, position, players, position.state)
    assert position is not None
    if hasattr(asked, "points"):
        points, scores = _rows(asked.points, position, players, position.state), position.standing()
        for a in range(players):
            if any(scores[a] > scores[b] and points[a] < points[b] for b in range(players)):
                said = f"the points {points} and the scores {scores} do not have the same order"
                raise Broken(asked.points, said)
    if hasattr(asked, "owned"):
        for seat in range(players):
            if not all(0 <= n <= MOST for n in _rows(asked.owned, position, game.owned.total, position.state, seat)):
                raise Broken(asked.owned, f"counts of components are 0 to {MOST}")


def _rows(function: Any, position: Position, n: int, *args: Any) -> list[int]:
    """The n numbers that it writes."""
    out = [UNSAID] * n
    _asked(function, position, *args, out)
    if UNSAID in out:
        raise Broken(function, f"of {n} numbers that it is to write it leaves out number {out.index(UNSAID)}")
    return out


def _asked(function: Any, position: Position, *args: Any) -> Any:
    before = position.state.pack()
    found = function(*args)
    if position.state.pack() != before:
        raise Broken(function, "it changes the state that it is to measure")
    return found

"""Checks of a game's facts."""

from __future__ import annotations

import random
from array import array
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.engine.facts import NOTHING
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.module_loader import FACTS_DRIVER
from courtly.engine.native.rows import make_row, pack_state
from courtly.engine.state import StateBase
from courtly.testing.checks.properties import random_positions
from courtly.testing.failure_location import PropertyFailedError


class CompiledFacts:
    """The facts of a game in machine code that checks every index."""

    def __init__(self, game: Game):
        self.game = game
        self.driver = loader.load_driver(game, loader.CompiledBackend(is_checked=True), FACTS_DRIVER)

    def find(self, state: StateBase, seat: int) -> list[int]:
        """Return all numbers of the facts. Raises IndexError or OverflowError, with the author's line."""
        assert self.game.Facts is not None
        numbers = memoryview(array("i", [NOTHING]) * self.game.Facts.length)
        self.driver.find_facts(pack_state(state), seat, numbers, make_row(self.game.room))
        return numbers.tolist()


def check_facts_agree(game: Game, players: int, count: int) -> None:
    """Raise PropertyFailedError if facts differ between interpreted and native."""
    compiled, r, checked = CompiledFacts(game), random.Random(22), 0
    while checked < count:
        for position in random_positions(game, players, r):
            seat = checked % (players + 1)
            view = position.view(None if seat == players else seat)
            expected = _find_interpreted(game, view)
            state = game.State.from_view(view["state"])
            if compiled.find(state, NOBODY if view["seat"] is None else seat) != expected:
                raise PropertyFailedError(game.facts_module.facts, "facts differ between interpreted and native")
            checked += 1
            if checked == count:
                break


def _find_interpreted(game: Game, view: Any) -> list[int]:
    assert game.Facts is not None
    facts, seat = game.Facts(), view["seat"]
    state = game.State.from_view(view["state"])
    game.facts_module.facts(state, NOBODY if seat is None else seat, facts, [0] * game.room)
    return [*facts.numbers()]

"""Bounds on everything that rules write to or read from.

Interpreted, an index outside a row is an error, but one below 0 is not: here both complain, in fields, tables and
buffers, and so does a number too wide for its field. The same moves are made by a native build that checks bounds; both
must agree after every one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from courtly.bots import bot_names, find_bot
from courtly.engine import native
from courtly.engine.chance import generator
from courtly.engine.game import NOBODY, Game
from courtly.engine.position import Position
from courtly.testing.forms import Pair


class Row(list[Any]):
    """A row of numbers of so many bytes that cannot be read or written outside, from either end."""

    def __init__(self, values: Any, size: int = 8):
        super().__init__(values)
        self.bound = 1 << 8 * size - 1

    def __getitem__(self, i: Any) -> Any:
        if type(i) is int and i < 0:
            raise IndexError(f"index {i}")
        return super().__getitem__(i)

    def __setitem__(self, i: Any, value: Any) -> None:
        if type(i) is int and i < 0:
            raise IndexError(f"index {i}")
        if type(value) is int and not -self.bound <= value < self.bound:
            raise OverflowError(f"{value} is too wide")
        super().__setitem__(i, value)


class Table(tuple[Any, ...]):
    """A table that cannot be read from its far end."""

    __slots__ = ()

    def __getitem__(self, i: Any) -> Any:
        if type(i) is int and i < 0:
            raise IndexError(f"index {i}")
        return super().__getitem__(i)


class Bounded(native.Interpreted):
    def table(self, t: Any) -> Any:
        return Table(x if type(x) is int else self.table(x) for x in t)


def rows(value: Any, size: int) -> Any:
    return Row((rows(x, size) for x in value), size) if isinstance(value, list) else value


def bounded(state: Any) -> Any:
    """A copy whose fields complain."""
    twin = state.copy()
    for name, field in twin.fields.items():
        setattr(twin, name, rows(getattr(twin, name), field.size))
    return twin


COMPLAINING: dict[str, Any] = {"copy": bounded, "row": Row}


@contextmanager
def drivers(game: Game) -> Iterator[tuple[Any, Any]]:
    """A game's drivers that complain: interpreted, native. Native code would otherwise read beyond a field without a
    word."""
    import numba

    config: Any = numba.config
    before = config.OPT
    config.OPT = type(before)(0)  # compiled in half the time; it need not be quick
    try:
        yield native.load(game, Bounded()), native.load(game, native.Compiled(boundscheck=True))
    finally:
        config.OPT = before


def play(interpreted: Any, checked: Any, players: int, options: dict[str, int], number: int) -> None:
    """One game of heuristic bots, with a random move now and then so that no two are alike."""
    game: Game = interpreted.game
    r = random.Random(number)
    choose = find_bot(game, bot_names(game)[0])
    pair = Pair(interpreted, checked, game.State(players=players, **options), number, **COMPLAINING)
    minds = [generator(number, seat) for seat in range(players)]
    state, length = pair.state, 0
    position, longest = Position(game, state=state), game.bounds["decisions"] + game.bounds["events"]
    while not position.over:
        seat = position.actors[0]
        legal: list[int] = [*position.legal(seat)]
        if seat == NOBODY:
            weights = [weight for _, weight in position.outcomes()]
            at = r.choices(range(len(legal)), weights)[0]
            move, at, total = legal[at], sum(weights[:at]), sum(weights)
        else:
            move = choose(game, position.view(seat), minds[seat]) if r.random() < 0.95 else r.choice(legal)
            at, total = legal.index(move), len(legal)
        if length % 16 == 0:
            pair.look(seat, move, length // 16 % (players + 1) - 1)
        pair.lead(at, total)
        assert pair.step() == move
        length += 1
        assert length <= longest, "the game does not end"
    pair.look(0, 0, NOBODY)

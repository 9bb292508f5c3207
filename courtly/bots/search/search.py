"""A bot for every game, from nothing but its rules: it simulates what may be, from what its seat sees (tree.py)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from math import sqrt
from statistics import mean, variance
from typing import Any, NamedTuple

from courtly.bots.search.probability_calibration import all_believed, believed, trust_of, with_share
from courtly.bots.search.tree import EDGE, FULL, NODES, TALLIES
from courtly.engine import schemas
from courtly.engine.game import MOST_SEATS, NOTES, Game
from courtly.engine.native import loader
from courtly.engine.rng import Row, generator, word
from courtly.engine.state import Record

DRIVER, SOLVER = "courtly.bots.search.tree", "courtly.bots.search.exact_driver"
COUNT, MOST = 2000, 1_000_000  # simulations of a decision, where nothing else is said, and at most
NOTED, NOTES_MOST = 1000, 1 << 24  # numbers to think with instead of a simulation, where the policy works it out
CERTAIN = 1_000_000_000  # a chance of 1, as the policy tells it then
ASTRAY = 0.02  # how far such chances were found to be from what came, as a standard error
RUNS = 8  # of the simulations that tell chances
SURE = 2.36  # standard errors on either side hold the truth in 95 of 100, where they are found from 8 runs
ONE = 1 << 16  # as in tree.py
ROOM = 1 << 22  # numbers for the moves of all nodes of all trees, at most
DEPTH, LENGTH = 1024, 4096  # decisions of a simulation that something is learned of: in the tree, and in all
FIRST_SLICE = 16  # simulations of each tree before the first pause
SLICE_S = 0.04  # between two pauses, about

Pause = Callable[[], None]


class Dials(NamedTuple):
    """How it searches, shares being of ONE."""

    curiosity: int = 26_214  # how much it looks into moves that were made seldom
    trust: int = 2  # what a move brings elsewhere counts as so many visits of it
    tries: int = 6  # a move of a playout is the best of so many at random, by what such moves brought
    whim: int = 6_554  # or, so often, any
    place: int = 13_107  # what the place counts of a reward; the rest is how far one is ahead
    longest: int = 3_000  # decisions and events of a simulation; then it counts how things stand
    pull: int = 65_536  # how much it looks into moves that the policy prefers
    draws: int = 2  # a move of a playout is the best of so many drawn from the policy; 0: playouts do not ask it
    horizon: int = 4_096  # after so many decisions the value of the position, if the policy tells one, is the end
    only: int = -1  # of the root's moves this one alone is made; -1: all
    peeks: int = 0  # 1: it sees all that is hidden; what an honest one is measured against
    doubts: int = 0  # so often a world is dealt again, if the policy can hardly believe it


def dials_of(game: Game) -> Dials:
    """How this game is searched: as its policy says in DIALS, for the rest as any game."""
    return Dials(**getattr(game.policy, "DIALS", {}))


class Line(NamedTuple):
    """What was found of a move: how often it was looked into, what it brought (0 to 1), the share of victories then."""

    move: int
    visits: int
    value: float
    wins: float


class Thought(NamedTuple):
    """The moves, the best first; each seat's share of all victories; how many nodes there are, and how many simulations
    found no room for another."""

    lines: list[Line]
    wins: list[float]
    nodes: int
    full: int


class Chances(NamedTuple):
    """Each seat's share of the victories, and how far it may be from the truth: the standard error, from how far
    several runs are apart. Simulations of one run learn from each other, and go wrong together. `counted`: in simulated
    games; else one seat's share was worked out, and the others divide what is left."""

    shares: list[float]
    errors: list[float]
    counted: bool = True


class Search:
    """A bot that searches with so many simulations, in so many trees side by side (what they find is added up): on idle
    cores it answers so much sooner. Where the game's policy can work a decision out, nothing is simulated, and `count`
    says how much room there is to think. The same view, count, trees and number give the same answer everywhere."""

    def __init__(
        self,
        game: Game,
        count: int = COUNT,
        form: loader.Interpreted | loader.Compiled | None = None,
        dials: Dials | None = None,
        room: int = ROOM,
        trees: int = 1,
    ):
        self.trees = trees
        self.game, self.count, self.dials, self.room = game, count, dials or dials_of(game), room
        self.solves = hasattr(game.policy, "solve")
        driver = SOLVER if self.solves else DRIVER
        self.driver = loader.load(game, form, driver) if form else _driver(game, driver)

    def warm(self) -> None:
        """Have it compiled, and look whether its chances can be told. BrokenRules says in which line it cannot be
        compiled, Unfit what is wrong with `chances.json`."""
        trust_of(self.game, self.game.players[0])
        blank = self.game.State()
        if self.solves:
            loader.compiled(self.game, lambda: self._solve(blank, 0))
        else:
            loader.compiled(self.game, lambda: _Tree(self, blank, 0, 1, 0, 0, self.dials).grow(0))

    def __call__(self, game: Game, view: schemas.Glance, rng: Row) -> int:
        number = word(rng) << 31 ^ word(rng)
        return view["legal"][0]["id"] if len(view["legal"]) == 1 else self.think(view, number).lines[0].move

    def think(self, view: schemas.Glance, number: int, pause: Pause | None = None) -> Thought:
        """Return what it makes of a view with several legal moves.

        Args:
            view: What the seat sees.
            number: Where the luck comes from.
            pause: Called again and again while it searches, about `SLICE_S` apart. The answer is the same.

        Raises:
            ValueError: If the seat has fewer than two legal moves.
        """
        seat, legal = view["seat"], [move["id"] for move in view["legal"]]
        if seat is None or len(legal) < 2:
            raise ValueError("there is nothing to choose")
        return self.ponder(self.game.State.from_view(view["state"]), seat, legal, number, pause)

    def ponder(self, state: Record, seat: int, legal: list[int], number: int, pause: Pause | None = None) -> Thought:
        """The same of a state. What the seat cannot see in it makes no difference."""
        if self.solves:
            worths, shares = self._solve(state, seat)
            told = [Line(move, self.count, worths[move], worths[move]) for move in legal]
            return Thought(sorted(told, key=lambda line: -line.value), shares, 0, 0)
        n = len(legal)
        parts = [(state, seat, n, (self.count + i) // self.trees, number, self.dials, i) for i in range(self.trees)]
        found = self._side_by_side(parts, pause)
        moved, wins, (nodes, full) = ([*map(sum, zip(*row, strict=True))] for row in zip(*found, strict=True))
        lines = []
        for i, move in enumerate(legal):
            visits, brought, won = moved[EDGE * i], moved[EDGE * i + 1], wins[MOST_SEATS + i]
            lines.append(Line(move, visits, brought / max(1, visits) / ONE, won / max(1, visits) / 60))
        lines.sort(key=lambda line: (-line.visits, -line.value))
        return Thought(lines, [n / 60 / self.count for n in wins[: state.players]], nodes, full)

    def chances(self, view: schemas.Glance, move: int | None, number: int, pause: Pause | None = None) -> Chances:
        """What each seat may hope for, as whoever sees this view can know it: of their victories in `tally` as much as
        is to be believed. `pause` as in `think`."""
        shares, errors, counted = self.tally(view, move, number, pause)
        seat, n = view["seat"], len(shares)
        assert seat is not None
        trust = trust_of(self.game, n)
        spans = [
            believed(share + error, n, trust) - believed(share - error, n, trust)
            for share, error in zip(shares, errors, strict=True)
        ]
        return Chances(all_believed(shares, seat, trust), [span / 2 for span in spans], counted)

    def tally(self, view: schemas.Glance, move: int | None, number: int, pause: Pause | None = None) -> Chances:
        """The victories of simulations that are played to the end. They all begin with this move, if one is given; else
        whoever is to move does what is good. `pause` as in `think`."""
        seat, legal, bounds = view["seat"], [legal["id"] for legal in view["legal"]], self.game.bounds
        if seat is None or not view["pending"] or move is not None and (len(legal) < 2 or move not in legal):
            raise ValueError("that is nothing to choose")
        if self.solves:
            state, mover = self.game.State.from_view(view["state"]), seat if legal else view["pending"][0]
            worths, shares = self._solve(state, mover)
            told = shares if move is None else with_share(shares, seat, worths[move])
            return Chances(told, [ASTRAY] * len(shares), False)
        only, n = (-1, 0) if move is None else (legal.index(move), len(legal))
        dials = self.dials._replace(
            only=only, draws=1, longest=bounds["decisions"] + bounds["events"], horizon=LENGTH + 1
        )
        state, each = self.game.State.from_view(view["state"]), max(1, self.count // RUNS)
        found = self._side_by_side([(state, seat, n, each, number, dials, run) for run in range(RUNS)], pause)
        runs = [[won / 60 / each for won in wins[: state.players]] for _, wins, _ in found]
        shares = [mean(run) for run in zip(*runs, strict=True)]
        least = 1 / (RUNS * each + 2)  # what never or always happened is not certain
        errors = [
            sqrt(max(variance(run, share), max(least, share) * max(least, 1 - share) / each) / RUNS)
            for run, share in zip(zip(*runs, strict=True), shares, strict=True)
        ]
        return Chances(shares, errors)

    def _solve(self, state: Record, seat: int) -> tuple[dict[int, float], list[float]]:
        """What each move is worth, by its id; each seat's chance to win."""
        row = _array if self.driver.native else _list
        room = min(max(1, NOTED * self.count), NOTES_MOST)
        moves, out, notes = row(self.game.room), row(self.game.room + MOST_SEATS), row(room)
        notes[0] = room
        known = _worlds(self.game, state)[0][0] if self.driver.native else state.copy()
        n = self.driver.work_out(known, seat, moves, out, notes)
        worths = {int(moves[i]): int(out[i]) / CERTAIN for i in range(n)}
        return worths, [int(out[n + other]) / CERTAIN for other in range(state.players)]

    def _side_by_side(self, trees: list[tuple[Any, ...]], pause: Pause | None) -> list[tuple[list[int], ...]]:
        """Return what is found in each of these trees. They grow on all cores at once, for machine code lets go of the
        interpreter; during a pause none of them grows."""
        cores = min(len(trees), os.cpu_count() or 1) if self.driver.native else 1
        found, count = list[tuple[list[int], ...]](), FIRST_SLICE if pause else MOST
        with ThreadPoolExecutor(cores) as threads:
            at_once = threads.map if cores > 1 else map
            for first in range(0, len(trees), cores):
                group = [_Tree(self, *tree) for tree in trees[first : first + cores]]
                while growing := [tree for tree in group if tree.left]:
                    begun = time.monotonic()
                    list(at_once(partial(_Tree.grow, count=count), growing))
                    took = time.monotonic() - begun
                    if pause:
                        count = 2 * count if took < SLICE_S / 3 else max(1, count // 2) if took > SLICE_S else count
                        pause()
                found += [tree.found() for tree in group]
        return found


class _Tree:
    """One tree. It comes out the same whether it grows at once or little by little."""

    def __init__(
        self, search: Search, state: Record, seat: int, n: int, count: int, number: int, dials: Dials, stream: int = 0
    ):
        """`n`: moves of the root; `count`: simulations in all."""
        game, native_ = search.game, search.driver.native
        row, blank = (_array, _blank) if native_ else (_list, _list)
        self._driver, self._n, self._moves = search.driver, n, game.moves.count
        self.left = count  # simulations that are still to be made
        self._position = (*(_worlds(game, state) if native_ else ([state.copy(), state], None, None)), seat)
        self._moved = blank(min(search.room // search.trees, EDGE * max(1, count) * game.bounds["moves"]))
        self._tally, self._wins = row(TALLIES), row(MOST_SEATS + n)
        self._rows = (
            row(generator(number, stream)), row(game.room), row(game.room + NOTES), row(MOST_SEATS),
            row(4 << (2 * count + 1).bit_length()), self._moved, blank(3 * MOST_SEATS * game.moves.count),
            row(2 * DEPTH), row(LENGTH), self._tally, self._wins, row(dials),
        )  # fmt: skip  # in the order of `search` in tree.py

    def grow(self, count: int) -> None:
        """Make so many of the simulations that are left."""
        count = min(count, self.left)
        self._driver.search(*self._position, count, self._moves, *self._rows)
        self.left -= count

    def found(self) -> tuple[list[int], ...]:
        """Return of the moves of the root how often each was made and what it brought; the victories of seats and
        moves; how many nodes there are, and how many simulations found no room."""
        counts = [int(self._tally[NODES]), int(self._tally[FULL])]
        return [*map(int, self._moved[: EDGE * self._n])], [*map(int, self._wins)], counts


def _list(given: Any, times: int = 1) -> Any:
    """So many zeros, or these numbers again and again."""
    return [0] * given if isinstance(given, int) else list(given) * times


def _array(given: Any, times: int = 1) -> Any:
    import numpy as np

    return np.zeros(given, np.int64) if isinstance(given, int) else np.tile(np.array(given, np.int64), times)


def _blank(room: int) -> Any:
    """For so many numbers that are written before they are read."""
    import numpy as np

    return np.empty(room, np.int64)


def _worlds(game: Game, state: Record, room: int = 2) -> tuple[Any, Any, Any]:
    """Room for two states or more, this one first; their bytes as words; which bits of these each seat sees."""
    import numpy as np

    layout, masks = _layout(game)
    words = np.zeros((room, layout.itemsize // 8), np.int64)
    words.view(np.uint8)[0, : game.State.packing.size] = np.frombuffer(state.pack(), np.uint8)
    return words.reshape(-1).view(layout), words, masks


@cache
def _layout(game: Game) -> tuple[Any, Any]:
    """The layout of a state that is whole words long, and which bits of it each seat sees."""
    import numpy as np

    plain = game.State.layout()
    size = -(-plain.itemsize // 8) * 8
    formats, offsets = zip(*(plain.fields[name][:2] for name in plain.names), strict=True)
    masks = np.zeros((MOST_SEATS, size), np.uint8)
    for field in game.State.stored:
        at, length = plain.fields[field.name][1], field.length * field.size
        if field.visible == "public":
            masks[:, at : at + length] = 255
        elif field.visible == "private":
            row = length // field.shape[0]
            for seat in range(min(MOST_SEATS, field.shape[0])):
                masks[seat, at + seat * row : at + (seat + 1) * row] = 255
    layout = np.dtype({"names": plain.names, "formats": formats, "offsets": offsets, "itemsize": size})
    return layout, masks.view(np.int64)[:, : -(-game.State.packing.size // 8)].copy()


@cache
def _driver(game: Game, driver: str) -> Any:
    return loader.load(game, driver=driver)

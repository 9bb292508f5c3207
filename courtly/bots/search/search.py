"""A bot for any game that needs only its rules: it searches simulated games from the view of its seat (tree.py)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from math import sqrt
from statistics import mean, variance
from typing import Any, NamedTuple

from courtly.bots.search.probability_calibration import calibrate, calibrate_all, load_trust, replace_share
from courtly.bots.search.tree import EDGE_WIDTH, FULL, NODES, TALLIES
from courtly.engine import schemas
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.rows import WORD_BYTES, make_row, make_states, mask_visible
from courtly.engine.rng import Row, draw_word, make_generator
from courtly.engine.state import StateBase

TREE_DRIVER, EXACT_DRIVER = "courtly.bots.search.tree", "courtly.bots.search.exact_driver"
DEFAULT_SIMULATIONS, MAX_SIMULATIONS = (
    2000,
    1_000_000,
)  # numbers of simulations for each decision: the default, and the greatest allowed
NOTES_PER_SIMULATION, MAX_NOTES = (
    1000,
    1 << 24,
)  # numbers of working memory for each simulation that an exact solution replaces, and the most in all
CERTAINTY = 1_000_000_000  # the number that stands for a chance of 1 in an exact solution
EXACT_STANDARD_ERROR = 0.02  # of the chances of exact solutions, measured against the results
CHANCE_RUNS = 8  # number of independent runs for an estimate of chances
CONFIDENCE_95_FACTOR = (
    2.36  # half the width of a 95 % interval, in standard errors that are estimated from CHANCE_RUNS runs
)
REWARD_SCALE = 1 << 16  # as in tree.py
MAX_MOVE_NUMBERS = 1 << 22  # the most numbers for the moves of all nodes of all trees
MAX_TREE_DEPTH, MAX_LEARNED_DECISIONS = (
    1024,
    4096,
)  # the most decisions of a simulation that are recorded: in the tree, and in all
FIRST_SLICE_SIMULATIONS = 16  # simulations of each tree before the first pause
PAUSE_INTERVAL_S = 0.04  # the approximate time between two pauses

Pause = Callable[[], None]


class SearchSettings(NamedTuple):
    """The parameters of the search. Shares are in units of 1/REWARD_SCALE."""

    curiosity: int = 26_214  # the weight of exploration: how strongly rarely made moves are preferred
    trust: int = 2  # what a move brings elsewhere in the tree counts like this many visits
    tries: int = 6  # without policy, a playout makes the best of this many random moves, by what such moves brought
    whim: int = 6_554  # the share of playout moves that are random
    place: int = 13_107  # the weight of the placement in a reward; the rest is the lead or deficit in points
    longest: int = 3_000  # the most decisions and events of a simulation; after that the current scores count
    pull: int = 65_536  # the weight of the policy's priors in the choice of moves to explore
    draws: int = 2  # a playout makes the best of this many moves drawn from the policy; 0: without the policy
    horizon: int = 4_096  # decisions after which a simulation ends with the policy's value, if it has one
    only: int = -1  # the index of the only move made at the root; -1: all
    peeks: int = 0  # 1: the search sees all hidden information; a reference for measurements
    doubts: int = 0  # how often a world is dealt again at most if the policy considers it unlikely


def load_search_settings(game: Game) -> SearchSettings:
    """Return the parameters for this game: SEARCH_SETTINGS of its policy, with defaults for the rest."""
    return SearchSettings(**getattr(game.policy, "SEARCH_SETTINGS", {}))


class MoveEvaluation(NamedTuple):
    """What a search found about a move: the number of visits, the mean reward (0 to 1), and the share of victories
    after it."""

    move: int
    visits: int
    value: float
    wins: float


class SearchResult(NamedTuple):
    """The result of a search: the moves, best first; each seat's share of all victories; the number of nodes; and the
    number of simulations that found no space for another node."""

    lines: list[MoveEvaluation]
    wins: list[float]
    nodes: int
    full: int


class WinChances(NamedTuple):
    """Each seat's share of the victories, and its standard error, which is estimated from the differences between
    several runs: the simulations of one run depend on each other. `counted`: the victories were counted in simulated
    games; else one seat's chance was computed, and the others divide the rest."""

    shares: list[float]
    errors: list[float]
    counted: bool = True


class Search:
    """A bot that searches with a number of simulations. The same view, count, trees and seed give the same answer on
    every machine.

    Args:
        game: The game.
        count: The number of simulations. If the game's policy solves decisions exactly, it only determines the working
            memory.
        backend: How to run the search; None for machine code.
        dials: The parameters; None for those of the game.
        room: The most numbers for the moves of all nodes.
        trees: The number of independent trees that share the simulations. They run in parallel on idle cores, and their
            results are added up.
    """

    def __init__(
        self,
        game: Game,
        count: int = DEFAULT_SIMULATIONS,
        backend: loader.InterpretedBackend | loader.CompiledBackend | None = None,
        dials: SearchSettings | None = None,
        room: int = MAX_MOVE_NUMBERS,
        trees: int = 1,
    ):
        self.trees = trees
        self.game, self.count, self.dials, self.room = game, count, dials or load_search_settings(game), room
        self.solves = hasattr(game.policy, "solve")
        driver = EXACT_DRIVER if self.solves else TREE_DRIVER
        self.driver = loader.load_driver(game, backend, driver) if backend else _load_driver(game, driver)

    def warm(self) -> None:
        """Compile the search, and check the calibration.

        Raises:
            RulesError: The rules cannot be compiled; names the author's line.
            InvalidCalibrationError: The file `chances.json` is malformed.
        """
        load_trust(self.game, self.game.players[0])
        blank = self.game.State()
        if self.solves:
            loader.compile_by_calling(self.game, lambda: self._solve(blank, 0))
        else:
            loader.compile_by_calling(self.game, lambda: _SearchTree(self, blank, 0, 1, 0, 0, self.dials).grow(0))

    def __call__(self, game: Game, view: schemas.PositionView, rng: Row) -> int:
        number = draw_word(rng) << 31 ^ draw_word(rng)
        return view["legal"][0]["id"] if len(view["legal"]) == 1 else self.think(view, number).lines[0].move

    def think(self, view: schemas.PositionView, number: int, pause: Pause | None = None) -> SearchResult:
        """Return the evaluation of a view with several legal moves.

        Args:
            view: The view of the seat.
            number: The seed of the simulations.
            pause: Called about every `PAUSE_INTERVAL_S` during the search. It does not change the result.

        Raises:
            ValueError: The seat has fewer than two legal moves.
        """
        seat, legal = view["seat"], [move["id"] for move in view["legal"]]
        if seat is None or len(legal) < 2:
            raise ValueError("there is nothing to choose")
        return self.ponder(self.game.State.from_view(view["state"]), seat, legal, number, pause)

    def ponder(
        self, state: StateBase, seat: int, legal: list[int], number: int, pause: Pause | None = None
    ) -> SearchResult:
        """Return the evaluation of a state, as `think` does. The result does not depend on what the seat cannot see in
        it."""
        if self.solves:
            worths, shares = self._solve(state, seat)
            told = [MoveEvaluation(move, self.count, worths[move], worths[move]) for move in legal]
            return SearchResult(sorted(told, key=lambda line: -line.value), shares, 0, 0)
        n = len(legal)
        parts = [(state, seat, n, (self.count + i) // self.trees, number, self.dials, i) for i in range(self.trees)]
        found = self._side_by_side(parts, pause)
        moved, wins, (nodes, full) = ([*map(sum, zip(*row, strict=True))] for row in zip(*found, strict=True))
        lines = []
        for i, move in enumerate(legal):
            visits, brought, won = moved[EDGE_WIDTH * i], moved[EDGE_WIDTH * i + 1], wins[MAX_SEATS + i]
            lines.append(
                MoveEvaluation(move, visits, brought / max(1, visits) / REWARD_SCALE, won / max(1, visits) / 60)
            )
        lines.sort(key=lambda line: (-line.visits, -line.value))
        return SearchResult(lines, [n / 60 / self.count for n in wins[: state.players]], nodes, full)

    def chances(
        self, view: schemas.PositionView, move: int | None, number: int, pause: Pause | None = None
    ) -> WinChances:
        """Return each seat's chance to win, as far as the seat of this view can know it: the shares of `tally`,
        calibrated. Arguments as for `tally`."""
        shares, errors, counted = self.tally(view, move, number, pause)
        seat, n = view["seat"], len(shares)
        assert seat is not None
        trust = load_trust(self.game, n)
        spans = [
            calibrate(share + error, n, trust) - calibrate(share - error, n, trust)
            for share, error in zip(shares, errors, strict=True)
        ]
        return WinChances(calibrate_all(shares, seat, trust), [span / 2 for span in spans], counted)

    def tally(
        self, view: schemas.PositionView, move: int | None, number: int, pause: Pause | None = None
    ) -> WinChances:
        """Return each seat's share of the victories in simulations that are played to the end.

        Args:
            view: The view of the seat.
            move: The first move of all simulations; None to let the pending seat choose good moves.
            number: The seed of the simulations.
            pause: Called about every `PAUSE_INTERVAL_S`.

        Raises:
            ValueError: The view has no seat or no pending decision, or the move is not one of several legal ones.
        """
        seat, legal, bounds = view["seat"], [legal["id"] for legal in view["legal"]], self.game.bounds
        if seat is None or not view["pending"] or move is not None and (len(legal) < 2 or move not in legal):
            raise ValueError("that is nothing to choose")
        if self.solves:
            state, mover = self.game.State.from_view(view["state"]), seat if legal else view["pending"][0]
            worths, shares = self._solve(state, mover)
            told = shares if move is None else replace_share(shares, seat, worths[move])
            return WinChances(told, [EXACT_STANDARD_ERROR] * len(shares), False)
        only, n = (-1, 0) if move is None else (legal.index(move), len(legal))
        dials = self.dials._replace(
            only=only, draws=1, longest=bounds["decisions"] + bounds["events"], horizon=MAX_LEARNED_DECISIONS + 1
        )
        state, each = self.game.State.from_view(view["state"]), max(1, self.count // CHANCE_RUNS)
        found = self._side_by_side([(state, seat, n, each, number, dials, run) for run in range(CHANCE_RUNS)], pause)
        runs = [[won / 60 / each for won in wins[: state.players]] for _, wins, _ in found]
        shares = [mean(run) for run in zip(*runs, strict=True)]
        least = 1 / (CHANCE_RUNS * each + 2)  # even 0 or all victories are not certain
        errors = [
            sqrt(max(variance(run, share), max(least, share) * max(least, 1 - share) / each) / CHANCE_RUNS)
            for run, share in zip(zip(*runs, strict=True), shares, strict=True)
        ]
        return WinChances(shares, errors)

    def _solve(self, state: StateBase, seat: int) -> tuple[dict[int, float], list[float]]:
        """Return the value of each move by its id, and each seat's chance to win."""
        row = make_row if self.driver.native else _make_list
        room = min(max(1, NOTES_PER_SIMULATION * self.count), MAX_NOTES)
        moves, out, notes = row(self.game.room), row(self.game.room + MAX_SEATS), row(room)
        notes[0] = room
        known = _make_worlds(self.game, state, 1)[0].cast("B") if self.driver.native else state.copy()
        n = self.driver.solve_decision(known, seat, moves, out, notes)
        worths = {int(moves[i]): int(out[i]) / CERTAINTY for i in range(n)}
        return worths, [int(out[n + other]) / CERTAINTY for other in range(state.players)]

    def _side_by_side(self, trees: list[tuple[Any, ...]], pause: Pause | None) -> list[tuple[list[int], ...]]:
        """Return what each of these trees finds. They grow in parallel on all cores, because machine code releases the
        GIL; none of them grows during a pause."""
        cores = min(len(trees), os.cpu_count() or 1) if self.driver.native else 1
        found, count = list[tuple[list[int], ...]](), FIRST_SLICE_SIMULATIONS if pause else MAX_SIMULATIONS
        with ThreadPoolExecutor(cores) as threads:
            at_once = threads.map if cores > 1 else map
            for first in range(0, len(trees), cores):
                group = [_SearchTree(self, *tree) for tree in trees[first : first + cores]]
                while growing := [tree for tree in group if tree.left]:
                    begun = time.monotonic()
                    list(at_once(partial(_SearchTree.grow, count=count), growing))
                    took = time.monotonic() - begun
                    if pause:
                        count = (
                            2 * count
                            if took < PAUSE_INTERVAL_S / 3
                            else max(1, count // 2)
                            if took > PAUSE_INTERVAL_S
                            else count
                        )
                        pause()
                found += [tree.found() for tree in group]
        return found


class _SearchTree:
    """One tree. The result is the same whether it grows in one call of `grow` or in several."""

    def __init__(
        self,
        search: Search,
        state: StateBase,
        seat: int,
        n: int,
        count: int,
        number: int,
        dials: SearchSettings,
        stream: int = 0,
    ):
        """Prepare the tree. `n`: the number of moves of the root; `count`: the number of simulations."""
        game, native_ = search.game, search.driver.native
        row = make_row if native_ else _make_list
        self._driver, self._n, self._moves = search.driver, n, game.moves.count
        self.left = count  # simulations that remain
        self._position = (*(_make_worlds(game, state) if native_ else ([state.copy(), state], None, None)), seat)
        self._moved = row(min(search.room // search.trees, EDGE_WIDTH * max(1, count) * game.bounds["moves"]))
        self._tally, self._wins = row(TALLIES), row(MAX_SEATS + n)
        self._rows = (
            row(make_generator(number, stream)), row(game.room), row(game.room + POLICY_NOTES_LENGTH), row(MAX_SEATS),
            row(4 << (2 * count + 1).bit_length()), self._moved, row(3 * MAX_SEATS * game.moves.count),
            row(2 * MAX_TREE_DEPTH), row(MAX_LEARNED_DECISIONS), self._tally, self._wins, row(dials),
        )  # fmt: skip  # in the order of `search` in tree.py

    def grow(self, count: int) -> None:
        """Run up to `count` of the remaining simulations."""
        count = min(count, self.left)
        self._driver.search(*self._position, count, self._moves, *self._rows)
        self.left -= count

    def found(self) -> tuple[list[int], ...]:
        """Return, for each move of the root, how often it was made and what it brought; the victories of seats and
        moves; the number of nodes, and of simulations without space."""
        counts = [int(self._tally[NODES]), int(self._tally[FULL])]
        return [*map(int, self._moved[: EDGE_WIDTH * self._n])], [*map(int, self._wins)], counts


def _make_list(given: Any) -> Any:
    """Return a list of zeros, or of these numbers."""
    return [0] * given if isinstance(given, int) else list(given)


def _make_worlds(game: Game, state: StateBase, room: int = 2) -> tuple[Any, Any, Any]:
    """Return space for `room` states, with this one first; their bytes as words; and the masks of the bits that each
    seat sees. Shapes (room, bytes), (room, words) and (MAX_SEATS, words)."""
    states, words = make_states(game.State, room)
    packed = state.pack()
    states.cast("B")[: len(packed)] = packed
    return states, words, _word_masks(game)


@cache
def _word_masks(game: Game) -> memoryview[int]:
    """Return the masks of the bits that each seat sees, as words."""
    length = -(-game.State.packing.size // WORD_BYTES)
    masks = [mask_visible(game.State, seat).ljust(WORD_BYTES * length, b"\0") for seat in range(MAX_SEATS)]
    return memoryview(bytearray().join(masks)).cast("q", (MAX_SEATS, length))


@cache
def _load_driver(game: Game, driver: str) -> Any:
    return loader.load_driver(game, driver=driver)

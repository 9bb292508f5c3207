"""The games of a plan, measured: pieces of them in order, the same on any number of cores."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from courtly.bots import find_bot, make_ready, searches
from courtly.engine import native
from courtly.engine.broken import in_game
from courtly.engine.checked import Checked
from courtly.engine.game import MOST_SEATS, NOTES, Game, find_game
from courtly.engine.position import Position
from courtly.lab import measured
from courtly.lab.again import TRIAL
from courtly.lab.components import change
from courtly.lab.machine import Machine, Threads
from courtly.lab.measured import FIGURES, Chooser
from courtly.lab.piece import Numbers, Piece, empty
from courtly.lab.plan import Plan
from courtly.lab.played import played
from courtly.lab.simulate import end_with_parent

DRIVER = measured.__name__
NATIVE = {"random": Chooser.RANDOM, "policy": Chooser.POLICY}  # bots that are machine code from end to end
GAMES = {"native": 5000, "plain": 40, "searching": 4}  # of a piece, by what the slowest of the bots is
AHEAD = 4  # pieces for each core that are begun before the first of them is asked for


def is_native(plan: Plan) -> bool:
    """Is this plan played as machine code from end to end?"""
    return not plan.checked and native.available() and all(name in NATIVE for name in plan.bots or ())


def size(plan: Plan) -> int:
    """How many games a piece of this plan has, but for the last: the same on every machine."""
    game, bots = find_game(plan.game), plan.bots or ()
    kind = "native" if set(bots) <= set(NATIVE) else "plain"
    return GAMES["searching" if any(searches(game, name) for name in bots) else kind]


def spans(plan: Plan) -> list[tuple[int, int]]:
    """(first game, number of games) of each piece of a plan."""
    each = size(plan)
    return [(first, min(each, plan.games - first)) for first in range(0, plan.games, each)]


def check(plan: Plan) -> None:
    """ValueError if an option, a number of players or a bot is not offered; whatever has to be compiled is then."""
    if plan.components:
        with apart(1) as executor:
            executor.submit(_check, plan).result()
    else:
        _check(plan)


def apart(cores: int) -> ProcessPoolExecutor:
    """Processes that have played nothing yet, so that they can play with other components."""
    return ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"), initializer=end_with_parent)


def _check(plan: Plan) -> None:
    dress(plan)
    game = find_game(plan.game)
    game.State(players=plan.players, **plan.options)
    if plan.games < 1:
        raise ValueError("at least one game")
    if plan.bots is not None and len(plan.bots) != plan.players:
        raise ValueError(f"{plan.players} players need {plan.players} bots, not {len(plan.bots)}")
    for name in plan.bots or ():
        bot = find_bot(game, name)
        if not is_native(plan):
            make_ready(bot)
    if is_native(plan):
        driver(plan.game)


def pieces(
    plan: Plan, *, cores: int | None = None, tell: Callable[[int], None] = lambda games: None, done: Container[int] = ()
) -> Iterator[Piece]:
    """What a plan gives, in the order of its games and the same on any number of cores; pieces whose first game is
    among `done` are left out. `tell` gets the number of games of each piece that is finished.

    ValueError if an option, a number of players or a bot is not offered; BrokenRules if the rules fail or a bot does
    what is not legal.
    """
    check(plan)
    cores = cores or os.cpu_count() or 1
    worker = Measuring(driver(plan.game), plan) if is_native(plan) and not plan.components else None
    executor: Executor
    if plan.components:
        executor = apart(cores)
    elif worker or cores == 1:
        executor = Threads(cores)
    else:
        executor = ProcessPoolExecutor(cores, initializer=end_with_parent)
    waiting: list[tuple[int, Future[Piece]]] = []

    def next_piece() -> Piece:
        first, future = waiting.pop(0)
        piece: Piece = worker.result(first, future) if worker else future.result()
        tell(piece.games)
        return piece

    try:
        for first, games in spans(plan):
            if first not in done:
                asked = (
                    executor.submit(worker.measure, first, games)
                    if worker
                    else executor.submit(piece_of, plan, first, games)
                )
                waiting.append((first, asked))
                if len(waiting) >= AHEAD * cores:
                    yield next_piece()
        while waiting:
            yield next_piece()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def piece_of(plan: Plan, first: int, games: int) -> Piece:
    """One piece, wherever it is played."""
    dress(plan)
    if is_native(plan):
        return Measuring(driver(plan.game), plan).measure(first, games)
    piece, _ = _played(plan, first, games)
    return piece


def dress(plan: Plan) -> None:
    """From now on this process plays the plan's game with the plan's components."""
    if change(plan.game, plan.components):
        driver.cache_clear()
        _interpreted.cache_clear()


@cache
def driver(name: str) -> Any:
    """The native driver that measures this game, compiled."""
    game = find_game(name)
    loaded = native.load(game, None, DRIVER)
    plan = Plan(name, game.players[0], 0, 0, {}, None)
    native.compiled(game, lambda: Measuring(loaded, plan).measure(0, 0))
    return loaded


@cache
def _interpreted(name: str) -> Any:
    return native.load(find_game(name), native.Interpreted(), DRIVER)


class Measuring(Machine):
    """A native driver that measures, at work on a plan."""

    def measure(self, first: int, games: int) -> Piece:
        """So many games. BrokenRules if one of them went wrong."""
        piece, _ = self._measure(first, games, 0)
        return piece

    def decisions(self, piece: Piece) -> Numbers:
        """Every decision of a piece: rows of the game, the seat, the move and the number of legal ones."""
        return self._measure(piece.first, piece.games, int(piece.decisions.sum()))[1]

    def _measure(self, first: int, games: int, logged: int) -> tuple[Piece, Numbers]:
        game: Game = self.driver.game
        plan, components = self.plan, game.owned.total
        piece = empty(first, games, plan.players, components)
        figures = np.zeros((games, len(FIGURES)), np.int64)
        log = np.zeros((logged, 4), np.int64)
        minds, notes = self.minds(), np.zeros(measured.NOTES, np.int64)
        choosers = np.array([NATIVE[name] for name in plan.bots or ()] or [Chooser.DICE] * MOST_SEATS, np.int64)
        self.watched(
            first,
            games,
            lambda states, rng, moves, weights: self.driver.playouts(
                states, plan.seed, first, games, rng, moves, weights, minds, choosers, notes, figures, piece.points,
                piece.scores, piece.shares, piece.owned, components, log, logged
            ),
            more=components,
        )  # fmt: skip
        for i, name in enumerate(FIGURES):
            getattr(piece, name)[:] = figures[:, i]
        return piece, log


def _played(plan: Plan, first: int, games: int) -> tuple[Piece, Numbers]:
    """A piece, and its decisions: rows of the game, the seat, the move and the number of legal ones."""
    form = _interpreted(plan.game)
    game: Game = form.game
    piece = empty(first, games, plan.players, game.owned.total)
    out = [0] * (game.room + NOTES + game.owned.total)
    log: list[tuple[int, int, int, int]] = []
    for at in range(games):
        number, notes = first + at, [0] * measured.NOTES
        figures, things = [0] * len(FIGURES), [[0] * game.owned.total for _ in range(plan.players)]
        standing, scores, shares = ([0] * plan.players for _ in range(3))

        def watch(
            position: Position,
            seat: int,
            legal: Sequence[int],
            move: int,
            number: int = number,
            notes: list[int] = notes,
        ) -> None:
            form.notice(position.state, seat, len(legal), notes, out)
            log.append((number, seat, move, len(legal)))

        form.blank(notes)
        with in_game(number, plan.seed):
            position = played(plan, number, Checked if plan.checked or number < TRIAL else Position, watch)
        notes[measured.EVENTS] = position.events
        form.close(position.state, notes, out, figures, standing, scores, shares, things, game.owned.total)
        piece.points[at], piece.scores[at], piece.shares[at], piece.owned[at] = standing, scores, shares, things
        for name, figure in zip(FIGURES, figures, strict=True):
            getattr(piece, name)[at] = figure
    return piece, np.array(log, np.int64).reshape(-1, 4)

"""The games of a plan, measured: pieces of them in order, the same on any number of cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from courtly.bots.registry import POLICY, RANDOM, find_bot, is_search_bot, slip_interval, warm_up_bot
from courtly.engine.errors import errors_name_game
from courtly.engine.game import MAX_SEATS, POLICY_NOTES_LENGTH, Game, find_game
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Position
from courtly.lab.batch import Numbers, Piece, empty
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Components, Plan
from courtly.lab.runs import measured_playout_driver
from courtly.lab.runs.checked_rerun import TRIAL
from courtly.lab.runs.component_override import change, given, naming, wears
from courtly.lab.runs.interpreted_game import played
from courtly.lab.runs.measured_playout_driver import FIGURES, Chooser
from courtly.lab.runs.native_runner import Machine, Threads
from courtly.runtime.process_pool import ProcessPool

DRIVER = measured_playout_driver.__name__
LOG = ("game", "ply", "seat", "move", "legal")  # of each decision, as in measured_playout_driver.py
Work = tuple[Piece, Numbers]  # a piece, and its decisions if they are asked for
GAMES = {"native": 5000, "plain": 40, "searching": 4}  # of a piece, by what the slowest of the bots is
LOGGED = 500  # of a native one with its decisions
AHEAD = 4  # pieces for each core that are begun before the first of them is asked for


def chooser(name: str) -> int | None:
    """How a bot chooses that is machine code from end to end; None: it is another one."""
    if name == RANDOM:
        return Chooser.RANDOM
    return None if name.partition(":")[0] != POLICY else Chooser.POLICY + slip_interval(name)


def is_native(plan: Plan) -> bool:
    """Is this plan played as machine code from end to end?"""
    return not plan.checked and loader.is_available() and all(chooser(name) is not None for name in plan.bots or ())


def size(plan: Plan, decisions: bool = False) -> int:
    """How many games a piece of this plan has, but for the last: the same on every machine. With its decisions it is
    larger, so it has fewer."""
    game, bots = find_game(plan.game), plan.bots or ()
    if all(chooser(name) is not None for name in bots):
        return LOGGED if decisions else GAMES["native"]
    return GAMES["searching" if any(is_search_bot(game, name) for name in bots) else "plain"]


def spans(plan: Plan, decisions: bool = False) -> list[tuple[int, int]]:
    """(first game, number of games) of each piece of a plan."""
    each = size(plan, decisions)
    return [(first, min(each, plan.games - first)) for first in range(0, plan.games, each)]


def check(plan: Plan) -> None:
    """ValueError if an option, a number of players or a bot is not offered; whatever has to be compiled is then."""
    dressed(plan, _check, plan)


def dressed(plan: Plan, ask: Callable[..., Any], *args: Any) -> Any:
    """What a function of the plan's game says, with the plan's components: in another process, if this one does not
    wear them."""
    if wears(plan.game, plan.components):
        return ask(*args)
    with ProcessPool(1, alike=False) as executor:
        return executor.submit(_dressed, plan, ask, *args).result()


def _dressed(plan: Plan, ask: Callable[..., Any], *args: Any) -> Any:
    dress(plan.game, plan.components)
    return ask(*args)


@contextmanager
def wearing(game: Game, file: Path | None) -> Iterator[tuple[Game, Components | None]]:
    """As long as this lasts, this process plays a game with this component file, if there is one: the game as it then
    is, and the file. BadComponents, in one line, if it cannot take the place of the game's own."""
    components = given(game, file) if file else None
    with naming(file):
        dress(game.id, components)
    try:
        yield find_game(game.id), components
    finally:
        dress(game.id, None)


def _check(plan: Plan) -> None:
    game = find_game(plan.game)
    game.State(players=plan.players, **plan.options)
    if plan.games < 1:
        raise ValueError("at least one game")
    if plan.bots is not None and len(plan.bots) != plan.players:
        raise ValueError(f"{plan.players} players need {plan.players} bots, not {len(plan.bots)}")
    for name in plan.bots or ():
        bot = find_bot(game, name)
        if not is_native(plan):
            warm_up_bot(bot)
    if is_native(plan):
        driver(plan.game)


def pieces(
    plan: Plan, *, cores: int | None = None, tell: Callable[[int], None] = lambda games: None, done: Container[int] = ()
) -> Iterator[Piece]:
    """What a plan gives, in the order of its games and the same on any number of cores; pieces whose first game is
    among `done` are left out. `tell` gets the number of games of each piece that is finished.

    ValueError if an option, a number of players or a bot is not offered; RulesError if the rules fail or a bot does
    what is not legal.
    """
    return (piece for piece, _ in work(plan, False, cores=cores, tell=tell, done=done))


def work(
    plan: Plan,
    decisions: bool,
    *,
    cores: int | None = None,
    tell: Callable[[int], None] = lambda games: None,
    done: Container[int] = (),
) -> Iterator[Work]:
    """The same, each with its decisions if asked: rows of LOG."""
    check(plan)
    executor, ask, of = _crew(plan, cores)
    most = AHEAD * getattr(executor, "cores", cores or os.cpu_count() or 1)
    waiting: list[tuple[int, Future[Work]]] = []

    def result(first: int, future: Future[Work]) -> Work:
        found = of(first, future)
        tell(found[0].games)
        return found

    try:
        for first, games in spans(plan, decisions):
            if first not in done:
                waiting.append((first, executor.submit(ask, first, games, decisions)))
                if len(waiting) >= most:
                    yield result(*waiting.pop(0))
        while waiting:
            yield result(*waiting.pop(0))
    finally:
        executor.shutdown(cancel_futures=True)


Asked = Callable[[int, int, bool], Work]  # first game, number of games, with decisions?
Answer = Callable[[int, "Future[Work]"], Work]


def _crew(plan: Plan, cores: int | None) -> tuple[Executor, Asked, Answer]:
    """Who plays: workers, what they are asked for each piece, and how their answers are read."""
    asked = partial(piece_of, plan)
    if crew := ray_cluster.crew(plan.game, cores):
        return crew, asked, _result
    cores = cores or os.cpu_count() or 1
    here = wears(plan.game, plan.components)
    if is_native(plan) and here:
        measuring = Measuring(driver(plan.game), plan)
        return Threads(cores), measuring.measure, measuring.result
    if cores == 1 and here:
        return Threads(1), asked, _result
    return ProcessPool(cores, here), asked, _result


def _result(first: int, future: Future[Work]) -> Work:
    return future.result()


def piece_of(plan: Plan, first: int, games: int, decisions: bool = False) -> Work:
    """One piece, wherever it is played."""
    dress(plan.game, plan.components)
    if is_native(plan):
        return Measuring(driver(plan.game), plan).measure(first, games, decisions)
    return _played(plan, first, games, decisions)


def dress(name: str, components: Components | None) -> None:
    """From now on this process plays the game of this name with these components; None: with its own."""
    ray_cluster.sources(name)
    if change(name, components):
        driver.cache_clear()
        _interpreted.cache_clear()


@cache
def driver(name: str) -> Any:
    """The native driver that measures this game, compiled."""
    game = find_game(name)
    loaded = loader.load_driver(game, None, DRIVER)
    plan = Plan(name, game.players[0], 0, 0, {}, None)
    loader.compile_by_calling(game, lambda: Measuring(loaded, plan).measure(0, 0))
    return loaded


@cache
def _interpreted(name: str) -> Any:
    return loader.load_driver(find_game(name), loader.InterpretedBackend(), DRIVER)


class Measuring(Machine):
    """A native driver that measures, at work on a plan."""

    def measure(self, first: int, games: int, decisions: bool = False) -> Work:
        """So many games. RulesError if one of them went wrong."""
        piece, log = self._measured(first, games, 0)
        return self._measured(first, games, int(piece.decisions.sum())) if decisions else (piece, log)

    def _measured(self, first: int, games: int, logged: int) -> Work:
        game: Game = self.driver.game
        plan, components = self.plan, game.owned.total
        piece = empty(first, games, plan.players, components)
        figures = np.zeros((games, len(FIGURES)), np.int64)
        log = np.zeros((logged, len(LOG)), np.int32)
        minds, notes = self.minds(), np.zeros(measured_playout_driver.NOTES, np.int64)
        choosers = np.array([chooser(name) for name in plan.bots or ()] or [Chooser.DICE] * MAX_SEATS, np.int64)
        self.watched(
            first,
            games,
            lambda states, rng, moves, weights: self.driver.playouts(
                states, plan.seed, first, games, rng, moves, weights, minds, choosers, notes, figures, piece.points,
                piece.scores, piece.shares, piece.owned, components, log, logged
            ),
            more=components,
        )  # fmt: skip  # in the lines of `playouts` in measured_playout_driver.py
        for i, name in enumerate(FIGURES):
            getattr(piece, name)[:] = figures[:, i]
        return piece, log


def _played(plan: Plan, first: int, games: int, decisions: bool = False) -> Work:
    """The same of games that Python plays."""
    form = _interpreted(plan.game)
    game: Game = form.game
    piece = empty(first, games, plan.players, game.owned.total)
    out = [0] * (game.room + POLICY_NOTES_LENGTH + game.owned.total)
    log: list[tuple[int, int, int, int, int]] = []
    for at in range(games):
        notes, figures = [0] * measured_playout_driver.NOTES, [0] * len(FIGURES)
        points, scores, shares = ([0] * plan.players for _ in range(3))
        owned = [[0] * game.owned.total for _ in range(plan.players)]
        form.blank(notes)

        def watch(
            position: Position,
            seat: int,
            legal: Sequence[int],
            move: int,
            number: int = first + at,
            notes: list[int] = notes,
        ) -> None:
            form.notice(position.state, seat, len(legal), notes, out)
            if decisions:
                log.append((number, position.decisions + position.events, seat, move, len(legal)))

        with errors_name_game(first + at, plan.seed):
            looked = plan.checked or first + at < TRIAL
            position = played(plan, first + at, CheckedPosition if looked else Position, watch)
        notes[measured_playout_driver.EVENTS] = position.events
        form.close(position.state, notes, out, figures, points, scores, shares, owned, game.owned.total)
        piece.points[at], piece.scores[at], piece.shares[at], piece.owned[at] = points, scores, shares, owned
        for name, figure in zip(FIGURES, figures, strict=True):
            getattr(piece, name)[at] = figure
    return piece, np.array(log, np.int32).reshape(-1, len(LOG))

"""Plays the games of a plan in batches and measures them. Results come in order and are the same on any number of
cores."""

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
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.errors import errors_name_game
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Position
from courtly.lab.batch import Array, Batch, empty_batch
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Components, Plan
from courtly.lab.runs import measured_playout_driver
from courtly.lab.runs.checked_rerun import TRIAL_GAMES
from courtly.lab.runs.component_override import has_components, load_components, name_file_in_errors, switch_components
from courtly.lab.runs.interpreted_game import play_game
from courtly.lab.runs.measured_playout_driver import FIGURE_NAMES, Chooser
from courtly.lab.runs.native_runner import DaemonThreadExecutor, NativeRunner
from courtly.runtime.process_pool import ProcessPool

DRIVER = measured_playout_driver.__name__
LOG_COLUMNS = ("game", "ply", "seat", "move", "legal")  # of a decision, as in measured_playout_driver.py
BatchWithLog = tuple[Batch, Array]  # a batch, and its decisions (no rows unless requested)
GAMES_PER_BATCH = {"native": 5000, "plain": 40, "searching": 4}  # by the slowest kind of bot
LOGGED_GAMES_PER_BATCH = 500  # for native games with their decisions
BATCHES_AHEAD_PER_CORE = 4  # batches per core in progress or waiting to be read


def native_chooser(name: str) -> int | None:
    """Return how a native bot chooses, as `Chooser` of measured_playout_driver.py; None for a bot that needs Python."""
    if name == RANDOM:
        return Chooser.RANDOM
    return None if name.partition(":")[0] != POLICY else Chooser.POLICY + slip_interval(name)


def is_native(plan: Plan) -> bool:
    """Return whether a plan is played entirely as machine code."""
    return not plan.checked and loader.is_usable() and all(native_chooser(name) is not None for name in plan.bots or ())


def batch_size(plan: Plan, decisions: bool = False) -> int:
    """Return the number of games in each batch of a plan but the last. It is the same on every machine.

    Args:
        plan: The plan.
        decisions: Whether decisions are logged, which makes batches smaller.
    """
    game, bots = find_game(plan.game), plan.bots or ()
    if all(native_chooser(name) is not None for name in bots):
        return LOGGED_GAMES_PER_BATCH if decisions else GAMES_PER_BATCH["native"]
    return GAMES_PER_BATCH["searching" if any(is_search_bot(game, name) for name in bots) else "plain"]


def batch_ranges(plan: Plan, decisions: bool = False) -> list[tuple[int, int]]:
    """Return (first game, number of games) of each batch of a plan."""
    batch_games = batch_size(plan, decisions)
    return [(first, min(batch_games, plan.games - first)) for first in range(0, plan.games, batch_games)]


def check_plan(plan: Plan) -> None:
    """Check a plan and compile what it needs. Raises ValueError if an option, number of players or bot is not
    offered."""
    call_with_components(plan, _check_plan, plan)


def call_with_components(plan: Plan, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function with the plan's components applied: in another process if this one plays with others.

    Args:
        plan: The plan.
        function: The function, which must be importable by other processes.
        *args: Its arguments.

    Returns:
        What the function returns.

    Raises:
        InvalidComponentsError: The rules reject the components.
    """
    if has_components(plan.game, plan.components):
        return function(*args)
    with ProcessPool(1, inherit_state=False) as executor:
        return executor.submit(_call_with_components, plan, function, *args).result()


def _call_with_components(plan: Plan, function: Callable[..., Any], *args: Any) -> Any:
    apply_components(plan.game, plan.components)
    return function(*args)


@contextmanager
def with_components(game: Game, file: Path | None) -> Iterator[tuple[Game, Components | None]]:
    """Play a game with a component file within the `with` block.

    Args:
        game: The game.
        file: The component file; None for the game's own.

    Yields:
        The game with these components, and the components; None for the game's own.

    Raises:
        InvalidComponentsError: The file does not fit the game.
    """
    components = load_components(game, file) if file else None
    with name_file_in_errors(file):
        apply_components(game.id, components)
    try:
        yield find_game(game.id), components
    finally:
        apply_components(game.id, None)


def _check_plan(plan: Plan) -> None:
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
        load_driver(plan.game)


def run_batches(
    plan: Plan,
    *,
    cores: int | None = None,
    report_progress: Callable[[int], None] = lambda games: None,
    skipped: Container[int] = (),
) -> Iterator[Batch]:
    """Play the games of a plan.

    Args:
        plan: The plan.
        cores: Number of threads or processes. Default: all cores.
        report_progress: Called with the number of games of each finished batch.
        skipped: First games of batches to leave out.

    Returns:
        An iterator over measurements, in the order of the games and the same on any number of cores.

    Raises:
        ValueError: An option, number of players or bot is not offered.
        RulesError: The rules fail, or a bot chooses an illegal move.
    """
    return (
        batch
        for batch, _ in run_logged_batches(plan, False, cores=cores, report_progress=report_progress, skipped=skipped)
    )


def run_logged_batches(
    plan: Plan,
    decisions: bool,
    *,
    cores: int | None = None,
    report_progress: Callable[[int], None] = lambda games: None,
    skipped: Container[int] = (),
) -> Iterator[BatchWithLog]:
    """Play the games of a plan as `run_batches`, and log decisions.

    Args:
        plan: The plan.
        decisions: Whether to log every decision.
        cores: Number of threads or processes. Default: all cores.
        report_progress: Called with the number of games of each finished batch.
        skipped: First games of batches to leave out.

    Yields:
        Measurements, and decisions: int32, shape (decisions, 5) with the columns `LOG_COLUMNS`.

    Raises:
        ValueError: An option, number of players or bot is not offered.
        RulesError: The rules fail, or a bot chooses an illegal move.
    """
    check_plan(plan)
    executor, play, read_result = _make_workers(plan, cores)
    max_waiting = BATCHES_AHEAD_PER_CORE * getattr(executor, "cores", cores or os.cpu_count() or 1)
    waiting: list[tuple[int, Future[BatchWithLog]]] = []

    def result(first: int, future: Future[BatchWithLog]) -> BatchWithLog:
        outcome = read_result(first, future)
        report_progress(outcome[0].games)
        return outcome

    try:
        for first, games in batch_ranges(plan, decisions):
            if first not in skipped:
                waiting.append((first, executor.submit(play, first, games, decisions)))
                if len(waiting) >= max_waiting:
                    yield result(*waiting.pop(0))
        while waiting:
            yield result(*waiting.pop(0))
    finally:
        executor.shutdown(cancel_futures=True)


PlayBatch = Callable[[int, int, bool], BatchWithLog]  # (first game, number of games, log decisions)
ReadResult = Callable[[int, "Future[BatchWithLog]"], BatchWithLog]


def _make_workers(plan: Plan, cores: int | None) -> tuple[Executor, PlayBatch, ReadResult]:
    """Return an executor, the function to submit for each batch, and the function that reads its result."""
    play = partial(play_batch, plan)
    if cluster := ray_cluster.make_executor(plan.game, cores):
        return cluster, play, _batch_result
    cores = cores or os.cpu_count() or 1
    has_own_components = has_components(plan.game, plan.components)
    if is_native(plan) and has_own_components:
        runner = MeasuringRunner(load_driver(plan.game), plan)
        return DaemonThreadExecutor(cores), runner.measure, runner.result
    if cores == 1 and has_own_components:
        return DaemonThreadExecutor(1), play, _batch_result
    return ProcessPool(cores, has_own_components), play, _batch_result


def _batch_result(first: int, future: Future[BatchWithLog]) -> BatchWithLog:
    return future.result()


def play_batch(plan: Plan, first: int, games: int, decisions: bool = False) -> BatchWithLog:
    """Play one batch in this process.

    Args:
        plan: The plan.
        first: Number of the first game.
        games: Number of games.
        decisions: Whether to log every decision.

    Returns:
        Measurements, and decisions as from `run_logged_batches`.
    """
    apply_components(plan.game, plan.components)
    if is_native(plan):
        return MeasuringRunner(load_driver(plan.game), plan).measure(first, games, decisions)
    return _play_interpreted(plan, first, games, decisions)


def apply_components(name: str, components: Components | None) -> None:
    """Play the game with these components (None: its own) from now on in this process."""
    ray_cluster.hash_sources(name)
    if switch_components(name, components):
        load_driver.cache_clear()
        _load_interpreted_driver.cache_clear()


@cache
def load_driver(name: str) -> Any:
    """Return the compiled native driver that measures this game."""
    game = find_game(name)
    driver = loader.load_driver(game, None, DRIVER)
    plan = Plan(name, game.players[0], 0, 0, {}, None)
    loader.compile_by_calling(game, lambda: MeasuringRunner(driver, plan).measure(0, 0))
    return driver


@cache
def _load_interpreted_driver(name: str) -> Any:
    return loader.load_driver(find_game(name), loader.InterpretedBackend(), DRIVER)


class MeasuringRunner(NativeRunner):
    """Runs and measures the games of a plan with a native driver."""

    def measure(self, first: int, games: int, decisions: bool = False) -> BatchWithLog:
        """Play games and measure them.

        Args:
            first: Number of the first game.
            games: Number of games.
            decisions: Whether to log every decision, for which the games are played twice.

        Returns:
            Measurements, and decisions: int32, shape (decisions, 5) with the columns `LOG_COLUMNS`.

        Raises:
            RulesError: A game fails a check.
        """
        batch, log = self._measure_logged(first, games, 0)
        return self._measure_logged(first, games, int(batch.decisions.sum())) if decisions else (batch, log)

    def _measure_logged(self, first: int, games: int, decision_count: int) -> BatchWithLog:
        game: Game = self.driver.game
        plan, components = self.plan, game.owned.total
        batch = empty_batch(first, games, plan.players, components)
        figures = np.zeros((games, len(FIGURE_NAMES)), np.int64)
        log = np.zeros((decision_count, len(LOG_COLUMNS)), np.int32)
        rngs, notes = self.make_streams(), np.zeros(measured_playout_driver.NOTES_SIZE, np.int64)
        choosers = np.array([native_chooser(name) for name in plan.bots or ()] or [Chooser.DICE] * MAX_SEATS, np.int64)
        self.run_guarded(
            first,
            games,
            lambda states, rng, moves, weights: self.driver.playouts(
                states, plan.seed, first, games, rng, moves, weights, rngs, choosers, notes, figures, batch.points,
                batch.scores, batch.shares, batch.owned, components, log, decision_count
            ),
            extra_weights=components,
        )  # fmt: skip  # the same lines as the parameters of `playouts` in measured_playout_driver.py
        for i, name in enumerate(FIGURE_NAMES):
            getattr(batch, name)[:] = figures[:, i]
        return batch, log


def _play_interpreted(plan: Plan, first: int, games: int, decisions: bool = False) -> BatchWithLog:
    """Play and measure interpreted games."""
    driver = _load_interpreted_driver(plan.game)
    game: Game = driver.game
    batch = empty_batch(first, games, plan.players, game.owned.total)
    out = [0] * (game.room + POLICY_NOTES_LENGTH + game.owned.total)
    log: list[tuple[int, int, int, int, int]] = []
    for index in range(games):
        notes, figures = [0] * measured_playout_driver.NOTES_SIZE, [0] * len(FIGURE_NAMES)
        points, scores, shares = ([0] * plan.players for _ in range(3))
        owned = [[0] * game.owned.total for _ in range(plan.players)]
        driver.clear_notes(notes)

        def watch(
            position: Position,
            seat: int,
            legal: Sequence[int],
            move: int,
            number: int = first + index,
            notes: list[int] = notes,
        ) -> None:
            driver.update_notes(position.state, seat, len(legal), notes, out)
            if decisions:
                log.append((number, position.decisions + position.events, seat, move, len(legal)))

        with errors_name_game(first + index, plan.seed):
            is_checked = plan.checked or first + index < TRIAL_GAMES
            position = play_game(plan, first + index, CheckedPosition if is_checked else Position, watch)
        notes[measured_playout_driver.EVENTS] = position.events
        driver.write_figures(position.state, notes, out, figures, points, scores, shares, owned, game.owned.total)
        batch.points[index], batch.scores[index], batch.shares[index], batch.owned[index] = (
            points,
            scores,
            shares,
            owned,
        )
        for name, figure in zip(FIGURE_NAMES, figures, strict=True):
            getattr(batch, name)[index] = figure
    return batch, np.array(log, np.int32).reshape(-1, len(LOG_COLUMNS))

"""Simulation of whole games, native or interpreted, on all cores.

Game k of a seed has its own random stream, so neither the number of cores nor the form changes a game.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import cache
from typing import Any

from courtly.engine.constants import MAX_SEATS
from courtly.engine.errors import errors_name_game
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Position
from courtly.engine.rng import seed_generator
from courtly.lab.plan import BatchResult, Plan
from courtly.lab.runs.checked_rerun import TRIAL_GAMES, explain_failure, rerun_game
from courtly.lab.runs.interpreted_game import play_game
from courtly.lab.runs.native_runner import DaemonThreadExecutor, NativeRunner
from courtly.runtime.process_pool import ProcessPool

WIN_PARTS = 60  # parts of a victory: divisible by any number of winners


def batch_ranges(plan: Plan, size: int) -> Iterator[tuple[int, int]]:
    """Return (first game, number of games) of each batch of work."""
    return ((first, min(size, plan.games - first)) for first in range(0, plan.games, size))


def simulate(
    plan: Plan,
    *,
    interpreted: bool = False,
    cores: int | None = None,
    driver: Any = None,
    report_progress: Callable[[int], None] = lambda games: None,
) -> dict[str, Any]:
    """Play the games of a plan.

    Args:
        plan: The plan.
        interpreted: Play interpreted even if the rules can be compiled.
        cores: Number of threads or processes. Default: all cores.
        driver: A native driver that is already loaded.
        report_progress: Called with the number of games of each finished batch.

    Returns:
        What `courtly simulate --json` prints.

    Raises:
        ValueError: An option, number of players or bot is not offered.
        RulesError: The rules fail, or a bot chooses an illegal move.
    """
    game = find_game(plan.game)
    _check_plan(game, plan)
    cores = cores or os.cpu_count() or 1
    compiled = not interpreted and plan.driver is not None and loader.is_usable()
    executor: Executor
    machine = None
    if compiled:
        machine = NativeRunner(driver or load_plan_driver(game, plan), plan)
        executor, size = DaemonThreadExecutor(cores), max(1, min(2000, plan.games // cores))
    else:
        executor = ProcessPool(cores) if cores > 1 else ThreadPoolExecutor(1)
        size = 20 if plan.bots else 200
    start_time = time.perf_counter()
    digest, decisions, events, shares = hashlib.sha256(), 0, 0, [0] * plan.players
    with executor:
        for chunk in _run_in_order(executor, plan, size, machine):
            digest.update(chunk.finals)
            decisions += chunk.decisions
            events += chunk.events
            shares = [a + b for a, b in zip(shares, chunk.shares, strict=False)]
            report_progress(len(chunk.finals) // game.State.packing.size)
    seconds = time.perf_counter() - start_time
    return {
        "game": game.id,
        "version": game.version,
        "players": plan.players,
        "games": plan.games,
        "seed": plan.seed,
        "bots": list(plan.bots) if plan.bots else ["random"] * plan.players,
        "decisions": decisions,
        "chance": events,
        "seconds": round(seconds, 3),
        "decisions_per_s": round(decisions / seconds) if seconds else 0,
        "native": compiled,
        "wins": [round(s / WIN_PARTS, 3) for s in shares],
        "mean_length": round(decisions / max(1, plan.games), 2),
        "digest": digest.hexdigest(),
    }


def _check_plan(game: Game, plan: Plan) -> None:
    game.State(players=plan.players, **plan.options)
    if plan.games < 1:
        raise ValueError(f"games must be at least 1, not {plan.games}")
    if plan.bots is not None:
        from courtly.bots.registry import find_bot, warm_up_bot

        if len(plan.bots) != plan.players:
            raise ValueError(f"{plan.players} players need {plan.players} bots, not {len(plan.bots)}")
        for name in plan.bots:
            warm_up_bot(find_bot(game, name))


def make_backend(game: Game, plan: Plan) -> loader.CompiledBackend:
    """Return the backend that compiles a plan: with checks if the plan asks for them. The plan must have a driver."""
    assert plan.driver is not None
    return loader.CompiledBackend(loader.cache_folder(game, plan.driver), is_checked=plan.checked)


def load_plan_driver(game: Game, plan: Plan, backend: loader.CompiledBackend | None = None) -> Any:
    """Load and compile a plan's native driver. `backend`: the backend, by default the one of `compiled_form`."""
    assert plan.driver is not None
    backend = backend or (make_backend(game, plan) if plan.checked else None)
    return loader.compile_playouts(loader.load_driver(game, backend, plan.driver), plan.bots is not None)


def _run_in_order(executor: Executor, plan: Plan, size: int, machine: NativeRunner | None) -> Iterator[BatchResult]:
    """Yield results in the order of the games, with only a few batches waiting at a time."""

    def submit(first: int, games: int) -> Future[BatchResult]:
        if machine:
            return executor.submit(machine.play, first, games)
        return executor.submit(_play_bots if plan.bots else _play_random, plan, first, games)

    def result(first: int, future: Future[BatchResult]) -> BatchResult:
        return machine.result(first, future) if machine else future.result()

    waiting: list[tuple[int, Future[BatchResult]]] = []
    for first, games in batch_ranges(plan, size):
        waiting.append((first, submit(first, games)))
        if len(waiting) > 8:
            yield result(*waiting.pop(0))
    for batch in waiting:
        yield result(*batch)


@cache
def _load_driver(name: str) -> Any:
    return loader.load_driver(find_game(name), loader.InterpretedBackend())


def _play_random(plan: Plan, first: int, games: int) -> BatchResult:
    """Play random games interpreted, with the same moves as the native driver."""
    driver = _load_driver(plan.game)
    game: Game = driver.game
    blank_state = game.State(players=plan.players, **plan.options)
    rng, moves, weights = loader.make_rows(game)
    counts, shares = [0, 0], [0] * MAX_SEATS
    finals = []
    for number in range(first, first + games):
        s = blank_state.copy()
        seed_generator(rng, plan.seed, number)
        if plan.checked:
            rerun_game(plan, number)
        try:
            driver.begin(s)
            ended = driver.play_to_end(s, rng, moves, weights, counts)
            driver.share_victory(s, moves, shares)
            finals.append(s.pack())
        except Exception as error:
            raise explain_failure(plan, number, 1, f"{type(error).__name__}: {error}") from error
        if not ended:
            raise explain_failure(plan, number, 1, "the game does not end within its bounds")
    return BatchResult(b"".join(finals), counts[0], counts[1], shares)


def _play_bots(plan: Plan, first: int, games: int) -> BatchResult:
    """Play games between bots, each with its own view and random stream."""
    driver = _load_driver(plan.game)
    _, buffer, _ = loader.make_rows(driver.game)
    shares, decisions, events = [0] * MAX_SEATS, 0, 0
    finals = []
    for number in range(first, first + games):
        with errors_name_game(number, plan.seed):
            position = play_game(plan, number, CheckedPosition if plan.checked or number < TRIAL_GAMES else Position)
            try:
                finals.append(position.state.pack())
            except OverflowError:
                play_game(plan, number, CheckedPosition)
                raise
        decisions += position.decisions
        events += position.events
        driver.share_victory(position.state, buffer, shares)
    return BatchResult(b"".join(finals), decisions, events, shares)

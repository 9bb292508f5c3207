"""Whole games by the thousand, native or interpreted, on all cores, with the same result everywhere.

Game k of a seed has a random stream of its own, so neither the number of cores nor the form changes any game.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from typing import Any, NamedTuple

from courtly.engine import native
from courtly.engine.chance import generator, seed
from courtly.engine.game import MOST_SEATS, BeyondBounds, Game, find_game
from courtly.engine.position import Position

SHARES = 60  # a victory, divisible among any number of winners


class Chunk(NamedTuple):
    """What a run of consecutive games gave: packed final states in order, decisions, random events, victories in
    60ths."""

    finals: bytes
    decisions: int
    events: int
    shares: list[int]


class Plan(NamedTuple):
    """What to simulate. `bots`: a name for each seat; None: everybody moves at random."""

    game: str
    players: int
    games: int
    seed: int
    options: dict[str, int]
    bots: tuple[str, ...] | None


def chunks(plan: Plan, size: int) -> Iterator[tuple[int, int]]:
    """(first game, number of games) of each piece of work."""
    return ((first, min(size, plan.games - first)) for first in range(0, plan.games, size))


def simulate(
    plan: Plan,
    *,
    interpreted: bool = False,
    cores: int | None = None,
    driver: Any = None,
    tell: Callable[[int], None] = lambda games: None,
) -> dict[str, Any]:
    """Play the plan; `tell` gets the number of games finished by each piece of work. Returns what `courtly simulate
    --json` prints.

    `driver`: a native driver already loaded. ValueError if an option, a number of players or a bot is not offered, or
    a bot does what is not legal.
    """
    game = find_game(plan.game)
    _check(game, plan)
    cores = cores or os.cpu_count() or 1
    compiled = not interpreted and plan.bots is None and native.available()
    executor: Executor
    if compiled:
        driver = driver or native.warm(native.load(game))
        executor, size = ThreadPoolExecutor(cores), max(1, min(2000, plan.games // cores))
        work: Callable[..., Chunk] = partial(_native, driver, plan)
    else:
        executor, size = ProcessPoolExecutor(cores) if cores > 1 else ThreadPoolExecutor(1), 20 if plan.bots else 200
        work = _play if plan.bots else _random
    started = time.perf_counter()
    digest, decisions, events, shares = hashlib.sha256(), 0, 0, [0] * plan.players
    with executor:
        for chunk in _in_order(executor, work, plan, size, compiled):
            digest.update(chunk.finals)
            decisions += chunk.decisions
            events += chunk.events
            shares = [a + b for a, b in zip(shares, chunk.shares, strict=False)]
            tell(len(chunk.finals) // game.State.packing.size)
    seconds = time.perf_counter() - started
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
        "wins": [round(s / SHARES, 3) for s in shares],
        "mean_length": round(decisions / max(1, plan.games), 2),
        "digest": digest.hexdigest(),
    }


def _check(game: Game, plan: Plan) -> None:
    game.State(players=plan.players, **plan.options)
    if plan.games < 1:
        raise ValueError("at least one game")
    if plan.bots is not None:
        from courtly.bots import find_bot

        if len(plan.bots) != plan.players:
            raise ValueError(f"{plan.players} players need {plan.players} bots, not {len(plan.bots)}")
        for name in plan.bots:
            find_bot(game, name)


def _in_order(executor: Executor, work: Callable[..., Chunk], plan: Plan, size: int, threads: bool) -> Iterator[Chunk]:
    """The results in the order of the games, with only a few pieces of work waiting at a time."""
    waiting: list[Future[Chunk]] = []
    for first, games in chunks(plan, size):
        waiting.append(executor.submit(work, first, games) if threads else executor.submit(work, plan, first, games))
        if len(waiting) > 8:
            yield waiting.pop(0).result()
    for future in waiting:
        yield future.result()


def _native(driver: Any, plan: Plan, first: int, games: int) -> Chunk:
    import numpy as np

    game: Game = driver.game
    states, rng, moves, weights = native.arrays(game, 2)
    size = game.State.packing.size
    blank = game.State(players=plan.players, **plan.options).pack()
    states[1:].view(np.uint8)[:size] = np.frombuffer(blank, np.uint8)
    finals = np.zeros(games, states.dtype)
    counts, shares = np.zeros(2, np.int64), np.zeros(MOST_SEATS, np.int64)
    played = driver.playouts(states, finals, plan.seed, first, games, rng, moves, weights, counts, shares)
    if played < games:
        raise _too_long(plan, first + played)
    packed = finals.view(np.uint8).reshape(games, -1)[:, :size].tobytes()
    return Chunk(packed, int(counts[0]), int(counts[1]), [int(n) for n in shares])


def _too_long(plan: Plan, number: int) -> BeyondBounds:
    return BeyondBounds(f"{plan.game}: game {number} of seed {plan.seed} is longer than there can be")


@cache
def _driver(name: str) -> Any:
    return native.load(find_game(name), native.Interpreted())


def _random(plan: Plan, first: int, games: int) -> Chunk:
    """Everybody moves at random, interpreted: move for move what the native driver does."""
    driver = _driver(plan.game)
    game: Game = driver.game
    blank = game.State(players=plan.players, **plan.options)
    rng, moves, weights = native.rows(game)
    counts, shares = [0, 0], [0] * MOST_SEATS
    finals = []
    for number in range(first, first + games):
        s = blank.copy()
        seed(rng, plan.seed, number)
        driver.begin(s)
        if not driver.finish(s, rng, moves, weights, counts):
            raise _too_long(plan, number)
        driver.share(s, moves, shares)
        finals.append(s.pack())
    return Chunk(b"".join(finals), counts[0], counts[1], shares)


def _play(plan: Plan, first: int, games: int) -> Chunk:
    """Bots play, each from its own view and with a random stream of its own."""
    from courtly.bots import find_bot

    game = find_game(plan.game)
    assert plan.bots is not None
    choosers = [find_bot(game, name) for name in plan.bots]
    driver = _driver(plan.game)
    _, room, _ = native.rows(game)
    shares, decisions, events = [0] * MOST_SEATS, 0, 0
    finals = []
    for number in range(first, first + games):
        position = Position(game, plan.players, plan.options)
        rng = generator(plan.seed, number)
        minds = [generator(plan.seed, (seat + 1 << 28) + number) for seat in range(plan.players)]
        while not position.over:
            if position.chance:
                position.happen(rng)
            else:
                seat = position.pending[0]
                view = position.view(seat)
                move = choosers[seat](game, view, minds[seat])
                if move not in {legal["id"] for legal in view["legal"]}:
                    raise ValueError(
                        f"{plan.game}: the bot {plan.bots[seat]} chose {move!r} in seat {seat}, which is not legal "
                        f"there: game {number} of seed {plan.seed}, decision {position.decisions}"
                    )
                position.play(seat, move)
        decisions += position.decisions
        events += position.events
        driver.share(position.state, room, shares)
        finals.append(position.state.pack())
    return Chunk(b"".join(finals), decisions, events, shares)

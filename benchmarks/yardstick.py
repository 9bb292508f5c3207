"""Courtly's machine code beside C by hand: random games of To Court the King, the same games in both, in decisions per
second of processor time.

    python benchmarks/yardstick.py [--games 50] [--rounds 15] [--json]

Both are played alternately, on one core; the medians are told. Before that, the first games are compared: decisions,
random events and every seat's score. c/petition.c says what it knows that the rules do not.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np

from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import find_game
from courtly.engine.native import loader

SOURCE = Path(__file__).parent / "c" / "petition.c"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
GAME = find_game("petition")
PLAYERS = 5
COLUMNS = 2 + PLAYERS  # of a game: decisions, random events, scores
SEED = 1
Play = Callable[[int, int], Any]  # the first game and how many: a row of COLUMNS for each


def compiler() -> str | None:
    """The system's C compiler."""
    return shutil.which(os.environ.get("CC", "cc"))


def play_in_c(folder: Path) -> Play:
    library = folder / "petition.so"
    subprocess.run([compiler() or "cc", *FLAGS, "-o", library, SOURCE], check=True)
    function = ctypes.CDLL(str(library)).play
    function.argtypes = [ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_int32, ctypes.c_void_p]
    function.restype = None
    limit = GAME.options["round_limit"][0] or GAME.rules.MOST_ROUNDS

    def play(first: int, games: int) -> Any:
        out = np.zeros((games, COLUMNS), np.int64)
        function(SEED, first, games, limit, out.ctypes.data)
        return out

    return play


def play_in_courtly(driver: Any) -> Play:
    """As courtly's bench plays; the rows hold the decisions and events of all games in the last of them, and no
    scores."""
    states, rng, moves, weights = loader.make_arrays(GAME, 2)
    size = GAME.State.packing.size
    states[1:].view(np.uint8)[:size] = np.frombuffer(GAME.State(players=PLAYERS).pack(), np.uint8)
    shares = np.zeros(MAX_SEATS, np.int64)

    def play(first: int, games: int) -> Any:
        out, finals = np.zeros((games, COLUMNS), np.int64), np.zeros(games, states.dtype)
        driver.playouts(states, finals, SEED, first, games, rng, moves, weights, out[-1, :2], shares)
        if games == 1:
            score = [0] * MAX_SEATS
            GAME.rules.scores(GAME.State.unpack(finals.tobytes()[:size]), score)
            out[0, 2:] = score[:PLAYERS]
        return out

    return play


def are_same_games(a: Play, b: Play, games: int) -> bool:
    """Are these the same games, as far as decisions, events and scores tell?"""
    return all((a(number, 1) == b(number, 1)).all() for number in range(games))


def measure_speed(play: Play, games: int) -> float:
    """Decisions per second of this thread's processor time."""
    started = time.thread_time()
    decisions = play(0, games)[:, 0].sum()
    return float(decisions / (time.thread_time() - started))


@click.command()
@click.option("--games", default=50, show_default=True, help="in a round")
@click.option("--rounds", default=15, show_default=True)
@click.option("--check", default=200, show_default=True, help="games that are compared first")
@click.option("--json", "as_json", is_flag=True, help="as one JSON object")
def main(games: int, rounds: int, check: int, as_json: bool) -> None:
    if not compiler():
        sys.exit("there is no C compiler: nothing to compare with")
    if not loader.is_available():
        sys.exit("Numba is not installed: nothing to compare")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        by_hand, compiled = play_in_c(Path(folder)), play_in_courtly(loader.compile_playouts(loader.load_driver(GAME)))
        if not are_same_games(by_hand, compiled, check):
            sys.exit("they do not play the same games: the rules have changed, or the C is wrong")
        speeds = [(measure_speed(compiled, games), measure_speed(by_hand, games)) for _ in range(rounds)]
    courtly, c = (statistics.median(column) for column in zip(*speeds, strict=True))
    row = {
        "game": GAME.id,
        "players": PLAYERS,
        "rounds": rounds,
        "native_decisions_per_s": round(courtly),
        "c_decisions_per_s": round(c),
        "ratio": round(statistics.median(b / a for a, b in speeds), 2),
    }
    if as_json:
        click.echo(json.dumps(row))
        return
    click.echo(f"{GAME.id}, {PLAYERS} players, median of {rounds} rounds; the same {check} games in both")
    click.echo(f"  compiled rules  {courtly / 1e6:6.2f} M decisions/s")
    click.echo(f"  C by hand       {c / 1e6:6.2f} M decisions/s, {row['ratio']} times as many")


if __name__ == "__main__":
    main()

"""Compares Courtly's machine code with hand-written C: random games of To Court the King, in decisions per second of
processor time.

    python benchmarks/yardstick.py [--games 50] [--rounds 15] [--json]

Both play the same games alternately on one core; the medians are printed. Before that, the first games are compared:
decisions, random events and every seat's score. c/petition.c lists its advantages over the rules.
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
OPTIONS = {"fool_rerolls": 1}  # the C does not keep apart dice that were rolled and dice that were added
COLUMNS = 2 + PLAYERS  # of a game: decisions, random events, scores
SEED = 1
Play = Callable[[int, int], Any]  # (first game, number of games) -> a row of COLUMNS for each


def compiler() -> str | None:
    """Return the path of the C compiler, or None."""
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
    """Return a function that plays as `courtly bench` does. With several games, the last row has the decisions and
    events of all, and there are no scores."""
    states, rng, moves, weights = loader.make_arrays(GAME, 2)
    size = GAME.State.packing.size
    states[1:].view(np.uint8)[:size] = np.frombuffer(GAME.State(players=PLAYERS, **OPTIONS).pack(), np.uint8)
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
    """Return whether the decisions, events and scores of the first games are equal."""
    return all((a(number, 1) == b(number, 1)).all() for number in range(games))


def measure_speed(play: Play, games: int) -> float:
    """Return decisions per second of this thread's processor time."""
    start_time = time.thread_time()
    decisions = play(0, games)[:, 0].sum()
    return float(decisions / (time.thread_time() - start_time))


@click.command()
@click.option("--games", default=50, show_default=True, help="Games per round.")
@click.option("--rounds", default=15, show_default=True, help="Number of rounds.")
@click.option("--check", default=200, show_default=True, help="Games to compare first.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def main(games: int, rounds: int, check: int, as_json: bool) -> None:
    if not compiler():
        sys.exit("no C compiler was found; set CC to its path")
    if not loader.is_available():
        sys.exit('llvmlite is not installed: pip install "courtly[native]"')
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        by_hand, compiled = play_in_c(Path(folder)), play_in_courtly(loader.compile_playouts(loader.load_driver(GAME)))
        if not are_same_games(by_hand, compiled, check):
            sys.exit("the games differ: c/petition.c does not match the rules")
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

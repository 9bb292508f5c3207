"""The loader: binds drivers to the rules of a game, interpreted or as machine code.

A driver is a module of any package (module_loader.py). Its `ENTRY_POINTS` names the functions that Python may call.
Machine code is cached in a folder named by a hash of all inputs. Play does not need this module, and the compiler is
imported only when machine code is loaded.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from courtly.engine.game import Game
from courtly.engine.native.compiler.driver import CompiledBackend
from courtly.engine.native.compiler.installation import CompilerUnavailableError, find_obstacle
from courtly.engine.native.module_loader import PLAYOUT_DRIVER, InterpretedBackend, ModuleLoader, hash_files, hash_rules

__all__ = [
    "PLAYOUT_DRIVER",
    "CompiledBackend",
    "CompilerUnavailableError",
    "InterpretedBackend",
    "cache_folder",
    "compile_by_calling",
    "compile_playouts",
    "find_cache_home",
    "find_obstacle",
    "is_available",
    "is_usable",
    "load_driver",
    "make_arrays",
    "make_rows",
    "run_with_progress",
]


def cache_folder(game: Game, driver: str) -> Path:
    """Return the folder for this game's machine code. Its name contains a hash of all sources, the versions of the
    compiler and of Python, and the processor."""
    from courtly.engine.native.compiler.machine_code import describe_host

    spec = importlib.util.find_spec(driver)
    assert spec is not None and spec.origin is not None
    origin = Path(spec.origin)
    files = sorted(origin.parent.glob("*.py")) if "." in driver else [origin]
    h = hashlib.sha256(f"{describe_host()} {sys.version} {driver} {hash_rules(game)} {hash_files(*files)}".encode())
    return find_cache_home() / f"{game.id}-{h.hexdigest()[:16]}"


def find_cache_home() -> Path:
    """Return the folder with the folders for compiled code: COURTLY_CACHE, or a folder of this user."""
    home = os.environ.get("COURTLY_CACHE")
    if home is None:
        from platformdirs import user_cache_dir

        home = user_cache_dir("courtly", appauthor=False)
    return Path(home)


def is_available() -> bool:
    """Return True if a supported compiler is installed and not turned off by COURTLY_NATIVE=0. LLVM is not loaded."""
    return not find_obstacle()


def is_usable() -> bool:
    """Return True if this process can compile. Unlike `is_available` this loads LLVM, to look for a target for this
    processor; `find_obstacle(loads_llvm=True)` says what is missing."""
    return not find_obstacle(loads_llvm=True)


class Driver(types.SimpleNamespace):
    """The functions of a driver module that Python may call, bound to one game."""


def load_driver(
    game: Game,
    backend: InterpretedBackend | CompiledBackend | None = None,
    driver: str = PLAYOUT_DRIVER,
    *,
    nogil: bool = True,
) -> Any:
    """Return a driver (the name of a module) bound to a game's rules.

    In the driver, as in rules, computed indexes must not be negative: machine code would read what lies before the row.

    Args:
        game: The game.
        backend: How to convert the functions; None for machine code in the cache.
        driver: The name of the driver's module.
        nogil: Without a backend: as for CompiledBackend.

    Returns:
        The driver's entry points as attributes; `game`; and `native`, True for machine code.

    Raises:
        ValueError: The driver's ENTRY_POINTS are invalid.
        CompilerUnavailableError: Without a backend: nothing can be compiled here.
    """
    names = _entry_points(importlib.import_module(driver))
    backend = backend or CompiledBackend(cache_folder(game, driver), nogil=nogil)
    if isinstance(backend, CompiledBackend):
        return Driver(game=game, native=True, **backend.load(game, driver, names))
    return Driver(game=game, native=False, **ModuleLoader(game, backend, driver).tops(names))


def _entry_points(driver: types.ModuleType) -> tuple[str, ...]:
    """Return the names of the driver's functions that Python may call. Raises ValueError if ENTRY_POINTS is invalid."""
    names = getattr(driver, "ENTRY_POINTS", None)
    if not isinstance(names, tuple):
        raise ValueError(
            f"{driver.__name__} has no ENTRY_POINTS, a tuple of the names of its functions that Python may call"
        )
    for name in names:
        function = getattr(driver, str(name), None)
        if not isinstance(function, types.FunctionType) or function.__module__ != driver.__name__:
            raise ValueError(f"{driver.__name__}: ENTRY_POINTS names {name!r}, which is not a function of that module")
    return names


def make_arrays(game: Game, states: int) -> tuple[Any, Any, Any, Any]:
    """Return NumPy arrays for native drivers: `states` records, a generator, a row for moves and a row for weights."""
    import numpy as np

    from courtly.engine.rng import GENERATOR_SIZE

    return (
        np.zeros(states, game.State.layout()),
        np.zeros(GENERATOR_SIZE, np.int64),
        np.zeros(game.room, np.int64),
        np.zeros(game.room, np.int64),
    )


def make_rows(game: Game) -> tuple[list[int], list[int], list[int]]:
    """Return the rows for interpreted drivers, for use with a state: a generator, a row for moves and a row for
    weights."""
    from courtly.engine.rng import GENERATOR_SIZE

    return [0] * GENERATOR_SIZE, [0] * game.room, [0] * game.room


def run_with_progress(work: Callable[[], object], tell: Callable[[float], None]) -> None:
    """Run `work` in a thread. Call `tell` about five times a second with the seconds since the start."""
    import threading
    import time

    failed: list[Exception] = []
    started = time.perf_counter()

    def do() -> None:
        try:
            work()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
        if thread.is_alive():
            tell(time.perf_counter() - started)
    if failed:
        raise failed[0]


def compile_by_calling(game: Game, call: Callable[[], object]) -> None:
    """Call a function that compiles entry points on their first calls.

    Raises:
        RulesError: The rules cannot be compiled; it names the author's line.
    """
    call()


def compile_playouts(driver: Any, bots: bool = False) -> Any:
    """Compile the playouts, and return the driver. `bots`: with a generator for each seat. Raises RulesError if
    compilation fails."""
    from courtly.engine.native.rows import make_records, make_row, make_table

    states, row, streams = make_records(driver.game.State, 1), make_row(1), [make_table(1, 1)] if bots else []
    driver.playouts.function(states, states, 0, 0, 0, row, row, row, row, row, *streams)  # examples of the types
    return driver

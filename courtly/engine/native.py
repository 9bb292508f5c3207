"""The same rules as machine code.

The loader makes a second copy of a driver and of all dialect modules it leads to, compiles every function with Numba,
turns tables of numbers into arrays, and binds the driver's contract to one game. A driver is a module of any package:
its `TOP` names those of its functions that Python may call. What is compiled is kept in a folder named by a hash of
everything that went in. Nothing here is needed to play; Numba is imported only when something is compiled.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import platform
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from courtly.engine import contract
from courtly.engine.game import MOST_SEATS, Game
from courtly.engine.moves import Moves
from courtly.engine.names import Named

ENGINE = "courtly.engine"
PLAYOUT = f"{ENGINE}.playout"


class Interpreted:
    """Python as it is."""

    def function(self, f: Any, top: bool, inlined: bool) -> Any:
        return getattr(f, "interpreted", f)

    def table(self, t: Any) -> Any:
        return t

    def names(self, numbers: Named | Moves) -> Any:
        return numbers


class Compiled:
    """Machine code by Numba. `cache` is the folder to keep it in; `options` go to the compiler (`boundscheck=True`
    in tests)."""

    def __init__(self, cache: Path | None = None, **options: Any):
        import numba
        import numpy

        self.numba, self.numpy = numba, numpy
        self.cache = cache
        self.top = dict(nogil=True, error_model="numpy", **options)
        if "boundscheck" not in options:
            self.top["_nrt"] = False  # nothing is allocated, and nobody counts references to the rows
        # never called from Python: see _inside
        self.inner = dict(self.top, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    def function(self, f: Any, top: bool, inlined: bool) -> Any:
        inline: dict[str, Any] = {"inline": "always"} if inlined else {}
        if not top:
            return self._inside(self._widen(self.numba.njit(f, **self.inner, **inline)))
        config: Any = self.numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(self.cache or "")
        try:
            # contains all that it calls
            return self._widen(self.numba.njit(f, cache=self.cache is not None, **self.top, **inline))
        finally:
            config.CACHE_DIR = before

    def _widen(self, made: Any) -> Any:
        """Let compiled callers pass every whole number as int64: one version of a function, not one for each width
        and each literal."""
        kinds = self.numba.types
        small = (kinds.Integer, kinds.IntegerLiteral, kinds.Boolean, kinds.BooleanLiteral)
        resolve = made.get_call_template
        made.get_call_template = lambda args, kws: resolve(
            tuple(kinds.int64 if isinstance(a, small) else a for a in args), kws
        )
        return made

    def _inside(self, made: Any) -> Any:
        """Refuse to be called from Python, which has no way in: it would end the process."""

        def refuse(self: Any, *_args: Any) -> Any:
            raise TypeError(
                f"{self.__name__} is compiled for compiled callers alone: "
                "it is not in TOP of the driver that was loaded"
            )

        made.__class__ = type("Inside", (type(made),), {"__call__": refuse})
        return made

    def table(self, t: Any) -> Any:
        return self.numpy.array(t, dtype="i4")

    def names(self, numbers: Named | Moves) -> Any:
        """A module, whose attributes are constants to the compiler."""
        made = types.ModuleType("names")
        vars(made).update({name: n for name, n in vars(numbers).items() if type(n) is int})
        return made


def is_table(value: Any) -> bool:
    """A tuple of whole numbers, or of such tuples?"""
    return isinstance(value, tuple) and len(value) > 0 and all(type(x) is int or is_table(x) for x in value)


class Loader:
    """Copies of modules in which every name leads to the copy's functions: those of the engine, of the game, and of
    the driver's package."""

    def __init__(self, game: Game, form: Interpreted | Compiled, driver: str = PLAYOUT):
        package = driver.rpartition(".")[0]
        self.house = (f"{ENGINE}.", f"{game.package}.", *([f"{package}."] if package else []))
        self.game = game
        self.driver = driver
        self.form = form
        self.modules: dict[str, Any] = {}
        self.modules[f"{ENGINE}.contract"] = self.module(f"{game.package}.rules")

    def module(self, name: str, top: tuple[str, ...] = ()) -> Any:
        if name in self.modules:
            return self.modules[name]
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.loader is not None
        copy = importlib.util.module_from_spec(spec)
        self.modules[name] = copy
        spec.loader.exec_module(copy)
        inlined = getattr(copy, "INLINED", ())
        for k, v in list(vars(copy).items()):
            if isinstance(v, types.FunctionType) and self.knows(v.__module__) and "<locals>" not in v.__qualname__:
                mine = v.__module__ == name
                setattr(
                    copy,
                    k,
                    self.form.function(v, k in top, k in inlined)
                    if mine
                    else getattr(self.module(v.__module__), v.__name__),
                )
            elif k == "BOUNDS" and v is contract.BOUNDS:
                setattr(
                    copy, k, self.form.table(tuple(self.game.bounds[what] for what in ("decisions", "events", "moves")))
                )
            elif k.isupper() and is_table(v):
                setattr(copy, k, self.form.table(v))
            elif isinstance(v, Named | Moves):
                setattr(copy, k, self.form.names(v))
        return copy

    def knows(self, module: str) -> bool:
        """Is this module copied too?"""
        return module == self.driver or module.startswith(self.house)


def cache_folder(game: Game, driver: str) -> Path:
    """Where this game's machine code is kept: its name is a hash of every source, of the compiler and the machine."""
    import llvmlite
    import numba

    h = hashlib.sha256(
        f"{numba.__version__} {llvmlite.__version__} {sys.version} {platform.machine()} {driver}".encode()
    )
    spec = importlib.util.find_spec(driver)
    assert spec is not None and spec.origin is not None
    files = sorted(Path(__file__).parent.glob("*.py")) + sorted(game.folder.iterdir())
    files += sorted(Path(spec.origin).parent.glob("*.py")) if "." in driver else [Path(spec.origin)]
    for f in files:
        if f.suffix in (".py", ".json", ".toml"):
            h.update(f.name.encode() + b"\0" + f.read_bytes() + b"\0")
    h.update(json.dumps(game.components, sort_keys=True).encode())  # they may come from elsewhere
    home = os.environ.get("COURTLY_CACHE")
    if home is None:
        from platformdirs import user_cache_dir

        home = user_cache_dir("courtly", appauthor=False)
    return Path(home) / f"{game.id}-{h.hexdigest()[:16]}"


def available() -> bool:
    """Is the compiler installed?"""
    return importlib.util.find_spec("numba") is not None


class Driver(types.SimpleNamespace):
    """The functions of a driver module that Python may call, bound to one game."""


def load(game: Game, form: Interpreted | Compiled | None = None, driver: str = PLAYOUT) -> Any:
    """A driver, the name of a module, bound to a game's rules. `form` defaults to machine code, kept in the cache.

    ValueError says what is wrong with the driver's TOP.
    """
    top = _top(importlib.import_module(driver))
    if form is None:
        form = Compiled(cache_folder(game, driver))
    bound = Loader(game, form, driver).module(driver, top)
    return Driver(game=game, native=isinstance(form, Compiled), **{name: getattr(bound, name) for name in top})


def _top(driver: types.ModuleType) -> tuple[str, ...]:
    """The functions of a driver that Python may call."""
    names = getattr(driver, "TOP", None)
    if not isinstance(names, tuple):
        raise ValueError(f"{driver.__name__} has no TOP, a tuple of the names of its functions that Python may call")
    for name in names:
        found = getattr(driver, str(name), None)
        if not isinstance(found, types.FunctionType) or found.__module__ != driver.__name__:
            raise ValueError(f"{driver.__name__}: TOP names {name!r}, which is no function written there")
    return names


def arrays(game: Game, states: int) -> tuple[Any, Any, Any, Any]:
    """What native drivers work on: `states` records, a generator, moves, weights."""
    import numpy as np

    from courtly.engine.chance import SIZE

    return (
        np.zeros(states, game.State.layout()),
        np.zeros(SIZE, np.int64),
        np.zeros(game.room, np.int64),
        np.zeros(game.room, np.int64),
    )


def rows(game: Game) -> tuple[list[int], list[int], list[int]]:
    """The same for interpreted drivers, beside a state: a generator, moves, weights."""
    from courtly.engine.chance import SIZE

    return [0] * SIZE, [0] * game.room, [0] * game.room


def load_with_progress(game: Game, tell: Callable[[float], None]) -> Any:
    """`load`, compiled now if the cache has it not; `tell` is called about five times a second with the seconds
    gone."""
    import threading
    import time

    found: list[Any] = []
    started = time.perf_counter()

    def work() -> None:
        try:
            found.append(warm(load(game)))
        except Exception as wrong:
            found.append(wrong)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
        if thread.is_alive():
            tell(time.perf_counter() - started)
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def warm(driver: Any) -> Any:
    """Have the playouts compiled."""
    import gc

    import numpy as np

    collecting = gc.isenabled()
    gc.disable()  # a compiler makes many objects that live long: a tenth quicker without
    states, rng, moves, weights = arrays(driver.game, 2)
    finals = np.zeros(0, states.dtype)
    driver.playouts(states, finals, 0, 0, 0, rng, moves, weights, np.zeros(2, np.int64), np.zeros(MOST_SEATS, np.int64))
    if collecting:
        gc.enable()
    return driver

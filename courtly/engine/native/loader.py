"""The same rules as machine code.

The loader makes a second copy of a driver and of all dialect modules it leads to, compiles every function with Numba,
turns tuples of numbers into arrays, and binds the driver's contract to one game. A driver is a module of any package:
its `ENTRY_POINTS` names those of its functions that Python may call. `SOURCE_WRITER`, where it has that, is a module
and a function there that writes more source for a game, which takes the places of what has the same names. What is
compiled is kept in a folder named by a hash of everything that went in. Nothing here is needed to play; Numba is
imported only when something is compiled.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import platform
import re
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from courtly.engine import rules_interface
from courtly.engine.constants import MAX_SEATS
from courtly.engine.enums import NamedIntType
from courtly.engine.errors import RulesError
from courtly.engine.game import MEASURE_FUNCTIONS, POLICY_FUNCTIONS, Game
from courtly.engine.moves import Moves

ENGINE_PACKAGE = "courtly.engine"
PLAYOUT_DRIVER = "courtly.engine.native.playout_driver"
COMPILER_NOISE_PREFIXES = (
    "Failed in",
    "File",
    "During:",
    "[1] During",
    "<source",
    "...",
)  # what the compiler says around its reason


class Backend(Protocol):
    """What becomes of a module's functions, tuples of numbers and named numbers."""

    def function(self, f: Any, driver: bool) -> Any:
        """For others of the same backend to call. Is it one of the driver's own?"""

    def top(self, f: Any) -> Any:
        """For Python to call."""

    def array(self, t: Any) -> Any:
        """A tuple of whole numbers, or of such tuples."""

    def names(self, numbers: NamedIntType | Moves) -> Any: ...


class InterpretedBackend:
    """Python as it is."""

    def function(self, f: Any, driver: bool) -> Any:
        return self.top(f)

    def top(self, f: Any) -> Any:
        return getattr(f, "interpreted", f)

    def array(self, t: Any) -> Any:
        return t

    def names(self, numbers: NamedIntType | Moves) -> Any:
        return numbers


class CompiledBackend:
    """Machine code by Numba. `cache` is the folder to keep it in; `options` go to the compiler (`boundscheck=True`
    in tests)."""

    def __init__(self, cache: Path | None = None, **options: Any):
        import numba
        import numpy

        from courtly.engine.native import numba_pipeline

        self.numba, self.numpy, self.parts = numba, numpy, numba_pipeline
        self.cache = cache
        self.options: dict[str, Any] = {"nogil": True, "error_model": "numpy"} | options
        self.fresh = cache is None or not any(cache.rglob("*.nbi"))  # nothing is kept there yet
        if "boundscheck" not in options:
            self.options["_nrt"] = False  # nothing is allocated, and nobody counts references to the rows
        # never called from Python
        self.inner: dict[str, Any] = dict(
            self.options,
            nogil=True,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            pipeline_class=numba_pipeline.LinkOnlyCompiler,
        )
        self.outer: dict[str, Any] = dict(
            self.options, cache=cache is not None, pipeline_class=numba_pipeline.EntryPointCompiler
        )

    def function(self, f: Any, driver: bool) -> Any:
        """For compiled callers. A driver's own are put into them: what plays in a loop is optimized as one."""
        f = getattr(f, "compiled", f)
        force_inline = hasattr(f, "force_inline") or driver and not hasattr(f, "no_alias")
        return self.parts.restrict_to_compiled_callers(
            widen_integers(self.numba.njit(f, forceinline=force_inline, **self.inner))
        )

    def top(self, f: Any) -> Any:
        """For Python to call."""
        config: Any = self.numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(self.cache or "")
        try:
            f = getattr(f, "py_func", f)
            made = self.numba.njit(f, **self.outer)  # contains all that it calls
            return lock_compilation(made, self.cache) if self.cache else made
        finally:
            config.CACHE_DIR = before

    def array(self, t: Any) -> Any:
        return self.numpy.array(t, dtype="i4")

    def names(self, numbers: NamedIntType | Moves) -> Any:
        return make_constants_module(numbers)


def widen_integers(made: Any) -> Any:
    """Let compiled callers pass every whole number as int64: one version of a function, not one for each width and
    each literal. Of the versions there are a call is offered its own alone: one for a record with fewer fields would
    do, Numba says, and warns of it."""
    from numba import types as kinds

    small = (kinds.Integer, kinds.IntegerLiteral, kinds.Boolean, kinds.BooleanLiteral)
    resolve = made.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        found = resolve(tuple(kinds.int64 if isinstance(a, small) else a for a in args), kws)
        template, _, types, _ = found
        template.cases = [case for case in template.cases if case.args == tuple(types)]
        return found

    made.get_call_template = get_call_template
    return made


def lock_compilation(made: Any, folder: Path) -> Any:
    """Of several processes that want it at the same time one compiles it: the others wait, and find it in its folder.
    Whoever dies meanwhile lets go. On Windows each compiles for itself."""
    if sys.platform == "win32":
        return made
    import fcntl

    compile = made.compile

    def compile_once(signature: Any) -> Any:
        with open(folder / "lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                return compile(signature)
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)  # by itself it would go with the last process that has the file

    made.compile = compile_once
    return made


def make_constants_module(numbers: NamedIntType | Moves) -> types.ModuleType:
    """A module, whose attributes are constants to the compiler."""
    made = types.ModuleType("names")
    vars(made).update({name: n for name, n in vars(numbers).items() if type(n) is int})
    return made


def is_array(value: Any) -> bool:
    """A tuple of whole numbers, or of such tuples?"""
    return isinstance(value, tuple) and len(value) > 0 and all(type(x) is int or is_array(x) for x in value)


class ModuleLoader:
    """Copies of modules in which every name leads to the copy's functions: those of the engine, of the game, and of
    the driver's package."""

    def __init__(
        self,
        game: Game,
        backend: Backend,
        driver: str = PLAYOUT_DRIVER,
        copies: Mapping[str, Any] = MappingProxyType({}),
    ):
        package = driver.rpartition(".")[0]
        self.house = (f"{ENGINE_PACKAGE}.", f"{game.package}.", *([f"{package}."] if package else []))
        self.game = game
        self.driver = driver
        self.backend = backend
        self.modules: dict[str, Any] = {name: copy for name, copy in copies.items() if name != driver}
        if self.modules:
            return
        rules = self.modules["courtly.engine.rules_interface"] = self.module(f"{game.package}.rules")
        policy = self.module(f"{game.package}.policy") if game.policy else None
        for name in POLICY_FUNCTIONS:
            silent = backend.function(getattr(rules_interface, name), driver=False)
            setattr(rules, name, getattr(policy, name, silent))
        measures = self.module(f"{game.package}.measures") if game.measures else None
        for name in MEASURE_FUNCTIONS:
            silent = (
                rules.scores if name == "points" else backend.function(getattr(rules_interface, name), driver=False)
            )
            setattr(rules, name, getattr(measures, name, silent))

    def module(self, name: str) -> Any:
        if name in self.modules:
            return self.modules[name]
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.loader is not None
        copy = importlib.util.module_from_spec(spec)
        self.modules[name] = copy
        spec.loader.exec_module(copy)
        if name == self.driver and hasattr(copy, "SOURCE_WRITER"):
            where, write = copy.SOURCE_WRITER
            exec(getattr(importlib.import_module(where), write)(self.game), vars(copy))
        for k, v in list(vars(copy).items()):
            if isinstance(v, types.FunctionType) and self.knows(v.__module__) and "<locals>" not in v.__qualname__:
                if v.__module__ == name:
                    setattr(copy, k, self.backend.function(v, driver=name == self.driver))
                else:
                    setattr(copy, k, getattr(self.module(v.__module__), v.__name__))
            elif k == "BOUNDS" and v is rules_interface.BOUNDS:
                setattr(
                    copy,
                    k,
                    self.backend.array(tuple(self.game.bounds[what] for what in ("decisions", "events", "moves"))),
                )
            elif k.isupper() and is_array(v):
                setattr(copy, k, self.backend.array(v))
            elif isinstance(v, NamedIntType | Moves):
                setattr(copy, k, self.backend.names(v))
        return copy

    def tops(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The driver's functions of these names, for Python to call."""
        copy = self.module(self.driver)
        return {name: self.backend.top(getattr(copy, name)) for name in names}

    def kept(self) -> dict[str, Any]:
        """The copies that another driver can have too: they know of nothing but the engine and the game."""
        common = self.house[:2]
        return {name: copy for name, copy in self.modules.items() if name != self.driver and name.startswith(common)}

    def knows(self, module: str) -> bool:
        """Is this module copied too?"""
        return module == self.driver or module.startswith(self.house)


def _hash_files(*files: Path) -> str:
    h = hashlib.sha256()
    for f in files:
        if f.suffix in (".py", ".json", ".toml"):
            h.update(f.name.encode() + b"\0" + f.read_bytes() + b"\0")
    return h.hexdigest()


def _hash_rules(game: Game) -> str:
    """A hash of all that a game is by itself."""
    found = _hash_files(*sorted(Path(rules_interface.__file__).parent.rglob("*.py")), *sorted(game.folder.iterdir()))
    return found + json.dumps(game.components, sort_keys=True)  # they may come from elsewhere


def cache_folder(game: Game, driver: str) -> Path:
    """Where this game's machine code is kept: its name is a hash of every source, of the compiler and the machine."""
    import llvmlite
    import numba

    spec = importlib.util.find_spec(driver)
    assert spec is not None and spec.origin is not None
    origin = Path(spec.origin)
    files = sorted(origin.parent.glob("*.py")) if "." in driver else [origin]
    made = f"{numba.__version__} {llvmlite.__version__} {sys.version} {platform.machine()} {driver}"
    h = hashlib.sha256(f"{made} {_hash_rules(game)} {_hash_files(*files)}".encode())
    home = os.environ.get("COURTLY_CACHE")
    if home is None:
        from platformdirs import user_cache_dir

        home = user_cache_dir("courtly", appauthor=False)
    return Path(home) / f"{game.id}-{h.hexdigest()[:16]}"


def is_available() -> bool:
    """Is the compiler installed, and not turned off by COURTLY_NATIVE=0 or Numba's own NUMBA_DISABLE_JIT=1?"""
    off = os.environ.get("COURTLY_NATIVE") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return not off and importlib.util.find_spec("numba") is not None


class Driver(types.SimpleNamespace):
    """The functions of a driver module that Python may call, bound to one game."""


def load_driver(
    game: Game,
    backend: InterpretedBackend | CompiledBackend | None = None,
    driver: str = PLAYOUT_DRIVER,
    *,
    nogil: bool = True,
) -> Any:
    """A driver, the name of a module, bound to a game's rules. `backend` defaults to machine code, kept in the cache;
    with `nogil` other threads go on in Python while it runs, which takes longer than what is answered in a microsecond.
    As in the rules, an index that is worked out is never below 0: machine code would read what lies before the row.

    ValueError says what is wrong with the driver's ENTRY_POINTS; RulesError, before anything is compiled, what is
    outside the dialect.
    """
    top = _entry_points(importlib.import_module(driver))
    usual, backend = backend is None, backend or CompiledBackend(cache_folder(game, driver), nogil=nogil)
    if isinstance(backend, CompiledBackend) and backend.fresh:
        _require_dialect(game)
    rules, copies = _hash_rules(game), {}
    if usual and game in _CACHED_MODULES and _CACHED_MODULES[game][0] == rules:
        copies = _CACHED_MODULES[game][1]
    loader = ModuleLoader(game, backend, driver, copies)
    tops = loader.tops(top)
    if usual:
        _CACHED_MODULES[game] = rules, loader.kept()
    return Driver(game=game, native=isinstance(backend, CompiledBackend), **tops)


# of a game as its files were: what was compiled for one driver is not compiled again for the next
_CACHED_MODULES: WeakKeyDictionary[Game, tuple[str, dict[str, Any]]] = WeakKeyDictionary()


def _require_dialect(game: Game) -> None:
    from courtly.engine.native.dialect_check import DialectError, check_game

    if found := check_game(game):
        raise DialectError(game, found)


def _compile_error(game: Game, wrong: Exception) -> RulesError:
    """What the compiler could not make machine code of, in its author's line."""
    engine = Path(rules_interface.__file__).parent
    said = re.sub(r"\x1b\[[0-9;]*m", "", f"{wrong}")
    places = [(Path(os.path.abspath(file)), line) for file, line in re.findall(r'File "([^"]+)", line (\d+)', said)]
    for frame, _ in traceback.walk_tb(wrong.__traceback__):  # an error that names no line is raised beside one
        for value in list(frame.f_locals.values()):
            loc: Any = getattr(value, "loc", None)
            if isinstance(getattr(loc, "filename", None), str):
                places.append((Path(os.path.abspath(loc.filename)), loc.line))
    theirs = [f"{file}:{line}" for file, line in places if file.is_relative_to(game.folder)]
    others = [f"{file}:{line}" for file, line in places if not file.is_relative_to(engine)]
    lines = [line.strip() for line in said.splitlines()]
    reason = next((line for line in lines if line and not line.startswith(COMPILER_NOISE_PREFIXES)), "")
    return RulesError(
        game.id, f"it cannot be compiled: {type(wrong).__name__}: {reason}", line=next(reversed(theirs or others), "")
    )


def _entry_points(driver: types.ModuleType) -> tuple[str, ...]:
    """The functions of a driver that Python may call."""
    names = getattr(driver, "ENTRY_POINTS", None)
    if not isinstance(names, tuple):
        raise ValueError(
            f"{driver.__name__} has no ENTRY_POINTS, a tuple of the names of its functions that Python may call"
        )
    for name in names:
        found = getattr(driver, str(name), None)
        if not isinstance(found, types.FunctionType) or found.__module__ != driver.__name__:
            raise ValueError(f"{driver.__name__}: ENTRY_POINTS names {name!r}, which is no function written there")
    return names


def make_arrays(game: Game, states: int) -> tuple[Any, Any, Any, Any]:
    """What native drivers work on: `states` records, a generator, moves, weights."""
    import numpy as np

    from courtly.engine.rng import GENERATOR_SIZE

    return (
        np.zeros(states, game.State.layout()),
        np.zeros(GENERATOR_SIZE, np.int64),
        np.zeros(game.room, np.int64),
        np.zeros(game.room, np.int64),
    )


def make_rows(game: Game) -> tuple[list[int], list[int], list[int]]:
    """The same for interpreted drivers, beside a state: a generator, moves, weights."""
    from courtly.engine.rng import GENERATOR_SIZE

    return [0] * GENERATOR_SIZE, [0] * game.room, [0] * game.room


def run_with_progress(work: Callable[[], object], tell: Callable[[float], None]) -> None:
    """Do it; `tell` is called about five times a second with the seconds gone."""
    import threading
    import time

    failed: list[Exception] = []
    started = time.perf_counter()

    def do() -> None:
        try:
            work()
        except Exception as wrong:
            failed.append(wrong)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
        if thread.is_alive():
            tell(time.perf_counter() - started)
    if failed:
        raise failed[0]


def compile_by_calling(game: Game, call: Callable[[], object]) -> None:
    """Call what will be compiled by that. RulesError says in which line it cannot be."""
    import gc

    collecting = gc.isenabled()
    gc.disable()  # a compiler makes many objects that live long: a tenth quicker without
    try:
        call()
    except Exception as wrong:
        raise _compile_error(game, wrong) from wrong
    finally:
        if collecting:
            gc.enable()


def compile_entry_point(game: Game, top: Any, *given: Any) -> Callable[..., int]:
    """A compiled function as what calls it in the end, for arguments of the types of these: it looks at no argument's
    type, which takes longer than most answers. RulesError as above."""
    made: list[Any] = []
    compile_by_calling(game, lambda: made.append(top.compile(tuple(top.typeof_pyval(value) for value in given))))
    found: Callable[..., int] = made[0]
    return found


def compile_playouts(driver: Any, bots: bool = False) -> Any:
    """Have the playouts compiled, those of `bots` with a generator for each seat. RulesError says in which line they
    cannot be."""
    import numpy as np

    states, rng, moves, weights = make_arrays(driver.game, 2)
    finals = np.zeros(0, states.dtype)
    counts, shares = np.zeros(2, np.int64), np.zeros(MAX_SEATS, np.int64)
    minds = [np.zeros((MAX_SEATS, len(rng)), np.int64)] if bots else []
    given = (states, finals, 0, 0, 0, rng, moves, weights, counts, shares, *minds)
    compile_by_calling(driver.game, lambda: driver.playouts(*given))
    return driver

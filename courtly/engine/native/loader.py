"""The loader: compiles a game's rules to machine code.

The loader copies a driver and all dialect modules that it imports, compiles every function with Numba, converts tuples
of numbers to arrays, and binds the driver's functions to one game. A driver is a module of any package. Its
`ENTRY_POINTS` names the functions that Python may call. `SOURCE_WRITER`, if it is present, is (module, function): the
function returns more source for a game, and its definitions replace those of the driver with the same names. Compiled
code is cached in a folder named by a hash of all inputs. Play does not need this module, and Numba is imported only
when something is compiled.
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
)  # lines that the compiler prints around the reason of an error


class Backend(Protocol):
    """How functions, tuples of numbers and named numbers of a module are converted."""

    def function(self, f: Any, driver: bool) -> Any:
        """Convert a function that others of the same backend call. `driver`: the function belongs to the driver."""

    def top(self, f: Any) -> Any:
        """Convert a function that Python calls."""

    def array(self, t: Any) -> Any:
        """Convert a tuple of whole numbers, or of such tuples."""

    def names(self, numbers: NamedIntType | Moves) -> Any:
        """Convert the named numbers of a NamedInt class or of Moves."""


class InterpretedBackend:
    """Backend that leaves everything interpreted."""

    def function(self, f: Any, driver: bool) -> Any:
        """Return the interpreted form of a function."""
        return self.top(f)

    def top(self, f: Any) -> Any:
        """Return the interpreted form of a function."""
        return getattr(f, "interpreted", f)

    def array(self, t: Any) -> Any:
        """Return the tuple."""
        return t

    def names(self, numbers: NamedIntType | Moves) -> Any:
        """Return the object."""
        return numbers


class CompiledBackend:
    """Backend that compiles with Numba.

    Args:
        cache: The folder for compiled code; None to keep it in memory.
        options: Options of the compiler, such as `boundscheck=True` in tests.
    """

    def __init__(self, cache: Path | None = None, **options: Any):
        import numba
        import numpy

        from courtly.engine.native import numba_pipeline

        self.numba, self.numpy, self.parts = numba, numpy, numba_pipeline
        self.cache = cache
        self.options: dict[str, Any] = {"nogil": True, "error_model": "numpy"} | options
        self.fresh = cache is None or not any(cache.rglob("*.nbi"))  # the cache is empty
        if "boundscheck" not in options:
            self.options["_nrt"] = False  # no reference counts: compiled code allocates nothing
        # for functions that Python never calls
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
        """Compile a function for compiled callers. The driver's own functions are inlined, so that the compiler
        optimizes a loop over whole games as one function."""
        f = getattr(f, "compiled", f)
        force_inline = hasattr(f, "force_inline") or driver and not hasattr(f, "no_alias")
        return self.parts.restrict_to_compiled_callers(
            widen_integers(self.numba.njit(f, forceinline=force_inline, **self.inner))
        )

    def top(self, f: Any) -> Any:
        """Compile a function that Python calls."""
        config: Any = self.numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(self.cache or "")
        try:
            f = getattr(f, "py_func", f)
            compiled = self.numba.njit(f, **self.outer)  # it includes all functions that it calls
            return lock_compilation(compiled, self.cache) if self.cache else compiled
        finally:
            config.CACHE_DIR = before

    def array(self, t: Any) -> Any:
        """Return a tuple as an array of int32."""
        return self.numpy.array(t, dtype="i4")

    def names(self, numbers: NamedIntType | Moves) -> Any:
        """Return a module, whose attributes are constants to the compiler."""
        return make_constants_module(numbers)


def widen_integers(dispatcher: Any) -> Any:
    """Make compiled callers pass every whole number as int64: this gives one version of the function, not one for each
    integer width and each literal.

    A call is offered only the version for its own types. Otherwise Numba would find that a version for a record with
    fewer fields fits too, and warn about it.
    """
    from numba import types as kinds

    small = (kinds.Integer, kinds.IntegerLiteral, kinds.Boolean, kinds.BooleanLiteral)
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        resolution = resolve(tuple(kinds.int64 if isinstance(a, small) else a for a in args), kws)
        template, _, types, _ = resolution
        template.cases = [case for case in template.cases if case.args == tuple(types)]
        return resolution

    dispatcher.get_call_template = get_call_template
    return dispatcher


def lock_compilation(dispatcher: Any, folder: Path) -> Any:
    """Let only one of several processes compile a function: the others wait for the file lock, and then find the code
    in the folder. The lock ends with its process. On Windows each process compiles for itself."""
    if sys.platform == "win32":
        return dispatcher
    import fcntl

    compile = dispatcher.compile

    def compile_once(signature: Any) -> Any:
        with open(folder / "lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                return compile(signature)
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)  # a forked process may still hold the open file, and so the lock

    dispatcher.compile = compile_once
    return dispatcher


def make_constants_module(numbers: NamedIntType | Moves) -> types.ModuleType:
    """Return a module with these numbers as attributes, which are constants to the compiler."""
    module = types.ModuleType("names")
    vars(module).update({name: n for name, n in vars(numbers).items() if type(n) is int})
    return module


def is_array(value: Any) -> bool:
    """Return True for a tuple of whole numbers, or of such tuples."""
    return isinstance(value, tuple) and len(value) > 0 and all(type(x) is int or is_array(x) for x in value)


class ModuleLoader:
    """Copies of the modules of the engine, of the game and of the driver's package, in which all names refer to the
    copied functions."""

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
        """Return the copy of a module. Copy and convert it, and the modules that it imports, on first use."""
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
                    self.backend.array(tuple(self.game.bounds[bound] for bound in ("decisions", "events", "moves"))),
                )
            elif k.isupper() and is_array(v):
                setattr(copy, k, self.backend.array(v))
            elif isinstance(v, NamedIntType | Moves):
                setattr(copy, k, self.backend.names(v))
        return copy

    def tops(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the driver's functions of these names, converted for calls from Python."""
        copy = self.module(self.driver)
        return {name: self.backend.top(getattr(copy, name)) for name in names}

    def reusable_modules(self) -> dict[str, Any]:
        """Return the copies that another driver can reuse: those of the engine and of the game."""
        common = self.house[:2]
        return {name: copy for name, copy in self.modules.items() if name != self.driver and name.startswith(common)}

    def knows(self, module: str) -> bool:
        """Return True if the loader copies this module too."""
        return module == self.driver or module.startswith(self.house)


def _hash_files(*files: Path) -> str:
    h = hashlib.sha256()
    for f in files:
        if f.suffix in (".py", ".json", ".toml"):
            h.update(f.name.encode() + b"\0" + f.read_bytes() + b"\0")
    return h.hexdigest()


def _hash_rules(game: Game) -> str:
    """Return a hash of all files and data that the rules of a game depend on."""
    digest = _hash_files(*sorted(Path(rules_interface.__file__).parent.rglob("*.py")), *sorted(game.folder.iterdir()))
    return digest + json.dumps(game.components, sort_keys=True)  # they may come from outside the folder


def cache_folder(game: Game, driver: str) -> Path:
    """Return the folder for this game's machine code. Its name contains a hash of all sources, the versions of the
    compiler and of Python, and the machine type."""
    import llvmlite
    import numba

    spec = importlib.util.find_spec(driver)
    assert spec is not None and spec.origin is not None
    origin = Path(spec.origin)
    files = sorted(origin.parent.glob("*.py")) if "." in driver else [origin]
    environment = f"{numba.__version__} {llvmlite.__version__} {sys.version} {platform.machine()} {driver}"
    h = hashlib.sha256(f"{environment} {_hash_rules(game)} {_hash_files(*files)}".encode())
    home = os.environ.get("COURTLY_CACHE")
    if home is None:
        from platformdirs import user_cache_dir

        home = user_cache_dir("courtly", appauthor=False)
    return Path(home) / f"{game.id}-{h.hexdigest()[:16]}"


def is_available() -> bool:
    """Return True if the compiler is installed and not turned off by COURTLY_NATIVE=0 or by Numba's
    NUMBA_DISABLE_JIT=1."""
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
    """Return a driver (the name of a module) bound to a game's rules.

    In the driver, as in rules, computed indexes must not be negative: machine code would read what lies before the row.

    Args:
        game: The game.
        backend: How to convert the functions; None for machine code in the cache.
        driver: The name of the driver's module.
        nogil: True to release the GIL while compiled code runs. That is slower for calls of about a microsecond.

    Raises:
        ValueError: The driver's ENTRY_POINTS are invalid.
        DialectError: The rules use Python outside of the dialect. Nothing was compiled.
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
        _CACHED_MODULES[game] = rules, loader.reusable_modules()
    return Driver(game=game, native=isinstance(backend, CompiledBackend), **tops)


# for each game, with the hash of its files: the copies that the next driver reuses
_CACHED_MODULES: WeakKeyDictionary[Game, tuple[str, dict[str, Any]]] = WeakKeyDictionary()


def _require_dialect(game: Game) -> None:
    from courtly.engine.native.dialect_check import DialectError, check_game

    if findings := check_game(game):
        raise DialectError(game, findings)


def _compile_error(game: Game, error: Exception) -> RulesError:
    """Return the error for rules that the compiler rejects, with the author's line."""
    engine = Path(rules_interface.__file__).parent
    text = re.sub(r"\x1b\[[0-9;]*m", "", f"{error}")
    places = [(Path(os.path.abspath(file)), line) for file, line in re.findall(r'File "([^"]+)", line (\d+)', text)]
    for frame, _ in traceback.walk_tb(error.__traceback__):  # an error without a line may have a frame with one
        for value in list(frame.f_locals.values()):
            loc: Any = getattr(value, "loc", None)
            if isinstance(getattr(loc, "filename", None), str):
                places.append((Path(os.path.abspath(loc.filename)), loc.line))
    theirs = [f"{file}:{line}" for file, line in places if file.is_relative_to(game.folder)]
    others = [f"{file}:{line}" for file, line in places if not file.is_relative_to(engine)]
    lines = [line.strip() for line in text.splitlines()]
    reason = next((line for line in lines if line and not line.startswith(COMPILER_NOISE_PREFIXES)), "")
    return RulesError(
        game.id, f"compilation failed: {type(error).__name__}: {reason}", line=next(reversed(theirs or others), "")
    )


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
    """Return the arrays for native drivers: `states` records, a generator, a row for moves and a row for weights."""
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
    """Call a function that compiles on its first call. Raises RulesError, with the author's line, if compilation
    fails."""
    import gc

    collecting = gc.isenabled()
    gc.disable()  # the compiler creates many long-lived objects: compilation is 10 % faster without
    try:
        call()
    except Exception as error:
        raise _compile_error(game, error) from error
    finally:
        if collecting:
            gc.enable()


def compile_entry_point(game: Game, top: Any, *arguments: Any) -> Callable[..., int]:
    """Compile a function for arguments of these types, and return the form without the check of argument types, which
    takes longer than most calls.

    Raises RulesError if compilation fails.
    """
    compiled: list[Any] = []
    compile_by_calling(
        game, lambda: compiled.append(top.compile(tuple(top.typeof_pyval(value) for value in arguments)))
    )
    entry_point: Callable[..., int] = compiled[0]
    return entry_point


def compile_playouts(driver: Any, bots: bool = False) -> Any:
    """Compile the playouts, and return the driver. `bots`: with a generator for each seat. Raises RulesError if
    compilation fails."""
    import numpy as np

    states, rng, moves, weights = make_arrays(driver.game, 2)
    finals = np.zeros(0, states.dtype)
    counts, shares = np.zeros(2, np.int64), np.zeros(MAX_SEATS, np.int64)
    minds = [np.zeros((MAX_SEATS, len(rng)), np.int64)] if bots else []
    arguments = (states, finals, 0, 0, 0, rng, moves, weights, counts, shares, *minds)
    compile_by_calling(driver.game, lambda: driver.playouts(*arguments))
    return driver

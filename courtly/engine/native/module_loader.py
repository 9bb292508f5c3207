"""Copies of modules of the dialect, bound to one game.

`ModuleLoader` copies a driver and all dialect modules that it imports, and converts every function and table by a
backend. A driver is a module of any package. If it has a `SOURCE_WRITER`, which is (module, function), the function
returns more source for a game, and its definitions replace those of the driver with the same names.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import types
from pathlib import Path
from typing import Any, Protocol

from courtly.engine import rules_interface
from courtly.engine.enums import NamedIntType
from courtly.engine.game import FACTS_FUNCTIONS, MEASURE_FUNCTIONS, OPTIONAL_RULES_FUNCTIONS, POLICY_FUNCTIONS, Game
from courtly.engine.moves import Moves

ENGINE_PACKAGE = "courtly.engine"
PLAYOUT_DRIVER = "courtly.engine.native.playout_driver"
FACTS_DRIVER = "courtly.engine.native.facts_driver"


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


def is_array(value: Any) -> bool:
    """Return True for a tuple of whole numbers, or of such tuples."""
    return isinstance(value, tuple) and len(value) > 0 and all(type(x) is int or is_array(x) for x in value)


class ModuleLoader:
    """Copies of the modules of the engine, of the game and of the drivers' packages, in which all names refer to the
    copied functions."""

    def __init__(self, game: Game, backend: Backend, *drivers: str):
        """Copy the rules. `drivers`: the names of the drivers' modules, which share all copies; by default that of the
        playouts."""
        self.drivers = drivers or (PLAYOUT_DRIVER,)
        packages = {package for driver in self.drivers if (package := driver.rpartition(".")[0])}
        self.packages = (f"{ENGINE_PACKAGE}.", f"{game.package}.", *(f"{package}." for package in sorted(packages)))
        self.game = game
        self.backend = backend
        self.modules: dict[str, Any] = {}
        rules = self.modules["courtly.engine.rules_interface"] = self.module(f"{game.package}.rules")
        for name in OPTIONAL_RULES_FUNCTIONS:
            if not hasattr(rules, name):
                setattr(rules, name, backend.function(getattr(rules_interface, name), driver=False))
        policy = self.module(f"{game.package}.policy") if game.policy else None
        for name in POLICY_FUNCTIONS:
            silent = backend.function(getattr(rules_interface, name), driver=False)
            setattr(rules, name, getattr(policy, name, silent))
        facts = self.module(f"{game.package}.facts") if game.facts_module else None
        for name in FACTS_FUNCTIONS:
            silent = backend.function(getattr(rules_interface, name), driver=False)
            setattr(rules, name, getattr(facts, name, silent))
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
        if name in self.drivers and hasattr(copy, "SOURCE_WRITER"):
            where, write = copy.SOURCE_WRITER
            source = vars(copy)["GENERATED_SOURCE"] = getattr(importlib.import_module(where), write)(self.game)
            exec(compile(source, f"<{write} for {self.game.id}>", "exec"), vars(copy))
        for k, v in list(vars(copy).items()):
            if isinstance(v, types.FunctionType) and self.knows(v.__module__) and "<locals>" not in v.__qualname__:
                if v.__module__ == name:
                    setattr(copy, k, self.backend.function(v, driver=name in self.drivers))
                else:
                    setattr(copy, k, getattr(self.module(v.__module__), v.__name__))
            elif k == "BOUNDS" and v is rules_interface.BOUNDS:
                bounds = (self.game.bounds[bound] for bound in ("decisions", "events", "moves"))
                setattr(copy, k, self.backend.array((*bounds, self.game.moves.count, self.game.moves.total)))
            elif k.isupper() and is_array(v):
                setattr(copy, k, self.backend.array(v))
            elif isinstance(v, NamedIntType | Moves):
                setattr(copy, k, self.backend.names(v))
        return copy

    def tops(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the first driver's functions of these names, converted for calls from Python."""
        copy = self.module(self.drivers[0])
        return {name: self.backend.top(getattr(copy, name)) for name in names}

    def knows(self, module: str) -> bool:
        """Return True if the loader copies this module too."""
        return module in self.drivers or module.startswith(self.packages)


def hash_files(*files: Path) -> str:
    """Return a hash of the Python, JSON and TOML files among these."""
    h = hashlib.sha256()
    for f in files:
        if f.suffix in (".py", ".json", ".toml"):
            h.update(f.name.encode() + b"\0" + f.read_bytes() + b"\0")
    return h.hexdigest()


def hash_rules(game: Game) -> str:
    """Return a hash of all files and data that the rules of a game depend on."""
    engine_files = Path(rules_interface.__file__).parent.rglob("*.py")
    found = hash_files(*sorted(engine_files, key=str), *sorted(game.folder.iterdir(), key=str))
    return found + json.dumps(game.components, sort_keys=True)  # they may come from outside the folder

"""Drivers as machine code: the functions of a module, bound to a game, that Python calls."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from courtly.engine import rules_interface
from courtly.engine.errors import RulesError
from courtly.engine.game import Game
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.entry_point import EntryPoint, write_python_function
from courtly.engine.native.compiler.faults import explain_fault, list_modules
from courtly.engine.native.compiler.object_cache import load_or_compile
from courtly.engine.native.compiler.program import SHARED_ROWS, Program
from courtly.engine.native.compiler.types import CompileError, Type
from courtly.engine.native.dialect_check import DialectError, check_game
from courtly.engine.native.module_loader import ModuleLoader

ENGINE_FOLDER = Path(rules_interface.__file__).parent


class CompiledBackend:
    """Compiles drivers to machine code.

    Args:
        cache: The folder for object files; None to keep them in memory.
        nogil: True to release the GIL while machine code runs. That is slower for calls of about a microsecond.
        is_checked: True to check every index, number and loop in the game's own functions. Faults raise IndexError,
            OverflowError, RuntimeError or ZeroDivisionError with the author's line. Checked code keeps the GIL.
    """

    def __init__(self, cache: Path | None = None, *, nogil: bool = True, is_checked: bool = False):
        self.cache, self.nogil, self.is_checked = cache, nogil and not is_checked, is_checked

    @property
    def fresh(self) -> bool:
        """True if there is no machine code in the cache."""
        return self.cache is None or not any(self.cache.glob("*.o"))

    def load(self, game: Game, driver: str, names: Sequence[str]) -> dict[str, Any]:
        """Return the entry points of a driver; each is compiled when it is called first."""
        compiler = DriverCompiler(game, driver, self)
        return {name: compiler.entry_point(name) for name in names}

    def make_program(self, game: Game) -> Program:
        """Return an empty program, to which the loader adds functions and tables."""
        return Program(game, is_checked=self.is_checked, has_lines=True)


class DriverCompiler:
    """Compiles the entry points of a driver.

    Args:
        game: The game whose rules the driver uses.
        driver: The name of the driver's module.
        backend: How it is compiled.
    """

    def __init__(self, game: Game, driver: str, backend: CompiledBackend):
        self.game, self.driver, self.backend = game, driver, backend

    def entry_point(self, name: str) -> EntryPoint:
        """Return an entry point, which is compiled when it is called first."""
        explain = self._explain_fault if self.backend.is_checked else None
        parameters = inspect.signature(getattr(importlib.import_module(self.driver), name)).parameters
        shared = frozenset(i for i, parameter in enumerate(parameters) if parameter in SHARED_ROWS)
        return EntryPoint(name, lambda types, gives_list: self._object_file(name, types, gives_list), explain, shared)

    def _explain_fault(self, fault: int) -> Exception:
        """Return the error for a fault."""
        return explain_fault(fault, list_modules(self.game.folder))

    def _object_file(self, name: str, types: tuple[Type, ...], gives_list: bool) -> bytes:
        form = types, self.backend.nogil, self.backend.is_checked, gives_list
        digest = hashlib.sha256(repr(form).encode()).hexdigest()[:16]
        return load_or_compile(self.backend.cache, f"{name}-{digest}.o", lambda: self._compile(name, types, gives_list))

    def _compile(self, name: str, types: tuple[Type, ...], gives_list: bool) -> bytes:
        """Return the object file of an entry point for arguments of these types. Raises DialectError, RulesError."""
        return compile_program(self.game, lambda: self._write(name, types, gives_list), machine_code.host_machine())

    def _write(self, name: str, types: tuple[Type, ...], gives_list: bool) -> str:
        program = self.backend.make_program(self.game)
        function = ModuleLoader(self.game, program, self.driver).tops((name,))[name]
        writer = program.export(function, types)
        machine = machine_code.host_machine()
        more = write_python_function(
            name, types, writer.result_type, self.backend.nogil, self.backend.is_checked, gives_list
        )
        return program.text(machine.triple, str(machine.target_data), more)


def compile_program(game: Game, write: Callable[[], str], machine: Any) -> bytes:
    """Return the object file of a program; for graphics cards PTX.

    Args:
        game: The game whose rules it uses.
        write: Returns its LLVM module.
        machine: The target machine.

    Raises:
        DialectError: The rules use Python outside of the dialect.
        RulesError: A line cannot be compiled.
    """
    if found := check_game(game):
        raise DialectError(game, found)
    try:
        text = write()
    except CompileError as error:
        raise _explain(game, error) from error
    return machine_code.compile_module(text, machine)


def _explain(game: Game, error: CompileError) -> RulesError:
    """Return the error for rules that cannot be compiled, with the innermost line of the author's."""
    places = [(Path(os.path.abspath(file)), line) for file, line in error.places]
    theirs = [f"{file}:{line}" for file, line in places if file.is_relative_to(game.folder)]
    others = [f"{file}:{line}" for file, line in places if not file.is_relative_to(ENGINE_FOLDER)]
    return RulesError(game.id, f"compilation failed: {error.reason}", line=next(iter(theirs or others), ""))

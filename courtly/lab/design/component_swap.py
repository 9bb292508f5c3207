"""Plays variants of a component file with machine code that is compiled only once.

Arrays that the rules derive from the component file stay in writable memory instead of being compiled as constants. As
long as another file changes only the contents of these arrays, the same machine code plays it; otherwise it is compiled
again, which takes some seconds. A `ComponentSwapper` needs a process of its own (component_override.py).
"""

from __future__ import annotations

import os
import types
from typing import Any

import numpy as np

from courtly.engine.enums import NamedIntType
from courtly.engine.game import Game
from courtly.engine.moves import Moves
from courtly.engine.native import loader as native_loader
from courtly.engine.native.compiler.program import Program
from courtly.engine.native.compiler.types import ConstantTable, RowType
from courtly.engine.native.module_loader import ModuleLoader
from courtly.engine.native.rows import address_of
from courtly.lab.batch import Batch
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import DRIVER, MeasuringRunner
from courtly.lab.runs.component_override import ComponentOverride
from courtly.lab.runs.native_runner import DaemonThreadExecutor
from courtly.lab.statistics.game_measures import Tally
from courtly.lab.statistics.named_measures import component_names

GAMES_PER_BATCH = 500  # games in a batch of work


class WritableCompiled(native_loader.CompiledBackend):
    """A backend whose machine code reads arrays from writable memory. It is not cached, since the addresses are
    compiled in."""

    def __init__(self) -> None:
        super().__init__(None)
        self.arrays: list[Any] = []

    def make_program(self, game: Game) -> Any:
        """Return a program with arrays in writable memory. The loader adds them in the same order to each program."""
        return _WritableProgram(game, self.arrays)


class _WritableProgram(Program):
    def __init__(self, game: Game, arrays: list[Any]):
        super().__init__(game)
        self.arrays, self.count = arrays, 0

    def array(self, t: Any) -> ConstantTable:
        """Return a table at the address of a writable array."""
        if self.count == len(self.arrays):
            self.arrays.append(np.array(t, dtype="i4"))
        array = self.arrays[self.count]
        self.count += 1
        return ConstantTable(f"inttoptr (i64 {address_of(array)} to ptr)", RowType("i32", array.shape, "table"))


class ArrayCollector(native_loader.InterpretedBackend):
    """An interpreted backend that collects the same arrays in the same order."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []

    def array(self, t: Any) -> Any:
        """Remember a copy of an array."""
        self.arrays.append(np.array(t, dtype="i4"))
        return t


class GameArrays:
    """The arrays of a game's modules, and everything else that is compiled as a constant."""

    def __init__(self, game: Game):
        form = ArrayCollector()
        loader = ModuleLoader(game, form, DRIVER)
        loader.module(DRIVER)
        self.arrays = form.arrays
        self.rest = {
            (module, name): fixed
            for module, copy in loader.modules.items()
            for name, value in vars(copy).items()
            if (fixed := _fixed_value(value)) is not None
        } | {"layout": game.State.layout()}

    def is_compatible(self, other: GameArrays) -> bool:
        """Return whether the machine code of one can play the other."""
        shapes, others = ([array.shape for array in found.arrays] for found in (self, other))
        return self.rest == other.rest and shapes == others


def _fixed_value(value: Any) -> Any:
    if isinstance(value, NamedIntType | Moves):
        return {name: n for name, n in vars(value).items() if type(n) is int}
    if isinstance(value, types.FunctionType):
        return value.__defaults__
    return value if type(value) in (int, bool, str) else None


class ComponentSwapper:
    """Plays a game with one component file after another."""

    def __init__(self, game: str, file: str, cores: int | None = None):
        self.cores = cores or os.cpu_count() or 1
        self.override = ComponentOverride(game, file)
        self.arrays_in_use: GameArrays | None = None
        self.compiled = 0  # number of compilations
        self.text = ""  # the current component file

    def switch_to(self, plan: Plan, text: str) -> None:
        """Play with these components from now on.

        Args:
            plan: A plan with the options to compile for.
            text: The component file's text.

        Raises:
            InvalidComponentsError: The rules reject the components.
        """
        if text == self.text:
            return
        self.text = ""
        game = self.override.apply(text)
        arrays = GameArrays(game)
        if self.arrays_in_use is None or not self.arrays_in_use.is_compatible(arrays):
            self.form = WritableCompiled()
            self.driver = native_loader.load_driver(game, self.form, DRIVER)
            MeasuringRunner(self.driver, plan).measure(0, 0)
            self.arrays_in_use, self.compiled = arrays, self.compiled + 1
        for array, numbers in zip(self.form.arrays, arrays.arrays, strict=True):
            array[...] = numbers
        self.driver.game = game
        self.text = text

    def play_batch(self, plan: Plan, text: str, first: int, games: int) -> tuple[tuple[str, ...], Batch]:
        """Play some games of a plan.

        Args:
            plan: The plan.
            text: The component file's text.
            first: Number of the first game.
            games: Number of games.

        Returns:
            The names of the components, and the games' measurements.

        Raises:
            InvalidComponentsError: The rules reject the components.
            RulesError: A game fails or does not end within its bounds.
        """
        self.switch_to(plan, text)
        return component_names(self.driver.game), MeasuringRunner(self.driver, plan).measure(first, games)[0]

    def play(self, plan: Plan, text: str) -> Tally:
        """Play all games of a plan.

        Args:
            plan: The plan.
            text: The component file's text.

        Returns:
            The sums of the games.

        Raises:
            InvalidComponentsError: The rules reject the components.
            RulesError: A game fails or does not end within its bounds.
        """
        self.switch_to(plan, text)
        worker = MeasuringRunner(self.driver, plan)
        tally = Tally(plan.players, component_names(self.driver.game), plan.games)
        with DaemonThreadExecutor(self.cores) as threads:
            for first, future in [(at, threads.submit(worker.measure, at, games)) for at, games in batch_ranges(plan)]:
                tally.add(worker.result(first, future)[0])
        return tally


def batch_ranges(plan: Plan) -> list[tuple[int, int]]:
    """Return (first game, number of games) of each batch of work."""
    return [(first, min(GAMES_PER_BATCH, plan.games - first)) for first in range(0, plan.games, GAMES_PER_BATCH)]

"""A game whose numbers change from trial to trial, as machine code that is compiled once.

The arrays that the rules make of a component file are kept where they can be written anew, instead of inside the
machine code. As long as other components change nothing but what stands in arrays of the same size, the same code plays
them; else it is compiled again, which takes some seconds. A workbench needs a process of its own (components.py).
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
from courtly.lab.batch import Batch
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import DRIVER, MeasuringRunner
from courtly.lab.runs.component_override import ComponentOverride
from courtly.lab.runs.native_runner import DaemonThreadExecutor
from courtly.lab.statistics.batch_sums import Tally, component_names

GAMES_PER_BATCH = 500  # games of a batch of work


class WritableCompiled(native_loader.CompiledBackend):
    """Machine code that reads its arrays where they lie; it is kept in no cache, for nobody else has them there."""

    def __init__(self) -> None:
        super().__init__(None)
        self.arrays: list[Any] = []

    def array(self, t: Any) -> Any:
        numbers = np.array(t, dtype="i4")
        apart = np.zeros((*numbers.shape, 2), "i4")[..., 0]  # the compiler copies only what lies close together
        apart[...] = numbers
        self.arrays.append(apart)
        return apart


class ArrayCollector(native_loader.InterpretedBackend):
    """The same arrays, in the same order."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []

    def array(self, t: Any) -> Any:
        self.arrays.append(np.array(t, dtype="i4"))
        return t


class GameArrays:
    """What a game's modules come to: the arrays, and everything else that machine code takes in."""

    def __init__(self, game: Game):
        form = ArrayCollector()
        loader = native_loader.ModuleLoader(game, form, DRIVER)
        loader.module(DRIVER)
        self.arrays = form.arrays
        self.rest = {
            (module, name): fixed
            for module, copy in loader.modules.items()
            for name, value in vars(copy).items()
            if (fixed := _fixed_value(value)) is not None
        } | {"layout": game.State.layout()}

    def is_compatible(self, other: GameArrays) -> bool:
        """Can the machine code made for one play the other? An array of one number is taken into it."""
        return self.rest == other.rest and [_array_shape(array) for array in self.arrays] == [
            _array_shape(t) for t in other.arrays
        ]


def _array_shape(array: Any) -> Any:
    return array.shape if array.size > 1 else array.tolist()


def _fixed_value(value: Any) -> Any:
    if isinstance(value, NamedIntType | Moves):
        return {name: n for name, n in vars(value).items() if type(n) is int}
    if isinstance(value, types.FunctionType):
        return value.__defaults__
    return value if type(value) in (int, bool, str) else None


class ComponentSwapper:
    """Plays a game with one component file after the other."""

    def __init__(self, game: str, file: str, cores: int | None = None):
        self.cores = cores or os.cpu_count() or 1
        self.override = ComponentOverride(game, file)
        self.arrays_in_use: GameArrays | None = None
        self.compiled = 0  # how often
        self.text = ""  # what is worn

    def switch_to(self, plan: Plan, text: str) -> None:
        """From now on these components. InvalidComponentsError if the rules make nothing of them."""
        if text == self.text:
            return
        self.text = ""
        game = self.override.apply(text)
        made = GameArrays(game)
        if self.arrays_in_use is None or not self.arrays_in_use.is_compatible(made):
            self.form = WritableCompiled()
            self.driver = native_loader.load_driver(game, self.form, DRIVER)
            native_loader.compile_by_calling(game, lambda: MeasuringRunner(self.driver, plan).measure(0, 0))
            self.arrays_in_use, self.compiled = made, self.compiled + 1
        for array, numbers in zip(self.form.arrays, made.arrays, strict=True):
            array[...] = numbers
        self.driver.game = game
        self.text = text

    def play_batch(self, plan: Plan, text: str, first: int, games: int) -> tuple[tuple[str, ...], Batch]:
        """Some of a plan's games, and what their components are called. InvalidComponentsError, and RulesError if a
        game does not go as it must."""
        self.switch_to(plan, text)
        return component_names(self.driver.game), MeasuringRunner(self.driver, plan).measure(first, games)[0]

    def play(self, plan: Plan, text: str) -> Tally:
        """All of them, in the same way."""
        self.switch_to(plan, text)
        worker = MeasuringRunner(self.driver, plan)
        tally = Tally(plan.players, component_names(self.driver.game), plan.games)
        with DaemonThreadExecutor(self.cores) as threads:
            for first, future in [(at, threads.submit(worker.measure, at, games)) for at, games in batch_ranges(plan)]:
                tally.add(worker.result(first, future)[0])
        return tally


def batch_ranges(plan: Plan) -> list[tuple[int, int]]:
    """(first game, number of games) of each batch of work."""
    return [(first, min(GAMES_PER_BATCH, plan.games - first)) for first in range(0, plan.games, GAMES_PER_BATCH)]

"""Comparison of variants of a game: other options or other component files, played with the same seeds.

Game k of every variant has the same random stream, so games remain identical until a decision differs. The paired
intervals of game_measures.py thus exclude variation that is common to all variants.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from courtly.engine.game import Game, find_game
from courtly.lab.batch import WIN_PARTS
from courtly.lab.design.parameters import ComponentNumbers
from courtly.lab.plan import Components, Plan
from courtly.lab.runs.batch_runner import call_with_components
from courtly.lab.runs.component_override import load_components
from courtly.lab.statistics.game_measures import Estimate, Sums, Tally, jackknife_estimate
from courtly.lab.statistics.named_measures import MEASURES, PERCENT, MeasureRequest, component_names

OWN_FILE = "own"  # stands for the game's own component file


class Variant(NamedTuple):
    """A variant.

    `name` names its differences. `options`: the options that differ between variants. `file`: its component file if
    variants have different ones: a file name, or OWN_FILE for the game's own; else "".
    """

    name: str
    plan: Plan
    options: Mapping[str, int] = {}
    file: str = ""


class ComparisonRow(NamedTuple):
    """One measure: its value in every variant, and the difference of each later variant from the first."""

    name: str
    unit: str
    figures: list[Estimate]
    differences: list[Estimate]


def make_variants(plan: Plan, options: Iterable[tuple[str, int]], files: Iterable[Path]) -> list[Variant]:
    """Return all combinations of options and component files.

    Args:
        plan: The plan that the variants have in common.
        options: (name, value) pairs. An option given once applies to every variant; one given several times makes a
            variant for each value.
        files: Component files to compare with the game's own.

    Raises:
        ValueError: There are fewer than two variants.
        InvalidComponentsError: A component file does not fit the game.
    """
    values: dict[str, list[int]] = {}
    for name, value in options:
        values.setdefault(name, []).append(value)
    game, others = find_game(plan.game), list(files)
    file_names = [str(file) if [f.name for f in others].count(file.name) > 1 else file.name for file in others]
    component_files = [
        (OWN_FILE, None),
        *((name, load_components(game, file)) for name, file in zip(file_names, others, strict=True)),
    ]
    variants = []
    for option_values in product(*values.values()):
        for name, components in component_files:
            both = dict(zip(values, option_values, strict=True))
            apart = {option: value for option, value in both.items() if len(values[option]) > 1}
            file = name if len(component_files) > 1 else ""
            variant_name = " ".join([*(f"{option}={value}" for option, value in apart.items()), file]).strip()
            changed = plan._replace(options=plan.options | both, components=components)
            variants.append(Variant(variant_name, changed, apart, file))
    if len({variant.name for variant in variants}) < 2:
        raise ValueError(
            "nothing to compare: give an option several values (--option map=0 --option map=1), or a component file"
        )
    return variants


def compare_command(compared: Iterable[Variant]) -> str:
    """Return the command line that repeats this comparison."""
    variants = list(compared)
    plan = variants[0].plan
    words = ["courtly", "lab", "compare", plan.game, "--players", plan.players, "--games", plan.games]
    words += ["--seed", plan.seed]
    words += ["--bots", ",".join(plan.bots)] if plan.bots else []
    options = dict.fromkeys((name, value) for variant in variants for name, value in variant.plan.options.items())
    for name, value in options:
        words += ["--option", f"{name}={value}"]
    for file in dict.fromkeys(variant.file for variant in variants if variant.plan.components):
        words += ["--components", file]
    return shlex.join(map(str, words))


def find_changed_numbers(game: Game, components: Components) -> Iterator[tuple[str, str, str]]:
    """Yield (place, old, new) for the numbers in which a component file differs from the game's own; the numbers of a
    list together.

    Args:
        game: The game.
        components: The other component file.
    """
    before, now = (
        _group_numbers(ComponentNumbers(version))
        for version in (Components(components.file, (game.folder / components.file).read_text("utf-8")), components)
    )
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name):
            old_numbers, new_numbers = (", ".join(map(str, version.get(name, []))) or "–" for version in (before, now))
            yield name, old_numbers, new_numbers


def _group_numbers(numbers: ComponentNumbers) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for at, number in numbers.numbers.items():
        groups.setdefault(".".join(part for part in at if isinstance(part, str)), []).append(number)
    return groups


def plan_component_names(plan: Plan) -> tuple[str, ...]:
    """Return the names of the components of the game that a plan plays."""
    names: tuple[str, ...] = call_with_components(plan, _cached_component_names, plan.game)
    return names


def _cached_component_names(game: str) -> tuple[str, ...]:
    return component_names(find_game(game))


class Comparison:
    """The results of all variants."""

    def __init__(self, compared: list[Variant], tallies: Sequence[Tally]):
        """Combine the results.

        Args:
            compared: The variants.
            tallies: The sums of each variant, over the same games.
        """
        self.variants, self.tallies = compared, tallies

    def rows(self) -> Iterator[ComparisonRow]:
        """Yield every measure of whole games."""
        for name, measure in MEASURES.items():
            if not measure.apart or any(tally.components for tally in self.tallies):
                yield self._row(
                    name, measure.unit, [_measure_reader(MeasureRequest(name), tally) for tally in self.tallies]
                )

    def components(self) -> Iterator[tuple[ComparisonRow, ComparisonRow]]:
        """Yield two rows for each component that all variants have: the share of seats that own it, and the win share
        of these."""
        common = [c for c in self.tallies[0].components if all(c in tally.components for tally in self.tallies)]
        for name in common:
            at = [tally.components.index(name) for tally in self.tallies]
            yield (
                self._row(name, "%", [_ownership_reader(i) for i in at]),
                self._row(name, "%", [_win_reader(i) for i in at]),
            )

    def _row(self, name: str, unit: str, figure_functions: list[Callable[[Sums], float]]) -> ComparisonRow:
        figures = [
            jackknife_estimate(figure, tally) for figure, tally in zip(figure_functions, self.tallies, strict=True)
        ]
        others = list(zip(figure_functions, self.tallies, strict=True))[1:]
        return ComparisonRow(
            name,
            unit,
            figures,
            [_estimate_difference(figure_functions[0], figure, self.tallies[0], tally) for figure, tally in others],
        )

    def as_json(self) -> dict[str, Any]:
        """Return all figures as JSON."""
        plan, names = self.variants[0].plan, [variant.name for variant in self.variants]

        def row_json(row: ComparisonRow) -> dict[str, Any]:
            return {
                "unit": row.unit,
                "variants": dict(zip(names, (f._asdict() for f in row.figures), strict=True)),
                "differences": dict(zip(names[1:], (f._asdict() for f in row.differences), strict=True)),
            }

        return {
            "game": plan.game,
            "players": plan.players,
            "games": plan.games,
            "seed": plan.seed,
            "bots": list(plan.bots or ["random"] * plan.players),
            "variants": {variant.name: variant.plan.options for variant in self.variants},
            "measures": {row.name: row_json(row) for row in self.rows()},
            "components": {
                owner_row.name: {"had": row_json(owner_row), "won": row_json(win_row)}
                for owner_row, win_row in self.components()
            },
        }


def _measure_reader(request: MeasureRequest, tally: Tally) -> Callable[[Sums], float]:
    return lambda sums: request.figure(sums, tally.components)


def _ownership_reader(component: int) -> Callable[[Sums], float]:
    return lambda s: PERCENT * float(s.held[component]) / s.games / s.players


def _win_reader(component: int) -> Callable[[Sums], float]:
    return lambda s: (
        PERCENT * float(s.won[component]) / WIN_PARTS / float(s.held[component]) if s.held[component] else 0.0
    )


def _estimate_difference(first: Callable[[Sums], float], other: Callable[[Sums], float], *tallies: Tally) -> Estimate:
    return jackknife_estimate(lambda a, b: other(b) - first(a), *tallies)


def is_significant(difference: Estimate) -> bool:
    """Return whether a difference's 95 % interval excludes 0."""
    return difference.low > 0 or difference.high < 0


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the comparison as lines of a text table."""
    names = [variant.name for variant in comparison.variants]
    name_width = max(12, *(len(name) + 2 for name in names))
    yield f"{'':24}{names[0]:>{name_width}}" + "".join(
        f"{name:>{name_width}}  {'difference':<26}" for name in names[1:]
    )
    for row in comparison.rows():
        yield _row_line(row.name, row, name_width)
    for title, index in (("share of seats that own it", 0), ("win share of its owners", 1)):
        for i, rows in enumerate(comparison.components()):
            if i == 0:
                yield title
            yield _row_line(rows[index].name, rows[index], name_width)


def _row_line(name: str, row: ComparisonRow, name_width: int) -> str:
    text = f"{name:24.24}{_format_value(row.figures[0].value, row.unit):>{name_width}}"
    for estimate, difference in zip(row.figures[1:], row.differences, strict=True):
        around = f"{difference.value:+.2f} ({difference.low:+.2f} to {difference.high:+.2f})"
        mark = "*" if is_significant(difference) else " "
        text += f"{_format_value(estimate.value, row.unit):>{name_width}} {mark}{around:<26}"
    return text.rstrip()


def _format_value(value: float, unit: str) -> str:
    return f"{value:.2f}" + (" %" if unit == "%" else "")

"""Numbers of a component file that a search may change, and the file with changed numbers.

A parameter is a path with dots between its parts, such as `cards.ring.ladder`; `*` matches any part of a name. If the
path names a table or list of numbers, they change together: the parameter is their sum, and each number keeps its share
of the sum as closely as integers allow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from math import ceil, floor
from typing import Any, NamedTuple

import tomlkit

from courtly.engine.errors import CourtlyError
from courtly.lab.plan import Components

FULL_SCALE_PERCENT = 100  # the unchanged value of a factor for several places
SCALE_STEP_PERCENT = 5
NumberPath = tuple[str | int, ...]


class InvalidParameterError(CourtlyError, ValueError):
    """A parameter names no number, or its range is invalid. The message says why in one line."""


class Parameter(NamedTuple):
    """An integer to be found between two bounds.

    `places`: the numbers of the file that it changes, grouped by place. With one place the value is their sum; with
    several it is a factor in percent of their original values.
    """

    name: str
    places: tuple[tuple[NumberPath, ...], ...]
    now: int
    low: int
    high: int

    @property
    def step(self) -> int:
        """The distance between two values that a search tries."""
        return SCALE_STEP_PERCENT if len(self.places) > 1 else 1

    def scaled_numbers(self, numbers: Mapping[NumberPath, int], value: int) -> dict[NumberPath, int]:
        """Return the new numbers for a parameter value, by path.

        Args:
            numbers: The numbers of the file by path.
            value: The parameter's value.
        """
        scaled: dict[NumberPath, int] = {}
        for place in self.places:
            parts = [numbers[at] for at in place]
            total = value if len(self.places) == 1 else round(sum(parts) * value / FULL_SCALE_PERCENT)
            scaled |= dict(zip(place, divide_proportionally(total, parts), strict=True))
        return scaled


def divide_proportionally(total: int, parts: list[int]) -> list[int]:
    """Split a total into integers by largest remainder; ties go to the first.

    Args:
        total: The sum of the result.
        parts: The proportions; equal ones if all are 0.
    """
    sum_of_parts = sum(parts)
    if not sum_of_parts:
        return [total // len(parts) + (i < total % len(parts)) for i in range(len(parts))]
    shares = [total * part // sum_of_parts for part in parts]
    rest = sorted(range(len(parts)), key=lambda i: (shares[i] * sum_of_parts - total * parts[i], i))
    for i in rest[: total - sum(shares)]:
        shares[i] += 1
    return shares


class ComponentNumbers:
    """A component file whose numbers can be changed."""

    def __init__(self, components: Components):
        self.file, self.text = components
        self.json = self.file.endswith(".json")
        self.numbers = dict(_find_numbers(self._parse()))

    def _parse(self) -> Any:
        return json.loads(self.text) if self.json else tomlkit.parse(self.text)

    def parameters(self, apart: tuple[str, ...], together: tuple[str, ...]) -> list[Parameter]:
        """Return the parameters that paths name.

        Args:
            apart: Paths of which each matched place becomes a parameter of its own.
            together: Paths of which all matched places share one factor.

        A path may end in a range of factors, such as "=0.5..2"; the default is 0.5..1.5.

        Raises:
            InvalidParameterError: A path names no number, a number is named twice, a range is invalid, or there is no
                path.
        """
        parameters: dict[str, Parameter] = {}
        owners: dict[NumberPath, str] = {}
        for paths, is_joint in ((apart, False), (together, True)):
            for pattern in paths:
                path, low, high = _parse_range(pattern)
                places = self._find_places(path)
                groups = [tuple(places.values())] if is_joint else [(at,) for at in places.values()]
                for name, group in zip([path] if is_joint else list(places), groups, strict=True):
                    for at in (at for place in group for at in place):
                        if owners.setdefault(at, name) != name:
                            raise InvalidParameterError(
                                f"{'.'.join(map(str, at))} is named twice: by {owners[at]} and {name}"
                            )
                    parameters[name] = self._parameter(name, group, low, high)
        if not parameters:
            raise InvalidParameterError("no parameter is given: use --parameter or --together")
        return list(parameters.values())

    def _parameter(self, name: str, places: tuple[tuple[NumberPath, ...], ...], low: float, high: float) -> Parameter:
        if len(places) > 1:
            down, up = (round(f * FULL_SCALE_PERCENT / SCALE_STEP_PERCENT) * SCALE_STEP_PERCENT for f in (low, high))
            return Parameter(
                name, places, FULL_SCALE_PERCENT, min(down, FULL_SCALE_PERCENT), max(up, FULL_SCALE_PERCENT)
            )
        now = sum(self.numbers[at] for at in places[0])
        low, high = floor(now * low), ceil(now * high)
        return Parameter(name, places, now, int(low), int(high))

    def _find_places(self, path: str) -> dict[str, tuple[NumberPath, ...]]:
        """Return the places that a path matches, each with its numbers. Raises InvalidParameterError if there are
        none."""
        parts = path.split(".")
        groups: dict[str, list[NumberPath]] = {}
        for at in self.numbers:
            if len(at) >= len(parts) and all(fnmatchcase(str(a), p) for a, p in zip(at, parts, strict=False)):
                groups.setdefault(".".join(map(str, at[: len(parts)])), []).append(at)
        if not groups:
            raise InvalidParameterError(f"{path!r} matches no number in {self.file}; {self._suggest(parts)}")
        return {name: tuple(places) for name, places in groups.items()}

    def _suggest(self, parts: list[str]) -> str:
        """Return the names that exist below the longest part of a path that matches."""
        for n in range(len(parts) - 1, -1, -1):
            prefixes = dict.fromkeys(
                str(at[n])
                for at in self.numbers
                if len(at) > n and all(fnmatchcase(str(a), p) for a, p in zip(at, parts[:n], strict=False))
            )
            if prefixes:
                return f"{'.'.join(parts[:n]) or 'it'} has {', '.join(prefixes)}"
        return "it has no numbers"

    def changed_text(self, values: Mapping[NumberPath, int], note: str = "") -> str:
        """Return the file's text with other numbers.

        Args:
            values: The new numbers by path.
            note: Lines that precede the text as a comment (in JSON, as "provenance").
        """
        data = self._parse()
        for at, value in values.items():
            if value != self.numbers[at]:
                inner = data
                for part in at[:-1]:
                    inner = inner[part]
                inner[at[-1]] = value
        if self.json:
            return json.dumps(data | {"provenance": {"tuned": note}} if note else data, ensure_ascii=False, indent=1)
        lines = "".join(f"# {line}\n" for line in note.splitlines())
        return (f"{lines}\n" if lines else "") + tomlkit.dumps(data)


def _find_numbers(data: Any, at: NumberPath = ()) -> Iterator[tuple[NumberPath, int]]:
    """Yield the path and value of every integer of a file."""
    if isinstance(data, dict | list):
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _find_numbers(item, (*at, key if isinstance(key, int) else str(key)))
    elif isinstance(data, int) and not isinstance(data, bool):
        yield at, int(data)


def _parse_range(pattern: str) -> tuple[str, float, float]:
    path, _, bounds = pattern.partition("=")
    try:
        low, high = map(float, (bounds or "0.5..1.5").split(".."))
    except ValueError:
        raise InvalidParameterError(f"{pattern!r}: expected a range of factors after =, such as 0.5..1.5") from None
    if not 0 <= low <= 1 <= high:
        raise InvalidParameterError(f"{pattern!r}: the range {bounds} must include 1, the present value")
    return path.strip(), low, high

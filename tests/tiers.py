"""The two tiers of the tests. `make test` leaves out the cases that tests/slow.toml calls slow; `make test-all` runs
everything.

Each entry of tests/slow.toml is a slow test, with the measured seconds of all its cases together and how many of them
`make test` runs: none, or some evenly spaced ones. `tools/slow_tests.py` writes the file.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILE = HERE / "slow.toml"


def read() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the slow tests: `{file below tests: {test: {"seconds": 12.3, "cases": 5, "kept": 1}}}`."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def test_of(item: Any) -> tuple[str, str]:
    """Return the file below tests and the test's name, without the parameters of its case."""
    return item.path.relative_to(HERE).as_posix(), getattr(item, "originalname", None) or item.name


def evenly_spaced(count: int, size: int) -> set[int]:
    """Return `size` evenly spaced indices of the first `count`."""
    return {(2 * i + 1) * count // (2 * size) for i in range(size)} if size < count else set(range(count))


def slow_among(items: list[Any]) -> list[Any]:
    """Return the cases that `make test` leaves out. `items` must contain all cases of their tests."""
    table = read()
    cases = defaultdict(list)
    for item in items:
        if HERE in item.path.parents:
            file, test = test_of(item)
            if test in table.get(file, ()):
                cases[file, test].append(item)
    slow = []
    for (file, test), all_of_it in cases.items():
        kept = evenly_spaced(len(all_of_it), table[file][test]["kept"])
        slow += [item for i, item in enumerate(all_of_it) if i not in kept]
    return slow


def summary() -> str:
    """Return how many cases `make test` leaves out, and their time, for the end of pytest's output."""
    rows = [row for tests in read().values() for row in tests.values()]
    cases = sum(row["cases"] - row["kept"] for row in rows)
    seconds = sum(row["seconds"] * (row["cases"] - row["kept"]) / row["cases"] for row in rows)
    return f"{cases} slow cases of {len(rows)} tests, {seconds / 60:.0f} minutes of one process"

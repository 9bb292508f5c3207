"""A pytest plug-in (`-p courtly.testing.pytest_plugin`).

`--long` runs the full number of games and positions; `-m "not thorough"` leaves out tests that compile a game or play
much of it.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--long`."""
    parser.addoption("--long", action="store_true", help="run the full number of games and positions")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers `long` and `thorough`."""
    config.addinivalue_line("markers", "long: the full number of games or positions, run with --long")
    config.addinivalue_line("markers", "thorough: compiles games or plays many of them")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark thorough tests, and deselect long tests unless `--long` is given."""
    for item in items:
        if getattr(getattr(item, "function", None), "thorough", False):
            item.add_marker("thorough")
    if not config.getoption("--long"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Return whether to run the full number of games."""
    return bool(request.config.getoption("--long"))

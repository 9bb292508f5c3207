"""Opening the database: made when new, brought up to date when old, left untouched when damaged or from the future."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from functools import partial
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
VERSION_TABLE = "alembic_version"  # the table that says which form the others have
MIGRATION_LOCK_ID = 0x436F7572746C79  # the number of the lock that is held meanwhile
LOCK_TIMEOUT_MS = 1000  # ms in which everybody may wait until the tables can be changed
LOCK_RETRY_DELAY_S = 5.0  # seconds until that is tried again
LOCK_NOT_AVAILABLE = "55P03"  # PostgreSQL's name for it
# what an address may say otherwise; see "Database Connection Control Functions" of libpq
POSTGRESQL_OPTIONS: dict[str, Any] = {
    "connect_timeout": 4,
    # the other side, too, has to notice when this one is out of reach, or it would hold connections for hours
    "options": f"-c statement_timeout={STATEMENT_TIMEOUT_S}s -c idle_in_transaction_session_timeout="
    f"{IDLE_TRANSACTION_TIMEOUT_S}s "
    f"-c tcp_keepalives_idle={STATEMENT_TIMEOUT_S}s -c tcp_keepalives_interval=3s -c tcp_keepalives_count=3 "
    f"-c tcp_user_timeout={STATEMENT_TIMEOUT_S}s",
    "tcp_user_timeout": 1000 * STATEMENT_TIMEOUT_S,  # ms until what nobody acknowledges counts as lost
    "keepalives_idle": STATEMENT_TIMEOUT_S,
    "keepalives_interval": STATEMENT_TIMEOUT_S // 3,
    "keepalives_count": 3,
    "application_name": "courtly",
}
UNREADABLE_ERROR_CODES = {  # SQLite's codes that tell nothing of what is in the file
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
# of SQLite's write-ahead log, see "WAL-mode File Format" of its documentation
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
LOG_HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
REVISIONS = sorted(f.stem for f in (MIGRATIONS / "versions").glob("[0-9]*.py"))  # a revision's id is its file's name


log = logging.getLogger("courtly.server")


class _FileStamps(NamedTuple):
    """When the database file and the write-ahead log were last written to, and how long the log is."""

    file_ns: int
    log_ns: int
    log_bytes: int


class DatabaseUnusableError(CourtlyError):
    """The database cannot be used; says why. It was not changed."""


def open_database(url: str, pooled: bool = False) -> Engine:
    """An engine whose database has the newest schema; `pooled`: each transaction may be another session. Unusable if it
    is damaged, not ours, or made by a newer version."""
    engine = _make_engine(url, pooled=pooled)
    try:
        found = _schema_revision(url, engine)
        _require_known_schema(url, found)
        if found != REVISIONS[-1]:
            while not _migrate_or_create(engine):
                time.sleep(LOCK_RETRY_DELAY_S)
        engine.connect().close()  # there is somebody who may write
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
    """The address of a SQLite file, whatever signs are in its name. Raises Unusable if its name is not UTF-8."""
    if not is_utf8(file):
        raise DatabaseUnusableError(f"{shown_path(file)}: the name is not UTF-8, choose another")
    return str(URL.create("sqlite", database=str(file)))


def open_read_only(url: str) -> Engine:
    """An engine that reads a house while it is played in: each transaction sees what was there when it began, and
    changes nothing. Unusable if there is no house of this version's form."""
    file = make_url(url).database or ""
    if url.startswith("sqlite"):
        address = Path(file).absolute().as_uri()
        url = str(URL.create("sqlite", database=address, query={"mode": "ro", "uri": "true"}))
    if url.startswith("sqlite") and not os.path.exists(file):
        raise DatabaseUnusableError(f"{file} is not there, or its folder cannot be read")
    engine = _make_engine(url, reading=True)
    try:
        found = sqlite_schema_revision(Path(file)) if url.startswith("sqlite") else _schema_revision(url, engine)
        _require_known_schema(url, found)
        if found != REVISIONS[-1]:
            raise DatabaseUnusableError(
                f"The house has the form {found or 'of nothing yet'}, and this version reads {REVISIONS[-1]}: "
                "`courtly serve` brings it up to date"
            )
    except DatabaseError as error:
        engine.dispose()
        raise DatabaseUnusableError(f"{_shown_address(url)} cannot be used: {database_reason(error)}") from None
    except DatabaseUnusableError:
        engine.dispose()
        raise
    return engine


def _require_known_schema(url: str, revision: str | None) -> None:
    if revision is not None and revision < REVISIONS[0]:
        raise DatabaseUnusableError(
            f"{_shown_address(url)} was made by a version before the first release (its form is {revision}): "
            "tools/move_0016.py gives it the form that this version reads. Nothing was changed."
        )
    if revision not in (None, *REVISIONS):
        raise DatabaseUnusableError(
            f"{_shown_address(url)} was made by a newer version (its form is {revision}; this version knows "
            f"{REVISIONS[-1]}). Nothing was changed."
        )


def _shown_address(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


class ChangedFileError(CourtlyError, sqlite3.OperationalError):
    """The files of the database are not what they were. The message holds nothing that was stored."""

    sqlite_errorcode = sqlite3.SQLITE_IOERR


class WatchedConnection(sqlite3.Connection):
    """A connection that commits nothing to files that are not what they were. SQLite itself would not notice: a file
    that is deleted or replaced stays open, of one that is overwritten pages are cached, and a write-ahead log that was
    cut is written on behind a hole, where no later process finds it."""

    def __init__(self, *given: Any, file: Path, **more: Any):
        super().__init__(*given, **more)
        self.file = file
        self._waiting = file.with_name(file.name + "-wal")
        self._index = file.with_name(file.name + "-shm")
        self._opened: list[tuple[int, int]] = []
        self._seen = _FileStamps(0, 0, 0)  # as far as that was well
        self._spoilt: str | None = None

    def watch(self) -> None:
        """From now on: once there is all that there will be."""
        self.execute("BEGIN IMMEDIATE")  # makes the file of what waits
        self.execute("COMMIT")
        self._opened, self._seen = self._files()

    def commit(self) -> None:
        if self._opened:
            self._check()
        super().commit()
        if self._opened:
            self._seen = self._check_there()

    def _files(self) -> tuple[list[tuple[int, int]], _FileStamps]:
        """Return the device and inode of each file, and what was last written to them."""
        found = [os.stat(self.file), os.stat(self._waiting), os.stat(self._index)]
        written = _FileStamps(found[0].st_mtime_ns, found[1].st_mtime_ns, found[1].st_size)
        return [(file.st_dev, file.st_ino) for file in found], written

    def _check_there(self) -> _FileStamps:
        """Return what was last written. Raises OperationalError if a file is missing or another."""
        try:
            there, written = self._files()
        except OSError:
            there, written = [], self._seen
        if there != self._opened:
            raise ChangedFileError("the file was deleted or replaced")
        return written

    def _check(self) -> None:
        """Before anything is kept. Others may write here too, as SQLite does: then all is well."""
        written = self._check_there()
        if written != self._seen:
            try:
                if written.file_ns != self._seen.file_ns and sqlite_schema_revision(self.file) is None:
                    raise DatabaseUnusableError(f"{self.file} is empty.")
                _check_log(self.file, self._waiting, written.log_bytes)
                self._spoilt = None
                self._seen = written
            except (DatabaseUnusableError, sqlite3.Error, OSError) as why:
                self._spoilt = str(why)
        if self._spoilt:
            raise ChangedFileError(self._spoilt)


def _check_log(file: Path, log: Path, log_bytes: int) -> None:
    """Raise Unusable if the write-ahead log has lost frames that SQLite counts on, or its beginning."""
    connection = sqlite3.connect(file)
    try:
        page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
        _busy, frames, _copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    finally:
        connection.close()
    if frames > 0 and log_bytes < LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + page_bytes):
        raise DatabaseUnusableError(f"{log} was cut: {frames} pages are expected there, and it has {log_bytes} bytes.")
    with open(log, "rb") as opened:
        begins = opened.read(len(LOG_MAGIC[0]))
    if begins and begins not in LOG_MAGIC:
        raise DatabaseUnusableError(f"{log} was overwritten.")


def _make_engine(url: str, reading: bool = False, pooled: bool = False) -> Engine:
    asked, file = make_url(url), None if reading else _sqlite_file(url)
    usual = POSTGRESQL_OPTIONS if asked.get_backend_name() == "postgresql" else {}
    if pooled:  # what a session would keep
        usual = {name: value for name, value in usual.items() if name != "options"} | {"prepare_threshold": None}
    given: dict[str, Any] = {name: value for name, value in usual.items() if name not in asked.query}
    if file:
        given["factory"] = partial(WatchedConnection, file=file)
    # what it complains of must not tell what was stored
    engine = create_engine(asked, hide_parameters=True, connect_args=given)
    if engine.driver == "psycopg" and not (reading or "options" in asked.query):  # which may say how long it takes

        @event.listens_for(engine, "do_connect")
        def connect(_dialect: Any, _record: Any, given: list[Any], named: dict[str, Any]) -> Any:
            from courtly.server.persistence.postgres_deadlines import DeadlineConnection

            return DeadlineConnection.connect(*given, **named)

    if engine.dialect.name == "sqlite":
        keeping = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, _record: Any) -> None:
            connection.isolation_level = None  # SQLAlchemy says when a transaction begins, not the driver
            connection.text_factory = _text
            for pragma in (f"busy_timeout={500 * STATEMENT_TIMEOUT_S}", *(() if reading else keeping)):
                connection.execute(f"PRAGMA {pragma}")
            if isinstance(connection, WatchedConnection):
                connection.watch()

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    elif reading:

        @event.listens_for(engine, "begin")
        def begin_reading(connection: Connection) -> None:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
                connection.exec_driver_sql(f"SET LOCAL {limit} = 0")  # a large house takes its time

    return engine


def _text(stored: bytes) -> str | bytes:
    """Return what a text of SQLite says; where it is no UTF-8, the bytes, which only its own row is damaged by."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def _sqlite_file(url: str) -> Path | None:
    """Where SQLite keeps it; None if it is kept elsewhere."""
    made = make_url(url)
    ours = made.get_backend_name() == "sqlite" and made.database and made.database != ":memory:"
    return Path(str(made.database)) if ours else None


def _schema_revision(url: str, engine: Engine) -> str | None:
    """The revision of the schema that is there; None if nothing is."""
    if file := _sqlite_file(url):
        return sqlite_schema_revision(file)
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        if not names:
            return None
        if VERSION_TABLE not in names:
            raise DatabaseUnusableError(
                f"{_shown_address(url)} holds the tables of something else. Nothing was changed."
            )
        return str(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar())


def sqlite_schema_revision(file: Path) -> str | None:
    """As `_schema_revision`, for a SQLite file: read without changing a byte of it, and checked through."""
    waiting = file.with_name(file.name + "-wal")
    try:
        if not file.exists() or file.stat().st_size == 0:
            return None
        how = "mode=ro" if waiting.exists() and waiting.stat().st_size else "immutable=1"
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True)
        try:
            problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise DatabaseUnusableError(f"{file} is damaged: {' '.join(problem.split())}. Nothing was changed.")
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if not names:
                return None
            if VERSION_TABLE not in names:
                raise DatabaseUnusableError(f"{file} is the database of something else. Nothing was changed.")
            return str(connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()[0])
        finally:
            connection.close()
    except OSError as error:
        raise DatabaseUnusableError(f"{file} cannot be read: {error.strerror}. Nothing was changed.") from None
    except sqlite3.Error as error:
        what = (
            "cannot be read" if getattr(error, "sqlite_errorcode", 0) & 0xFF in UNREADABLE_ERROR_CODES else "is damaged"
        )
        raise DatabaseUnusableError(f"{file} {what}: {driver_reason(error)}. Nothing was changed.") from None
    except TypeError:
        raise DatabaseUnusableError(f"{file} is damaged: {VERSION_TABLE} is empty. Nothing was changed.") from None


def _migrate_or_create(engine: Engine) -> bool:
    """Make the tables, or bring them up to date. False where somebody reads one of them for long: who waits for that,
    to change it, has all wait behind who want to write there."""
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
        log.warning("the database is brought up to date as soon as nobody reads it for long, as a backup does")
        return False
    return True


def _migration_lock(connection: Connection) -> None:
    """Of several that start at once one makes the tables, or brings them up to date: the others wait until this
    transaction ends. With SQLite they wait where a transaction begins."""
    if connection.dialect.name == "postgresql":
        connection.detach()  # nobody else gets it: it has no limits from now on
        alone = connection.connection.dbapi_connection
        assert alone is not None
        alone.limit = None
        connection.execute(text("SET LOCAL statement_timeout = 0"))  # a large house takes its time
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK_ID})
        connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}"))


def _create_schema(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(text(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text(f"INSERT INTO {VERSION_TABLE} VALUES (:revision)"), {"revision": REVISIONS[-1]})


def _migrate_schema(connection: Connection) -> None:
    """Up to date, if another has not been quicker. Alembic is slow to import and hardly ever needed: here alone."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

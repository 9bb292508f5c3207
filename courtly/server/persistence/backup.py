"""Backup of a whole database to one file, and restoring it.

The file is a SQLite database with Courtly's schema, whatever database the server uses. `courtly doctor` can check it, a
server can use it directly, and it moves data between SQLite and PostgreSQL.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence.engine import (
    DatabaseUnusableError,
    open_database,
    open_read_only,
    sqlite_address,
    sqlite_schema_revision,
)
from courtly.server.persistence.schema import CLOCK_PAUSES, TABLES, metadata
from courtly.server.settings import shown_path

CHUNK_ROWS = 5000  # rows copied at once
COPIED_TABLES = [table for table in metadata.sorted_tables if table.info.get("copied", True)]

Progress = Callable[[str, int], None]  # called with the name of each copied database table and its number of rows


def backup(url: str, file: Path, report_progress: Progress = lambda name, rows: None) -> None:
    """Write a consistent snapshot of a database to a new file, while the server runs.

    Raises:
        FileExistsError: The file exists.
        OSError: The file cannot be written.
        DatabaseUnusableError: The database cannot be read.

    After an error, no file is left.
    """
    if file.exists():
        raise FileExistsError(f"{file} exists already")
    part = file.with_name(file.name + ".part")
    with _errors_name_file(part, file):
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it contains the key that signs cookies
        try:
            source = open_read_only(url)
            target = open_database(sqlite_address(part))
            try:
                with source.begin() as source_connection, target.begin() as target_connection:
                    _copy_rows(source_connection, target_connection, report_progress)
                with target.connect() as target_connection:
                    raw_connection = target_connection.connection.dbapi_connection
                    assert raw_connection is not None
                    raw_connection.execute("PRAGMA journal_mode = DELETE")  # so that no second file is needed
            finally:
                source.dispose()
                target.dispose()
            _fsync(part)
            part.rename(file)
            _fsync(file.absolute().parent)
        except SQLAlchemyError as error:
            raise DatabaseUnusableError(f"the database cannot be copied: {database_reason(error)}") from None
        finally:
            for leftover in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
                leftover.unlink(missing_ok=True)


def restore(url: str, file: Path, report_progress: Progress = lambda name, rows: None) -> None:
    """Restore a backup into an empty database. A backup with an older schema is migrated first.

    Raises:
        OSError: The file cannot be read.
        DatabaseUnusableError: The database is not empty, or it or the file cannot be used.

    After an error, the database is unchanged.
    """
    with TemporaryDirectory(prefix="courtly-") as folder:
        copy = Path(shutil.copyfile(file, Path(folder) / "courtly.db"))
        with _errors_name_file(copy, file):
            if sqlite_schema_revision(copy) is None:
                raise DatabaseUnusableError(f"{copy} is not a backup: it has no tables")
            source = open_database(sqlite_address(copy))
        try:
            target = open_database(url)
            try:
                with source.begin() as source_connection, target.begin() as target_connection:
                    _require_empty(target_connection)
                    _copy_rows(source_connection, target_connection, report_progress)
                    _advance_sequences(target_connection)
            finally:
                target.dispose()
        except SQLAlchemyError as error:
            raise DatabaseUnusableError(
                f"the backup cannot be restored: {database_reason(error)}. Nothing was changed."
            ) from None
        finally:
            source.dispose()


@contextmanager
def _errors_name_file(copy: Path, file: Path) -> Iterator[None]:
    """Replace the name of a copy by the name of the original file in the messages of exceptions."""
    try:
        yield
    except DatabaseUnusableError as error:
        raise DatabaseUnusableError(str(error).replace(shown_path(copy), shown_path(file))) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, file if error.filename == str(copy) else error.filename) from None


def _copy_rows(source: Connection, target: Connection, report_progress: Progress) -> None:
    """Copy the rows of all database tables."""
    for table in COPIED_TABLES:
        count = 0
        result = source.execution_options(yield_per=CHUNK_ROWS).execute(select(table))
        for rows in result.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in rows])
            count += len(rows)
        report_progress(table.name, count)


def _require_empty(target: Connection) -> None:
    """Raise DatabaseUnusableError if a database table has rows."""
    if any(target.execute(select(table).limit(1)).first() for table in COPIED_TABLES):
        tables = target.execute(select(func.count()).select_from(TABLES)).scalar()
        raise DatabaseUnusableError(
            f"the database is not empty: it has {tables} tables; name an empty one. Nothing was changed."
        )


def _advance_sequences(target: Connection) -> None:
    """Let PostgreSQL's sequences continue after the copied rows."""
    if target.dialect.name == "postgresql":
        last = select(func.max(CLOCK_PAUSES.c.id)).scalar_subquery()
        target.execute(
            select(func.setval(func.pg_get_serial_sequence(CLOCK_PAUSES.name, "id"), func.coalesce(last, 1)))
        )


def _fsync(path: Path) -> None:
    """Flush a file or folder to disk, so that it survives a crash of the machine. Windows cannot flush folders."""
    if sys.platform == "win32" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)  # Windows flushes only what may be written
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

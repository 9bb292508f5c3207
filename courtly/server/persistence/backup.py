"""A copy of a whole house in one file, and a house made from it.

The file is a SQLite database in Courtly's own form, whatever the house is kept in: so it is checked by `courtly
doctor`, played on as it is, and leads from SQLite to PostgreSQL or back."""

from __future__ import annotations

import os
import shutil
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

CHUNK_ROWS = 5000  # rows on their way at once
COPIED_TABLES = [table for table in metadata.sorted_tables if table.info.get("copied", True)]

Progress = Callable[[str, int], None]  # the name of a table of the database, and how many rows it has


def backup(url: str, file: Path, tell: Progress = lambda name, rows: None) -> None:
    """Write all that a house has at this moment to a new file, while it is played in.

    FileExistsError if there is one, another OSError where it cannot be written, Unusable if the house cannot be read.
    Then no file is left.
    """
    if file.exists():
        raise FileExistsError(f"{file} is there already")
    part = file.with_name(file.name + ".part")
    with _errors_name_file(part, file):
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it holds what signs everybody's cookies
        try:
            source = open_read_only(url)
            target = open_database(sqlite_address(part))
            try:
                with source.begin() as here, target.begin() as there:
                    _copy_rows(here, there, tell)
                with target.connect() as there:
                    alone = there.connection.dbapi_connection
                    assert alone is not None
                    alone.execute("PRAGMA journal_mode = DELETE")  # all of it in this file
            finally:
                source.dispose()
                target.dispose()
            _fsync(part)
            part.rename(file)
            _fsync(file.absolute().parent)
        except SQLAlchemyError as error:
            raise DatabaseUnusableError(f"the house cannot be copied: {database_reason(error)}") from None
        finally:
            for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
                left.unlink(missing_ok=True)


def restore(url: str, file: Path, tell: Progress = lambda name, rows: None) -> None:
    """Make a house as it was when `file` was written; an older form is brought up to date on the way.

    OSError if the file cannot be read, Unusable if there is a house already or either cannot be used: then nothing
    was changed.
    """
    with TemporaryDirectory(prefix="courtly-") as folder:
        copy = Path(shutil.copyfile(file, Path(folder) / "courtly.db"))
        with _errors_name_file(copy, file):
            if sqlite_schema_revision(copy) is None:
                raise DatabaseUnusableError(f"{copy} holds no house")
            source = open_database(sqlite_address(copy))
        try:
            target = open_database(url)
            try:
                with source.begin() as here, target.begin() as there:
                    _require_empty(there)
                    _copy_rows(here, there, tell)
                    _advance_sequences(there)
            finally:
                target.dispose()
        except SQLAlchemyError as error:
            raise DatabaseUnusableError(
                f"the house cannot be made: {database_reason(error)}. Nothing was changed."
            ) from None
        finally:
            source.dispose()


@contextmanager
def _errors_name_file(copy: Path, file: Path) -> Iterator[None]:
    """Let errors that speak of a copy name the file that it is a copy of."""
    try:
        yield
    except DatabaseUnusableError as wrong:
        raise DatabaseUnusableError(str(wrong).replace(shown_path(copy), shown_path(file))) from None
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, file if wrong.filename == str(copy) else wrong.filename) from None


def _copy_rows(here: Connection, there: Connection, tell: Progress) -> None:
    """All rows, as they are in this one transaction."""
    for table in COPIED_TABLES:
        count = 0
        found = here.execution_options(yield_per=CHUNK_ROWS).execute(select(table))
        for rows in found.mappings().partitions():
            there.execute(insert(table), [dict(row) for row in rows])
            count += len(rows)
        tell(table.name, count)


def _require_empty(there: Connection) -> None:
    if any(there.execute(select(table).limit(1)).first() for table in COPIED_TABLES):
        tables = there.execute(select(func.count()).select_from(TABLES)).scalar()
        raise DatabaseUnusableError(
            f"There is a house already, with {tables} tables: name a new database. Nothing was changed."
        )


def _advance_sequences(there: Connection) -> None:
    """PostgreSQL numbers new rows itself, and has not seen these."""
    if there.dialect.name == "postgresql":
        last = select(func.max(CLOCK_PAUSES.c.id)).scalar_subquery()
        there.execute(select(func.setval(func.pg_get_serial_sequence(CLOCK_PAUSES.name, "id"), func.coalesce(last, 1))))


def _fsync(path: Path) -> None:
    """Whatever happens to the machine from now on."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

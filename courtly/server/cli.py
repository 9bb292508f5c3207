"""The commands `courtly backup`, `restore` and `doctor` for the server's operator.

Each command imports its modules itself, so that `courtly` starts fast.
"""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path

import click

from courtly.cli_common import fail, json_option, say

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Data folder, as for `courtly serve`; ignored if COURTLY_DATABASE is set.",
)


def _database_address(data: Path | None) -> str:
    """Return the address of the database that `courtly serve` would open."""
    from courtly.server.process.serve import default_data
    from courtly.server.settings import Settings

    try:
        settings = Settings.from_environment(data or default_data())
        if data and settings.database:
            say("--data is ignored because COURTLY_DATABASE is set", err=True)
        return settings.database_direct or settings.database_url
    except ValueError as error:
        fail(str(error))


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Write the whole database to a new FILE while the server runs. A copy of courtly.db alone is not enough: SQLite
    keeps the newest moves in another file.

    FILE contains the key that signs all cookies, and the secrets of games. Protect it like the database.
    """
    from courtly.server.persistence.backup import backup as write
    from courtly.server.persistence.engine import DatabaseUnusableError

    rows: dict[str, int] = {}
    try:
        write(_database_address(data), file, rows.__setitem__)
    except DatabaseUnusableError as error:
        fail(str(error))
    say(f"{file}: {rows['game_table']} tables, {rows['journal']} moves and events, {file.stat().st_size / 1e6:.1f} MB")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def restore(file: Path, data: Path | None) -> None:
    """Restore FILE, written by `courtly backup`, into a new folder or an empty database."""
    from sqlalchemy import make_url

    from courtly.server.persistence.backup import restore as read
    from courtly.server.persistence.engine import DatabaseUnusableError

    rows: dict[str, int] = {}
    url = _database_address(data)
    try:
        if url.startswith("sqlite:///"):
            Path(make_url(url).database or "").parent.mkdir(parents=True, exist_ok=True)
        read(url, file, rows.__setitem__)
    except DatabaseUnusableError as error:
        fail(str(error))
    say(f"{rows['game_table']} tables, {rows['journal']} moves and events restored; check them with `courtly doctor`")


@click.command()
@data_option
@json_option
def doctor(data: Path | None, as_json: bool) -> None:
    """Replay every stored game by its rules, and print one line for each damaged row. Nothing is changed.

    The exit code is 1 if anything is damaged.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from courtly.server.observability.log_setup import database_reason
    from courtly.server.persistence import integrity_check
    from courtly.server.persistence.engine import DatabaseUnusableError, open_read_only
    from courtly.server.persistence.integrity_check import IntegrityFinding

    findings: list[IntegrityFinding] = []
    try:
        engine = open_read_only(_database_address(data))
        with engine.begin() as connection:
            tables = integrity_check.all_table_ids(connection)
            shown_findings = (
                click.progressbar(tables, label="tables", file=sys.stderr)
                if sys.stderr.isatty()
                else nullcontext(tables)
            )
            with shown_findings as table_ids:
                findings += [
                    finding for table in table_ids if (finding := integrity_check.check_table(connection, table))
                ]
            findings += integrity_check.examine_rest(connection)
        engine.dispose()
    except DatabaseUnusableError as error:
        fail(str(error))
    except SQLAlchemyError as error:
        fail(f"the database cannot be read: {database_reason(error)}")
    harmed_tables = sum(finding.harm for finding in findings if finding.table)
    if as_json:
        say(json.dumps({"tables": len(tables), "damaged": harmed_tables, "findings": [f._asdict() for f in findings]}))
    else:
        for finding in findings:
            say(finding.line())
        say(f"{len(tables)} tables, {harmed_tables or 'none'} damaged")
    sys.exit(1 if any(finding.harm for finding in findings) else 0)

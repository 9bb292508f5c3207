"""`courtly backup`, `restore` and `doctor`: for those who keep a house. Each imports what it needs itself."""

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
    help="Folder of tables and games, as for serve; COURTLY_DATABASE comes first.",
)


def _database_address(data: Path | None) -> str:
    """Of the database that `courtly serve` would open."""
    from courtly.server.process.serve import default_data
    from courtly.server.settings import Settings

    try:
        settings = Settings.from_environment(data or default_data())
        if data and settings.database:
            say("COURTLY_DATABASE says where the house is, so --data does not", err=True)
        return settings.database_direct or settings.database_url
    except ValueError as wrong:
        fail(str(wrong))


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Write the whole house to a new FILE, while it is played in. To copy courtly.db alone is not enough: the newest
    moves lie beside it.

    FILE holds what signs everybody's cookies and what is hidden in games: keep it as you keep the house.
    """
    from courtly.server.persistence.backup import backup as write
    from courtly.server.persistence.engine import DatabaseUnusableError

    rows: dict[str, int] = {}
    try:
        write(_database_address(data), file, rows.__setitem__)
    except DatabaseUnusableError as wrong:
        fail(str(wrong))
    say(f"{file}: {rows['game_table']} tables, {rows['journal']} moves and events, {file.stat().st_size / 1e6:.1f} MB")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def restore(file: Path, data: Path | None) -> None:
    """Make a house as it was when FILE was written by `courtly backup`, in a new folder or an empty database."""
    from sqlalchemy import make_url

    from courtly.server.persistence.backup import restore as read
    from courtly.server.persistence.engine import DatabaseUnusableError

    rows: dict[str, int] = {}
    url = _database_address(data)
    try:
        if url.startswith("sqlite:///"):
            Path(make_url(url).database or "").parent.mkdir(parents=True, exist_ok=True)
        read(url, file, rows.__setitem__)
    except DatabaseUnusableError as wrong:
        fail(str(wrong))
    say(f"{rows['game_table']} tables, {rows['journal']} moves and events: `courtly doctor` looks through them")


@click.command()
@data_option
@json_option
def doctor(data: Path | None, as_json: bool) -> None:
    """Replay every game of the house by the rules, and tell what is damaged, in a line each. Nothing is changed.

    The exit code is 1 if anything is.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from courtly.server.observability.log_setup import database_reason
    from courtly.server.persistence import integrity_check as application
    from courtly.server.persistence.engine import DatabaseUnusableError, open_read_only
    from courtly.server.persistence.integrity_check import IntegrityFinding

    found: list[IntegrityFinding] = []
    try:
        engine = open_read_only(_database_address(data))
        with engine.begin() as connection:
            tables = application.all_table_ids(connection)
            shown = (
                click.progressbar(tables, label="tables", file=sys.stderr)
                if sys.stderr.isatty()
                else nullcontext(tables)
            )
            with shown as each:
                found += [wrong for table in each if (wrong := application.check_table(connection, table))]
            found += application.examine_rest(connection)
        engine.dispose()
    except DatabaseUnusableError as wrong:
        fail(str(wrong))
    except SQLAlchemyError as wrong:
        fail(f"the house cannot be read: {database_reason(wrong)}")
    harmed = sum(finding.harm for finding in found if finding.table)
    if as_json:
        say(json.dumps({"tables": len(tables), "damaged": harmed, "found": [f._asdict() for f in found]}))
    else:
        for finding in found:
            say(finding.line())
        say(f"{len(tables)} tables, {harmed or 'none'} damaged")
    sys.exit(1 if any(finding.harm for finding in found) else 0)

"""The checks of `courtly doctor`: whether every stored game follows its rules and can be continued."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, select

from courtly.engine.game import UnknownGameError, find_game
from courtly.engine.match import JournalCorruptedError, Match
from courtly.server.persistence import repository
from courtly.server.persistence.player_history import results_of
from courtly.server.persistence.repository import SeatResult, TableRow
from courtly.server.persistence.schema import RESULTS, TABLES


class IntegrityFinding(NamedTuple):
    """A problem in the database.

    Attributes:
        table: The id of the table; empty: the problem concerns no table.
        ply: The place of the affected entry in the journal, if there is one.
        problem: The description.
        harm: False if nothing is damaged, but a finished game cannot be checked here.
    """

    table: str
    game: str
    ply: int | None
    problem: str
    harm: bool = True

    def line(self) -> str:
        """Return the problem as one line of text."""
        where = f", ply {self.ply}" if self.ply is not None else ""
        return f"table {self.table} ({self.game}{where}): {self.problem}" if self.table else self.problem


def all_table_ids(connection: Connection) -> list[str]:
    """Return the ids of all tables, the oldest first."""
    return list(connection.execute(select(TABLES.c.id).order_by(TABLES.c.created_at, TABLES.c.id)).scalars())


def examine_rest(connection: Connection) -> list[IntegrityFinding]:
    """Return the problems of rows that belong to no table."""
    return [IntegrityFinding("", "", None, problem) for problem in repository.list_damaged_rows(connection, None)]


def check_table(connection: Connection, table: str) -> IntegrityFinding | None:
    """Return the first problem of a table, or None."""
    game = str(connection.execute(select(TABLES.c.game).where(TABLES.c.id == table)).scalar())
    try:
        return _check_table(connection, table)
    except repository.DamagedRowError as damaged:
        return IntegrityFinding(table, game, None, damaged.problem)
    except Exception as error:  # unexpected values, or rules that fail
        return IntegrityFinding(table, game, None, f"the table cannot be read: {type(error).__name__}")


def _check_table(connection: Connection, table: str) -> IntegrityFinding | None:
    stored_table = repository.load_table(connection, table)
    if stored_table is None:
        return IntegrityFinding(table, "?", None, "the table has no seats")
    row, seats, entries, _ = stored_table

    def finding(problem: str, ply: int | None = None, harm: bool = True) -> IntegrityFinding:
        return IntegrityFinding(table, row.game, ply, problem, harm)

    if damaged_rows := repository.list_damaged_rows(connection, table):
        return finding(damaged_rows[0])
    if row.started_at is None:
        return finding("the game has not started, but its journal has entries") if entries else None
    missing = next((ply for ply, entry in enumerate(entries) if entry.ply != ply), None)
    if missing is not None:
        return finding("this entry is missing", missing)
    if (acknowledged_count := repository.acknowledged_length(connection, table)) > len(entries):
        return finding(f"entries are missing: {acknowledged_count} acknowledged, {len(entries)} found", len(entries))
    try:
        rules = find_game(row.game)
    except UnknownGameError:
        return finding("the game is not installed", harm=row.ended_at is None)
    if rules.version != row.version:
        problem = f"the game started with version {row.version} of its rules, and version {rules.version} is installed"
        return finding(problem, harm=row.ended_at is None)
    try:
        match = Match.replay(rules, row.players, row.options, repository.source_of(row, seats), entries)
    except JournalCorruptedError as error:
        return finding(error.reason, error.ply)
    if match.chance:
        return finding("the journal ends in the middle of random events", len(entries))
    return _compare_with_journal(connection, row, match, finding)


def _compare_with_journal(
    connection: Connection, row: TableRow, match: Match, finding: Callable[..., IntegrityFinding]
) -> IntegrityFinding | None:
    """Return the first difference between a table's row or results and its journal, or None."""
    if match.over and row.ended_at is None:
        return finding("the journal ends the game, but the table is not marked as over")
    if not match.over and row.ended_at is not None:
        return finding("the table is marked as over, but the journal does not end the game", len(match.entries))
    r = RESULTS.c
    query = select(r.seat, r.place, r.points).where(r.table_id == row.id).order_by(r.seat)
    stored_results = [SeatResult(*result_row) for result_row in connection.execute(query)]
    if stored_results and stored_results != results_of(match):
        return finding("the stored results differ from those of the journal")
    return None

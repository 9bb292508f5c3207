"""What `courtly doctor` asks of a house: is every game what its journal says by the rules, and can it be played on?"""

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
    """What is wrong with a table, and with which entry of its journal, if with one. `table` "": with what belongs to
    none. `harm` False: it is over, and cannot be looked into here."""

    table: str
    game: str
    ply: int | None
    what: str
    harm: bool = True

    def line(self) -> str:
        where = f", ply {self.ply}" if self.ply is not None else ""
        return f"table {self.table} ({self.game}{where}): {self.what}" if self.table else self.what


def all_table_ids(connection: Connection) -> list[str]:
    """The ids of all tables, the oldest first."""
    return list(connection.execute(select(TABLES.c.id).order_by(TABLES.c.created_at, TABLES.c.id)).scalars())


def examine_rest(connection: Connection) -> list[IntegrityFinding]:
    """What is wrong with what belongs to no table."""
    return [IntegrityFinding("", "", None, what) for what in repository.damaged_beside(connection, None)]


def check_table(connection: Connection, table: str) -> IntegrityFinding | None:
    """The first thing that is wrong with a table; None: nothing is."""
    game = str(connection.execute(select(TABLES.c.game).where(TABLES.c.id == table)).scalar())
    try:
        return _check_table(connection, table)
    except repository.DamagedRowError as damaged:
        return IntegrityFinding(table, game, None, damaged.what)
    except Exception as wrong:  # a row that is no row of ours, or rules that fail
        return IntegrityFinding(table, game, None, f"it cannot be read: {type(wrong).__name__}")


def _check_table(connection: Connection, table: str) -> IntegrityFinding | None:
    found = repository.load_table(connection, table)
    if found is None:
        return IntegrityFinding(table, "?", None, "it has no seats")
    row, seats, entries, _ = found

    def finding(what: str, ply: int | None = None, harm: bool = True) -> IntegrityFinding:
        return IntegrityFinding(table, row.game, ply, what, harm)

    if beside := repository.damaged_beside(connection, table):
        return finding(beside[0])
    if row.started_at is None:
        return finding("it has not begun, and has a journal") if entries else None
    missing = next((ply for ply, entry in enumerate(entries) if entry.ply != ply), None)
    if missing is not None:
        return finding("this entry is missing", missing)
    if (acknowledged := repository.acknowledged_length(connection, table)) > len(entries):
        return finding(f"entries are missing: {acknowledged} were acknowledged", len(entries))
    try:
        rules = find_game(row.game)
    except UnknownGameError:
        return finding("this game is not installed", harm=row.ended_at is None)
    if rules.version != row.version:
        said = f"it was begun under version {row.version} of the rules, and {rules.version} is installed"
        return finding(said, harm=row.ended_at is None)
    try:
        match = Match.replay(rules, row.players, row.options, repository.source_of(row, seats), entries)
    except JournalCorruptedError as wrong:
        return finding(wrong.why, wrong.ply)
    if match.chance:
        return finding("the journal ends in the middle of random events", len(entries))
    return _compare_with_journal(connection, row, match, finding)


def _compare_with_journal(
    connection: Connection, row: TableRow, match: Match, finding: Callable[..., IntegrityFinding]
) -> IntegrityFinding | None:
    """What is kept beside the journal with what it says."""
    if match.over and row.ended_at is None:
        return finding("the game is over, and the table does not say so")
    if not match.over and row.ended_at is not None:
        return finding("the game is not over, and the table says so", len(match.entries))
    r = RESULTS.c
    wanted = select(r.seat, r.place, r.points).where(r.table_id == row.id).order_by(r.seat)
    kept = [SeatResult(*found) for found in connection.execute(wanted)]
    if kept and kept != results_of(match):
        return finding("its result is not what was played")
    return None

"""Results of finished games, and the history, links, export and deletion of one guest."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, case, delete, exists, func, insert, or_, select, update

from courtly.engine.match import Match
from courtly.server.persistence import repository
from courtly.server.persistence.repository import SeatResult, TableRow
from courtly.server.persistence.schema import (
    CHAT_MESSAGES,
    DELETIONS,
    GUESTS,
    IDEMPOTENCY_KEYS,
    JOURNAL,
    NOTIFICATION_SETTINGS,
    PENDING_NOTIFICATIONS,
    RESULTS,
    SEATS,
    TABLES,
)
from courtly.session import schemas
from courtly.session.seat import Seat

# Keys of a table in an export, and the fields of its row.
EXPORTED_TABLE_FIELDS = {
    "game": "game",
    "version": "version",
    "created_at": "created_at",
    "started_at": "started_at",
    "ended_at": "ended_at",
}
MAX_LINK_VERSION = 2**31 - 1  # largest value of the column


class HistoryCursor(NamedTuple):
    """The position after which a page of a list of finished games begins."""

    ended_at: int
    table: str

    @classmethod
    def read(cls, text: str) -> HistoryCursor | None:
        """Return the cursor of a text; None if the text is invalid."""
        ended_at, _, table = text.partition("-")
        return cls(int(ended_at), table) if ended_at.isdecimal() and len(ended_at) < 16 and table.isalnum() else None

    def __str__(self) -> str:
        return f"{self.ended_at}-{self.table}"


class ExportedMove(NamedTuple):
    """A move of a guest, as exported."""

    table: str
    ply: int
    seat: int
    move: int
    at: int
    undo: int


class ExportedMessage(NamedTuple):
    """A chat message of a guest, as exported."""

    table: str
    sent_at: int
    canned_message: str | None
    text: str | None


class FinishedGame(NamedTuple):
    """A finished table with its results; empty if they are not stored."""

    row: TableRow
    seats: tuple[Seat, ...]
    results: tuple[SeatResult, ...]


def results_of(match: Match) -> list[SeatResult]:
    """Return the results of a match that is over."""
    scores, game = match.scores, match.game
    assert scores is not None
    return [
        SeatResult(
            seat,
            1 + sum(other > own_score for other in scores),
            int(game.count(match.state, seat)[0]) if game.counted else None,
        )
        for seat, own_score in enumerate(scores)
    ]


def _finished_tables(guest: str) -> Select[tuple[str, int]]:
    """Return the query for the finished tables of a guest, the newest first."""
    t, own_tables = TABLES.c, select(SEATS.c.table_id).where(SEATS.c.guest_id == guest, SEATS.c.kind == "person")
    return (
        select(t.id, t.ended_at)
        .where(t.ended_at.is_not(None), t.id.in_(own_tables))
        .order_by(t.ended_at.desc(), t.id.desc())
    )


def load_finished(connection: Connection, guest: str, after: HistoryCursor | None, limit: int) -> list[FinishedGame]:
    """Return the newest finished games of a guest, or the newest after a cursor. Damaged tables are left out."""
    query = _finished_tables(guest).limit(limit)
    if after:
        t = TABLES.c
        query = query.where(or_(t.ended_at < after.ended_at, and_(t.ended_at == after.ended_at, t.id < after.table)))
    ids = [row.id for row in connection.execute(query)]
    tables = repository.load_tables(connection, ids)
    results: dict[str, list[SeatResult]] = {}
    rows = select(RESULTS).where(RESULTS.c.table_id.in_(ids)).order_by(RESULTS.c.seat)
    row_name = "the result of seat {1} at table {0}"
    for table, seat, place, points in repository.load_valid_rows(
        connection, rows, tuple[str, int, int, int | None], row_name
    ):
        results.setdefault(table, []).append(SeatResult(seat, place, points))
    return [FinishedGame(*tables[table], tuple(results.get(table, ()))) for table in ids if table in tables]


def load_without_results(
    connection: Connection, guest: str, installed: Iterable[tuple[str, int]], limit: int
) -> list[str]:
    """Return finished tables of a guest without stored results, at most `limit`.

    `installed` lists games with the versions of their rules; games of other versions cannot be replayed.
    """
    has_results = exists().where(RESULTS.c.table_id == TABLES.c.id)
    is_playable = or_(False, *(and_(TABLES.c.game == game, TABLES.c.version == version) for game, version in installed))
    return [row.id for row in connection.execute(_finished_tables(guest).where(~has_results, is_playable).limit(limit))]


def save_results(connection: Connection, table: str, results: Iterable[SeatResult]) -> None:
    """Store the results of a finished game, unless they are stored already."""
    rows = [{"table_id": table, **result._asdict()} for result in results]
    connection.execute(repository.insert_new(connection, RESULTS), rows)


def load_tallies(connection: Connection, guest: str) -> list[schemas.GameTally]:
    """Return a guest's totals by game, number of players, and whether other people played.

    Games that the guest left before the end are not counted.
    """
    other = SEATS.alias()
    people = exists().where(other.c.table_id == SEATS.c.table_id, other.c.seat != SEATS.c.seat, other.c.kind != "bot")
    by = (TABLES.c.game, TABLES.c.players, people.label("people"))
    victories = func.sum(case((RESULTS.c.place == 1, 1), else_=0))
    rows = connection.execute(
        select(*by, func.count().label("played"), victories.label("won"), func.avg(RESULTS.c.points).label("points"))
        .join(SEATS, SEATS.c.table_id == TABLES.c.id)
        .join(RESULTS, and_(RESULTS.c.table_id == SEATS.c.table_id, RESULTS.c.seat == SEATS.c.seat))
        .where(SEATS.c.guest_id == guest, SEATS.c.kind == "person", SEATS.c.substitute_bot.is_(None))
        .group_by(*by)
        .order_by(*by)
    )
    return [
        {
            "game": row.game,
            "players": row.players,
            "people": bool(row.people),
            "played": row.played,
            "won": int(row.won),
            "points": None if row.points is None else round(float(row.points), 1),
        }
        for row in rows
        if isinstance(row.game, str) and isinstance(row.players, int)  # others are damaged
    ]


# --- another device ---------------------------------------------------------------------------------------------------


def open_identity_link(connection: Connection, guest: str) -> int:
    """Return the number of a guest's identity link. It stays the same until the link is used."""
    repository.lock_guests(connection, [guest])
    new_version = 1 + secrets.randbelow(MAX_LINK_VERSION)
    connection.execute(repository.insert_new(connection, GUESTS), {"id": guest, "name": ""})
    connection.execute(
        update(GUESTS).where(GUESTS.c.id == guest, GUESTS.c.link_version == 0).values(link_version=new_version)
    )
    return int(connection.execute(select(GUESTS.c.link_version).where(GUESTS.c.id == guest)).scalar_one())


def is_identity_link_valid(connection: Connection, guest: str, link: int) -> bool:
    """Return whether `link` is the number of the guest's unused link."""
    return link == (connection.execute(select(GUESTS.c.link_version).where(GUESTS.c.id == guest)).scalar() or None)


def use_identity_link(connection: Connection, guest: str, link: int) -> int | None:
    """Mark an identity link as used. Returns the guest's session epoch; None if the link is not valid."""
    statement = (
        update(GUESTS)
        .where(GUESTS.c.id == guest, GUESTS.c.link_version == link, GUESTS.c.link_version != 0)
        .values(link_version=0)
    )
    epoch: int | None = connection.execute(statement.returning(GUESTS.c.session_epoch)).scalar()
    return epoch


# --- session epochs ---------------------------------------------------------------------------------------------------


def start_session_epoch(connection: Connection, guest: str) -> int:
    """Begin a guest's next session epoch, which makes all cookies and links invalid. Returns the epoch."""
    repository.lock_guests(connection, [guest])
    connection.execute(repository.insert_new(connection, GUESTS), {"id": guest, "name": ""})
    statement = (
        update(GUESTS).where(GUESTS.c.id == guest).values(session_epoch=GUESTS.c.session_epoch + 1, link_version=0)
    )
    return int(connection.execute(statement.returning(GUESTS.c.session_epoch)).scalar_one())


def load_session_epochs(connection: Connection) -> dict[str, int]:
    """Return the session epochs of all guests who ever signed out their browsers."""
    rows = connection.execute(select(GUESTS.c.id, GUESTS.c.session_epoch).where(GUESTS.c.session_epoch > 0))
    return {row.id: row.session_epoch for row in rows}


def load_deletion_digests(connection: Connection) -> set[str]:
    """Return the digests of all guests whose data were deleted."""
    return {*connection.execute(select(DELETIONS.c.digest)).scalars()}


# --- export and deletion ----------------------------------------------------------------------------------------------


def load_table_ids(connection: Connection, guest: str) -> list[str]:
    """Return the ids of all tables with a seat of a guest."""
    own_tables = select(SEATS.c.table_id).where(SEATS.c.guest_id == guest).distinct()
    return list(connection.execute(own_tables.order_by(SEATS.c.table_id)).scalars())


def export_tables(connection: Connection, guest: str, tables: list[str]) -> list[dict[str, object]]:
    """Return the export of tables with a guest's seats and moves. Damaged rows are left out."""
    exports: dict[str, dict[str, Any]] = {}
    for table, (row, seats) in repository.load_tables(connection, tables).items():
        exports[table] = {"table": table} | {key: getattr(row, field) for key, field in EXPORTED_TABLE_FIELDS.items()}
        exports[table] |= {"seats": [seat.seat for seat in seats if seat.guest_id == guest], "moves": []}
    j, is_own_entry = JOURNAL.c, and_(SEATS.c.table_id == JOURNAL.c.table_id, SEATS.c.seat == JOURNAL.c.seat)
    moves = select(j.table_id, j.ply, j.seat, j.move, j.played_at, j.undone_count).join(SEATS, is_own_entry)
    moves = moves.where(SEATS.c.guest_id == guest, SEATS.c.table_id.in_(list(exports))).order_by(j.ply)
    for entry in repository.load_valid_rows(connection, moves, ExportedMove, "entry {1} of table {0}"):
        move = entry._asdict()
        export = exports[move.pop("table")]
        if export["ended_at"] is None:  # plies would reveal how many secret choices others have made
            move["ply"] = None
        export["moves"].append(move)
    return [exports[table] for table in tables if table in exports and exports[table]["seats"]]


def export_chat(connection: Connection, guest: str) -> list[dict[str, object]]:
    """Return all chat messages of a guest."""
    s = CHAT_MESSAGES.c
    rows = select(s.table_id, s.sent_at, s.canned_message, s.text).where(s.guest_id == guest).order_by(s.sent_at)
    return [
        message._asdict()
        for message in repository.load_valid_rows(
            connection, rows, ExportedMessage, "the chat message at table {0} at {1}"
        )
    ]


def load_unfinished(connection: Connection, guest: str, limit: int | None = None) -> list[str]:
    """Return the ids of unfinished tables with a seat of a guest, the newest first, at most `limit` (None: all)."""
    own_tables = select(SEATS.c.table_id).where(SEATS.c.guest_id == guest)
    query = select(TABLES.c.id).where(TABLES.c.ended_at.is_(None), TABLES.c.id.in_(own_tables))
    return list(connection.execute(query.order_by(TABLES.c.created_at.desc()).limit(limit)).scalars())


def delete_guest(connection: Connection, guest: str) -> None:
    """Delete all personal data of a guest. The games stay, for the other players.

    A digest of the guest's id is kept, so that no cookie, link or pending request creates the guest again. Raises
    CommandRefusedError if the data were deleted before.
    """
    repository.lock_guests(connection, [guest], deletion=True)
    t, is_own_seat = TABLES.c, SEATS.c.guest_id == guest
    sat = or_(t.host == guest, t.id.in_(select(SEATS.c.table_id).where(is_own_seat)))
    connection.execute(update(TABLES).where(sat).values(revision=t.revision + 1))
    connection.execute(update(SEATS).where(is_own_seat).values(guest_id=None, name=""))
    connection.execute(update(TABLES).where(t.host == guest).values(host=""))
    for personal_table in (CHAT_MESSAGES, PENDING_NOTIFICATIONS, IDEMPOTENCY_KEYS, NOTIFICATION_SETTINGS):
        connection.execute(delete(personal_table).where(personal_table.c.guest_id == guest))
    connection.execute(delete(GUESTS).where(GUESTS.c.id == guest))
    connection.execute(insert(DELETIONS), {"digest": repository.digest_of(guest)})

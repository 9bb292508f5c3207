"""Queries on the stored data. Every function takes a connection and runs in the thread of the writer."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, TypeVar

import pydantic
from msgspec import ValidationError, convert
from msgspec.json import encode
from sqlalchemy import Column, ColumnElement, Connection, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from courtly.bots.registry import FORMER_BOT_NAMES
from courtly.engine.errors import CourtlyError
from courtly.engine.match import Entry
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import CommittedChance, DrawNumbering
from courtly.server import timekeeping
from courtly.server.persistence.schema import (
    CHAT_MESSAGES,
    CLOCK_PAUSES,
    GUESTS,
    IDEMPOTENCY_KEYS,
    JOURNAL,
    NOTIFICATION_SETTINGS,
    PENDING_NOTIFICATIONS,
    RESULTS,
    REVIEWS,
    SEATS,
    SETTINGS,
    TABLES,
)
from courtly.server.timekeeping import Gap
from courtly.session.clocks import ClockPause
from courtly.session.schemas import CannedMessage, Clock
from courtly.session.seat import Seat

log = logging.getLogger("courtly.server")


class DamagedRowError(CommandRefusedError):
    """A row of the database contains an invalid value. `problem` names the column and the fault, but not the value."""

    def __init__(self, problem: str):
        super().__init__("error-damaged")
        self.problem = problem


class RevisionConflictError(CourtlyError):
    """Another process wrote first: the same ply, the same key or the same revision. Nothing was stored."""


# The statements of a move are hand-written SQL and take the whole group as JSON, because every round trip makes the
# writer thread reacquire the GIL.
JSON_ITEMS_SQL = {
    "sqlite": ("json_each(:{})", "json_extract(value, '$[{}]')", "json_extract(value, '$[{}]')"),
    "postgresql": (
        "jsonb_array_elements(CAST(:{} AS jsonb)) AS e(value)",
        "value ->> {}",
        "CAST(value ->> {} AS bigint)",
    ),
}
SUBMISSION_KEY_COLUMNS = ("table_id", "guest_id", "key", "request_body")
SECRET_BYTES = 32
LAST = 2**63 - 1  # largest possible time; SQLite sorts damaged values that are not numbers after it
_DIGESTS = {
    "sqlite": "SELECT value FROM json_each(:digests)",
    "postgresql": "SELECT jsonb_array_elements_text(CAST(:digests AS jsonb))",
}
IS_DELETED_SQL = {
    dialect: text(f"SELECT digest FROM deletion WHERE digest IN ({digests})") for dialect, digests in _DIGESTS.items()
}
_LOCK = "SELECT pg_advisory_xact_lock{}(hashtextextended('courtly guest ' || digest, 0)) FROM ({}) AS guests(digest)"
WRITE_LOCK = text(_LOCK.format("_shared", _DIGESTS["postgresql"]))
DELETION_LOCK = text(_LOCK.format("", _DIGESTS["postgresql"]))


def _append_sql(dialect: str) -> str:
    items, text, number = JSON_ITEMS_SQL[dialect]
    first = number.format(len(Entry._fields) + 1)
    return f"""
        INSERT INTO journal ({", ".join(JOURNAL.c.keys())})
        SELECT {", ".join([text.format(0), *(number.format(n + 1) for n in range(len(Entry._fields)))])}
        FROM {items.format("entries")}
        WHERE {first} = 0 OR EXISTS (SELECT 1 FROM journal WHERE table_id = {text.format(0)} AND ply = {first} - 1)
        ON CONFLICT DO NOTHING"""


def _keep_sql(dialect: str) -> str:
    items, text, number = JSON_ITEMS_SQL[dialect]
    return f"""
        INSERT INTO idempotency_key ({", ".join(SUBMISSION_KEY_COLUMNS)}, journal_length)
        SELECT {", ".join(map(text.format, range(len(SUBMISSION_KEY_COLUMNS))))}, {
        number.format(len(SUBMISSION_KEY_COLUMNS))
    }
        FROM {items.format("submissions")}
        WHERE NOT EXISTS (SELECT 1 FROM deletion WHERE digest = {text.format(len(SUBMISSION_KEY_COLUMNS) + 1)})
        ON CONFLICT DO NOTHING"""


def _next_flag_sql(dialect: str) -> str:
    items, text, number = JSON_ITEMS_SQL[dialect]
    return f"""
        UPDATE game_table SET next_flag_at = {number.format(1)}
        FROM {items.format("falls")} WHERE game_table.id = {text.format(0)}"""


APPEND_SQL = {dialect: text(_append_sql(dialect)) for dialect in JSON_ITEMS_SQL}
KEEP_SUBMISSION_SQL = text(_keep_sql("sqlite"))
SET_NEXT_FLAG_SQL = text(_next_flag_sql("sqlite"))
_COMMIT_SQL = f"""
    WITH written AS ({_append_sql("postgresql")} RETURNING 1), kept AS ({_keep_sql("postgresql")} RETURNING 1) {{}}
    SELECT (SELECT count(*) FROM written), (SELECT count(*) FROM kept)"""
COMMIT_WITH_FLAGS_SQL = text(_COMMIT_SQL.format(f", timed AS ({_next_flag_sql('postgresql')})"))
COMMIT_SQL = text(_COMMIT_SQL.format(""))


TimeMs = Annotated[int, pydantic.Field(ge=0, lt=253_402_300_800_000)]  # milliseconds since 1970, before the year 10000


@dataclass(frozen=True, slots=True)
class TableRow:
    """The row of a table, without its seats. Times are milliseconds since 1970."""

    id: str
    game: str
    version: int
    players: int
    options: dict[str, int]
    is_private: bool
    host: str
    dice_secret: str
    created_at: TimeMs
    started_at: TimeMs | None = None
    ended_at: TimeMs | None = None
    rematch_id: str | None = None
    clock: Clock | None = None
    next_flag_at: TimeMs | None = None  # earliest flag, as of the last write
    chat_muted: bool = False
    counted: DrawNumbering = "entries"  # how random events are numbered; "events" for games that start now
    redraws: int = 0  # how often the secret and the numbers were replaced before the start
    revision: int = 0  # how often seats or host were changed; a writer passes the revision that it knows


_ROW = pydantic.TypeAdapter(TableRow)


def source_of(row: TableRow, seats: Iterable[Seat]) -> CommittedChance:
    """Return the source of a table's random events."""
    return CommittedChance(bytes.fromhex(row.dice_secret), row.id, [seat.nonce for seat in seats], row.counted)


class SeatResult(NamedTuple):
    """The result of a seat. Place 1 is the winner, and ties share a place. `points` is None if the game has none."""

    seat: int
    place: int
    points: int | None


# A table's row, seats, journal and clock pauses. Pauses None: the journal contains only entries that are new.
LoadedTable = tuple[TableRow, tuple[Seat, ...], list[Entry], list[ClockPause] | None]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message: a canned message or a text. `seat` is None for a spectator."""

    sent_at: int
    guest_id: str
    seat: int | None
    name: str
    canned_message: CannedMessage | None
    text: str | None


@dataclass(frozen=True, slots=True)
class NotificationSetting:
    """The notification settings of a guest.

    `email_confirmed` is 1 once the confirmation link was used, and `webhook_disabled` is 1 after too many failures.
    """

    guest_id: str
    language: str = "en"
    email: str | None = None
    email_confirmed: int = 0
    webhook_url: str | None = None
    webhook_format: str = "json"
    webhook_disabled: int = 0


@dataclass(frozen=True, slots=True)
class Submission:
    """A command with its idempotency key, and the length of the journal right after it was carried out."""

    guest_id: str
    key: str
    request_body: str
    journal_length: int


# Data beside the games: the name of a row in log entries, the query, and the type of the rows.
_NAMES = "a guest's name", select(GUESTS.c.id, GUESTS.c.name), tuple[str, str]
_NOTIFICATION_SETTING = "a notification setting", select(NOTIFICATION_SETTINGS), NotificationSetting
_CLOSED = (
    "a period in which the server was closed",
    select(CLOCK_PAUSES.c.seat, CLOCK_PAUSES.c.started_at, CLOCK_PAUSES.c.ended_at).where(
        CLOCK_PAUSES.c.table_id.is_(None)
    ),
    ClockPause,
)
_SAYINGS = "a chat message", select(*(CHAT_MESSAGES.c[name] for name in ChatMessage.__slots__)), ChatMessage


class JournalAppend(NamedTuple):
    """The changes of one command to a table.

    Attributes:
        table: The id of the table.
        entries: The new entries of the journal.
        submission: The command with its idempotency key; None for a bot's move.
        next_flag_at: Empty: the earliest flag has not changed; otherwise one item: its new time, or None without one.
    """

    table: str
    entries: Sequence[Entry]
    submission: Submission | None = None
    next_flag_at: tuple[int | None, ...] = ()


def insert_new(connection: Connection, table: Any) -> Any:
    """Return INSERT … ON CONFLICT DO NOTHING in the database's dialect."""
    statement = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    return statement.on_conflict_do_nothing()


def get_or_create_setting(connection: Connection, name: str, default: str) -> str:
    """Return a stored value of the server. If it does not exist, store and return `default`."""
    connection.execute(insert_new(connection, SETTINGS), {"name": name, "value": default})
    return str(connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == name)).scalar_one())


def load_names(connection: Connection, guests: Iterable[str]) -> dict[str, str]:
    """Return the names of guests, by their ids. Guests without a name are left out."""
    return dict(load_valid_rows(connection, _NAMES[1].where(GUESTS.c.id.in_(list(guests))), _NAMES[2], _NAMES[0]))


def digest_of(guest: str) -> str:
    """Return the digest of a guest's id, which is kept after the guest's data were deleted."""
    return blake2b(guest.encode(), digest_size=16).hexdigest()


def lock_guests(connection: Connection, guests: Iterable[str], deletion: bool = False) -> None:
    """Prevent the deletion of these guests' data until the transaction ends; with `deletion`, prevent their writes.

    Call this before writing an id of these guests. Moves need no lock: their single statement checks for a deletion
    itself, after it has locked its database table. On SQLite, only one transaction writes at a time.

    Raises:
        CommandRefusedError: error-no-cookie if the data of one of the guests were deleted.
    """
    digests = {"digests": encode(sorted(map(digest_of, {*guests}))).decode()}
    dialect = connection.dialect.name
    if dialect == "postgresql":
        if deletion:
            connection.execute(text("LOCK TABLE idempotency_key IN SHARE MODE"))
        connection.execute(DELETION_LOCK if deletion else WRITE_LOCK, digests)
    if connection.execute(IS_DELETED_SQL[dialect], digests).first():
        raise CommandRefusedError("error-no-cookie")


def save_name(connection: Connection, guest: str, name: str) -> None:
    """Store a guest's name, also at the guest's seats of unfinished games."""
    lock_guests(connection, [guest])
    connection.execute(insert_new(connection, GUESTS), {"id": guest, "name": name})
    connection.execute(update(GUESTS).where(GUESTS.c.id == guest).values(name=name))
    s, t = SEATS.c, TABLES.c
    is_own_seat = (s.guest_id == guest) & (s.kind == "person")
    is_open_table = t.ended_at.is_(None) & t.id.in_(select(s.table_id).where(is_own_seat))
    # the row of the table before those of its seats, as in `save_seats`; another order could cause a deadlock
    connection.execute(update(TABLES).where(is_open_table).values(revision=t.revision + 1))
    connection.execute(
        update(SEATS).where(is_own_seat, s.table_id.in_(select(t.id).where(is_open_table))).values(name=name)
    )


T = TypeVar("T")


def validate_row(values: object, type_: type[T]) -> T:
    """Return values of the database as a `type_`. Raises DamagedRowError if a value has another type."""
    try:
        return convert(values, type_)
    except ValidationError as error:
        raise DamagedRowError(re.sub(r" '.*'", "", str(error))) from None  # without the stored value


@lru_cache(10_000)
def _log_damaged(row_name: str, problem: str) -> None:
    """Log once that a damaged row is left out."""
    log.error("%s is damaged and left out: %s", row_name, problem)


def _by_column(row: Any) -> dict[str, Any]:
    """Return a row as a dict by column name. SQLAlchemy's own mapping has names of a subclass of str."""
    return {str(column): value for column, value in row._mapping.items()}


def _table_row(record: Any) -> TableRow:
    values = dict(record._mapping)
    flags = {name: bool(values[name]) for name in ("is_private", "chat_muted")}
    try:
        clock = json.loads(record.clock) if record.clock else None
        row = _ROW.validate_python(values | flags | {"options": json.loads(record.options), "clock": clock})
        if len(bytes.fromhex(row.dice_secret)) != SECRET_BYTES:
            raise DamagedRowError(f"expected a secret of {SECRET_BYTES} bytes")
    except pydantic.ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise DamagedRowError(f"{'.'.join(map(str, first['loc']))}: {first['type']}") from None
    except (ValueError, TypeError) as error:  # invalid JSON or hexadecimal digits
        raise DamagedRowError(f"options, clock or secret cannot be read: {type(error).__name__}") from None
    return row


def _load_seats(connection: Connection, tables: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the seats of tables, by table id.

    Must run after the query for the tables' rows: newer seats than the revision do no harm, but older ones would be
    taken for those of the revision.
    """
    seats_by_table: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(select(SEATS).where(SEATS.c.table_id.in_(tables)).order_by(SEATS.c.seat)):
        values = _by_column(row)
        seats_by_table.setdefault(values.pop("table_id"), []).append(values)
    return seats_by_table


def _seat_row(values: dict[str, Any]) -> Seat:
    seat = validate_row(values, Seat)
    return replace(
        seat,
        bot=FORMER_BOT_NAMES.get(seat.bot or "", seat.bot),
        substitute_bot=FORMER_BOT_NAMES.get(seat.substitute_bot or "", seat.substitute_bot),
    )


def _with_seats(record: Any, seats: Iterable[dict[str, Any]]) -> tuple[TableRow, tuple[Seat, ...]]:
    """Return a table's row and seats. Raises DamagedRowError if a row is damaged or a seat is missing."""
    row, seat_rows = _table_row(record), tuple(map(_seat_row, seats))
    numbers = [seat.seat for seat in seat_rows]
    if len(seat_rows) != row.players or numbers != list(range(len(seat_rows))):
        raise DamagedRowError(f"expected {row.players} seats, found the seats {numbers}")
    return row, seat_rows


def load_tables(connection: Connection, tables: Sequence[str]) -> dict[str, tuple[TableRow, tuple[Seat, ...]]]:
    """Return the rows and seats of tables by their ids, the oldest first. Damaged tables are left out and logged."""
    rows = connection.execute(select(TABLES).where(TABLES.c.id.in_(tables)).order_by(TABLES.c.created_at)).all()
    seats = _load_seats(connection, [row.id for row in rows])
    tables_by_id = {}
    for row in rows:
        try:
            if row.id in seats:
                tables_by_id[row.id] = _with_seats(row, seats[row.id])
        except DamagedRowError as error:
            _log_damaged(f"table {row.id}", error.problem)
    return tables_by_id


def _iter_validated(connection: Connection, query: Any, type_: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each row together with its value as a `type_`, or with a DamagedRowError."""
    for row in connection.execute(query):
        try:
            yield row, validate_row(_by_column(row) if is_dataclass(type_) else tuple(row), type_)
        except DamagedRowError as error:
            yield row, error


def load_valid_rows(connection: Connection, query: Any, type_: type[T], row_name: str) -> list[T]:
    """Return the rows of a query as values of a tuple or dataclass type.

    Damaged rows are left out and logged once, under the name `row_name`, a format string for their columns.
    """
    valid = []
    for row, values in _iter_validated(connection, query, type_):
        if isinstance(values, DamagedRowError):
            _log_damaged(row_name.format(*row), values.problem)
        else:
            valid.append(values)
    return valid


def list_damaged_rows(connection: Connection, table: str | None) -> list[str]:
    """Return descriptions of damaged rows that are left out singly: chat messages of a table.

    `table` None: guests' names, notification settings and periods in which the server was closed.
    """
    kinds = (_NAMES, _NOTIFICATION_SETTING, _CLOSED) if table is None else (_SAYINGS,)
    return [
        f"{row_name}: {damage.problem}"
        for row_name, query, type_ in kinds
        for _, damage in _iter_validated(
            connection, query if table is None else query.where(CHAT_MESSAGES.c.table_id == table), type_
        )
        if isinstance(damage, DamagedRowError)
    ]


def check_rows(connection: Connection, table: str) -> None:
    """Raise DamagedRowError if the rows of this table are damaged."""
    for row in connection.execute(select(TABLES).where(TABLES.c.id == table)):
        if seats := _load_seats(connection, [table]):  # empty: the table was removed meanwhile
            _with_seats(row, seats[table])


def load_unfinished(connection: Connection, limit: int) -> list[str]:
    """Return the ids of the newest unfinished tables, at most `limit`."""
    query = select(TABLES.c.id).where(TABLES.c.ended_at.is_(None)).order_by(TABLES.c.created_at.desc()).limit(limit)
    return list(connection.execute(query).scalars())


def load_lengths(connection: Connection, tables: Sequence[str]) -> dict[str, int]:
    """Return the lengths of tables' journals. Tables without entries are left out."""
    j = JOURNAL.c
    query = select(j.table_id, (func.max(j.ply) + 1).label("length")).where(j.table_id.in_(tables)).group_by(j.table_id)
    return {row.table_id: row.length for row in connection.execute(query)}


def load_table(connection: Connection, table: str) -> LoadedTable | None:
    """Return a table with its whole journal and its clock pauses; None if it does not exist.

    Raises DamagedRowError if its rows are damaged.
    """
    stored = load_tables(connection, [table]).get(table)
    if stored is None:
        check_rows(connection, table)
        return None
    row, seats = stored
    entries, ended_at = _load_journal(connection, table)
    row = replace(row, ended_at=ended_at or row.ended_at)
    return row, seats, entries, load_pauses(connection, table) if row.clock else []


def load_whole_table(connection: Connection, table: str) -> LoadedTable | None:
    """Return a table as `load_table` does. Also raises DamagedRowError if acknowledged entries are missing."""
    try:
        # first, since the journal may grow between statements
        acknowledged_count = acknowledged_length(connection, table)
        stored_table = load_table(connection, table)
        if stored_table and acknowledged_count > len(stored_table[2]):
            raise DamagedRowError(
                f"entries are missing: {acknowledged_count} acknowledged, {len(stored_table[2])} found"
            )
    except DamagedRowError as error:
        _log_damaged(f"table {table}", error.problem)
        raise
    return stored_table


def has_changed(connection: Connection, cached: TableRow, length: int) -> bool:
    """Return whether the database has another revision than `cached`, or a journal longer than `length`."""
    longer = select(func.max(JOURNAL.c.ply)).where(JOURNAL.c.table_id == cached.id).scalar_subquery()
    current = connection.execute(select(TABLES.c.revision, longer).where(TABLES.c.id == cached.id)).first()
    return current is None or current[0] != cached.revision or (current[1] is not None and current[1] >= length)


def load_changes(connection: Connection, cached: TableRow, last: Entry) -> LoadedTable | None:
    """Return a table with the entries after `last`; None if its row, its seats or the entry `last` have changed."""
    stored = load_tables(connection, [cached.id]).get(cached.id)
    if stored is None or stored[0].revision != cached.revision:
        return None
    row, seats = stored
    entries, ended_at = _load_journal(connection, cached.id, last.ply)
    return (
        (replace(row, ended_at=ended_at or row.ended_at), seats, entries[1:], None) if entries[:1] == [last] else None
    )


def acknowledged_length(connection: Connection, table: str) -> int:
    """Return the length of the journal right after the last acknowledged command; 0 without one."""
    longest = select(func.max(IDEMPOTENCY_KEYS.c.journal_length)).where(IDEMPOTENCY_KEYS.c.table_id == table)
    return validate_row(connection.execute(longest).scalar() or 0, int)


def load_entries(connection: Connection, table: str) -> list[Entry]:
    """Return the journal of a table."""
    return _load_journal(connection, table)[0]


def _load_journal(connection: Connection, table: str, since: int = 0) -> tuple[list[Entry], int | None]:
    """Return the entries from ply `since` on, and the time at which the game ended, if it has.

    Both come from one statement; between two statements, another process could make the last move.
    """
    j, t = JOURNAL.c, TABLES.c
    query = select(j.ply, j.seat, j.move, j.played_at, j.batch, j.undone_count, t.ended_at).join(
        TABLES, t.id == j.table_id
    )
    rows = connection.execute(query.where(j.table_id == table, j.ply >= since).order_by(j.ply)).all()
    numbers = validate_row([row[:-1] for row in rows], list[tuple[int, int, int, int, int, int]])
    return [Entry(*row) for row in numbers], rows[0].ended_at if rows else None


def insert_table(connection: Connection, row: TableRow, seats: Sequence[Seat], entries: Sequence[Entry]) -> None:
    """Store a new table; with `entries` if its game starts at once. Raises RevisionConflictError if its id exists."""
    lock_guests(connection, [row.host, *(seat.guest_id for seat in seats if seat.guest_id)])
    clock = json.dumps(row.clock) if row.clock else None
    flags = {"is_private": int(row.is_private), "chat_muted": int(row.chat_muted)}
    values = asdict(row) | flags | {"options": json.dumps(row.options), "clock": clock}
    if connection.execute(insert_new(connection, TABLES).returning(TABLES.c.id), values).first() is None:
        raise RevisionConflictError(row.id)
    connection.execute(insert(SEATS), [{"table_id": row.id, **asdict(seat)} for seat in seats])
    append_entries(connection, [JournalAppend(row.id, entries)])


def claim_revision(connection: Connection, table: str, revision: int, **values: Any) -> None:
    """Increase the revision of a table and set further columns of its row.

    Raises RevisionConflictError if the table has another revision than `revision`, or was removed.
    """
    t = TABLES.c
    statement = update(TABLES).where(t.id == table, t.revision == revision).values(revision=revision + 1, **values)
    if connection.execute(statement.returning(t.id)).first() is None:
        raise RevisionConflictError(table)


def save_seats(connection: Connection, table: str, revision: int, seats: Sequence[Seat], **values: Any) -> None:
    """Store changed seats of a table, and set further columns of its row: see `claim_revision`."""
    lock_guests(connection, (seat.guest_id for seat in seats if seat.guest_id))
    claim_revision(connection, table, revision, **values)
    for seat in seats:
        connection.execute(
            update(SEATS).where(SEATS.c.table_id == table, SEATS.c.seat == seat.seat).values(**asdict(seat))
        )


def delete_waiting_table(connection: Connection, table: str, revision: int) -> None:
    """Delete a table whose game has not started: see `claim_revision`."""
    claim_revision(connection, table, revision)
    connection.execute(delete(SEATS).where(SEATS.c.table_id == table))
    connection.execute(delete(TABLES).where(TABLES.c.id == table))


def link_rematch(connection: Connection, table: str, successor: str) -> None:
    """Store the id of a table's rematch. Raises RevisionConflictError if it has one already."""
    statement = update(TABLES).where(TABLES.c.id == table, TABLES.c.rematch_id.is_(None)).values(rematch_id=successor)
    if connection.execute(statement.returning(TABLES.c.id)).first() is None:
        raise RevisionConflictError(table)


def append_entries(connection: Connection, moves: Sequence[JournalAppend]) -> None:
    """Append to journals, and store idempotency keys and flags.

    Raises:
        RevisionConflictError: One of the plies or keys exists already, or the ply before does not.
        CommandRefusedError: The data of a guest who sent one of the commands were deleted.
    """
    moves = sorted(moves, key=attrgetter("table"))  # the same order in all processes prevents deadlocks
    entries = [(m.table, *entry, m.entries[0].ply) for m in moves for entry in m.entries]
    submissions = [(m.table, m.submission) for m in moves if m.submission]
    keys = [
        (table, s.guest_id, s.key, s.request_body, s.journal_length, digest_of(s.guest_id)) for table, s in submissions
    ]
    next_flags = [(m.table, *m.next_flag_at) for m in moves if m.next_flag_at]
    values = {name: encode(rows).decode() for name, rows in (("entries", entries), ("submissions", keys))}
    if next_flags:
        values["falls"] = encode(next_flags).decode()
    key_count = 0
    if (keys or next_flags) and connection.dialect.name == "postgresql":
        entry_count, key_count = connection.execute(COMMIT_WITH_FLAGS_SQL if next_flags else COMMIT_SQL, values).one()
    else:
        entry_count = connection.execute(APPEND_SQL[connection.dialect.name], values).rowcount
        if keys:
            key_count = connection.execute(KEEP_SUBMISSION_SQL, values).rowcount
        if next_flags:
            connection.execute(SET_NEXT_FLAG_SQL, values)
    if (entry_count, key_count) != (len(entries), len(keys)):
        lock_guests(connection, (submission.guest_id for _, submission in submissions))
        raise RevisionConflictError


def end_game(connection: Connection, table: str, ended_at: int, results: Sequence[SeatResult] = ()) -> None:
    """Store the end of a game and its results."""
    connection.execute(update(TABLES).where(TABLES.c.id == table).values(ended_at=ended_at))
    connection.execute(insert(RESULTS), [{"table_id": table, **result._asdict()} for result in results])


def find_submission(connection: Connection, table: str, guest: str, key: str) -> Submission | None:
    """Return the command that was carried out with an idempotency key, or None."""
    s = IDEMPOTENCY_KEYS.c
    query = select(s.guest_id, s.key, s.request_body, s.journal_length).where(
        s.table_id == table, s.guest_id == guest, s.key == key
    )
    row = connection.execute(query).first()
    return None if row is None else Submission(*row)


# --- clocks ----------------------------------------------------------------------------------------------------------


def load_tables_with_flags(connection: Connection, until: int) -> list[str]:
    """Return the ids of unfinished tables with a flag that falls until this time."""
    query = select(TABLES.c.id).where(TABLES.c.next_flag_at <= until, TABLES.c.ended_at.is_(None))
    return list(connection.execute(query).scalars())


def save_pauses(
    connection: Connection, table: str, substituted: Iterable[int], returned: Iterable[int], at: int
) -> None:
    """Start clock pauses for the seats in `substituted`, and end those for the seats in `returned`."""
    for seat in substituted:
        connection.execute(insert(CLOCK_PAUSES), {"table_id": table, "seat": seat, "started_at": at})
    s = CLOCK_PAUSES.c
    open_pauses = update(CLOCK_PAUSES).where(s.table_id == table, s.seat.in_(list(returned)), s.ended_at.is_(None))
    connection.execute(open_pauses.values(ended_at=at))


def load_pauses(connection: Connection, table: str | None) -> list[ClockPause]:
    """Return the clock pauses of a table; None: the periods in which the server was closed, without damaged rows."""
    s = CLOCK_PAUSES.c
    if table is None:
        query = _CLOSED[1].where(s.ended_at.is_not(None)).order_by(s.id)
        return load_valid_rows(connection, query, _CLOSED[2], _CLOSED[0])
    rows = connection.execute(select(s.seat, s.started_at, s.ended_at).where(s.table_id == table).order_by(s.id)).all()
    return validate_row([tuple(row) for row in rows], list[ClockPause])


def save_open_note(connection: Connection, at: int, gaps: Iterable[Gap] = ()) -> int:
    """Store the open note: the time at which the server was last known to be open.

    If no process runs afterwards, no player's time counts from then on.

    Args:
        gaps: Gaps of this process. The part of a gap after the last open note is stored as time in which the server was
            closed.

    Returns:
        The milliseconds of the gaps that were stored.
    """
    returned_ms = 0
    for gap in gaps:
        closed = Gap(max([gap.since, *_last_open_note(connection)]), gap.until)
        if closed.until - closed.since > timekeeping.GAP_MS and _pause_while_closed(connection, closed):
            returned_ms += closed.until - closed.since
    s = CLOCK_PAUSES.c
    open_notes = select(s.id).where(s.table_id.is_(None), s.ended_at.is_(None))
    if connection.execute(open_notes).first() is None:
        connection.execute(insert(CLOCK_PAUSES), {"started_at": at})
    else:  # unless another process has stored a later time, or is writing the note at this moment
        is_free_note = s.id.in_(open_notes.with_for_update(skip_locked=True))
        connection.execute(
            update(CLOCK_PAUSES).where(is_free_note, ~s.started_at.between(at, LAST)).values(started_at=at)
        )
    return returned_ms


def _last_open_note(connection: Connection) -> list[int]:
    """Return the time of the open note, in a list; empty if there is none.

    The row is locked until the end of the transaction.
    """
    s = CLOCK_PAUSES.c
    query = select(s.started_at).where(s.table_id.is_(None), s.ended_at.is_(None)).with_for_update()
    return [since for since in connection.execute(query).scalars() if isinstance(since, int)]  # others are damaged


def _pause_while_closed(connection: Connection, closed: Gap) -> bool:
    """Store a period in which the server was closed, and move all flags by its length.

    Returns False without a change if no running game has a clock.
    """
    t = TABLES.c
    is_timed = t.clock.is_not(None) & t.started_at.is_not(None) & t.ended_at.is_(None)
    if not connection.execute(select(t.id).where(is_timed).limit(1)).first():
        return False
    if closed.until > closed.since:
        connection.execute(insert(CLOCK_PAUSES), {"started_at": closed.since, "ended_at": closed.until})
    moved_flags = t.next_flag_at + (closed.until - closed.since)  # earlier, if the time went back
    connection.execute(update(TABLES).where(t.next_flag_at.is_not(None)).values(next_flag_at=moved_flags))
    return True


def has_open_note_since(connection: Connection, since: int) -> bool:
    """Return whether a process has stored an open note at or after this time."""
    s = CLOCK_PAUSES.c
    query = select(s.id).where(s.table_id.is_(None), s.ended_at.is_(None), s.started_at >= since)
    return connection.execute(query).first() is not None


class OpeningState(NamedTuple):
    """The state of the clocks when a process starts.

    Attributes:
        closed: The periods in which the server was closed while games with clocks were running.
        corrected: Whether times in the future were corrected.
    """

    closed: list[ClockPause]
    corrected: bool = False


def open_server(connection: Connection, at: int) -> OpeningState:
    """Store that the server opens. Called by the first process."""
    open_note = _last_open_note(connection)
    corrected = _correct_times(connection, at)
    for since in open_note:
        _pause_while_closed(connection, Gap(since, at))
    save_open_note(connection, at)
    return OpeningState(load_pauses(connection, None), corrected)


def join_server(connection: Connection, at: int) -> OpeningState:
    """Store that the server is open. Called by every process except the first."""
    save_open_note(connection, at)
    return OpeningState(load_pauses(connection, None))


def _correct_times(connection: Connection, at: int) -> bool:
    """Set all times in the future from which clocks are computed to this moment. Returns whether there were any.

    Every start and every open note stores a time in CLOCK_PAUSES. If none of those is in the future, no other time is,
    and nothing else is searched.
    """
    s, t, j = CLOCK_PAUSES.c, TABLES.c, JOURNAL.c
    delete_empty = delete(CLOCK_PAUSES).where(s.started_at.between(s.ended_at, LAST))
    connection.execute(delete_empty)

    def is_future(time: Column[int]) -> ColumnElement[bool]:
        return time.between(at + 1, LAST)

    if not connection.execute(select(s.id).where(is_future(s.started_at) | is_future(s.ended_at)).limit(1)).first():
        return False
    is_timed = t.clock.is_not(None) & t.ended_at.is_(None)
    connection.execute(
        update(JOURNAL).where(is_future(j.played_at), j.table_id.in_(select(t.id).where(is_timed))).values(played_at=at)
    )
    connection.execute(update(TABLES).where(is_timed, is_future(t.started_at)).values(started_at=at))
    for time in (s.started_at, s.ended_at):
        connection.execute(update(CLOCK_PAUSES).where(is_future(time)).values({time: at}))
    connection.execute(delete_empty)
    return True


def save_review(connection: Connection, table: str, form: int, text: str) -> None:
    """Store the review of a finished game. It replaces a review in another format."""
    connection.execute(delete(REVIEWS).where(REVIEWS.c.table_id == table))
    connection.execute(insert_new(connection, REVIEWS), {"table_id": table, "format_version": form, "body": text})


def load_review(connection: Connection, table: str, form: int) -> str | None:
    """Return the review of a finished game as JSON; None if there is none in this format."""
    query = select(REVIEWS.c.body).where(REVIEWS.c.table_id == table, REVIEWS.c.format_version == form)
    body: str | None = connection.execute(query).scalar()
    return body


def load_notification_settings(connection: Connection) -> list[NotificationSetting]:
    """Return the notification settings of all guests."""
    return load_valid_rows(connection, _NOTIFICATION_SETTING[1], _NOTIFICATION_SETTING[2], _NOTIFICATION_SETTING[0])


def save_notification_setting(connection: Connection, setting: NotificationSetting) -> None:
    """Store a guest's notification settings, or delete them if they name neither a mail address nor a webhook."""
    if setting.email or setting.webhook_url:
        lock_guests(connection, [setting.guest_id])
    connection.execute(delete(NOTIFICATION_SETTINGS).where(NOTIFICATION_SETTINGS.c.guest_id == setting.guest_id))
    if setting.email or setting.webhook_url:
        connection.execute(insert(NOTIFICATION_SETTINGS), asdict(setting))


def load_pending_notifications(connection: Connection) -> set[tuple[str, str]]:
    """Return the sent notifications of unfinished games, as pairs of table and guest. Delete those of other games."""
    finished_tables = select(TABLES.c.id).where(TABLES.c.ended_at.is_not(None))
    connection.execute(delete(PENDING_NOTIFICATIONS).where(PENDING_NOTIFICATIONS.c.table_id.in_(finished_tables)))
    rows = connection.execute(
        select(PENDING_NOTIFICATIONS.c.table_id, PENDING_NOTIFICATIONS.c.guest_id).where(
            PENDING_NOTIFICATIONS.c.is_sent == 1
        )
    )
    return {(row.table_id, row.guest_id) for row in rows}


def open_notification(connection: Connection, table: str, guest: str) -> bool:
    """Store that a notification will be sent. Returns False if it was sent already."""
    lock_guests(connection, [guest])
    key = {"table_id": table, "guest_id": guest}
    connection.execute(insert_new(connection, PENDING_NOTIFICATIONS), {**key, "is_sent": 0})
    return connection.execute(select(PENDING_NOTIFICATIONS.c.is_sent).filter_by(**key)).scalar() == 0


def save_notification(connection: Connection, table: str, guest: str) -> None:
    """Store that a notification was sent, or given up."""
    connection.execute(update(PENDING_NOTIFICATIONS).filter_by(table_id=table, guest_id=guest).values(is_sent=1))


def delete_notifications(connection: Connection, notices: Iterable[tuple[str, str]]) -> None:
    """Delete notifications, given as pairs of table and guest."""
    for table, guest in notices:
        connection.execute(delete(PENDING_NOTIFICATIONS).filter_by(table_id=table, guest_id=guest))


def save_chat_message(connection: Connection, table: str, message: ChatMessage) -> ChatMessage:
    """Store a chat message and return it. Its time is increased if needed, so that it is later than all others'.

    Raises RevisionConflictError if the chat is muted or the table was removed.
    """
    lock_guests(connection, [message.guest_id])
    if connection.execute(select(TABLES.c.chat_muted).where(TABLES.c.id == table)).scalar() != 0:
        raise RevisionConflictError(table)
    s = CHAT_MESSAGES.c
    insertion = insert_new(connection, CHAT_MESSAGES).returning(s.sent_at)
    while True:
        last = connection.execute(
            select(func.max(s.sent_at)).where(s.table_id == table, s.from_spectator.in_((0, 1)))
        ).scalar()
        message = replace(message, sent_at=max(message.sent_at, (last or 0) + 1))
        values = {"table_id": table, "from_spectator": int(message.seat is None), **asdict(message)}
        if connection.execute(insertion, values).first() is not None:
            return message


def load_chat_messages(
    connection: Connection, table: str, with_spectators: bool, before: int | None, limit: int
) -> list[ChatMessage]:
    """Return the newest chat messages, or the newest before a time, the oldest first.

    `with_spectators`: whether spectators' messages are included.
    """
    s = CHAT_MESSAGES.c
    messages: list[ChatMessage] = []
    for from_spectator in (0, 1) if with_spectators else (0,):
        query = _SAYINGS[1].where(s.table_id == table, s.from_spectator == from_spectator)
        if before is not None:
            query = query.where(s.sent_at < before)
        messages += load_valid_rows(connection, query.order_by(s.sent_at.desc()).limit(limit), _SAYINGS[2], _SAYINGS[0])
    return sorted(messages, key=lambda message: message.sent_at)[-limit:]

"""What is kept and how it is written and read. Every function takes a connection and is run by the writer."""

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
    """A row of the database that does not say what such a row must say. `what` names the column, and no value."""

    def __init__(self, what: str):
        super().__init__("error-damaged")
        self.what = what


class RevisionConflictError(CourtlyError):
    """Another writer was first: with this ply or this key, or with who sits there. Nothing was kept."""


# What every move does is written out, and for all that are kept together at once: each statement is a way there and
# back, and each time the thread that writes comes back from the database it waits for Python's lock.
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
LAST = 2**63 - 1  # of times; what is no number but damaged comes later to SQLite
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
    """What is agreed about a table, apart from its seats. Times are milliseconds since 1970."""

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
    next_flag_at: TimeMs | None = None  # when the first flag falls, as far as was known when the table was last asleep
    chat_muted: bool = False  # the host wants nothing said
    counted: DrawNumbering = "entries"  # what numbers the draws; "events" as soon as this version begins the game
    redraws: int = 0  # how often the secret and the numbers were replaced before the start
    revision: int = 0  # how often its seats or its host were changed; whoever changes them says what it was


_ROW = pydantic.TypeAdapter(TableRow)


def source_of(row: TableRow, seats: Iterable[Seat]) -> CommittedChance:
    """Return what draws a table's random outcomes."""
    return CommittedChance(bytes.fromhex(row.dice_secret), row.id, [seat.nonce for seat in seats], row.counted)


class SeatResult(NamedTuple):
    """Of a seat: 1 is the first place, equals share one. `points`: None where the game does not say."""

    seat: int
    place: int
    points: int | None


# A table, its journal, and when no time ran for some seat; None: the journal is only what is newer than was known.
LoadedTable = tuple[TableRow, tuple[Seat, ...], list[Entry], list[ClockPause] | None]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What somebody said: a courtesy, or a text. `seat`: None for who looked on."""

    sent_at: int
    guest_id: str
    seat: int | None
    name: str
    canned_message: CannedMessage | None
    text: str | None


@dataclass(frozen=True, slots=True)
class NotificationSetting:
    """How a guest wants to be told. `form`: of what is sent to the hook. `silent`: 1: the hook failed so often that it
    is switched off."""

    guest_id: str
    language: str = "en"
    email: str | None = None
    email_confirmed: int = 0
    webhook_url: str | None = None
    webhook_format: str = "json"
    webhook_disabled: int = 0


@dataclass(frozen=True, slots=True)
class Submission:
    """A command with its idempotency key. `length`: of the journal right after it was carried out."""

    guest_id: str
    key: str
    request_body: str
    journal_length: int


# What stands beside the games: what a row of it is called, what is read of it, as what.
_NAMES = "a guest's name", select(GUESTS.c.id, GUESTS.c.name), tuple[str, str]
_REACH = "how a guest wants to be told", select(NOTIFICATION_SETTINGS), NotificationSetting
_CLOSED = (
    "a time in which the server was closed",
    select(CLOCK_PAUSES.c.seat, CLOCK_PAUSES.c.started_at, CLOCK_PAUSES.c.ended_at).where(
        CLOCK_PAUSES.c.table_id.is_(None)
    ),
    ClockPause,
)
_SAYINGS = "a message", select(*(CHAT_MESSAGES.c[name] for name in ChatMessage.__slots__)), ChatMessage


class JournalAppend(NamedTuple):
    """What one command has done to a table, and the key it came under if it had one. `falls`: when the first flag falls
    now, if ever, where that has changed."""

    table: str
    entries: Sequence[Entry]
    submission: Submission | None = None
    falls: tuple[int | None, ...] = ()


def insert_new(connection: Connection, table: Any) -> Any:
    """INSERT … ON CONFLICT DO NOTHING in the database's dialect."""
    made = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    return made.on_conflict_do_nothing()


def get_or_create_setting(connection: Connection, name: str, fresh: str) -> str:
    """A setting of the server; `fresh` becomes its value if it has none."""
    connection.execute(insert_new(connection, SETTINGS), {"name": name, "value": fresh})
    return str(connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == name)).scalar_one())


def load_names(connection: Connection, guests: Iterable[str]) -> dict[str, str]:
    return dict(readable(connection, _NAMES[1].where(GUESTS.c.id.in_(list(guests))), _NAMES[2], _NAMES[0]))


def digest_of(guest: str) -> str:
    """What stays of a guest whose data are deleted."""
    return blake2b(guest.encode(), digest_size=16).hexdigest()


def lock_guests(connection: Connection, guests: Iterable[str], deletion: bool = False) -> None:
    """Hold off that the data of these guests are deleted until this transaction ends; if `deletion`, that anything of
    theirs is written.

    To be called before these guests' ids are written anywhere; moves, which are one statement, look for the deletion in
    it and need no lock: that on their table is taken before they look. On SQLite a transaction that writes is alone.

    Raises:
        CommandRefusedError: error-no-cookie if the data of one of them were deleted.
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
    lock_guests(connection, [guest])
    connection.execute(insert_new(connection, GUESTS), {"id": guest, "name": name})
    connection.execute(update(GUESTS).where(GUESTS.c.id == guest).values(name=name))
    s, t = SEATS.c, TABLES.c
    mine = (s.guest_id == guest) & (s.kind == "person")
    named = t.ended_at.is_(None) & t.id.in_(select(s.table_id).where(mine))
    # tables before seats, as every change of seats has it: in the other order two would wait for each other
    connection.execute(update(TABLES).where(named).values(revision=t.revision + 1))
    connection.execute(update(SEATS).where(mine, s.table_id.in_(select(t.id).where(named))).values(name=name))


T = TypeVar("T")


def validate_row(values: object, type_: type[T]) -> T:
    """Return values of the database as a `type_`. Raises DamagedRowError if one is of another type."""
    try:
        return convert(values, type_)
    except ValidationError as wrong:
        raise DamagedRowError(re.sub(r" '.*'", "", str(wrong))) from None  # without what was stored


@lru_cache(10_000)
def _log_damaged(what: str, why: str) -> None:
    """Log once that something is left out."""
    log.error("%s is damaged and left out: %s", what, why)


def _by_column(row: Any) -> dict[str, Any]:
    """Return a row by its columns, whose names are of a class of SQLAlchemy's there."""
    return {str(column): value for column, value in row._mapping.items()}


def _table_row(found: Any) -> TableRow:
    values = dict(found._mapping)
    flags = {name: bool(values[name]) for name in ("is_private", "chat_muted")}
    try:
        clock = json.loads(found.clock) if found.clock else None
        row = _ROW.validate_python(values | flags | {"options": json.loads(found.options), "clock": clock})
        if len(bytes.fromhex(row.dice_secret)) != SECRET_BYTES:
            raise DamagedRowError("the secret has not 32 bytes")
    except pydantic.ValidationError as wrong:
        first = wrong.errors(include_input=False, include_url=False)[0]
        raise DamagedRowError(f"{'.'.join(map(str, first['loc']))}: {first['type']}") from None
    except (ValueError, TypeError) as wrong:  # no JSON, or no hexadecimal number
        raise DamagedRowError(f"options, clock or secret cannot be read: {type(wrong).__name__}") from None
    return row


def _load_seats(connection: Connection, tables: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Read after the rows: seats newer than their revision do no harm, older ones would be taken for its own."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(select(SEATS).where(SEATS.c.table_id.in_(tables)).order_by(SEATS.c.seat)):
        values = _by_column(row)
        found.setdefault(values.pop("table_id"), []).append(values)
    return found


def _seat_row(values: dict[str, Any]) -> Seat:
    seat = validate_row(values, Seat)
    return replace(
        seat,
        bot=FORMER_BOT_NAMES.get(seat.bot or "", seat.bot),
        substitute_bot=FORMER_BOT_NAMES.get(seat.substitute_bot or "", seat.substitute_bot),
    )


def _with_seats(found: Any, seats: Iterable[dict[str, Any]]) -> tuple[TableRow, tuple[Seat, ...]]:
    """Return a table and its seats. Raises DamagedRowError if one of its rows is damaged, or a seat is missing."""
    row, there = _table_row(found), tuple(map(_seat_row, seats))
    numbers = [seat.seat for seat in there]
    if len(there) != row.players or numbers != list(range(len(there))):
        raise DamagedRowError(f"it is for {row.players} and has the seats {numbers}")
    return row, there


def load_tables(connection: Connection, tables: Sequence[str]) -> dict[str, tuple[TableRow, tuple[Seat, ...]]]:
    """These tables by their ids, the oldest first. Those whose rows are damaged are left out, which the log says."""
    rows = connection.execute(select(TABLES).where(TABLES.c.id.in_(tables)).order_by(TABLES.c.created_at)).all()
    seats = _load_seats(connection, [row.id for row in rows])
    found = {}
    for row in rows:
        try:
            if row.id in seats:
                found[row.id] = _with_seats(row, seats[row.id])
        except DamagedRowError as damaged:
            _log_damaged(f"table {row.id}", damaged.what)
    return found


def _each(connection: Connection, wanted: Any, type_: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every row, and what it is as a `type_`, or the DamagedRowError that says what is wrong with it."""
    for row in connection.execute(wanted):
        try:
            yield row, validate_row(_by_column(row) if is_dataclass(type_) else tuple(row), type_)
        except DamagedRowError as damaged:
            yield row, damaged


def readable(connection: Connection, wanted: Any, type_: type[T], what: str) -> list[T]:
    """Return the rows as what they are kept for, a tuple or a dataclass. Those that are damaged are left out, which
    the log says once; there they are called `what`, a format of their columns."""
    found = []
    for row, values in _each(connection, wanted, type_):
        if isinstance(values, DamagedRowError):
            _log_damaged(what.format(*row), values.what)
        else:
            found.append(values)
    return found


def damaged_beside(connection: Connection, table: str | None) -> list[str]:
    """Return what is wrong with the rows that are left out one by one: of this table; None: of none."""
    kinds = (_NAMES, _REACH, _CLOSED) if table is None else (_SAYINGS,)
    return [
        f"{what}: {wrong.what}"
        for what, wanted, type_ in kinds
        for _, wrong in _each(
            connection, wanted if table is None else wanted.where(CHAT_MESSAGES.c.table_id == table), type_
        )
        if isinstance(wrong, DamagedRowError)
    ]


def check_rows(connection: Connection, table: str) -> None:
    """Raise DamagedRowError if the rows of this table are damaged."""
    for row in connection.execute(select(TABLES).where(TABLES.c.id == table)):
        if seats := _load_seats(connection, [table]):  # or else it was removed meanwhile
            _with_seats(row, seats[table])


def load_unfinished(connection: Connection, limit: int) -> list[str]:
    """The newest tables that have not ended."""
    wanted = select(TABLES.c.id).where(TABLES.c.ended_at.is_(None)).order_by(TABLES.c.created_at.desc()).limit(limit)
    return list(connection.execute(wanted).scalars())


def load_lengths(connection: Connection, tables: Sequence[str]) -> dict[str, int]:
    """How many entries these tables' journals have, if any."""
    j = JOURNAL.c
    wanted = (
        select(j.table_id, (func.max(j.ply) + 1).label("length")).where(j.table_id.in_(tables)).group_by(j.table_id)
    )
    return {row.table_id: row.length for row in connection.execute(wanted)}


def load_table(connection: Connection, table: str) -> LoadedTable | None:
    """A table with its whole journal, and when no time ran for some seat; None if there is none of this id.
    Raises DamagedRowError if its rows are damaged."""
    found = load_tables(connection, [table]).get(table)
    if found is None:
        check_rows(connection, table)
        return None
    row, seats = found
    entries, ended = _load_journal(connection, table)
    row = replace(row, ended_at=ended or row.ended_at)
    return row, seats, entries, load_pauses(connection, table) if row.clock else []


def load_whole_table(connection: Connection, table: str) -> LoadedTable | None:
    """As `load_table`. Raises DamagedRowError, too, if the journal has lost entries that were acknowledged."""
    try:
        found = load_table(connection, table)
        if found and (acknowledged := acknowledged_length(connection, table)) > len(found[2]):
            raise DamagedRowError(f"entries are missing: {acknowledged} were acknowledged")
    except DamagedRowError as damaged:
        _log_damaged(f"table {table}", damaged.what)
        raise
    return found


def has_changed(connection: Connection, known: TableRow, length: int) -> bool:
    """Is there more of this table than is known, its journal being so long?"""
    longer = select(func.max(JOURNAL.c.ply)).where(JOURNAL.c.table_id == known.id).scalar_subquery()
    found = connection.execute(select(TABLES.c.revision, longer).where(TABLES.c.id == known.id)).first()
    return found is None or found[0] != known.revision or (found[1] is not None and found[1] >= length)


def load_changes(connection: Connection, known: TableRow, last: Entry) -> LoadedTable | None:
    """A table with what its journal has beyond the last entry that is known; None where more has changed than that."""
    found = load_tables(connection, [known.id]).get(known.id)
    if found is None or found[0].revision != known.revision:
        return None
    row, seats = found
    entries, ended = _load_journal(connection, known.id, last.ply)
    return (replace(row, ended_at=ended or row.ended_at), seats, entries[1:], None) if entries[:1] == [last] else None


def acknowledged_length(connection: Connection, table: str) -> int:
    """Return how long the journal was right after the last command that was acknowledged; 0: none was."""
    longest = select(func.max(IDEMPOTENCY_KEYS.c.journal_length)).where(IDEMPOTENCY_KEYS.c.table_id == table)
    return validate_row(connection.execute(longest).scalar() or 0, int)


def load_entries(connection: Connection, table: str) -> list[Entry]:
    return _load_journal(connection, table)[0]


def _load_journal(connection: Connection, table: str, since: int = 0) -> tuple[list[Entry], int | None]:
    """And when the game has ended, by the same statement: between two somebody may make the last move."""
    j, t = JOURNAL.c, TABLES.c
    wanted = select(j.ply, j.seat, j.move, j.played_at, j.batch, j.undone_count, t.ended_at).join(
        TABLES, t.id == j.table_id
    )
    rows = connection.execute(wanted.where(j.table_id == table, j.ply >= since).order_by(j.ply)).all()
    numbers = validate_row([row[:-1] for row in rows], list[tuple[int, int, int, int, int, int]])
    return [Entry(*row) for row in numbers], rows[0].ended_at if rows else None


def insert_table(connection: Connection, row: TableRow, seats: Sequence[Seat], entries: Sequence[Entry]) -> None:
    """A new table; `entries` if it starts at once."""
    lock_guests(connection, [row.host, *(seat.guest_id for seat in seats if seat.guest_id)])
    clock = json.dumps(row.clock) if row.clock else None
    flags = {"is_private": int(row.is_private), "chat_muted": int(row.chat_muted)}
    values = asdict(row) | flags | {"options": json.dumps(row.options), "clock": clock}
    if connection.execute(insert_new(connection, TABLES).returning(TABLES.c.id), values).first() is None:
        raise RevisionConflictError(row.id)
    connection.execute(insert(SEATS), [{"table_id": row.id, **asdict(seat)} for seat in seats])
    append_entries(connection, [JournalAppend(row.id, entries)])


def claim_revision(connection: Connection, table: str, revision: int, **values: Any) -> None:
    """Who sits at a table, or its host, is about to be changed by what was known at this revision. Conflict if it is
    another now, or the table is gone."""
    t = TABLES.c
    wanted = update(TABLES).where(t.id == table, t.revision == revision).values(revision=revision + 1, **values)
    if connection.execute(wanted.returning(t.id)).first() is None:
        raise RevisionConflictError(table)


def save_seats(connection: Connection, table: str, revision: int, seats: Sequence[Seat], **values: Any) -> None:
    """Write these seats of a table as they are now, and what else changes with them: see `claim_revision`."""
    lock_guests(connection, (seat.guest_id for seat in seats if seat.guest_id))
    claim_revision(connection, table, revision, **values)
    for seat in seats:
        connection.execute(
            update(SEATS).where(SEATS.c.table_id == table, SEATS.c.seat == seat.seat).values(**asdict(seat))
        )


def delete_waiting_table(connection: Connection, table: str, revision: int) -> None:
    """Remove a table at which nothing was ever played: see `claim_revision`."""
    claim_revision(connection, table, revision)
    connection.execute(delete(SEATS).where(SEATS.c.table_id == table))
    connection.execute(delete(TABLES).where(TABLES.c.id == table))


def link_rematch(connection: Connection, table: str, successor: str) -> None:
    """Conflict if there is a rematch already."""
    wanted = update(TABLES).where(TABLES.c.id == table, TABLES.c.rematch_id.is_(None)).values(rematch_id=successor)
    if connection.execute(wanted.returning(TABLES.c.id)).first() is None:
        raise RevisionConflictError(table)


def append_entries(connection: Connection, moves: Sequence[JournalAppend]) -> None:
    """Add to journals. Conflict if one of these plies or keys is there already, or the ply before is not.
    CommandRefusedError if the data of one of the guests that sent them were deleted."""
    moves = sorted(moves, key=attrgetter("table"))  # as all processes do it: two would wait for each other
    entries = [(m.table, *entry, m.entries[0].ply) for m in moves for entry in m.entries]
    sent = [(m.table, m.submission) for m in moves if m.submission]
    keys = [(table, s.guest_id, s.key, s.request_body, s.journal_length, digest_of(s.guest_id)) for table, s in sent]
    falls = [(m.table, *m.falls) for m in moves if m.falls]
    values = {name: encode(these).decode() for name, these in (("entries", entries), ("submissions", keys))}
    if falls:
        values["falls"] = encode(falls).decode()
    kept = 0
    if (keys or falls) and connection.dialect.name == "postgresql":
        written, kept = connection.execute(COMMIT_WITH_FLAGS_SQL if falls else COMMIT_SQL, values).one()
    else:
        written = connection.execute(APPEND_SQL[connection.dialect.name], values).rowcount
        if keys:
            kept = connection.execute(KEEP_SUBMISSION_SQL, values).rowcount
        if falls:
            connection.execute(SET_NEXT_FLAG_SQL, values)
    if (written, kept) != (len(entries), len(keys)):
        lock_guests(connection, (submission.guest_id for _, submission in sent))
        raise RevisionConflictError


def end_game(connection: Connection, table: str, ended: int, results: Sequence[SeatResult] = ()) -> None:
    """The game is over."""
    connection.execute(update(TABLES).where(TABLES.c.id == table).values(ended_at=ended))
    connection.execute(insert(RESULTS), [{"table_id": table, **result._asdict()} for result in results])


def find_submission(connection: Connection, table: str, guest: str, key: str) -> Submission | None:
    s = IDEMPOTENCY_KEYS.c
    wanted = select(s.guest_id, s.key, s.request_body, s.journal_length).where(
        s.table_id == table, s.guest_id == guest, s.key == key
    )
    found = connection.execute(wanted).first()
    return None if found is None else Submission(*found)


# --- clocks ----------------------------------------------------------------------------------------------------------


def load_tables_with_flags(connection: Connection, until: int) -> list[str]:
    """The tables at which a flag may fall by then."""
    wanted = select(TABLES.c.id).where(TABLES.c.next_flag_at <= until, TABLES.c.ended_at.is_(None))
    return list(connection.execute(wanted).scalars())


def save_pauses(connection: Connection, table: str, left: Iterable[int], back: Iterable[int], at: int) -> None:
    """From now on no time runs for the seats that are left to bots; it does again for those whose players are back."""
    for seat in left:
        connection.execute(insert(CLOCK_PAUSES), {"table_id": table, "seat": seat, "started_at": at})
    s = CLOCK_PAUSES.c
    still = update(CLOCK_PAUSES).where(s.table_id == table, s.seat.in_(list(back)), s.ended_at.is_(None))
    connection.execute(still.values(ended_at=at))


def load_pauses(connection: Connection, table: str | None) -> list[ClockPause]:
    """When no time ran at this table; None: when the house was closed, as far as that can be read."""
    s = CLOCK_PAUSES.c
    if table is None:
        wanted = _CLOSED[1].where(s.ended_at.is_not(None)).order_by(s.id)
        return readable(connection, wanted, _CLOSED[2], _CLOSED[0])
    rows = connection.execute(select(s.seat, s.started_at, s.ended_at).where(s.table_id == table).order_by(s.id)).all()
    return validate_row([tuple(row) for row in rows], list[ClockPause])


def save_open_note(connection: Connection, at: int, gaps: Iterable[Gap] = ()) -> int:
    """The house is open at this moment: were it to close, no time would run from now on.

    Args:
        gaps: In which no time passed for this process. What remains of a gap after another process last said that the
            house is open is kept as time in which it was closed.

    Returns:
        The milliseconds that were kept of the gaps.
    """
    given_back = 0
    for gap in gaps:
        closed = Gap(max([gap.since, *_last_open_note(connection)]), gap.until)
        if closed.until - closed.since > timekeeping.GAP_MS and _pause_while_closed(connection, closed):
            given_back += closed.until - closed.since
    s = CLOCK_PAUSES.c
    here = select(s.id).where(s.table_id.is_(None), s.ended_at.is_(None))
    if connection.execute(here).first() is None:
        connection.execute(insert(CLOCK_PAUSES), {"started_at": at})
    else:  # unless another process is ahead, or is saying it just now
        this = s.id.in_(here.with_for_update(skip_locked=True))
        connection.execute(update(CLOCK_PAUSES).where(this, ~s.started_at.between(at, LAST)).values(started_at=at))
    return given_back


def _last_open_note(connection: Connection) -> list[int]:
    """Return when a process last said that the house is open; nothing if none ever did. Another process that asks
    waits until this transaction is over."""
    s = CLOCK_PAUSES.c
    wanted = select(s.started_at).where(s.table_id.is_(None), s.ended_at.is_(None)).with_for_update()
    return [since for since in connection.execute(wanted).scalars() if isinstance(since, int)]  # else it is damaged


def _pause_while_closed(connection: Connection, closed: Gap) -> bool:
    """No player's time ran while the house was closed. Returns False if there are no clocks that could have run."""
    t = TABLES.c
    clocks = t.clock.is_not(None) & t.started_at.is_not(None) & t.ended_at.is_(None)
    if not connection.execute(select(t.id).where(clocks).limit(1)).first():
        return False
    if closed.until > closed.since:
        connection.execute(insert(CLOCK_PAUSES), {"started_at": closed.since, "ended_at": closed.until})
    falls = t.next_flag_at + (closed.until - closed.since)  # earlier, where time went back
    connection.execute(update(TABLES).where(t.next_flag_at.is_not(None)).values(next_flag_at=falls))
    return True


def has_open_note_since(connection: Connection, since: int) -> bool:
    """Has somebody said since then that the house is open?"""
    s = CLOCK_PAUSES.c
    said = select(s.id).where(s.table_id.is_(None), s.ended_at.is_(None), s.started_at >= since)
    return connection.execute(said).first() is not None


class OpeningState(NamedTuple):
    """What is known when a process begins. `closed`: when the house was closed while there were clocks. `corrected`:
    games with clocks had times in the future, which were changed."""

    closed: list[ClockPause]
    corrected: bool = False


def open_server(connection: Connection, at: int) -> OpeningState:
    """The house opens."""
    last = _last_open_note(connection)
    corrected = _correct_times(connection, at)
    for since in last:
        _pause_while_closed(connection, Gap(since, at))
    save_open_note(connection, at)
    return OpeningState(load_pauses(connection, None), corrected)


def join_server(connection: Connection, at: int) -> OpeningState:
    """The house is open already, by another process."""
    save_open_note(connection, at)
    return OpeningState(load_pauses(connection, None))


def _correct_times(connection: Connection, at: int) -> bool:
    """Change what clocks are worked out from, where it is later than this moment, to this moment. Returns whether
    there was any: each time the house opens or says that it is open it leaves a time in STILLS, so no more is looked
    through where none of those is later."""
    s, t, j = CLOCK_PAUSES.c, TABLES.c, JOURNAL.c
    empty = delete(CLOCK_PAUSES).where(s.started_at.between(s.ended_at, LAST))
    connection.execute(empty)

    def later(time: Column[int]) -> ColumnElement[bool]:
        return time.between(at + 1, LAST)

    if not connection.execute(select(s.id).where(later(s.started_at) | later(s.ended_at)).limit(1)).first():
        return False
    timed = t.clock.is_not(None) & t.ended_at.is_(None)
    connection.execute(
        update(JOURNAL).where(later(j.played_at), j.table_id.in_(select(t.id).where(timed))).values(played_at=at)
    )
    connection.execute(update(TABLES).where(timed, later(t.started_at)).values(started_at=at))
    for time in (s.started_at, s.ended_at):
        connection.execute(update(CLOCK_PAUSES).where(later(time)).values({time: at}))
    connection.execute(empty)
    return True


def save_review(connection: Connection, table: str, form: int, text: str) -> None:
    """A finished game, analysed, in place of what there may be of it in another form."""
    connection.execute(delete(REVIEWS).where(REVIEWS.c.table_id == table))
    connection.execute(insert_new(connection, REVIEWS), {"table_id": table, "format_version": form, "body": text})


def load_review(connection: Connection, table: str, form: int) -> str | None:
    """What was made of a finished game, in this form; None: nothing."""
    wanted = select(REVIEWS.c.body).where(REVIEWS.c.table_id == table, REVIEWS.c.format_version == form)
    found: str | None = connection.execute(wanted).scalar()
    return found


def load_notification_settings(connection: Connection) -> list[NotificationSetting]:
    return readable(connection, _REACH[1], _REACH[2], _REACH[0])


def save_notification_setting(connection: Connection, reach: NotificationSetting) -> None:
    """Who is told in no way is forgotten."""
    if reach.email or reach.webhook_url:
        lock_guests(connection, [reach.guest_id])
    connection.execute(delete(NOTIFICATION_SETTINGS).where(NOTIFICATION_SETTINGS.c.guest_id == reach.guest_id))
    if reach.email or reach.webhook_url:
        connection.execute(insert(NOTIFICATION_SETTINGS), asdict(reach))


def load_pending_notifications(connection: Connection) -> set[tuple[str, str]]:
    """Tables that are not over, and guests to whom a message was sent that they have not followed yet."""
    over = select(TABLES.c.id).where(TABLES.c.ended_at.is_not(None))
    connection.execute(delete(PENDING_NOTIFICATIONS).where(PENDING_NOTIFICATIONS.c.table_id.in_(over)))
    rows = connection.execute(
        select(PENDING_NOTIFICATIONS.c.table_id, PENDING_NOTIFICATIONS.c.guest_id).where(
            PENDING_NOTIFICATIONS.c.is_sent == 1
        )
    )
    return {(row.table_id, row.guest_id) for row in rows}


def open_notification(connection: Connection, table: str, guest: str) -> bool:
    """A message is to be sent. False: one was, by another process."""
    lock_guests(connection, [guest])
    key = {"table_id": table, "guest_id": guest}
    connection.execute(insert_new(connection, PENDING_NOTIFICATIONS), {**key, "is_sent": 0})
    return connection.execute(select(PENDING_NOTIFICATIONS.c.is_sent).filter_by(**key)).scalar() == 0


def save_notification(connection: Connection, table: str, guest: str) -> None:
    """It was sent."""
    connection.execute(update(PENDING_NOTIFICATIONS).filter_by(table_id=table, guest_id=guest).values(is_sent=1))


def delete_notifications(connection: Connection, notices: Iterable[tuple[str, str]]) -> None:
    for table, guest in notices:
        connection.execute(delete(PENDING_NOTIFICATIONS).filter_by(table_id=table, guest_id=guest))


def save_chat_message(connection: Connection, table: str, said: ChatMessage) -> ChatMessage:
    """Keep it at its own time, or at the first after all that was said there. Conflict where nothing may be said."""
    lock_guests(connection, [said.guest_id])
    if connection.execute(select(TABLES.c.chat_muted).where(TABLES.c.id == table)).scalar() != 0:
        raise RevisionConflictError(table)
    s = CHAT_MESSAGES.c
    kept = insert_new(connection, CHAT_MESSAGES).returning(s.sent_at)
    while True:
        last = connection.execute(
            select(func.max(s.sent_at)).where(s.table_id == table, s.from_spectator.in_((0, 1)))
        ).scalar()
        said = replace(said, sent_at=max(said.sent_at, (last or 0) + 1))
        values = {"table_id": table, "from_spectator": int(said.seat is None), **asdict(said)}
        if connection.execute(kept, values).first() is not None:
            return said


def load_chat_messages(
    connection: Connection, table: str, gallery: bool, before: int | None, most: int
) -> list[ChatMessage]:
    """The last sayings, or the last before a time, the oldest first. `gallery`: also of those who looked on."""
    s = CHAT_MESSAGES.c
    found: list[ChatMessage] = []
    for whose in (0, 1) if gallery else (0,):
        wanted = _SAYINGS[1].where(s.table_id == table, s.from_spectator == whose)
        if before is not None:
            wanted = wanted.where(s.sent_at < before)
        found += readable(connection, wanted.order_by(s.sent_at.desc()).limit(most), _SAYINGS[2], _SAYINGS[0])
    return sorted(found, key=lambda said: said.sent_at)[-most:]

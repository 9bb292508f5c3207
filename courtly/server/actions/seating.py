"""Opening a table, seats, substitutes, links and rematches. Every change is committed before clients are notified."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection

from courtly.bots.registry import FORMER_BOT_NAMES, default_bot, list_bots
from courtly.engine.game import Game, UnknownGameError, find_game
from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.server.application import Application
from courtly.server.persistence import repository
from courtly.server.persistence.repository import RevisionConflictError, TableRow
from courtly.server.schemas.requests import NewSeat, NewTable
from courtly.server.security.signed_tokens import new_secret, new_table_id
from courtly.server.tables.table import LiveTable
from courtly.server.timekeeping import now
from courtly.session import number_exchange, schemas
from courtly.session.seat import Seat
from courtly.session.text_cleaning import clean_name

MAX_CONFLICT_RETRIES = 8  # tries of a change while other processes keep changing the table

# How much `transfer_count` grows when a seat moves to another guest. A link made at number n leads to number n + 1 only
# if that link was used. The reclaim token of its maker is therefore invalid for a seat that was left or reclaimed
# since.
TAKEN_BY_LINK = 1
NOT_BY_LINK = 2

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("courtly.server")


def retry_on_conflict(decide: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Decorator: on RevisionConflictError, try again with the reloaded table.

    After MAX_CONFLICT_RETRIES tries, CommandRefusedError (`error-stale`) is raised.
    """

    @wraps(decide)
    async def retrying(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(MAX_CONFLICT_RETRIES):
            with suppress(RevisionConflictError):
                return await decide(*args, **kwargs)
        raise CommandRefusedError("error-stale")

    return retrying


At = Callable[Concatenate[Application, LiveTable, P], Coroutine[Any, Any, T]]


def refresh_before_rejecting(decide: At[P, T]) -> At[P, T]:
    """Decorator: like `retry_on_conflict`, but also reload before rejecting, since the table in memory may be stale.

    The decorated function acquires the table's lock itself.
    """
    retrying = retry_on_conflict(decide)

    @wraps(decide)
    async def refreshing(application: Application, table: LiveTable, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await run_with_refresh(application, table, lambda: retrying(application, table, *args, **kwargs))

    return refreshing


async def run_with_refresh(application: Application, table: LiveTable, work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `work`. If it is refused and the database has a newer table, reload and try once more.

    Raises CommandRefusedError if `work` is refused with the newest table.
    """
    try:
        return await work()
    except CommandRefusedError:
        async with table.lock:
            if not await application.tables.revalidate(table):
                raise
    return await work()


def find_known_game(name: str) -> Game:
    """Return an installed game. Raises CommandRefusedError if there is none of this name."""
    try:
        return find_game(name)
    except UnknownGameError:
        raise CommandRefusedError("error-unknown-game") from None


def resolve_bot(game: Game, name: str | None) -> str:
    """Return the name of a game's bot; None: the default bot. Raises CommandRefusedError if there is no such bot."""
    if name is None:
        return default_bot(game)
    name = FORMER_BOT_NAMES.get(name, name)
    if name not in list_bots(game):
        raise CommandRefusedError("error-unknown-bot")
    return name


# --- opening ----------------------------------------------------------------------------------------------------------


def draw_table() -> tuple[str, str]:
    """Return a random id and a random secret for a new table."""
    return new_table_id(), new_secret()


async def open_table(application: Application, guest: str, body: NewTable) -> LiveTable:
    """Open a table with the guest in the seat marked "me".

    The game starts at once if no seat is open and no number is missing. Raises CommandRefusedError if the request is
    invalid or a limit is reached.
    """
    game = find_known_game(body.game)
    options = _complete_options(game, body)
    if len(body.seats) != body.players or sum(seat.kind == "me" for seat in body.seats) > 1:
        raise CommandRefusedError("error-seats")
    name = await application.guests.load_name(guest)
    seats = [
        replace(
            _new_seat(game, n, wanted_seat, guest, name, body.nonce or ""),
            help_consent=int(body.help_consent and wanted_seat.kind in ("me", "local")),
            colour=body.colour if wanted_seat.kind == "me" else None,
        )
        for n, wanted_seat in enumerate(body.seats)
    ]
    first = next((seat.seat for seat in seats if seat.kind in ("person", "local")), None)
    if first is not None:  # all players at one browser exchange one number
        seats[first] = replace(seats[first], pledge=body.pledge)
    table_id, secret = draw_table()
    clock = cast("schemas.Clock", body.clock.model_dump()) if body.clock else None
    row = TableRow(
        table_id, game.id, game.version, body.players, options, body.private, guest, secret, now(), clock=clock
    )
    return await _insert_table(application, guest, row, seats)


def _complete_options(game: Game, body: NewTable) -> dict[str, int]:
    """Return all options of the game, from defaults, preset and request. Raises CommandRefusedError if invalid."""
    presets = game.presets
    if body.preset is not None and body.preset not in presets:
        raise CommandRefusedError("error-options", why=f"there is no preset {body.preset}")
    preset = presets.get(body.preset or next(iter(presets), ""), {})
    options = {name: values[0] for name, values in game.options.items()} | preset | (body.options or {})
    try:
        if body.players not in game.players:
            raise ValueError(f"{game.id} is for {', '.join(map(str, game.players))} players, not {body.players}")
        game.State(players=body.players, **options)
    except (ValueError, TypeError) as error:
        raise CommandRefusedError("error-options", why=str(error)) from None
    return options


def _new_seat(game: Game, n: int, wanted_seat: NewSeat, guest: str, name: str, nonce: str) -> Seat:
    if wanted_seat.kind == "me":
        return Seat(n, "person", guest, name, nonce=nonce)
    if wanted_seat.kind == "local":
        return Seat(n, "local", guest, clean_name(wanted_seat.name) if wanted_seat.name else "")
    if wanted_seat.kind == "bot":
        return Seat(n, "bot", bot=resolve_bot(game, wanted_seat.bot))
    return Seat(n, "open")


async def _insert_table(
    application: Application, guest: str, row: TableRow, seats: Sequence[Seat], before: LiveTable | None = None
) -> LiveTable:
    """Store a new table and start its game if no seat is open and no number is missing.

    `before` is the table whose rematch this is. Raises RevisionConflictError if that table has a rematch already.
    """
    unfinished = [t for t in application.tables.tables_of_guest(guest) if t.status != "over" and not t.is_abandoned]
    if len(unfinished) >= application.settings.tables_per_guest:
        raise CommandRefusedError("error-too-many-tables")
    application.tables.evict_idle()
    table = LiveTable(row, seats)
    match: Match | None = None
    if number_exchange.is_complete(seats):
        match = table.make_match(seats, row.created_at)
        table.clocks = table.start_clocks(match, seats, row.created_at)
        next_flag_at = table.clocks.next_flag_at() if table.clocks else None
        ended_at = row.created_at if match.over else None
        table.row = row = replace(
            row, started_at=row.created_at, ended_at=ended_at, next_flag_at=next_flag_at, counted="events"
        )

    def write(connection: Connection) -> None:
        repository.insert_table(connection, row, seats, match.entries if match else ())
        if before:
            repository.link_rematch(connection, before.row.id, row.id)

    await (application.tables.write(before, write) if before else application.writer.do(write))
    table.match = match
    application.tables.add(table)
    for changed in [table, before] if before else [table]:
        application.peers.publish("table", t=changed.row.id)
    log.info("table %s opened: game=%s players=%d", row.id, row.game, row.players)
    application.lobby.schedule_update()
    application.schedule_flags(table)
    application.turn_notifications.notify_due(table)
    application.schedule_bots(table)
    return table


# --- seats ------------------------------------------------------------------------------------------------------------


@refresh_before_rejecting
async def sit(
    application: Application,
    table: LiveTable,
    guest: str,
    number: int | None,
    nonce: str,
    colour: schemas.SeatColor | None = None,
    pledge: str | None = None,
) -> None:
    """Give a guest an open seat; `number` None: the first open one.

    Raises CommandRefusedError if no such seat is open, or without `number` if the guest has a seat already. While the
    players of a full table exchange numbers, its seats are taken (`error-seat-taken`); afterwards the game has started
    (`error-started`).
    """
    name = await application.guests.load_name(guest)
    async with table.lock:
        _require_waiting(table)
        if number is None and table.seats_of(guest):
            raise CommandRefusedError("error-seated")
        free = next((seat.seat for seat in table.seats if seat.kind == "open"), None)
        if free is None:  # if numbers are complete, the game has started, and this process does not know yet
            raise CommandRefusedError(
                "error-started" if number_exchange.is_complete(table.seats) else "error-seat-taken"
            )
        seat = table.seat(free if number is None else number)
        if seat.kind != "open":
            raise CommandRefusedError("error-seat-taken")
        nonce = "" if pledge else nonce
        occupied = replace(seat, kind="person", guest_id=guest, name=name, nonce=nonce, colour=colour, pledge=pledge)
        await _commit_seats(application, table, occupied)


@refresh_before_rejecting
async def give_number(
    application: Application, table: LiveTable, guest: str, seat: int, pledge: str | None, nonce: str | None
) -> None:
    """Publish the pledge of a player's number, or the number. Idempotent.

    Raises CommandRefusedError("error-number") if pledges are missing, or if the number does not match its pledge.
    """
    async with table.lock:
        own_seat = table.require_own_seat(guest, seat)
        if nonce and own_seat.pledge and own_seat.nonce == nonce:
            return
        _require_waiting(table)
        if pledge:
            if pledge != own_seat.pledge:
                await _commit_seats(application, table, replace(own_seat, pledge=pledge, nonce=""))
        elif not number_exchange.is_pledged(table.seats):
            raise CommandRefusedError("error-number", why="early")
        elif number_exchange.fingerprint(nonce or "") != own_seat.pledge:
            raise CommandRefusedError("error-number", why="other")
        else:
            await _commit_seats(application, table, replace(own_seat, nonce=nonce or ""))


@retry_on_conflict
async def end_exchange(application: Application, table: LiveTable, secret: str) -> None:
    """Vacate the seats whose numbers are still missing, if the table still has this secret.

    Deletes the table if no player is left.
    """
    async with table.lock:
        if (
            table.is_removed
            or table.row.dice_secret != secret
            or not number_exchange.is_open(table.status, table.seats)
        ):
            return
        late_guests = {seat.guest_id for seat in table.seats if seat.owes_number}
        vacated = [_vacate_seat(seat) for seat in table.seats if seat.guest_id in late_guests]
        remaining = [seat for seat in table.seats if seat.guest_id and seat.guest_id not in late_guests]
        if not remaining:
            await application.tables.delete(table)
            return
        await _commit_seats(
            application, table, *vacated, host=str(remaining[0].guest_id) if table.row.host in late_guests else None
        )


@refresh_before_rejecting
async def leave(application: Application, table: LiveTable, guest: str, number: int | None) -> None:
    """Leave one of a guest's seats; `number` None: all of them.

    Before the start, the seats become open, and a table without players is deleted. During play, substitutes take the
    seats. Raises CommandRefusedError if the guest has no such seat, or the game is over.
    """
    async with table.lock:
        own_seats = [
            table.require_own_seat(guest, seat) for seat in ([number] if number is not None else table.seats_of(guest))
        ]
        if not own_seats:
            raise CommandRefusedError("error-not-yours")
        if table.status == "over":
            raise CommandRefusedError("error-over")
        if table.status == "playing":
            bot = resolve_bot(find_known_game(table.row.game), None)
            await _commit_seats(
                application,
                table,
                *(replace(seat, substitute_bot=bot) for seat in own_seats if not seat.substitute_bot),
            )
            return
        remaining = [seat for seat in table.seats if seat.guest_id and seat not in own_seats]
        if not remaining:
            await application.tables.delete(table)
            return
        host_leaves = table.row.host == guest and all(seat.guest_id != guest for seat in remaining)
        host = str(remaining[0].guest_id) if host_leaves else None
        await _commit_seats(application, table, *(_vacate_seat(seat) for seat in own_seats), host=host)


@refresh_before_rejecting
async def set_seat(
    application: Application, table: LiveTable, guest: str, seat: int, kind: schemas.Kind, bot: str | None
) -> None:
    """Give a seat to a bot, or open it. Raises CommandRefusedError if the guest is not the host."""
    async with table.lock:
        _require_waiting(table)
        if guest != table.row.host:
            raise CommandRefusedError("error-not-host")
        if table.seat(seat).guest_id == guest and table.seat(seat).kind == "person":
            raise CommandRefusedError("error-seat-taken")  # the host's own seat; `leave` opens it
        player = resolve_bot(find_known_game(table.row.game), bot) if kind == "bot" else None
        await _commit_seats(application, table, replace(_vacate_seat(table.seat(seat)), kind=kind, bot=player))


def _vacate_seat(seat: Seat) -> Seat:
    """Return the seat as open. Links that were made for it become invalid."""
    return Seat(seat.seat, "open", transfer_count=seat.transfer_count + NOT_BY_LINK)


def _require_waiting(table: LiveTable) -> None:
    """Raise CommandRefusedError if the table was removed or its game has started."""
    if table.is_removed:
        raise CommandRefusedError("error-unknown-table")
    if table.status != "waiting":
        raise CommandRefusedError("error-started")


async def _commit_seats(application: Application, table: LiveTable, *changed: Seat, host: str | None = None) -> None:
    """Commit changed seats and, if given, a new host; then notify clients.

    Starts the game if no seat is open and no number is missing any more. The caller holds the table's lock. Raises
    RevisionConflictError if another process has changed the table first: see `retry_on_conflict`.
    """
    seats, row = list(table.seats), table.row  # the decision is based on these, even if the table changes meanwhile
    for seat in changed:
        seats[seat.seat] = seat
    at = now()
    values: dict[str, Any] = {"host": host or row.host}
    if table.status == "waiting" and number_exchange.is_void(table.seats, seats):
        seats = number_exchange.without_numbers(seats)
        values |= {"dice_secret": new_secret(), "redraws": row.redraws + 1}
    changed = tuple(seat for seat in seats if seat != table.seats[seat.seat])
    starts = table.status == "waiting" and number_exchange.is_complete(seats)
    match = table.make_match(seats, at) if starts else None
    clocks = table.start_clocks(match, seats, at) if match else table.clocks
    substituted = [seat.seat for seat in changed if seat.playing_bot and not table.seats[seat.seat].playing_bot]
    returned = [seat.seat for seat in changed if not seat.playing_bot and table.seats[seat.seat].playing_bot]
    if clocks and not match:
        for seat_number in substituted:
            clocks = clocks.pause(seat_number, at)
        for seat_number in returned:
            clocks = clocks.resume(seat_number, at)
    is_timed = row.clock is not None and table.status == "playing"
    if match or is_timed:
        values["next_flag_at"] = clocks.next_flag_at() if clocks else None
    if match:
        values |= {"started_at": at, "ended_at": at if match.over else None, "counted": "events"}

    def write(connection: Connection) -> None:
        repository.save_seats(connection, row.id, row.revision, changed, **values)
        if match:
            repository.append_entries(connection, [repository.JournalAppend(row.id, match.entries)])
        elif is_timed:
            repository.save_pauses(connection, row.id, substituted, returned, at)

    await application.tables.write(table, write)
    application.peers.publish("table", t=row.id)
    viewpoints, before = table.viewpoints(), table.seats
    table.row, table.seats, table.clocks = replace(table.row, revision=row.revision + 1, **values), tuple(seats), clocks
    table.timed_out -= set(substituted)
    application.tables.index_seats(table, before)
    for seat in changed:
        table.votes.pop(seat.seat, None)
    if match:
        table.match = match
        log.info("table %s: the game begins", row.id)
    application.tables.publish_views(table, viewpoints, begins=match is not None)
    application.lobby.schedule_update()
    application.schedule_flags(table)
    application.schedule_numbers(table)
    application.turn_notifications.notify_due(table)
    application.schedule_bots(table)


@refresh_before_rejecting
async def set_help_consent(application: Application, table: LiveTable, guest: str, yes: bool) -> None:
    """Set whether a player agrees to hints. Raises CommandRefusedError if the guest has no seat."""
    async with table.lock:
        own_seats = [table.seats[seat] for seat in table.seats_of(guest)]
        if not own_seats:
            raise CommandRefusedError("error-not-yours")
        await _commit_seats(application, table, *(replace(seat, help_consent=int(yes)) for seat in own_seats))


@refresh_before_rejecting
async def set_seat_color(application: Application, table: LiveTable, guest: str, colour: schemas.SeatColor) -> None:
    """Set a player's preferred colour. Raises CommandRefusedError if the guest has no seat."""
    async with table.lock:
        own_seat = table.main_seat(guest)
        if own_seat is None:
            raise CommandRefusedError("error-not-yours")
        await _commit_seats(application, table, replace(table.seats[own_seat], colour=colour))


@refresh_before_rejecting
async def set_chat_muted(application: Application, table: LiveTable, guest: str, muted: bool) -> None:
    """Mute the chat of a table, or unmute it. Raises CommandRefusedError if the guest is not the host."""
    async with table.lock:
        if table.is_removed:
            raise CommandRefusedError("error-unknown-table")
        if guest != table.row.host:
            raise CommandRefusedError("error-not-host")
        row = table.row
        await application.tables.write(
            table, lambda c: repository.claim_revision(c, row.id, row.revision, chat_muted=int(muted))
        )
        application.peers.publish("table", t=row.id)
        table.row = replace(row, chat_muted=muted, revision=row.revision + 1)
        table.publish_table()


# --- substitutes ------------------------------------------------------------------------------------------------------


@refresh_before_rejecting
async def vote_substitute(application: Application, table: LiveTable, guest: str, seat: int) -> None:
    """Count a player's vote for a substitute for a player who is away.

    The substitute takes the seat once all connected players have voted. Raises CommandRefusedError if the voter has no
    seat, or the other player is not away for longer than the grace.
    """
    async with table.lock:
        absent_seat = table.seat(seat)
        if table.status != "playing":
            raise CommandRefusedError("error-over" if table.status == "over" else "error-not-started")
        if not table.seats_of(guest) or absent_seat.kind == "bot":  # a guest whose data were deleted holds no seat
            raise CommandRefusedError("error-not-yours", seat=seat)
        if absent_seat.substitute_bot:
            raise CommandRefusedError("error-substitute")
        connected = table.connected_guests()
        if absent_seat.guest_id == guest or absent_seat.guest_id in connected:
            raise CommandRefusedError("error-not-away")
        if grace_left := table.grace_left(absent_seat.guest_id):
            raise CommandRefusedError("error-grace", seconds=grace_left)
        application.peers.publish("vote", t=table.row.id, s=seat, g=guest)
        try:
            await _count_vote(application, table, absent_seat, guest)
        except RevisionConflictError:
            if not table.seat(seat).substitute_bot:  # otherwise another process has counted the same vote
                raise


@retry_on_conflict
async def count_vote(application: Application, table: LiveTable, guest: str, seat: int) -> None:
    """Count a vote that another process has checked."""
    async with table.lock:
        absent_seat = table.seat(seat)
        if (
            table.status == "playing"
            and not absent_seat.substitute_bot
            and absent_seat.guest_id not in (None, *table.connected_guests())
        ):
            await _count_vote(application, table, absent_seat, guest)


async def _count_vote(application: Application, table: LiveTable, absent_seat: Seat, guest: str) -> None:
    connected, votes = table.connected_guests(), table.votes.setdefault(absent_seat.seat, set())
    votes.add(guest)
    if votes >= {other.guest_id for other in table.seats if other.guest_id in connected and not other.substitute_bot}:
        await _commit_seats(
            application, table, replace(absent_seat, substitute_bot=resolve_bot(find_known_game(table.row.game), None))
        )
    else:
        table.publish_table()


def substitute_timed_out(table: LiveTable, seats: Iterable[int]) -> list[Seat]:
    """Return these seats with substitutes for players whose time was out too often."""
    bot = resolve_bot(find_known_game(table.row.game), None)
    return [replace(table.seats[seat], substitute_bot=bot) for seat in seats if not table.seats[seat].playing_bot]


def publish_substitutes(application: Application, table: LiveTable, changed: Iterable[Seat]) -> None:
    """Apply committed substitutes to the table in memory, and notify clients."""
    seats = list(table.seats)
    for seat in changed:
        seats[seat.seat] = seat
        table.votes.pop(seat.seat, None)
    table.seats = tuple(seats)
    table.publish_table()
    application.lobby.schedule_update()


@refresh_before_rejecting
async def take_back_seat(application: Application, table: LiveTable, guest: str, seat: int) -> None:
    """Replace a substitute by the seat's player. Raises CommandRefusedError if the seat has no substitute."""
    async with table.lock:
        own_seat = table.require_own_seat(guest, seat)
        if not own_seat.substitute_bot:
            raise CommandRefusedError("error-no-substitute")
        await _commit_seats(application, table, replace(own_seat, substitute_bot=None))


# --- links and rematches ----------------------------------------------------------------------------------------------


@refresh_before_rejecting
async def make_seat_link(application: Application, table: LiveTable, guest: str, seat: int) -> tuple[str, str]:
    """Return the token of a link with which another browser takes this seat once, and a reclaim token.

    With the reclaim token, the guest can take the seat back after that.
    """
    transfer_count = table.require_own_seat(guest, seat).transfer_count
    ticket = application.guests.signatures.seat_link_token(
        table.row.id, seat, transfer_count, application.guests.epochs.get(guest, 0)
    )
    return ticket, application.guests.signatures.reclaim_token(
        table.row.id, seat, transfer_count + TAKEN_BY_LINK, guest
    )


@retry_on_conflict
async def use_seat_link(
    application: Application, ticket: str, guest: str | None, only_look: bool = False
) -> tuple[LiveTable, int]:
    """Give a guest the seat of a link, unless the guest has it already. With `only_look`, change nothing.

    Returns:
        The table and the number of the seat.

    Raises:
        CommandRefusedError: error-link-false for a token that is forged or too old; error-link-used if another guest
            has used it, or the seat was left since.
    """
    ticket_fields = application.guests.signatures.read_seat_link_token(ticket)
    if ticket_fields is None:
        raise CommandRefusedError("error-link-false")
    table_id, seat, transfer_count, epoch = ticket_fields
    table = await application.tables.get(table_id)
    name = "" if guest is None else await application.guests.load_name(guest)
    async with table.lock:
        owned_seat = table.seat(seat)
        is_valid = (
            owned_seat.guest_id is not None
            and owned_seat.transfer_count == transfer_count
            and application.guests.is_valid(owned_seat.guest_id, epoch)
        )
        if not is_valid and await application.tables.revalidate(table):
            raise RevisionConflictError(table_id)
        if guest is not None and owned_seat.guest_id == guest:
            return table, seat
        if not is_valid:
            raise CommandRefusedError("error-link-used", table=table_id)
        if guest is not None and not only_look:
            occupied = replace(
                _transfer_seat(table, owned_seat, guest), kind="person", transfer_count=transfer_count + TAKEN_BY_LINK
            )
            occupied = replace(occupied, name=name or owned_seat.name, help_consent=0)  # consent to hints is personal
            await _commit_seats(application, table, occupied, host=_new_host(table, owned_seat, guest))
        return table, seat


@refresh_before_rejecting
async def reclaim_seat(application: Application, table: LiveTable, guest: str, token: str) -> None:
    """Give a seat back to the guest whose link moved it to another guest. A substitute stops.

    Raises:
        CommandRefusedError: error-not-yours if the token is forged, too old or another guest's, if its link was not
            used, or if the seat has moved again since; error-over after the end.
    """
    name = await application.guests.load_name(guest)
    async with table.lock:
        claim = application.guests.signatures.read_reclaim_token(token)
        if claim is None or (claim[0], claim[3]) != (table.row.id, guest):
            raise CommandRefusedError("error-not-yours")
        moved_seat = table.seat(claim[1])
        if moved_seat.guest_id in (None, guest) or moved_seat.transfer_count != claim[2]:
            raise CommandRefusedError("error-not-yours", seat=moved_seat.seat)
        if table.status == "over":
            raise CommandRefusedError("error-over")
        reclaimed = replace(
            _transfer_seat(table, moved_seat, guest),
            substitute_bot=None,
            transfer_count=moved_seat.transfer_count + NOT_BY_LINK,
        )
        is_only_seat = table.main_seat(guest) is None
        reclaimed = (
            replace(reclaimed, name=name or moved_seat.name) if is_only_seat else replace(reclaimed, kind="local")
        )
        await _commit_seats(application, table, reclaimed, host=_new_host(table, moved_seat, guest))


def _transfer_seat(table: LiveTable, seat: Seat, guest: str) -> Seat:
    """Return the seat with a new guest. Before the start it loses its pledge: only the old browser has the number."""
    if table.status == "waiting" and seat.pledge is not None:
        seat = replace(seat, pledge="", nonce="")
    return replace(seat, guest_id=guest)


def _new_host(table: LiveTable, left_seat: Seat, guest: str) -> str | None:
    """Return the guest as the new host if the seat was the host's only one; otherwise None."""
    return (
        guest
        if table.row.host == left_seat.guest_id and table.seats_of(left_seat.guest_id) == [left_seat.seat]
        else None
    )


@refresh_before_rejecting
async def rematch(application: Application, table: LiveTable, guest: str, pledge: str | None = None) -> LiveTable:
    """Open a table for the next game with the same seats. Later calls return the same table.

    Raises CommandRefusedError if the game is not over, or if the guest is neither a player nor the host.
    """
    async with table.lock:
        if table.status != "over":
            raise CommandRefusedError("error-not-over")
        if table.row.rematch_id:
            return await application.tables.get(table.row.rematch_id)
        if not table.seats_of(guest) and guest != table.row.host:
            raise CommandRefusedError("error-not-yours")
        finished_row = table.row
        table_id, secret = draw_table()
        row = replace(
            finished_row,
            id=table_id,
            version=find_known_game(finished_row.game).version,
            host=guest,
            dice_secret=secret,
            created_at=now(),
            started_at=None,
            ended_at=None,
            next_flag_at=None,
            counted="entries",
            redraws=0,
            revision=0,
        )
        seats = [_rematch_seat(table, seat) for seat in table.seats]
        first = next((seat.seat for seat in seats if seat.guest_id == guest and seat.pledge is not None), None)
        if first is not None and pledge:
            seats[first] = replace(seats[first], pledge=pledge)
        next_table = await _insert_table(application, guest, row, seats, table)
        table.row = replace(finished_row, rematch_id=row.id)
        table.publish_table()
        return next_table


def _rematch_seat(table: LiveTable, seat: Seat) -> Seat:
    """Return a seat for the next game.

    A player with a substitute is replaced by that bot, and a player whose data were deleted by the default bot.
    """
    if seat.substitute_bot:
        return Seat(seat.seat, "bot", bot=seat.substitute_bot)
    if seat.kind != "bot" and seat.guest_id is None:
        return Seat(seat.seat, "bot", bot=resolve_bot(find_known_game(table.row.game), None))
    return replace(seat, nonce="", pledge=None if seat.pledge is None else "", transfer_count=0)


def rename_guest(application: Application, guest: str, name: str) -> None:
    """Apply a guest's new name, which is stored already, to the guest's tables in memory."""
    for table in application.tables.tables_of_guest(guest):
        seats = tuple(
            replace(seat, name=name) if seat.guest_id == guest and seat.kind == "person" else seat
            for seat in table.seats
        )
        if table.status != "over" and seats != table.seats:
            table.seats, table.row = seats, replace(table.row, revision=table.row.revision + 1)
            table.publish_table()
            application.lobby.schedule_update()

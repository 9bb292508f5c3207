"""The HTTP API of tables and their seats."""

from __future__ import annotations

from fastapi import APIRouter, Request

from courtly.server.actions import seating
from courtly.server.http.dependencies import ApplicationDep, GuestDep, MaybeGuestDep, TableDep, limit_openings
from courtly.server.schemas.requests import (
    GiveNumber,
    Leave,
    NewTable,
    SeatRequest,
    SetColor,
    SetHelpConsent,
    SetSeat,
    Sit,
)
from courtly.session import schemas

ANY_SEAT, ALL_SEATS = Sit(), Leave()

router = APIRouter(prefix="/api")


@router.get("/tables", tags=["tables"])
async def list_tables(application: ApplicationDep, guest: MaybeGuestDep) -> schemas.Tables:
    """Return the tables that wait for players, the caller's tables, and tables that others play at."""
    await application.tables.load_tables_of_guest(guest)
    return application.lobby.describe_lists(guest)


@router.post("/tables", tags=["tables"])
async def open_table(
    body: NewTable, request: Request, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Open a table. The game starts once no seat is open and every number has been sent."""
    limit_openings(application, request)
    return (await seating.open_table(application, guest, body)).describe(guest)


@router.get("/tables/{table_id}", tags=["tables"])
async def get_table(table: TableDep, guest: MaybeGuestDep) -> schemas.TableInfo:
    """Return a table: its game, seats and status."""
    return table.describe(guest)


@router.post("/tables/{table_id}/sit", tags=["tables"])
async def sit(table: TableDep, application: ApplicationDep, guest: GuestDep, body: Sit = ANY_SEAT) -> schemas.TableInfo:
    """Take an open seat: the given one, or else the first."""
    await seating.sit(application, table, guest, body.seat, body.nonce, body.colour, body.pledge)
    return table.describe(guest)


@router.post("/tables/{table_id}/number", tags=["tables"])
async def give_number(
    body: GiveNumber, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Send the pledge of the caller's random number or, once all pledges are published, the number."""
    await seating.give_number(application, table, guest, body.seat, body.pledge, body.nonce)
    return table.describe(guest)


@router.post("/tables/{table_id}/leave", tags=["tables"])
async def leave(
    table: TableDep, application: ApplicationDep, guest: GuestDep, body: Leave = ALL_SEATS
) -> schemas.TableInfo:
    """Leave one of the caller's seats, or all. Before the start they become open; afterwards a substitute plays."""
    await seating.leave(application, table, guest, body.seat)
    return table.describe(guest)


@router.post("/tables/{table_id}/seat", tags=["tables"])
async def set_seat(body: SetSeat, table: TableDep, application: ApplicationDep, guest: GuestDep) -> schemas.TableInfo:
    """Give a seat to a bot, or open it. Only the host may do this, before the start."""
    await seating.set_seat(application, table, guest, body.seat, body.kind, body.bot)
    return table.describe(guest)


@router.post("/tables/{table_id}/substitute", tags=["tables"])
async def vote_substitute(
    body: SeatRequest, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Vote for a substitute for a player who is away. It plays once all connected players have voted."""
    await seating.vote_substitute(application, table, guest, body.seat)
    return table.describe(guest)


@router.post("/tables/{table_id}/take-seat-back", tags=["tables"])
async def take_back_seat(
    body: SeatRequest, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Take the caller's seat back from its substitute."""
    await seating.take_back_seat(application, table, guest, body.seat)
    return table.describe(guest)


@router.post("/tables/{table_id}/colour", tags=["tables"])
async def set_seat_color(
    body: SetColor, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Set the caller's preferred colour. If several players prefer the same one, the lowest seat gets it."""
    await seating.set_seat_color(application, table, guest, body.colour)
    return table.describe(guest)


@router.post("/tables/{table_id}/help-consent", tags=["tables"])
async def set_help_consent(
    body: SetHelpConsent, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Set whether the caller agrees to hints at this table. Hints are on while all players agree."""
    await seating.set_help_consent(application, table, guest, body.help_consent)
    return table.describe(guest)

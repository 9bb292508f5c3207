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
    await application.tables.load_of_guest(guest)
    return application.lobby.lists(guest)


@router.post("/tables", tags=["tables"])
async def open_table(
    wish: NewTable, request: Request, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Open a table. The game starts once no seat is open."""
    limit_openings(application, request)
    return (await seating.open_table(application, guest, wish)).describe(guest)


@router.get("/tables/{table_id}", tags=["tables"])
async def get_table(at: TableDep, guest: MaybeGuestDep) -> schemas.TableInfo:
    """Return a table: its game, seats and status."""
    return at.describe(guest)


@router.post("/tables/{table_id}/sit", tags=["tables"])
async def sit(at: TableDep, application: ApplicationDep, guest: GuestDep, wish: Sit = ANY_SEAT) -> schemas.TableInfo:
    """Take an open seat: the given one, or else the first."""
    await seating.sit(application, at, guest, wish.seat, wish.nonce, wish.colour, wish.pledge)
    return at.describe(guest)


@router.post("/tables/{table_id}/number", tags=["tables"])
async def give_number(
    wish: GiveNumber, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Send the pledge of the caller's random number or, once all pledges are published, the number."""
    await seating.give_number(application, at, guest, wish.seat, wish.pledge, wish.nonce)
    return at.describe(guest)


@router.post("/tables/{table_id}/leave", tags=["tables"])
async def leave(
    at: TableDep, application: ApplicationDep, guest: GuestDep, wish: Leave = ALL_SEATS
) -> schemas.TableInfo:
    """Leave one of the caller's seats, or all. Before the start they become open; afterwards a substitute plays."""
    await seating.leave(application, at, guest, wish.seat)
    return at.describe(guest)


@router.post("/tables/{table_id}/seat", tags=["tables"])
async def set_seat(wish: SetSeat, at: TableDep, application: ApplicationDep, guest: GuestDep) -> schemas.TableInfo:
    """Give a seat to a bot, or open it. Only the host may do this, before the start."""
    await seating.set_seat(application, at, guest, wish.seat, wish.kind, wish.bot)
    return at.describe(guest)


@router.post("/tables/{table_id}/substitute", tags=["tables"])
async def vote_substitute(
    wish: SeatRequest, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Vote for a substitute for a player who is away. It plays once all connected players have voted."""
    await seating.vote_substitute(application, at, guest, wish.seat)
    return at.describe(guest)


@router.post("/tables/{table_id}/take-seat-back", tags=["tables"])
async def take_back_seat(
    wish: SeatRequest, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Take the caller's seat back from its substitute."""
    await seating.take_back_seat(application, at, guest, wish.seat)
    return at.describe(guest)


@router.post("/tables/{table_id}/colour", tags=["tables"])
async def set_seat_color(
    wish: SetColor, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Set the caller's preferred colour. If several players prefer the same one, the lowest seat gets it."""
    await seating.set_seat_color(application, at, guest, wish.colour)
    return at.describe(guest)


@router.post("/tables/{table_id}/help-consent", tags=["tables"])
async def set_help_consent(
    wish: SetHelpConsent, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Set whether the caller agrees to hints at this table. Hints are on while all players agree."""
    await seating.set_help_consent(application, at, guest, wish.help_consent)
    return at.describe(guest)

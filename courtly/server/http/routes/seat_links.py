"""The HTTP API of links that move a seat to another device."""

from __future__ import annotations

from fastapi import APIRouter

from courtly.server.actions import seating
from courtly.server.http.dependencies import ApplicationDep, GuestDep, MaybeGuestDep, TableDep
from courtly.server.schemas.requests import ReclaimSeat, SeatRequest
from courtly.session import schemas

router = APIRouter(prefix="/api")


@router.post("/tables/{table_id}/seat-link", tags=["tables"])
async def make_seat_link(
    body: SeatRequest, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.SeatTicket:
    """Make a link that moves the caller's seat to another device, and a token that takes the seat back.

    The link works once, for one day.
    """
    ticket, reclaim_token = await seating.make_seat_link(application, table, guest, body.seat)
    return {"path": f"/j/{ticket}", "reclaim_token": reclaim_token}


@router.post("/tables/{table_id}/reclaim", tags=["tables"])
async def reclaim_seat(
    body: ReclaimSeat, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Take back a seat that was moved by the caller's link. The token works once, until the game is over."""
    await seating.reclaim_seat(application, table, guest, body.reclaim_token)
    return table.describe(guest)


@router.get("/seat-link/{ticket}", tags=["tables"])
async def describe_seat_link(ticket: str, application: ApplicationDep, guest: MaybeGuestDep) -> schemas.SeatLink:
    """Return which seat a link moves. Changes nothing, because link previews and mail scanners open links."""
    table, seat = await seating.use_seat_link(application, ticket, guest, only_look=True)
    return {"table": table.row.id, "name": table.seats[seat].name, "you": seat in table.seats_of(guest)}


@router.post("/seat-link/{ticket}", tags=["tables"])
async def use_seat_link(ticket: str, application: ApplicationDep, guest: GuestDep) -> schemas.TableInfo:
    """Take the seat that a link moves."""
    table, _ = await seating.use_seat_link(application, ticket, guest)
    return table.describe(guest)

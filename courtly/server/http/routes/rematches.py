"""The HTTP API of rematches."""

from __future__ import annotations

from fastapi import APIRouter, Request

from courtly.server.actions import seating
from courtly.server.http.dependencies import ApplicationDep, GuestDep, TableDep, limit_openings
from courtly.server.schemas.requests import Rematch
from courtly.session import schemas

NO_NUMBER = Rematch()

router = APIRouter(prefix="/api")


@router.post("/tables/{table_id}/rematch", tags=["tables"])
async def rematch(
    request: Request, table: TableDep, application: ApplicationDep, guest: GuestDep, body: Rematch = NO_NUMBER
) -> schemas.TableInfo:
    """Open a table for the next game with the same seats. Later calls return the same table."""
    if not table.row.rematch_id:
        limit_openings(application, request)
    return (await seating.rematch(application, table, guest, body.pledge)).describe(guest)

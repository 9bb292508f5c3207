"""The HTTP API of play: views, moves, previews, hints and undo."""

from __future__ import annotations

from fastapi import APIRouter, Request

from courtly.engine.schemas import Advice, View
from courtly.server.actions import seating
from courtly.server.actions.game_commands import Command, load_view, preview_moves, run_command
from courtly.server.http.dependencies import (
    ApplicationDep,
    GuestDep,
    IdempotencyKey,
    MaybeGuestDep,
    SeatParam,
    TableDep,
    client_address,
)
from courtly.server.schemas.requests import HintRequest, MakeMoves, UndoMoves

router = APIRouter(prefix="/api")


@router.get("/tables/{table_id}/view", tags=["play"])
async def get_view(
    table: TableDep, application: ApplicationDep, guest: MaybeGuestDep, seat: SeatParam = None, since: int = 0
) -> View:
    """Return the view of one of the caller's seats, or of a spectator if no seat is given, with cues from `since`."""
    return await load_view(application, table, guest, seat, since)


@router.post("/tables/{table_id}/moves", tags=["play"])
async def make_moves(
    body: MakeMoves, table: TableDep, application: ApplicationDep, guest: GuestDep, key: IdempotencyKey
) -> View:
    """Make moves in order, all or none. A repeated key returns the earlier view and makes no move."""
    return await run_command(application, table, guest, Command(body.seat, body.seq, tuple(body.moves)), key)


@router.post("/tables/{table_id}/preview", tags=["play"])
async def get_preview(body: MakeMoves, table: TableDep, application: ApplicationDep, guest: GuestDep) -> View:
    """Return what the caller would see after these moves, with their cues. Makes no move and notifies no client."""
    return await preview_moves(application, table, guest, body)


@router.post("/tables/{table_id}/advise", tags=["play"])
async def get_hint(
    body: HintRequest, request: Request, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> Advice:
    """Return each seat's probability of winning, as estimated from the caller's view, and good moves."""
    return await seating.run_with_refresh(
        application, table, lambda: application.hints.advise(table, guest, body, client_address(request))
    )


@router.post("/tables/{table_id}/undo", tags=["play"])
async def undo_moves(
    body: UndoMoves, table: TableDep, application: ApplicationDep, guest: GuestDep, key: IdempotencyKey
) -> View:
    """Take back the caller's last command, if that is allowed (`undo` of the view)."""
    return await run_command(application, table, guest, Command(body.seat, body.seq, None), key)

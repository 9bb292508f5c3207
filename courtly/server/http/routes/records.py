"""The HTTP API of finished games: records, replays, random events and reviews."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from fastapi import APIRouter, Request, Response

from courtly.engine.position import CommandRefusedError
from courtly.review.analysis import REVIEW_FORMAT
from courtly.review.schemas import Review
from courtly.server.actions import seating
from courtly.server.actions.game_commands import require_finished_match
from courtly.server.application import Application
from courtly.server.assets.bundle import asset_response
from courtly.server.http.dependencies import (
    ApplicationDep,
    GuestDep,
    MaybeGuestDep,
    TableDep,
    ViewpointParam,
    client_address,
)
from courtly.server.http.responses import RecordResponse, while_connected
from courtly.server.persistence import repository
from courtly.session import schemas
from courtly.session.chance_audit import list_random_events, record_text

T = TypeVar("T")

router = APIRouter(prefix="/api")


@router.get("/tables/{table_id}/record", tags=["play"], response_class=RecordResponse)
async def get_record(request: Request, table: TableDep, application: ApplicationDep, guest: MaybeGuestDep) -> Response:
    """Return the record of a finished game as JSON Lines."""
    match = await require_finished_match(application, table)
    names = [seat.name or seat.playing_bot or "" for seat in table.seats]
    write = partial(record_text, match, table=table.row.id, seats=names, **table.clock_record())
    text = await run_in_replay_queue(request, application, guest, write)
    headers = {"content-disposition": f'attachment; filename="{table.row.game}-{table.row.id}.jsonl"'}
    return RecordResponse(text, headers=headers)


@router.post("/tables/{table_id}/review", tags=["play"])
async def request_review(
    request: Request, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Request a review of a finished game. A game is reviewed once; `review` of the table shows the progress."""
    await require_finished_match(application, table)
    application.analysis_jobs.request(table, guest, client_address(request))
    return table.describe(guest)


@router.get("/tables/{table_id}/review", tags=["play"], responses={200: {"model": Review}})
async def get_review(table: TableDep, application: ApplicationDep) -> Response:
    """Return the review of a finished game."""

    async def load_review() -> str:
        if table.status != "over":
            raise CommandRefusedError("error-not-over")
        review_json = await application.writer.do(lambda c: repository.load_review(c, table.row.id, REVIEW_FORMAT))
        if review_json is None:
            raise CommandRefusedError("error-not-reviewed")
        return review_json

    return Response(await seating.run_with_refresh(application, table, load_review), media_type="application/json")


@router.get("/tables/{table_id}/draws", tags=["play"])
async def get_random_events(
    request: Request, table: TableDep, application: ApplicationDep, guest: MaybeGuestDep
) -> list[schemas.RandomEvent]:
    """Return every random event of a finished game with its possible outcomes: see "Chance" in docs/protocol.md."""
    match = await require_finished_match(application, table)
    return await run_in_replay_queue(request, application, guest, lambda: list_random_events(match)) or []


@router.get("/tables/{table_id}/replay", tags=["replay"], responses={200: {"model": schemas.Replay}})
async def get_replay(
    table: TableDep, request: Request, application: ApplicationDep, guest: MaybeGuestDep, seat: ViewpointParam = None
) -> Response:
    """Return all that one of the caller's seats, or a spectator, has seen.

    After the end of the game, `seat` may be any seat, or `all` for everything, including all secrets.
    """
    load_replay = partial(application.replays.replay_table, table, guest, client_address(request), seat)
    file = await while_connected(request, seating.run_with_refresh(application, table, load_replay))
    return Response() if file is None else asset_response(request, file, "no-store")


@router.post("/replay", tags=["replay"], responses={200: {"model": schemas.Replay}})
async def replay_record(
    request: Request, application: ApplicationDep, guest: MaybeGuestDep, seat: ViewpointParam = "all"
) -> Response:
    """Return the replay of a record, which is the request's body. Nothing is stored."""
    text = (await request.body()).decode(errors="replace")
    file = await while_connected(request, application.replays.replay_record(text, guest, client_address(request), seat))
    return Response() if file is None else asset_response(request, file, "no-store")


async def run_in_replay_queue(
    request: Request, application: Application, guest: str | None, work: Callable[[], Awaitable[T]]
) -> T | None:
    """Return the result of `work`, which waits in the fair queue of replays; None if the client disconnects."""

    async def run_in_turn() -> T:
        async with application.replays.turn(guest, client_address(request)):
            return await work()

    return await while_connected(request, run_in_turn())

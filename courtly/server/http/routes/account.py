"""The HTTP API of a guest's account: games played, links to another device, export and deletion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from courtly.engine.game import find_game, game_ids
from courtly.engine.position import CommandRefusedError
from courtly.server.actions import seating
from courtly.server.application import Application
from courtly.server.http.dependencies import ApplicationDep, GuestDep, MaybeGuestDep, client_address, set_cookie
from courtly.server.http.responses import RecordResponse
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.player_history import FinishedGame, HistoryCursor
from courtly.server.persistence.repository import NotificationSetting
from courtly.server.security.signed_tokens import COOKIE_NAME
from courtly.server.tables.table import LiveTable
from courtly.session import schemas

FINISHED_PAGE_SIZE = 50  # finished games in one response
EXPORT_BATCH_TABLES = 50  # tables of an export that are read at once; other writes wait meanwhile
BACKFILL_BATCH_GAMES = 20  # old games without stored results whose results one request computes

router = APIRouter(prefix="/api")


@router.get("/me/games", tags=["guest"])
async def list_my_games(application: ApplicationDep, guest: GuestDep, after: str | None = None) -> schemas.MyGames:
    """Return the caller's running games, newest finished games, and totals by game and number of players.

    Running games in which it is the caller's turn come first. With `after`, the value of `after` in the last response,
    only the next page of finished games is returned.
    """
    cursor = HistoryCursor.read(after) if after else None
    if after and not cursor:
        raise CommandRefusedError("error-malformed", where="after", problem="unreadable")
    installed = [(game, find_game(game).version) for game in game_ids()]
    for table in await application.writer.do(
        lambda c: player_history.load_without_results(c, guest, installed, BACKFILL_BATCH_GAMES)
    ):
        await _backfill_result(application, table)
    finished = await application.writer.do(
        lambda c: player_history.load_finished(c, guest, cursor, FINISHED_PAGE_SIZE + 1)
    )
    last = finished[FINISHED_PAGE_SIZE - 1].row if len(finished) > FINISHED_PAGE_SIZE else None
    if not after:
        await application.tables.load_tables_of_guest(guest)
    open_ = [table for table in application.tables.tables_of_guest(guest) if table.status != "over"]
    running = [] if after else [_running_game(table, guest) for table in open_]
    running.sort(key=lambda entry: (not entry["due"], entry["waiting_since"]))
    return {
        "running": running,
        "finished": [_finished_game(entry, guest) for entry in finished[:FINISHED_PAGE_SIZE]],
        "after": str(HistoryCursor(last.ended_at or 0, last.id)) if last else None,
        "tallies": [] if after else await application.writer.do(lambda c: player_history.load_tallies(c, guest)),
        "units": {game: units[0] for game in game_ids() if (units := find_game(game).counted)},
    }


async def _backfill_result(application: Application, table_id: str) -> None:
    """Compute the results of a finished game from its journal and store them."""
    try:
        match = (await application.tables.get(table_id)).require_match()
    except CommandRefusedError:
        return  # the game cannot be replayed here
    if match.over:
        results = player_history.results_of(match)
        await application.writer.do(lambda c: player_history.save_results(c, table_id, results))


def _running_game(table: LiveTable, guest: str) -> schemas.RunningGame:
    try:
        match = table.require_match()
    except CommandRefusedError:  # the table waits for players, or its game cannot be continued
        return {"table": table.describe(guest), "pending": [], "waiting_since": table.row.created_at, "due": False}
    pending = [] if match.over else list(match.pending)
    own_seats = {seat for seat in table.seats_of(guest) if not table.seats[seat].substitute_bot}
    # not the time of the newest entry, which would reveal that a player has made a secret choice
    since = match.noticed_at or table.row.started_at or table.row.created_at
    return {
        "table": table.describe(guest),
        "pending": pending,
        "waiting_since": since,
        "due": bool(own_seats & {*pending}),
    }


def _finished_game(game: FinishedGame, guest: str) -> schemas.FinishedGame:
    row, results = game.row, {result.seat: result for result in game.results}
    return {
        "table": row.id,
        "game": row.game,
        "players": row.players,
        "ended_at": datetime.fromtimestamp((row.ended_at or 0) / 1000, UTC).isoformat(timespec="seconds"),
        "seats": [
            {
                "seat": seat.seat,
                "kind": seat.kind,
                "name": seat.name,
                "you": seat.guest_id == guest and seat.kind == "person",
                "place": results[seat.seat].place if seat.seat in results else None,
                "points": results[seat.seat].points if seat.seat in results else None,
            }
            for seat in game.seats
        ],
        "rematch_id": row.rematch_id,
    }


# --- another device ---------------------------------------------------------------------------------------------------


@router.post("/me/identity-link", tags=["guest"])
async def make_identity_link(application: ApplicationDep, guest: GuestDep) -> schemas.OneTimeLink:
    """Make a link that signs another browser in as the caller. It works once, for one day."""
    link = await application.writer.do(lambda c: player_history.open_identity_link(c, guest))
    return {"path": f"/g/{application.guests.signatures.identity_link_token(guest, link)}"}


@router.get("/identity-link/{ticket}", tags=["guest"])
async def describe_identity_link(
    ticket: str, application: ApplicationDep, guest: MaybeGuestDep
) -> schemas.IdentityLink:
    """Return whose link this is. Changes nothing, because programs that show previews open links."""
    owner, _ = await _require_unused(application, ticket)

    async def played_by(somebody: str) -> int:
        return len(await application.writer.do(lambda c: player_history.load_unfinished(c, somebody)))

    return {
        "name": await application.guests.load_name(owner),
        "games": await played_by(owner),
        "games_left_behind": await played_by(guest) if guest and guest != owner else 0,
        "you": guest == owner,
    }


@router.post("/identity-link/{ticket}", tags=["guest"])
async def use_identity_link(
    ticket: str, request: Request, response: Response, application: ApplicationDep, _: MaybeGuestDep
) -> schemas.Me:
    """Sign this browser in as the guest who made the link."""
    owner, link = await _require_unused(application, ticket)
    epoch = await application.writer.do(lambda c: player_history.use_identity_link(c, owner, link))
    if epoch is None:
        raise CommandRefusedError("error-link-used")
    application.guests.is_valid(owner, epoch)  # learns the epoch, which another process may have begun
    set_cookie(application, request, response, owner)
    return {"id": owner, "name": await application.guests.load_name(owner)}


async def _require_unused(application: Application, ticket: str) -> tuple[str, int]:
    """Return the guest and the number of an identity link. Raises CommandRefusedError if it is invalid or used."""
    claim = application.guests.signatures.read_identity_link_token(ticket)
    if claim is None:
        raise CommandRefusedError("error-link-false")
    if not await application.writer.do(lambda c: player_history.is_identity_link_valid(c, *claim)):
        raise CommandRefusedError("error-link-used")
    return claim


@router.post("/me/sign-out", tags=["guest"])
async def sign_out(request: Request, response: Response, application: ApplicationDep, guest: GuestDep) -> schemas.Me:
    """Sign out all other browsers of the caller: their cookies and all unused links become invalid."""
    await application.guests.sign_out(guest)
    set_cookie(application, request, response, guest)
    return {"id": guest, "name": await application.guests.load_name(guest)}


# --- export and deletion ----------------------------------------------------------------------------------------------


@router.get("/me/export", tags=["guest"], response_class=RecordResponse)
async def export_account(request: Request, application: ApplicationDep, guest: GuestDep) -> Response:
    """Return all stored data of the caller as JSON Lines: id, name, notifications, games with moves, chat messages."""
    if not application.export_limit.take(guest, client_address(request)):
        raise CommandRefusedError("error-too-fast")
    name, setting = (
        await application.guests.load_name(guest),
        application.turn_notifications.settings.get(guest, NotificationSetting(guest)),
    )
    tables = await application.writer.do(lambda c: player_history.load_table_ids(c, guest))
    parts: list[dict[str, object]] = []
    for offset in range(0, len(tables), EXPORT_BATCH_TABLES):
        parts += await application.writer.do(
            partial(player_history.export_tables, guest=guest, tables=tables[offset : offset + EXPORT_BATCH_TABLES])
        )
    parts += await application.writer.do(lambda c: player_history.export_chat(c, guest))

    def lines() -> Iterator[str]:
        settings = {
            "email": setting.email,
            "webhook": setting.webhook_url,
            "webhook_format": setting.webhook_format,
            "language": setting.language,
        }
        for line in ({"id": guest, "name": name, "notifications": settings}, *parts):
            yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"

    headers = {"content-disposition": 'attachment; filename="courtly.jsonl"'}
    return StreamingResponse(lines(), media_type="application/x-ndjson", headers=headers)


@router.delete("/me", tags=["guest"])
async def delete_account(response: Response, application: ApplicationDep, guest: GuestDep) -> schemas.Me:
    """Leave all tables, delete all personal data of the caller, and delete the cookie."""
    for table_id in await application.writer.do(lambda c: player_history.load_unfinished(c, guest)):
        with suppress(CommandRefusedError):  # the game ended meanwhile, or cannot be continued
            await seating.leave(application, await application.tables.get(table_id), guest, None)
    await application.turn_notifications.forget(guest)
    await application.writer.do(lambda c: player_history.delete_guest(c, guest), is_alone=True)
    application.guests.note_deletions({repository.digest_of(guest)})
    application.peers.publish("guest", g=guest, deleted=True)
    for table in list(application.tables.tables_of_guest(guest)):
        async with table.lock:  # a write in progress uses the old seats
            before = table.seats
            table.seats = tuple(
                replace(seat, guest_id=None, name="") if seat.guest_id == guest else seat for seat in before
            )
            host = "" if table.row.host == guest else table.row.host
            if (table.seats, host) != (before, table.row.host):  # equal: the table was reloaded meanwhile
                table.row = replace(table.row, host=host, revision=table.row.revision + 1)
            application.tables.index_seats(table, before)
            table.publish_table()
    application.lobby.schedule_update()
    response.delete_cookie(COOKIE_NAME, path="/")
    return {"id": "", "name": ""}

"""The HTTP API; see docs/protocol.md.

Responses are JSON. An error response contains a message id and its parameters.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from functools import cache, partial
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response

from courtly.bots.registry import list_offered_bots, load_win_rates
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.position import CommandRefusedError
from courtly.engine.schemas import Advice, View
from courtly.review.analysis import REVIEW_FORMAT
from courtly.review.schemas import Review
from courtly.server.actions import seating
from courtly.server.actions.game_commands import Command, finished_match, preview_moves, run_command, view_of
from courtly.server.application import Application
from courtly.server.assets.bundle import Asset, asset_response, compress
from courtly.server.http.dependencies import (
    ApplicationDep,
    GuestDep,
    IdempotencyKey,
    MaybeGuestDep,
    SeatParam,
    TableDep,
    TimeParam,
    ViewpointParam,
    client_address,
    set_cookie,
)
from courtly.server.persistence import repository
from courtly.server.schemas.requests import (
    GiveNumber,
    HintRequest,
    Leave,
    MakeMoves,
    NewTable,
    PostChat,
    ReclaimSeat,
    Rematch,
    SeatRequest,
    SetChatMuted,
    SetColor,
    SetHelpConsent,
    SetName,
    SetSeat,
    Sit,
    UndoMoves,
)
from courtly.server.security.rate_limits import network_of
from courtly.server.security.signed_tokens import new_guest
from courtly.session import schemas
from courtly.session.chance_audit import list_random_events, record_text
from courtly.session.text_cleaning import clean_name

DISCONNECT_POLL_S = 0.5  # seconds between checks whether a waiting client is still connected
T = TypeVar("T")
ANY_SEAT, ALL_SEATS, NO_NUMBER = Sit(), Leave(), Rematch()
api = APIRouter(prefix="/api")


class RecordResponse(Response):
    """A response in JSON Lines."""

    media_type = "application/x-ndjson"


@api.get("/me", tags=["guest"])
async def get_me(request: Request, response: Response, application: ApplicationDep, guest: MaybeGuestDep) -> schemas.Me:
    """Return the caller's id and name. Sets a cookie with a new id if the request has none."""
    if guest is None:
        guest = new_guest()
        set_cookie(application, request, response, guest)
    return {"id": guest, "name": await application.guests.name(guest)}


@api.put("/me", tags=["guest"])
async def set_name(wish: SetName, application: ApplicationDep, guest: GuestDep) -> schemas.Me:
    """Set the caller's name: 1 to 24 characters, none of them invisible."""
    name = clean_name(wish.name)
    await application.writer.do(lambda c: repository.save_name(c, guest, name))
    application.peers.publish("guest", g=guest)
    seating.rename_guest(application, guest, name)
    return {"id": guest, "name": name}


@api.get("/games", tags=["games"], responses={200: {"model": list[schemas.GameInfo] | list[schemas.GameBrief]}})
async def list_games(request: Request, _: MaybeGuestDep, brief: bool = False) -> Response:
    """Return descriptions of all games. `brief` omits moves, events, fields and components, which only tables need."""
    return asset_response(request, describe_games(*game_ids(), brief=brief), "no-cache")


@api.get("/games/{game}", tags=["games"], responses={200: {"model": schemas.GameInfo}})
async def describe_one_game(game: str, request: Request, _: MaybeGuestDep) -> Response:
    """Return the description of a game: options, moves, events, fields of its state, components and bots."""
    return asset_response(request, describe_games(seating.find_known_game(game).id, alone=True), "no-cache")


def bot_levels(game: Game) -> list[schemas.BotLevel]:
    measured = load_win_rates(game)
    return [{"name": name, "ready": ready, "wins": measured.get(name, {})} for name, ready in list_offered_bots(game)]


TABLE_ONLY_PARTS = ("moves", "events", "fields", "components")  # parts of a description that only tables need


@cache
def describe_games(*games: str, alone: bool = False, brief: bool = False) -> Asset:
    """Return the descriptions of games as JSON: a list, or a single object if `alone`. `brief` omits some parts."""
    found: list[schemas.GameInfo] = [
        {**game.about(), "bots": bot_levels(game), "help": loader.is_available()} for game in map(find_game, games)
    ]
    left_out = TABLE_ONLY_PARTS if brief else ()
    told = [{part: said for part, said in about.items() if part not in left_out} for about in found]
    return compress(
        "application/json", json.dumps(told[0] if alone else told, ensure_ascii=False, separators=(",", ":")).encode()
    )


@api.get("/tables", tags=["tables"])
async def list_tables(application: ApplicationDep, guest: MaybeGuestDep) -> schemas.Tables:
    """Return the tables that wait for players, the caller's tables, and tables that others play at."""
    await application.tables.load_of_guest(guest)
    return application.lobby.lists(guest)


@api.post("/tables", tags=["tables"])
async def open_table(
    wish: NewTable, request: Request, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Open a table. The game starts once no seat is open."""
    limit_openings(application, request)
    return (await seating.open_table(application, guest, wish)).describe(guest)


def limit_openings(application: Application, request: Request) -> None:
    """Raise CommandRefusedError if the client's address has opened too many tables."""
    if not application.table_limit.take(network_of(client_address(request))):
        raise CommandRefusedError("error-too-fast")


@api.get("/tables/{table_id}", tags=["tables"])
async def get_table(at: TableDep, guest: MaybeGuestDep) -> schemas.TableInfo:
    """Return a table: its game, seats and status."""
    return at.describe(guest)


@api.post("/tables/{table_id}/sit", tags=["tables"])
async def sit(at: TableDep, application: ApplicationDep, guest: GuestDep, wish: Sit = ANY_SEAT) -> schemas.TableInfo:
    """Take an open seat: the given one, or else the first."""
    await seating.sit(application, at, guest, wish.seat, wish.nonce, wish.colour, wish.pledge)
    return at.describe(guest)


@api.post("/tables/{table_id}/number", tags=["tables"])
async def give_number(
    wish: GiveNumber, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Send the pledge of the caller's random number or, once all pledges are published, the number."""
    await seating.give_number(application, at, guest, wish.seat, wish.pledge, wish.nonce)
    return at.describe(guest)


@api.post("/tables/{table_id}/leave", tags=["tables"])
async def leave(
    at: TableDep, application: ApplicationDep, guest: GuestDep, wish: Leave = ALL_SEATS
) -> schemas.TableInfo:
    """Leave one of the caller's seats, or all. Before the start they become open; afterwards a substitute plays."""
    await seating.leave(application, at, guest, wish.seat)
    return at.describe(guest)


@api.post("/tables/{table_id}/seat", tags=["tables"])
async def set_seat(wish: SetSeat, at: TableDep, application: ApplicationDep, guest: GuestDep) -> schemas.TableInfo:
    """Give a seat to a bot, or open it. Only the host may do this, before the start."""
    await seating.set_seat(application, at, guest, wish.seat, wish.kind, wish.bot)
    return at.describe(guest)


@api.post("/tables/{table_id}/standin", tags=["tables"])
async def vote_substitute(
    wish: SeatRequest, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Vote for a substitute for a player who is away. It plays once all connected players have voted."""
    await seating.vote_standin(application, at, guest, wish.seat)
    return at.describe(guest)


@api.post("/tables/{table_id}/back", tags=["tables"])
async def take_back_seat(
    wish: SeatRequest, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Take the caller's seat back from its substitute."""
    await seating.take_back_seat(application, at, guest, wish.seat)
    return at.describe(guest)


@api.post("/tables/{table_id}/colour", tags=["tables"])
async def set_seat_color(
    wish: SetColor, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Set the caller's preferred colour. If several players prefer the same one, the lowest seat gets it."""
    await seating.set_seat_color(application, at, guest, wish.colour)
    return at.describe(guest)


@api.post("/tables/{table_id}/help", tags=["tables"])
async def set_help_consent(
    wish: SetHelpConsent, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Set whether the caller agrees to hints at this table. Hints are on while all players agree."""
    await seating.set_help_consent(application, at, guest, wish.yes)
    return at.describe(guest)


@api.get("/tables/{table_id}/talk", tags=["talk"])
async def read_chat(
    at: TableDep, application: ApplicationDep, guest: MaybeGuestDep, before: TimeParam | None = None
) -> schemas.ChatPage:
    """Return the newest chat messages, or the newest before a time.

    Players receive messages of spectators only after the end of the game.
    """
    return await application.chat.read(at, guest, before)


@api.post("/tables/{table_id}/talk", tags=["talk"])
async def post_chat(
    wish: PostChat, request: Request, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.ChatMessage:
    """Post a chat message: 1 to 500 characters, or a courtesy, which each client shows in its own language."""
    return await seating.run_with_refresh(
        application, at, lambda: application.chat.say(at, guest, wish, client_address(request))
    )


@api.post("/tables/{table_id}/quiet", tags=["talk"])
async def set_chat_muted(
    wish: SetChatMuted, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Mute the chat of this table, or unmute it. Only the host may do this."""
    await seating.set_chat_muted(application, at, guest, wish.quiet)
    return at.describe(guest)


@api.post("/tables/{table_id}/rematch", tags=["tables"])
async def rematch(
    request: Request, at: TableDep, application: ApplicationDep, guest: GuestDep, wish: Rematch = NO_NUMBER
) -> schemas.TableInfo:
    """Open a table for the next game with the same seats. Later calls return the same table."""
    if not at.row.rematch_id:
        limit_openings(application, request)
    return (await seating.rematch(application, at, guest, wish.pledge)).describe(guest)


@api.post("/tables/{table_id}/ticket", tags=["tables"])
async def make_seat_link(
    wish: SeatRequest, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.SeatTicket:
    """Make a link that moves the caller's seat to another device, and a token that takes the seat back.

    The link works once, for one day.
    """
    ticket, recall = await seating.make_seat_link(application, at, guest, wish.seat)
    return {"path": f"/j/{ticket}", "recall": recall}


@api.post("/tables/{table_id}/recall", tags=["tables"])
async def reclaim_seat(
    wish: ReclaimSeat, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Take back a seat that was moved by the caller's link. The token works once, until the game is over."""
    await seating.reclaim_seat(application, at, guest, wish.recall)
    return at.describe(guest)


@api.get("/seat/{ticket}", tags=["tables"])
async def describe_seat_link(ticket: str, application: ApplicationDep, guest: MaybeGuestDep) -> schemas.SeatLink:
    """Return which seat a link moves. Changes nothing, because link previews and mail scanners open links."""
    at, seat = await seating.use_seat_link(application, ticket, guest, only_look=True)
    return {"table": at.row.id, "name": at.seats[seat].name, "you": seat in at.held(guest)}


@api.post("/seat/{ticket}", tags=["tables"])
async def use_seat_link(ticket: str, application: ApplicationDep, guest: GuestDep) -> schemas.TableInfo:
    """Take the seat that a link moves."""
    at, _ = await seating.use_seat_link(application, ticket, guest)
    return at.describe(guest)


@api.get("/tables/{table_id}/record", tags=["play"], response_class=RecordResponse)
async def get_record(request: Request, at: TableDep, application: ApplicationDep, guest: MaybeGuestDep) -> Response:
    """Return the record of a finished game as JSON Lines."""
    match = await finished_match(application, at)
    names = [seat.name or seat.player or "" for seat in at.seats]
    write = partial(record_text, match, table=at.row.id, seats=names, **at.timing())
    text = await written_out(request, application, guest, write)
    headers = {"content-disposition": f'attachment; filename="{at.row.game}-{at.row.id}.jsonl"'}
    return RecordResponse(text, headers=headers)


@api.post("/tables/{table_id}/review", tags=["play"])
async def request_review(
    request: Request, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Request a review of a finished game. A game is reviewed once; `review` of the table shows the progress."""
    await finished_match(application, at)
    application.analysis_jobs.ask(at, guest, client_address(request))
    return at.describe(guest)


@api.get("/tables/{table_id}/review", tags=["play"], responses={200: {"model": Review}})
async def get_review(at: TableDep, application: ApplicationDep) -> Response:
    """Return the review of a finished game."""

    async def made() -> str:
        if at.status != "over":
            raise CommandRefusedError("error-not-over")
        found = await application.writer.do(lambda c: repository.load_review(c, at.row.id, REVIEW_FORMAT))
        if found is None:
            raise CommandRefusedError("error-not-reviewed")
        return found

    return Response(await seating.run_with_refresh(application, at, made), media_type="application/json")


@api.get("/tables/{table_id}/draws", tags=["play"])
async def get_random_events(
    request: Request, at: TableDep, application: ApplicationDep, guest: MaybeGuestDep
) -> list[schemas.RandomEvent]:
    """Return every random event of a finished game with its possible outcomes: see "Chance" in docs/protocol.md."""
    match = await finished_match(application, at)
    return await written_out(request, application, guest, lambda: list_random_events(match)) or []


@api.get("/tables/{table_id}/replay", tags=["replay"], responses={200: {"model": schemas.Replay}})
async def get_replay(
    at: TableDep, request: Request, application: ApplicationDep, guest: MaybeGuestDep, seat: ViewpointParam = None
) -> Response:
    """Return all that one of the caller's seats, or a spectator, has seen.

    After the end of the game, `seat` may be any seat, or `all` for everything, including all secrets.
    """
    asked = partial(application.replays.of_table, at, guest, client_address(request), seat)
    file = await while_connected(request, seating.run_with_refresh(application, at, asked))
    return Response() if file is None else asset_response(request, file, "no-store")


@api.post("/replay", tags=["replay"], responses={200: {"model": schemas.Replay}})
async def replay_record(
    request: Request, application: ApplicationDep, guest: MaybeGuestDep, seat: ViewpointParam = "all"
) -> Response:
    """Return the replay of a record, which is the request's body. Nothing is stored."""
    text = (await request.body()).decode(errors="replace")
    file = await while_connected(request, application.replays.of_record(text, guest, client_address(request), seat))
    return Response() if file is None else asset_response(request, file, "no-store")


async def written_out(
    request: Request, application: Application, guest: str | None, work: Callable[[], Awaitable[T]]
) -> T | None:
    """Return the result of `work`, which waits in the fair queue of replays; None if the client disconnects."""

    async def in_turn() -> T:
        async with application.replays.turn(guest, client_address(request)):
            return await work()

    return await while_connected(request, in_turn())


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """Return the result of `work`. If the client disconnects, cancel the work and return None."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=DISCONNECT_POLL_S)
            if not task.done() and await request.is_disconnected():
                return None
        return task.result()
    finally:
        task.cancel()


@api.get("/tables/{table_id}/view", tags=["play"])
async def get_view(
    at: TableDep, application: ApplicationDep, guest: MaybeGuestDep, seat: SeatParam = None, since: int = 0
) -> View:
    """Return the view of one of the caller's seats, or of a spectator if no seat is given, with cues from `since`."""
    return await view_of(application, at, guest, seat, since)


@api.post("/tables/{table_id}/moves", tags=["play"])
async def make_moves(
    wish: MakeMoves, at: TableDep, application: ApplicationDep, guest: GuestDep, key: IdempotencyKey
) -> View:
    """Make moves in order, all or none. A repeated key returns the earlier view and makes no move."""
    return await run_command(application, at, guest, Command(wish.seat, wish.seq, tuple(wish.moves)), key)


@api.post("/tables/{table_id}/foresee", tags=["play"])
async def get_preview(wish: MakeMoves, at: TableDep, application: ApplicationDep, guest: GuestDep) -> View:
    """Return what the caller would see after these moves, with their cues. Makes no move and notifies no client."""
    return await preview_moves(application, at, guest, wish)


@api.post("/tables/{table_id}/advise", tags=["play"])
async def get_hint(
    wish: HintRequest, request: Request, at: TableDep, application: ApplicationDep, guest: GuestDep
) -> Advice:
    """Return each seat's probability of winning, as estimated from the caller's view, and good moves."""
    return await seating.run_with_refresh(
        application, at, lambda: application.hints.advise(at, guest, wish, client_address(request))
    )


@api.post("/tables/{table_id}/undo", tags=["play"])
async def undo_moves(
    wish: UndoMoves, at: TableDep, application: ApplicationDep, guest: GuestDep, key: IdempotencyKey
) -> View:
    """Take back the caller's last command, if that is allowed (`undo` of the view)."""
    return await run_command(application, at, guest, Command(wish.seat, wish.seq, None), key)

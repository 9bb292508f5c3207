"""The HTTP commands; see docs/protocol.md. Every answer is JSON, every refusal a message id with its parameters."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from pydantic import BeforeValidator
from starlette.requests import HTTPConnection

from courtly.bots.registry import list_offered_bots, load_win_rates
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.position import CommandRefusedError
from courtly.engine.schemas import Advice, View
from courtly.review.analysis import REVIEW_FORMAT
from courtly.review.schemas import Review
from courtly.server.actions import seating
from courtly.server.actions.game_commands import Command, command, finished, foresee, look
from courtly.server.application import House
from courtly.server.assets.bundle import File, pack, send
from courtly.server.persistence import repository
from courtly.server.schemas.requests import (
    Consent,
    GiveNumber,
    Hush,
    Key,
    Leave,
    MakeMoves,
    Name,
    NewTable,
    OneSeat,
    Paint,
    Recall,
    Rematch,
    Say,
    SetSeat,
    Sit,
    TakeBack,
    Wonder,
)
from courtly.server.security.rate_limits import household
from courtly.server.security.signed_tokens import COOKIE, COOKIE_AGE, new_guest
from courtly.server.tables.table import Table
from courtly.server.tables.table_seeds import HEADER
from courtly.session import schemas
from courtly.session.chance_audit import draws, record_text
from courtly.session.text_cleaning import clean_name


def the_house(request: Request) -> House:
    house: House = request.app.state.house
    return house


# FastAPI calls each dependency that is no coroutine in a thread of its own: several hops for every request.


async def _house(request: Request) -> House:
    return the_house(request)


def address(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


async def asking(request: Request) -> str | None:
    """The guest whose cookie came along, if any. CommandRefusedError if that guest, or an address, asks too often."""
    house = the_house(request)
    guest = house.guest(request)
    if not house.commands.take(guest, address(request)):
        raise CommandRefusedError("error-too-fast")
    return guest


async def known(guest: Annotated[str | None, Depends(asking)]) -> str:
    """The guest. CommandRefusedError without a cookie."""
    if guest is None:
        raise CommandRefusedError("error-no-cookie")
    return guest


def give_cookie(house: House, request: Request, response: Response, guest: str) -> None:
    response.set_cookie(
        COOKIE,
        house.cookie(guest),
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )


async def at_table(
    table_id: str, house: Annotated[House, Depends(_house)], _: Annotated[str | None, Depends(asking)]
) -> Table:
    return await house.table(table_id)


The = Annotated[House, Depends(_house)]
Anyone = Annotated[str | None, Depends(asking)]
Guest = Annotated[str, Depends(known)]
At = Annotated[Table, Depends(at_table)]
MaybeSeat = Annotated[int | None, BeforeValidator(lambda text: None if text in ("", "null") else text)]
WhoseEyes = Annotated[int | Literal["all"] | None, BeforeValidator(lambda text: None if text in ("", "null") else text)]
Time = Annotated[int, Query(ge=0, lt=1 << 63)]  # milliseconds since 1970, as a database can hold them
OnceKey = Annotated[Key, Header(alias="Idempotency-Key")]

GONE_CHECK_S = 0.5  # between two looks whether a client that waits is still there
T = TypeVar("T")
ANY_SEAT, ALL_SEATS, NO_NUMBER = Sit(), Leave(), Rematch()
api = APIRouter(prefix="/api")


class Record(Response):
    """JSON Lines."""

    media_type = "application/x-ndjson"


@api.get("/me", tags=["guest"])
async def me(request: Request, response: Response, house: The, guest: Anyone) -> schemas.Me:
    """Who I am. Makes a cookie if there is none."""
    if guest is None:
        guest = new_guest()
        give_cookie(house, request, response, guest)
    return {"id": guest, "name": await house.name(guest)}


@api.put("/me", tags=["guest"])
async def rename(wish: Name, house: The, guest: Guest) -> schemas.Me:
    """Take a name: 1 to 24 characters, none of them invisible."""
    name = clean_name(wish.name)
    await house.writer.do(lambda c: repository.save_name(c, guest, name))
    house.peers.tell("guest", g=guest)
    seating.rename(house, guest, name)
    return {"id": guest, "name": name}


@api.get("/games", tags=["games"], responses={200: {"model": list[schemas.About] | list[schemas.Brief]}})
async def games(request: Request, _: Anyone, brief: bool = False) -> Response:
    """All games, each described; `brief`: without what only counts at a table, the moves, events, fields and
    components."""
    return send(request, described(*game_ids(), brief=brief), "no-cache")


@api.get("/games/{game}", tags=["games"], responses={200: {"model": schemas.About}})
async def game(game: str, request: Request, _: Anyone) -> Response:
    """A game: options, moves, events, fields of its state, components, bots."""
    return send(request, described(seating.known_game(game).id, alone=True), "no-cache")


def levels(game: Game) -> list[schemas.Level]:
    measured = load_win_rates(game)
    return [{"name": name, "ready": ready, "wins": measured.get(name, {})} for name, ready in list_offered_bots(game)]


AT_A_TABLE = ("moves", "events", "fields", "components")  # what only counts there


@cache
def described(*games: str, alone: bool = False, brief: bool = False) -> File:
    """What is known of these games before they start, as JSON: a list, or one `alone`."""
    found: list[schemas.About] = [
        {**game.about(), "bots": levels(game), "help": loader.is_available()} for game in map(find_game, games)
    ]
    left_out = AT_A_TABLE if brief else ()
    told = [{part: said for part, said in about.items() if part not in left_out} for about in found]
    return pack(
        "application/json", json.dumps(told[0] if alone else told, ensure_ascii=False, separators=(",", ":")).encode()
    )


@api.get("/tables", tags=["tables"])
async def tables(house: The, guest: Anyone) -> schemas.Tables:
    """Tables that wait for players, those where I sit, and those where others play."""
    await house.take_up_mine(guest)
    return house.lobby.lists(guest)


@api.post("/tables", tags=["tables"])
async def open_table(wish: NewTable, request: Request, house: The, guest: Guest) -> schemas.TableInfo:
    """Open a table. The game starts as soon as no seat is open."""
    may_open(house, request)
    return (await seating.open_table(house, guest, wish, request.headers.get(HEADER))).describe(guest)


def may_open(house: House, request: Request) -> None:
    if not house.openings.take(household(address(request))):
        raise CommandRefusedError("error-too-fast")


@api.get("/tables/{table_id}", tags=["tables"])
async def table(at: At, guest: Anyone) -> schemas.TableInfo:
    return at.describe(guest)


@api.post("/tables/{table_id}/sit", tags=["tables"])
async def sit(at: At, house: The, guest: Guest, wish: Sit = ANY_SEAT) -> schemas.TableInfo:
    """Take an open seat: this one, or the first."""
    await seating.sit(house, at, guest, wish.seat, wish.nonce, wish.colour, wish.pledge)
    return at.describe(guest)


@api.post("/tables/{table_id}/number", tags=["tables"])
async def give_number(wish: GiveNumber, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Send the fingerprint of my random number; or, once all fingerprints are published, the number."""
    await seating.give_number(house, at, guest, wish.seat, wish.pledge, wish.nonce)
    return at.describe(guest)


@api.post("/tables/{table_id}/leave", tags=["tables"])
async def leave(at: At, house: The, guest: Guest, wish: Leave = ALL_SEATS) -> schemas.TableInfo:
    """Leave one of my seats, or all. Before the start they are open again; during play a bot stands in."""
    await seating.leave(house, at, guest, wish.seat)
    return at.describe(guest)


@api.post("/tables/{table_id}/seat", tags=["tables"])
async def seat(wish: SetSeat, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """As host, before the start: give a seat to a bot, or open it."""
    await seating.set_seat(house, at, guest, wish.seat, wish.kind, wish.bot)
    return at.describe(guest)


@api.post("/tables/{table_id}/standin", tags=["tables"])
async def standin(wish: OneSeat, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Ask that a bot play on for somebody who is away. It does when all players who are here have asked."""
    await seating.vote_standin(house, at, guest, wish.seat)
    return at.describe(guest)


@api.post("/tables/{table_id}/back", tags=["tables"])
async def back(wish: OneSeat, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Take my seat back from the bot."""
    await seating.take_back_seat(house, at, guest, wish.seat)
    return at.describe(guest)


@api.post("/tables/{table_id}/colour", tags=["tables"])
async def paint(wish: Paint, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Wish for a colour. Of those who wish for the same, the first in the order of the seats has it."""
    await seating.paint(house, at, guest, wish.colour)
    return at.describe(guest)


@api.post("/tables/{table_id}/help", tags=["tables"])
async def agree(wish: Consent, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Say whether I want help at this table. There is help while all who play say yes."""
    await seating.agree(house, at, guest, wish.yes)
    return at.describe(guest)


@api.get("/tables/{table_id}/talk", tags=["talk"])
async def talk(at: At, house: The, guest: Anyone, before: Time | None = None) -> schemas.Talk:
    """The last that was said, or the last before a time. Of those who look on, players hear after the end."""
    return await house.talk.read(at, guest, before)


@api.post("/tables/{table_id}/talk", tags=["talk"])
async def say(wish: Say, request: Request, at: At, house: The, guest: Guest) -> schemas.Saying:
    """Say something: 1 to 500 characters, or a courtesy, which everybody gets in their own language."""
    return await seating.heard(house, at, lambda: house.talk.say(at, guest, wish, address(request)))


@api.post("/tables/{table_id}/quiet", tags=["talk"])
async def hush(wish: Hush, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """As host: let nothing be said at this table, or let it be again."""
    await seating.hush(house, at, guest, wish.quiet)
    return at.describe(guest)


@api.post("/tables/{table_id}/rematch", tags=["tables"])
async def rematch(request: Request, at: At, house: The, guest: Guest, wish: Rematch = NO_NUMBER) -> schemas.TableInfo:
    """The next game in the same seats. The first call makes it, later ones return it."""
    if not at.row.next:
        may_open(house, request)
    return (await seating.rematch(house, at, guest, request.headers.get(HEADER), wish.pledge)).describe(guest)


@api.post("/tables/{table_id}/ticket", tags=["tables"])
async def ticket(wish: OneSeat, at: At, house: The, guest: Guest) -> schemas.SeatTicket:
    """A link, good once and for a day, that carries my seat to another device, and a token that recalls the seat."""
    ticket, recall = await seating.make_ticket(house, at, guest, wish.seat)
    return {"path": f"/j/{ticket}", "recall": recall}


@api.post("/tables/{table_id}/recall", tags=["tables"])
async def recall_seat(wish: Recall, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Take my seat back from whoever has it by a link that I made. Good once, until the game is over."""
    await seating.recall_seat(house, at, guest, wish.recall)
    return at.describe(guest)


@api.get("/seat/{ticket}", tags=["tables"])
async def look_at_ticket(ticket: str, house: The, guest: Anyone) -> schemas.SeatLink:
    """Which seat a link carries. Changes nothing: programs that show previews or scan messages follow links."""
    at, seat = await seating.use_ticket(house, ticket, guest, only_look=True)
    return {"table": at.row.id, "name": at.seats[seat].name, "you": seat in at.held(guest)}


@api.post("/seat/{ticket}", tags=["tables"])
async def use_ticket(ticket: str, house: The, guest: Guest) -> schemas.TableInfo:
    """Take the seat that a link carries."""
    at, _ = await seating.use_ticket(house, ticket, guest)
    return at.describe(guest)


@api.get("/tables/{table_id}/record", tags=["play"], response_class=Record)
async def record(request: Request, at: At, house: The, guest: Anyone) -> Response:
    """The finished game as JSON Lines."""
    match = await finished(house, at)
    names = [seat.name or seat.player or "" for seat in at.seats]
    write = partial(record_text, match, table=at.row.id, seats=names, **at.timing())
    text = await written_out(request, house, guest, write)
    headers = {"content-disposition": f'attachment; filename="{at.row.game}-{at.row.id}.jsonl"'}
    return Record(text, headers=headers)


@api.post("/tables/{table_id}/review", tags=["play"])
async def ask_review(request: Request, at: At, house: The, guest: Guest) -> schemas.TableInfo:
    """Have the finished game analysed, once for all who ask; the table tells how far it is."""
    await finished(house, at)
    house.reviews.ask(at, guest, address(request))
    return at.describe(guest)


@api.get("/tables/{table_id}/review", tags=["play"], responses={200: {"model": Review}})
async def review(at: At, house: The) -> Response:
    """The finished game, analysed."""

    async def made() -> str:
        if at.status != "over":
            raise CommandRefusedError("error-not-over")
        found = await house.writer.do(lambda c: repository.load_review(c, at.row.id, REVIEW_FORMAT))
        if found is None:
            raise CommandRefusedError("error-not-reviewed")
        return found

    return Response(await seating.heard(house, at, made), media_type="application/json")


@api.get("/tables/{table_id}/draws", tags=["play"])
async def random_events(request: Request, at: At, house: The, guest: Anyone) -> list[schemas.Draw]:
    """Every random event of the finished game with what could have happened: see "Chance" in docs/protocol.md."""
    match = await finished(house, at)
    return await written_out(request, house, guest, lambda: draws(match)) or []


@api.get("/tables/{table_id}/replay", tags=["replay"], responses={200: {"model": schemas.Replay}})
async def replay(at: At, request: Request, house: The, guest: Anyone, seat: WhoseEyes = None) -> Response:
    """All that was shown: to one of my seats, or to spectators; once the game is over to any, or `all` of it open."""
    asked = partial(house.replays.of_table, at, guest, address(request), seat)
    file = await while_connected(request, seating.heard(house, at, asked))
    return Response() if file is None else send(request, file, "no-store")


@api.post("/replay", tags=["replay"], responses={200: {"model": schemas.Replay}})
async def replay_record(request: Request, house: The, guest: Anyone, seat: WhoseEyes = "all") -> Response:
    """The same of a record, which is the body. Nothing is kept."""
    text = (await request.body()).decode(errors="replace")
    file = await while_connected(request, house.replays.of_record(text, guest, address(request), seat))
    return Response() if file is None else send(request, file, "no-store")


async def written_out(request: Request, house: House, guest: str | None, work: Callable[[], Awaitable[T]]) -> T | None:
    """Return what comes of writing out the game of a table, in turn with all who ask; None once the client has gone."""

    async def in_turn() -> T:
        async with house.replays.turn(guest, address(request)):
            return await work()

    return await while_connected(request, in_turn())


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """Return what comes of the work; None, and the work is cancelled, once the client has gone."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=GONE_CHECK_S)
            if not task.done() and await request.is_disconnected():
                return None
        return task.result()
    finally:
        task.cancel()


@api.get("/tables/{table_id}/view", tags=["play"])
async def view(at: At, house: The, guest: Anyone, seat: MaybeSeat = None, since: int = 0) -> View:
    """What one of my seats sees, or a spectator (no seat given), with the cues from `since` on."""
    return await look(house, at, guest, seat, since)


@api.post("/tables/{table_id}/moves", tags=["play"])
async def moves(wish: MakeMoves, at: At, house: The, guest: Guest, key: OnceKey) -> View:
    """Make moves in order, all or none. The same key again gives the same answer and moves nothing."""
    return await command(house, at, guest, Command(wish.seat, wish.seq, tuple(wish.moves)), key)


@api.post("/tables/{table_id}/foresee", tags=["play"])
async def foreseen(wish: MakeMoves, at: At, house: The, guest: Guest) -> View:
    """What I would see if I made these moves, with their cues. Nothing is done, and nobody is told."""
    return await foresee(house, at, guest, wish)


@api.post("/tables/{table_id}/advise", tags=["play"])
async def advised(wish: Wonder, request: Request, at: At, house: The, guest: Guest) -> Advice:
    """How likely each seat is to win, as far as mine can know, and what is good for me to do now."""
    return await seating.heard(house, at, lambda: house.counsel.advise(at, guest, wish, address(request)))


@api.post("/tables/{table_id}/undo", tags=["play"])
async def undo(wish: TakeBack, at: At, house: The, guest: Guest, key: OnceKey) -> View:
    """Take back what I did last, as far as that is fair."""
    return await command(house, at, guest, Command(wish.seat, wish.seq, None), key)

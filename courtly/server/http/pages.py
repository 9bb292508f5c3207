"""What a browser loads: the page, its files, and the description of the commands."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from courtly.engine.position import CommandRefusedError
from courtly.server.actions import seating
from courtly.server.application import House
from courtly.server.assets.bundle import PYTHON, alone, send
from courtly.server.assets.versions import Editions
from courtly.server.http import link_previews
from courtly.server.http.api import address, asking, give_cookie, the_house
from courtly.server.security.signed_tokens import new_guest

WORKER_POLICY = "default-src 'none'; connect-src 'self'"  # it asks for files and pages, and loads nothing
PYTHON_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
FOREVER = "public, max-age=31536000, immutable"


def for_people(request: Request) -> bool:
    """Does a browser ask, to show somebody the answer?"""
    return (
        request.method in ("GET", "HEAD")
        and "text/html" in request.headers.get("accept", "")
        and not request.url.path.startswith("/api/")
    )


async def page(request: Request) -> Response:
    """The one page, for the lobby, for every table, for a record, and for the rules of a game; each names beforehand
    what it will need."""
    if "table" in request.path_params:
        await asking(request)
        with suppress(CommandRefusedError):  # who reads the page is told so
            await the_house(request).table(request.path_params["table"])
    return show(request)


def show(request: Request, status: int = 200) -> Response:
    """The page, which reads its address; with another status it says what is wrong there."""
    house = the_house(request)
    if house.settings.dev:
        house.statics.read()
    answer = Response(
        _page_of(house, request).replace(link_previews.HERE, link_previews.preview(request, house)),
        status,
        media_type="text/html; charset=utf-8",
        headers={"cache-control": "no-cache", "content-security-policy": house.statics.policy},
    )
    give_cookie(house, request, answer, house.guest(request) or new_guest())
    return answer


def _page_of(house: House, request: Request) -> bytes:
    asked = request.path_params
    if request.url.path == "/offline":
        return house.statics.offline
    if request.url.path == "/replay":
        return house.statics.record
    if "learn" in asked:
        return house.statics.lessons.get(asked["learn"], house.statics.page)
    if "table" not in asked:
        return house.statics.rules if "game" in asked else house.statics.page
    table = house.tables.get(asked["table"])
    if table and table.status == "over" and "ply" in request.query_params and table.row.game in house.statics.replays:
        return house.statics.replays[table.row.game]
    return house.statics.tables[table.row.game if table else ""]


async def picture(request: Request) -> Response:
    """Of a moment of a finished game, for those who show links."""
    house, asked = the_house(request), request.query_params
    table = await house.table(request.path_params["table"])
    made = await link_previews.picture(house, table, asked.get("language", ""), asked.get("ply", ""), address(request))
    return Response(made, media_type="image/png", headers={"cache-control": "private, no-cache"})


async def rules(request: Request) -> Response:
    """The same page, for the rules of a game."""
    seating.known_game(request.path_params["game"])
    return await page(request)


async def file(request: Request) -> Response:
    """A file of the page. Its path holds the hash of all files, so it never changes. An author may save while a page is
    loaded: it gets what there is by now, and is told to load anew. A page of another version gets that version's."""
    statics, edition, path = the_house(request).statics, request.path_params["hash"], request.path_params["path"]
    same = edition == statics.hash
    if same or statics.dev:
        found = statics.files.get(path)
    else:
        editions: Editions = request.app.state.editions
        found = await editions.find(edition, path)
    if found is None:
        raise CommandRefusedError("error-unknown-page")
    answer = send(request, found, "no-store" if statics.dev and not same else FOREVER)
    if request.path_params["path"] == PYTHON:
        answer.headers["content-security-policy"] = PYTHON_POLICY
    return answer


async def worker(request: Request) -> Response:
    """The service worker: a browser asks for it again and again, to learn of newer files."""
    statics = the_house(request).statics
    if statics.worker is None:
        raise CommandRefusedError("error-unknown-page")
    answer = send(request, statics.worker, "no-cache")
    answer.headers["content-security-policy"] = WORKER_POLICY
    return answer


async def proof(request: Request) -> Response:
    """The page that checks the dice of a saved record. It stands by itself, so that it can be kept."""
    text = (the_house(request).statics.web / "pages" / "verify-chance.html").read_text(encoding="utf-8")
    headers = {"cache-control": "no-cache", "content-security-policy": alone(text)}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


PAGES = [
    Route("/", page),
    Route("/t/{table}", page),
    Route("/t/{table}/moment.png", picture),
    Route("/replay", page),
    Route("/offline", page),
    Route("/proof", proof),
    Route("/sw.js", worker),
    Route("/rules/{game}", rules),
    Route("/me", page),
    Route("/g/{ticket}", page),
    Route("/mail/{token}", page),
    Route("/j/{ticket}", page),
    Route("/s/{hash}/{path:path}", file),
]

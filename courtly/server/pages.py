"""What a browser loads: the page, its files, links that seat, and the description of the commands."""
from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from courtly.engine.match import Refused
from courtly.server import seating
from courtly.server.api import give_cookie, the_house
from courtly.server.identity import COOKIE, new_guest
from courtly.server.statics import send

FOREVER = "public, max-age=31536000, immutable"


async def page(request: Request) -> Response:
    """The one page, for the lobby and for every table."""
    house = the_house(request)
    if house.settings.dev:
        house.statics.read()
    answer = Response(house.statics.page, media_type="text/html; charset=utf-8",
                      headers={"cache-control": "no-cache", "content-security-policy": house.statics.policy})
    give_cookie(house, request, answer, house.signatures.guest(request.cookies.get(COOKIE)) or new_guest())
    return answer


async def rules(request: Request) -> Response:
    """The same page, for the rules of a game."""
    seating.known_game(request.path_params["game"])
    return await page(request)


async def file(request: Request) -> Response:
    """A file of the page. Its path holds the hash of all files, so it never changes."""
    statics = the_house(request).statics
    found = statics.files.get(request.path_params["path"])
    if found is None or request.path_params["hash"] != statics.hash:
        raise Refused("error-unknown-page")
    return send(request, found, FOREVER)


async def join(request: Request) -> Response:
    """A one-time link: seats whoever opens it and goes on to the table.

    Programs that fetch links to show a preview must not use it up: a visitor without a cookie is given one and sent
    back here, and only who brings it along is seated.
    """
    house, ticket = the_house(request), request.path_params["ticket"]
    guest = house.signatures.guest(request.cookies.get(COOKIE))
    previews = request.method == "HEAD" or "prefetch" in request.headers.get("sec-purpose", request.headers.get("purpose", ""))
    if guest is None or previews:
        again = "again" in request.query_params
        answer = RedirectResponse("/" if again else f"/j/{quote(ticket)}?again", 303, {"cache-control": "no-store"})
        if not previews:
            give_cookie(house, request, answer, new_guest())
        return answer
    table = await seating.use_ticket(house, ticket, guest)
    return RedirectResponse(f"/t/{table}" if table else "/", 303, {"cache-control": "no-store"})


PAGES = [Route("/", page), Route("/t/{table}", page), Route("/rules/{game}", rules), Route("/j/{ticket}", join), Route("/s/{hash}/{path:path}", file)]

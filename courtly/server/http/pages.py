"""What a browser loads: the page, its files, and the description of the commands."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from courtly.engine.position import CommandRefusedError
from courtly.server.actions import seating
from courtly.server.application import Application
from courtly.server.assets.bundle import PYTHON, asset_response, self_contained_policy
from courtly.server.assets.versions import AssetVersions
from courtly.server.http import link_previews
from courtly.server.http.dependencies import application_of, client_address, rate_limited_guest, set_cookie
from courtly.server.security.signed_tokens import new_guest

WORKER_POLICY = "default-src 'none'; connect-src 'self'"  # it asks for files and pages, and loads nothing
PYTHON_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
IMMUTABLE = "public, max-age=31536000, immutable"


def wants_html(request: Request) -> bool:
    """Does a browser ask, to show somebody the answer?"""
    return (
        request.method in ("GET", "HEAD")
        and "text/html" in request.headers.get("accept", "")
        and not request.url.path.startswith("/api/")
    )


async def app_page(request: Request) -> Response:
    """The one page, for the lobby, for every table, for a record, and for the rules of a game; each names beforehand
    what it will need."""
    if "table" in request.path_params:
        await rate_limited_guest(request)
        with suppress(CommandRefusedError):  # who reads the page is told so
            await application_of(request).tables.get(request.path_params["table"])
    return render_app_page(request)


def render_app_page(request: Request, status: int = 200) -> Response:
    """The page, which reads its address; with another status it says what is wrong there."""
    application = application_of(request)
    if application.settings.dev:
        application.assets.read()
    answer = Response(
        _page_html(application, request).replace(
            link_previews.PREVIEW_PLACEHOLDER, link_previews.preview_tags(request, application)
        ),
        status,
        media_type="text/html; charset=utf-8",
        headers={"cache-control": "no-cache", "content-security-policy": application.assets.policy},
    )
    set_cookie(application, request, answer, application.guests.identify(request) or new_guest())
    return answer


def _page_html(application: Application, request: Request) -> bytes:
    asked = request.path_params
    if request.url.path == "/offline":
        return application.assets.offline
    if request.url.path == "/replay":
        return application.assets.record
    if "learn" in asked:
        return application.assets.lessons.get(asked["learn"], application.assets.page)
    if "table" not in asked:
        return application.assets.rules if "game" in asked else application.assets.page
    table = application.tables.by_id.get(asked["table"])
    if (
        table
        and table.status == "over"
        and "ply" in request.query_params
        and table.row.game in application.assets.replays
    ):
        return application.assets.replays[table.row.game]
    return application.assets.tables[table.row.game if table else ""]


async def share_image(request: Request) -> Response:
    """Of a moment of a finished game, for those who show links."""
    application, asked = application_of(request), request.query_params
    table = await application.tables.get(request.path_params["table"])
    made = await link_previews.share_image(
        application, table, asked.get("language", ""), asked.get("ply", ""), client_address(request)
    )
    return Response(made, media_type="image/png", headers={"cache-control": "private, no-cache"})


async def rules_page(request: Request) -> Response:
    """The same page, for the rules of a game."""
    seating.find_known_game(request.path_params["game"])
    return await app_page(request)


async def asset_file(request: Request) -> Response:
    """A file of the page. Its path holds the hash of all files, so it never changes. An author may save while a page is
    loaded: it gets what there is by now, and is told to load anew. A page of another version gets that version's."""
    statics, edition, path = application_of(request).assets, request.path_params["hash"], request.path_params["path"]
    same = edition == statics.hash
    if same or statics.dev:
        found = statics.files.get(path)
    else:
        editions: AssetVersions = request.app.state.editions
        found = await editions.find(edition, path)
    if found is None:
        raise CommandRefusedError("error-unknown-page")
    answer = asset_response(request, found, "no-store" if statics.dev and not same else IMMUTABLE)
    if request.path_params["path"] == PYTHON:
        answer.headers["content-security-policy"] = PYTHON_POLICY
    return answer


async def service_worker(request: Request) -> Response:
    """The service worker: a browser asks for it again and again, to learn of newer files."""
    statics = application_of(request).assets
    if statics.worker is None:
        raise CommandRefusedError("error-unknown-page")
    answer = asset_response(request, statics.worker, "no-cache")
    answer.headers["content-security-policy"] = WORKER_POLICY
    return answer


async def verify_chance_page(request: Request) -> Response:
    """The page that checks the dice of a saved record. It stands by itself, so that it can be kept."""
    text = (application_of(request).assets.web / "pages" / "verify-chance.html").read_text(encoding="utf-8")
    headers = {"cache-control": "no-cache", "content-security-policy": self_contained_policy(text)}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


PAGE_ROUTES = [
    Route("/", app_page),
    Route("/t/{table}", app_page),
    Route("/t/{table}/moment.png", share_image),
    Route("/replay", app_page),
    Route("/offline", app_page),
    Route("/proof", verify_chance_page),
    Route("/sw.js", service_worker),
    Route("/rules/{game}", rules_page),
    Route("/me", app_page),
    Route("/g/{ticket}", app_page),
    Route("/mail/{token}", app_page),
    Route("/j/{ticket}", app_page),
    Route("/s/{hash}/{path:path}", asset_file),
]

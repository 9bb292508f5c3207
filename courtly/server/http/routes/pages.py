"""The HTML page, its files and the service worker."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from courtly.engine.game import game_ids
from courtly.engine.position import CommandRefusedError
from courtly.server.actions import seating
from courtly.server.application import Application
from courtly.server.assets.asset import HTML_TYPE, compress
from courtly.server.assets.bundle import CONTENT_PLACEHOLDER, GAME_WORKER, asset_response, self_contained_policy
from courtly.server.assets.versions import AssetVersions
from courtly.server.http import link_previews
from courtly.server.http.dependencies import application_of, client_address, rate_limited_guest, set_cookie
from courtly.server.http.languages import preferred_language
from courtly.server.security.signed_tokens import new_guest_id

WORKER_POLICY = "default-src 'none'; connect-src 'self'"  # the service worker fetches files, and imports no script
GAME_WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
IMMUTABLE = "public, max-age=31536000, immutable"


def wants_html(request: Request) -> bool:
    """Return whether a browser requests a page to display."""
    return (
        request.method in ("GET", "HEAD")
        and "text/html" in request.headers.get("accept", "")
        and not request.url.path.startswith("/api/")
    )


async def app_page(request: Request) -> Response:
    """Return the app page: the same page for the lobby, tables, records and rules, with different preload links."""
    if "table" in request.path_params:
        await rate_limited_guest(request)
        with suppress(CommandRefusedError):  # the page itself shows the error
            await application_of(request).tables.get(request.path_params["table"])
    return render_app_page(request)


def render_app_page(request: Request, status: int = 200) -> Response:
    """Return the app page. Its script reads the address; with an error status it shows the error."""
    application = application_of(request)
    if application.settings.dev:
        application.assets.read()
    html = (
        _page_html(application, request)
        .replace(link_previews.PREVIEW_PLACEHOLDER, link_previews.preview_tags(request, application))
        .replace(CONTENT_PLACEHOLDER, _content_links(application, request))
    )
    # compressed: it contains only what everyone sees who has the address
    response = asset_response(request, compress(HTML_TYPE, html), "no-cache", status)
    response.headers["content-security-policy"] = application.assets.policy
    set_cookie(application, request, response, application.guests.identify(request) or new_guest_id())
    return response


def _page_html(application: Application, request: Request) -> bytes:
    parameters = request.path_params
    if request.url.path == "/offline":
        return application.assets.offline
    if request.url.path == "/replay":
        return application.assets.record
    if "learn" in parameters:
        return application.assets.lessons.get(parameters["learn"], application.assets.page)
    if "table" not in parameters:
        return application.assets.rules if "game" in parameters else application.assets.page
    table = application.tables.by_id.get(parameters["table"])
    if (
        table
        and table.status == "over"
        and "ply" in request.query_params
        and table.row.game in application.assets.replays
    ):
        return application.assets.replays[table.row.game]
    return application.assets.tables[table.row.game if table else ""]


def _content_links(application: Application, request: Request) -> bytes:
    """Return the preload links of what the page's scripts request first: the texts, and what the page shows."""
    parameters = request.path_params
    table = application.tables.by_id.get(parameters.get("table", ""))
    game = table.row.game if table else parameters.get("learn") or parameters.get("game", "")
    games, paths = [game] if game else [], [f"/api/tables/{table.row.id}"] if table else []
    if request.url.path == "/":
        games, paths = game_ids(), ["/api/me", "/api/tables", "/api/games?brief=true"]
    paths += application.assets.catalogue_paths(preferred_language(request), games)
    return "\n".join(f'<link rel="preload" as="fetch" crossorigin href="{path}">' for path in paths).encode()


async def share_image(request: Request) -> Response:
    """Return the image of a moment of a finished game, for link previews."""
    application, query = application_of(request), request.query_params
    table = await application.tables.get(request.path_params["table"])
    image = await link_previews.share_image(
        application, table, query.get("language", ""), query.get("ply", ""), client_address(request)
    )
    return Response(image, media_type="image/png", headers={"cache-control": "private, no-cache"})


async def rules_page(request: Request) -> Response:
    """Return the app page for the rules of a game."""
    seating.find_known_game(request.path_params["game"])
    return await app_page(request)


async def asset_file(request: Request) -> Response:
    """Return a file of the page.

    The path contains the hash of all files, so the content under a path never changes. A page of another version gets
    the file of that version. With `--dev`, a page that is loaded while a rules author saves a file gets the current
    file; LiveReload then makes it load again.
    """
    statics, edition, path = application_of(request).assets, request.path_params["hash"], request.path_params["path"]
    same = edition == statics.hash
    if same or statics.dev:
        asset = await statics.find(path)
    else:
        editions: AssetVersions = request.app.state.editions
        asset = await editions.find(edition, path)
    if asset is None:
        raise CommandRefusedError("error-unknown-page")
    response = asset_response(request, asset, "no-store" if statics.dev and not same else IMMUTABLE)
    if request.path_params["path"] == GAME_WORKER:
        response.headers["content-security-policy"] = GAME_WORKER_POLICY
    return response


async def service_worker(request: Request) -> Response:
    """Return the service worker's script. Browsers request it regularly and thus learn of new files."""
    statics = application_of(request).assets
    if statics.worker is None:
        raise CommandRefusedError("error-unknown-page")
    response = asset_response(request, statics.worker, "no-cache")
    response.headers["content-security-policy"] = WORKER_POLICY
    return response


async def verify_chance_page(request: Request) -> Response:
    """Return the page that verifies the random events of a record. It loads no other file, so it can be saved."""
    text = (application_of(request).assets.web / "pages" / "verify-chance.html").read_text(encoding="utf-8")
    response = asset_response(request, compress(HTML_TYPE, text.encode()), "no-cache")
    response.headers["content-security-policy"] = self_contained_policy(text)
    return response


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

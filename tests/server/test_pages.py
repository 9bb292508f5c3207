"""What a browser loads: the page, static files, and the API reference."""

import asyncio
import base64
import gzip
import hashlib
import re
from types import SimpleNamespace

import pytest
from guests import Connection, Guest
from starlette.requests import Request

from courtly.engine.position import CommandRefusedError
from courtly.server.assets import bundle
from courtly.server.assets.bundle import AssetBundle
from courtly.server.http.routes import pages


def test_page_names_its_files_by_their_hash(server, ada):
    for path in ("/", "/t/whatever", "/rules/petition"):
        response = ada.get(path)
        assert (
            response.status == 200
            and response.headers["content-type"] == "text/html; charset=utf-8"
            and response.headers["cache-control"] == "no-cache"
        )
        text = response.body.decode()
        assert "{{" not in text
        links = re.findall(r'(?:href|src)="(/s/[^"]+)"', text)
        assert links and len({link.split("/")[2] for link in links}) == 1
        for link in links:
            file = ada.get(link)
            assert file.status == 200 and file.headers["cache-control"] == "public, max-age=31536000, immutable", link


def test_policy_allows_the_import_map_and_nothing_else_inline(ada):
    response = ada.get("/")
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", response.body.decode(), re.DOTALL)
    inline = [text for _, text in scripts if text.strip()]
    policy = response.headers["content-security-policy"]
    assert len(inline) == 1
    assert f"'sha256-{base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy


def test_files_are_compressed_if_the_client_accepts_it(ada):
    link = re.search(r'src="(/s/[^"]+\.js)"', ada.get("/").body.decode())[1]
    plain, packed = ada.get(link), ada.get(link, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    assert plain.headers["content-encoding"] is None and plain.headers["content-type"].startswith("text/javascript")
    assert plain.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/t/unknown", "/rules/petition", "/unknown", "/proof"])
def test_pages_are_compressed_if_the_client_accepts_it(ada, path):
    plain = ada.get(path, headers={"accept": "text/html"})
    packed = ada.get(path, headers={"accept": "text/html", "accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    for header in ("content-security-policy", "cache-control", "vary"):
        assert packed.headers[header] == plain.headers[header]
    assert packed.status == plain.status and "accept-encoding" in plain.headers["vary"]
    assert plain.headers["content-encoding"] is None and b"<html" in plain.body


def test_a_page_is_the_same_for_everyone_with_its_address(pair, ada, ben, cleo):
    """It holds no secret, so its compressed length tells none."""
    assert len({guest.get(f"/t/{pair}").body for guest in (ada, ben, cleo)}) == 1


def test_only_files_of_the_browser_are_served(ada):
    base = re.search(r'src="(/s/[^/]+)/', ada.get("/").body.decode())[1]
    assert ada.get(f"{base}/games/sealed_bids/en.ftl").status == 200
    for path in (
        f"{base}/games/sealed_bids/rules.py",
        f"{base}/games/sealed_bids/game.toml",
        f"{base}/web/../server/app.py",
        f"{base}/web/%2e%2e/__init__.py",
        f"{base}/web/",
        f"{base}/",
        "/s/0000/web/router.js",
        "/s/",
        "/etc/passwd",
    ):
        response = ada.get(path)
        assert response.status == 404 and response.error == "error-unknown-page", path


def test_hash_follows_the_files(tmp_path):
    (tmp_path / "index.html").write_text(
        '<script type="importmap">{"imports": {"lit": "{{static}}/web/lit.js"}}</script>'
    )
    (tmp_path / "lit.js").write_text("export {}")
    (tmp_path / "notes.txt").write_text("not for browsers")
    statics = AssetBundle(tmp_path)
    first = statics.hash
    statics.read()
    assert (
        statics.hash == first
        and f"/s/{first}/web/lit.js".encode() in statics.page
        and "web/notes.txt" not in statics.files
    )
    (tmp_path / "lit.js").write_text("export const one = 1")
    statics.read()
    assert statics.hash != first and statics.files["web/lit.js"].plain == b"export const one = 1"


def test_an_outdated_page_gets_the_current_hash(ada, pair):
    page = ada.get("/").body.decode()
    current = re.search(r"/s/([^/]+)/", page)[1]
    with ada.connect(pair, page="0000") as connection:
        assert connection.receive() == {"type": "page", "hash": current}
    with ada.connect(pair, page=current) as connection:
        assert connection.receive()["type"] == "table"
    with Connection(ada, "/ws/lobby") as connection:
        connection.receive()
        connection.send(type="hello", page="0000")
        assert connection.receive() == {"type": "page", "hash": current}


def test_reference_covers_every_command_and_message(server):
    client = Guest(server, cookie=False)
    api = client.get("/openapi.json").json
    assert {
        "/api/v1/me",
        "/api/v1/games",
        "/api/v1/tables",
        "/api/v1/tables/{table_id}/moves",
        "/api/v1/tables/{table_id}/undo",
    } <= api["paths"].keys()
    assert {
        "HelloMessage",
        "PlayMessage",
        "UndoMessage",
        "ResyncMessage",
        "NewTable",
        "FromClient",
        "FromServer",
        "TableInfo",
        "View",
    } <= api["components"]["schemas"].keys()
    page = client.get("/docs").body.decode()
    assert "`" not in page and "<code>grace_seconds</code>" in page
    for path in api["paths"]:
        assert path in page
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets and targets <= set(re.findall(r'id="([^"]+)"', page))
    assert client.get("/docs.css").headers["content-type"].startswith("text/css")
    for methods in api["paths"].values():
        for operation in methods.values():
            assert "422" not in operation["responses"], "malformed requests are answered with 400"


BROWSER_HEADERS = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def without_contents(page):
    """Return a page without the links to what it shows first."""
    return [line for line in page.splitlines() if b'as="fetch"' not in line]


def test_browsers_get_a_page_for_an_unknown_path(ada):
    page = without_contents(ada.get("/").body)
    for path in ("/nonsense", "/t/", "/link/used/abc", "/t/a/b", "/s/0000/web/router.js"):
        response = ada.get(path, headers=BROWSER_HEADERS)
        assert (
            response.status == 404
            and without_contents(response.body) == page
            and response.headers["content-type"] == "text/html; charset=utf-8"
        ), path
        assert "script-src" in response.headers["content-security-policy"]
        assert response.headers["vary"] == "accept-encoding, accept"
        assert ada.get(path, headers={"accept": "*/*"}).error == ada.get(path).error == "error-unknown-page"
    assert ada.get("/api/nonsense", headers=BROWSER_HEADERS).error == "error-unknown-page", "API paths answer in JSON"


def test_errors_are_ids_everywhere(ada):
    assert ada.get("/nowhere").json == {"error": {"id": "error-unknown-page", "args": {}}}
    assert ada.request("DELETE", "/api/games").error == "error-unknown-method"
    assert ada.get("/api/games/ludo").json == {"error": {"id": "error-unknown-game", "args": {}}}


def test_games_are_described(ada):
    games = {game["id"]: game for game in ada.get("/api/games").json}
    assert {"petition", "sealed_bids"} <= games.keys()
    assert (
        games["sealed_bids"] == ada.get("/api/games/sealed_bids").json
        and games["sealed_bids"]["hidden"]
        and not games["petition"]["hidden"]
    )
    # without machine code no search is available, so a random bot is
    ready = {bot["name"]: bot["ready"] for bot in games["sealed_bids"]["bots"]}
    assert ready == {"page": False, "squire": False, "knight": False, "master": False, "random": True}
    ready = {bot["name"]: bot["ready"] for bot in games["petition"]["bots"]}
    assert ready == {"page": True, "squire": True, "knight": False, "master": False}


def test_a_large_file_is_sent_in_chunks():
    """It is sent as fast as the client reads; little is buffered for a client that reads nothing."""
    sent = []

    async def send(message):
        sent.append(message)

    body = bytes(range(256)) * 1000
    file = bundle.Asset("font/woff2", body, None)
    request = Request({"type": "http", "headers": []})
    asyncio.run(bundle.asset_response(request, file, "no-store")({"type": "http"}, None, send))
    start, *pieces = sent
    assert dict(start["headers"])[b"content-length"] == b"256000"
    assert b"".join(piece["body"] for piece in pieces) == body
    assert max(len(piece["body"]) for piece in pieces) <= bundle.CHUNK_BYTES
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]


def test_a_server_without_a_service_worker_says_so():
    application = SimpleNamespace(assets=SimpleNamespace(worker=None))
    request = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(application=application)))
    with pytest.raises(CommandRefusedError, match="error-unknown-page"):
        asyncio.run(pages.service_worker(request))

"""What Lighthouse says of every page, on its mobile preset: medians of several runs.

    npm install --prefix ~/lighthouse lighthouse
    export LIGHTHOUSE=~/lighthouse/node_modules/.bin/lighthouse
    python benchmarks/lighthouse.py [--runs 5] [--language en] [--only cardinal] [--http1]

Lighthouse is asked for by LIGHTHOUSE or found on the PATH; nothing is installed here. Its figures are those of a slow
phone that it simulates from what it measures, so they hold on a quiet machine only. Whoever is reached from elsewhere
needs TLS, and has HTTP/2 with it: so has this house, with openssl and node; `--http1`: as `courtly serve` alone. A
table is opened by one who sits at it, against bots. Whether a page can be installed Lighthouse no longer asks:
Chromium itself is asked, and what it lacks stands in place of "yes".
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

import click
from house import UNLIMITED_SETTINGS, Server, start_server
from playwright.sync_api import sync_playwright

from courtly.bots.registry import find_bot
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.rng import make_generator

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find_chromium as find_chromium

FIGURES = {
    "first-contentful-paint": "FCP ms",
    "largest-contentful-paint": "LCP ms",
    "total-blocking-time": "TBT ms",
    "cumulative-layout-shift": "CLS",
}
HEADING = ("performance", "accessibility", *FIGURES.values(), "elements", "installable")
SERVER_SETTINGS = {
    "COURTLY_COMPILE_AHEAD": "0",
    "COURTLY_NATIVE": "0",
    "COURTLY_BOT_PAUSE": "0",
    **UNLIMITED_SETTINGS,
}  # nothing runs beside it


@click.command()
@click.option("--runs", default=5, show_default=True)
@click.option("--language", default="en", show_default=True, help="of the reader: en or ja")
@click.option("--only", default="", help="part of a page's name, such as lobby or cardinal")
@click.option("--http1", is_flag=True, help="without TLS")
def main(runs: int, language: str, only: str, http1: bool) -> None:
    tool, chromium = os.environ.get("LIGHTHOUSE") or shutil.which("lighthouse"), find_chromium()
    if not tool or not chromium:
        raise click.ClickException(
            "Lighthouse or a Chromium is missing; the first lines of this file say how to get it"
        )
    with (
        start_server(**SERVER_SETTINGS) as served,
        nullcontext(served.url) if http1 else start_http2_proxy(served.url) as address,
    ):
        click.echo(f"{'':18}" + "".join(f"{name:>15}" for name in HEADING))
        _, cookie = served.ask("", "GET", "/api/me")
        for name in page_names():
            if only in name:
                path = page_path(served, cookie, name)
                found = [run_lighthouse(tool, chromium, address + path, cookie, language) for _ in range(runs)]
                medians = [statistics.median(column) for column in zip(*found, strict=True)]
                click.echo(
                    f"{name:18}"
                    + "".join(f"{median:15.3f}" if median < 10 else f"{median:15.0f}" for median in medians)
                    + f"{why_not_installable(chromium, address + path):>15}"
                )


@contextmanager
def start_http2_proxy(url: str) -> Iterator[str]:
    """The address of the same house with TLS and HTTP/2."""
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
        wish = f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout {key} -out {certificate}"
        subprocess.run(wish.split(), check=True, stderr=subprocess.DEVNULL)
        script = Path(__file__).parent / "http2.mjs"
        before = subprocess.Popen(
            ["node", script, str(urlsplit(url).port), key, certificate], stdout=subprocess.PIPE, text=True
        )
        try:
            assert before.stdout is not None
            yield f"https://localhost:{before.stdout.readline().strip()}"
        finally:
            before.terminate()
            before.wait(30)


def page_names() -> list[str]:
    """The name of each: what it is, and of which game."""
    games = [game for game in map(find_game, game_ids()) if (game.folder / "board" / "board.js").exists()]
    of_games = [f"{page} {game.id}" for page in ("table", "replay", "lesson", "rules") for game in games]
    return ["lobby", "me", "offline", "record", *of_games]


def page_path(served: Server, cookie: str, name: str) -> str:
    """The path of a page, for whoever has this cookie."""
    page, _, game = name.partition(" ")
    if not game:
        return {"lobby": "/", "record": "/replay"}.get(page, f"/{page}")
    if page in ("lesson", "rules"):
        return f"/{page.replace('lesson', 'learn')}/{game}"
    return make_table(served, cookie, find_game(game), played=page == "replay")


def make_table(served: Server, cookie: str, game: Game, played: bool) -> str:
    """Of a new table against bots; `played`: one that squires have played to the end, looked at in the middle."""
    bot = {"kind": "bot", "bot": "squire"}
    wish = {"game": game.id, "players": game.players[0], "seats": [{"kind": "me"}, *[bot] * (game.players[0] - 1)]}
    table = served.ask(cookie, "POST", "/api/tables", wish)[0]["id"]
    choose, rng = find_bot(game, "squire"), make_generator(1)
    while played:
        view = served.ask(cookie, "GET", f"/api/tables/{table}/view?seat=0")[0]
        if view["over"]:
            return f"/t/{table}?ply=40"
        if view["legal"]:
            move = {"seat": 0, "seq": view["seq"], "moves": [int(choose(game, view, rng))]}
            with suppress(HTTPError):  # others were faster: once more
                served.ask(cookie, "POST", f"/api/tables/{table}/moves", move)
    return f"/t/{table}"


def why_not_installable(chromium: str, url: str) -> str:
    """What keeps a browser from installing a page; "yes": nothing does."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--ignore-certificate-errors"])
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.goto(url)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        tools = page.context.new_cdp_session(page)
        errors = [error["message"] for error in tools.send("Page.getAppManifest")["errors"]]
        errors += [error["errorId"] for error in tools.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        browser.close()
    return " ".join(errors) or "yes"


def run_lighthouse(tool: str, chromium: str, url: str, cookie: str, language: str) -> list[float]:
    """One run: scores of 100, then the figures."""
    headers = json.dumps({"Cookie": cookie} if cookie else {})
    done = subprocess.run(
        [
            tool,
            url,
            "--quiet",
            "--output=json",
            "--output-path=stdout",
            "--only-categories=performance,accessibility",
            f"--extra-headers={headers}",
            f"--chrome-flags=--headless --no-sandbox --ignore-certificate-errors --lang={language}",
        ],
        check=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"CHROME_PATH": chromium},
    )
    told = json.loads(done.stdout)
    if told.get("runtimeError"):
        raise click.ClickException(f"{url}: {told['runtimeError']['message']}")
    if told["categories"]["performance"]["score"] is None:  # now and then Lighthouse sees nothing painted
        return run_lighthouse(tool, chromium, url, cookie, language)
    audits = told["audits"]
    for found in told["categories"]["accessibility"]["auditRefs"]:
        if found["weight"] and audits[found["id"]]["score"] == 0:
            click.echo(f"{url}: {audits[found['id']]['title']}: {json.dumps(audits[found['id']]['details'])[:1000]}")
    elements = (
        audits["dom-size"]["numericValue"]
        if "dom-size" in audits
        else audits["dom-size-insight"]["details"]["debugData"]["totalElements"]
    )
    return [
        *(100 * told["categories"][name]["score"] for name in HEADING[:2]),
        *(audits[name]["numericValue"] for name in FIGURES),
        elements,
    ]


if __name__ == "__main__":
    main()

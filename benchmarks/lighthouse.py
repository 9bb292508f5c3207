"""Runs Lighthouse on every page with its mobile preset and prints the medians of several runs.

    npm install --prefix ~/lighthouse lighthouse
    export LIGHTHOUSE=~/lighthouse/node_modules/.bin/lighthouse
    python benchmarks/lighthouse.py [--runs 5] [--language en] [--only cardinal] [--http1]

The environment variable LIGHTHOUSE names the program; else it must be on the PATH. Its figures are those of a slow
phone that it simulates from its measurements, so they are valid only on an idle machine. Public servers need TLS and
thus have HTTP/2; so the pages are served through a proxy with both, which needs openssl and node. `--http1` measures
`courtly serve` directly. Tables are opened by a player at them, against bots. Lighthouse no longer checks whether a
page can be installed, so Chromium is asked; the last column has its objections, or "yes".
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from urllib.error import HTTPError

import click
from local_server import UNLIMITED_SETTINGS, Server, start_http2_proxy, start_server
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
}  # no background work


@click.command()
@click.option("--runs", default=5, show_default=True, help="Number of runs per page.")
@click.option("--language", default="en", show_default=True, help="Language of the browser: en or ja.")
@click.option("--only", default="", help="Part of a page's name, such as lobby or cardinal.")
@click.option("--http1", is_flag=True, help="Measure without TLS and HTTP/2.")
def main(runs: int, language: str, only: str, http1: bool) -> None:
    tool, chromium = os.environ.get("LIGHTHOUSE") or shutil.which("lighthouse"), find_chromium()
    if not tool or not chromium:
        raise click.ClickException(
            "Lighthouse or Chromium was not found; the docstring of this file shows how to install it"
        )
    with (
        start_server(**SERVER_SETTINGS) as server,
        nullcontext((server.url, "")) if http1 else start_http2_proxy(server.url) as (address, trust),
    ):
        click.echo(f"{'':18}" + "".join(f"{name:>15}" for name in HEADING))
        _, cookie = server.request("", "GET", "/api/me")
        for name in page_names():
            if only in name:
                path = page_path(server, cookie, name)
                runs_figures = [
                    run_lighthouse(tool, chromium, trust, address + path, cookie, language) for _ in range(runs)
                ]
                medians = [statistics.median(column) for column in zip(*runs_figures, strict=True)]
                click.echo(
                    f"{name:18}"
                    + "".join(f"{median:15.3f}" if median < 10 else f"{median:15.0f}" for median in medians)
                    + f"{why_not_installable(chromium, trust, address + path):>15}"
                )


def page_names() -> list[str]:
    """Return the name of each page, followed by the game if it has one."""
    games = [game for game in map(find_game, game_ids()) if (game.folder / "board" / "board.js").exists()]
    of_games = [f"{page} {game.id}" for page in ("table", "replay", "lesson", "rules") for game in games]
    return ["lobby", "me", "offline", "record", *of_games]


def page_path(server: Server, cookie: str, name: str) -> str:
    """Return the path of a page for the guest with this cookie."""
    page, _, game = name.partition(" ")
    if not game:
        return {"lobby": "/", "record": "/replay"}.get(page, f"/{page}")
    if page in ("lesson", "rules"):
        return f"/{page.replace('lesson', 'learn')}/{game}"
    return make_table(server, cookie, find_game(game), played=page == "replay")


def make_table(server: Server, cookie: str, game: Game, played: bool) -> str:
    """Return the path of a new table against bots; with `played`, of a finished game at a position in its middle."""
    bot = {"kind": "bot", "bot": "squire"}
    body = {"game": game.id, "players": game.players[0], "seats": [{"kind": "me"}, *[bot] * (game.players[0] - 1)]}
    table = server.request(cookie, "POST", "/api/tables", body)[0]["id"]
    choose, rng = find_bot(game, "squire"), make_generator(1)
    while played:
        view = server.request(cookie, "GET", f"/api/tables/{table}/view?seat=0")[0]
        if view["over"]:
            return f"/t/{table}?ply=40"
        if view["legal"]:
            move = {"seat": 0, "seq": view["seq"], "moves": [int(choose(game, view, rng))]}
            with suppress(HTTPError):  # another seat moved first: retry
                server.request(cookie, "POST", f"/api/tables/{table}/moves", move)
    return f"/t/{table}"


def why_not_installable(chromium: str, trust: str, url: str) -> str:
    """Return why a browser cannot install a page, or "yes" if it can."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[trust] if trust else [])
        page = browser.new_page()
        page.goto(url)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        tools = page.context.new_cdp_session(page)
        errors = [error["message"] for error in tools.send("Page.getAppManifest")["errors"]]
        errors += [error["errorId"] for error in tools.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        browser.close()
    return " ".join(errors) or "yes"


def run_lighthouse(tool: str, chromium: str, trust: str, url: str, cookie: str, language: str) -> list[float]:
    """Run Lighthouse once and return the scores (0 to 100), then the figures."""
    headers = json.dumps({"Cookie": cookie} if cookie else {})
    process = subprocess.run(
        [
            tool,
            url,
            "--quiet",
            "--output=json",
            "--output-path=stdout",
            "--only-categories=performance,accessibility",
            f"--extra-headers={headers}",
            f"--chrome-flags=--headless --no-sandbox {trust} --lang={language}",
        ],
        check=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"CHROME_PATH": chromium},
    )
    report = json.loads(process.stdout)
    if report.get("runtimeError"):
        raise click.ClickException(f"{url}: {report['runtimeError']['message']}")
    if report["categories"]["performance"]["score"] is None:  # occasionally Lighthouse misses the first paint
        return run_lighthouse(tool, chromium, trust, url, cookie, language)
    audits = report["audits"]
    for audit in report["categories"]["accessibility"]["auditRefs"]:
        if audit["weight"] and audits[audit["id"]]["score"] == 0:
            click.echo(f"{url}: {audits[audit['id']]['title']}: {json.dumps(audits[audit['id']]['details'])[:1000]}")
    elements = (
        audits["dom-size"]["numericValue"]
        if "dom-size" in audits
        else audits["dom-size-insight"]["details"]["debugData"]["totalElements"]
    )
    return [
        *(100 * report["categories"][name]["score"] for name in HEADING[:2]),
        *(audits[name]["numericValue"] for name in FIGURES),
        elements,
    ]


if __name__ == "__main__":
    main()

"""What Lighthouse says of every page, on its mobile preset: medians of several runs.

    npm install --prefix ~/lighthouse lighthouse
    export LIGHTHOUSE=~/lighthouse/node_modules/.bin/lighthouse
    python benchmarks/lighthouse.py [--runs 5] [--language en] [--only cardinal]

Lighthouse is asked for by LIGHTHOUSE or found on the PATH; nothing is installed here. Its figures are those of a slow
phone that it simulates from what it measures, so they hold on a quiet machine only. A table is opened by one who sits
at it, against bots; bots alone have played what is played back. Whether a page can be installed Lighthouse no longer
asks: Chromium itself is asked, and what it lacks stands in place of "yes".
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import click
from house import House, house
from playwright.sync_api import sync_playwright

from courtly.engine.game import Game, find_game, game_ids

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find as find_chromium

FIGURES = {
    "first-contentful-paint": "FCP ms",
    "largest-contentful-paint": "LCP ms",
    "total-blocking-time": "TBT ms",
    "cumulative-layout-shift": "CLS",
}
HEADING = ("performance", "accessibility", *FIGURES.values(), "elements", "installable")
QUIET = {"COURTLY_COMPILE_AHEAD": "0", "COURTLY_NATIVE": "0", "COURTLY_BOT_PAUSE": "0"}  # nothing runs beside it
PATIENCE = 300  # seconds in which bots play a game


@click.command()
@click.option("--runs", default=5, show_default=True)
@click.option("--language", default="en", show_default=True, help="of the reader: en or ja")
@click.option("--only", default="", help="part of a page's name, such as lobby or cardinal")
def main(runs: int, language: str, only: str) -> None:
    tool, chromium = os.environ.get("LIGHTHOUSE") or shutil.which("lighthouse"), find_chromium()
    if not tool or not chromium:
        raise click.ClickException(
            "Lighthouse or a Chromium is missing; the first lines of this file say how to get it"
        )
    with house(**QUIET) as served:
        click.echo(f"{'':18}" + "".join(f"{name:>15}" for name in HEADING))
        _, cookie = served.ask("", "GET", "/api/me")
        for name in pages():
            if only in name:
                path = opened(served, cookie, name)
                found = [look(tool, chromium, served.url + path, cookie, language) for _ in range(runs)]
                medians = [statistics.median(column) for column in zip(*found, strict=True)]
                click.echo(
                    f"{name:18}"
                    + "".join(f"{median:15.3f}" if median < 10 else f"{median:15.0f}" for median in medians)
                    + f"{lacking(chromium, served.url + path):>15}"
                )


def pages() -> list[str]:
    """The name of each: what it is, and of which game."""
    games = [game for game in map(find_game, game_ids()) if (game.folder / "board" / "board.js").exists()]
    of_games = [f"{page} {game.id}" for page in ("table", "replay", "lesson", "rules") for game in games]
    return ["lobby", "me", "offline", "record", *of_games]


def opened(served: House, cookie: str, name: str) -> str:
    """The path of a page, for whoever has this cookie."""
    page, _, game = name.partition(" ")
    if not game:
        return {"lobby": "/", "record": "/replay"}.get(page, f"/{page}")
    if page in ("lesson", "rules"):
        return f"/{page.replace('lesson', 'learn')}/{game}"
    return table(served, cookie, find_game(game), played=page == "replay")


def table(served: House, cookie: str, game: Game, played: bool) -> str:
    """Of a new table against bots; `played`: one at which bots have played to the end, looked at in the middle."""
    bot: dict[str, object] = {"kind": "bot", "bot": "random" if played else "squire"}
    seats = [bot if played else {"kind": "me"}, *[bot] * (game.players[0] - 1)]
    wish = {"game": game.id, "players": game.players[0], "seats": seats}
    path = f"/api/tables/{served.ask(cookie, 'POST', '/api/tables', wish)[0]['id']}"
    waited = time.monotonic()
    while played and served.ask(cookie, "GET", path)[0]["status"] != "over":
        if time.monotonic() - waited > PATIENCE:
            raise click.ClickException(f"{game.id}: the bots do not come to an end")
        time.sleep(1)
    return f"{path.removeprefix('/api').replace('tables', 't')}{'?ply=40' if played else ''}"


def lacking(chromium: str, url: str) -> str:
    """What keeps a browser from installing a page; "yes": nothing does."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        page = browser.new_context().new_page()
        page.goto(url)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        tools = page.context.new_cdp_session(page)
        errors = [error["message"] for error in tools.send("Page.getAppManifest")["errors"]]
        errors += [error["errorId"] for error in tools.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        browser.close()
    return " ".join(errors) or "yes"


def look(tool: str, chromium: str, url: str, cookie: str, language: str) -> list[float]:
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
            f"--chrome-flags=--headless --no-sandbox --lang={language}",
        ],
        check=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"CHROME_PATH": chromium},
    )
    told = json.loads(done.stdout)
    if told.get("runtimeError"):
        raise click.ClickException(f"{url}: {told['runtimeError']['message']}")
    if told["categories"]["performance"]["score"] is None:  # now and then Lighthouse sees nothing painted
        return look(tool, chromium, url, cookie, language)
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

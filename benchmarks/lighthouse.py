"""What Lighthouse says of the lobby and of a table of each game, on its mobile preset: medians of several runs.

    npm install --prefix ~/lighthouse lighthouse
    export LIGHTHOUSE=~/lighthouse/node_modules/.bin/lighthouse
    python benchmarks/lighthouse.py [--runs 5] [--language en] [--only cardinal]

Lighthouse is asked for by LIGHTHOUSE or found on the PATH; nothing is installed here. Its figures are those of a slow
phone that it simulates from what it measures, so they hold on a quiet machine only. A table is opened by one who sits
at it, against bots.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import click
from house import House, house

from courtly.engine.game import find_game, game_ids

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find as find_chromium

FIGURES = {
    "first-contentful-paint": "FCP ms",
    "largest-contentful-paint": "LCP ms",
    "total-blocking-time": "TBT ms",
    "cumulative-layout-shift": "CLS",
}
HEADING = ("performance", "accessibility", *FIGURES.values(), "elements")


@click.command()
@click.option("--runs", default=5, show_default=True)
@click.option("--language", default="en", show_default=True, help="of the reader: en or ja")
@click.option("--only", help="one game, or lobby")
def main(runs: int, language: str, only: str | None) -> None:
    tool, chromium = os.environ.get("LIGHTHOUSE") or shutil.which("lighthouse"), find_chromium()
    if not tool or not chromium:
        raise click.ClickException(
            "Lighthouse or a Chromium is missing; the first lines of this file say how to get it"
        )
    with house() as served:
        click.echo(f"{'':10}" + "".join(f"{name:>15}" for name in HEADING))
        for name in (
            "lobby",
            *(game for game in game_ids() if (find_game(game).folder / "board" / "board.js").exists()),
        ):
            if only in (None, name):
                path, cookie = seated(served, name)
                found = [look(tool, chromium, served.url + path, cookie, language) for _ in range(runs)]
                medians = [statistics.median(column) for column in zip(*found, strict=True)]
                click.echo(
                    f"{name:10}"
                    + "".join(f"{median:15.3f}" if median < 10 else f"{median:15.0f}" for median in medians)
                )


def seated(served: House, game: str) -> tuple[str, str]:
    """The path of a new table against bots and the cookie of who sits there; of the lobby and a stranger."""
    if game == "lobby":
        return "/", ""
    _, cookie = served.ask("", "GET", "/api/me")
    rules = find_game(game)
    bot = served.ask(cookie, "GET", f"/api/games/{game}")[0]["bots"][0]
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for _ in range(rules.players[0] - 1))]
    table, _ = served.ask(cookie, "POST", "/api/tables", {"game": game, "players": rules.players[0], "seats": seats})
    return f"/t/{table['id']}", cookie


def look(tool: str, chromium: str, url: str, cookie: str, language: str) -> list[float]:
    """One run: scores of 100, then the figures."""
    headers = json.dumps({"Cookie": cookie} if cookie else {})
    found = subprocess.run(
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
    told = json.loads(found.stdout)
    if told.get("runtimeError"):
        raise click.ClickException(f"{url}: {told['runtimeError']['message']}")
    if told["categories"]["performance"]["score"] is None:  # now and then Lighthouse sees nothing painted
        return look(tool, chromium, url, cookie, language)
    audits = told["audits"]
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

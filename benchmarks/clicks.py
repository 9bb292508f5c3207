"""Measures how soon a click at a table of a server shows its effect on a slow network. Needs Chromium and
`courtly[dev]`.

    python benchmarks/clicks.py [--delay 300] [--decisions 40] [GAME …]

All messages of the table's connection are delayed by half of `--delay` in each direction. A decision is made by
clicking its first move in the text form of the table; measured is the time from the click to the first change of the
board. "Known" are moves whose outcome follows from what the player sees; the others have to wait for the server.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import click
from local_server import UNLIMITED_SETTINGS, start_server
from playwright.sync_api import Page, sync_playwright

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game, game_ids

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find_chromium

DESK = {"width": 1280, "height": 800}
OPEN_TABLE_PROGRAM = """async ({ game, players }) => {
    const post = async (path, body) => (await fetch(path, { method: "POST", body: JSON.stringify(body),
        headers: { "content-type": "application/json" } })).json();
    const others = Array(players - 1).fill({ kind: "bot", bot: "squire" });
    const table = await post("/api/tables", { game, players, seats: [{ kind: "me" }, ...others] });
    return table.id;
}"""
DELAY_PROGRAM = """delay => {
    const Original = WebSocket;
    window.WebSocket = class extends Original {
        send(message) { setTimeout(() => super.send(message), delay / 2); }
        set onmessage(listener) {
            super.onmessage = event => setTimeout(() => listener(event), delay / 2);
        }
    };
}"""
# the time until the board changes, and whether the effect was known without the server
CLICK_PROGRAM = """async () => {
    const board = document.getElementById("board");
    const button = board.querySelector(".move");
    const before = board.innerText;
    const began = performance.now();
    button.click();
    const changed = new Promise(done => {
        const observer = new MutationObserver(() => {
            if (board.innerText === before) return;
            observer.disconnect();
            done(performance.now() - began);
        });
        observer.observe(board, { childList: true, subtree: true, characterData: true });
    });
    const passed = await changed;
    return [passed, Boolean(document.querySelector(".sending"))];
}"""


def measure(page: Page, game: str, decisions: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds until the board showed moves whose effect was known, and until it showed the others."""
    known: list[float] = []
    others: list[float] = []
    while len(known) + len(others) < decisions:
        page.goto("/")
        table = page.evaluate(OPEN_TABLE_PROGRAM, {"game": game, "players": find_game(game).players[0]})
        page.goto(f"/t/{table}")
        page.wait_for_timeout(3000)  # the game is loaded in the meantime
        while len(known) + len(others) < decisions:
            page.locator(".move:not(:disabled), #end-heading").first.wait_for()
            if page.locator("#end-heading").count():
                break
            passed, is_known = page.evaluate(CLICK_PROGRAM)
            (known if is_known else others).append(passed)
            page.locator(".sending").wait_for(state="detached")
    return known, others


@click.command()
@click.option("--delay", default=300.0, show_default=True, help="Delay of a message and its answer in ms.")
@click.option("--decisions", default=40, show_default=True, help="Clicks measured in each game.")
@click.argument("games", nargs=-1)
def main(delay: float, decisions: int, games: tuple[str, ...]) -> None:
    names = games or game_ids()
    for name in names:
        load_or_compile_files(find_game(name))
    with start_server(**UNLIMITED_SETTINGS) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        context = browser.new_context(base_url=server.url, locale="en", viewport=DESK)
        context.add_init_script(f"({DELAY_PROGRAM})({delay})")
        context.add_init_script("localStorage.setItem('courtly-speed', 'none')")
        context.add_init_script("localStorage.setItem('courtly-plain', 'yes')")
        page = context.new_page()
        click.echo("                   known:  median   worst      of   others:  median")
        for name in names:
            known, others = measure(page, name, decisions)
            figures = f"{statistics.median(known):6.0f} ms {max(known):4.0f} ms {len(known):4} of {decisions}"
            waiting = f"{statistics.median(others):6.0f} ms" if others else ""
            click.echo(f"  {name:20}{figures}   {waiting}")
        browser.close()


if __name__ == "__main__":
    main()

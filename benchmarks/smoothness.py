"""Measures how smooth a table is: the time from an interaction to the next paint on a slow phone, and the time between
frames on a desk while bots move. Needs Chromium and `courtly[dev]`; run it on an idle machine.

    python benchmarks/smoothness.py [--slower 4] [--clicks 2000] [--turns 10] [GAME …]

Interactions: whole games are played by taps on what the board offers, with a CPU slowed down by `--slower`, and
measured by the browser itself (Event Timing, the measure of "interaction to next paint"). Frames: bots move at normal
speed in a game for four; reported are turns of bots whose longest frame took more than 32 ms.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import click
from local_server import UNLIMITED_SETTINGS, start_server
from playwright.sync_api import Browser, Page, sync_playwright

from courtly.engine.game import find_game, game_ids

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find_chromium

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LONG_FRAME_MS = 32
OPEN_TABLE_PROGRAM = """async ({ game, players }) => {
    const others = Array(players - 1).fill({ kind: "bot", bot: "squire" });
    const body = JSON.stringify({ game, players, seats: [{ kind: "me" }, ...others] });
    const headers = { "content-type": "application/json" };
    return (await (await fetch("/api/tables", { method: "POST", body, headers })).json()).id;
}"""
# each interaction's longest event in ms, by its id; an event that is shorter than 16 ms is not reported
OBSERVE_INTERACTIONS_PROGRAM = """() => {
    window.interactions = new Map();
    new PerformanceObserver((list) => {
        for (const { interactionId: id, duration } of list.getEntries())
            if (id) window.interactions.set(id, Math.max(duration, window.interactions.get(id) ?? 0));
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
}"""
# the time between frames in ms, since the last call
OBSERVE_FRAMES_PROGRAM = """() => {
    window.frames_ms = [];
    let last = performance.now();
    const note = (now) => {
        window.frames_ms.push(now - last);
        last = now;
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""
FIND_PROGRAM = """n => {
    const selector = "#board :is(button, [role=button], [tabindex='0'])" +
        ":not([disabled], [aria-disabled=true], [tabindex='-1'], .end *)";
    const all = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    for (let i = 0; i < all.length; i++) {
        const element = all[(n + i) % all.length];
        element.scrollIntoView({ block: "nearest", behavior: "instant" });
        const { left, top, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        if (element.contains(document.elementFromPoint(x, y))) return { x, y };
    }
    return null;
}"""
REACTION_TIME_MS = 300  # from the moment that something to tap is in view to the tap
READY = ".now.mine:not(:has(~ * .sending)), #end-heading"


def open_table(browser: Browser, url: str, game: str, players: int, program: str, **settings: Any) -> Page:
    """Open a table against bots in a new browser."""
    context = browser.new_context(base_url=url, locale="en", **settings)
    page = context.new_page()
    page.goto("/")
    table = page.evaluate(OPEN_TABLE_PROGRAM, {"game": game, "players": players})
    page.goto(f"/t/{table}")
    page.locator(".is-pictured").wait_for()
    page.wait_for_timeout(3000)  # what is loaded later
    page.evaluate(program)
    return page


def measure_interactions(browser: Browser, url: str, game: str, slower: float, clicks: int) -> tuple[list[float], bool]:
    """Return the durations in ms of the interactions of a game that reach 16 ms, and whether the game has ended."""
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    page = open_table(browser, url, game, find_game(game).players[0], OBSERVE_INTERACTIONS_PROGRAM, **phone)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    generator = random.Random(game)
    made = 0
    while made < clicks and not page.locator("#end-heading").count():
        page.locator(READY).first.wait_for(timeout=60_000)
        if point := page.evaluate(FIND_PROGRAM, generator.getrandbits(30)):
            page.wait_for_timeout(REACTION_TIME_MS)
            page.touchscreen.tap(**point)
            made += 1
    is_over = page.locator("#end-heading").count() > 0
    page.wait_for_timeout(1000)
    durations = page.evaluate("() => [...window.interactions.values()]")
    page.context.close()
    return sorted([0.0] * (made - len(durations)) + durations), is_over


def measure_frames(browser: Browser, url: str, game: str, turns: int) -> list[float]:
    """Return the longest time between two frames in ms for each of these pauses between one's own decisions."""
    page = open_table(browser, url, game, min(4, find_game(game).players[-1]), OBSERVE_FRAMES_PROGRAM, viewport=DESK)
    generator = random.Random(game)
    longest = []
    while len(longest) < turns and not page.locator("#end-heading").count():
        page.locator(READY).first.wait_for(timeout=60_000)
        point = page.evaluate(FIND_PROGRAM, generator.getrandbits(30))
        if not point:
            continue
        page.mouse.click(**point)
        page.wait_for_timeout(100)
        if page.locator(".now.mine").count():
            continue
        page.evaluate("() => { window.frames_ms = []; }")
        page.locator(READY).first.wait_for(timeout=120_000)
        longest.append(max(page.evaluate("() => window.frames_ms")))
    page.context.close()
    return longest


@click.command(help=__doc__)
@click.option("--slower", default=4.0, show_default=True, help="Factor by which the phone's CPU is slowed down.")
@click.option("--clicks", default=2000, show_default=True, help="Taps in each game at most.")
@click.option("--turns", default=10, show_default=True, help="Turns of bots in each game.")
@click.argument("games", nargs=-1)
def main(slower: float, clicks: int, turns: int, games: tuple[str, ...]) -> None:
    with start_server(**UNLIMITED_SETTINGS) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        for game in games or game_ids():
            durations, is_over = measure_interactions(browser, server.url, game, slower, clicks)
            at = {share: durations[min(len(durations) - 1, int(share * len(durations)))] for share in (0.5, 0.98)}
            taps = f"{len(durations)} taps{'' if is_over else ', not to the end'}"
            click.echo(f"  {game:10} to next paint: median {at[0.5]:4.0f} ms, p98 {at[0.98]:4.0f} ms ({taps})")
            longest = measure_frames(browser, server.url, game, turns)
            slow = sum(frame > LONG_FRAME_MS for frame in longest)
            worst = max(longest, default=0)
            click.echo(
                f"  {'':10} longest frame of {len(longest)} turns: {worst:4.0f} ms; over {LONG_FRAME_MS} ms: {slow}"
            )
        browser.close()


if __name__ == "__main__":
    main()

"""Simulates offline play on a slow phone: time from the first visit to the first decision, transferred bytes, memory,
and the time that bots think and that a review takes. Needs Chromium, Linux and `courtly[dev]`.

    python benchmarks/phone.py [--slower 4] [--kilobits 1638] [--round-trip 150] [--language en] [--game petition]
    python benchmarks/phone.py --slower 1 --kilobits 10000 --round-trip 20      a desk

A proxy makes the network as slow as Lighthouse's "slow 4G" (`--kilobits 0`: no limit). As in lighthouse.py, the server
has TLS and HTTP/2 like public servers, which needs openssl and node; `--http1` measures `courtly serve` directly.
Chromium throttles only the main
thread of a page, not its workers, so all its processes are stopped for three quarters of the time (with `--slower 4`).
Wall-clock times are valid only on an idle machine. Processor times are not scaled: multiply them by the factor.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import statistics
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

import brotli
import click
from local_server import UNLIMITED_SETTINGS, start_http2_proxy, start_server
from playwright.sync_api import Page, sync_playwright

from courtly.bots.browser_files import load_or_compile_files
from courtly.bots.registry import find_bot
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance, make_generator
from courtly.engine.transcript import write_record

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find_chromium

PHONE = {"width": 360, "height": 740}
SLICE_S = 0.01  # length of a slice in which the browser runs
CHUNK_BYTES = 4096
CLOCK_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
SERVER_SETTINGS = {"COURTLY_COMPILE_AHEAD": "0", **UNLIMITED_SETTINGS}
THOUGHTS_PER_GAME = 40  # decisions of bots measured in each game
LEVELS = ("squire", "knight", "master")
HINT = "hint"
CAPTURE_WORKER_PROGRAM = """const BrowserWorker = Worker;
    window.Worker = class extends BrowserWorker {
        constructor(...args) {
            super(...args);
            window.games ??= this;
        }
    };"""
THINK_PROGRAM = """async ({ game, players, level, thoughts }) => {
    const ask = (what, ...more) => new Promise(done => {
        const listen = ({ data }) => {
            if (data.number !== 1e9) return;
            games.removeEventListener("message", listen);
            done(data.answer);
        };
        games.addEventListener("message", listen);
        games.postMessage({ number: 1e9, what, with: more });
    });
    await ask("open", game, Array(players).fill({ bot: level }), {}, "5a".repeat(32));
    const times = [];
    for (let more = true; more && times.length < thoughts;) {
        const began = performance.now();
        more = await ask("play_next_bot");
        times.push(performance.now() - began);
    }
    return times;
}"""
CACHE_PROGRAM = """async () => {
    while (!(await caches.match("/offline/all"))) await new Promise(done => setTimeout(done, 200));
}"""
HINT_PROGRAM = """async ({ game, players, thoughts }) => {
    const ask = (what, ...more) => new Promise(done => {
        const listen = ({ data }) => {
            if (data.number !== 1e9) return;
            games.removeEventListener("message", listen);
            done(data.answer);
        };
        games.addEventListener("message", listen);
        games.postMessage({ number: 1e9, what, with: more });
    });
    await ask("open", game, Array(players).fill({}), {}, "5a".repeat(32));
    const times = [];
    while (times.length < thoughts) {
        const view = (await ask("views")).find(({ legal }) => legal.length);
        if (!view) break;
        if (view.legal.length > 1) {
            const began = performance.now();
            await ask("advise", game, view, true);
            times.push(performance.now() - began);
        }
        await ask("play", view.seat, [view.legal[0].id], view.seq);
    }
    return times;
}"""
# the seconds until a record is reviewed, and its number of decisions
REVIEW_PROGRAM = """async record => {
    const file = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/web/core/i18n.js"));
    const { reviewOnDevice } = await import(file.name.replace("core/i18n.js", "local/device-review.js"));
    const began = performance.now();
    const { decisions } = await reviewOnDevice(record, [], () => {}, new AbortController().signal);
    return [(performance.now() - began) / 1000, decisions.length];
}"""
LOADED_PROGRAM = """() => [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)].map(
    (url) => new URL(url).pathname)"""


class Network:
    """A proxy in front of an address with limited bandwidth to the browser, and half the round-trip time of delay in
    each direction."""

    def __init__(self, url: str, kilobits: float, round_trip: float):
        address = urlsplit(url)
        self.port = address.port
        self.bytes_per_s, self.delay = kilobits * 1000 / 8, round_trip / 2000
        self.bytes, self.free = 0, 0.0
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(asyncio.start_server(self._meet, "127.0.0.1", 0))
        self.url = f"{address.scheme}://localhost:{self.server.sockets[0].getsockname()[1]}"
        Thread(target=self.loop.run_forever, daemon=True).start()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("localhost", self.port)
        await asyncio.gather(self._pass(reader, to_server, 0), self._pass(from_server, writer, self.bytes_per_s))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bytes_per_s: float) -> None:
        send_tasks: list[asyncio.Task[None]] = []
        try:
            while data := await reader.read(CHUNK_BYTES):
                if bytes_per_s:
                    now = time.monotonic()
                    self.free = max(now, self.free) + len(data) / bytes_per_s
                    await asyncio.sleep(self.free - now)
                self.bytes += len(data) * (writer.get_extra_info("peername")[1] != self.port)
                send_tasks = [
                    *(task for task in send_tasks if not task.done()),
                    asyncio.create_task(self._send(writer, data)),
                ]
            await asyncio.gather(*send_tasks)
        except OSError:
            pass
        finally:
            writer.close()

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        await asyncio.sleep(self.delay)
        writer.write(data)


def browser_processes() -> list[int]:
    """Return the ids of the browser processes that this process has started."""
    parents, names = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition(" (")[2].rpartition(") ")
        except OSError:
            continue
        parents[int(path.parts[2])], names[int(path.parts[2])] = int(rest.split()[1]), name
    ids = {os.getpid()}
    while children := {process for process, parent in parents.items() if parent in ids} - ids:
        ids |= children
    return [process for process in ids if "chrom" in names[process] or "headless" in names[process]]


@contextmanager
def slow_down(slower: float) -> Iterator[None]:
    is_done = Event()

    def pause_regularly() -> None:
        while not is_done.is_set():
            processes = browser_processes()
            for _ in range(20):
                for order, seconds in ((signal.SIGSTOP, SLICE_S * (slower - 1)), (signal.SIGCONT, SLICE_S)):
                    for process in processes:
                        try:
                            os.kill(process, order)
                        except ProcessLookupError:
                            continue
                    time.sleep(seconds)

    thread = Thread(target=pause_regularly, daemon=True)
    if slower > 1:
        thread.start()
    yield
    is_done.set()
    if slower > 1:
        thread.join()


def processor_seconds() -> float:
    """Return the processor time of the browser in seconds."""
    rows = [
        Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
        for process in browser_processes()
    ]
    return sum(int(fields[11]) + int(fields[12]) for fields in rows) / CLOCK_TICKS_PER_S


def memory_mb() -> float:
    """Return the proportional memory (PSS) of the largest process, that of the page and its worker, in MB."""
    memory_maps = [Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8") for process in browser_processes()]
    return (
        max(int(line.split()[1]) for text in memory_maps for line in text.splitlines() if line.startswith("Pss:"))
        / 1024
    )


def first_decision(page: Page, game: int, report: Callable[[str], None]) -> None:
    """Visit the page and begin a game, until the board shows the first decision, of a bot or of the reader. `report` is
    called at each stage."""
    page.goto("/offline", wait_until="commit")
    page.locator(".offline-games button").nth(game).wait_for()
    report("games shown")
    page.locator(".offline-games button").nth(game).click()
    page.locator("dialog .play").click()
    page.locator(".now").wait_for(timeout=600_000)
    report("first decision")


def play_game(name: str) -> str:
    """Return the record of a game for two that bots have played."""
    game = find_game(name)
    bot, generator = find_bot(game, "squire"), make_generator(1)
    match = Match(game, game.players[0], None, SeededChance(1))
    while not match.over:
        seat = match.pending[0]
        match.play(seat, bot(game, match.view(seat), generator))
    return write_record(match)


def brotli_kilobytes(server_url: str, paths: set[str]) -> float:
    """Return the size of these files of a server in Brotli, as web servers send them. Fonts are left out."""
    files = [urllib.request.urlopen(server_url + path).read() for path in paths if "/fonts/" not in path]
    return sum(len(brotli.compress(file)) for file in files) / 1000


@click.command()
@click.option("--slower", default=4.0, show_default=True, help="Factor by which the CPU is slowed down.")
@click.option("--kilobits", default=1638.4, show_default=True, help="Bandwidth in kbit/s; 0 for no limit.")
@click.option("--round-trip", default=150.0, show_default=True, help="Round-trip time of the network in ms.")
@click.option("--language", default="en", show_default=True, help="Language of the browser.")
@click.option("--game", default="petition", show_default=True, help="The game of the first decision.")
@click.option("--http1", is_flag=True, help="Measure without TLS and HTTP/2.")
def main(slower: float, kilobits: float, round_trip: float, language: str, game: str, http1: bool) -> None:
    with (
        start_server(**SERVER_SETTINGS) as server,
        nullcontext((server.url, "")) if http1 else start_http2_proxy(server.url) as (url, trust),
    ):
        for name in game_ids():
            load_or_compile_files(find_game(name))
        network = Network(url, kilobits, round_trip)
        measure(network, server.url, trust, slower, language, game_ids().index(game))


def measure(network: Network, server_url: str, trust: str, slower: float, language: str, game: int) -> None:
    chromium = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[trust] if trust else [])
        context = browser.new_context(
            base_url=network.url, locale=language, viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True
        )
        context.set_default_timeout(600_000)
        for visit in ("first visit", "another day"):
            page = context.new_page()
            page.add_init_script(CAPTURE_WORKER_PROGRAM)
            page.add_init_script("localStorage.setItem('courtly-speed', 'none')")  # bots that begin are not watched
            start_time, before, network.bytes = time.perf_counter(), processor_seconds(), 0
            click.echo(f"{visit:26}     wall clock       cpu   loaded memory")

            def report(label: str, began=start_time, before=before) -> None:
                passed, spent = time.perf_counter() - began, processor_seconds() - before
                loaded = network.bytes / 1e6
                click.echo(f"  {label:24} {passed:12.1f} s {spent:7.1f} s {loaded:5.1f} MB {memory_mb():4.0f} MB")

            with slow_down(slower):
                first_decision(page, game, report)
                if visit == "first visit":
                    paths = set(page.evaluate(LOADED_PROGRAM))
                    kilobytes = brotli_kilobytes(server_url, paths)
                    click.echo(f"  in Brotli, without fonts: {kilobytes:.0f} KB in {len(paths)} files")
                    page.evaluate(CACHE_PROGRAM)
                    page.evaluate("localStorage.removeItem('courtly-offline')")  # the next game asks no question
                    page.close()
                    continue
                page.goto("/offline")  # no game is played
                page.locator(".offline-games button").first.wait_for()
                for name, level in itertools.product(game_ids(), (*LEVELS, HINT)):
                    players = find_game(name).players[-1]
                    question = {"game": name, "players": players, "level": level, "thoughts": THOUGHTS_PER_GAME}
                    spent = processor_seconds()
                    times = page.evaluate(HINT_PROGRAM if level == HINT else THINK_PROGRAM, question)
                    spent = 1000 * (processor_seconds() - spent) / len(times)
                    figures = f"mean {statistics.mean(times):5.0f} ms, worst {max(times):5.0f} ms; cpu {spent:4.0f} ms"
                    click.echo(f"  {level} of {name:14} {figures}")
                for name in game_ids():
                    seconds, decisions = page.evaluate(REVIEW_PROGRAM, play_game(name))
                    click.echo(f"  review of {name:14} {seconds:5.1f} s for {decisions} decisions")
        browser.close()


if __name__ == "__main__":
    main()

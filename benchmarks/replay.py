"""Measures how long the replay of a finished game takes to open, and a step in it, in Chromium with a warm cache: at
full speed, and with the CPU throttled to a quarter.

    python benchmarks/replay.py [FILE …]

`cpu` is processor time, of the server and of the page's main thread; all other figures are wall-clock times, which are
longer on a busy machine. Throttling inserts waits, so there is no processor time for it.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from local_server import UNLIMITED_SETTINGS, start_server
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from chromium import find_chromium

GAMES_FOLDER = Path(__file__).parent.parent / "tests" / "games"
DEFAULT_FILES = [
    "necklace/golden/victory-shared.jsonl",
    "newtown/golden/original-four-players.jsonl",
    "cardinal/golden/five-players.jsonl",
    "puppet/golden/3-players-most-points.jsonl",
    "petition/golden/the-queens-holder-beats.jsonl",
]
STEPS = 60
STEP_PROGRAM = """async count => {
    const press = name => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const times = [];
    for (let i = 0; i < count; i++) {
        await new Promise(requestAnimationFrame);
        const began = performance.now();
        press("ArrowRight");
        await Promise.resolve();
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
    }
    return times;
}"""


def main(files: list[Path]) -> None:
    with start_server(**UNLIMITED_SETTINGS) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        print(f"{'record':38} moments    KiB  slowed    opens      cpu: server, page   step, worst      cpu")
        for file in files:
            text = file.read_text(encoding="utf-8")
            for slower in (1, 4):
                context = browser.new_context(base_url=server.url)
                page = context.new_page()
                page.add_init_script("localStorage.setItem('courtly-speed', 'none')")
                page.goto("/")
                page.locator(".door").first.wait_for()
                response = page.request.post("/api/replay", data=text, headers={"content-type": "text/plain"})
                page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
                tools = context.new_cdp_session(page)
                tools.send("Performance.enable", {"timeDomain": "threadTicks"})
                tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})

                def page_cpu_seconds(tools=tools) -> float:
                    metrics = tools.send("Performance.getMetrics")["metrics"]
                    return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

                start_time, before = time.perf_counter(), server.cpu_seconds()
                page.goto("/replay", wait_until="commit")
                page.locator(".past input[type=range]").wait_for()
                opening_s, of_server, of_page = (
                    time.perf_counter() - start_time,
                    server.cpu_seconds() - before,
                    page_cpu_seconds(),
                )
                times = page.evaluate(STEP_PROGRAM, STEPS)
                step = (page_cpu_seconds() - of_page) / STEPS
                many, size = len(response.json()["moments"]), len(response.body()) / 1024
                print(
                    f"{'/'.join(file.parts[-3::2]):38} {many:7} {size:6.0f}"
                    f"  {slower:4} × {opening_s:6.2f} s"
                    + (f"      {1000 * of_server:6.0f} ms, {of_page:4.0f} ms" if slower == 1 else f"{'':25}")
                    + f"  {statistics.median(times):4.0f}, {max(times):4.0f} ms"
                    + (f"  {step:4.0f} ms" if slower == 1 else ""),
                    flush=True,
                )
                context.close()
        browser.close()


main([Path(file) for file in sys.argv[1:]] or [GAMES_FOLDER / file for file in DEFAULT_FILES])

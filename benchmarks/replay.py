"""How fast a finished game of about so many decisions opens to be played back, and how long a step takes: in Chromium,
from the lobby's cache, as it is and on a processor slowed down four times. `python benchmarks/replay.py [FILE …]`"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent.parent
sys.path += [str(HERE / "tests" / "browser"), str(HERE / "tools")]
find, serving = import_module("chromium").find, import_module("serving").serving

GAMES = HERE / "tests" / "games"
USUAL = [
    "necklace/golden/victory-shared.jsonl",
    "newtown/golden/original-four-players.jsonl",
    "cardinal/golden/five-players.jsonl",
    "puppet/golden/3-players-most-points.jsonl",
    "petition/golden/the-queens-holder-beats.jsonl",
]
STEPS = 60
STEP = """async count => {
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
    with tempfile.TemporaryDirectory() as data, serving(data) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find())
        print(f"{'record':44} {'moments':>7} {'server':>8} {'KiB':>5}   slowed  opens    step, worst")
        for file in files:
            text = file.read_text(encoding="utf-8")
            for slower in (1, 4):
                context = browser.new_context(base_url=address)
                page = context.new_page()
                page.add_init_script("localStorage.setItem('courtly-speed', 'none')")
                page.goto("/")
                page.locator(".door").first.wait_for()
                began = time.perf_counter()
                answer = page.request.post("/api/replay", data=text, headers={"content-type": "text/plain"})
                served = time.perf_counter() - began
                told = answer.json()
                page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
                page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
                began = time.perf_counter()
                page.goto("/replay", wait_until="commit")
                page.locator(".past input[type=range]").wait_for()
                opened = time.perf_counter() - began
                times = page.evaluate(STEP, STEPS)
                print(
                    f"{'/'.join(file.parts[-3::2]):44} {len(told['moments']):7} {1000 * served:5.0f} ms"
                    f" {len(json.dumps(told)) / 1024:5.0f}   {slower:4} ×  {opened:5.2f} s"
                    f"  {statistics.median(times):4.0f} ms, {max(times):.0f} ms",
                    flush=True,
                )
                context.close()
        browser.close()


main([Path(file) for file in sys.argv[1:]] or [GAMES / file for file in USUAL])

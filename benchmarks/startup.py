"""How soon a table is ready: seconds from starting the server to its first answer, its memory, and the bytes of the first page in each language.

    python benchmarks/startup.py [--runs 5]
"""
from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))


@click.command()
@click.option("--runs", default=5, show_default=True)
def main(runs: int) -> None:
    times, memory = [], 0
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as data:
            started = time.perf_counter()
            server = subprocess.Popen([sys.executable, "-m", "courtly", "serve", "--port", "0", "--data", data, "--no-browser"],
                                      stdout=subprocess.PIPE, text=True)
            try:
                address = find_address(server)
                urllib.request.urlopen(address, timeout=10).read()
                times.append(time.perf_counter() - started)
                memory = resident(server.pid)
                if len(times) == runs:
                    page(address)
            finally:
                server.terminate()
                server.wait(10)
    click.echo(f"first answer after {statistics.median(times):.2f} s (median of {runs}; {min(times):.2f} to {max(times):.2f}), {memory} MB resident")


def find_address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        found = re.search(r"http://\S+", line)
        if found:
            return found[0]
    raise SystemExit("the server said no address")


def resident(pid: int) -> int:
    """Megabytes; 0 where /proc does not tell."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) // 1024 if found else 0


def page(address: str) -> None:
    """What a browser fetches for the lobby, as it comes over the wire."""
    from chromium import find
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find())
        for language in ("en", "ja"):
            tab = browser.new_page(locale=language)
            finished = []
            tab.on("requestfinished", lambda request, finished=finished: finished.append(request))
            tab.goto(address, wait_until="networkidle")
            sizes = [request.sizes()["responseBodySize"] for request in finished]
            click.echo(f"first page in {language}: {sum(sizes) / 1000:.0f} KB compressed in {len(sizes)} requests")
        browser.close()


if __name__ == "__main__":
    main()

"""Measures the startup of a server: seconds until its first response, its memory, and the size of the first page in
each language.

    python benchmarks/startup.py [--runs 5]
"""

from __future__ import annotations

import statistics
import sys
import time
import urllib.request
from pathlib import Path

import click
from local_server import start_server

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))


@click.command()
@click.option("--runs", default=5, show_default=True, help="Number of starts.")
def main(runs: int) -> None:
    times, memory = [], None
    for _ in range(runs):
        start_time = time.perf_counter()
        with start_server() as server:
            urllib.request.urlopen(server.url, timeout=10).read()
            times.append(time.perf_counter() - start_time)
            memory = server.memory()
            if len(times) == runs:
                fetch_first_page(server.url)
    click.echo(
        f"first response after {statistics.median(times):.2f} s (median of {runs}; "
        f"{min(times):.2f} to {max(times):.2f}), {memory} MB resident"
    )


def fetch_first_page(address: str) -> None:
    """Print the size of what a browser fetches for the lobby, as transferred."""
    from chromium import find_chromium
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        for language in ("en", "ja"):
            tab = browser.new_page(locale=language)
            finished_requests = []
            tab.on("requestfinished", lambda request, finished=finished_requests: finished.append(request))
            tab.goto(address, wait_until="networkidle")
            sizes = [request.sizes()["responseBodySize"] for request in finished_requests]
            click.echo(f"first page in {language}: {sum(sizes) / 1000:.0f} KB compressed in {len(sizes)} requests")
        browser.close()


if __name__ == "__main__":
    main()

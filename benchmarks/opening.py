"""Measures what the exchange of random numbers adds to opening a table with bots: the latency of its one further
request.

python benchmarks/opening.py [--tables 50]
"""

import argparse
import hashlib
import http.cookiejar
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

LIMIT_MS = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="number of tables to open")
    count = parser.parse_args().tables
    with tempfile.TemporaryDirectory() as data:
        quiet = {
            "COURTLY_TABLES_PER_MINUTE": "60000",
            "COURTLY_COMMANDS_PER_SECOND": "5000",
            "COURTLY_COMPILE_AHEAD": "0",
        }
        serve = [sys.executable, "-u", "-m", "courtly", "serve", "--port", "0", "--data", data, "--no-browser"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=os.environ | quiet)
        try:
            assert server.stdout
            address = next(word for word in server.stdout.readline().split() if word.startswith("http")).rstrip("/")
            taken = sorted(measure(address, count))
        finally:
            server.terminate()
            server.wait(10)
    median, slow = statistics.median(taken), taken[int(0.95 * len(taken))]
    print(f"latency of the request: median {median:.1f} ms, p95 {slow:.1f} ms (limit of the median: {LIMIT_MS} ms)")
    sys.exit(median > LIMIT_MS)


def measure(address: str, count: int) -> list[float]:
    """Open tables with a bot and return the latency of sending each number, in ms."""
    asker = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def ask(path: str, body: object = None) -> dict[str, object]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address + path, data, {"content-type": "application/json"})
        with asker.open(request, timeout=30) as response:
            return dict(json.load(response))

    ask("/api/me")
    taken = []
    for _ in range(count):
        number = secrets.token_bytes(32)
        table_request = {"game": "petition", "players": 2, "seats": [{"kind": "me"}, {"kind": "bot"}]}
        table = ask("/api/tables", table_request | {"pledge": hashlib.sha256(number).hexdigest()})
        began = time.perf_counter()
        opened = ask(f"/api/tables/{table['id']}/number", {"seat": 0, "nonce": number.hex()})
        taken.append(1000 * (time.perf_counter() - began))
        assert opened["status"] == "playing"
        ask(f"/api/tables/{table['id']}/leave", {})
    return taken


if __name__ == "__main__":
    main()

"""Measures how much chat slows down moves at a table, and how fast notifications are sent.

    python benchmarks/chat.py [--json]

The benchmark starts its own server on the loopback interface. It alternates short windows, each at a new table, with
random moves at an even pace, with chat messages, or with both, so that other load on the machine affects all three. It
prints the server's processor time for a move, for a message, and for a move during chat (after subtracting the
messages), and the wall-clock time until a move is acknowledged: the quartiles of the windows' medians, and of the
difference between a window with chat and the preceding one without.

Notifications go to a webhook of the benchmark. Their latency is measured from the response to the command that made it
a player's turn, which is sent right after the commit, until the webhook receives the request.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import multiprocessing
import queue
import random
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from statistics import median, quantiles
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from load import quantile_at
from local_server import UNLIMITED_SETTINGS, Server, start_server
from websockets.asyncio.client import connect

SEATS = [{"kind": "me"}, {"kind": "local"}]


class Window(NamedTuple):
    """`worked`: the server's processor time in seconds. `times`: latency of each move in ms. `messages`: chat
    messages."""

    worked: float
    times: list[float]
    messages: int


def keep_chatting(url: str, cookie: str, table: str, rate: float, sent_count: Any) -> None:
    """Send chat messages at this rate until terminated."""
    line = http.client.HTTPConnection(urlsplit(url).netloc)
    while True:
        start_time = time.monotonic()
        body = json.dumps({"text": "What a beautiful day to play at court! " * 3})
        headers = {"cookie": cookie, "content-type": "application/json"}
        line.request("POST", f"/api/tables/{table}/chat", body, headers)
        answer = line.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
        sent_count.value += 1
        time.sleep(max(0.0, 1 / rate - (time.monotonic() - start_time)))


async def measure_window(server: Server, cookie: str, game: str, pace: float, seconds: float, rate: float) -> Window:
    """Measure at a new table, until the time or the game is over. `pace`, `rate`: moves and chat messages per second; 0
    for none."""
    table, _ = await asyncio.to_thread(server.request, cookie, "POST", "/api/tables", table_request(game, SEATS))
    sent_count = multiprocessing.Value("i", 0)
    talker = multiprocessing.Process(
        target=keep_chatting, args=(server.url, cookie, table["id"], rate, sent_count), daemon=True
    )
    times: list[float] = []
    headers = {"cookie": cookie}
    async with connect(server.table(table["id"]), additional_headers=headers, proxy=None, compression=None) as socket:
        await socket.send(json.dumps({"type": "hello"}))
        if rate:
            talker.start()
        before, end = server.cpu_seconds(), time.monotonic() + seconds
        if pace:
            await play_moves(socket, pace, end, times)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, end - time.monotonic())):
                while not pace:
                    await socket.recv()
        cpu_seconds, messages = server.cpu_seconds() - before, sent_count.value
        if rate:
            talker.terminate()
            talker.join()
    return Window(cpu_seconds, times, messages)


async def play_moves(socket: Any, pace: float, end: float, times: list[float]) -> None:
    rng, views = random.Random(7), dict[int, dict]()
    sent_at, waiting = 0.0, False
    while time.monotonic() < end:
        message = json.loads(await socket.recv())
        if message["type"] == "done":
            times.append(1000 * (time.perf_counter() - sent_at))
        if message["type"] == "view":
            views[message["view"]["seat"]] = message["view"]
            waiting = False
            if message["view"]["over"]:
                return
        view = next((view for view in views.values() if view["legal"]), None)
        if waiting or view is None or message["type"] != "view":
            continue
        await asyncio.sleep(rng.uniform(0.5, 1.5) / pace)
        sent_at, waiting = time.perf_counter(), True
        move = {"seat": view["seat"], "seq": view["seq"], "moves": [rng.choice(view["legal"])["id"]]}
        await socket.send(json.dumps({"type": "play", "key": f"{time.monotonic_ns()}", **move}))


def table_request(game: str, seats: list[dict]) -> dict:
    return {"game": game, "players": len(seats), "seats": seats}


def measure_notifications(server: Server, times: int) -> list[float]:
    """Return the latency of notifications in ms, sorted."""
    got: queue.Queue[tuple[str, float]] = queue.Queue()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            got.put((body["table"], time.perf_counter()))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    hook_server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=hook_server.serve_forever, daemon=True).start()
    _, host = server.request("", "GET", "/api/me")
    _, away = server.request("", "GET", "/api/me")
    hook = {"language": "en", "webhook": f"http://127.0.0.1:{hook_server.server_port}/"}
    server.request(away, "PUT", "/api/me/notifications", hook)
    got.get(timeout=60)  # the confirmation message does not count
    latencies = []
    while len(latencies) < times:
        opened, _ = server.request(
            away, "POST", "/api/tables", table_request("puppet", [{"kind": "me"}, {"kind": "open"}])
        )
        # the game begins, with a decision of all seats
        server.request(host, "POST", f"/api/tables/{opened['id']}/sit", {})
        done_at = time.perf_counter()
        table, at_hook = got.get(timeout=60)
        assert table == opened["id"]
        latencies.append(1000 * max(0.0, at_hook - done_at))
    hook_server.shutdown()
    return sorted(latencies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition", help="id of the game")
    parser.add_argument("--messages", type=float, default=20, help="chat messages per second")
    parser.add_argument("--pace", type=float, default=50, help="moves per second at most")
    parser.add_argument("--seconds", type=float, default=1.5, help="length of each window")
    parser.add_argument("--rounds", type=int, default=12, help="number of windows of each kind")
    parser.add_argument("--notices", type=int, default=50, help="number of notifications")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    kinds = {
        "moves": (arguments.pace, 0.0),
        "both": (arguments.pace, arguments.messages),
        "chat": (0.0, arguments.messages),
    }
    windows: dict[str, list[Window]] = {kind: [] for kind in kinds}
    free = {
        "COURTLY_CHAT_MESSAGES_PER_MINUTE": "1e9",
        "COURTLY_TABLES_PER_GUEST": "100000",
        "COURTLY_ALLOW_LOCAL_WEBHOOKS": "1",
    }
    with start_server(**UNLIMITED_SETTINGS, **free, COURTLY_ADDRESS="http://games.example") as server:
        _, cookie = server.request("", "GET", "/api/me")
        asyncio.run(
            measure_window(server, cookie, arguments.game, arguments.pace, arguments.seconds, arguments.messages)
        )  # warm-up
        for _ in range(arguments.rounds):
            for kind, (pace, rate) in kinds.items():
                windows[kind].append(
                    asyncio.run(measure_window(server, cookie, arguments.game, pace, arguments.seconds, rate))
                )
        latencies = measure_notifications(server, arguments.notices)
    sums = {
        kind: (sum(w.worked for w in all_), sum(len(w.times) for w in all_), sum(w.messages for w in all_))
        for kind, all_ in windows.items()
    }
    move, message = 1000 * sums["moves"][0] / sums["moves"][1], 1000 * sums["chat"][0] / sums["chat"][2]
    with_chat = (1000 * sums["both"][0] - message * sums["both"][2]) / sums["both"][1]
    waits = {kind: [median(w.times) for w in windows[kind]] for kind in ("moves", "both")}
    differences = [b - a for a, b in zip(waits["moves"], waits["both"], strict=True)]
    result = {
        "processor_ms": {
            name: round(ms, 3) for name, ms in (("move", move), ("message", message), ("both", with_chat))
        },
        "moves": sums["moves"][1] + sums["both"][1],
        "messages": sums["both"][2] + sums["chat"][2],
        "waits_ms": {
            kind: [round(q, 2) for q in quantiles(ms)] for kind, ms in (*waits.items(), ("later", differences))
        },
        "notices": {
            "p50_ms": quantile_at(latencies, 0.5),
            "p99_ms": quantile_at(latencies, 0.99),
            "within_1_s": sum(ms < 1000 for ms in latencies),
        },
    }
    if arguments.json:
        print(json.dumps(result))
        return
    wait_texts = {kind: "{1} ms ({0} to {2})".format(*result["waits_ms"][kind]) for kind in ("moves", "both", "later")}
    print(
        f"Processor time: {move:.2f} ms for a move, {message:.2f} ms for a chat message, {with_chat:.2f} ms for a move"
    )
    print(f"during chat ({arguments.messages:g} messages per second; {result['moves']} moves).")
    print(
        f"Latency of a move: {wait_texts['moves']} without chat, {wait_texts['both']} with chat; "
        f"{wait_texts['later']} longer."
    )
    half, p99, within_1_s = (result["notices"][name] for name in ("p50_ms", "p99_ms", "within_1_s"))
    print(f"Latency of a notification: {half} ms, p99 {p99} ms; {within_1_s} of {len(latencies)} within 1 s.")


if __name__ == "__main__":
    main()

"""What talk at a table costs those who move there: python benchmarks/talk.py [--json]

Starts a server of its own on this machine's loopback and plays random legal moves at one table over its socket, at an
even pace, by turns in silence and while others say so many things a second there, from a process of their own. A move's
time is from sending it to its acknowledgement.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import multiprocessing
import random
import time
from urllib.parse import urlsplit

from house import UNLIMITED, House, house
from load import at
from websockets.asyncio.client import connect

SEATS = [{"kind": "me"}, {"kind": "local"}]


def talk(url: str, cookie: str, table: str, rate: float) -> None:
    """Say something, over and over."""
    line = http.client.HTTPConnection(urlsplit(url).netloc)
    while True:
        began = time.monotonic()
        body = json.dumps({"text": "What a beautiful day to play at court! " * 3})
        headers = {"cookie": cookie, "content-type": "application/json"}
        line.request("POST", f"/api/tables/{table}/talk", body, headers)
        answer = line.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
        time.sleep(max(0.0, 1 / rate - (time.monotonic() - began)))


async def play(house: House, cookie: str, game: str, pace: float, seconds: float, rate: float) -> list[float]:
    """The times of the moves of one or more games, in ms."""
    rng, times, end = random.Random(7), [], time.monotonic() + seconds
    while time.monotonic() < end:
        wish = {"game": game, "players": 2, "seats": SEATS}
        made, _ = await asyncio.to_thread(house.ask, cookie, "POST", "/api/tables", wish)
        talker = multiprocessing.Process(target=talk, args=(house.url, cookie, made["id"], rate), daemon=True)
        if rate:
            talker.start()
        async with connect(
            house.table(made["id"]), additional_headers={"cookie": cookie}, proxy=None, compression=None
        ) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            views: dict[int, dict] = {}
            sent, waiting = 0.0, False
            while time.monotonic() < end:
                message = json.loads(await socket.recv())
                if message["type"] == "done":
                    times.append(1000 * (time.perf_counter() - sent))
                if message["type"] == "view":
                    view = message["view"]
                    views[view["seat"]] = view
                    waiting = False
                    if view["over"]:
                        break
                if waiting or message["type"] != "view":
                    continue
                view = next((view for view in views.values() if view["legal"]), None)
                if view is not None:
                    await asyncio.sleep(rng.uniform(0.5, 1.5) / pace)
                    sent, waiting = time.perf_counter(), True
                    move = {"seat": view["seat"], "seq": view["seq"], "moves": [rng.choice(view["legal"])["id"]]}
                    await socket.send(json.dumps({"type": "play", "key": f"{time.monotonic_ns()}", **move}))
        if rate:
            talker.terminate()
            talker.join()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition")
    parser.add_argument("--sayings", type=float, default=20, help="a second")
    parser.add_argument("--pace", type=float, default=50, help="moves a second at most")
    parser.add_argument("--seconds", type=float, default=5, help="of each round")
    parser.add_argument("--rounds", type=int, default=6, help="of silence and of talk, by turns")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found: dict[str, list[float]] = {"silence": [], "talk": []}
    with house(**UNLIMITED, COURTLY_SAYINGS_PER_MINUTE="1e9") as served:
        _, cookie = served.ask("", "GET", "/api/me")
        for _ in range(given.rounds):
            for name, rate in (("silence", 0.0), ("talk", given.sayings)):
                found[name] += asyncio.run(play(served, cookie, given.game, given.pace, given.seconds, rate))
    result = {
        name: {"moves": len(times), "p50_ms": at(sorted(times), 0.5), "p99_ms": at(sorted(times), 0.99)}
        for name, times in found.items()
    }
    if given.json:
        print(json.dumps(result))
        return
    for name, said in (("silence", "In silence"), ("talk", f"With {given.sayings:g} sayings a second at the table")):
        r = result[name]
        print(f"{said}: a move p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms, of {r['moves']} moves")


if __name__ == "__main__":
    main()

"""Does the clock tell what bots choose in secret? python benchmarks/clock.py [--busy 4] [--json]

Bots play Queen's Necklace; a spectator notes when each sale begins and when each bot says that it is ready. When the
game is over, its record tells how many cards each had laid out. If the time told that number, the two would be
correlated, and whoever guesses the number of the sale that took a time most like it would be right more often than
whoever always says the commonest.

Starts a server of its own on this machine's loopback, with its data in a temporary folder, and ends it. `--busy`
processes keep the machine's cores busy meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import time
import urllib.request
from collections import Counter
from typing import NamedTuple

from house import UNLIMITED_SETTINGS, Server, start_server
from websockets.asyncio.client import connect

from courtly.engine import transcript

GAME, PLAYERS, COMMIT = "necklace", 3, "commit"
SECRET_VERBS = {"lay", "ring", "king", "necklace", "banker", "clear"}


class Sale(NamedTuple):
    """What one bot did in one sale: seconds until it was ready, cards laid out."""

    seconds: float
    laid: int


async def watch_game(served: Server, cookie: str) -> list[Sale]:
    """A game between bots, watched to its end."""
    bots = [{"kind": "bot"}] * PLAYERS
    table, _ = await asyncio.to_thread(
        served.ask, cookie, "POST", "/api/tables", {"game": GAME, "players": PLAYERS, "seats": bots}
    )
    times: dict[int, list[float]] = {seat: [] for seat in range(PLAYERS)}
    began, pending = 0.0, 0
    async with connect(
        served.table(table["id"]), additional_headers={"cookie": cookie}, proxy=None, compression=None
    ) as socket:
        await socket.send(json.dumps({"type": "hello"}))
        over = False
        while not over:
            message = json.loads(await socket.recv())
            if message["type"] != "view":
                continue
            now, view = time.perf_counter(), message["view"]
            for cue in view["cues"]:
                if cue["verb"] == COMMIT:
                    times[cue["seat"]].append(now - began)
            if len(view["pending"]) > max(1, pending):  # several decide at once from now on
                began = now
            pending, over = len(view["pending"]), view["over"]
    with await asyncio.to_thread(
        urllib.request.urlopen, f"{served.url}/api/tables/{table['id']}/record", timeout=60
    ) as answer:
        text = answer.read().decode()
    return [Sale(*both) for seat, laid in count_cards(text).items() for both in zip(times[seat], laid, strict=True)]


def count_cards(record: str) -> dict[int, list[int]]:
    """How many cards each seat had laid out in each sale."""
    match = transcript.check(record)
    found: dict[int, list[int]] = {seat: [] for seat in range(PLAYERS)}
    laying = Counter[int]()
    for entry in match.entries:
        if entry.seat >= 0 and not entry.undo:
            verb = match.moves.decode(entry.move).verb
            laying[entry.seat] += verb in SECRET_VERBS
            if verb == COMMIT:
                found[entry.seat].append(laying.pop(entry.seat, 0))
    return found


async def watch_games(served: Server, tables: int, seconds: float) -> list[Sale]:
    _, cookie = served.ask("", "GET", "/api/me")
    end, found = time.monotonic() + seconds, []

    async def play() -> None:
        while time.monotonic() < end:
            found.extend(await watch_game(served, cookie))

    await asyncio.gather(*(play() for _ in range(tables)))
    return found


def judge_sales(sales: list[Sale]) -> dict[str, float]:
    seconds, laid = [sale.seconds for sale in sales], [sale.laid for sale in sales]
    guessed = 0
    for i, sale in enumerate(sales):
        others = sales[:i] + sales[i + 1 :]
        nearest = sorted(others, key=lambda other: abs(other.seconds - sale.seconds))[:5]
        guessed += Counter(other.laid for other in nearest).most_common(1)[0][0] == sale.laid
    commonest = Counter(laid).most_common(1)[0][1]
    told = statistics.correlation(seconds, laid) if len(set(laid)) > 1 and len(set(seconds)) > 1 else 0.0
    return {
        "sales": len(sales),
        "correlation": round(told, 3),
        "noise": round(2 / len(sales) ** 0.5, 3),
        "guessed_by_time": guessed,
        "guessed_blindly": commonest,
        "seconds_min": round(min(seconds), 3),
        "seconds_median": round(statistics.median(seconds), 3),
        "seconds_max": round(max(seconds), 3),
    }


def spin() -> None:
    while True:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60, help="after which no game is begun any more")
    parser.add_argument("--pause", type=float, default=0.2, help="of the bots, in seconds")
    parser.add_argument("--busy", type=int, default=0, help="processes that keep the machine busy")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(given.busy)]
    with start_server(**UNLIMITED_SETTINGS, COURTLY_BOT_PAUSE=str(given.pause)) as served:
        try:
            for process in busy:
                process.start()
            result = judge_sales(asyncio.run(watch_games(served, given.tables, given.seconds)))
        finally:
            for process in busy:
                process.kill()
    if given.json:
        print(json.dumps(result))
        return
    print(
        f"{result['sales']} times a bot chose what to show. It was ready after "
        f"{result['seconds_min']} to {result['seconds_max']} s "
        f"(median {result['seconds_median']}). Correlation with the number of cards: {result['correlation']} "
        f"(noise: up to {result['noise']}). Number guessed from the time: "
        f"{result['guessed_by_time']} right, blindly {result['guessed_blindly']}."
    )


if __name__ == "__main__":
    main()

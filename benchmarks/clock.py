"""Tests for a timing side channel: whether the time that bots take reveals what they choose in secret.

    python benchmarks/clock.py [--busy 4] [--json]

Bots play Queen's Necklace. A spectator measures the time from the beginning of each sale until each bot has committed.
After the game, the record shows how many cards each bot had laid out. A leak would show as a correlation, and in that
guessing the number from sales with similar times is more often right than always guessing the most frequent number.

The benchmark starts its own server on the loopback interface with a temporary data folder. `--busy` processes load the
machine's cores meanwhile.
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

from local_server import UNLIMITED_SETTINGS, Server, start_server
from websockets.asyncio.client import connect

from courtly.engine import transcript

GAME, PLAYERS, COMMIT = "necklace", 3, "commit"
SECRET_VERBS = {"lay", "ring", "king", "necklace", "banker", "clear"}


class Sale(NamedTuple):
    """One bot in one sale: seconds until it committed, and cards laid out."""

    seconds: float
    card_count: int


async def watch_game(server: Server, cookie: str) -> list[Sale]:
    """Watch a game between bots to its end and return its sales."""
    bots = [{"kind": "bot"}] * PLAYERS
    table, _ = await asyncio.to_thread(
        server.request, cookie, "POST", "/api/tables", {"game": GAME, "players": PLAYERS, "seats": bots}
    )
    times: dict[int, list[float]] = {seat: [] for seat in range(PLAYERS)}
    start_time, pending = 0.0, 0
    async with connect(
        server.table(table["id"]), additional_headers={"cookie": cookie}, proxy=None, compression=None
    ) as socket:
        await socket.send(json.dumps({"type": "hello"}))
        is_over = False
        while not is_over:
            message = json.loads(await socket.recv())
            if message["type"] != "view":
                continue
            now, view = time.perf_counter(), message["view"]
            for cue in view["cues"]:
                if cue["verb"] == COMMIT:
                    times[cue["seat"]].append(now - start_time)
            if len(view["pending"]) > max(1, pending):  # a simultaneous decision begins
                start_time = now
            pending, is_over = len(view["pending"]), view["over"]
    with await asyncio.to_thread(
        urllib.request.urlopen, f"{server.url}/api/tables/{table['id']}/record", timeout=60
    ) as response:
        text = response.read().decode()
    return [
        Sale(*both)
        for seat, card_counts in count_cards(text).items()
        for both in zip(times[seat], card_counts, strict=True)
    ]


def count_cards(record: str) -> dict[int, list[int]]:
    """Return how many cards each seat had laid out in each sale."""
    match = transcript.check(record)
    counts: dict[int, list[int]] = {seat: [] for seat in range(PLAYERS)}
    current = Counter[int]()
    for entry in match.entries:
        if entry.seat >= 0 and not entry.undo:
            verb = match.moves.decode(entry.move).verb
            current[entry.seat] += verb in SECRET_VERBS
            if verb == COMMIT:
                counts[entry.seat].append(current.pop(entry.seat, 0))
    return counts


async def watch_games(server: Server, tables: int, seconds: float) -> list[Sale]:
    _, cookie = server.request("", "GET", "/api/me")
    end, sales = time.monotonic() + seconds, []

    async def play() -> None:
        while time.monotonic() < end:
            sales.extend(await watch_game(server, cookie))

    await asyncio.gather(*(play() for _ in range(tables)))
    return sales


def judge_sales(sales: list[Sale]) -> dict[str, float]:
    seconds, card_counts = [sale.seconds for sale in sales], [sale.card_count for sale in sales]
    correct_guesses = 0
    for i, sale in enumerate(sales):
        others = sales[:i] + sales[i + 1 :]
        nearest = sorted(others, key=lambda other: abs(other.seconds - sale.seconds))[:5]
        correct_guesses += Counter(other.card_count for other in nearest).most_common(1)[0][0] == sale.card_count
    commonest = Counter(card_counts).most_common(1)[0][1]
    correlation = (
        statistics.correlation(seconds, card_counts) if len(set(card_counts)) > 1 and len(set(seconds)) > 1 else 0.0
    )
    return {
        "sales": len(sales),
        "correlation": round(correlation, 3),
        "noise": round(2 / len(sales) ** 0.5, 3),
        "guessed_by_time": correct_guesses,
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
    parser.add_argument("--tables", type=int, default=4, help="games played at the same time")
    parser.add_argument("--seconds", type=float, default=60, help="time after which no new game begins")
    parser.add_argument("--pause", type=float, default=0.2, help="pause of the bots before a move, in seconds")
    parser.add_argument("--busy", type=int, default=0, help="processes that load the machine")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    busy_processes = [multiprocessing.Process(target=spin, daemon=True) for _ in range(arguments.busy)]
    with start_server(**UNLIMITED_SETTINGS, COURTLY_BOT_PAUSE=str(arguments.pause)) as server:
        try:
            for process in busy_processes:
                process.start()
            result = judge_sales(asyncio.run(watch_games(server, arguments.tables, arguments.seconds)))
        finally:
            for process in busy_processes:
                process.kill()
    if arguments.json:
        print(json.dumps(result))
        return
    print(
        f"{result['sales']} decisions of bots, each after {result['seconds_min']} to {result['seconds_max']} s "
        f"(median {result['seconds_median']} s). Correlation with the number of cards: {result['correlation']} "
        f"(noise: up to {result['noise']}). Correct guesses: {result['guessed_by_time']} from the time, "
        f"{result['guessed_blindly']} without it."
    )


if __name__ == "__main__":
    main()

"""Measures the latency of people's moves while master bots search.

    python benchmarks/thinking.py [--masters 2] [--json]

The benchmark starts its own server on the loopback interface with a temporary data folder. At `--masters` tables a
client plays against a master, as fast as the master answers; at the other tables clients make a move per second, whose
latency is measured as in load.py: first while no master plays, then while they search.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time

from load import Table, quantile_at
from local_server import UNLIMITED_SETTINGS, Server, start_server
from websockets.asyncio.client import connect

from courtly.bots.registry import find_bot, warm_up_bot
from courtly.engine.game import find_game


class Challenger:
    """A client that plays random games against a master. `decided` counts the master's decisions."""

    def __init__(self, server: Server, game: str):
        self.server, self.game, self.decided = server, game, 0
        _, self.cookie = server.request("", "GET", "/api/me")

    async def run(self, end: float) -> None:
        while time.monotonic() < end:
            seats = [{"kind": "me"}, {"kind": "bot", "bot": "master"}]
            body = {"game": self.game, "players": 2, "seats": seats}
            table, _ = await asyncio.to_thread(self.server.request, self.cookie, "POST", "/api/tables", body)
            await self.play(table["id"], end)

    async def play(self, table: str, end: float) -> None:
        async with connect(
            self.server.table(table), additional_headers={"cookie": self.cookie}, proxy=None, compression=None
        ) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            while time.monotonic() < end:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), end - time.monotonic()))
                except TimeoutError:
                    return
                if message["type"] != "view":
                    continue
                view = message["view"]
                self.decided += sum(cue["seat"] == 1 for cue in view["cues"])
                if view["over"]:
                    return
                if view["legal"]:
                    move = {"seat": view["seat"], "seq": view["seq"], "moves": [view["legal"][-1]["id"]]}
                    await socket.send(json.dumps({"type": "play", "key": f"{time.monotonic_ns()}", **move}))


async def wait_until_ready(server: Server, game: str) -> None:
    """Wait until masters play this game themselves. The benchmark compiles them, because the server compiles at low
    priority."""
    await asyncio.to_thread(warm_up_bot, find_bot(find_game(game), "master"))
    _, cookie = server.request("", "GET", "/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "master"}]
    table, _ = server.request(cookie, "POST", "/api/tables", {"game": game, "players": 2, "seats": seats})
    async with connect(
        server.table(table["id"]), additional_headers={"cookie": cookie}, proxy=None, compression=None
    ) as socket:
        await socket.send(json.dumps({"type": "hello"}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "table":
                replacement = message["table"]["seats"][1]["replacement"]
                if replacement is None:
                    return
                if replacement["reason"] != "compiling":
                    raise SystemExit(f"masters cannot play on this server: {replacement['reason']}")


async def measure_phase(
    server: Server, people: list[Table], masters: list[Challenger], seconds: float
) -> dict[str, float]:
    for person in people:
        person.times.clear()
    end = time.monotonic() + seconds
    await asyncio.gather(*(master.run(end) for master in masters), *(person.run(1.0, end) for person in people))
    times = sorted(1000 * t for person in people for t in person.times)
    return {
        "moves": len(times),
        "p50_ms": quantile_at(times, 0.5),
        "p99_ms": quantile_at(times, 0.99),
        "max_ms": quantile_at(times, 1),
        "decided_by_masters": sum(master.decided for master in masters),
    }


async def measure(server: Server, game: str, masters: int, tables: int, seconds: float) -> dict[str, dict[str, float]]:
    await wait_until_ready(server, game)
    people = [await asyncio.to_thread(Table, server, server, "petition", 0, number) for number in range(tables)]
    challengers = [await asyncio.to_thread(Challenger, server, game) for _ in range(masters)]
    return {
        "alone": await measure_phase(server, people, [], seconds),
        "beside_masters": await measure_phase(server, people, challengers, seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="necklace", help="the game that the masters play")
    parser.add_argument("--masters", type=int, default=2, help="number of masters")
    parser.add_argument("--tables", type=int, default=10, help="tables of people, with a move per second each")
    parser.add_argument("--seconds", type=float, default=30, help="length of each phase")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    settings = {"COURTLY_BOT_PAUSE": "0", "COURTLY_COMPILE_AHEAD": "0"}
    with start_server(**UNLIMITED_SETTINGS, **settings) as server:
        result = asyncio.run(measure(server, arguments.game, arguments.masters, arguments.tables, arguments.seconds))
    if arguments.json:
        print(json.dumps(result))
        return
    for name, title in (
        ("alone", "Without masters"),
        ("beside_masters", f"With {arguments.masters} masters of {arguments.game}"),
    ):
        r = result[name]
        print(
            f"{title}: {r['moves']} moves of people, p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms, maximum "
            f"{r['max_ms']} ms; {r['decided_by_masters']} decisions of masters"
        )


if __name__ == "__main__":
    main()

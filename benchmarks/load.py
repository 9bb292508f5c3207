"""How many people a server carries, and how long a move takes: python benchmarks/load.py [--json]

Starts a server of its own on this machine's loopback, with its data in a temporary folder, and ends it. Each table has
two seats at one device and some spectators; every table plays random legal moves over its socket, at first at a human
pace and then as fast as it can. A move's time is from sending it to its acknowledgement: parse, check, apply, commit to
disk, and the way there and back. What follows at once is the new view; the time from "done" to the view is told as
well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import time

from house import UNLIMITED, House, house
from websockets.asyncio.client import connect

LONGEST = 60.0  # seconds of each phase at most


class Table:
    """One person playing both seats, and spectators who only listen."""

    def __init__(self, house: House, game: str, spectators: int, number: int):
        self.house, self.game, self.spectators = house, game, spectators
        self.rng = random.Random(number)
        _, self.cookie = house.ask("", "GET", "/api/me")
        self.times: list[float] = []  # of each move, to its acknowledgement
        self.views: list[float] = []  # and from there to the view
        self.heard = 0

    async def run(self, pace: float, end: float) -> None:
        """Play until `end`, at most `pace` moves a second; 0: as many as can be."""
        await asyncio.sleep(self.rng.random() / pace if pace else 0)
        while time.monotonic() < end:
            seats = [{"kind": "me"}, {"kind": "local"}]
            table, _ = await asyncio.to_thread(
                self.house.ask, self.cookie, "POST", "/api/tables", {"game": self.game, "players": 2, "seats": seats}
            )
            await self.play(table["id"], pace, end)

    async def play(self, table: str, pace: float, end: float) -> None:
        address = self.house.table(table)
        listening = [asyncio.create_task(self.listen(address)) for _ in range(self.spectators)]
        views: dict[int, dict] = {}
        waiting, sent, done = "", 0.0, 0.0
        async with connect(address, additional_headers={"cookie": self.cookie}, proxy=None, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            while time.monotonic() < end:
                message = json.loads(await socket.recv())
                if message["type"] == "error":
                    if message["error"]["id"] != "error-stale":  # the other seat's new view was still on its way
                        raise RuntimeError(message)
                    waiting = ""
                if message["type"] == "done":
                    done = time.perf_counter()
                    self.times.append(done - sent)
                    waiting = ""
                if message["type"] == "view":
                    if done:
                        self.views.append(time.perf_counter() - done)
                        done = 0.0
                    views[message["view"]["seat"]] = message["view"]
                    if message["view"]["over"]:
                        break
                movers = [view for view in views.values() if view["legal"]]
                if movers and not waiting and message["type"] in ("view", "error"):
                    view = self.rng.choice(movers)
                    if pace:
                        await asyncio.sleep(self.rng.uniform(0.5, 1.5) / pace)
                    waiting, sent = f"{time.monotonic_ns()}", time.perf_counter()
                    move = {"seat": view["seat"], "seq": view["seq"], "moves": [self.rng.choice(view["legal"])["id"]]}
                    await socket.send(json.dumps({"type": "play", "key": waiting, **move}))
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)

    async def listen(self, address: str) -> None:
        async with connect(address, proxy=None, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            async for _ in socket:
                self.heard += 1


async def phase(
    served: House, game: str, tables: int, spectators: int, pace: float, seconds: float
) -> dict[str, float | None]:
    players = [await asyncio.to_thread(Table, served, game, spectators, number) for number in range(tables)]
    began, busy = time.monotonic(), processor(served.pid)
    async with asyncio.timeout(2 * LONGEST):  # whatever happens
        await asyncio.gather(*(player.run(pace, began + seconds) for player in players))
    took, busy = time.monotonic() - began, processor(served.pid) - busy
    times = sorted(1000 * t for player in players for t in player.times)
    views = sorted(1000 * t for player in players for t in player.views)
    if not times:
        raise SystemExit("no move was made: more seconds are needed")
    return {
        "tables": tables,
        "sockets": tables * (1 + spectators),
        "moves": len(times),
        "moves_per_s": round(len(times) / took, 1),
        "p50_ms": at(times, 0.5),
        "p99_ms": at(times, 0.99),
        "max_ms": at(times, 1),
        "view_p50_ms": at(views, 0.5),
        "view_p99_ms": at(views, 0.99),
        "server_cpu_ms_per_move": round(1000 * busy / len(times), 2),
        "messages_to_spectators": sum(player.heard for player in players),
    }


def at(times: list[float], share: float) -> float:
    """The time that this share of sorted times does not pass."""
    return round(times[min(len(times) - 1, int(share * len(times)))], 2)


def processor(pid: int) -> float:
    """Processor seconds a process has used, where /proc tells."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--spectators", type=int, default=3, help="sockets that listen at each table")
    parser.add_argument("--seconds", type=float, default=8, help="of each phase")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    seconds = min(given.seconds, LONGEST)
    with house(**UNLIMITED) as served:
        empty = served.memory()
        result = {
            "game": given.game,
            "seconds": seconds,
            "people": asyncio.run(phase(served, given.game, given.tables, given.spectators, 1.0, seconds)),
            "flat_out": asyncio.run(
                phase(served, given.game, max(1, given.tables // 10), given.spectators, 0, seconds)
            ),
            "memory_mb": {"empty": empty, "after": served.memory()},
        }
    if given.json:
        print(json.dumps(result))
        return
    for name, said in (("people", "A move a second at each table"), ("flat_out", "As fast as it goes")):
        r = result[name]
        print(
            f"{said}: {r['tables']} tables, {r['sockets']} sockets held, {r['moves_per_s']} moves/s, "
            f"a move p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms, longest {r['max_ms']} ms, "
            f"from done to the view p50 {r['view_p50_ms']} ms, p99 {r['view_p99_ms']} ms, "
            f"{r['server_cpu_ms_per_move']} ms of the server's processor time for a move and all that are told of it"
        )
    print(
        f"Memory of the server: {result['memory_mb']['empty']} MB at the start, "
        f"{result['memory_mb']['after']} MB at the end"
    )


if __name__ == "__main__":
    main()

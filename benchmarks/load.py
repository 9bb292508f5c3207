"""How many people a server carries, and how long a move takes: python benchmarks/load.py [--json]

Starts a server of its own on this machine's loopback, with its data in a temporary folder, and ends it. Each table has
two seats at one device and some spectators; every table plays random legal moves over its socket, at first so many a
second in all (`--rate`) and then as fast as it can (`--flat-out` tables). A move's time is from sending it to its
acknowledgement: parse, check, apply, commit to disk, and the way there and back. What follows at once is the new view;
the time from "done" to the view is told as well, and the time from "done" until the spectators have seen it.

With `--processes 2` there are two processes on one PostgreSQL (`--postgresql` alone: one), which is started for this
too: each table's spectators are at another process than its players. With `--processes 1,2` one and two take turns
(`--rounds` times), so that they meet the same machine, and it is told how many times as much two carry.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from contextlib import ExitStack
from statistics import median

from house import UNLIMITED_SETTINGS, Server, postgresql, start_server
from msgspec.json import decode
from websockets.asyncio.client import connect

MAX_PHASE_S = 60.0  # seconds of each phase at most
VIEW_WAIT_S = 0.05  # seconds: a seat whose view has not changed by then may play from it


class Table:
    """One person playing both seats, and spectators who only listen."""

    def __init__(self, house: Server, other: Server, game: str, spectators: int, number: int):
        self.house, self.other, self.game, self.spectators = house, other, game, spectators
        self.rng = random.Random(number)
        _, self.cookie = house.ask("", "GET", "/api/me")
        self.times: list[float] = []  # of each move, to its acknowledgement
        self.views: list[float] = []  # and from there to the view
        self.reached: list[float] = []  # and from there until a spectator has seen it
        self.heard = self.stale = 0
        self.due = 0.0  # the next move

    async def run(self, pace: float, end: float) -> None:
        """Play until `end`, at most `pace` moves a second; 0: as many as can be."""
        self.due = time.monotonic() + (self.rng.random() / pace if pace else 0)
        while time.monotonic() < end:
            seats = [{"kind": "me"}, {"kind": "local"}]
            table, _ = await asyncio.to_thread(
                self.house.ask, self.cookie, "POST", "/api/tables", {"game": self.game, "players": 2, "seats": seats}
            )
            await self.play(table["id"], pace, end)

    async def play(self, table: str, pace: float, end: float) -> None:
        address = self.house.table(table)
        done_at: dict[int, float] = {}  # number of a cue -> when its move was acknowledged
        listening = [asyncio.create_task(self.listen(self.other.table(table), done_at)) for _ in range(self.spectators)]
        views: dict[int, dict] = {}
        movers: list[dict] = []
        waiting, sent, done = "", 0.0, 0.0
        async with connect(address, additional_headers={"cookie": self.cookie}, proxy=None, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            while time.monotonic() < end:
                settled = False  # no other seat's new view is on its way: what there is, is played from
                try:
                    async with asyncio.timeout(None if waiting or not movers else VIEW_WAIT_S):
                        message = decode(await socket.recv())
                except TimeoutError:
                    message, settled = {"type": "silence"}, True
                if message["type"] == "error":
                    if message["error"]["id"] != "error-stale":
                        raise RuntimeError(message)
                    self.stale += 1
                    waiting = ""
                if message["type"] == "done":
                    done = time.perf_counter()
                    self.times.append(done - sent)
                    waiting = ""
                if message["type"] == "view":
                    for cue in message["view"]["cues"] if done else ():
                        done_at.setdefault(cue["n"], done)
                    if done:
                        self.views.append(time.perf_counter() - done)
                        done = 0.0
                    views[message["view"]["seat"]] = message["view"]
                    if message["view"]["over"]:
                        break
                movers = [view for view in views.values() if view["legal"]]
                view = self.rng.choice(movers) if settled else message.get("view")
                if view and view["legal"] and not waiting:
                    if pace:
                        self.due += self.rng.uniform(0.5, 1.5) / pace
                        await asyncio.sleep(self.due - time.monotonic())
                    waiting, sent = f"{time.monotonic_ns()}", time.perf_counter()
                    move = {"seat": view["seat"], "seq": view["seq"], "moves": [self.rng.choice(view["legal"])["id"]]}
                    await socket.send(json.dumps({"type": "play", "key": waiting, **move}))
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)

    async def listen(self, address: str, done_at: dict[int, float]) -> None:
        """Games are such that spectators notice every move."""
        async with connect(address, proxy=None, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            seen: dict[int, float] = {}
            try:
                async for said in socket:
                    self.heard += 1
                    if said.startswith('{"type":"view"'):
                        now = time.perf_counter()
                        for cue in decode(said)["view"]["cues"]:
                            seen[cue["n"]] = now
            finally:
                self.reached += [at - done_at[n] for n, at in seen.items() if n in done_at]


async def measure_phase(
    served: list[Server],
    game: str,
    tables: int,
    spectators: int,
    pace: float,
    seconds: float,
    watched: list[Server] | None = None,
) -> dict[str, float | None]:
    """`watched`: by which process spectators look on where people play by these; None: each time the next."""
    watched = watched or served[1:] + served[:1]
    places = [(served[n % len(served)], watched[n % len(served)]) for n in range(tables)]
    players = [await asyncio.to_thread(Table, *places[n], game, spectators, n) for n in range(tables)]
    began, busy = time.monotonic(), sum(one.worked() for one in served)
    async with asyncio.timeout(2 * MAX_PHASE_S):  # whatever happens
        await asyncio.gather(*(player.run(pace, began + seconds) for player in players))
    took, busy = time.monotonic() - began, sum(one.worked() for one in served) - busy
    times = sorted(1000 * t for player in players for t in player.times)
    views = sorted(1000 * t for player in players for t in player.views)
    reached = sorted(1000 * t for player in players for t in player.reached) or [float("nan")]
    if not times:
        raise SystemExit("no move was made: more seconds are needed")
    return {
        "tables": tables,
        "sockets": tables * (1 + spectators),
        "moves": len(times),
        "moves_per_s": round(len(times) / took, 1),
        "p50_ms": quantile_at(times, 0.5),
        "p99_ms": quantile_at(times, 0.99),
        "max_ms": quantile_at(times, 1),
        "view_p50_ms": quantile_at(views, 0.5),
        "view_p99_ms": quantile_at(views, 0.99),
        "spectator_p50_ms": quantile_at(reached, 0.5),
        "spectator_p99_ms": quantile_at(reached, 0.99),
        "server_cpu_ms_per_move": round(1000 * busy / len(times), 2),
        "stale": sum(player.stale for player in players),
        "messages_to_spectators": sum(player.heard for player in players),
    }


def quantile_at(times: list[float], share: float) -> float:
    """The time that this share of sorted times does not pass."""
    return round(times[min(len(times) - 1, int(share * len(times)))], 2)


def run_phases(given: argparse.Namespace, processes: int) -> dict:
    """Both phases."""
    seconds, pace = min(given.seconds, MAX_PHASE_S), given.rate / given.tables if given.rate else 1.0
    fast = given.flat_out or max(1, given.tables // 10)
    with ExitStack() as stack:
        settings = UNLIMITED_SETTINGS | {"COURTLY_COMPILE_AHEAD": "0"}
        if given.postgresql or max(given.processes) > 1:
            settings["COURTLY_DATABASE"] = stack.enter_context(postgresql()).address
        served = [stack.enter_context(start_server(**settings)) for _ in range(processes)]
        empty = served[0].memory()
        return {
            "game": given.game,
            "processes": processes,
            "seconds": seconds,
            "people": asyncio.run(measure_phase(served, given.game, given.tables, given.spectators, pace, seconds)),
            "flat_out": asyncio.run(measure_phase(served, given.game, fast, given.spectators, 0, seconds)),
            "memory_mb": {"empty": empty, "after": served[0].memory()},
        }


def print_result(result: dict) -> None:
    print(f"Processes: {result['processes']}")
    for name, said in (("people", "At a human pace"), ("flat_out", "As fast as it goes")):
        r = result[name]
        print(
            f"{said}: {r['tables']} tables, {r['sockets']} sockets held, {r['moves_per_s']} moves/s, "
            f"a move p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms, longest {r['max_ms']} ms, "
            f"from done to the view p50 {r['view_p50_ms']} ms, p99 {r['view_p99_ms']} ms, "
            f"to the spectators p50 {r['spectator_p50_ms']} ms, p99 {r['spectator_p99_ms']} ms, "
            f"{r['server_cpu_ms_per_move']} ms of processor time of all servers for a move and all that are told of it"
        )
    print(
        f"Memory of the server: {result['memory_mb']['empty']} MB at the start, "
        f"{result['memory_mb']['after']} MB at the end"
    )


def compare_processes(runs: list[dict]) -> dict[int, dict[str, float]]:
    """Of each number of processes, against the first: moves a second as fast as it goes, and processor time of a
    move; the medians of all rounds."""

    def of(processes: int, figure: str) -> float:
        return median(run["flat_out"][figure] for run in runs if run["processes"] == processes)

    first = runs[0]["processes"]
    figures = ("moves_per_s", "server_cpu_ms_per_move")
    others = dict.fromkeys(run["processes"] for run in runs if run["processes"] != first)
    return {n: {name: round(of(n, name) / of(first, name), 2) for name in figures} for n in others}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition")
    parser.add_argument("--tables", type=int, default=50, help="at a human pace")
    parser.add_argument("--rate", type=float, help="moves a second at all of them together; else one at each")
    parser.add_argument("--flat-out", type=int, help="tables that play as fast as they can; else a tenth")
    parser.add_argument("--spectators", type=int, default=3, help="sockets that listen at each table")
    parser.add_argument("--seconds", type=float, default=8, help="of each phase")
    parser.add_argument("--processes", type=lambda text: [int(n) for n in text.split(",")], default=[1])
    parser.add_argument("--rounds", type=int, default=3, help="where several numbers of processes take turns")
    parser.add_argument("--postgresql", action="store_true", help="instead of SQLite")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if len(given.processes) == 1:
        result = run_phases(given, *given.processes)
        print(json.dumps(result)) if given.json else print_result(result)
        return
    runs = [run_phases(given, n) for _ in range(given.rounds) for n in given.processes]
    ratios = compare_processes(runs)
    if given.json:
        print(json.dumps({"runs": runs, "times_as_much": ratios}))
        return
    for result in runs:
        print_result(result)
    for n, ratio in ratios.items():
        print(
            f"{n} processes against {given.processes[0]}: {ratio['moves_per_s']} times as many moves/s, "
            f"{ratio['server_cpu_ms_per_move']} times as much processor time of a move"
        )


if __name__ == "__main__":
    main()

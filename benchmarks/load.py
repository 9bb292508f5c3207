"""Measures the capacity of a server and the latency of moves.

    python benchmarks/load.py [--json]

The benchmark starts its own server on the loopback interface with a temporary data folder. Each table has two seats at
one client and some spectators. Every table plays random legal moves over its socket, first at a given total rate
(`--rate`) and then as fast as possible (`--flat-out` tables). The latency of a move is measured from sending it to its
acknowledgement: parse, check, apply, commit to disk, and the round trip. The times from the acknowledgement ("done") to
the new view, and to the spectators' view, are measured, too.

With `--processes 2` two processes share a PostgreSQL that the benchmark starts (`--postgresql` alone: one process);
each table's spectators are connected to another process than its players. With `--processes 1,2` both configurations
alternate (`--rounds` times), and the throughput of two relative to one is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from contextlib import ExitStack
from statistics import median

from local_server import UNLIMITED_SETTINGS, Server, postgresql, start_server
from msgspec.json import decode
from websockets.asyncio.client import connect

MAX_PHASE_S = 60.0  # largest length of a phase
VIEW_WAIT_S = 0.05  # time after which the latest view of a seat counts as current


class Table:
    """One client that plays both seats, and spectators that only listen."""

    def __init__(self, server: Server, other: Server, game: str, spectators: int, number: int):
        self.server, self.spectator_server, self.game, self.spectators = server, other, game, spectators
        self.rng = random.Random(number)
        _, self.cookie = server.request("", "GET", "/api/me")
        self.times: list[float] = []  # from sending each move to its acknowledgement
        self.views: list[float] = []  # from the acknowledgement to the view
        self.reached: list[float] = []  # from the acknowledgement to a spectator's view
        self.message_count = self.stale = 0
        self.due = 0.0  # when the next move is due

    async def run(self, pace: float, end: float) -> None:
        """Play until `end`, at most `pace` moves per second; 0 plays as fast as possible."""
        self.due = time.monotonic() + (self.rng.random() / pace if pace else 0)
        while time.monotonic() < end:
            seats = [{"kind": "me"}, {"kind": "local"}]
            table, _ = await asyncio.to_thread(
                self.server.request,
                self.cookie,
                "POST",
                "/api/tables",
                {"game": self.game, "players": 2, "seats": seats},
            )
            await self.play(table["id"], pace, end)

    async def play(self, table: str, pace: float, end: float) -> None:
        address = self.server.table(table)
        done_at: dict[int, float] = {}  # number of a cue -> when its move was acknowledged
        listening = [
            asyncio.create_task(self.listen(self.spectator_server.table(table), done_at))
            for _ in range(self.spectators)
        ]
        views: dict[int, dict] = {}
        movers: list[dict] = []
        waiting, sent, done = "", 0.0, 0.0
        async with connect(address, additional_headers={"cookie": self.cookie}, proxy=None, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            while time.monotonic() < end:
                settled = False  # no other seat's view is on its way, so the known views are current
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
        """Receive views as a spectator. In the games played here, spectators notice every move."""
        async with connect(address, proxy=None, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            view_times: dict[int, float] = {}
            try:
                async for message in socket:
                    self.message_count += 1
                    if message.startswith('{"type":"view"'):
                        now = time.perf_counter()
                        for cue in decode(message)["view"]["cues"]:
                            view_times[cue["n"]] = now
            finally:
                self.reached += [seen_at - done_at[n] for n, seen_at in view_times.items() if n in done_at]


async def measure_phase(
    served: list[Server],
    game: str,
    tables: int,
    spectators: int,
    pace: float,
    seconds: float,
    watched: list[Server] | None = None,
) -> dict[str, float | None]:
    """Play one phase and return its figures.

    `watched`: the process of the spectators for each process of players. Default: the next one.
    """
    watched = watched or served[1:] + served[:1]
    places = [(served[n % len(served)], watched[n % len(served)]) for n in range(tables)]
    players = [await asyncio.to_thread(Table, *places[n], game, spectators, n) for n in range(tables)]
    began, busy = time.monotonic(), sum(server.cpu_seconds() for server in served)
    async with asyncio.timeout(2 * MAX_PHASE_S):  # a safeguard
        await asyncio.gather(*(player.run(pace, began + seconds) for player in players))
    duration_s, busy = time.monotonic() - began, sum(server.cpu_seconds() for server in served) - busy
    times = sorted(1000 * t for player in players for t in player.times)
    views = sorted(1000 * t for player in players for t in player.views)
    reached = sorted(1000 * t for player in players for t in player.reached) or [float("nan")]
    if not times:
        raise SystemExit("no move was made: increase --seconds")
    return {
        "tables": tables,
        "sockets": tables * (1 + spectators),
        "moves": len(times),
        "moves_per_s": round(len(times) / duration_s, 1),
        "p50_ms": quantile_at(times, 0.5),
        "p99_ms": quantile_at(times, 0.99),
        "max_ms": quantile_at(times, 1),
        "view_p50_ms": quantile_at(views, 0.5),
        "view_p99_ms": quantile_at(views, 0.99),
        "spectator_p50_ms": quantile_at(reached, 0.5),
        "spectator_p99_ms": quantile_at(reached, 0.99),
        "server_cpu_ms_per_move": round(1000 * busy / len(times), 2),
        "stale": sum(player.stale for player in players),
        "messages_to_spectators": sum(player.message_count for player in players),
    }


def quantile_at(times: list[float], share: float) -> float:
    """Return a quantile of sorted times."""
    return round(times[min(len(times) - 1, int(share * len(times)))], 2)


def run_phases(arguments: argparse.Namespace, processes: int) -> dict:
    """Run both phases and return their figures."""
    seconds, pace = min(arguments.seconds, MAX_PHASE_S), arguments.rate / arguments.tables if arguments.rate else 1.0
    fast = arguments.flat_out or max(1, arguments.tables // 10)
    with ExitStack() as stack:
        settings = UNLIMITED_SETTINGS | {"COURTLY_COMPILE_AHEAD": "0"}
        if arguments.postgresql or max(arguments.processes) > 1:
            settings["COURTLY_DATABASE"] = stack.enter_context(postgresql()).address
        served = [stack.enter_context(start_server(**settings)) for _ in range(processes)]
        empty = served[0].memory()
        return {
            "game": arguments.game,
            "processes": processes,
            "seconds": seconds,
            "people": asyncio.run(
                measure_phase(served, arguments.game, arguments.tables, arguments.spectators, pace, seconds)
            ),
            "flat_out": asyncio.run(measure_phase(served, arguments.game, fast, arguments.spectators, 0, seconds)),
            "memory_mb": {"empty": empty, "after": served[0].memory()},
        }


def print_result(result: dict) -> None:
    print(f"Processes: {result['processes']}")
    for name, title in (("people", "At a human pace"), ("flat_out", "As fast as possible")):
        r = result[name]
        print(
            f"{title}: {r['tables']} tables, {r['sockets']} sockets, {r['moves_per_s']} moves/s, "
            f"move p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms, maximum {r['max_ms']} ms, "
            f"from done to the view p50 {r['view_p50_ms']} ms, p99 {r['view_p99_ms']} ms, "
            f"to the spectators p50 {r['spectator_p50_ms']} ms, p99 {r['spectator_p99_ms']} ms, "
            f"{r['server_cpu_ms_per_move']} ms of processor time of all server processes per move"
        )
    print(
        f"Memory of the server: {result['memory_mb']['empty']} MB at the start, "
        f"{result['memory_mb']['after']} MB at the end"
    )


def compare_processes(runs: list[dict]) -> dict[int, dict[str, float]]:
    """Return the throughput and the processor time per move of each number of processes, relative to the first; medians
    of all rounds."""

    def of(processes: int, figure: str) -> float:
        return median(run["flat_out"][figure] for run in runs if run["processes"] == processes)

    first = runs[0]["processes"]
    figures = ("moves_per_s", "server_cpu_ms_per_move")
    others = dict.fromkeys(run["processes"] for run in runs if run["processes"] != first)
    return {n: {name: round(of(n, name) / of(first, name), 2) for name in figures} for n in others}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition", help="id of the game")
    parser.add_argument("--tables", type=int, default=50, help="tables in the phase at a human pace")
    parser.add_argument("--rate", type=float, help="moves per second of all tables together (default: one per table)")
    parser.add_argument("--flat-out", type=int, help="tables in the phase at full speed (default: a tenth of --tables)")
    parser.add_argument("--spectators", type=int, default=3, help="spectators at each table")
    parser.add_argument("--seconds", type=float, default=8, help="length of each phase")
    parser.add_argument(
        "--processes",
        type=lambda text: [int(n) for n in text.split(",")],
        default=[1],
        help="number of server processes, or several numbers to compare, comma-separated",
    )
    parser.add_argument("--rounds", type=int, default=3, help="rounds of a comparison")
    parser.add_argument("--postgresql", action="store_true", help="use PostgreSQL instead of SQLite")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    if len(arguments.processes) == 1:
        result = run_phases(arguments, *arguments.processes)
        print(json.dumps(result)) if arguments.json else print_result(result)
        return
    runs = [run_phases(arguments, n) for _ in range(arguments.rounds) for n in arguments.processes]
    ratios = compare_processes(runs)
    if arguments.json:
        print(json.dumps({"runs": runs, "times_as_much": ratios}))
        return
    for result in runs:
        print_result(result)
    for n, ratio in ratios.items():
        print(
            f"{n} processes compared with {arguments.processes[0]}: {ratio['moves_per_s']} times the moves/s, "
            f"{ratio['server_cpu_ms_per_move']} times the processor time per move"
        )


if __name__ == "__main__":
    main()

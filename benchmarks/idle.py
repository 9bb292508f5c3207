"""Measures memory and processor time of a server with thousands of idle connections.

    python benchmarks/idle.py [--postgresql] [--json]

The benchmark starts its own server on the loopback interface with a temporary data folder; all clients run in this
process. Each table has two players and two spectators, each with a socket; further clients are in the lobby. Clients
connect from many addresses (127.0.1.1 and up), so the default limits apply, except for the total number of sockets.
Some moves are made at each table, then all clients are idle: the server's memory before and after, and its processor
time meanwhile are measured. Then one table makes a move per second, and finally clients disconnect and reconnect.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import resource
import time
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from load import quantile_at
from local_server import Server, postgresql, start_server
from websockets.asyncio.client import ClientConnection, connect

SOCKETS_PER_ADDRESS = 20  # well below the server's limit
MAX_OPENING_SOCKETS = 64  # concurrent connection attempts


class Person:
    """A client with a cookie, an address and one socket."""

    def __init__(self, server: Server, number: int):
        self.address = f"127.0.{1 + number // SOCKETS_PER_ADDRESS // 250}.{1 + number // SOCKETS_PER_ADDRESS % 250}"
        self.server = server
        self.cookie = ""
        self.request("GET", "/api/me")
        self.path = "/ws/lobby"
        self.view: dict | None = None  # the latest view of the client's seat
        self.has_message = asyncio.Event()
        self.messages: list[float] = []  # when each view arrived
        self.socket: ClientConnection | None = None
        self.read_task: asyncio.Task[None] | None = None

    def request(self, method: str, path: str, body: object = None) -> dict:
        """Send a request from this client's address."""
        http = HTTPConnection(urlsplit(self.server.url).netloc, timeout=60, source_address=(self.address, 0))
        headers = {"content-type": "application/json", "cookie": self.cookie}
        http.request(method, path, None if body is None else json.dumps(body), headers)
        response = http.getresponse()
        if response.status != 200:
            raise OSError(f"{response.status}: {response.read(200)!r}")
        self.cookie = (response.headers["set-cookie"] or self.cookie).partition(";")[0]
        content: dict = json.load(response)
        http.close()
        return content

    async def open_page(self) -> None:
        self.socket = await connect(
            f"ws{self.server.url[4:]}{self.path}",
            additional_headers={"cookie": self.cookie},
            local_addr=(self.address, 0),
            proxy=None,
            open_timeout=None,
            compression=None,
            ping_interval=None,
        )
        self.read_task = asyncio.create_task(self._read(self.socket))
        await self.socket.send('{"type":"hello"}')
        await self.has_message.wait()

    async def close_page(self) -> None:
        assert self.socket and self.read_task
        self.has_message.clear()
        await self.socket.close()
        await self.read_task

    async def _read(self, socket: ClientConnection) -> None:
        async for message in socket:
            if message.startswith('{"type":"view"'):
                self.view = json.loads(message)["view"]
                self.messages.append(time.perf_counter())
            elif message.startswith('{"type":"error"'):
                raise RuntimeError(message)
            if message.startswith(('{"type":"view"', '{"type":"tables"')):
                self.has_message.set()

    async def play(self, rng: random.Random) -> None:
        """Make a random move and wait for the next view."""
        assert self.view and self.socket
        move = {"seat": self.view["seat"], "seq": self.view["seq"], "moves": [rng.choice(self.view["legal"])["id"]]}
        self.has_message.clear()
        await self.socket.send(json.dumps({"type": "play", "key": f"{time.monotonic_ns()}", **move}))
        await self.has_message.wait()


class Table:
    """Two players and some spectators."""

    def __init__(self, people: list[Person], game: str):
        self.people, self.game = people, game

    def open(self) -> None:
        first, second = self.people[:2]
        body = {"game": self.game, "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}
        table = first.request("POST", "/api/tables", body)["id"]
        second.request("POST", f"/api/tables/{table}/sit")
        for person in self.people:
            person.path = f"/ws/tables/{table}"

    async def play(self, rng: random.Random) -> bool:
        """Let a player make a move. Return False if the game is over."""
        for _ in range(500):
            movers = [person for person in self.people[:2] if person.view and person.view["legal"]]
            if movers:
                await rng.choice(movers).play(rng)
                return True
            await asyncio.sleep(0.01)  # the other player's view is still on its way
        return False


async def run_limited(work: list[Awaitable[Any]], limit: int) -> None:
    """Await everything, at most `limit` at a time."""
    free = asyncio.Semaphore(limit)

    async def run(awaitable: Awaitable[Any]) -> None:
        async with free:
            await awaitable

    await asyncio.gather(*(run(awaitable) for awaitable in work))


async def measure_rest(server: Server, seconds: float) -> dict[str, float]:
    cpu_before, start_time = server.cpu_seconds(), time.monotonic()
    await asyncio.sleep(seconds)
    duration_s = time.monotonic() - start_time
    return {"cpu_percent": round(100 * (server.cpu_seconds() - cpu_before) / duration_s, 1)}


async def measure_moves(table: Table, seconds: float) -> dict[str, float]:
    """Make a move per second and measure how long players and spectators wait for their views."""
    rng, times, received_at = random.Random(1), [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        watcher = table.people[-1]
        before, start_time = len(watcher.messages), time.perf_counter()
        if not await table.play(rng):
            break
        times.append(1000 * (time.perf_counter() - start_time))
        while len(watcher.messages) == before and time.perf_counter() < start_time + 5:
            await asyncio.sleep(0.001)
        received_at += [1000 * (watcher.messages[-1] - start_time)] * (len(watcher.messages) > before)
        await asyncio.sleep(1)
    times.sort()
    received_at.sort()
    return {
        "moves": len(times),
        "view_p50_ms": quantile_at(times, 0.5),
        "view_max_ms": quantile_at(times, 1),
        "spectator_p50_ms": quantile_at(received_at, 0.5),
        "spectator_max_ms": quantile_at(received_at, 1),
    }


async def come_and_go(people: list[Person], rate: float, seconds: float) -> None:
    async def leave(person: Person) -> None:
        await person.close_page()
        await asyncio.sleep(1)
        await person.open_page()

    rng, tasks = random.Random(2), []
    for person in rng.sample(people, int(rate * seconds)):
        tasks.append(asyncio.create_task(leave(person)))
        await asyncio.sleep(1 / rate)
    await asyncio.gather(*tasks)


async def measure_all(server: Server, arguments: argparse.Namespace) -> dict[str, object]:
    in_lobby = arguments.sockets // 20
    with ThreadPoolExecutor(8) as pool:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(pool)
        people = await asyncio.gather(*(asyncio.to_thread(Person, server, n) for n in range(arguments.sockets)))
        at_tables = iter(people[in_lobby:])
        tables = [
            Table(list(group), arguments.game)
            for group in iter(lambda: list(itertools.islice(at_tables, 4)), [])
            if len(group) == 4
        ]
        await asyncio.gather(*(asyncio.to_thread(table.open) for table in tables))
        figures: dict[str, object] = {"tables": len(tables), "sockets": in_lobby + 4 * len(tables)}
        figures["memory_tables_mb"] = server.memory()
        seated_people = [person for table in tables for person in table.people]
        await run_limited([person.open_page() for person in seated_people + people[:in_lobby]], MAX_OPENING_SOCKETS)
        figures["memory_sockets_mb"] = server.memory()

        async def some_moves(n: int) -> None:
            rng = random.Random(n)
            for _ in range(arguments.moves):
                if not await tables[n].play(rng):
                    break

        await run_limited([some_moves(n) for n in range(1, len(tables))], MAX_OPENING_SOCKETS)
        figures["memory_moves_mb"] = server.memory()
        await asyncio.sleep(arguments.wait)
        figures["rest"] = await measure_rest(server, arguments.seconds)
        figures["memory_rest_mb"], figures["proportional_mb"] = server.memory(), server.proportional()
        figures["a_move_a_second"] = await measure_moves(tables[0], arguments.seconds)
        cpu_before, start_time = server.cpu_seconds(), time.monotonic()
        moves_task = asyncio.create_task(measure_moves(tables[0], arguments.seconds))
        await come_and_go([p for table in tables[1:] for p in table.people], arguments.churn, arguments.seconds)
        figures["coming_and_going"] = await moves_task | {
            "cpu_percent": round(100 * (server.cpu_seconds() - cpu_before) / (time.monotonic() - start_time), 1)
        }
        figures["memory_end_mb"] = server.memory()
        return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition", help="id of the game")
    parser.add_argument("--sockets", type=int, default=8000, help="number of connections")
    parser.add_argument("--moves", type=int, default=10, help="moves at each table before the idle phase")
    parser.add_argument("--seconds", type=float, default=30, help="length of each measurement")
    parser.add_argument("--wait", type=float, default=130, help="seconds before the idle measurement")
    parser.add_argument("--churn", type=float, default=10, help="clients that reconnect per second")
    parser.add_argument("--postgresql", action="store_true", help="use PostgreSQL instead of SQLite")
    parser.add_argument("--json", action="store_true", help="print JSON on one line")
    arguments = parser.parse_args()
    descriptors = 2 * arguments.sockets + 1000
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (descriptors, max(descriptors, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    )
    with ExitStack() as stack:
        settings = {"COURTLY_SOCKETS": str(arguments.sockets + 1000), "COURTLY_COMPILE_AHEAD": "0"}
        if arguments.postgresql:
            settings["COURTLY_DATABASE"] = stack.enter_context(postgresql()).address
        server = stack.enter_context(start_server(**settings))
        empty_memory = server.memory()
        result = {
            "game": arguments.game,
            "memory_empty_mb": empty_memory,
            **asyncio.run(measure_all(server, arguments)),
        }
    print(json.dumps(result, indent=None if arguments.json else 2))


if __name__ == "__main__":
    main()

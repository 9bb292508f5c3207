"""Processes that are killed while people play: python benchmarks/storm.py [--minutes 3] [--processes 3] [--json]

Starts a PostgreSQL and several processes of a house, and two people and a bot at each of some tables, who play random
legal moves over sockets, game after game, each by a process chosen at random. Every two seconds one process is ended by
kill -9 and started again; now and then one is stopped for a while (SIGSTOP), or PostgreSQL is started again, fast or
immediately. Whoever loses the connection takes another process, and sends what was not acknowledged again under the
same key.

In the end every acknowledged move must stand in the journal, once and in its place. How long nothing happens after a
kill at tables where somebody was by the process that was killed is told too, and how long until a bot that was to move
then has moved.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psycopg
from house import UNLIMITED, House, postgresql
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

SMALL = {"COURTLY_BOT_PAUSE": "0.02", "COURTLY_COMPILE_AHEAD": "0", "COURTLY_NATIVE": "0", "COURTLY_SOCKETS": "5000"}
BETWEEN = 2.0  # seconds between two misfortunes
BROKEN = (OSError, EOFError, WebSocketException, TimeoutError)


class Process:
    """One of the house's, at a port of its own; its log is kept in a file."""

    def __init__(self, database: str, folder: Path, number: int):
        self.log = folder / f"{number}.log"
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.settings = os.environ | UNLIMITED | SMALL | {"COURTLY_DATABASE": database}
        self.stopped = False
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-u", "-m", "courtly", "serve", "--port", str(self.port), "--no-browser"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder)], stdout=subprocess.PIPE, stderr=log, env=self.settings
            )
        self.house = House(f"http://127.0.0.1:{self.port}", self.process.pid)
        self.said = asyncio.Event()  # its address

    async def ready(self) -> None:
        """Once it says its address. It ends where there is no database, and is started again as systemd would."""
        while True:
            process = self.process
            assert process.stdout
            if await asyncio.to_thread(process.stdout.readline):
                self.said.set()
                return
            await asyncio.sleep(0.5)
            self.start()

    def send(self, what: signal.Signals) -> None:
        self.stopped = what == signal.SIGSTOP
        self.process.send_signal(what)
        if what == signal.SIGKILL:
            self.process.wait()

    @property
    def serves(self) -> bool:
        return self.said.is_set() and self.process.poll() is None and not self.stopped


class Table:
    """What is known of a game. `moved`: when anything was last seen to happen; `bot`: when a bot's move was."""

    def __init__(self, table: str):
        self.id = table
        self.cues = 0
        self.moved = self.bot = time.monotonic()
        self.pending: list[int] = []
        self.over = asyncio.Event()
        self.made: dict[int, list[int]] = {0: [], 1: []}  # seat -> moves that were acknowledged

    def see(self, view: dict) -> None:
        for cue in view["cues"]:
            if cue["n"] >= self.cues:
                self.cues, self.moved = cue["n"] + 1, time.monotonic()
                if cue["seat"] == 2:
                    self.bot = self.moved
        self.pending = view["pending"]
        if view["over"]:
            self.over.set()


class Person:
    def __init__(self, storm: Storm, number: int, seat: int):
        self.storm, self.seat, self.rng = storm, seat, random.Random(f"{number} {seat}")
        self.cookie = ""
        self.by: Process | None = None
        self.waiting: dict | None = None
        self.view: dict | None = None  # the newest, if nothing was made of it yet
        self.errors: dict[str, int] = {}

    def choose(self) -> Process:
        serving = [process for process in self.storm.processes if process.serves]
        return self.rng.choice(serving or self.storm.processes)

    async def ask(self, method: str, path: str, body: object = None) -> dict:
        """Until somebody answers. A refusal is one, too: the answer to a request that was carried out may be lost."""
        while True:
            try:
                answer, self.cookie = await asyncio.to_thread(self.choose().house.ask, self.cookie, method, path, body)
                return answer
            except HTTPError as refused:
                if refused.code == 409:
                    return {}
                await asyncio.sleep(0.05)
            except OSError:
                await asyncio.sleep(0.05)

    async def play(self, table: Table) -> None:
        """Until the game is over."""
        self.waiting = None
        while not table.over.is_set() and not self.storm.ended:
            self.by = self.choose()
            try:
                await self.sit(table, self.by)
            except BROKEN:
                await asyncio.sleep(0.02)
        self.by = None

    async def sit(self, table: Table, by: Process) -> None:
        headers = {"cookie": self.cookie}
        self.view = None
        address = by.house.table(table.id)
        async with connect(address, additional_headers=headers, proxy=None, compression=None, open_timeout=2) as line:
            await line.send(json.dumps({"type": "hello", "since": {str(self.seat): table.cues}}))
            if self.waiting:
                await line.send(json.dumps(self.waiting))
            silent = 0
            while not table.over.is_set() and not self.storm.ended:
                try:
                    async with asyncio.timeout(1):
                        message = json.loads(await line.recv())
                except TimeoutError:
                    silent += 1
                    if by.stopped or silent > 5:  # as a page that asks whether anybody is there
                        raise
                    continue
                silent = 0
                await self.hear(table, message, line)

    async def hear(self, table: Table, message: dict, line) -> None:
        if message["type"] == "done":
            assert self.waiting and message["key"] == self.waiting["key"]
            table.made[self.seat].append(self.waiting["moves"][0])
            self.waiting = None
            self.storm.made += 1
        elif message["type"] == "error":
            wrong = message["error"]["id"]
            self.errors[wrong] = self.errors.get(wrong, 0) + 1
            ours = self.waiting and message.get("key") == self.waiting["key"]
            if ours and wrong in ("error-storage", "error-unsure"):
                await asyncio.sleep(0.1)
                await line.send(json.dumps(self.waiting))
            elif ours:
                self.waiting = self.view = None
                await line.send(json.dumps({"type": "resync"}))
        elif message["type"] == "view" and message["view"]["seat"] == self.seat:
            self.view = message["view"]
            table.see(self.view)
        if self.view and self.view["legal"] and not self.waiting:
            view, self.view = self.view, None
            await asyncio.sleep(self.storm.pause * self.rng.random())
            wanted = {"seat": self.seat, "seq": view["seq"], "moves": [self.rng.choice(view["legal"])["id"]]}
            self.waiting = {"type": "play", "key": secrets.token_hex(8), **wanted}
            await line.send(json.dumps(self.waiting))


class Storm:
    def __init__(self, database, folder: Path, game: str, processes: int, pause: float, stop: float):
        self.database, self.game, self.pause, self.stop = database, game, pause, stop
        self.processes = [Process(database.address, folder, number) for number in range(processes)]
        self.people: list[Person] = []
        self.tables: list[Table] = []
        self.playing: dict[int, tuple[Table, Person, Person]] = {}
        self.made = 0
        self.ended = False
        self.kills = self.restarts = self.stops = 0
        self.after_kill: list[float] = []
        self.bot_after: list[float] = []
        self.after_restart: list[float] = []
        self.away: list[tuple[float, float]] = []  # when the database was: what a kill costs is not counted then
        self.bot_after_stop: list[float] = []
        self.watching: set[asyncio.Task[None]] = set()

    async def games(self, number: int) -> None:
        """Of two people and a bot, one after another."""
        ada, ben = Person(self, number, 0), Person(self, number, 1)
        self.people += [ada, ben]
        for person in (ada, ben):
            await person.ask("GET", "/api/me")
        while not self.ended:
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
            opened = await ada.ask("POST", "/api/tables", {"game": self.game, "players": 3, "seats": seats})
            await ben.ask("POST", f"/api/tables/{opened['id']}/sit", {"seat": 1})
            table = Table(opened["id"])
            self.tables.append(table)
            self.playing[number] = table, ada, ben
            await asyncio.gather(ada.play(table), ben.play(table))

    async def rage(self, seconds: float) -> None:
        rng, end = random.Random(0), time.monotonic() + seconds
        for n in itertools.count(1):
            await asyncio.sleep(BETWEEN)
            if time.monotonic() > end:
                return
            if n % 10 == 5:  # beside the killing
                self.restarts += 1
                began = time.monotonic()
                await asyncio.to_thread(self.database.restart, rng.choice(["fast", "immediate"]))
                self.away.append((began, time.monotonic()))
                for table, *_ in self.playing.values():
                    self._watch(table, time.monotonic(), lambda table: table.moved, self.after_restart)
                continue
            serving = [process for process in self.processes if process.serves]
            if n % 10 == 0 and len(serving) > 1:
                self.stops += 1
                self.soon(self.halt(rng.choice(serving)))
            elif len(serving) > 1:
                self.kills += 1
                self.kill(rng.choice(serving))

    def watch(self, victim: Process, times: list[float], bots: list[float]) -> None:
        """How long until something happens where somebody was by this process, and where a bot was to move."""
        began = time.monotonic()
        for table, *people in self.playing.values():
            if not table.over.is_set():
                if any(person.by is victim for person in people):
                    self._watch(table, began, lambda table: table.moved, times)
                if 2 in table.pending:
                    self._watch(table, began, lambda table: table.bot, bots)

    def _watch(self, table: Table, began: float, moved, times: list[float]) -> None:
        async def wait() -> None:
            while moved(table) <= began and not table.over.is_set() and not self.ended:
                await asyncio.sleep(0.01)
            away = any(back > began for _, back in self.away)
            if not self.ended and (times is self.after_restart or not away):
                times.append(time.monotonic() - began)

        self.soon(wait())

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.watching.add(task)
        task.add_done_callback(self.watching.discard)

    def kill(self, victim: Process) -> None:
        self.watch(victim, self.after_kill, self.bot_after)
        victim.send(signal.SIGKILL)
        victim.start()
        self.soon(victim.ready())

    async def halt(self, victim: Process) -> None:
        self.watch(victim, [], self.bot_after_stop)
        victim.send(signal.SIGSTOP)
        await asyncio.sleep(self.stop)
        victim.send(signal.SIGCONT)

    async def run(self, tables: int, seconds: float) -> None:
        await asyncio.gather(*(process.ready() for process in self.processes))
        games = [asyncio.create_task(self.games(number)) for number in range(tables)]
        raging = asyncio.create_task(self.rage(seconds))
        await asyncio.wait([raging, *games], return_when=asyncio.FIRST_COMPLETED)
        for task in (raging, *games):
            if task.done():
                task.result()
        await asyncio.sleep(BETWEEN)
        self.ended = True
        async with asyncio.timeout(60):
            await asyncio.gather(*games)

    def amiss(self) -> dict[str, int]:
        """Acknowledged moves that are not in their place in the journal, and those that are there twice."""
        lost = twice = gaps = 0
        with psycopg.connect(self.database.address.replace("+psycopg", "")) as connection:
            for table in self.tables:
                wanted = "SELECT ply, seat, move FROM journal WHERE table_id = %s ORDER BY ply"
                rows = connection.execute(wanted, (table.id,)).fetchall()
                gaps += [row[0] for row in rows] != list(range(len(rows)))
                for seat, made in table.made.items():
                    kept = [row[2] for row in rows if row[1] == seat]
                    lost += sum(1 for n, move in enumerate(made) if kept[n : n + 1] != [move])
                    twice += max(0, len(kept) - len(made) - 1)  # the last may not have been acknowledged any more
        return {"lost": lost, "doubled": twice, "journals_with_gaps": gaps}


def at(times: list[float], share: float) -> float | None:
    ordered = sorted(times)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--game", default="cardinal")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--pause", type=float, default=0.02, help="seconds that people think at most")
    parser.add_argument("--stop", type=float, default=20, help="seconds that a process is stopped")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgresql() as database:
        storm = Storm(database, Path(folder), given.game, given.processes, given.pause, given.stop)
        try:
            asyncio.run(storm.run(given.tables, 60 * given.minutes))
            amiss = storm.amiss()
        finally:
            for process in storm.processes:
                with suppress(ProcessLookupError):
                    process.send(signal.SIGKILL)
        logs = [line for process in storm.processes for line in process.log.read_text().splitlines()]
    errors: dict[str, int] = {}
    for person in storm.people:
        for wrong, count in person.errors.items():
            errors[wrong] = errors.get(wrong, 0) + count
    result = {
        "minutes": given.minutes,
        "processes": given.processes,
        "tables": given.tables,
        "games": len(storm.tables),
        "moves": storm.made,
        **amiss,
        "kills": storm.kills,
        "postgresql_restarts": storm.restarts,
        "stops": storm.stops,
        "after_kill_s": {
            "p50": at(storm.after_kill, 0.5),
            "p99": at(storm.after_kill, 0.99),
            "n": len(storm.after_kill),
        },
        "after_restart_s": {"p50": at(storm.after_restart, 0.5), "max": at(storm.after_restart, 1)},
        "bot_after_kill_s": {
            "p50": at(storm.bot_after, 0.5),
            "p99": at(storm.bot_after, 0.99),
            "n": len(storm.bot_after),
        },
        "bot_after_stop_s": {"max": at(storm.bot_after_stop, 1), "n": len(storm.bot_after_stop)},
        "refusals": errors,
        "tracebacks": sum("Traceback" in line for line in logs),
        "log_lines": len(logs),
    }
    for n, line in enumerate(logs):
        if "Traceback" in line:
            print("\n".join(logs[n - 1 : n + 30]))
    kinds: dict[str, int] = {}
    for line in logs:
        kind = " ".join(line.split(" ")[1:])[:100]
        kinds[kind] = kinds.get(kind, 0) + 1
    if given.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name}: {value}")
    print("what the logs say most:")
    for kind, count in sorted(kinds.items(), key=lambda item: -item[1])[:12]:
        print(f"{count:7} {kind}")


if __name__ == "__main__":
    main()

"""Fault injection: server processes are killed, stopped and cut off while clients play.

    python tests/server/storm.py [--minutes 3] [--processes 6] [--json]

It starts PostgreSQL and several processes of a server. At each table two clients, and at some tables a bot,
play random games over WebSockets, each connected to a process that is ready. Every two seconds one process is ended by
SIGKILL and started again. At intervals PostgreSQL is restarted (fast or immediate), a process is stopped for a while
(SIGSTOP), or firewall rules cut it off from PostgreSQL (needs root and `iptables`): the packets that it sends, that it
receives, or both are dropped, briefly or for longer than any timeout. A client that loses its connection, or waits for
an answer as long as the web client would, connects to another process and resends unacknowledged commands with the same
idempotency key.

At the end, the database must contain every acknowledged key once and its move once in the journal, no ply may be
missing, and every journal must replay (`courtly doctor`); otherwise it exits with 1. The time until the next move after
a fault is reported for tables with a client at the faulty process, and for tables whose bot that process was running.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psycopg

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from local_server import UNLIMITED_SETTINGS, Server, postgresql
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from courtly.server.cluster.advisory_locks import lock_id

SETTINGS = UNLIMITED_SETTINGS | {
    "COURTLY_BOT_PAUSE": "0.5",
    "COURTLY_BOT_WORKERS": "1",
    "COURTLY_COMPILE_AHEAD": "0",
    "COURTLY_NATIVE": "0",
    "COURTLY_SOCKETS": "5000",
}
KILL_INTERVAL_S = 2.0
KILLS_PER_ROUND = 10  # kills in a round, in which every other fault occurs once
READINESS_POLL_S = 0.5  # interval of readiness checks, as by a load balancer
REQUEST_TIMEOUT_S = 8.0  # how long the web client waits for an answer
SHORT_CUT_S = 4.0  # length of a brief cut
CUT_DIRECTIONS = {"both": "io", "outgoing": "o", "incoming": "i"}  # as seen from the process
CONNECTION_ERRORS = (OSError, EOFError, WebSocketException, TimeoutError)


class Firewall:
    """Firewall rules between the processes and PostgreSQL, which each process reaches by an address of its own."""

    def __init__(self, port: int):
        self.port = port
        self._rules: list[list[str]] = []
        self.hindrance = self._hindrance()  # why connections cannot be cut; None if they can

    def _hindrance(self) -> str | None:
        try:
            self.cut("127.255.255.254", "io")  # an unused address
        except OSError as wrong:
            return f"iptables: {wrong.strerror}"
        except subprocess.CalledProcessError as wrong:
            return " ".join(wrong.stderr.split())
        finally:
            self.mend()
        return None

    def cut(self, host: str, ways: str) -> None:
        port = str(self.port)
        for way, ends in (("o", ["-d", host, "--dport", port]), ("i", ["-s", host, "--sport", port])):
            if way in ways:
                rule = ["INPUT", "-i", "lo", "-p", "tcp", *ends, "-j", "DROP"]
                self._do("-I", rule)
                self._rules.append(rule)

    def mend(self) -> None:
        while self._rules:
            self._do("-D", self._rules.pop())

    @staticmethod
    def _do(what: str, rule: list[str]) -> None:
        subprocess.run(["iptables", "-w", what, *rule], check=True, capture_output=True, text=True)


class Process:
    """A server process with a port of its own and a log file."""

    def __init__(self, storm: Storm, folder: Path, n: int):
        self.storm, self.folder, self.name, self.host = storm, folder, f"courtly-{n}", f"127.0.{n + 1}.1"
        self.log = folder / f"{n}.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        database = f"postgresql+psycopg://postgres@{self.host}:{storm.wall.port}/postgres?application_name={self.name}"
        self.settings = os.environ | SETTINGS | {"COURTLY_DATABASE": database}
        self.settings["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")  # it starts often
        self.settings.pop("PYTHONDONTWRITEBYTECODE", None)
        self.stopped = self.cut = False
        self.started: list[float] = []  # time from each start until it was ready, in seconds
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-u", "-m", "courtly", "serve", "--port", str(self.port), "--no-browser"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder)], stdout=subprocess.DEVNULL, stderr=log, env=self.settings
            )
        self.house = Server(f"http://127.0.0.1:{self.port}", self.process.pid)
        self.ready, self.began = False, time.monotonic()
        self.fresh = True

    async def look(self) -> None:
        """Poll readiness. A process that ended by itself, because it has no database, is started again as systemd would
        do."""
        while not self.storm.ended:
            if self.process.poll() is not None:
                self.ready = False
                await asyncio.sleep(0.5)
                self.start()
            process = self.process
            ready = await self._ask()
            if process is self.process:
                self.ready = ready
                if ready and self.fresh:
                    self.fresh = False
                    self.started.append(time.monotonic() - self.began)
            await asyncio.sleep(READINESS_POLL_S if self.ready else READINESS_POLL_S / 5)

    async def _ask(self) -> bool:
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                answer = await reader.readline()
                writer.close()
                return b" 200 " in answer
        except CONNECTION_ERRORS:
            return False

    def send(self, what: signal.Signals) -> None:
        self.stopped = what == signal.SIGSTOP
        self.process.send_signal(what)
        if what == signal.SIGKILL:
            self.ready = False
            self.process.wait()

    @property
    def amiss(self) -> bool:
        return self.stopped or self.cut

    @property
    def well(self) -> bool:
        return self.ready and not self.amiss


class Table:
    """What is known of a game. `moved`: when the last move or event was seen; `bot`: when the last move of a bot was
    seen; `hits`: number of faults that affected it."""

    def __init__(self, table: str, bots: bool):
        self.id, self.bots = table, bots
        self.cues = self.hits = 0
        self.moved = self.bot = time.monotonic()
        self.pending: list[int] = []
        self.over = asyncio.Event()
        self.made: dict[str, tuple[int, int]] = {}  # acknowledged commands: key -> (seat, move)

    def see(self, view: dict[str, Any]) -> None:
        for cue in view["cues"]:
            if cue["n"] >= self.cues:
                self.cues, self.moved = cue["n"] + 1, time.monotonic()
                if cue["seat"] == 2:
                    self.bot = self.moved
        if view["seq"] >= self.cues:
            self.pending = view["pending"]
        if view["over"]:
            self.over.set()


class Person:
    def __init__(self, storm: Storm, number: int, seat: int):
        self.storm, self.seat, self.rng = storm, seat, random.Random(f"{number} {seat}")
        self.cookie = ""
        self.by: Process | None = None
        self.waiting: dict[str, Any] | None = None
        self.since = 0.0  # when `waiting` was sent
        self.view: dict[str, Any] | None = None  # the latest view, until the client acts on it
        self.seen = 0
        self.errors: Counter[str] = Counter()

    def choose(self, but: Process | None = None) -> Process:
        ready = [process for process in self.storm.processes if process.ready and process is not but]
        return self.rng.choice(ready or self.storm.processes)

    async def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request until a process answers it. Status 409 counts as an answer, since the response to a request
        that was carried out may have been lost."""
        while True:
            try:
                house = self.choose().house
                answer, self.cookie = await asyncio.to_thread(
                    house.ask, self.cookie, method, path, body, REQUEST_TIMEOUT_S
                )
                return answer
            except HTTPError as refused:
                if refused.code == 409:
                    return {}
                await asyncio.sleep(0.05)
            except OSError:
                await asyncio.sleep(0.05)

    async def play(self, table: Table) -> None:
        """Play until the game is over."""
        self.waiting, self.seen, lost = None, 0, None
        while not table.over.is_set() and not self.storm.ended:
            self.by = self.choose(lost)
            lost = None
            try:
                await self.sit(table, self.by)
            except CONNECTION_ERRORS:
                lost = self.by
                await asyncio.sleep(0.02)
        self.by = None

    async def sit(self, table: Table, by: Process) -> None:
        self.view = None
        more: dict[str, Any] = {"proxy": None, "compression": None, "open_timeout": 2, "close_timeout": 0.1}
        headers = {"cookie": self.cookie}
        async with connect(by.house.table(table.id), additional_headers=headers, ping_interval=None, **more) as line:
            await line.send(json.dumps({"type": "hello", "since": {str(self.seat): self.seen}}))
            if self.waiting:
                await self.say(line)
            while not table.over.is_set() and not self.storm.ended:
                try:
                    async with asyncio.timeout(1):
                        message = await line.recv()
                except TimeoutError:
                    if self.waiting and time.monotonic() - self.since > REQUEST_TIMEOUT_S:
                        raise
                    continue
                await self.hear(table, json.loads(message), line)

    async def say(self, line: Any) -> None:
        self.since = time.monotonic()
        await line.send(json.dumps(self.waiting))

    async def hear(self, table: Table, message: dict[str, Any], line: Any) -> None:
        if message["type"] == "done":
            assert self.waiting and message["key"] == self.waiting["key"]
            assert message["key"] not in table.made
            table.made[message["key"]] = self.seat, self.waiting["moves"][0]
            self.waiting = None
            self.storm.made += 1
        elif message["type"] == "error":
            wrong = message["error"]["id"]
            self.errors[wrong] += 1
            ours = self.waiting and message.get("key") == self.waiting["key"]
            if ours and wrong in ("error-storage", "error-unsure"):
                await asyncio.sleep(0.2)
                await self.say(line)
            elif ours:
                self.waiting = self.view = None
                await line.send(json.dumps({"type": "resync"}))
        elif message["type"] == "view" and message["view"]["seat"] == self.seat:
            self.view = message["view"]
            self.seen = max(self.seen, self.view["seq"])
            table.see(self.view)
        if self.view and self.view["legal"] and not self.waiting:
            view, self.view = self.view, None
            await asyncio.sleep(self.storm.pause * self.rng.random())
            wanted = {"seat": self.seat, "seq": view["seq"], "moves": [self.rng.choice(view["legal"])["id"]]}
            self.waiting = {"type": "play", "key": secrets.token_hex(8), **wanted}
            await self.say(line)


class Storm:
    """The running benchmark."""

    def __init__(self, given: argparse.Namespace, database: Any, wall: Firewall, folder: Path):
        self.given, self.database, self.wall = given, database, wall
        self.pause, self.ended, self.made = given.pause, False, 0
        self.people: list[Person] = []
        self.tables: list[Table] = []
        self.playing: dict[int, tuple[Table, Person, Person]] = {}
        self.happened: Counter[str] = Counter()
        self.times: dict[str, list[float]] = {}
        self.away: list[
            tuple[float, float]
        ] = []  # (from, to) of database outages, during which other faults are not timed
        self.watching: set[asyncio.Task[None]] = set()
        self.failed: BaseException | None = None  # the exception of a background task, which ends the run
        self.processes = [Process(self, folder, number) for number in range(given.processes)]

    async def games(self, number: int) -> None:
        """Play games of two clients, and a bot at some tables, one after another."""
        ada, ben = Person(self, number, 0), Person(self, number, 1)
        self.people += [ada, ben]
        for person in (ada, ben):
            await person.ask("GET", "/api/me")
        bots = [{"kind": "bot", "bot": self.given.bot}] if number < self.given.bots else []
        while not self.ended:
            seats = [{"kind": "me"}, {"kind": "open"}, *bots]
            wish = {"game": self.given.game, "players": len(seats), "seats": seats}
            if not (opened := await ada.ask("POST", "/api/tables", wish)):
                continue
            await ben.ask("POST", f"/api/tables/{opened['id']}/sit", {"seat": 1})
            table = Table(opened["id"], bool(bots))
            self.tables.append(table)
            self.playing[number] = table, ada, ben
            await asyncio.gather(ada.play(table), ben.play(table))

    # --- faults -------------------------------------------------------------------------------------------------------

    async def rage(self, seconds: float) -> None:
        rng, end = random.Random(0), time.monotonic() + seconds
        cuts = itertools.cycle(
            [None]
            if self.wall.hindrance
            else [(way, lasts) for lasts in (self.given.cut, SHORT_CUT_S) for way in CUT_DIRECTIONS]
        )
        stopping = itertools.cycle(["fast", "immediate"])
        for n in itertools.count(1):
            await asyncio.sleep(KILL_INTERVAL_S)
            if self.failed:
                raise self.failed
            if time.monotonic() > end:
                return
            if n % KILLS_PER_ROUND == 2:
                self.soon(self.restart(next(stopping)))
            elif n % KILLS_PER_ROUND == 4:
                self.soon(self.halt(rng))
            elif n % KILLS_PER_ROUND == 7 and (cut := next(cuts)):
                self.soon(self.cut(rng, *cut))
            if len(well := [process for process in self.processes if process.well]) > 1:
                await self.kill(rng.choice(well))

    async def kill(self, victim: Process) -> None:
        driven = await self.driven(victim)
        if not victim.well:  # it may have changed while we waited
            return
        self.happened["kills"] += 1
        self.watch("after_kill", victim, driven)
        victim.send(signal.SIGKILL)
        victim.start()

    async def restart(self, how: str) -> None:
        self.happened[f"postgresql_{how}"] += 1
        began = time.monotonic()
        await asyncio.to_thread(self.database.restart, how)
        self.away.append((began, time.monotonic()))
        for table, *people in self.playing.values():
            self._watch("after_restart", table, people, None, lambda table: table.moved)

    async def halt(self, rng: random.Random) -> None:
        """Stop a process, preferably one that is running bots."""
        victim, driven = await self.busiest(rng)
        if victim is None:
            return
        self.happened["stops"] += 1
        self.watch("after_stop", victim, driven)
        victim.send(signal.SIGSTOP)
        await asyncio.sleep(self.given.stop)
        victim.send(signal.SIGCONT)

    async def cut(self, rng: random.Random, way: str, lasts: float) -> None:
        victim, driven = await self.busiest(rng)
        if victim is None:
            return
        victim.cut = True
        try:
            await asyncio.to_thread(self.wall.cut, victim.host, CUT_DIRECTIONS[way])
            self.happened[f"cuts, {way}, {lasts:.0f} s"] += 1
            self.watch("after_cut" if lasts > SHORT_CUT_S else "after_brief_cut", victim, driven)
            await asyncio.sleep(lasts)
        finally:
            await asyncio.to_thread(self.wall.mend)
            victim.cut = False
        mended, process = time.monotonic(), victim.process
        while not victim.ready and process is victim.process and not self.ended:
            await asyncio.sleep(0.02)
        if process is victim.process and not self.ended and not any(back > mended for _, back in self.away):
            self.times.setdefault("ready_after_cut", []).append(time.monotonic() - mended)

    async def busiest(self, rng: random.Random) -> tuple[Process | None, set[str]]:
        """Return a healthy process that is running as many bots as possible, and the tables of these bots; None if too
        few processes are healthy."""
        well = [process for process in self.processes if process.well]
        if len(well) < 2:
            return None, set()
        driven = [(process, await self.driven(process)) for process in rng.sample(well, len(well))]
        return max(driven, key=lambda found: len(found[1]))

    async def driven(self, process: Process) -> set[str]:
        """Return the tables whose bots this process is running, by the advisory locks that it holds."""
        wanted = (
            "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE locktype = 'advisory' AND granted AND application_name = %s"
        )
        try:
            async with await psycopg.AsyncConnection.connect(self.database.plain, connect_timeout=2) as connection:
                held = {row[0] for row in await (await connection.execute(wanted, (process.name,))).fetchall()}
        except psycopg.Error:
            return set()
        return {table.id for table, *_ in self.playing.values() if lock_id(f"bots {table.id}") in held}

    def watch(self, what: str, victim: Process, driven: set[str]) -> None:
        """Time the next move at tables with a client at this process, and the next bot move at tables whose bot it was
        running, if a client can see it."""
        for table, *people in self.playing.values():
            by = [person.by for person in people]
            if table.over.is_set() or (victim not in by and table.id not in driven):
                continue
            table.hits += 1
            if victim in by:
                self._watch(what, table, people, victim, lambda table: table.moved)
            if table.id in driven and 2 in table.pending and (what == "after_kill" or {*by} - {victim, None}):
                self._watch(f"bot_{what}", table, people, victim, lambda table: table.bot)

    def _watch(
        self, what: str, table: Table, people: Sequence[Person], victim: Process | None, moved: Callable[[Table], float]
    ) -> None:
        """Time the next move at a table. If another fault affects the table before it, or affects another client of the
        table already, the time is recorded separately."""
        began, hits = time.monotonic(), table.hits

        async def wait() -> None:
            more = ""
            while (at := moved(table)) <= began and not table.over.is_set() and not self.ended:
                if table.hits > hits or any(p.by not in (None, victim) and p.by.amiss for p in people):
                    more = "_and_more"
                await asyncio.sleep(0.02)
            away = any(back > began - 1 and since < at for since, back in self.away)
            if not self.ended and (what == "after_restart" or not away):
                self.times.setdefault(what + more, []).append(max(at, began) - began)

        self.soon(wait())

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.watching.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.watching.discard(task)
        if not task.cancelled():
            self.failed = self.failed or task.exception()

    async def run(self, seconds: float) -> None:
        looking = [asyncio.create_task(process.look()) for process in self.processes]
        async with asyncio.timeout(60):
            while not all(process.ready for process in self.processes):
                await asyncio.sleep(READINESS_POLL_S)
        games = [asyncio.create_task(self.games(number)) for number in range(self.given.tables)]
        raging = asyncio.create_task(self.rage(seconds))
        saying = asyncio.create_task(self.say_how_it_goes())
        await asyncio.wait([raging, *looking, *games], return_when=asyncio.FIRST_COMPLETED)
        for task in (raging, *looking, *games):
            if task.done():
                task.result()
        await asyncio.sleep(KILL_INTERVAL_S)
        self.ended = True
        saying.cancel()
        async with asyncio.timeout(60):
            await asyncio.gather(*games, *looking)

    async def say_how_it_goes(self) -> None:
        began = time.monotonic()
        while True:
            await asyncio.sleep(60)
            print(f"after {time.monotonic() - began:.0f} s: {self.made} moves", file=sys.stderr, flush=True)

    # --- verification -------------------------------------------------------------------------------------------------

    def amiss(self) -> dict[str, int]:
        """Return the number of acknowledged moves that are missing or doubled, and of journals with gaps. A duplicate
        move of a bot or a player shows as a gap or a journal that does not replay."""
        lost = twice = gaps = 0
        with psycopg.connect(self.database.plain) as connection:
            for table in self.tables:
                rows = connection.execute(
                    "SELECT ply, seat, move, batch FROM journal WHERE table_id = %s ORDER BY ply", (table.id,)
                ).fetchall()
                gaps += [row[0] for row in rows] != list(range(len(rows)))
                journal = {ply: (seat, move, batch) for ply, seat, move, batch in rows}
                lengths: dict[str, list[int]] = {}
                for key, length in connection.execute(
                    "SELECT key, journal_length FROM idempotency_key WHERE table_id = %s", (table.id,)
                ).fetchall():
                    lengths.setdefault(key, []).append(length)
                places = Counter[int]()
                for key, made in table.made.items():
                    place = lengths.get(key, [0])[0] - 1  # of the last entry of its batch
                    while place in journal and journal[place][0] < 0:  # skip random events
                        place -= 1
                    place = journal[place][2] if place in journal else -1
                    lost += journal.get(place, ())[:2] != made
                    twice += len(lengths.get(key, ())) > 1
                    places[place] += 1
                lost += sum(count - 1 for count in places.values())  # two moves cannot share a place
                # every move of a client has exactly one key
                people = [batch for ply, seat, _, batch in rows if seat in (0, 1) and ply == batch]
                twice += len(people) - len(lengths)
        return {"lost": lost, "doubled": twice, "journals_with_gaps": gaps}


def summarize_times(times: list[float]) -> dict[str, float | int]:
    ordered = sorted(times)
    shares = {"p50": 0.5, "p99": 0.99, "worst": 1.0}
    return {
        **{name: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) for name, share in shares.items()},
        "n": len(ordered),
    }


@contextmanager
def start_postgresql(database: Any, processes: int) -> Iterator[Firewall]:
    """Let PostgreSQL listen at an address for each process; provide the firewall, whose rules are removed at the
    end."""
    wall = Firewall(database.listen("127.0.0.1", *(f"127.0.{n + 1}.1" for n in range(processes))))
    database.plain = f"postgresql://postgres@127.0.0.1:{wall.port}/postgres"
    try:
        yield wall
    finally:
        wall.mend()


def run_doctor(database: Any) -> list[str]:
    """Return the exit code and the last lines of `courtly doctor`."""
    settings = os.environ | {"COURTLY_DATABASE": database.plain.replace("postgresql", "postgresql+psycopg")}
    command = [sys.executable, "-m", "courtly", "doctor"]
    asked = subprocess.run(command, capture_output=True, text=True, env=settings)
    return [f"exit code {asked.returncode}", *(asked.stdout + asked.stderr).splitlines()[-5:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3, help="length of the run")
    parser.add_argument("--game", default="puppet", help="id of the game")
    parser.add_argument("--processes", type=int, default=6, help="number of server processes")
    parser.add_argument("--tables", type=int, default=36, help="number of tables")
    parser.add_argument("--bots", type=int, default=8, help="tables that have a bot, too")
    parser.add_argument("--bot", default="squire", help="name of the bot")
    parser.add_argument("--pause", type=float, default=0.02, help="longest pause of a client before a move, in seconds")
    parser.add_argument("--stop", type=float, default=20, help="length of a stop, in seconds")
    parser.add_argument("--cut", type=float, default=20, help="length of a long cut, in seconds")
    parser.add_argument("--logs", type=Path, help="folder to copy the logs to")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql() as database,
        start_postgresql(database, given.processes) as wall,
    ):
        storm = Storm(given, database, wall, Path(folder))
        try:
            asyncio.run(storm.run(60 * given.minutes))
        finally:
            for process in storm.processes:
                with suppress(ProcessLookupError):
                    process.send(signal.SIGKILL)
                if given.logs:
                    given.logs.mkdir(parents=True, exist_ok=True)
                    shutil.copy(process.log, given.logs)
        amiss = storm.amiss()
        examined = run_doctor(database)
        logs = [line for process in storm.processes for line in process.log.read_text().splitlines()]
    errors: Counter[str] = Counter()
    for person in storm.people:
        errors += person.errors
    result = {
        "minutes": given.minutes,
        "processes": given.processes,
        "tables": given.tables,
        "games": len(storm.tables),
        "moves": storm.made,
        **amiss,
        "doctor": examined,
        "happened": dict(storm.happened),
        **({"cuts": f"none: {wall.hindrance}"} if wall.hindrance else {}),
        "seconds": {what: summarize_times(times) for what, times in sorted(storm.times.items())},
        "ready_after_start_s": summarize_times([taken for process in storm.processes for taken in process.started]),
        "refusals": dict(errors),
        "tracebacks": sum("Traceback" in line for line in logs),
        "log_lines": len(logs),
    }
    if given.json:
        print(json.dumps(result))
    for name, value in result.items() if not given.json else ():
        if isinstance(value, dict):
            print(f"{name}:")
            for what, of_it in value.items():
                print(f"    {what}: {of_it}")
        else:
            print(f"{name}: {value}")
    sys.exit(any(amiss.values()) or result["tracebacks"] > 0 or examined[0] != "exit code 0")
    for n, line in enumerate(logs):
        if "Traceback" in line:
            print("\n".join(logs[n - 1 : n + 30]))
    print("most frequent log lines:")
    for kind, count in Counter(" ".join(line.split(" ")[1:])[:100] for line in logs).most_common(12):
        print(f"{count:7} {kind}")


if __name__ == "__main__":
    main()

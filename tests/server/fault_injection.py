"""Fault injection: server processes are killed, stopped and cut off while clients play.

    python tests/server/fault_injection.py [--minutes 3] [--processes 6] [--json]

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
        self.obstacle = self._find_obstacle()  # why connections cannot be cut; None if they can

    def _find_obstacle(self) -> str | None:
        try:
            self.cut("127.255.255.254", "io")  # an unused address
        except OSError as error:
            return f"iptables: {error.strerror}"
        except subprocess.CalledProcessError as error:
            return " ".join(error.stderr.split())
        finally:
            self.remove_rules()
        return None

    def cut(self, host: str, directions: str) -> None:
        port = str(self.port)
        for direction, ends in (("o", ["-d", host, "--dport", port]), ("i", ["-s", host, "--sport", port])):
            if direction in directions:
                rule = ["INPUT", "-i", "lo", "-p", "tcp", *ends, "-j", "DROP"]
                self._run_iptables("-I", rule)
                self._rules.append(rule)

    def remove_rules(self) -> None:
        while self._rules:
            self._run_iptables("-D", self._rules.pop())

    @staticmethod
    def _run_iptables(operation: str, rule: list[str]) -> None:
        subprocess.run(["iptables", "-w", operation, *rule], check=True, capture_output=True, text=True)


class Process:
    """A server process with a port of its own and a log file."""

    def __init__(self, injection: FaultInjection, folder: Path, n: int):
        self.injection, self.folder, self.name, self.host = injection, folder, f"courtly-{n}", f"127.0.{n + 1}.1"
        self.log = folder / f"{n}.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        database = (
            f"postgresql+psycopg://postgres@{self.host}:{injection.firewall.port}/postgres?application_name={self.name}"
        )
        self.settings = os.environ | SETTINGS | {"COURTLY_DATABASE": database}
        self.settings["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")  # it starts often
        self.settings.pop("PYTHONDONTWRITEBYTECODE", None)
        self.stopped = self.cut = False
        self.start_durations_s: list[float] = []  # time from each start until it was ready, in seconds
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-u", "-m", "courtly", "serve", "--port", str(self.port), "--no-browser"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder)], stdout=subprocess.DEVNULL, stderr=log, env=self.settings
            )
        self.server = Server(f"http://127.0.0.1:{self.port}", self.process.pid)
        self.ready, self.start_time = False, time.monotonic()
        self.fresh = True

    async def poll_readiness(self) -> None:
        """Poll readiness. A process that ended by itself, because it has no database, is started again as systemd would
        do."""
        while not self.injection.finished:
            if self.process.poll() is not None:
                self.ready = False
                await asyncio.sleep(0.5)
                self.start()
            process = self.process
            ready = await self._is_ready()
            if process is self.process:
                self.ready = ready
                if ready and self.fresh:
                    self.fresh = False
                    self.start_durations_s.append(time.monotonic() - self.start_time)
            await asyncio.sleep(READINESS_POLL_S if self.ready else READINESS_POLL_S / 5)

    async def _is_ready(self) -> bool:
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                status_line = await reader.readline()
                writer.close()
                return b" 200 " in status_line
        except CONNECTION_ERRORS:
            return False

    def send(self, number: signal.Signals) -> None:
        self.stopped = number == signal.SIGSTOP
        self.process.send_signal(number)
        if number == signal.SIGKILL:
            self.ready = False
            self.process.wait()

    @property
    def is_faulty(self) -> bool:
        return self.stopped or self.cut

    @property
    def is_healthy(self) -> bool:
        return self.ready and not self.is_faulty


class Table:
    """What is known of a game. `last_move_at`: when the last move or event was seen; `last_bot_move_at`: when the
    last move of a bot was seen; `fault_count`: number of faults that affected it."""

    def __init__(self, table: str, bots: bool):
        self.id, self.bots = table, bots
        self.event_count = self.fault_count = 0
        self.last_move_at = self.last_bot_move_at = time.monotonic()
        self.pending: list[int] = []
        self.over = asyncio.Event()
        self.acknowledged: dict[str, tuple[int, int]] = {}  # acknowledged commands: key -> (seat, move)

    def update(self, view: dict[str, Any]) -> None:
        for cue in view["cues"]:
            if cue["n"] >= self.event_count:
                self.event_count, self.last_move_at = cue["n"] + 1, time.monotonic()
                if cue["seat"] == 2:
                    self.last_bot_move_at = self.last_move_at
        if view["seq"] >= self.event_count:
            self.pending = view["pending"]
        if view["over"]:
            self.over.set()


class Client:
    def __init__(self, injection: FaultInjection, number: int, seat: int):
        self.injection, self.seat, self.rng = injection, seat, random.Random(f"{number} {seat}")
        self.cookie = ""
        self.process: Process | None = None
        self.unacknowledged: dict[str, Any] | None = None
        self.sent_at = 0.0  # when the unacknowledged command was sent
        self.view: dict[str, Any] | None = None  # the latest view, until the client acts on it
        self.last_seq = 0
        self.errors: Counter[str] = Counter()

    def choose_process(self, excluded: Process | None = None) -> Process:
        ready = [process for process in self.injection.processes if process.ready and process is not excluded]
        return self.rng.choice(ready or self.injection.processes)

    async def request(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request until a process answers it. Status 409 counts as an answer, since the response to a request
        that was carried out may have been lost."""
        while True:
            try:
                server = self.choose_process().server
                response, self.cookie = await asyncio.to_thread(
                    server.request, self.cookie, method, path, body, REQUEST_TIMEOUT_S
                )
                return response
            except HTTPError as error:
                if error.code == 409:
                    return {}
                await asyncio.sleep(0.05)
            except OSError:
                await asyncio.sleep(0.05)

    async def play(self, table: Table) -> None:
        """Play until the game is over."""
        self.unacknowledged, self.last_seq, lost_process = None, 0, None
        while not table.over.is_set() and not self.injection.finished:
            self.process = self.choose_process(lost_process)
            lost_process = None
            try:
                await self.connect_and_play(table, self.process)
            except CONNECTION_ERRORS:
                lost_process = self.process
                await asyncio.sleep(0.02)
        self.process = None

    async def connect_and_play(self, table: Table, process: Process) -> None:
        self.view = None
        options: dict[str, Any] = {"proxy": None, "compression": None, "open_timeout": 2, "close_timeout": 0.1}
        headers = {"cookie": self.cookie}
        async with connect(
            process.server.table(table.id), additional_headers=headers, ping_interval=None, **options
        ) as connection:
            await connection.send(json.dumps({"type": "hello", "since": {str(self.seat): self.last_seq}}))
            if self.unacknowledged:
                await self.send_unacknowledged(connection)
            while not table.over.is_set() and not self.injection.finished:
                try:
                    async with asyncio.timeout(1):
                        message = await connection.recv()
                except TimeoutError:
                    if self.unacknowledged and time.monotonic() - self.sent_at > REQUEST_TIMEOUT_S:
                        raise
                    continue
                await self.handle_message(table, json.loads(message), connection)

    async def send_unacknowledged(self, connection: Any) -> None:
        self.sent_at = time.monotonic()
        await connection.send(json.dumps(self.unacknowledged))

    async def handle_message(self, table: Table, message: dict[str, Any], connection: Any) -> None:
        if message["type"] == "done":
            assert self.unacknowledged and message["key"] == self.unacknowledged["key"]
            assert message["key"] not in table.acknowledged
            table.acknowledged[message["key"]] = self.seat, self.unacknowledged["moves"][0]
            self.unacknowledged = None
            self.injection.move_count += 1
        elif message["type"] == "error":
            error_id = message["error"]["id"]
            self.errors[error_id] += 1
            is_own_command = self.unacknowledged and message.get("key") == self.unacknowledged["key"]
            if is_own_command and error_id in ("error-storage", "error-unsure"):
                await asyncio.sleep(0.2)
                await self.send_unacknowledged(connection)
            elif is_own_command:
                self.unacknowledged = self.view = None
                await connection.send(json.dumps({"type": "resync"}))
        elif message["type"] == "view" and message["view"]["seat"] == self.seat:
            self.view = message["view"]
            self.last_seq = max(self.last_seq, self.view["seq"])
            table.update(self.view)
        if self.view and self.view["legal"] and not self.unacknowledged:
            view, self.view = self.view, None
            await asyncio.sleep(self.injection.pause * self.rng.random())
            command = {"seat": self.seat, "seq": view["seq"], "moves": [self.rng.choice(view["legal"])["id"]]}
            self.unacknowledged = {"type": "play", "key": secrets.token_hex(8), **command}
            await self.send_unacknowledged(connection)


class FaultInjection:
    """The running benchmark."""

    def __init__(self, arguments: argparse.Namespace, database: Any, firewall: Firewall, folder: Path):
        self.arguments, self.database, self.firewall = arguments, database, firewall
        self.pause, self.finished, self.move_count = arguments.pause, False, 0
        self.clients: list[Client] = []
        self.tables: list[Table] = []
        self.playing: dict[int, tuple[Table, Client, Client]] = {}
        self.fault_counts: Counter[str] = Counter()
        self.times: dict[str, list[float]] = {}
        self.outages: list[
            tuple[float, float]
        ] = []  # (from, to) of database outages, during which other faults are not timed
        self.tasks: set[asyncio.Task[None]] = set()
        self.task_error: BaseException | None = None  # the exception of a background task, which ends the run
        self.processes = [Process(self, folder, number) for number in range(arguments.processes)]

    async def games(self, number: int) -> None:
        """Play games of two clients, and a bot at some tables, one after another."""
        ada, ben = Client(self, number, 0), Client(self, number, 1)
        self.clients += [ada, ben]
        for client in (ada, ben):
            await client.request("GET", "/api/me")
        bot_seats = [{"kind": "bot", "bot": self.arguments.bot}] if number < self.arguments.bots else []
        while not self.finished:
            seats = [{"kind": "me"}, {"kind": "open"}, *bot_seats]
            request = {"game": self.arguments.game, "players": len(seats), "seats": seats}
            if not (response := await ada.request("POST", "/api/tables", request)):
                continue
            await ben.request("POST", f"/api/tables/{response['id']}/sit", {"seat": 1})
            table = Table(response["id"], bool(bot_seats))
            self.tables.append(table)
            self.playing[number] = table, ada, ben
            await asyncio.gather(ada.play(table), ben.play(table))

    # --- faults -------------------------------------------------------------------------------------------------------

    async def inject_faults(self, seconds: float) -> None:
        rng, end = random.Random(0), time.monotonic() + seconds
        cuts = itertools.cycle(
            [None]
            if self.firewall.obstacle
            else [
                (direction, duration_s)
                for duration_s in (self.arguments.cut, SHORT_CUT_S)
                for direction in CUT_DIRECTIONS
            ]
        )
        restart_modes = itertools.cycle(["fast", "immediate"])
        for n in itertools.count(1):
            await asyncio.sleep(KILL_INTERVAL_S)
            if self.task_error:
                raise self.task_error
            if time.monotonic() > end:
                return
            if n % KILLS_PER_ROUND == 2:
                self.start_task(self.restart(next(restart_modes)))
            elif n % KILLS_PER_ROUND == 4:
                self.start_task(self.suspend_process(rng))
            elif n % KILLS_PER_ROUND == 7 and (cut := next(cuts)):
                self.start_task(self.cut(rng, *cut))
            if len(healthy := [process for process in self.processes if process.is_healthy]) > 1:
                await self.kill(rng.choice(healthy))

    async def kill(self, victim: Process) -> None:
        bot_tables = await self.bot_tables(victim)
        if not victim.is_healthy:  # it may have changed while we waited
            return
        self.fault_counts["kills"] += 1
        self.time_moves("after_kill", victim, bot_tables)
        victim.send(signal.SIGKILL)
        victim.start()

    async def restart(self, mode: str) -> None:
        self.fault_counts[f"postgresql_{mode}"] += 1
        start_time = time.monotonic()
        await asyncio.to_thread(self.database.restart, mode)
        self.outages.append((start_time, time.monotonic()))
        for table, *clients in self.playing.values():
            self._time_next_move("after_restart", table, clients, None, lambda table: table.last_move_at)

    async def suspend_process(self, rng: random.Random) -> None:
        """Stop a process, preferably one that is running bots."""
        victim, bot_tables = await self.choose_bot_runner(rng)
        if victim is None:
            return
        self.fault_counts["stops"] += 1
        self.time_moves("after_stop", victim, bot_tables)
        victim.send(signal.SIGSTOP)
        await asyncio.sleep(self.arguments.stop)
        victim.send(signal.SIGCONT)

    async def cut(self, rng: random.Random, direction: str, duration_s: float) -> None:
        victim, bot_tables = await self.choose_bot_runner(rng)
        if victim is None:
            return
        victim.cut = True
        try:
            await asyncio.to_thread(self.firewall.cut, victim.host, CUT_DIRECTIONS[direction])
            self.fault_counts[f"cuts, {direction}, {duration_s:.0f} s"] += 1
            self.time_moves("after_cut" if duration_s > SHORT_CUT_S else "after_brief_cut", victim, bot_tables)
            await asyncio.sleep(duration_s)
        finally:
            await asyncio.to_thread(self.firewall.remove_rules)
            victim.cut = False
        reconnected_at, process = time.monotonic(), victim.process
        while not victim.ready and process is victim.process and not self.finished:
            await asyncio.sleep(0.02)
        if (
            process is victim.process
            and not self.finished
            and not any(outage_end > reconnected_at for _, outage_end in self.outages)
        ):
            self.times.setdefault("ready_after_cut", []).append(time.monotonic() - reconnected_at)

    async def choose_bot_runner(self, rng: random.Random) -> tuple[Process | None, set[str]]:
        """Return a healthy process that is running as many bots as possible, and the tables of these bots; None if too
        few processes are healthy."""
        healthy = [process for process in self.processes if process.is_healthy]
        if len(healthy) < 2:
            return None, set()
        bot_tables = [(process, await self.bot_tables(process)) for process in rng.sample(healthy, len(healthy))]
        return max(bot_tables, key=lambda pair: len(pair[1]))

    async def bot_tables(self, process: Process) -> set[str]:
        """Return the tables whose bots this process is running, by the advisory locks that it holds."""
        query = (
            "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE locktype = 'advisory' AND granted AND application_name = %s"
        )
        try:
            async with await psycopg.AsyncConnection.connect(self.database.plain, connect_timeout=2) as connection:
                held_locks = {row[0] for row in await (await connection.execute(query, (process.name,))).fetchall()}
        except psycopg.Error:
            return set()
        return {table.id for table, *_ in self.playing.values() if lock_id(f"bots {table.id}") in held_locks}

    def time_moves(self, label: str, victim: Process, bot_tables: set[str]) -> None:
        """Time the next move at tables with a client at this process, and the next bot move at tables whose bot it was
        running, if a client can see it."""
        for table, *clients in self.playing.values():
            processes = [client.process for client in clients]
            if table.over.is_set() or (victim not in processes and table.id not in bot_tables):
                continue
            table.fault_count += 1
            if victim in processes:
                self._time_next_move(label, table, clients, victim, lambda table: table.last_move_at)
            if (
                table.id in bot_tables
                and 2 in table.pending
                and (label == "after_kill" or {*processes} - {victim, None})
            ):
                self._time_next_move(f"bot_{label}", table, clients, victim, lambda table: table.last_bot_move_at)

    def _time_next_move(
        self,
        label: str,
        table: Table,
        clients: Sequence[Client],
        victim: Process | None,
        last_move_at: Callable[[Table], float],
    ) -> None:
        """Time the next move at a table. If another fault affects the table before it, or affects another client of the
        table already, the time is recorded separately."""
        start_time, fault_count = time.monotonic(), table.fault_count

        async def wait() -> None:
            suffix = ""
            while (moved_at := last_move_at(table)) <= start_time and not table.over.is_set() and not self.finished:
                if table.fault_count > fault_count or any(
                    p.process not in (None, victim) and p.process.is_faulty for p in clients
                ):
                    suffix = "_and_more"
                await asyncio.sleep(0.02)
            during_outage = any(
                outage_end > start_time - 1 and outage_start < moved_at for outage_start, outage_end in self.outages
            )
            if not self.finished and (label == "after_restart" or not during_outage):
                self.times.setdefault(label + suffix, []).append(max(moved_at, start_time) - start_time)

        self.start_task(wait())

    def start_task(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self._on_task_end)

    def _on_task_end(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            self.task_error = self.task_error or task.exception()

    async def run(self, seconds: float) -> None:
        readiness_polls = [asyncio.create_task(process.poll_readiness()) for process in self.processes]
        async with asyncio.timeout(60):
            while not all(process.ready for process in self.processes):
                await asyncio.sleep(READINESS_POLL_S)
        games = [asyncio.create_task(self.games(number)) for number in range(self.arguments.tables)]
        fault_task = asyncio.create_task(self.inject_faults(seconds))
        progress_task = asyncio.create_task(self.report_progress())
        await asyncio.wait([fault_task, *readiness_polls, *games], return_when=asyncio.FIRST_COMPLETED)
        for task in (fault_task, *readiness_polls, *games):
            if task.done():
                task.result()
        await asyncio.sleep(KILL_INTERVAL_S)
        self.finished = True
        progress_task.cancel()
        async with asyncio.timeout(60):
            await asyncio.gather(*games, *readiness_polls)

    async def report_progress(self) -> None:
        start_time = time.monotonic()
        while True:
            await asyncio.sleep(60)
            print(f"after {time.monotonic() - start_time:.0f} s: {self.move_count} moves", file=sys.stderr, flush=True)

    # --- verification -------------------------------------------------------------------------------------------------

    def count_errors(self) -> dict[str, int]:
        """Return the number of acknowledged moves that are missing or doubled, and of journals with gaps. A duplicate
        move of a bot or a player shows as a gap or a journal that does not replay."""
        lost_moves = repeated_moves = gaps = 0
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
                for key, command in table.acknowledged.items():
                    place = lengths.get(key, [0])[0] - 1  # of the last entry of its batch
                    while place in journal and journal[place][0] < 0:  # skip random events
                        place -= 1
                    place = journal[place][2] if place in journal else -1
                    lost_moves += journal.get(place, ())[:2] != command
                    repeated_moves += len(lengths.get(key, ())) > 1
                    places[place] += 1
                lost_moves += sum(count - 1 for count in places.values())  # two moves cannot share a place
                # every move of a client has exactly one key
                clients = [batch for ply, seat, _, batch in rows if seat in (0, 1) and ply == batch]
                repeated_moves += len(clients) - len(lengths)
        return {"lost": lost_moves, "doubled": repeated_moves, "journals_with_gaps": gaps}


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
    firewall = Firewall(database.listen("127.0.0.1", *(f"127.0.{n + 1}.1" for n in range(processes))))
    database.plain = f"postgresql://postgres@127.0.0.1:{firewall.port}/postgres"
    try:
        yield firewall
    finally:
        firewall.remove_rules()


def run_doctor(database: Any) -> list[str]:
    """Return the exit code and the last lines of `courtly doctor`."""
    settings = os.environ | {"COURTLY_DATABASE": database.plain.replace("postgresql", "postgresql+psycopg")}
    command = [sys.executable, "-m", "courtly", "doctor"]
    process = subprocess.run(command, capture_output=True, text=True, env=settings)
    return [f"exit code {process.returncode}", *(process.stdout + process.stderr).splitlines()[-5:]]


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
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql() as database,
        start_postgresql(database, arguments.processes) as firewall,
    ):
        injection = FaultInjection(arguments, database, firewall, Path(folder))
        try:
            asyncio.run(injection.run(60 * arguments.minutes))
        finally:
            for process in injection.processes:
                with suppress(ProcessLookupError):
                    process.send(signal.SIGKILL)
                if arguments.logs:
                    arguments.logs.mkdir(parents=True, exist_ok=True)
                    shutil.copy(process.log, arguments.logs)
        errors_found = injection.count_errors()
        doctor_output = run_doctor(database)
        logs = [line for process in injection.processes for line in process.log.read_text().splitlines()]
    errors: Counter[str] = Counter()
    for person in injection.clients:
        errors += person.errors
    result = {
        "minutes": arguments.minutes,
        "processes": arguments.processes,
        "tables": arguments.tables,
        "games": len(injection.tables),
        "moves": injection.move_count,
        **errors_found,
        "doctor": doctor_output,
        "happened": dict(injection.fault_counts),
        **({"cuts": f"none: {firewall.obstacle}"} if firewall.obstacle else {}),
        "seconds": {label: summarize_times(times) for label, times in sorted(injection.times.items())},
        "ready_after_start_s": summarize_times(
            [duration_s for process in injection.processes for duration_s in process.start_durations_s]
        ),
        "refusals": dict(errors),
        "tracebacks": sum("Traceback" in line for line in logs),
        "log_lines": len(logs),
    }
    if arguments.json:
        print(json.dumps(result))
    for name, value in result.items() if not arguments.json else ():
        if isinstance(value, dict):
            print(f"{name}:")
            for label, entry in value.items():
                print(f"    {label}: {entry}")
        else:
            print(f"{name}: {value}")
    sys.exit(any(errors_found.values()) or result["tracebacks"] > 0 or doctor_output[0] != "exit code 0")
    for n, line in enumerate(logs):
        if "Traceback" in line:
            print("\n".join(logs[n - 1 : n + 30]))
    print("most frequent log lines:")
    for kind, count in Counter(" ".join(line.split(" ")[1:])[:100] for line in logs).most_common(12):
        print(f"{count:7} {kind}")


if __name__ == "__main__":
    main()

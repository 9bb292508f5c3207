"""Estimates the capacity of several machines with one PostgreSQL.

    python benchmarks/carry.py [--json]

Everything runs on the loopback interface. First, three processes of one server: players are connected to the first,
spectators to the second, and no client to the third. The processor time per move is measured for each of them, and for
each kind of PostgreSQL process. Then PostgreSQL alone: the server's own statements on a growing number of connections,
with one move per commit and with several; and notifications to a growing number of listeners. A model extrapolates from
these to more machines: see docs/running.md, "What four and sixteen machines carry".
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import threading
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import psycopg
from load import measure_phase
from local_server import UNLIMITED_SETTINGS, postgresql, start_server
from sqlalchemy import create_engine, insert

from courtly.engine.match import Entry
from courtly.server.cluster.pg_notify import CHANNEL
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.repository import JournalAppend, Submission, append_entries
from courtly.server.persistence.schema import TABLES

REST_S = 5.0  # length of the measurement without moves
CLOCK_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PROCESS_KINDS = {"LISTEN": "listening", "SELECT pg_notify": "telling", "SELECT pg_": "claims"}  # by their last query
ENTRIES_PER_MOVE = 3  # typical number of journal entries per move, including random events
ENTRY = [0, 0, 17, 1_800_000_000_000, 0, 0]
NOTIFICATION = json.dumps(
    ["0" * 8, "moves", {"t": "t" * 12, "e": [ENTRY] * ENTRIES_PER_MOVE, "over": None}], separators=(",", ":")
)


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / CLOCK_TICKS_PER_S


class Database:
    """The PostgreSQL server and its processes."""

    def __init__(self, address: str):
        self.url, self.address = address, address.replace("+psycopg", "")
        self.connection = psycopg.connect(self.address, autocommit=True)
        parent = Path(f"/proc/{self.connection.info.backend_pid}/stat").read_text(encoding="utf-8")
        self.parent = int(parent.rpartition(")")[2].split()[1])

    def work_by_process(self) -> dict[int, tuple[str, float]]:
        """Return the kind and the processor seconds of each process, by its id."""
        statement = "SELECT pid, backend_type, query FROM pg_stat_activity"
        backends = {pid: (kind, query_text or "") for pid, kind, query_text in self.connection.execute(statement)}
        times = {}
        for pid in map(
            int, Path(f"/proc/{self.parent}/task/{self.parent}/children").read_text(encoding="utf-8").split()
        ):
            kind, query_text = backends.get(pid, ("other", ""))
            if pid != self.connection.info.backend_pid:
                if kind == "client backend":
                    kind = next(
                        (kind for begins, kind in PROCESS_KINDS.items() if query_text.startswith(begins)), "writing"
                    )
                times[pid] = kind, processor_seconds(pid)
        return times

    def work_since(self, before: dict[int, tuple[str, float]]) -> dict[str, float]:
        """Return the processor seconds of each kind since then."""
        seconds_by_kind: dict[str, float] = {}
        for pid, (kind, now) in self.work_by_process().items():
            seconds_by_kind[kind] = seconds_by_kind.get(kind, 0.0) + now - before.get(pid, (kind, 0.0))[1]
        return seconds_by_kind

    def figures(self) -> dict[str, int]:
        """Return the bytes of WAL and the number of commits so far, as far as PostgreSQL has reported them."""
        query = "SELECT pg_current_wal_insert_lsn() - '0/0', sum(xact_commit) FROM pg_stat_database"
        ((wal, commits),) = self.connection.execute(query).fetchall()
        return {"wal": int(wal), "commits": int(commits)}


# --- a server of three processes --------------------------------------------------------------------------------------


def measure_moves(arguments: argparse.Namespace, address: str) -> dict[str, object]:
    """Return the costs of a move, in milliseconds of processor time."""
    with ExitStack() as stack:
        database = Database(address)
        settings = {**UNLIMITED_SETTINGS, "COURTLY_DATABASE": address, "COURTLY_COMPILE_AHEAD": "0"}
        servers = [stack.enter_context(start_server(**settings)) for _ in range(3)]
        played, following_server, _ = servers
        rate = arguments.moves / arguments.tables
        play = partial(
            measure_phase, [played], arguments.game, spectators=arguments.spectators, watched=[following_server]
        )
        asyncio.run(play(tables=4, pace=1.0, seconds=4))  # warm-up
        times_at_rest = [server.cpu_seconds() for server in servers]
        time.sleep(REST_S)
        rest = [(server.cpu_seconds() - then) / REST_S for server, then in zip(servers, times_at_rest, strict=True)]
        start_time = time.monotonic()
        before, times_before, then_figures = (
            database.work_by_process(),
            [server.cpu_seconds() for server in servers],
            database.figures(),
        )
        result = asyncio.run(play(tables=arguments.tables, pace=rate, seconds=arguments.seconds))
        time.sleep(1)  # PostgreSQL reports its figures with a delay
        n, duration_s = result["moves"], time.monotonic() - start_time
        worked = zip(servers, times_before, rest, strict=True)
        ms = [1000 * (server.cpu_seconds() - then - duration_s * share) / n for server, then, share in worked]
        ms_by_kind = {
            kind: round(1000 * seconds / n, 3) for kind, seconds in sorted(database.work_since(before).items())
        }
        now = database.figures()
    return {
        **{name: result[name] for name in ("moves_per_s", "p50_ms", "p99_ms", "spectator_p50_ms", "spectator_p99_ms")},
        "rest_percent": round(100 * sum(rest) / len(rest), 2),
        "played_ms": round(ms[0], 3),
        "followed_with_watchers_ms": round(ms[1], 3),
        "followed_with_nobody_ms": round(ms[2], 3),
        "postgresql_ms": ms_by_kind,
        "wal_bytes": round((now["wal"] - then_figures["wal"]) / n),
        "commits": round((now["commits"] - then_figures["commits"]) / n, 2),
        "word_bytes": len(NOTIFICATION),
    }


# --- PostgreSQL alone -------------------------------------------------------------------------------------------------


def channel_name(connection: int, table: int) -> str:
    return f"c{connection:03}x{table:03}"


def make_tables(address: str) -> None:
    with open_database(address).begin() as connection:
        table_fields = {"game": "petition", "version": 1, "players": 2, "options": "{}", "private": 0, "created": 0}
        tables = [
            {"id": channel_name(n, m), "host": "", "secret": "", **table_fields} for n in range(32) for m in range(32)
        ]
        connection.execute(insert(TABLES), tables)


def commit_moves(address: str, number: int, together: int, end: float, results: object) -> None:
    """Commit moves of `together` tables at a time until `end`, in a process of its own."""
    engine, count = create_engine(address), 0
    while time.time() < end:
        entries = [Entry(3 * count + n, 0, 17, 1_800_000_000_000, 3 * count, 0) for n in range(ENTRIES_PER_MOVE)]
        key = Submission("0" * 24, str(count), "[0,17,[3]]", 3 * count)
        with engine.begin() as connection:
            append_entries(connection, [JournalAppend(channel_name(number, n), entries, key) for n in range(together)])
        count += 1
    results.put(count)


def measure_commits(database: Database, connections: int, together: int, seconds: float) -> dict[str, float]:
    database.connection.execute("TRUNCATE journal, submission")
    results = multiprocessing.Queue()
    end = time.time() + seconds + 1
    workers = [
        multiprocessing.Process(target=commit_moves, args=(database.url, n, together, end, results))
        for n in range(connections)
    ]
    for process in workers:
        process.start()
    time.sleep(1)
    before = database.work_by_process()
    start_time = time.monotonic()
    time.sleep(max(0.0, end - time.time() - 0.2))
    seconds_by_kind, duration_s = database.work_since(before), time.monotonic() - start_time
    count = sum(results.get() for _ in workers)
    for process in workers:
        process.join()
    rate = count / (seconds + 1)
    return {
        "connections": connections,
        "moves_in_a_commit": together,
        "commits_per_s": round(rate),
        "moves_per_s": round(rate * together),
        "postgresql_ms_per_move": round(1000 * sum(seconds_by_kind.values()) / duration_s / (rate * together), 3),
    }


def listen(address: str, listeners: int, ready: object, stop: object) -> None:
    """Receive notifications and ignore them, in a process of its own."""

    def receive() -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            ready.release()
            while not stop.is_set():
                for _ in connection.notifies(timeout=1):
                    pass

    threads = [threading.Thread(target=receive) for _ in range(listeners)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure_notifications(database: Database, listeners: int, rate: float, seconds: float) -> dict[str, float]:
    """Measure notifications that are sent one at a time, as at low load; at high load the server combines several."""
    ready, stop = multiprocessing.Semaphore(0), multiprocessing.Event()
    listener = multiprocessing.Process(target=listen, args=(database.address, listeners, ready, stop))
    listener.start()
    for _ in range(listeners):
        ready.acquire()
    before, count, start_time = database.work_by_process(), 0, time.monotonic()
    query = "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload"
    with psycopg.connect(database.address, autocommit=True, options="-c synchronous_commit=off") as connection:
        while time.monotonic() < start_time + seconds:
            connection.execute(query, (CHANNEL, [f"{NOTIFICATION}{count}"]))
            count += 1
            time.sleep(max(0.0, start_time + count / rate - time.monotonic()))
        seconds_by_kind = database.work_since(before)
    stop.set()
    listener.join()
    return {
        "listeners": listeners,
        "words_per_s": round(count / seconds),
        "telling_ms": round(1000 * seconds_by_kind.get("telling", 0.0) / count, 4),
        "listening_ms": round(1000 * seconds_by_kind.get("listening", 0.0) / count, 4),
    }


# --- the model --------------------------------------------------------------------------------------------------------


def model_capacity(measurements: dict, machines: int, cores: int, database_cores: int) -> dict[str, object]:
    """Estimate the moves per second that some machines can handle.

    Each core has a process that is used to 70 %. Each process plays its share of the tables, follows another share with
    spectators, and receives notifications of all others. PostgreSQL commits as many moves together as arrive at a
    process during one commit.
    """
    processes = machines * cores
    cost, max_load = measurements["moves"], 700.0  # ms of processor time per second
    playing_ms, watching_ms, following_ms = (
        cost[f"{name}_ms"] for name in ("played", "followed_with_watchers", "followed_with_nobody")
    )
    # the spectators of a table are connected to one other process than its players
    of_processes = max_load * processes / (playing_ms + watching_ms + (processes - 2) * following_ms)
    fewest, most_listeners = measurements["words"][0], measurements["words"][-1]
    listening_ms = (most_listeners["listening_ms"] - fewest["listening_ms"]) / (
        most_listeners["listeners"] - fewest["listeners"]
    )
    single_commit = next(
        row for row in measurements["commits"] if (row["connections"], row["moves_in_a_commit"]) == (1, 1)
    )
    waiting = max(1.0, of_processes / processes / single_commit["commits_per_s"])
    together = max(row["moves_in_a_commit"] for row in measurements["commits"] if row["moves_in_a_commit"] <= waiting)
    comparable = [row for row in measurements["commits"] if row["moves_in_a_commit"] == together]
    writing_ms = min(comparable, key=lambda row: abs(row["connections"] - processes))["postgresql_ms_per_move"]
    of_database = max_load * database_cores / (writing_ms + fewest["telling_ms"] + processes * listening_ms)
    return {
        "machines": machines,
        "processes": processes,
        "moves_in_a_commit": together,
        "processes_carry": round(of_processes),
        "postgresql_carries": round(of_database),
        "ends_first": "processes" if of_processes < of_database else "postgresql",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="petition", help="id of the game")
    parser.add_argument("--tables", type=int, default=60, help="number of tables")
    parser.add_argument("--moves", type=float, default=60, help="moves per second of all tables together")
    parser.add_argument("--spectators", type=int, default=2, help="spectators at each table")
    parser.add_argument(
        "--seconds", type=float, default=15, help="length of the first measurement; others take a third"
    )
    parser.add_argument("--cores", type=int, default=4, help="cores of each machine in the model")
    parser.add_argument("--database-cores", type=int, default=8, help="cores of PostgreSQL's machine in the model")
    parser.add_argument("--json", action="store_true", help="print JSON on one line")
    arguments = parser.parse_args()
    result: dict = {}
    with postgresql() as server:
        result["moves"] = measure_moves(arguments, server.address)
        database_url = server.create_database()
        make_tables(database_url)
        database = Database(database_url)
        measure_for = partial(measure_commits, database, seconds=arguments.seconds / 3)
        result["commits"] = [measure_for(n, 1) for n in (1, 4, 16, 32)] + [measure_for(4, 8), measure_for(4, 32)]
        result["words"] = [measure_notifications(database, n, 200, arguments.seconds / 3) for n in (1, 4, 8, 16)]
    result["model"] = [model_capacity(result, n, arguments.cores, arguments.database_cores) for n in (1, 4, 16)]
    print(json.dumps(result, indent=None if arguments.json else 2))


if __name__ == "__main__":
    main()

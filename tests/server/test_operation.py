"""Operating a server: several processes, health checks, metrics, and shutdown."""

import asyncio
import json
import multiprocessing
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from types import SimpleNamespace

import pytest
from databases import POSTGRESQL, postgresql, shared_server
from external_programs import find_program
from guests import PATIENCE, Connection, Guest, Server, wait_until
from sqlalchemy import create_engine, make_url
from websockets.exceptions import ConnectionClosed

from courtly.bots.runtime.bot_service import BotService
from courtly.server import app as app_module
from courtly.server.assets.compiled_games import CompiledGames
from courtly.server.cluster import pg_notify
from courtly.server.persistence.engine import DatabaseUnusableError, open_database
from courtly.server.persistence.postgres_deadlines import DeadlineConnection
from courtly.server.process import supervisor
from courtly.server.settings import Settings

TOKEN_HEADER = {"authorization": "Bearer of-prometheus"}


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory):
    """A server of two processes that share a listening socket."""
    folder = tmp_path_factory.mktemp("several")
    settings = {"COURTLY_WORKERS": "2", "COURTLY_METRICS": "of-prometheus", "COURTLY_LOG_LEVEL": "info"}
    with Server(folder, COURTLY_DATABASE=shared_server().create_database(), **settings) as server:
        yield server
        assert server.stop() == 0
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def worker_processes(server):
    """Return the worker processes of a server."""
    process = subprocess.run(
        ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(server.process.pid)], capture_output=True, text=True
    )
    return {int(line.split()[0]) for line in process.stdout.splitlines() if "spawn_main" in line}


def get_with_retry(guest, path, **options):
    """Return the answer of a running process, retrying if one is killed."""
    while True:
        try:
            return guest.get(path, **options)
        except (OSError, HTTPException):
            time.sleep(0.05)


def test_several_processes_need_postgresql(tmp_path):
    for worker_count, message in (
        ("2", "2 processes need PostgreSQL"),
        ("0", "expected 1 or more worker processes, found 0"),
    ):
        command = [sys.executable, "-m", "courtly", "serve", "--workers", worker_count, "--data", str(tmp_path / "new")]
        process = subprocess.run(command, capture_output=True, text=True)
        assert process.returncode == 1 and process.stdout == "" and process.stderr.startswith(f"Error: {message}")
        assert len(process.stderr.splitlines()) == 1
        assert not (tmp_path / "new").exists()


def test_the_direct_address_must_be_postgresql(tmp_path):
    for database, direct in (
        ("", "postgresql+psycopg://here/courtly"),
        ("postgresql+psycopg://here/courtly", "sqlite://"),
    ):
        with pytest.raises(ValueError, match="COURTLY_DATABASE_DIRECT needs COURTLY_DATABASE"):
            Settings(tmp_path, database=database, database_direct=direct).check()


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("DATABASE", "nonsense", "not an address"),
        ("DATABASE", "postgresql://ada:secret@here:port/courtly", "not an address"),
        ("DATABASE", "mysql://ada:secret@here/courtly", "found mysql:"),
        ("DATABASE", "postgresql+asyncpg://ada:secret@here/courtly", "found postgresql.asyncpg:"),
        ("DATABASE_DIRECT", "here", "not an address"),
        ("HOSTS", "games.example, games.example:8000", "'games.example:8000'"),
        ("HOSTS", "https://games.example", "expected a host name"),
        ("HOSTS", "*.games.example", "expected a host name"),
        ("HOSTS", "王.example", "xn--"),
    ],
)
def test_invalid_settings_are_reported_at_startup(tmp_path, monkeypatch, name, text, message):
    monkeypatch.setenv(f"COURTLY_{name}", text)
    with pytest.raises(ValueError, match=f"^COURTLY_{name}: .*{message}") as error:
        Settings.from_environment(tmp_path)
    assert "secret" not in str(error.value)


def test_an_address_of_postgresql_needs_no_driver(tmp_path, monkeypatch):
    for text in ("postgres://ada:s%40t@here/courtly", "postgresql://ada:s%40t@here/courtly"):
        monkeypatch.setenv("COURTLY_DATABASE", text)
        assert Settings.from_environment(tmp_path).database_url == "postgresql+psycopg://ada:s%40t@here/courtly"


def test_without_a_driver_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("COURTLY_DATABASE", "postgresql://here/courtly")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ValueError, match="COURTLY_DATABASE: .*pip install 'courtly.postgres.'"):
        Settings.from_environment(tmp_path)


@POSTGRESQL
def test_a_process_that_dies_is_started_again(two_workers):
    ada = two_workers.guest("Ada")
    table = ada.open("me", "local")
    workers_before = wait_until(lambda: len(workers := worker_processes(two_workers)) == 2 and workers)
    os.kill(min(workers_before), signal.SIGKILL)
    wait_until(lambda: len(worker_processes(two_workers) - workers_before) == 1)
    for _ in range(20):  # either process may answer
        assert get_with_retry(ada, f"/api/tables/{table}").json["id"] == table


@POSTGRESQL
def test_several_processes_are_measured_as_one(two_workers):
    ada = Guest(two_workers)
    table = ada.open("me", "local")
    play_count = 0
    while view := next((v for seat in (0, 1) if (v := ada.view(table, seat))["legal"]), None):
        # the other process may lag behind
        play_count += ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
    measurements = [parse_metrics(ada.get("/metrics", headers=TOKEN_HEADER)) for _ in range(6)]
    assert {figures["courtly_moves_total"] for figures in measurements} == {
        measurements[0]["courtly_moves_total"]
    } and play_count
    assert 0 < measurements[0]["courtly_moves_total"] <= play_count  # some of them are secret choices


@POSTGRESQL
def test_promtool_accepts_the_metrics(two_workers, measured_server):
    check = [find_program("promtool", package="prometheus"), "check", "metrics"]
    for server in (two_workers, measured_server):
        metrics = Guest(server).get("/metrics", headers=TOKEN_HEADER).body
        process = subprocess.run(check, input=metrics, capture_output=True)
        assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")


def parse_metrics(response):
    assert response.status == 200
    lines = [line for line in response.body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@pytest.fixture(scope="module")
def measured_server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("measured"), COURTLY_METRICS="of-prometheus") as server:
        yield server


def test_metrics_need_the_token(measured_server, server):
    ada = measured_server.guest()
    assert Guest(server).get("/metrics").status == 404
    for headers in ({}, {"authorization": "Bearer of-prometheus2"}, {"authorization": "Bearer "}):
        response = ada.get("/metrics", headers=headers)
        assert response.status == 401 and response.body == b"" and response.headers["www-authenticate"] == "Bearer"


def test_metrics_do_not_identify_guests(measured_server):
    """Each metric is a sum over all tables and all guests."""
    ada = measured_server.guest("Ada")
    metrics_before = parse_metrics(ada.get("/metrics", headers=TOKEN_HEADER))
    table = ada.open("me", "random")
    with ada.connect(table):
        while not (view := ada.view(table, 0))["over"]:
            if view["legal"]:
                ada.play(table, 0, view["seq"], view["legal"][0]["id"])  # unless the bot was faster
        wait_until(lambda: parse_metrics(ada.get("/metrics", headers=TOKEN_HEADER))["courtly_sockets"] == 1)
    response = ada.get("/metrics", headers=TOKEN_HEADER)
    metrics_after = parse_metrics(response)
    increased = {name for name, value in metrics_after.items() if value > metrics_before.get(name, 0)}
    assert {"courtly_moves_total", "courtly_commit_seconds_count", "courtly_bot_seconds_count"} <= increased
    assert {'courtly_requests_total{status="2xx"}', "courtly_request_seconds_count"} <= increased
    labels = set(re.findall(r'(\w+)="', response.body.decode()))
    assert labels <= {"le", "status", "generation", "implementation", "major", "minor", "patchlevel", "version"}
    for secret in (table, ada.cookie.partition("=")[2], "Ada", "sealed_bids"):
        assert secret not in response.body.decode()


def test_secret_moves_are_not_counted(measured_server):
    """Secret choices used to be counted, so that the metrics revealed them."""
    ada = measured_server.guest()
    table = ada.open("me", "local")

    def count_moves():
        return parse_metrics(ada.get("/metrics", headers=TOKEN_HEADER))["courtly_moves_total"]

    secret_moves = 0
    while not ada.view(table)["over"]:
        for view in (ada.view(table, 0), ada.view(table, 1)):
            if view["legal"]:
                count_before, seq_before = count_moves(), ada.view(table)["seq"]
                assert ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
                is_visible = ada.view(table)["seq"] > seq_before
                assert count_moves() - count_before == is_visible
                secret_moves += not is_visible
                break
    assert secret_moves


def test_health_checks_answer_whether_the_server_is_alive_and_ready(tmp_path):
    with (
        Server(tmp_path) as server,
        closing(sqlite3.connect(tmp_path / "courtly.db", isolation_level=None)) as database,
    ):
        ada = Guest(server, cookie=False)
        assert ada.get("/healthz").json == {"alive": True}
        response = ada.get("/readyz")
        assert (
            response.status == 200 and set(response.json.values()) == {True} and response.headers["set-cookie"] is None
        )
        database.execute("BEGIN IMMEDIATE")  # blocks all writes
        response = wait_until(lambda: (reply := ada.get("/readyz")).status == 503 and reply)
        assert not response.json["database"] and ada.get("/healthz").status == 200
        database.execute("ROLLBACK")
        wait_until(lambda: ada.get("/readyz").status == 200)
        [(current_revision,)] = database.execute("SELECT version_num FROM alembic_version")
        for revision, status in (("0001", 503), ("9999", 200), (current_revision, 200)):
            database.execute("UPDATE alembic_version SET version_num = ?", [revision])
            response = wait_until(lambda status=status: (reply := ada.get("/readyz")).status == status and reply)
            assert response.json["database"] and response.json["migrations"] == (status == 200)


def test_a_request_has_an_id_which_its_log_entries_have_too(tmp_path):
    """Requests are logged without the secrets in their paths."""
    settings = {"COURTLY_LOG_JSON": "1", "COURTLY_LOG_LEVEL": "debug", "COURTLY_LOG_REQUESTS": "1"}
    with Server(tmp_path, **settings) as server:
        ada = server.guest("Ada")
        response = ada.post(
            "/api/tables",
            {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "local"}]},
            headers={"x-request-id": "abc-1"},
        )
        assert response.headers["x-request-id"] == "abc-1"
        table = response.json["id"]
        for request_id in (None, "two words", "x" * 65):
            response = ada.get("/api/games", headers={"x-request-id": request_id} if request_id else {})
            assert re.fullmatch("[0-9a-f]{16}", response.headers["x-request-id"])
        ticket = ada.command(table, "seat-link", {"seat": 1}).json["path"].rpartition("/")[2]
        identity_ticket = ada.post("/api/me/identity-link").json["path"].rpartition("/")[2]
        secrets = [ticket, identity_ticket, "WRONG-TICKET", "WRONG-PATH", "WRONG-QUERY", ada.cookie.partition("=")[2]]
        for path in (
            f"/j/{ticket}",
            "/j/WRONG-TICKET",
            f"/api/seat-link/{ticket}",
            f"/g/{identity_ticket}",
            "/mail/WRONG-TICKET",
            "/api/mail/WRONG-TICKET",
            "/WRONG-PATH/x?token=WRONG-QUERY",
            f"/api/tables/{table}?token=WRONG-QUERY",
        ):
            ada.get(path)
        with ada.connect(table) as connection:
            connection.view()
        assert server.stop() == 0
    entries = [json.loads(line) for line in server.log]
    entries_of_request = [entry for entry in entries if entry.get("request") == "abc-1"]
    assert [entry["message"].partition(" after ")[0] for entry in entries_of_request] == [
        f"table {table} opened: game=sealed_bids players=2",
        "POST /api/tables: 200",
    ]
    logged_paths = {entry["message"].partition(":")[0] for entry in entries if entry["logger"] == "courtly.requests"}
    assert {"GET /j/{ticket}", "GET /g/{ticket}", "GET (unknown)", f"SOCKET /ws/tables/{table}"} <= logged_paths
    assert "GET /api/seat-link/{ticket}" in logged_paths
    assert f"GET /api/tables/{table}" in logged_paths and "GET /mail/{token}" in logged_paths
    for secret in secrets:
        assert secret not in "".join(server.log)


SLOW_COMMITS = """
import sys, time
from courtly.server.persistence.group_commit import GroupCommitWriter
original_commit = GroupCommitWriter._commit
def commit(writer, group):
    print("committing", len(group), file=sys.stderr, flush=True)
    time.sleep(0.3)
    original_commit(writer, group)
GroupCommitWriter._commit = commit
"""


def test_the_last_move_is_acknowledged_before_shutdown(tmp_path):
    with Server(tmp_path, first=SLOW_COMMITS) as server:
        ada = server.guest()
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()
            connection.drop_pending()
            log_length = len(server.log)
            key = connection.play(view)
            wait_until(lambda: len(server.log) > log_length)
            server.process.terminate()
            assert connection.wait("done")["key"] == key
            assert connection.view()["cues"]
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    connection.receive()
            assert closed.value.rcvd.code == 1012
        assert server.process.wait(60) == -signal.SIGTERM
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        assert database.execute("SELECT COUNT(*) FROM journal WHERE seat >= 0").fetchall() == [(1,)]


SLOW_TO_ACCEPT = """
import asyncio, sys
from starlette.websockets import WebSocket
original_accept = WebSocket.accept
async def accept(socket, *arguments, **options):
    print("accepting", file=sys.stderr, flush=True)
    await asyncio.sleep(0.5)
    await original_accept(socket, *arguments, **options)
WebSocket.accept = accept
"""
ACCEPTED_AFTER_SHUTDOWN_NOTICES = """
import sys
from courtly.server.process.graceful_close import GracefulWebSocketProtocol
GracefulWebSocketProtocol.shutdown = lambda socket: None
print("accepting", file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize(
    "first", [SLOW_TO_ACCEPT, ACCEPTED_AFTER_SHUTDOWN_NOTICES], ids=["slow", "after the shutdown notices"]
)
def test_a_client_that_connects_during_shutdown_is_asked_to_reconnect(tmp_path, first):
    """There is no traceback from a task that has nothing to wait for."""
    with Server(tmp_path, first=first) as server, ThreadPoolExecutor() as threads:
        ada = server.guest()

        def connect_and_wait():
            with Connection(ada, "/ws/lobby") as connection:
                messages.append(connection.receive())
                while True:
                    connection.receive()

        messages = []
        connection_result = threads.submit(connect_and_wait)
        wait_until(lambda: "accepting" in "".join(server.log) and (messages or first == SLOW_TO_ACCEPT))
        server.process.terminate()
        assert connection_result.exception(60).rcvd.code == 1012
        assert server.process.wait(60) == -signal.SIGTERM
        assert "Traceback" not in "".join(server.log)


ENDLESS_WORK = """
import asyncio, sys
from courtly.server.http.routes import account as me
from courtly.server.services.replay_cache import ReplayCache
async def never(*_):
    print("working", file=sys.stderr, flush=True)
    await asyncio.sleep(3600)
ReplayCache.replay_record = never
original_response = me.StreamingResponse
async def stream_without_end(lines):
    for line in lines:
        yield line
        await never()
me.StreamingResponse = lambda lines, **options: original_response(stream_without_end(lines), **options)
"""
WHOLE_REQUEST = "a whole request"
INCOMPLETE_REQUESTS = {
    "half a command": b'POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"game": "',
    "half a record": b"POST /api/replay HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{",
    "one of several pieces": b"PUT /api/me HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
    WHOLE_REQUEST: b"POST /api/replay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
}


def test_requests_interrupted_by_a_shutdown_are_answered(tmp_path):
    """They used to get a plain text answer with status 500 and a traceback in the log."""
    with Server(tmp_path, first=ENDLESS_WORK) as server:
        ada = server.guest()

        def send_raw(content):
            opened_connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            opened_connection.connect()
            opened_connection.sock.sendall(content)
            return opened_connection

        connections = {name: send_raw(content) for name, content in INCOMPLETE_REQUESTS.items()}
        export = send_raw(f"GET /api/me/export HTTP/1.1\r\nHost: a\r\nCookie: {ada.cookie}\r\n\r\n".encode())
        handshake = send_raw(b"GET /ws/lobby HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        wait_until(lambda: "".join(server.log).count("working") == 2)
        server.process.terminate()
        for name, connection in connections.items():
            response = HTTPResponse(connection.sock)
            response.begin()
            assert (response.status, response.headers["content-type"]) == (503, "application/json"), name
            assert response.headers["x-request-id"] and response.headers["connection"] == "close"
            assert json.load(response) == {"error": {"id": "error-restart", "args": {}}}
        response = HTTPResponse(export.sock)
        response.begin()
        with pytest.raises(IncompleteRead):  # the client must not take it for a complete answer
            response.read()
        assert handshake.sock.recv(100) == b""
        assert server.process.wait(60) == -signal.SIGTERM
        for connection in (*connections.values(), export, handshake):
            connection.close()
    log = "".join(server.log)
    assert "Traceback" not in log and "Exception" not in log and log.count("ERROR") == 1, log


LOG_ARRIVALS = """
import sys
from courtly.server.http.middleware import request_guard as guard
original_read_body = guard._read_body
def body(*arguments):
    print("request received", file=sys.stderr, flush=True)
    return original_read_body(*arguments)
guard._read_body = body
"""


def test_a_shutdown_does_not_wait_for_incomplete_requests(tmp_path):
    with Server(tmp_path, first=LOG_ARRIVALS) as server:
        requests = {name: content for name, content in INCOMPLETE_REQUESTS.items() if name != WHOLE_REQUEST}
        connections = {name: socket.create_connection(("127.0.0.1", server.port), PATIENCE) for name in requests}
        for name, connection in connections.items():
            connection.sendall(requests[name])
        wait_until(lambda: "".join(server.log).count("request received") == len(requests))
        server.process.terminate()
        for name, connection in connections.items():
            with connection, connection.makefile("rb") as response:
                content = response.read()
                assert content.startswith(b"HTTP/1.1 503") and b"error-restart" in content, name
        assert server.process.wait(60) == -signal.SIGTERM
    assert (
        "".join(server.log) == len(requests) * "request received\n"
    )  # as if nothing had been interrupted after three seconds


@POSTGRESQL
def test_connecting_to_postgresql_times_out():
    address = shared_server().create_database()
    for query, limit in (("", "10s"), ("&options=-c%20statement_timeout%3D3s", "3s")):
        engine = open_database(address + query)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("SHOW statement_timeout").scalar() == limit
            parameters = connection.connection.dbapi_connection.info.get_parameters()
            assert (parameters["connect_timeout"], parameters["tcp_user_timeout"]) == ("4", "10000")
            assert isinstance(connection.connection.dbapi_connection, DeadlineConnection) == (not query)
        engine.dispose()


@POSTGRESQL
def test_both_sides_detect_a_lost_network():
    """The network is cut while data is in transit, or while the connection is idle."""
    parameter_names = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
    with postgresql() as server:
        address = f"postgresql://postgres@127.0.0.1:{server.listen('127.0.0.1')}/postgres"
        engine = open_database(address.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            server_values = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in parameter_names]
            client_parameters = connection.connection.dbapi_connection.info.get_parameters()
        engine.dispose()
        assert server_values == ["10", "3", "3", "10000"] and client_parameters["tcp_user_timeout"] == "10000"

        async def connect_notifications():
            async with await pg_notify.connect(address) as connection:
                rows = [await (await connection.execute(f"SHOW {name}")).fetchone() for name in parameter_names]
                return [value for (value,) in rows], connection.info.get_parameters()

        server_values, client_parameters = asyncio.run(connect_notifications())
        assert server_values == ["5", "2", "3", "7000"] and client_parameters["tcp_user_timeout"] == "7000"


REFUSED_STARTUP = """
from sqlalchemy.exc import OperationalError
from courtly.server import app
app.MAX_STARTUP_TRIES, app.STORAGE_RETRY_DELAY_S = 2, 0.01
async def refuse(*arguments):
    raise OperationalError("SELECT secret", {}, Exception("the connection is lost"))
app.Application.open = refuse
from courtly.cli import main
main()
"""


def test_a_database_lost_at_startup_gives_a_one_line_error(tmp_path):
    """The process ends, to be restarted."""
    command = [sys.executable, "-c", REFUSED_STARTUP, "serve", "--data", str(tmp_path), "--port", "0", "--no-browser"]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode
    assert "Traceback" not in process.stderr and "secret" not in process.stderr, process.stderr
    assert "the connection is lost" in process.stderr and len(process.stderr.splitlines()) <= 3


def test_a_worker_that_fails_to_start_does_not_stop_the_others(monkeypatch):
    """Uvicorn stops all workers when one exits with status 3."""

    async def app(scope, receive, send):
        await send({"type": "lifespan.startup.failed"})

    async def send_unexpected(message):
        raise AssertionError(message)

    def exit_process(code):
        raise SystemExit(code)

    monkeypatch.setattr(supervisor, "STARTUP_RETRY_DELAY_S", 0)
    monkeypatch.setattr(os, "_exit", exit_process)
    with pytest.raises(SystemExit, match="1"):
        asyncio.run(supervisor.retry_startup(app)({"type": "lifespan"}, None, send_unexpected))


BLOCKED_EVENT_LOOP = """
import asyncio, threading, time
from courtly.server.process import supervisor as workers
workers.HANG_POLL_S = 0.01
async def main():
    threading.Thread(target=workers.run_hang_watchdog, args=(asyncio.get_running_loop(), 4), daemon=True).start()
    await asyncio.sleep(0.5)
    print("lives", flush=True)
    while True:
        time.sleep(0.01)
asyncio.run(main())
"""


def test_a_worker_with_a_blocked_event_loop_exits():
    """The supervisor does not notice it, because a thread answers its health check."""
    process = subprocess.run([sys.executable, "-c", BLOCKED_EVENT_LOOP], capture_output=True, text=True, timeout=600)
    assert (process.returncode, process.stdout) == (1, "lives\n")
    assert process.stderr == "event loop blocked for 4 s: exiting so that the supervisor restarts this worker\n"


@pytest.mark.long
@POSTGRESQL
def test_a_hanging_worker_is_replaced(tmp_path):
    """A server of two processes, one of which hangs."""
    (tmp_path / "sitecustomize.py").write_text("import signal, time; signal.signal(12, lambda *_: time.sleep(1000))")
    settings = {
        "PYTHONPATH": str(tmp_path),
        "COURTLY_WORKERS": "2",
        "COURTLY_DATABASE": shared_server().create_database(),
    }
    with Server(tmp_path, **settings) as server:
        workers_before = wait_until(lambda: len(workers := worker_processes(server)) == 2 and workers)
        victim = min(workers_before)
        time.sleep(2)  # until it serves
        os.kill(victim, signal.SIGUSR2)
        workers_after = wait_until(
            lambda: len(workers := worker_processes(server)) == 2 and victim not in workers and workers
        )
        assert len(workers_before & workers_after) == 1 and server.stop() == 0
        assert [line for line in server.log if "event loop blocked for 20 s" in line]


@POSTGRESQL
def test_a_suspended_worker_is_killed(monkeypatch):
    """A suspended process cannot react to the request to stop."""
    monkeypatch.setattr(supervisor, "STOP_TIMEOUT_S", 0.2)
    worker = supervisor.ServerProcess.__new__(supervisor.ServerProcess)
    worker.process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    worker.process.start()
    os.kill(worker.process.pid, signal.SIGSTOP)
    worker.join()
    assert worker.exitcode == -signal.SIGKILL


def test_processes_are_replaced_one_after_another(two_workers):
    """At SIGHUP, with the version installed by then; one process always answers."""
    ada = two_workers.guest("Ada")
    table = ada.open("me", "local")
    workers_before = wait_until(lambda: len(workers := worker_processes(two_workers)) == 2 and workers)
    with ada.connect(table) as connection:
        connection.view()
        two_workers.process.send_signal(signal.SIGHUP)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                connection.receive()
        assert closed.value.rcvd.code == 1012
    wait_until(
        lambda: (
            get_with_retry(ada, f"/api/tables/{table}").status == 200
            and not worker_processes(two_workers) & workers_before
        )
    )
    assert get_with_retry(ada, f"/api/tables/{table}").json["id"] == table


@POSTGRESQL
def test_a_worker_without_notifications_is_not_ready(tmp_path):
    address = shared_server().create_database()
    with Server(tmp_path, COURTLY_DATABASE=address) as server:
        ada = Guest(server, cookie=False)
        wait_until(lambda: ada.get("/readyz").status == 200)
        control_engine = create_engine(make_url(address).set(database="template1"), isolation_level="AUTOCOMMIT")
        with control_engine.connect() as control:
            name = make_url(address).database
            control.exec_driver_sql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            control.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND query ILIKE 'LISTEN%%'",
                (name,),
            )
            response = wait_until(lambda: (reply := ada.get("/readyz")).status == 503 and reply)
            assert response.json == {"database": True, "migrations": True, "others": False}
            control.exec_driver_sql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
            wait_until(lambda: ada.get("/readyz").status == 200)
        control_engine.dispose()


@pytest.mark.long
@POSTGRESQL
def test_workers_survive_their_database_but_not_their_supervisor(tmp_path):
    database = shared_server()
    with Server(tmp_path, COURTLY_DATABASE=database.create_database(), COURTLY_WORKERS="2") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        workers_before = wait_until(lambda: len(workers := worker_processes(server)) == 2 and workers)
        database.run_pg_ctl("-m", "immediate", "stop")
        os.kill(min(workers_before), signal.SIGKILL)
        wait_until(lambda: any("cannot be used" in line for line in server.log))
        assert get_with_retry(ada, "/healthz").status == 200
        database.start()
        wait_until(lambda: get_with_retry(ada, "/readyz").status == 200 and len(worker_processes(server)) == 2)
        assert get_with_retry(ada, f"/api/tables/{table}").json["id"] == table
        last_workers = worker_processes(server)
        server.kill()
        wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in last_workers))
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def test_a_worker_whose_database_cannot_be_used_ends(monkeypatch, tmp_path, caplog):
    """The supervisor starts it again."""

    def refuse(*_, **__):
        raise DatabaseUnusableError("the database cannot be used")

    monkeypatch.setattr(supervisor, "open_database", refuse)
    monkeypatch.setattr(supervisor, "configure_logging", lambda *_: None)
    monkeypatch.setattr(supervisor, "STARTUP_RETRY_DELAY_S", 0)

    async def run():
        with pytest.raises(SystemExit) as end:
            supervisor._run_worker(Settings(tmp_path))
        assert end.value.code == 1

    asyncio.run(run())
    assert "the database cannot be used" in caplog.text


def test_a_worker_ends_with_its_supervisor(monkeypatch):
    waits, signals = [], []
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(join=lambda: waits.append(signals)))
    monkeypatch.setattr(os, "kill", lambda *arguments: signals.append(arguments))
    supervisor._run_orphan_watchdog()
    assert waits and signals == [(os.getpid(), signal.SIGTERM)]


# --- the application ------------------------------------------------------------------------------------------------


@pytest.fixture
def application(tmp_path, monkeypatch):
    """The application of a server, without the files of the page and the settings of the garbage collector."""
    for name in ("set_threshold", "freeze"):
        monkeypatch.setattr(app_module.gc, name, lambda *_: None)
    settings = Settings(tmp_path, database=f"sqlite:///{tmp_path / 'courtly.db'}")
    monkeypatch.setattr(CompiledGames, "compile_ahead", lambda games: None)
    statics = SimpleNamespace(dev=False, hash="a" * 16, compiled=CompiledGames())
    return app_module.make_app(settings, open_database(settings.database_url), statics)


def test_all_games_are_compiled_after_the_start(application, monkeypatch):
    games = []
    monkeypatch.setattr(BotService, "compile_ahead", lambda service, names: games.extend(names))
    monkeypatch.setattr(CompiledGames, "compile_ahead", lambda compiled: games.append("for browsers"))

    async def run():
        async with application.router.lifespan_context(application):
            assert {"petition", "puppet", "for browsers"} <= {*games}

    asyncio.run(run())


def test_an_unexpected_error_at_startup_is_logged(application, monkeypatch, caplog):
    async def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(app_module.Application, "open", fail)

    async def run():
        with pytest.raises(ZeroDivisionError):
            async with application.router.lifespan_context(application):
                raise AssertionError("the server has started")

    asyncio.run(run())
    assert "startup or shutdown failed\n" in caplog.text


def test_an_unexpected_error_in_a_request_is_answered(application, monkeypatch):
    monkeypatch.setattr(BotService, "compile_ahead", lambda *_: None)
    sent = []

    async def fail(*_):
        raise ZeroDivisionError("a secret")

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": "GET", "path": "/api/tables/t", "raw_path": b"/api/tables/t", "root_path": ""}
    scope |= {"query_string": b"", "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "scheme": "http"}
    scope |= {"http_version": "1.1", "server": ("127.0.0.1", 80), "state": {}}

    async def run():
        async with application.router.lifespan_context(application):
            application.state.application.tables.get = fail
            with pytest.raises(ZeroDivisionError):  # uvicorn logs it
                await application(scope, receive, send)

    asyncio.run(run())
    assert sent[0]["status"] == 500
    assert json.loads(b"".join(message.get("body", b"") for message in sent))["error"]["id"] == "error-server"

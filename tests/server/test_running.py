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

import pytest
from databases import POSTGRESQL, postgresql, shared_server
from external_programs import find_program
from guests import PATIENCE, Connection, Guest, Server, until
from sqlalchemy import create_engine, make_url
from websockets.exceptions import ConnectionClosed

from courtly.server.cluster import pg_notify
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.postgres_deadlines import DeadlineConnection
from courtly.server.process import supervisor
from courtly.server.settings import Settings

TOKEN = {"authorization": "Bearer of-prometheus"}


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A server of two processes that share a listening socket."""
    folder = tmp_path_factory.mktemp("several")
    more = {"COURTLY_WORKERS": "2", "COURTLY_METRICS": "of-prometheus", "COURTLY_LOG_LEVEL": "info"}
    with Server(folder, COURTLY_DATABASE=shared_server().create_database(), **more) as server:
        yield server
        assert server.stop() == 0
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def processes(server):
    """Return the worker processes of a server."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(server.process.pid)], capture_output=True, text=True
    )
    return {int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line}


def asked(guest, path, **more):
    """Return the answer of a running process, retrying if one is killed."""
    while True:
        try:
            return guest.get(path, **more)
        except (OSError, HTTPException):
            time.sleep(0.05)


def test_several_processes_need_postgresql(tmp_path):
    for asked_for, said in (
        ("2", "2 processes need PostgreSQL"),
        ("0", "expected 1 or more worker processes, found 0"),
    ):
        command = [sys.executable, "-m", "courtly", "serve", "--workers", asked_for, "--data", str(tmp_path / "new")]
        ended = subprocess.run(command, capture_output=True, text=True)
        assert ended.returncode == 1 and ended.stdout == "" and ended.stderr.startswith(f"Error: {said}")
        assert len(ended.stderr.splitlines()) == 1
        assert not (tmp_path / "new").exists()


def test_the_direct_address_must_be_postgresql(tmp_path):
    for database, direct in (("", "postgresql+psycopg://here/house"), ("postgresql+psycopg://here/house", "sqlite://")):
        with pytest.raises(ValueError, match="COURTLY_DATABASE_DIRECT needs COURTLY_DATABASE"):
            Settings(tmp_path, database=database, database_direct=direct).check()


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("DATABASE", "nonsense", "not an address"),
        ("DATABASE", "postgresql://ada:secret@here:port/house", "not an address"),
        ("DATABASE", "mysql://ada:secret@here/house", "found mysql:"),
        ("DATABASE", "postgresql+asyncpg://ada:secret@here/house", "found postgresql.asyncpg:"),
        ("DATABASE_DIRECT", "here", "not an address"),
        ("HOSTS", "games.example, games.example:8000", "'games.example:8000'"),
        ("HOSTS", "https://games.example", "expected a host name"),
        ("HOSTS", "*.games.example", "expected a host name"),
        ("HOSTS", "王.example", "xn--"),
    ],
)
def test_invalid_settings_are_reported_at_startup(tmp_path, monkeypatch, name, text, said):
    monkeypatch.setenv(f"COURTLY_{name}", text)
    with pytest.raises(ValueError, match=f"^COURTLY_{name}: .*{said}") as told:
        Settings.from_environment(tmp_path)
    assert "secret" not in str(told.value)


def test_an_address_of_postgresql_needs_no_driver(tmp_path, monkeypatch):
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'courtly[postgres]'")
    for text in ("postgres://ada:s%40t@here/house", "postgresql://ada:s%40t@here/house"):
        monkeypatch.setenv("COURTLY_DATABASE", text)
        assert Settings.from_environment(tmp_path).database_url == "postgresql+psycopg://ada:s%40t@here/house"


def test_without_a_driver_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("COURTLY_DATABASE", "postgresql://here/house")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ValueError, match="COURTLY_DATABASE: .*pip install 'courtly.postgres.'"):
        Settings.from_environment(tmp_path)


@POSTGRESQL
def test_a_process_that_dies_is_started_again(several):
    ada = several.guest("Ada")
    table = ada.open("me", "local")
    before = until(lambda: len(found := processes(several)) == 2 and found)
    os.kill(min(before), signal.SIGKILL)
    until(lambda: len(processes(several) - before) == 1)
    for _ in range(20):  # either process may answer
        assert asked(ada, f"/api/tables/{table}").json["id"] == table


@POSTGRESQL
def test_several_processes_are_measured_as_one(several):
    ada = Guest(several)
    table = ada.open("me", "local")
    plays = 0
    while view := next((v for seat in (0, 1) if (v := ada.view(table, seat))["legal"]), None):
        # the other process may lag behind
        plays += ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
    found = [figures(ada.get("/metrics", headers=TOKEN)) for _ in range(6)]
    assert {n["courtly_moves_total"] for n in found} == {found[0]["courtly_moves_total"]} and plays
    assert 0 < found[0]["courtly_moves_total"] <= plays  # some of them are secret choices


@POSTGRESQL
def test_promtool_accepts_the_metrics(several, measured):
    check = [find_program("promtool", package="prometheus"), "check", "metrics"]
    for server in (several, measured):
        told = Guest(server).get("/metrics", headers=TOKEN).body
        ended = subprocess.run(check, input=told, capture_output=True)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def figures(answer):
    assert answer.status == 200
    lines = [line for line in answer.body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("measured"), COURTLY_METRICS="of-prometheus") as server:
        yield server


def test_metrics_need_the_token(measured, server):
    ada = measured.guest()
    assert Guest(server).get("/metrics").status == 404
    for headers in ({}, {"authorization": "Bearer of-prometheus2"}, {"authorization": "Bearer "}):
        answer = ada.get("/metrics", headers=headers)
        assert answer.status == 401 and answer.body == b"" and answer.headers["www-authenticate"] == "Bearer"


def test_metrics_do_not_identify_guests(measured):
    """Each metric is a sum over all tables and all guests."""
    ada = measured.guest("Ada")
    before = figures(ada.get("/metrics", headers=TOKEN))
    table = ada.open("me", "random")
    with ada.connect(table):
        while not (view := ada.view(table, 0))["over"]:
            if view["legal"]:
                ada.play(table, 0, view["seq"], view["legal"][0]["id"])  # unless the bot was faster
        until(lambda: figures(ada.get("/metrics", headers=TOKEN))["courtly_sockets"] == 1)
    answer = ada.get("/metrics", headers=TOKEN)
    after = figures(answer)
    grown = {name for name, value in after.items() if value > before.get(name, 0)}
    assert {"courtly_moves_total", "courtly_commit_seconds_count", "courtly_bot_seconds_count"} <= grown
    assert {'courtly_requests_total{status="2xx"}', "courtly_request_seconds_count"} <= grown
    labels = set(re.findall(r'(\w+)="', answer.body.decode()))
    assert labels <= {"le", "status", "generation", "implementation", "major", "minor", "patchlevel", "version"}
    for secret in (table, ada.cookie.partition("=")[2], "Ada", "sealed_bids"):
        assert secret not in answer.body.decode()


def test_secret_moves_are_not_counted(measured):
    """Secret choices used to be counted, so that the metrics revealed them."""
    ada = measured.guest()
    table = ada.open("me", "local")

    def moves():
        return figures(ada.get("/metrics", headers=TOKEN))["courtly_moves_total"]

    secret = 0
    while not ada.view(table)["over"]:
        for view in (ada.view(table, 0), ada.view(table, 1)):
            if view["legal"]:
                before, seen = moves(), ada.view(table)["seq"]
                assert ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
                noticed = ada.view(table)["seq"] > seen
                assert moves() - before == noticed
                secret += not noticed
                break
    assert secret


def test_alive_and_ready(tmp_path):
    with Server(tmp_path) as server, closing(sqlite3.connect(tmp_path / "courtly.db", isolation_level=None)) as other:
        ada = Guest(server, cookie=False)
        assert ada.get("/healthz").json == {"alive": True}
        answer = ada.get("/readyz")
        assert answer.status == 200 and set(answer.json.values()) == {True} and answer.headers["set-cookie"] is None
        other.execute("BEGIN IMMEDIATE")  # blocks all writes
        answer = until(lambda: (found := ada.get("/readyz")).status == 503 and found)
        assert not answer.json["database"] and ada.get("/healthz").status == 200
        other.execute("ROLLBACK")
        until(lambda: ada.get("/readyz").status == 200)
        [(form,)] = other.execute("SELECT version_num FROM alembic_version")
        for there, status in (("0001", 503), ("9999", 200), (form, 200)):
            other.execute("UPDATE alembic_version SET version_num = ?", [there])
            answer = until(lambda status=status: (found := ada.get("/readyz")).status == status and found)
            assert answer.json["database"] and answer.json["migrations"] == (status == 200)


def test_a_request_has_an_id_which_its_log_entries_have_too(tmp_path):
    """Requests are logged without the secrets in their paths."""
    more = {"COURTLY_LOG_JSON": "1", "COURTLY_LOG_LEVEL": "debug", "COURTLY_LOG_REQUESTS": "1"}
    with Server(tmp_path, **more) as server:
        ada = server.guest("Ada")
        answer = ada.post(
            "/api/tables",
            {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "local"}]},
            headers={"x-request-id": "abc-1"},
        )
        assert answer.headers["x-request-id"] == "abc-1"
        table = answer.json["id"]
        for given in (None, "two words", "x" * 65):
            answer = ada.get("/api/games", headers={"x-request-id": given} if given else {})
            assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
        ticket = ada.command(table, "ticket", {"seat": 1}).json["path"].rpartition("/")[2]
        carried = ada.post("/api/me/carry").json["path"].rpartition("/")[2]
        secrets = [ticket, carried, "WRONG-TICKET", "WRONG-PATH", "WRONG-QUERY", ada.cookie.partition("=")[2]]
        for path in (
            f"/j/{ticket}",
            "/j/WRONG-TICKET",
            f"/api/seat/{ticket}",
            f"/g/{carried}",
            "/mail/WRONG-TICKET",
            "/api/mail/WRONG-TICKET",
            "/WRONG-PATH/x?token=WRONG-QUERY",
            f"/api/tables/{table}?token=WRONG-QUERY",
        ):
            ada.get(path)
        with ada.connect(table) as line:
            line.view()
        assert server.stop() == 0
    entries = [json.loads(line) for line in server.log]
    opened = [entry for entry in entries if entry.get("request") == "abc-1"]
    assert [entry["message"].partition(" after ")[0] for entry in opened] == [
        f"table {table} opened: game=sealed_bids players=2",
        "POST /api/tables: 200",
    ]
    said = {entry["message"].partition(":")[0] for entry in entries if entry["logger"] == "courtly.requests"}
    assert {"GET /j/{ticket}", "GET /g/{ticket}", "GET (unknown)", f"SOCKET /ws/tables/{table}"} <= said
    assert "GET /api/seat/{ticket}" in said
    assert f"GET /api/tables/{table}" in said and "GET /mail/{token}" in said
    for secret in secrets:
        assert secret not in "".join(server.log)


SLOW = """
import sys, time
from courtly.server.persistence.group_commit import GroupCommitWriter
at_once = GroupCommitWriter._commit
def commit(writer, group):
    print("committing", len(group), file=sys.stderr, flush=True)
    time.sleep(0.3)
    at_once(writer, group)
GroupCommitWriter._commit = commit
"""


def test_the_last_move_is_acknowledged_before_shutdown(tmp_path):
    with Server(tmp_path, first=SLOW) as server:
        ada = server.guest()
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()
            connection.drop_pending()
            before = len(server.log)
            key = connection.play(view)
            until(lambda: len(server.log) > before)
            server.process.terminate()
            assert connection.wait("done")["key"] == key
            assert connection.view()["cues"]
            with pytest.raises(ConnectionClosed) as ended:
                while True:
                    connection.receive()
            assert ended.value.rcvd.code == 1012
        assert server.process.wait(60) == -signal.SIGTERM
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        assert database.execute("SELECT COUNT(*) FROM journal WHERE seat >= 0").fetchall() == [(1,)]


SLOW_TO_ACCEPT = """
import asyncio, sys
from starlette.websockets import WebSocket
at_once = WebSocket.accept
async def accept(socket, *more, **named):
    print("accepting", file=sys.stderr, flush=True)
    await asyncio.sleep(0.5)
    await at_once(socket, *more, **named)
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
def test_a_client_that_connects_during_shutdown_is_told_to_reconnect(tmp_path, first):
    """There is no traceback from a task that has nothing to wait for."""
    with Server(tmp_path, first=first) as server, ThreadPoolExecutor() as beside:
        ada = server.guest()

        def connects():
            with Connection(ada, "/ws/lobby") as connection:
                heard.append(connection.receive())
                while True:
                    connection.receive()

        heard = []
        asked = beside.submit(connects)
        until(lambda: "accepting" in "".join(server.log) and (heard or first == SLOW_TO_ACCEPT))
        server.process.terminate()
        assert asked.exception(60).rcvd.code == 1012
        assert server.process.wait(60) == -signal.SIGTERM
        assert "Traceback" not in "".join(server.log)


ENDLESS_WORK = """
import asyncio, sys
from courtly.server.http.routes import account as me
from courtly.server.services.replay_cache import ReplayCache
async def never(*_):
    print("working", file=sys.stderr, flush=True)
    await asyncio.sleep(3600)
ReplayCache.of_record = never
once = me.StreamingResponse
async def begun(lines):
    for line in lines:
        yield line
        await never()
me.StreamingResponse = lambda lines, **more: once(begun(lines), **more)
"""
WHOLE = "a whole request"
CUT_OFF = {
    "half a command": b'POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"game": "',
    "half a record": b"POST /api/replay HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{",
    "one of several pieces": b"PUT /api/me HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
    WHOLE: b"POST /api/replay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
}


def test_requests_interrupted_by_a_shutdown_are_answered(tmp_path):
    """They used to get a plain text answer with status 500 and a traceback in the log."""
    with Server(tmp_path, first=ENDLESS_WORK) as server:
        ada = server.guest()

        def asked(said):
            made = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            made.connect()
            made.sock.sendall(said)
            return made

        sent = {name: asked(said) for name, said in CUT_OFF.items()}
        begun = asked(f"GET /api/me/export HTTP/1.1\r\nHost: a\r\nCookie: {ada.cookie}\r\n\r\n".encode())
        handshake = asked(b"GET /ws/lobby HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        until(lambda: "".join(server.log).count("working") == 2)
        server.process.terminate()
        for name, connection in sent.items():
            answer = HTTPResponse(connection.sock)
            answer.begin()
            assert (answer.status, answer.headers["content-type"]) == (503, "application/json"), name
            assert answer.headers["x-request-id"] and answer.headers["connection"] == "close"
            assert json.load(answer) == {"error": {"id": "error-restart", "args": {}}}
        answer = HTTPResponse(begun.sock)
        answer.begin()
        with pytest.raises(IncompleteRead):  # the client must not take it for a complete answer
            answer.read()
        assert handshake.sock.recv(100) == b""
        assert server.process.wait(60) == -signal.SIGTERM
        for connection in (*sent.values(), begun, handshake):
            connection.close()
    said = "".join(server.log)
    assert "Traceback" not in said and "Exception" not in said and said.count("ERROR") == 1, said


SAYS_WHAT_CAME = """
import sys
from courtly.server.http.middleware import request_guard as guard
at_once = guard._read_body
def body(*given):
    print("came", file=sys.stderr, flush=True)
    return at_once(*given)
guard._read_body = body
"""


def test_a_shutdown_does_not_wait_for_incomplete_requests(tmp_path):
    with Server(tmp_path, first=SAYS_WHAT_CAME) as server:
        parts = {name: said for name, said in CUT_OFF.items() if name != WHOLE}
        sent = {name: socket.create_connection(("127.0.0.1", server.port), PATIENCE) for name in parts}
        for name, connection in sent.items():
            connection.sendall(parts[name])
        until(lambda: "".join(server.log).count("came") == len(parts))
        server.process.terminate()
        for name, connection in sent.items():
            with connection, connection.makefile("rb") as answer:
                said = answer.read()
                assert said.startswith(b"HTTP/1.1 503") and b"error-restart" in said, name
        assert server.process.wait(60) == -signal.SIGTERM
    assert "".join(server.log) == len(parts) * "came\n"  # as if nothing had been interrupted after three seconds


@POSTGRESQL
def test_connecting_to_postgresql_times_out():
    address = shared_server().create_database()
    for given, limit in (("", "10s"), ("&options=-c%20statement_timeout%3D3s", "3s")):
        engine = open_database(address + given)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("SHOW statement_timeout").scalar() == limit
            told = connection.connection.dbapi_connection.info.get_parameters()
            assert (told["connect_timeout"], told["tcp_user_timeout"]) == ("4", "10000")
            assert isinstance(connection.connection.dbapi_connection, DeadlineConnection) == (not given)
        engine.dispose()


@POSTGRESQL
def test_both_sides_detect_a_lost_network():
    """The network is cut while data is in transit, or while the connection is idle."""
    wanted = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
    with postgresql() as server:
        address = f"postgresql://postgres@127.0.0.1:{server.listen('127.0.0.1')}/postgres"
        engine = open_database(address.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            theirs = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in wanted]
            ours = connection.connection.dbapi_connection.info.get_parameters()
        engine.dispose()
        assert theirs == ["10", "3", "3", "10000"] and ours["tcp_user_timeout"] == "10000"

        async def beside():
            async with await pg_notify.connect(address) as connection:
                found = [await (await connection.execute(f"SHOW {name}")).fetchone() for name in wanted]
                return [value for (value,) in found], connection.info.get_parameters()

        theirs, ours = asyncio.run(beside())
        assert theirs == ["5", "2", "3", "7000"] and ours["tcp_user_timeout"] == "7000"


REFUSES = """
from sqlalchemy.exc import OperationalError
from courtly.server import app
app.MAX_STARTUP_TRIES, app.STORAGE_RETRY_DELAY_S = 2, 0.01
async def refused(*given):
    raise OperationalError("SELECT secret", {}, Exception("the connection is lost"))
app.Application.open = refused
from courtly.cli import main
main()
"""


def test_a_database_lost_at_startup_gives_a_one_line_error(tmp_path):
    """The process ends, to be restarted."""
    command = [sys.executable, "-c", REFUSES, "serve", "--data", str(tmp_path), "--port", "0", "--no-browser"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode
    assert "Traceback" not in ended.stderr and "secret" not in ended.stderr, ended.stderr
    assert "the connection is lost" in ended.stderr and len(ended.stderr.splitlines()) <= 3


def test_a_worker_that_fails_to_start_does_not_stop_the_others(monkeypatch):
    """Uvicorn stops all workers when one exits with status 3."""

    async def app(scope, receive, send):
        await send({"type": "lifespan.startup.failed"})

    async def said(message):
        raise AssertionError(message)

    def ended(code):
        raise SystemExit(code)

    monkeypatch.setattr(supervisor, "STARTUP_RETRY_DELAY_S", 0)
    monkeypatch.setattr(os, "_exit", ended)
    with pytest.raises(SystemExit, match="1"):
        asyncio.run(supervisor.retry_startup(app)({"type": "lifespan"}, None, said))


HANGS = """
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
    ended = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=600)
    assert (ended.returncode, ended.stdout) == (1, "lives\n")
    assert ended.stderr == "event loop blocked for 4 s: exiting so that the supervisor restarts this worker\n"


@pytest.mark.long
@POSTGRESQL
def test_a_hanging_worker_is_replaced(tmp_path):
    """A server of two processes, one of which hangs."""
    (tmp_path / "sitecustomize.py").write_text("import signal, time; signal.signal(12, lambda *_: time.sleep(1000))")
    more = {"PYTHONPATH": str(tmp_path), "COURTLY_WORKERS": "2", "COURTLY_DATABASE": shared_server().create_database()}
    with Server(tmp_path, **more) as server:
        before = until(lambda: len(found := processes(server)) == 2 and found)
        victim = min(before)
        time.sleep(2)  # until it serves
        os.kill(victim, signal.SIGUSR2)
        after = until(lambda: len(found := processes(server)) == 2 and victim not in found and found)
        assert len(before & after) == 1 and server.stop() == 0
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


def test_processes_are_replaced_one_after_another(several):
    """At SIGHUP, with the version installed by then; one process always answers."""
    ada = several.guest("Ada")
    table = ada.open("me", "local")
    before = until(lambda: len(found := processes(several)) == 2 and found)
    with ada.connect(table) as connection:
        connection.view()
        several.process.send_signal(signal.SIGHUP)
        with pytest.raises(ConnectionClosed) as ended:
            while True:
                connection.receive()
        assert ended.value.rcvd.code == 1012
    until(lambda: asked(ada, f"/api/tables/{table}").status == 200 and not processes(several) & before)
    assert asked(ada, f"/api/tables/{table}").json["id"] == table


@POSTGRESQL
def test_a_worker_without_notifications_is_not_ready(tmp_path):
    address = shared_server().create_database()
    with Server(tmp_path, COURTLY_DATABASE=address) as server:
        ada = Guest(server, cookie=False)
        until(lambda: ada.get("/readyz").status == 200)
        elsewhere = create_engine(make_url(address).set(database="template1"), isolation_level="AUTOCOMMIT")
        with elsewhere.connect() as control:
            name = make_url(address).database
            control.exec_driver_sql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            control.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND query ILIKE 'LISTEN%%'",
                (name,),
            )
            answer = until(lambda: (found := ada.get("/readyz")).status == 503 and found)
            assert answer.json == {"database": True, "migrations": True, "others": False}
            control.exec_driver_sql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
            until(lambda: ada.get("/readyz").status == 200)
        elsewhere.dispose()


@pytest.mark.long
@POSTGRESQL
def test_workers_survive_their_database_but_not_their_supervisor(tmp_path):
    database = shared_server()
    with Server(tmp_path, COURTLY_DATABASE=database.create_database(), COURTLY_WORKERS="2") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        before = until(lambda: len(found := processes(server)) == 2 and found)
        database.run_pg_ctl("-m", "immediate", "stop")
        os.kill(min(before), signal.SIGKILL)
        until(lambda: any("cannot be used" in line for line in server.log))
        assert asked(ada, "/healthz").status == 200
        database.start()
        until(lambda: asked(ada, "/readyz").status == 200 and len(processes(server)) == 2)
        assert asked(ada, f"/api/tables/{table}").json["id"] == table
        last = processes(server)
        server.kill()
        until(lambda: not any(Path(f"/proc/{process}").exists() for process in last))
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)

"""Disks and databases that fail under a running server: no unsaved move is acknowledged, sockets stay open, and the log
has one line about it.
"""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest
from databases import POSTGRESQL, postgresql, shared_server
from guests import Connection, Server, fresh_key, wait_until

from courtly.server.persistence.engine import open_database
from courtly.server.persistence.repository import load_entries


def checkpoint(file):
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint")


def overwrite(file):
    checkpoint(file)
    with open(file, "r+b") as data:
        data.seek(4096)
        data.write(os.urandom(file.stat().st_size - 4096))


def replace_file(file):
    """Replace the file, as when a backup is restored without stopping the server."""
    shutil.copy(file, f"{file}.copy")
    os.replace(f"{file}.copy", file)


@contextlib.contextmanager
def expect_refusals(server, connection):
    """During this context every command is rejected without effect, and the socket stays open."""
    yield
    ada, table = connection.guest, connection.table
    view_before = ada.view(table, 0)
    for _ in range(3):
        response = ada.play(table, 0, view_before["seq"], view_before["legal"][0]["id"])
        assert response.status == 503 and response.error == "error-storage"
        connection.play(view_before)
        assert connection.wait("error")["error"]["id"] == "error-storage"
    assert ada.request("PUT", "/api/me", {"name": "Eve"}).error == "error-storage"
    assert ada.view(table, 0) == view_before
    wait_until(lambda: ada.get("/readyz").status == 503)  # the last health check is cached for a second


@pytest.fixture
def server_and_connection(tmp_path):
    """A server, and a socket at a table where a move has just been made."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local", options={"looks": 0})
        with ada.connect(table) as connection:
            connection.guest, connection.table = ada, table
            connection.play(connection.view())
            connection.wait("done")
            yield server, connection
            assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)


def play_on(connection):
    views = [connection.guest.view(connection.table, seat) for seat in (0, 1)]
    connection.play(next(view for view in views if view["legal"]))
    wait_until(lambda: connection.guest.get("/readyz").status == 200)
    return connection.wait("done")


def truncate(file):
    os.truncate(file, 0)


def truncate_log(file):
    os.truncate(f"{file}-wal", 0)


def halve_log(file):
    os.truncate(f"{file}-wal", os.path.getsize(f"{file}-wal") // 2)


def overwrite_log(file):
    with open(f"{file}-wal", "r+b") as log:
        log.write(bytes(os.path.getsize(f"{file}-wal")))


def unlink_index(file):
    os.unlink(f"{file}-shm")


@pytest.mark.parametrize("damage", [truncate, truncate_log, halve_log, overwrite_log, unlink_index])
def test_damaged_files_are_detected_before_a_move_is_acknowledged(server_and_connection, tmp_path, damage):
    server, connection = server_and_connection
    with expect_refusals(server, connection):
        damage(tmp_path / "courtly.db")


@pytest.mark.parametrize("damage", [truncate_log, halve_log, overwrite_log])
def test_a_damaged_log_leaves_a_valid_database(tmp_path, damage):
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with ada.connect(table) as connection:
            connection.play(connection.view())
            connection.wait("done")
            damage(tmp_path / "courtly.db")
            connection.play(connection.view())
            assert connection.wait("error")["error"]["id"] == "error-storage"
        server.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with Server(tmp_path, port=server.port):
        assert ada.view(table, 0)["legal"]


def test_a_checkpoint_by_another_program_is_no_damage(server_and_connection, tmp_path):
    server, connection = server_and_connection
    with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        busy, frames, _ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, frames) == (0, 0) and not (tmp_path / "courtly.db-wal").stat().st_size
    assert play_on(connection)
    assert server.log == []


@pytest.mark.parametrize("damage", [os.unlink, replace_file, overwrite])
def test_a_replaced_file_is_detected(server_and_connection, tmp_path, damage):
    server, connection = server_and_connection
    with expect_refusals(server, connection):
        damage(tmp_path / "courtly.db")
    refusals = [entry for entry in server.log if "refused" in entry]
    assert ("damaged" if damage is overwrite else "deleted or replaced") in refusals[0], server.log
    assert len(refusals) <= (2 if damage is overwrite else 1), server.log  # SQLite may or may not report it, too


def test_a_file_that_is_restored_is_used_again(server_and_connection, tmp_path):
    server, connection = server_and_connection
    with expect_refusals(server, connection):
        (tmp_path / "courtly.db").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").rename(tmp_path / "courtly.db")
    assert play_on(connection)


def test_regular_writes_of_other_programs_are_no_damage(server_and_connection, tmp_path):
    server, connection = server_and_connection
    for _ in range(2):
        with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            database.execute("INSERT INTO guest (id, name) VALUES (?, '')", [fresh_key()])
            database.commit()
            database.execute("PRAGMA wal_checkpoint")
        assert play_on(connection)
    assert server.log == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has prlimit, which sets limits of another process")
def test_commands_are_refused_while_the_disk_is_full(server_and_connection):
    import resource

    server, connection = server_and_connection
    with expect_refusals(server, connection):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    assert len([entry for entry in server.log if "refused" in entry]) == 1, server.log
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert play_on(connection)


@pytest.fixture
def disk(tmp_path):
    """A small file system that can be remounted read-only."""
    mount_point = tmp_path / "disk"
    mount_point.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount_point], capture_output=True).returncode:
        pytest.skip("the test fills a file system of its own, which only root can mount: run it as root")
    yield mount_point
    subprocess.run(["umount", "-l", mount_point], check=True)


def test_a_game_survives_a_full_and_then_read_only_disk(disk):
    def remount(mode):
        subprocess.run(["mount", "-o", f"remount,{mode}", disk], check=True)

    with Server(disk) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            connection.guest, connection.table = ada, table
            with (
                expect_refusals(server, connection),
                contextlib.suppress(OSError),
                open(disk / "filler", "wb") as filler,
            ):
                while True:
                    filler.write(bytes(1024))
                    filler.flush()
            (disk / "filler").unlink()
            assert play_on(connection)
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)
    remount("ro")
    with pytest.raises(AssertionError, match="cannot be used"):
        Server(disk)
    remount("rw")
    with Server(disk, port=server.port):
        assert ada.view(table, 0)["cues"]


def test_a_socket_stays_open_until_the_disk_answers(tmp_path):
    """Including a new socket whose table is not known yet."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        server.stop()
    with Server(tmp_path, port=server.port) as server:
        assert ada.get("/api/me").status == 200
        (tmp_path / "courtly.db").rename(tmp_path / "elsewhere")
        with ada.connect(table) as connection, Connection(ada, "/ws/lobby") as lobby:
            assert connection.wait("error")["error"]["id"] == lobby.wait("error")["error"]["id"] == "error-storage"
            assert ada.get(f"/api/tables/{table}/view").error == "error-storage"
            (tmp_path / "elsewhere").rename(tmp_path / "courtly.db")
            assert connection.view()["legal"] and lobby.wait("tables")["mine"][0]["id"] == table
        assert server.stop() == 0
        assert len(server.log) == 1, server.log


# --- a connection that breaks during a commit -------------------------------------------------------------------------


@pytest.fixture
def database():
    """The address of an empty database."""
    return shared_server().create_database()


def stored_moves(database, table):
    """Return the seats and moves of people in the journal."""
    engine = open_database(database)
    with engine.connect() as connection:
        moves = [(entry.seat, entry.move) for entry in load_entries(connection, table) if entry.seat >= 0]
    engine.dispose()
    return moves


@contextlib.contextmanager
def broken_connection(database, is_committed, interruption):
    """The next write is committed or not, and then the connection breaks before the server learns the outcome."""
    import psycopg

    def run_sql(*statements):
        with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    if is_committed:  # the commit is stored and then waits for a standby that does not exist
        run_sql("ALTER SYSTEM SET synchronous_standby_names = 'missing'", "SELECT pg_reload_conf()")
        wait_until(lambda: run_sql("SHOW synchronous_standby_names") == [("missing",)])
        undo_statement = "ALTER SYSTEM RESET synchronous_standby_names"
        waiting_sessions = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    else:  # it sleeps before the commit
        body = "LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); END'"
        trigger = "CREATE CONSTRAINT TRIGGER sleep AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
        run_sql(f"CREATE FUNCTION sleep() RETURNS trigger {body}", f"{trigger} EXECUTE FUNCTION sleep()")
        undo_statement = "DROP FUNCTION sleep CASCADE"
        waiting_sessions = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"

    def interrupt():
        if interruption == "cut":
            wait_until(lambda: run_sql(f"SELECT pg_terminate_backend(pid) {waiting_sessions}"))
        else:
            wait_until(lambda: run_sql(f"SELECT pid {waiting_sessions}"))
            if is_committed:
                run_sql(undo_statement)
            shared_server().restart("immediate")

    yield interrupt
    if interruption == "cut" or not is_committed:
        run_sql(undo_statement)
    run_sql("SELECT pg_reload_conf()")


@POSTGRESQL
@pytest.mark.parametrize("interruption", ["cut", pytest.param("killed", marks=pytest.mark.long)])
@pytest.mark.parametrize("is_committed", [True, False])
def test_an_unknown_outcome_of_a_commit_is_reported(tmp_path, database, is_committed, interruption):
    with Server(tmp_path, COURTLY_DATABASE=database) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection, ada.connect(table) as other:
            view = connection.view()
            other.drop_pending()
            with broken_connection(database, is_committed, interruption) as interrupt:
                key = connection.play(view)
                message = None
                while message is None:  # the interrupted transaction may have been another one
                    interrupt()
                    with contextlib.suppress(TimeoutError):
                        message = connection.wait("error", 2)
                assert message["key"] == key and message["error"]["id"] == "error-unsure"
                if is_committed:  # all clients are shown the move without a resend
                    assert other.view_where(lambda later_view: later_view["seat"] == view["seat"])["seq"] > view["seq"]

            def is_done_after_a_resend():
                connection.play(view, key=key)
                while (outcome := connection.receive())["type"] not in ("done", "error"):
                    pass
                assert outcome["type"] == "done" or outcome["error"]["id"] in ("error-storage", "error-unsure")
                return outcome["type"] == "done" and outcome["key"] == key

            wait_until(is_done_after_a_resend)
            response = ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key=key)
            assert response.status == 200
        assert stored_moves(database, table) == [(view["seat"], view["legal"][0]["id"])]
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)


@POSTGRESQL
def test_a_database_that_was_unreachable_is_used_again(tmp_path, database):
    """Connections that were cut while idle cause no lasting rejections."""
    import psycopg

    with Server(tmp_path, COURTLY_DATABASE=database) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()
            with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as admin:
                admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            wait_until(
                lambda: ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key="k").status == 200
            )
            assert connection.view_where(
                lambda later_view: later_view["seat"] == view["seat"] and later_view["seq"] > view["seq"]
            )
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)


SHORT_DEADLINE = """
from courtly.server.persistence import postgres_deadlines as postgresql
postgresql.DeadlineConnection.limit = postgresql.AsyncDeadlineConnection.limit = 1
"""


@POSTGRESQL
def test_a_hanging_database_times_out(tmp_path):
    """The operating system acknowledges all data, so only a timeout detects it."""
    with postgresql() as database, Server(tmp_path, first=SHORT_DEADLINE, COURTLY_DATABASE=database.address) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()
            with database.suspend():
                connection.play(view, key="k")
                assert connection.wait("error")["error"]["id"] in ("error-storage", "error-unsure")
                assert ada.request("PUT", "/api/me", {"name": "Eve"}).error == "error-storage"
                assert ada.get("/healthz").status == 200
                assert ada.get("/readyz").json == {"database": False, "migrations": False, "others": False}
            wait_until(
                lambda: ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key="k").status == 200
            )
            wait_until(lambda: ada.get("/readyz").status == 200)
            assert stored_moves(database.address, table) == [(view["seat"], view["legal"][0]["id"])]
        with database.suspend():
            assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)

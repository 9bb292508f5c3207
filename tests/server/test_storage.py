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
from guests import Connection, Server, fresh_key, until

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


def put_another(file):
    """Replace the file, as when a backup is restored without stopping the server."""
    shutil.copy(file, f"{file}.copy")
    os.replace(f"{file}.copy", file)


@contextlib.contextmanager
def refusing(server, line):
    """During this context every command is rejected without effect, and the socket stays open."""
    yield
    ada, table = line.guest, line.table
    before = ada.view(table, 0)
    for _ in range(3):
        answer = ada.play(table, 0, before["seq"], before["legal"][0]["id"])
        assert answer.status == 503 and answer.error == "error-storage"
        line.play(before)
        assert line.wait("error")["error"]["id"] == "error-storage"
    assert ada.request("PUT", "/api/me", {"name": "Eve"}).error == "error-storage"
    assert ada.view(table, 0) == before
    until(lambda: ada.get("/readyz").status == 503)  # the last health check is cached for a second


@pytest.fixture
def played(tmp_path):
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


def goes_on(line):
    view = line.guest.view(line.table, 0)
    line.play(view)
    until(lambda: line.guest.get("/readyz").status == 200)
    return line.wait("done")


def cut(file):
    os.truncate(file, 0)


def cut_log(file):
    os.truncate(f"{file}-wal", 0)


def halve_log(file):
    os.truncate(f"{file}-wal", os.path.getsize(f"{file}-wal") // 2)


def overwrite_log(file):
    with open(f"{file}-wal", "r+b") as log:
        log.write(bytes(os.path.getsize(f"{file}-wal")))


def unlink_index(file):
    os.unlink(f"{file}-shm")


@pytest.mark.parametrize("how", [cut, cut_log, halve_log, overwrite_log, unlink_index])
def test_damaged_files_are_detected_before_a_move_is_acknowledged(played, tmp_path, how):
    server, line = played
    with refusing(server, line):
        how(tmp_path / "courtly.db")


@pytest.mark.parametrize("how", [cut_log, halve_log])
def test_a_truncated_log_leaves_a_valid_database(tmp_path, how):
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with ada.connect(table) as connection:
            connection.play(connection.view())
            connection.wait("done")
            how(tmp_path / "courtly.db")
            connection.play(connection.view())
            assert connection.wait("error")["error"]["id"] == "error-storage"
        server.stop()
    with Server(tmp_path, port=server.port):
        assert ada.view(table, 0)["legal"]


def test_a_checkpoint_by_another_program_is_no_damage(played, tmp_path):
    server, line = played
    with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        busy, frames, _ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, frames) == (0, 0) and not (tmp_path / "courtly.db-wal").stat().st_size
    assert goes_on(line)
    assert server.log == []


@pytest.mark.parametrize("how", [os.unlink, put_another, overwrite])
def test_a_replaced_file_is_detected(played, tmp_path, how):
    server, line = played
    with refusing(server, line):
        how(tmp_path / "courtly.db")
    said = [entry for entry in server.log if "refused" in entry]
    assert ("damaged" if how is overwrite else "deleted or replaced") in said[0], server.log
    assert len(said) <= (2 if how is overwrite else 1), server.log  # SQLite may or may not report it, too


def test_a_file_that_is_restored_is_used_again(played, tmp_path):
    server, line = played
    with refusing(server, line):
        (tmp_path / "courtly.db").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").rename(tmp_path / "courtly.db")
    assert goes_on(line)


def test_regular_writes_of_other_programs_are_no_damage(played, tmp_path):
    server, line = played
    for _ in range(2):
        with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            database.execute("INSERT INTO guest (id, name) VALUES (?, '')", [fresh_key()])
            database.commit()
            database.execute("PRAGMA wal_checkpoint")
        assert goes_on(line)
    assert server.log == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has prlimit, which sets limits of another process")
def test_a_full_disk(played):
    import resource

    server, line = played
    with refusing(server, line):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    assert len([entry for entry in server.log if "refused" in entry]) == 1, server.log
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert goes_on(line)


@pytest.fixture
def disk(tmp_path):
    """A small file system that can be remounted read-only."""
    made = tmp_path / "disk"
    made.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", made], capture_output=True).returncode:
        pytest.skip("mounting a small file system requires root")
    yield made
    subprocess.run(["umount", "-l", made], check=True)


def test_a_full_and_then_read_only_disk(disk):
    def remount(how):
        subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)

    with Server(disk) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            connection.guest, connection.table = ada, table
            with refusing(server, connection), contextlib.suppress(OSError), open(disk / "much", "wb") as much:
                while True:
                    much.write(bytes(1024))
                    much.flush()
            (disk / "much").unlink()
            assert goes_on(connection)
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


def moves(database, table):
    """Return the seats and moves of people in the journal."""
    engine = open_database(database)
    with engine.connect() as connection:
        found = [(entry.seat, entry.move) for entry in load_entries(connection, table) if entry.seat >= 0]
    engine.dispose()
    return found


@contextlib.contextmanager
def breaking(database, kept, how):
    """The next write is committed or not, and then the connection breaks before the server learns the outcome."""
    import psycopg

    def admin(*what):
        with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as connection:
            for one in what:
                found = connection.execute(one)
            return found.fetchall() if found.description else []

    if kept:  # the commit is stored and then waits for a standby that does not exist
        admin("ALTER SYSTEM SET synchronous_standby_names = 'missing'", "SELECT pg_reload_conf()")
        until(lambda: admin("SHOW synchronous_standby_names") == [("missing",)])
        undo = "ALTER SYSTEM RESET synchronous_standby_names"
        waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    else:  # it sleeps before the commit
        body = "LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); END'"
        trigger = "CREATE CONSTRAINT TRIGGER sleep AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
        admin(f"CREATE FUNCTION sleep() RETURNS trigger {body}", f"{trigger} EXECUTE FUNCTION sleep()")
        undo = "DROP FUNCTION sleep CASCADE"
        waiting = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"

    def cut():
        if how == "cut":
            until(lambda: admin(f"SELECT pg_terminate_backend(pid) {waiting}"))
        else:
            until(lambda: admin(f"SELECT pid {waiting}"))
            if kept:
                admin(undo)
            shared_server().restart("immediate")

    yield cut
    if how == "cut" or not kept:
        admin(undo)
    admin("SELECT pg_reload_conf()")


@POSTGRESQL
@pytest.mark.parametrize("how", ["cut", pytest.param("killed", marks=pytest.mark.long)])
@pytest.mark.parametrize("kept", [True, False])
def test_an_unknown_outcome_of_a_commit_is_reported(tmp_path, database, kept, how):
    with Server(tmp_path, COURTLY_DATABASE=database) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection, ada.connect(table) as other:
            view = connection.view()
            other.drop_pending()
            with breaking(database, kept, how) as cut:
                key = connection.play(view)
                answer = None
                while answer is None:  # the interrupted transaction may have been another one
                    cut()
                    with contextlib.suppress(TimeoutError):
                        answer = connection.wait("error", 2)
                assert answer["key"] == key and answer["error"]["id"] == "error-unsure"
                if kept:  # all clients are shown the move without a resend
                    assert other.view_where(lambda seen: seen["seat"] == view["seat"])["seq"] > view["seq"]

            def asked_again():
                connection.play(view, key=key)
                while (heard := connection.receive())["type"] not in ("done", "error"):
                    pass
                assert heard["type"] == "done" or heard["error"]["id"] in ("error-storage", "error-unsure")
                return heard["type"] == "done" and heard["key"] == key

            until(asked_again)
            again = ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key=key)
            assert again.status == 200
        assert moves(database, table) == [(view["seat"], view["legal"][0]["id"])]
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
            until(lambda: ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key="k").status == 200)
            assert connection.view_where(lambda seen: seen["seat"] == view["seat"] and seen["seq"] > view["seq"])
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)


IMPATIENT = """
from courtly.server.persistence import postgres_deadlines as postgresql
postgresql.DeadlineConnection.limit = postgresql.AsyncDeadlineConnection.limit = 1
"""


@POSTGRESQL
def test_a_hanging_database_times_out(tmp_path):
    """The operating system acknowledges all data, so only a timeout detects it."""
    with postgresql() as database, Server(tmp_path, first=IMPATIENT, COURTLY_DATABASE=database.address) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()
            with database.suspended():
                connection.play(view, key="k")
                assert connection.wait("error")["error"]["id"] in ("error-storage", "error-unsure")
                assert ada.request("PUT", "/api/me", {"name": "Eve"}).error == "error-storage"
                assert ada.get("/healthz").status == 200
                assert ada.get("/readyz").json == {"database": False, "migrations": False, "others": False}
            until(lambda: ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key="k").status == 200)
            until(lambda: ada.get("/readyz").status == 200)
            assert moves(database.address, table) == [(view["seat"], view["legal"][0]["id"])]
        with database.suspended():
            assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)

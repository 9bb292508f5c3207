"""Disks and databases that fail under a running server: nothing is acknowledged that is kept nowhere, sockets stay,
and the log says it in a line."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest
from databases import POSTGRESQL, postgresql, shared
from guests import Line, Server, fresh_key, until

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
    """As when a copy is put back without stopping the server."""
    shutil.copy(file, f"{file}.copy")
    os.replace(f"{file}.copy", file)


@contextlib.contextmanager
def refusing(server, line):
    """Meanwhile every command is refused and changes nothing, and the socket stays."""
    yield
    ada, table = line.guest, line.table
    before = ada.view(table, 0)
    for _ in range(3):
        answer = ada.play(table, 0, before["seq"], before["legal"][0]["id"])
        assert answer.status == 503 and answer.error == "error-storage"
        line.play(before)
        assert line.wait("error")["error"]["id"] == "error-storage"
    assert ada.ask("PUT", "/api/me", {"name": "Eve"}).error == "error-storage"
    assert ada.view(table, 0) == before
    until(lambda: ada.get("/readyz").status == 503)  # what was found holds for a second


@pytest.fixture
def played(tmp_path):
    """A server, and a socket at a table where somebody has just moved."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local", options={"looks": 0})
        with ada.line(table) as line:
            line.guest, line.table = ada, table
            line.play(line.view())
            line.wait("done")
            yield server, line
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
def test_files_that_were_cut_or_overwritten_are_noticed_before_a_move_is_acknowledged(played, tmp_path, how):
    server, line = played
    with refusing(server, line):
        how(tmp_path / "courtly.db")


@pytest.mark.parametrize("how", [cut_log, halve_log])
def test_what_is_left_of_a_log_that_was_cut_is_a_database(tmp_path, how):
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with ada.line(table) as line:
            line.play(line.view())
            line.wait("done")
            how(tmp_path / "courtly.db")
            line.play(line.view())
            assert line.wait("error")["error"]["id"] == "error-storage"
        server.stop()
    with Server(tmp_path, port=server.port):
        assert ada.view(table, 0)["legal"]


def test_a_log_that_another_program_has_copied_and_emptied_is_no_damage(played, tmp_path):
    server, line = played
    with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        busy, frames, _ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, frames) == (0, 0) and not (tmp_path / "courtly.db-wal").stat().st_size
    assert goes_on(line)
    assert server.log == []


@pytest.mark.parametrize("how", [os.unlink, put_another, overwrite])
def test_file_that_is_not_what_it_was(played, tmp_path, how):
    server, line = played
    with refusing(server, line):
        how(tmp_path / "courtly.db")
    said = [entry for entry in server.log if "refused" in entry]
    assert ("damaged" if how is overwrite else "deleted or replaced") in said[0], server.log
    assert len(said) <= (2 if how is overwrite else 1), server.log  # SQLite notices by itself, too, or does not


def test_file_that_is_back(played, tmp_path):
    server, line = played
    with refusing(server, line):
        (tmp_path / "courtly.db").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").rename(tmp_path / "courtly.db")
    assert goes_on(line)


def test_what_other_programs_write_as_they_should_is_no_damage(played, tmp_path):
    server, line = played
    for _ in range(2):
        with contextlib.closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            database.execute("INSERT INTO guest (id, name) VALUES (?, '')", [fresh_key()])
            database.commit()
            database.execute("PRAGMA wal_checkpoint")
        assert goes_on(line)
    assert server.log == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has prlimit, which limits another process")
def test_disk_that_is_full(played):
    import resource

    server, line = played
    with refusing(server, line):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    assert len([entry for entry in server.log if "refused" in entry]) == 1, server.log
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert goes_on(line)


@pytest.fixture
def disk(tmp_path):
    """A small one, which can be made read-only."""
    made = tmp_path / "disk"
    made.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", made], capture_output=True).returncode:
        pytest.skip("mounting a small disk, which is made read-only here, takes root")
    yield made
    subprocess.run(["umount", "-l", made], check=True)


def test_small_disk_that_is_filled_and_then_read_only(disk):
    def remount(how):
        subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)

    with Server(disk) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.line(table) as line:
            line.guest, line.table = ada, table
            with refusing(server, line), contextlib.suppress(OSError), open(disk / "much", "wb") as much:
                while True:
                    much.write(bytes(1024))
                    much.flush()
            (disk / "much").unlink()
            assert goes_on(line)
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)
    remount("ro")
    with pytest.raises(AssertionError, match="cannot be used"):
        Server(disk)
    remount("rw")
    with Server(disk, port=server.port):
        assert ada.view(table, 0)["cues"]


def test_socket_stays_until_the_disk_answers(tmp_path):
    """Also the one that only just opens: nothing is known of its table yet."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        server.stop()
    with Server(tmp_path, port=server.port) as server:
        assert ada.get("/api/me").status == 200
        (tmp_path / "courtly.db").rename(tmp_path / "elsewhere")
        with ada.line(table) as line, Line(ada, "/ws/lobby") as lobby:
            assert line.wait("error")["error"]["id"] == lobby.wait("error")["error"]["id"] == "error-storage"
            assert ada.get(f"/api/tables/{table}/view").error == "error-storage"
            (tmp_path / "elsewhere").rename(tmp_path / "courtly.db")
            assert line.view()["legal"] and lobby.wait("tables")["mine"][0]["id"] == table
        assert server.stop() == 0
        assert len(server.log) == 1, server.log


# --- a connection that breaks while something is committed ------------------------------------------------------------


@pytest.fixture
def database():
    """The address of an empty one."""
    return shared().another()


def moves(database, table):
    """Those that people made there, by seat."""
    engine = open_database(database)
    with engine.connect() as connection:
        found = [(entry.seat, entry.move) for entry in load_entries(connection, table) if entry.seat >= 0]
    engine.dispose()
    return found


@contextlib.contextmanager
def breaking(database, kept, how):
    """The next that is written is kept, or not, and then the connection breaks before anybody is told."""
    import psycopg

    def admin(*what):
        with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as connection:
            for one in what:
                found = connection.execute(one)
            return found.fetchall() if found.description else []

    if kept:  # a commit is kept here, and then waits for another that does not exist
        admin("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
        until(lambda: admin("SHOW synchronous_standby_names") == [("nobody",)])
        undo = "ALTER SYSTEM RESET synchronous_standby_names"
        waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    else:  # before it is kept, it sleeps
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
            shared().restart("immediate")

    yield cut
    if how == "cut" or not kept:
        admin(undo)
    admin("SELECT pg_reload_conf()")


@POSTGRESQL
@pytest.mark.parametrize("how", ["cut", pytest.param("killed", marks=pytest.mark.long)])
@pytest.mark.parametrize("kept", [True, False])
def test_what_nobody_knows_is_said_not_to_be_known(tmp_path, database, kept, how):
    with Server(tmp_path, COURTLY_DATABASE=database) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.line(table) as line, ada.line(table) as other:
            view = line.view()
            other.silence()
            with breaking(database, kept, how) as cut:
                key = line.play(view)
                answer = None
                while answer is None:  # what was cut may have been something else that the server was writing
                    cut()
                    with contextlib.suppress(TimeoutError):
                        answer = line.wait("error", 2)
                assert answer["key"] == key and answer["error"]["id"] == "error-unsure"
                if kept:  # everybody is shown, though nobody asks again
                    assert other.view_where(lambda seen: seen["seat"] == view["seat"])["seq"] > view["seq"]

            def asked_again():
                line.play(view, key=key)
                while (heard := line.hear())["type"] not in ("done", "error"):
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
def test_a_database_that_was_away_is_used_again(tmp_path, database):
    """Connections that were cut while nobody used them are no reason to refuse anything for long."""
    import psycopg

    with Server(tmp_path, COURTLY_DATABASE=database) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.line(table) as line:
            view = line.view()
            with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as admin:
                admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            until(lambda: ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key="k").status == 200)
            assert line.view_where(lambda seen: seen["seat"] == view["seat"] and seen["seq"] > view["seq"])
        assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)


IMPATIENT = """
from courtly.server.persistence import postgres_deadlines as postgresql
postgresql.DeadlineConnection.limit = postgresql.AsyncDeadlineConnection.limit = 1
"""


@POSTGRESQL
def test_a_database_that_hangs_is_not_waited_for_without_end(tmp_path):
    """Its system acknowledges all that is sent, so nothing but the time tells."""
    with postgresql() as database, Server(tmp_path, first=IMPATIENT, COURTLY_DATABASE=database.address) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        with ada.line(table) as line:
            view = line.view()
            with database.held():
                line.play(view, key="k")
                assert line.wait("error")["error"]["id"] in ("error-storage", "error-unsure")
                assert ada.ask("PUT", "/api/me", {"name": "Eve"}).error == "error-storage"
                assert ada.get("/healthz").status == 200
                assert ada.get("/readyz").json == {"database": False, "migrations": False, "others": False}
            until(lambda: ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"], key="k").status == 200)
            until(lambda: ada.get("/readyz").status == 200)
            assert moves(database.address, table) == [(view["seat"], view["legal"][0]["id"])]
        with database.held():
            assert server.stop() == 0
        assert "Traceback" not in "".join(server.log), "".join(server.log)

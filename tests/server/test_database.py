"""The database: creation, migration, rejection of unusable files, and the journal's lock."""

import asyncio
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from databases import NEXT_SCHEMA, POSTGRESQL, run_migrations, shared_server
from guests import Server, move, wait_until
from sqlalchemy import create_engine, event, inspect, text
from sqlalchemy.exc import OperationalError

from courtly.engine.match import Entry
from courtly.server.actions import game_commands, seating
from courtly.server.application import Application
from courtly.server.persistence import engine as database_engine
from courtly.server.persistence import repository
from courtly.server.persistence.engine import REVISIONS, DatabaseUnusableError, open_database, open_read_only
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.repository import JournalAppend, RevisionConflictError, Submission, TableRow
from courtly.server.schemas.requests import NewTable
from courtly.server.settings import Settings
from courtly.session.seat import Seat

ROW = TableRow("table1", "sealed_bids", 1, 2, {"looks": 0}, False, "ada", "00" * 32, 1)
SEATS = (Seat(0, "person", "ada", "Ada"), Seat(1, "bot", bot="random"))


def url(path):
    return f"sqlite:///{path / 'courtly.db'}"


def fingerprint(folder):
    """Return the hashes of all files except SQLite's shared memory, which holds no data."""
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in folder.iterdir() if f.suffix != ".db-shm"}


@pytest.fixture(scope="module")
def used_database(tmp_path_factory):
    """A database that a server has used and closed."""
    folder = tmp_path_factory.mktemp("used")
    with Server(folder) as server:
        server.guest("Ada").open("me", "open")
        server.stop()
    return folder / "courtly.db"


def damage_file(damage, file):
    if damage == "from the future":
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.execute("UPDATE alembic_version SET version_num = '9999'")
    elif damage == "cut short":
        os.truncate(file, file.stat().st_size // 2 + 100)
    elif damage == "overwritten":
        with open(file, "r+b") as f:
            f.seek(4096)
            f.write(os.urandom(8192))
    elif damage == "not a database":
        file.write_bytes(b"Dear diary, " * 1000)
    elif damage == "of another program":
        file.unlink()
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.execute("CREATE TABLE recipes (id INTEGER)")


@pytest.mark.parametrize(
    "damage", ["from the future", "cut short", "overwritten", "not a database", "of another program"]
)
def test_database_that_cannot_be_used_is_refused_and_left_alone(tmp_path, used_database, damage):
    damage_file(damage, Path(shutil.copy(used_database, tmp_path)))
    content_before = fingerprint(tmp_path)
    with pytest.raises(DatabaseUnusableError, match="Nothing was changed") as error:
        open_database(url(tmp_path))
    assert ("newer version" in str(error.value)) == (damage == "from the future") and "courtly.db" in str(error.value)
    assert fingerprint(tmp_path) == content_before


def test_server_does_not_start_on_a_database_from_the_future(tmp_path, used_database):
    damage_file("from the future", Path(shutil.copy(used_database, tmp_path)))
    content_before = fingerprint(tmp_path)
    with pytest.raises(AssertionError, match="newer version"):
        Server(tmp_path)
    with pytest.raises(DatabaseUnusableError, match="newer version"):
        open_read_only(url(tmp_path))
    assert fingerprint(tmp_path) == content_before


def test_only_the_current_schema_is_read(tmp_path, monkeypatch, used_database):
    (tmp_path / "courtly.db").touch()
    with pytest.raises(DatabaseUnusableError, match="found an empty database; `courtly serve` migrates it"):
        open_read_only(url(tmp_path))
    shutil.copy(used_database, tmp_path)
    open_read_only(url(tmp_path)).dispose()
    monkeypatch.setattr(database_engine, "REVISIONS", [*REVISIONS, "9999"])
    with pytest.raises(DatabaseUnusableError, match=f"expected schema revision 9999 .*, found {REVISIONS[-1]};"):
        open_read_only(url(tmp_path))


def test_a_file_without_tables_is_an_empty_database(tmp_path):
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        database.execute("VACUUM")
    assert (tmp_path / "courtly.db").stat().st_size > 0
    with open_database(url(tmp_path)).connect() as connection:
        assert "chat_message" in inspect(connection).get_table_names()


def test_a_file_that_cannot_be_read_is_reported(tmp_path):
    with pytest.raises(DatabaseUnusableError, match="cannot be read: File name too long. Nothing was changed"):
        database_engine.sqlite_schema_revision(tmp_path / f"{'x' * 300}.db")


def test_a_pooler_gets_no_options_of_a_session(monkeypatch):
    deadlines = pytest.importorskip(
        "courtly.server.persistence.postgres_deadlines", reason='psycopg is missing: pip install "courtly[postgres]"'
    )
    options = []

    def record_options(**parameters):
        options.append(parameters)
        raise EOFError

    monkeypatch.setattr(deadlines.DeadlineConnection, "connect", record_options)
    for is_pooled in (False, True):
        with pytest.raises(EOFError):
            database_engine._make_engine("postgresql+psycopg://localhost/none", is_pooled=is_pooled).connect()
    plain, pooled = options
    assert "statement_timeout" in plain["options"] and "prepare_threshold" not in plain
    assert "options" not in pooled and pooled["prepare_threshold"] is None


@pytest.mark.parametrize(
    ("damage", "message"), [("cut short", "-wal was truncated"), ("overwritten", "-wal was overw")]
)
def test_a_changed_log_is_noticed(tmp_path, damage, message):
    file, log, index = (tmp_path / f"courtly.db{suffix}" for suffix in ("", "-wal", "-shm"))
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE recipes (id INTEGER)")
        database_engine._check_log(log, index)
        if damage == "overwritten":
            with open(log, "r+b") as log_file:
                log_file.write(b"Dear diary")
        else:
            os.truncate(log, log.stat().st_size - 1)
        with pytest.raises(DatabaseUnusableError, match=message):
            database_engine._check_log(log, index)


@pytest.mark.parametrize("page_bytes", [512, 4096, 65536])
def test_the_length_of_a_log_is_read_as_sqlite_tells_it(tmp_path, page_bytes):
    file, log, index = (tmp_path / f"courtly.db{suffix}" for suffix in ("", "-wal", "-shm"))
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute(f"PRAGMA page_size = {page_bytes}")
        database.execute("PRAGMA journal_mode = WAL")
        for number in range(3):
            database.execute(f"CREATE TABLE recipes_{number} (id INTEGER)")
            page, frames = database_engine.INDEX_HEADER.unpack_from(
                database_engine._map_index(index, index.stat().st_ino)
            )
            assert page == (page_bytes if page_bytes < 65536 else 1)
            assert log.stat().st_size == 32 + frames * (24 + page_bytes)
        assert database.execute("PRAGMA wal_checkpoint").fetchone() == (0, frames, frames)


@pytest.mark.parametrize("is_noticed", [True, False])
@pytest.mark.parametrize("damage", ["cut short", "overwritten"])
def test_a_damaged_log_is_not_copied_into_the_database(tmp_path, damage, is_noticed):
    """Neither when a server notices it nor when it ends."""
    program = f"""if True:
        import contextlib, os, sqlite3
        from sqlalchemy import text
        from sqlalchemy.exc import DatabaseError
        from courtly.server.persistence.engine import open_database
        engine = open_database({url(tmp_path)!r})
        def fill(first):
            with engine.begin() as connection:
                for number in range(first, first + 40):
                    row = {{"id": f"{{number % 7}}", "text": "x" * 300}}
                    connection.execute(text("INSERT INTO recipes VALUES (:id, :text)"), row)
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE recipes (id TEXT, text TEXT)"))
            connection.execute(text("CREATE INDEX by_id ON recipes (id, text)"))
        fill(0)
        with contextlib.closing(sqlite3.connect({str(tmp_path / "courtly.db")!r})) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        fill(40)
        log = {str(tmp_path / "courtly.db-wal")!r}
        length, last_ns = os.path.getsize(log), os.stat(log).st_mtime_ns
        if {damage!r} == "cut short":
            os.truncate(log, length // 2)
        else:
            with open(log, "r+b") as file:
                file.write(bytes(length))
        os.utime(log, ns=(last_ns + 1, last_ns + 1))  # on a fast machine it may be the same
        if {is_noticed}:
            try:
                fill(80)
            except DatabaseError:
                pass
            else:
                raise AssertionError("not noticed")
        engine.dispose()
        print("closed")"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.stdout, result.stderr, result.returncode) == ("closed\n", "", 0)
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM recipes").fetchone() == (40,)


def test_start_imports_neither_numpy_nor_llvmlite_nor_alembic(tmp_path):
    program = f"""if True:
        import sys
        from courtly.server.app import make_app
        from courtly.server.persistence.engine import open_database
        from courtly.server.process.serve import WEB, Settings, AssetBundle
        import courtly.bots.runtime.worker_process
        make_app(Settings(None), open_database({url(tmp_path)!r}), AssetBundle(WEB)).openapi()
        print([name for name in ("numpy", "llvmlite", "alembic") if name in sys.modules])"""
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
        == "[]"
    )


def schema_of(engine):
    inspector = inspect(engine)
    return {
        table: (
            sorted((c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(table)),
            inspector.get_pk_constraint(table)["constrained_columns"],
            sorted((i["name"], tuple(i["column_names"])) for i in inspector.get_indexes(table)),
            sorted(
                (tuple(f["constrained_columns"]), f["referred_table"], f["options"].get("ondelete"))
                for f in inspector.get_foreign_keys(table)
            ),
        )
        for table in inspector.get_table_names()
    }


def test_migrations_lead_to_the_schema_that_new_databases_get(tmp_path):
    old = create_engine(f"sqlite:///{tmp_path / 'old.db'}")
    with old.begin() as connection:
        run_migrations(connection)
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == REVISIONS[-1]
    assert schema_of(old) == schema_of(open_database(url(tmp_path)))


def test_older_database_is_brought_up_to_date(tmp_path, monkeypatch):
    from courtly.server.persistence import engine as database_engine

    newest = REVISIONS[-1]
    migrations = tmp_path / "50% off"  # in Alembic's settings, % begins an interpolation
    (migrations / "versions").mkdir(parents=True)
    for revision, down, body in (
        (newest, None, "pass"),
        ("9999", newest, 'op.execute("CREATE TABLE extra (id INTEGER)")'),
    ):
        (migrations / "versions" / f"{revision}.py").write_text(
            f"from alembic import op\nrevision = {revision!r}\ndown_revision = {down!r}\ndef upgrade():\n    {body}\n"
        )
    (migrations / "env.py").write_text((database_engine.MIGRATIONS / "env.py").read_text())
    open_database(url(tmp_path)).dispose()
    monkeypatch.setattr(database_engine, "MIGRATIONS", migrations)
    monkeypatch.setattr(database_engine, "REVISIONS", [newest, "9999"])
    for _ in range(2):
        engine = open_database(url(tmp_path))
        assert "extra" in inspect(engine).get_table_names()
        engine.dispose()


def entry(ply, seat=0):
    return Entry(ply, seat, 3, 1000, ply, 0)


def journal_append(entries, *submission):
    return JournalAppend("table1", entries, Submission("ada", *submission) if submission else None)


def append(writer, entries):
    return writer.do(lambda _c: None, entries)


def run_with_writer(address, job):
    async def run():
        writer = GroupCommitWriter(open_database(address))
        try:
            return await job(writer)
        finally:
            writer.close()

    return asyncio.run(run())


def test_one_of_two_writers_of_a_ply_wins(address):
    async def work(writer):
        await writer.do(lambda c: repository.insert_table(c, ROW, SEATS, [entry(0, -1)]))
        five = [append(writer, journal_append([entry(1, n)])) for n in range(5)]
        results = await asyncio.gather(*five, return_exceptions=True)
        return results, await writer.do(lambda c: repository.load_entries(c, "table1"))

    results, entries = run_with_writer(address, work)
    assert [type(r) for r in results] == [type(None)] + [RevisionConflictError] * 4
    assert entries == [entry(0, -1), entry(1, 0)]


def test_a_journal_has_no_gaps(address):
    """A move must not be acknowledged after a lost one, since the game could not be replayed."""

    async def work(writer):
        await writer.do(lambda c: repository.insert_table(c, ROW, SEATS, [entry(0)]))
        with pytest.raises(RevisionConflictError):
            await append(writer, journal_append([entry(2)]))
        together = [append(writer, journal_append([entry(n)])) for n in (1, 2, 4)]
        results = await asyncio.gather(*together, return_exceptions=True)
        assert [type(r) for r in results] == [type(None), type(None), RevisionConflictError]
        assert await writer.do(lambda c: repository.load_entries(c, "table1")) == [entry(0), entry(1), entry(2)]

    run_with_writer(address, work)


def test_a_seat_changes_only_with_its_current_revision(address):
    async def work(writer):
        await writer.do(lambda c: repository.insert_table(c, ROW, SEATS, []))
        five = [writer.do(lambda c, n=n: repository.claim_revision(c, "table1", 0, host=f"host{n}")) for n in range(5)]
        results = await asyncio.gather(*five, return_exceptions=True)
        assert [type(r) for r in results] == [type(None)] + [RevisionConflictError] * 4
        (row, _, _, _) = await writer.do(lambda c: repository.load_table(c, "table1"))
        assert (row.host, row.revision) == ("host0", 1)
        with pytest.raises(RevisionConflictError):
            await writer.do(lambda c: repository.delete_waiting_table(c, "table1", 0))
        await writer.do(lambda c: repository.delete_waiting_table(c, "table1", 1))
        assert await writer.do(lambda c: repository.load_table(c, "table1")) is None
        with pytest.raises(RevisionConflictError):
            await writer.do(lambda c: repository.claim_revision(c, "table1", 2))

    run_with_writer(address, work)


def test_servers_that_start_together_create_one_database(address):
    """Each starts in its own process, first without a schema, then with that of the version before."""
    program = "import sys; sys.stdin.read(1)\nfrom courtly.server.persistence import engine as d"
    program += f"\nd.open_database({address!r})"
    for newest, preparation in ((REVISIONS[-1], ""), ("9999", NEXT_SCHEMA)):
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", preparation + program], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        for process in processes:
            process.stdin.write("!")
            process.stdin.flush()
        assert [(process.communicate()[1], process.returncode) for process in processes] == [("", 0)] * 3
        engine = create_engine(address)
        with engine.connect() as connection:
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [newest]
        engine.dispose()


@POSTGRESQL
def test_a_migration_does_not_block_moves_behind_a_long_reader(monkeypatch, caplog):
    """A backup locks every table until it is done. A migration that waited for it would block all other sessions, so it
    times out and retries shortly afterwards.
    """
    address = shared_server().create_database()
    monkeypatch.setattr(database_engine, "LOCK_TIMEOUT_MS", 100)
    monkeypatch.setattr(database_engine, "LOCK_RETRY_DELAY_S", 0.1)
    open_database(address).dispose()
    for name in ("MIGRATIONS", "REVISIONS"):
        monkeypatch.setattr(database_engine, name, getattr(database_engine, name))  # restored after the test
    exec(NEXT_SCHEMA)
    plain_engine = create_engine(address)
    with ThreadPoolExecutor() as threads, plain_engine.connect() as reader:
        for name in inspect(reader).get_table_names():  # whichever tables the newest revision alters
            reader.execute(text(f"SELECT 1 FROM {name} LIMIT 1"))
        opening = threads.submit(open_database, address)
        for n in range(1, 4):  # it keeps retrying, and other sessions write in between
            wait_until(lambda n=n: len(caplog.records) >= n)
            with plain_engine.begin() as connection:
                connection.execute(text("SET LOCAL lock_timeout = '20s'"))
                connection.execute(text("LOCK TABLE game_table, seat, journal, guest IN ROW EXCLUSIVE MODE"))
            assert not opening.done()
        reader.rollback()
        opening.result().dispose()
    with plain_engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
    plain_engine.dispose()


def test_a_failed_job_leaves_nothing_behind(address):
    async def work(writer):
        await writer.do(lambda c: repository.insert_table(c, ROW, SEATS, []))
        await append(writer, journal_append([entry(0)], "k", "x", 1))
        valid_job = append(writer, journal_append([entry(1)], "k2", "y", 2))
        half_valid_job = append(writer, journal_append([entry(2), entry(0)], "k3", "z", 3))
        repeated_job = writer.do(lambda c: repository.end_game(c, "table1", 7), journal_append([entry(2)], "k", "z", 3))
        results = await asyncio.gather(valid_job, half_valid_job, repeated_job, return_exceptions=True)
        assert [type(r) for r in results] == [type(None), RevisionConflictError, RevisionConflictError]
        assert await writer.do(lambda c: repository.find_submission(c, "table1", "ada", "k")) == Submission(
            "ada", "k", "x", 1
        )
        assert await writer.do(lambda c: repository.find_submission(c, "table1", "ada", "k3")) is None
        row, seats, entries, _ = await writer.do(lambda c: repository.load_table(c, "table1"))
        assert (row, seats, entries) == (ROW, SEATS, [entry(0), entry(1)])
        assert await writer.do(lambda c: repository.load_table(c, "other")) is None

    run_with_writer(address, work)


@POSTGRESQL
@pytest.mark.parametrize("clock", [None, {"minutes": 5, "seconds": 30}])
def test_a_move_is_one_statement_on_postgresql(tmp_path, clock):
    """Each statement is a round trip, as are the beginning and the end of the transaction: for a person's and a bot's
    move.
    """

    async def work(writer):
        application = await Application.open(Settings(tmp_path), writer, None)
        try:
            seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
            request = NewTable(game="petition", players=2, options={}, seats=seats, clock=clock)
            table = await seating.open_table(application, "ada", request)
            statements, flag_times = [], set()
            listen = event.listens_for(writer.engine, "before_cursor_execute")
            listen(lambda _c, _cursor, statement, *_: statements.append(statement))
            for n in range(10):
                (seat,) = table.match.pending
                move = table.match.view(seat)["legal"][0]["id"]
                if seat == 0:
                    await game_commands.run_command(
                        application, table, "ada", game_commands.Command(0, None, (move,)), f"k{n}"
                    )
                else:
                    await game_commands.play_for_bot(application, table, 1, move)
                assert len(statements) == n + 1, statements
                flag_times.add(table.clocks and table.clocks.next_flag_at())
            row, _, entries, _ = await writer.do(lambda c: repository.load_table(c, table.row.id))
            assert entries == list(table.match.entries)
            assert row.next_flag_at == (table.clocks and table.clocks.next_flag_at())
            assert (flag_times == {None}) == (clock is None)
        finally:
            await application.close()

    run_with_writer(shared_server().create_database(), work)


def test_the_time_of_the_next_flag_is_stored_with_the_move(address):
    async def work(writer):
        for table in ("table1", "table2"):
            row = replace(ROW, id=table, next_flag_at=7)
            await writer.do(lambda c, row=row: repository.insert_table(c, row, SEATS, []))
        release = threading.Event()
        first = writer.do(lambda _c: release.wait())  # the other jobs form one group
        together = [append(writer, journal_append([entry(0)], "k", "x", 1)._replace(next_flag_at=(8,)))]
        together.append(append(writer, JournalAppend("table2", [entry(0)], next_flag_at=(None,))))
        release.set()
        await asyncio.gather(first, *together)
        with pytest.raises(RevisionConflictError):
            await append(writer, JournalAppend("table2", [entry(0)], next_flag_at=(9,)))
        await append(writer, JournalAppend("table1", [entry(1)]))
        tables = await writer.do(lambda c: repository.load_tables(c, ["table1", "table2"]))
        assert {table: row.next_flag_at for table, (row, _) in tables.items()} == {"table1": 8, "table2": None}

    run_with_writer(address, work)


def test_a_failing_job_of_a_group_is_rolled_back_alone(address):
    async def work(writer):
        release = threading.Event()
        first = writer.do(lambda _c: release.wait())  # the other jobs form one group
        jobs = [
            writer.do(lambda c, n=n: repository.get_or_create_setting(c, f"s{n}", "x") if n != 2 else 1 / 0)
            for n in range(4)
        ]
        await asyncio.sleep(0)
        release.set()
        await first
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [str(result) for result in results] == ["x", "x", "division by zero", "x"]
        assert await writer.do(lambda c: [repository.get_or_create_setting(c, f"s{n}", "new") for n in range(4)]) == [
            "x",
            "x",
            "new",
            "x",
        ]

    run_with_writer(address, work)


def test_a_full_disk_is_reported_and_survived(tmp_path):
    async def work(writer):
        await writer.do(lambda c: repository.insert_table(c, ROW, SEATS, []))
        await writer.do(lambda c: c.execute(text("PRAGMA max_page_count = 1")))  # no more pages than exist
        many_entries = [entry(ply) for ply in range(20_000)]
        with pytest.raises(Exception, match="full"):
            await append(writer, journal_append(many_entries))
        await writer.do(lambda c: c.execute(text("PRAGMA max_page_count = 1000000")))
        assert await writer.do(lambda c: repository.load_entries(c, "table1")) == []
        await append(writer, journal_append(many_entries))

    run_with_writer(url(tmp_path), work)


def test_two_servers_on_one_database(tmp_path):
    """Not supported, but nothing is lost: one server wins the ply; the other reports an error and shows the first one's
    move.
    """
    with Server(tmp_path) as one, Server(tmp_path) as two:
        ada = one.guest()
        table = ada.open("me", "local")
        ada_at_two = two.guest()
        ada_at_two.cookie = ada.cookie
        view = ada.view(table, 0)
        assert ada_at_two.view(table, 0) == view
        cards = [m["id"] for m in view["legal"]]
        assert ada.play(table, 0, view["seq"], cards[0]).status == 200
        with ada_at_two.connect(table) as connection:
            connection.drop_pending()
            response = ada_at_two.play(table, 0, view["seq"], cards[-1])
            assert response.status == 409 and response.error == "error-stale"
            assert connection.view()["cues"][-1]["args"] == ada.view(table, 0)["cues"][-1]["args"]


def test_a_damaged_game_is_reported_and_kept(tmp_path):
    with Server(tmp_path) as server:
        ada = server.guest()
        undamaged_table, damaged_table, older_table = (ada.open("me", "local") for _ in range(3))
        view = ada.view(damaged_table, 0)
        ada.play(damaged_table, 0, view["seq"], move(view, "choose"))
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db", isolation_level=None)) as database:
        database.execute("UPDATE journal SET move = move + 1 WHERE table_id = ? AND ply = 2", [damaged_table])
        database.execute("UPDATE game_table SET version = 77 WHERE id = ?", [older_table])
        journal_before = database.execute("SELECT * FROM journal ORDER BY table_id, ply").fetchall()
    with Server(tmp_path) as server:
        restarted_guest = server.guest()
        restarted_guest.cookie = ada.cookie
        assert restarted_guest.get(f"/api/tables/{damaged_table}/view").error == "error-damaged"
        response = restarted_guest.get(f"/api/tables/{older_table}/view")
        assert response.status == 409 and response.json["error"] == {
            "id": "error-version",
            "args": {"played": 77, "installed": 1},
        }
        assert restarted_guest.table(damaged_table)["status"] == "playing"
        assert (
            restarted_guest.play(damaged_table, 0, 0, 0).error == "error-damaged"
            and restarted_guest.command(damaged_table, "leave").status == 200
        )
        with restarted_guest.connect(damaged_table) as connection:
            assert connection.wait("error")["error"]["id"] == "error-damaged"
        assert restarted_guest.view(undamaged_table, 0)["legal"]
        wait_until(lambda: any("journal cannot be replayed" in line for line in server.log))
    with closing(sqlite3.connect(tmp_path / "courtly.db", isolation_level=None)) as database:
        assert database.execute("SELECT * FROM journal ORDER BY table_id, ply").fetchall() == journal_before


def test_a_postgresql_out_of_reach_is_not_read():
    pytest.importorskip("psycopg", reason='psycopg is missing: pip install "courtly[postgres]"')
    with pytest.raises(DatabaseUnusableError, match="127.0.0.1.* cannot be used: "):
        open_read_only("postgresql+psycopg://ada@127.0.0.1:1/none")


@POSTGRESQL
def test_a_postgresql_database_of_another_program_is_left_alone():
    address = shared_server().create_database()
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(DatabaseUnusableError, match=r"contains the tables of another program\. Nothing was changed"):
        open_database(address)
    assert inspect(engine).get_table_names() == ["recipes"]
    engine.dispose()


@POSTGRESQL
def test_waiting_for_notifications_ends_without_ending_the_connection():
    """Unlike waiting for an answer."""
    from courtly.server.persistence.postgres_deadlines import DeadlineConnection

    address = shared_server().create_database().replace("+psycopg", "")
    with DeadlineConnection.connect(address) as connection:
        assert list(connection.notifies(timeout=0.01)) == []
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_migration_that_fails_is_not_tried_again(tmp_path, monkeypatch):
    """Unlike one that waits for a lock."""

    def fail(_):
        raise OperationalError("CREATE TABLE", {}, Exception("the disk is full"))

    monkeypatch.setattr(database_engine, "_create_schema", fail)
    with pytest.raises(DatabaseUnusableError, match="the disk is full. Nothing was changed"):
        open_database(url(tmp_path))

"""Rolling upgrades while games are played: server after server, on one PostgreSQL."""

import asyncio
import re
from contextlib import ExitStack

import pytest
from databases import NEXT_SCHEMA, POSTGRESQL, shared_server
from guests import Guest, Server, wait_until
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from courtly.engine.position import CommandRefusedError
from courtly.server.assets import bundle, versions
from courtly.server.assets.versions import AssetVersions
from courtly.server.persistence.engine import MIGRATIONS, REVISIONS, open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.timekeeping import now

# The next version: other static files, and a migrated database.
NEXT_VERSION = f"""{NEXT_SCHEMA}
from courtly.server.assets import bundle as statics
find_files = statics.AssetBundle._load_files
def newer(self, known):
    files = find_files(self, known)
    files["web/router.js"] = statics.compress(files["web/router.js"].type, files["web/router.js"].plain + b"// newer")
    return files
statics.AssetBundle._load_files = newer
"""


def files_of(guest, table):
    """Return the files that a table's page requests."""
    page = guest.get(f"/t/{table}", headers={"accept": "text/html"}).body.decode()
    return sorted(set(re.findall(r'(?:href|src)="(/s/[^"]+)"', page)))


def as_client_of(server, guest):
    client = Guest(server, cookie=False)
    client.cookie = guest.cookie
    return client


class Files:
    """The files of a version, as of AssetBundle; a game among them cannot be compiled."""

    dev = False

    def __init__(self, hash, files):
        self.hash, self.files = hash, files

    def paths(self):
        return [*self.files, "web/compiled/none.wasm"]

    async def find(self, path):
        if path not in self.files:
            raise CommandRefusedError("error-uncompiled", game="none")
        return self.files[path]


@POSTGRESQL
def test_missing_files_are_looked_up_once():
    """Requests for a thousand made-up names do not delay moves."""
    old, new = (Files(hash * 16, {"a.js": bundle.compress("js", hash.encode())}) for hash in "01")

    async def test():
        writer = GroupCommitWriter(open_database(shared_server().create_database()))
        old_versions, new_versions = AssetVersions(writer, old), AssetVersions(writer, new)
        await old_versions._store_task
        jobs, do = [], writer.do
        writer.do = lambda work: jobs.append(work) or do(work)
        assert set(await asyncio.gather(*(new_versions.find("0" * 16, f"{n}.js") for n in range(1000)))) == {None}
        assert len(jobs) < 100
        contents = {
            file.plain for file in await asyncio.gather(*(new_versions.find("0" * 16, "a.js") for _ in range(9)))
        }
        assert contents == {b"0"}
        for asset_versions in (old_versions, new_versions):
            asset_versions.close()
        writer.close()

    asyncio.run(test())


@POSTGRESQL
def test_files_are_stored_despite_database_errors_and_killed_processes(monkeypatch):
    monkeypatch.setattr(versions, "RETRY_DELAY_S", 0.01)
    version = Files("2" * 16, {f"{n}.js": bundle.compress("js", b"") for n in range(5)})

    async def test():
        writer = GroupCommitWriter(open_database(shared_server().create_database()))
        attempts, do = [], writer.do

        def fail_third_attempt(work):
            attempts.append(work)
            return fail() if len(attempts) == 3 else do(work)

        async def fail():
            raise OperationalError("", {}, Exception("the connection is lost"))

        await do(lambda c: versions._claim_version(c, version.hash, now()))  # by a process that is killed then
        writer.do = fail_third_attempt
        monkeypatch.setattr(versions, "SAVE_TIMEOUT_MS", 10)
        asset_versions = AssetVersions(writer, version)
        await asset_versions._store_task
        assert len(await do(versions._list)) == 5 and len(attempts) > 3
        writer.close()

    asyncio.run(test())


@POSTGRESQL
def test_servers_are_replaced_one_after_another_while_a_game_is_played(tmp_path):
    address = shared_server().create_database()
    with ExitStack() as exit_stack:
        servers = [Server(tmp_path / str(n), COURTLY_DATABASE=address) for n in range(2)]
        exit_stack.callback(lambda: [server.kill() for server in servers])
        ada = servers[0].guest("Ada")
        table = ada.open("me", "local", options={"looks": 1})
        pages = files_of(ada, table)
        wait_until(lambda: are_stored(address, pages))
        move_count = 0
        for n in (0, 1):
            move_count += play_on_each_server(servers, ada, table)
            with as_client_of(servers[n], ada).connect(table, page=pages[0].split("/")[2]) as connection:
                connection.view()
                with pytest.raises(ConnectionClosed) as closed:
                    servers[n].process.terminate()
                    while True:
                        connection.receive()
                assert closed.value.rcvd.code == 1012
            servers[n].process.wait(20)
            old_server, servers[n] = (
                servers[n],
                Server(tmp_path / str(n), port=servers[n].port, first=NEXT_VERSION, COURTLY_DATABASE=address),
            )
            assert not [line for line in old_server.log if "Traceback" in line], "".join(old_server.log)
            assert as_client_of(servers[n], ada).get("/readyz").status == 200
            if n == 0:  # the earlier version continues on the new schema
                assert "extra" in table_names(address) and as_client_of(servers[1], ada).get("/readyz").status == 200
            newer_pages = files_of(as_client_of(servers[0], ada), table)
            assert newer_pages != pages
            wait_until(lambda newer_pages=newer_pages: are_stored(address, newer_pages))
            for server in servers:  # a page of either version may ask any server
                for path in (*pages[::9], *newer_pages[::9]):
                    response = as_client_of(server, ada).get(path)
                    assert response.status == 200 and "immutable" in response.headers["cache-control"]
            with as_client_of(servers[n], ada).connect(table, page=pages[0].split("/")[2]) as connection:
                assert connection.wait("page")["hash"] == newer_pages[0].split("/")[2]
        move_count += play_on_each_server(servers, ada, table)
        assert move_count == count_moves(address, table) == 6
        for server in servers:
            assert server.stop() == 0
            assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def play_on_each_server(servers, ada, table):
    """Make a move on each server."""
    for server in servers:
        client = as_client_of(server, ada)
        wait_until(lambda client=client: play_move(client, table))
    return len(servers)


def play_move(client, table):
    """Return whether the move was made. It fails if it shows this server that another one has moved."""
    view = next(view for seat in (0, 1) if (view := client.view(table, seat))["legal"])
    return client.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200


def count_moves(address, table):
    engine = create_engine(address)
    with engine.connect() as connection:
        query = "SELECT COUNT(*) FROM journal WHERE table_id = %s AND seat >= 0"
        count = connection.exec_driver_sql(query, (table,)).scalar()
    engine.dispose()
    return count


def are_stored(address, paths):
    """Return whether these files are stored for servers of another version."""
    requested_paths = {path.split("/", 3)[3] for path in paths}
    engine = create_engine(address)
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT path FROM asset_file WHERE hash = %s", (paths[0].split("/")[2],))
        stored_paths = set(rows.scalars())
    engine.dispose()
    return requested_paths <= stored_paths


def table_names(address):
    engine = create_engine(address)
    names = inspect(engine).get_table_names()
    engine.dispose()
    return names


def test_migrations_are_compatible_with_the_earlier_version(tmp_path):
    """The earlier version keeps serving while the next one starts. A migration may add tables, columns, indexes and
    constraints that the earlier version satisfies; it must not rename, drop or require anything else. That waits for a
    later version.
    """
    from alembic import command
    from alembic.config import Config

    engine = create_engine(f"sqlite:///{tmp_path / 'courtly.db'}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    columns_before, unique_before = None, {}
    for revision in REVISIONS:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
        columns_after = columns_of(engine)
        for table, earlier_columns in (columns_before or {}).items():
            assert table in columns_after, f"{revision} takes the table {table}"
            for name, definition in earlier_columns.items():
                assert columns_after[table].get(name) == definition, f"{revision} changes {table}.{name}"
            for name in columns_after[table].keys() - earlier_columns.keys():
                assert not is_required(columns_after[table][name]), f"{revision} requires {table}.{name}"
        unique_after = unique_columns(engine)
        for table in columns_before or ():
            assert unique_after[table] <= unique_before[table], f"{revision} demands that rows of {table} differ"
        columns_before, unique_before = columns_after, unique_after
    assert is_required(columns_before["game_table"]["dice_secret"]) and not is_required(
        columns_before["game_table"]["revision"]
    )


def columns_of(engine):
    """Return the columns of each table: name -> type, nullable, default."""
    inspector = inspect(engine)
    return {
        table: {c["name"]: (str(c["type"]), c["nullable"], c["default"]) for c in inspector.get_columns(table)}
        for table in inspector.get_table_names()
    }


def unique_columns(engine):
    """Return the unique column sets of each table."""
    inspector = inspect(engine)
    return {
        table: {tuple(i["column_names"]) for i in inspector.get_indexes(table) if i["unique"]}
        | {tuple(c["column_names"]) for c in inspector.get_unique_constraints(table)}
        for table in inspector.get_table_names()
    }


def is_required(column):
    _, nullable, default = column
    return not nullable and default is None

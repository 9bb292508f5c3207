"""Rolling upgrades while games are played: server after server, on one PostgreSQL."""

import asyncio
import re
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from databases import NEXT_SCHEMA, POSTGRESQL, shared_server
from guests import Guest, Server, until
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from courtly.server.assets import bundle, versions
from courtly.server.assets.versions import AssetVersions
from courtly.server.persistence.engine import MIGRATIONS, REVISIONS, open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.timekeeping import now

# The next version: other static files, and a migrated database.
NEXT = f"""{NEXT_SCHEMA}
from courtly.server.assets import bundle as statics
found = statics.AssetBundle._found
def newer(self, known):
    files = found(self, known)
    files["web/router.js"] = statics.compress(files["web/router.js"].type, files["web/router.js"].plain + b"// newer")
    return files
statics.AssetBundle._found = newer
"""


def files_of(guest, table):
    """Return the files that a table's page requests."""
    page = guest.get(f"/t/{table}", headers={"accept": "text/html"}).body.decode()
    return sorted(set(re.findall(r'(?:href|src)="(/s/[^"]+)"', page)))


def on(server, somebody):
    found = Guest(server, cookie=False)
    found.cookie = somebody.cookie
    return found


@POSTGRESQL
def test_missing_files_are_looked_up_once():
    """Requests for a thousand made-up names do not delay moves."""
    old, new = (
        SimpleNamespace(hash=hash * 16, dev=False, files={"a.js": bundle.compress("js", hash.encode())})
        for hash in "01"
    )

    async def test():
        writer = GroupCommitWriter(open_database(shared_server().create_database()))
        kept, asking = AssetVersions(writer, old), AssetVersions(writer, new)
        await kept._keeping
        jobs, do = [], writer.do
        writer.do = lambda work: jobs.append(work) or do(work)
        assert set(await asyncio.gather(*(asking.find("0" * 16, f"{n}.js") for n in range(1000)))) == {None}
        assert len(jobs) < 100
        found = {file.plain for file in await asyncio.gather(*(asking.find("0" * 16, "a.js") for _ in range(9)))}
        assert found == {b"0"}
        for each in (kept, asking):
            each.close()
        writer.close()

    asyncio.run(test())


@POSTGRESQL
def test_files_are_stored_despite_database_errors_and_killed_processes(monkeypatch):
    monkeypatch.setattr(versions, "RETRY_DELAY_S", 0.01)
    version = SimpleNamespace(hash="2" * 16, dev=False, files={f"{n}.js": bundle.compress("js", b"") for n in range(5)})

    async def test():
        writer = GroupCommitWriter(open_database(shared_server().create_database()))
        did, do = [], writer.do

        def refuses(work):
            did.append(work)
            return failed() if len(did) == 3 else do(work)

        async def failed():
            raise OperationalError("", {}, Exception("the connection is lost"))

        await do(lambda c: versions._claim_version(c, version.hash, now()))  # by a process that is killed then
        writer.do = refuses
        monkeypatch.setattr(versions, "SAVE_TIMEOUT_MS", 10)
        keeping = AssetVersions(writer, version)
        await keeping._keeping
        assert len(await do(versions._list)) == 5 and len(did) > 3
        writer.close()

    asyncio.run(test())


@POSTGRESQL
def test_servers_are_replaced_one_after_another_while_a_game_is_played(tmp_path):
    address = shared_server().create_database()
    with ExitStack() as opened:
        servers = [Server(tmp_path / str(n), COURTLY_DATABASE=address) for n in range(2)]
        opened.callback(lambda: [server.kill() for server in servers])
        ada = servers[0].guest("Ada")
        table = ada.open("me", "local", options={"looks": 1})
        pages = files_of(ada, table)
        until(lambda: kept(address, pages))
        made = 0
        for n in (0, 1):
            made += decide(servers, ada, table)
            with on(servers[n], ada).connect(table, page=pages[0].split("/")[2]) as line:
                line.view()
                with pytest.raises(ConnectionClosed) as ended:
                    servers[n].process.terminate()
                    while True:
                        line.receive()
                assert ended.value.rcvd.code == 1012
            servers[n].process.wait(20)
            old, servers[n] = (
                servers[n],
                Server(tmp_path / str(n), port=servers[n].port, first=NEXT, COURTLY_DATABASE=address),
            )
            assert not [line for line in old.log if "Traceback" in line], "".join(old.log)
            assert on(servers[n], ada).get("/readyz").status == 200
            if n == 0:  # the earlier version continues on the new schema
                assert "extra" in shape(address) and on(servers[1], ada).get("/readyz").status == 200
            newer = files_of(on(servers[0], ada), table)
            assert newer != pages
            until(lambda newer=newer: kept(address, newer))
            for server in servers:  # a page of either version may ask any server
                for path in (*pages[::9], *newer[::9]):
                    answer = on(server, ada).get(path)
                    assert answer.status == 200 and "immutable" in answer.headers["cache-control"]
            with on(servers[n], ada).connect(table, page=pages[0].split("/")[2]) as line:
                assert line.wait("page")["hash"] == newer[0].split("/")[2]
        made += decide(servers, ada, table)
        assert made == moves(address, table) == 6
        for server in servers:
            assert server.stop() == 0
            assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def decide(servers, ada, table):
    """Make a move on each server."""
    for server in servers:
        here = on(server, ada)
        until(lambda here=here: move_made(here, table))
    return len(servers)


def move_made(here, table):
    """Return whether the move was made. It fails if it shows this server that another one has moved."""
    view = next(view for seat in (0, 1) if (view := here.view(table, seat))["legal"])
    return here.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200


def moves(address, table):
    engine = create_engine(address)
    with engine.connect() as connection:
        wanted = "SELECT COUNT(*) FROM journal WHERE table_id = %s AND seat >= 0"
        found = connection.exec_driver_sql(wanted, (table,)).scalar()
    engine.dispose()
    return found


def kept(address, paths):
    """Return whether these files are stored for servers of another version."""
    asked = {path.split("/", 3)[3] for path in paths}
    engine = create_engine(address)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT path FROM asset_file WHERE hash = %s", (paths[0].split("/")[2],))
        there = set(found.scalars())
    engine.dispose()
    return asked <= there


def shape(address):
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

    engine = create_engine(f"sqlite:///{tmp_path / 'house.db'}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    before, singles = None, {}
    for revision in REVISIONS:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
        after = columns(engine)
        for table, known in (before or {}).items():
            assert table in after, f"{revision} takes the table {table}"
            for name, what in known.items():
                assert after[table].get(name) == what, f"{revision} changes {table}.{name}"
            for name in after[table].keys() - known.keys():
                assert not demanded(after[table][name]), f"{revision} requires {table}.{name}"
        alone = singular(engine)
        for table in before or ():
            assert alone[table] <= singles[table], f"{revision} demands that rows of {table} differ"
        before, singles = after, alone
    assert demanded(before["game_table"]["dice_secret"]) and not demanded(before["game_table"]["revision"])


def columns(engine):
    """Return the columns of each table: name -> type, nullable, default."""
    found = inspect(engine)
    return {
        table: {c["name"]: (str(c["type"]), c["nullable"], c["default"]) for c in found.get_columns(table)}
        for table in found.get_table_names()
    }


def singular(engine):
    """Return the unique column sets of each table."""
    found = inspect(engine)
    return {
        table: {tuple(i["column_names"]) for i in found.get_indexes(table) if i["unique"]}
        | {tuple(c["column_names"]) for c in found.get_unique_constraints(table)}
        for table in found.get_table_names()
    }


def demanded(column):
    _, nullable, default = column
    return not nullable and default is None

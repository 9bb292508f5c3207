"""A database of the version before the first release, in SQLite and PostgreSQL, moved over and played on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from databases import KINDS, empty_database
from guests import Server
from sqlalchemy import create_engine, inspect, text

from courtly.server.persistence import player_history, repository
from courtly.server.persistence.engine import DatabaseUnusableError, open_database
from courtly.server.persistence.integrity_check import all_table_ids, check_table, examine_rest
from courtly.server.security.signed_tokens import COOKIE_NAME, Signatures

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "tools" / "move_0016.py"
STATEMENTS = [
    line
    for line in re.split(r";\n", (HERE / "server_0016.sql").read_text("utf-8"))
    if not re.match("BEGIN|COMMIT", line)
]


@pytest.fixture(params=KINDS)
def address(request, tmp_path):
    address = empty_database(request.param, tmp_path)
    engine = create_engine(address)
    # constraints come with the tables, and rows in the order of the tables' names
    rows = sorted((s for s in STATEMENTS if s.startswith("INSERT")), key=lambda s: '"game_table"' not in s)
    tables = sorted(
        (s for s in STATEMENTS if not s.startswith("INSERT")), key=lambda s: ("INDEX" in s, "REFERENCES" in s)
    )
    with engine.begin() as connection:
        for statement in (*tables, *rows):
            if request.param == "postgresql":
                statement = statement.replace("BLOB", "BYTEA").replace("id INTEGER NOT NULL", "id SERIAL NOT NULL")
            if statement.strip():
                connection.exec_driver_sql(statement.replace("%", "%%") if request.param == "postgresql" else statement)
    engine.dispose()
    return address


def run_script(address):
    process = subprocess.run([sys.executable, SCRIPT, address], capture_output=True, text=True)
    return process.returncode, process.stdout + process.stderr


def schema_of(engine):
    inspector = inspect(engine)
    return {
        table: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(table)],
            inspector.get_pk_constraint(table)["constrained_columns"],
            {(i["name"], *i["column_names"]) for i in inspector.get_indexes(table)},
            {(f["referred_table"], *f["constrained_columns"]) for f in inspector.get_foreign_keys(table)},
        )
        for table in inspector.get_table_names()
    }


def columns_of(table):
    return {name for name, *_ in table[0]}


def test_a_moved_database_is_played_on(address, tmp_path):
    with pytest.raises(DatabaseUnusableError, match=r"before the first release.*tools/move_0016\.py"):
        open_database(address)
    assert run_script(address) == (0, "The database has the form 0017.\n")
    engine = open_database(address)
    (tmp_path / "fresh").mkdir()
    new_engine = open_database(empty_database(engine.dialect.name, tmp_path / "fresh"))
    moved_schema, expected = schema_of(engine), schema_of(new_engine)
    assert moved_schema.keys() == expected.keys()
    for name, (_, *rest) in expected.items():
        assert columns_of(moved_schema[name]) == columns_of(expected[name]) and moved_schema[name][1:] == tuple(rest), (
            name
        )
    new_engine.dispose()
    with engine.connect() as connection:
        assert [check_table(connection, table) for table in all_table_ids(connection)] == [None] * 3
        assert examine_rest(connection) == []
        rows = repository.load_tables(connection, all_table_ids(connection))
        status = {(row.started_at is not None, row.ended_at is not None): row.id for row, _ in rows.values()}
        over, running = status[True, True], status[True, False]
        ada = rows[running][1][0].guest_id
        assert [message.text for message in repository.load_chat_messages(connection, running, True, None, 9)] == [
            "Good luck",
            None,
        ]
        (setting,) = repository.load_notification_settings(connection)
        assert (setting.guest_id, setting.email, setting.webhook_url) == (
            ada,
            "ada@example.org",
            "https://hook.example/",
        )
        assert repository.load_review(connection, over, 1) == "{}"
        assert repository.load_pending_notifications(connection) == {(running, ada)}
        assert player_history.load_session_epochs(connection).popitem()[1] == 1
        assert player_history.load_deletion_digests(connection) == {"00112233445566778899aabbccddeeff"}
        key = connection.execute(text("SELECT value FROM setting WHERE name = 'signing-key'")).scalar()
    engine.dispose()
    assert run_script(address)[0] == 1 and "found 0017" in run_script(address)[1]
    with Server(tmp_path / "data", COURTLY_DATABASE=address) as server:
        guest = server.guest()
        guest.cookie = f"{COOKIE_NAME}={Signatures(key).sign_cookie(ada)}"
        assert [table["id"] for table in guest.get("/api/tables").json["mine"]] == [running]
        view = guest.view(running, 0)
        assert guest.play(running, 0, view["seq"], view["legal"][0]["id"]).status == 200
        assert guest.table(over)["status"] == "over"
        assert server.stop() == 0


def test_an_empty_database_is_refused(tmp_path):
    assert run_script(f"sqlite:///{tmp_path / 'new.db'}")[0] == 1

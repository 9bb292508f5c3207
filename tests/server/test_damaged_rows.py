"""A damaged database row makes its own table unavailable, and no other."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from guests import SECRET_BIDS, Server, wait_until

from courtly.cli import main

NO_UTF_8 = "CAST(x'ff00' AS TEXT)"
WRONG_VALUES = ["'x'", NO_UTF_8, "-1", "1.5", str(2**62)]  # as SQL
TABLE_NAMES = (
    "game_table",
    "seat",
    "journal",
    "result",
    "idempotency_key",
    "clock_pause",
    "chat_message",
    "review",
    "pending_notification",
)
REPORTED_DAMAGE = [  # reported for a table in progress
    ("game_table", "options", "'{'"),
    ("game_table", "options", "'[1]'"),
    ("game_table", "dice_secret", "'xyz'"),
    ("game_table", "dice_secret", "'ab'"),
    ("game_table", "clock", "'{'"),
    ("game_table", "clock", """'{"minutes": "x"}'"""),
    ("game_table", "created_at", "'x'"),
    ("game_table", "game", NO_UTF_8),
    ("game_table", "players", str(2**62)),
    ("seat", "kind", "'xx'"),
    ("seat", "colour", "'zz'"),
    ("seat", "name", NO_UTF_8),
    ("seat", "seat", str(2**62)),
    ("journal", "move", "'x'"),
    ("journal", "played_at", "'x'"),
    ("idempotency_key", "journal_length", "'x'"),
]


def move(guest, table):
    view = next(view for seat in (0, 1) if (view := guest.view(table, seat))["legal"])
    assert guest.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200


def columns(database, name):
    return [column for _, column, *_ in database.execute(f"PRAGMA table_info({name})")]


def id_column(name):
    return "id" if name == "game_table" else "table_id"


def copy(database, table, copy_id):
    """Copy the table under another id. Its draws would differ, so it is stored but cannot be played on."""
    for name in TABLE_NAMES:
        copied_columns = [column for column in columns(database, name) if (name, column) != ("clock_pause", "id")]
        selected_columns = ", ".join("?" if column == id_column(name) else column for column in copied_columns)
        database.execute(
            f"INSERT INTO {name} ({', '.join(copied_columns)}) SELECT {selected_columns} FROM {name} "
            f"WHERE {id_column(name)} = ?",
            (copy_id, table),
        )


def damage_rows(database, table, name, column, value):
    rows = database.execute(f"SELECT rowid FROM {name} WHERE {id_column(name)} = ?", (table,)).fetchall()
    for row in rows[: 1 if "seat" in column else None]:
        database.execute(f"UPDATE OR IGNORE {name} SET {column} = {value} WHERE rowid = ?", row)


def damage_copies(database, table):
    """Copy a table once for each wrong value, and return the copies by damage."""
    copies = {}
    for name in TABLE_NAMES:
        for column in columns(database, name):
            for value in WRONG_VALUES if column not in ("id", "table_id") else ():
                copies[name, column, value] = copy_id = f"{table[:3]}{len(copies):05}"
                copy(database, table, copy_id)
                damage_rows(database, copy_id, name, column, value)
    return copies


def all_rows(database):
    database.text_factory = bytes
    return [database.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in TABLE_NAMES]


@pytest.mark.parametrize("status", ["playing", "over"])
def test_a_damaged_row_affects_only_its_table(tmp_path, status):
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")

        def open_table():
            table = ada.open("me", "local", clock={"minutes": 10, "seconds": 10}, options=SECRET_BIDS)
            move(ada, table)
            return table

        table = open_table()
        while status == "over" and not ada.view(table, 0)["over"]:
            move(ada, table)
        damaged_tables = {damage: open_table() for damage in REPORTED_DAMAGE}
        undamaged_table = ben.open("me", "local")
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        [(guest, started_at)] = database.execute(
            "SELECT guest_id, started_at FROM seat JOIN game_table ON id = table_id WHERE table_id = ? AND seat = 0",
            (table,),
        )
        database.execute(
            "INSERT INTO clock_pause (table_id, seat, started_at, ended_at) VALUES (?, 0, ?, ?)",
            (table, started_at, started_at + 1),
        )
        database.execute(
            "INSERT INTO chat_message VALUES (?, 0, ?, ?, 0, 'Ada', NULL, 'Well')", (table, started_at, guest)
        )
        database.execute("INSERT INTO pending_notification VALUES (?, ?, 1)", (table, guest))
        database.execute("INSERT INTO review VALUES (?, 1, '{}')", (table,))
        copies = damage_copies(database, table)
        for damage, table_id in damaged_tables.items():
            damage_rows(database, table_id, *damage)
        database.commit()
        rows = all_rows(database)
    data_option = ["--data", str(tmp_path)]
    backup = CliRunner().invoke(main, ["backup", str(tmp_path / "copy"), *data_option])
    assert backup.exit_code == 0, backup.output
    with closing(sqlite3.connect(tmp_path / "copy")) as database:
        assert all_rows(database) == rows
    doctor_output = CliRunner().invoke(main, ["doctor", *data_option]).stdout
    with Server(tmp_path, port=server.port) as server:
        for guest in (ada, ben, server.guest()):
            for path in ("/api/tables", "/api/me/games", "/api/me/export"):
                assert guest.get(path).status == 200, path
        export = [json.loads(line) for line in ada.get("/api/me/export").body.splitlines()]
        half_damaged = damaged_tables["journal", "move", "'x'"]
        assert [line["moves"] for line in export if line.get("table") == half_damaged] == [[]]
        for damage, table_id in [*copies.items(), *damaged_tables.items()]:
            for path in ("/view?seat=0", "/chat", "/replay", "/record"):
                response = ada.get(f"/api/tables/{table_id}{path}")
                assert response.status < 500 or response.error == "error-damaged", (damage, path)
        for damage, table_id in damaged_tables.items():
            assert f"table {table_id} (" in doctor_output, damage
            assert ada.get(f"/api/tables/{table_id}/view?seat=0").error == "error-damaged", damage
            assert sum(f": table {table_id} is damaged" in line for line in server.log) == 1, damage
        assert any(": entry " in line and f" of table {half_damaged} is damaged" in line for line in server.log)
        left_out = [line.partition("ERROR")[2] for line in server.log if "is damaged and left out" in line]
        assert len({*left_out}) == len(left_out)
        move(ben, undamaged_table)
        assert ada.request("DELETE", "/api/me").status == 200
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
        assert server.stop() == 0


DAMAGE_OUTSIDE_GAMES = [  # data beside the games: SQL, and the doctor's message
    ("UPDATE chat_message SET seat = 'x' WHERE text = 'first'", "a chat message: Expected `int | null`"),
    (f"UPDATE chat_message SET text = {NO_UTF_8} WHERE text = 'first'", "a chat message: Expected `str | null`"),
    ("UPDATE chat_message SET canned_message = 'x' WHERE text = 'first'", "a chat message: Invalid enum value"),
    (
        "UPDATE notification_setting SET webhook_url = x'ff00' WHERE guest_id = :ada",
        "a notification setting: Expected `str | null`",
    ),
    (f"UPDATE guest SET name = {NO_UTF_8} WHERE id = :ada", "a guest's name: Expected `str`"),
    (
        "UPDATE clock_pause SET started_at = 'x' WHERE table_id IS NULL",
        "a period in which the server was closed: Expected `int`",
    ),
    (
        "UPDATE clock_pause SET started_at = 1.5 WHERE table_id IS NULL",
        "a period in which the server was closed: Expected `int`",
    ),
    (
        "UPDATE clock_pause SET seat = 'x' WHERE table_id IS NULL",
        "a period in which the server was closed: Expected `int",
    ),
]


@pytest.mark.parametrize(("statement", "message"), DAMAGE_OUTSIDE_GAMES)
def test_damaged_data_beside_the_games_affects_no_game(tmp_path, statement, message):
    settings = {"COURTLY_ADDRESS": "https://games.example"}
    with Server(tmp_path, **settings) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        me = ada.get("/api/me").json["id"]
        table = ada.open("me", "local", clock={"minutes": 10, "seconds": 10})
        for text in ("first", "second"):
            assert ada.command(table, "chat", {"text": text}).status == 200
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        database.execute("INSERT INTO clock_pause (started_at, ended_at) VALUES (1, 2)")  # the server was down once
        database.execute(
            "INSERT INTO notification_setting VALUES (?, 'en', NULL, 0, 'https://hook.example/', 'json', 0)", (me,)
        )
        assert database.execute(statement, {"ada": me} if ":ada" in statement else {}).rowcount
        database.commit()
    doctor = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)], env={"COURTLY_DATABASE": None})
    assert doctor.exit_code == 1 and message in doctor.stdout, doctor.output
    with Server(tmp_path, port=server.port, **settings) as server:
        for guest in (ada, ben):
            for path in ("me", "me/notifications", "me/games", "me/export", "tables", f"tables/{table}"):
                assert guest.get(f"/api/{path}").status == 200, path
            messages = guest.get(f"/api/tables/{table}/chat").json["messages"]
            assert [message["text"] for message in messages] == (
                ["second"] if "chat_message" in statement else ["first", "second"]
            )
        view = next(view for seat in (0, 1) if (view := ada.view(table, seat))["legal"])
        assert ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
        assert server.stop() == 0


def test_a_truncated_journal_is_not_played_on(tmp_path):
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        tables = [ada.open("me", "local") for _ in range(2)]
        for table in tables:
            for seat in (0, 1):
                view = ada.view(table, seat)
                assert ada.play(table, seat, view["seq"], view["legal"][0]["id"]).status == 200
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        last = "(SELECT max(ply) FROM journal WHERE table_id = ?)"
        database.execute(f"DELETE FROM journal WHERE table_id = ? AND ply = {last}", (tables[0], tables[0]))
        database.execute("DELETE FROM journal WHERE table_id = ?", (tables[1],))
        database.commit()
    with Server(tmp_path, port=server.port) as server:
        for table in tables:
            assert ada.get(f"/api/tables/{table}/view?seat=0").error == "error-damaged"
        wait_until(lambda: all(any(table in line for line in server.log) for table in tables))

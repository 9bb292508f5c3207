"""A damaged database row makes its own table unavailable, and no other."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from guests import SECRET_BIDS, Server, until

from courtly.cli import main

NO_UTF_8 = "CAST(x'ff00' AS TEXT)"
WRONG = ["'x'", NO_UTF_8, "-1", "1.5", str(2**62)]  # as SQL
OF_TABLES = (
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
MUST_BE_TOLD = [  # reported for a table in progress
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


def key(name):
    return "id" if name == "game_table" else "table_id"


def copy(database, table, new):
    """Copy the table under another id. Its draws would differ, so it is stored but cannot be played on."""
    for name in OF_TABLES:
        kept = [column for column in columns(database, name) if (name, column) != ("clock_pause", "id")]
        taken = ", ".join("?" if column == key(name) else column for column in kept)
        database.execute(
            f"INSERT INTO {name} ({', '.join(kept)}) SELECT {taken} FROM {name} WHERE {key(name)} = ?", (new, table)
        )


def harm(database, table, name, column, wrong):
    rows = database.execute(f"SELECT rowid FROM {name} WHERE {key(name)} = ?", (table,)).fetchall()
    for row in rows[: 1 if "seat" in column else None]:
        database.execute(f"UPDATE OR IGNORE {name} SET {column} = {wrong} WHERE rowid = ?", row)


def harm_copies(database, table):
    """Copy a table once for each wrong value, and return the copies by what is wrong."""
    harmed = {}
    for name in OF_TABLES:
        for column in columns(database, name):
            for wrong in WRONG if column not in ("id", "table_id") else ():
                harmed[name, column, wrong] = new = f"{table[:3]}{len(harmed):05}"
                copy(database, table, new)
                harm(database, new, name, column, wrong)
    return harmed


def everything(database):
    database.text_factory = bytes
    return [database.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in OF_TABLES]


@pytest.mark.parametrize("status", ["playing", "over"])
def test_a_damaged_row_affects_only_its_table(tmp_path, status):
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")

        def opened():
            table = ada.open("me", "local", clock={"minutes": 10, "seconds": 10}, options=SECRET_BIDS)
            move(ada, table)
            return table

        table = opened()
        while status == "over" and not ada.view(table, 0)["over"]:
            move(ada, table)
        played = {damage: opened() for damage in MUST_BE_TOLD}
        whole = ben.open("me", "local")
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        [(guest, at)] = database.execute(
            "SELECT guest_id, started_at FROM seat JOIN game_table ON id = table_id WHERE table_id = ? AND seat = 0",
            (table,),
        )
        database.execute(
            "INSERT INTO clock_pause (table_id, seat, started_at, ended_at) VALUES (?, 0, ?, ?)", (table, at, at + 1)
        )
        database.execute("INSERT INTO chat_message VALUES (?, 0, ?, ?, 0, 'Ada', NULL, 'Well')", (table, at, guest))
        database.execute("INSERT INTO pending_notification VALUES (?, ?, 1)", (table, guest))
        database.execute("INSERT INTO review VALUES (?, 1, '{}')", (table,))
        copies = harm_copies(database, table)
        for damage, there in played.items():
            harm(database, there, *damage)
        database.commit()
        rows = everything(database)
    house = ["--data", str(tmp_path)]
    copied = CliRunner().invoke(main, ["backup", str(tmp_path / "copy"), *house])
    assert copied.exit_code == 0, copied.output
    with closing(sqlite3.connect(tmp_path / "copy")) as database:
        assert everything(database) == rows
    found = CliRunner().invoke(main, ["doctor", *house]).stdout
    with Server(tmp_path, port=server.port) as server:
        for guest in (ada, ben, server.guest()):
            for path in ("/api/tables", "/api/me/games", "/api/me/export"):
                assert guest.get(path).status == 200, path
        exported = [json.loads(line) for line in ada.get("/api/me/export").body.splitlines()]
        half = played["journal", "move", "'x'"]
        assert [line["moves"] for line in exported if line.get("table") == half] == [[]]
        for damage, there in [*copies.items(), *played.items()]:
            for path in ("/view?seat=0", "/talk", "/replay", "/record"):
                answer = ada.get(f"/api/tables/{there}{path}")
                assert answer.status < 500 or answer.error == "error-damaged", (damage, path)
        for damage, there in played.items():
            assert f"table {there} (" in found, damage
            assert ada.get(f"/api/tables/{there}/view?seat=0").error == "error-damaged", damage
            assert sum(f": table {there} is damaged" in line for line in server.log) == 1, damage
        assert any(": entry " in line and f" of table {half} is damaged" in line for line in server.log)
        left_out = [line.partition("ERROR")[2] for line in server.log if "is damaged and left out" in line]
        assert len({*left_out}) == len(left_out)
        move(ben, whole)
        assert ada.ask("DELETE", "/api/me").status == 200
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
        assert server.stop() == 0


BESIDE = [  # data beside the games: SQL, and the doctor's message
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


@pytest.mark.parametrize(("harm", "said"), BESIDE)
def test_damaged_data_beside_the_games_affects_no_game(tmp_path, harm, said):
    told = {"COURTLY_ADDRESS": "https://games.example"}
    with Server(tmp_path, **told) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        me = ada.get("/api/me").json["id"]
        table = ada.open("me", "local", clock={"minutes": 10, "seconds": 10})
        for text in ("first", "second"):
            assert ada.at(table, "talk", {"text": text}).status == 200
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        database.execute("INSERT INTO clock_pause (started_at, ended_at) VALUES (1, 2)")  # the server was down once
        database.execute(
            "INSERT INTO notification_setting VALUES (?, 'en', NULL, 0, 'https://hook.example/', 'json', 0)", (me,)
        )
        assert database.execute(harm, {"ada": me} if ":ada" in harm else {}).rowcount
        database.commit()
    found = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)], env={"COURTLY_DATABASE": None})
    assert found.exit_code == 1 and said in found.stdout, found.output
    with Server(tmp_path, port=server.port, **told) as server:
        for guest in (ada, ben):
            for path in ("me", "me/reach", "me/games", "me/export", "tables", f"tables/{table}"):
                assert guest.get(f"/api/{path}").status == 200, path
            sayings = guest.get(f"/api/tables/{table}/talk").json["sayings"]
            assert [one["text"] for one in sayings] == (["second"] if "chat_message" in harm else ["first", "second"])
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
        until(lambda: all(any(table in line for line in server.log) for table in tables))

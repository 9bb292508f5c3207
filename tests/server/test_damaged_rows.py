"""A row of the database that says nonsense takes its own table out, and nobody else's."""

import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from guests import Server, until

from courtly.cli import main

WRONG = ["x", b"\xff\x00", "{", "[1]", '{"minutes": "x"}', -1, 1.5, 2**62]
UNREADABLE = [  # that must be told of
    ("game_table", "options", "{"),
    ("game_table", "options", "[1]"),
    ("game_table", "secret", "xyz"),
    ("game_table", "secret", "ab"),
    ("game_table", "clock", "{"),
    ("game_table", "clock", '{"minutes": "x"}'),
    ("game_table", "created", "x"),
    ("game_table", "game", b"\xff\x00"),
    ("seat", "kind", "xx"),
    ("seat", "colour", "zz"),
    ("seat", "name", b"\xff\x00"),
    ("journal", "move", "x"),
    ("journal", "at", "x"),
]


def columns(database):
    """Those of tables that belong to one game, without what says to which."""
    for name in ("game_table", "seat", "journal", "result", "submission", "still"):
        for _, column, *_ in database.execute(f"PRAGMA table_info({name})"):
            if column not in ("id", "table_id", "seat", "ply", "guest", "key"):
                yield name, column


def test_damage_is_one_tables_trouble(tmp_path):
    clock = {"minutes": 10, "seconds": 10}
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        harmed = {}
        with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
            wanted = [*UNREADABLE, *((*column, wrong) for column in columns(database) for wrong in WRONG)]
        for damage in wanted[:100]:
            harmed[damage] = ada.open("me", "local", clock=clock)
            view = next(view for seat in (0, 1) if (view := ada.view(harmed[damage], seat))["legal"])
            ada.play(harmed[damage], view["seat"], view["seq"], view["legal"][0]["id"])
        whole = ben.open("me", "local")
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        for (name, column, wrong), table in harmed.items():
            database.execute(
                f"UPDATE {name} SET {column} = ? WHERE {'id' if name == 'game_table' else 'table_id'} = ?",
                (wrong, table),
            )
        database.commit()
    with Server(tmp_path, port=server.port) as server:
        for guest in (ada, ben, server.guest()):
            assert guest.get("/api/tables").status == 200
            assert guest.get("/api/me/games").status == 200
        for table in harmed.values():
            ada.get(f"/api/tables/{table}")
            ada.get(f"/api/tables/{table}/view?seat=0")
        for damage in UNREADABLE:
            assert ada.get(f"/api/tables/{harmed[damage]}/view?seat=0").error == "error-damaged", damage
        view = next(view for seat in (0, 1) if (view := ben.view(whole, seat))["legal"])
        assert ben.play(whole, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
        assert server.stop() == 0


BESIDE = [  # of what is kept beside the games: SQL, and what the doctor says of it
    ("UPDATE saying SET seat = 'x' WHERE text = 'first'", "a message: Expected `int | null`"),
    ("UPDATE saying SET text = x'ff00' WHERE text = 'first'", "a message: Expected `str | null`"),
    ("UPDATE saying SET courtesy = 'x' WHERE text = 'first'", "a message: Invalid enum value"),
    ("UPDATE reach SET hook = x'ff00' WHERE guest = :ada", "how a guest wants to be told: Expected `str | null`"),
    ("UPDATE guest SET name = x'ff00' WHERE id = :ada", "a guest's name: Expected `str`"),
    ("UPDATE still SET since = 'x' WHERE table_id IS NULL", "a time in which the server was closed: Expected `int`"),
    ("UPDATE still SET since = 1.5 WHERE table_id IS NULL", "a time in which the server was closed: Expected `int`"),
    ("UPDATE still SET seat = 'x' WHERE table_id IS NULL", "a time in which the server was closed: Expected `int"),
]


@pytest.mark.parametrize(("harm", "said"), BESIDE)
def test_what_is_kept_beside_the_games_harms_none_of_them(tmp_path, harm, said):
    told = {"COURTLY_ADDRESS": "https://games.example"}
    with Server(tmp_path, **told) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        me = ada.get("/api/me").json["id"]
        table = ada.open("me", "local", clock={"minutes": 10, "seconds": 10})
        for text in ("first", "second"):
            assert ada.at(table, "talk", {"text": text}).status == 200
        server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        database.execute("INSERT INTO still (since, until) VALUES (1, 2)")  # the server was closed once
        database.execute("INSERT INTO reach VALUES (?, 'en', NULL, 0, 'https://hook.example/', 'json', 0)", (me,))
        assert database.execute(harm, {"ada": me} if ":ada" in harm else {}).rowcount
        database.commit()
    found = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)], env={"COURTLY_DATABASE": None})
    assert found.exit_code == 1 and said in found.stdout, found.output
    with Server(tmp_path, port=server.port, **told) as server:
        for guest in (ada, ben):
            for path in ("/api/me", "/api/me/reach", "/api/me/games", "/api/tables", f"/api/tables/{table}"):
                assert guest.get(path).status == 200, path
            sayings = guest.get(f"/api/tables/{table}/talk").json["sayings"]
            assert [one["text"] for one in sayings] == (["second"] if "saying" in harm else ["first", "second"])
        view = next(view for seat in (0, 1) if (view := ada.view(table, seat))["legal"])
        assert ada.play(table, view["seat"], view["seq"], view["legal"][0]["id"]).status == 200
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
        assert server.stop() == 0


def test_a_journal_without_its_end_is_not_played_on(tmp_path):
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

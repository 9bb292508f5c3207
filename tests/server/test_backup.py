"""Backup, restore and check of a server's database, also while games are played."""

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

import pytest
from click.testing import CliRunner
from databases import POSTGRESQL, empty_database
from guests import Guest, Server
from sqlalchemy import text

from courtly.cli import main
from courtly.server.persistence.engine import open_database


def courtly(*words, **environment):
    """Run the command and return its exit code and output."""
    ended = CliRunner().invoke(main, [str(word) for word in words], env={"COURTLY_DATABASE": None, **environment})
    return ended.exit_code, ended.stdout + ended.stderr


def play(guest, table, times=1000):
    """Play moves of both seats and return the acknowledged ones."""
    made = []
    for _ in range(times):
        view = next((v for seat in (0, 1) if (v := guest.view(table, seat))["legal"]), None)
        if view is None:
            break
        move = view["legal"][0]["id"]
        assert guest.play(table, view["seat"], view["seq"], move).status == 200
        made.append((view["seat"], move))
    return made


def journal(address, table):
    engine = open_database(address)
    with engine.connect() as connection:
        wanted = "SELECT seat, move FROM journal WHERE table_id = :table AND seat >= 0 ORDER BY ply"
        found = [tuple(row) for row in connection.execute(text(wanted), {"table": table})]
    engine.dispose()
    return found


@POSTGRESQL
@pytest.mark.parametrize(("kind", "other"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_backup_while_games_are_played(tmp_path, kind, other):
    """Between any two kinds of database, the backup has all moves acknowledged before, and the game goes on."""
    file = tmp_path / "house.backup"
    address = empty_database(kind, tmp_path)
    with Server(tmp_path / "one", COURTLY_DATABASE=address) as server:
        ada = server.guest("Ada")
        table, done = ada.open("me", "local"), threading.Event()
        before = play(ada, table, 3)
        others = threading.Thread(target=lambda: [play(ben, ben.open("me", "local")) for _ in iter(done.is_set, True)])
        ben = server.guest("Ben")
        others.start()
        try:
            code, said = courtly("backup", file, COURTLY_DATABASE=address)
        finally:
            done.set()
            others.join()
        assert code == 0 and said.startswith(f"{file}: "), said
        play(ada, table)  # after the backup
        assert server.stop() == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("house")] == ["house.backup"]
    assert courtly("doctor", COURTLY_DATABASE=f"sqlite:///{file}")[0] == 0
    (tmp_path / "other").mkdir()
    there = empty_database(other, tmp_path / "other")
    code, said = courtly("restore", file, COURTLY_DATABASE=there)
    assert code == 0, said
    assert journal(there, table) == before
    with Server(tmp_path / "two", COURTLY_DATABASE=there) as server:
        again = Guest(server, cookie=False)
        again.cookie = ada.cookie
        assert again.get("/api/me").json["name"] == "Ada"
        assert play(again, table) and again.table(table)["status"] == "over"
        rounds = again.open("me", "bot", clock={"minutes": 5, "seconds": 15})  # sequence numbers continue
        assert again.at(rounds, "leave").status == 200
        assert server.stop() == 0
    code, said = courtly("restore", file, COURTLY_DATABASE=there)
    assert code == 1 and "the database is not empty: it has" in said and "Traceback" not in said
    assert courtly("doctor", COURTLY_DATABASE=there)[0] == 0


def test_existing_files_are_not_overwritten(tmp_path):
    code, said = courtly("backup", tmp_path / "new", "--data", tmp_path / "nothing")
    assert code == 1 and "courtly.db does not exist" in said and not (tmp_path / "nothing").exists()
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    (tmp_path / "old").write_text("mine")
    code, said = courtly("backup", tmp_path / "old", "--data", tmp_path)
    assert code == 1 and said == f"Error: {tmp_path / 'old'} exists already\n"
    assert (tmp_path / "old").read_text() == "mine"
    code, said = courtly("restore", tmp_path / "old", "--data", tmp_path / "made")
    assert code == 1 and said.startswith("Error: ") and "Nothing was changed" in said
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_the_output_names_the_database(tmp_path):
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    asked = ("doctor", "--data", tmp_path / "nothing")
    code, said = courtly(*asked, COURTLY_DATABASE=f"sqlite:///{tmp_path / 'courtly.db'}")
    assert code == 0 and "--data is ignored" in said and "0 tables" in said


@pytest.mark.parametrize("name", ["what?.db", "50%41.db", "a#b.db"])
def test_any_name_may_be_a_file(tmp_path, name):
    with Server(tmp_path / "a?house") as server:
        guest = server.guest("Ada")
        play(guest, guest.open("local", "local"), 5)
        assert server.stop() == 0
    assert courtly("backup", tmp_path / name, "--data", tmp_path / "a?house")[0] == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["a?house", name])
    code, said = courtly("restore", tmp_path / name, "--data", tmp_path / "an%41other?")
    assert code == 0 and "1 tables, " in said and " 0 moves" not in said
    assert (tmp_path / "an%41other?" / "courtly.db").exists()
    assert courtly("doctor", "--data", tmp_path / "an%41other?")[0] == 0


def test_an_empty_backup_is_not_restored(tmp_path):
    (tmp_path / "empty.db").touch()
    code, said = courtly("restore", tmp_path / "empty.db", "--data", tmp_path / "new")
    assert code == 1 and "empty.db is not a backup" in said
    assert not (tmp_path / "new" / "courtly.db").exists()


def test_copying_the_file_alone_is_not_enough(tmp_path):
    """The newest moves are in another file, so there is a command."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        play(ada, table, 2)
        (tmp_path / "copy.db").write_bytes((tmp_path / "courtly.db").read_bytes())
        with closing(sqlite3.connect(tmp_path / "copy.db")) as copy, pytest.raises(sqlite3.OperationalError):
            copy.execute("SELECT * FROM journal").fetchall()
        assert courtly("backup", tmp_path / "whole", "--data", tmp_path)[0] == 0
        assert len(journal(f"sqlite:///{tmp_path / 'whole'}", table)) == 2
        server.kill()


HARM = {
    "another move": (
        "UPDATE journal SET move = 9999 WHERE table_id = :t"
        " AND ply = (SELECT MIN(ply) FROM journal WHERE table_id = :t AND seat >= 0)",
        "): the move is not legal",
    ),
    "a hole": ("DELETE FROM journal WHERE table_id = :t AND ply = 2", ", ply 2): this entry is missing"),
    "no end": (
        "DELETE FROM journal WHERE table_id = :t AND ply = (SELECT MAX(ply) FROM journal WHERE table_id = :t)",
        "): entries are missing: ",
    ),
    "another die": (
        "UPDATE game_table SET dice_secret = substr(dice_secret, 3) || '00' WHERE id = :t",
        "the random outcome is not the one that the source of chance gives",
    ),
    "another result": (
        "UPDATE result SET place = 3 - place WHERE table_id = :t",
        "): the stored results differ from those of the journal",
    ),
    "a missing seat": ("DELETE FROM seat WHERE table_id = :t AND seat = 1", "): expected 2 seats, found the seats [0]"),
    "other rules": (
        "UPDATE game_table SET version = 77, ended_at = NULL WHERE id = :t",
        "): the game started with version 77 of its rules, and version 1 is installed",
    ),
    "not over": (
        "UPDATE game_table SET ended_at = NULL WHERE id = :t",
        "): the journal ends the game, but the table is not marked as over",
    ),
    "no options": (
        "UPDATE game_table SET options = '{' WHERE id = :t",
        "): options, clock or secret cannot be read: JSONDecodeError",
    ),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A server's data with a finished game and one that waits for a player."""
    folder = tmp_path_factory.mktemp("finished")
    with Server(folder) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        ada.open("me", "open")
        play(ada, table)
        assert ada.table(table)["status"] == "over"
        assert server.stop() == 0
    return folder, table


@contextmanager
def changed(folder, copy):
    """A copy of this data, to be damaged."""
    shutil.copy(folder / "courtly.db", copy)
    with closing(sqlite3.connect(copy / "courtly.db", isolation_level=None)) as database:
        yield database


def test_an_undamaged_database(finished):
    folder, _ = finished
    before = (folder / "courtly.db").read_bytes()
    code, said = courtly("doctor", "--data", folder)
    assert (code, said.splitlines()[-1]) == (0, "2 tables, none damaged")
    assert (folder / "courtly.db").read_bytes() == before


@pytest.mark.parametrize("how", HARM)
def test_what_is_damaged_is_named(tmp_path, finished, how):
    folder, table = finished
    statement, said = HARM[how]
    with changed(folder, tmp_path) as db:
        assert db.execute(statement, {"t": table}).rowcount > 0
    code, lines = courtly("doctor", "--data", tmp_path)
    found = [line for line in lines.splitlines() if line.startswith("table ")]
    assert code == 1 and len(found) == 1 and found[0].startswith(f"table {table} (sealed_bids") and said in found[0]
    code, told = courtly("doctor", "--data", tmp_path, "--json")
    told = json.loads(told[told.index("{") :])
    assert code == 1 and (told["tables"], told["damaged"]) == (2, 1) and told["found"][0]["table"] == table


def test_a_finished_game_under_other_rules_is_no_damage(tmp_path, finished):
    folder, table = finished
    with changed(folder, tmp_path) as db:
        db.execute("UPDATE game_table SET version = 77 WHERE id = ?", [table])
    code, said = courtly("doctor", "--data", tmp_path)
    assert code == 0 and f"table {table}" in said and said.splitlines()[-1] == "2 tables, none damaged"


# --- error messages ---------------------------------------------------------------------------------------------------

SAYING = "my card is the jester"
WRONG_BYTES = f"UPDATE chat_message SET text = CAST(x'{SAYING.encode().hex()}ff' AS TEXT)"
WRONG_TYPE = f"UPDATE journal SET move = '{SAYING}'"


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
@pytest.mark.parametrize("wrong", [WRONG_BYTES, WRONG_TYPE], ids=["bytes", "type"])
def test_errors_about_a_damaged_backup_contain_no_stored_data(finished, tmp_path, kind, wrong):
    """The drivers' messages contain the value that they cannot read."""
    folder, table = finished
    with changed(folder, tmp_path) as database:
        database.execute("INSERT INTO chat_message VALUES (?, 0, 1, 'a', 0, 'Ada', NULL, 'hello')", [table])
        database.execute(wrong)
    (tmp_path / "other").mkdir()
    code, said = courtly("restore", tmp_path / "courtly.db", COURTLY_DATABASE=empty_database(kind, tmp_path / "other"))
    assert SAYING not in said and "Traceback" not in said
    if code:
        assert said.startswith("Error: the backup cannot be restored: ") and said.endswith("Nothing was changed.\n")
    for asked in (("doctor",), ("backup", tmp_path / "copy.db")):
        _, said = courtly(*asked, "--data", tmp_path)
        assert SAYING not in said and "Traceback" not in said


def test_a_database_that_cannot_be_read_is_not_called_damaged(tmp_path, monkeypatch):
    (tmp_path / "courtly.db").mkdir()
    for asked in (("doctor",), ("backup", tmp_path / "copy.db"), ("serve", "--no-browser", "--port", "0")):
        code, said = courtly(*asked, "--data", tmp_path)
        assert code == 1 and "courtly.db cannot be read: unable to open database file" in said, said
        assert "damaged" not in said and said.count("\n") == 1
    code, said = courtly("restore", __file__, "--data", tmp_path)
    assert code == 1 and "damaged" in said  # not a database


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ("CREATE TABLE other (x)", "is the database of another program"),
        ("CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('9999')", "a newer version"),
        (
            "CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('0016')",
            "before the first release",
        ),
        ("CREATE TABLE alembic_version (version_num)", "is damaged"),
        (None, "is damaged: file is not a database"),
    ],
)
def test_errors_about_a_backup_name_the_given_file(tmp_path, made, wrong):
    """The message does not name the working copy."""
    if made:
        with closing(sqlite3.connect(tmp_path / "of may.db")) as database:
            database.executescript(made)
    else:
        shutil.copy(__file__, tmp_path / "of may.db")
    code, said = courtly("restore", tmp_path / "of may.db", "--data", tmp_path / "new")
    assert code == 1 and wrong in said and said.count("\n") == 1, said
    assert re.search(rf"Error: (sqlite:///)?{tmp_path}/of may.db ", said), said
    assert not (tmp_path / "new" / "courtly.db").exists()


def test_a_backup_that_cannot_be_written_is_named_as_it_was_given(tmp_path):
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    code, said = courtly("backup", tmp_path / "none" / "of may.db", "--data", tmp_path)
    assert (code, said) == (1, f"Error: {tmp_path / 'none' / 'of may.db'}: No such file or directory\n")


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").touch()
    for asked in (("serve", "--no-browser", "--port", "0"), ("restore", __file__), ("doctor",)):
        code, said = courtly(*asked, "--data", tmp_path / "file")
        assert code == 1 and str(tmp_path / "file") in said and said.count("\n") == 1, said


def test_a_name_that_is_not_utf8_is_shown(tmp_path):
    """SQLAlchemy does not accept such a name."""
    odd = os.fsencode(tmp_path) + b"/odd\xff"
    try:
        os.mkdir(odd)
    except OSError:
        pytest.skip("this file system accepts only UTF-8 names, and the test needs another one")
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    for asked in (("serve", "--no-browser"), ("doctor",), ("backup", tmp_path / "copy"), ("restore", __file__)):
        code, said = courtly(*asked, "--data", os.fsdecode(odd))
        assert code == 1 and "/odd\\xff: the folder's name is not UTF-8" in said and said.count("\n") == 1, said
    file = os.fsdecode(odd + b"/copy\xff")
    code, said = courtly("backup", file, "--data", tmp_path)
    assert code == 1 and "copy\\xff: the name is not UTF-8" in said and os.listdir(odd) == []
    shutil.copy(tmp_path / "courtly.db", file)
    assert courtly("restore", file, "--data", tmp_path / "new")[0] == 0  # the working copy has another name


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full, which rejects all writes")
def test_a_full_output_device_gives_a_one_line_error(tmp_path):
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    for asked in (("games",), ("doctor", "--data", tmp_path)):
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-c", "from courtly.cli import main; main()", *map(str, asked)]
            ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert ended.returncode == 1 and ended.stderr.startswith("Error: cannot write the output: "), ended.stderr
        assert ended.stderr.count("\n") == 1

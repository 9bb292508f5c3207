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
from sqlalchemy.exc import OperationalError

from courtly.cli import main
from courtly.server.persistence import backup, integrity_check
from courtly.server.persistence.engine import open_database


def courtly(*arguments, **environment):
    """Run the command and return its exit code and output."""
    result = CliRunner().invoke(
        main, [str(argument) for argument in arguments], env={"COURTLY_DATABASE": None, **environment}
    )
    return result.exit_code, result.stdout + result.stderr


def play(guest, table, times=1000):
    """Play moves of both seats and return the acknowledged ones."""
    moves = []
    for _ in range(times):
        view = next((v for seat in (0, 1) if (v := guest.view(table, seat))["legal"]), None)
        if view is None:
            break
        move = view["legal"][0]["id"]
        assert guest.play(table, view["seat"], view["seq"], move).status == 200
        moves.append((view["seat"], move))
    return moves


def journal(address, table):
    engine = open_database(address)
    with engine.connect() as connection:
        query = "SELECT seat, move FROM journal WHERE table_id = :table AND seat >= 0 ORDER BY ply"
        rows = [tuple(row) for row in connection.execute(text(query), {"table": table})]
    engine.dispose()
    return rows


@POSTGRESQL
@pytest.mark.parametrize(("kind", "other"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_backup_while_games_are_played(tmp_path, kind, other):
    """Between any two kinds of database, the backup has all moves acknowledged before, and the game goes on."""
    file = tmp_path / "server.backup"
    address = empty_database(kind, tmp_path)
    with Server(tmp_path / "one", COURTLY_DATABASE=address) as server:
        ada = server.guest("Ada")
        table, backup_done = ada.open("me", "local"), threading.Event()
        moves_before_backup = play(ada, table, 3)
        other_games = threading.Thread(
            target=lambda: [play(ben, ben.open("me", "local")) for _ in iter(backup_done.is_set, True)]
        )
        ben = server.guest("Ben")
        other_games.start()
        try:
            code, output = courtly("backup", file, COURTLY_DATABASE=address)
        finally:
            backup_done.set()
            other_games.join()
        assert code == 0 and output.startswith(f"{file}: "), output
        play(ada, table)  # after the backup
        assert server.stop() == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("server")] == ["server.backup"]
    assert courtly("doctor", COURTLY_DATABASE=f"sqlite:///{file}")[0] == 0
    (tmp_path / "other").mkdir()
    restored_address = empty_database(other, tmp_path / "other")
    code, output = courtly("restore", file, COURTLY_DATABASE=restored_address)
    assert code == 0, output
    assert journal(restored_address, table) == moves_before_backup
    with Server(tmp_path / "two", COURTLY_DATABASE=restored_address) as server:
        restored_guest = Guest(server, cookie=False)
        restored_guest.cookie = ada.cookie
        assert restored_guest.get("/api/me").json["name"] == "Ada"
        assert play(restored_guest, table) and restored_guest.table(table)["status"] == "over"
        clock_table = restored_guest.open("me", "bot", clock={"minutes": 5, "seconds": 15})  # sequence numbers continue
        assert restored_guest.command(clock_table, "leave").status == 200
        assert server.stop() == 0
    code, output = courtly("restore", file, COURTLY_DATABASE=restored_address)
    assert code == 1 and "the database is not empty: it has" in output and "Traceback" not in output
    assert courtly("doctor", COURTLY_DATABASE=restored_address)[0] == 0


def test_existing_files_are_not_overwritten(tmp_path):
    code, output = courtly("backup", tmp_path / "new", "--data", tmp_path / "nothing")
    assert code == 1 and "courtly.db does not exist" in output and not (tmp_path / "nothing").exists()
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    (tmp_path / "old").write_text("mine")
    code, output = courtly("backup", tmp_path / "old", "--data", tmp_path)
    assert code == 1 and output == f"Error: {tmp_path / 'old'} exists already\n"
    assert (tmp_path / "old").read_text() == "mine"
    code, output = courtly("restore", tmp_path / "old", "--data", tmp_path / "other")
    assert code == 1 and output.startswith("Error: ") and "Nothing was changed" in output
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_the_output_names_the_database(tmp_path):
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    arguments = ("doctor", "--data", tmp_path / "nothing")
    code, output = courtly(*arguments, COURTLY_DATABASE=f"sqlite:///{tmp_path / 'courtly.db'}")
    assert code == 0 and "--data is ignored" in output and "0 tables" in output


@pytest.mark.parametrize("name", ["what?.db", "50%41.db", "a#b.db"])
def test_names_of_database_files_may_contain_url_characters(tmp_path, name):
    with Server(tmp_path / "a?server") as server:
        guest = server.guest("Ada")
        play(guest, guest.open("local", "local"), 5)
        assert server.stop() == 0
    assert courtly("backup", tmp_path / name, "--data", tmp_path / "a?server")[0] == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["a?server", name])
    code, output = courtly("restore", tmp_path / name, "--data", tmp_path / "an%41other?")
    assert code == 0 and "1 tables, " in output and " 0 moves" not in output
    assert (tmp_path / "an%41other?" / "courtly.db").exists()
    assert courtly("doctor", "--data", tmp_path / "an%41other?")[0] == 0


def test_an_empty_backup_is_not_restored(tmp_path):
    (tmp_path / "empty.db").touch()
    code, output = courtly("restore", tmp_path / "empty.db", "--data", tmp_path / "new")
    assert code == 1 and "empty.db is not a backup" in output
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


DAMAGES = {
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
def finished_game_data(tmp_path_factory):
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
def damaged_copy(folder, copy):
    """A copy of this data, to be damaged."""
    shutil.copy(folder / "courtly.db", copy)
    with closing(sqlite3.connect(copy / "courtly.db", isolation_level=None)) as database:
        yield database


def test_the_doctor_finds_no_damage_in_an_undamaged_database(finished_game_data):
    folder, _ = finished_game_data
    content_before = (folder / "courtly.db").read_bytes()
    code, output = courtly("doctor", "--data", folder)
    assert (code, output.splitlines()[-1]) == (0, "2 tables, none damaged")
    assert (folder / "courtly.db").read_bytes() == content_before


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_doctor_names_the_damaged_table_and_the_damage(tmp_path, finished_game_data, damage):
    folder, table = finished_game_data
    statement, message = DAMAGES[damage]
    with damaged_copy(folder, tmp_path) as db:
        assert db.execute(statement, {"t": table}).rowcount > 0
    code, output = courtly("doctor", "--data", tmp_path)
    reports = [line for line in output.splitlines() if line.startswith("table ")]
    assert (
        code == 1
        and len(reports) == 1
        and reports[0].startswith(f"table {table} (sealed_bids")
        and message in reports[0]
    )
    code, output = courtly("doctor", "--data", tmp_path, "--json")
    report = json.loads(output[output.index("{") :])
    assert code == 1 and (report["tables"], report["damaged"]) == (2, 1) and report["findings"][0]["table"] == table


def test_a_finished_game_under_other_rules_is_no_damage(tmp_path, finished_game_data):
    folder, table = finished_game_data
    with damaged_copy(folder, tmp_path) as db:
        db.execute("UPDATE game_table SET version = 77 WHERE id = ?", [table])
    code, output = courtly("doctor", "--data", tmp_path)
    assert code == 0 and f"table {table}" in output and output.splitlines()[-1] == "2 tables, none damaged"


# --- error messages ---------------------------------------------------------------------------------------------------

STORED_TEXT = "my card is the jester"
WRONG_BYTES = f"UPDATE chat_message SET text = CAST(x'{STORED_TEXT.encode().hex()}ff' AS TEXT)"
WRONG_TYPE = f"UPDATE journal SET move = '{STORED_TEXT}'"


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
@pytest.mark.parametrize("damage", [WRONG_BYTES, WRONG_TYPE], ids=["bytes", "type"])
def test_errors_about_a_damaged_backup_contain_no_stored_data(finished_game_data, tmp_path, kind, damage):
    """The drivers' messages contain the value that they cannot read."""
    folder, table = finished_game_data
    with damaged_copy(folder, tmp_path) as database:
        database.execute("INSERT INTO chat_message VALUES (?, 0, 1, 'a', 0, 'Ada', NULL, 'hello')", [table])
        database.execute(damage)
    (tmp_path / "other").mkdir()
    code, output = courtly(
        "restore", tmp_path / "courtly.db", COURTLY_DATABASE=empty_database(kind, tmp_path / "other")
    )
    assert STORED_TEXT not in output and "Traceback" not in output
    if code:
        assert output.startswith("Error: the backup cannot be restored: ") and output.endswith("Nothing was changed.\n")
    for arguments in (("doctor",), ("backup", tmp_path / "copy.db")):
        _, output = courtly(*arguments, "--data", tmp_path)
        assert STORED_TEXT not in output and "Traceback" not in output


def test_a_database_that_cannot_be_read_is_not_called_damaged(tmp_path, monkeypatch):
    (tmp_path / "courtly.db").mkdir()
    for arguments in (("doctor",), ("backup", tmp_path / "copy.db"), ("serve", "--no-browser", "--port", "0")):
        code, output = courtly(*arguments, "--data", tmp_path)
        assert code == 1 and "courtly.db cannot be read: unable to open database file" in output, output
        assert "damaged" not in output and output.count("\n") == 1
    code, output = courtly("restore", __file__, "--data", tmp_path)
    assert code == 1 and "damaged" in output  # not a database


@pytest.mark.parametrize(
    ("schema", "message"),
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
def test_errors_about_a_backup_name_the_given_file(tmp_path, schema, message):
    """The message does not name the working copy."""
    if schema:
        with closing(sqlite3.connect(tmp_path / "of may.db")) as database:
            database.executescript(schema)
    else:
        shutil.copy(__file__, tmp_path / "of may.db")
    code, output = courtly("restore", tmp_path / "of may.db", "--data", tmp_path / "new")
    assert code == 1 and message in output and output.count("\n") == 1, output
    assert re.search(rf"Error: (sqlite:///)?{tmp_path}/of may.db ", output), output
    assert not (tmp_path / "new" / "courtly.db").exists()


def test_a_backup_that_cannot_be_written_is_named_as_it_was_given(tmp_path):
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    code, output = courtly("backup", tmp_path / "none" / "of may.db", "--data", tmp_path)
    assert (code, output) == (1, f"Error: {tmp_path / 'none' / 'of may.db'}: No such file or directory\n")


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").touch()
    for arguments in (("serve", "--no-browser", "--port", "0"), ("restore", __file__), ("doctor",)):
        code, output = courtly(*arguments, "--data", tmp_path / "file")
        assert code == 1 and str(tmp_path / "file") in output and output.count("\n") == 1, output


def test_a_name_that_is_not_utf8_is_shown(tmp_path):
    """SQLAlchemy does not accept such a name."""
    folder_name = os.fsencode(tmp_path) + b"/odd\xff"
    try:
        os.mkdir(folder_name)
    except OSError:
        pytest.skip("this file system accepts only UTF-8 names, and the test needs another one")
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    for arguments in (("serve", "--no-browser"), ("doctor",), ("backup", tmp_path / "copy"), ("restore", __file__)):
        code, output = courtly(*arguments, "--data", os.fsdecode(folder_name))
        assert code == 1 and "/odd\\xff: the folder's name is not UTF-8" in output and output.count("\n") == 1, output
    file = os.fsdecode(folder_name + b"/copy\xff")
    code, output = courtly("backup", file, "--data", tmp_path)
    assert code == 1 and "copy\\xff: the name is not UTF-8" in output and os.listdir(folder_name) == []
    shutil.copy(tmp_path / "courtly.db", file)
    assert courtly("restore", file, "--data", tmp_path / "new")[0] == 0  # the working copy has another name


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full, which rejects all writes")
def test_a_full_output_device_gives_a_one_line_error(tmp_path):
    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    for arguments in (("games",), ("doctor", "--data", tmp_path)):
        with open("/dev/full", "w", encoding="utf-8") as full:
            command = [sys.executable, "-c", "from courtly.cli import main; main()", *map(str, arguments)]
            process = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert process.returncode == 1 and process.stderr.startswith("Error: cannot write the output: "), process.stderr
        assert process.stderr.count("\n") == 1


def test_a_database_that_cannot_be_read_to_its_end_is_reported(tmp_path, monkeypatch):
    def refuse(*_):
        raise OperationalError("SELECT secret", {}, Exception("disk I/O error"))

    open_database(f"sqlite:///{tmp_path / 'courtly.db'}").dispose()
    monkeypatch.setattr(backup, "_copy_rows", refuse)
    monkeypatch.setattr(integrity_check, "examine_rest", refuse)
    assert courtly("backup", tmp_path / "copy.db", "--data", tmp_path) == (
        1,
        "Error: the database cannot be copied: OperationalError: disk I/O error\n",
    )
    assert not list(tmp_path.glob("copy*"))
    message = "Error: the database cannot be read: OperationalError: disk I/O error\n"
    assert courtly("doctor", "--data", tmp_path) == (1, message)

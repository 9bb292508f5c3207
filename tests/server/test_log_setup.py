"""The log: every line has a time and a level, and no line contains confidential data."""

import json
import logging
import re
import socket
import sqlite3
import time
from contextlib import closing

import pytest
from guests import Server, wait_until
from sqlalchemy.exc import DataError, IntegrityError, OperationalError

from courtly.server.observability.log_setup import JsonFormatter, RepeatFilter, TextFormatter, database_reason

LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (DEBUG|INFO|WARNING|ERROR) [a-z.]+: \S.*")


def failure_record():
    """Return the log's rendering of an exception with a cause."""
    try:
        try:
            raise KeyError("the queen of hearts")
        except KeyError as cause:
            raise LookupError("the jester") from cause
    except LookupError as error:
        return logging.LogRecord(
            "courtly.server",
            logging.ERROR,
            "x.py",
            1,
            "table %s\nfuture: <the jester>",
            ("t1",),
            (type(error), error, None),
        )


def test_an_exception_is_logged_without_its_message():
    as_text, as_json = TextFormatter().format(failure_record()), json.loads(JsonFormatter().format(failure_record()))
    assert LOG_LINE.fullmatch(as_text.splitlines()[0]) and as_text.splitlines()[0].endswith("courtly.server: table t1")
    assert {"level": "ERROR", "logger": "courtly.server", "message": "table t1"}.items() <= as_json.items()
    for text in (as_text, as_json["trace"]):
        assert "KeyError" in text and "LookupError" in text and "test_log_setup.py" in text
        assert text.count("Traceback") == 2 and not re.search("hearts\n|<the jester|: the jester|'the jester'$", text)


ESCAPES = {
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\x1b[2J": "\\u001b[2J",
    "\x9b2J": "\\u009b2J",
    "\u202e": "\\u202e",
    "\u2028": "\\u2028",
    "\udcff": "\\udcff",
    "王": "王",
}


@pytest.mark.parametrize("character", ESCAPES)
def test_external_text_is_escaped_and_starts_no_entry(character):
    record = logging.LogRecord("courtly.server", logging.WARNING, "x.py", 1, "a name: %s.", (f"a{character}b",), None)
    expected = f"a name: a{ESCAPES[character]}b."
    assert TextFormatter().format(record).partition("courtly.server: ")[2] == expected
    assert json.loads(JsonFormatter().format(record))["message"] == expected


def test_a_traceback_has_lines_and_no_control_characters(tmp_path):
    try:
        exec(compile("1 / 0", "a\x1b[2J.py", "exec"))
    except ZeroDivisionError as error:
        error_info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("courtly.server", logging.ERROR, "x.py", 1, "it fails", (), error_info)
    output = TextFormatter().format(record)
    assert "a\\u001b[2J.py" in output and "\x1b" not in output and len(output.splitlines()) > 2


def test_a_repeated_failure_is_logged_once_a_minute(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    repeats = RepeatFilter()

    def log(level, message, *args):
        record = logging.LogRecord("courtly.server", level, "x.py", 1, message, args, None)
        return record.getMessage() if repeats.filter(record) else None

    assert log(logging.ERROR, "no room for %s", "a") == "no room for a"
    assert [log(logging.ERROR, "no room for %s", "a") for _ in range(3)] == [None] * 3
    assert log(logging.ERROR, "no room for %s", "b") and log(logging.WARNING, "hurry")
    assert [log(logging.INFO, "the game begins") for _ in range(2)] == ["the game begins"] * 2
    now[0] = 61.0
    assert log(logging.ERROR, "no room for %s", "a") == "no room for a (and 3 times before)"
    assert log(logging.ERROR, "no room for %s", "a") is None
    for n in range(2 * RepeatFilter.KNOWN):
        log(logging.ERROR, "%d", n)
    assert len(repeats._repeats) == RepeatFilter.KNOWN


def test_database_errors_are_logged_without_parameters():
    error = IntegrityError(
        "INSERT INTO seat VALUES (?)",
        {"secret": "c0ffee"},
        Exception("duplicate key\nDETAIL: Key (secret)=(c0ffee) already exists."),
    )
    assert database_reason(error) == "IntegrityError: duplicate key"


def test_driver_errors_are_logged_without_stored_values():
    with closing(sqlite3.connect(":memory:")) as database:
        with pytest.raises(sqlite3.OperationalError) as unreadable:
            database.execute("SELECT CAST(x'6a6573746572ff' AS TEXT)").fetchall()
        with pytest.raises(sqlite3.OperationalError) as missing:
            database.execute("SELECT * FROM hand")
    assert "jester" in str(unreadable.value)
    assert database_reason(OperationalError("", {}, unreadable.value)) == "OperationalError"
    assert database_reason(OperationalError("", {}, missing.value)) == "OperationalError: no such table: hand"

    class InvalidTextError(Exception):
        sqlstate = "22P02"

    class DiskFullError(Exception):
        sqlstate = "53100"

    error = DataError("", {}, InvalidTextError('invalid input syntax for type integer: "the jester"'))
    assert database_reason(error) == "DataError: InvalidTextError (22P02)"
    assert database_reason(OperationalError("", {}, DiskFullError("could not extend file"))) == (
        "OperationalError: could not extend file"
    )


@pytest.mark.parametrize("as_json", ["0", "1"])
def test_the_debug_log_of_a_game_contains_no_confidential_data(tmp_path, as_json):
    """At the debug level, every line has a time and a level, and no line contains a cookie, a ticket, a name, a nonce
    or a secret.
    """
    with Server(tmp_path, COURTLY_LOG_LEVEL="debug", COURTLY_LOG_JSON=as_json) as server:
        ada, ben = server.guest("Ada Lovelace"), server.guest("Benedetta")
        table = ada.open("me", "open")
        ben.command(table, "sit", {"nonce": "ab" * 16})
        ticket = ada.command(table, "seat-link", {"seat": 0}).json["path"].rpartition("/")[2]
        with ada.connect(table) as connection:
            connection.play(connection.view())
            connection.wait("done")
            while ada.table(table)["status"] != "over":
                for seat, guest in enumerate((ada, ben)):
                    view = guest.view(table, seat)
                    if view["legal"]:
                        guest.play(table, seat, view["seq"], view["legal"][-1]["id"])
        secret = ada.table(table)["secret"]
        assert ada.get("/api/nothing").status == 404
        assert server.stop() == 0
        wait_until(lambda: any("closed" in line for line in server.log))
    if as_json == "1":
        entries = [json.loads(line) for line in server.log]
        assert all(entry.keys() - {"request"} == {"time", "level", "logger", "message"} for entry in entries)
    else:
        assert all(LOG_LINE.fullmatch(line.rstrip("\n")) for line in server.log), server.log
    log = "".join(server.log)
    for expected in (
        "listening at",
        f"table {table} opened: game=sealed_bids players=2",
        f"table {table}: the game begins",
        f"table {table}: the game is over",
        "closed",
    ):
        assert expected in log
    for confidential in (
        ada.cookie,
        ada.cookie.partition("=")[2],
        ben.cookie.partition("=")[2],
        ticket,
        "Lovelace",
        "Benedetta",
        "ab" * 16,
        secret,
        "hello",
    ):
        assert confidential not in log


def test_a_server_without_errors_logs_nothing(tmp_path):
    with Server(tmp_path) as server:
        server.guest().open("me", "local")
        assert server.stop() == 0
    assert server.log == []


def test_an_unknown_level_is_rejected(tmp_path):
    with pytest.raises(AssertionError, match="'loud'.*debug, info, warning, error"):
        Server(tmp_path, COURTLY_LOG_LEVEL="loud")


def test_a_request_is_logged_as_one_entry(tmp_path):
    """For any path, and also for requests rejected before routing."""
    with Server(tmp_path, COURTLY_LOG_LEVEL="info", COURTLY_LOG_REQUESTS="1") as server:
        ada = server.guest("Ada")
        assert ada.get("/api/games/x%0aFORGED").status == 404
        assert ada.post("/api/tables", {}, headers={"origin": "http://evil.example"}).status == 403
        control_characters = "\x1b[2J\u009b\u202e".encode()
        headers = {
            b"Host": b"evil.example" + control_characters,
            b"X-Request-Id": control_characters,
            b"User-Agent": control_characters,
        }
        header_lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers.items())
        for path in (b"/", b"/api/games/%1b%5b2J%0d%0aFORGED", b"/t/%e2%80%ae"):
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(b"GET " + path + b" HTTP/1.1\r\n" + header_lines + b"Connection: close\r\n\r\n")
                while connection.recv(65536):
                    pass
        ada.request("PUT", "/api/me", {"name": "\x1b[2J\nFORGED"})
        wait_until(lambda: any(": 403 " in line for line in server.log))
        assert server.stop() == 0
    log = "".join(server.log)
    assert "\nFORGED" not in log and "Traceback" not in log
    assert len(server.log) == log.count("Z INFO ") + log.count("Z WARNING ") and "\x1b" not in log
    # a request refused before routing: its route is unknown if FastAPI keeps included routes in a group
    assert "GET /api/games/{game}: 404" in log and re.search(r"POST (\(unknown\)|/api/tables): 403", log)

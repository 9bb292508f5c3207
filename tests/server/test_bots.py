"""Bots at a table: they play at a steady pace, and their failures do not affect other players."""

import os
import re
import shutil
import signal
import sqlite3
import time
from pathlib import Path

import pytest
from guests import Server, wait_until

from courtly.bots.runtime import bot_service
from courtly.engine.game import find_game


def test_bots_play_a_whole_game(ada):
    """All seats are bots, and the guest who opened the table is a spectator."""
    table = ada.open("bot", "bot", "bot", options={"looks": 1})
    with ada.connect(table) as connection:
        end = connection.view_where(lambda view: view["over"])
    assert end["seat"] is None and end["scores"] and ada.table(table)["status"] == "over"


def test_a_table_that_all_people_left_stands_still(ada):
    table = ada.open("me", "bot")
    ada.command(table, "leave")
    time.sleep(0.2)
    assert not ada.view(table)["over"]
    assert table not in [t["id"] for t in ada.get("/api/tables").json["mine"]]
    with ada.connect(table) as connection:
        connection.view_where(lambda view: view["over"])


def available_bots(guest, game):
    """Return the names of the available bots of this game."""
    return [bot["name"] for bot in guest.get(f"/api/games/{game}").json["bots"] if bot["ready"]]


def test_bots_that_search_need_machine_code(ada):
    """Without machine code only page and squire are available, or the random bot in a game without a squire."""
    assert available_bots(ada, "petition") == ["page", "squire"] and available_bots(ada, "sealed_bids") == ["random"]
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "master"}]
    assert ada.post("/api/tables", {"game": "petition", "players": 2, "seats": seats}).error == "error-unknown-bot"
    assert ada.table(ada.open("me", "bot", game="petition", options={}))["seats"][1]["bot"] == "squire"


def test_tables_with_former_bot_names_are_played_on(tmp_path):
    """Those tables have former bot names, one of which needs machine code that is not installed here."""
    with Server(tmp_path) as server:
        ada = server.guest()
        table = ada.open("me", "bot", "bot", game="petition", options={})
        server.stop()
    with sqlite3.connect(tmp_path / "courtly.db") as database:
        database.execute("update seat set bot = 'heuristic' where seat = 1")
        database.execute("update seat set bot = 'search' where seat = 2")
    with Server(tmp_path) as server:
        ada.server = server
        seats = ada.table(table)["seats"]
        assert [(seat["bot"], seat["replacement"]) for seat in seats[1:]] == [
            ("squire", None),
            ("knight", {"bot": "squire", "reason": "missing"}),
        ]
        ada.command(table, "leave")
        with ada.connect(table) as connection:
            connection.view_where(lambda view: view["over"])
        assert not any("random move" in line for line in server.log)


def test_a_game_without_a_bot_of_its_own_has_those_that_search(tmp_path):
    """Until they are compiled, substitutes play and the table is notified; no player waits."""
    with Server(tmp_path, COURTLY_NATIVE="1", COURTLY_LOG_LEVEL="info", COURTLY_BOT_LIMIT="60") as server:
        ada = server.guest()
        assert available_bots(ada, "sealed_bids") == ["page", "squire", "knight", "master"]
        for wait_for_search in (False, True):
            if wait_for_search:
                wait_until(lambda: any("search of sealed_bids ready" in line for line in server.log), 600)
            table = ada.open("bot", "knight")
            with ada.connect(table) as connection:
                assert connection.view_where(lambda view: view["over"])["scores"]
        seats = ada.table(table)["seats"]
        assert [(seat["bot"], seat["replacement"]) for seat in seats] == [("squire", None), ("knight", None)]
        assert not any("playing" in line and "move" in line for line in server.log)


ODD_BOT = """
import os, time
from pathlib import Path
def choose(game, view, rng):
    print("thinking aloud")
    how = Path(os.environ["ODD"]).read_text()
    if how == "hang":
        time.sleep(60)
    if how == "fail":
        raise RuntimeError("no idea")
    if how == "cheat":
        return 999
    if how == "die":
        os._exit(1)
    if how == "pry":
        assert all(row is None for seat, row in enumerate(view["state"]["hand"]) if seat != view["seat"])
        assert "deck" not in view["state"]
    return view["legal"][-1]["id"]
"""


@pytest.fixture(scope="module")
def odd_bot_settings(tmp_path_factory):
    """The environment with a copy of sealed bids whose bot behaves as the file ODD says."""
    folder = tmp_path_factory.mktemp("odd")
    shutil.copytree(Path(__file__).parent.parent / "sealed_bids", folder / "odd_bids")
    toml = folder / "odd_bids" / "game.toml"
    toml.write_text(toml.read_text().replace('id = "sealed_bids"', 'id = "odd_bids"'))
    (folder / "odd_bids" / "bot.py").write_text(ODD_BOT)
    (folder / "how").write_text("hang")
    return {
        "COURTLY_GAMES": "odd_bids",
        "PYTHONPATH": f"{folder}{os.pathsep}{os.environ['PYTHONPATH']}",
        "ODD": str(folder / "how"),
    }


@pytest.fixture(scope="module")
def odd_server(tmp_path_factory, odd_bot_settings):
    with Server(
        tmp_path_factory.mktemp("data"), COURTLY_BOT_LIMIT="60", COURTLY_BOT_WORKERS="1", **odd_bot_settings
    ) as server:
        yield server


@pytest.fixture(scope="module")
def hurried_server(tmp_path_factory, odd_bot_settings):
    with Server(
        tmp_path_factory.mktemp("data"), COURTLY_BOT_LIMIT="0.5", COURTLY_BOT_WORKERS="1", **odd_bot_settings
    ) as server:
        yield server


@pytest.mark.parametrize(
    "behaviour, message",
    [("pry", ""), ("fail", "RuntimeError < choose"), ("cheat", "not legal"), ("die", "process ended")],
)
def test_a_failing_bot_is_replaced_by_a_random_move(odd_server, odd_bot_settings, behaviour, message):
    check_that_the_table_plays_on(odd_server, odd_bot_settings, behaviour, message)


def test_a_hanging_bot_is_replaced_by_a_random_move(hurried_server, odd_bot_settings):
    check_that_the_table_plays_on(hurried_server, odd_bot_settings, "hang", "did not answer")


def check_that_the_table_plays_on(server, settings, behaviour, message):
    Path(settings["ODD"]).write_text(behaviour, encoding="utf-8")
    server.log.clear()
    ada = server.guest()
    assert available_bots(ada, "odd_bids") == ["page", "squire"]
    table = ada.open("me", "bot", game="odd_bids")
    wait_until(lambda: ada.view(table)["pending"] == [0])
    log = "".join(server.log)
    assert "no idea" not in log, "a bot's error message may contain secrets"
    assert message in log and ("random move" in log) == bool(message)
    ada.command(table, "leave")


# Run in every Python process that starts: a search that behaves as the file ODD says and needs no compilation.
ODD_SEARCH = """
import os, time
from pathlib import Path
from courtly.bots.search import search
class Odd:
    def __init__(self, game, count):
        pass
    def __call__(self, game, view, rng):
        how = Path(os.environ["ODD"]).read_text()
        if how == "hang":
            time.sleep(600)
        rows = []
        while how == "eat":
            rows.append(bytearray(1 << 24))
        return 999 if how == "cheat" else view["legal"][0]["id"]
search.Search = Odd
"""
RECORDING_SQUIRE = """
import os
from pathlib import Path
def choose(game, view, rng):
    Path(os.environ["ODD"]).with_name("squire").touch()
    return view["legal"][-1]["id"]
"""


@pytest.fixture
def odd_search_settings(odd_bot_settings, tmp_path):
    """The environment with a search that behaves as the file ODD says, and a squire that creates a file when it is
    asked.
    """
    shutil.copytree(Path(odd_bot_settings["ODD"]).parent / "odd_bids", tmp_path / "odd_bids")
    (tmp_path / "odd_bids" / "bot.py").write_text(RECORDING_SQUIRE)
    (tmp_path / "sitecustomize.py").write_text(ODD_SEARCH)
    (tmp_path / "how").write_text("well")
    path = f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"
    return odd_bot_settings | {
        "PYTHONPATH": path,
        "ODD": str(tmp_path / "how"),
        "COURTLY_NATIVE": "1",
        "COURTLY_LOG_LEVEL": "info",
    }


def open_table_with_master(server):
    """Return a guest and the table, once the master itself plays."""
    ada = server.guest()
    table = ada.open("me", "master", game="odd_bids")
    wait_until(lambda: ada.table(table)["seats"][1]["replacement"] is None)
    wait_until(lambda: ada.view(table)["pending"] == [0])
    return ada, table


def play_until(condition, ada, table):
    """Make Ada's moves, so that the master has to decide."""

    def play_on():
        view = ada.view(table, 0)
        if not condition() and view["legal"]:
            ada.play(table, 0, view["seq"], view["legal"][-1]["id"])
        return condition()

    wait_until(play_on)


@pytest.mark.parametrize(
    "behaviour, message", [("eat", "MemoryError < __call__"), ("cheat", "not legal"), ("hang", "did not answer within")]
)
def test_the_squire_plays_if_a_search_fails(tmp_path, odd_search_settings, behaviour, message):
    squire = Path(odd_search_settings["ODD"]).with_name("squire")
    with Server(
        tmp_path / "data", COURTLY_BOT_LIMIT="5" if behaviour == "hang" else "60", **odd_search_settings
    ) as server:
        ada, table = open_table_with_master(server)
        squire.unlink(missing_ok=True)
        server.log.clear()
        Path(odd_search_settings["ODD"]).write_text(behaviour, encoding="utf-8")
        play_until(squire.exists, ada, table)
        line = wait_until(lambda: next((line for line in server.log if "master of odd_bids failed" in line), None))
        assert message in line and "playing the squire's move" in line
        assert not any("random move" in line or "Traceback" in line for line in server.log)


def test_a_search_that_always_fails_is_disabled(tmp_path, odd_search_settings):
    with Server(tmp_path / "data", **odd_search_settings) as server:
        ada, table = open_table_with_master(server)
        Path(odd_search_settings["ODD"]).write_text("cheat", encoding="utf-8")
        substitution = {"bot": "squire", "reason": "broken"}
        play_until(lambda: ada.table(table)["seats"][1]["replacement"] == substitution, ada, table)
        wait_until(lambda: any("no longer used" in line for line in server.log))
        failures = [line for line in server.log if "master of odd_bids failed" in line]
        assert len(failures) == 1, "the same error is logged once a minute"


def niceness(pid):
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[16])


@pytest.mark.skipif(
    not os.path.exists("/proc/self/task"), reason="the test finds the search processes in /proc, which only Linux has"
)
def test_the_squire_plays_if_the_search_process_is_killed(tmp_path, odd_search_settings):
    """The process is identified by its niceness and its memory limit."""
    with Server(tmp_path / "data", COURTLY_BOT_LIMIT="60", **odd_search_settings) as server:
        ada, table = open_table_with_master(server)
        Path(odd_search_settings["ODD"]).write_text("hang", encoding="utf-8")
        play_until(lambda: ada.view(table)["pending"] == [1], ada, table)
        own = niceness(server.process.pid)
        search_processes = [
            pid
            for pid in child_processes(server.process.pid)
            if niceness(pid) == min(own + bot_service.SEARCH_NICENESS, 19)
        ]
        assert len(search_processes) == 2 and own < 19
        for pid in search_processes:
            limits = Path(f"/proc/{pid}/limits").read_text(encoding="utf-8")
            assert re.search(r"Max data size +\d+ ", limits)
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: 0 in ada.view(table)["pending"])
        wait_until(lambda: any("failed: its process ended; playing the squire's move" in line for line in server.log))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: file.write_text(file.read_text()[:100]), "InvalidWeightsError"),
        pytest.param(
            lambda file: file.write_text(file.read_text().replace('"version": 1', '"version": 7')),
            "learned for version 7, but the game has version 1",
        ),
        (lambda file: file.unlink(), "FileNotFoundError"),
    ],
    ids=["damaged", "of another version", "missing"],
)
def test_invalid_weights_are_logged_and_the_squire_plays(tmp_path, odd_bot_settings, damage, message):
    shutil.copytree(find_game("puppet").folder, tmp_path / "puppets")
    toml = tmp_path / "puppets" / "game.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace('id = "puppet"', 'id = "puppets"'), encoding="utf-8")
    (weights,) = (tmp_path / "puppets").glob("learned.json")
    damage(weights)
    path = f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"
    with Server(tmp_path / "data", PYTHONPATH=path, COURTLY_GAMES="puppets", COURTLY_NATIVE="1") as server:
        ada = server.guest()
        table = ada.open("me", "knight", game="puppets", options={}, help_consent=True)
        wait_until(lambda: ada.table(table)["seats"][1]["replacement"] == {"bot": "squire", "reason": "broken"})
        log_line = wait_until(lambda: next((line for line in server.log if "search of puppets" in line), None))
        assert message in log_line and str(weights) in log_line

        def request_advice():  # as of this moment, since the squire may move meanwhile
            request = {"seat": 0, "seq": ada.view(table, 0)["seq"], "hints": False}
            return ada.command(table, "advise", request)

        response = wait_until(lambda: (response := request_advice()).error != "error-stale" and response)
        assert (response.status, response.json["wins"]) == (200, [])  # there are no calculated chances
        assert not any("playing" in line and "move" in line for line in server.log)


def child_processes(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(child) for child in file.read().split()]


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(
    not os.path.exists("/proc/self/task"), reason="the test reads parent processes from /proc, which only Linux has"
)
@pytest.mark.parametrize("end", ["kill", "stop"])
def test_workers_end_with_the_server(tmp_path, odd_bot_settings, end):
    Path(odd_bot_settings["ODD"]).write_text("hang", encoding="utf-8")
    with Server(tmp_path / "data", COURTLY_BOT_WORKERS="1", **odd_bot_settings) as server:
        ada = server.guest()
        assert child_processes(server.process.pid) == [], "workers are started when first needed"
        ada.open("me", "bot", game="odd_bids")
        (worker,) = wait_until(lambda: child_processes(server.process.pid))
        getattr(server, end)()
        wait_until(lambda: not is_running(worker))

"""Bots at the table: they play, follow a steady pace, and their failures are nobody's problem."""
import os
import time

import pytest
from guests import Server, until


def test_bots_play_a_whole_game(ada):
    """Nobody but bots: whoever opened the table looks on."""
    table = ada.open("bot", "bot", "bot", options={"looks": 1})
    with ada.line(table) as line:
        end = line.view_where(lambda view: view["over"])
    assert end["seat"] is None and end["scores"] and ada.table(table)["status"] == "over"


def test_table_that_everybody_left_stands_still(ada):
    table = ada.open("me", "bot")
    ada.at(table, "leave")
    time.sleep(0.2)
    assert not ada.view(table)["over"]
    assert table not in [t["id"] for t in ada.get("/api/tables").json["mine"]]
    with ada.line(table) as line:
        line.view_where(lambda view: view["over"])


ODD_BOT = """
import os, time
def choose(game, view, rng):
    print("thinking aloud")
    if os.environ["ODD"] == "hang":
        time.sleep(60)
    if os.environ["ODD"] == "fail":
        raise RuntimeError("no idea")
    if os.environ["ODD"] == "cheat":
        return 999
    if os.environ["ODD"] == "die":
        os._exit(1)
    if os.environ["ODD"] == "pry":
        assert all(row is None for seat, row in enumerate(view["state"]["hand"]) if seat != view["seat"]) and "deck" not in view["state"]
    return view["legal"][-1]["id"]
"""


@pytest.fixture
def odd(tmp_path):
    """A copy of sealed bids with a bot that behaves as told."""
    import shutil
    from pathlib import Path
    shutil.copytree(Path(__file__).parent.parent / "sealed_bids", tmp_path / "odd_bids")
    toml = tmp_path / "odd_bids" / "game.toml"
    toml.write_text(toml.read_text().replace('id = "sealed_bids"', 'id = "odd_bids"'))
    (tmp_path / "odd_bids" / "bot.py").write_text(ODD_BOT)
    return {"COURTLY_GAMES": "odd_bids", "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"}


@pytest.mark.parametrize("how, said", [("fail", "no idea"), ("cheat", "999"), ("die", "process ended"), ("pry", "")])
def test_failing_bot_is_replaced_by_a_random_move(tmp_path, odd, how, said):
    with Server(tmp_path / "data", ODD=how, **odd) as server:
        ada = server.guest()
        assert ada.get("/api/games/odd_bids").json["bots"] == ["heuristic", "random"]
        table = ada.open("me", "bot", game="odd_bids")
        until(lambda: ada.view(table)["pending"] == [0])
        assert said in "".join(server.log) and ("random move" in "".join(server.log)) == bool(said)


def test_hanging_bot_is_stopped(tmp_path, odd):
    with Server(tmp_path / "data", ODD="hang", COURTLY_BOT_LIMIT="0.5", **odd) as server:
        ada = server.guest()
        table = ada.open("me", "bot", game="odd_bids")
        until(lambda: ada.view(table)["pending"] == [0])
        assert "did not answer" in "".join(server.log)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="looks into /proc")
@pytest.mark.parametrize("end", ["kill", "stop"])
def test_workers_end_with_the_server(tmp_path, odd, end):
    with Server(tmp_path / "data", ODD="hang", **odd) as server:
        ada = server.guest()
        assert children(server.process.pid) == [], "started when first needed"
        ada.open("me", "bot", game="odd_bids")
        worker, = until(lambda: children(server.process.pid))
        getattr(server, end)()
        until(lambda: not os.path.exists(f"/proc/{worker}"), timeout=2)


def test_pace_is_steady(tmp_path):
    """Every decision takes the same time, or half of it where the same bot goes on; nothing depends on what is held."""
    with Server(tmp_path, COURTLY_BOT_PAUSE="0.2") as server:
        ada = server.guest()
        table = ada.open("me", "bot", "bot")
        began = time.monotonic()
        until(lambda: ada.view(table)["pending"] == [0])
        assert time.monotonic() - began >= 0.4, "choose, then ready: two pauses"

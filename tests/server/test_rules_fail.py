"""A game whose rules fail: the table stands still and shows an error, the journal is kept, players can leave, and
nothing is retried forever.
"""

import os
import shutil
from pathlib import Path

import pytest
from guests import Server, move, until

BREAKABLE = """
import os
from pathlib import Path

def breakable(function):
    def called(*arguments):
        if Path(os.environ["BREAKS"]).read_text() == function.__name__:
            raise IndexError("the jester is in the third hand")
        return function(*arguments)
    return called

setup, apply, legal = breakable(setup), breakable(apply), breakable(legal)
"""


@pytest.fixture
def house(tmp_path):
    """A server with sealed bids whose rules fail where the file `breaks` says."""
    shutil.copytree(Path(__file__).parent.parent / "sealed_bids", tmp_path / "breakable_bids")
    toml, rules = tmp_path / "breakable_bids" / "game.toml", tmp_path / "breakable_bids" / "rules.py"
    toml.write_text(toml.read_text().replace('id = "sealed_bids"', 'id = "breakable_bids"'))
    rules.write_text(rules.read_text() + BREAKABLE)
    breaks = tmp_path / "breaks"
    breaks.write_text("")

    def serve():
        server = Server(
            tmp_path / "data",
            COURTLY_GAMES="breakable_bids",
            BREAKS=str(breaks),
            PYTHONPATH=f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}",
        )
        server.breaks = breaks
        return server

    return serve


def problem_told(line):
    """Return the problem of the table as soon as it is sent."""
    while not (problem := line.wait("table")["table"]["problem"]):
        pass
    return problem


@pytest.mark.parametrize("part", ["apply", "legal"])
def test_a_command_that_makes_the_rules_fail(house, part):
    with house() as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", game="breakable_bids")
        ben.command(table, "sit")
        view = ada.view(table, 0)
        chosen = move(view, "choose")
        with ada.connect(table) as one, ben.connect(table) as two, server.guest().connect(table) as looker:
            for line in (one, two, looker):
                line.view()
            server.breaks.write_text(part)
            answer = ada.play(table, 0, view["seq"], chosen)
            assert answer.status == 409 and answer.error == "error-rules"
            for line in (one, two, looker):
                assert problem_told(line) == {"id": "error-rules", "args": {}}
        server.breaks.write_text("")
        for answer in (
            ada.play(table, 0, view["seq"], chosen),
            ben.play(table, 1, 0, 0),
            ada.get(f"/api/tables/{table}/view?seat=0"),
        ):
            assert answer.status == 409 and answer.error == "error-rules", "the table stands still"
        with ben.connect(table) as line:
            assert line.wait("table")["table"]["problem"] and line.wait("error")["error"]["id"] == "error-rules"
        assert table not in [t["id"] for t in ada.get("/api/tables").json["live"]]
        assert until(lambda: "".join(server.log).count("rules of breakable_bids failed")) == 1
        log = "".join(server.log)
        assert (
            log.count("rules of breakable_bids failed") == 1
            and "IndexError < called" in log
            and "jester" not in log
            and "Traceback" not in log
        )
        assert server.stop() == 0
    with house() as server:  # fixed
        ada.server = ben.server = server
        assert ada.view(table, 0) == view and ada.table(table)["problem"] is None
        assert ada.play(table, 0, view["seq"], chosen).status == 200


def test_players_can_leave(house):
    with house() as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", game="breakable_bids")
        ben.command(table, "sit")
        view = ada.view(table, 0)
        server.breaks.write_text("apply")
        ada.play(table, 0, view["seq"], move(view, "choose"))
        for guest in (ada, ben):
            assert guest.command(table, "leave").status == 200
        assert table not in [t["id"] for t in ada.get("/api/tables").json["mine"]]


def test_a_bots_move_that_makes_the_rules_fail(house):
    with house() as server:
        ada = server.guest("Ada")
        table = ada.open("bot", "bot", game="breakable_bids", options={})
        server.breaks.write_text("apply")
        with ada.connect(table) as connection:  # bots play while a client watches
            problem_told(connection)
        assert ada.get(f"/api/tables/{table}/view").error == "error-rules"
        assert until(lambda: "".join(server.log).count("rules of breakable_bids failed")) == 1


def test_a_seat_that_must_move_and_cannot(tmp_path):
    """The move that leads to that position is rejected, because a player would have to continue from there."""
    folder = tmp_path / "faulty"
    folder.mkdir()
    shutil.copy(Path(__file__).parent.parent / "faulty_rules.py", folder / "rules.py")
    card = (Path(__file__).parent.parent / "sealed_bids" / "game.toml").read_text()
    (folder / "game.toml").write_text(card.replace('id = "sealed_bids"', 'id = "faulty"'))
    path = f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"
    with Server(tmp_path / "data", COURTLY_GAMES="faulty", PYTHONPATH=path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", game="faulty", options={"fault": 1})
        ben.command(table, "sit")
        for turn in range(4):
            guest = (ada, ben)[turn % 2]
            view = guest.view(table, turn % 2)
            answer = guest.play(table, turn % 2, view["seq"], view["legal"][0]["id"])
        assert answer.status == 409 and answer.error == "error-rules"
        assert ada.table(table)["problem"] == {"id": "error-rules", "args": {}}
        assert until(lambda: "failed at table" in "".join(server.log))  # the answer may arrive before the log line
        log = "".join(server.log)
        assert "failed at table" in log and "ply 9" in log and "rules.py:" in log and "no legal move" in log
        assert "take" not in log and "roll" not in log and "Traceback" not in log


def test_a_game_that_cannot_begin(house):
    with house() as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        server.breaks.write_text("setup")
        answer = ada.post(
            "/api/tables", {"game": "breakable_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "bot"}]}
        )
        assert answer.status == 409 and answer.error == "error-rules"
        table = ada.open("me", "open", game="breakable_bids")
        assert ben.command(table, "sit").error == "error-rules"
        server.breaks.write_text("")
        assert ben.command(table, "sit").json["status"] == "playing"

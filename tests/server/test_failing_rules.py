"""A game whose rules fail: the table stands still and shows an error, the journal is kept, players can leave, and
nothing is retried forever.
"""

import os
import shutil
from pathlib import Path

import pytest
from guests import Server, move, wait_until

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
def start_server(tmp_path):
    """A server with sealed bids whose rules fail where the file `breaks` says."""
    shutil.copytree(Path(__file__).parent.parent / "sealed_bids", tmp_path / "breakable_bids")
    toml, rules = tmp_path / "breakable_bids" / "game.toml", tmp_path / "breakable_bids" / "rules.py"
    toml.write_text(toml.read_text().replace('id = "sealed_bids"', 'id = "breakable_bids"'))
    rules.write_text(rules.read_text() + BREAKABLE)
    breaks = tmp_path / "breaks"
    breaks.write_text("")

    def start():
        server = Server(
            tmp_path / "data",
            COURTLY_GAMES="breakable_bids",
            BREAKS=str(breaks),
            PYTHONPATH=f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}",
        )
        server.breaks = breaks
        return server

    return start


def wait_for_problem(connection):
    """Return the problem of the table as soon as it is sent."""
    while not (problem := connection.wait("table")["table"]["problem"]):
        pass
    return problem


@pytest.mark.parametrize("part", ["apply", "legal"])
def test_a_command_is_refused_and_the_table_stands_still_if_the_rules_fail(start_server, part):
    with start_server() as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", game="breakable_bids")
        ben.command(table, "sit")
        view = ada.view(table, 0)
        choice = move(view, "choose")
        with (
            ada.connect(table) as adas_connection,
            ben.connect(table) as bens_connection,
            server.guest().connect(table) as spectators_connection,
        ):
            for connection in (adas_connection, bens_connection, spectators_connection):
                connection.view()
            server.breaks.write_text(part)
            response = ada.play(table, 0, view["seq"], choice)
            assert response.status == 409 and response.error == "error-rules"
            for connection in (adas_connection, bens_connection, spectators_connection):
                assert wait_for_problem(connection) == {"id": "error-rules", "args": {}}
        server.breaks.write_text("")
        for response in (
            ada.play(table, 0, view["seq"], choice),
            ben.play(table, 1, 0, 0),
            ada.get(f"/api/tables/{table}/view?seat=0"),
        ):
            assert response.status == 409 and response.error == "error-rules", "the table stands still"
        with ben.connect(table) as connection:
            assert (
                connection.wait("table")["table"]["problem"]
                and connection.wait("error")["error"]["id"] == "error-rules"
            )
        assert table not in [t["id"] for t in ada.get("/api/tables").json["live"]]
        assert wait_until(lambda: "".join(server.log).count("rules of breakable_bids failed")) == 1
        log = "".join(server.log)
        assert (
            log.count("rules of breakable_bids failed") == 1
            and "IndexError < called" in log
            and "jester" not in log
            and "Traceback" not in log
        )
        assert server.stop() == 0
    with start_server() as server:  # fixed
        ada.server = ben.server = server
        assert ada.view(table, 0) == view and ada.table(table)["problem"] is None
        assert ada.play(table, 0, view["seq"], choice).status == 200


def test_players_can_leave_a_table_whose_rules_failed(start_server):
    with start_server() as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", game="breakable_bids")
        ben.command(table, "sit")
        view = ada.view(table, 0)
        server.breaks.write_text("apply")
        ada.play(table, 0, view["seq"], move(view, "choose"))
        for guest in (ada, ben):
            assert guest.command(table, "leave").status == 200
        assert table not in [t["id"] for t in ada.get("/api/tables").json["mine"]]


def test_a_table_stands_still_if_the_rules_fail_at_a_bots_move(start_server):
    with start_server() as server:
        ada = server.guest("Ada")
        table = ada.open("bot", "bot", game="breakable_bids", options={})
        server.breaks.write_text("apply")
        with ada.connect(table) as connection:  # bots play while a client watches
            wait_for_problem(connection)
        assert ada.get(f"/api/tables/{table}/view").error == "error-rules"
        assert wait_until(lambda: "".join(server.log).count("rules of breakable_bids failed")) == 1


def test_a_move_to_a_position_without_legal_moves_is_rejected(tmp_path):
    """The move that leads to that position is rejected, because a player would have to continue from there."""
    folder = tmp_path / "faulty"
    folder.mkdir()
    shutil.copy(Path(__file__).parent.parent / "faulty_rules.py", folder / "rules.py")
    game_toml = (Path(__file__).parent.parent / "sealed_bids" / "game.toml").read_text()
    (folder / "game.toml").write_text(game_toml.replace('id = "sealed_bids"', 'id = "faulty"'))
    path = f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"
    with Server(tmp_path / "data", COURTLY_GAMES="faulty", PYTHONPATH=path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", game="faulty", options={"fault": 1})
        ben.command(table, "sit")
        for turn in range(4):
            guest = (ada, ben)[turn % 2]
            view = guest.view(table, turn % 2)
            response = guest.play(table, turn % 2, view["seq"], view["legal"][0]["id"])
        assert response.status == 409 and response.error == "error-rules"
        assert ada.table(table)["problem"] == {"id": "error-rules", "args": {}}
        assert wait_until(lambda: "failed at table" in "".join(server.log))  # the answer may arrive before the log line
        log = "".join(server.log)
        assert "failed at table" in log and "ply 9" in log and "rules.py:" in log and "no legal move" in log
        assert "take" not in log and "roll" not in log and "Traceback" not in log


def test_a_game_whose_setup_fails_does_not_begin(start_server):
    with start_server() as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        server.breaks.write_text("setup")
        response = ada.post(
            "/api/tables", {"game": "breakable_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "bot"}]}
        )
        assert response.status == 409 and response.error == "error-rules"
        table = ada.open("me", "open", game="breakable_bids")
        assert ben.command(table, "sit").error == "error-rules"
        server.breaks.write_text("")
        assert ben.command(table, "sit").json["status"] == "playing"

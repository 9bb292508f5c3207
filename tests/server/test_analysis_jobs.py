"""The analysis of a finished game: made once on request, stored, and sent to everyone at the table."""

import json
import os
import subprocess
import sys

import pytest
from analyses import begun, idle
from guests import PATIENCE, Server, until
from test_cli import courtly

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.engine.transcript import write_record


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "told"
    made.mkdir()
    return made


@pytest.fixture
def house(tmp_path, folder):
    with Server(tmp_path / "data", first=idle(folder), COURTLY_NATIVE="1") as server:
        yield server


def finished(guest):
    """Watch a game of two bots to its end."""
    table = guest.open("bot", "bot")
    with guest.line(table) as line:
        line.view_where(lambda view: view["over"])
    return table


def review(guest, table):
    return guest.get(f"/api/tables/{table}/review")


def state(guest, table):
    return guest.table(table)["review"]["state"]


def test_there_is_no_analysis_before_the_end(house, folder):
    ada, ben = house.guest("Ada"), house.guest("Ben")
    table = ada.open("me", "open")
    for status in ("waiting", "playing"):
        assert ada.table(table)["status"] == status
        for guest in (ada, ben):
            assert guest.table(table)["review"] is None
            assert guest.at(table, "review").error in ("error-not-started", "error-not-over")
            assert review(guest, table).error == "error-not-over"
        ben.at(table, "sit")
    assert begun(folder) == []


def test_it_is_made_once_and_sent_to_everyone(house, folder):
    ada, ben = house.guest("Ada"), house.guest("Ben")
    table = finished(ada)
    assert state(ada, table) == "none" and review(ada, table).error == "error-not-reviewed"
    with ben.line(table) as line:
        line.silence()
        assert all(guest.at(table, "review").json["review"]["state"] == "working" for guest in (ada, ben, ada))
        until(lambda: ada.table(table)["review"] == {"state": "working", "done": 0, "of": 2, "ahead": 0})
        assert line.wait("table")["table"]["review"]["state"] == "working"
        assert review(ada, table).error == "error-not-reviewed"
        (folder / "go").touch()
        while line.wait("table")["table"]["review"]["state"] != "ready":
            pass
    assert review(ada, table).json == review(ben, table).json == {"form": 1, "simulations": 800}
    assert ben.at(table, "review").json["review"]["state"] == "ready"
    assert len(begun(folder)) == 1


def test_one_is_made_after_the_other(house, folder):
    ada = house.guest("Ada")
    tables = [finished(ada) for _ in range(3)]
    for table in tables:
        ada.at(table, "review")
    until(lambda: begun(folder))
    assert len(begun(folder)) == 1
    until(lambda: [ada.table(table)["review"]["ahead"] for table in tables] == [0, 1, 2])
    ben = house.guest("Ben")
    assert ben.at(tables[2], "review").json["review"]["ahead"] == 2  # it is queued already
    (folder / "go").touch()
    for table in tables:
        until(lambda table=table: state(ada, table) == "ready")
    assert len(begun(folder)) == 3


def test_it_is_kept(tmp_path, folder):
    (folder / "go").touch()
    with Server(tmp_path / "data", first=idle(folder), COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        table = finished(ada)
        ada.at(table, "review")
        until(lambda: state(ada, table) == "ready")
        server.kill()
    with Server(tmp_path / "data") as server:  # a server that cannot make one
        ben = server.guest("Ben")
        assert state(ben, table) == "ready" and review(ben, table).json["form"] == 1
    assert len(begun(folder)) == 1


def test_an_analysis_interrupted_by_a_kill_can_be_requested_again(tmp_path, folder):
    with Server(tmp_path / "data", first=idle(folder), COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        table = finished(ada)
        ada.at(table, "review")
        until(lambda: begun(folder))
        server.kill()
    (folder / "go").touch()
    with Server(tmp_path / "data", first=idle(folder), COURTLY_NATIVE="1") as server:
        ben = server.guest("Ben")
        assert state(ben, table) == "none"
        ben.at(table, "review")
        until(lambda: state(ben, table) == "ready")


def test_a_failed_analysis_is_reported_and_can_be_requested_again(house, folder):
    ada = house.guest("Ada")
    table = finished(ada)
    (folder / "go").touch()
    (folder / "fail").touch()
    ada.at(table, "review")
    until(lambda: state(ada, table) == "failed")
    assert review(ada, table).error == "error-not-reviewed"
    until(lambda: any("cannot be reviewed: its process ended" in line for line in house.log))
    (folder / "fail").unlink()
    assert ada.at(table, "review").json["review"]["state"] == "working"
    until(lambda: state(ada, table) == "ready")


def test_where_machine_code_fails_it_is_made_without(house, folder):
    ada = house.guest("Ada")
    table = finished(ada)
    (folder / "go").touch()
    (folder / "no-code").touch()
    ada.at(table, "review")
    until(lambda: state(ada, table) == "ready")
    assert review(ada, table).json["simulations"] == 40
    assert any("is reviewed without machine code" in line for line in house.log)


@pytest.mark.parametrize(("compiler", "simulations"), [(True, 800), (False, 40)])
def test_it_waits_until_its_game_is_compiled_or_is_made_without(house, folder, compiler, simulations):
    ada = house.guest("Ada")
    table = finished(ada)
    for name in ("go", "compiling", *([] if compiler else ["no-compiler"])):
        (folder / name).touch()
    ada.at(table, "review")
    with ada.line(table) as line:
        line.silence()
    assert state(ada, table) == "working" and begun(folder) == []
    (folder / "compiling").unlink()
    until(lambda: state(ada, table) == "ready")
    assert review(ada, table).json["simulations"] == simulations
    assert len(begun(folder)) == 1


def test_an_analysis_that_takes_too_long_is_stopped(tmp_path, folder):
    with Server(tmp_path / "data", first=idle(folder), COURTLY_NATIVE="1", COURTLY_REVIEW_LIMIT="0.5") as house:
        ada = house.guest("Ada")
        table = finished(ada)
        ada.at(table, "review")
        until(lambda: state(ada, table) == "failed")
        until(lambda: any("it took too long" in line for line in house.log))


def test_without_machine_code_the_error_says_so(server):
    ada = server.guest("Ada")
    table = finished(ada)
    assert state(ada, table) == "impossible"
    assert ada.at(table, "review").error == "error-no-machine-code"


def test_the_worker_ends_with_the_process_that_started_it():
    """The worker's input ends while it works without end."""
    match = Match(find_game("sealed_bids"), 2, None, SeededChance(1))
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    with subprocess.Popen(
        [sys.executable, "-m", "courtly.review.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        worker.stdin.write(json.dumps({"record": write_record(match), "simulations": 100_000_000}).encode() + b"\n")
        worker.stdin.close()
        assert worker.wait(PATIENCE) == 0


def test_it_is_made_without_machine_code_where_there_is_none():
    match = Match(find_game("sealed_bids"), 2, None, SeededChance(1))
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    question = {"record": write_record(match), "simulations": 20, "native": False}
    done = subprocess.Popen(
        [sys.executable, "-m", "courtly.review.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"COURTLY_NATIVE": "0"},
    )
    with done as worker:
        worker.stdin.write(json.dumps(question).encode() + b"\n")
        worker.stdin.flush()
        *steps, last = map(json.loads, worker.stdout)
    assert steps and last["review"]["simulations"] == 20 and last["review"]["decisions"]


def test_an_unreadable_record_is_reported():
    with subprocess.Popen(
        [sys.executable, "-m", "courtly.review.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        worker.stdin.write(json.dumps({"record": "{", "simulations": 20}).encode() + b"\n")
        worker.stdin.flush()
        assert "InvalidRecordError" in json.loads(worker.stdout.readline())["error"]
        assert worker.wait(PATIENCE) == 0


def test_the_server_and_the_command_return_the_same_analysis(tmp_path):
    with Server(tmp_path / "data", COURTLY_NATIVE="1", COURTLY_REVIEW_SIMULATIONS="100") as house:
        ada = house.guest("Ada")
        table = finished(ada)
        ada.at(table, "review")
        until(lambda: state(ada, table) == "ready", 600)
        told = review(ada, table).json
        file = tmp_path / "game.jsonl"
        file.write_bytes(ada.get(f"/api/tables/{table}/record").body)
    done = courtly("record", "review", str(file), "--simulations", "100", "--json")
    assert told == json.loads(done.stdout) and told["decisions"]

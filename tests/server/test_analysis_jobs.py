"""The analysis of a finished game: made once on request, stored, and sent to everyone at the table."""

import json
import os
import subprocess
import sys

import pytest
from analysis_worker_stub import controlled_worker, started_analyses
from guests import PATIENCE, Server, wait_until
from test_cli import courtly

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.engine.transcript import write_record


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "stub"
    folder.mkdir()
    return folder


@pytest.fixture
def reviewing_server(tmp_path, folder):
    with Server(tmp_path / "data", first=controlled_worker(folder), COURTLY_NATIVE="1") as server:
        yield server


def finished_bot_game(guest):
    """Watch a game of two bots to its end."""
    table = guest.open("bot", "bot")
    with guest.connect(table) as connection:
        connection.view_where(lambda view: view["over"])
    return table


def get_review(guest, table):
    return guest.get(f"/api/tables/{table}/review")


def review_state(guest, table):
    return guest.table(table)["review"]["state"]


def test_there_is_no_analysis_before_the_end(reviewing_server, folder):
    ada, ben = reviewing_server.guest("Ada"), reviewing_server.guest("Ben")
    table = ada.open("me", "open")
    for status in ("waiting", "playing"):
        assert ada.table(table)["status"] == status
        for guest in (ada, ben):
            assert guest.table(table)["review"] is None
            assert guest.command(table, "review").error in ("error-not-started", "error-not-over")
            assert get_review(guest, table).error == "error-not-over"
        ben.command(table, "sit")
    assert started_analyses(folder) == []


def test_an_analysis_is_made_once_and_sent_to_everyone(reviewing_server, folder):
    ada, ben = reviewing_server.guest("Ada"), reviewing_server.guest("Ben")
    table = finished_bot_game(ada)
    assert review_state(ada, table) == "none" and get_review(ada, table).error == "error-not-reviewed"
    with ben.connect(table) as connection:
        connection.drop_pending()
        assert all(guest.command(table, "review").json["review"]["state"] == "working" for guest in (ada, ben, ada))
        wait_until(lambda: ada.table(table)["review"] == {"state": "working", "judged": 0, "total": 2, "ahead": 0})
        assert connection.wait("table")["table"]["review"]["state"] == "working"
        assert get_review(ada, table).error == "error-not-reviewed"
        (folder / "go").touch()
        while connection.wait("table")["table"]["review"]["state"] != "ready":
            pass
    assert get_review(ada, table).json == get_review(ben, table).json == {"form": 1, "simulations": 800}
    assert ben.command(table, "review").json["review"]["state"] == "ready"
    assert len(started_analyses(folder)) == 1


def test_analyses_are_made_one_after_another(reviewing_server, folder):
    ada = reviewing_server.guest("Ada")
    tables = [finished_bot_game(ada) for _ in range(3)]
    for table in tables:
        ada.command(table, "review")
    wait_until(lambda: started_analyses(folder))
    assert len(started_analyses(folder)) == 1
    wait_until(lambda: [ada.table(table)["review"]["ahead"] for table in tables] == [0, 1, 2])
    ben = reviewing_server.guest("Ben")
    assert ben.command(tables[2], "review").json["review"]["ahead"] == 2  # it is queued already
    (folder / "go").touch()
    for table in tables:
        wait_until(lambda table=table: review_state(ada, table) == "ready")
    assert len(started_analyses(folder)) == 3


def test_an_analysis_is_stored_and_outlives_the_server(tmp_path, folder):
    (folder / "go").touch()
    with Server(tmp_path / "data", first=controlled_worker(folder), COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        table = finished_bot_game(ada)
        ada.command(table, "review")
        wait_until(lambda: review_state(ada, table) == "ready")
        server.kill()
    with Server(tmp_path / "data") as server:  # a server that cannot make one
        ben = server.guest("Ben")
        assert review_state(ben, table) == "ready" and get_review(ben, table).json["form"] == 1
    assert len(started_analyses(folder)) == 1


def test_an_analysis_interrupted_by_a_kill_can_be_requested_again(tmp_path, folder):
    with Server(tmp_path / "data", first=controlled_worker(folder), COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        table = finished_bot_game(ada)
        ada.command(table, "review")
        wait_until(lambda: started_analyses(folder))
        server.kill()
    (folder / "go").touch()
    with Server(tmp_path / "data", first=controlled_worker(folder), COURTLY_NATIVE="1") as server:
        ben = server.guest("Ben")
        assert review_state(ben, table) == "none"
        ben.command(table, "review")
        wait_until(lambda: review_state(ben, table) == "ready")


def test_a_failed_analysis_is_reported_and_can_be_requested_again(reviewing_server, folder):
    ada = reviewing_server.guest("Ada")
    table = finished_bot_game(ada)
    (folder / "go").touch()
    (folder / "fail").touch()
    ada.command(table, "review")
    wait_until(lambda: review_state(ada, table) == "failed")
    assert get_review(ada, table).error == "error-not-reviewed"
    wait_until(lambda: any("cannot be reviewed: its process ended" in line for line in reviewing_server.log))
    (folder / "fail").unlink()
    assert ada.command(table, "review").json["review"]["state"] == "working"
    wait_until(lambda: review_state(ada, table) == "ready")


def test_an_analysis_is_made_without_machine_code_if_that_fails(reviewing_server, folder):
    ada = reviewing_server.guest("Ada")
    table = finished_bot_game(ada)
    (folder / "go").touch()
    (folder / "no-code").touch()
    ada.command(table, "review")
    wait_until(lambda: review_state(ada, table) == "ready")
    assert get_review(ada, table).json["simulations"] == 40
    assert any("is reviewed without machine code" in line for line in reviewing_server.log)


@pytest.mark.parametrize(("compiler", "simulations"), [(True, 800), (False, 40)])
def test_an_analysis_waits_until_its_game_is_compiled_or_compilation_fails(
    reviewing_server, folder, compiler, simulations
):
    ada = reviewing_server.guest("Ada")
    table = finished_bot_game(ada)
    for name in ("go", "compiling", *([] if compiler else ["no-compiler"])):
        (folder / name).touch()
    ada.command(table, "review")
    with ada.connect(table) as connection:
        connection.drop_pending()
    assert review_state(ada, table) == "working" and started_analyses(folder) == []
    (folder / "compiling").unlink()
    wait_until(lambda: review_state(ada, table) == "ready")
    assert get_review(ada, table).json["simulations"] == simulations
    assert len(started_analyses(folder)) == 1


def test_an_analysis_that_takes_too_long_is_stopped(tmp_path, folder):
    with Server(
        tmp_path / "data", first=controlled_worker(folder), COURTLY_NATIVE="1", COURTLY_REVIEW_LIMIT="0.5"
    ) as server:
        ada = server.guest("Ada")
        table = finished_bot_game(ada)
        ada.command(table, "review")
        wait_until(lambda: review_state(ada, table) == "failed")
        wait_until(lambda: any("it took too long" in line for line in server.log))


def test_a_server_without_machine_code_refuses_an_analysis(server):
    ada = server.guest("Ada")
    table = finished_bot_game(ada)
    assert review_state(ada, table) == "impossible"
    assert ada.command(table, "review").error == "error-no-machine-code"


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


def test_the_worker_analyses_without_machine_code():
    match = Match(find_game("sealed_bids"), 2, None, SeededChance(1))
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    request = {"record": write_record(match), "simulations": 20, "native": False}
    process = subprocess.Popen(
        [sys.executable, "-m", "courtly.review.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"COURTLY_NATIVE": "0"},
    )
    with process as worker:
        worker.stdin.write(json.dumps(request).encode() + b"\n")
        worker.stdin.flush()
        *steps, last = map(json.loads, worker.stdout)
    assert steps and last["review"]["simulations"] == 20 and last["review"]["decisions"]


def test_the_worker_reports_an_unreadable_record():
    with subprocess.Popen(
        [sys.executable, "-m", "courtly.review.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        worker.stdin.write(json.dumps({"record": "{", "simulations": 20}).encode() + b"\n")
        worker.stdin.flush()
        assert "InvalidRecordError" in json.loads(worker.stdout.readline())["error"]
        assert worker.wait(PATIENCE) == 0


def test_the_server_and_the_command_return_the_same_analysis(tmp_path):
    with Server(tmp_path / "data", COURTLY_NATIVE="1", COURTLY_REVIEW_SIMULATIONS="100") as server:
        ada = server.guest("Ada")
        table = finished_bot_game(ada)
        ada.command(table, "review")
        wait_until(lambda: review_state(ada, table) == "ready", 600)
        server_review = get_review(ada, table).json
        file = tmp_path / "game.jsonl"
        file.write_bytes(ada.get(f"/api/tables/{table}/record").body)
    process = courtly("record", "review", str(file), "--simulations", "100", "--json")
    assert server_review == json.loads(process.stdout) and server_review["decisions"]

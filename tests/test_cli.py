"""The command line is a contract that checks rely on."""

import json
import os
import subprocess
import sys

import click
import pytest
from written import WAYS, line_of

from courtly.asked import replayed

KEYS = {
    "game",
    "version",
    "players",
    "games",
    "decisions",
    "chance",
    "seconds",
    "decisions_per_s",
    "native",
    "wins",
    "mean_length",
    "digest",
}


def courtly(*args, env=None):
    return subprocess.run(
        [sys.executable, "-m", "courtly", *args],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, **(env or {})},
    )


def simulated(*args):
    done = courtly("simulate", "sealed_bids", "--players", "3", "--games", "301", "--seed", "5", "--json", *args)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_same_seed_gives_the_same_digest_in_every_form_on_any_number_of_cores():
    found = [simulated(*args) for args in ((), ("--cores", "1"), ("--interpreted",), ("--interpreted", "--cores", "1"))]
    assert all(row.keys() >= KEYS for row in found)
    assert [row["native"] for row in found] == [True, True, False, False]
    for key in ("digest", "decisions", "chance", "wins", "mean_length"):
        assert len({json.dumps(row[key]) for row in found}) == 1, key
    assert sum(found[0]["wins"]) == pytest.approx(301, abs=0.01)


@pytest.mark.thorough
def test_policies_play_the_same_in_every_form():
    asked = ("simulate", "puppet", "--bots", "policy,policy", "--games", "12", "--json")
    fast, checked, slow = (
        json.loads(courtly(*asked, *more).stdout) for more in ((), ("--checked",), ("--interpreted", "--cores", "1"))
    )
    assert [fast["native"], checked["native"], slow["native"]] == [True, True, False]
    for key in ("digest", "decisions", "chance", "wins"):
        assert fast[key] == checked[key] == slow[key], key


def test_another_seed_gives_other_games():
    one = json.loads(courtly("simulate", "sealed_bids", "--games", "20", "--interpreted", "--json").stdout)
    other = json.loads(
        courtly("simulate", "sealed_bids", "--games", "20", "--interpreted", "--seed", "1", "--json").stdout
    )
    assert one["digest"] != other["digest"]


@pytest.mark.parametrize(
    ("game", "bots"),
    [("petition", "heuristic,random"), pytest.param("sealed_bids", "search:20,random", marks=pytest.mark.thorough)],
)
def test_bots_play_the_same_on_any_number_of_cores(game, bots):
    rows = [
        json.loads(courtly("simulate", game, "--games", "2", "--bots", bots, "--json", "--cores", n).stdout)
        for n in "12"
    ]
    assert rows[0]["digest"] == rows[1]["digest"] and rows[0]["bots"] == bots.split(",")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("simulate", "chess"), "there is no game 'chess'"),
        (("simulate", "sealed_bids", "--players", "9", "--interpreted"), "players may be one of"),
        (("simulate", "sealed_bids", "--bots", "random", "--interpreted"), "2 players need 2 bots"),
        (("simulate", "sealed_bids", "--bots", "random,deep"), "deep"),
        (("simulate", "sealed_bids", "--bots", "random,search:0"), "search:0"),
        (("simulate", "sealed_bids", "--bots", "random,search", "--interpreted"), "leave --interpreted out"),
        (("simulate", "sealed_bids", "--option", "looks=7", "--interpreted"), "looks may be one of"),
        (("simulate", "sealed_bids", "--option", "looks"), "NAME=NUMBER"),
        (("simulate", "sealed_bids", "--games", "0"), "0"),
        (("record", "check", "nowhere.jsonl"), "nowhere.jsonl"),
        (("serve", "--port", "99999"), "99999"),
        (("serve", "--no-browser", "--log-level", "loud"), "debug, info, warning, error"),
    ],
)
def test_mistakes_are_said_in_a_line(args, said):
    done = courtly(*args)
    assert done.returncode != 0 and said in done.stderr and "Traceback" not in done.stderr


def test_games_lists_what_can_be_played():
    found = json.loads(courtly("games", "--json").stdout)
    assert {"petition", "sealed_bids"} <= {game["id"] for game in found}
    assert "petition" in courtly("games").stdout


def test_games_in_the_workshop_are_not_offered():
    offered = courtly("games", "--json", env={"COURTLY_WORKSHOP": ""})
    assert not any(game.get("workshop") for game in json.loads(offered.stdout))


def test_a_record_is_checked(tmp_path):
    import courtly as package

    match = package.game("sealed_bids").match(seed=4)
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    file = tmp_path / "game.jsonl"
    file.write_text(match.record(), encoding="utf-8")
    assert "by the rules" in courtly("record", "check", str(file)).stdout
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines[:7], *lines[8:]]), encoding="utf-8")
    wrong = courtly("record", "check", str(file))
    assert wrong.returncode == 1 and "line 8:" in wrong.stderr
    file.write_bytes(b"\xff\xfe")
    assert "line 1: is not JSON" in courtly("record", "check", str(file)).stderr
    for way in WAYS:
        raw, line = line_of(match.record().encode(), way)
        file.write_bytes(raw)
        if line:
            with pytest.raises(click.ClickException, match=f"line {line}:"):
                replayed(file)
        else:
            assert replayed(file)[0].over, way


def test_the_command_line_and_the_server_start_without_numpy_or_numba():
    code = """
import sys
import courtly.bots, courtly.cli, courtly.server.run
print([module for module in ('numpy', 'numba', 'llvmlite') if module in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


IN_A_LOOP = """
import multiprocessing
import courtly.bots
from courtly.lab.plan import Plan
from courtly.lab.simulate import simulate

chosen = courtly.bots.choose_at_random

def choose(game, view, rng):
    if multiprocessing.parent_process():
        print("working", flush=True)
        while True:
            pass
    return chosen(game, view, rng)

courtly.bots.choose_at_random = choose
multiprocessing.set_start_method("fork")  # the workers have that too
simulate(Plan("sealed_bids", 2, 100, 1, {}, ("random", "random")), cores=2)
"""


def test_workers_end_with_whoever_they_work_for():
    with subprocess.Popen([sys.executable, "-c", IN_A_LOOP], stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout.readline() == "working\n"
        house.kill()
        house.communicate(timeout=60)  # until nobody has the other end any more

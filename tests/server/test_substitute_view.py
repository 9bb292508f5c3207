"""A player who disappears during a secret choice: a substitute continues after a vote, and sees what that seat sees."""

import json
import os
import random
import shutil

import pytest
from guests import Server, wait_until

from courtly.engine.game import find_game

RECORDING_BOT = """
import json, os
from courtly.games.necklace.bot import choose as think
def choose(game, view, rng):
    with open(os.environ["SEEN"], "a") as seen:
        seen.write(json.dumps(view) + "\\n")
    return think(game, view, rng)
"""
SHOW = find_game("necklace").rules.Phase.SHOW
SECRETS = ("hand", "tray", "restarts", "known", "fresh")


@pytest.fixture(scope="module")
def recording_server(tmp_path_factory):
    """A server with a copy of Queen's Necklace whose bot records everything it receives."""
    folder = tmp_path_factory.mktemp("witness")
    shutil.copytree(find_game("necklace").folder, folder / "watched_necklace")
    (folder / "watched_necklace" / "bot.py").write_text(RECORDING_BOT)
    toml = folder / "watched_necklace" / "game.toml"
    toml.write_text(toml.read_text().replace('id = "necklace"', 'id = "watched_necklace"'))
    record_file = folder / "seen.jsonl"
    record_file.touch()
    with Server(
        tmp_path_factory.mktemp("data"),
        COURTLY_GAMES="watched_necklace",
        PYTHONPATH=f"{folder}{os.pathsep}{os.environ['PYTHONPATH']}",
        SEEN=str(record_file),
    ) as server:
        server.record_file = record_file
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def open_sale(players):
    """Open a table where all players have to choose what to show, and the second player has a gem to lay."""
    ada, ben, cleo = players
    while True:
        table = ada.open("me", "open", "open", game="watched_necklace", options={})
        ben.command(table, "sit")
        cleo.command(table, "sit")
        play_to_the_sale(table, players)
        if any(move["verb"] == "lay" for move in ben.view(table, 1)["legal"]):
            return table


def play_to_the_sale(table, players):
    rng = random.Random(3)
    while True:
        state = players[0].view(table)["state"]
        for seat, guest in enumerate(players):
            view = guest.view(table, seat)
            if state["phase"] == SHOW:
                return
            if view["legal"]:
                assert guest.play(table, seat, view["seq"], rng.choice(view["legal"])["id"]).status == 200
                break


def visible_secrets(view):
    """Return the private rows that a view shows, as (field, seat)."""
    return {(name, seat) for name in SECRETS for seat, row in enumerate(view["state"][name]) if row is not None}


def test_a_substitute_sees_what_its_player_saw_and_continues_a_secret_choice(recording_server):
    ada, ben, cleo = players = [recording_server.guest(name) for name in ("Ada", "Ben", "Cleo")]
    table = open_sale(players)
    with (
        ada.connect(table) as adas_connection,
        cleo.connect(table) as cleos_connection,
        recording_server.guest().connect(table) as spectators_connection,
    ):
        with ben.connect(table) as bens_connection:
            lay_move = next(move for move in bens_connection.view()["legal"] if move["verb"] == "lay")
            bens_connection.play(ben.view(table, 1), lay_move["id"])
            bens_connection.view_where(lambda view: view["undo"])
        bens_view = ben.view(table, 1)  # as Ben left it: a card is laid, nothing is committed
        assert sum(bens_view["state"]["tray"][1]) == 1 and 1 in bens_view["pending"]
        wait_until(lambda: not ada.table(table)["seats"][1]["connected"])

        assert ada.command(table, "substitute", {"seat": 1}).json["seats"][1]["substitute"] is None, "not voted yet"
        assert not recording_server.record_file.read_text(), "the bot has not been asked yet"
        assert ben.view(table, 1) == bens_view
        assert cleo.command(table, "substitute", {"seat": 1}).json["seats"][1]["substitute"] == "squire"
        wait_until(lambda: 1 not in ada.view(table)["pending"])

        views = [json.loads(line) for line in recording_server.record_file.read_text().splitlines()]
        compared_fields = {"seat", "state", "pending", "legal"}
        assert {name: views[0][name] for name in compared_fields} == {
            name: bens_view[name] for name in compared_fields
        }, "the bot sees what Ben saw"
        for view in views:
            assert (
                view["seat"] == 1
                and visible_secrets(view) == {(name, 1) for name in SECRETS}
                and not {"deck", "pile"} & view["state"].keys()
            )

        for guest, seat, connection in (
            (ada, 0, adas_connection),
            (cleo, 2, cleos_connection),
            (None, None, spectators_connection),
        ):
            others_view = (guest or ada).view(table, seat)
            assert visible_secrets(others_view) == ({(name, seat) for name in SECRETS} if guest else set()), (
                "Ben's choice stays secret"
            )
            assert not [
                cue
                for cue in others_view["cues"]
                if cue["seat"] == 1 and cue["verb"] in ("lay", "ring", "king", "necklace", "banker", "clear")
            ]
            assert [cue["verb"] for cue in others_view["cues"] if cue["seat"] == 1][-1] == "commit"
            connection.close()

    assert ben.command(table, "take-seat-back", {"seat": 1}).json["seats"][1]["substitute"] is None
    assert 1 not in ben.view(table, 1)["pending"], "the choice is made"

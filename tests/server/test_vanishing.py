"""A player who disappears during a secret choice: a substitute continues after a vote, and sees what that seat sees."""

import json
import os
import random
import shutil

import pytest
from guests import Server, until

from courtly.engine.game import find_game

WITNESS = """
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
def house(tmp_path_factory):
    """A server with a copy of Queen's Necklace whose bot records everything it receives."""
    folder = tmp_path_factory.mktemp("witness")
    shutil.copytree(find_game("necklace").folder, folder / "watched_necklace")
    (folder / "watched_necklace" / "bot.py").write_text(WITNESS)
    toml = folder / "watched_necklace" / "game.toml"
    toml.write_text(toml.read_text().replace('id = "necklace"', 'id = "watched_necklace"'))
    seen = folder / "seen.jsonl"
    seen.touch()
    with Server(
        tmp_path_factory.mktemp("data"),
        COURTLY_GAMES="watched_necklace",
        PYTHONPATH=f"{folder}{os.pathsep}{os.environ['PYTHONPATH']}",
        SEEN=str(seen),
    ) as server:
        server.seen = seen
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def sale(players):
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


def secrets(view):
    """Return the private rows that a view shows, as (field, seat)."""
    return {(name, seat) for name in SECRETS for seat, row in enumerate(view["state"][name]) if row is not None}


def test_a_player_disappears_while_choosing_what_to_show(house):
    ada, ben, cleo = players = [house.guest(name) for name in ("Ada", "Ben", "Cleo")]
    table = sale(players)
    with ada.connect(table) as one, cleo.connect(table) as three, house.guest().connect(table) as looker:
        with ben.connect(table) as two:
            laid = next(move for move in two.view()["legal"] if move["verb"] == "lay")
            two.play(ben.view(table, 1), laid["id"])
            two.view_where(lambda view: view["undo"])
        mine = ben.view(table, 1)  # as Ben left it: a card is laid, nothing is committed
        assert sum(mine["state"]["tray"][1]) == 1 and 1 in mine["pending"]
        until(lambda: not ada.table(table)["seats"][1]["here"])

        assert ada.command(table, "standin", {"seat": 1}).json["seats"][1]["standin"] is None, (
            "the vote has not passed yet"
        )
        assert not house.seen.read_text(), "the bot has not been asked yet"
        assert ben.view(table, 1) == mine
        assert cleo.command(table, "standin", {"seat": 1}).json["seats"][1]["standin"] == "squire"
        until(lambda: 1 not in ada.view(table)["pending"])

        views = [json.loads(line) for line in house.seen.read_text().splitlines()]
        own = {"seat", "state", "pending", "legal"}
        assert {name: views[0][name] for name in own} == {name: mine[name] for name in own}, "the bot sees what Ben saw"
        for view in views:
            assert (
                view["seat"] == 1
                and secrets(view) == {(name, 1) for name in SECRETS}
                and not {"deck", "pile"} & view["state"].keys()
            )

        for guest, seat, line in ((ada, 0, one), (cleo, 2, three), (None, None, looker)):
            told = (guest or ada).view(table, seat)
            assert secrets(told) == ({(name, seat) for name in SECRETS} if guest else set()), (
                "Ben's choice stays secret"
            )
            assert not [
                cue
                for cue in told["cues"]
                if cue["seat"] == 1 and cue["verb"] in ("lay", "ring", "king", "necklace", "banker", "clear")
            ]
            assert [cue["verb"] for cue in told["cues"] if cue["seat"] == 1][-1] == "commit"
            line.close()

    assert ben.command(table, "back", {"seat": 1}).json["seats"][1]["standin"] is None
    assert 1 not in ben.view(table, 1)["pending"], "the choice is made"

"""A game without a server: its players, its continuation on another day, and its replay."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from record_variants import VARIANTS, apply_variant

from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids
from courtly.offline.play import CommandDispatcher, LocalGame
from courtly.server.assets.pyodide_bundle import build_archive

HERE = Path(__file__).parent
SECRET = "5a" * 32
RECORD = HERE / "games" / "necklace" / "golden" / "thief-arrested.jsonl"


def ended(local):
    """Let all players here make their first legal move until the game is over."""
    while not local.match.over:
        if not local.think():
            seat = local.match.pending[0]
            local.play(seat, [local.match.legal(seat)[0].id], local.match.seq(seat))
    return local


@pytest.mark.parametrize("game", game_ids())
def test_a_game_is_played_stored_and_replayed(game):
    rules = find_game(game)
    options = {name: values[-1] for name, values in rules.options.items()}
    chairs = [{"bot": "page"}, {"name": "Anna"}, *[{"bot": "squire"}] * (rules.players[0] - 2)]
    local = LocalGame(game, chairs, options, SECRET)
    while local.think():
        pass
    assert LocalGame.kept(local.text()).text() == local.text()
    assert [view["seat"] for view in local.views()] == [1]
    table = ended(local).table()
    assert [(seat["kind"], seat["bot"], seat["you"]) for seat in table["seats"]][:2] == [
        ("bot", "page", False),
        ("person", None, True),
    ]
    match = transcript.check(local.record())
    assert match.scores == local.match.scores and match.options == options
    assert transcript.read_names(local.record(), len(chairs))[:2] == ["page", "Anna"]
    told = local.past("all")
    assert told["moments"][-1]["ply"] == len(local.match.entries)


def test_a_game_stored_by_an_older_version_keeps_its_draws():
    local = LocalGame("petition", [{"name": "Anna"}, {"name": "Bert"}], {}, SECRET, "entries")
    for _ in range(40):
        seat = local.match.pending[0]
        local.play(seat, [local.match.legal(seat)[0].id], local.match.seq(seat))
    head, *entries = json.loads(local.text())
    assert head.pop() == "entries"
    again = LocalGame.kept(json.dumps([head, *entries]))
    assert again.text() == local.text()
    assert transcript.check(ended(again).record()).over


def test_several_people_or_only_bots():
    local = LocalGame("necklace", [{}, {"name": "Bert"}, {"bot": "page"}], {}, SECRET)
    assert [view["seat"] for view in local.views()] == [0, 1]
    assert [seat["kind"] for seat in local.table()["seats"]] == ["person", "local", "bot"]
    alone = LocalGame("necklace", [{"bot": "page"}] * 2, {}, SECRET)
    assert [view["seat"] for view in alone.views()] == [None]
    assert ended(alone).match.over


def test_calls_are_answered_as_by_a_server():
    desk = CommandDispatcher()

    def ask(what, *more):
        return json.loads(desk.answer(json.dumps({"what": what, "with": more})))

    assert {about["id"] for about in ask("games")["answer"]} == set(game_ids())
    ask("open", "necklace", [{}, {"bot": "page"}], {}, SECRET)
    while ask("think")["answer"]:
        pass
    seq = ask("views")["answer"][0]["seq"]
    assert ask("play", 0, [10**6], seq)["error"]["id"].startswith("error-")
    assert ask("play", 0, [], seq + 1)["error"]["id"] == "error-stale"


def test_a_record_is_replayed_or_its_error_reported():
    desk, lines = CommandDispatcher(), RECORD.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])

    def ask(*lines, eyes="all"):
        return json.loads(desk.answer(json.dumps({"what": "replay", "with": ["\n".join(lines), eyes]})))

    told = ask(*lines)["answer"]
    assert told["moments"][-1]["changed"]["over"] and told["table"]["status"] == "over"
    assert [seat["name"] for seat in told["table"]["seats"]] == head.get("seats", [""] * head["players"])
    assert ask(*lines, eyes=0)["answer"]["moments"] != told["moments"]
    for way in VARIANTS:
        raw, line = apply_variant(RECORD.read_bytes(), way)
        told = ask(raw.decode(errors="replace"))
        assert told.get("error", {"args": {"line": 0}})["args"]["line"] == line, way
    assert ask(*lines, eyes=9)["error"]["id"] == "error-unknown-seat"
    wrong = ask(*lines[:7], "{", *lines[8:])["error"]
    assert wrong["id"] == "error-record" and wrong["args"]["line"] == 8
    assert ask(json.dumps({**head, "version": 999}), *lines[1:])["error"]["id"] == "error-record-version"
    assert ask(json.dumps({**head, "game": "whist"}), *lines[1:])["error"]["id"] == "error-record-game"


ANSWERS = """
import sys
sys.path.insert(0, sys.argv[1])
from courtly.offline.play import CommandDispatcher
desk = CommandDispatcher()
for question in sys.stdin:
    print(desk.answer(question))
"""


def by_the_archive(folder, packed, *questions):
    """Return the answers of a process that has only this archive, as a browser has."""
    with zipfile.ZipFile(io.BytesIO(packed)) as held:
        held.extractall(folder)
    asked = "".join(json.dumps({"what": what, "with": more}) + "\n" for what, *more in questions)
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("COURTLY", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-S", "-c", ANSWERS, folder],
        input=asked,
        capture_output=True,
        text=True,
        env=alone,
        cwd=folder,
    )
    assert not done.returncode, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_games_of_other_packages_need_only_the_archive(tmp_path):
    local = LocalGame("sealed_bids", [{"name": "Anna"}, {"bot": "random"}], {}, SECRET)
    told = ended(local).past("all")
    names = zipfile.ZipFile(io.BytesIO(build_archive())).namelist()
    assert [name for name in names if "sealed_bids" in name] == [
        f"sealed_bids/{name}" for name in ("__init__.py", "game.toml", "rules.py")
    ]
    games, _, _, replayed = by_the_archive(
        tmp_path,
        build_archive(),
        ("games",),
        ("open", "sealed_bids", [{}, {"bot": "random"}], {}, SECRET),
        ("think",),
        ("replay", local.record(), "all"),
    )
    bots = {about["id"]: [bot["name"] for bot in about["bots"]] for about in games["answer"]}
    assert bots["sealed_bids"] == ["random"] and bots["petition"] == ["page", "squire"]
    assert replayed["answer"]["moments"] == json.loads(json.dumps(told["moments"]))


def test_a_games_load_error_in_the_archive_is_reported(tmp_path):
    """A package that needs modules a browser does not have."""
    folder = tmp_path / "more" / "needing_more"
    shutil.copytree(HERE / "sealed_bids", folder, ignore=shutil.ignore_patterns("__pycache__"))
    card = folder / "game.toml"
    card.write_text(card.read_text(encoding="utf-8").replace("sealed_bids", "needing_more"), encoding="utf-8")
    with (folder / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write("import numpy\n")
    packing = (
        "import sys; from courtly.server.assets.pyodide_bundle import build_archive; "
        "sys.stdout.buffer.write(build_archive())"
    )
    env = os.environ | {
        "COURTLY_GAMES": "more.needing_more",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]]),
    }
    packed = subprocess.run([sys.executable, "-c", packing], capture_output=True, env=env, check=True).stdout
    head = {"courtly": 1, "game": "needing_more", "version": 1, "players": 2}
    games, refused = by_the_archive(tmp_path / "there", packed, ("games",), ("replay", json.dumps(head), "all"))
    assert {about["id"] for about in games["answer"]} == set(game_ids()) - {"sealed_bids"}
    why = refused["error"]["args"]["why"]
    assert refused["error"]["id"] == "error-here" and "No module named 'numpy'" in why and "rules.py:" in why

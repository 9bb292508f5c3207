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

TESTS_FOLDER = Path(__file__).parent
SECRET = "5a" * 32
RECORD = TESTS_FOLDER / "games" / "necklace" / "golden" / "thief-arrested.jsonl"


def play_to_the_end(local):
    """Let all players here make their first legal move until the game is over."""
    while not local.match.over:
        if not local.play_next_bot():
            seat = local.match.pending[0]
            local.play(seat, [local.match.legal(seat)[0].id], local.match.seq(seat))
    return local


@pytest.mark.parametrize("game", game_ids())
def test_a_game_is_played_stored_and_replayed(game):
    rules = find_game(game)
    options = {name: values[-1] for name, values in rules.options.items()}
    seats = [{"bot": "page"}, {"name": "Anna"}, *[{"bot": "squire"}] * (rules.players[0] - 2)]
    local = LocalGame(game, seats, options, SECRET)
    while local.play_next_bot():
        pass
    assert LocalGame.restore(local.text()).text() == local.text()
    assert [view["seat"] for view in local.views()] == [1]
    table = play_to_the_end(local).table()
    assert [(seat["kind"], seat["bot"], seat["you"]) for seat in table["seats"]][:2] == [
        ("bot", "page", False),
        ("person", None, True),
    ]
    match = transcript.check(local.record())
    assert match.scores == local.match.scores and match.options == options
    assert transcript.read_names(local.record(), len(seats))[:2] == ["page", "Anna"]
    replay = local.history("all")
    assert replay["moments"][-1]["ply"] == len(local.match.entries)


def test_a_game_stored_by_an_older_version_keeps_its_draws():
    local = LocalGame("petition", [{"name": "Anna"}, {"name": "Bert"}], {}, SECRET, "entries")
    for _ in range(40):
        seat = local.match.pending[0]
        local.play(seat, [local.match.legal(seat)[0].id], local.match.seq(seat))
    head, *entries = json.loads(local.text())
    assert head.pop() == "entries"
    reopened = LocalGame.restore(json.dumps([head, *entries]))
    assert reopened.text() == local.text()
    assert transcript.check(play_to_the_end(reopened).record()).over


def test_an_offline_game_has_several_people_or_only_bots():
    local = LocalGame("necklace", [{}, {"name": "Bert"}, {"bot": "page"}], {}, SECRET)
    assert [view["seat"] for view in local.views()] == [0, 1]
    assert [seat["kind"] for seat in local.table()["seats"]] == ["person", "local", "bot"]
    bot_game = LocalGame("necklace", [{"bot": "page"}] * 2, {}, SECRET)
    assert [view["seat"] for view in bot_game.views()] == [None]
    assert play_to_the_end(bot_game).match.over


def test_calls_are_answered_as_by_a_server():
    dispatcher = CommandDispatcher()

    def call(name, *arguments):
        return json.loads(dispatcher.answer(json.dumps({"what": name, "with": arguments})))

    assert {game["id"] for game in call("games")["answer"]} == set(game_ids())
    call("open", "necklace", [{}, {"bot": "page"}], {}, SECRET)
    while call("play_next_bot")["answer"]:
        pass
    seq = call("views")["answer"][0]["seq"]
    assert call("play", 0, [10**6], seq)["error"]["id"].startswith("error-")
    assert call("play", 0, [], seq + 1)["error"]["id"] == "error-stale"


def test_a_move_is_previewed_and_taken_back():
    dispatcher = CommandDispatcher()

    def call(name, *arguments):
        return json.loads(dispatcher.answer(json.dumps({"what": name, "with": arguments})))["answer"]

    assert call("about", "sealed_bids")["id"] == "sealed_bids"
    call("open", "sealed_bids", [{}, {}], {"looks": 0}, SECRET)
    view = call("views")[0]
    move = view["legal"][0]["id"]
    assert call("preview", 0, [move], view["seq"])["state"]["choice"] != view["state"]["choice"]
    call("play", 0, [move], view["seq"])
    changed_view = call("views")[0]
    assert changed_view["state"]["choice"] != view["state"]["choice"]
    call("undo", 0, changed_view["seq"])
    assert call("views")[0]["state"] == view["state"]
    text = dispatcher.local.text()
    with pytest.raises(ValueError, match="the game was begun with version 0 of the rules; installed is 1"):
        LocalGame.restore(text.replace("[[1,", "[[0,", 1))
    play_to_the_end(dispatcher.local)
    assert any(cue["verb"] == "undo" and cue["args"] == {"count": 1} for cue in dispatcher.local.history("all")["cues"])


def test_a_record_is_replayed_or_its_error_reported():
    dispatcher, lines = CommandDispatcher(), RECORD.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])

    def replay(*lines, viewpoint="all"):
        return json.loads(dispatcher.answer(json.dumps({"what": "replay", "with": ["\n".join(lines), viewpoint]})))

    answer = replay(*lines)["answer"]
    assert answer["moments"][-1]["changed"]["over"] and answer["table"]["status"] == "over"
    assert [seat["name"] for seat in answer["table"]["seats"]] == head.get("seats", [""] * head["players"])
    assert replay(*lines, viewpoint=0)["answer"]["moments"] != answer["moments"]
    for variant in VARIANTS:
        raw, line = apply_variant(RECORD.read_bytes(), variant)
        answer = replay(raw.decode(errors="replace"))
        assert answer.get("error", {"args": {"line": 0}})["args"]["line"] == line, variant
    assert replay(*lines, viewpoint=9)["error"]["id"] == "error-unknown-seat"
    error = replay(*lines[:7], "{", *lines[8:])["error"]
    assert error["id"] == "error-record" and error["args"]["line"] == 8
    assert replay(json.dumps({**head, "version": 999}), *lines[1:])["error"]["id"] == "error-record-version"
    assert replay(json.dumps({**head, "game": "whist"}), *lines[1:])["error"]["id"] == "error-record-game"


DISPATCHER_PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from courtly.offline.play import CommandDispatcher
desk = CommandDispatcher()
for question in sys.stdin:
    print(desk.answer(question))
"""


def run_in_archive(folder, archive, *questions):
    """Return the answers of a process that has only this archive, as a browser has."""
    with zipfile.ZipFile(io.BytesIO(archive)) as zip_file:
        zip_file.extractall(folder)
    input_lines = "".join(json.dumps({"what": command, "with": arguments}) + "\n" for command, *arguments in questions)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COURTLY", "PYTHON"))}
    process = subprocess.run(
        [sys.executable, "-S", "-c", DISPATCHER_PROGRAM, folder],
        input=input_lines,
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )
    assert not process.returncode, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


def test_games_of_other_packages_need_only_the_archive(tmp_path):
    local = LocalGame("sealed_bids", [{"name": "Anna"}, {"bot": "random"}], {}, SECRET)
    expected_replay = play_to_the_end(local).history("all")
    names = zipfile.ZipFile(io.BytesIO(build_archive())).namelist()
    assert [name for name in names if "sealed_bids" in name] == [
        f"sealed_bids/{name}" for name in ("__init__.py", "game.toml", "rules.py")
    ]
    games, _, _, replay = run_in_archive(
        tmp_path,
        build_archive(),
        ("games",),
        ("open", "sealed_bids", [{}, {"bot": "random"}], {}, SECRET),
        ("play_next_bot",),
        ("replay", local.record(), "all"),
    )
    bots = {game["id"]: [bot["name"] for bot in game["bots"]] for game in games["answer"]}
    assert bots["sealed_bids"] == ["random"] and bots["petition"] == ["page", "squire"]
    assert replay["answer"]["moments"] == json.loads(json.dumps(expected_replay["moments"]))


def test_a_games_load_error_in_the_archive_is_reported(tmp_path):
    """A package that needs modules a browser does not have."""
    folder = tmp_path / "more" / "needing_more"
    shutil.copytree(TESTS_FOLDER / "sealed_bids", folder, ignore=shutil.ignore_patterns("__pycache__"))
    game_toml = folder / "game.toml"
    game_toml.write_text(game_toml.read_text(encoding="utf-8").replace("sealed_bids", "needing_more"), encoding="utf-8")
    with (folder / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write("import numpy\n")
    program = (
        "import sys; from courtly.server.assets.pyodide_bundle import build_archive; "
        "sys.stdout.buffer.write(build_archive())"
    )
    env = os.environ | {
        "COURTLY_GAMES": "more.needing_more",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]]),
    }
    archive = subprocess.run([sys.executable, "-c", program], capture_output=True, env=env, check=True).stdout
    head = {"courtly": 1, "game": "needing_more", "version": 1, "players": 2}
    games, refusal = run_in_archive(tmp_path / "there", archive, ("games",), ("replay", json.dumps(head), "all"))
    assert {game["id"] for game in games["answer"]} == set(game_ids()) - {"sealed_bids"}
    reason = refusal["error"]["args"]["why"]
    assert refusal["error"]["id"] == "error-here" and "No module named 'numpy'" in reason and "rules.py:" in reason

"""A match in a browser: node answers the commands of the page as Python does."""

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
from local_match_reference import CommandDispatcher
from node_program import copy_modules, find_node, needs_node
from record_variants import VARIANTS, apply_variant

from courtly.bots.webassembly import compile_with_search
from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match

TESTS_FOLDER = Path(__file__).parent
HARNESS = TESTS_FOLDER / "local_match_harness.mjs"
RECORD = TESTS_FOLDER / "games" / "puppet" / "golden" / "2-players-fewest-honour.jsonl"
SECRET = "5a" * 32
BOT = "search:32"  # of few simulations


@cache
def compile_game(name):
    return compile_with_search(find_game(name))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the modules of the page and some compiled games."""
    path = tmp_path_factory.mktemp("local")
    copy_modules(path / "web")
    (path / "compiled").mkdir()
    (path / "compiled" / "games.json").write_text(json.dumps([{"id": name} for name in game_ids()]))
    return path


def add_game(folder, name):
    module = compile_game(name)
    (folder / "compiled" / f"{name}.wasm").write_bytes(module.code)
    (folder / "compiled" / f"{name}.json").write_text(json.dumps(module.description))


def answer_in_node(folder, commands):
    process = subprocess.run(
        [find_node(), HARNESS, folder / "web", folder / "compiled"],
        input=json.dumps([{"what": what, "with": args} for what, *args in commands]),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def answer_in_python(commands):
    dispatcher = CommandDispatcher()
    return [json.loads(dispatcher.answer(json.dumps({"what": what, "with": args}))) for what, *args in commands]


def write_commands(name, seats, rounds):
    """Return commands of a match in which the first person makes the first legal moves."""
    dispatcher, commands = CommandDispatcher(), []
    game = find_game(name)

    def call(*command):
        commands.append(command)
        what, *args = command
        return json.loads(dispatcher.answer(json.dumps({"what": what, "with": args}))).get("answer")

    call("open", name, seats, {option: values[-1] for option, values in game.options.items()}, SECRET)
    for n in range(rounds):
        while call("play_next_bot"):
            pass
        views = call("views")
        movers = [view for view in views if view["legal"]]
        if not movers:
            break
        view = movers[n % len(movers)]
        seat, move = view["seat"], view["legal"][3 * n % len(view["legal"])]["id"]
        call("preview", seat, [move], view["seq"])
        call("play", seat, [move], view["seq"])
        call("table")
    for viewpoint in (0, None):
        call("history", viewpoint)
    call("record")
    text = call("text")
    call("restore", text)
    call("views")
    return commands


def without_counts(answers, commands):
    """Return the answers, without those of commands whose answers the page does not read."""
    return [
        None if what in ("play", "undo", "open", "restore") and "error" not in answer else answer
        for answer, (what, *_) in zip(answers, commands, strict=True)
    ]


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_a_match_against_bots_is_the_same(folder, name):
    add_game(folder, name)
    seats = [{"bot": BOT}, {"name": "Anna"}, *[{"bot": "random"}] * (find_game(name).players[0] - 2)]
    commands = write_commands(name, seats, 12)
    found, expected = answer_in_node(folder, commands), answer_in_python(commands)
    assert without_counts(found, commands) == without_counts(expected, commands)
    # records and stored texts are the same to the byte
    texts = [i for i, (what, *_) in enumerate(commands) if what in ("record", "text")]
    assert texts and all(found[i] == expected[i] for i in texts)


@needs_node
def test_people_take_back_and_preview_moves(folder):
    add_game(folder, "sealed_bids")
    dispatcher = CommandDispatcher()
    open_command = ("open", "sealed_bids", [{}, {"name": "Bert"}], {"looks": 0}, SECRET)
    dispatcher.answer(json.dumps({"what": open_command[0], "with": open_command[1:]}))
    [view, _] = dispatcher.local.views()
    move, seq = view["legal"][0]["id"], view["seq"]
    commands = [
        open_command,
        ("views",),
        ("preview", 0, [move], seq),
        ("play", 0, [move], seq),
        ("play", 0, [move], seq),  # is stale
        ("views",),
        ("undo", 0, seq + 1),
        ("undo", 0, seq + 2),
        ("views",),
        ("play", 0, [10**6], seq + 2),
        ("play", 5, [move], 0),
        ("table",),
        ("history", "all"),
    ]
    found, expected = answer_in_node(folder, commands), answer_in_python(commands)
    assert without_counts(found, commands) == without_counts(expected, commands)
    assert found[4]["error"]["id"] == "error-stale" and [*found[7]] == ["error"]


@needs_node
def test_games_that_cannot_go_on(folder):
    add_game(folder, "sealed_bids")
    commands = [
        ("views",),
        ("open", "sealed_bids", [{}, {"bot": "grandmaster"}], {}, SECRET),
        ("restore", json.dumps([[0, "sealed_bids", [{}, {}], {}, SECRET]])),
        ("restore", json.dumps([[1, "sealed_bids", [{}, {}], {}, SECRET, "events"], [0, 0, 0, None, 0, 0]])),
        ("restore", json.dumps([[1, "whist", [{}, {}], {}, SECRET]])),
    ]
    found = answer_in_node(folder, commands)
    assert [answer.get("wrong") for answer in found[:4]] == [
        "no game has begun",
        None,
        "the game was begun with version 0 of the rules; installed is 1",
        "entry 0: the move is not legal",
    ]
    assert "whist" in found[4]["wrong"]


@needs_node
def test_a_record_is_replayed_or_its_error_reported(folder):
    add_game(folder, "puppet")
    lines = RECORD.read_text("utf-8").splitlines()
    head = json.loads(lines[0])
    texts = [
        "\n".join(lines),
        "\n".join([*lines[:7], "{", *lines[8:]]),
        "\n".join([json.dumps({**head, "version": 999}), *lines[1:]]),
        "\n".join([json.dumps({**head, "game": "whist"}), *lines[1:]]),
        "\n".join([json.dumps({**head, "courtly": 2}), *lines[1:]]),
        "\n".join([json.dumps({**head, "seats": [" Anna ", "x" * 25, "\u202e"]}), *lines[1:]]),
        *(apply_variant(RECORD.read_bytes(), variant)[0].decode(errors="replace") for variant in VARIANTS),
    ]
    commands = [("replay", text, viewpoint) for text in texts for viewpoint in ("all", 0, 9)]
    found, expected = answer_in_node(folder, commands), answer_in_python(commands)
    for answer in (*found, *expected):  # the reasons may have other words
        answer.get("error", {}).get("args", {}).pop("why", None)
    assert found == expected
    assert sum("answer" in answer for answer in found) > 2


@needs_node
def test_a_game_stored_by_an_older_version_keeps_its_draws(folder):
    add_game(folder, "petition")
    seats = [{"name": "Anna"}, {"name": "Bert"}]
    _, *moves = write_commands("petition", seats, 20)
    game = find_game("petition")
    options = {option: values[0] for option, values in game.options.items()}
    text = json.dumps([[game.version, game.id, seats, options, SECRET]])  # it lacks what counts draws
    commands = [("restore", text), ("views",), *moves]
    found, expected = answer_in_node(folder, commands), answer_in_python(commands)
    assert without_counts(found, commands) == without_counts(expected, commands)
    stored = next(answer["answer"] for answer, (what, *_) in zip(found, commands, strict=True) if what == "text")
    assert json.loads(stored)[0][-1] == "entries"


@needs_node
def test_only_bots_play(folder):
    add_game(folder, "sealed_bids")
    commands = [("open", "sealed_bids", [{"bot": "random"}] * 2, {"looks": 0}, SECRET), *[("play_next_bot",)] * 60]
    commands += [("views",), ("table",), ("history", None), ("record",)]
    found, expected = answer_in_node(folder, commands), answer_in_python(commands)
    assert without_counts(found, commands) == without_counts(expected, commands)
    assert found[-4]["answer"][0]["seat"] is None and found[-3]["answer"]["status"] == "over"


PAST_GAMES = {
    "cardinal": "three-players",
    "necklace": "king",
    "newtown": "version-2-two-players",
    "petition": "the-queens-holder-beats",
    "puppet": "2-players-fewest-honour",
}


def read_past_game(name):
    return (TESTS_FOLDER / "games" / name / "golden" / f"{PAST_GAMES[name]}.jsonl").read_text("utf-8")


def replay_until(past, ply):
    return Match.replay(past.game, past.players, past.options, past.source, past.entries[:ply])


def find_decision(past):
    """Return the position before a decision in the middle of a game: one that its seat reached by a move that it could
    have taken back, if there is one."""
    decisions = []
    for ply in range(len(past.entries) // 3, len(past.entries)):
        match = replay_until(past, ply)
        if not match.chance and len(match.legal(match.pending[0])) > 1:
            if match.can_undo(match.pending[0]):
                return match
            decisions.append(match)
        if len(decisions) > 40:
            break
    return decisions[0]


@needs_node
@pytest.mark.parametrize("name", PAST_GAMES)
def test_a_game_is_played_on_from_a_position(folder, name):
    add_game(folder, name)
    record = read_past_game(name)
    past = transcript.check(record)
    before = find_decision(past)
    ply, seat = len(before.entries), before.pending[0]
    seats = [{"bot": None, "name": f"Player {n}"} for n in range(past.players)]
    seats[seat - 1] = {"bot": None, "name": "page"}  # as a record names a bot
    move, seq = before.legal(seat)[0].id, before.seq(seat)
    commands = [
        ("play_on", name, record, ply, seat, seats, SECRET),
        ("table",),
        ("views",),
        ("undo", seat, seq),
        ("history", seat),
        ("record",),
        ("text",),
        ("play", seat, [move], seq),
        ("views",),
        ("text",),
    ]
    found, expected = answer_in_node(folder, commands), answer_in_python(commands)
    assert without_counts(found, commands) == without_counts(expected, commands)
    _, table, views, undo, _, begun, stored, *_ = found
    assert [s["bot"] for s in table["answer"]["seats"]] == [
        None if n == seat else "page" if n == (seat - 1) % past.players else "squire" for n in range(past.players)
    ]
    assert undo["error"]["id"] == "error-no-undo"
    assert views["answer"] == [{**before.view(seat, 0), "undo": False}]

    # what follows is not what followed in the past game
    match = transcript.check(begun["answer"])
    assert match.state == before.state and match.entries == before.entries
    outcomes = [
        [source.choose(n, n, [1] * 1000) for n in range(ply - 9, ply + 9)] for source in (past.source, match.source)
    ]
    assert outcomes[0][:9] == outcomes[1][:9] and not any(map(int.__eq__, outcomes[0][9:], outcomes[1][9:]))

    # it goes on like every other game: bots move, and it is restored, played on again and replayed
    commands = [("restore", stored["answer"]), ("views",), ("play", seat, [move], seq)]
    commands += [("play_next_bot",)] * 9 + [("record",), ("views",)]
    found = answer_in_node(folder, commands)
    assert found[1] == views
    later = transcript.check(found[-2]["answer"])
    assert len(later.entries) > ply and later.entries[:ply] == before.entries
    mover = later.pending[0]
    commands = [("play_on", name, found[-2]["answer"], len(later.entries), mover, seats, "a5" * 32), ("record",)]
    again = transcript.check(answer_in_node(folder, commands)[1]["answer"])
    assert again.state == later.state and [first for first, _ in again.source.parts] == [0, ply, len(later.entries)]

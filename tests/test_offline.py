"""A game that no server knows of: who plays it, how it goes on another day, and what is told of it afterwards."""

import json
from pathlib import Path

import pytest
from written import WAYS, line_of

from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids
from courtly.offline.play import Desk, Local

SECRET = "5a" * 32
RECORD = Path(__file__).parent / "games" / "necklace" / "golden" / "thief-arrested.jsonl"


def ended(local):
    """All who are here play the first move that they have."""
    while not local.match.over:
        if not local.think():
            seat = local.match.pending[0]
            local.play(seat, [local.match.legal(seat)[0].id], local.match.seq(seat))
    return local


@pytest.mark.parametrize("game", game_ids())
def test_it_is_played_kept_and_told(game):
    rules = find_game(game)
    options = {name: values[-1] for name, values in rules.options.items()}
    chairs = [{"bot": "page"}, {"name": "Anna"}, *[{"bot": "squire"}] * (rules.players[0] - 2)]
    local = Local(game, chairs, options, SECRET)
    while local.think():
        pass
    assert Local.kept(local.text()).text() == local.text()
    assert [view["seat"] for view in local.views()] == [1]
    table = ended(local).table()
    assert [(seat["kind"], seat["bot"], seat["you"]) for seat in table["seats"]][:2] == [
        ("bot", "page", False),
        ("person", None, True),
    ]
    match = transcript.check(local.record())
    assert match.scores == local.match.scores and match.options == options
    assert transcript.names(local.record(), len(chairs))[:2] == ["page", "Anna"]
    told = local.past("all")
    assert told["moments"][-1]["ply"] == len(local.match.entries)


def test_a_game_that_an_older_version_kept_goes_on_as_it_drew():
    local = Local("petition", [{"name": "Anna"}, {"name": "Bert"}], {}, SECRET, "entries")
    for _ in range(40):
        seat = local.match.pending[0]
        local.play(seat, [local.match.legal(seat)[0].id], local.match.seq(seat))
    head, *entries = json.loads(local.text())
    assert head.pop() == "entries"
    again = Local.kept(json.dumps([head, *entries]))
    assert again.text() == local.text()
    assert transcript.check(ended(again).record()).over


def test_several_are_here_or_nobody():
    local = Local("necklace", [{}, {"name": "Bert"}, {"bot": "page"}], {}, SECRET)
    assert [view["seat"] for view in local.views()] == [0, 1]
    assert [seat["kind"] for seat in local.table()["seats"]] == ["person", "local", "bot"]
    alone = Local("necklace", [{"bot": "page"}] * 2, {}, SECRET)
    assert [view["seat"] for view in alone.views()] == [None]
    assert ended(alone).match.over


def test_what_is_asked_is_answered_in_words_that_a_page_knows():
    desk = Desk()

    def ask(what, *more):
        return json.loads(desk.answer(json.dumps({"what": what, "with": more})))

    assert {about["id"] for about in ask("games")["answer"]} == set(game_ids())
    ask("open", "necklace", [{}, {"bot": "page"}], {}, SECRET)
    while ask("think")["answer"]:
        pass
    seq = ask("views")["answer"][0]["seq"]
    assert ask("play", 0, [10**6], seq)["error"]["id"].startswith("error-")
    assert ask("play", 0, [], seq + 1)["error"]["id"] == "error-stale"


def test_a_record_is_played_back_or_told_what_is_wrong_with_it():
    desk, lines = Desk(), RECORD.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])

    def ask(*lines, eyes="all"):
        return json.loads(desk.answer(json.dumps({"what": "replay", "with": ["\n".join(lines), eyes]})))

    told = ask(*lines)["answer"]
    assert told["moments"][-1]["changed"]["over"] and told["table"]["status"] == "over"
    assert [seat["name"] for seat in told["table"]["seats"]] == head.get("seats", [""] * head["players"])
    assert ask(*lines, eyes=0)["answer"]["moments"] != told["moments"]
    for way in WAYS:
        raw, line = line_of(RECORD.read_bytes(), way)
        told = ask(raw.decode(errors="replace"))
        assert told.get("error", {"args": {"line": 0}})["args"]["line"] == line, way
    assert ask(*lines, eyes=9)["error"]["id"] == "error-unknown-seat"
    wrong = ask(*lines[:7], "{", *lines[8:])["error"]
    assert wrong["id"] == "error-record" and wrong["args"]["line"] == 8
    assert ask(json.dumps({**head, "version": 999}), *lines[1:])["error"]["id"] == "error-record-version"
    assert ask(json.dumps({**head, "game": "whist"}), *lines[1:])["error"]["id"] == "error-record-game"

"""A record is checked strictly, and the first wrong line is reported."""

import json
import random
from pathlib import Path

import pytest
from record_variants import VARIANTS, apply_variant

from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.rng import CommittedChance
from courtly.engine.transcript import write_record
from courtly.session.view_history import replay_decisions

GAMES = Path(__file__).parents[1] / "games"


def record_of_a_game(game="sealed_bids", numbering="events"):
    match = Match(find_game(game), 3, {}, CommittedChance(b"s" * 32, "t1", ["aa", "bb", "cc"], numbering))
    rng = random.Random(2)
    while not match.over:
        seat = rng.choice(match.pending)
        match.play(seat, rng.choice(match.legal(seat)), at=17)
        if match.can_undo(seat) and rng.random() < 0.3:
            match.undo(seat)
    return write_record(match, seats=["Ann", "王", "🃏"]).splitlines()


@pytest.fixture(scope="module")
def lines():
    return record_of_a_game()


def check_lines(lines):
    return transcript.check("\n".join(lines))


def with_line_changed(lines, number, change):
    line = json.loads(lines[number - 1])
    change(line)
    return [*lines[: number - 1], json.dumps(line), *lines[number:]]


def test_a_valid_record_is_accepted(lines):
    assert check_lines(lines).over and "王" in lines[0]


@pytest.mark.parametrize("game", sorted({*game_ids()} - {"sealed_bids"}))  # sealed bids draws little after the deal
def test_records_of_older_versions_replay_by_their_numbering(game):
    lines, older = record_of_a_game(game), record_of_a_game(game, "entries")
    assert "counted" not in json.loads(older[0])["chance"] and json.loads(lines[0])["chance"]["counted"] == "events"
    assert check_lines(older).over and any('"undo"' in line for line in older)
    assert (
        "source of chance" in error_at(with_line_changed(older, 1, lambda x: x["chance"].update(counted="events")))[1]
    )
    assert "source of chance" in error_at(with_line_changed(lines, 1, lambda x: x["chance"].pop("counted")))[1]


def error_at(lines):
    with pytest.raises(transcript.InvalidRecordError) as error:
        check_lines(lines)
    return error.value.line, error.value.reason


@pytest.mark.parametrize(
    ("number", "change", "reason"),
    [
        (1, lambda x: x.update(courtly=2), "form"),
        (1, lambda x: x.update(game="chess"), "no game 'chess'"),
        (1, lambda x: x.update(version=99), "version"),
        (1, lambda x: x.update(players=7), "players"),
        (1, lambda x: x.update(players=None), "players"),
        (1, lambda x: x.update(options={"looks": 3}), "looks"),
        (1, lambda x: x.update(options=[1]), ""),
        (1, lambda x: x.pop("chance"), "chance"),
        (1, lambda x: x["chance"].update(secret="zz"), "chance"),
        (1, lambda x: x["chance"].update(secret="ab" * 32), "commitment"),
        (1, lambda x: x["chance"].update(counted="moves"), "events or entries"),
        (2, lambda x: x.update(event="deal card=joker"), "joker"),
        (3, lambda x: x.pop("ply"), "ply"),
        (4, lambda x: x.update(ply=77), "missing"),
    ],
)
def test_the_first_wrong_line_is_named(lines, number, change, reason):
    line, message = error_at(with_line_changed(lines, number, change))
    assert line == number and reason in message


def test_an_altered_random_outcome_is_detected(lines):
    number = next(i for i, line in enumerate(lines, 1) if "prize worth" in line)
    worth = int(json.loads(lines[number - 1])["event"][-1])
    line, message = error_at(with_line_changed(lines, number, lambda x: x.update(event=f"prize worth={worth % 4 + 1}")))
    assert line == number and "source of chance" in message


def test_another_nonce_fails_at_the_first_affected_event(lines):
    line, message = error_at(with_line_changed(lines, 1, lambda x: x["chance"]["nonces"].append("dd")))
    assert 1 < line < 30 and "source of chance" in message


def test_a_missing_line_other_scores_and_rubbish_are_detected(lines):
    assert error_at(lines[:10] + lines[11:])[0] in (11, 12)
    assert error_at(with_line_changed(lines, len(lines), lambda x: x.update(scores=[9, 9, 9])))[0] == len(lines)
    assert error_at(lines[:-1])[0] == len(lines) - 1
    assert error_at([*lines[:5], "{", *lines[5:]]) == (6, "is not JSON")
    assert error_at([*lines[:5], "[]", *lines[5:]]) == (6, "is not a JSON object")
    assert error_at([]) == (1, "the file is empty")
    assert error_at(lines[:1])[0] == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_equivalent_forms_of_a_record_read_the_same(lines, variant):
    raw, line = apply_variant("".join(f"{line}\n" for line in lines).encode(), variant)
    text = raw.decode(errors="replace")
    if line:
        with pytest.raises(transcript.InvalidRecordError) as error:
            transcript.check(text)
        assert error.value.line == line
    else:
        assert transcript.check(text).over


def test_reading_stops_at_the_first_wrong_line(lines, monkeypatch):
    read = []
    decode = json.JSONDecoder.decode
    monkeypatch.setattr(json.JSONDecoder, "decode", lambda self, line: read.append(line) or decode(self, line))
    assert error_at([lines[0], *["{}"] * 10_000])[0] == 2
    assert len(read) == 2


@pytest.mark.parametrize(
    "record", sorted(GAMES.glob("*/version-*.jsonl")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_record_of_an_earlier_version_replays_with_its_options(record):
    match = transcript.check(record.read_text(encoding="utf-8"))
    earlier = match.game.card["earlier"][record.stem.removeprefix("version-")]
    assert match.over and {name: getattr(match.state, name) for name in earlier} == earlier


def test_a_record_without_events_before_the_first_move_begins_with_its_first_decision(change_game, monkeypatch):
    start = "    s.phase = Phase.DEAL\n    s.pending = CHANCE\n"
    hands = "    for seat in range(s.players):\n        s.hand[seat][1] = s.size[seat] = 1\n    begin_choosing(s)\n"
    game = change_game(("rules.py", start, hands))
    monkeypatch.setattr(transcript, "_find_game", lambda *_: game)
    match = Match(game, 2, {"looks": 0}, CommittedChance(b"s" * 32, "t1", ["aa", "bb"]))
    for seat in (0, 1):
        for _ in range(2):
            match.play(seat, match.legal(seat)[0])
    first, *_, last = [(len(match.entries), match.over) for match in transcript.iter_checked(write_record(match))]
    assert first == (0, False) and last == (4, True)
    assert [len(step.entries) for step in replay_decisions(match)][0] == 0

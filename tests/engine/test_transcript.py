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

GAMES = Path(__file__).parents[1] / "games"


def played(game="sealed_bids", counted="events"):
    match = Match(find_game(game), 3, {}, CommittedChance(b"s" * 32, "t1", ["aa", "bb", "cc"], counted))
    r = random.Random(2)
    while not match.over:
        seat = r.choice(match.pending)
        match.play(seat, r.choice(match.legal(seat)), at=17)
        if match.can_undo(seat) and r.random() < 0.3:
            match.undo(seat)
    return write_record(match, seats=["Ann", "王", "🃏"]).splitlines()


@pytest.fixture(scope="module")
def lines():
    return played()


def checked(lines):
    return transcript.check("\n".join(lines))


def changed(lines, number, change):
    line = json.loads(lines[number - 1])
    change(line)
    return [*lines[: number - 1], json.dumps(line), *lines[number:]]


def test_a_valid_record(lines):
    assert checked(lines).over and "王" in lines[0]


@pytest.mark.parametrize("game", sorted({*game_ids()} - {"sealed_bids"}))  # sealed bids draws little after the deal
def test_records_of_older_versions_replay_by_their_numbering(game):
    lines, older = played(game), played(game, "entries")
    assert "counted" not in json.loads(older[0])["chance"] and json.loads(lines[0])["chance"]["counted"] == "events"
    assert checked(older).over and any('"undo"' in line for line in older)
    assert "source of chance" in wrong_line(changed(older, 1, lambda x: x["chance"].update(counted="events")))[1]
    assert "source of chance" in wrong_line(changed(lines, 1, lambda x: x["chance"].pop("counted")))[1]


def wrong_line(lines):
    with pytest.raises(transcript.InvalidRecordError) as caught:
        checked(lines)
    return caught.value.line, caught.value.why


@pytest.mark.parametrize(
    ("number", "change", "why"),
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
def test_the_first_wrong_line_is_named(lines, number, change, why):
    line, said = wrong_line(changed(lines, number, change))
    assert line == number and why in said


def test_another_random_outcome(lines):
    number = next(i for i, line in enumerate(lines, 1) if "prize worth" in line)
    worth = int(json.loads(lines[number - 1])["event"][-1])
    line, said = wrong_line(changed(lines, number, lambda x: x.update(event=f"prize worth={worth % 4 + 1}")))
    assert line == number and "source of chance" in said


def test_another_nonce_fails_at_the_first_affected_event(lines):
    line, said = wrong_line(changed(lines, 1, lambda x: x["chance"]["nonces"].append("dd")))
    assert 1 < line < 30 and "source of chance" in said


def test_a_missing_line_other_scores_and_rubbish(lines):
    assert wrong_line(lines[:10] + lines[11:])[0] in (11, 12)
    assert wrong_line(changed(lines, len(lines), lambda x: x.update(scores=[9, 9, 9])))[0] == len(lines)
    assert wrong_line(lines[:-1])[0] == len(lines) - 1
    assert wrong_line([*lines[:5], "{", *lines[5:]]) == (6, "is not JSON")
    assert wrong_line([*lines[:5], "[]", *lines[5:]]) == (6, "is not a JSON object")
    assert wrong_line([]) == (1, "the file is empty")
    assert wrong_line(lines[:1])[0] == 1


@pytest.mark.parametrize("way", VARIANTS)
def test_equivalent_forms_of_a_record_read_the_same(lines, way):
    raw, line = apply_variant("".join(f"{line}\n" for line in lines).encode(), way)
    text = raw.decode(errors="replace")
    if line:
        with pytest.raises(transcript.InvalidRecordError) as caught:
            transcript.check(text)
        assert caught.value.line == line
    else:
        assert transcript.check(text).over


def test_reading_stops_at_the_first_wrong_line(lines, monkeypatch):
    read = []
    decode = json.JSONDecoder.decode
    monkeypatch.setattr(json.JSONDecoder, "decode", lambda self, line: read.append(line) or decode(self, line))
    assert wrong_line([lines[0], *["{}"] * 10_000])[0] == 2
    assert len(read) == 2


@pytest.mark.parametrize(
    "record", sorted(GAMES.glob("*/version-*.jsonl")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_record_of_an_earlier_version_replays_with_its_options(record):
    match = transcript.check(record.read_text(encoding="utf-8"))
    earlier = match.game.card["earlier"][record.stem.removeprefix("version-")]
    assert match.over and {name: getattr(match.state, name) for name in earlier} == earlier

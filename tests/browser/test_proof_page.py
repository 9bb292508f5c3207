"""The self-contained page that verifies a saved record."""

import json
from hashlib import sha256

import pytest
from playwright.sync_api import expect
from record_variants import VARIANTS, apply_variant
from table import axe_findings_in_both_schemes

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import CommittedChance
from courtly.engine.transcript import InvalidRecordError, check, write_record
from courtly.server.assets.bundle import INLINE_ELEMENT

SECRET = bytes(range(32))
NUMBERS = [sha256(b"one").hexdigest(), sha256(b"two").hexdigest()]
RECEIPT = {
    "courtly-receipt": 2,
    "table": "table1",
    "game": "necklace",
    "commitment": CommittedChance.commitment(SECRET),
    "pledges": [sha256(bytes.fromhex(number)).hexdigest() for number in NUMBERS],
    "numbers": {"1": NUMBERS[1]},
    "attempts": 1,
}
FAIR_VERDICTS = ["good", "good", "good", "good", "good", "unsure"]


def record(game="necklace", numbers=NUMBERS, numbering="events", **details):
    """Return the record of a finished game."""
    match = Match(find_game(game), 2, {}, CommittedChance(SECRET, "table1", numbers, numbering))
    while not match.over:
        seat = match.pending[-1]
        match.play(seat, match.legal(seat)[-1])
    return write_record(match, table="table1", **details)


@pytest.fixture(scope="module")
def lines():
    return record().splitlines()


def verdicts(page, lines):
    page.set_input_files("#file", {"name": "r.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()})
    expect(page.locator("#verdict li").first).to_be_visible()
    return page.locator("#verdict li").evaluate_all("all => all.map((one) => one.className)")


def verdicts_with_receipt(page, **changes):
    """Return the verdict with this receipt, changed as given."""
    receipt = json.dumps({**RECEIPT, **changes}).encode()
    page.set_input_files("#receipt", {"name": "k.json", "mimeType": "application/json", "buffer": receipt})
    page.wait_for_function("document.querySelectorAll('#verdict li').length > 3")
    return page.locator("#verdict li").evaluate_all("all => all.map((one) => one.className)")


def test_an_honest_record_is_verified(person, lines):
    page = person("ja").page
    response = page.goto("/proof")
    assert response.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert verdicts(page, lines) == ["unsure", "good", "good", "unsure"]
    expect(page.locator("#verdict")).to_contain_text("矛盾はありません")
    events = [json.loads(line) for line in lines if '"event"' in line]
    expect(page.locator("#verdict tr")).to_have_count(1 + len(events))
    expect(page.locator("#verdict p").last).to_contain_text(" · ".join(["table1", *NUMBERS]))
    assert verdicts_with_receipt(page) == FAIR_VERDICTS
    expect(page.locator("#verdict")).to_contain_text("誰も乱数の元になる数を選べませんでした")
    assert axe_findings_in_both_schemes(page) == []
    assert verdicts_with_receipt(page, commitment="ab" * 32) == ["bad", "good", "bad", "good", "good", "unsure"]
    expect(page.locator("#verdict")).to_contain_text("一致しません")
    page.click("#other")
    expect(page.locator("#verdict")).to_contain_text("NOT the fingerprint your browser kept")
    assert axe_findings_in_both_schemes(page) == []


def test_wrong_draws_are_detected(person, lines):
    page = person().page
    page.goto("/proof")
    line_number = next(n for n, line in enumerate(lines) if len(json.loads(line).get("of", ())) > 1)
    event = json.loads(lines[line_number])
    altered = {**event, "event": next(one for one in event["of"] if one != event["event"])}
    assert verdicts(page, [*lines[:line_number], json.dumps(altered), *lines[line_number + 1 :]]) == [
        "bad",
        "good",
        "bad",
        "unsure",
    ]
    expect(page.locator("#verdict tr.bad")).to_have_count(1)
    expect(page.locator("#verdict")).to_contain_text("do NOT follow from it: 1!")
    head = json.loads(lines[0])
    head["chance"]["commitment"] = "00" * 32
    assert verdicts(page, [json.dumps(head), *lines[1:]])[:2] == ["bad", "bad"]
    del event["of"]
    assert verdicts(page, [*lines[:line_number], json.dumps(event), *lines[line_number + 1 :]]) == [
        "unsure",
        "good",
        "good",
        "unsure",
        "unsure",
    ]
    assert verdicts(page, lines[:-1]) == ["bad"], "the record is incomplete"
    assert verdicts(page, ["<b>"]) == ["bad"]
    assert verdicts(page, [json.dumps({"chance": {"seed": 7}}), json.dumps({"over": True})]) == ["unsure"]
    played_on = {"sources": [{"seed": 7}, {"from": 3, "seed": 8}]}
    assert verdicts(page, [json.dumps({"chance": played_on}), json.dumps({"over": True})]) == ["unsure"]


def test_the_page_parses_records_as_other_readers_do(person, lines):
    page = person().page
    page.goto("/proof")
    for variant in VARIANTS:
        raw, line = apply_variant("".join(f"{line}\n" for line in lines).encode(), variant)
        page.set_input_files("#file", {"name": "r.jsonl", "mimeType": "text/plain", "buffer": raw})
        expect(page.locator("#verdict li")).to_have_count(1 if line else 4)


def test_missing_or_moved_draws_are_detected(person, lines):
    """A draw for another position must not be accepted, so positions must be consecutive."""
    page = person().page
    page.goto("/proof")
    events = [n for n, line in enumerate(lines) if '"event"' in line]
    first, last = (json.loads(lines[n]) for n in (events[0], events[-1]))
    swapped = list(lines)
    swapped[events[0]] = json.dumps({**last, "ply": first["ply"]} | {"ply": last["ply"]})
    far_away = [*lines[: events[0]], json.dumps({**first, "ply": 1000}), *lines[events[0] + 1 :]]
    removed = [*lines[: events[0]], *lines[events[0] + 1 :]]
    without_chances = [*lines[: events[0]], json.dumps({**first, "of": {first["event"]: -1}}), *lines[events[0] + 1 :]]
    for forged in (swapped, far_away, removed, without_chances):
        assert verdicts(page, forged) == ["bad"]


def test_the_page_is_self_contained(server_url, lines, person, tmp_path):
    """Saved as a file, the page still works; it refers to no other file."""
    page = person().page
    text = page.goto("/proof").text()
    assert (
        [kind for kind, _ in INLINE_ELEMENT.findall(text)] == ["style", "script"]
        and "src=" not in text
        and "url(" not in text
    )
    (tmp_path / "proof.html").write_text(text, encoding="utf-8")
    page.goto((tmp_path / "proof.html").as_uri())
    assert verdicts(page, lines) == ["unsure", "good", "good", "unsure"]
    assert verdicts_with_receipt(page) == FAIR_VERDICTS


def test_outcomes_that_contradict_the_rules_are_rejected(lines):
    """The record's own check finds what the page cannot know."""
    line_number = next(n for n, line in enumerate(lines) if len(json.loads(line).get("of", ())) > 1)
    event = json.loads(lines[line_number])
    event["of"][event["event"]] += 1
    assert check("\n".join(lines)).over
    with pytest.raises(InvalidRecordError) as error:
        check("\n".join([*lines[:line_number], json.dumps(event), *lines[line_number + 1 :]]))
    assert error.value.line == line_number + 1


def test_a_receipt_detects_replaced_or_missing_numbers(person, lines):
    page = person().page
    page.goto("/proof")
    verdicts(page, lines)
    assert verdicts_with_receipt(page, numbers={"1": NUMBERS[0]})[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("number was NOT used")
    assert verdicts_with_receipt(page, numbers={}, attempts=0)[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("took no number")
    assert verdicts_with_receipt(page, pledges=["ab" * 32, RECEIPT["pledges"][1]])[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("NOT the ones they had announced: 1")
    assert verdicts_with_receipt(page, table="table2")[0] == "bad"
    assert verdicts_with_receipt(page, attempts=3)[0] == "good"
    expect(page.locator("#verdict")).to_contain_text("drawn again before the game began: 2")


@pytest.mark.parametrize("numbers", [["00" * 32, NUMBERS[0]], [NUMBERS[0], NUMBERS[0]], ["12", NUMBERS[0]]])
def test_guessable_numbers_are_reported(person, numbers):
    page = person().page
    page.goto("/proof")
    assert verdicts(page, record(numbers=numbers).splitlines())[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("could be guessed")


def test_players_without_a_number_are_reported(person):
    page = person().page
    page.goto("/proof")
    assert verdicts(page, record(numbers=["", ""]).splitlines())[0] == "unsure"
    expect(page.locator("#verdict")).to_contain_text("added no number: 1, 2")


def test_draws_numbered_by_older_versions_are_not_called_verified(person):
    page = person().page
    page.goto("/proof")
    assert verdicts(page, record(numbering="entries").splitlines()) == ["unsure", "good", "unsure", "good", "unsure"]
    expect(page.locator("#verdict")).to_contain_text("as older versions of Courtly did")
    assert verdicts_with_receipt(page, **{"courtly-receipt": 1})[0] == "unsure"
    assert verdicts_with_receipt(page)[0] == "bad", "no browser of this version starts such a game"

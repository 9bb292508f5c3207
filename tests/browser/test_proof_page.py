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
FAIR = ["good", "good", "good", "good", "good", "unsure"]


def record(game="necklace", numbers=NUMBERS, counted="events", **about):
    """Return the record of a finished game."""
    match = Match(find_game(game), 2, {}, CommittedChance(SECRET, "table1", numbers, counted))
    while not match.over:
        seat = match.pending[-1]
        match.play(seat, match.legal(seat)[-1])
    return write_record(match, table="table1", **about)


@pytest.fixture(scope="module")
def lines():
    return record().splitlines()


def examined(page, lines):
    page.set_input_files("#file", {"name": "r.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()})
    expect(page.locator("#verdict li").first).to_be_visible()
    return page.locator("#verdict li").evaluate_all("all => all.map((one) => one.className)")


def with_receipt(page, **changed):
    """Return the verdict with this receipt, changed as given."""
    kept = json.dumps({**RECEIPT, **changed}).encode()
    page.set_input_files("#receipt", {"name": "k.json", "mimeType": "application/json", "buffer": kept})
    page.wait_for_function("document.querySelectorAll('#verdict li').length > 3")
    return page.locator("#verdict li").evaluate_all("all => all.map((one) => one.className)")


def test_an_honest_record_is_verified(person, lines):
    page = person("ja").page
    answer = page.goto("/proof")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert examined(page, lines) == ["unsure", "good", "good", "unsure"]
    expect(page.locator("#verdict")).to_contain_text("矛盾はありません")
    events = [json.loads(line) for line in lines if '"event"' in line]
    expect(page.locator("#verdict tr")).to_have_count(1 + len(events))
    expect(page.locator("#verdict p").last).to_contain_text(" · ".join(["table1", *NUMBERS]))
    assert with_receipt(page) == FAIR
    expect(page.locator("#verdict")).to_contain_text("誰も乱数の元になる数を選べませんでした")
    assert axe_findings_in_both_schemes(page) == []
    assert with_receipt(page, commitment="ab" * 32) == ["bad", "good", "bad", "good", "good", "unsure"]
    expect(page.locator("#verdict")).to_contain_text("一致しません")
    page.click("#other")
    expect(page.locator("#verdict")).to_contain_text("NOT the fingerprint your browser kept")
    assert axe_findings_in_both_schemes(page) == []


def test_wrong_draws_are_detected(person, lines):
    page = person().page
    page.goto("/proof")
    at = next(n for n, line in enumerate(lines) if len(json.loads(line).get("of", ())) > 1)
    event = json.loads(lines[at])
    other = {**event, "event": next(one for one in event["of"] if one != event["event"])}
    assert examined(page, [*lines[:at], json.dumps(other), *lines[at + 1 :]]) == ["bad", "good", "bad", "unsure"]
    expect(page.locator("#verdict tr.bad")).to_have_count(1)
    expect(page.locator("#verdict")).to_contain_text("do NOT follow from it: 1!")
    head = json.loads(lines[0])
    head["chance"]["commitment"] = "00" * 32
    assert examined(page, [json.dumps(head), *lines[1:]])[:2] == ["bad", "bad"]
    del event["of"]
    assert examined(page, [*lines[:at], json.dumps(event), *lines[at + 1 :]]) == [
        "unsure",
        "good",
        "good",
        "unsure",
        "unsure",
    ]
    assert examined(page, lines[:-1]) == ["bad"], "the record is incomplete"
    assert examined(page, ["<b>"]) == ["bad"]
    assert examined(page, [json.dumps({"chance": {"seed": 7}}), json.dumps({"over": True})]) == ["unsure"]


def test_the_page_parses_records_as_other_readers_do(person, lines):
    page = person().page
    page.goto("/proof")
    for way in VARIANTS:
        raw, line = apply_variant("".join(f"{line}\n" for line in lines).encode(), way)
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
    far = [*lines[: events[0]], json.dumps({**first, "ply": 1000}), *lines[events[0] + 1 :]]
    gone = [*lines[: events[0]], *lines[events[0] + 1 :]]
    none = [*lines[: events[0]], json.dumps({**first, "of": {first["event"]: -1}}), *lines[events[0] + 1 :]]
    for forged in (swapped, far, gone, none):
        assert examined(page, forged) == ["bad"]


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
    assert examined(page, lines) == ["unsure", "good", "good", "unsure"]
    assert with_receipt(page) == FAIR


def test_outcomes_that_contradict_the_rules_are_rejected(lines):
    """The record's own check finds what the page cannot know."""
    at = next(n for n, line in enumerate(lines) if len(json.loads(line).get("of", ())) > 1)
    event = json.loads(lines[at])
    event["of"][event["event"]] += 1
    assert check("\n".join(lines)).over
    with pytest.raises(InvalidRecordError) as wrong:
        check("\n".join([*lines[:at], json.dumps(event), *lines[at + 1 :]]))
    assert wrong.value.line == at + 1


def test_a_receipt_detects_replaced_or_missing_numbers(person, lines):
    page = person().page
    page.goto("/proof")
    examined(page, lines)
    assert with_receipt(page, numbers={"1": NUMBERS[0]})[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("number was NOT used")
    assert with_receipt(page, numbers={}, attempts=0)[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("took no number")
    assert with_receipt(page, pledges=["ab" * 32, RECEIPT["pledges"][1]])[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("NOT the ones they had announced: 1")
    assert with_receipt(page, table="table2")[0] == "bad"
    assert with_receipt(page, attempts=3)[0] == "good"
    expect(page.locator("#verdict")).to_contain_text("drawn again before the game began: 2")


@pytest.mark.parametrize("numbers", [["00" * 32, NUMBERS[0]], [NUMBERS[0], NUMBERS[0]], ["12", NUMBERS[0]]])
def test_guessable_numbers_are_reported(person, numbers):
    page = person().page
    page.goto("/proof")
    assert examined(page, record(numbers=numbers).splitlines())[0] == "bad"
    expect(page.locator("#verdict")).to_contain_text("could be guessed")


def test_players_without_a_number_are_reported(person):
    page = person().page
    page.goto("/proof")
    assert examined(page, record(numbers=["", ""]).splitlines())[0] == "unsure"
    expect(page.locator("#verdict")).to_contain_text("added no number: 1, 2")


def test_draws_numbered_by_older_versions_are_not_called_verified(person):
    page = person().page
    page.goto("/proof")
    assert examined(page, record(counted="entries").splitlines()) == ["unsure", "good", "unsure", "good", "unsure"]
    expect(page.locator("#verdict")).to_contain_text("as older versions of Courtly did")
    assert with_receipt(page, **{"courtly-receipt": 1})[0] == "unsure"
    assert with_receipt(page)[0] == "bad", "no browser of this version starts such a game"

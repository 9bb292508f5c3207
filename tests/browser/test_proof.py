"""The page that checks a saved record by itself."""

import json

import pytest
from playwright.sync_api import expect
from table import findings_in_any_light
from written import WAYS, line_of

from courtly.engine.chance import Sealed
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.transcript import BadRecord, check
from courtly.server.statics import INLINE

SECRET = bytes(range(32))


def record(game="necklace", **about):
    """Of a game that has come to its end."""
    match = Match(find_game(game), 2, {}, Sealed(SECRET, "table1", ["12", "ab"]))
    while not match.over:
        seat = match.pending[-1]
        match.play(seat, match.legal(seat)[-1])
    return match.record(table="table1", **about)


@pytest.fixture(scope="module")
def lines():
    return record().splitlines()


def examined(page, lines):
    page.set_input_files("#file", {"name": "r.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()})
    expect(page.locator("#verdict li").first).to_be_visible()
    return page.locator("#verdict li").evaluate_all("all => all.map((one) => one.className)")


def test_a_record_is_found_to_be_drawn_as_promised(person, lines):
    page = person("ja").page
    answer = page.goto("/proof")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert examined(page, lines) == ["good", "unsure", "good"]
    events = [json.loads(line) for line in lines if '"event"' in line]
    expect(page.locator("#verdict tr")).to_have_count(1 + len(events))
    expect(page.locator("#verdict p")).to_contain_text("table1 · 12 · ab")
    page.fill("#seen", Sealed.commitment(SECRET).upper())
    assert examined(page, lines) == ["good", "good", "good"]
    page.fill("#seen", "ab" * 32)
    assert examined(page, lines) == ["good", "bad", "good"]
    expect(page.locator("#verdict")).to_contain_text("一致しません")
    page.click("#other")
    expect(page.locator("#verdict")).to_contain_text("NOT the fingerprint that you saw")
    assert findings_in_any_light(page) == []


def test_what_was_not_drawn_so_is_found(person, lines):
    page = person().page
    page.goto("/proof")
    at = next(n for n, line in enumerate(lines) if len(json.loads(line).get("of", ())) > 1)
    event = json.loads(lines[at])
    other = {**event, "event": next(one for one in event["of"] if one != event["event"])}
    assert examined(page, [*lines[:at], json.dumps(other), *lines[at + 1 :]]) == ["good", "unsure", "bad"]
    expect(page.locator("#verdict tr.bad")).to_have_count(1)
    expect(page.locator("#verdict")).to_contain_text("do NOT follow from it: 1!")
    head = json.loads(lines[0])
    head["chance"]["commitment"] = "00" * 32
    assert examined(page, [json.dumps(head), *lines[1:]])[0] == "bad"
    del event["of"]
    assert examined(page, [*lines[:at], json.dumps(event), *lines[at + 1 :]]) == ["good", "unsure", "good", "unsure"]
    assert examined(page, lines[:-1]) == ["bad"], "it does not end"
    assert examined(page, ["<b>"]) == ["bad"]
    assert examined(page, [json.dumps({"chance": {"seed": 7}}), json.dumps({"over": True})]) == ["unsure"]


def test_however_a_record_is_written_the_page_reads_it_as_all_readers_do(person, lines):
    page = person().page
    page.goto("/proof")
    for way in WAYS:
        raw, line = line_of("".join(f"{line}\n" for line in lines).encode(), way)
        page.set_input_files("#file", {"name": "r.jsonl", "mimeType": "text/plain", "buffer": raw})
        expect(page.locator("#verdict li")).to_have_count(1 if line else 3)


def test_what_is_left_out_or_elsewhere_is_found(person, lines):
    """An event that was drawn for another place may be told for any, if places need not follow each other."""
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


def test_it_stands_by_itself(house, lines, person, tmp_path):
    """Kept as a file, it still checks; it names nothing that would be loaded."""
    page = person().page
    text = page.goto("/proof").text()
    assert (
        [kind for kind, _ in INLINE.findall(text)] == ["style", "script"] and "src=" not in text and "url(" not in text
    )
    (tmp_path / "proof.html").write_text(text, encoding="utf-8")
    page.goto((tmp_path / "proof.html").as_uri())
    assert examined(page, lines) == ["good", "unsure", "good"]


def test_other_possibilities_than_the_rules_give_are_no_record(lines):
    """What the page cannot know, the record's own check finds."""
    at = next(n for n, line in enumerate(lines) if len(json.loads(line).get("of", ())) > 1)
    event = json.loads(lines[at])
    event["of"][event["event"]] += 1
    assert check("\n".join(lines)).over
    with pytest.raises(BadRecord) as wrong:
        check("\n".join([*lines[:at], json.dumps(event), *lines[at + 1 :]]))
    assert wrong.value.line == at + 1

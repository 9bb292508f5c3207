"""Names of maximum length on every board do not push anything out of the page."""

import json

import pytest
from layout import elements_too_wide
from local_table import SCENARIOS, show_scripted_table, table_info
from playwright.sync_api import expect
from table import DESK, PHONE, resize

from courtly.engine import transcript

LONGEST_NAME = "W" * 24  # without a break opportunity
RECORDS = {
    "cardinal": "five-players",
    "necklace": "victory-shared",
    "newtown": "original-four-players",
    "petition": "the-queens-holder-beats",
    "puppet": "3-players-most-points",
}


@pytest.mark.parametrize("game", RECORDS)
def test_long_names_push_nothing_out(person, game):
    head, *lines = (SCENARIOS / game / "golden" / f"{RECORDS[game]}.jsonl").read_text(encoding="utf-8").splitlines()
    head = json.loads(head)
    text = "\n".join([json.dumps({**head, "seats": [LONGEST_NAME] * head["players"]}), *lines])
    page = person().page
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.goto("/replay?ply=60")
    expect(page.locator(".seats")).to_contain_text(LONGEST_NAME)
    page.keyboard.press("l")
    for size in (DESK, PHONE, (740, 360)):
        resize(page, size)
        expect(page.locator("ol.log")).to_contain_text(LONGEST_NAME)
        assert elements_too_wide(page) == [], size
        page.keyboard.press("p")
        expect(page.locator(".is-plain")).to_be_visible()
        assert elements_too_wide(page) == [], size
        page.keyboard.press("p")
        expect(page.locator(".is-pictured")).to_be_visible()
    page.keyboard.press("End")
    for size in (DESK, PHONE, (740, 360)):
        resize(page, size)
        assert elements_too_wide(page) == [], size


CUT_NAMES = """() => [...document.querySelectorAll(".seats .name, .end .name")]
    .filter((name) => name.checkVisibility() && name.scrollWidth > name.clientWidth + 1)
    .map((name) => name.textContent)"""


COVERED_NAMES = """() => [...document.querySelectorAll(".seats .name")].filter((name) => {
    const box = name.getBoundingClientRect();
    return box.left >= 0 && box.right <= innerWidth
        && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) !== name;
}).map((name) => name.textContent)"""
TWO_PLAYERS = {"necklace": "king", "newtown": "two-players", "puppet": "2-players-parent"}


@pytest.mark.parametrize(("game", "record"), [*RECORDS.items(), *TWO_PLAYERS.items()])
def test_at_the_end_every_name_can_be_read(person, game, record):
    text = (SCENARIOS / game / "golden" / f"{record}.jsonl").read_text(encoding="utf-8")
    match, page = transcript.check(text), person().page
    info = table_info(match, None)
    for seat in info["seats"]:
        seat |= {"name": "", "kind": "bot", "bot": "squire"}  # named by the device on its shield
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": match.view(None, 0)}])
    expect(page.locator(".end")).to_be_visible()
    for size in (DESK, PHONE, (740, 360), (1920, 1080)):
        resize(page, size)
        assert page.evaluate(CUT_NAMES) == [], size
        assert page.evaluate(COVERED_NAMES) == [], size


BEYOND_SEAT = """() => [...document.querySelectorAll(".seats .seat")].flatMap((seat) => {
    const right = seat.getBoundingClientRect().right;
    return [...seat.querySelectorAll("*")]
        .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > right + 1)
        .map((part) => part.textContent.trim());
})"""


@pytest.mark.parametrize(("game", "record"), TWO_PLAYERS.items())
def test_two_players_fit_a_small_phone_throughout_a_game(person, game, record):
    text = (SCENARIOS / game / "golden" / f"{record}.jsonl").read_text(encoding="utf-8")
    page = person(size=(320, 640)).page
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.goto("/replay")
    expect(page.locator(".seats.two .seat")).to_have_count(2)
    slider = page.get_by_role("slider")
    for ply in range(int(slider.get_attribute("max"))):
        slider.press("ArrowRight")
        expect(slider).to_have_js_property("value", str(ply + 1))
        assert page.evaluate(BEYOND_SEAT) == [], ply

"""Names as long as they may be, on every board: nothing is pushed out of the page by them."""

import json

import pytest
from playwright.sync_api import expect
from sitting import SCENARIOS
from table import DESK, PHONE

LONG = "W" * 24  # without a place to break it
RECORDS = {
    "cardinal": "five-players",
    "necklace": "victory-shared",
    "newtown": "original-four-players",
    "petition": "the-queens-holder-beats",
    "puppet": "3-players-most-points",
}
PUSHED_OUT = """() => hands.seen(() => [...document.querySelectorAll("html, .stage, .scroll, .bar, .past")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => `${part.className || part.tagName}: ${part.scrollWidth} in ${part.clientWidth}`))"""


@pytest.mark.parametrize("size", [DESK, PHONE, (740, 360)], ids=["desk", "phone", "on its side"])
@pytest.mark.parametrize("game", RECORDS)
def test_long_names_push_nothing_out(person, game, size):
    head, *lines = (SCENARIOS / game / "golden" / f"{RECORDS[game]}.jsonl").read_text(encoding="utf-8").splitlines()
    head = json.loads(head)
    text = "\n".join([json.dumps({**head, "seats": [LONG] * head["players"]}), *lines])
    page = person(size=size).page
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.goto("/replay?ply=60")
    expect(page.locator(".seats")).to_contain_text(LONG)
    page.keyboard.press("l")
    expect(page.locator("ol.log")).to_contain_text(LONG)
    assert page.evaluate(PUSHED_OUT) == []
    page.keyboard.press("p")
    expect(page.locator(".is-plain")).to_be_visible()
    assert page.evaluate(PUSHED_OUT) == []
    page.keyboard.press("p")
    page.keyboard.press("End")
    assert page.evaluate(PUSHED_OUT) == []

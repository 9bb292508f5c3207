"""On a small phone nothing that is to be read is smaller than 12 px, whatever scales it."""

import random

import pytest
from playwright.sync_api import expect
from table import PHONE, script
from test_in_view import BOARDS, LOOK, MAPS, SHEETS, choices_of, tap
from test_whole_games import fewest

SIZES = script("sizes")
LEAST = 12  # px
DECISIONS = 25


def small(page):
    return page.evaluate(f"hands.seen(() => ({SIZES})({LEAST}))")


def told(found):
    return "\n".join(f"{what}: {text}" for what, text in sorted(found.items()))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_shell(person, language):
    table = person(language, PHONE, touch=True)
    page, found = table.page, {}
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    found |= small(page)
    page.locator("[data-game=petition]").click()
    found |= small(page)
    table.start("sealed_bids", plain=True)
    table.wait_for_me()
    found |= small(page)
    for button in range(1, page.locator(".tools button").count()):  # the log, the rules, the menu
        page.locator(".tools button").nth(button).click()
        found |= small(page)
        page.keyboard.press("Escape")
    table.plain()
    table.play_by_keyboard()
    found |= small(page)
    assert not found, told(found)


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_table(person, game, language):
    table = person(language, PHONE, touch=True)
    table.start(game, fewest(game))
    page, selector, rng = table.page, choices_of(table.page, game), random.Random(5)
    found, tried, log = {}, set(), -1
    for _ in range(DECISIONS):
        look = page.evaluate(LOOK, [selector, MAPS.get(game), SHEETS.get(game)])
        found |= small(page)
        if look["over"]:
            break
        if log != look["told"]:
            log, tried = look["told"], set()
        tap(page, selector, look["things"], tried, rng)
    assert not found, told(found)

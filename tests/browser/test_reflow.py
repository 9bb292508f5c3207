"""A page zoomed to 200 % and 400 % (WCAG 1.4.10, for a window of 1280 x 1024 or 1280 x 800): text is scrolled in one
direction only, and what to do stays legible.
"""

import pytest
from playwright.sync_api import expect
from table import resize
from test_in_view import BOARDS
from test_whole_games import min_players

ZOOMED_SIZES = ((640, 400), (320, 512), (320, 256))
SIDEWAYS = """() => ["html", ".stage", ".lobby", ".dialog"].flatMap((selector) => {
    const element = document.querySelector(selector);
    const extra = element ? element.scrollWidth - element.clientWidth : 0;
    return extra > 1 ? [`${selector} is ${extra} px too wide`] : [];
})"""


@pytest.mark.parametrize("game", BOARDS)
def test_a_zoomed_table_scrolls_in_one_direction(person, game):
    table = person()
    table.start(game, min_players(game))
    table.wait_for_me()
    page = table.page
    for size in ZOOMED_SIZES:
        resize(page, size)
        table.wait_for_me()
        assert page.evaluate(SIDEWAYS) == [], size
        now = page.locator(".now").bounding_box()
        assert now["width"] > 130 and now["height"] < 0.45 * size[1], (size, now)


def test_a_zoomed_lobby_scrolls_in_one_direction(person):
    page = person().page
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    for size in ZOOMED_SIZES:
        resize(page, size)
        assert page.evaluate(SIDEWAYS) == [], size
    page.locator(".enter").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == []


def test_a_very_large_screen_enlarges_the_page(person):
    page = person(size=(2560, 1440)).page
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    assert page.evaluate("document.querySelector('.lobby').currentCSSZoom") == pytest.approx(1.4)
    assert page.evaluate(SIDEWAYS) == []
    page.locator(".enter").first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seats .seat").first).to_be_visible()
    assert page.locator(".table").bounding_box() == {"x": 0, "y": 0, "width": 2560, "height": 1440}


def test_rules_on_paper_are_dark_on_white_and_have_no_controls(person):
    page = person().page
    page.goto("/rules/petition")
    expect(page.locator(".rules h3").first).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".contents")).to_be_hidden()
    expect(page.locator(".preferences")).to_be_hidden()
    expect(page.locator(".rules-page main")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".rules p").first).to_have_css("color", "rgb(0, 0, 0)")

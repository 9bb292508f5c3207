"""The table can be enlarged and still fits."""

import pytest
from layout import layout_findings
from playwright.sync_api import expect
from table import DESK, PHONE, TABLET, resize
from test_in_view import BOARDS
from test_whole_games import min_players

OVERFLOW_PX = (
    "Math.max(...['html', '.stage'].map((s) => document.querySelector(s)).map((e) => e.scrollWidth - e.clientWidth))"
)


@pytest.mark.parametrize("game", BOARDS)
def test_boards_fit_when_they_are_drawn_larger(person, game):
    table = person(size=TABLET)
    table.start(game, min_players(game))
    table.wait_for_me()
    page = table.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("group", name="Board and text size").get_by_role("button", name="larger").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    zooms = []
    for size in (TABLET, PHONE, DESK, (1536, 864)):
        resize(page, size)
        assert layout_findings(page) == [], size
        assert page.evaluate(OVERFLOW_PX) <= 0, size
        zooms.append(round(page.evaluate("document.querySelector('.board').currentCSSZoom"), 2))
    assert zooms == [1.3, 1.12, 1.12, 1.3]
    page.reload()
    table.wait_for_me()
    expect(page.locator(":root[data-size=larger]")).to_have_count(1)
    table.click_randomly(max_clicks=2)

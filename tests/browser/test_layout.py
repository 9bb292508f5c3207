"""In the lobby and its dialogs nothing is cut off, covered, or broken inside a word or a number: in both languages, on
a desktop, a phone and a tablet (with --long at any width), in our fonts and in the widest fallback.
"""

import pytest
from layout import findings_in_every_font
from playwright.sync_api import expect
from test_whole_games import READY


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_lobby_and_its_dialogs_have_no_layout_findings(person, language, sizes):
    page = person(language).page
    page.goto("/")
    expect(page.locator("[data-game]")).not_to_have_count(0)
    assert findings_in_every_font(page, sizes) == []
    for game in READY:
        page.locator(f"[data-game={game}]").click()
        expect(page.locator(".new-table .play")).to_be_visible()
        assert findings_in_every_font(page, sizes) == []
        page.keyboard.press("Escape")

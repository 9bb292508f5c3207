"""On a small phone no text of the shell is smaller than 12 px. For boards see test_in_view.py."""

import pytest
from playwright.sync_api import expect
from table import PHONE
from text_sizes import small_texts


def told(found):
    return "\n".join(f"{what}: {text}" for what, text in sorted(found.items()))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_shell(person, language):
    table = person(language, PHONE, touch=True)
    page, found = table.page, {}
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    found |= small_texts(page)
    page.locator("[data-game=petition]").click()
    found |= small_texts(page)
    table.start("sealed_bids", plain=True)
    table.wait_for_me()
    found |= small_texts(page)
    for button in range(1, page.locator(".tools button").count()):  # the log, the rules, the menu
        page.locator(".tools button").nth(button).click()
        found |= small_texts(page)
        page.keyboard.press("Escape")
    table.plain()
    table.play_by_keyboard()
    found |= small_texts(page)
    assert not found, told(found)

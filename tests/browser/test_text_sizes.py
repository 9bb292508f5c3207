"""On a small phone no text of the shell is smaller than 12 px. For boards see test_in_view.py."""

import pytest
from playwright.sync_api import expect
from table import PHONE
from text_sizes import small_texts


def as_lines(texts):
    return "\n".join(f"{element}: {text}" for element, text in sorted(texts.items()))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_shell_has_no_small_texts(person, language):
    table = person(language, PHONE, touch=True)
    page, too_small = table.page, {}
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    too_small |= small_texts(page)
    page.locator("[data-game=petition]").click()
    too_small |= small_texts(page)
    table.start("sealed_bids", plain=True)
    table.wait_for_me()
    too_small |= small_texts(page)
    for button in range(1, page.locator(".tools button").count()):  # the log, the rules, the menu
        page.locator(".tools button").nth(button).click()
        too_small |= small_texts(page)
        page.keyboard.press("Escape")
    table.plain()
    table.play_by_keyboard()
    too_small |= small_texts(page)
    assert not too_small, as_lines(too_small)

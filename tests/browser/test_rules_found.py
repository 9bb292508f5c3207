"""From a thing on the board to what the rules say of it: by the key while the mouse or the focus is on it, by touch
from its details."""

from playwright.sync_api import expect
from table import PHONE


def test_by_mouse_and_keyboard(person):
    table = person()
    table.start("petition")
    table.wait_for_me()
    page = table.page
    page.locator('[data-key="card-farmer"]').hover()
    page.keyboard.press("r")
    found = page.locator(".rules [data-found]")
    expect(found).to_contain_text("Farmer")
    expect(found).to_be_focused()
    expect(found).to_be_in_viewport()
    page.locator('[data-key="card-maid"]').focus()
    page.keyboard.press("r")
    expect(found).to_contain_text("Maid")


def test_by_touch(person):
    table = person("ja", PHONE, touch=True)
    table.start("petition")
    table.wait_for_me()
    page = table.page
    page.locator('[data-key="card-king"]').tap(force=True)  # aria-disabled: it only tells
    page.locator(".tools button", has_text="ルール").tap()
    expect(page.locator(".rules [data-found]")).to_contain_text("国王")
    expect(page.locator(".rules [data-found]")).to_be_in_viewport()

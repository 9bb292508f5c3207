"""axe finds nothing wrong, in the light and in the dark."""

import pytest
from playwright.sync_api import expect
from table import PHONE, findings


@pytest.fixture(params=["dark", "light"])
def reader(person, request):
    return person("en", scheme=request.param)


def test_lobby(reader):
    page = reader.page
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    assert findings(page) == []
    page.locator("[data-game=petition]").click()
    page.locator(".more-rules summary").click()
    assert findings(page) == []


def test_pictured_table(reader):
    reader.start("petition", players=4)
    reader.wait_for_me()
    assert findings(reader.page) == []
    reader.page.keyboard.press("r")
    expect(reader.page.locator(".rules h2").first).to_be_visible()
    assert findings(reader.page) == []


def test_plain_table_menu_and_end(reader):
    reader.start("sealed_bids", plain=True)
    reader.wait_for_me()
    assert findings(reader.page) == []
    reader.page.get_by_role("button", name="Menu").click()
    assert findings(reader.page) == []
    reader.page.keyboard.press("Escape")
    reader.play_by_keyboard()
    assert findings(reader.page) == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_phone(person, scheme):
    table = person("ja", PHONE, scheme)
    table.start("petition", players=4)
    table.wait_for_me()
    assert findings(table.page) == []
    table.page.locator(".tools button", has_text="記録").click()
    assert findings(table.page) == []


def test_waiting_for_friends(reader):
    page = reader.page
    page.goto("/")
    page.locator("[data-game=sealed_bids]").click()
    page.locator(".seat-list select").nth(1).select_option("open")
    page.locator(".play").click()
    expect(page.get_by_label("Link to this table")).to_be_visible()
    assert findings(page) == []

"""Addresses that lead nowhere say so, in the reader's language, and show the way home."""

import pytest
from playwright.sync_api import expect
from table import PHONE, findings

PLACES = [
    ("/nonsense", "There is no such page.", "そのページはありません。"),
    ("/t/", "There is no such page.", "そのページはありません。"),
    ("/t/notatable", "There is no such table.", "そのテーブルはありません。"),
    ("/j/forged", "This link gives no seat.", "このリンクでは着席できません。"),
]


@pytest.mark.parametrize(("language", "scheme", "size"), [("en", "dark", (1280, 800)), ("ja", "light", PHONE)])
def test_a_way_home(person, language, scheme, size):
    page = person(language, size, scheme).page
    for address, *said in PLACES:
        page.goto(address)
        expect(page.get_by_role("alert")).to_contain_text(said[language == "ja"])
        assert findings(page) == []
        page.locator(".nowhere a.button").click()
        expect(page.locator(".door").first).to_be_visible()


def test_a_link_asks_and_is_used_once_and_its_maker_has_the_seat_back(person):
    ada, ben, cleo = person(), person(), person()
    ada.start("sealed_bids", plain=True)
    table = ada.page.url
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="to another device").click()
    link = ada.page.locator("dialog .link input[aria-label]").input_value()
    ada.page.keyboard.press("Escape")
    ben.page.goto(link)
    take = ben.page.get_by_role("button", name="Take the seat")
    expect(take).to_be_visible()
    assert findings(ben.page) == []
    expect(ada.page.locator(".seat.me")).to_be_visible()
    take.click()
    expect(ben.page).to_have_url(table)
    expect(ben.page.locator(".seat.me")).to_be_visible()
    cleo.page.goto(link)
    expect(cleo.page.get_by_role("alert")).to_contain_text("This link has been used")
    cleo.page.get_by_role("link", name="To that table").click()
    expect(cleo.page).to_have_url(table)
    expect(cleo.page.locator(".spectating")).to_be_visible()
    expect(cleo.page.locator(".recall")).to_have_count(0)
    back = ada.page.get_by_role("button", name="Take the seat back here")
    expect(back).to_be_visible()
    assert findings(ada.page) == []
    ada.page.reload()
    back.click()
    expect(ada.page.locator(".seat.me")).to_be_visible()
    expect(back).to_have_count(0)
    expect(ben.page.locator(".spectating")).to_be_visible()

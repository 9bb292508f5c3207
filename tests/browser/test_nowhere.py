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


def test_a_used_link_says_so_and_shows_the_table(person):
    ada, ben, cleo = person(), person(), person()
    ada.start("sealed_bids", plain=True)
    table = ada.page.url
    link = ada.page.evaluate("""async () => (await (await fetch(
        `/api${location.pathname.replace('/t/', '/tables/')}/ticket`,
        { method: 'POST', headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ seat: 0 }) })).json()).path""")
    ben.page.goto(link)
    expect(ben.page.locator(".seat.me")).to_be_visible()
    cleo.page.goto(link)
    expect(cleo.page.get_by_role("alert")).to_contain_text("This link has been used")
    cleo.page.get_by_role("link", name="To that table").click()
    expect(cleo.page).to_have_url(table)
    expect(cleo.page.locator(".spectating")).to_be_visible()

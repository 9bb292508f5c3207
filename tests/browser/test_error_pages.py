"""Invalid addresses give an error page in the reader's language, with a link to the lobby."""

import pytest
from playwright.sync_api import expect
from table import PHONE, axe_findings
from ui_server import run_server

INVALID_ADDRESSES = [
    ("/nonsense", "There is no such page.", "そのページはありません。"),
    ("/t/", "There is no such page.", "そのページはありません。"),
    ("/t/notatable", "There is no such table.", "そのテーブルはありません。"),
    ("/j/forged", "This link gives no seat.", "このリンクでは着席できません。"),
]


@pytest.mark.parametrize(("language", "scheme", "size"), [("en", "dark", (1280, 800)), ("ja", "light", PHONE)])
def test_an_error_page_links_to_the_lobby(person, language, scheme, size):
    page = person(language, size, scheme).page
    for address, *texts in INVALID_ADDRESSES:
        page.goto(address)
        expect(page.get_by_role("alert")).to_contain_text(texts[language == "ja"])
        assert axe_findings(page) == []
        page.locator(".nowhere a.button").click()
        expect(page.locator(".door").first).to_be_visible()


def link_to_my_seat(page):
    """Create a link for another device with the menu."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="to another device").click()
    link = page.locator("dialog .link input[aria-label]").input_value()
    page.keyboard.press("Escape")
    return link


def test_a_moved_seat_is_reclaimed_before_the_game_begins(person, tmp_path):
    """The original browser sends the seat's number again, and the game begins."""
    with run_server(tmp_path, seeded=False) as server_url:  # seeded tables exchange no numbers
        ada, ben, cleo = (person(url=server_url).page for _ in range(3))
        ada.goto("/")
        ada.locator("[data-game=sealed_bids]").click()
        ada.locator(".seat-list select").nth(1).select_option("open")
        ada.locator(".play").click()
        expect(ada.locator(".waiting.sheet")).to_be_visible()
        table = ada.url

        def current_pledge():
            return ada.request.get(table.replace("/t/", "/api/tables/")).json()["seats"][0]["pledge"]

        ben.goto(link_to_my_seat(ada))
        ben.get_by_role("button", name="Take the seat").click()
        expect(ben.locator(".waiting.sheet .tag").get_by_text("you", exact=True)).to_be_visible()
        take_back_button = ada.get_by_role("button", name="Take the seat back here")
        expect(take_back_button).to_be_visible()
        assert axe_findings(ada) == []
        ada.reload()
        pledge_of_ben = current_pledge()
        assert pledge_of_ben
        take_back_button.click()
        expect(take_back_button).to_have_count(0)
        expect(ada.locator(".waiting.sheet .tag").get_by_text("you", exact=True)).to_be_visible()
        expect(ben.locator(".waiting.sheet .tag").get_by_text("you", exact=True)).to_have_count(0)
        cleo.goto(table)
        cleo.get_by_role("button", name="Sit here").click()
        for page in (ada, cleo):
            expect(page.locator(".seat.me")).to_be_visible()
            expect(page.locator(".waiting.sheet")).to_have_count(0)
        expect(ben.locator(".spectating")).to_be_visible()
        assert current_pledge() not in ("", None, pledge_of_ben)


def test_a_seat_link_asks_first_works_once_and_can_be_reclaimed(person):
    ada, ben, cleo = person(), person(), person()
    ada.start("sealed_bids", plain=True)
    table = ada.page.url
    link = link_to_my_seat(ada.page)
    ben.page.goto(link)
    take_button = ben.page.get_by_role("button", name="Take the seat")
    expect(take_button).to_be_visible()
    assert axe_findings(ben.page) == []
    expect(ada.page.locator(".seat.me")).to_be_visible()
    take_button.click()
    expect(ben.page).to_have_url(table)
    expect(ben.page.locator(".seat.me")).to_be_visible()
    cleo.page.goto(link)
    expect(cleo.page.get_by_role("alert")).to_contain_text("This link has been used")
    cleo.page.get_by_role("link", name="To that table").click()
    expect(cleo.page).to_have_url(table)
    expect(cleo.page.locator(".spectating")).to_be_visible()
    expect(cleo.page.locator(".reclaim")).to_have_count(0)
    take_back_button = ada.page.get_by_role("button", name="Take the seat back here")
    expect(take_back_button).to_be_visible()
    assert axe_findings(ada.page) == []
    ada.page.reload()
    take_back_button.click()
    expect(ada.page.locator(".seat.me")).to_be_visible()
    expect(take_back_button).to_have_count(0)
    expect(ben.page.locator(".spectating")).to_be_visible()

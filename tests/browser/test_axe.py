"""axe finds no errors in the shell, in both colour schemes. For boards see test_boards.py."""

import pytest
from playwright.sync_api import expect
from table import PHONE, axe_findings_in_both_schemes


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_lobby_has_no_axe_findings(person, language):
    page = person(language).page
    page.goto("/")
    expect(page.locator(".door").first).to_be_visible()
    assert axe_findings_in_both_schemes(page) == []
    page.locator("[data-game=petition]").click()
    page.locator(".more-rules summary").click()
    assert axe_findings_in_both_schemes(page) == []


def test_rules_beside_a_table_have_no_axe_findings(person):
    table = person()
    table.start("petition", players=4)
    table.wait_for_me()
    table.page.keyboard.press("r")
    expect(table.page.locator(".rules h2").first).to_be_visible()
    assert axe_findings_in_both_schemes(table.page) == []


def test_the_plain_table_its_menu_and_its_end_have_no_axe_findings(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table.wait_for_me()
    assert axe_findings_in_both_schemes(table.page) == []
    table.page.get_by_role("button", name="Menu").click()
    assert axe_findings_in_both_schemes(table.page) == []
    table.page.keyboard.press("Escape")
    table.play_by_keyboard()
    assert axe_findings_in_both_schemes(table.page) == []


def test_a_phone_has_no_axe_findings(person):
    table = person("ja", PHONE)
    table.start("petition", players=4)
    table.wait_for_me()
    assert axe_findings_in_both_schemes(table.page) == []
    table.page.locator(".tools button", has_text="記録").click()
    assert axe_findings_in_both_schemes(table.page) == []


def test_the_waiting_page_has_no_axe_findings(person):
    page = person().page
    page.goto("/")
    page.locator("[data-game=sealed_bids]").click()
    page.locator(".seat-list select").nth(1).select_option("open")
    page.locator(".play").click()
    expect(page.get_by_label("Link to this table")).to_be_visible()
    assert axe_findings_in_both_schemes(page) == []

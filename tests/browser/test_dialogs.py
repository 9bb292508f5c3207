"""Every dialog of the shell, and the lobby, on the narrowest phones in both languages: nothing is cut off, no word is
broken, and no syllable is alone on a line.
"""

import pytest
from layout import findings_in_every_font
from overflow import overflow_findings, short_last_lines
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, axe_findings_in_both_schemes, resize
from test_whole_games import READY

from courtly.engine.game import find_game

NARROW_PHONES = each_value_once(["en", "ja"], [320, 360])


def expect_it_fits(page, selector="dialog:last-of-type"):
    size = page.viewport_size
    assert overflow_findings(page, selector) == []
    assert findings_in_every_font(page, [(size["width"], size["height"])]) == []
    if page.locator("html[lang=ja]").count():
        assert short_last_lines(page, selector) == []


@pytest.mark.parametrize(("language", "width"), NARROW_PHONES)
def test_the_dialog_of_a_new_table_fits(person, language, width):
    page = person(language, (width, 640)).page
    page.goto("/")
    for game in READY:
        page.locator(f"[data-game={game}]").click()
        dialog = page.locator(".new-table")
        dialog.locator(".seat-list select").nth(1).select_option("local")
        dialog.locator(".seat-list select").last.select_option("open")
        for options in dialog.locator(".more-rules summary").all():
            options.click()
        expect_it_fits(page)
        labels = dialog.get_by_role("group").evaluate_all(
            "groups => groups.map(group => group.getAttribute('aria-label'))"
        )
        assert len(labels) == len(set(labels)), "labels are unique"
        expect(dialog.locator(".play")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


@pytest.mark.parametrize(("language", "width"), NARROW_PHONES)
def test_the_dialogs_of_a_table_fit(person, language, width):
    table = person(language, (width, 640))
    page = table.page
    table.start("necklace", 2)
    assert overflow_findings(page, ".bar") == []
    page.locator(".tools button").last.click()
    expect_it_fits(page)
    for i in range(page.locator(".menu .buttons button").count()):
        page.reload()
        page.locator(".tools button").last.click()
        page.locator(".menu .buttons button").nth(i).click()
        expect(page.locator("dialog, .menu")).not_to_have_count(0)
        expect_it_fits(page)


@pytest.mark.parametrize(("language", "width"), NARROW_PHONES)
def test_the_lobby_fits(person, language, width):
    host, page = person(language).page, person(language, (width, 640)).page
    host.goto("/")
    host.locator("[data-game=newtown]").click()
    host.locator(".seat-list input").fill("Wolfeschlegel")
    host.locator(".seat-list select").nth(1).select_option("open")
    host.locator(".play").click()
    host.wait_for_url("**/t/*")
    page.goto("/")
    expect(page.locator(".open .table-link").first).to_be_visible()
    expect_it_fits(page, "body")
    tables, palace = page.locator(".tables.open").bounding_box(), page.locator(".palace").bounding_box()
    assert tables["y"] + tables["height"] <= palace["y"], "open tables are above the palace"
    page.locator("[data-game=newtown]").click()
    expect(page.locator(".new-table .table-link").first).to_be_visible()
    expect_it_fits(page)


@pytest.mark.parametrize(("language", "width"), [("en", 320), ("ja", 360)])
def test_the_rules_page_fits(person, language, width):
    """On a phone and on a desktop. axe checks one in English and the other in Japanese."""
    page, sizes = person(language).page, [(width, 640), DESK]
    page.goto("/")
    for game in READY:
        if not (find_game(game).folder / f"rules.{language}.md").exists():
            continue
        page.locator(f"[data-game={game}] a[href^='/rules/']").click()
        page.wait_for_url(f"**/rules/{game}")
        expect(page.locator(".rules h3").first).to_be_visible()
        assert page.title() == f"{page.locator('h1').inner_text()} – Courtly"
        for size in sizes if language == "ja" else sizes[::-1]:
            resize(page, size)
            expect_it_fits(page, "header")
            assert overflow_findings(page, "main") == []
        assert axe_findings_in_both_schemes(page) == []
        page.go_back()
        expect(page.locator(".door").first).to_be_visible()


def test_a_part_of_the_rules_has_a_link(person):
    page = person().page
    page.goto("/rules/petition")
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Good advice").click()
    expect(page.get_by_role("heading", name="Good advice")).to_be_in_viewport()
    page.reload()
    expect(page.get_by_role("heading", name="Good advice")).to_be_in_viewport()
    page.get_by_role("button", name="Play this game").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seats .seat")).to_have_count(3)

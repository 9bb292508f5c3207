"""The stage of Puppet Kingdom."""
import random
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect
from table import DESK, PHONE, findings

ACT = ".acts .button:not([disabled]):not(.back)"


def one_step(table, rng):
    """Choose a servant, or do anything the turn offers but end it before the basic good is taken."""
    page = table.page
    chosen, servants, offered = page.locator(".marionette.chosen"), page.locator(".marionette.usable"), page.locator(ACT)
    with suppress(Error):                           # the page may have changed meanwhile: look again
        own, count = servants.count(), offered.count()
        if own:
            if chosen.count():
                page.locator(".go .button:not([disabled])").first.click(timeout=1000)
            else:
                servants.nth(rng.randrange(own)).click(timeout=1000)
        elif count:
            late = page.locator(".act.good.done, .names, .telling").count()
            offered.nth(rng.randrange(count) if late else 0).click(timeout=1000)


def fits(page, size):
    over = page.evaluate("[document.documentElement.scrollWidth - innerWidth, document.querySelector('.stage').scrollHeight - document.querySelector('.stage').clientHeight]")
    assert over[0] <= 0, "nothing sticks out sideways"
    if size == DESK:
        assert over[1] <= 1, "nothing has to be scrolled"           # seen once in English with three players; its cause is not known


@pytest.mark.parametrize(("size", "scheme", "language", "players"), [(DESK, "dark", "en", 3), (DESK, "light", "ja", 2), (PHONE, "dark", "ja", 3), (PHONE, "light", "en", 2)])
def test_several_rounds(person, size, scheme, language, players):
    table = person(language, size, scheme)
    table.start("puppet", players=players)
    rng = random.Random(4)
    for step in range(80):
        table.wait_for_me()
        if table.over:
            break
        fits(table.page, size)
        if step % 12 == 5:
            assert findings(table.page) == []
        one_step(table, rng)


def test_the_basic_good_is_not_forgotten(person):
    table = person()
    table.start("puppet", players=2)
    rng = random.Random(1)
    page = table.page
    for _ in range(40):
        table.wait_for_me()
        if page.locator(".act.good").count():
            break
        one_step(table, rng)
    page.get_by_role("button", name="End the turn").click()
    expect(page.locator(".sure")).to_have_text("You have not taken a basic good. End the turn all the same?")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Take 1 gold").click()
    expect(page.locator(".act.good.done")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("button", name="Take 1 gold")).to_be_visible()


def test_a_card_explains_itself(person):
    table = person()
    table.start("puppet", players=3)
    table.wait_for_me()
    table.page.locator(".row .building").first.hover()
    expect(table.page.locator(".row .building .detail:visible").first).to_contain_text("Reconstructed: cost, tax, points")

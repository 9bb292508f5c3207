"""Queen's Necklace fades cards in many ways. All have enough contrast in both colour schemes."""

import pytest
from contrast import low_contrast_texts
from local_table import LocalTable, load_scenario
from playwright.sync_api import expect
from table import DESK, PHONE

from courtly.engine.game import find_game
from courtly.games.necklace.cards import EMPTY, Card


def every_card_in_hand(name):
    """A position with every card in hand and none laid."""
    found = load_scenario("necklace", name)
    found.state.hand[0][:] = [1] * len(Card)
    found.state.size[0] = len(Card)
    return found


@pytest.fixture
def sit(person):
    def at(found, size):
        return LocalTable(person(size=size), found.game, found.state, 0).page

    return at


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_card_on_offer_and_in_a_hand(sit, size):
    """At every price, affordable or not; playable or not; selected; sold out."""
    for first in range(0, len(Card), 5):
        found = every_card_in_hand("t12-budget")
        for slot in range(5):
            found.state.row[slot] = (first + slot) % len(Card)
            found.state.rung[slot] = (first + slot) % 4
        page = sit(found, size)
        assert low_contrast_texts(page) == []
    page.locator("[data-key=hand-courtier]").click()
    assert low_contrast_texts(page) == []
    found.state.discard[:] = [find_game("necklace").components["cards"][card]["count"] for card in Card]
    found.state.hand[0][:], found.state.size[0], found.state.row[:] = [0] * len(Card), 0, [EMPTY] * 5
    page = sit(found, size)
    page.get_by_role("button", name="All cards").click()
    expect(page.locator(".overview li.none").first).to_be_visible()
    assert low_contrast_texts(page) == []


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_card_in_a_sale(sit, size):
    """Laid, and faded in the hand."""
    page = sit(every_card_in_hand("show-by-the-rules"), size)
    assert low_contrast_texts(page) == []
    for gem in ("diamond", "emerald", "ruby", "amber"):
        page.get_by_role("button", name=f"Show every {gem}", exact=True).press("Enter")
    expect(page.locator(".hand .quiet").first).to_be_visible()
    assert low_contrast_texts(page) == []

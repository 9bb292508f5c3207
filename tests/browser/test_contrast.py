"""Queen's Necklace fades cards in many ways. All have enough contrast in both colour schemes, and the rules too."""

import pytest
from contrast import brightest_channel, low_contrast_texts
from local_table import LocalTable, load_scenario
from playwright.sync_api import expect
from table import DESK, PHONE
from test_hints import BOARDS

from courtly.engine.game import find_game
from courtly.games.necklace.cards import EMPTY, Card


def every_card_in_hand(name):
    """A position with every card in hand and none laid."""
    scenario = load_scenario("necklace", name)
    scenario.state.hand[0][:] = [1] * len(Card)
    scenario.state.size[0] = len(Card)
    return scenario


@pytest.fixture
def open_table(person):
    def open_scenario(scenario, size):
        return LocalTable(person(size=size), scenario.game, scenario.state, 0).page

    return open_scenario


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_card_on_offer_and_in_a_hand_has_enough_contrast(open_table, size):
    """At every price, affordable or not; playable or not; selected; sold out."""
    for first_card in range(0, len(Card), 5):
        scenario = every_card_in_hand("t12-budget")
        for slot in range(5):
            scenario.state.row[slot] = (first_card + slot) % len(Card)
            scenario.state.rung[slot] = (first_card + slot) % 4
        page = open_table(scenario, size)
        assert low_contrast_texts(page) == []
    page.locator("[data-key=hand-courtier]").click()
    assert low_contrast_texts(page) == []
    scenario.state.discard[:] = [find_game("necklace").components["cards"][card]["count"] for card in Card]
    scenario.state.hand[0][:], scenario.state.size[0], scenario.state.row[:] = [0] * len(Card), 0, [EMPTY] * 5
    page = open_table(scenario, size)
    page.get_by_role("button", name="All cards").click()
    expect(page.locator(".overview li.none").first).to_be_visible()
    assert low_contrast_texts(page) == []


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_card_in_a_sale_has_enough_contrast(open_table, size):
    """Laid, and faded in the hand."""
    page = open_table(every_card_in_hand("show-by-the-rules"), size)
    assert low_contrast_texts(page) == []
    for gem in ("diamond", "emerald", "ruby", "amber"):
        page.get_by_role("button", name=f"Show every {gem}", exact=True).press("Enter")
    expect(page.locator(".hand .quiet").first).to_be_visible()
    assert low_contrast_texts(page) == []


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_sale_and_all_cards_are_dark_at_night(open_table, size):
    page = open_table(load_scenario("necklace", "nobody-shows", ["1 commit"]), size)
    page.locator("[data-key=hand-ruby_1]").click()
    page.get_by_role("button", name="Show 1 card").click()
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".results")).to_be_visible()
    assert low_contrast_texts(page) == []
    page.emulate_media(color_scheme="dark")
    assert brightest_channel(page.locator(".results")) < 64
    page.get_by_role("button", name="All cards").press("Enter")
    assert brightest_channel(page.locator(".overview")) < 64


@pytest.mark.parametrize("game", BOARDS)
def test_the_page_of_rules_is_dark_at_night(person, game):
    """But the cards in its pictures of boards are as at a table."""
    page = person(scheme="dark").page
    page.goto(f"/rules/{game}")
    expect(page.locator(".example .board > *").first).to_be_attached()
    assert brightest_channel(page.locator("main")) < 64
    assert low_contrast_texts(page) == []

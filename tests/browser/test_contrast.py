"""Everything can be read: at every table, in the light and in the dark, faded or not."""

import pytest
from playwright.sync_api import expect
from sitting import Sitting, read
from table import DESK, PHONE, script
from test_in_view import BOARDS

from courtly.engine.game import find_game
from courtly.games.necklace.cards import EMPTY, Card

CONTRAST = script("contrast")
SCHEMES = ("dark", "light")
CLICKS = (0, 3, 6, 12)  # before each look


FADED_IN = """Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
    .map((one) => one.finished.catch(() => 0)))"""


def faint(page):
    page.evaluate(f"async () => {{ await {FADED_IN}; }}")  # what is just appearing is not meant to be faint
    looked = page.evaluate(f"hands.seen({CONTRAST})")
    assert looked["texts"] > 20
    return looked["found"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("game", BOARDS)
def test_a_table(person, game, scheme):
    table = person(scheme=scheme)
    table.start(game, find_game(game).players[-1])
    found = {}
    for clicks in CLICKS:
        table.click_about(seed=clicks, most=clicks)
        table.wait_for_me()
        found |= faint(table.page)
    assert found == {}


# --- Queen's Necklace fades cards in many ways ------------------------------------------------------------------------


def every_card_in_hand(name):
    """Nothing is laid yet."""
    found = read("necklace", name)
    found.state.hand[0][:] = [1] * len(Card)
    found.state.size[0] = len(Card)
    return found


@pytest.fixture
def sit(person):
    def at(found, scheme, size):
        return Sitting(person(scheme=scheme, size=size), found.game, found.state, 0).page

    return at


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_card_on_offer_and_in_a_hand(sit, size, scheme):
    """At every price, affordable or not; to be played or not; chosen; all gone."""
    for first in range(0, len(Card), 5):
        found = every_card_in_hand("t12-budget")
        for slot in range(5):
            found.state.row[slot] = (first + slot) % len(Card)
            found.state.rung[slot] = (first + slot) % 4
        page = sit(found, scheme, size)
        assert faint(page) == {}
    page.locator("[data-key=hand-courtier]").click()
    assert faint(page) == {}
    found.state.discard[:] = [find_game("necklace").components["cards"][card]["count"] for card in Card]
    found.state.hand[0][:], found.state.size[0], found.state.row[:] = [0] * len(Card), 0, [EMPTY] * 5
    page = sit(found, scheme, size)
    page.get_by_role("button", name="All cards").click()
    expect(page.locator(".overview li.none").first).to_be_visible()
    assert faint(page) == {}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_card_in_a_sale(sit, size, scheme):
    """Laid out, and faded in the hand."""
    page = sit(every_card_in_hand("show-by-the-rules"), scheme, size)
    assert faint(page) == {}
    for gem in ("diamond", "emerald", "ruby", "amber"):
        page.get_by_role("button", name=f"Show every {gem}", exact=True).press("Enter")
    expect(page.locator(".hand .quiet").first).to_be_visible()
    assert faint(page) == {}

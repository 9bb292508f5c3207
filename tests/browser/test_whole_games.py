"""Whole games in the browser, to the end, by clicking and by keyboard, in each language."""

import pytest
from playwright.sync_api import expect
from table import DESK, PHONE, findings

from courtly.engine.game import find_game, game_ids

READY = [name for name in game_ids() if not find_game(name).card.get("workshop")]
WORDS = {"en": ("The game is over", "Play again"), "ja": ("ゲーム終了", "もう一度遊ぶ")}


def often(game):
    """Two games are played in each language every time, the others in one; in both with --long."""
    return () if game in ("petition", "sealed_bids") else pytest.mark.long


def fewest(game):
    return find_game(game).players[0]


def expect_an_end(table, game, language):
    over, again = WORDS[language]
    expect(table.page.locator("#end-heading")).to_have_text(over)
    expect(table.page.locator(".ranks li")).to_have_count(fewest(game))
    expect(table.page.get_by_role("button", name=again)).to_be_visible()


@pytest.mark.parametrize(
    ("language", "size", "scheme", "game"),
    [
        *(("en", DESK, "dark", game) for game in READY),
        *(pytest.param("ja", PHONE, "light", game, marks=often(game)) for game in READY),
    ],
)
def test_by_clicking(person, language, size, scheme, game):
    table = person(language, size, scheme)
    table.start(game, fewest(game))
    table.play_by_clicking()
    expect_an_end(table, game, language)
    assert findings(table.page) == []


@pytest.mark.parametrize(
    ("language", "game"),
    [*(("ja", game) for game in READY), *(pytest.param("en", game, marks=often(game)) for game in READY)],
)
def test_by_keyboard_in_the_plain_rendering(person, language, game):
    table = person(language)
    table.start(game, fewest(game), plain=True)
    table.play_by_keyboard()
    expect_an_end(table, game, language)


def test_the_dice_are_proved_after_the_end(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table.page.get_by_role("button", name="Menu").click()
    table.page.get_by_role("button", name="Check the dice").click()
    expect(table.page.locator(".proof")).to_contain_text("When the game is over the secret is shown")
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("Escape")
    table.play_by_keyboard()
    table.page.get_by_role("button", name="Check the dice").click()
    expect(table.page.locator(".verdict .right")).to_have_count(2)
    expect(table.page.locator(".verdict")).to_contain_text("random events, all exactly as they had to come")
    assert findings(table.page) == []


def test_a_rematch_seats_the_same_people(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table.play_by_keyboard()
    before = table.page.url
    table.page.get_by_role("button", name="Play again").click()
    table.page.wait_for_url(lambda url: url != before and "/t/" in url)
    expect(table.page.locator(".seats .seat")).to_have_count(2)

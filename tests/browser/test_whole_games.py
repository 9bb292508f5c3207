"""Whole games in the browser, to the end: by clicking in English on a crowded desktop, where nothing needs scrolling,
and by keyboard in Japanese; with --long each also in the other language.

By default short games are played to the end. The others are started here by keyboard and in test_boards.py by clicking,
and each is played to its end on a phone (test_in_view.py).
"""

import pytest
from playwright.sync_api import expect
from table import DESK, PHONE, RESULTS, axe_findings_in_both_schemes

from courtly.engine.game import find_game, game_ids

READY = [name for name in game_ids() if not find_game(name).card.get("workshop")]
SHORT_GAMES = ("cardinal", "sealed_bids")
MAX_MOVES = 40  # moves of a longer game
AGAIN_LABELS = {"en": "Play again", "ja": "もう一度遊ぶ"}


def min_players(game):
    return find_game(game).players[0]


def expect_an_end(table, language, players):
    expect(table.page.locator("#end-heading")).to_have_text(RESULTS[language])
    expect(table.page.locator(".ranks li")).to_have_count(players)
    expect(table.page.get_by_role("button", name=AGAIN_LABELS[language])).to_be_visible()


@pytest.mark.parametrize(
    ("language", "size", "scheme", "game"),
    [
        *(
            pytest.param("en", DESK, "dark", game, marks=[] if game in SHORT_GAMES else pytest.mark.long)
            for game in READY
        ),
        *(pytest.param("ja", PHONE, "light", game, marks=pytest.mark.long) for game in READY),
    ],
)
def test_a_whole_game_is_played_by_clicking(person, language, size, scheme, game):
    table, players = person(language, size, scheme), find_game(game).players[-1]
    table.start(game, players)
    fits = size == DESK and table.pictured
    table.play_by_clicking(check_scrolling=fits)
    expect_an_end(table, language, players)
    assert axe_findings_in_both_schemes(table.page) == []


@pytest.mark.parametrize(
    ("language", "game"),
    [*(("ja", game) for game in READY), *(pytest.param("en", game, marks=pytest.mark.long) for game in READY)],
)
def test_a_whole_game_is_played_by_keyboard_in_the_plain_rendering(person, language, game, long):
    table = person(language)
    table.start(game, min_players(game), plain=True)
    if table.play_by_keyboard(max_moves=None if long or game in SHORT_GAMES else MAX_MOVES):
        expect_an_end(table, language, min_players(game))


def test_the_dice_are_verified_after_the_end(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table.page.get_by_role("button", name="Menu").click()
    table.page.get_by_role("button", name="Check that the game was fair").click()
    expect(table.page.locator(".proof")).to_contain_text("When the game is over the secret is shown")
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("Escape")
    table.play_by_keyboard()
    table.page.get_by_role("button", name="Check that the game was fair").click()
    expect(table.page.locator(".verdict .wrong")).to_have_count(0)
    expect(table.page.locator(".verdict")).to_contain_text("consistent with itself")
    expect(table.page.locator(".verdict")).to_contain_text("random events, all exactly as they had to be")
    assert axe_findings_in_both_schemes(table.page) == []


def test_a_rematch_seats_the_same_people(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table.play_by_keyboard()
    before = table.page.url
    table.page.get_by_role("button", name="Play again").click()
    table.page.wait_for_url(lambda url: url != before and "/t/" in url)
    expect(table.page.locator(".seats .seat")).to_have_count(2)

"""Nothing is cut off, covered or broken inside a word or a number: in both languages, on a desktop and a phone, in our fonts and in the widest."""
import pytest
from layout import findings_in_every_font
from playwright.sync_api import expect

from courtly.engine.game import find_game, game_ids

GAMES = [name for name in game_ids() if not find_game(name).card.get("workshop")]
LANGUAGES = ("en", "ja")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_and_its_dialogs(person, language):
    page = person(language).page
    page.goto("/")
    expect(page.locator("[data-game]")).not_to_have_count(0)
    assert findings_in_every_font(page) == []
    for game in GAMES:
        page.locator(f"[data-game={game}]").click()
        expect(page.locator(".new-table .play")).to_be_visible()
        assert findings_in_every_font(page) == []
        page.keyboard.press("Escape")


CLICKS = (0, 4, 8, 16)                                                  # before each look


@pytest.mark.parametrize(("game", "language"), [(game, language) for game in GAMES for language in LANGUAGES])
def test_a_game(person, game, language):
    table = person(language)
    table.start(game, find_game(game).players[-1])
    for clicks in CLICKS:
        table.click_about(seed=clicks, most=clicks)
        table.wait_for_me()
        table.page.mouse.move(0, 0)
        assert findings_in_every_font(table.page) == []

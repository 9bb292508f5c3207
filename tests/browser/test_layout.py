"""Nothing is cut off, covered or broken inside a word or a number: in both languages, on a desktop, a phone and a
tablet, with --long at any width, in our fonts and in the widest."""

import pytest
from layout import EVERY_DAY, findings_in_every_font
from playwright.sync_api import expect
from test_in_view import BOARDS

from courtly.engine.game import find_game, game_ids

GAMES = [name for name in game_ids() if not find_game(name).card.get("workshop")]
LANGUAGES = ("en", "ja")
OTHERS = ((320, 640), (600, 900), (844, 390), (961, 700), (1024, 768), (1180, 820), (1920, 1080))


@pytest.fixture
def sizes(long):
    return EVERY_DAY + OTHERS if long else EVERY_DAY


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_and_its_dialogs(person, language, sizes):
    page = person(language).page
    page.goto("/")
    expect(page.locator("[data-game]")).not_to_have_count(0)
    assert findings_in_every_font(page, sizes) == []
    for game in GAMES:
        page.locator(f"[data-game={game}]").click()
        expect(page.locator(".new-table .play")).to_be_visible()
        assert findings_in_every_font(page, sizes) == []
        page.keyboard.press("Escape")


CLICKS = (0, 4, 8, 16)  # before each look


@pytest.mark.parametrize(("game", "language"), [(game, language) for game in GAMES for language in LANGUAGES])
def test_a_game(person, game, language, sizes):
    table = person(language)
    table.start(game, find_game(game).players[-1])
    for clicks in CLICKS:
        table.click_about(seed=clicks, most=clicks)
        table.wait_for_me()
        table.page.mouse.move(0, 0)
        assert findings_in_every_font(table.page, sizes) == []


# The name of a card on the small counter may part: "1 ruby" there is a title, not a count in a sentence.
PARTABLE = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const exempt = node.parentElement.closest("script, style, .side.rules, .nk-card .name");
        if (/\\d (?=\\p{L})/u.test(node.data) && !exempt) found.push(node.data.trim());
    }
    return found;
}"""


@pytest.mark.parametrize("game", BOARDS)
def test_a_number_and_what_it_counts_stay_on_one_line(person, game):
    table = person("en")
    table.start(game, find_game(game).players[-1])
    table.click_about(seed=3, most=9)
    table.wait_for_me()
    counted = table.page.locator("body").evaluate("body => /\\d\\u00a0\\p{L}/u.test(body.textContent)")
    assert counted and table.page.evaluate(PARTABLE) == []
    table.plain()
    assert table.page.evaluate(PARTABLE) == []

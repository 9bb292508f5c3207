"""A browser's translator replaces text nodes: live parts are excluded from translation and keep working."""

import random

import pytest
from playwright.sync_api import expect
from table import CLICKABLE
from test_in_view import BOARDS
from test_whole_games import min_players

MOVES = 8
# as browsers' translators do, which respect `translate="no"`
TRANSLATE = """() => {
    const wanted = (element) => element.closest("[translate]")?.translate !== false
        && !element.closest("script, style, textarea, font");
    const translate = (root) => {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walk.nextNode()) found.push(walk.currentNode);
        for (const text of found) {
            if (!text.data.trim() || !text.parentElement || !wanted(text.parentElement)) continue;
            const [outer, inner] = [document.createElement("font"), document.createElement("font")];
            inner.textContent = text.data;
            outer.append(inner);
            text.replaceWith(outer);
        }
    };
    translate(document.body);
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) =>
        node.nodeName !== "FONT" && translate(node)))).observe(document.body, { subtree: true, childList: true });
}"""
VISIBLE_TEXTS = """() => [...document.querySelectorAll(".now, .seats, #board, .side .log")].map((part) =>
    part.textContent.replaceAll("\\u200b", ""))"""


@pytest.mark.parametrize("game", BOARDS)
def test_a_board_stays_up_to_date(person, game):
    table = person()
    page = table.page
    table.start(game, min_players(game))
    table.wait_for_me()
    page.evaluate(TRANSLATE)
    rng = random.Random(2)
    for _ in range(MOVES):
        if not table.click(CLICKABLE, rng.randrange(1000)):
            break
    table.wait_for_me()
    page.mouse.move(1, 1)
    page.evaluate("document.activeElement.blur()")
    table.wait_for_me()
    texts = page.evaluate(VISIBLE_TEXTS)
    page.reload()
    table.wait_for_me()
    texts_after_reload = page.evaluate(VISIBLE_TEXTS)
    assert texts[1] == texts_after_reload[1]  # the seats
    assert texts[3] == texts_after_reload[3]  # the log
    assert page.locator("#board font, .seats font, .now font, .side .log font").count() == 0


def test_static_text_can_be_translated(person):
    page = person().page
    page.goto("/rules/petition")
    expect(page.locator(".rules h3").first).to_be_visible()
    page.evaluate(TRANSLATE)
    assert page.locator(".rules p:has(font)").count() > 3
    assert page.locator(".rules li:has(font)").count() > 10
    table = person()
    table.start("petition")
    table.page.keyboard.press("r")
    expect(table.page.locator(".side .rules h2").first).to_be_visible()
    table.page.evaluate(TRANSLATE)
    assert table.page.locator(".side .rules li:has(font)").count() > 10


def test_a_lesson_is_translated_step_by_step(person):
    page = person().page
    page.goto("/learn/petition")
    words = page.locator("#lesson-words p").first
    expect(words).to_be_visible()
    page.evaluate(TRANSLATE)
    expect(words.locator("font").first).to_be_attached()
    before = words.text_content()
    page.get_by_role("button", name="Next").click()
    expect(words).not_to_have_text(before)
    expect(words.locator("font").first).to_be_attached()


def test_a_change_of_language_reloads_a_translated_page(person):
    page = person().page
    page.goto("/")
    page.evaluate(TRANSLATE)
    expect(page.locator(".lobby-head p font font")).to_have_text("Five games of the royal court at one table")
    page.get_by_role("button", name="日本語").click()
    expect(page.locator(".lobby-head p")).to_have_text("ひとつのテーブルで楽しむ、五つの宮廷ゲーム")

"""From an object on the board to the passage of the rules about it: by a key while the mouse or the focus is on the
object, and on touch screens from its tooltip.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from table import DESK, PHONE

from courtly.engine.game import find_game, game_ids
from courtly.engine.scenarios.lesson import load_lesson

ROOT = Path(__file__).parent.parent.parent
# for each object on the boards beside the rules: the number of the heading with its passage
FIND_PASSAGES = """async () => {
  const { findPassage } = await import(new URL("components/rules/search.js", document.querySelector(
    "script[src*='/web/']").src));
  const headings = [...document.querySelectorAll(".rules :is(h3, h4)")];
  const under = (place) => headings.filter((heading) =>
    heading === place || heading.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING).length;
  return Object.fromEntries([...document.querySelectorAll(".example :is([data-key], [data-at])")].map((element) => {
    const place = findPassage(element);
    return [element.dataset.key ?? element.dataset.at, place && under(place)];
  }));
}"""


# for each text: its bold words, and any remaining asterisks beside them
PARSE_BOLD = """async (texts) => {
  const { parseRules } = await import(new URL("components/rules/rules.js", document.querySelector(
    "script[src*='/web/']").src));
  const parts = (token) => [token, ...[token.tokens, token.items, token.header, ...(token.rows ?? [])].flat()
    .filter(Boolean).flatMap(parts)];
  return Promise.all(texts.map(async (text) => {
    const all = (await parseRules(text)).flatMap(parts);
    return [all.filter(({ type }) => type === "strong").map(({ text }) => text),
      all.filter(({ type, tokens, text }) => type === "text" && !tokens && /[*]{2}/.test(text)).map((t) => t.text)];
  }));
}"""


def test_bold_text_is_parsed_next_to_any_character(person):
    """In the rules of all games, in and outside the package."""
    files = [
        file for folder in ("courtly", "examples", "tests") for file in sorted((ROOT / folder).rglob("rules.*.md"))
    ]
    texts = [file.read_text(encoding="utf-8") for file in files]
    page = person("en", DESK).page
    page.goto("/rules/newtown")
    for file, text, (bold, unparsed) in zip(files, texts, page.evaluate(PARSE_BOLD, texts), strict=True):
        assert unparsed == [], file
        assert len(bold) == text.count("**") // 2, file
    [[bold, _]] = page.evaluate(
        PARSE_BOLD, ["3個とも**同じ目（ゾロ目）**なら、**「四」**です。**Start***: a *word*, **a *b* c**."]
    )
    assert bold == ["同じ目（ゾロ目）", "「四」", "Start", "a *b* c"]


@pytest.mark.parametrize("game", [game for game in game_ids() if load_lesson(find_game(game))])
def test_the_rules_have_a_passage_for_every_object_in_both_languages(person, game):
    passages = []
    for language in ("en", "ja"):
        page = person(language, DESK).page
        page.goto(f"/rules/{game}")
        text = (find_game(game).folder / f"rules.{language}.md").read_text(encoding="utf-8")
        expect(page.locator(".example .frame")).to_have_count(text.count("](lesson:"))
        for board in page.locator(".example .board").all():
            expect(board.locator("[data-key], [data-at]").first).to_be_visible()
        passages.append(page.evaluate(FIND_PASSAGES))
    assert len(passages[0]) > 20 and [key for key, heading in passages[0].items() if not heading] == []
    assert passages[0] == passages[1]


def test_a_passage_is_looked_up_by_mouse_and_keyboard(person):
    table = person()
    table.start("petition")
    table.wait_for_me()
    page = table.page
    page.locator('[data-key="card-farmer"]').hover()
    page.keyboard.press("r")
    passage = page.locator(".rules [data-found]")
    expect(passage).to_contain_text("Farmer")
    expect(passage).to_be_focused()
    expect(passage).to_be_in_viewport()
    page.locator('[data-key="card-maid"]').focus()
    page.keyboard.press("r")
    expect(passage).to_contain_text("Maid")


def test_a_passage_is_looked_up_by_touch(person):
    table = person("ja", PHONE, touch=True)
    table.start("petition")
    table.wait_for_me()
    page = table.page
    page.locator('[data-key="card-king"]').tap(force=True)  # aria-disabled: it only shows its tooltip
    page.locator(".tools button", has_text="ルール").tap()
    expect(page.locator(".rules [data-found]")).to_contain_text("国王")
    expect(page.locator(".rules [data-found]")).to_be_in_viewport()


BROKEN_WORDS = """() => {
  const out = [], range = document.createRange();
  for (const cell of document.querySelectorAll(".side .rules :is(th, td)")) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
      for (const { index, 0: word } of walk.currentNode.data.matchAll(/\\p{sc=Latn}+/gu)) {
        range.setStart(walk.currentNode, index);
        range.setEnd(walk.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) out.push(word);
      }
  }
  return out;
}"""


@pytest.mark.parametrize("game", [game for game in game_ids() if load_lesson(find_game(game))])
def test_no_word_of_a_table_is_broken_beside_the_board(person, game):
    table = person()
    table.start(game, min(find_game(game).players))
    table.page.keyboard.press("r")
    expect(table.page.locator(".side .rules h3").first).to_be_visible()
    assert table.page.evaluate(BROKEN_WORDS) == []


LINE_GAPS = """() => [...document.querySelectorAll(".side .rules :is(p, li)")].flatMap((block) => {
  const range = document.createRange(), box = block.getBoundingClientRect();
  range.selectNodeContents(block);
  const lines = Map.groupBy([...range.getClientRects()].filter(({ width }) => width > 1), ({ bottom }) =>
    Math.round(bottom / 8));
  const ends = [...lines.values()].map((rects) => Math.max(...rects.map(({ right }) => right)));
  return ends.slice(0, -1).filter((right) => box.right - right > box.width / 3).map(() => block.textContent);
})"""


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_japanese_fills_the_lines_of_a_column(person, size):
    table = person("ja", size)
    table.start("cardinal", 3)
    table.page.keyboard.press("r")
    expect(table.page.locator(".side .rules h3").first).to_be_visible()
    assert table.page.evaluate(LINE_GAPS) == []

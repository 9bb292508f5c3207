"""How words, facts and sentences are joined in each language."""

import re

import pytest
from local_table import SCENARIOS, show_scripted_table, table_info
from playwright.sync_api import expect
from table import DESK, PHONE, script
from test_hints import TableWithHints

from courtly.engine import transcript
from courtly.engine.game import game_ids

JOIN_TEXTS = """async () => {
    const texts = await import(document.querySelector("script[type=module]").src.replace("router.js", "core/i18n.js"));
    return [
        texts.formatAlternatives(["A", "B"]), texts.joinParts(["A", "B"]), texts.joinSentences([]),
        texts.joinSentences(["A", "B.", "C? D", "E!", "F (G.)", "H"]),
    ];
}"""


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["A or B", "A · B", "", "A. B. C? D. E! F (G.) H"]),
        ("ja", ["AまたはB", "A · B", "", "A。B.C? D。E!F (G.)H"]),
    ],
)
def test_texts_are_joined_by_the_languages_rules(person, language, expected):
    page = person(language=language).page
    page.goto("/")
    assert page.evaluate(JOIN_TEXTS) == expected


WITHIN_A_WORD = re.compile(
    r"[\u4e00-\u9fff]／[\u3041-\u3096]"
)  # a character and its ending: a verb, or a noun's particle
SIGN_FROM_NUMBER = re.compile(r"[+＋±−]\u2060?／\d")


@pytest.mark.parametrize("game", [game for game in game_ids() if list((SCENARIOS / game / "golden").glob("*.jsonl"))])
def test_no_word_of_the_japanese_log_is_broken(person, game):
    page = person("ja").page
    record = sorted((SCENARIOS / game / "golden").glob("*.jsonl"))[-1]
    match = transcript.check(record.read_text(encoding="utf-8"))
    info, view = table_info(match, 0), match.view(0, 0)
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": view}])
    expect(page.locator(".side .log .turn").first).to_be_visible()
    page.evaluate("document.querySelectorAll('.log details').forEach((turn) => { turn.open = true; })")
    broken, breaks = set(), 0
    for width in (180, 230, 280):
        page.locator(".side .log").evaluate("(log, width) => { log.style.width = `${width}px`; }", width)
        found = page.evaluate(script("line-breaks"), ".side .log li")
        breaks += len(found)
        broken |= {text for text in found if WITHIN_A_WORD.search(text)}
    assert breaks > 10 and not broken, sorted(broken)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_signs_of_numbers_have_the_same_width(person, language):
    page = person(language).page
    page.goto("/me")
    expect(page.locator(".self h2")).to_be_visible()
    widths = page.evaluate("""() => ["--sans", "--serif"].map((family) => ["+", "−"].map((sign) => {
        const span = document.createElement("span");
        span.style.cssText = `position: absolute; font: 100px var(${family})`;
        span.textContent = sign;
        document.body.append(span);
        return span.getBoundingClientRect().width;
    }))""")
    assert [plus for plus, _ in widths] == [minus for _, minus in widths]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_japanese_hints_break_no_word_and_tear_no_sign_from_its_number(person, size):
    table = person("ja", size)
    TableWithHints(table, "puppet")
    page = table.page
    page.keyboard.press("h")
    expect(page.locator(".advised button").first).to_be_visible()
    assert "+" in page.locator(".hints").inner_text()
    found = []
    for width in range(140, 330, 7):
        page.locator(".hints").evaluate("(panel, width) => { panel.style.width = `${width}px`; }", width)
        found += page.evaluate(script("line-breaks"), ".hints")
    assert len(found) > 10
    assert [text for text in found if SIGN_FROM_NUMBER.search(text)] == []
    assert [text for text in found if WITHIN_A_WORD.search(text)] == []

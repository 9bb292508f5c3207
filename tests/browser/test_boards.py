"""A crowded table of every game at several points, in both languages. At each point everything is checked:
- Nothing is cut off, covered, or broken inside a word or a number: on a desktop, a phone and a tablet (with --long at
any width), in our fonts and in the widest fallback.
- Everything has enough contrast, faded or not, in both colour schemes.
- axe finds no errors, at the last point, in English on a desktop and in Japanese on a phone.
- On a desktop nothing needs scrolling; in English this is checked after every click.
- A number and its unit are on one line.
"""

import pytest
from contrast import low_contrast_texts
from layout import findings_in_every_font
from table import DESK, PHONE, axe_findings_in_both_schemes, resize, scroll_findings
from test_in_view import BOARDS, LOW_WINDOW
from test_whole_games import READY, min_players

from courtly.engine.game import find_game

CLICK_COUNTS, LONG_CLICK_COUNTS = (0, 32), (0, 8, 24, 48)  # clicks before each point: by default, and with --long

# A card's name on the small counter may break: "1 ruby" is a title there, not a count in a sentence.
SEPARABLE_NUMBERS = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const exempt = node.parentElement.closest("script, style, .side.rules, .nk-card .name");
        if (/\\d (?=\\p{L})/u.test(node.data) && !exempt) found.push(node.data.trim());
    }
    return found;
}"""


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)])
@pytest.mark.parametrize("game", READY)
def test_every_board_passes_all_checks(person, game, language, size, sizes, long):
    table, total_clicks, findings = person(language, size), 0, []
    click_counts = LONG_CLICK_COUNTS if long else CLICK_COUNTS
    table.start(game, find_game(game).players[-1])
    for clicks in click_counts:
        table.click_randomly(seed=clicks, max_clicks=clicks, check_scrolling=table.pictured and size == DESK)
        table.wait_for_me()
        total_clicks += clicks
        findings += [
            f"{game} after {total_clicks} clicks, {line}"
            for line in all_findings(table, sizes, with_axe=clicks == click_counts[-1])
        ]
    assert not findings, "\n".join(findings)
    if table.pictured and language == "en":
        assert table.page.evaluate("/\\d\\u00a0\\p{L}/u.test(document.body.textContent)")
        assert table.page.evaluate(SEPARABLE_NUMBERS) == []
        table.plain()
        assert table.page.evaluate(SEPARABLE_NUMBERS) == []


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", BOARDS)
def test_a_full_table_is_not_cut_in_a_low_window(person, game, language):
    table = person(language, LOW_WINDOW)
    table.start(game, find_game(game).players[-1])
    table.wait_for_me()
    assert findings_in_every_font(table.page, [LOW_WINDOW]) == []


def all_findings(table, sizes, with_axe):
    """Yield everything that is wrong, one line each. `with_axe`: include axe."""
    page, size = table.page, table.page.viewport_size
    page.mouse.move(0, 0)
    yield from findings_in_every_font(page, sizes)
    if table.pictured:
        yield from (f"{size['width']} px, {line}" for line in low_contrast_texts(page))
        if with_axe:
            yield from (f"{size['width']} px, {line}" for line in axe_findings_in_both_schemes(page))
        resize(page, DESK)
        yield from scroll_findings(page)
        page.set_viewport_size(size)


PLANT_ERRORS = """() => {
    const board = document.createElement("div");
    board.style.display = "block";
    const plant = (words, css, kind = "p", here = board) => {
        const planted = document.createElement(kind);
        planted.className = planted.textContent = words;
        Object.assign(planted.style, { margin: "0", ...css });
        here.append(planted);
    };
    plant("well", {});
    plant("longish", { width: "20px", overflow: "hidden", whiteSpace: "nowrap" });
    plant("indivisible", { width: "30px", overflowWrap: "anywhere" });
    plant("below", {});
    plant("above", { marginTop: "-20px" });
    plant("faded", { opacity: "0.4" });
    plant("black", { color: "light-dark(black, #222)", background: "light-dark(white, black)" });
    plant("white", { color: "light-dark(#ddd, white)", background: "light-dark(white, black)" });
    plant("", { width: "60px", height: "60px" }, "button");
    for (const half of "ab") plant(half, { display: "block", width: "30px", minHeight: "0", height: "18px" }, "button");
    plant("", { height: "3000px" });
    document.querySelector(".board").replaceChildren(board);
    plant("", { width: "3000px", height: "9px" }, "p", document.body);
    plant("empty", {}, "small");
    plant("", {}, "ul");
    plant("", { width: "40px" }, "select");
    board.lastChild.append(new Option("chosen"));
}"""
EXPECTED_FINDINGS = {
    *(
        f"1280 px, {fonts}: {what}"
        for fonts in ("our fonts", "widest")
        for what in (
            'cut off: "longish"',
            'cut off: "chosen"',
            'a heading over nothing: "empty"',
            'broken: "indivisible"',
            'overlap: "below" and "above"',
            "wider than the page",
        )
    ),
    *(f"1280 px, {light}: div > p.faded" for light in ("dark", "light")),
    "1280 px, dark: div > p.black",
    "1280 px, light: div > p.white",
    "1280 px, dark: button-name",
    "1280 px, dark: target-size",
    "1280 px, dark: color-contrast",
    "1280 px, light: color-contrast",
    "html scrolls",
    ".stage scrolls",
}


def test_each_check_finds_an_error(person):
    table = person()
    table.start("petition", 5)
    table.wait_for_me()
    assert list(all_findings(table, [DESK], with_axe=True)) == []
    table.page.evaluate(PLANT_ERRORS)
    findings = list(all_findings(table, [DESK], with_axe=True))
    missing = [text for text in EXPECTED_FINDINGS if not any(line.startswith(text) for line in findings)]
    assert sorted(missing) == []
    assert [line for line in findings if "well" in line] == []


TOOLTIPS_OUTSIDE = """() => [...document.querySelectorAll(".board [role=tooltip]")].flatMap((tip) => {
    tip.style.display = "block";
    tip.style.animation = "none";
    const box = tip.getBoundingClientRect();
    const out = [...tip.querySelectorAll("*")].filter((part) => {
        const { left, right, top, bottom, width } = part.getBoundingClientRect();
        return width && !part.closest(".unseen")
            && (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1);
    });
    tip.style.display = tip.style.animation = "";
    return out.map((part) => part.outerHTML.slice(0, 120));
})"""


@pytest.mark.parametrize("game", BOARDS)
def test_tooltips_stay_inside_their_frame(person, game):
    """When the mouse reaches each element, and for permanent elements."""
    table = person()
    table.start(game, min_players(game))
    table.wait_for_me()
    page = table.page
    findings = page.evaluate(TOOLTIPS_OUTSIDE)
    for element in page.locator(".board :is([aria-describedby], .nk-card, .about, .thing, [role=img])").all()[:40]:
        if element.is_visible():
            element.hover(force=True)
            findings += page.evaluate(TOOLTIPS_OUTSIDE)
    assert findings == []

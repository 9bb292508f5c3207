"""The pictured board by keyboard alone: the focus follows the decision, and all events are announced."""

import random
from itertools import pairwise

import pytest
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK
from test_in_view import BOARDS, LOOK, SHEETS, choices_of
from test_whole_games import fewest

MOVES = 14
A_FEW = 3  # presses of Tab
ON = """selector => { const here = document.activeElement;
  if (here === document.body) return "nowhere";
  const open = here.matches(`.board :is(${selector})`) && !here.matches(":disabled, [aria-disabled=true]");
  return open ? "a choice" : here.outerHTML.slice(0, 200); }"""


@pytest.mark.parametrize("game", BOARDS)
def test_the_focus_follows_the_decision(person, game):
    table = person(size=DESK)
    table.start(game, fewest(game))
    page, selector, rng = table.page, choices_of(table.page, game), random.Random(3)

    def rest():
        return page.evaluate(LOOK, [selector, None, SHEETS.get(game)])

    rest()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first element of the page leads there
    assert page.evaluate(ON, selector) == "a choice"
    for _ in range(MOVES):
        for _ in range(rng.randrange(4)):
            page.keyboard.press("Tab")
        if page.evaluate(ON, selector) != "a choice":
            page.keyboard.press("b")
            assert page.evaluate(ON, selector) == "a choice"
        page.keyboard.press("Enter")
        if rest()["over"]:
            return
        tabs = 0
        while (on := page.evaluate(ON, selector)) != "a choice":
            assert on != "nowhere"
            assert tabs < A_FEW, on
            page.keyboard.press("Tab")
            tabs += 1


@pytest.mark.parametrize(("game", "language"), each_value_once(BOARDS, ["en", "ja"]))
def test_all_events_are_announced_in_order(person, game, language):
    table = person(language, DESK)
    table.start(game, fewest(game))
    page, selector, rng = table.page, choices_of(table.page, game), random.Random(3)
    page.evaluate("""() => {
        window.heard = [];
        new MutationObserver((changes) => changes.forEach(({addedNodes}) =>
            addedNodes.forEach((node) => heard.push(node.textContent))))
            .observe(document.querySelector(".unseen [role=log][aria-live=polite]"), {childList: true, subtree: true});
    }""")
    lines = """() => [...document.querySelectorAll(".side .log > .turn")].reverse()
        .flatMap((turn) => [...turn.querySelectorAll("ol li")].map((line) => line.textContent))"""
    before = len(page.evaluate(lines))
    for _ in range(6):
        look = page.evaluate(LOOK, [selector, None, SHEETS.get(game)])
        if look["over"]:
            break
        page.evaluate(
            """([selector, n]) => { const all = [...document
                .querySelectorAll(`.board :is(${selector}):not(:disabled, [aria-disabled=true])`)];
            all[n % all.length].dispatchEvent(new MouseEvent("click", {bubbles: true})); }""",
            [selector, rng.randrange(100)],
        )
    page.evaluate(LOOK, [selector, None, SHEETS.get(game)])
    told, heard = (
        [bare(line) for line in page.evaluate(lines)][before:],
        [bare(line) for line in page.evaluate("heard")],
    )
    assert told
    for line in told:
        assert line in heard, f"not announced, or out of order: {line}"
        heard = heard[heard.index(line) + 1 :]


@pytest.mark.parametrize("game", BOARDS)
def test_no_line_of_a_turn_is_announced_twice(person, game):
    table = person()
    table.start(game, fewest(game))
    table.click_randomly(seed=4, max_clicks=24)
    table.wait_for_me()
    told = table.page.evaluate("""() => [...document.querySelectorAll(".side .log > .turn")].map((turn) =>
        [...turn.querySelectorAll("ol li")].map((line) =>
            line.querySelector(".glyph") ? "" : line.textContent.trim()))""")
    assert sum(map(len, told)) > 10
    for lines in told:
        assert [line for line, next_ in pairwise(lines) if line == next_ != ""] == []


EVENT = "new KeyboardEvent('keydown', { key, code, repeat, shiftKey, bubbles: true, cancelable: true })"
PRESS = f"""([key, code, repeat = false, shiftKey = false]) =>
    document.activeElement.dispatchEvent({EVENT})"""
PLAIN = [  # the key P as browsers report it
    ("p", "KeyP"),
    ("P", "KeyP"),  # Caps Lock
    ("ｐ", "KeyP"),  # full-width
    ("з", "KeyP"),  # Cyrillic
    ("Process", "KeyP"),  # an input method
    ("p", "KeyR"),  # Dvorak: the character counts, not the position
]


def test_shortcuts_work_in_every_alphabet(person):
    table = person()
    table.start("petition")
    page = table.page
    for key in PLAIN:
        page.evaluate(PRESS, key)
        expect(page.locator(".is-plain")).to_be_visible()
        page.evaluate(PRESS, key)
        expect(page.locator(".is-pictured")).to_be_visible()
    page.evaluate(PRESS, ("l", "KeyP"))
    expect(page.locator(".is-pictured")).to_be_visible()
    page.evaluate(PRESS, ("Process", "Slash", False, True))
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_a_held_key_acts_once(person):
    table = person()
    table.start("petition")
    page = table.page
    for key in ("p", "KeyP"), ("p", "KeyP", True), ("p", "KeyP", True):
        page.evaluate(PRESS, key)
    expect(page.locator(".is-plain")).to_be_visible()


def test_shortcuts_can_be_disabled(person):
    table = person()
    table.start("petition")
    page = table.page
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_role("button", name="Off").click()
    expect(dialog.locator("kbd")).to_have_text(["Tab", "Enter", "Esc"])
    page.keyboard.press("Escape")
    expect(page.locator(".tools [title=Undo]")).to_have_count(1)
    for key in "p", "?", "1":
        page.keyboard.press(key)
    expect(page.locator(".is-pictured")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Keys").click()
    dialog.get_by_role("button", name="On").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.locator(".is-plain")).to_be_visible()


def bare(line):
    """Return the letters and digits only: the log draws what is between them."""
    return "".join(c for c in line if c.isalnum())

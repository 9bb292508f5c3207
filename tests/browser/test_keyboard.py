"""The pictured board by keyboard alone: the focus follows the decision, and all cues are announced."""

import random
from itertools import pairwise

import pytest
from local_table import LocalTable, load_scenario
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, PHONE
from test_in_view import BOARDS, INSPECT_DECISION, SHEET_CLOSE_BUTTONS, choices_selector
from test_whole_games import min_players

MOVES = 14
MAX_TABS = 3  # presses of Tab
FOCUSED_KIND = """selector => { const here = document.activeElement;
  if (here === document.body) return "nowhere";
  const open = here.matches(`.board :is(${selector})`) && !here.matches(":disabled, [aria-disabled=true]");
  return open ? "a choice" : here.outerHTML.slice(0, 200); }"""


@pytest.mark.parametrize("game", BOARDS)
def test_the_focus_follows_the_decision(person, game):
    table = person(size=DESK)
    table.start(game, min_players(game))
    page, selector, rng = table.page, choices_selector(table.page, game), random.Random(3)

    def inspect():
        return page.evaluate(INSPECT_DECISION, [selector, None, SHEET_CLOSE_BUTTONS.get(game)])

    inspect()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first element of the page leads there
    assert page.evaluate(FOCUSED_KIND, selector) == "a choice"
    for _ in range(MOVES):
        for _ in range(rng.randrange(4)):
            page.keyboard.press("Tab")
        if page.evaluate(FOCUSED_KIND, selector) != "a choice":
            page.keyboard.press("b")
            assert page.evaluate(FOCUSED_KIND, selector) == "a choice"
        page.keyboard.press("Enter")
        if inspect()["over"]:
            return
        tabs = 0
        while (focused_kind := page.evaluate(FOCUSED_KIND, selector)) != "a choice":
            assert focused_kind != "nowhere"
            assert tabs < MAX_TABS, focused_kind
            page.keyboard.press("Tab")
            tabs += 1


IS_ON_MAP = "document.activeElement.matches('.thing')"


def test_tab_leads_from_a_selected_card_to_the_map_and_back(person):
    table = person(size=DESK)
    table.start("cardinal", min_players("cardinal"))
    table.wait_for_me()
    page, places = table.page, table.page.locator(".thing.open")
    for card in page.locator(".hand .card").all():
        card.focus()
        page.keyboard.press("Tab")
        assert not page.evaluate(IS_ON_MAP), "nothing is selected"
        card.focus()
        page.keyboard.press("Enter")
        expect(card).to_have_attribute("aria-pressed", "true")
        if places.count():
            break
        page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(places.first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(card).to_be_focused()
    page.keyboard.press("Tab")
    assert not page.evaluate(IS_ON_MAP), "a second card may follow"
    card.focus()
    page.keyboard.press("Enter")
    expect(places).to_have_count(0)


MAP_PLACES = {"cardinal": (".thing", DESK), "newtown": (".tile", DESK), "newtown, flat": (".plot", PHONE)}
PLACES_BY_ARROWS = """([places, shiftKey]) => {
    const all = [...document.querySelectorAll(places)];
    const found = new Set([document.activeElement]);
    for (const place of found) {
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
            place.focus();
            place.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
            found.add(document.activeElement);
        }
    }
    return all.filter((place) => !found.has(place)).map((place) => place.dataset.at ?? place.dataset.key);
}"""


@pytest.mark.parametrize("name", MAP_PLACES)
def test_a_map_is_one_tab_stop_and_arrow_keys_lead_to_all_its_places(person, name):
    (places, size), game = MAP_PLACES[name], name.partition(",")[0]
    table = person(size=size)
    table.start(game, min_players(game))
    table.wait_for_me()
    page = table.page
    stops = page.locator(f"{places}[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    assert page.evaluate(PLACES_BY_ARROWS, [places, True]) == []
    expect(stops).to_have_count(1)
    expect(stops).to_be_focused()


def test_arrow_keys_lead_through_the_places_that_are_open(person):
    table = person(size=DESK)
    table.start("cardinal", min_players("cardinal"))
    table.wait_for_me()
    page, open_places = table.page, table.page.locator(".thing.open")
    for card in page.locator(".hand .card").all():
        card.focus()
        page.keyboard.press("Enter")
        if open_places.count():
            break
        page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(open_places.first).to_be_focused()
    assert page.evaluate(PLACES_BY_ARROWS, [".thing.open", False]) == []
    assert page.evaluate("document.activeElement.matches('.thing.open')")
    tabs = 0
    while not page.evaluate("document.activeElement.matches('.hand .card')"):
        page.keyboard.press("Tab")
        tabs += 1
    assert tabs <= 8, "from the map to the hand"


@pytest.mark.parametrize(
    ("game", "position", "choice", "targets"),
    [
        ("petition", "every-power-at-once", ".chip[aria-pressed]", ".felt .dice button"),
        ("newtown", "w08-first-house", ".offer", ".confirm button"),
    ],
)
def test_tab_leads_from_a_choice_to_what_it_makes_choosable(person, game, position, choice, targets):
    scenario = load_scenario(game, position)
    page = LocalTable(person(size=DESK), scenario.game, scenario.state, 0).page
    page.locator(choice).first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(targets).first).to_be_focused()


@pytest.mark.parametrize(("game", "language"), each_value_once(BOARDS, ["en", "ja"]))
def test_all_events_are_announced_in_order(person, game, language):
    table = person(language, DESK)
    table.start(game, min_players(game))
    page, selector, rng = table.page, choices_selector(table.page, game), random.Random(3)
    page.evaluate("""() => {
        window.announcements = [];
        new MutationObserver((changes) => changes.forEach(({addedNodes}) =>
            addedNodes.forEach((node) => announcements.push(node.textContent))))
            .observe(document.querySelector(".unseen [role=log][aria-live=polite]"), {childList: true, subtree: true});
    }""")
    # several events of a line may be announced in one sentence: then the line is what comes before them
    read_log = """() => [...document.querySelectorAll(".side .log > .turn")]
        .flatMap((turn) => [...turn.querySelectorAll("ol li")].map((line) => {
            const copy = line.cloneNode(true);
            const glyphs = copy.querySelectorAll(".glyph");
            if (glyphs.length > 1) glyphs.forEach((glyph) => glyph.remove());
            return [copy.textContent, glyphs.length > 1];
        }))"""
    lines_before = len(page.evaluate(read_log))
    for _ in range(6):
        report = page.evaluate(INSPECT_DECISION, [selector, None, SHEET_CLOSE_BUTTONS.get(game)])
        if report["over"]:
            break
        page.evaluate(
            """([selector, n]) => { const all = [...document
                .querySelectorAll(`.board :is(${selector}):not(:disabled, [aria-disabled=true])`)];
            all[n % all.length].dispatchEvent(new MouseEvent("click", {bubbles: true})); }""",
            [selector, rng.randrange(100)],
        )
    page.evaluate(INSPECT_DECISION, [selector, None, SHEET_CLOSE_BUTTONS.get(game)])
    log_lines, announced = (
        [(letters_and_digits(line), goes_on) for line, goes_on in page.evaluate(read_log)][lines_before:],
        [letters_and_digits(line) for line in page.evaluate("announcements")],
    )
    assert log_lines
    for line, goes_on in log_lines:
        said = [at for at, text in enumerate(announced) if (text.startswith(line) if goes_on else text == line)]
        assert said, f"not announced, or out of order: {line}"
        announced = announced[said[0] + 1 :]


@pytest.mark.parametrize("game", BOARDS)
def test_no_line_of_a_turn_is_announced_twice(person, game):
    table = person()
    table.start(game, min_players(game))
    table.click_randomly(seed=4, max_clicks=24)
    table.wait_for_me()
    turns = table.page.evaluate("""() => [...document.querySelectorAll(".side .log > .turn")].map((turn) =>
        [...turn.querySelectorAll("ol li")].map((line) =>
            line.querySelector(".glyph") ? "" : line.textContent.trim()))""")
    assert sum(map(len, turns)) > 10
    for lines in turns:
        assert [line for line, next_line in pairwise(lines) if line == next_line != ""] == []


KEY_EVENT = "new KeyboardEvent('keydown', { key, code, repeat, shiftKey, bubbles: true, cancelable: true })"
PRESS_KEY = f"""([key, code, repeat = false, shiftKey = false]) =>
    document.activeElement.dispatchEvent({KEY_EVENT})"""
P_KEYS = [  # the key P as browsers report it
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
    for key in P_KEYS:
        page.evaluate(PRESS_KEY, key)
        expect(page.locator(".is-plain")).to_be_visible()
        page.evaluate(PRESS_KEY, key)
        expect(page.locator(".is-pictured")).to_be_visible()
    page.evaluate(PRESS_KEY, ("l", "KeyP"))
    expect(page.locator(".is-pictured")).to_be_visible()
    page.evaluate(PRESS_KEY, ("Process", "Slash", False, True))
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_a_held_key_acts_once(person):
    table = person()
    table.start("petition")
    page = table.page
    for key in ("p", "KeyP"), ("p", "KeyP", True), ("p", "KeyP", True):
        page.evaluate(PRESS_KEY, key)
    expect(page.locator(".is-plain")).to_be_visible()


def test_shortcuts_can_be_disabled(person):
    table = person()
    table.start("petition")
    page = table.page
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_role("button", name="Off").click()
    expect(dialog.locator("kbd")).to_have_text(["Tab", "Enter", "←", "↑", "→", "↓", "Esc"])
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


def letters_and_digits(line):
    """Return the letters and digits only: the log draws what is between them."""
    return "".join(c for c in line if c.isalnum())

"""The board of Web of Power, as players use it."""

import re
from pathlib import Path

import pytest
from contrast import brightest_channel, low_contrast_texts
from layout import FONTS_SETTLED, use_widest_fonts
from local_table import LocalTable, load_scenario
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings, resize

from courtly.games.cardinal.map import COMPONENTS

SCENARIOS = Path(__file__).parent.parent / "games" / "cardinal" / "golden"
CARD, SELECTABLE, HOUSE, DECK = ".hand .card", ".thing.open", ".house", ".card.deck"
SCROLL_SIZES = """[document.documentElement.scrollWidth - innerWidth,
            Math.max(...['html', '.stage'].map((box) => document.querySelector(box))
                .map((e) => e.scrollHeight - e.clientHeight))]"""


@pytest.fixture
def open_table(person):
    """A player at a new table, on turn."""

    def make(language="en", size=DESK, scheme="dark", players=3, touch=False):
        table = person(language, size, scheme, touch=touch)
        table.start("cardinal", players)
        table.wait_for_me()
        return table

    return make


def throw_away_all(table):
    """Make the shortest turn, with which the deck runs out soonest."""
    page = table.page
    for card in range(3):
        page.locator(CARD).nth(card).click()
    page.get_by_role("button", name="Discard …").click()
    page.get_by_role("button", name="Discard", exact=True).click()
    table.wait_for_me()
    while page.locator(".market .card.open").count():
        page.locator(".market .card.open").last.click()
        table.wait_for_me()


def visible_map_area(page):
    return [float(number) for number in page.locator(".map").get_attribute("viewBox").split()]


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_turn_places_a_piece_and_draws_a_card(open_table):
    page = open_table().page
    expect(page.locator(SELECTABLE)).to_have_count(0)
    countries = page.locator(CARD).first.locator(".lands > span").all_inner_texts()
    page.locator(CARD).first.click()
    expect(page.locator(".now")).to_have_text("Choose a glowing site or seal.")
    labels = page.locator(SELECTABLE).evaluate_all("all => all.map((element) => element.ariaLabel)")
    assert labels
    assert all(any(country in label for country in countries) for label in labels), (
        "a single card is for its own countries"
    )
    before = page.locator(HOUSE).count()
    page.locator(f"{SELECTABLE}.site").first.click()
    expect(page.locator(".now")).to_have_text("Draw one card.")
    expect(page.locator(HOUSE)).to_have_count(before + 1)
    page.keyboard.press("u")
    expect(page.locator(HOUSE)).to_have_count(before)
    expect(page.locator(".now")).to_have_text("Choose the cards to play.")
    page.locator(CARD).first.click()
    page.locator(f"{SELECTABLE}.site").last.click()
    expect(page.locator(HOUSE)).to_have_count(before + 1)
    card_name = page.locator(".market .card").first.locator("b").inner_text()
    page.locator(".market .card").first.click()
    expect(page.locator("ol.log")).to_contain_text(re.compile(f"takes a face-up card: {card_name}"))


def test_an_invalid_set_is_explained_and_discarding_needs_confirmation(open_table):
    page = open_table().page
    for card in range(3):
        page.locator(CARD).nth(card).click()
    discards = page.locator(".discards").inner_text()
    page.get_by_role("button", name="Discard …").click()
    expect(page.get_by_role("group", name="Discard these 3 cards")).to_be_visible()
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(f"{CARD}.chosen")).to_have_count(3)
    assert page.locator(".discards").inner_text() == discards
    deck_count = int(page.locator(f"{DECK} .count").inner_text())
    page.get_by_role("button", name="Discard …").click()
    page.get_by_role("button", name="Discard", exact=True).click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    for n in (3, 2, 1):
        expect(page.locator(".now")).to_have_text("Draw one card." if n == 1 else f"Draw {n} cards.")
        expect(page.locator(f"{DECK} .count")).to_have_text(str(deck_count - 3 + n))
        page.locator(DECK).click()
        if n > 1:
            expect(undo).to_be_disabled()  # the drawn card is known now
    expect(page.locator("ol.log")).to_contain_text("discards")


def test_a_place_chosen_first_offers_the_cards_that_pay_for_it(open_table):
    page = open_table().page
    houses_before = page.locator(HOUSE).count()
    place = page.locator(".thing.site.payable").first
    name = place.get_attribute("aria-label").partition(",")[0]
    place.click()
    offers = page.locator(".pays [aria-label]")
    assert name in offers.first.get_attribute("aria-label")
    expect(offers.first).to_be_focused()
    assert low_contrast_texts(page) == []
    page.keyboard.press("Escape")
    expect(offers).to_have_count(0)
    expect(place).to_be_focused()
    page.keyboard.press("Enter")
    offers.first.click()
    expect(page.locator(HOUSE)).to_have_count(houses_before + 1)
    expect(page.locator(".now")).to_have_text("Draw one card.")


def test_what_cannot_be_done_now_says_why(open_table):
    page = open_table().page
    explanation = page.locator(".acts .what")
    page.locator(DECK).click(force=True)  # aria-disabled
    expect(explanation).to_have_text("Play or discard cards first.")
    page.locator(".acts .discard").click(force=True)
    expect(explanation).to_have_text("First choose the cards to discard.")
    page.locator(CARD).first.click()
    expect(explanation).not_to_contain_text("First")
    countries = page.locator(CARD).first.locator(".lands > span").all_inner_texts()
    labels = page.locator(".thing.site").evaluate_all("all => all.map((element) => element.ariaLabel)")
    other = next(i for i, label in enumerate(labels) if not any(country in label for country in countries))
    page.locator(".thing.site").nth(other).hover()
    expect(page.locator(".words .why")).to_have_text(re.compile("(The chosen cards do not pay|Not now)"))
    page.locator(f"{SELECTABLE}.site").first.click()
    expect(page.locator(".now")).to_have_text("Draw one card.")
    page.locator(CARD).first.click(force=True)
    expect(explanation).to_have_text("Draw cards first.")
    page.locator(".thing.site").first.hover()
    expect(page.locator(".words .why")).to_have_text("Draw cards first.")


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["England", "No cardinal can come here yet: there is no cloister in England."]),
        ("ja", ["イングランド", "イングランドにはまだ修道院がないので、枢機卿を置けません。"]),
    ],
)
def test_a_seal_says_first_why_no_cardinal_can_come(open_table, language, lines):
    page = open_table(language).page
    page.locator("[data-at=seal-EN]").hover()
    expect(page.locator(".words > :is(b, p)").nth(1)).to_have_class("why")
    expect(page.locator(".words > :is(b, .why)")).to_have_text(lines)


def test_the_map_is_moved_without_placing_anything(open_table):
    page = open_table().page
    page.locator(CARD).first.click()
    houses_before, whole_area = page.locator(HOUSE).count(), visible_map_area(page)
    x, y = centre(page.locator(f"{SELECTABLE}.site .hit").first)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    zoomed_area = visible_map_area(page)
    assert zoomed_area[2] < whole_area[2] * 0.7
    assert centre(page.locator(f"{SELECTABLE}.site .hit").first) == pytest.approx((x, y), abs=90), (
        "the place under the mouse stays there, except at the edge"
    )
    x, y = centre(page.locator(f"{SELECTABLE}.site .hit").first)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=4)
    page.mouse.move(x + 30, y - 70, steps=4)
    page.mouse.up()
    assert visible_map_area(page) != zoomed_area
    expect(page.locator(".now")).to_have_text("Choose a glowing site or seal.")
    page.locator(".zoom button").first.focus()
    page.keyboard.press("0")
    assert visible_map_area(page) == pytest.approx(whole_area)
    for key in ("+", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert visible_map_area(page)[2] == pytest.approx(whole_area[2] / 1.6)
    page.get_by_role("button", name="Zoom out").click()
    assert visible_map_area(page) == pytest.approx(whole_area)
    expect(page.get_by_role("button", name="Zoom out")).to_be_disabled()
    assert page.locator(HOUSE).count() == houses_before


def test_the_whole_map_is_not_laid_out_again_to_reveal_what_is_visible(open_table):
    """Sites at the edge, too: to write the area once more costs a phone a tenth of a second."""
    page = open_table("en", PHONE, "light").page
    page.evaluate("""() => {
        window.changes = 0;
        new MutationObserver((records) => { window.changes += records.length; })
            .observe(document.querySelector(".map"), { attributeFilter: ["viewBox"] });
    }""")
    for site in page.locator(".map .site").all():
        site.evaluate("site => site.focus({ preventScroll: true })")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 400))")  # longer than a zoom
    assert page.evaluate("window.changes") == 0


def test_the_map_that_returns_is_styled_once(open_table):
    """Its size is known when the scores close: to find it again would cost a phone a tenth of a second."""
    page = open_table("en", PHONE, "light").page
    page.locator(".ledger").click()
    page.evaluate("""() => {
        window.changes = [];
        new MutationObserver((records) => window.changes.push(...records.map(({ attributeName }) => attributeName)))
            .observe(document.querySelector("#board"), { subtree: true, attributeFilter: ["viewBox", "style"] });
    }""")
    page.locator(".sheet-scores button").click()
    expect(page.locator(".map")).to_have_attribute("viewBox", re.compile(r"\d"))
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 400))")  # longer than a change of size
    assert page.evaluate("window.changes") == []


def test_fingers_zoom_and_move_the_map(open_table):
    page = open_table("ja", PHONE, "light").page
    page.locator(CARD).first.click()
    houses_before, whole_area = page.locator(HOUSE).count(), visible_map_area(page)
    box = page.locator(".map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    devtools = page.context.new_cdp_session(page)

    def touch(kind, *fingers):
        devtools.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x + dx, "y": y + dy, "id": n} for n, (dx, dy) in enumerate(fingers)]},
        )

    touch("touchStart", (-30, 0), (30, 0))
    for step in range(1, 6):
        touch("touchMove", (-30 - 6 * step, 0), (30 + 6 * step, 0))
    touch("touchEnd")
    zoomed_area = visible_map_area(page)
    assert zoomed_area[2] == pytest.approx(whole_area[2] / 2, rel=0.05), "twice the finger distance, twice the zoom"
    touch("touchStart", (0, 0))
    for step in range(1, 6):
        touch("touchMove", (-10 * step, -5 * step))
    touch("touchEnd")
    assert visible_map_area(page)[0] == pytest.approx(zoomed_area[0] + 50 * zoomed_area[2] / box["width"], rel=0.05), (
        "the map follows the finger"
    )
    assert page.locator(HOUSE).count() == houses_before
    expect(page.locator(".map")).to_have_css("touch-action", "none")
    page.locator(".zoom button").first.focus()
    page.keyboard.press("0")
    expect(page.locator(".map")).to_have_css("touch-action", "pan-y")  # vertical swipes scroll the page


def test_a_tap_beside_a_site_selects_it(open_table):
    page = open_table("en", PHONE).page
    page.locator(CARD).first.click()
    houses_before = page.locator(HOUSE).count()
    point = page.evaluate("""() => {
        for (const hit of document.querySelectorAll(".thing.site.open > .hit")) {
            const { x, y, width, height } = hit.getBoundingClientRect();
            for (const [dx, dy] of [[18, 0], [-18, 0], [0, 18], [0, -18]]) {
                const at = [x + width / 2 + dx, y + height / 2 + dy];
                const top = document.elementFromPoint(...at);
                if (top?.closest(".map") && !top.closest(".thing")) return at;
            }
        }
    }""")
    page.mouse.click(*point)
    expect(page.locator(HOUSE)).to_have_count(houses_before + 1)


def test_on_a_phone_the_tooltip_of_a_place_is_closed_by_the_next_tap(open_table):
    page = open_table(size=PHONE, touch=True).page
    tooltip, seal = page.locator(".words"), page.locator("[data-at=seal-EN]")
    seal.tap(force=True)  # aria-disabled
    expect(tooltip).to_be_visible()
    page.locator(CARD).first.tap()
    expect(page.locator(SELECTABLE)).not_to_have_count(0)
    expect(tooltip).to_be_hidden()  # it would cover the places that glow
    seal.tap(force=True)  # aria-disabled
    expect(tooltip).to_be_visible()
    houses_before = page.locator(HOUSE).count()
    x, y = centre(tooltip)
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.words') !== null", [x, y])
    page.touchscreen.tap(x, y)
    expect(tooltip).to_be_hidden()
    assert page.locator(HOUSE).count() == houses_before
    seal.tap(force=True)  # aria-disabled
    expect(tooltip).to_be_visible()
    page.locator(f"{SELECTABLE}.site").first.evaluate("site => site.dispatchEvent(new Event('click', {bubbles: true}))")
    expect(page.locator(HOUSE)).to_have_count(houses_before + 1)
    expect(tooltip).to_be_hidden()


def test_every_element_can_be_tapped_on_a_phone(open_table):
    page = open_table("ja", PHONE, "dark", players=5).page
    assert page.evaluate(SCROLL_SIZES)[0] <= 0
    small_widths = page.locator(".site > .hit").evaluate_all(
        "all => all.map((hit) => hit.getBoundingClientRect().width).filter((width) => width < 24)"
    )
    assert small_widths == [], "a site can be tapped without zooming"
    find_covered = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
        element.scrollIntoView({ block: "center" });
        const { x, y, width, height } = element.getBoundingClientRect();
        const selectable = ".thing, .card, button", top = document.elementFromPoint(x + width / 2, y + height / 2);
        return top?.closest(selectable) !== element.closest(selectable);
    }).map((element) => element.outerHTML.slice(0, 90))"""
    for selector in (
        ".site .plot, .site .house",
        ".seal .wax",
        ".pact .ribbon",
        ".cards .card",
        ".acts button",
        ".zoom button",
        ".ledger",
        ".tools button",
    ):
        assert page.evaluate(find_covered, selector) == []


@pytest.mark.parametrize(
    ("scenario_name", "moves", "announcement"),
    [
        (
            "w13-exhaustion",
            ["2 cloister purple none FR3, done, take red, draw", "* drawn green, turn_up red, reshuffle"],
            "Interim scoring when the turn comes to Ada",
        ),
        (
            "second-exhaustion",
            ["1 discard red green none, draw", "* drawn red, run_out"],
            "Final scoring when the turn comes to Ada",
        ),
    ],
)
def test_a_scoring_that_is_due_is_announced(person, scenario_name, moves, announcement):
    scenario = load_scenario("cardinal", scenario_name, moves)
    table = person()
    LocalTable(table, scenario.game, scenario.state, 1)
    expect(table.page.locator(".due")).to_contain_text(announcement)
    table.plain()
    expect(table.page.locator(".plain")).to_contain_text(announcement)


@pytest.mark.parametrize(("language", "players"), [("en", 5), ("ja", 3)])
def test_a_desk_needs_no_scrolling(open_table, language, players):
    page = open_table(language, DESK, "light", players).page
    for _ in range(2):
        assert page.evaluate(SCROLL_SIZES) == [0, 0]
        page.locator(CARD).first.click()
    page.locator(".thing.seal").first.hover()
    assert page.evaluate(SCROLL_SIZES) == [0, 0]
    page.locator(".ledger").press("Enter")
    expect(page.locator(".sheet-scores")).to_be_focused()
    assert low_contrast_texts(page) == []
    page.emulate_media(color_scheme="dark")
    assert brightest_channel(page.locator(".sheet-scores")) < 64  # at night it is dark, as the log is
    page.emulate_media(color_scheme="light")
    assert page.evaluate(SCROLL_SIZES) == [0, 0]
    page.locator(".sheet-scores button").press("Enter")
    expect(page.locator(".ledger")).to_be_focused()
    page.locator(".ledger").press("Enter")
    page.locator(".sheet-scores").press("Escape")
    expect(page.locator(".sheet-scores")).to_have_count(0)
    expect(page.locator(".ledger")).to_be_focused()


def test_cards_show_their_landscapes(open_table):
    page = open_table().page
    drawn = "all => all.map((image) => image.complete && image.naturalWidth > 0)"
    page.wait_for_function("[...document.querySelectorAll('.landscape')].every((image) => image.naturalWidth)")
    assert page.locator(".landscape").evaluate_all(drawn) == [True] * 5
    page.set_viewport_size({"width": 360, "height": 640})
    expect(page.locator(".landscape").first).to_be_hidden()


def test_the_start_player_has_a_tag(open_table):
    table = open_table(players=3)
    start = table.page.locator(".seat", has=table.page.locator(".cardinal-start"))
    expect(start).to_have_count(1)
    expect(start.locator(".cardinal-start")).to_have_attribute("title", "Start player")


def test_the_estimate_is_switched_off_and_on(open_table):
    page = open_table().page
    estimate = page.locator(".seat .estimate").first
    expect(estimate).to_contain_text("if scored now")
    estimate.click()
    expect(page.locator(".seat .estimate", has_text="if scored now")).to_have_count(0)
    estimate.click()
    expect(page.locator(".seat .estimate", has_text="if scored now")).to_have_count(3)


RUNNING_ANIMATIONS = """document.querySelector('.table').getAnimations({ subtree: true })
    .filter((a) => !(a instanceof CSSAnimation) && !(a instanceof CSSTransition) && a.playState === "running").length"""


@pytest.mark.parametrize(
    ("seat", "speed"), [(0, "slow"), (0, "none"), (3, "slow"), (3, "none"), (None, "slow"), (None, "none")]
)
def test_the_interim_scoring_is_counted_on_the_map(person, seat, speed):
    """The fourth player is pending then, and is not held up. The others see the result until that player acts."""
    scenario = load_scenario("cardinal", "w13-printed-interim")
    table = person(speed=speed)
    local_table = LocalTable(table, scenario.game, scenario.state, seat)
    match, page = local_table.match, table.page
    seq = match.seq(seat)
    match.play(2, [next(move for move in match.legal(2) if "FR3" in move.args.values())])
    match.play(2, [next(move for move in match.legal(2) if move.verb == "draw")])
    receive = "messages => messages.forEach(receiveMessage)"
    page.evaluate(receive, local_table._messages_since(seq))
    track, log = page.locator(".track"), page.locator(".side .log")
    expect(track).to_have_count(1)
    points = match.view(seat, 0)["state"]["interim_points"]
    assert page.locator(".gain").count() == sum(any(country) for country in zip(*points, strict=True)) > 0
    if speed == "slow":
        assert page.evaluate(RUNNING_ANIMATIONS) > 0
        expect(track).to_have_css("opacity", "1")
        expect(log).not_to_contain_text("Interim scoring")  # the log does not run ahead of the map
    if seat == 3:
        page.locator(CARD).first.click()
        expect(page.locator(f"{CARD}.chosen")).to_have_count(1)
    elif speed == "slow":
        page.locator(".chart").click(position={"x": 4, "y": 4})
    page.wait_for_function(f"{RUNNING_ANIMATIONS} === 0")
    expect(log).to_contain_text("Interim scoring")
    expect(track).to_have_css("opacity", "0" if seat == 3 else "1")
    if seat == 0:
        assert low_contrast_texts(page) == []
    assert brightest_channel(track) < 64, "it is dark at night"
    expect(page.locator(".sheet-scores")).to_have_count(0)
    seq = match.seq(seat)
    match.play(3, [match.legal(3)[0]])
    page.evaluate(receive, local_table._messages_since(seq))
    expect(track).to_have_count(0)


def test_both_scorings_are_explained(open_table):
    """A game in which one player only discards, against two who do not, so that the deck runs out soon."""
    table = open_table()
    page = table.page
    sheets_seen = 0
    for _ in range(60):
        table.wait_for_me()
        if table.over:
            break
        expect(page.locator(".sheet-scores")).to_have_count(0)  # nothing covers the map during a turn
        if not sheets_seen and page.locator(".side .log", has_text="Interim scoring").count():
            sheets_seen += 1
            page.get_by_role("button", name="Scores").click()
            expect(page.locator(".sheet-scores .part").first).to_have_text("Interim scoring")
            interim = page.locator(".sheet-scores .total").first.locator("td").all_inner_texts()
            assert [f"{n}\u00a0point{'' if n == '1' else 's'}" for n in interim] == page.locator(
                ".seat .score-now"
            ).all_inner_texts(), "the sum equals the score"
            assert axe_findings(page) == []
            page.get_by_role("button", name="Close").click()
            expect(page.locator(".sheet-scores")).to_have_count(0)
        throw_away_all(table)
    assert table.over
    assert sheets_seen == 1
    final_table = page.locator(".end .ledger-table")
    for part in ("Interim scoring", "Countries at the final scoring", "Alliances", "Chains of at least four cloisters"):
        expect(final_table.locator(".part", has_text=part)).to_have_count(1)
    totals = [int(cell) for cell in final_table.locator(".grand td").all_inner_texts()]
    parts = final_table.locator(".total").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => +cell.lastChild.textContent))"
    )
    assert [sum(column) for column in zip(*parts, strict=True)] == totals, "the parts add up to the total"
    assert axe_findings(page) == []


@pytest.mark.parametrize(
    ("points", "explanations"),
    [
        ([50, 61, 61], ["61 points each: whoever has more pieces left is ahead (Cleo 5, Ben 4)."]),
        ([50, 50, 61], ["50 points each: whoever has more pieces left is ahead (Ben 4, Ada 2)."]),
        ([50, 51, 61], []),
    ],
)
def test_every_tie_on_points_is_explained(person, points, explanations):
    scenario = load_scenario("cardinal", "w14-tie", ["* final"])
    scenario.state.score[:3] = points
    table = person()
    LocalTable(table, scenario.game, scenario.state, 0)
    page = table.page
    expect(page.locator(".end .place")).to_have_text(["1", "2", "3"])
    expect(page.locator(".outcome .tie")).to_have_text(explanations)


def open_scenario(person, scenario_name, moves, seat, language="en", size=DESK):
    scenario, table = load_scenario("cardinal", scenario_name, moves), person(language, size)
    LocalTable(table, scenario.game, scenario.state, seat)
    return table.page


def test_the_text_says_how_many_cards_may_be_discarded(person):
    page = open_scenario(person, "w10-printed-discard", [], 0)
    page.locator(CARD).first.click()
    page.locator(CARD).last.click()
    expect(page.locator(".acts .what")).to_have_text("Two cards must have the same colour.")
    expect(page.locator(".now")).to_have_text("Not playable: choose others.")
    expect(page.get_by_role("button", name="Discard …")).to_be_disabled()
    page.locator(CARD).last.click()
    expect(page.get_by_role("button", name="Discard …")).to_be_enabled()


def test_the_text_promises_no_more_cards_than_are_left(person):
    page = open_scenario(
        person,
        "second-exhaustion",
        ["1 discard red green none, draw", "* drawn red, run_out", "1 take green", "2 discard red red green"],
        2,
    )
    expect(page.locator(".now")).to_have_text("Draw one card.")
    expect(page.locator(".acts .what")).to_have_text("One more card.")


def test_a_needless_pair_is_explained(person):
    page = open_scenario(person, "w10-discards", [], 0)
    page.locator(CARD).first.click()
    expect(page.locator(".acts .what")).not_to_contain_text("would do")
    page.locator(CARD).nth(1).click()
    expect(page.locator(".acts .what")).to_contain_text("would do")


def test_pointing_at_an_alliance_lights_its_countries(open_table):
    page = open_table().page
    page.locator("[data-at=pact-14]").hover()
    expect(page.locator(".ground.lit, .blot.lit")).to_have_count(2)
    assert sorted(page.locator(".seal.lit").evaluate_all("all => all.map((seal) => seal.dataset.at)")) == [
        "seal-BU",
        "seal-IT",
    ]
    page.locator(".now").hover()
    expect(page.locator(".seal.lit")).to_have_count(0)


@pytest.mark.parametrize(("language", "size"), each_value_once(["en", "ja"], [DESK, PHONE]))
def test_pieces_cover_no_names_and_all_text_of_the_map_is_readable(open_table, language, size):
    page = open_table(language, size).page
    covered = page.evaluate("""() => [...document.querySelectorAll(".names text")].flatMap((name) => {
        const { left, top, width, height } = name.getBoundingClientRect(), y = top + height / 2;
        const things = [...document.querySelectorAll(".plot, .house, .wax, .ribbon")]
            .map((element) => element.getBoundingClientRect());
        return [.08, .3, .5, .7, .92].map((part) => left + part * width)
            .filter((x) => things.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom))
            .map(() => name.textContent);
    })""")
    assert covered == []
    small_texts = page.evaluate("""() => [...document.querySelectorAll(".map text, .map tspan")]
        .filter((text) => text.checkVisibility())
        .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d])
        .filter(([, size]) => size < 11.9)""")
    assert small_texts == []


NAME_WIDTHS = """([countries, site]) =>
        [...document.querySelectorAll(".names text:not(.at-small)")].flatMap((name, i) => {
    const stretch = document.querySelector(`[data-at=site-${site.id}]`).transform.baseVal[0].matrix.e / site.x;
    const { scale, strokeWidth } = getComputedStyle(name);
    const width = (name.getBBox().width + parseFloat(strokeWidth)) * parseFloat(scale) / stretch;
    return name.checkVisibility() ? [[countries[i].id, width]] : [];
})"""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_names_with_their_outline_fit_their_space(open_table, language):
    page, places = open_table(language).page, COMPONENTS["outline"]["names"]
    for wide in (False, True):
        use_widest_fonts(page, wide)
        for size in (DESK, PHONE, (320, 640), (740, 360), (1920, 1080)):
            resize(page, size)
            widths = page.evaluate(NAME_WIDTHS, [COMPONENTS["countries"], COMPONENTS["sites"][0]])
            assert len(widths) > 5
            too_wide = [(id, width) for id, width in widths if width > places[id].get("room", width)]
            assert too_wide == [], (wide, size)


def test_on_a_phone_the_map_has_the_height_that_the_cards_leave(open_table):
    page = open_table("en", (390, 844)).page
    gaps = page.evaluate("""() => {
        const [map, cards, tools] = [".chart", ".cards", ".tools"].map((selector) =>
            document.querySelector(selector).getBoundingClientRect());
        return [cards.top - map.bottom, tools.top - cards.bottom];
    }""")
    assert all(-1 <= gap <= 16 for gap in gaps), gaps
    farthest = """() => {
        const ys = [...document.querySelectorAll(".site > .hit")].map((hit) => hit.getBoundingClientRect().y);
        return Math.max(...ys) - Math.min(...ys);
    }"""
    height = page.locator(".map").bounding_box()["height"]
    assert page.evaluate(farthest) > 0.8 * height, "the places are spread over the map's height"
    height_before = page.locator(".map").bounding_box()["height"]
    page.locator(CARD).first.click()
    page.locator(f"{SELECTABLE}.site").first.click()
    expect(page.locator(".now")).to_have_text("Draw one card.")
    assert page.locator(".map").bounding_box()["height"] == pytest.approx(height_before, abs=2)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_phone_does_not_scroll_while_a_scoring_is_due_and_a_discard_is_asked(person, language):
    page = open_scenario(
        person,
        "w13-exhaustion",
        ["2 cloister purple none FR3, done, take red, draw", "* drawn green, turn_up red, reshuffle"],
        3,
        language,
        PHONE,
    )
    expect(page.locator(".due")).to_be_visible()
    assert page.evaluate(SCROLL_SIZES) == [0, 0]
    page.locator(CARD).first.click()
    page.locator(".acts .discard").click()
    expect(page.locator(".acts.ask")).to_be_visible()
    assert page.evaluate(SCROLL_SIZES) == [0, 0]


SEEN_IN_LANDSCAPE = """() => {
    const span = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [bar, seats, map] = [".bar", ".seats", ".map"].map(span);
    const isSeen = ({ top, bottom }) => top >= bar.bottom - 1 && bottom <= innerHeight + 1;
    const choices = [...document.querySelectorAll(".card.open, .acts button, .thing.open > .hit")];
    const sites = [...document.querySelectorAll(".site > .hit")];
    return {
        map: isSeen(map),
        players: isSeen(seats) ? "seen" : seats.bottom <= bar.bottom + 1 ? "past" : "cut",
        choices: choices.every((element) => isSeen(element.getBoundingClientRect())),
        tappable: sites.every((hit) => hit.getBoundingClientRect().width >= 22),
    };
}"""


@pytest.mark.parametrize(("players", "language"), [(3, "ja"), (5, "en")])
@pytest.mark.parametrize(("size", "row"), [((844, 390), "seen"), ((740, 360), "past")])
def test_a_phone_in_landscape_shows_the_whole_map_and_the_choices(person, size, row, players, language):
    """The row of players is seen, too, or on a lower screen scrolled away, but never cut."""
    table = person(language, size, touch=True)
    table.start("cardinal", players)
    page, expected = table.page, {"map": True, "players": row, "choices": True, "tappable": True}

    def check():
        table.wait_for_me()
        for _ in range(20):  # the page does not scroll by itself while a finger may be scrolling it
            if (seen := page.evaluate(SEEN_IN_LANDSCAPE)) == expected:
                break
            page.wait_for_timeout(100)
        assert seen == expected

    check()
    page.locator(CARD).first.tap()
    check()
    page.locator(f"{SELECTABLE}.site").first.evaluate("site => site.dispatchEvent(new Event('click', {bubbles: true}))")
    check()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_in_a_lesson_on_a_phone_the_map_has_a_third_of_the_screen(person, language):
    page = person(language, PHONE, touch=True).page
    page.goto("/learn/cardinal")
    expect(page.locator(".site > .hit").first).to_be_attached()
    page.evaluate(FONTS_SETTLED)
    heights = page.evaluate("""() => {
        const [map, cards, hand, held] = [".map", ".cards", ".hand", ".held"].map((selector) =>
            document.querySelector(selector).getBoundingClientRect());
        return { map: Math.min(map.bottom, cards.top) - map.top, empty: hand.bottom - held.bottom };
    }""")
    assert heights["map"] > PHONE[1] / 3
    assert heights["empty"] < 4, "below the cards"


@pytest.mark.parametrize(("language", "size"), [("en", PHONE), ("ja", (390, 844))])
def test_in_a_replay_on_a_phone_no_card_lies_over_the_map(person, language, size):
    page = person(language, size, touch=True).page
    page.goto("/replay")
    record = (SCENARIOS / "three-players.jsonl").read_text(encoding="utf-8")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", record)
    page.goto("/replay?ply=60&seat=0")
    expect(page.locator(".site > .hit").first).to_be_attached()
    page.evaluate(FONTS_SETTLED)
    heights = page.evaluate("""() => {
        const [chart, cards, hand, held] = [".chart", ".cards", ".hand", ".held"].map((selector) =>
            document.querySelector(selector).getBoundingClientRect());
        return { covered: chart.bottom - cards.top, empty: hand.bottom - held.bottom };
    }""")
    assert heights["covered"] <= 0
    assert heights["empty"] < 4, "below the cards"

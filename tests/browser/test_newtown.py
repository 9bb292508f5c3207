"""The King's New Town as people play it. Positions are from the scenarios or from games of bots; the rules answer."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from layout import findings_in_every_font, layout_findings
from local_table import SCENARIOS, LocalTable, load_scenario
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, PHONE, TABLET, axe_findings_in_both_schemes
from text_sizes import small_texts

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.games.newtown import bot
from courtly.games.newtown import table as t

GAME = find_game("newtown")
ADA, BEN = range(2)
SIMPLE, ORIGINAL = t.Ruleset.SIMPLE, t.Ruleset.ORIGINAL
LANDS = "[data-key^=land-]"


@cache
def mid_game_position(ruleset, players, phase, min_moves=2):
    """Return a position of the third or fourth round at which bots are in this phase with at least `most` moves."""
    for seed in range(20):
        match = Match(GAME, players, {"ruleset": ruleset}, SeededChance(seed))
        while not match.over:
            seat, state = match.pending[0], match.state
            if state.round >= 3 and state.phase == phase and len(match.legal(seat)) >= min_moves:
                return state.copy(), seat
            match.play(seat, [bot.choose(GAME, match.view(seat, 0), None)], seq=match.seq(seat))
    raise AssertionError("no such position was found")


def dice_rolls(*white):
    """Return the first players' dice, with equal coloured dice."""
    return [f"* die first {a}, die second {b}, die third {c}, die green 1, die red 1, die black 2" for a, b, c in white]


@pytest.fixture
def open_table(person):
    def open_position(position, seat=ADA, *, moves=(), **browser_options):
        state = load_scenario("newtown", position, moves).state if isinstance(position, str) else position.copy()
        return LocalTable(person(**browser_options), GAME, state, seat)

    return open_position


def button(table, name):
    return table.page.get_by_role("button", name=name)


def points(table):
    """Return the points of the previewed building, by source."""
    return {
        line.locator("dt").inner_text(): line.locator("dd").inner_text()
        for line in table.page.locator(".confirm dl > div").all()
    }


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_choosing_the_land_the_dice_allow(open_table):
    table = open_table("w01-destinations", moves=dice_rolls((1, 2, 3), (1, 1, 2), (1, 1, 2), (1, 1, 2)))
    expect(table.page.locator(".tile.open")).to_have_count(2)
    expect(table.page.locator(".tray")).to_contain_text("or the King’s land")
    table.page.locator("[data-key=land-16]").click()
    expect(table.page.locator("[data-key=pawn-0]")).to_be_visible()
    assert table.match.state.craftsman[ADA] == t.KING


def test_all_choose_at_the_same_time(open_table):
    """Each player sees their own dice. Choices are shown when all have chosen, and can be undone before."""
    table = open_table("w01-destinations", BEN, moves=dice_rolls((1, 2, 3), (5, 5, 5), (1, 1, 2), (1, 1, 2)))
    expect(table.page.locator(".panel header")).to_contain_text("Ada")
    expect(table.page.locator(".total")).to_have_text("15")
    table.page.locator("[data-key=land-16]").click()
    expect(table.page.locator(".tray")).to_be_visible()
    expect(table.page.locator(".tile.open")).to_have_count(0)
    assert table.match.state.craftsman[BEN] != t.KING
    table.page.get_by_role("button", name="Undo").click()
    expect(table.page.locator(".tile.open")).to_have_count(2)


def test_the_lands_are_laid_by_the_players(open_table):
    table = open_table("lands-laid-in-turn", BEN)
    expect(table.page.locator(".unlaid button")).to_have_count(16)
    table.page.locator(".unlaid button").first.click()
    expect(table.page.locator(".now")).to_have_text("Choose a place for land 3.")
    table.page.locator("[data-key=place-7]").click()
    expect(table.page.locator("[data-key=land-0]")).to_be_visible()
    assert table.match.state.land_at[6] == 0
    expect(table.page.locator(".unlaid li")).to_have_count(15)


def test_the_odds_of_every_land_stand_beside_the_dice(open_table):
    table = open_table("w04-triple", moves=["0 reroll"])
    odds = table.page.locator(".odds-bars li:not(.never)")
    expect(odds).to_have_count(17)
    chances = re.findall(r"land \d+ ([\d.]+)%", "".join(odds.all_text_contents()))
    assert "12.5" in chances and round(10 * sum(map(float, chances))) == 1000, "all lands add up to 100 %"
    expect(table.page.locator(".model .odds")).to_have_count(17)
    for die in (0, 1):  # 1 and 1 are kept
        table.page.locator(".tray .pick").nth(die).click()
    expect(odds).to_have_count(7)  # six totals, and the King's land for three equal dice
    button(table, "Roll one die").click()
    expect(button(table, re.compile("Keep|Go to")).first).to_be_visible()
    assert table.match.state.white[ADA][:2] == [1, 1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_texts_of_a_re_roll_say_what_a_click_on_a_die_does(open_table, language):
    """All of them speak of the dice to roll again; the dice with a frame are those."""
    page = open_table("w04-triple", moves=["0 reroll"], language=language).page
    again, frame, buttons = {
        "en": ("again", "frame", ["Roll 3 dice again", "Roll 2 dice again"]),
        "ja": ("振り直", "枠", ["3個を振り直す", "2個を振り直す"]),
    }[language]
    for text in page.locator(".now"), page.locator(".doing > p"):
        expect(text).to_contain_text(again)
    expect(page.locator(".doing > p")).to_contain_text(frame)
    expect(page.locator(".doing .button").first).to_have_text(buttons[0])
    page.locator(".tray .pick").first.click()
    expect(page.locator(".tray .picked")).to_have_count(2)
    expect(page.locator(".doing .button").first).to_have_text(buttons[1])


def test_effects_of_coloured_dice_are_explained(open_table):
    table = open_table("w04-triple")
    uses = table.page.locator(".use")
    for use, text in zip(
        uses.all(),
        ("A gem is a point at the end", "White dice are rolled again", "Land cards: an ability each round"),
        strict=True,
    ):
        expect(use).to_contain_text(text)
    expect(table.page.locator(".triple")).to_contain_text("Take three blocks of that size and one effect")
    uses.nth(2).get_by_role("button", name="1 land card").click()
    expect(uses.nth(2).locator(".card.wanted")).to_have_count(4)  # beside the die, visible on a phone, too
    table.page.locator(".card.wanted").first.click()
    expect(table.page.locator(".holdings .card.land")).to_have_count(1)
    uses.first.get_by_role("button", name="block 5").click()
    expect(uses.first).to_contain_text("used")
    expect(uses.nth(1)).to_contain_text("no second block of one size")


def test_a_reward_card_is_chosen_or_declined(open_table):
    table = open_table("w12-bonus-squares", moves=["0 build 3x3x3", "0 accept"], size=PHONE)
    decision_panel = table.page.locator(".doing")
    expect(decision_panel.locator(".card.wanted")).to_have_count(4)
    expect(decision_panel.locator(".button")).to_have_count(1)
    decision_panel.locator(".card.wanted").first.click()
    expect(table.page.locator(".holdings .card.land")).to_have_count(1)


def test_a_land_card_says_when_it_can_be_used(open_table):
    table = open_table("w05-card-of-this-round", moves=["0 take 5, take 10", "* land_card 18, land_card 17"])
    blue, yellow = table.page.locator(".holdings .card.land").all()
    expect(blue).to_contain_text("next round")
    expect(yellow).to_contain_text("ready")
    blue.hover()
    expect(table.page.locator(".facts")).to_contain_text("It can be used from the next round on.")


def test_a_house_is_previewed_line_by_line_and_built(open_table):
    table = open_table("w08-first-house")
    offers = table.page.locator(".offer")
    expect(offers.first).to_contain_text("+7")
    offers.first.click()
    assert points(table) == {"base points": "+2", "land": "+3", "tree": "+1", "largest house": "+1"}
    expect(table.page.locator(".confirm")).to_contain_text("Then you choose a resident card.")
    assert table.match.state.score[ADA] == 0  # nothing happens before the confirmation
    table.page.locator(".confirm .button").first.click()
    expect(table.page.locator("[data-key=points-0]")).to_have_text("7 points")
    expect(table.page.locator("[data-key=house-6]")).to_be_attached()
    expect(table.page.locator(".latest")).to_contain_text("largest house +1")
    table.page.locator(".market .card.resident.wanted").nth(2).click()
    expect(table.page.locator(".holdings .card.resident")).to_contain_text("goatherd")


def test_points_for_others_are_previewed_too(open_table):
    table = open_table("w09-line-owners")
    table.page.locator(".offer", has_text="2×3").click()
    assert points(table)["line of four lands"] == "+2"
    assert points(table)["to Ben, lines and squares"] == "+3"


def test_a_house_is_packed_block_by_block(open_table):
    table = open_table("laying-by-hand")
    table.page.locator(".offer").first.click()
    expect(table.page.locator(".confirm .floors")).to_be_visible()
    table.page.locator(".confirm .button").first.click()
    missing = table.page.locator(".laying .floors .missing")
    expect(missing).to_have_count(4)
    button(table, "block 2").click()
    expect(table.page.locator(".holdings .piece")).to_have_count(3)
    assert table.match.state.blocks[ADA][:4] == [1, 0, 1, 1]


def test_taking_over_is_announced_with_the_card_that_changes_hands(open_table):
    table = open_table("w11-take-over", moves=["1 take_over first 2x4x1", "1 inherit r06"])
    latest = table.page.locator(".latest")
    expect(latest).to_contain_text("Ben has taken over the house from Ada and paid a gem.")
    expect(latest.locator(".card.resident")).to_contain_text("grocers")


def test_residents_are_housed_by_hand(open_table):
    table = open_table("w13-lodging-by-hand", moves=["0 end"])
    rows = table.page.locator(".lodgings li")
    expect(rows.filter(has_text="merchant’s household")).to_contain_text("no house for them")
    rows.filter(has_text="doctor’s household").get_by_role("button", name="land 13, first house").click()
    expect(table.page.locator("#end-heading")).to_be_focused()
    expect(table.page.locator("#end-heading")).to_be_in_viewport(ratio=1)
    assert table.page.locator(".board").bounding_box()["height"] > 600, "the town below keeps its size"


def test_the_scores_are_explained_step_by_step(open_table):
    table = open_table("w14-end", moves=["0 end"])
    ada = [row.locator("td").first.inner_text() for row in table.page.locator(".newtown-outcome tbody tr").all()]
    assert ada == ["+27", "27", "−2", "+3", "+8", "0", "+2", "38"]
    steps = table.page.locator(".newtown-outcome details").first.locator("li")
    expect(steps).to_have_text(
        [
            "2 blocks left over: −2",
            "Card of land 6: +3",
            "Card of land 9: +1",
            "Card of land 18: −1",
            "grocers on the King’s land: +3",
            "baker’s family on land 13: +3",
            "prince and his wife on land 6: +2",
            "Gems: +2",
        ]
    )


# --- the town ---------------------------------------------------------------------------------------------------------


def test_the_view_can_be_turned_and_flattened(open_table):
    table = open_table(mid_game_position(SIMPLE, 4, t.Phase.BUILDING)[0], None)
    boxes = []
    for _ in range(5):
        boxes.append(table.page.locator("[data-key=land-0]").bounding_box())
        button(table, "Turn the view").click()
    assert boxes[0] == boxes[4]
    assert len({(round(box["x"]), round(box["y"])) for box in boxes}) == 4
    houses = table.page.locator("[data-key^=house-]").count()
    button(table, "Map").click()
    expect(table.page.locator(".map .plot")).to_have_count(17)
    expect(table.page.locator("[data-key^=house-]")).to_have_count(houses)


def test_a_lands_tooltip_appears_on_focus(open_table):
    table = open_table("w14-end")
    table.page.locator("[data-key=land-3]").focus()
    facts = table.page.locator(".facts")
    expect(facts).to_contain_text("land 6")
    expect(facts).to_contain_text("10 of 216 rolls lead here.")
    expect(facts).to_contain_text("Ada: 2×3, one floor, room for 2")
    expect(facts.locator(".floors")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, (1600, 900), TABLET, PHONE], ids=["desk", "wide", "tablet", "phone"])
@pytest.mark.parametrize("view", ["Model", "Map"])
def test_a_lands_tooltip_covers_no_part_of_the_land(open_table, size, view):
    page = open_table("w14-end", size=size).page
    switch = page.get_by_role("button", name=view, exact=True)
    if switch.count():
        switch.click()
    page.mouse.move(0, 0)
    page.keyboard.press("Shift")  # from now on the focus is visible
    findings = []
    for key in page.locator(LANDS).evaluate_all("(lands) => lands.map((land) => land.dataset.key)"):
        page.evaluate("scrollTo(0, 0)")
        land = page.locator(f"[data-key={key}]")
        land.focus()
        expect(page.locator(".facts")).to_be_visible()
        findings += page.evaluate(COVERED_LAND, key)
    assert findings == []


COVERED_LAND = """(key) => {
    const [land, facts] = [`[data-key=${key}]`, ".facts"].map((one) => {
        const { left, right, top, bottom } = document.querySelector(one).getBoundingClientRect();
        return { left, right, top, bottom };
    });
    const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
        && b.top < a.bottom - 1;
    const outside = facts.left < 0 || facts.top < 0 || facts.right > innerWidth || facts.bottom > innerHeight;
    return overlap(land, facts) || outside ? [`${key}: ${JSON.stringify({ land, facts })}`] : [];
}"""


# --- the original rules -----------------------------------------------------------------------------------------------


def test_a_turn_of_the_original_rules(open_table):
    table = open_table("original-building", moves=[])
    expect(table.page.locator(".tray .times")).to_have_text(["0", "0", "4"])
    expect(table.page.locator(".doing")).to_contain_text("4 black pips.")
    table.page.locator(".card-use summary").click()
    button(table, "Split a block of size 5 into 1 and 4").click()
    expect(table.page.locator(".tray .times")).to_have_text(["0", "0", "3"])
    table.page.locator(".offer", has_text="2×2").nth(1).click()
    table.page.locator(".confirm .button").first.click()
    expect(table.page.locator("[data-key=points-0]")).to_have_text("6 points")


def test_dice_are_drafted_and_walked(open_table):
    table = open_table("original-draft")
    expect(table.page.locator(".pool button")).to_have_count(2)
    expect(table.page.locator(".drafted .acting")).to_contain_text("Ada")
    button(table, "Take the black 4").click()
    expect(table.page.locator(".drafted .acting")).to_contain_text("Ben")
    table = open_table("original-walk")
    expect(table.page.locator(".tile.open")).to_have_count(table.page.locator(".ways li").count())
    expect(button(table, "Walk to the King’s land · 2 pips")).to_be_visible()
    table.page.locator("[data-key=land-16]").click()
    expect(table.page.locator(".now")).to_have_text("Spend red pips: blocks or new rolls.")


def test_the_original_rules_in_sentences(open_table):
    table = open_table("original-walk")
    table.page.keyboard.press("p")
    plain_view = table.page.locator(".is-plain")
    for text in (
        "Order of play: Ada, Ben",
        "Pips left: green 2, red 3, black 4",
        "The white dice let you build on: land 3, the King’s land",
        "the King’s land: 2 pips",
        "A tree where you stop gives a block of size 3.",
    ):
        expect(plain_view).to_contain_text(text)
    table = open_table("original-draft")
    table.page.keyboard.press("p")
    expect(table.page.locator(".is-plain")).to_contain_text("The pool · black: 3 4")
    expect(table.page.locator(".is-plain")).to_contain_text("Ada: white 6, white 6, white 6, green 1, red 2")


# --- layout and accessibility -----------------------------------------------------------------------------------------

SITUATIONS = [
    (SIMPLE, 4, t.Phase.ACTING, 8),
    (SIMPLE, 3, t.Phase.BUILDING, 7),
    (ORIGINAL, 4, t.Phase.DRAFTING, 8),
    (ORIGINAL, 4, t.Phase.WALKING, 6),
    (ORIGINAL, 3, t.Phase.BUILDING, 4),
]
AXE_SITUATIONS = SITUATIONS[::2]
SCROLLING_ELEMENTS = """() => [...document.querySelectorAll(`html, .stage, .newtown,
        .newtown :is(.town, .panel, .market, .holdings, .card, .fan, .offer, .button)`)]
    .filter((e) => e.clientHeight && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1))
    .map((e) => `${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 40)}`)"""

# what a card is worth, on more than one line
WRAPPED_WORTHS = """() => pageControl.whilePainted(() => [...document.querySelectorAll(".card .worth")]
    .filter((worth) => worth.clientHeight > 1.5 * parseFloat(getComputedStyle(worth).lineHeight))
    .map((worth) => worth.textContent))"""


@pytest.mark.parametrize(("situation", "language"), each_value_once(SITUATIONS, ["en", "ja"]))
def test_a_desktop_shows_the_whole_board(open_table, situation, language):
    page = open_table(*mid_game_position(*situation), language=language).page
    assert page.evaluate(SCROLLING_ELEMENTS) == []
    assert small_texts(page) == {}
    assert page.evaluate(WRAPPED_WORTHS) == []
    assert layout_and_axe_findings(page, situation) == []
    if page.locator(".offer").count():
        page.locator(".offer").first.click()
        assert layout_and_axe_findings(page, situation) == []


def layout_and_axe_findings(page, situation):
    """Return text that is cut off, covered or broken on the board, and axe's findings."""
    findings = [line for line in findings_in_every_font(page) if "header.bar" not in line]
    return findings + (axe_findings_in_both_schemes(page) if situation in AXE_SITUATIONS else [])


def test_few_houses_on_offer_are_drawn_large_on_a_desk(open_table):
    page = open_table("w08-first-house").page
    assert 0 < page.locator(".offer").count() < 4
    for picture in page.locator(".house-picture").all():
        assert picture.bounding_box()["height"] > 90
    page.locator(".offer").first.click()
    assert page.evaluate(SCROLLING_ELEMENTS) == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_shields_that_select_a_players_holdings_form_full_rows(open_table, players):
    page = open_table(*mid_game_position(SIMPLE, players, t.Phase.ACTING)).page
    tops = [shield.bounding_box()["y"] for shield in page.locator(".whose button").all()]
    rows = [tops.count(top) for top in dict.fromkeys(tops)]
    assert len(set(rows)) == 1, rows


@pytest.mark.parametrize(("situation", "language"), each_value_once(SITUATIONS, ["ja", "en"]))
def test_a_phone_shows_the_whole_board(open_table, situation, language):
    """Nothing is too small to read, also in the model, and the button is near the thumb."""
    page = open_table(*mid_game_position(*situation), language=language, size=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    expect(page.locator(".map .plot")).to_have_count(17)
    last_button = page.locator(".doing > .acts .button").last
    if situation in SITUATIONS[1:4] and last_button.count():
        box = last_button.bounding_box()
        assert box["height"] >= 44 and box["y"] + box["height"] < PHONE[1] - 58
    assert small_texts(page) == {}
    if situation in AXE_SITUATIONS:
        assert axe_findings_in_both_schemes(page) == []
    page.locator(".view-tools .icon-button").last.click()
    expect(page.locator("svg.model")).to_be_visible()
    assert small_texts(page) == {}, "in the model"
    page.locator(".view-tools .icon-button").last.click()
    if situation in AXE_SITUATIONS and page.locator(".offer").count():
        page.locator(".offer").first.click()
        assert axe_findings_in_both_schemes(page) == []


@pytest.mark.parametrize("size", [(390, 844), (820, 1180)])
def test_the_town_is_above_the_decision_which_is_near_the_thumb(open_table, size):
    page = open_table(*mid_game_position(SIMPLE, 4, t.Phase.ACTING, 8), size=size).page
    town, panel, tools = (page.locator(part).bounding_box() for part in (".town", ".panel", ".tools"))
    assert town["y"] < panel["y"]
    assert abs(panel["y"] + panel["height"] - tools["y"]) < 2
    assert panel["y"] - town["y"] > 150, "the town stays visible"


def test_a_phone_in_landscape_keeps_the_town_beside_the_decision(open_table):
    page = open_table(*mid_game_position(SIMPLE, 4, t.Phase.ACTING, 8), size=(844, 390)).page
    page.evaluate("scrollTo(0, 600)")
    town = page.locator(".town").bounding_box()
    assert town["y"] >= page.locator(".bar").bounding_box()["height"] - 1
    assert town["y"] + town["height"] <= 390
    assert town["x"] + town["width"] <= page.locator(".panel").bounding_box()["x"]


def test_a_phone_in_landscape_shows_the_whole_town_without_scrolling(open_table):
    page = open_table(*mid_game_position(SIMPLE, 4, t.Phase.ACTING, 8), size=(844, 390)).page
    boxes = [plot.bounding_box() for plot in page.locator(".map .plot").all()]
    assert len(boxes) == 17
    assert max(box["y"] + box["height"] for box in boxes) <= 390


@pytest.mark.parametrize("size", [PHONE, (844, 390)])
def test_craftsmen_on_the_map_do_not_cover_the_houses(person, size):
    scenario = load_scenario("newtown", "fifth-house-on-kings-land")
    scenario.state.craftsman[:2] = [t.KING, t.KING]
    page = LocalTable(person("en", size), scenario.game, scenario.state, 0).page
    plot = page.locator(".plot.ground-king")
    houses, pawn = plot.locator(".plot-houses").bounding_box(), plot.locator(".pawn").first.bounding_box()
    covered_height = houses["y"] + houses["height"] - pawn["y"]
    assert covered_height < pawn["height"] / 2 or pawn["x"] + pawn["width"] <= houses["x"]


def test_a_phone_offers_residents_beside_the_dice(open_table):
    table = open_table("w08-first-house", moves=["0 build 2x3x1"], size=PHONE)
    expect(table.page.locator(".panel .choice .card.wanted")).to_have_count(4)
    expect(table.page.locator(".market .wanted")).to_have_count(0)
    table.page.locator(".panel .choice .card.wanted").first.click()
    expect(table.page.locator(".holdings .card.resident")).to_have_count(1)


def test_a_resident_card_shows_as_many_people_as_it_counts(open_table):
    table = open_table("w08-first-house")
    people = table.page.locator(".market .portrait use")
    expect(people).to_have_count(4)
    table.page.wait_for_function(
        "[...document.querySelectorAll('.market .portrait use')].every((use) => use.getBBox().width > 0)"
    )
    drawings = ElementTree.parse(GAME.folder / "board" / "art" / "residents.svg")
    drawn = {
        symbol.get("id"): len(symbol.findall("svg:g/svg:g", {"svg": "http://www.w3.org/2000/svg"}))
        for symbol in drawings.getroot()
    }
    assert drawn == dict(zip(t.RESIDENTS, t.PERSONS, strict=True))


# --- why not ----------------------------------------------------------------------------------------------------------


def reason_for(table, key):
    table.page.locator(f"[data-key={key}]").focus()
    return table.page.locator(".facts .reason")


def test_what_cannot_be_done_now_says_why(open_table):
    table = open_table("w01-destinations", moves=dice_rolls((1, 2, 3), (1, 1, 2), (1, 1, 2), (1, 1, 2)))
    expect(reason_for(table, "land-9")).to_have_text("The white dice add up to another land.")
    for open_land in ("land-3", "land-16"):
        expect(reason_for(table, open_land)).to_have_count(0)
    card = table.match.state.land_row[0] + 3
    expect(reason_for(table, f"card-{card}")).to_have_text("Land cards are taken with the black die.")
    resident = table.page.locator(".market .card.resident").first.get_attribute("data-key")
    expect(reason_for(table, resident)).to_have_text("You choose a resident card after building a new house.")


def test_while_the_dice_are_used_lands_and_land_cards_say_what_comes_first(open_table):
    table = open_table("w04-triple")
    place = table.page.locator(LANDS).first.get_attribute("data-key")
    expect(reason_for(table, place)).to_contain_text("First use your dice, then build where your craftsman stands")
    card = table.page.locator(".market .card.land.takes").first
    expect(reason_for(table, card.get_attribute("data-key"))).to_have_text(
        "You can take this card with your black die."
    )
    card.click()
    expect(table.page.locator(".choice .card.wanted").first).to_be_visible()
    expect(table.page.locator(".holdings .card.land")).to_have_count(0)  # nothing is taken yet


def test_houses_that_cannot_be_built_say_why(open_table):
    table = open_table("w11-no-gem")
    decision = table.page.locator(".doing")
    for text in ("Two houses stand on this land already.", "You have no gem to pay.", "A house with a penthouse"):
        expect(decision).to_contain_text(text)
    expect(decision).not_to_contain_text(re.compile(r"\dx\d"))
    expect(reason_for(table, "land-5")).to_have_text("You build only where your craftsman stands.")


# --- the end ----------------------------------------------------------------------------------------------------------


def test_the_log_says_whose_dice_are_rolled_in_a_row(open_table):
    page = open_table("w08-first-house").page
    rollers = """async ([cues, first]) => {
        const script = document.querySelector("script[type=module]").src;
        const { findRoller } = await import(script.replace(/web.router.js.*/, "games/newtown/board/rollers.js"));
        return cues.map(({ n }) => findRoller(cues, n, { first, players: 3 })).filter((seat) => seat >= 0);
    }"""
    dice = ["white_1", "white_2", "white_3", "green", "red", "black"]
    cues = [dict(n=5 + n, seat=-1, verb="die", args=dict(die=dice[n % 6], face=1)) for n in range(18)]
    arrivals = [dict(n=23 + i, seat=-1, verb="arrive", args=dict(player=(2 + i) % 3)) for i in range(3)]
    assert page.evaluate(rollers, [cues, 1]) == [1, 2, 0], "before the craftsmen are placed"
    assert page.evaluate(rollers, [cues + arrivals, 1]) == [2, 0, 1], "in a round that is over"
    assert page.evaluate(rollers, [cues[:6], 1]) == [], "the dice of one player"
    assert page.evaluate(rollers, [cues[:3], 1]) == [], "white dice rolled again"


def test_residents_walk_to_their_houses_at_the_end(open_table):
    """Their points rise above the roofs; a click skips it, and the result appears."""
    table = open_table("w14-end", speed="slow")
    button(table, "End the turn").click()
    expect(table.page.locator("[data-key=guests-6]")).to_be_attached()
    assert table.page.locator("#end-heading").count() == 0, "the town is watched first"
    moving = "key => document.querySelector(`[data-key=${key}]`).getAnimations().length"
    assert table.page.evaluate(moving, "guests-6") and table.page.evaluate(moving, "counted-house-6")
    table.page.locator(".town").click(position={"x": 8, "y": 8})
    expect(table.page.locator("#end-heading")).to_be_visible()
    assert not table.page.evaluate(moving, "guests-6")


def test_without_motion_the_result_appears_at_once(open_table):
    table = open_table("w14-end")
    button(table, "End the turn").click()
    expect(table.page.locator("#end-heading")).to_be_visible()
    for points in table.page.locator(".counted").all():
        expect(points).to_be_hidden()


def test_the_keyboard_begins_with_the_decision(open_table):
    page = open_table("w04-triple", moves=["0 reroll"]).page
    page.locator("#board").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".tray .pick").first).to_be_focused()


@pytest.mark.parametrize(("language", "heading"), [("en", "Round 5 of 5"), ("ja", "第5ラウンド／全5ラウンド")])
def test_a_voted_round_is_counted(person, language, heading):
    page = person(language).page
    record = SCENARIOS / "newtown" / "golden" / "original-five-rounds.jsonl"
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", record.read_text(encoding="utf-8"))
    page.reload()
    expect(page.locator(".past")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".panel h2")).to_have_text(heading)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("ruleset", "phase"), [(SIMPLE, t.Phase.ACTING), (ORIGINAL, t.Phase.BUILDING)])
def test_larger_texts_take_little_room_from_the_town(open_table, ruleset, phase, language):
    page, areas = open_table(*mid_game_position(ruleset, 4, phase, 3), language=language).page, {}
    for size in ("", "larger"):
        page.evaluate("size => document.documentElement.dataset.size = size", size)
        areas[size] = page.locator(".town").bounding_box()
        assert layout_findings(page) == [], size
        tops = page.locator(".panel .tray .die").evaluate_all("dice => dice.map((die) => die.offsetTop)")
        assert len(set(tops)) <= 1, size
    assert areas["larger"]["width"] > 0.99 * areas[""]["width"]
    assert areas["larger"]["height"] > 0.9 * areas[""]["height"]

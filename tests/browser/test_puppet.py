"""The board of Puppet Kingdom."""

import re

import pytest
from contrast import low_contrast_texts
from layout import findings_in_every_font
from local_table import SCENARIOS, LocalTable, load_scenario, read_scenario
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, PHONE, TABLET, scroll_findings

from courtly.engine.transcript import check
from courtly.games.puppet import rules, worlds
from courtly.games.puppet import table as t


def test_the_basic_good_is_explained(person):
    table, scenario = person(), load_scenario("puppet", "v03-basic-goods", ["0 reveal elephant"])
    LocalTable(table, scenario.game, scenario.state, 0)
    page = table.page
    page.get_by_role("button", name="End the turn").click()
    expect(page.locator(".sure")).to_have_text("You have not taken a basic good. End the turn anyway?")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Take 1 gold").click()
    expect(page.locator(".act.good.done")).to_be_visible()


def test_a_lesson_that_is_read_waits_for_no_player(person):
    page = person().page
    page.goto("/learn/puppet")
    expect(page.locator(".row .building").first).to_be_visible()
    expect(page.get_by_text("Waiting for the others to choose.")).to_have_count(0)


def test_to_end_the_turn_is_not_emphasized_while_a_building_can_be_bought(person):
    """In the lesson that asks for the purchase, too."""
    page = person(size=PHONE, touch=True).page
    page.goto("/learn/puppet?at=stolen")
    page.locator(".act.good [data-hinted]").click()
    end = page.get_by_role("button", name="End the turn")
    expect(page.locator(".act.build [data-hinted]")).to_have_count(1)
    expect(end).to_have_class(re.compile("quiet"))
    end.click()
    off_script = page.locator(".off-script")
    expect(off_script).to_contain_text("buy the Dining Hall for 2 gold and 2 soldiers, end your turn")
    page.get_by_role("button", name="Take it back").click()
    page.locator(".act.good [data-hinted]").click()
    page.locator(".act.build [data-hinted]").click()
    expect(end).not_to_have_class(re.compile("quiet"))


def test_a_card_explains_itself(person):
    table, scenario = person(), load_scenario("puppet", "m10-refusals")
    scenario.state.row[:2] = [t.BUILDINGS.index(building) + 1 for building in ("palace", "black")]
    LocalTable(table, scenario.game, scenario.state, 0)
    for building, text in (("palace", "Cost: 5 gold"), ("black", "owes no tax")):
        card = table.page.locator(f".row [data-key=building-{building}]")
        card.hover()
        expect(card.locator(".detail")).to_be_visible()
        expect(card.locator(".detail")).to_contain_text(text)
        expect(card.locator(".detail")).not_to_contain_text("econstructed")  # that is in the rules


def test_the_buildings_for_sale_are_drawn(person):
    table, scenario = person(), load_scenario("puppet", "m10-refusals")
    LocalTable(table, scenario.game, scenario.state, 0)
    expect(table.page.locator(".row .building > .house").first).to_be_visible()
    expect(table.page.locator(".row .building > .icon")).to_have_count(0)


@pytest.mark.parametrize(("size", "height"), [(DESK, 100), (TABLET, 75)], ids=["desk", "tablet"])
def test_the_drawings_of_the_buildings_use_the_room_that_two_players_leave(person, size, height):
    table = person(size=size)
    table.start("puppet", 2)
    table.wait_for_me()
    drawings = table.page.locator(".row .building > .house")
    expect(drawings).to_have_count(2)
    for drawing in drawings.all():
        assert drawing.bounding_box()["height"] >= height


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_phone_shows_what_is_for_sale_together_with_the_servants_on_offer(person, language, players):
    table = person(language, PHONE, touch=True)
    table.start("puppet", players)
    table.wait_for_me()
    page = table.page
    expect(page.locator(".own .marionette.usable")).to_have_count(3)
    dock = page.locator(".booth.own").bounding_box()["y"]
    for cost in page.locator(".row .building .cost").all():
        box = cost.bounding_box()
        assert box["y"] + box["height"] <= dock


@pytest.mark.parametrize(("bought", "text"), [(0, "You can buy this"), (1, "You have bought a building this turn.")])
def test_a_building_says_why_it_cannot_be_bought(person, bought, text):
    table, scenario = person(), load_scenario("puppet", "v03-basic-goods", ["0 reveal elephant"])
    state = scenario.state
    state.goods[0][:3] = [9, 9, 9]
    state.bought = bought
    LocalTable(table, scenario.game, state, 0)
    expect(table.page.locator(".row .building.within .state").first).to_have_text(text)


def test_a_building_tells_what_comes_before_buying_and_what_is_lacking(person):
    table, scenario = person(), load_scenario("puppet", "v03-basic-goods")
    scenario.state.goods[0][:3] = [0, 0, 0]
    LocalTable(table, scenario.game, scenario.state, 0)
    reasons = table.page.locator(".row .building").first.locator(".why-not")
    expect(reasons).to_have_text(["Turn up a servant first.", re.compile("^You lack ")])


def test_the_curtain_opens_before_a_servant(person):
    table, scenario = person(speed="slow"), load_scenario("puppet", "v03-basic-goods")
    LocalTable(table, scenario.game, scenario.state, 0)
    page = table.page
    page.evaluate(COUNT_DRAPES)
    page.locator(".own .marionette.usable").first.click()
    page.locator(".own .go .button").click()
    expect(page.locator("html")).to_have_attribute("data-opened-drapes", "2")


COUNT_DRAPES = """() => {
  const { dataset } = document.documentElement;
  dataset.openedDrapes = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    if (this.matches(".drapes i")) dataset.openedDrapes++;
    return animate.apply(this, given);
  };
}"""


def test_only_possible_servants_are_offered(person):
    table, scenario = person(), load_scenario("puppet", "v16-names-on-offer", ["0 reveal reaper"])
    LocalTable(table, scenario.game, scenario.state, 0)
    table.page.locator(".acts .effect .button").click()
    table.page.locator(".acts [aria-pressed]").first.click()
    expect(table.page.locator(".names .button")).to_have_count(8)
    expect(table.page.locator(".telling.out")).to_have_text("Cannot be there: Cook")


def test_help_with_deduction_helps_with_naming(person):
    table, scenario = person("ja"), load_scenario("puppet", "v16-names-on-offer", ["0 reveal reaper"])
    state = scenario.state
    state.deduction = 1
    for servant in (t.Servant.SMITH, t.Servant.IMP):
        state.passed[0][servant] = 1
    worlds.deduce(state)
    LocalTable(table, scenario.game, state, 0)
    table.page.locator(".acts .effect .button").click()
    for target in (1, 2):
        table.page.locator(".acts [aria-pressed]").nth(target - 1).click()
        expect(table.page.locator(".names .button")).to_have_count(sum(state.possible[0][target]))
    expect(table.page.locator(".telling.out")).to_have_text("ここにはない：鍛冶屋、料理人、小悪魔")


@pytest.mark.parametrize(
    ("name", "moves", "seat", "selector", "text"),
    [
        (
            "v01-alchemist-doubled",
            ["0 reveal alchemist"],
            0,
            "[data-key=up-0-0] .detail",
            "The Grimoire, while it is the newest event, doubles it",
        ),
        ("v01-alchemist-doubled", [], 0, ".scene", "brings twice as much"),
        ("v01-alchemist-grimoire", [], 0, ".scene", "brings 1 gold more"),
        ("v13-general-reorders", [], 1, "[data-key=down-1-general] .detail", "The second turns begin with you"),
        ("v13-general-in-mid-round", [], 1, "[data-key=down-1-general] .detail", "changes next round"),
        ("v01-alchemist-older", [], 0, ".events", "Also open"),
        ("v01-alchemist-older", [], 0, ".events div:nth-child(2) .detail", "no longer in force"),
    ],
)
def test_texts_follow_the_tables_options(person, name, moves, seat, selector, text):
    table, scenario = person(), load_scenario("puppet", name, moves)
    LocalTable(table, scenario.game, scenario.state, seat)
    expect(table.page.locator(selector)).to_contain_text(text)


# --- the fullest tables -----------------------------------------------------------------------------------------------


def enrich_first_player(scenario, houses=6):
    """Give the first player nine of each good and many buildings, taxed ones first."""
    state = scenario.state
    pile = sorted(
        (building for building in range(t.HOUSES) if state.place[building] == t.Place.PILE),
        key=lambda building: -t.TAXED[0][building],
    )
    for building in pile[:houses]:
        state.place[building] = t.Place.OWNED
        rules.add_building(state, 0, building, 1)
    for good in range(3):
        state.goods[0][good] = 9
    return scenario


@pytest.fixture
def open_table(person):
    def open_scenario(name, *, moves=(), later_moves=(), **browser_options):
        scenario = enrich_first_player(load_scenario("puppet", name, moves))
        scenario.data["step"] = [{"do": list(later_moves)}]
        scenario.run()
        return LocalTable(person(**browser_options), scenario.game, scenario.state, 0)

    return open_scenario


CROWDED_TABLES = [
    ("v06-foundation-needs-a-discard", ["0 reveal foundation"], [], [".acts .effect .button"]),
    ("v03-basic-goods", ["0 reveal elephant"], [], []),
    ("v16-names-on-offer", ["0 reveal reaper"], [], [".acts .effect .button", ".acts [aria-pressed]"]),
    ("v11-tax-may-be-refused", [], ["* event tax"], []),
]


@pytest.mark.parametrize(("crowded_table", "language"), each_value_once(CROWDED_TABLES, ["en", "ja"]))
def test_the_fullest_tables_fit(open_table, crowded_table, language):
    name, moves, later_moves, clicks = crowded_table
    table = open_table(name, moves=moves, later_moves=later_moves, language=language)
    for selector in clicks:
        table.page.locator(selector).first.click()
    expect(table.page.locator(".acts .button").first).to_be_visible()
    assert findings_in_every_font(table.page) == []
    assert scroll_findings(table.page) == []
    booth_box = table.page.locator(".booth.own").bounding_box()
    for button in table.page.locator(".acts .button").all():
        box = button.bounding_box()
        assert box["y"] >= booth_box["y"] + 20 and box["y"] + box["height"] <= booth_box["y"] + booth_box["height"], (
            button.text_content()
        )


@pytest.mark.parametrize(("size", "language"), [((390, 844), "en"), ((844, 390), "ja")])
def test_a_phone_keeps_the_viewers_booth_in_view(person, size, language):
    scenario = load_scenario("puppet", "v03-basic-goods", ["0 reveal elephant"])
    page = LocalTable(person(language, size), scenario.game, scenario.state, 0).page
    bar, tools = page.locator(".bar").bounding_box(), page.locator(".tools").bounding_box()
    bottom = tools["y"] if tools["y"] > bar["height"] else size[1]
    assert page.locator(".own > .servants .marionette").count() == 2
    for part in page.locator(".own > :is(header, .servants), .acts .button").all():
        box = part.bounding_box()
        assert box["y"] >= bar["height"] - 1 and box["y"] + box["height"] <= bottom + 1, part.text_content()
    for rival in page.locator(".stage-floor .booth").all():
        assert rival.bounding_box()["height"] < 130


# --- text -------------------------------------------------------------------------------------------------------------

LONGEST_SERVANTS = [t.Servant.FOUNDATION + 1, t.Servant.ELEPHANT + 1]


@pytest.mark.parametrize(("seat", "language"), each_value_once([0, 1, None], ["en", "ja"]))  # own, other, spectator
def test_no_word_is_broken(person, language, seat):
    """The longest names, while servants are chosen and when they are shown."""
    scenario = enrich_first_player(load_scenario("puppet", "v16-names-on-offer"))
    s = scenario.state
    s.row[:3] = [t.BUILDINGS.index(building) + 1 for building in ("barracks", "botanic", "forest")]
    s.newest, s.older, s.last[0], s.last[1], s.last_fate[0] = (
        t.Event.CONSCRIPTION + 1,
        t.Event.GRIMOIRE + 1,
        LONGEST_SERVANTS,
        LONGEST_SERVANTS,
        [t.Fate.STOLEN, t.Fate.KILLED],
    )
    s.mark[0], s.mark[1] = [1, 0, t.Servant.ELEPHANT], [2, 1, t.Servant.FOUNDATION]
    choosing = s.copy()
    choosing.phase, choosing.hand[0][:3] = t.Phase.DRAFTING, [1, 1, 1]
    s.up[1], s.facedown[1], s.down[1] = LONGEST_SERVANTS, 0, [0] * t.KINDS
    for state in (choosing, s):
        assert findings_in_every_font(LocalTable(person(language, PHONE), scenario.game, state, seat).page) == []


def test_every_event_can_be_read(person):
    scenario = load_scenario("puppet", "v16-names-on-offer")
    for event, name in enumerate(t.Event, 1):
        scenario.state.newest = event
        assert low_contrast_texts(LocalTable(person(), scenario.game, scenario.state, None).page) == [], name


def test_what_was_stolen_is_shown_beside_the_imp(person):
    """The thief has turned up another servant before the victim's turn."""
    name = "v20-a-whole-first-round"
    draft = [line for step in read_scenario("puppet", name).data["step"][:3] for line in step["do"]]
    table, scenario = person(), load_scenario("puppet", name, draft)
    local = LocalTable(table, scenario.game, scenario.state, 0)
    for seat, moves in (
        (0, "reveal alchemist, gain gold 2, end"),
        (1, "reveal imp, steal 2 smith, take gold, end"),
        (2, "reveal cook, gain food 2, end"),
        (0, "reveal princess, end"),
        (1, "reveal reaper, take gold, end"),
        (2, "reveal smith"),
        (1, "gain soldier 2"),
    ):
        for move in moves.split(", "):
            local.others_play(seat, move)
    played = table.page.locator(".booth.tint-1 .played li > [aria-hidden]")
    expect(played.nth(0)).to_contain_text("+2")
    expect(played.nth(1)).not_to_contain_text("+2")
    title = table.page.locator(".booth.tint-1 .played > small")
    expect(title).to_have_text("played this round")
    local.others_play(2, "end")
    expect(table.page.locator(".booth.tint-1 .marionette.gone")).to_have_count(2)
    expect(title).to_have_text("last round")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_three_servants_fit_on_a_phone(person, language):
    """With the widest names and effects."""
    name = "v20-a-whole-first-round"
    start, deal = read_scenario("puppet", name).data["step"][0]["do"]
    for servant in ("elephant", "general", "alchemist"):  # the first three are the viewer's
        deal = deal.replace(f"deal {servant}, ", "").replace(f", deal {servant}", "")
    deal = deal.replace("* ", "* deal elephant, deal general, deal alchemist, ")
    table, scenario = person(language, size=PHONE, touch=True), load_scenario("puppet", name, [start, deal])
    page = LocalTable(table, scenario.game, scenario.state, 0).page
    expect(page.locator(".own .marionette.usable")).to_have_count(3)
    booth = page.locator(".booth.own")
    assert booth.evaluate("booth => booth.scrollWidth <= booth.clientWidth")
    for servant in page.locator(".own .marionette").all():
        box = servant.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0]


@pytest.mark.parametrize(("points", "count"), [([4, 11, 4], 1), ([4, 11, 11], 0), ([3, 11, 4], 0)])
def test_equal_points_below_the_first_place_are_explained(person, points, count):
    """A tie for the victory has its own sentence."""
    golden = SCENARIOS / "puppet" / "golden" / "3-players-most-points.jsonl"
    match, table = check(golden.read_text(encoding="utf-8")), person()
    match.state.points[:3] = points
    LocalTable(table, match.game, match.state, 0)
    expect(table.page.locator(".puppet-outcome")).to_be_visible()
    expect(table.page.get_by_text("Equal points: less honour is placed first")).to_have_count(count)

"""With forced colours, edges, marks and drawings are still visible."""

import pytest
from local_table import LocalTable, load_scenario
from table import DESK, PHONE, resize, script
from test_in_view import BOARDS
from test_whole_games import min_players

from courtly.games.petition.table import Card

FORCED_COLOUR_CHECK = script("forced")


def forced_colour_findings(page):
    return [f"{scheme}: {line}" for scheme in ("dark", "light") for line in forced_colour_findings_in(page, scheme)]


def forced_colour_findings_in(page, scheme):
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    page.evaluate("document.activeElement.blur()")
    findings = page.evaluate(f"pageControl.whilePainted({FORCED_COLOUR_CHECK})")
    page.emulate_media(forced_colors="none")
    return findings


@pytest.mark.parametrize("game", BOARDS)
def test_a_table_stays_visible(person, game):
    table = person()
    table.start(game, min_players(game))
    for size in (DESK, PHONE):
        resize(table.page, size)
        table.wait_for_me()
        assert forced_colour_findings(table.page) == [], size
        table.click_randomly(max_clicks=4)


COURT_LOOKS = """() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const looks = (selector, names) => names.map((name) => style(selector)[name]).join(" ");
  const court = (family) => looks(`.card.${family}`, ["borderTopStyle", "borderBottomStyle"]);
  const frame = (selector) => looks(selector, ["outlineStyle", "outlineWidth"]);
  return {
    families: ["adds", "turns", "rolls", "start", "royal"].map(court),
    copies: [".stack i:not(.out)", ".stack i.out", ".felt"].map((it) => looks(it, ["backgroundColor"])),
    edge: looks(".stack i.out", ["borderTopStyle"]),
    frames: [".card.reach", ".card:not(.reach, .usable)"].map(frame),
  };
}"""


def test_the_court_tells_by_lines_what_it_tells_by_colours(person):
    scenario = load_scenario("petition", "noblewoman")
    scenario.state.supply[Card.HUNTER] -= 1
    page = LocalTable(person(), scenario.game, scenario.state, 0).page
    for scheme in ("dark", "light"):
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        looks = page.evaluate(COURT_LOOKS)
        assert len(set(looks["families"])) == 5
        left, taken, canvas = looks["copies"]
        assert left not in (taken, canvas) and looks["edge"] == "solid"
        in_reach, other = looks["frames"]
        assert in_reach != other
    page.emulate_media(forced_colors="none")


@pytest.mark.parametrize(
    ("game", "position", "cards"), [("necklace", "t12-budget", ".row .nk-card"), ("cardinal", None, ".cards .card")]
)
def test_cards_that_can_be_chosen_differ_from_others(person, game, position, cards):
    table = person()
    if position:
        scenario = load_scenario(game, position)
        LocalTable(table, scenario.game, scenario.state, 0)
    else:
        table.start(game, min_players(game))
        table.wait_for_me()
    page = table.page
    page.emulate_media(forced_colors="active")
    frames = """cards => [...document.querySelectorAll(cards)].map((card) => [card.matches(".can, .open"),
        ...["outlineStyle", "outlineWidth"].map((name) => getComputedStyle(card)[name])])"""
    seen = page.evaluate(frames, cards)
    page.emulate_media(forced_colors="none")
    chosen, other = ({(style, width) for can, style, width in seen if can is which} for which in (True, False))
    assert chosen and other and not chosen & other


def test_panels_and_dialogs_of_a_table_stay_visible(person):
    table = person()
    table.start("petition")
    page = table.page
    page.get_by_role("button", name="Menu").click()
    assert forced_colour_findings(page) == []
    page.get_by_role("button", name="Keys").click()
    assert forced_colour_findings(page) == []
    for key in "Escape", "Escape", "r":
        page.keyboard.press(key)
    page.locator(".side .rules h3").first.wait_for()
    assert forced_colour_findings(page) == []
    table.plain()
    assert forced_colour_findings(page) == []


def test_the_other_pages_stay_visible(person):
    page = person().page
    page.goto("/")
    page.locator("[data-game=petition]").wait_for()
    assert forced_colour_findings(page) == []
    page.emulate_media(forced_colors="active")
    outline_style = "element => getComputedStyle(element).outlineStyle"
    assert page.locator(".door .plate").first.evaluate(outline_style) == "solid"
    assert page.locator(".door h2 button").first.evaluate(outline_style) == "none", "a name without a frame"
    page.locator("[data-game=petition]").click()
    page.locator(".play").wait_for()
    assert forced_colour_findings(page) == []
    page.goto("/me")
    page.locator(".me .button").first.wait_for()
    assert forced_colour_findings(page) == []
    for path, selector in (
        ("/rules/cardinal", ".rules h3"),
        ("/learn/cardinal", "#lesson-words"),
        ("/offline", ".nowhere"),
    ):
        page.goto(path)
        page.locator(selector).first.wait_for()
        assert forced_colour_findings(page) == [], path


SIGN_COLOURS = """() => {
  const land = document.querySelector(".above");
  land.classList.add("open");
  const fill = (selector) => getComputedStyle(land.querySelector(`.readable > ${selector}`)).fill;
  const found = [fill("rect"), fill("text")];
  land.classList.remove("open");
  const expected = ["Highlight", "HighlightText"].map((colour) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = colour;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  return {found, expected};
}"""


def test_the_number_of_a_land_that_may_be_chosen_is_legible(person):
    table = person()
    table.start("newtown")
    table.wait_for_me()
    for scheme in ("dark", "light"):
        table.page.emulate_media(forced_colors="active", color_scheme=scheme)
        colours = table.page.evaluate(SIGN_COLOURS)
        assert colours["found"] == colours["expected"]

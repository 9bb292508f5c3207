"""The board of To Court the King. Positions are from the scenarios; whole games are played as people play them."""

import re

import pytest
from layout import FONTS_SETTLED, findings_in_every_font, layout_findings, use_widest_fonts
from local_table import LocalTable, load_scenario
from playwright.sync_api import expect
from table import DESK, PHONE, TABLET, axe_findings_in_both_schemes, resize

LANGUAGES = ("en", "ja")
ADA, BEN, CLEO, DAN = range(4)


class Court(LocalTable):
    """The actions of a player."""

    def die(self, face, nth=0):
        self.page.locator(f".active [data-key=active-{face}-{nth}]").click()

    def use(self, card):
        self.page.locator(f"[data-key=chip-{card}]").click()

    def choose(self, *faces):
        self.page.get_by_role("button", name=" ".join(map(str, faces)), exact=True).click()

    def confirm(self):
        self.page.locator(".acts .main").click()

    def active(self, *faces):
        """Check the active dice, in the rules and on the screen."""
        expect(self.page.locator(".active .slot")).to_have_count(len(faces))
        expect(self.page.locator(".active .picked")).to_have_count(0)
        assert listed(self.match.state.active) == list(faces)


def listed(row):
    return [face + 1 for face in range(6) for _ in range(row[face])]


@pytest.fixture
def open_table(person):
    def open_scenario(name, seat=ADA, *, moves=(), **browser_options):
        scenario = load_scenario("petition", name, moves)
        return Court(person(**browser_options), scenario.game, scenario.state, seat)

    return open_scenario


# --- odds -------------------------------------------------------------------------------------------------------------


def test_the_odds_are_shown_until_they_are_hidden(open_table):
    table = open_table("w15-keep-first", moves=["* die 4, die 2, die 5"])
    odds = table.page.locator(".card .odds")
    farmer = table.page.locator("[data-key=card-farmer]")
    expect(farmer.locator(".odds")).to_contain_text("63 %")
    farmer.focus()
    expect(table.page.get_by_role("tooltip")).to_contain_text("63 %")
    table.page.get_by_role("button", name="Menu").click()
    table.page.get_by_role("group", name="Odds of the dice").get_by_role("button", name="hidden").click()
    expect(odds).to_have_count(0)


@pytest.mark.parametrize("size", [DESK, (1000, 700), (1100, 620), (1600, 1000)])
@pytest.mark.parametrize("count", [1, 5, 6, 8, 12, 15])
def test_kept_dice_stay_in_their_tray(person, count, size):
    scenario = load_scenario("petition", "w15-keep-first", ["* die 4, die 2, die 5"])
    scenario.state.aside[5] = count
    page = Court(person(size=size), scenario.game, scenario.state, ADA).page
    expect(page.locator(".tray .slot")).to_have_count(count)
    tray = page.locator(".tray").bounding_box()
    for die in (slot.bounding_box() for slot in page.locator(".tray .die").all()):
        assert tray["x"] <= die["x"] and die["x"] + die["width"] <= tray["x"] + tray["width"]
        assert tray["y"] <= die["y"] and die["y"] + die["height"] <= tray["y"] + tray["height"]
        assert die["width"] >= 18


# --- powers: selected, previewed, confirmed ---------------------------------------------------------------------------


def test_the_alchemist_in_one_step(open_table):
    table = open_table("w07-alchemist")
    table.use("alchemist")
    for die in ((2, 0), (5, 0), (5, 1)):
        table.die(*die)
    expect(table.page.locator(".acts .main")).to_be_disabled()
    table.choose(4, 4, 4)
    expect(table.page.locator(".active .die.changed")).to_have_count(3)
    assert listed(table.match.state.active) == [2, 5, 5]  # nothing happens before the confirmation
    table.confirm()
    table.active(4, 4, 4)


def test_the_philosopher_moves_pips_between_dice(open_table):
    table = open_table("w06-philosopher")
    table.use("philosopher")
    table.die(5)
    table.die(1)
    table.choose(3, 3)
    table.confirm()
    table.active(3, 3, 3)


def test_the_astronomer_has_one_choice(open_table):
    table = open_table("w08-astronomer")
    table.use("astronomer")
    table.die(1)
    table.confirm()
    table.active(3)


def test_the_maid_offers_only_dice_below_6(open_table):
    table = open_table("w09-maid")
    table.use("maid")
    expect(table.page.locator(".active button.slot")).to_have_count(1)
    table.die(5)
    table.confirm()
    table.active(6, 6, 6)


def test_the_noblewoman_in_one_step(open_table):
    table = open_table("noblewoman")
    table.use("noblewoman")
    table.die(5, 0)
    table.die(5, 1)
    table.confirm()
    table.active(6, 6, 6)


def test_a_selection_previews_what_it_would_win(open_table):
    table = open_table("noblewoman")
    filled = table.page.locator("[data-key=card-guard] .filled")
    filled_before = filled.count()
    table.use("noblewoman")
    table.die(5, 0)
    table.die(5, 1)
    expect(filled).to_have_count(3)
    assert filled_before < 3 and not any(entry.seat == ADA for entry in table.match.entries), "no move was made"


def test_the_merchant_rolls_the_picked_dice(open_table):
    table = open_table("merchant")
    table.use("merchant")
    table.die(1, 0)
    table.die(1, 1)
    expect(table.page.locator(".active .die.again")).to_have_count(2)
    table.confirm()
    expect(table.page.locator(".spent [data-key=chip-merchant]")).to_be_visible()
    assert 6 in listed(table.match.state.active)


def test_escape_cancels_a_power(open_table):
    table = open_table("w06-philosopher")
    table.use("philosopher")
    table.page.keyboard.press("Escape")
    expect(table.page.locator(".chip.on")).to_have_count(0)


def test_a_power_begun_in_the_plain_rendering_is_finished_in_the_picture(open_table):
    table = open_table("noblewoman", moves=["0 noblewoman 5"])
    expect(table.page.locator(".taken .die")).to_have_count(1)
    table.die(5)
    table.confirm()
    table.active(6, 6, 6)


# --- keeping and rolling ----------------------------------------------------------------------------------------------


def test_keep_some_and_roll_the_rest_with_one_click(open_table):
    table = open_table("w06-philosopher")
    table.page.locator(".active button.slot").first.focus()
    table.page.keyboard.press("3")
    table.page.keyboard.press("5")
    expect(table.page.locator(".active button[aria-pressed=true]")).to_have_count(2)
    table.page.get_by_role("button", name="Keep 2, roll 1").click()
    expect(table.page.locator(".tray .die.kept")).to_have_count(2)
    assert listed(table.match.state.aside) == [3, 5]
    assert [entry.seat for entry in table.match.entries] == [0, 0, 0, -1]


def test_keep_everything_and_finish_with_one_click(open_table):
    table = open_table("w06-philosopher")
    table.page.get_by_role("button", name="Keep all 3 and finish").click()
    expect(table.page.locator(".now.mine")).to_have_text("Claim one character.")


# --- claiming ---------------------------------------------------------------------------------------------------------


def test_claimable_characters_glow_and_a_click_claims(open_table):
    table = open_table("w05-three-fives")
    claimable = {move.args["card"] for move in table.match.legal(ADA) if move.verb == "claim"}
    assert len(claimable) > 3
    expect(table.page.locator(".card.claims")).to_have_count(len(claimable))
    expect(table.page.locator(".offers .chip")).to_have_count(len(claimable))
    table.page.locator("[data-key=card-guard]").click()
    expect(table.page.locator("[data-key=own-guard-0]")).to_be_attached()


def test_claiming_nothing_needs_confirmation(open_table):
    table = open_table("w05-three-fives")
    table.page.get_by_role("button", name="Claim nothing").click()
    expect(table.page.locator(".acts")).to_contain_text("You could claim: ")
    table.page.get_by_role("button", name="Cancel").click()
    expect(table.page.locator(".acts")).not_to_contain_text("You could claim: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_character_is_explained_on_focus_and_on_hover(open_table, language):
    table = open_table("w05-three-fives", language=language)
    table.page.locator("[data-key=card-bishop]").hover()
    expect(table.page.get_by_role("tooltip")).to_contain_text(
        "Needs three pairs" if language == "en" else "同じ目2つが3組"
    )
    table.page.mouse.move(5, 5)
    expect(table.page.get_by_role("tooltip")).to_have_count(0)
    table.page.locator("[data-key=card-maid]").focus()
    table.page.keyboard.press("ArrowRight")
    expect(table.page.get_by_role("tooltip")).to_contain_text("Philosopher" if language == "en" else "哲学者")


def test_what_comes_under_a_resting_mouse_is_not_explained_until_the_mouse_moves(open_table):
    table = open_table("w05-three-fives")
    page, tooltip = table.page, table.page.get_by_role("tooltip")
    box = page.locator("[data-key=card-bishop]").bounding_box()
    page.keyboard.press("p")  # as text: no board is under the mouse
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.keyboard.press("p")
    expect(page.locator("[data-key=card-bishop]:hover")).to_be_visible()
    page.evaluate("pageControl.waitUntilAtRest()")
    expect(tooltip).to_have_count(0)
    page.mouse.move(box["x"] + 22, box["y"] + 20)
    expect(tooltip).to_be_visible()


def test_the_characters_are_drawn_as_figures(open_table):
    page = open_table("w05-three-fives").page
    expect(page.locator(".card > .portrait")).to_have_count(20)
    expect(page.locator(".card > .shield:visible")).to_have_count(0)


# --- the plain rendering ----------------------------------------------------------------------------------------------


def test_many_dice_are_one_sentence_in_the_plain_rendering(open_table):
    table = open_table("a-die-before-the-first-roll")
    table.page.keyboard.press("p")
    table.page.get_by_role("button", name="Roll", exact=True).click()
    news = table.page.locator(".news p").last
    expect(news).to_contain_text("The dice show ")
    for face in range(6):
        n = table.match.state.active[face]
        if n:
            expect(news).to_contain_text(f"{face + 1} ×{n}" if n > 1 else f"{face + 1}")
    expect(news).not_to_contain_text("The die shows")


# --- why not ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("laborer", "4 more on the dice, and the sum is reached."),
        ("bishop", "That takes 6 dice; you have 3."),
        ("guard", "Still missing: 2 more showing 5."),
        ("maid", "Not odd yet: 2, 4."),
        ("charlatan", "You have no Fool to flip."),
        ("fool", "Your dice are enough. Keep them all, then claim."),
    ],
)
def test_a_character_out_of_reach_says_what_is_missing(open_table, card, text):
    table = open_table("w15-keep-first", moves=["* die 4, die 2, die 5"])
    table.page.locator(f"[data-key=card-{card}]").hover()
    expect(table.page.locator(".detail .why-not")).to_have_text(text)


def test_in_another_players_turn_a_click_says_why_and_what_others_do_leaves_it_there(open_table):
    table = open_table("w15-keep-first", BEN, moves=["* die 4, die 2, die 5"])
    table.page.locator("[data-key=card-guard]").click(force=True)  # it is marked as disabled
    why_not = table.page.locator(".detail .why-not")
    expect(why_not).to_have_text("It is not your turn.")
    for words in ("keep 4", "roll"):
        table.others_play(ADA, words)
        expect(why_not).to_have_text("It is not your turn.")
    table.page.mouse.move(5, 5)
    expect(why_not).to_have_count(0)


@pytest.mark.parametrize(
    ("scenario", "card", "text"),
    [
        ("astronomer-needs-a-kept-die", "astronomer", "keep a die first"),
        ("the-philosopher-needs-two-dice", "philosopher", "takes two active dice"),
    ],
)
def test_a_power_that_cannot_be_used_says_what_is_missing(open_table, scenario, card, text):
    table = open_table(scenario)
    expect(table.page.locator(f"[data-key=chip-{card}] .why-not")).to_have_text(text)


def test_a_die_that_a_power_cannot_change_says_why(open_table):
    table = open_table("w09-maid")
    table.use("maid")
    expect(table.page.locator("[data-key=active-6-0]")).to_have_attribute("title", "No die can go above 6.")


# --- the last round ---------------------------------------------------------------------------------------------------

UP_TO_THE_QUEEN = [
    "3 roll",
    "* die 1, die 1, die 1, die 1, die 1, die 1, die 1, die 1",
    "3 keep 1, keep 1, keep 1, keep 1, keep 1, keep 1, keep 1, keep 1",
    "0 concede",
    "2 roll",
    "* die 3, die 3, die 3, die 3",
    "2 add laborer, add guard, add hunter, add pawnbroker",
    "2 keep 3, keep 3, keep 3, keep 3, keep 1, keep 2, keep 3, keep 4",
]


def test_the_last_round_says_what_to_beat_and_who_is_still_to_roll(open_table):
    table = open_table("w12-equal", CLEO, moves=UP_TO_THE_QUEEN[:4])
    last_round = table.page.locator(".last")
    expect(last_round.locator(".mark-to-beat .die")).to_have_count(8)
    expect(last_round).to_contain_text("You need more than 8 equal dice, or 8 with a higher face than 1.")
    order = ("Dan *8 × 1", "Ada *gave up the last roll", "Cleo *rolling now", "Ben *7 × 2")
    expect(last_round.locator(".order li")).to_have_text([re.compile(seat) for seat in order])


def test_the_queens_holder_wins_with_an_equal_group(open_table):
    table = open_table(
        "w12-equal", BEN, moves=UP_TO_THE_QUEEN + ["1 roll", "* die 1, die 1, die 1, die 1, die 1, die 1, die 1"]
    )
    expect(table.page.locator(".last")).to_contain_text("Equal is enough for you: 8 × 1 wins.")
    table.use("queen")
    table.choose(1)
    table.confirm()
    table.page.get_by_role("button", name="Keep all 8 and finish").click()
    expect(table.page.locator(".outcome")).to_contain_text("Ben wins the King with 8 × 1.")
    steps = table.page.locator(".petition-steps li")
    expect(steps).to_have_count(5)
    expect(steps.nth(0)).to_contain_text("7 × 2")
    expect(steps.nth(4)).to_contain_text("equal, which is enough for the holder of the Queen")


def test_the_dice_of_the_challenger_lie_below_those_to_beat(open_table):
    table = open_table("w12-equal", CLEO, moves=UP_TO_THE_QUEEN[:4])
    expect(table.page.locator(".last .challenge")).to_contain_text("takes the King")
    table = open_table("w12-equal", BEN, moves=UP_TO_THE_QUEEN)
    challenge = table.page.locator(".last .challenge")
    expect(challenge).to_contain_text("not better")
    expect(challenge.locator(".place")).to_have_count(3)  # five of the eight dice to beat


def test_a_finished_roll_for_the_king_is_shown_die_by_die(open_table):
    table = open_table("w12-equal", CLEO, moves=UP_TO_THE_QUEEN[:6], speed="slow")
    table.page.evaluate(COUNT_CHALLENGE_DICE)
    table.page.get_by_role("button", name="Keep all 4 and finish").click()
    expect(table.page.locator("[data-key=verdict]")).to_be_visible()
    expect(table.page.locator("html")).to_have_attribute("data-challenge-dice", re.compile("^[3-9]$"))


COUNT_CHALLENGE_DICE = """() => {
  const delays = new Set(), { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    if (this.dataset.key?.startsWith("challenge-")) delays.add(options.delay);
    document.documentElement.dataset.challengeDice = delays.size;
    return animate.call(this, frames, options);
  };
}"""


# --- layout and accessibility -----------------------------------------------------------------------------------------

CROWDED_SCENARIO = "every-power-at-once"
TOO_WIDE_ELEMENTS = """() => [...document.querySelectorAll('.petition :is(.name, .need, .does, .chip, .button, .foot)')]
    .filter((e) => e.offsetParent && getComputedStyle(e).clipPath === 'none' && e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.textContent.trim())"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_board_is_in_view_on_a_desktop(open_table, language):
    page = open_table(CROWDED_SCENARIO, language=language, size=DESK).page
    assert page.evaluate(
        "document.querySelector('.stage').scrollHeight <= document.querySelector('.stage').clientHeight"
    )
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(TOO_WIDE_ELEMENTS) == []
    assert page.locator(".card").count() == 20


def test_on_a_phone_a_characters_details_do_not_cover_the_decision(open_table):
    table = open_table("w07-alchemist", size=PHONE, touch=True)
    detail, page = table.page.locator(".detail"), table.page
    for close in (
        lambda: detail.get_by_role("button", name="Close").tap(),
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator(".felt .heading").tap(),
    ):
        page.locator("[data-key=card-king]").tap(force=True)  # it does nothing but show its details
        expect(detail).to_be_visible()
        box, felt = detail.bounding_box(), page.locator(".felt").bounding_box()
        assert box["y"] + box["height"] <= felt["y"], "it does not cover the dice"
        close()
        expect(detail).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_covered_or_broken_in_any_font(open_table, language):
    assert findings_in_every_font(open_table("w07-alchemist", language=language).page) == []


CUT_BADGES = """() => [...document.querySelectorAll(".owner small")].filter((badge) => {
    const inner = badge.getBoundingClientRect(), outer = badge.closest(".card").getBoundingClientRect();
    return inner.right > outer.right || inner.bottom > outer.bottom || inner.left < outer.left;
}).length"""


def test_how_often_each_of_five_owns_a_card_is_not_cut(person):
    scenario = load_scenario("petition", CROWDED_SCENARIO)
    state = scenario.state
    state.players = 5
    for seat in range(state.players):
        state.owns[seat][0] = 2  # the fool
    page = Court(person(), scenario.game, state, CLEO).page
    for size in (DESK, (390, 844), PHONE, (320, 640)):
        resize(page, size)
        expect(page.locator(".owner small")).to_have_count(5)
        assert page.evaluate(CUT_BADGES) == 0 and layout_findings(page) == [], size


DICE_ON_OTHERS = """() => {
    const boxes = ".felt :is(.slot, .tray, .acts, .hand, .heading)";
    const felt = document.querySelector(".felt").getBoundingClientRect();
    const parts = [...document.querySelectorAll(boxes)].filter((part) => part.checkVisibility())
        .filter((part) => !part.parentElement.closest(".tray, .hand"))
        .map((part) => [part.className, part.getBoundingClientRect()]);
    const isOut = ([, box]) => box.bottom > felt.bottom || box.right > felt.right;
    return parts.flatMap(([name, box], i) => parts.slice(i + 1).flatMap(([other, { left, right, top, bottom }]) => {
        const [across, down] = [Math.min(box.right, right) - Math.max(box.left, left),
            Math.min(box.bottom, bottom) - Math.max(box.top, top)];
        return across > 1 && down > 1 ? [`${name} covers ${other}`] : [];
    })).concat(parts.filter(isOut).map(([name]) => `${name} is outside`));
}"""


@pytest.mark.parametrize("dice", [5, 6, 7, 8, 9, 12, 16, 20])
@pytest.mark.parametrize("seat", [ADA, BEN])
def test_active_dice_cover_nothing(person, dice, seat):
    scenario = load_scenario("petition", "every-power-at-once")
    scenario.state.active[:] = [dice // 6 + (face < dice % 6) for face in range(6)]
    page = LocalTable(person(), scenario.game, scenario.state, seat).page
    expect(page.locator(".active .slot")).to_have_count(dice)
    for size in (DESK, (1100, 620), (1600, 900), (1920, 1200), TABLET, PHONE):
        resize(page, size)
        assert page.evaluate(DICE_ON_OTHERS) == [], size


MARKS_ON_TEXT = """() => [...document.querySelectorAll(".court .card")].flatMap((card) => {
    const canvas = document.createElement("canvas").getContext("2d");
    const lines = [...card.querySelectorAll(".name, .does")].flatMap((text) => {
        const style = getComputedStyle(text);
        canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        return [...text.childNodes].filter((node) => node.data?.trim()).flatMap((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            const ink = canvas.measureText(node.data.trim());
            return [...range.getClientRects()].filter(({ width }) => width > 1).map((line) => ({
                left: line.left, right: line.right, text: node.data.trim(),
                top: line.top + ink.fontBoundingBoxAscent - ink.actualBoundingBoxAscent,
                bottom: line.bottom - ink.fontBoundingBoxDescent + ink.actualBoundingBoxDescent,
            }));
        });
    });
    const EDGE_PX = 1.5; // the line around the reader's own shield
    return [...card.querySelectorAll(".owner, .stack i, em")].flatMap((mark) => {
        const box = mark.getBoundingClientRect();
        const across = (line) => Math.min(line.right, box.right + EDGE_PX) - Math.max(line.left, box.left - EDGE_PX);
        const down = (line) => Math.min(line.bottom, box.bottom + EDGE_PX) - Math.max(line.top, box.top - EDGE_PX);
        return lines.filter((line) => across(line) > 0.5 && down(line) > 0.5)
            .map(({ text }) => `${card.dataset.key}: ${mark.className || mark.tagName} covers "${text}"`);
    });
})"""


def test_figures_and_dice_use_the_room_on_a_desk(open_table):
    page = open_table("w15-keep-first", moves=["* die 4, die 2, die 5"], size=DESK).page
    for part, height in (("[data-key=card-king] .portrait", 70), ("[data-key=card-laborer] .portrait", 50)):
        assert page.locator(part).bounding_box()["height"] >= height, part
    for die in page.locator(".active .die").all():
        assert die.bounding_box()["height"] >= 60


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [PHONE, (320, 640), TABLET, DESK])
def test_no_mark_covers_the_text_of_a_character(person, language, size):
    scenario = load_scenario("petition", "every-power-at-once")
    state = scenario.state
    state.owns[ADA][:] = state.used[:] = [1] * len(state.used)
    page = LocalTable(person(language, size), scenario.game, state, ADA).page
    expect(page.locator(".card.used").first).to_be_attached()
    findings = []
    for widest in False, True:
        use_widest_fonts(page, widest)
        page.evaluate(FONTS_SETTLED)
        findings += page.evaluate(MARKS_ON_TEXT)
    assert findings == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_dice_and_the_button_are_at_the_thumb(open_table, language):
    page = open_table(CROWDED_SCENARIO, language=language, size=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert page.evaluate(TOO_WIDE_ELEMENTS) == []
    for selector in (".active .slot", ".acts .main"):
        box = page.locator(selector).first.bounding_box()
        assert PHONE[1] / 2 < box["y"] < PHONE[1] - 60
    assert page.locator(".acts .main").bounding_box()["height"] >= 44
    felt, tools = (page.locator(selector).bounding_box() for selector in (".felt", ".tools"))
    assert felt["y"] + felt["height"] == pytest.approx(tools["y"], abs=0.5), "no cards show between them"


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_landscape_the_dice_leave_room_for_the_cards_and_fold_away(open_table, language):
    page = open_table(CROWDED_SCENARIO, language=language, size=(844, 390), touch=True).page
    felt = page.locator(".felt")
    assert felt.bounding_box()["height"] < 140
    page.locator(".fold").tap()
    expect(page.locator(".acts")).to_be_hidden()
    assert felt.bounding_box()["height"] < 60
    page.locator(".fold").tap()
    expect(page.locator(".acts .main")).to_be_visible()


def test_a_character_that_needs_dice_unfolds_them(open_table):
    page = open_table("w09-maid", size=PHONE, touch=True).page
    page.locator("[data-key=card-fool]").tap(force=True)
    expect(page.locator(".detail")).to_be_visible()
    page.locator(".fold").tap()
    expect(page.locator(".acts")).to_be_hidden()
    page.locator("[data-key=card-maid]").tap()
    expect(page.locator(".acts")).to_be_visible()
    expect(page.locator(".slot").first).to_be_visible()
    expect(page.locator(".detail")).to_have_count(0)


PORTRAITS_OVER_NAMES = """() => [...document.querySelectorAll(".card:has(> .portrait)")].filter((card) => {
    const [portrait, name] = [".portrait", ".name"].map((part) => card.querySelector(part).getBoundingClientRect());
    return portrait.top < name.bottom - 3 && portrait.right > name.left;
}).map((card) => card.dataset.key)"""


@pytest.mark.parametrize("height", [600, 680, 720, 736, 760, 800, 900])
def test_a_portrait_leaves_the_name_free(open_table, height):
    """At each height, also with the controls of a replay below the board."""
    page = open_table("w09-maid", size=(1280, height)).page
    expect(page.locator(".card > .portrait").first).to_be_attached()
    assert page.evaluate(PORTRAITS_OVER_NAMES) == []


CARDS_WITH_A_CHANCE = """() => [...document.querySelectorAll(".card")].filter((card) => card.matches(".reach") ||
    card.querySelector(".odds"))"""
CARDS_BY_PLACE = """() => [...document.querySelectorAll(".card")].map((card) => [card, card.getBoundingClientRect()])
    .sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([card]) => card.dataset.key)"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_the_characters_in_reach_lie_above_the_dice_and_keep_their_places(open_table, size):
    table = open_table("w15-keep-first", moves=["* die 4, die 2, die 5"], size=size, touch=True)
    felt = table.page.locator(".felt").bounding_box()
    chances = f"({CARDS_WITH_A_CHANCE})()"
    bottoms = table.page.evaluate(f"{chances}.map((card) => card.getBoundingClientRect().bottom)")
    assert len(bottoms) > 4 and max(bottoms) < felt["y"]
    order = table.page.evaluate(CARDS_BY_PLACE)
    in_reach = table.page.evaluate(f"{chances}.map((card) => card.dataset.key)")
    assert order[: len(in_reach)] == in_reach, "the highest first"
    table.die(5)
    table.confirm()
    expect(table.page.locator(".tray .die")).to_have_count(1)
    assert table.page.evaluate(f"{chances}.length") < len(in_reach)
    assert table.page.evaluate(CARDS_BY_PLACE) == order


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_the_dice_of_others_take_less_room(open_table, size):
    moves = ["* die 4, die 2, die 5"]
    own = open_table("w15-keep-first", moves=moves, size=size).page.locator(".felt").bounding_box()["height"]
    page = open_table("w15-keep-first", BEN, moves=moves, size=size).page
    expect(page.locator(".acts")).to_be_hidden()  # the bar says whose turn it is
    expect(page.locator(".active .slot")).to_have_count(3)
    assert page.locator(".felt").bounding_box()["height"] < 0.8 * own


def test_on_a_desktop_the_characters_lie_by_level(open_table):
    page = open_table("w15-keep-first", moves=["* die 4, die 2, die 5"]).page
    assert page.evaluate(CARDS_BY_PLACE)[-2:] == ["card-fool", "card-charlatan"]


def test_on_a_large_screen_the_texts_grow(open_table):
    page = open_table(CROWDED_SCENARIO, size=DESK).page
    name = page.locator("[data-key=card-maid] .name")
    height = name.bounding_box()["height"]
    resize(page, (2560, 1440))
    assert name.bounding_box()["height"] > 1.5 * height


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_axe_finds_nothing(open_table, size):
    table = open_table(CROWDED_SCENARIO, size=size)
    assert axe_findings_in_both_schemes(table.page) == []
    table.use("philosopher")
    table.die(2)
    table.die(5)
    table.page.locator(".choices button").first.click()
    assert axe_findings_in_both_schemes(table.page) == []


def test_axe_finds_nothing_when_claiming_and_in_the_last_round(open_table):
    assert axe_findings_in_both_schemes(open_table("w05-three-fives").page) == []
    assert axe_findings_in_both_schemes(open_table("w12-equal", CLEO, moves=UP_TO_THE_QUEEN[:4]).page) == []


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "size", "scheme"), [("ja", PHONE, "light"), pytest.param("en", DESK, "dark", marks=pytest.mark.long)]
)
def test_a_whole_game_as_people_play_it(person, language, size, scheme):
    """Keep the biggest group, add dice whenever possible, claim the rarest character within reach."""
    table = person(language, size, scheme)
    table.start("petition")
    page = table.page
    for _ in range(3000):
        table.wait_for_me()
        if table.over:
            break
        page.evaluate(PLAY_AS_PEOPLE_DO)
    assert table.over
    expect(page.locator(".petition-steps li, .outcome p").first).to_be_visible()


PLAY_AS_PEOPLE_DO = """() => {
  const all = (what) => [...document.querySelectorAll(what)].filter((e) => !e.disabled);
  const [chip] = all('.offers .chip').slice(-1), adds = /laborer|guard|hunter|pawnbroker|knight|bishop/;
  const adder = all('.hand button.chip:not(.on)').find((e) => adds.test(e.dataset.key));
  if (chip) return chip.click();
  if (adder) return adder.click();
  const dice = all('.active button.slot'), face = (e) => e.dataset.key[7];
  const equals = (e) => dice.filter((d) => face(d) === face(e)).length, most = Math.max(0, ...dice.map(equals));
  const keep = dice.filter((e) => equals(e) === most).slice(-most).find((e) => !e.classList.contains('picked'));
  const [main] = all('.acts .main');
  if (keep && !main) return keep.click();
  (main ?? all('.acts .button').at(-1))?.click();
}"""

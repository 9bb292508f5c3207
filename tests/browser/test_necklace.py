"""The board of Queen's Necklace: buying, stealing, answers, showing, the sale. Positions are from the scenarios."""

import gzip
import re

import pytest
from layout import elements_covered_by, findings_in_every_font, layout_findings
from local_table import LocalTable, load_scenario
from parameters import each_value_once
from playwright.sync_api import expect
from table import CLICKABLE, DESK, PHONE, axe_findings
from test_in_view import choices_selector, inspect_decision

from courtly.engine.game import find_game
from courtly.games.necklace.cards import EMPTY, GEM_KINDS, KINDS, Card
from courtly.games.necklace.table import Phase

ADA, BEN, CLEO = range(3)
OVERFLOW = """(stage => [document.documentElement.scrollWidth - innerWidth, stage.scrollHeight - stage.clientHeight])(
    document.querySelector('.stage'))"""
IS_CLICKABLE = """element => {
    element.scrollIntoView({block: 'center'});
    const {x, y, width, height} = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return x >= 0 && x + width <= innerWidth && (element.contains(top) || top?.contains(element));
}"""


class NecklaceTable(LocalTable):
    def hand(self, card):
        return self.page.locator(f"[data-key=hand-{card}]")

    def offer(self, slot):
        return self.page.locator(f"[data-key=slot-{slot - 1}]")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def wait(self):
        """Return the delay of the displayed answer, in ms."""
        return float(
            self.page.locator(".reply")
            .evaluate("element => element.style.getPropertyValue('--wait')")
            .removesuffix("ms")
        )


@pytest.fixture
def open_table(person):
    def open_scenario(name, seat=ADA, *, moves=(), **browser_options):
        """`name` is a scenario's name, or a scenario that was read and changed."""
        scenario = load_scenario("necklace", name, moves) if isinstance(name, str) else name
        return NecklaceTable(person(**browser_options), scenario.game, scenario.state, seat)

    return open_scenario


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_buying_within_the_budget(open_table):
    table = open_table("t12-budget")
    expect(table.page.locator(".purse")).to_contain_text("10 ducats left")
    expect(table.offer(1)).not_to_have_class(re.compile(r"\bcan\b"))  # the necklace costs 13
    table.hand("courtier").click()
    table.press("Courtier: 3 more ducats")
    expect(table.page.locator(".purse")).to_contain_text("13 ducats left")
    table.offer(1).click()
    expect(table.page.locator(".purse")).to_contain_text("0 ducats left")
    expect(table.hand("queens_necklace")).to_be_visible()
    table.press("End the turn")
    expect(table.page.locator(".now.mine")).to_have_count(0)


def test_a_card_explains_itself_and_its_price(open_table):
    table = open_table("t12-budget")
    table.offer(4).hover()
    expect(table.page.locator(".nk-detail")).to_contain_text("Only whoever shows the most gems of a kind sells them")
    expect(table.page.locator(".nk-detail")).to_contain_text("now 10, next turn 8")
    detail = table.page.locator(".nk-detail").bounding_box()
    assert detail["y"] + detail["height"] <= table.offer(4).locator(".ladder").bounding_box()["y"] + 1


def test_stealing_from_a_chosen_player(open_table):
    table = open_table(
        "thief-takes-what-was-known", BEN, moves=["0 confessor 2", "0 buy 1 ring, end", "* turn_up ring"]
    )
    question = table.page.locator(".acts .nk-hint")
    for take_back in (lambda: table.page.keyboard.press("Escape"), lambda: table.press("Cancel")):
        table.hand("thief").click()
        expect(question).to_contain_text("whom?")
        take_back()
        expect(question).to_have_count(0)
    table.hand("thief").click()
    table.page.locator(".acts .pick", has_text="Cleo").click()
    expect(table.page.locator("ol.log")).to_contain_text(re.compile("Ben’s Thief takes .+ from Cleo"))
    assert table.match.state.size[CLEO] == 2


def test_the_confessors_view_stays(open_table):
    table = open_table("confessor")
    table.hand("confessor").click()
    table.page.locator(".acts :is(.pick, .button:not(.quiet))").first.click()
    expect(table.page.locator(".peek")).to_be_visible()
    table.press("Close")
    expect(table.page.locator(".peek")).to_have_count(0)
    expect(table.page.locator(".seat", has_text="Cleo").locator(".known")).to_contain_text("King")


@pytest.mark.parametrize(
    ("size", "language", "caption"), [(DESK, "en", "You know of:"), (PHONE, "en", "Known:"), (PHONE, "ja", "判明：")]
)
def test_the_cards_beside_a_player_have_a_caption(open_table, size, language, caption):
    page = open_table("thief-takes-what-was-known", moves=["0 confessor 2"], size=size, language=language).page
    known = page.locator(".known", has=page.locator("small")).first
    expect(known.locator("small")).to_have_text(caption)
    assert known.locator("small").bounding_box()["width"] > 20


# --- answers to decisions that only some hands have ------------------------------------------------------------------

MERCHANT_MOVES = ["0 buy 1 ring, end", "* merchant"]


def test_choices_come_back_into_view_when_a_question_is_cancelled(open_table):
    """The gem that comes into fashion is chosen at the top of the page; the cards to buy or play fill the rest of a
    small phone.
    """
    table = open_table("t10-favorite", size=(360, 640), touch=True)
    page, tap = table.page, "document.querySelector('[data-key=hand-favorite]').click()"
    selector = choices_selector(page, "necklace")
    assert inspect_decision(page, selector, "necklace")["fault"] == ""
    page.evaluate(tap)
    expect(page.locator(".now")).to_contain_text("which gem")
    assert "fashion" in str(inspect_decision(page, selector, "necklace")["choices"])
    page.evaluate(tap)
    expect(page.locator(".now")).not_to_contain_text("which gem")
    assert inspect_decision(page, selector, "necklace")["fault"] == ""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_before_a_sale_a_phone_shows_the_trays_and_a_large_hand_together(open_table, language):
    scenario = load_scenario("necklace", "show-by-the-rules")
    gems = (Card.RUBY_1, Card.RUBY_2, Card.EMERALD_1, Card.EMERALD_2, Card.DIAMOND_1, Card.DIAMOND_2, Card.AMBER_1)
    for card in (*gems, Card.RING):
        scenario.state.hand[ADA][card] = 1
    page = open_table(scenario, size=PHONE, touch=True, language=language).page
    report = inspect_decision(page, choices_selector(page, "necklace"), "necklace")
    assert report["fault"] == "" and all(choice["visible"] for choice in report["choices"] if choice["isOpen"])
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    visible = (
        page.locator(".bar").evaluate("bar => bar.getBoundingClientRect().bottom"),
        page.locator(".acts").evaluate("acts => acts.getBoundingClientRect().top"),
    )
    for part in page.locator(".tray, .hand .nk-small").all():
        box = part.bounding_box()
        assert visible[0] <= box["y"] and box["y"] + box["height"] <= visible[1], part.inner_text()


def test_hand_and_offers_are_next_to_each_other_on_an_upright_phone(open_table):
    scenario = load_scenario("necklace", "t12-budget")
    for card in (Card.RUBY_1, Card.RUBY_2, Card.EMERALD_1, Card.RING, Card.BANKER):
        scenario.state.hand[ADA][card] = 1
    table = open_table(scenario, size=PHONE, touch=True)
    inspect_decision(table.page, choices_selector(table.page, "necklace"), "necklace")
    hand, offers = (
        table.page.locator(f".necklace {part}").evaluate_all(
            "all => { const boxes = all.map(one => one.getBoundingClientRect());"
            "return [Math.min(...boxes.map(box => box.top)), Math.max(...boxes.map(box => box.bottom))]; }"
        )
        for part in (".hand .nk-small", ".row .nk-card")
    )
    top = table.page.locator(".bar").evaluate("bar => bar.getBoundingClientRect().bottom")
    bottom = table.page.locator(".acts").evaluate("acts => acts.getBoundingClientRect().top")
    assert top <= hand[0] < hand[1] <= offers[0] < offers[1] <= bottom, (hand, offers, top, bottom)


def test_an_answers_delay_does_not_depend_on_the_hand(open_table):
    table = open_table("t14-cardinal", BEN, moves=MERCHANT_MOVES, waits=True)
    expect(table.page.locator(".now")).to_contain_text("Put the sale off?")
    expect(table.page.locator(".reply")).to_have_count(0)
    table.press("Cardinal: put the sale off to the end of my next turn")
    expect(table.page.locator(".reply")).to_contain_text("is given in a moment")
    assert table.match.state.pending == 1 << BEN, "the answer is delayed"
    with_choice = table.wait
    table.page.clock.fast_forward(with_choice)
    expect(table.page.locator("ol.log")).to_contain_text("Ben plays a Cardinal")

    table = open_table("t14-cardinal", CLEO, moves=[*MERCHANT_MOVES, "1 cardinal"], waits=True)
    expect(table.page.locator(".reply")).to_contain_text("Nothing to decide.")
    assert table.match.state.pending == 1 << CLEO, "the answer is delayed"
    assert table.wait == with_choice > 50_000, "the longest possible delay"
    table.page.clock.fast_forward(with_choice)
    expect(table.page.locator("ol.log")).to_contain_text("Cleo plays no Cardinal")


@pytest.mark.parametrize("size", [PHONE, (PHONE[1], PHONE[0])], ids=["upright", "across"])
def test_on_a_phone_the_delay_of_an_answer_is_shown_over_no_seat(open_table, size):
    table = open_table("t14-cardinal", CLEO, moves=[*MERCHANT_MOVES, "1 cardinal"], waits=True, size=size)
    expect(table.page.locator(".reply")).to_be_visible()
    expect(table.page.get_by_text("A Merchant has come.", exact=True)).to_be_visible()  # what it is about
    assert elements_covered_by(table.page, ".reply", ".seat, #board") == []
    assert layout_findings(table.page) == []


def test_the_delay_of_an_answer_is_random(open_table):
    table = open_table("t14-cardinal", CLEO, moves=[*MERCHANT_MOVES, "1 cardinal"], waits=True)
    waits = table.page.evaluate("""async () => {
        const src = [...document.scripts].map(s => s.src).find(s => s.includes('/web/'));
        const { ResponseMask } = await import(new URL('game-view/response-masking.js', src));
        const times = [], view = legal => ({ legal: legal.map(verb => ({ verb })) });
        let at = 0;
        Math.random = () => (at = (at + 0.618034) % 1);
        for (let i = 0; i < 400; i++) {
            const mask = new ResponseMask(() => {});
            mask.update(view(i % 2 ? ['yes', 'no'] : ['no']), `${i}`, ['yes', 'no']);
            clearTimeout(mask.timer);
            times.push(mask.delayMs);
        }
        return times;
    }""")
    for some in (waits[::2], waits[1::2]):
        assert min(some) >= 1200 and 2500 < sum(some) / len(some) < 2900 and max(some) > 6000


def test_the_plain_rendering_delays_answers_too(open_table):
    table = open_table("t14-cardinal", CLEO, moves=[*MERCHANT_MOVES, "1 cardinal"], waits=True)
    table.page.keyboard.press("p")
    expect(table.page.locator(".is-plain .reply")).to_contain_text("Nothing to decide.")
    table.page.clock.fast_forward("01:00")
    expect(table.page.locator(".news")).to_contain_text("Cleo plays no Cardinal")


# --- portraits --------------------------------------------------------------------------------------------------------


def test_portraits_are_few_bytes():
    """And every card without a gem has one."""
    game = find_game("necklace")
    art = game.folder / "board" / "art"
    cards = game.components["cards"]
    names = {name for name, card in cards.items() if not card.get("gem")}
    files = [path.read_bytes() for path in art.glob("*.svg") if path.stem != "emblem"]
    assert {path.stem for path in art.glob("*.svg")} == names | {"emblem"}
    assert sum(len(gzip.compress(content)) for content in files) < 60_000


def test_portraits_are_shown_above_their_icons(open_table):
    scenario = load_scenario("necklace", "t12-budget")
    scenario.state.row[:] = [Card.KING, Card.QUEEN, Card.THIEF, Card.RING, Card.BANKER]
    page = open_table(scenario).page
    portraits = page.locator(".row .portrait")
    expect(portraits).to_have_count(5)
    page.wait_for_function(
        "[...document.querySelectorAll('.row .portrait img')].every((image) => image.naturalWidth > 0)"
    )
    expect(portraits.locator(".icon")).to_have_count(5)  # what is shown while a portrait is missing


def test_on_a_phone_in_landscape_the_stones_of_all_are_beside_the_offers(open_table):
    page = open_table("t12-budget", size=(844, 390)).page
    boxes = [page.locator(what).bounding_box() for what in (".row", ".ledger", ".fashion", ".clock")]
    row, ledger, fashion, clock = boxes
    assert ledger["x"] >= row["x"] + row["width"] and ledger["y"] < row["y"] + row["height"]
    assert clock["x"] >= fashion["x"] + fashion["width"]


# --- why not ----------------------------------------------------------------------------------------------------------


def test_a_card_that_is_too_dear_says_what_is_missing(open_table):
    table = open_table("t12-budget")
    table.offer(1).hover()
    expect(table.page.locator(".nk-detail .why-not")).to_have_text("You lack 3 ducats.")
    expect(table.offer(1)).to_contain_text("You lack 3 ducats.")  # without pointing, for screen readers
    table.offer(4).hover()
    expect(table.page.locator(".nk-detail")).to_contain_text("now 10")
    expect(table.page.locator(".nk-detail .why-not")).to_have_count(0)


def test_a_card_on_offer_says_that_a_sale_comes_first(open_table):
    scenario = load_scenario("necklace", "show-by-the-rules")
    scenario.state.row[0] = Card.THIEF
    table = open_table(scenario)
    table.offer(1).hover()
    expect(table.page.locator(".nk-detail .why-not")).to_have_text("Nothing is bought during a sale.")


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("ring", "Not now: it is shown in a sale."),
        ("musketeer", "To fetch the Necklace you lack 2 more Musketeers."),
        ("thief", "None of the others has cards."),
    ],
)
def test_a_card_of_the_hand_says_why_it_has_no_use_now(open_table, card, text):
    scenario = load_scenario("necklace", "t12-budget")
    scenario.state.hand[ADA][getattr(Card, card.upper())] = 1
    table = open_table(scenario)
    table.hand(card).hover()
    expect(table.page.locator(".nk-detail .why-not")).to_have_text(text)


def test_influence_cards_say_that_they_come_before_the_purchase(open_table):
    scenario = load_scenario("necklace", "t12-budget")
    scenario.state.hand[ADA][Card.FAVORITE] = 1
    table = open_table(scenario)
    table.offer(4).click()
    table.hand("favorite").hover()
    expect(table.page.locator(".nk-detail .why-not")).to_contain_text("You have started to buy")


def test_a_king_says_that_it_needs_a_gem(open_table):
    table = open_table("show-by-the-rules")
    table.hand("king").hover()
    expect(table.page.locator(".nk-detail .why-not")).to_contain_text("It has to lie with a gem card of yours")


# --- the show and the sale --------------------------------------------------------------------------------------------


def test_laying_out_the_tray(open_table):
    table = open_table("show-by-the-rules")
    page, trays = table.page, table.page.locator(".tray")
    expect(table.hand("king")).not_to_have_class(re.compile(r"\bcan\b"))  # it needs a gem to lie with
    table.hand("ruby_1").click()
    table.hand("emerald_2").click()
    expect(trays.locator(".nk-small")).to_have_count(2)
    expect(page.locator(".tray footer").first).to_contain_text("If you sell:")
    table.hand("king").click()  # with two gems, it asks which
    page.get_by_role("button", name="King on emerald").click()
    page.locator("[data-key=tray-ruby_1]").click()  # taken back; the others stay
    expect(trays.locator(".nk-small")).to_have_count(2)
    expect(page.locator("[data-key=tray-king_emerald]")).to_be_visible()
    table.press("Show 2 cards")
    expect(page.locator(".acts .nk-hint")).to_have_text("Waiting for Ben")


def test_below_the_tray_two_remarks_are_separated(open_table):
    table = open_table("t06-rings-and-banker")
    table.hand("emerald_2").click()
    table.hand("banker").click()
    expect(table.page.locator(".trays .note-line")).to_contain_text("+10 for each gem · Shields: the others")


def test_each_column_shows_what_is_known_of_the_others(open_table):
    scenario = load_scenario("necklace", "show-by-the-rules")
    state = scenario.state
    state.hand[BEN][Card.DIAMOND_2] = state.seen[BEN][Card.DIAMOND_2] = state.known[ADA][BEN][Card.DIAMOND_2] = 1
    state.size[BEN] += 1
    table = open_table(scenario)
    ruby, diamond = (table.page.locator(".tray", has_text=gem).locator(".rivals li") for gem in ("ruby", "diamond"))
    expect(diamond).to_contain_text("Ben: 2 known, perhaps more")
    expect(ruby).to_contain_text("Ben: 0 known, perhaps more")


def test_the_alchemist_is_asked_on_the_table(open_table):
    lays = ["1 lay diamond_2, lay emerald_1, commit", "2 lay ruby_2, lay amber_1, commit"]
    table = open_table("t07-alchemist-with", moves=[*lays, "0 lay ruby_3, lay diamond_1"])
    page = table.page
    table.press("Show 2 cards")
    expect(page.locator(".nk-small.turn")).to_have_count(2)
    expect(page.locator(".becomes")).to_have_count(0)
    expect(page.locator(".acts .button")).to_have_text(["No Alchemist"])
    page.locator("[data-key=turn-ruby_3]").click()
    expect(page.locator(".becomes")).to_have_count(2)
    assert axe_findings(page) == []
    page.locator("[data-key=turn-ruby_3]").click()  # not this card
    expect(page.locator(".becomes")).to_have_count(0)
    page.locator("[data-key=turn-ruby_3]").click()
    expect(page.locator("[data-key=into-diamond]")).to_contain_text("1 → 4")
    page.get_by_role("button", name="Alchemist: turn 3 rubies into diamond").click()
    expect(page.locator("ol.log")).to_contain_text("Ada’s Alchemist turns 3 rubies into diamond")


def test_in_the_log_a_sale_belongs_to_no_player(open_table):
    lays = ["1 lay diamond_1, commit", "2 lay amber_1, commit", "0 lay diamond_3"]
    table = open_table("t05-king-against-necklace", moves=lays)
    table.press("Show 1 card")
    while table.match.view(ADA, 0)["pending"] != [BEN]:  # the page answers for a hand without an Alchemist
        table.page.wait_for_timeout(50)
    table.others_play(BEN, "no_alchemist")
    turns = table.page.locator("ol.log > .turn")
    expect(turns.filter(has_text="Ada sells diamond")).to_have_count(1)
    expect(turns.filter(has_text="Ada sells diamond").locator("> .shield")).to_have_count(0)


def test_showing_nothing_needs_confirmation(open_table):
    table = open_table("show-by-the-rules")
    table.press("Show nothing")
    expect(table.page.locator(".acts .nk-hint")).to_have_text("You keep all your gems and sell nothing in this sale?")
    table.press("Choose cards")
    assert table.match.state.pending & 1 << ADA
    table.press("Show nothing")
    table.press("Show nothing")
    expect(table.page.locator(".acts .nk-hint")).to_have_text("Waiting for Ben")


@pytest.mark.parametrize(
    ("language", "lays", "text"),
    [("en", "", "Show nothing"), ("en", "0 lay ruby_1", "Show 1 card"), ("ja", "", "1枚も出さない")],
)
def test_in_text_the_move_that_ends_a_show_says_what_is_shown(open_table, language, lays, text):
    page = open_table("show-by-the-rules", moves=[lays] if lays else [], language=language).page
    page.keyboard.press("p")
    expect(page.get_by_role("button", name=text, exact=True)).to_be_visible()


def test_the_sale_step_by_step(open_table):
    lay_moves = [
        "0 lay diamond_3, lay diamond_2, ring diamond, ring diamond, commit",
        "1 lay diamond_1, lay ruby_2, king diamond, commit",
        "2 lay amber_1, lay amber_1, lay amber_1, lay ruby_1, lay diamond_1, necklace diamond",
    ]
    table = open_table("t05-king-against-necklace", CLEO, moves=lay_moves)
    table.press("Show 6 cards")
    results = table.page.locator(".results")
    expect(results).to_be_visible()
    explanation = results.locator(".why")
    for step, text in (
        ("Shown", "turns over at once"),
        ("Rarity", "+30, +20, +10, +0"),
        ("Price of a gem", "Rarity and fashion together"),
        ("Sold", "The Queen’s Necklace makes the King on diamond void."),
        ("Gifts", "Ben pays 50 pounds to Cleo"),
    ):
        results.locator(".steps button", has_text=step).click()
        expect(explanation).to_contain_text(text)
    results.locator("[data-key=lot-0-diamond]").click()
    expect(explanation).to_contain_text("(5 + 2 rings) × 30 = 210")
    results.locator("[data-key=price-diamond]").click()
    expect(explanation).to_contain_text("diamond: 30 for fashion + 0 for rarity = 30 pounds for each gem")
    log = table.page.locator("ol.log")
    expect(log).to_contain_text("Ada sells diamond for 210 pounds")
    expect(log).to_contain_text("Ben pays Cleo 50 pounds")
    assert axe_findings(table.page) == []
    table.press("Go on")
    expect(results).to_have_count(0)
    table.press("Last sale")
    expect(results).to_be_visible()


SALE_MOVES = [
    "0 lay diamond_3, lay diamond_2, ring diamond, ring diamond, commit",
    "1 lay diamond_1, lay ruby_2, king diamond, commit",
    "2 lay amber_1, lay amber_1, lay amber_1, lay ruby_1, lay diamond_1, necklace diamond",
]
SALE_ANIMATIONS = """document.querySelector('.results').getAnimations({subtree: true})
    .filter((a) => !(a instanceof CSSAnimation) && !(a instanceof CSSTransition)).length"""


def open_sale(open_table, **browser_options):
    """Open a table where the last show is made; then it is this seat's turn."""
    scenario = load_scenario("necklace", "t05-king-against-necklace", SALE_MOVES)
    scenario.state.active = BEN
    scenario.state.row[:] = [Card.RING] * 5
    table = open_table(scenario, CLEO, **browser_options)
    table.press("Show 6 cards")
    return table


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_no_rule_is_drawn_between_what_was_shown_and_its_income(open_table, size):
    """On a phone a cell breaks there, and the rule would begin a line."""
    incomes = open_sale(open_table, size=size).page.locator(".results .lot strong")
    expect(incomes.first).to_be_visible()
    for income in incomes.all():
        expect(income).to_have_css("border-left-width", "0px")
        expect(income).to_have_css("border-right-width", "0px")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_after_a_sale_the_next_player_goes_on_when_they_want(open_table, size):
    table = open_sale(open_table, size=size)
    page = table.page
    expect(page.locator(".now")).to_contain_text("The sale is over")
    expect(page.locator(".results")).to_be_visible()
    assert page.evaluate(SALE_ANIMATIONS) == 0, "animations are off"
    table.press("Go on")
    expect(page.locator(".results")).to_have_count(0)
    expect(page.locator(".now")).to_contain_text("Buy at least one card")


def test_a_purchase_closes_the_sale(open_table):
    table = open_sale(open_table)
    table.offer(1).click()
    expect(table.page.locator(".results")).to_have_count(0)


@pytest.mark.parametrize("seat", [ADA, None], ids=["player", "spectator"])
def test_the_next_players_move_closes_the_sale_only_for_spectators(open_table, seat):
    scenario = load_scenario("necklace", "t05-king-against-necklace", SALE_MOVES)
    scenario.state.active = BEN
    scenario.state.row[:] = [Card.RING] * 5
    table = open_table(scenario, seat)
    results = table.page.locator(".results")
    table.others_play(CLEO, "commit")
    expect(results).to_be_visible()
    table.others_play(CLEO, "buy 1 ring")
    expect(table.page.locator("ol.log")).to_contain_text("Cleo buys")
    expect(results).to_have_count(0 if seat is None else 1)
    if seat is not None:
        table.press("Go on")
        expect(results).to_have_count(0)


def test_a_sale_is_played_and_can_be_skipped(open_table):
    table = open_sale(open_table, speed="slow")
    page, income = table.page, table.page.locator("[data-key=lot-0-diamond] strong")
    page.wait_for_function(f"document.querySelector('.results') && {SALE_ANIMATIONS} > 0")
    assert income.evaluate("element => getComputedStyle(element).opacity") == "0", "the outcome is hidden at first"
    expect(page.locator("[data-key=sum-0]")).to_have_text("0")
    expect(page.locator(".results tr.total")).to_have_css("opacity", "0")  # nothing is counted yet
    page.locator(".results h2").click()
    expect(page.locator("[data-key=sum-0]")).to_have_text("210")
    expect(income).to_have_css("opacity", "1")
    expect(page.locator(".results tr.total")).to_have_css("opacity", "1")
    page.wait_for_function(f"{SALE_ANIMATIONS} === 0")
    expect(page.locator(".results [data-recent]")).to_have_count(0)  # a report is no change on the table
    table.press("Go on")


def test_what_follows_a_sale_waits_until_the_reader_goes_on(open_table):
    scenario = load_scenario("necklace", "t05-king-against-necklace", SALE_MOVES)
    scenario.state.active = BEN
    scenario.state.row[:] = [Card.RING] * 5
    table = open_table(scenario, ADA, speed="normal")
    page, log, results = table.page, table.page.locator("ol.log"), table.page.locator(".results")
    table.others_play(CLEO, "commit")
    expect(results).to_be_visible()
    table.others_play(CLEO, "buy 1 ring")  # while the sale is played
    page.locator(".results h2").click()
    expect(page.locator(".skip")).to_have_count(0)
    expect(log).to_contain_text("Ben pays Cleo 50 pounds")
    table.others_play(CLEO, "end")
    expect(page.locator(".now.mine")).to_contain_text("Your turn")
    page.locator("[data-key=lot-0-diamond]").click()
    expect(results.locator(".why")).to_contain_text("(5 + 2 rings)")
    expect(log).not_to_contain_text("Cleo buys")
    expect(page.locator(".row [data-key^=slot] .gold-ring")).to_have_count(5)
    table.press("Go on")
    expect(results).to_have_count(0)
    expect(log).to_contain_text("Cleo ends the turn")
    expect(page.locator(".now.mine")).to_contain_text("Buy at least one card")


@pytest.mark.parametrize("has_choice", [False, True], ids=["answered by itself", "to be answered"])
def test_a_question_after_a_sale_leaves_the_sale_until_the_reader_goes_on(open_table, has_choice):
    """The card that is turned up next may ask its reader, whose only answer is given without them."""
    scenario = load_scenario("necklace", "t05-king-against-necklace", SALE_MOVES)
    state = scenario.state
    state.active, state.back = ADA, Phase.REFILL
    state.row[:] = [Card.RING] * 4 + [EMPTY]
    for card in range(GEM_KINDS, KINDS):  # a gem is turned up
        state.pile -= state.deck[card]
        state.left -= state.deck[card]
        state.deck[card] = 0
    state.hand[ADA][Card.QUEEN if has_choice else Card.THIEF] += 1
    state.size[ADA] += 1
    state.unknown[ADA] += 1
    table = open_table(scenario, ADA, speed="normal")
    page, results = table.page, table.page.locator(".results")
    table.others_play(CLEO, "commit")
    expect(results).to_be_visible()
    page.locator(".results h2").click()
    expect(page.locator("ol.log")).to_contain_text("Ben pays Cleo 50 pounds")
    for _ in range(400):
        if table.match.cues(None)[-1]["verb"] == "decline" or has_choice and table.match.state.phase == Phase.QUEEN:
            break
        page.wait_for_timeout(50)
    assert any(cue["verb"] == "decline" for cue in table.match.cues(None)) is not has_choice
    expect(results).to_be_visible()
    table.press("Go on")
    expect(results).to_have_count(0)
    if has_choice:
        expect(page.locator(".now.mine")).to_contain_text("Queen")


def test_the_last_sale_stays_below_the_result(open_table):
    scenario = load_scenario("necklace", "t05-king-against-necklace", SALE_MOVES)
    scenario.state.sales, scenario.state.merchants = 2, 3
    table = open_table(scenario, CLEO)
    table.press("Show 6 cards")
    expect(table.page.locator(".end")).to_be_visible()
    expect(table.page.locator(".results")).to_be_visible()


def test_a_card_laid_openly_is_seen_and_stays(open_table):
    table = open_table("show-openly")
    page = table.page
    table.press("Openly")
    expect(page.locator(".acts .nk-hint")).to_contain_text("it cannot be taken back")
    table.hand("ruby_1").click()
    expect(page.locator("[data-key=open-ruby_1] .seen")).to_have_text("Open")
    expect(page.locator(".manner [aria-pressed=true]")).to_have_text("Covered")  # the choice is reset for each card
    expect(page.locator("[data-key=openly-0]")).to_contain_text("Open")
    table.hand("emerald_2").click()
    expect(page.locator("[data-key=tray-emerald_2] .seen")).to_have_count(0)
    table.press("Openly")
    table.hand("king").click()
    expect(page.locator("[data-key=open-king_ruby]")).to_be_visible()  # with the only gem that is laid openly
    table.press("Take back all covered cards")
    expect(page.locator("[data-key=tray-emerald_2]")).to_have_count(0)
    expect(page.locator("[data-key=open-ruby_1]")).to_be_visible()
    expect(page.locator("ol.log")).to_contain_text("Ada lays a King on ruby openly")
    expect(page.get_by_role("button", name="Show 2 cards")).to_be_visible()
    assert axe_findings(page) == []


@pytest.mark.parametrize("seat", [BEN, None])
def test_others_see_what_is_laid_openly(open_table, seat):
    table = open_table("show-openly", seat, moves=["0 lay_open ruby_1, ring_open ruby, lay emerald_2"])
    open_cards = table.page.locator("[data-key=openly-0]")
    expect(open_cards).to_contain_text("1 ruby")
    expect(open_cards).to_contain_text("Ring")
    expect(open_cards.locator(".piece")).to_have_count(2)
    assert axe_findings(table.page) == []


def test_a_spectator_sees_the_sale_and_no_hand(open_table):
    table = open_table("show-by-the-rules", None)
    expect(table.page.locator(".ledger")).to_be_visible()
    expect(table.page.locator(".my-cards, .nk-small")).to_have_count(0)


def test_a_spectator_on_a_phone_reads_a_card_at_the_bottom(open_table):
    page = open_table("t12-budget", None, size=PHONE, touch=True).page
    expect(page.locator(".acts")).to_have_count(0)
    page.locator(".row .nk-card").last.tap()
    expect(page.locator(".acts .nk-detail")).to_be_visible()
    page.mouse.wheel(0, 10_000)  # at the end of the page it covers nothing
    assert all(
        card.evaluate(
            """element => {
                const {x, y, width, height} = element.getBoundingClientRect();
                return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
            }"""
        )
        for card in page.locator(".row .nk-card").all()
    )
    page.locator(".acts").tap()
    expect(page.locator(".acts")).to_have_count(0)


def test_a_gem_that_is_worth_nothing_says_so(open_table):
    """Ruby is the least fashionable and the least rare gem, so the player who shows most of it sells it for nothing."""
    lays = ["0 lay ruby_1, lay ruby_2, commit", "1 lay emerald_1"]
    table = open_table("worthless-ruby", BEN, moves=lays)
    table.press("Show 1 card")
    expect(table.page.locator(".now")).to_contain_text("The sale is over")  # it is Ben's turn
    table.page.locator("[data-key=lot-0-ruby]").click()
    expect(table.page.locator(".results .why")).to_have_text(
        "ruby: fashion +0 and rarity +0. It is worth nothing in this sale."
    )


def test_final_scores_are_pounds_without_the_tie_breaker(open_table):
    scenario = load_scenario("necklace", "nobody-shows", ["1 commit"])
    state = scenario.state
    state.tie_break, state.sales, state.merchants = 1, 2, 3
    state.income[0][ADA][0] = state.score[ADA] = 90
    state.income[0][BEN][0] = state.score[BEN] = 120
    table = open_table(scenario)
    table.hand("ruby_1").click()
    table.press("Show 1 card")
    expect(table.page.locator(".ranks .score")).to_have_text(["120 pounds", "120 pounds"])
    expect(table.page.locator(".ranks .place")).to_have_text(["1", "2"])


def test_numbers_at_the_end_have_one_form(open_table):
    scenario = load_scenario("necklace", "nobody-shows", ["1 commit"])
    state = scenario.state
    state.sales, state.merchants = 2, 3
    state.income[0][BEN][0], state.gifts[0][ADA], state.gifts[0][BEN] = 1050, -50, 50
    state.score[ADA], state.score[BEN] = -80, 1100  # and 30 for a ruby
    table = open_table(scenario)
    table.hand("ruby_1").click()
    table.press("Show 1 card")
    expect(table.page.locator(".ranks .score")).to_have_text(["1,100 pounds", "−50 pounds"])
    expect(table.page.locator(".necklace-outcome tbody .head").first.locator("td")).to_have_text(["−50", "1,100"])
    expect(table.page.locator(".necklace-outcome tfoot td")).to_have_text(["−50", "1,100"])


def test_points_above_a_thousand_count_up(open_table):
    scenario = load_scenario("necklace", "nobody-shows", ["1 commit"])
    state = scenario.state
    state.sales, state.merchants = 2, 3
    state.income[0][BEN][0] = state.score[BEN] = 1100
    table = open_table(scenario, speed="normal")
    table.page.evaluate("""() => new MutationObserver((changes) => {
        window.shownTexts ??= new Set();
        const score = document.querySelector(".ranks .score");
        if (score) shownTexts.add(score.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true })""")
    table.hand("ruby_1").click()
    table.press("Show 1 card")
    expect(table.page.locator(".ranks .score").first).to_have_text("1,100 pounds", timeout=30_000)
    shown = table.page.evaluate("[...shownTexts]")
    assert "0\xa0pounds" in shown and len(shown) > 2
    assert all(re.fullmatch(r"(0|[1-9]\d{0,2}|1,\d{3})\spounds", text) for text in shown), shown


@pytest.mark.parametrize(
    ("card_name", "prompt"),
    [
        ("courtier", "You can afford no card yet: a Courtier brings 3 more ducats."),
        ("favorite", "You can afford no card: play influence cards, or end the turn."),
        ("ring", "You can afford no card: end the turn."),
    ],
)
def test_the_prompt_when_no_card_is_affordable(open_table, card_name, prompt):
    scenario = load_scenario("necklace", "t12-budget")
    for card, name in enumerate(Card):
        scenario.state.hand[ADA][card] = int(name == card_name)
    for slot in range(1, 5):
        scenario.state.row[slot] = -1
    table = open_table(scenario)
    expect(table.page.locator(".now")).to_contain_text(prompt)


@pytest.mark.parametrize(
    ("language", "ducats_left", "prompt"),
    [
        ("en", 12, "12 ducats left: buy more, or end the turn."),
        ("en", 1, "1 ducat left: you can afford no more cards. End the turn."),
        ("ja", 1, "残り1デュカードでは買えません。手番を終えてください。"),
        ("en", 0, "No ducats left: end the turn."),
    ],
)
def test_the_prompt_after_a_purchase(open_table, language, ducats_left, prompt):
    scenario = load_scenario("necklace", "t12-budget", ["0 buy 4 ruby_3"])
    scenario.state.budget = ducats_left
    table = open_table(scenario, language=language)
    expect(table.page.locator(".now")).to_contain_text(prompt)


# --- layout ----------------------------------------------------------------------------------------------------------


# in both languages
LONGEST_NAMES = [
    "DIAMOND_2 EMERALD_2 ASTROLOGER QUEENS_NECKLACE MUSKETEER",
    "EMERALD_3 ALCHEMIST CONFESSOR DIAMOND_3 CARDINAL",
]


@pytest.mark.parametrize(
    ("situation", "cards", "language"),
    each_value_once(["on offer", "turned up for the queen", "beside a tray"], LONGEST_NAMES, ["en", "ja"]),
)
def test_the_longest_names_fit_on_the_counter(open_table, situation, cards, language):
    scenario = load_scenario(
        "necklace",
        "show-by-the-rules" if situation == "beside a tray" else "queen-only-for-the-row",
        ["0 buy 1 astrologer", "* draw ruby_3", "0 end", "* turn_up ruby_1"]
        if situation == "turned up for the queen"
        else [],
    )
    s = scenario.state
    s.row[:] = [getattr(Card, card) for card in cards.split()]
    if situation == "turned up for the queen":
        s.offered, s.row[0], s.hand[ADA][Card.QUEEN], s.size[ADA] = s.row[0], EMPTY, 1, 2
    page = open_table(scenario, language=language).page
    assert page.locator(".glow").count() == (situation == "turned up for the queen")
    expect(page.locator(".row > .nk-cell")).to_have_count(5)  # the revealed card is in the empty place
    expect(page.locator(".row .nk-card")).to_have_count(5)
    assert findings_in_every_font(page) == []


@pytest.mark.parametrize(
    ("language", "name", "moves"),
    [
        ("en", "show-by-the-rules", ["0 lay ruby_1, lay emerald_2, ring ruby"]),
        ("ja", "t12-budget", []),
        ("ja", "t14-cardinal", MERCHANT_MOVES),
    ],
)
def test_everything_can_be_reached_on_a_phone(open_table, language, name, moves):
    table = open_table(
        name, BEN if moves is MERCHANT_MOVES else ADA, moves=moves, language=language, size=PHONE, scheme="light"
    )
    page = table.page
    assert page.evaluate(OVERFLOW)[0] <= 0
    for element in page.locator(CLICKABLE).all():
        assert element.evaluate(IS_CLICKABLE), element.evaluate("element => element.outerHTML.slice(0, 200)")
    assert axe_findings(page) == []

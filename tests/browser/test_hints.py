"""Hints at a table on the screen. The test supplies the search's results: a different moment has a different hint."""

import json
import random
import re

import pytest
from local_table import LocalTable, load_scenario
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, MOVE, PHONE, axe_findings, resize
from test_whole_games import READY

from courtly.bots.browser_files import load_or_compile_files
from courtly.bots.shares import shares_to_percents
from courtly.engine.game import find_game
from courtly.games.petition.table import Card

BOARDS = [game for game in READY if (find_game(game).folder / "board" / "board.js").exists()]
CHANCES = [416, 306, 278]  # rounded one by one they would be 42, 31 and 28
REASONS = [
    {"id": "help-at-once", "args": {"counted": [{"name": "{first}", "n": 2}]}},
    {"id": "help-more", "args": {"counted": [{"name": "{first}", "n": 1.5}]}},
    {"id": "help-open", "args": {"name": "{first}", "low": 3, "high": 7}},
    {"id": "help-denies", "args": {"seat": 1, "percent": 6}},
    {"id": "help-helps", "args": {"seat": 2, "percent": 4}},
]


def with_machine_code(route):
    route.fulfill(json={**route.fetch().json(), "help_available": True})


def correct_help_status(socket):
    """Correct the server's statement that machine code is missing."""
    server = socket.connect_to_server()
    server.on_message(lambda message: socket.send(message.replace('"help":"missing"', '"help":"on"')))


class TableWithHints:
    """A table for three at which the first legal moves are the hints."""

    def __init__(self, table, game, hints=3, plain=False):
        self.page, self.game, self.hints = table.page, game, hints
        self.hinted_moves = []  # the moves of the last hints
        self.hints_given = []  # if set, given instead of hints with the first legal moves
        self.page.add_init_script("localStorage.setItem('courtly-hints', 'server')")
        self.page.route("**/advise", self._advise)
        self.page.route("**/api/games/*", with_machine_code)
        self.page.route_web_socket("**/ws/tables/*", correct_help_status)
        table.start(game, 3, plain=plain, help=True)
        table.wait_for_me()

    def _advise(self, route):
        request = route.request.post_data_json
        address = route.request.url.replace("/advise", f"/view?seat={request['seat']}")
        legal = self.page.request.get(address).json()["legal"]
        counted_name = find_game(self.game).counted[0]
        reasons = json.loads(json.dumps(REASONS).replace("{first}", counted_name))
        moves = legal[: self.hints] if request["hints"] else []
        self.hinted_moves = moves or self.hinted_moves
        hints = self.hints_given or [
            {"move": move, "wins": 430 - 9 * i, "margin": 17, "reasons": reasons} for i, move in enumerate(moves)
        ]
        route.fulfill(json={"wins": CHANCES, "margin": 21, "counted": True, "hints": hints})


@pytest.mark.parametrize("game", BOARDS)
def test_a_hint_shows_on_the_board_what_it_is_about_and_makes_no_move(person, game):
    table = person()
    table_with_hints = TableWithHints(table, game, hints=12)
    page = table.page
    expect(page.locator(".bar .odds")).to_be_visible()
    hints_shown = 0
    for number in range(5):
        table.wait_for_me()
        if table.over:
            break
        page.keyboard.press("h")
        hints = page.locator(".advised button")
        expect(hints.first).to_be_visible()
        state_before = page.locator("ol.log").count(), page.locator(".now").inner_text()
        for i, hint in enumerate(hints.all()):
            hint.click()
            expect(hint).to_have_attribute("aria-pressed", "true")
            assert page.locator("[data-hinted]").count(), f"nothing shows {table_with_hints.hinted_moves[i]}"
            hints_shown += 1
        hint.click()
        expect(page.locator("[data-hinted]")).to_have_count(0)
        assert (page.locator("ol.log").count(), page.locator(".now").inner_text()) == state_before
        page.keyboard.press("h")
        table.click_randomly(number, 1)
    assert hints_shown >= 5


# How much of the first marked element is covered: "" (nothing), "a part" or "the middle"; then of any marked element.
COVERED = """() => {
    const covered = (element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isAt = (x, y) => {
            const topmost = document.elementFromPoint(x, y);
            return element.contains(topmost) || Boolean(topmost?.contains(element));
        };
        if (!isAt((left + right) / 2, (top + bottom) / 2)) return "the middle";
        return [top + 2, bottom - 2].every((y) => isAt((left + right) / 2, y)) ? "" : "a part";
    };
    const hinted = [...document.querySelectorAll("#board [data-hinted]")];
    const found = hinted.filter((element) => element.getClientRects().length);
    if (!found.length) throw Error(`hidden: ${hinted.map((element) => element.outerHTML)}`);
    return [covered(found[0]), found.map(covered).find((part) => part) ?? "", found[0].outerHTML.slice(0, 90)];
}"""


@pytest.mark.parametrize("game", BOARDS)
def test_on_a_phone_the_page_scrolls_only_as_far_as_a_hint_needs(person, game):
    """What a hint marks is in view, and not behind the panel with the choices; if it was before, nothing moves."""
    table = person(size=PHONE, touch=True)
    TableWithHints(table, game, hints=12)
    page = table.page
    for number in range(3):
        table.wait_for_me()
        if table.over:
            break
        for position in range(12):
            page.keyboard.press("h")
            hint = page.locator(".advised button").nth(position)
            if not position:
                expect(hint).to_be_visible()
            elif not hint.count():
                page.keyboard.press("Escape")
                break
            page.evaluate("scrollTo(0, 0)")
            hint.click()
            expect(page.locator("[data-hinted]").first).to_be_attached()
            first, _, element = page.evaluate(COVERED)
            assert first != "the middle", element
            if page.evaluate("scrollY"):
                page.evaluate("scrollTo(0, 0)")
                assert page.evaluate(COVERED)[1], f"scrolled for nothing: {element}"
        page.evaluate("scrollTo(0, 0)")
        table.click_randomly(number, 1)


# an object that tells something about itself when it is tapped, and what it tells
NOTES = {
    "cardinal": (".thing:not(.open)", "#cardinal-note:not(.none)"),
    "necklace": (".row .nk-card", ".nk-detail"),
    "newtown": (".market .card", ".facts"),
    "petition": (".court .card", ".detail"),
}


@pytest.mark.parametrize("game", NOTES)
def test_on_a_phone_a_hint_or_a_tooltip_closes_the_note_about_an_object(person, game):
    table, (object, note) = person(size=PHONE, touch=True), NOTES[game]
    TableWithHints(table, game)
    page = table.page

    def open_note():
        page.evaluate("scrollTo(0, 0)")
        page.locator(object).first.dispatch_event("click")
        expect(page.locator(note)).to_be_visible()

    open_note()
    page.keyboard.press("h")
    page.locator(".advised button").first.tap()
    expect(page.locator("[data-hinted]").first).to_be_attached()
    expect(page.locator(note)).to_have_count(0)
    open_note()
    page.locator(".seats").evaluate("seats => { seats.title = 'the players'; }")
    page.evaluate("pageControl.waitUntilAtRest()")  # scrolling would close the tooltip
    page.locator(".seats").dispatch_event("pointerdown", {"pointerType": "touch", "clientX": 9, "clientY": 9})
    page.locator(".seats").dispatch_event("pointerup", {"pointerType": "touch", "clientX": 9, "clientY": 9})
    expect(page.locator("body > .hint")).to_have_text("the players")
    expect(page.locator(note)).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "opener", "sheet"),
    [("cardinal", ".ledger", ".sheet-scores"), ("necklace", ".papers .button", ".overview")],
)
def test_on_a_phone_a_hint_closes_the_sheet_that_covers_what_it_marks(person, game, opener, sheet):
    table = person(size=PHONE, touch=True)
    TableWithHints(table, game)
    page = table.page
    page.locator(opener).first.tap()
    expect(page.locator(sheet)).to_be_visible()
    page.keyboard.press("h")
    page.locator(".advised button").first.tap()
    expect(page.locator("[data-hinted]").first).to_be_visible()
    expect(page.locator(sheet)).to_have_count(0)


def test_what_speaks_against_the_best_move_is_said_as_such(person):
    table = person()
    page = table.page
    table_with_hints = TableWithHints(table, "petition", hints=2)
    legal = page.request.get(f"{page.url.replace('/t/', '/api/tables/')}/view?seat=0").json()["legal"]
    reasons = [{"id": "help-less", "args": {"counted": [{"name": "characters", "n": 2}]}}]
    table_with_hints.hints_given = [
        {"move": move, "wins": wins, "margin": 10, "reasons": reasons}
        for move, wins in zip(legal, (600, 400), strict=False)
    ]
    page.keyboard.press("h")
    expect(page.locator(".advised small")).to_have_count(2)
    best, other = page.locator(".advised small").all()
    expect(best).to_contain_text("less than after the other move, and yet it wins more often.")
    expect(other).to_contain_text("less than after the other move.")


def test_a_hint_shows_its_whole_plan(person):
    """What to keep, all of it marked on the board, and what that leads to."""
    table = person()
    page = table.page
    table_with_hints = TableWithHints(table, "petition", hints=2)
    for number in range(60):
        view = page.request.get(f"{page.url.replace('/t/', '/api/tables/')}/view?seat=0").json()
        keeps = [move for move in view["legal"] if move["verb"] == "keep"]
        twice = [move for move in keeps if view["state"]["active"][move["args"]["face"] - 1] > 1]
        if len(keeps) > 1 and twice:
            break
        table.click_randomly(number, 1)
        table.wait_for_me()
    kept = [next(move for move in keeps if move != twice[0]), twice[0]]
    claim = find_game("petition").moves.decode(find_game("petition").moves.claim + Card.KING).as_json()
    plan = [
        {"id": "help-plan", "args": {"moves": [kept[1], kept[1]]}},
        {"id": "help-aims", "args": {"aims": [{"move": claim, "percent": 60, "margin": 4}]}},
    ]
    table_with_hints.hints_given = [
        {"move": kept[0], "wins": 430, "margin": 17, "reasons": plan},
        {"move": kept[1], "wins": 420, "margin": 17, "reasons": []},
    ]
    page.keyboard.press("h")
    expect(page.locator(".advised button")).to_have_count(2)
    planned, single = page.locator(".advised button").all()
    expect(planned).to_contain_text(f"Then: Keep 2 × {kept[1]['args']['face']}.")
    expect(planned).to_contain_text("How such turns end: Take the King and the Queen")
    expect(planned).to_contain_text("60 % (± 4)")
    marked = page.locator("[data-hinted]")
    single.click()
    expect(single).to_have_attribute("aria-pressed", "true")
    marked_for_one = marked.count()
    planned.click()
    expect(planned).to_have_attribute("aria-pressed", "true")
    assert marked.count() > marked_for_one > 0
    expect(page.locator("#board [data-key^=active-][data-hinted]")).to_have_count(3)  # both dice of the face kept twice


def test_moves_that_read_the_same_are_one_hint(person):
    """Such as the use of one of two equal dice."""
    table = person()
    table_with_hints = TableWithHints(table, "petition", hints=2)
    legal = table.page.request.get(f"{table.page.url.replace('/t/', '/api/tables/')}/view?seat=0").json()["legal"]
    table_with_hints.hints_given = [
        {"move": move, "wins": 600 - i, "margin": 10, "reasons": []}
        for i, move in enumerate([legal[0], legal[0], legal[1]])
    ]
    table.page.keyboard.press("h")
    expect(table.page.locator(".advised button")).to_have_count(2)


def test_what_is_folded_up_is_marked_where_it_is_opened(person):
    """A green card's use is in a part of the board that opens on request."""
    table, scenario = person(), load_scenario("newtown", "w05-green")
    page = table.page
    page.add_init_script("localStorage.setItem('courtly-hints', 'server')")
    page.route("**/api/games/*", with_machine_code)

    class HintedTable(LocalTable):
        @property
        def info(self):
            return super().info | {"help": "on"}

    advice = {"wins": [500, 500], "margin": 20, "counted": True}
    page.route("**/advise", lambda route: route.fulfill(json=advice))
    local = HintedTable(table, scenario.game, scenario.state, 0)
    move = next(move for move in local.match.view(0)["legal"] if move["verb"] == "lawn")
    advice["hints"] = [{"move": move, "wins": 500, "margin": 20, "reasons": []}]
    page.keyboard.press("h")
    page.locator(".advised button").click()
    fold = page.locator(".card-use.green > summary")
    expect(fold).to_have_attribute("data-hinted", "")
    fold.click()
    expect(page.locator(".card-use.green button[data-hinted]")).to_have_count(1)
    expect(page.locator(".card-use.green > summary[data-hinted]")).to_have_count(0)


@pytest.mark.parametrize(("language", "size"), each_value_once(["en", "ja"], [DESK, PHONE]))
def test_hints_are_accessible(person, language, size):
    """No text is missing, axe finds no errors, and on a phone the bar has room for one more button."""
    table = person(language, size)
    TableWithHints(table, "puppet")
    page = table.page
    page.locator(".tools").get_by_role("button", name="Hint" if language == "en" else "ヒント").click()
    expect(page.locator(".advised button")).to_have_count(3)
    text = page.locator(".hints").inner_text()
    assert ("3–7" if language == "en" else "3〜7") in text
    assert "± " not in text
    assert "43" in text and "help-" not in text and "{" not in text and "counted" not in text
    assert axe_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    odds = page.locator(".bar .odds")
    assert "42" in odds.get_attribute("aria-label")
    page.keyboard.press("Escape")
    odds.focus()
    expect(odds.locator(".figures")).to_be_visible()
    assert axe_findings(page) == []


@pytest.mark.parametrize(
    ("chances", "sentence"),
    [
        ((430, 425, 420), "These moves are about equally good"),
        ((430, 425, 300), "The first two are about equally good"),
        ((430, 300, 200), ""),
    ],
)
def test_hints_within_the_margin_of_error_are_called_equal(person, chances, sentence):
    table = person()
    table_with_hints = TableWithHints(table, "puppet", plain=True)
    page = table.page
    legal = page.request.get(f"{page.url.replace('/t/', '/api/tables/')}/view?seat=0").json()["legal"]
    reason = {"id": "help-expected", "args": {"counted": [{"name": "points", "n": 1.5}, {"name": "gold", "n": -2}]}}
    table_with_hints.hints_given = [
        {"move": legal[i % len(legal)], "wins": wins, "margin": 17, "reasons": [reason]}
        for i, wins in enumerate(chances)
    ]
    page.keyboard.press("h")
    expect(page.locator(".advised button")).to_have_count(3)
    expect(page.locator(".advised button").first).to_contain_text(
        "By the next turn, on average: +1.5 points, −2 gold compared with now."
    )
    equal = page.locator(".hints [role=status]").get_by_text("about equally good")
    expect(equal).to_have_count(1 if sentence else 0)
    if sentence:
        expect(equal).to_contain_text(sentence)


def test_a_chance_of_all_or_nothing_has_no_margin(person):
    table = person()
    table_with_hints = TableWithHints(table, "puppet", plain=True)
    page = table.page
    legal = page.request.get(f"{page.url.replace('/t/', '/api/tables/')}/view?seat=0").json()["legal"]
    table_with_hints.hints_given = [
        {"move": legal[i % len(legal)], "wins": wins, "margin": 17, "reasons": []}
        for i, wins in enumerate((1000, 500, 2))
    ]
    page.keyboard.press("h")
    expect(page.locator(".advised button")).to_have_count(3)
    chances = [re.sub(r"\s", " ", text) for text in page.locator(".advised button > span").all_inner_texts()]
    assert chances == ["chance of winning 100 %", "chance of winning 50 % (± 2)", "chance of winning 0 %"]


def test_in_the_plain_rendering_a_hint_leads_to_the_moves_button(person):
    table = person()
    table_with_hints = TableWithHints(table, "necklace", plain=True)
    page = table.page
    page.keyboard.press("h")
    expect(page.locator(".advised button")).to_have_count(3)
    page.locator(".advised button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".move:focus")).to_have_attribute("data-move", str(table_with_hints.hinted_moves[1]["id"]))
    expect(page.locator("[data-hinted]")).to_have_count(1)


def test_the_menu_says_who_wants_help(person):
    ada, ben = person(), person()
    for guest in (ada, ben):
        guest.page.route("**/api/games/*", with_machine_code)
    ada.page.goto("/")
    table_info = ada.page.request.post(
        "/api/tables",
        data={"game": "puppet", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}], "help_consent": True},
    ).json()
    ada.page.goto(f"/t/{table_info['id']}")
    expect(ada.page.locator(".agreement [aria-pressed=true]")).to_have_text("yes")
    ben.page.goto(f"/t/{table_info['id']}")
    ben.page.get_by_role("button", name="Sit here").click()
    expect(ben.page.locator(".seats .seat")).to_have_count(2)
    ben.page.get_by_role("button", name="Menu").click()
    expect(ben.page.locator(".agreement")).to_contain_text("Yes so far: Lion")
    expect(ben.page.locator(".agreement [aria-pressed=true]")).to_have_text("no")
    ben.page.locator(".agreement").get_by_role("button", name="yes").click()
    expect(ben.page.locator(".agreement")).to_contain_text("Lion, Eagle")


def test_against_bots_alone_help_is_offered(person):
    page = person().page
    page.route(
        "**/api/games?brief=true",
        lambda route: route.fulfill(json=[{**game, "help_available": True} for game in route.fetch().json()]),
    )
    page.goto("/")
    page.locator("[data-game=puppet]").click()
    box = page.get_by_label("Hints and chances of winning")
    expect(box).to_be_checked()
    page.locator(".seat-list select").last.select_option("open")
    expect(box).not_to_be_checked()
    expect(page.locator(".new-table")).to_contain_text("Only if all players say yes.")


def test_hints_do_not_move_a_small_layout(person):
    """In a low or narrow window, hints do not move other elements."""
    table = person()
    TableWithHints(table, "puppet")
    page = table.page
    for size in ((1100, 620), (768, 1024), PHONE):
        resize(page, size)
        expect(page.locator(".bar .odds")).to_be_visible()
        with_odds = page.locator(".stage").bounding_box()
        page.evaluate("document.querySelector('.bar .odds').remove()")
        assert page.locator(".stage").bounding_box() == with_odds
        page.reload()
        table.wait_for_me()


def start_with_device_hints(person, game="puppet"):
    """Return a table at which this device computes hints, and the list of requests for the server's."""
    load_or_compile_files(find_game(game))
    table, requests = person(), []
    table.page.route("**/advise", lambda route: requests.append(route.request.post_data_json) or route.abort())
    table.page.route("**/api/games/*", with_machine_code)
    table.page.route_web_socket("**/ws/tables/*", correct_help_status)
    table.start(game, 3, plain=True, help=True)
    table.wait_for_me()
    return table, requests


def test_hints_are_computed_on_the_device(person):
    """The server is not asked. Only the settings make it compute them."""
    table, requests = start_with_device_hints(person)
    page = table.page
    expect(page.locator(".bar .odds")).to_be_visible()
    page.keyboard.press("h")
    expect(page.locator(".advised button").first).to_be_visible()
    expect(page.locator(".advised button").first).to_contain_text("%")
    page.locator(MOVE).first.click()  # hints belong to one decision
    expect(page.locator(".advised button")).to_have_count(0)
    table.wait_for_me()
    assert requests == []
    page.evaluate("localStorage.setItem('courtly-hints', 'server')")
    page.reload()
    expect(page.locator(".is-plain")).to_be_visible()
    table.wait_for_me()
    with page.expect_request("**/advise"):
        page.keyboard.press("h")


def test_the_server_helps_a_device_that_cannot_compute_hints(person):
    table, _ = start_with_device_hints(person)
    page = table.page
    page.route("**/compiled/**", lambda route: route.abort())
    page.reload()
    expect(page.locator(".is-plain")).to_be_visible()
    table.wait_for_me()
    with page.expect_request("**/advise"):
        page.keyboard.press("h")


PREVIEWS = """async ({ game, table, moves }) => {
  const file = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/web/core/http-client.js"));
  const { previewOnDevice } = await import(file.name.replace("core/http-client.js", "local/device-games.js"));
  const view = await (await fetch(`/api/tables/${table}/view?seat=0`)).json();
  let found;
  while (found === undefined) {
    await new Promise(requestAnimationFrame);
    found = await previewOnDevice(game, view, moves(view).map(({ id }) => id));
  }
  const answer = await fetch(`/api/tables/${table}/preview`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ seat: 0, seq: view.seq, moves: moves(view).map(({ id }) => id) }),
  });
  return [found, await answer.json()];
}"""


@pytest.mark.parametrize("game", ["puppet", "necklace"])
def test_a_device_previews_moves_as_the_server_does(person, game):
    """What moves lead to is known without asking the server, from what the player sees."""
    table, requests = start_with_device_hints(person, game)
    table_id = table.page.url.rpartition("/")[2]
    for moves in ("({ legal }) => legal.slice(0, 1)", "({ legal }) => legal.slice(-1)"):
        program = PREVIEWS.replace("moves }", "}").replace("{\n", f"{{\n  const moves = {moves};\n", 1)
        found, expected = table.page.evaluate(program, {"game": game, "table": table_id})
        assert found == (None if "error" in expected else expected)


def test_chances_shown_together_add_up_to_100(person):
    """The same as in Python, and on the panel."""
    table = person()
    TableWithHints(table, "puppet")
    page = table.page
    generator = random.Random(5)
    weights = [[generator.random() for _ in range(generator.randint(2, 6))] for _ in range(300)]
    shares = [[weight / sum(row) for weight in row] for row in weights]
    percents = page.evaluate(
        """async (shares) => {
            const router = document.querySelector("script[type=module]").src;
            const { sharesToPercents } = await import(router.replace("router.js", "core/percentages.js"));
            return shares.map(sharesToPercents);
        }""",
        shares,
    )
    assert percents == [shares_to_percents(row) for row in shares]
    page.keyboard.press("h")
    figures = page.locator(".hints .figures li b")
    expect(figures).to_have_count(3)
    shown = [int(text.removesuffix(" %").strip("%\u00a0 ")) for text in figures.all_text_contents()]
    assert sum(shown) == 100, shown
    told = page.locator(".bar .odds").get_attribute("aria-label")
    assert sum(map(int, re.findall(r"(\d+)\s%", told))) == 100, told

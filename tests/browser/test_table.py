"""The shell of a table, tested with sealed bids and To Court the King."""

import json
import random
import re

import pytest
from layout import elements_covered_by
from local_table import SCENARIOS, show_scripted_table, table_info
from playwright.sync_api import expect
from table import DESK, DRAWINGS_AFTER_THE_BOARD, MOVE, PHONE, TABLET, resize
from test_in_view import BOARDS
from test_whole_games import min_players

from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance


def test_a_lost_connection_is_reconnected(person):
    table = person()
    sockets, offline = [], []

    def connect(socket):
        if offline:
            socket.close(code=1011)
        else:
            sockets.append((socket, socket.connect_to_server()))

    table.page.route_web_socket(re.compile("/ws/tables/"), connect)
    table.start("sealed_bids", plain=True)
    table.wait_for_me()
    offline.append(True)
    for side in sockets[-1]:
        side.close(code=1011)
    expect(table.page.get_by_text("The connection was lost")).to_be_visible()
    offline.clear()
    expect(table.page.get_by_text("The connection was lost")).to_have_count(0)
    table.play_by_keyboard()


def test_an_undo_that_is_not_possible_says_when_it_would_be(person):
    table = person()
    table.start("petition", 2)
    table.wait_for_me()
    undo = table.page.get_by_role("button", name="Undo").first
    expect(undo).to_be_disabled()
    undo.click(force=True)
    expect(table.page.get_by_text("There is nothing to take back.")).to_be_visible()


def test_undo_takes_a_choice_back(person):
    table = person()
    table.start("sealed_bids", plain=True)
    table.wait_for_me()
    while not table.page.get_by_role("button", name="Undo").first.is_enabled():
        table.click(MOVE)
        table.wait_for_me()
    log = table.page.locator(".side .log")
    table.page.keyboard.press("u")
    expect(log).to_contain_text("takes the last move back")


def hot_seat(person, game):
    table = person()
    page = table.page
    page.goto("/")
    page.locator(f"[data-game={game}]").click()
    page.locator(".new-table .choice button", has_text=re.compile("^2$")).first.click()
    page.get_by_label("Your name").fill("Ada")
    page.locator(".seat-list select").nth(1).select_option("local")
    page.get_by_label("Their name").fill("Ben")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")
    return table


def test_on_one_device_a_curtain_hides_the_hands(person):
    table = hot_seat(person, "sealed_bids")
    page = table.page
    curtains = 0
    for _ in range(400):
        table.wait_for_me()
        if table.over:
            break
        if page.locator(".curtain").count():
            curtains += 1
            assert page.locator(".move").count() == 0
            assert "hand:" not in page.locator("body").inner_text()
            page.locator(".curtain .button").click()
        else:
            page.locator(MOVE).last.click()
    assert table.over
    assert curtains > 3


def test_on_one_device_an_open_game_needs_no_curtain(person):
    table = hot_seat(person, "petition")
    expect(table.page.locator(".seats .seat")).to_have_count(2)
    table.plain()
    names = set()
    for _ in range(40):
        table.wait_for_me()
        names.add(table.page.locator(".seat.me .name").inner_text())
        table.page.locator(MOVE).first.click()
    assert names == {"Ada", "Ben"}
    assert table.page.locator(".curtain").count() == 0


def test_settings_take_effect_at_once_and_are_remembered(person):
    table = person()
    table.start("petition", plain=True)
    page = table.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="日本語").click()
    expect(page.locator(".bar h1")).to_have_text("王への請願")
    expect(page.get_by_role("dialog").locator("h2")).to_have_text("メニュー")
    page.get_by_role("button", name="昼").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    page.reload()
    expect(page.locator(".bar h1")).to_have_text("王への請願")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_the_rules_beside_the_table(person):
    table = person()
    table.start("petition")
    table.page.keyboard.press("r")
    expect(table.page.locator(".side .rules h2").first).to_be_visible()
    expect(table.page.locator(".side")).to_contain_text("unofficial implementation")
    expect(table.page.locator("#board")).to_be_visible()


def test_the_shortcuts_are_listed(person):
    table = person()
    table.start("petition")
    table.page.keyboard.press("?")
    expect(table.page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_a_phone_never_scrolls_sideways(person):
    table = person("ja", PHONE)
    table.start("petition", players=5)
    table.wait_for_me()
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    table.page.goto("/")
    expect(table.page.locator(".door").first).to_be_visible()
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize("game", [game for game in BOARDS if 2 in find_game(game).players])
def test_two_players_are_seen_on_a_phone(person, game):
    table = person(size=PHONE, touch=True)
    table.start(game, 2)
    row = table.page.locator(".seats ul")
    expect(row.locator(".seat")).to_have_count(2)
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth + 1")
    assert all(box["width"] > 20 for box in (name.bounding_box() for name in row.locator(".name").all()))


@pytest.mark.parametrize("game", BOARDS)
def test_on_a_phone_a_message_covers_nothing_and_a_tap_closes_it(person, game):
    """It is in the bar, in place of the prompt."""
    table = person(size=PHONE, touch=True)
    table.start(game, min_players(game))
    table.wait_for_me()
    page = table.page
    page.locator(".tools").get_by_role("button", name="Undo").click(force=True)
    message = page.locator(".note")
    expect(message).to_contain_text("nothing to take back")
    assert elements_covered_by(page, ".note", ".seat, #board, .tools, .bar h1") == []
    expect(page.locator(".now")).to_be_hidden()
    message.tap()
    expect(message).to_have_count(0)
    expect(page.locator(".now")).to_be_visible()


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("size", [DESK, TABLET, (1100, 620), (740, 360)])
def test_on_a_larger_screen_a_message_covers_nothing(person, game, size):
    table = person(size=size)
    table.start(game, min_players(game))
    table.wait_for_me()
    page = table.page
    page.keyboard.press("u")
    expect(page.locator(".note")).to_contain_text("nothing to take back")
    box, bar = page.locator(".note").bounding_box(), page.locator(".bar").bounding_box()
    assert bar["y"] <= box["y"] and box["y"] + box["height"] <= bar["y"] + bar["height"]
    assert elements_covered_by(page, ".note", ".home, .tools, .bar h1") == []


@pytest.mark.parametrize("size", [PHONE, (390, 844)])
@pytest.mark.parametrize("game", BOARDS)
def test_on_a_phone_the_row_of_players_shows_that_there_are_more(person, game, size):
    """The edge that cuts it is faded; the player whose turn it is comes into view."""
    page, game, rng = person(size=size).page, find_game(game), random.Random(4)
    match = Match(game, max(3, game.players[0]), None, SeededChance(4))
    info, last = table_info(match, 0), match.players - 1
    view = {"type": "view", "view": match.view(0)}
    show_scripted_table(page, info, [{"type": "table", "table": info}, view])
    row = page.locator(".seats ul")
    expect(row.locator(".seat")).to_have_count(match.players)
    while match.pending != (last,):
        seen = match.seq(0)
        match.play(match.pending[0], rng.choice(match.legal(match.pending[0])))
        page.evaluate("message => receiveMessage(message)", {"type": "view", "view": match.view(0, seen)})
    if not row.evaluate("row => row.scrollWidth > row.clientWidth + 1"):
        expect(row).to_have_css("mask-image", "none")
        return
    expect(row).not_to_have_css("mask-image", "none")
    end, port = row.locator(".seat.pending").bounding_box(), row.bounding_box()
    assert port["x"] <= end["x"] and end["x"] + end["width"] <= port["x"] + port["width"] + 1
    for left, faded in ((0, r"\) 0px, .*calc\(100% - 36px\)"), (9999, r"\) 36px, .*\) (100%|calc\(100% . 0px\)),")):
        row.evaluate("(row, left) => row.scrollTo({ left, behavior: 'instant' })", left)
        expect(row).to_have_css("mask-image", re.compile(faded), timeout=5000)


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_sha256_and_hmac_are_correct(person, length):
    import hashlib
    import hmac

    page = person().page
    page.goto("/")
    message, key = bytes(i * 7 % 256 for i in range(length)), bytes(range(length % 100))
    digests = page.evaluate(
        """async ([message, key]) => {
        const base = document.querySelector("script[type=module]").src.replace("router.js", "core/sha256.js");
        const { sha256, hmac, toHex, fromHex } = await import(base);
        return [toHex(sha256(fromHex(message))), toHex(hmac(fromHex(key), fromHex(message)))];
    }""",
        [message.hex(), key.hex()],
    )
    assert digests == [hashlib.sha256(message).hexdigest(), hmac.digest(key, message, "sha256").hex()]


def test_a_tap_shows_the_tooltip(person):
    table = person(size=PHONE, touch=True)
    table.start("cardinal", 3)
    number, hint = (
        table.page.locator(".cardinal-seat .number [title], .cardinal-seat .number[title]").first,
        table.page.locator(".hint"),
    )
    number.tap()
    expect(hint).to_have_text(number.get_attribute("title"))
    table.page.locator(".seats").tap(position={"x": 2, "y": 2})
    expect(hint).to_have_count(0)


@pytest.mark.parametrize("game", BOARDS)
def test_a_page_preloads_all_its_modules(person, game):
    table = person()
    table.start(game, min_players(game))
    table.page.reload()
    table.wait_for_me()
    preloaded, requested = (
        table.page.evaluate("""[[...document.querySelectorAll("link[rel=modulepreload]")].map(({href}) => href),
        performance.getEntriesByType("resource").map(({name}) => name).filter((name) => name.endsWith(".js"))]""")
    )
    classic_scripts = table.page.evaluate(
        "[...document.querySelectorAll('script[src]:not([type=module])')].map(({src}) => src)"
    )
    scripts = {name for name in requested if not name.endswith(DRAWINGS_AFTER_THE_BOARD)}
    assert set(preloaded) == scripts - set(classic_scripts)
    contents = table.page.evaluate("""performance.getEntriesByType("resource")
        .filter(({name}) => /\\.ftl$|api\\/(tables|games)\\//.test(name))
        .map(({name, initiatorType}) => [new URL(name).pathname.split("/").slice(-2).join("/"), initiatorType])""")
    table_id = table.page.url.rsplit("/", 1)[1]
    assert sorted(contents) == sorted(
        [path, "link"] for path in ("web/en.ftl", f"{game}/en.ftl", f"games/{game}", f"tables/{table_id}")
    ), "the page's scripts wait for no request that could begin before them"


def test_a_tap_beside_the_panel_closes_it_and_does_nothing_else(person):
    table = person(size=PHONE, touch=True)
    table.start("petition")
    table.wait_for_me()
    page, panel = table.page, table.page.locator(".side")
    page.locator(".tools button", has_text="Log").tap()
    expect(panel).to_be_visible()
    page.touchscreen.tap(20, 20)  # outside the drawer, this is the link to the lobby
    expect(panel).to_be_hidden()
    assert "/t/" in page.url
    page.locator(".tools button", has_text="Log").tap()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_icon_buttons_have_a_label(person):
    table = person(size=(1000, 700))
    table.start("petition")
    for name in ("Undo", "Log", "Rules", "As text", "Menu"):
        tool = table.page.get_by_role("button", name=name)
        expect(tool).to_be_visible()
        assert tool.inner_text() == ""


def test_a_lost_network_is_reported_and_the_game_goes_on_afterwards(person):
    table = person()
    offline = []  # Chromium allows new sockets even when offline
    table.page.route_web_socket(
        re.compile("/ws/tables/"), lambda socket: socket.close() if offline else socket.connect_to_server()
    )
    table.start("petition")
    table.wait_for_me()
    notice = table.page.locator(".lost")
    offline.append(True)
    table.page.context.set_offline(True)
    expect(notice).to_be_visible()
    offline.clear()
    table.page.context.set_offline(False)
    expect(notice).to_have_count(0)
    table.page.get_by_role("button", name="Keep all").click()
    expect(table.page.locator(".now")).to_contain_text("Claim")


def test_on_a_phone_a_lost_network_is_reported_below_the_bar_wherever_the_page_is_scrolled(person):
    table = person(size=PHONE, touch=True)
    page, offline = table.page, []
    page.route_web_socket(
        re.compile("/ws/tables/"), lambda socket: socket.close() if offline else socket.connect_to_server()
    )
    table.start("puppet", 3)
    table.wait_for_me()
    offline.append(True)
    page.context.set_offline(True)
    expect(page.locator(".lost")).to_be_visible()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_function("scrollY > 100")
    bar, notice = page.locator(".bar").bounding_box(), page.locator(".lost").bounding_box()
    assert notice["y"] == pytest.approx(bar["y"] + bar["height"], abs=1)
    assert page.locator(".lost").evaluate(
        "notice => notice.contains(document.elementFromPoint(innerWidth / 2, notice.getBoundingClientRect().top + 5))"
    )


def test_a_restart_is_announced_and_the_page_reconnects(person):
    table, sockets, offline = person(), [], []

    def connect(socket):
        if offline:
            socket.close(code=1011)
        else:
            sockets.append((socket, socket.connect_to_server()))

    table.page.route_web_socket(re.compile("/ws/tables/"), connect)
    table.start("petition")
    table.wait_for_me()
    offline.append(True)
    for side in sockets[-1]:
        side.close(code=1012)
    notice = table.page.locator(".lost")
    expect(notice).to_contain_text("The server is being restarted")
    offline.clear()
    expect(notice).to_have_count(0)
    table.page.get_by_role("button", name="Keep all").click()
    expect(table.page.locator(".now")).to_contain_text("Claim")


def test_servers_of_two_versions_do_not_cause_a_reload_loop(person):
    table, sockets = person(), []

    def connect(socket):
        socket.connect_to_server()
        sockets.append(socket)

    page = table.page
    page.route_web_socket(re.compile("/ws/tables/"), connect)
    table.start("petition")
    table.wait_for_me()
    page.evaluate("window.here = true")
    with page.expect_event("load"):
        sockets[-1].send(json.dumps({"type": "page", "hash": "0123456789abcdef"}))
    table.wait_for_me()
    assert page.evaluate("window.here") is None
    page.evaluate("window.here = true")
    for page_hash in ("0123456789abcdef", "fedcba9876543210"):
        sockets[-1].send(json.dumps({"type": "page", "hash": page_hash}))
    page.get_by_role("button", name="Keep all").click()
    expect(page.locator(".now")).to_contain_text("Claim")
    assert page.evaluate("window.here")


def test_a_dead_connection_is_replaced_and_the_move_resent(person):
    table = person(uncached=True)
    page, sockets = table.page, []

    def connect(socket):
        server = socket.connect_to_server()
        sockets.append(socket)
        is_first = len(sockets) == 1
        socket.on_message(lambda message: is_first and '"moves"' in message or server.send(message))

    page.route_web_socket(re.compile("/ws/tables/"), connect)
    page.clock.install()
    table.start("petition")
    table.wait_for_me()
    page.get_by_role("button", name="Keep all").click()
    expect(page.locator(".sending")).to_be_visible()
    page.clock.fast_forward(9_000)
    expect(page.locator(".now")).to_contain_text("Claim")
    assert len(sockets) == 2


def test_the_log_in_a_drawer_is_rendered_only_while_open(person):
    """The log may be the largest part of the page, and each move would redraw it."""
    table = person(size=PHONE)
    table.start("necklace")
    page = table.page
    table.wait_for_me()
    expect(page.locator("ol.log")).to_have_count(0)
    page.keyboard.press("l")
    expect(page.locator("ol.log :is(summary, li li)").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("ol.log")).to_have_count(0)
    resize(page, DESK)
    expect(page.locator("ol.log :is(summary, li li)").first).to_be_visible()


def test_the_log_follows_lines_that_are_added_while_it_scrolls(person):
    """The event of the scrolling arrives after them. A reader who scrolls up stays there."""
    table = person()
    table.start("puppet", 2)
    page = table.page
    scroll = page.locator(".side .scroll")
    expect(scroll.locator(".log")).to_be_visible()
    change = """async (scroll, [by, height]) => {
        scroll.scrollTop += by;
        const line = Object.assign(document.createElement("p"), { style: `height: ${height}px` });
        scroll.querySelector(".log").append(line);
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        return scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight;
    }"""
    assert scroll.evaluate(change, [0, 2000]) < 2
    assert 2 < scroll.evaluate(change, [-10, 0]) < 24
    assert scroll.evaluate(change, [10, 200]) < 2
    assert scroll.evaluate(change, [-300, 200]) > 400


def test_the_log_ends_with_the_newest_turn_and_folds_long_ones(person):
    table = person()
    table.start("puppet", 2)
    page = table.page
    table.click_randomly(seed=4, max_clicks=40)
    table.wait_for_me()
    log, scroll = page.locator(".side .log"), page.locator(".side .scroll")
    expect(log.locator(".turn").last).to_be_in_viewport()
    assert scroll.evaluate("scroll => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 2")
    log.locator("details:not([open])").last.evaluate("fold => { fold.id = 'fold'; }")
    fold = page.locator("#fold")
    lines = fold.locator("li")
    assert lines.count() > 3 and not lines.first.is_visible()
    headline = fold.locator(".headline").inner_text()
    line_texts = [text.strip() for text in lines.all_text_contents()]
    assert headline.strip() in ["Setup", "All choose their servants", *line_texts]
    fold.locator("summary").click()
    expect(lines.first).to_be_visible()
    expect(fold.locator(".headline")).to_be_hidden()
    fold.locator("summary").click()
    expect(lines.first).to_be_hidden()


OUTCOMES = """async ([game, records]) => {
    const router = document.querySelector("script[type=module]").src;
    const load = (path) => import(router.replace("router.js", path));
    const [log, { BoardContext }, { gameUrl, loadCatalogues }] =
        await Promise.all(["game-view/log.js", "board-sdk/board-context.js", "core/i18n.js"].map(load));
    const [board, about] = await Promise.all([
        import(new URL("board/board.js", gameUrl(game)).href),
        fetch(`/api/games/${game}`).then((response) => response.json()),
        loadCatalogues(game),
    ]);
    const seats = ["Ada", "Ben", "Cleo", "Dan"].map((name, seat) => ({ seat, name }));
    const ui = new BoardContext(about, { seats: () => seats });
    ui.view = { over: true };
    return records.flatMap((cues) => {
        const turns = log.groupLines(cues, board, ui);
        return turns.flatMap((turn, at) => {
            if (turn.lines.length <= 3 || (at === 0 && turn.seat < 0)) return [];
            const line = log.findHeadline(turn.lines, board);
            return [[line?.cue.verb ?? "", log.describeOutcome(turns, at, board, ui), turn.lines.length]];
        });
    });
}"""


@pytest.mark.parametrize("game", BOARDS)
def test_the_headline_of_a_folded_turn_says_what_came_of_it(person, game):
    """In whole games, every folded turn has a line that says so, or a sentence."""
    page = person().page
    page.goto("/")
    records = sorted((SCENARIOS / game / "golden").glob("*.jsonl"))
    matches = [transcript.check(record.read_text(encoding="utf-8")) for record in records]
    views = [match.view(seat, 0)["cues"] for match in matches for seat in (0, None)]
    outcomes = page.evaluate(OUTCOMES, [game, views])
    assert len(outcomes) > 20
    assert [outcome for outcome in outcomes if not any(outcome[:2])] == []
    if game == "petition":
        sentences = [text for verb, text, _ in outcomes if not verb]
        assert any(re.fullmatch(r"\w+ takes the King with \d × \d", text) for text in sentences)
        assert any(re.fullmatch(r"\w+ reaches \d × \d: not enough for the King", text) for text in sentences)

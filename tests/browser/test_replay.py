"""Replays on the screen: positions by slider, keys, log and URL, from any viewpoint; replays of record files; the
replay of one's last turn; and the recap after an absence.
"""

import base64
import itertools
import json
import random
import re
import zlib
from functools import partial

import pytest
from layout import layout_findings
from local_table import NAMES, SCENARIOS, LocalTable, load_scenario, show_scripted_table, table_info
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes, resize
from test_hints import BOARDS
from test_names import RECORDS

from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.review.analysis import REVIEW_FORMAT

RECORD = SCENARIOS / "necklace" / "golden" / "thief-arrested.jsonl"
TEXTS = {
    "en": dict(
        open="Open a saved record",
        review="Review",
        turn="Turn",
        at="Position in the game",
        back="Back to my last turn",
        result="Back to the game",
    ),
    "ja": dict(
        open="保存した棋譜を開く",
        review="振り返り",
        turn="手番",
        at="ゲームの中の位置",
        back="前回の自分の手番に戻る",
        result="ゲームに戻る",
    ),
}


def play_against_bot(page, game="necklace", moves=100_000, until=lambda view: False):
    """Play up to `moves` moves against a bot, until the guest has a choice (the page answers by itself if there is only
    one move), or until this is true of the guest's view. Return the table.
    """
    requests = page.request
    requests.get("/api/me")
    players = find_game(game).players[0]
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (players - 1)]
    table = requests.post("/api/tables", data={"game": game, "players": players, "seats": seats}).json()["id"]
    rng, moves_made = random.Random(5), 0
    while True:
        view = requests.get(f"/api/tables/{table}/view?seat=0").json()
        if view["over"] or until(view) or moves_made >= moves and len(view["legal"]) > 1:
            break
        if view["legal"]:
            request = {"seat": 0, "seq": view["seq"], "moves": [rng.choice(view["legal"])["id"]]}
            requests.post(f"/api/tables/{table}/moves", data=request, headers={"Idempotency-Key": f"move-{moves_made}"})
            moves_made += 1
    return table


def position_slider(page):
    return page.locator(".past input[type=range]")


def expect_position(page, value):
    expect(position_slider(page)).to_have_js_property("value", str(value))


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
def test_a_finished_game_is_played_back(person, language, size):
    page, texts = person(language=language, size=size).page, TEXTS[language]
    table = play_against_bot(page)
    page.goto(f"/t/{table}")
    expect(page.locator(".end")).to_be_visible()
    final_texts = [page.locator(part).inner_text() for part in (".seats ul", ".board")]
    page.locator(".end a[href*='ply=0']").click()
    expect(page.locator(".past .eyes")).to_have_value("0")  # as the reader saw it
    page.locator(".past .eyes").select_option("all")
    slider = position_slider(page)
    expect(slider).to_have_attribute("aria-label", texts["at"])
    replay = page.request.get(f"/api/tables/{table}/replay?seat=all").json()
    last = len(replay["moments"]) - 1
    expect(slider).to_have_js_property("max", str(last))
    expect_position(page, 0)
    expect(page.locator(".end")).to_have_count(0)

    # by keys: steps, turns, and both ends
    for key, expected_position in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        page.keyboard.press(key)
        expect_position(page, expected_position)
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    position_after_turns = int(slider.evaluate("slider => slider.value"))
    assert position_after_turns > 1
    assert texts["turn"] in slider.get_attribute("aria-valuetext")
    expect(page.locator(".past .said")).to_have_text(slider.get_attribute("aria-valuetext"))
    page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    expect_position(page, position_after_turns)

    # by the log: the current line is marked and visible
    marked = page.locator(".log [aria-current=step]")
    if size == PHONE:
        page.locator(".tools .only-drawer").first.click()
    lines = page.locator(".log button.moment")
    middle = lines.count() // 2
    number = int(lines.nth(middle).evaluate("line => line.parentElement.dataset.n"))
    lines.nth(middle).click()
    expected = next(i for i, moment in enumerate(replay["moments"]) if seq_at(replay, i) > number)
    expect_position(page, expected)
    expect(marked).to_have_count(1)
    assert int(marked.get_attribute("data-n")) >= number
    if size == PHONE:
        page.keyboard.press("Escape")
        expect(page.locator(".panel-open")).to_have_count(0)

    # no move can be made, nothing is out of view, and the buttons are near the thumb
    assert page.locator(".now.mine").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert size == DESK or page.evaluate(
        "[...document.querySelectorAll('.past .keys button')].every(b => b.getBoundingClientRect().height >= 40)"
    )
    assert axe_findings_in_both_schemes(page) == []

    # the URL leads to the moment, with the same viewpoint
    page.locator(".past .eyes").select_option("0")
    expect(page.locator(".seat.me")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"ply=\d+&seat=0"))
    announcement = page.locator(".past .said").inner_text()
    page.reload()
    expect(page.locator(".past .said")).to_have_text(announcement)
    expect(page.locator(".past .eyes")).to_have_value("0")

    # a button leads to the result, and the browser's back to the moment again
    page.get_by_role("button", name=texts["result"]).click()
    expect(page.locator(".end")).to_be_visible()
    assert page.url.endswith(f"/t/{table}")
    page.go_back()
    expect(page.locator(".past .said")).to_have_text(announcement)

    # the last moment equals the end of the game,
    page.keyboard.press("End")
    expect_position(page, int(slider.get_attribute("max")))
    assert [page.locator(part).inner_text() for part in (".seats ul", ".board")] == final_texts

    # also in the plain rendering, where new lines are announced
    page.keyboard.press("p")
    expect(page.locator(".is-plain")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".end")).to_have_count(0)
    assert page.locator(".move").count() == 0
    expect(page.locator("[role=log] p").first).to_be_attached()
    page.keyboard.press("p")

    # automatic playback to the end
    page.locator(".past [aria-label]").last.wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    expect_position(page, int(slider.get_attribute("max")))
    expect(page.locator(".replay-play")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, (320, 640), (740, 360)], ids=["phone", "small", "on its side"])
def test_on_a_phone_everything_can_be_scrolled_above_the_bar(person, size):
    """The bar is the lowest element except for the tools, and content scrolled to its end is above it."""
    page = person(size=size).page
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", RECORD.read_text(encoding="utf-8"))
    page.reload()
    expect(position_slider(page)).to_be_visible()
    for _ in range(2):
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        bar_top, gap_below, board_bottom = page.evaluate(
            """() => pageControl.whilePainted(() => {
                const bar = document.querySelector(".past").getBoundingClientRect();
                const tools = document.querySelector(".tools").getBoundingClientRect();
                const board = document.querySelector(".board > :last-child").getBoundingClientRect();
                return [bar.top, innerHeight - bar.bottom - (tools.top > bar.top ? tools.height : 0), board.bottom];
            })"""
        )
        assert abs(gap_below) <= 1 and board_bottom <= bar_top
        page.keyboard.press("r")  # after opening and closing the rules
        expect(page.locator(".side.rules")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".side")).to_be_hidden()
    assert axe_findings_in_both_schemes(page) == [] and layout_findings(page) == []


LONGEST_LINES = """async () => {
    const slider = document.querySelector(".past input"), lengths = [];
    for (slider.value = 0; ; slider.value++) {
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
        lengths.push(document.querySelector(".past .said").textContent.length);
        if (slider.value === slider.max) return lengths.indexOf(Math.max(...lengths));
    }
}"""
SMALL_SIZES = (390, 844), PHONE


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", RECORDS)
def test_on_a_phone_the_longest_texts_are_not_cut(person, game, language):
    page = person(language, SMALL_SIZES[0]).page
    page.goto("/replay")
    text = (SCENARIOS / game / "golden" / f"{RECORDS[game]}.jsonl").read_text(encoding="utf-8")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    longest = page.evaluate(LONGEST_LINES)
    for value in (0, longest, int(position_slider(page).get_attribute("max"))):
        position_slider(page).fill(str(value))
        expect_position(page, value)
        for size in SMALL_SIZES:
            resize(page, size)
            assert layout_findings(page) == [], (value, size)


def seq_at(replay, moment):
    return next(m["changed"]["seq"] for m in reversed(replay["moments"][: moment + 1]) if "seq" in m["changed"])


def drop_file(page, text):
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.jsonl"));
            dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_record_is_brought_to_the_lobby(person, language, tmp_path):
    page, texts = person(language=language).page, TEXTS[language]
    match = transcript.check(RECORD.read_text(encoding="utf-8"))
    page.goto("/")
    with page.expect_file_chooser() as file_chooser:
        page.get_by_role("button", name=texts["open"]).press("Enter")
    file_chooser.value.set_files(RECORD)
    expect(page).to_have_url(re.compile("/replay"))
    expect(position_slider(page)).to_be_visible()
    page.keyboard.press("End")
    expect(position_slider(page)).to_have_attribute("aria-valuetext", re.compile("."))
    score_count = page.evaluate("document.querySelectorAll('.seat .score').length")
    assert score_count == match.players
    expect(page.locator(".replay-link")).to_have_count(0)

    # a dropped record replaces it; one of other rules shows only its log
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    head, drop_record = json.loads(lines[0]), partial(drop_file, page)
    drop_record("\n".join([json.dumps({**head, "version": 999}), *lines[1:]]))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("999")
    entry_count = sum(len(line.get("moves", [0])) for line in map(json.loads, lines[1:-1]))
    expect(page.locator(".record .log li")).to_have_count(entry_count)
    drop_record("\n".join([json.dumps({**head, "game": "whist", "seats": ["<b>Ada</b>"]}), *lines[1:]]))
    expect(alert).to_contain_text("whist")
    expect(page.locator(".record .log li")).to_have_count(entry_count)
    drop_record("\n".join([*lines[:7], "{", *lines[8:]]))
    expect(alert).to_contain_text("8")
    drop_record("")
    expect(alert).to_contain_text("1")
    expect(alert).not_to_contain_text("8")
    assert axe_findings_in_both_schemes(page) == []
    for _ in range(2):
        drop_record("\n".join(lines))
        expect(alert).to_have_count(0)
        expect(position_slider(page)).to_have_count(1)
        expect_position(page, 0)

    # only the new one handles keys, and a new page shows it
    page.keyboard.press("p")
    expect(page.locator(".is-plain")).to_be_visible()
    page.keyboard.press("p")
    expect(page.locator(".is-pictured")).to_be_visible()
    drop_record("\n".join([*lines[:7], "{", *lines[8:]]))
    expect(alert).to_contain_text("8")
    page.reload()
    expect(alert).to_contain_text("8")


def test_late_answers_do_not_affect_a_newer_record(person):
    """The URL follows a record after a delay, and earlier requests may be answered last."""
    page, text = person().page, RECORD.read_text(encoding="utf-8")
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, text)
    expect_position(page, 0)
    waits = []
    page.route("**/api/replay*", lambda route: waits.append(route))
    page.keyboard.press("End")
    drop_file(page, text)
    drop_file(page, text)
    page.wait_for_timeout(600)  # longer than the delay of the URL
    for number in range(2):
        expect(page.locator(".past")).to_have_count(0)
        while len(waits) == number:
            page.wait_for_timeout(10)
        waits[number].continue_()
    expect_position(page, 0)
    assert page.url.endswith("/replay")


def test_the_text_of_a_moment_has_all_dice_of_a_roll_in_one_sentence(person):
    page = person().page
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, (SCENARIOS / "petition" / "golden" / "a-challenger-wins.jsonl").read_text(encoding="utf-8"))
    expect_position(page, 0)
    said = page.locator(".past .said")
    expect(said).not_to_contain_text("The dice show")
    while "rolls" not in said.inner_text():
        page.keyboard.press("ArrowRight")
        expect(said).to_contain_text("Turn 1 ")
    expect(said).to_have_text(re.compile(r"rolls\. The dice show 1, 2$"))
    lines = page.locator(".side .log li").all_text_contents()
    assert [line for line in lines if re.search(r"\d ×\d", line)] == []
    assert [line for line in lines if re.search(r" keeps \d × \d$", line.strip())]


def test_with_everything_open_a_replay_shows_what_is_laid_for_a_sale(person):
    page = person().page
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, (SCENARIOS / "necklace" / "golden" / "laid-openly.jsonl").read_text(encoding="utf-8"))
    expect_position(page, 0)
    sheet = page.locator(".necklace.show .results")
    steps = itertools.count(1)
    while not sheet.count():
        page.keyboard.press("ArrowRight")
        expect_position(page, next(steps))
    expect(sheet.locator("h2")).to_have_text("First sale")
    expect(sheet).not_to_contain_text("Gems in all")  # nothing is laid yet
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        expect_position(page, next(steps))
    expect(sheet.locator("[data-key=lot-0-ruby]")).to_contain_text("2")  # one openly, one covered
    expect(sheet.locator("[data-key=stones-ruby]")).to_have_text("2")
    expect(sheet.locator("tr.tint-0 .sum")).to_contain_text("Banker")
    expect(sheet).not_to_contain_text("Rarity")
    page.keyboard.press("p")
    expect(page.locator(".plain")).to_contain_text("Lion has laid covered 1 ruby")
    page.keyboard.press("p")
    page.locator(".past .eyes").select_option("1")
    expect(page.locator(".trays")).to_be_visible()
    expect(page.locator(".results, [data-key=stones-ruby]")).to_have_count(0)


def test_a_change_of_viewpoint_brings_back_no_earlier_sale(person):
    page = person(size=PHONE).page
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, (SCENARIOS / "necklace" / "golden" / "laid-openly.jsonl").read_text(encoding="utf-8"))
    expect_position(page, 0)
    last = int(position_slider(page).get_attribute("max"))
    for position in (last // 2, last - 40):
        position_slider(page).fill(str(position))
        expect(page.locator(".necklace.purchase, .necklace.influence")).to_be_visible()
        expect(page.locator(".results")).to_have_count(0)
        for eyes in ("0", "1", "all"):
            page.locator(".past .eyes").select_option(eyes)
            expect(page.locator(".past .eyes")).to_have_value(eyes)
            expect(page.locator(".necklace.purchase, .necklace.influence")).to_be_visible()
            expect(page.locator(".results")).to_have_count(0)


def test_a_sale_that_was_closed_is_shown_again_when_one_looks_back(person):
    page = person().page
    table = play_against_bot(page, until=lambda view: view["state"]["sales"] and not view["over"] and view["legal"])
    page.goto(f"/t/{table}")
    sale = page.locator(".results:has(.steps)")  # not when the Alchemist is asked for
    sale.locator(".close").click()
    expect(sale).to_have_count(0)
    page.keyboard.press("v")
    expect(position_slider(page)).to_be_visible()
    page.keyboard.press("Home")
    for position in range(1, int(position_slider(page).get_attribute("max")) + 1):
        page.keyboard.press("ArrowRight")
        expect_position(page, position)
        if sale.is_visible():
            return
    raise AssertionError("the sale is at no moment")


def test_the_chances_of_a_past_turn_are_seen_when_one_looks_back(person):
    page = person().page
    page.goto(f"/t/{play_against_bot(page, 'petition', 12)}")
    expect(page.locator(".now.mine")).to_be_visible()
    page.keyboard.press("v")
    expect(position_slider(page)).to_be_visible()
    page.keyboard.press("Home")
    odds = page.locator(".card .odds")
    counts = set()
    for position in range(1, int(position_slider(page).get_attribute("max")) + 1):
        page.keyboard.press("ArrowRight")
        expect_position(page, position)
        counts.add(odds.count() > 0)
    assert counts == {True, False}


def test_the_text_of_a_moment_names_the_player_of_each_turn(person):
    """A claim ends a turn, and the roll after it is of the next player. On a phone the text has two lines at most."""
    page = person(size=PHONE).page
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, (SCENARIOS / "petition" / "golden" / "a-challenger-wins.jsonl").read_text(encoding="utf-8"))
    expect_position(page, 0)
    said, slider = page.locator(".past .said"), page.locator(".past input[type=range]")
    texts = set()
    for index in range(int(slider.get_attribute("max")) + 1):
        slider.fill(str(index))
        texts.add(said.inner_text())
        assert said.evaluate("said => said.offsetHeight <= 2 * parseFloat(getComputedStyle(said).lineHeight)")
    rolls = [text for text in texts if " claims " in text and " show" in text]
    assert rolls
    assert [text for text in rolls if not re.search(r" claims the [\w ]+\. \w+( \w+)?: The dice show", text)] == []


def test_with_everything_open_no_text_speaks_of_what_is_known(person):
    """The hands are known then; a seat's view says what is known of them."""
    page = person().page
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, (SCENARIOS / "necklace" / "golden" / "forger-finds-nothing.jsonl").read_text(encoding="utf-8"))
    expect_position(page, 0)
    labels = page.locator(".seat .known small")
    expect(page.locator(".ledger caption")).to_have_text("Gems in the hands")
    assert set(labels.all_inner_texts()) == {"Hand:"}
    page.keyboard.press("p")
    expect(page.locator(".plain")).not_to_contain_text(re.compile("knows? of"))
    page.keyboard.press("p")
    page.locator(".past .eyes").select_option("0")
    expect(page.locator(".ledger caption")).to_have_text("Gems in the hands, as far as you know")


def test_a_link_can_hold_a_record(person):
    page, text = person().page, RECORD.read_text(encoding="utf-8")
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = base64.urlsafe_b64encode(packed.compress(text.encode()) + packed.flush()).decode().rstrip("=")
    page.goto(f"/replay#record={data}")
    expect(position_slider(page)).to_be_visible()
    page.reload()  # it is stored for this window, and removed from the URL
    expect(position_slider(page)).to_be_visible()
    assert "#" not in page.url
    for broken in (data[: len(data) // 2], "AAAA"):
        page.goto("/")
        page.goto(f"/replay#record={broken}")
        expect(page.locator("main.record")).to_be_visible()


def test_without_an_own_turn_there_is_nothing_to_look_back_at(person):
    table = person()
    moment = load_scenario("cardinal", "w13-printed-interim")
    sitting = LocalTable(table, moment.game, moment.state, 0)
    sitting.match.play(2, [sitting.match.legal(2)[0]])
    table.page.evaluate("messages => messages.forEach(receiveMessage)", sitting._messages_since(0))
    expect(table.page.locator(".side .log li").first).to_be_visible()
    expect(table.page.locator(".since")).to_have_count(0)


@pytest.mark.parametrize("game", BOARDS)
def test_the_last_turn_is_offered_once_another_player_has_moved(person, game):
    """During a player's first turn there is no last one, even after a move or after its undo."""
    page, generator = person().page, random.Random(3)
    match = Match(find_game(game), 3, None, SeededChance(3))
    reader = match.pending[0]
    info = table_info(match, reader)
    message = {"type": "view", "view": match.view(reader, 0)}
    show_scripted_table(page, info, [{"type": "table", "table": info}, message])
    since = page.locator(".since")

    def play(seat):
        seen = match.seq(reader)
        match.play(seat, generator.choice(match.legal(seat)))
        page.evaluate("message => receiveMessage(message)", {"type": "view", "view": match.view(reader, seen)})

    expect(page.locator(".is-pictured")).to_be_visible()
    play(reader)
    expect(page.locator(".side .log li").last).to_be_visible()
    expect(since).to_have_count(0)
    while reader in match.pending:
        play(reader)
    expect(since).to_have_count(0)
    play(match.pending[0])
    expect(since).to_be_visible()


def test_on_a_phone_the_log_does_not_cover_the_last_turn(person):
    page = person(size=PHONE).page
    page.goto(f"/t/{play_against_bot(page, moves=12)}")
    expect(page.locator(".now.mine")).to_be_visible()
    page.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".side")).to_be_visible()
    page.get_by_role("button", name=TEXTS["en"]["back"]).click()
    expect(position_slider(page)).to_be_visible()
    expect(page.locator(".side")).to_be_hidden()


def test_the_last_turn_can_be_replayed_during_a_game(person):
    page = person().page
    table = play_against_bot(page, moves=12)
    page.goto(f"/t/{table}")
    expect(page.locator(".now.mine")).to_be_visible()
    board_text = page.locator("#board").inner_text()
    page.get_by_role("button", name=TEXTS["en"]["back"]).click()
    expect(position_slider(page)).to_be_visible()
    controls = page.locator(".past :is(input, select, button)").all()
    middles = [box["y"] + box["height"] / 2 for box in (control.bounding_box() for control in controls)]
    assert len(middles) == 8 and max(middles) - min(middles) < 1, "all are in one row"
    expect(page.locator(".past .eyes")).to_have_count(0)
    expect(page.locator(".now.mine")).to_have_count(0)
    page.keyboard.press("Home")
    expect_position(page, 0)
    assert axe_findings_in_both_schemes(page) == []
    for size in SMALL_SIZES:
        resize(page, size)
        assert layout_findings(page) == [], size
    resize(page, DESK)
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".now.mine")).to_be_visible()
    assert page.locator("#board").inner_text() == board_text
    page.keyboard.press("v")
    expect(position_slider(page)).to_be_visible()


@pytest.mark.parametrize("game", BOARDS)
def test_the_last_turn_is_shown_from_before_its_first_move(person, game):
    """One step forward is the player's first move of that turn."""
    page = person().page
    table = play_against_bot(page, game, moves=14)
    page.goto(f"/t/{table}")
    expect(page.locator(".now.mine")).to_be_visible()
    page.get_by_role("button", name=TEXTS["en"]["back"]).click()
    replay = page.request.get(f"/api/tables/{table}/replay?seat=0").json()
    moves = [cue for cue in replay["cues"] if cue["seat"] >= 0]
    others_last = max(i for i, cue in enumerate(moves) if cue["seat"] != 0)
    own_last = max(i for i, cue in enumerate(moves[:others_last]) if cue["seat"] == 0)
    position = int(position_slider(page).evaluate("slider => slider.value"))
    expect_position(page, position)
    pending = next(m["changed"]["pending"] for m in replay["moments"][position::-1] if "pending" in m["changed"])
    assert 0 in pending
    first = next(cue for cue in moves if cue["n"] >= seq_at(replay, position))
    assert first["seat"] == 0 and seq_at(replay, position + 1) > first["n"] <= moves[own_last]["n"]
    before = [cue for cue in moves if cue["n"] < first["n"]]
    ended = ("end", "aim")  # of a player's own turn in New Town, which another one of theirs may follow
    assert not before or before[-1]["seat"] != 0 or before[-1]["verb"] in ended, before[-1]
    page.keyboard.press("ArrowRight")
    expect_position(page, position + 1)


def test_a_players_view_stays_at_the_position(person):
    """That view has no position of its own after what the player could not notice."""
    page = person().page
    page.goto("/replay")
    text = RECORD.read_text(encoding="utf-8")
    moments = page.request.post("/api/replay?seat=0", data=text).json()["moments"]
    plies = [moment["ply"] for moment in moments]
    index = next(i for i, ply in enumerate(plies[1:], 1) if ply - plies[i - 1] > 2)
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.goto(f"/replay?ply={plies[index] - 1}")
    page.locator(".past .eyes").select_option("0")
    expect(page.locator(".seat.me")).to_have_count(1)
    expect_position(page, index)


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("game", sorted(RECORDS.keys() - {"petition"}))  # whose players all see the same
def test_a_players_view_names_that_player_in_the_log(person, game, language):
    """As in "{$name} is dealt Ring", when the log was drawn before it was known whose it is."""
    page = person(language).page
    page.goto("/replay")
    text = (SCENARIOS / game / "golden" / f"{RECORDS[game]}.jsonl").read_text(encoding="utf-8")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.goto("/replay?ply=30")
    page.locator(".past .eyes").select_option("0")
    expect(page.locator(".seat.me")).to_have_count(1)
    expect(page.locator("aside .moment").first).to_be_visible()
    assert "{" not in page.locator("aside .log").inner_text()


def synthetic_analysis(replay):
    """Return a synthetic analysis: every decision has two moves, and every tenth is a turning point."""
    plies = [moment["ply"] for moment in replay["moments"][:-1]]
    move = {"id": 0, "verb": "end", "args": {}}
    decisions = [
        dict(ply=ply, seat=n % 2, goes_on=False, played=n % 2, loss=0.2, error=0.05, turning=n % 10 == 9)
        | dict(
            tallies=[
                dict(move=move, chances=[0.6, 0.4], error=0.05, reasons=[]),
                dict(move=move, chances=[0.4, 0.6], error=0.05, reasons=[]),
            ]
        )
        for n, ply in enumerate(plies)
    ]
    balance = dict(begin=0.5, choices=-0.2, error=0.1, others=0.1, luck=0.1, end=0.5)
    details = dict(form=REVIEW_FORMAT, game="newtown", version=1, players=2, simulations=100, scores=[1, 1])
    return details | dict(decisions=decisions, balances=[balance, balance])


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
def test_the_graph_of_the_review_follows_the_replay(person, language, size):
    page, texts = person(language=language, size=size).page, TEXTS[language]
    page.add_init_script("localStorage.setItem('courtly-hints', 'server')")  # which makes this review
    table = play_against_bot(page, "newtown")
    replay = page.request.get(f"/api/tables/{table}/replay?seat=all").json()
    review = synthetic_analysis(replay)
    state = {"state": "none", "judged": 0, "total": 0}

    def serve_table(route):
        route.fulfill(json={**route.fetch().json(), "review": state})

    def serve_review(route):
        if route.request.method == "POST":
            state.update(state="ready")
        route.fulfill(json=review if route.request.method == "GET" else {})

    page.route(f"**/api/tables/{table}", serve_table)
    page.route("**/review", serve_review)
    page.goto(f"/t/{table}?ply=0")
    expect(position_slider(page)).to_be_visible()
    page.locator(".tools" if size == PHONE else ".tabs").get_by_role("button", name=texts["review"]).click()
    points = page.locator(".side.review .turnings button")
    expect(points).to_have_count(len(review["decisions"]) // 10)
    assert axe_findings_in_both_schemes(page) == []
    assert size == DESK or layout_findings(page) == []
    points.nth(1).click()
    expect_position(page, 19)
    expect(points.nth(1)).to_have_attribute("aria-pressed", "true")
    graph = page.locator(".chances input[type=range]")
    expect(graph).to_have_js_property("value", "19")
    page.locator(".replay-on").dispatch_event("click")
    expect(graph).to_have_js_property("value", "20")
    graph.focus()
    page.keyboard.press("Home")
    expect_position(page, 0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def show_recap(page):
    """Show a table at which the thief was sent to the player while away; all other cues concern others."""
    match = transcript.check(RECORD.read_text(encoding="utf-8"))
    match = Match(match.game, match.players, match.options, match.source, start=False)
    entries = iter(transcript.check(RECORD.read_text(encoding="utf-8")).entries)
    for entry in entries:
        match.follow(entry)
        cue = match.cues(None)[-1]
        if cue["verb"] == "thief":
            break
    victim = cue["args"]["target"]
    while match.pending == (victim,) or match.chance:
        match.follow(next(entries))
    info = {**table_info(match, victim), "status": "playing"}
    view = match.view(victim, 0)
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": view}])
    return cue, victim, view


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_returning_player_gets_a_recap(person, language):
    page = person(language=language).page
    cue, victim, _ = show_recap(page)
    recap = page.locator(".recap")
    expect(recap.locator("li").last).to_contain_text(NAMES[cue["seat"]])
    expect(recap.locator("li", has_text=NAMES[victim]).last).to_contain_text(NAMES[cue["seat"]])  # not the own moves
    assert axe_findings_in_both_schemes(page) == []
    recap.locator(".icon-button").click()
    expect(recap).to_have_count(0)


def test_the_outcome_of_the_own_choice_is_no_recap(person):
    page = person().page
    record = SCENARIOS / "newtown" / "golden" / "version-2-other-options.jsonl"
    checked = transcript.check(record.read_text(encoding="utf-8"))
    match = Match(checked.game, checked.players, checked.options, checked.source, start=False)
    seat = None
    for entry in checked.entries:
        match.follow(entry)
        cue = match.cues(None)[-1]
        seat = cue["seat"] if cue["verb"] == "aim" else seat
        if cue["verb"] == "arrive" and cue["args"]["player"] == seat:
            break
    info = {**table_info(match, seat), "status": "playing"}
    messages = [{"type": "table", "table": info}, {"type": "view", "view": match.view(seat, 0)}]
    show_scripted_table(page, info, messages)
    expect(page.locator(".newtown")).to_be_visible()
    expect(page.locator("ol.log")).to_contain_text(f"{NAMES[seat]} goes to")
    expect(page.locator(".recap")).to_have_count(0)


def test_the_recap_plays_what_happened(person):
    page = person().page
    _, victim, view = show_recap(page)
    last_own = max(cue["n"] for cue in view["cues"] if cue["seat"] == victim)
    now = {name: value for name, value in view.items() if name != "cues"}
    moments = [{"ply": 0, "changed": {**now, "seq": last_own + 1}}, {"ply": 1, "changed": now}]
    replay = {"cues": view["cues"], "moments": moments}
    page.route("**/api/tables/middle/replay*", lambda route: route.fulfill(json=replay))
    page.get_by_role("button", name="Show me").click()
    expect(position_slider(page)).to_be_visible()
    expect_position(page, 1)  # without another click
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "record", "sheet"),
    [("cardinal", "four-players", ".sheet-scores"), ("necklace", "thief-arrested", ".results")],
)
def test_a_skipped_scoring_covers_nothing(person, game, record, sheet):
    page = person().page
    text = (SCENARIOS / game / "golden" / f"{record}.jsonl").read_text(encoding="utf-8")
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    last = int(position_slider(page).get_attribute("max"))
    for value in range(last, 0, -1):  # jump to each moment
        position_slider(page).evaluate(
            "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); }",
            value,
        )
        expect_position(page, value)
        if page.locator(".necklace:is(.show, .alchemist)").count() == 0:  # what is laid or shown is seen then
            stands_open = game == "necklace" and value == last  # as at the end of the game
            expect(page.locator(f".board {sheet}")).to_have_count(int(stands_open))


MARKS_OF_STEPS = """async () => {
    const slider = document.querySelector(".past input"), marked = [];
    for (slider.value = 0; ; slider.value++) {
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
        const marks = [...document.querySelectorAll("#board [data-recent], .seats [data-recent]")];
        const isSeen = marks.some((mark) => mark.getBoundingClientRect().width > 0);
        marked.push([document.querySelector(".past .said").textContent, isSeen]);
        if (slider.value === slider.max) return marked;
    }
}"""


@pytest.mark.parametrize("viewpoint", ["0", "all"])
@pytest.mark.parametrize("game", RECORDS)
def test_each_step_marks_what_it_has_changed(person, game, viewpoint):
    """On the board, or at least its player; and each step says what happened, also where the log says nothing."""
    page = person(size=(1280, 800)).page
    page.goto("/replay")
    text = (SCENARIOS / game / "golden" / f"{RECORDS[game]}.jsonl").read_text(encoding="utf-8")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    eyes = page.locator(".past .eyes")
    if eyes.count():
        eyes.select_option(viewpoint)
        expect(page.locator(".seat.me")).to_have_count(int(viewpoint == "0"))
    start, *steps = page.evaluate(MARKS_OF_STEPS)
    assert not start[1] and len(steps) > 100
    assert [text for text, is_marked in steps if not is_marked] == []
    assert [text for text, _ in steps if re.fullmatch(r"Turn \d+\sof \d+", text)] == []
    page.keyboard.press("p")
    expect(page.locator(".is-plain")).to_be_visible()
    expect(page.locator("[data-recent]")).to_have_count(0)


def test_a_step_of_web_of_power_marks_the_cloister_on_the_map(person):
    page = person(size=(1280, 800)).page
    page.goto("/replay")
    text = (SCENARIOS / "cardinal" / "golden" / f"{RECORDS['cardinal']}.jsonl").read_text(encoding="utf-8")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".past .said")).to_contain_text("a cloister in")
    expect(page.locator("#board [data-house][data-recent]")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".past .said")).to_contain_text("takes a face-up card")
    expect(page.locator("#board [data-key^=open-][data-recent]")).to_have_count(1)
    expect(page.locator("#board [data-house][data-recent]")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board [data-house][data-recent]")).to_have_count(1)


COVERED_CHANGE = """() => pageControl.whilePainted(() => {
    const mark = document.querySelector("#board [data-recent]");
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !topmost || !(mark.contains(topmost) || topmost.contains(mark));
})"""


@pytest.mark.parametrize("size", [(390, 844), PHONE])
def test_on_a_phone_the_change_of_a_step_is_not_covered(person, size):
    """The own servants lie over no other player who acts, and what is below the bar is scrolled above it."""
    page = person(size=size).page
    page.goto("/replay")
    text = (SCENARIOS / "puppet" / "golden" / f"{RECORDS['puppet']}.jsonl").read_text(encoding="utf-8")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    page.locator(".past .eyes").select_option("0")
    expect(page.locator(".seat.me")).to_have_count(1)
    goods_taken = 0
    for value in range(1, 30):
        page.keyboard.press("ArrowRight")
        expect_position(page, value)
        if "from the bank" in page.locator(".past .said").inner_text():
            expect(page.locator("#board [data-recent]")).not_to_have_count(0)
            page.wait_for_timeout(100)
            assert not page.evaluate(COVERED_CHANGE), value
            goods_taken += 1
    assert goods_taken > 3


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", [game for game in game_ids() if list((SCENARIOS / game / "golden").glob("*.jsonl"))])
def test_the_open_viewpoint_addresses_no_player(person, game, language):
    page = person(language).page
    text = sorted((SCENARIOS / game / "golden").glob("*.jsonl"))[0].read_text(encoding="utf-8")
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    log_text = page.locator(".side .log").inner_text()
    assert len(log_text) > 500
    assert not re.search(r"\byou(rs?)?\b|あなた", log_text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("game", "dealt"),
    [
        ("puppet", {"en": "Ada is dealt the", "ja": "Ada：.+が配られた"}),
        ("necklace", {"en": "Ada is dealt ", "ja": "Ada：初手に"}),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_log_names_its_reader_as_the_others(person, game, dealt, language):
    """One name for each person: also of a card that the reader alone sees."""
    page = person(language).page
    match = transcript.check(sorted((SCENARIOS / game / "golden").glob("*.jsonl"))[0].read_text(encoding="utf-8"))
    info, view = table_info(match, 0), match.view(0, 0)
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": view}])
    expect(page.locator(".side .log .turn").first).to_be_visible()
    log_text = "\n".join(page.locator(".side .log").all_text_contents())
    assert re.search(dealt[language], log_text)
    assert not re.search(r"\byou(rs?)?\b|あなた", log_text, re.IGNORECASE)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("game", "event", "sentence"),
    [
        ("cardinal", "drawn", {"en": r"\w+ draws \w+ from the deck", "ja": r"\w+：山札から.+を引いた"}),
        ("puppet", "peek", {"en": r"\w+ looks at the top event: .+", "ja": r"\w+：イベントの山の一番上（.+）を見た"}),
        ("necklace", "steal", {"en": r"\w+’s Thief takes .+ from \w+", "ja": r"\w+：泥棒で\w+から.+を盗んだ"}),
    ],
)
def test_a_move_and_what_came_of_it_are_one_sentence(person, game, event, sentence, language):
    """Where the reader may know both: as a player who made the move, and where everything is open."""
    page = person(language).page
    for record in sorted((SCENARIOS / game / "golden").glob("*.jsonl")):
        text = record.read_text(encoding="utf-8")
        match = transcript.check(text)
        own = [cue for cue in match.view(0, 0)["cues"] if cue["verb"] == event and cue["args"]]
        if own and len(match.entries) < 400:
            break
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", text)
    page.reload()
    expect_position(page, 0)
    open_lines = page.locator(".side .log li li").all_text_contents()
    info = table_info(match, 0)
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": match.view(0, 0)}])
    expect(page.locator(".side .log .turn").first).to_be_visible()
    own_lines = page.locator(".side .log li li").all_text_contents()
    for lines in open_lines, own_lines:
        assert any(re.fullmatch(sentence[language], line.strip()) for line in lines), lines[:40]
    unseen = {"en": "draws from the deck", "ja": "山札から引いた"}[language]
    assert [line for line in open_lines if line.strip().endswith(unseen)] == []

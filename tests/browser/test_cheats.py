"""Servers that try to choose the dice, and pages that detect it. Each is the real server with a cheat patched in."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect
from table import Table, axe_findings
from ui_server import run_server

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game

OPEN_TABLE = """async ([game, options, seats]) => {
  const net = performance.getEntriesByType("resource").find(({ name }) => name.endsWith(
    "/web/core/http-client.js")).name;
  const { openTable } = await import(net.replace("core/http-client.js", "core/number-exchange.js"));
  return (await openTable("/api/tables", { game, players: seats.length, seats, options })).id;
}"""
SECRET_BIDS = {"looks": 0}
NO_CHEAT = ""
TAKES_NO_NUMBER = """
from courtly.server.actions import seating
open_table = seating.open_table
seating.open_table = lambda app, guest, wish: open_table(app, guest, wish.model_copy(update={"pledge": None}))
"""
PATCH_START = """
import dataclasses
from courtly.server.tables.table import LiveTable
begin = LiveTable.make_match
def cheat(self, seats, at):
    {}
    return begin(self, seats, at)
LiveTable.make_match = cheat
"""
ANOTHER_SECRET = PATCH_START.format("self.row = dataclasses.replace(self.row, dice_secret='5a' * 32)")
ANOTHER_NUMBER = PATCH_START.format("seats[0] = dataclasses.replace(seats[0], nonce='0123456789abcdef' * 4)")
REMATCH_TAKES_NO_NUMBER = """
import dataclasses
from courtly.server.actions import seating
again = seating._rematch_seat
seating._rematch_seat = lambda table, seat: dataclasses.replace(again(table, seat), pledge=None)
"""
COUNTS_ENTRIES = """
import dataclasses
from courtly.server.actions import seating
from courtly.server.persistence import repository as store
from courtly.server.tables import table as tables
source_of = store.source_of
tables.source_of = store.source_of = lambda row, seats: source_of(dataclasses.replace(row, counted="entries"), seats)
"""
OUTCOMES_RENAMED = """
from courtly.server.http.routes import records
original = records.list_random_events
async def cheat(match):
    draws = await original(match)
    for draw in draws:
        other = next((move for move in draw["moves"] if move != draw["move"]), None)
        if other is not None:
            draw["moves"] = [other if move == draw["move"] else draw["move"] for move in draw["moves"]]
            draw["move"] = other
    return draws
records.list_random_events = cheat
"""
RULES_MISSING = """
from courtly.server.assets.compiled_games import CompiledGames
original = CompiledGames.find
async def cheat(games, path):
    return None if "sealed_bids" in path else await original(games, path)
CompiledGames.find = cheat
"""
# deals seat 0 what suits the server, and lists the outcomes in an order that fits the secret
OUTCOMES_SWAPPED = """
from courtly.engine import transcript
from courtly.engine.match import Match
from courtly.session import chance_audit as draws
possible = transcript.iter_outcomes
def renamed(match):
    event = 0
    for entry, could in zip(match.entries, possible(match)):
        if could:
            names, weights = map(list, zip(*could))
            drawn = match.source.choose(entry.ply, event, weights)
            here = names.index(entry.move)
            names[drawn], names[here] = names[here], names[drawn]
            could, event = list(zip(names, weights)), event + 1
        yield could
Match._draw_event = lambda self: max(self.outcomes())[0]
transcript.iter_outcomes = draws.iter_outcomes = renamed
"""


@pytest.fixture
def open_cheating_table(chromium, tmp_path):
    """A guest at a table of a server with this cheat, opened as the lobby does."""
    to_close = []

    def open_page(cheat, kinds=("me", "bot"), game="sealed_bids", options=SECRET_BIDS):
        server = run_server(tmp_path / "data", first=cheat or "pass", seeded=False, COURTLY_COMMANDS_PER_SECOND="5000")
        address = server.__enter__()
        context = chromium.new_context(base_url=address, service_workers="block")
        to_close.extend([(server.__exit__, (None, None, None)), (context.close, ())])
        page = context.new_page()
        page.add_init_script("localStorage.setItem('courtly-speed', 'none'); Math.random = () => 1 - Math.exp(.8)")
        for script in ("page-control.js", "scripted-table.js"):
            page.add_init_script(path=f"{__file__.rpartition('/')[0]}/{script}")
        page.goto("/")
        expect(page.locator("h1, h2").first).to_be_visible()
        page.table_id = page.evaluate(OPEN_TABLE, [game, options, [{"kind": kind} for kind in kinds]])
        return page

    yield open_page
    for close_function, arguments in reversed(to_close):
        close_function(*arguments)


def play_to_the_end(page):
    page.goto(f"/t/{page.table_id}")
    table = Table(page)
    table.plain()
    table.play_by_keyboard()
    expect(page.locator("#end-heading")).to_be_visible()


def open_verdict(page):
    page.get_by_role("button", name="Check that the game was fair").click()
    expect(page.locator(".verdict li").first).to_be_visible()
    return page.locator(".dialog .verdict")


PLAY_GAME = """async (id) => {
  const ask = async (path, body) => {
    const answer = await fetch(`/api/tables/${id}${path}`, body && {
      method: "POST", body: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() } });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  const { seats } = await ask("");
  for (let over = false; !over; )
    for (const { seat } of seats) {
      let view = await ask(`/view?seat=${seat}&since=0`);
      while (view.legal.length)
        view = await ask("/moves", { seat, seq: view.seq, moves: [view.legal[0].id] });
      over = view.over;
    }
}"""
TAKE_BACK = """async (id) => {
  const ask = async (path, body) => (await fetch(`/api/tables/${id}/${path}`, body && {
    method: "POST", body: JSON.stringify({ seat: 0, ...body }),
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() } })).json();
  for (;;) {  // the bot may come in between
    const { seq, legal } = await ask("view?seat=0&since=0");
    const after = await ask("moves", { seq, moves: [legal[0].id] });
    if (after.undo && !(await ask("undo", { seq: after.seq })).error) return;
  }
}"""


def test_honest_dice_cause_no_warning(open_cheating_table, tmp_path):
    page = open_cheating_table(NO_CHEAT)
    page.evaluate(TAKE_BACK, page.table_id)
    assert page.request.get(f"/api/tables/{page.table_id}").json()["status"] == "playing", (
        "the game starts before the page continues"
    )
    play_to_the_end(page)
    verdict = open_verdict(page)
    expect(verdict).to_contain_text("No one could choose the numbers")
    expect(verdict).to_contain_text("comes from this server")
    expect(page.locator(".verdict .wrong")).to_have_count(0)
    expect(page.locator(".alarm")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the receipt").click()
    download.value.save_as(tmp_path / "receipt.json")
    (tmp_path / "record.jsonl").write_text(
        page.request.get(f"/api/tables/{page.table_id}/record").text(), encoding="utf-8"
    )
    command = [sys.executable, "-m", "courtly", "record", "check", "record.jsonl", "--receipt", "receipt.json"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0 and "not even the server chose it" in result.stdout
    receipt = json.loads((tmp_path / "receipt.json").read_text())
    receipt["numbers"]["0"] = "ab" * 32
    (tmp_path / "receipt.json").write_text(json.dumps(receipt))
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode and "NOT in it" in result.stdout


@pytest.mark.parametrize(
    ("cheat", "warning"),
    [
        (TAKES_NO_NUMBER, "took no number"),
        (ANOTHER_SECRET, "NOT the one whose fingerprint"),
        (ANOTHER_NUMBER, "was NOT used"),
        (COUNTS_ENTRIES, "counted as older versions"),
    ],
)
def test_a_server_that_chooses_causes_a_warning(open_cheating_table, cheat, warning):
    page = open_cheating_table(cheat)
    play_to_the_end(page)
    expect(page.get_by_role("alert").filter(has_text="wrong with the chance")).to_contain_text(warning)


def test_a_rematch_without_numbers_causes_a_warning(open_cheating_table):
    page = open_cheating_table(REMATCH_TAKES_NO_NUMBER)
    play_to_the_end(page)
    expect(page.locator(".alarm")).to_have_count(0)
    before = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != before)
    page.table_id = page.url.rpartition("/")[2]
    play_to_the_end(page)
    expect(page.locator(".alarm")).to_contain_text("took no number")


def test_outcome_lists_that_the_page_cannot_derive_are_not_called_correct(open_cheating_table):
    page = open_cheating_table(OUTCOMES_RENAMED)
    play_to_the_end(page)
    verdict = open_verdict(page)
    expect(verdict).to_contain_text("comes from this server")
    expect(verdict).not_to_contain_text("these dice")


def check_with_rules(page):
    """Return the result of the check by the rules, after a game played in this browser."""
    page.evaluate(PLAY_GAME, page.table_id)
    page.goto(f"/t/{page.table_id}")
    player_button = page.get_by_role("button", name="I am Lion")  # for games with hidden information
    expect(page.locator("#end-heading").or_(player_button)).to_be_visible()
    if player_button.is_visible():
        player_button.click()
    verdict = open_verdict(page)
    expect(verdict).to_contain_text("No one could choose the numbers")
    assert axe_findings(page) == []
    page.get_by_role("button", name="Check with the rules").click()
    expect(page.get_by_role("button", name="Check with the rules")).to_have_count(0)
    expect(page.get_by_text("Calculating")).to_have_count(0, timeout=120_000)
    return verdict


@pytest.fixture(scope="module", autouse=True)
def compiled_games():
    """Servers of these tests find compiled games on disk, since they do not compile themselves."""
    for game in ("newtown", "sealed_bids"):
        load_or_compile_files(find_game(game))


@pytest.mark.parametrize(
    ("game", "options"), [("newtown", {}), ("sealed_bids", SECRET_BIDS)]
)  # also one outside the package
def test_with_the_rules_the_page_proves_the_dice(open_cheating_table, game, options):
    page = open_cheating_table(NO_CHEAT, ("me", "local"), game, options)
    verdict = check_with_rules(page)
    expect(verdict).to_contain_text("No one could choose what chance brought")
    expect(verdict).to_contain_text("the right possible outcomes with the right chances")
    expect(verdict.locator(".wrong")).to_have_count(0)
    expect(verdict).not_to_contain_text("comes from this server")
    assert axe_findings(page) == []


def test_a_failed_check_by_the_rules_is_explained(open_cheating_table):
    page = open_cheating_table(RULES_MISSING, ("me", "local"))
    verdict = check_with_rules(page)
    expect(verdict).to_contain_text("comes from this server")
    expect(page.locator(".dialog")).to_contain_text("There is no such page")
    expect(verdict).not_to_contain_text("No one could choose what chance brought")
    assert axe_findings(page) == []


def test_renamed_outcomes_are_detected_by_the_rules(open_cheating_table):
    page = open_cheating_table(OUTCOMES_SWAPPED, ("me", "local"), "newtown", {})
    verdict = check_with_rules(page)
    expect(verdict.locator(".wrong")).to_contain_text("does NOT follow from the rules")
    expect(verdict).not_to_contain_text("No one could choose")


def test_a_record_of_another_game_is_detected(open_cheating_table):
    page = open_cheating_table(NO_CHEAT, ("me", "local"), "newtown", {})
    page.evaluate(PLAY_GAME, page.table_id)
    record = page.request.get(f"/api/tables/{page.table_id}/record").text()
    page.table_id = page.evaluate(OPEN_TABLE, ["newtown", {}, [{"kind": "me"}, {"kind": "local"}]])
    page.route("**/record", lambda route: route.fulfill(body=record, content_type="application/x-ndjson"))
    verdict = check_with_rules(page)
    expect(verdict.locator(".wrong")).to_contain_text("NOT of the game that was shown here")
    expect(verdict).not_to_contain_text("No one could choose")


def test_two_people_exchange_numbers(open_cheating_table, chromium):
    page = open_cheating_table(NO_CHEAT, ("me", "open"))
    page.goto(f"/t/{page.table_id}")
    other_context = chromium.new_context(base_url=page.url.partition("/t/")[0], service_workers="block")
    try:
        friend = other_context.new_page()
        friend.goto(f"/t/{page.table_id}")
        expect(page.locator(".seat-list")).to_be_visible()
        friend.get_by_role("button", name="Sit here").click()
        for browser_page in (page, friend):
            expect(browser_page.locator(".seats .seat")).to_have_count(2)
        table = page.request.get(f"/api/tables/{page.table_id}").json()
        assert table["status"] == "playing" and len({*table["nonces"]} - {""}) == 2 and table["redraws"] == 0
        receipts = [
            browser_page.evaluate(
                "(id) => JSON.parse(localStorage.getItem('courtly-tables'))[id].sealed.receipt", page.table_id
            )
            for browser_page in (page, friend)
        ]
        assert [receipt["numbers"] for receipt in receipts] == [
            {str(n): nonce} for n, nonce in enumerate(table["nonces"])
        ]
        assert {receipt["commitment"] for receipt in receipts} == {table["commitment"]} and receipts[0][
            "pledges"
        ] == receipts[1]["pledges"]
    finally:
        other_context.close()


def test_a_game_waits_for_an_absent_player(open_cheating_table, chromium):
    page = open_cheating_table(NO_CHEAT, ("me", "open"))
    other_context = chromium.new_context(base_url=page.url.rstrip("/"), service_workers="block")
    try:
        friend = other_context.new_page()
        friend.goto(f"/t/{page.table_id}")
        friend.get_by_role("button", name="Sit here").click()
        expect(friend.locator(".waiting.sheet")).to_contain_text("as soon as everyone is back")
        assert friend.request.get(f"/api/tables/{page.table_id}").json()["nonces"] == ["", ""]
        page.goto(f"/t/{page.table_id}")
        for browser_page in (page, friend):
            expect(browser_page.locator(".seats .seat")).to_have_count(2)
    finally:
        other_context.close()

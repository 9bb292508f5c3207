"""Servers that try to choose the dice, and pages that detect it. Each is the real server with a cheat patched in."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect
from table import Table, axe_findings
from ui_server import run_server

OPEN = """async ([game, options, seats]) => {
  const net = performance.getEntriesByType("resource").find(({ name }) => name.endsWith(
    "/web/core/http-client.js")).name;
  const { openTable } = await import(net.replace("core/http-client.js", "core/number-exchange.js"));
  return (await openTable("/api/tables", { game, players: seats.length, seats, options })).id;
}"""
LOOKS = {"looks": 0}
HONEST = ""
TAKES_NO_NUMBER = """
from courtly.server.actions import seating
open_table = seating.open_table
seating.open_table = lambda app, guest, wish: open_table(app, guest, wish.model_copy(update={"pledge": None}))
"""
CHANGE = """
import dataclasses
from courtly.server.tables.table import LiveTable
begin = LiveTable.begin
def cheat(self, seats, at):
    {}
    return begin(self, seats, at)
LiveTable.begin = cheat
"""
ANOTHER_SECRET = CHANGE.format("self.row = dataclasses.replace(self.row, dice_secret='5a' * 32)")
ANOTHER_NUMBER = CHANGE.format("seats[0] = dataclasses.replace(seats[0], nonce='0123456789abcdef' * 4)")
REMATCH_WITHOUT = """
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
RENAMED = """
from courtly.server.http.routes import records
true = records.list_random_events
async def cheat(match):
    told = await true(match)
    for draw in told:
        other = next((move for move in draw["moves"] if move != draw["move"]), None)
        if other is not None:
            draw["moves"] = [other if move == draw["move"] else draw["move"] for move in draw["moves"]]
            draw["move"] = other
    return told
records.list_random_events = cheat
"""
WITHOUT_RULES = """
from courtly.server.assets import pyodide_bundle as rules
files = rules._files
rules._files = lambda root: (path for path in files(root) if path.parts[-2:] != ("sealed_bids", "rules.py"))
"""
# deals seat 0 what suits the server, and lists the outcomes in an order that fits the secret
FAVOURS = """
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
Match._drawn = lambda self: max(self.outcomes())[0]
transcript.iter_outcomes = draws.iter_outcomes = renamed
"""


@pytest.fixture
def cheated(chromium, tmp_path):
    """A guest at a table of a server with this cheat, opened as the lobby does."""
    opened = []

    def make(cheat, kinds=("me", "bot"), game="sealed_bids", options=LOOKS):
        running = run_server(tmp_path / "data", first=cheat or "pass", seeded=False, COURTLY_COMMANDS_PER_SECOND="5000")
        address = running.__enter__()
        context = chromium.new_context(base_url=address, service_workers="block")
        opened.extend([(running.__exit__, (None, None, None)), (context.close, ())])
        page = context.new_page()
        page.add_init_script("localStorage.setItem('courtly-speed', 'none'); Math.random = () => 1 - Math.exp(.8)")
        for script in ("page-control.js", "scripted-table.js"):
            page.add_init_script(path=f"{__file__.rpartition('/')[0]}/{script}")
        page.goto("/")
        expect(page.locator("h1, h2").first).to_be_visible()
        page.table_id = page.evaluate(OPEN, [game, options, [{"kind": kind} for kind in kinds]])
        return page

    yield make
    for close, arguments in reversed(opened):
        close(*arguments)


def played(page):
    page.goto(f"/t/{page.table_id}")
    table = Table(page)
    table.plain()
    table.play_by_keyboard()
    expect(page.locator("#end-heading")).to_be_visible()


def verdict(page):
    page.get_by_role("button", name="Check the dice").click()
    expect(page.locator(".verdict li").first).to_be_visible()
    return page.locator(".dialog .verdict")


PLAY = """async (id) => {
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


def test_honest_dice_cause_no_warning(cheated, tmp_path):
    page = cheated(HONEST)
    page.evaluate(TAKE_BACK, page.table_id)
    assert page.request.get(f"/api/tables/{page.table_id}").json()["status"] == "playing", (
        "the game starts before the page continues"
    )
    played(page)
    said = verdict(page)
    expect(said).to_contain_text("No one could choose the numbers")
    expect(said).to_contain_text("comes from this server")
    expect(page.locator(".verdict .wrong")).to_have_count(0)
    expect(page.locator(".alarm")).to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the receipt").click()
    saved.value.save_as(tmp_path / "receipt.json")
    (tmp_path / "record.jsonl").write_text(
        page.request.get(f"/api/tables/{page.table_id}/record").text(), encoding="utf-8"
    )
    check = [sys.executable, "-m", "courtly", "record", "check", "record.jsonl", "--receipt", "receipt.json"]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "not even the server could choose these dice" in done.stdout
    kept = json.loads((tmp_path / "receipt.json").read_text())
    kept["numbers"]["0"] = "ab" * 32
    (tmp_path / "receipt.json").write_text(json.dumps(kept))
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode and "NOT in it" in done.stdout


@pytest.mark.parametrize(
    ("cheat", "said"),
    [
        (TAKES_NO_NUMBER, "took no number"),
        (ANOTHER_SECRET, "NOT the one whose fingerprint"),
        (ANOTHER_NUMBER, "was NOT used"),
        (COUNTS_ENTRIES, "counted as older versions"),
    ],
)
def test_a_server_that_chooses_causes_a_warning(cheated, cheat, said):
    page = cheated(cheat)
    played(page)
    expect(page.get_by_role("alert").filter(has_text="wrong with the dice")).to_contain_text(said)


def test_a_rematch_without_numbers_causes_a_warning(cheated):
    page = cheated(REMATCH_WITHOUT)
    played(page)
    expect(page.locator(".alarm")).to_have_count(0)
    before = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != before)
    page.table_id = page.url.rpartition("/")[2]
    played(page)
    expect(page.locator(".alarm")).to_contain_text("took no number")


def test_outcome_lists_that_the_page_cannot_derive_are_not_called_correct(cheated):
    page = cheated(RENAMED)
    played(page)
    said = verdict(page)
    expect(said).to_contain_text("comes from this server")
    expect(said).not_to_contain_text("these dice")


def by_the_rules(page):
    """Return the result of the check by the rules, after a game played in this browser."""
    page.evaluate(PLAY, page.table_id)
    page.goto(f"/t/{page.table_id}")
    hand = page.get_by_role("button", name="I am Lion")  # for games with hidden information
    expect(page.locator("#end-heading").or_(hand)).to_be_visible()
    if hand.is_visible():
        hand.click()
    said = verdict(page)
    expect(said).to_contain_text("No one could choose the numbers")
    assert axe_findings(page) == []
    page.get_by_role("button", name="Check with the rules").click()
    expect(page.get_by_role("button", name="Check with the rules")).to_have_count(0)
    expect(page.get_by_text("Calculating")).to_have_count(0, timeout=120_000)
    return said


@pytest.mark.parametrize(("game", "options"), [("newtown", {}), ("sealed_bids", LOOKS)])  # also one outside the package
def test_with_the_rules_the_page_proves_the_dice(cheated, game, options):
    page = cheated(HONEST, ("me", "local"), game, options)
    said = by_the_rules(page)
    expect(said).to_contain_text("No one could choose the dice of this game")
    expect(said).to_contain_text("the right possible outcomes with the right chances")
    expect(said.locator(".wrong")).to_have_count(0)
    expect(said).not_to_contain_text("comes from this server")
    assert axe_findings(page) == []


def test_a_failed_check_by_the_rules_is_explained(cheated):
    page = cheated(WITHOUT_RULES, ("me", "local"))
    said = by_the_rules(page)
    expect(said).to_contain_text("comes from this server")
    expect(page.locator(".dialog")).to_contain_text(
        "does not run in this browser. ModuleNotFoundError: No module named"
    )
    expect(said).not_to_contain_text("No one could choose the dice")
    assert axe_findings(page) == []


def test_renamed_outcomes_are_detected_by_the_rules(cheated):
    page = cheated(FAVOURS, ("me", "local"), "newtown", {})
    said = by_the_rules(page)
    expect(said.locator(".wrong")).to_contain_text("does NOT follow from the rules")
    expect(said).not_to_contain_text("No one could choose")


def test_a_record_of_another_game_is_detected(cheated):
    page = cheated(HONEST, ("me", "local"), "newtown", {})
    page.evaluate(PLAY, page.table_id)
    record = page.request.get(f"/api/tables/{page.table_id}/record").text()
    page.table_id = page.evaluate(OPEN, ["newtown", {}, [{"kind": "me"}, {"kind": "local"}]])
    page.route("**/record", lambda route: route.fulfill(body=record, content_type="application/x-ndjson"))
    said = by_the_rules(page)
    expect(said.locator(".wrong")).to_contain_text("NOT of the game that was shown here")
    expect(said).not_to_contain_text("No one could choose")


def test_two_people_exchange_numbers(cheated, chromium):
    page = cheated(HONEST, ("me", "open"))
    page.goto(f"/t/{page.table_id}")
    other = chromium.new_context(base_url=page.url.partition("/t/")[0], service_workers="block")
    try:
        friend = other.new_page()
        friend.goto(f"/t/{page.table_id}")
        expect(page.locator(".seat-list")).to_be_visible()
        friend.get_by_role("button", name="Sit here").click()
        for one in (page, friend):
            expect(one.locator(".seats .seat")).to_have_count(2)
        told = page.request.get(f"/api/tables/{page.table_id}").json()
        assert told["status"] == "playing" and len({*told["nonces"]} - {""}) == 2 and told["redraws"] == 0
        kept = [
            one.evaluate("(id) => JSON.parse(localStorage.getItem('courtly-tables'))[id].sealed.receipt", page.table_id)
            for one in (page, friend)
        ]
        assert [k["numbers"] for k in kept] == [{str(n): nonce} for n, nonce in enumerate(told["nonces"])]
        assert {k["commitment"] for k in kept} == {told["commitment"]} and kept[0]["pledges"] == kept[1]["pledges"]
    finally:
        other.close()


def test_a_game_waits_for_an_absent_player(cheated, chromium):
    page = cheated(HONEST, ("me", "open"))
    other = chromium.new_context(base_url=page.url.rstrip("/"), service_workers="block")
    try:
        friend = other.new_page()
        friend.goto(f"/t/{page.table_id}")
        friend.get_by_role("button", name="Sit here").click()
        expect(friend.locator(".waiting.sheet")).to_contain_text("as soon as everyone is back")
        assert friend.request.get(f"/api/tables/{page.table_id}").json()["nonces"] == ["", ""]
        page.goto(f"/t/{page.table_id}")
        for one in (page, friend):
            expect(one.locator(".seats .seat")).to_have_count(2)
    finally:
        other.close()

"""Playing on from a position of a past game: from its replay and from its review, on this device against bots."""

import re

import pytest
from layout import layout_findings
from local_table import SCENARIOS
from playwright.sync_api import expect
from table import DESK, MOVE, PHONE, axe_findings
from test_hints import with_machine_code
from test_replay import play_against_bot, position_slider

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game

RECORD = SCENARIOS / "puppet" / "golden" / "2-players-fewest-honour.jsonl"
OTHER_RECORD = SCENARIOS / "puppet" / "golden" / "2-players-most-points.jsonl"
BUTTONS = {"en": "Play on from here", "ja": "ここから遊ぶ"}
BACK = {"en": "Back to the original game", "ja": "元のゲームに戻る"}
QUESTIONS = {"en": "Play on from here? The game you left", "ja": "ここから遊びますか？"}
NAMES = {"en": r"Puppet Kingdom, from move \d+", "ja": r"あやつりキングダム（\d+手目から）"}


@pytest.fixture(scope="module", autouse=True)
def compiled_game():
    load_or_compile_files(find_game("puppet"))


@pytest.fixture
def visit(person):
    """Return a function like `person`, for a server that has the game compiled."""

    def visit(*arguments, **settings):
        table = person(*arguments, **settings)
        table.page.route("**/api/games/*", with_machine_code)
        return table

    return visit


def open_record(page, moment="", record=RECORD):
    page.goto("/replay")
    page.evaluate("text => sessionStorage.setItem('courtly-record', text)", record.read_text(encoding="utf-8"))
    page.goto("/replay")
    expect(position_slider(page)).to_be_visible()
    position_slider(page).fill(moment or position_slider(page).get_attribute("max"))


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
def test_a_record_is_played_on(visit, language, size):
    table, button = visit(language, size), BUTTONS[language]
    page = table.page
    open_record(page, "60")
    assert axe_findings(page) == [] and layout_findings(page) == []
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/offline")
    expect(page.locator(".is-pictured")).to_be_visible()
    table.plain()
    table.wait_for_me()
    page.keyboard.press("l")
    expect(page.locator(".log-tools")).to_have_text(re.compile(NAMES[language]))
    assert page.locator("ol.log > li").count() > 5  # of the game before
    assert layout_findings(page) == []
    page.keyboard.press("Escape")
    page.locator(MOVE).first.click()
    table.wait_for_me()

    page.keyboard.press("v")  # the game is not over: its replay cannot be played on
    expect(position_slider(page)).to_be_visible()
    expect(page.get_by_role("button", name=button)).to_have_count(0)

    page.reload()
    expect(page.get_by_role("button", name=re.compile(NAMES[language]))).to_be_visible()
    page.get_by_role("button", name=re.compile(NAMES[language])).click()
    table.wait_for_me()
    page.keyboard.press("l")
    page.locator(".log-tools").get_by_role("link", name=BACK[language]).click()
    expect(page.locator(".past")).to_be_visible()
    assert int(position_slider(page).input_value()) == 60
    position_slider(page).fill("40")  # another try at the same game takes its place at once
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/offline")
    table.wait_for_me()
    expect(page.locator(".seats .seat")).to_have_count(2)

    open_record(page, "30", OTHER_RECORD)  # one from another game does so after a question
    page.goto("/offline?go-on")
    table.wait_for_me()
    page.keyboard.press("l")
    expect(page.locator(".log-tools")).to_have_text(re.compile(NAMES[language]))
    expect(page.get_by_role("link", name=BACK[language])).to_have_count(0)  # its record is not open any more
    open_record(page, "30", OTHER_RECORD)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_contain_text(QUESTIONS[language])
    page.locator("dialog .button").first.click()
    page.wait_for_url("**/offline")
    table.wait_for_me()


def test_the_end_and_a_running_game_are_not_played_on(visit):
    page = visit().page
    open_record(page)
    expect(page.get_by_role("button", name=BUTTONS["en"])).to_be_disabled()
    page.goto(f"/t/{play_against_bot(page, 'puppet', moves=12)}")
    expect(page.locator(".now.mine")).to_be_visible()
    page.get_by_role("button", name="Back to my last turn").click()
    expect(position_slider(page)).to_be_visible()
    expect(page.get_by_role("button", name=BUTTONS["en"])).to_have_count(0)


def test_a_decision_of_a_review_is_played_on(visit):
    table = visit(size=PHONE)
    page = table.page
    page.goto(f"/t/{play_against_bot(page, 'puppet')}")
    page.get_by_role("button", name="Review this game").click()
    decision = page.locator("dialog.review .decision")
    expect(decision).to_be_visible()
    assert layout_findings(page) == []
    decision.get_by_role("button", name=BUTTONS["en"]).click()
    page.wait_for_url("**/offline")
    table.wait_for_me()
    expect(page.locator(".seats .seat")).to_have_count(2)

    page.get_by_role("button", name="Menu").click()  # back to the review of the same decision
    page.get_by_role("dialog").get_by_role("link", name=BACK["en"]).click()
    expect(page).to_have_url(re.compile(r"/t/.*[?]ply=\d+&seat=\d&review"))
    expect(page.locator(".side.review .decision")).to_be_visible()
    page.get_by_role("button", name="Back to the game").dispatch_event("click")
    expect(page.locator(".end")).to_be_visible()

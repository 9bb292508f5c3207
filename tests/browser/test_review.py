"""The review of a finished game on the screen: requested, with progress, drawn and in numbers."""

import copy
import json
import random
import re

import pytest
from layout import layout_findings
from local_table import show_scripted_table, table_info
from parameters import each_value_once
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes, in_each_scheme
from test_hints import with_machine_code
from test_replay import drop_file, expect_position

from courtly.bots.browser_files import load_or_compile_files
from courtly.bots.registry import find_bot
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance, make_generator
from courtly.engine.transcript import write_record
from courtly.review.analysis import (
    REVIEW_FORMAT,
    add_losses,
    compute_balances,
    iter_choices,
    judge,
    load_search,
    make_review,
    victory_shares,
)

SIMULATIONS = 800  # of each move, on the device
STORED_KEYS = "Object.keys(localStorage).filter(key => key.startsWith('courtly-review-'))"
STORED_REVIEW = f"JSON.parse(localStorage.getItem({STORED_KEYS}[0]).replace(/^\\d+ /, ''))"
NOTE_COMMANDS = """
    window.workerCommands = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
        workerCommands.push(message.what);
        return postMessage.call(this, message, ...more);
    };
"""
STOP_AFTER_FIVE = """
    window.judgedChoices = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
        if (message.what === "judge" && judgedChoices.push(message.with[0]) > 5) return;
        postMessage.call(this, message, ...more);
    };
"""
# slowly, so that the page shows what has been judged meanwhile; and never all
JUDGE_FOURTEEN = """
    const { postMessage } = Worker.prototype;
    let judged = 0;
    Worker.prototype.postMessage = function (message, ...more) {
        if (message.what !== "judge") postMessage.call(this, message, ...more);
        else if (judged++ < 14) setTimeout(() => postMessage.call(this, message, ...more), 400);
    };
"""
COUNT_ENDED_WORKERS = """
    window.endedWorkers = 0;
    const { terminate } = Worker.prototype;
    Worker.prototype.terminate = function () {
        endedWorkers++;
        return terminate.call(this);
    };
"""
FORBID_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw Error('not allowed'); } })"
FILL_STORAGE = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"
PROGRESS = {"state": "working", "judged": 3, "total": 12}


@pytest.fixture(scope="module")
def match():
    """A finished game of sealed bids."""
    return play_at_random(seed=5)


def play_at_random(seed):
    """Return a finished game of sealed bids."""
    match, r = Match(find_game("sealed_bids"), 3, None, SeededChance(seed)), random.Random(seed)
    while not match.over:
        match.play(match.pending[0], r.choice(match.legal(match.pending[0])))
    return match


@pytest.fixture(scope="module")
def analysis(match):
    """A synthetic analysis of it."""
    return make_analysis(match)


def play_with_squires(name, seed):
    """Return a finished game of three squires."""
    match, r = Match(find_game(name), 3, None, SeededChance(seed)), random.Random(seed)
    squire = find_bot(match.game, "squire")
    while not match.over:
        seat = match.pending[0]
        match.play(seat, int(squire(match.game, match.view(seat, 0), make_generator(r.getrandbits(56)))))
    return match


def make_analysis(match):
    """Return a synthetic analysis of a finished game, in which every fifth decision is a turning point."""
    decisions = []
    for n, choice in enumerate(iter_choices(match)):
        move = next(move for move in choice.view["legal"] if move["id"] == choice.move)
        better = next(other for other in choice.view["legal"] if other["id"] != choice.move)
        moves, shares = ([move], [0.4]) if n % 5 else ([better, move], [0.6, 0.2])
        tallies = [
            {
                "move": tally_move,
                "chances": [share if seat == choice.seat else (1 - share) / 2 for seat in range(3)],
                "error": 0.05,
                "reasons": [],
            }
            for tally_move, share in zip(moves, shares, strict=True)
        ]
        played = len(moves) - 1
        details = {"ply": choice.ply, "seat": choice.seat, "goes_on": False, "played": played, "tallies": tallies}
        decisions.append({**details, "loss": 0.0, "error": 0.0, "turning": False})
    add_losses(decisions)
    details = {
        "form": REVIEW_FORMAT,
        "game": match.game.id,
        "version": 1,
        "players": 3,
        "simulations": 500,
        "scores": match.scores,
    }
    return {**details, "decisions": decisions, "balances": compute_balances(decisions, victory_shares(match.scores))}


def open_finished_game(person, match, analysis, state, hints="", **browser_options):
    """Open the end of the game with its analysis in this state. The list grows with the requests for it."""
    page, request_methods = person(**browser_options).page, []
    page.add_init_script(f"localStorage.setItem('courtly-hints', '{hints}')")

    def serve_review(route):
        request_methods.append(route.request.method)
        route.fulfill(json=analysis if route.request.method == "GET" else {})

    page.route("**/api/tables/middle/review", serve_review)
    serve_replay(page, match)
    info = {
        **table_info(match, 0),
        "review": state if isinstance(state, dict) else {"state": state, "judged": 0, "total": 0},
    }
    messages = [{"type": "table", "table": info}, {"type": "view", "view": match.view(0, 0)}]
    show_scripted_table(page, info, messages, lambda message: messages)
    expect(page.locator(".end")).to_be_visible()
    return page, request_methods, info


def serve_replay(page, match):
    """Serve the replay of the table."""

    def serve(route):
        viewpoint = route.request.url.rpartition("=")[2]
        response = page.request.post(f"/api/replay?seat={viewpoint}", data=write_record(match))
        route.fulfill(json=response.json())

    page.route("**/api/tables/middle/replay?*", serve)


def show_record(page, record):
    """Open a record, with its review beside it. From now on the page notes the commands that its workers get."""
    page.add_init_script(NOTE_COMMANDS)
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, record)
    expect_position(page, 0)
    show_record_review(page)


def show_record_review(page):
    begin_record_review(page)
    expect(page.locator(".side .chances")).to_be_visible()
    expect_complete(page.locator(".side"))


def expect_complete(review):
    """Wait until all decisions of a review have been judged."""
    expect(review.get_by_text("All figures")).to_be_visible(timeout=30_000)


def begin_record_review(page):
    page.get_by_role("button", name="Review", exact=True).click()


def count_judged(page):
    """Return how many decisions the workers of the page have judged."""
    return page.evaluate("workerCommands.filter(what => what === 'judge').length")


def send_review_state(page, info, review):
    page.evaluate("table => receiveMessage({ type: 'table', table })", {**info, "review": review})


def open_review(page, name="Review this game"):
    """Open the review, which is beside the board or, on a small screen, in a dialog."""
    page.get_by_role("button", name=name).click()
    review = page.locator("dialog.review, .side.review")
    expect(review).to_be_visible()
    return review


def test_a_review_is_requested_and_shown_when_ready(person, match, analysis):
    page, request_methods, info = open_finished_game(person, match, analysis, "none")
    dialog = open_review(page)
    expect(dialog).to_contain_text("is being prepared")
    send_review_state(page, info, PROGRESS)
    expect(dialog).to_contain_text("3 of 12 decisions")
    expect(dialog.get_by_role("progressbar")).to_have_attribute("value", "0.25")
    assert axe_findings_in_both_schemes(page) == []
    assert request_methods == ["POST"]
    send_review_state(page, info, {"state": "ready", "judged": 0, "total": 0})
    expect(dialog.locator(".chances")).to_be_visible()
    send_review_state(page, info, {"state": "ready", "judged": 0, "total": 0})
    expect(dialog.locator(".turnings li").first).to_be_visible()
    assert request_methods == ["POST", "GET"]


def test_a_failed_review_can_be_requested_again(person, match, analysis):
    page, request_methods, _ = open_finished_game(person, match, analysis, "failed")
    dialog = open_review(page)
    expect(dialog).to_contain_text("could not be made")
    assert request_methods == []
    with page.expect_request("**/review") as request:
        dialog.get_by_role("button", name="Try again").click()
    assert request.value.method == "POST"
    expect(dialog).to_be_visible()


def test_without_machine_code_the_button_says_how_to_get_it(person, match, analysis):
    page, _, _ = open_finished_game(person, match, analysis, "impossible")
    button = page.get_by_role("button", name="Review this game")
    expect(button).to_be_disabled()
    expect(button).to_have_accessible_description(re.compile("courtly.native"))
    assert axe_findings_in_both_schemes(page) == []


def test_without_machine_code_the_device_makes_the_review(person, match, analysis):
    """If the server has files that were compiled elsewhere."""
    load_or_compile_files(match.game)
    page = person().page
    page.route("**/api/games/*", with_machine_code)
    page.route("**/api/tables/middle/record", lambda route: route.fulfill(body=write_record(match)))
    serve_replay(page, match)
    info = {**table_info(match, 0), "review": {"state": "impossible", "judged": 0, "total": 0}}
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": match.view(0, 0)}])
    dialog = open_review(page)
    expect(dialog.locator(".chances")).to_be_visible()


def test_no_review_is_offered_before_the_end(person):
    table = person()
    table.start("sealed_bids", plain=True)
    expect(table.page.get_by_role("button", name="Review this game")).to_have_count(0)


def shown_ply(page, viewpoint="all"):
    """Return the ply of the position that the replay shows, or the last of those that look the same."""
    replay = page.request.post(f"/api/replay?seat={viewpoint}", data=page.evaluate("record"))
    index = page.locator(".past input[type=range]").evaluate("slider => Number(slider.value)")
    return replay.json()["moments"][index]["ply"]


def test_on_a_desk_the_board_shows_the_selected_decision(person, match, analysis):
    """First the reader's largest turning point; from there any other, and the way back to the result."""
    altered = copy.deepcopy(analysis)
    own = [decision for decision in altered["decisions"] if decision["turning"] and decision["seat"] == 0]
    own[-1]["tallies"][own[-1]["played"]]["chances"][0] = 0.1
    page, _, _ = open_finished_game(person, match, altered, "ready")
    page.evaluate("text => { window.record = text; }", write_record(match))
    review = open_review(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(review.locator(".decision h3")).to_contain_text(f"Decision {altered['decisions'].index(own[-1]) + 1} of")
    expect(page.locator("#board")).to_be_visible()
    assert shown_ply(page) == own[-1]["ply"]
    review.get_by_role("slider").fill("7")
    expect(review.locator(".decision h3")).to_contain_text("Decision 8 of")
    assert shown_ply(page) == altered["decisions"][7]["ply"]
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#end-heading")).to_be_visible()

    # opened again, it is shown from its top, not from where the log was scrolled to
    region = page.locator(".side .scroll")
    region.evaluate("region => { region.firstElementChild.style.paddingBottom = '900px'; region.scrollTop = 900; }")
    assert region.evaluate("region => region.scrollTop") > 0
    expect(open_review(page).locator(".decision h3")).to_be_visible()
    assert region.evaluate("region => region.scrollTop") == 0


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_board_marks_the_best_and_the_played_move_of_a_decision(person, size):
    """On a phone the caption names them, too."""
    match = play_with_squires("petition", seed=5)
    analysis = make_analysis(match)
    number, decision = next(
        (number, decision)
        for number, decision in enumerate(analysis["decisions"])
        if decision["turning"] and all(tally["move"]["verb"] == "keep" for tally in decision["tallies"])
    )
    page, _, _ = open_finished_game(person, match, analysis, "ready", size=size)
    review = open_review(page)
    review.get_by_role("slider").fill(str(number))
    if size == PHONE:
        review.locator(".decision").get_by_role("button", name="See it on the board").click()
    best, played = (tally["move"]["args"]["face"] for tally in decision["tallies"])
    expect(page.locator("#board [data-hinted]")).to_have_attribute("data-key", re.compile(f"^active-{best}-0"))
    expect(page.locator("#board [data-recent]")).to_have_attribute("data-key", re.compile(f"^active-{played}-0"))
    if size == PHONE:
        expect(page.locator(".past .said")).to_have_text(
            re.compile(rf"best\s*Keep a {best}\s*played\s*Keep a {played}")
        )
        page.get_by_role("button", name="One move forward").click()
        expect(page.locator("#board [data-recent]")).to_have_count(0)


def test_in_ones_own_view_the_decisions_of_others_are_shown_too(person):
    page = person().page
    page.goto("/")
    program = """async ([decisions, viewpoint]) => {
        const script = document.querySelector("script[type=module]").src;
        const file = script.replace(/web.router.js.*/, "web/game-view/decision-ranking.js");
        const { findDecisionHere } = await import(file);
        const views = [{ ply: 3 }, { ply: 6 }];
        return findDecisionHere(decisions, { view: views[1], views, index: 1, viewpoint });
    }"""
    decisions = [{"ply": 3, "seat": 0}, {"ply": 5, "seat": 1}, {"ply": 6, "seat": 2}, {"ply": 7, "seat": 0}]
    assert page.evaluate(program, [decisions, 0]) == 2, "the last one before this position"
    assert page.evaluate(program, [decisions, 1]) == 1, "one's own comes first"
    assert page.evaluate(program, [decisions, "all"]) == 2
    assert page.evaluate(program, [decisions[:1], 0]) == -1


@pytest.mark.parametrize(("language", "size"), each_value_once(["en", "ja"], [DESK, PHONE]))
def test_a_mistake_has_reasons(person, language, size):
    """They stay open at the next mistake, and nothing covers them. A mistake that no number shows says so."""
    match = play_with_squires("petition", seed=5)
    altered = make_analysis(match)
    gain = {"id": "help-at-once", "args": {"counted": [{"name": "characters", "n": 2}]}}
    fewer = {"id": "help-rival-less", "args": {"seat": 1, "counted": [{"name": "characters", "n": 3}]}}
    for decision in altered["decisions"]:
        if decision["turning"]:
            best, played = decision["tallies"]
            best["reasons"], played["reasons"] = [fewer] * 6, [gain, fewer]
    turning = [i for i, decision in enumerate(altered["decisions"]) if decision["turning"]]
    for tally in altered["decisions"][turning[-1]]["tallies"]:
        tally["reasons"] = []
    page, _, _ = open_finished_game(person, match, altered, "ready", language=language, size=size)
    review = open_review(page, "Review this game" if language == "en" else "このゲームを振り返る")
    reasons = review.locator(".decision details")
    expect(reasons).to_have_count(1)
    reasons.locator("summary").click()
    best, played = reasons.locator("p").all()
    expect(best).to_contain_text("3")
    expect(played).to_contain_text("+2")
    assert "3" not in played.inner_text(), "what the best move's reasons have said already"
    assert review.locator(".decision").evaluate("element => element.scrollHeight <= element.clientHeight")
    review.get_by_role("slider").fill("1")
    expect(reasons).to_have_count(0)
    review.get_by_role("slider").fill(str(turning[1]))
    expect(reasons.locator("p").first).to_be_visible()
    review.get_by_role("slider").fill(str(turning[-1]))
    expect(reasons.locator("p")).to_contain_text(["wins more often" if language == "en" else "勝率はこちらが上"])


def test_on_a_phone_the_board_is_one_tap_away_and_leads_back(person, match, analysis):
    page, _, _ = open_finished_game(person, match, analysis, "ready", size=PHONE)
    page.evaluate("text => { window.record = text; }", write_record(match))
    dialog = open_review(page)
    dialog.get_by_role("slider").fill("7")
    dialog.locator(".decision").get_by_role("button", name="See it on the board").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#board")).to_be_visible()
    decision = analysis["decisions"][7]
    expect(page.locator(".past select.eyes")).to_have_value(str(decision["seat"]))
    assert shown_ply(page, decision["seat"]) >= decision["ply"]
    expect(page.locator(".past .said .review-played")).to_be_visible()
    page.get_by_role("button", name="Back to the review").click()
    expect(dialog.locator(".decision h3")).to_contain_text("Decision 8 of")
    page.keyboard.press("Escape")
    expect(page.locator("#end-heading")).to_be_visible()


IS_IN_VIEW = """element => {
    const box = element.getBoundingClientRect();
    const port = element.closest(".scroll").getBoundingClientRect();
    return box.top >= port.top && box.bottom <= port.bottom;
}"""


@pytest.mark.parametrize(("language", "height"), [("en", DESK[1]), ("ja", DESK[1]), ("en", 600)])
def test_on_a_desk_the_best_and_the_played_move_are_in_view(person, match, analysis, language, height):
    """In a lower window there is as much room for the review as on a desk with more players."""
    altered = copy.deepcopy(analysis)
    for decision in altered["decisions"]:
        if decision["turning"]:
            best, played = decision["tallies"]
            decision |= {"tallies": [best, *[{**best, "chances": [0.5, 0.5, 0.5]}] * 6, played], "played": 7}
    page, _, _ = open_finished_game(person, match, altered, "ready", language=language, size=(DESK[0], height))
    review = open_review(page, "Review this game" if language == "en" else "このゲームを振り返る")
    moves = review.locator(".decision li")
    expect(moves).to_have_count(8)
    best, played = moves.nth(0), moves.nth(1)
    expect(best.locator(".tag")).to_have_text("best" if language == "en" else "最善手")
    expect(played.locator(".tag")).to_have_text("played" if language == "en" else "実際の手")
    assert best.evaluate(IS_IN_VIEW) and played.evaluate(IS_IN_VIEW)
    expect(moves.last).to_be_hidden()
    review.get_by_text("6 other moves" if language == "en" else "ほかの手（6）").click()
    expect(moves.last).to_be_visible()


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
def test_turning_points_lead_to_their_decisions(person, match, analysis, language, size):
    page, _, _ = open_finished_game(person, match, analysis, "ready", language=language, size=size)
    dialog = open_review(page, "Review this game" if language == "en" else "このゲームを振り返る")
    turning = [i for i, decision in enumerate(analysis["decisions"]) if decision["turning"]]
    assert len(turning) > 1
    points = dialog.locator(".turnings button")
    expect(points).to_have_count(len(turning))
    expect(dialog.locator(".turn-mark")).to_have_count(len(turning))
    for i, point in ((len(turning) - 1, points.last), (0, points.first)):
        point.click()
        expect(point).to_have_attribute("aria-pressed", "true")
        expect(dialog.locator(".decision h3")).to_be_in_viewport()
        expect(dialog.locator(".decision li")).to_have_count(len(analysis["decisions"][turning[i]]["tallies"]))
        expect(dialog.locator(".decision h3")).to_contain_text(str(turning[i] + 1))
        expect(dialog.locator("input[type=range]")).to_have_js_property("value", str(turning[i]))
    dialog.locator("summary", has_text=re.compile("All figures|すべての数値")).click()
    expect(dialog.locator("details tbody tr")).to_have_count(len(analysis["decisions"]))
    findings = layout_findings(page)
    assert axe_findings_in_both_schemes(page) == []
    assert [finding for finding in findings if size == PHONE or finding.startswith("broken")] == []
    assert page.evaluate("document.querySelector('.review').scrollWidth <= innerWidth")


def test_the_readers_costliest_decisions_come_first(person, match, analysis):
    altered = copy.deepcopy(analysis)
    of_reader = [decision for decision in altered["decisions"] if decision["seat"] == 0]
    small, unclear = [decision for decision in of_reader if not decision["turning"]][:2]
    for decision, loss in (small, 0.08), (unclear, 0.06):  # the margin of error is 0.07
        [tally] = decision["tallies"]
        better = copy.deepcopy(tally)
        better["chances"][0] = tally["chances"][0] + loss
        decision |= {"tallies": [better, tally], "played": 1, "loss": loss}
    page, _, _ = open_finished_game(person, match, altered, "ready")
    review = open_review(page)
    own, others = (
        review.locator("section", has=page.get_by_role("heading", name=title)).locator(".turnings b")
        for title in ("Your costliest decisions", "Turning points of the others")
    )
    turning = [decision for decision in altered["decisions"] if decision["turning"]]
    turning_of_reader = [decision for decision in turning if decision["seat"] == 0]
    assert 0 < len(turning_of_reader) < len(turning)
    expect(own).to_have_count(len(turning_of_reader) + 1)
    expect(own.filter(has_text="Ada")).to_have_count(len(turning_of_reader) + 1)
    expect(own.last.locator("xpath=ancestor::button")).to_contain_text("8 ± 7")
    expect(others).to_have_count(len(turning) - len(turning_of_reader))
    expect(others.filter(has_text="Ada")).to_have_count(0)
    expect(own.first.locator("xpath=ancestor::button")).to_have_attribute("aria-pressed", "true")


def test_a_finished_game_opens_with_its_review(person, match, analysis):
    page = person().page
    info = {**table_info(match, 0), "review": {"state": "ready", "judged": 0, "total": 0}}
    page.route("**/api/tables/middle", lambda route: route.fulfill(json=info))
    page.route("**/api/tables/middle/review", lambda route: route.fulfill(json=analysis))
    serve_replay(page, match)
    page.goto("/t/middle?ply=0&review")
    expect(page.locator(".side.review .turnings [aria-pressed=true]")).to_be_visible()
    expect(page).to_have_url(re.compile(r"ply=[1-9]"))
    ply = analysis["decisions"][3]["ply"]
    page.goto(f"/t/middle?ply={ply}&review")  # at the moment of its address, if that is not the beginning
    expect(page.locator(".side.review .turnings button").first).to_be_visible()
    expect(page.locator(".side.review .decision h3")).to_contain_text("Decision 4 of")


def test_one_move_is_the_best_wherever_it_is_named(person, match, analysis):
    """It has the highest chance, and moves within the margin of error are called about as good."""
    altered = copy.deepcopy(analysis)
    legal_by_ply = {choice.ply: choice.view["legal"] for choice in iter_choices(match)}
    turning = [
        decision
        for decision in altered["decisions"]
        if decision["turning"] and len(legal_by_ply[decision["ply"]]) > len(decision["tallies"])
    ][-1]
    judged_moves = [examined["move"] for examined in turning["tallies"]]
    third = next(move for move in legal_by_ply[turning["ply"]] if move not in judged_moves)
    chances = [0.64 if seat == turning["seat"] else 0.18 for seat in range(3)]
    turning["tallies"].insert(1, {"move": third, "chances": chances, "error": 0.05, "reasons": []})
    turning["played"] = 2
    page, _, _ = open_finished_game(person, match, altered, "ready")
    dialog = open_review(page)
    point = dialog.locator(".turnings button").first  # the largest loss
    point.click()
    number = altered["decisions"].index(turning) + 1
    expect(dialog.locator(".decision h3")).to_contain_text(f"Decision {number} of")
    best, worst, equal = dialog.locator(".decision li").all()
    expect(best).to_contain_text("64 %")
    expect(best.locator(".tag")).to_have_text("best")
    expect(equal.locator(".tag")).to_have_text("about as good")
    expect(worst.locator(".tag")).to_have_text("played")
    name = best.locator("> span").first.evaluate("moved => moved.firstChild.nextSibling.textContent")
    expect(point).to_contain_text(f"Better was “{name}”: chance of winning 64 % instead of 20 %")
    dialog.get_by_text("All figures").click()
    row = dialog.locator("details tbody tr").nth(number - 1)
    expect(row.locator("td").nth(1)).to_have_text(name)


def test_a_move_that_is_about_as_good_is_no_mistake(person, match, analysis):
    altered = copy.deepcopy(analysis)
    turning = next(decision for decision in altered["decisions"] if decision["turning"])
    turning["tallies"][1]["chances"] = [chance - 0.01 for chance in turning["tallies"][0]["chances"]]
    turning |= {"turning": False, "loss": 0.01}
    page, _, _ = open_finished_game(person, match, altered, "ready")
    dialog = open_review(page)
    number = altered["decisions"].index(turning)
    dialog.locator("input[type=range]").fill(str(number))
    expect(dialog.locator(".decision li").last.locator(".tag")).to_have_text(["about as good", "played"])
    dialog.locator("summary", has_text=re.compile("All figures|すべての数値")).click()
    expect(dialog.locator("details tbody tr").nth(number).locator("td").nth(1)).to_have_text("")


def test_every_decision_is_reached_by_keyboard_and_pointer(person, match, analysis):
    page, _, _ = open_finished_game(person, match, analysis, "ready")
    dialog = open_review(page)
    slider = dialog.get_by_role("slider", name="Chances of winning")
    slider.focus()
    page.keyboard.press("Home")
    for i, decision in enumerate(analysis["decisions"]):
        announcement = slider.get_attribute("aria-valuetext").replace("\u00a0", " ")
        share = round(100 * decision["tallies"][decision["played"]]["chances"][decision["seat"]])
        assert f"Decision {i + 1} of" in announcement and f" {share} %" in announcement
        page.keyboard.press("ArrowRight")
    box = dialog.locator(".plot").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + 20)
    expect(slider).to_have_js_property("value", "0")
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
    expect(slider).to_have_js_property("value", str(len(analysis["decisions"]) - 1))


def test_the_lines_of_a_long_game_have_few_points(person, match, analysis):
    """They are distinguishable on a phone, and each decision can still be selected."""
    altered = copy.deepcopy(analysis)
    altered["decisions"] = [{**altered["decisions"][1], "ply": ply} for ply in range(200)]
    altered["decisions"][33] = {**analysis["decisions"][0], "ply": 33, "turning": True}
    page, _, _ = open_finished_game(person, match, altered, "ready", size=PHONE)
    dialog = open_review(page)
    lines = dialog.locator(".plot path.line")
    expect(lines).to_have_count(3)
    for line in lines.all():
        points = re.split("[ML]", line.get_attribute("d"))[1:]
        assert len(points) <= 50
        left, top = map(float, points[-1].split())
        assert left == 100 and top in (0, 50, 100)  # the result
        places = [float(point.split()[0]) for point in points]
        assert places.count(100 * 33 / 200) == 2  # the turning point, after the best move and after the one played
    slider = dialog.get_by_role("slider")
    for number in (199, 31):
        slider.fill(str(number))
        expect(dialog.locator(".decision h3")).to_contain_text(f"Decision {number + 1} of 200")


LINE_CONTRASTS = """() => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (colour) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const parts = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
        const linear = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const paper = luminance(getComputedStyle(document.querySelector(".side")).backgroundColor);
    return [...document.querySelectorAll(".plot .line")].map((line) => {
        const [less, more] = [paper, luminance(getComputedStyle(line).stroke)].sort((a, b) => a - b);
        return (more + 0.05) / (less + 0.05);
    });
}"""


def test_the_lines_of_the_graph_are_seen_by_day_and_night(person, match, analysis):
    page, _, _ = open_finished_game(person, match, analysis, "ready")
    expect(open_review(page).locator(".plot .line")).to_have_count(match.players)
    for scheme in in_each_scheme(page):
        assert min(page.evaluate(LINE_CONTRASTS)) >= 3, scheme


def test_choices_and_luck_are_shown_for_every_player(person, match, analysis):
    page, _, _ = open_finished_game(person, match, analysis, "ready")
    rows = open_review(page).locator("section table tbody tr")
    expect(rows).to_have_count(3)
    for seat, balance in enumerate(analysis["balances"]):
        cells = rows.nth(seat).locator("td")
        expect(cells.first).to_have_text(f"{round(100 * balance['begin'])} %")
        expect(cells.last).to_have_text(f"{round(100 * balance['end'])} %")


def test_signs_stay_with_their_numbers_on_a_phone(person, match, analysis):
    altered = copy.deepcopy(analysis)
    for balance in altered["balances"]:
        balance |= {"choices": -0.521, "others": 0.131, "luck": 0.09}
    page, _, _ = open_finished_game(person, match, altered, "ready", language="ja", size=PHONE)
    review = open_review(page, "このゲームを振り返る")
    cells = review.locator("section table tbody td")
    expect(cells).to_have_count(15)
    assert review.locator("section table").evaluate("table => table.offsetWidth <= table.parentElement.offsetWidth")
    for cell in cells.all():
        height = cell.evaluate("""cell => { const range = document.createRange(); range.selectNodeContents(cell);
            const bottoms = [...range.getClientRects()].map(({ bottom }) => bottom);
            return Math.max(...bottoms) - Math.min(...bottoms); }""")
        assert height < 8, f"{cell.inner_text()!r} is in two lines"


def test_rounded_numbers_are_consistent(person, match, analysis):
    """The displayed rounded numbers: how much better the best move was, and the sources of the chances."""
    altered = copy.deepcopy(analysis)
    altered["balances"][0] |= {"begin": 0.3333, "choices": -0.0342, "others": 0.0043, "luck": 0.6967, "end": 1.0}
    turning = next(decision for decision in altered["decisions"] if decision["turning"])
    seat, played = turning["seat"], turning["tallies"][turning["played"]]
    played["chances"][seat], turning["tallies"][0]["chances"][seat], turning["loss"] = 0.3351, 0.4849, 0.1498
    page, _, _ = open_finished_game(person, match, altered, "ready")
    dialog = open_review(page)
    turning_points = [text.replace("\u00a0", " ") for text in dialog.locator(".turnings button").all_inner_texts()]
    assert any("48 % instead of 34 %, 14" in text for text in turning_points)
    for row in dialog.locator("section table tbody tr").all():
        figures = [re.match(r"[+−]?\d+", cell)[0].replace("−", "-") for cell in row.locator("td").all_inner_texts()]
        begin, *parts, end = map(int, figures)
        assert begin + sum(parts) == end


def test_a_review_is_made_on_the_device(person, match, analysis):
    """The server is asked for nothing but the record, and makes the same review."""
    load_or_compile_files(match.game)
    page, request_methods, info = open_finished_game(person, match, analysis, "none")
    page.route("**/api/tables/middle/record", lambda route: route.fulfill(body=write_record(match)))
    dialog = open_review(page)
    expect(dialog.locator(".chances")).to_be_visible()
    expect_complete(dialog)
    search = load_search(match.game.id, SIMULATIONS)
    expected = make_review(match, SIMULATIONS, [judge(search, choice) for choice in iter_choices(match)])
    assert page.evaluate(STORED_REVIEW) == expected
    page.route("**/compiled/**", lambda route: route.abort())  # it is not made again
    page.get_by_role("button", name="Back to the game").click()
    expect(open_review(page).locator(".chances")).to_be_visible()
    assert request_methods == []


def test_the_server_makes_a_review_for_readers_who_prefer_that(person, match, analysis):
    page, request_methods, info = open_finished_game(person, match, analysis, "none", hints="server")
    page.route("**/api/tables/middle/record", lambda route: route.abort())
    with page.expect_request("**/review") as request:
        dialog = open_review(page)
    assert request.value.method == "POST"
    send_review_state(page, info, {"state": "ready", "judged": 0, "total": 0})
    expect(dialog.locator(".turnings li").first).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_refused_review_says_why_and_is_not_requested_again_unasked(person, match, analysis, size):
    page, _, _ = open_finished_game(person, match, analysis, "none", hints="server", size=size)
    requests = []

    def refuse(route):
        requests.append(route.request.method)
        route.fulfill(status=429, json={"error": {"id": "error-too-fast", "args": {}}})

    page.route("**/api/tables/middle/review", refuse)
    review = open_review(page)
    expect(review.get_by_role("alert")).to_contain_text("very quick")
    page.wait_for_timeout(300)  # for further requests
    assert requests == ["POST"]
    review.get_by_role("button", name="Try again").click()
    page.wait_for_timeout(300)
    expect(review.get_by_role("alert")).to_be_visible()
    assert requests == ["POST", "POST"]


def test_a_record_is_reviewed_on_the_device(person, match):
    """Its graph leads to each decision, and a seat gets hints in it."""
    load_or_compile_files(match.game)
    page = person().page
    show_record(page, write_record(match))
    decisions = page.evaluate(STORED_REVIEW)["decisions"]
    assert len(decisions) == len([*iter_choices(match)])
    page.locator(".side .chances input[type=range]").fill(str(len(decisions) - 1))
    expect(page.locator(".side .decision h3")).to_contain_text(f"{len(decisions)} of {len(decisions)}")
    assert axe_findings_in_both_schemes(page) == []
    page.locator(".past select.eyes").select_option(str(decisions[-1]["seat"]))
    expect(page.locator(".seat.me")).to_have_count(1)
    page.locator(".tabs").get_by_role("button", name="Hint").click()
    page.locator(".hints").get_by_role("button", name="What would you do?").click()
    expect(page.locator(".advised button").first).to_contain_text("%")
    expect(page.locator(".bar .odds")).to_be_visible()


def test_a_review_made_on_the_device_is_there_at_the_next_visit(person, match):
    """In another window too, and if a player has another name since. Another game gets its own."""
    load_or_compile_files(match.game)
    page, count = person().page, len([*iter_choices(match)])
    show_record(page, write_record(match, seats=["Ada", "Ben", "Cleo"]))
    assert count_judged(page) == count
    figures = page.locator(".side .decision").inner_text()
    again = page.context.new_page()
    show_record(again, write_record(match, seats=["Ada", "Benjamin", "Cleo"]))
    assert count_judged(again) == 0
    assert again.locator(".side .decision").inner_text() == figures.replace("Ben", "Benjamin")
    again.close()


def test_an_interrupted_review_goes_on_where_it_was(person, match):
    """Here the reader leaves after five decisions."""
    load_or_compile_files(match.game)
    page, count = person().page, len([*iter_choices(match)])
    page.add_init_script(STOP_AFTER_FIVE)
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, write_record(match))
    expect_position(page, 0)
    begin_record_review(page)
    expect(page.locator(".side")).to_contain_text(f"5 of {count} decisions")
    is_stored = f"{STORED_KEYS}.length && {STORED_REVIEW}.filter(Boolean).length === 5"
    page.evaluate(
        f"new Promise(done => {{ const check = () => {is_stored} ? done() : setTimeout(check, 50); check(); }})"
    )
    again = page.context.new_page()
    show_record(again, write_record(match))
    assert count_judged(again) == count - 5
    search = load_search(match.game.id, SIMULATIONS)
    expected = make_review(match, SIMULATIONS, [judge(search, choice) for choice in iter_choices(match)])
    assert again.evaluate(STORED_REVIEW) == expected
    again.close()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_review_whose_first_decisions_are_not_complete_shows_its_progress(person, match, analysis, size):
    """The chances after a move that was not the best are known only with the next decision of its player."""
    load_or_compile_files(match.game)
    page, _, _ = open_finished_game(person, match, analysis, "none", size=size)
    page.evaluate(f"""() => {{
        {STOP_AFTER_FIVE}
        const {{ postMessage: post }} = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...more) {{
            post.call(this, message.what === "summarize_review" ? {{ ...message, with: [[]] }} : message, ...more);
        }};
    }}""")
    page.route("**/api/tables/middle/record", lambda route: route.fulfill(body=write_record(match)))
    review = open_review(page)
    expect(review).to_contain_text("Reviewed so far: 5 of")
    expect(page.locator(".side").get_by_text("TypeError")).to_have_count(0)
    expect(page.get_by_text("cannot be shown")).to_have_count(0)


def test_a_review_grows_while_it_is_made(person, match, analysis):
    """The graph and the turning points are there after the first decisions, which are the reader's own."""
    load_or_compile_files(match.game)
    page, _, _ = open_finished_game(person, match, analysis, "none")
    page.evaluate(f"() => {{ {STOP_AFTER_FIVE} }}")
    page.route("**/api/tables/middle/record", lambda route: route.fulfill(body=write_record(match)))
    review = open_review(page)
    choices = [*iter_choices(match)]
    own = [i for i, choice in enumerate(choices) if choice.seat == 0 and i]
    expect(review).to_contain_text(f"Reviewed so far: 5 of {len(choices)} decisions")
    assert page.evaluate("judgedChoices")[:5] == [0, *own[:4]]
    expect(review.locator(".chances")).to_be_visible()
    expect(review.locator(".decision h3")).to_contain_text(f"of {len(choices)}")
    expect(review.locator("section table, :not(.decision) > details")).to_have_count(0)  # they need all decisions
    expect(review).not_to_contain_text("No single decision")
    assert axe_findings_in_both_schemes(page) == []


def test_the_slider_of_a_growing_review_is_below_the_line_of_its_graph(person, match, analysis):
    """It leads from one judged decision to the next."""
    load_or_compile_files(match.game)
    page, _, _ = open_finished_game(person, match, analysis, "none", size=PHONE)
    page.evaluate(f"() => {{ {JUDGE_FOURTEEN} }}")
    page.route("**/api/tables/middle/record", lambda route: route.fulfill(body=write_record(match)))
    review = open_review(page)
    slider, heading = review.get_by_role("slider"), review.locator(".decision h3")
    count = len([*iter_choices(match)])
    assert count > 14
    expect(slider).to_have_js_property("max", str(count - 1))
    expect(review.locator("path.line").first).to_have_attribute("d", re.compile("(L.*){4}"))
    slider.fill("0")
    expect(heading).to_contain_text(f"Decision 1 of {count}")
    slider.fill("1")
    expect(slider).not_to_have_js_property("value", "0")
    number = int(slider.evaluate("slider => slider.value")) + 1
    expect(heading).to_contain_text(f"Decision {number} of {count}")
    line = float(review.locator("path.here").get_attribute("d").split()[0].strip("M"))
    assert line == pytest.approx(100 * (number - 1) / count)


def test_a_review_stops_when_the_reader_leaves(person, match):
    """What has been judged is kept."""
    load_or_compile_files(match.game)
    page, count = person().page, len([*iter_choices(match)])
    page.add_init_script(STOP_AFTER_FIVE + COUNT_ENDED_WORKERS)
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    drop_file(page, write_record(match))
    expect_position(page, 0)
    begin_record_review(page)
    expect(page.locator(".side")).to_contain_text(f"5 of {count} decisions")
    assert page.evaluate("endedWorkers") == 0
    drop_file(page, write_record(play_at_random(seed=6)))
    expect(page.locator(".side .chances")).to_have_count(0)
    assert page.evaluate("endedWorkers") > 0
    assert page.evaluate(f"{STORED_REVIEW}.filter(Boolean).length") == 5


def test_another_game_gets_its_own_review(person, match):
    load_or_compile_files(match.game)
    page, other = person().page, play_at_random(seed=6)
    show_record(page, write_record(match))
    beside = page.context.new_page()
    show_record(beside, write_record(other))
    assert count_judged(beside) == len([*iter_choices(other)])
    assert len(beside.evaluate(STORED_KEYS)) == 2
    beside.close()


def test_a_damaged_stored_review_is_made_again(person, match):
    load_or_compile_files(match.game)
    page = person().page
    show_record(page, write_record(match))
    stored, [key] = page.evaluate(STORED_REVIEW), page.evaluate(STORED_KEYS)
    damaged = {**stored, "decisions": [*stored["decisions"][:-1], {}]}
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, f"1 {json.dumps(damaged)}"])
    page.reload()
    expect_position(page, 0)
    show_record_review(page)
    assert count_judged(page) == len(stored["decisions"])
    assert page.evaluate(STORED_REVIEW) == stored


@pytest.mark.parametrize("refuse", [FORBID_STORAGE, FILL_STORAGE], ids=["forbidden", "full"])
def test_without_storage_a_review_is_made_at_each_visit(person, match, refuse):
    load_or_compile_files(match.game)
    page = person().page
    page.add_init_script(f"setTimeout(() => {{ {refuse} }})")
    show_record(page, write_record(match))
    beside = page.context.new_page()
    show_record(beside, write_record(match))
    assert count_judged(page) == count_judged(beside) == len([*iter_choices(match)])
    beside.close()


WITH_STORAGE = """async argument => {
    const [file] = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/core/i18n"));
    const { getReviewKey, loadDecisions, loadReview, storeReview } =
        await import(file.name.replace("core/i18n.js", "local/review-storage.js"));
    CODE
}"""


def run_with_storage(page, code, argument):
    """Run code with the functions that store reviews."""
    page.goto("/replay")
    expect(page.locator("main.record")).to_be_visible()
    return page.evaluate(WITH_STORAGE.replace("CODE", code), argument)


def test_only_the_newest_reviews_are_kept(person, analysis):
    code = """
        let now = 1000;
        Date.now = () => now++;
        const keys = Array.from({ length: 22 }, (_, i) => getReviewKey(`{"game": ${i}}\n`));
        for (const key of keys) storeReview(key, argument);
        const small = keys.map((key) => Boolean(loadReview(key)));
        const multiply = (count) => ({ ...argument, decisions: Array(count).fill(argument.decisions).flat() });
        storeReview(keys[0], multiply(1000));
        const tooLarge = keys.map((key) => Boolean(loadReview(key)));
        storeReview(keys[0], multiply(Math.floor(1_450_000 / JSON.stringify(argument).length)));
        return [small, tooLarge, keys.map((key) => Boolean(loadReview(key)))];
    """
    small, too_large, large = run_with_storage(person().page, code, analysis)
    assert small == [False] * 2 + [True] * 20
    assert too_large == small
    assert large[0] and large[-1] and not large[2]


def test_a_stored_review_that_cannot_be_read_is_ignored(person, analysis):
    code = """
        const key = getReviewKey("");
        return argument.map((text) => {
            localStorage.setItem(key, text);
            return [Boolean(loadReview(key)), loadDecisions(key).map(Boolean)];
        });
    """
    contents = [
        {},
        {"form": REVIEW_FORMAT + 1},
        {"decisions": [None]},
        {"decisions": None},
        {"balances": []},
        {"scores": "1"},
    ]
    texts = [f"1 {json.dumps({**analysis, **change})}" for change in contents]
    begun = f"1 {json.dumps([None, analysis['decisions'][1], {}, 1])}"
    found = run_with_storage(person().page, code, [*texts, texts[0][:-9], "", "1 null", "1 []", begun])
    assert found == [[True, []], *[[False, []]] * 9, [False, [False, True, False, False]]]

"""The review of a finished game on the screen: requested, with progress, drawn and in numbers."""

import copy
import random
import re

import pytest
from layout import layout_findings
from local_table import show_scripted_table, table_info
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.review.analysis import add_losses, compute_balances, iter_choices, victory_shares

WORK = {"state": "working", "done": 3, "of": 12}


@pytest.fixture(scope="module")
def match():
    """A finished game of sealed bids."""
    match, r = Match(find_game("sealed_bids"), 3, None, SeededChance(5)), random.Random(5)
    while not match.over:
        match.play(match.pending[0], r.choice(match.legal(match.pending[0])))
    return match


@pytest.fixture(scope="module")
def analysed(match):
    """A synthetic analysis of it, in which every fifth decision is a turning point."""
    decisions = []
    for n, choice in enumerate(iter_choices(match)):
        move = next(move for move in choice.view["legal"] if move["id"] == choice.move)
        better = next(other for other in choice.view["legal"] if other["id"] != choice.move)
        moves, shares = ([move], [0.4]) if n % 5 else ([better, move], [0.6, 0.2])
        tallies = [
            {"move": m, "chances": [s if seat == choice.seat else (1 - s) / 2 for seat in range(3)], "error": 0.05}
            for m, s in zip(moves, shares, strict=True)
        ]
        played = len(moves) - 1
        about = {"ply": choice.ply, "seat": choice.seat, "goes_on": False, "played": played, "tallies": tallies}
        decisions.append({**about, "loss": 0.0, "error": 0.0, "turning": False})
    add_losses(decisions)
    about = {"form": 1, "game": "sealed_bids", "version": 1, "players": 3, "simulations": 500, "scores": match.scores}
    return {**about, "decisions": decisions, "balances": compute_balances(decisions, victory_shares(match.scores))}


def sit(person, match, analysed, state, **about):
    """Open the end of the game with its analysis in this state. `asked` counts the requests."""
    page, asked = person(**about).page, []

    def answer(route):
        asked.append(route.request.method)
        route.fulfill(json=analysed if route.request.method == "GET" else {})

    page.route("**/api/tables/middle/review", answer)
    told = {
        **table_info(match, 0),
        "review": state if isinstance(state, dict) else {"state": state, "done": 0, "of": 0},
    }
    show_scripted_table(page, told, [{"type": "table", "table": told}, {"type": "view", "view": match.view(0, 0)}])
    expect(page.locator(".end")).to_be_visible()
    return page, asked, told


def tell(page, told, review):
    page.evaluate("table => receiveMessage({ type: 'table', table })", {**told, "review": review})


def look(page, name="Review this game"):
    page.get_by_role("button", name=name).click()
    return page.locator("dialog.review")


def test_a_review_is_requested_and_shown_when_ready(person, match, analysed):
    page, asked, told = sit(person, match, analysed, "none")
    dialog = look(page)
    expect(dialog).to_contain_text("is being prepared")
    tell(page, told, WORK)
    expect(dialog).to_contain_text("3 of 12 decisions")
    expect(dialog.get_by_role("progressbar")).to_have_attribute("value", "0.25")
    assert axe_findings_in_both_schemes(page) == []
    assert asked == ["POST"]
    tell(page, told, {"state": "ready", "done": 0, "of": 0})
    expect(dialog.locator(".chances")).to_be_visible()
    tell(page, told, {"state": "ready", "done": 0, "of": 0})
    expect(dialog.locator(".turnings li").first).to_be_visible()
    assert asked == ["POST", "GET"]


def test_a_failed_review_can_be_requested_again(person, match, analysed):
    page, asked, _ = sit(person, match, analysed, "failed")
    dialog = look(page)
    expect(dialog).to_contain_text("could not be made")
    assert asked == []
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog).to_be_visible()
    assert asked == ["POST"]


def test_without_machine_code_the_button_says_how_to_get_it(person, match, analysed):
    page, _, _ = sit(person, match, analysed, "impossible")
    button = page.get_by_role("button", name="Review this game")
    expect(button).to_be_disabled()
    expect(button).to_have_accessible_description(re.compile("courtly.native"))
    assert axe_findings_in_both_schemes(page) == []


def test_no_review_is_offered_before_the_end(person):
    table = person()
    table.start("sealed_bids", plain=True)
    expect(table.page.get_by_role("button", name="Review this game")).to_have_count(0)


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("ja", PHONE)], ids=["desk", "phone"])
def test_turning_points_lead_to_their_decisions(person, match, analysed, language, size):
    page, _, _ = sit(person, match, analysed, "ready", language=language, size=size)
    dialog = look(page, "Review this game" if language == "en" else "このゲームを振り返る")
    turning = [i for i, decision in enumerate(analysed["decisions"]) if decision["turning"]]
    assert len(turning) > 1
    points = dialog.locator(".turnings button")
    expect(points).to_have_count(len(turning))
    expect(dialog.locator(".turn-mark")).to_have_count(len(turning))
    for i, point in ((len(turning) - 1, points.last), (0, points.first)):
        point.click()
        expect(point).to_have_attribute("aria-pressed", "true")
        expect(dialog.locator(".decision li")).to_have_count(len(analysed["decisions"][turning[i]]["tallies"]))
        expect(dialog.locator(".decision h3")).to_contain_text(str(turning[i] + 1))
        expect(dialog.locator("input[type=range]")).to_have_js_property("value", str(turning[i]))
    dialog.locator("summary").click()
    expect(dialog.locator("details tbody tr")).to_have_count(len(analysed["decisions"]))
    assert axe_findings_in_both_schemes(page) == [] and layout_findings(page) == []
    assert page.evaluate("document.querySelector('dialog.review').scrollWidth <= innerWidth")


def test_every_decision_is_reached_by_keyboard_and_pointer(person, match, analysed):
    page, _, _ = sit(person, match, analysed, "ready")
    dialog = look(page)
    place = dialog.get_by_role("slider", name="Chances of winning")
    place.focus()
    page.keyboard.press("Home")
    for i, decision in enumerate(analysed["decisions"]):
        told = place.get_attribute("aria-valuetext").replace("\u00a0", " ")
        share = round(100 * decision["tallies"][decision["played"]]["chances"][decision["seat"]])
        assert f"Decision {i + 1} of" in told and f" {share} %" in told
        page.keyboard.press("ArrowRight")
    box = dialog.locator(".plot").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + 20)
    expect(place).to_have_js_property("value", "0")
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
    expect(place).to_have_js_property("value", str(len(analysed["decisions"]) - 1))


def test_choices_and_luck_are_shown_for_every_player(person, match, analysed):
    page, _, _ = sit(person, match, analysed, "ready")
    rows = look(page).locator("section table tbody tr")
    expect(rows).to_have_count(3)
    for seat, balance in enumerate(analysed["balances"]):
        cells = rows.nth(seat).locator("td")
        expect(cells.first).to_have_text(f"{round(100 * balance['begin'])} %")
        expect(cells.last).to_have_text(f"{round(100 * balance['end'])} %")


def test_rounded_numbers_are_consistent(person, match, analysed):
    """The displayed rounded numbers: how much better the best move was, and the sources of the chances."""
    told = copy.deepcopy(analysed)
    told["balances"][0] |= {"begin": 0.3333, "choices": -0.0342, "others": 0.0043, "luck": 0.6967, "end": 1.0}
    turning = next(decision for decision in told["decisions"] if decision["turning"])
    seat, played = turning["seat"], turning["tallies"][turning["played"]]
    played["chances"][seat], turning["tallies"][0]["chances"][seat], turning["loss"] = 0.3351, 0.4849, 0.1498
    page, _, _ = sit(person, match, told, "ready")
    dialog = look(page)
    better = dialog.locator(".turnings button").first.inner_text().replace("\u00a0", " ")
    assert "48 % instead of 34 %, 14" in better
    for row in dialog.locator("section table tbody tr").all():
        figures = [re.match(r"[+−]?\d+", cell)[0].replace("−", "-") for cell in row.locator("td").all_inner_texts()]
        begin, *parts, end = map(int, figures)
        assert begin + sum(parts) == end

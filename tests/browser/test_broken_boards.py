"""A broken board does not leave an empty page: the error is shown with its line, and the game goes on."""

import os
import re

import pytest
from playwright.sync_api import expect
from ui_server import run_server

from courtly.scaffold import make_game

BROKEN_BOARDS = {  # replaced text, replacement, reported line, message
    "draws_nothing": (
        "export function board(view, ui) {\n",
        "export function board(view, ui) {\n  throw new Error('no picture');\n",
        *("throw new Error", "no picture"),
    ),
    "half_drawn": (
        '<div class="court">${view.facts.worth.map((worth, n) => renderGifts(view, ui, n, worth))}</div>',
        '<div class="court">${repeat([1, 2], (n) => n, (n) => (n > 1 ? ui.nowhere.at() : n))}</div>',
        *("ui.nowhere", "TypeError"),
    ),
    "no_question": (
        "export function prompt(view, ui) {\n",
        "export function prompt(view, ui) {\n  ui.nowhere.at();\n",
        *("ui.nowhere", "TypeError"),
    ),
    "no_seats": ("view.state.size[n]);", "view.state.sizes[n]);", "view.state.sizes", "TypeError"),
    "unreadable": ("export const cues = {", "export const cues = = {", "= = {", "SyntaxError"),
    "led_astray": (
        'import { html, nothing } from "lit";',
        'import { html, nothing } from "lit";\nimport "./gone.js";',
        *("", "board/gone.js"),
    ),
    "false_button": ("() => ui.play(move)", "() => ui.plays(move)", "ui.plays", "TypeError"),
}
STILL_PICTURED = {"false_button"}


@pytest.fixture(scope="module")
def broken_games(tmp_path_factory):
    """A server with one game for each way to be broken. One has no emblem, and one has no Japanese texts."""
    folder = tmp_path_factory.mktemp("broken")
    for name, (original, replacement, *_) in BROKEN_BOARDS.items():
        package = make_game(name, folder) / name
        file = package / "board" / "board.js"
        text = file.read_text(encoding="utf-8").replace("{ html, nothing }", "{ html, nothing, repeat }")
        original, replacement = (
            part.replace("{ html, nothing }", "{ html, nothing, repeat }") for part in (original, replacement)
        )
        assert text.count(original) == 1, name
        file.write_text(text.replace(original, replacement), encoding="utf-8")
    (folder / "no_seats" / "no_seats" / "board" / "art" / "emblem.svg").unlink()
    (folder / "no_seats" / "no_seats" / "ja.ftl").unlink()
    path = os.pathsep.join([*(str(folder / name) for name in BROKEN_BOARDS), os.environ["PYTHONPATH"]])
    with run_server(tmp_path_factory.mktemp("data"), COURTLY_GAMES=",".join(BROKEN_BOARDS), PYTHONPATH=path) as address:
        yield folder, address


@pytest.fixture
def open_page(chromium, broken_games):
    """Open a page of that server, whose errors do not fail the test."""
    contexts = []

    def new_page(language="en"):
        contexts.append(chromium.new_context(base_url=broken_games[1], locale=language))
        contexts[-1].set_default_timeout(60_000)
        return contexts[-1].new_page()

    yield new_page
    for context in contexts:
        context.close()


def open_table(page, game):
    page.request.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    table = page.request.post("/api/tables", data={"game": game, "players": 2, "seats": seats}).json()
    page.goto(f"/t/{table['id']}")


@pytest.mark.parametrize("name", BROKEN_BOARDS)
def test_the_error_is_shown_and_the_game_goes_on(open_page, broken_games, name):
    page = open_page()
    open_table(page, name)
    if name in STILL_PICTURED:
        page.locator(".own button").first.click()
    error_box = page.locator(".fault[role=alert] pre")
    *_, code, message = BROKEN_BOARDS[name]
    expect(error_box).to_contain_text(message)
    if code:
        lines = (broken_games[0] / name / name / "board" / "board.js").read_text(encoding="utf-8").splitlines()
        line_number = next(n for n, text in enumerate(lines, 1) if code in text)
        expect(error_box).to_contain_text(f"board/board.js:{line_number}: ")
    if name in STILL_PICTURED:
        expect(page.locator(".is-pictured .own button").first).to_be_visible()
    else:
        expect(page.locator(".is-plain .move").first).to_be_visible()
        expect(page.locator(".seats .seat")).to_have_count(2)
        lines_before = page.locator("ol.log li li").count()
        page.locator(".move").first.click()
        expect(page.locator("ol.log li li")).not_to_have_count(lines_before)


def test_a_missing_language_or_emblem_has_a_fallback(open_page):
    page = open_page("ja")
    page.goto("/")
    entrance = page.locator("[data-game=no_seats]")
    expect(entrance.locator("h2")).to_have_text("No seats")
    expect(entrance.locator(".arch img")).to_have_attribute("src", re.compile("logo.svg$"))


def test_an_event_ends_a_turn_as_a_move_does(open_page):
    page = open_page()
    page.goto("/")
    turns = """async (ends) => {
        const script = document.querySelector("script[type=module]").src;
        const { groupByTurn } = await import(script.replace("router.js", "game-view/log.js"));
        const cues = [[0, "bid"], [-1, "dawn"], [-1, "deal"], [0, "bid"]];
        return groupByTurn(cues.map(([seat, verb], n) => ({ n, seat, verb, args: { n } })), { ends }).map(({ n }) => n);
    }"""
    assert page.evaluate(turns, ["dawn"]) == [0, 2]
    assert page.evaluate(turns, ["bid"]) == [0, 1]
    assert page.evaluate(turns, []) == [0]


def test_a_phase_of_all_players_is_kept_apart_from_the_turns(open_page):
    page = open_page()
    page.goto("/")
    turns = """async (cues) => {
        const script = document.querySelector("script[type=module]").src;
        const { groupByTurn } = await import(script.replace("router.js", "game-view/log.js"));
        const board = { ends: ["end"], mayEnd: ["go"], shared: ["aim", "arrive"] };
        return groupByTurn(cues.map(([seat, verb], n) => ({ n, seat, verb, args: { n } })), board)
            .map(({ n, seat }) => [n, seat]);
    }"""
    cues = [[-1, "card"], [1, "aim"], [-1, "arrive"], [0, "go"], [0, "build"], [0, "end"], [-1, "die"], [1, "aim"]]
    assert page.evaluate(turns, [*cues, [-1, "arrive"], [1, "build"]]) == [[0, -1], [1, -1], [3, 0], [6, -1], [9, 1]]
    assert page.evaluate(turns, [[0, "go"], [-1, "die"], [1, "go"]]) == [[0, 0], [1, 1]]


def test_lines_that_read_the_same_are_one_line(open_page):
    page = open_page("en")
    page.goto("/")
    times = """async (texts) => {
        const script = document.querySelector("script[type=module]").src;
        const { groupByTurn } = await import(script.replace("router.js", "game-view/log.js"));
        const cues = texts.map((text, n) => ({ n, seat: 1, verb: "draw", args: { card: n, text } }));
        return groupByTurn(cues, {}, () => true, (cue) => cue.args.text)[0].lines.map(({ times }) => times);
    }"""
    assert page.evaluate(times, ["draws"] * 3 + ["draws green"]) == [3, 1]

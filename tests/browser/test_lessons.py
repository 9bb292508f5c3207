"""The lesson of each game, from the lobby to a real table: highlighted elements exist and are visible, and requested
moves can be made, on the pictured board and in the plain rendering.
"""

import re

import pytest
from playwright.sync_api import expect
from table import DESK, PHONE, axe_findings_in_both_schemes

from courtly.engine.game import find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.scenarios.lesson import load_lesson

GAMES_WITH_LESSONS = [game for game in game_ids() if load_lesson(find_game(game))]
# highlighted elements that are neither visible nor drawn elsewhere, too (as buttons beside cards are)
HIDDEN_HIGHLIGHTS = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const all = [...document.querySelectorAll("[data-hinted]")];
  const isVisible = (element) => {
    const { top, bottom, left, width, height } = element.getBoundingClientRect();
    if (top < bar.bottom - 1 && bottom > bar.top + 1) return false;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit && (element.contains(hit) || hit.contains(element));
  };
  if (all.some(isVisible)) return [];
  return all.length ? all.map((element) => element.outerHTML.slice(0, 80)) : ["nothing"];
}"""


@pytest.mark.parametrize("number, game", list(enumerate(GAMES_WITH_LESSONS)))
def test_a_lesson_is_played_to_its_end(person, number, game):
    lesson = load_lesson(find_game(game))
    language, size = (("ja", PHONE), ("en", DESK), ("en", PHONE), ("ja", DESK))[number % 4]
    page = person(language, size, touch=size == PHONE).page
    page.goto("/")
    page.locator(f"[data-game={game}] .learn").click()
    lesson_text, next_button = page.locator("#lesson-words"), page.locator(".lesson .buttons .button:not(.quiet)")
    tried_another_move = False

    def expect_step(number):
        """The tag shows the step's number and the number of steps, and no other digits."""
        expect(lesson_text.locator(".tag").first).to_have_text(re.compile(rf"^\D*{number}\D+{len(lesson.steps)}\D*$"))

    for step_number, step in enumerate(lesson.steps, start=1):
        expect_step(step_number)
        expect(page.locator(".is-pictured")).to_be_visible()
        page.evaluate("document.fonts.ready")
        for key in step.get("show", ()):
            highlighted = page.locator(f'[data-key="{key}"], [data-at="{key}"]')
            expect(highlighted.first, f"{step['say']} shows {key}").to_be_attached()
        if step.get("show") or step.get("ask"):
            expect(page.locator("[data-hinted]").first, step["say"]).to_be_attached()
            assert page.evaluate(HIDDEN_HIGHLIGHTS) == [], step["say"]
        if step_number == 1:
            assert axe_findings_in_both_schemes(page) == []
        if not step.get("ask"):
            if step_number < len(lesson.steps):
                next_button.click()
                page.mouse.move(1, 1)  # otherwise the element under the mouse would show its tooltip
            continue
        page.keyboard.press("p")
        solutions = lesson.accepted_moves(lesson.start_step(0), step_number - 1)
        other_moves = [
            move
            for move in position_at_step(lesson, step_number).legal(0)
            if move not in [solution[0] for solution in solutions]
        ]
        if other_moves and not tried_another_move:
            play_another_move_and_return(page, other_moves[0])
            tried_another_move = True
        for _ in solutions[0]:
            page.locator(".move[data-hinted]").click()
        expect_step(step_number + 1)
        page.mouse.move(1, 1)  # otherwise the element under the mouse would show its tooltip
        page.keyboard.press("p")
    assert tried_another_move
    page.reload()  # the position in the lesson is stored
    expect_step(len(lesson.steps))
    next_button.click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".now.mine, .seat.pending").first).to_be_visible()


def position_at_step(lesson, step_number) -> Position:
    """Return the position of a step after all suggested moves."""
    moves_by_step = [[]]
    while len(moves_by_step) < step_number:
        progress = lesson.point_after(moves_by_step)
        moves_by_step = [*progress.done[:-1], [*map(int, progress.rest or [])], *([[]] if not progress.rest else [])]
        moves_by_step = lesson.point_after(moves_by_step).done
    return lesson.point_after(moves_by_step).match


def play_another_move_and_return(page, move):
    """A different move is allowed, gets a friendly message, and can be undone."""
    page.locator(f'.move[data-move="{int(move)}"]').click()
    expect(page.locator(".lesson .off-script")).to_be_visible()
    expect(page.locator(".move")).to_have_count(0)
    page.locator(".lesson .buttons .button:not(.quiet)").click()
    expect(page.locator(".lesson .off-script")).to_have_count(0)
    expect(page.locator(".move[data-hinted]").first).to_be_visible()


def test_a_lesson_step_is_played_on_the_pictured_board(person):
    """Dice are picked and kept as in any game, and the keyboard focus reaches the text."""
    page = person("en", DESK).page
    page.goto("/learn/petition")
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.locator("#lesson-words")).to_be_focused()  # before the next step has loaded
    expect(page.locator("#lesson-words .tag")).to_contain_text("2")
    for key in ("active-4-0", "active-4-1"):
        page.locator(f'[data-key="{key}"]').click()
    page.get_by_role("button", name="Keep 2, roll 1").click()
    expect(page.locator("#lesson-words .tag")).to_contain_text("3")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#lesson-words .tag")).to_contain_text("2")
    expect(page.locator('[data-key="active-6-0"]')).to_be_visible()


def test_the_rules_show_examples_that_can_be_tried(person):
    page = person("en", DESK).page
    page.goto("/rules/petition")
    expect(page.locator(".example .die").first).to_be_attached()
    page.get_by_role("link", name="Try it").first.click()
    expect(page.locator("#lesson-words .tag")).to_contain_text("2 of")


@pytest.mark.parametrize("number, game", list(enumerate(GAMES_WITH_LESSONS)))
def test_several_examples_in_the_rules(person, number, game):
    language = ("en", "ja")[number % 2]
    text = (find_game(game).folder / f"rules.{language}.md").read_text(encoding="utf-8")
    page = person(language, DESK).page
    page.goto(f"/rules/{game}")
    frames = page.locator(".example .frame")
    expect(frames).to_have_count(text.count("](lesson:"))
    assert frames.count() >= 2
    for board in page.locator(".example .board").all():
        expect(board.locator("[data-key], [data-at]").first).to_be_visible()
    assert page.locator(".example svg.map:not([viewBox])").count() == 0, "each map has its own viewBox"
    assert page.locator(".example a").evaluate_all("all => new Set(all.map((a) => a.href)).size") == frames.count()


def test_a_game_without_a_lesson_offers_none(person):
    page = person().page
    page.goto("/")
    expect(page.locator("[data-game=sealed_bids] .read").first).to_be_visible()
    assert page.locator("[data-game=sealed_bids] .learn").count() == 0
    for game in ("sealed_bids", "chess"):
        assert page.goto(f"/learn/{game}").status == 404

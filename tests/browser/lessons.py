"""Plays lessons in a browser."""

import re

from playwright.sync_api import expect
from table import axe_findings_in_both_schemes

from courtly.engine.game import find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.scenarios.lesson import load_lesson

GAMES_WITH_LESSONS = [game for game in game_ids() if load_lesson(find_game(game))]
NEXT_BUTTON = ".lesson .buttons .button:not(.quiet)"
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


def play_lesson(page, game):
    """Play the open lesson to its last step, with one move that it does not ask for."""
    lesson, next_button = load_lesson(find_game(game)), page.locator(NEXT_BUTTON)
    tried_another_move = False

    for step_number, step in enumerate(lesson.steps, start=1):
        expect_step(page, lesson, step_number)
        expect(page.locator(".is-pictured")).to_be_visible()
        page.evaluate("document.fonts.ready")
        for key in step.get("show", ()):
            highlighted = page.locator(f'[data-key="{key}"], [data-at="{key}"]')
            expect(highlighted.first, f"{step['say']} shows {key}").to_be_attached()
        if step.get("show") or step.get("ask"):
            expect(page.locator("[data-hinted]").first, step["say"]).to_be_attached()
            page.wait_for_function(f"({HIDDEN_HIGHLIGHTS})().length === 0")  # the page scrolls some frames later
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
        expect_step(page, lesson, step_number + 1)
        page.mouse.move(1, 1)  # otherwise the element under the mouse would show its tooltip
        page.keyboard.press("p")
    assert tried_another_move


def expect_step(page, lesson, number):
    """The tag shows the step's number and the number of steps, and no other digits."""
    tag = page.locator("#lesson-words .tag").first
    expect(tag).to_have_text(re.compile(rf"^\D*{number}\D+{len(lesson.steps)}\D*$"))


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

"""The lesson of each game, from the lobby to a real table: highlighted elements exist and are visible, and requested
moves can be made, on the pictured board and in the plain rendering.
"""

import pytest
from contrast import brightest_channel, low_contrast_texts
from lessons import GAMES_WITH_LESSONS, NEXT_BUTTON, expect_step, play_lesson
from playwright.sync_api import expect
from table import DESK, PHONE

from courtly.engine.game import find_game
from courtly.engine.scenarios.lesson import load_lesson


@pytest.mark.parametrize("number, game", list(enumerate(GAMES_WITH_LESSONS)))
def test_a_lesson_is_played_to_its_end(person, number, game):
    lesson = load_lesson(find_game(game))
    language, size = (("ja", PHONE), ("en", DESK), ("en", PHONE), ("ja", DESK))[number % 4]
    page = person(language, size, touch=size == PHONE).page
    page.goto("/")
    page.locator(f"[data-game={game}] .learn").click()
    play_lesson(page, game)
    page.reload()  # the position in the lesson is stored
    expect_step(page, lesson, len(lesson.steps))
    page.locator(NEXT_BUTTON).click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".now.mine, .seat.pending").first).to_be_visible()


def test_a_lesson_marks_the_button_that_a_choice_opens(person):
    page = person().page
    page.goto("/learn/newtown")
    number, marked = page.locator("#lesson-words .tag"), page.locator("#board [data-hinted]")
    page.locator(NEXT_BUTTON).click()
    expect(number).to_have_text("2 of 9")
    marked.first.click()
    for label in ("block 2", "block 4", "Done with the dice"):
        page.get_by_role("button", name=label).click()
    expect(number).to_have_text("4 of 9")
    marked.click()
    expect(marked).to_have_text("Build")
    marked.click()
    expect(number).to_have_text("5 of 9")


def test_a_lesson_is_dark_at_night(person):
    page = person(scheme="dark").page
    page.goto("/learn/petition")
    expect(page.locator(".lesson")).to_be_visible()
    assert brightest_channel(page.locator(".lesson")) < 64
    assert low_contrast_texts(page) == []


def test_a_lesson_step_is_played_on_the_pictured_board(person):
    """Dice are picked and kept as in any game, and the keyboard focus reaches the text."""
    page = person("en", DESK).page
    page.goto("/learn/petition")
    expect(page.locator(".now")).to_have_text("Read, then press “Next”.")
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


WHOLE_MAP_IS_VISIBLE = """() => {
    const [bar, chart] = [".bar", ".chart"].map((part) => document.querySelector(part).getBoundingClientRect());
    return bar.bottom <= chart.top && chart.bottom <= innerHeight;
}"""


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [(740, 360), (844, 390)])
def test_on_a_phone_in_landscape_the_whole_map_is_visible(person, language, size):
    page = person(language, size, touch=True).page
    page.goto("/learn/cardinal")
    for step in range(1, 4):
        expect(page.locator("#lesson-words .tag").first).to_contain_text(f"{step}")
        expect(page.locator(".map .site")).not_to_have_count(0)
        page.evaluate("document.fonts.ready")
        page.wait_for_function(WHOLE_MAP_IS_VISIBLE)
        if page.locator(NEXT_BUTTON).count():
            page.locator(NEXT_BUTTON).click()
        else:
            break


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

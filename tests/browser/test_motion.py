"""Animations, and how they are skipped or disabled."""

import random
import re

import pytest
from layout import elements_covered_by
from local_table import show_scripted_table, table_info
from playwright.sync_api import expect
from table import PHONE

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance

RUNNING_ANIMATIONS = """document.querySelector('.table').getAnimations({subtree: true})
    .filter((a) => !(a instanceof CSSAnimation) && !(a instanceof CSSTransition)).length"""


def click_main_button(table):
    """Click the main button (such as keeping all dice), even during animations."""
    expect(table.page.locator(".now.mine")).to_be_attached()
    table.page.locator("#board button:not([disabled], [tabindex='-1'])").last.click()


def test_dice_are_animated_and_a_key_skips_it(person):
    table = person(speed="slow")
    table.start("petition")
    click_main_button(table)
    for _ in range(100):
        if table.page.evaluate(RUNNING_ANIMATIONS):
            break
        table.page.wait_for_timeout(20)
    assert table.page.evaluate(RUNNING_ANIMATIONS) > 0
    for _ in range(40):
        table.page.keyboard.press("Escape")
        if table.is_my_turn and not table.page.evaluate(RUNNING_ANIMATIONS):
            break
        table.page.wait_for_timeout(100)
    assert table.page.evaluate(RUNNING_ANIMATIONS) == 0


def test_a_game_goes_on_during_animations(person):
    table = person(speed="fast")
    table.start("petition")
    for _ in range(6):
        click_main_button(table)
    table.wait_for_me()


def test_animations_can_be_disabled(server_url, chromium):
    context = chromium.new_context(base_url=server_url, reduced_motion="reduce", locale="en")
    page = context.new_page()
    page.goto("/")
    page.locator("[data-game=petition]").click()
    page.locator(".play").click()
    expect(page.locator(".now.mine")).to_be_visible()
    animations = 0
    for _ in range(5):
        page.locator("#board button:not([disabled], [tabindex='-1'])").last.click()
        for _ in range(10):
            animations += page.evaluate(RUNNING_ANIMATIONS)
            page.wait_for_timeout(20)
        expect(page.locator(".now.mine")).to_be_visible()
    assert animations == 0
    context.close()


COUNT_UP = """async ([from, to]) => {
    const web = document.querySelector("script[type=module]").src.replace(/router.js.*/, "");
    const [{ ViewPlayer }, { formatNumber }] = await Promise.all([
        import(web + "board-sdk/animation.js"), import(web + "core/i18n.js")]);
    const root = document.createElement("p");
    const sum = root.appendChild(document.createElement("b"));
    sum.dataset.key = "sum";
    document.body.append(root);
    const texts = [];
    new MutationObserver(() => texts.push(root.textContent)).observe(root, { subtree: true, characterData: true });
    const show = (view) => {
        sum.firstChild?.remove();
        sum.append(`${formatNumber(view.sum)} points`);
    };
    const player = new ViewPlayer(() => root, show, () => ({ sum: (_, kit) => kit.countFrom("sum", from) }), {});
    player.enqueue({ view: { sum: from }, cues: [] });
    player.enqueue({ view: { sum: to }, cues: [{ verb: "sum", args: {} }] });
    while (player.isBusy) await new Promise(requestAnimationFrame);
    return [texts.at(0), texts.at(-1)];
}"""


def test_counting_keeps_the_number_format(person):
    table = person(speed="fast")
    table.start("sealed_bids")
    assert table.page.evaluate(COUNT_UP, [980, 1020]) == ["980 points", "1,020 points"]
    assert table.page.evaluate(COUNT_UP, [1020, -3]) == ["1,020 points", "−3 points"]


def play_last_move(page):
    """Show a game of bots just before its last move, and then this move."""
    game, rng = find_game("cardinal"), random.Random(2)
    match = Match(game, 3, {}, SeededChance(2))
    before = []
    while not match.over:
        before = [{"type": "table", "table": table_info(match, 0)}, {"type": "view", "view": match.view(0)}]
        seat = match.pending[0]
        match.play(seat, [rng.choice(match.legal(seat))])
    show_scripted_table(page, before[0]["table"], before)
    expect(page.locator(".board .cardinal")).to_be_visible()
    since = before[1]["view"]["seq"]
    after = [{"type": "table", "table": table_info(match, 0)}, {"type": "view", "view": match.view(0, since)}]
    page.evaluate("messages => messages.forEach(receiveMessage)", after)


@pytest.mark.parametrize("size", [PHONE, (PHONE[1], PHONE[0])], ids=["upright", "across"])
def test_on_a_phone_the_button_that_skips_covers_nothing(person, size):
    """It is in the bar, in place of the game's name if the phone is upright."""
    page = person(size=size, speed="normal").page
    play_last_move(page)
    assert elements_covered_by(page, ".skip", ".seat, #board, .now, .home, .skip ~ *") == []
    expect(page.locator(".skip")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("speed", ["normal", "none"])
def test_the_result_follows_the_last_move(person, speed):
    page = person(speed=speed).page
    play_last_move(page)
    if speed == "normal":  # the last move is seen first; a click goes on
        expect(page.locator(".skip")).to_be_visible()
        assert page.locator(".end").count() == 0
        assert page.locator(".now").inner_text() == "The game is over"
        while page.locator(".end").count() == 0:
            page.locator(".stage").click(position={"x": 5, "y": 5})
    else:
        expect(page.locator("#end-heading")).to_be_focused()
    expect(page.locator("#end-heading")).to_have_text(re.compile("win|share|second"))
    expect(page.locator(".now")).to_have_text("The game is over")
    scores = page.locator(".ranks .score")

    # the board can be looked at, and the result comes back
    page.get_by_role("button", name="See the board").click()
    expect(page.locator(".end")).to_have_count(0)
    expect(page.locator(".end-aside button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".end")).to_be_visible()
    final_texts = scores.all_inner_texts()
    assert all(re.match(r"[1-9]\d*\s", text) for text in final_texts)
    page.get_by_role("button", name="See the board").click()
    page.get_by_role("button", name="See the result").click()
    assert scores.all_inner_texts() == final_texts  # nothing is counted again

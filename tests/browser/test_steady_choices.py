"""What can be clicked stays in its place when a click opens a question: the card or place that one is about to click
does not move away.
"""

import random

import pytest
from local_table import LocalTable, read_scenario
from table import CLICKABLE, DESK, PHONE, TABLET
from test_in_view import BOARDS, choices_selector
from test_newtown import mid_game_position
from test_whole_games import min_players

from courtly.engine.game import find_game
from courtly.games.necklace.table import Card
from courtly.games.newtown import table as t

CLICKS = 50
# A card is raised by up to 5 px while it is chosen. What is fixed, and what the page scrolls, has not moved.
# Only clicks on choices count: what opens a panel or moves the map does so on purpose.
WATCH_CHOICES = """async ([choices, watched = ":is([data-key], [data-at])"]) => {
    const MAX_MOVE_PX = 10;
    const choice = `.board :is(${choices})`;
    const all = `${choice}${watched}:not(svg *)`;
    const scrolled = () => scrollY + document.querySelector(".stage").scrollTop;
    const place = (element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const inView = top > 0 && bottom < innerHeight;
        return { x: (left + right) / 2, y: (top + bottom) / 2, scrolled: scrolled(), inView };
    };
    const name = (element) => element.dataset.key ?? element.dataset.at ?? element.textContent.trim();
    let before;
    let isMove;
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (message) {
        isMove ||= message.includes('"play"');
        send.call(this, message);
    };
    addEventListener("click", ({ target }) => {
        isMove = false;
        const watched = target.closest(choice) ? [...document.querySelectorAll(all)] : [];
        before = watched.map((element) => [element, name(element), place(element)]);
    }, { capture: true });
    window.movedChoices = async () => {
        await pageControl.waitUntilAtRest();
        return isMove ? [] : before.flatMap(([element, known, from]) => {
            if (!element.isConnected || !element.matches(all) || name(element) !== known) return [];
            const to = place(element);
            const x = Math.abs(to.x - from.x);
            const y = Math.min(Math.abs(to.y - from.y), Math.abs(to.y + to.scrolled - from.y - from.scrolled));
            const moved = from.inView && to.inView && Math.max(x, y) > MAX_MOVE_PX;
            return moved ? [`${known}: ${Math.round(x)} px across, ${Math.round(y)} px down or up`] : [];
        });
    };
}"""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", BOARDS)
def test_a_question_moves_no_choice(person, game, size):
    table = person(size=size, touch=size == PHONE)
    page = table.page
    table.start(game, min_players(game))
    page.evaluate(WATCH_CHOICES, [choices_selector(page, game)])
    findings = {}
    for clicks in range(CLICKS):
        if not table.click(CLICKABLE, random.Random(f"2 {clicks}").getrandbits(30)):
            break
        moved = page.evaluate("movedChoices()")
        if moved:
            findings[f"click {clicks}"] = moved
    assert findings == {}


@pytest.mark.parametrize(("players", "language"), [(2, "en"), (3, "ja"), (4, "en")])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_a_house_on_offer_moves_no_offer(person, size, players, language):
    state, seat = mid_game_position(t.Ruleset.SIMPLE, players, t.Phase.BUILDING, 4)
    page = LocalTable(person(language, size, touch=True), find_game("newtown"), state, seat).page
    page.evaluate(WATCH_CHOICES, [".doing button", ".offer"])
    for offer in page.locator(".offer").all():
        offer.click()
        assert page.locator(".confirm").count()
        assert page.evaluate("movedChoices()") == []
        page.locator(".confirm .back").click()
        assert page.evaluate("movedChoices()") == []


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [DESK, (1100, 620), PHONE], ids=["desk", "low", "phone"])
def test_an_influence_card_moves_no_offer(person, size, language):
    scenario = read_scenario("necklace", "confessor")
    cards = ("confessor", "thief", "forger", "favorite")
    for card in cards:
        scenario.state.hand[0][getattr(Card, card.upper())] = 1
    scenario.state.hand[1][Card.RUBY_1] = 1
    scenario.state.size[:2] = 6, 1
    table = person(language, size, touch=size == PHONE)
    page = LocalTable(table, scenario.game, scenario.state, 0).page
    page.evaluate(WATCH_CHOICES, [choices_selector(page, "necklace")])
    for card in cards:
        page.locator(f"[data-key=hand-{card}]").click()
        assert page.locator(".choose").count()
        assert page.evaluate("movedChoices()") == [], card
        page.keyboard.press("Escape")

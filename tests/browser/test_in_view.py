"""On a small screen the decision is in view. Whole games are played by touch on a phone in portrait, and the first
decisions on one in landscape and in low windows. At every decision the screen is checked.
The requirement: when it is a person's turn, and after each of their taps, the page comes to rest. Then, without
scrolling, between the bars and uncovered, they see **all choices and the buttons that act on them** (the board's
`choices`).
- What does not fit is not required. If the choices together would cover more than half of the room, as many as fit are
visible from the first on, and a cut one shows that there are more. Choices that are merely spread over a long page
would fit.
- A horizontally scrolling strip shows its first choice and a cut one.
- The bar does not cut the row of players: the page has scrolled past it, or not at all.
- The page itself covers no part of the board during a decision. The outcome of a sale that is part of the page while a
question is asked hides nothing: the question has to be in view.
- The one map that is moved and zoomed by touch (Web of Power) shows at least one of its places; the others are found by
moving it.
At the end of the game the winner, all scores and "Play again" are visible in the same way.

In the first decisions of each game, and at its end, no text is smaller than 12 px, however it is scaled. This is
checked in both languages; the whole game is played in English, with --long in both.

Only elements named as choices are ever tapped, and the games come to their end, so the choices are complete.
"""

import random

import pytest
from table import PHONE, script
from test_whole_games import READY, min_players
from text_sizes import small_texts

from courtly.engine.game import find_game

INSPECT_DECISION = (
    f"async (args) => {{ await pageControl.waitUntilAtRest(); return ({script('decision-view')})(...args); }}"
)
BOARDS = [game for game in READY if (find_game(game).folder / "board" / "board.js").exists()]
MAP_ELEMENTS = {"cardinal": ".thing"}
# what may cover the board after a tap
SHEET_CLOSE_BUTTONS = {"cardinal": ".sheet-scores header button", "necklace": ".paper .close"}
PHONE_LANDSCAPE, LOW_WINDOW, LAPTOP = (740, 360), (1100, 620), (1366, 625)
MAX_TAPS = 4000  # taps in one game
FIRST_DECISIONS = 10  # decisions
SCROLL_WAIT_MS = 100  # ms: the page does not scroll by itself while a finger may be scrolling it (focus-choices.js)
MAX_ATTEMPTS = 40  # attempts: on a busy machine slowness is not an error


def choices_selector(page, game):
    """Return the board's selector for choices."""
    return page.evaluate(
        """async game => {
            const here = document.querySelector('script[type=module]').src;
            return (await import(here.replace(/web.router.js.*/, `games/${game}/board/board.js`))).choices;
        }""",
        game,
    )


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize(
    ("language", "size"),
    [
        ("en", PHONE),
        ("ja", PHONE_LANDSCAPE),
        ("en", LOW_WINDOW),
        ("ja", LAPTOP),
        pytest.param("ja", PHONE, marks=pytest.mark.long),
    ],
)
def test_every_decision_is_in_view(person, language, size, game, long):
    touch = size in (PHONE, PHONE_LANDSCAPE)
    table = person(language, size, touch=touch)
    table.start(game, min_players(game))
    page, selector, rng = table.page, choices_selector(table.page, game), random.Random(1)
    assert selector, "the board exports no choices"
    faults, small_text, tried_choices, last_event = {}, {}, set(), -1
    for decision in range(MAX_TAPS):
        report = inspect_decision(page, selector, game)
        for _ in range(MAX_ATTEMPTS):
            if report["fault"]:
                page.wait_for_timeout(SCROLL_WAIT_MS)
                report = inspect_decision(page, selector, game)
        if report["fault"]:
            faults.setdefault(report.get("prompt", "the end"), report["fault"])
        if touch and (decision < FIRST_DECISIONS or report["over"]):
            small_text |= small_texts(page)
        if report["over"] or decision == FIRST_DECISIONS and (language, size) != ("en", PHONE) and not long:
            break
        if last_event != report["lastEvent"]:
            last_event, tried_choices = report["lastEvent"], set()
        tap(page, page.touchscreen.tap if touch else page.mouse.click, selector, report["choices"], tried_choices, rng)
    else:
        raise AssertionError(f"not over after {MAX_TAPS} taps")
    assert small_text == {}
    assert not faults, "\n".join(f"{prompt}  --  not in view: {choices}" for prompt, choices in faults.items())


def inspect_decision(page, selector, game):
    return page.evaluate(INSPECT_DECISION, [selector, MAP_ELEMENTS.get(game), SHEET_CLOSE_BUTTONS.get(game)])


def tap(page, tap_at, selector, choices, tried_choices, rng):
    """Tap a visible choice that was not tried since the last change; an invisible one only if none is visible."""
    open_choices = [(i, choice) for i, choice in enumerate(choices) if choice["isOpen"]]
    candidates = [
        [
            (i, choice)
            for i, choice in open_choices
            if choice["visible"] is visible and (choice["label"] not in tried_choices or include_tried)
        ]
        for include_tried in (False, True)
        for visible in (True, False)
    ]
    i, choice = rng.choice(next(filter(None, candidates)))
    tried_choices.add(choice["label"])
    if choice["visible"]:
        tap_at(choice["x"], choice["y"])
    else:
        page.evaluate(
            """([selector, i]) => [...document.querySelectorAll(`.board :is(${selector})`)]
            .filter((element) => element.checkVisibility())[i]
            ?.dispatchEvent(new MouseEvent("click", {bubbles: true}))""",
            [selector, i],
        )

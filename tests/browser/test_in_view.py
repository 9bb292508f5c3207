"""On a small screen the decision is in view. Whole games are played by touch on a phone in portrait, and the first
decisions on one in landscape and in low windows. At every decision the screen is checked.
The requirement: when it is a person's turn, and after each of their taps, the page comes to rest. Then, without
scrolling, between the bars and uncovered, they see **all choices and the buttons that act on them** (the board's
`choices`).
- What does not fit is not required. If the choices together would cover more than half of the room, as many as fit are
visible from the first on, and a cut one shows that there are more. Choices that are merely spread over a long page
would fit.
- A horizontally scrolling strip shows its first choice and a cut one.
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
from test_whole_games import READY, fewest
from text_sizes import small_texts

from courtly.engine.game import find_game

LOOK = f"async (given) => {{ await pageControl.waitUntilAtRest(); return ({script('look')})(...given); }}"
BOARDS = [game for game in READY if (find_game(game).folder / "board" / "board.js").exists()]
MAPS = {"cardinal": ".thing"}
# what may cover the board after a tap
SHEETS = {"cardinal": ".sheet-scores header button", "necklace": ".paper .close"}
SIDE, LOW, LAPTOP = (740, 360), (1100, 620), (1366, 625)
MOST = 4000  # taps in one game
FIRST = 10  # decisions
QUIET = 100  # ms: the page does not scroll by itself while a finger may be scrolling it (focus-choices.js)
PATIENCE = 40  # attempts: on a busy machine slowness is not an error


def choices_of(page, game):
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
    [("en", PHONE), ("ja", SIDE), ("en", LOW), ("ja", LAPTOP), pytest.param("ja", PHONE, marks=pytest.mark.long)],
)
def test_every_decision_is_in_view(person, language, size, game, long):
    touch = size in (PHONE, SIDE)
    table = person(language, size, touch=touch)
    table.start(game, fewest(game))
    page, selector, rng = table.page, choices_of(table.page, game), random.Random(1)
    assert selector, "the board exports no choices"
    faults, tiny, tried, told = {}, {}, set(), -1
    for decision in range(MOST):
        look = look_at(page, selector, game)
        for _ in range(PATIENCE):
            if look["fault"]:
                page.wait_for_timeout(QUIET)
                look = look_at(page, selector, game)
        if look["fault"]:
            faults.setdefault(look.get("prompt", "the end"), look["fault"])
        if touch and (decision < FIRST or look["over"]):
            tiny |= small_texts(page)
        if look["over"] or decision == FIRST and (language, size) != ("en", PHONE) and not long:
            break
        if told != look["told"]:
            told, tried = look["told"], set()
        tap(page, page.touchscreen.tap if touch else page.mouse.click, selector, look["things"], tried, rng)
    else:
        raise AssertionError(f"not over after {MOST} taps")
    assert tiny == {}
    assert not faults, "\n".join(f"{prompt}  --  not in view: {things}" for prompt, things in faults.items())


def look_at(page, selector, game):
    return page.evaluate(LOOK, [selector, MAPS.get(game), SHEETS.get(game)])


def tap(page, at, selector, things, tried, rng):
    """Tap a visible choice that was not tried since the last change; an invisible one only if none is visible."""
    open_ = [(i, thing) for i, thing in enumerate(things) if thing["open"]]
    kinds = [
        [(i, thing) for i, thing in open_ if thing["seen"] is seen and (thing["words"] not in tried or again)]
        for again in (False, True)
        for seen in (True, False)
    ]
    i, thing = rng.choice(next(filter(None, kinds)))
    tried.add(thing["words"])
    if thing["seen"]:
        at(thing["x"], thing["y"])
    else:
        page.evaluate(
            """([selector, i]) => [...document.querySelectorAll(`.board :is(${selector})`)]
            .filter((thing) => thing.checkVisibility())[i]
            ?.dispatchEvent(new MouseEvent("click", {bubbles: true}))""",
            [selector, i],
        )

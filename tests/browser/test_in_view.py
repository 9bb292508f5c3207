"""On a small screen the decision is in view: whole games, played by touch on a phone held upright, and the first
decisions on one that lies on its side and in low windows; at every decision the screen is looked at.

What is right for a person. When it is my turn, and after every tap of mine, the page comes to rest. Then, without a
scroll of my own, I see between the bars and uncovered **all that can be chosen and the button that does it** (what each
board names as its `choices`).
- What does not fit is not asked for: where the things together would cover more than half of the room, as many as there
  is room for are
  seen from the first on, and one that is cut shows that there are more. Things that are merely spread over a long page
  would fit.
- A strip that is scrolled sideways shows its first and a cut one.
- The page itself lays nothing over the board while something is to be decided. The outcome of a sale that lies in the
  page while a question is asked hides nothing: the question is what has to be in view.
- The one map that is moved and drawn nearer by fingers (Web of Power) shows at least one of its places; the others are
  found by moving it.

At the end of the game who won, all scores and "Play again" are seen in the same way.

In the first decisions of each game, and at its end, nothing that is to be read is smaller than 12 px, whatever scales
it. That is looked at in both languages; the whole game is played in English, in both with --long.

Only what is named a choice is ever tapped, and the games come to their end: so nothing that is needed has been left
out.
"""

import random

import pytest
from sizes import small
from table import PHONE, script
from test_whole_games import READY, fewest

from courtly.engine.game import find_game

LOOK = f"async (given) => {{ await hands.rest(); return ({script('look')})(...given); }}"
BOARDS = [game for game in READY if (find_game(game).folder / "board" / "board.js").exists()]
MAPS = {"cardinal": ".thing"}
# what a tap may have laid over the board
SHEETS = {"cardinal": ".sheet-scores header button", "necklace": ".paper .close"}
SIDE, LOW, LAPTOP = (740, 360), (1100, 620), (1366, 625)
MOST = 4000  # taps of one game
FIRST = 10  # decisions
QUIET = 100  # ms: the page does not move while it takes a finger to be moving it (focus-choices.js)
PATIENCE = 40  # looks: a busy machine is slow, not wrong


def choices_of(page, game):
    """The board's own word for what can be chosen."""
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
    assert selector, "the board does not say what can be chosen"
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
            tiny |= small(page)
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
    """Anything that is seen and has not been tried since something last happened; what is not seen only where
    nothing is."""
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

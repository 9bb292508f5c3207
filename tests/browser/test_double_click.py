"""A double click acts only once: a changed control ignores clicks for a moment."""

import json
import random

import pytest
from table import CLICKABLE
from test_in_view import BOARDS
from test_whole_games import fewest

CLICKS = 16
DOUBLE_MS = 250  # between the two clicks


def second_click(page, x, y):
    """Send the second click of a double click, once the page is at rest."""
    page.evaluate("ms => { pageControl.clickInterval.ms = ms; }", DOUBLE_MS)
    page.mouse.click(x, y)
    page.evaluate("pageControl.clickInterval.ms = 1000")


@pytest.mark.parametrize("game", BOARDS)
def test_the_second_click_sends_nothing(person, game):
    table = person()
    page, sent = table.page, []
    page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent.append(json.loads(frame))))
    table.start(game, fewest(game))
    rng = random.Random(5)
    for _ in range(CLICKS):
        there = page.evaluate(
            "([what, number]) => pageControl.findClickable(what, number)", [CLICKABLE, rng.randrange(1000)]
        )
        if not there:
            break
        page.mouse.click(there["x"], there["y"])
        table.wait_for_me()
        played = [said for said in sent if said["type"] == "play"]
        second_click(page, there["x"], there["y"])
        table.wait_for_me()
        assert [said for said in sent if said["type"] == "play"][len(played) :] == []

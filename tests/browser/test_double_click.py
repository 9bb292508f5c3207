"""A double click acts only once: a changed control ignores clicks for a moment."""

import json
import random

import pytest
from table import CLICKABLE
from test_in_view import BOARDS
from test_whole_games import min_players

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
    page, sent_messages = table.page, []
    page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent_messages.append(json.loads(frame))))
    table.start(game, min_players(game))
    rng = random.Random(5)
    for _ in range(CLICKS):
        position = page.evaluate(
            "([what, number]) => pageControl.findClickable(what, number)", [CLICKABLE, rng.randrange(1000)]
        )
        if not position:
            break
        page.mouse.click(position["x"], position["y"])
        table.wait_for_me()
        plays_before = [message for message in sent_messages if message["type"] == "play"]
        second_click(page, position["x"], position["y"])
        table.wait_for_me()
        assert [message for message in sent_messages if message["type"] == "play"][len(plays_before) :] == []

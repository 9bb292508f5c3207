"""A move shows its effect at once, before the server has answered, as far as the device can know it."""

import json
import re

import pytest
from playwright.sync_api import expect
from table import MOVE
from test_hints import with_machine_code

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game

# the first legal move of seat 0 whose effect the device knows, or does not know; null if there is none
FIND_MOVE = """async ({ game, table, isKnown }) => {
  const file = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/web/core/http-client.js"));
  const { preparePreviews, previewOnDevice } =
    await import(file.name.replace("core/http-client.js", "local/device-games.js"));
  if (!(await preparePreviews(game))) throw new Error("the game cannot be loaded");
  const view = await (await fetch(`/api/tables/${table}/view?seat=0`)).json();
  for (const { id } of view.legal) if (Boolean(await previewOnDevice(game, view, [id])) === isKnown) return id;
  return null;
}"""
MOVING_ELEMENTS = "() => document.getAnimations().filter(({ effect }) => effect.target.dataset?.key).length"


class SlowConnection:
    """A connection whose messages from the server wait while `is_held`. `plays` are the moves that were sent."""

    def __init__(self, page):
        self.is_held, self.is_cut, self.held, self.plays = False, False, [], []
        page.route_web_socket(re.compile("/ws/tables/"), self._connect)

    def _connect(self, socket):
        self.socket, server = socket, socket.connect_to_server()
        socket.on_message(lambda message: self._send(server, message))
        server.on_message(lambda message: self.held.append(message) if self.is_held else socket.send(message))

    def _send(self, server, message):
        if json.loads(message)["type"] == "play":
            self.plays.append(json.loads(message))
        if not self.is_cut:
            server.send(message)

    def release_first_view(self, page):
        """Deliver the messages until the first view, as soon as it is there."""
        while not any(json.loads(message)["type"] == "view" for message in self.held):
            page.wait_for_timeout(20)
        while self.held:
            message = self.held.pop(0)
            self.socket.send(message)
            if json.loads(message)["type"] == "view":
                return


def start(person, game, **options):
    """Return a table whose game the device has loaded, and its connection."""
    load_or_compile_files(find_game(game))
    table = person(**options)
    table.page.route("**/api/games/*", with_machine_code)
    connection = SlowConnection(table.page)
    table.start(game, 3, plain=True)
    table.wait_for_me()
    return table, connection


def reach_move(table, game, is_known=True):
    """Make moves until one is legal whose effect the device knows, or does not know, and return its button."""
    page = table.page
    arguments = {"game": game, "table": page.url.rpartition("/")[2], "isKnown": is_known}
    while (move := page.evaluate(FIND_MOVE, arguments)) is None:
        page.locator(MOVE).first.click()
        table.wait_for_me()
        assert not table.over
    return page.locator(f'.move[data-move="{move}"]')


@pytest.mark.parametrize("game", ["puppet", "necklace", "cardinal"])
def test_a_move_shows_its_effect_before_the_server_answers(person, game):
    table, connection = start(person, game, speed="normal")
    page, board = table.page, table.page.locator("#board")
    button = reach_move(table, game)
    before = board.inner_text()
    connection.is_held = True
    button.click()
    expect(page.locator(".sending")).to_be_visible()
    expect(board).not_to_have_text(before, use_inner_text=True)
    while page.evaluate(MOVING_ELEMENTS):
        page.wait_for_timeout(20)
    predicted = board.inner_text()
    connection.release_first_view(page)
    expect(page.locator(".sending")).to_have_count(0)
    assert page.evaluate(MOVING_ELEMENTS) == 0, "what was shown is shown again"
    assert board.inner_text() == predicted
    connection.is_held = False
    for message in connection.held:
        connection.socket.send(message)
    table.wait_for_me()


def test_a_refused_move_is_withdrawn(person):
    table, connection = start(person, "puppet")
    page, board = table.page, table.page.locator("#board")
    button = reach_move(table, "puppet")
    before = board.inner_text()
    connection.plays.clear()
    connection.is_cut = True
    button.click()
    expect(board).not_to_have_text(before, use_inner_text=True)
    error = {"type": "error", "key": connection.plays[0]["key"], "error": {"id": "error-not-your-turn", "args": {}}}
    connection.socket.send(json.dumps(error))
    expect(board).to_have_text(before, use_inner_text=True)
    connection.is_cut = False
    page.locator(MOVE).first.click()  # it can be made again
    table.wait_for_me()
    assert len(connection.plays) == 2


def test_a_move_whose_outcome_is_random_waits_for_the_server(person):
    table, connection = start(person, "petition")
    page, board = table.page, table.page.locator("#board")
    button = reach_move(table, "petition", is_known=False)
    before = board.inner_text()
    connection.is_held = True
    button.click()
    expect(page.locator(".sending")).to_be_visible()
    assert board.inner_text() == before
    connection.release_first_view(page)
    expect(page.locator(".sending")).to_have_count(0)
    assert board.inner_text() != before

"""The board of the game in docs/a-whole-game.md is played to the end, in both languages."""

import os

import guide
import pytest
from playwright.sync_api import expect
from serving import serving


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """A house in which that game is installed."""
    package = guide.write(tmp_path_factory.mktemp("courtly-favours"))
    path = f"{package}{os.pathsep}{os.environ['PYTHONPATH']}"
    with serving(tmp_path_factory.mktemp("data"), COURTLY_GAMES="favours", PYTHONPATH=path) as address:
        yield address


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_whole_game_is_played(person, outside, language):
    table = person(language=language, at=outside)
    page, ask = table.page, table.page.request
    ask.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "heuristic"}]
    made = ask.post("/api/tables", data={"game": "favours", "players": 2, "seats": seats}).json()
    page.goto(f"/t/{made['id']}")
    expect(page.locator(".is-pictured .court section")).to_have_count(2)
    table.play_by_clicking()
    expect(page.locator(".end")).to_be_visible()
    assert page.locator(".own button").count() == 0 and "undefined" not in page.locator("#board").inner_text()

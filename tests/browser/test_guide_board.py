"""The board of the game that `courtly new` makes is played to the end, in both languages."""

import os

import pytest
from playwright.sync_api import expect
from serving import serving

from courtly.new import make

NAME = "tulip_fever"


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """A house in which that game is installed."""
    package = make(NAME, tmp_path_factory.mktemp("new"))
    path = f"{package}{os.pathsep}{os.environ['PYTHONPATH']}"
    with serving(tmp_path_factory.mktemp("data"), COURTLY_GAMES=NAME, PYTHONPATH=path) as address:
        yield address


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_new_game_is_played(person, outside, language):
    table = person(language=language, at=outside)
    page, ask = table.page, table.page.request
    ask.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "heuristic"}]
    made = ask.post("/api/tables", data={"game": NAME, "players": 2, "seats": seats}).json()
    page.goto(f"/t/{made['id']}")
    expect(page.locator(".is-pictured .court section")).to_have_count(2)
    expect(page.locator(".own button").first).to_be_visible()
    table.play_by_clicking()
    expect(page.locator(".end")).to_be_visible()
    said = page.locator("#board").inner_text()
    assert page.locator(".own button").count() == 0 and "undefined" not in said and NAME not in said

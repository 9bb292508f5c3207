"""The boards of games in their own packages (the one made by `courtly new`, and the examples) are played to the end;
with --long each in both languages.
"""

import os
from pathlib import Path

import pytest
from parameters import each_value_once
from playwright.sync_api import expect
from ui_server import run_server

from courtly.scaffold import make_game

NAME = "tulip_fever"
EXAMPLES = sorted(path.parent for path in Path(__file__).parents[2].glob("examples/*/pyproject.toml"))
WITHOUT_BOARD = {package.name for package in EXAMPLES if not (package / package.name / "board").is_dir()}
GAMES = [NAME, *(package.name for package in EXAMPLES)]


@pytest.fixture(scope="module")
def external_games_url(tmp_path_factory):
    """A server on which these games are installed."""
    packages = make_game(NAME, tmp_path_factory.mktemp("new")), *EXAMPLES
    path = os.pathsep.join([*map(str, packages), os.environ["PYTHONPATH"]])
    with run_server(tmp_path_factory.mktemp("data"), COURTLY_GAMES=",".join(GAMES), PYTHONPATH=path) as address:
        yield address


@pytest.mark.parametrize(("game", "language"), each_value_once(GAMES, ["en", "ja"]))
def test_a_game_package_is_played(person, external_games_url, language, game):
    table = person(language=language, url=external_games_url)
    page, requests = table.page, table.page.request
    requests.get("/api/me")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "heuristic"}]
    table_info = requests.post("/api/tables", data={"game": game, "players": 2, "seats": seats}).json()
    page.goto(f"/t/{table_info['id']}")
    if game in WITHOUT_BOARD:
        expect(page.locator(".move").first).to_be_visible()
    else:
        expect(page.locator(".is-pictured .court section")).to_have_count(2)
        expect(page.locator(".own button").first).to_be_visible()
    table.play_by_clicking()
    expect(page.locator(".end")).to_be_visible()
    board_text = page.locator("#board").inner_text()
    assert page.locator(".own button").count() == 0 and "undefined" not in board_text and f"{game}-" not in board_text

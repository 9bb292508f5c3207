"""The seed of a table determines the whole game: a much slower browser plays the same moves as a fast one."""

import pytest
from predictable import SEED_HEADER
from test_whole_games import min_players
from ui_server import run_server

CLICKS = 8
CPU_SLOWDOWN = 4
FETCH_VIEW = "fetch(`/api${location.pathname.replace('/t/', '/tables/')}/view?seat=0`).then((answer) => answer.json())"


@pytest.fixture(scope="module")
def other_server_url(tmp_path_factory):
    """Another server: on the same one, the same name opens a different table."""
    with run_server(tmp_path_factory.mktemp("data")) as address:
        yield address


@pytest.mark.parametrize("game", ["necklace", "puppet"])  # games with simultaneous decisions
def test_a_slow_machine_plays_the_same_game(person, server_url, other_server_url, game):
    views = []
    for url, slowdown in ((server_url, 1), (other_server_url, CPU_SLOWDOWN)):
        table = person(url=url)
        table.page.context.set_extra_http_headers({SEED_HEADER: "the same"})
        table.start(game, min_players(game))
        table.page.context.new_cdp_session(table.page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        table.click_randomly(max_clicks=CLICKS)
        table.wait_for_me()
        views.append(table.page.evaluate(FETCH_VIEW))
    assert views[0]["cues"]
    assert views[0] == views[1]

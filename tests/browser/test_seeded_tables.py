"""The seed of a table determines the whole game: a much slower browser plays the same moves as a fast one."""

import pytest
from predictable import SEED_HEADER
from test_whole_games import fewest
from ui_server import run_server

CLICKS = 8
SLOWER = 4
TOLD = "fetch(`/api${location.pathname.replace('/t/', '/tables/')}/view?seat=0`).then((answer) => answer.json())"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Another server: on the same one, the same name opens a different table."""
    with run_server(tmp_path_factory.mktemp("house")) as address:
        yield address


@pytest.mark.parametrize("game", ["necklace", "puppet"])  # games with simultaneous decisions
def test_a_slow_machine_plays_the_same_game(person, server_url, elsewhere, game):
    told = []
    for at, slower in ((server_url, 1), (elsewhere, SLOWER)):
        table = person(url=at)
        table.page.context.set_extra_http_headers({SEED_HEADER: "the same"})
        table.start(game, fewest(game))
        table.page.context.new_cdp_session(table.page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        table.click_randomly(max_clicks=CLICKS)
        table.wait_for_me()
        told.append(table.page.evaluate(TOLD))
    assert told[0]["cues"]
    assert told[0] == told[1]

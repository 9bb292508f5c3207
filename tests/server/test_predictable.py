"""Tables whose secret is set by a test: the same game each time, whatever was played before. Production servers do not
support this.
"""

import pytest
from guests import Server
from predictable import INSTALL, SEED_HEADER


@pytest.fixture
def servers(tmp_path):
    with Server(tmp_path / "one", first=INSTALL) as one, Server(tmp_path / "two", first=INSTALL) as two:
        yield one, two


def play_bot_game(guest, seed, game="petition", **fields):
    """Return the events at a table of bots, and the table at the end."""
    table = guest.open("bot", "bot", game=game, headers={SEED_HEADER: seed}, options={}, **fields)
    with guest.connect(table) as connection:
        cues = connection.view_where(lambda view: view["over"])["seq"] and guest.view(table)["cues"]
    return cues, guest.table(table)


def test_the_same_name_gives_the_same_game(servers):
    one, two = (server.guest() for server in servers)
    play_bot_game(two, "another test")  # whether or not another test ran before
    first, second = play_bot_game(one, "1 this test", nonce="ab"), play_bot_game(two, "1 this test", nonce="cd")
    assert first[0] == second[0] and first[1]["id"] == second[1]["id"] and first[1]["secret"] == second[1]["secret"]
    assert play_bot_game(one, "1 this test")[0] != first[0], "the second table has another game"
    assert play_bot_game(one, "2 this test")[0] != first[0]


def test_production_servers_are_not_predictable(server):
    ada = server.guest()
    first, second = play_bot_game(ada, "1 this test", nonce="ab"), play_bot_game(ada, "1 this test", nonce="ab")
    assert first[1]["commitment"] != second[1]["commitment"] and first[1]["nonces"] == ["", ""]
    table = ada.open("me", "bot", headers={SEED_HEADER: "1 this test"}, nonce="ab")
    assert ada.table(table)["nonces"] == ["ab", ""], "the players' numbers count"

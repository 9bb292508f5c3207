"""Tables whose secret is set by a test: the same game each time, whatever was played before. Production servers do not
support this.
"""

import pytest
from guests import Server, until

from courtly.server.tables.table_seeds import SEED_HEADER


@pytest.fixture
def houses(tmp_path):
    with (
        Server(tmp_path / "one", COURTLY_PREDICTABLE="1") as one,
        Server(tmp_path / "two", COURTLY_PREDICTABLE="1") as two,
    ):
        yield one, two


def game(guest, name, game="petition", **more):
    """Return the events at a table of bots, and the table at the end."""
    table = guest.open("bot", "bot", game=game, headers={SEED_HEADER: name}, options={}, **more)
    with guest.line(table) as line:
        cues = line.view_where(lambda view: view["over"])["seq"] and guest.view(table)["cues"]
    return cues, guest.table(table)


def test_the_same_name_gives_the_same_game(houses):
    one, two = (house.guest() for house in houses)
    game(two, "another test")  # whether or not another test ran before
    first, again = game(one, "1 this test", nonce="ab"), game(two, "1 this test", nonce="cd")
    assert first[0] == again[0] and first[1]["id"] == again[1]["id"] and first[1]["secret"] == again[1]["secret"]
    assert game(one, "1 this test")[0] != first[0], "the second table has another game"
    assert game(one, "2 this test")[0] != first[0]


def test_the_server_logs_a_warning(houses):
    until(lambda: any("predict what is dealt" in line for line in houses[0].log))


def test_production_servers_are_not_predictable(server):
    ada = server.guest()
    first, second = game(ada, "1 this test", nonce="ab"), game(ada, "1 this test", nonce="ab")
    assert first[1]["commitment"] != second[1]["commitment"] and first[1]["nonces"] == ["", ""]
    table = ada.open("me", "bot", headers={SEED_HEADER: "1 this test"}, nonce="ab")
    assert ada.table(table)["nonces"] == ["ab", ""], "the players' numbers count"
    assert not any("predict" in line for line in server.log)

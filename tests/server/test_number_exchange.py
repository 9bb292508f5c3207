"""The exchange of random numbers before the first move."""

import hashlib
import secrets

import pytest
from guests import Server, until

SHORT = "from courtly.session import number_exchange as numbers; numbers.NUMBER_TIMEOUT_S = 0.5"


def number():
    """Return a random number and its SHA-256."""
    made = secrets.token_bytes(32)
    return made.hex(), hashlib.sha256(made).hexdigest()


def give(guest, table, seat, **what):
    return guest.command(table, "number", {"seat": seat, **what})


def begun(ada, ben):
    """Open a table where both players have sent their pledges; return it with their numbers."""
    one, two = number(), number()
    table = ada.open("me", "open", pledge=one[1])
    assert ben.command(table, "sit", {"pledge": two[1]}).status == 200
    return table, one, two


def test_a_game_against_bots_begins_with_the_number(ada):
    mine, pledge = number()
    table = ada.open("me", "random", pledge=pledge)
    before = ada.table(table)
    assert before["status"] == "waiting" and before["seats"][0]["pledge"] == pledge and before["nonces"] == ["", ""]
    assert before["seats"][1]["pledge"] is None, "bots contribute no number"
    after = give(ada, table, 0, nonce=mine).json
    assert after["status"] == "playing" and after["nonces"] == [mine, ""]
    assert after["commitment"] == before["commitment"] and after["redraws"] == 0
    assert give(ada, table, 0, nonce=mine).status == 200, "sending it twice has no effect"


def test_no_number_is_accepted_before_all_pledges(ada, ben):
    one, two = number(), number()
    table = ada.open("me", "open", pledge=one[1])
    assert give(ada, table, 0, nonce=one[0]).error == "error-number"
    ben.command(table, "sit", {"pledge": two[1]})
    assert give(ada, table, 0, nonce=two[0]).error == "error-number", "not the pledged number"
    assert give(ben, table, 0, nonce=one[0]).error == "error-not-yours"
    assert give(ben, table, 1, nonce=two[0]).json["status"] == "waiting"
    told = give(ada, table, 0, nonce=one[0]).json
    assert told["status"] == "playing" and told["nonces"] == [one[0], two[0]]


def test_a_full_table_is_not_among_the_open_ones(ada, ben, cleo):
    table, *_ = begun(ada, ben)
    assert table not in [one["id"] for one in cleo.get("/api/tables").json["open"]]


def test_a_client_without_a_number_plays(ada, ben):
    mine, pledge = number()
    table = ada.open("me", "open", pledge=pledge)
    assert ben.command(table, "sit").json["status"] == "waiting"
    assert give(ada, table, 0, nonce=mine).json["nonces"] == [mine, ""]
    assert ada.table(table)["seats"][1]["pledge"] is None


@pytest.mark.parametrize("how", ["leave", "pledge", "bot"])
def test_a_seat_change_after_a_number_redraws_the_secret(ada, ben, how):
    table, one, two = begun(ada, ben)
    before = ada.table(table)["commitment"]
    give(ada, table, 0, nonce=one[0])
    if how == "leave":
        ben.command(table, "leave")
    elif how == "pledge":
        give(ben, table, 1, pledge=number()[1])
    else:
        ada.command(table, "seat", {"seat": 1, "kind": "bot"})
    told = ada.table(table)
    assert told["status"] == "waiting" and told["redraws"] == 1 and told["commitment"] != before
    assert told["nonces"] == ["", ""] and told["seats"][0]["pledge"] == ""
    assert give(ada, table, 0, nonce=one[0]).error == "error-number", "a number cannot be used twice"


def test_a_seat_whose_number_is_missing_is_opened(tmp_path):
    with Server(tmp_path, first=SHORT) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table, _, two = begun(ada, ben)
        with ben.connect(table) as connection:
            give(ben, table, 1, nonce=two[0])
            told = until(lambda: (t := connection.wait("table")["table"])["redraws"] and t)
        assert [seat["kind"] for seat in told["seats"]] == ["open", "person"] and told["host"]
        assert told["seats"][1]["pledge"] == "" and told["nonces"] == ["", ""]
        server.stop()


def test_an_exchange_continues_after_a_kill(tmp_path):
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table, one, two = begun(ada, ben)
        other, *_, last = begun(ada, ben)
        give(ben, table, 1, nonce=two[0])
        give(ben, other, 1, nonce=last[0])
        server.kill()
    with Server(tmp_path, first=SHORT) as server:
        ada.server = ben.server = server
        until(lambda: ben.table(other)["redraws"] == 1)
        assert ben.table(table)["redraws"] == 1, "the seat of a missing player is opened"
        assert [seat["kind"] for seat in ben.table(table)["seats"]] == ["open", "person"]
        server.stop()


def test_a_rematch_has_new_numbers(ada, ben):
    table, one, two = begun(ada, ben)
    give(ada, table, 0, nonce=one[0])
    give(ben, table, 1, nonce=two[0])
    guests = (ada, ben)
    while ada.table(table)["status"] == "playing":
        for seat, guest in enumerate(guests):
            view = guest.view(table, seat)
            if view["legal"]:
                assert guest.play(table, seat, view["seq"], view["legal"][0]["id"]).status == 200
    mine, pledge = number()
    again = ada.command(table, "rematch", {"pledge": pledge}).json
    assert again["status"] == "waiting" and [seat["pledge"] for seat in again["seats"]] == [pledge, ""]
    assert again["nonces"] == ["", ""] and again["commitment"] != ada.table(table)["commitment"]
    theirs, other = number()
    assert give(ben, again["id"], 1, pledge=other).json["status"] == "waiting"
    assert give(ben, again["id"], 1, nonce=theirs).json["status"] == "waiting"
    assert give(ada, again["id"], 0, nonce=mine).json["status"] == "playing"


def test_a_seat_given_away_by_link_has_a_new_number(ada, ben, cleo):
    table, one, _ = begun(ada, ben)
    give(ada, table, 0, nonce=one[0])
    cleo.post(ben.command(table, "ticket", {"seat": 1}).json["path"].replace("/j/", "/api/seat/"))
    told = cleo.table(table)
    assert told["seats"][1]["you"] and [seat["pledge"] for seat in told["seats"]] == ["", ""] and told["redraws"] == 1


def test_people_at_one_browser_count_as_one(ada):
    mine, pledge = number()
    table = ada.open("me", "local", pledge=pledge)
    assert [seat["pledge"] for seat in ada.table(table)["seats"]] == [pledge, None]
    assert give(ada, table, 0, nonce=mine).json["status"] == "playing"

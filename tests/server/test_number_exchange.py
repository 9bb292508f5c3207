"""The exchange of random numbers before the first move."""

import hashlib
import secrets

import pytest
from guests import Server, wait_until

SHORT_TIMEOUT = "from courtly.session import number_exchange as numbers; numbers.NUMBER_TIMEOUT_S = 0.5"


def draw_number():
    """Return a random number and its SHA-256."""
    number = secrets.token_bytes(32)
    return number.hex(), hashlib.sha256(number).hexdigest()


def send_number(guest, table, seat, **fields):
    return guest.command(table, "number", {"seat": seat, **fields})


def open_pledged_table(ada, ben):
    """Open a table where both players have sent their pledges; return it with their numbers."""
    one, two = draw_number(), draw_number()
    table = ada.open("me", "open", pledge=one[1])
    assert ben.command(table, "sit", {"pledge": two[1]}).status == 200
    return table, one, two


def test_a_game_against_bots_begins_with_the_number(ada):
    own_number, pledge = draw_number()
    table = ada.open("me", "random", pledge=pledge)
    table_before = ada.table(table)
    assert (
        table_before["status"] == "waiting"
        and table_before["seats"][0]["pledge"] == pledge
        and table_before["nonces"] == ["", ""]
    )
    assert table_before["seats"][1]["pledge"] is None, "bots contribute no number"
    table_after = send_number(ada, table, 0, nonce=own_number).json
    assert table_after["status"] == "playing" and table_after["nonces"] == [own_number, ""]
    assert table_after["commitment"] == table_before["commitment"] and table_after["redraws"] == 0
    assert send_number(ada, table, 0, nonce=own_number).status == 200, "sending it twice has no effect"


def test_no_number_is_accepted_before_all_pledges(ada, ben):
    one, two = draw_number(), draw_number()
    table = ada.open("me", "open", pledge=one[1])
    assert send_number(ada, table, 0, nonce=one[0]).error == "error-number"
    ben.command(table, "sit", {"pledge": two[1]})
    assert send_number(ada, table, 0, nonce=two[0]).error == "error-number", "not the pledged number"
    assert send_number(ben, table, 0, nonce=one[0]).error == "error-not-yours"
    assert send_number(ben, table, 1, nonce=two[0]).json["status"] == "waiting"
    state = send_number(ada, table, 0, nonce=one[0]).json
    assert state["status"] == "playing" and state["nonces"] == [one[0], two[0]]


def test_a_full_table_is_not_among_the_open_ones(ada, ben, cleo):
    table, *_ = open_pledged_table(ada, ben)
    assert table not in [one["id"] for one in cleo.get("/api/tables").json["open"]]


@pytest.mark.parametrize("body", [{}, {"seat": 1}])
def test_the_seats_of_a_full_table_are_taken_while_numbers_are_missing(ada, ben, cleo, body):
    table, one, two = open_pledged_table(ada, ben)
    assert cleo.command(table, "sit", body).error == "error-seat-taken"
    send_number(ada, table, 0, nonce=one[0])
    send_number(ben, table, 1, nonce=two[0])
    assert cleo.command(table, "sit", body).error == "error-started"


def test_a_client_without_a_number_plays(ada, ben):
    own_number, pledge = draw_number()
    table = ada.open("me", "open", pledge=pledge)
    assert ben.command(table, "sit").json["status"] == "waiting"
    assert send_number(ada, table, 0, nonce=own_number).json["nonces"] == [own_number, ""]
    assert ada.table(table)["seats"][1]["pledge"] is None


@pytest.mark.parametrize("change", ["leave", "pledge", "bot"])
def test_a_seat_change_after_a_number_redraws_the_secret(ada, ben, change):
    table, one, two = open_pledged_table(ada, ben)
    commitment_before = ada.table(table)["commitment"]
    send_number(ada, table, 0, nonce=one[0])
    if change == "leave":
        ben.command(table, "leave")
    elif change == "pledge":
        send_number(ben, table, 1, pledge=draw_number()[1])
    else:
        ada.command(table, "seat", {"seat": 1, "kind": "bot"})
    state = ada.table(table)
    assert state["status"] == "waiting" and state["redraws"] == 1 and state["commitment"] != commitment_before
    assert state["nonces"] == ["", ""] and state["seats"][0]["pledge"] == ""
    assert send_number(ada, table, 0, nonce=one[0]).error == "error-number", "a number cannot be used twice"


def test_a_seat_whose_number_is_missing_is_opened(tmp_path):
    with Server(tmp_path, first=SHORT_TIMEOUT) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table, _, two = open_pledged_table(ada, ben)
        with ben.connect(table) as connection:
            send_number(ben, table, 1, nonce=two[0])
            state = wait_until(lambda: (t := connection.wait("table")["table"])["redraws"] and t)
        assert [seat["kind"] for seat in state["seats"]] == ["open", "person"] and state["host"]
        assert state["seats"][1]["pledge"] == "" and state["nonces"] == ["", ""]
        server.stop()


def test_an_exchange_continues_after_a_kill(tmp_path):
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table, one, two = open_pledged_table(ada, ben)
        other, *_, bens_number = open_pledged_table(ada, ben)
        send_number(ben, table, 1, nonce=two[0])
        send_number(ben, other, 1, nonce=bens_number[0])
        server.kill()
    with Server(tmp_path, first=SHORT_TIMEOUT) as server:
        ada.server = ben.server = server
        wait_until(lambda: ben.table(other)["redraws"] == 1)
        assert ben.table(table)["redraws"] == 1, "the seat of a missing player is opened"
        assert [seat["kind"] for seat in ben.table(table)["seats"]] == ["open", "person"]
        server.stop()


def test_a_rematch_has_new_numbers(ada, ben):
    table, one, two = open_pledged_table(ada, ben)
    send_number(ada, table, 0, nonce=one[0])
    send_number(ben, table, 1, nonce=two[0])
    guests = (ada, ben)
    while ada.table(table)["status"] == "playing":
        for seat, guest in enumerate(guests):
            view = guest.view(table, seat)
            if view["legal"]:
                assert guest.play(table, seat, view["seq"], view["legal"][0]["id"]).status == 200
    own_number, pledge = draw_number()
    rematch = ada.command(table, "rematch", {"pledge": pledge}).json
    assert rematch["status"] == "waiting" and [seat["pledge"] for seat in rematch["seats"]] == [pledge, ""]
    assert rematch["nonces"] == ["", ""] and rematch["commitment"] != ada.table(table)["commitment"]
    bens_number, bens_pledge = draw_number()
    assert send_number(ben, rematch["id"], 1, pledge=bens_pledge).json["status"] == "waiting"
    assert send_number(ben, rematch["id"], 1, nonce=bens_number).json["status"] == "waiting"
    assert send_number(ada, rematch["id"], 0, nonce=own_number).json["status"] == "playing"


def test_a_seat_given_away_by_link_has_a_new_number(ada, ben, cleo):
    table, one, _ = open_pledged_table(ada, ben)
    send_number(ada, table, 0, nonce=one[0])
    cleo.post(ben.command(table, "seat-link", {"seat": 1}).json["path"].replace("/j/", "/api/seat-link/"))
    state = cleo.table(table)
    assert (
        state["seats"][1]["you"] and [seat["pledge"] for seat in state["seats"]] == ["", ""] and state["redraws"] == 1
    )


def test_people_at_one_browser_count_as_one(ada):
    own_number, pledge = draw_number()
    table = ada.open("me", "local", pledge=pledge)
    assert [seat["pledge"] for seat in ada.table(table)["seats"]] == [pledge, None]
    assert send_number(ada, table, 0, nonce=own_number).json["status"] == "playing"

"""Each seat has a unique colour: the requested one if possible."""

from itertools import product

import pytest

from courtly.session.seat import Seat
from courtly.session.seat_colors import SEAT_COLORS, assign_colors


def colours_of(*requests):
    return assign_colors([Seat(n, "person", colour=request) for n, request in enumerate(requests)])


@pytest.mark.parametrize(
    ("requests", "colours"),
    [
        ((None, None, None), ["gules", "azure", "vert"]),
        (("azure", None, None), ["azure", "gules", "vert"]),
        ((None, None, "gules"), ["vert", "azure", "gules"]),
        ((None, "sable", None), ["gules", "sable", "vert"]),
        (("vert", "vert", "vert"), ["vert", "azure", "gules"]),
    ],
)
def test_each_seat_gets_the_requested_or_the_next_free_colour(requests, colours):
    assert colours_of(*requests) == colours


def test_colours_are_unique_for_all_requests():
    for requests in product((None, *SEAT_COLORS), repeat=4):
        colours = colours_of(*requests)
        assert len(set(colours)) == 4
        for n, request in enumerate(requests):
            assert request is None or colours[n] == request or request in requests[:n]


def test_a_requested_colour_is_sent_stored_and_kept_at_a_rematch(ada, ben):
    table = ada.open("me", "open", colour="vert")
    assert ben.command(table, "sit", {"colour": "vert"}).json["seats"][1]["colour"] == "azure", (
        "the first player has it"
    )
    with ada.connect(table) as connection:
        assert ben.command(table, "colour", {"colour": "gules"}).json["seats"][1]["colour"] == "gules"
        while connection.wait("table")["table"]["seats"][1]["colour"] != "gules":
            pass
    assert [seat["colour"] for seat in ada.table(table)["seats"]] == ["vert", "gules"]
    assert ben.command(table, "colour", {"colour": "red"}).error == "error-malformed"
    hot_seat = ada.open("local", "me")
    table_info = ada.command(hot_seat, "colour", {"colour": "gules"}).json
    assert [seat["colour"] for seat in table_info["seats"]] == ["azure", "gules"]


def test_only_the_player_can_change_a_seats_colour(pair, cleo):
    assert cleo.command(pair, "colour", {"colour": "sable"}).error == "error-not-yours"

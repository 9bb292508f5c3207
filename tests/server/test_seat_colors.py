"""Each seat has a unique colour: the requested one if possible."""

from itertools import product

import pytest

from courtly.session.seat import Seat
from courtly.session.seat_colors import SEAT_COLORS, assign_colors


def of(*wishes):
    return assign_colors([Seat(n, "person", colour=wish) for n, wish in enumerate(wishes)])


@pytest.mark.parametrize(
    ("wishes", "given"),
    [
        ((None, None, None), ["gules", "azure", "vert"]),
        (("azure", None, None), ["azure", "gules", "vert"]),
        ((None, None, "gules"), ["vert", "azure", "gules"]),
        ((None, "sable", None), ["gules", "sable", "vert"]),
        (("vert", "vert", "vert"), ["vert", "azure", "gules"]),
    ],
)
def test_wishes(wishes, given):
    assert of(*wishes) == given


def test_colours_are_unique_for_all_requests():
    for wishes in product((None, *SEAT_COLORS), repeat=4):
        given = of(*wishes)
        assert len(set(given)) == 4
        for n, wish in enumerate(wishes):
            assert wish is None or given[n] == wish or wish in wishes[:n]


def test_a_requested_colour_is_sent_stored_and_kept_at_a_rematch(ada, ben):
    table = ada.open("me", "open", colour="vert")
    assert ben.at(table, "sit", {"colour": "vert"}).json["seats"][1]["colour"] == "azure", "the first player has it"
    with ada.line(table) as line:
        assert ben.at(table, "colour", {"colour": "gules"}).json["seats"][1]["colour"] == "gules"
        while line.wait("table")["table"]["seats"][1]["colour"] != "gules":
            pass
    assert [seat["colour"] for seat in ada.table(table)["seats"]] == ["vert", "gules"]
    assert ben.at(table, "colour", {"colour": "red"}).error == "error-malformed"
    hot_seat = ada.open("local", "me")
    told = ada.at(hot_seat, "colour", {"colour": "gules"}).json
    assert [seat["colour"] for seat in told["seats"]] == ["azure", "gules"]


def test_only_the_player_can_change_a_seats_colour(pair, cleo):
    assert cleo.at(pair, "colour", {"colour": "sable"}).error == "error-not-yours"

"""A seat's observation as numbers (courtly/adapters/observation.py). courtly.testing checks for every game that it
contains no more than a view.
"""

import random
import runpy
from pathlib import Path

import numpy as np
import pytest

from courtly.adapters import observation
from courtly.adapters.observation import Encoder, get_encoder, observation_forms, render_page, write_source
from courtly.engine.enums import NamedInt
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.engine.state import StateBase, i8, i16, i32, places, seats
from courtly.testing.checks.observation_checks import check_numbers_keep_secrets

SEATS = seats(4)


class Hue(NamedInt):
    RED, BLUE, GOLD = range(3)


class AllKinds(StateBase):
    """A field of each kind."""

    players = i8(option=(2, 3, 4))
    variant = i8(option=(0, 1))
    pending = i8()
    count = i8(most=10)
    debt = i16(least=-20, most=5)
    hue = i8(of=Hue)
    maybe = i8(of=Hue, none=0)
    king = i8(of=SEATS, none=-1)
    heir = i8(of=SEATS, none=0)
    beyond = i8(of=Hue, most=4)
    where = i8(2, of=("pile", "row", "owned"), then=SEATS)
    claim = i8(2, ("by", "of", "worth"), each=(i8(of=SEATS, none=-1), i8(of=Hue), i8(most=8)))
    some = i8(bits=Hue)
    friends = i8(SEATS, bits=SEATS)
    order = i8(places(4), of=SEATS)
    table = i8(2, SEATS, Hue, most=3)
    code = i32(key=True)
    much = i32(least=-1, most=1 << 20)
    mine = i8(SEATS, Hue, most=4, private=True)
    known = i8(SEATS, SEATS, of=Hue, none=0, private=True)
    deck = i8(Hue, most=9, secret=True)
    work = i8(5, scratch=True)


class Kinds:
    """The part of a game's interface that an encoder needs."""

    State, players, id = AllKinds, (2, 3, 4), "kinds"


def nonzero_numbers(state, seat):
    """Return the nonzero numbers by name, in both forms."""
    encoder = Encoder(Kinds, state.players)
    for names, numbers in ((encoder.names, encoder.encode(state, seat)), (encoder.raw_names, encoder.raw(state, seat))):
        assert len(names) == len(numbers) == len(set(names))
        yield {name: round(float(x), 4) for name, x in zip(names, numbers, strict=True) if x}


@pytest.fixture
def state():
    return AllKinds(players=3, variant=1)


def test_a_blank_state_shows_only_the_observers_seat(state):
    state.king = state.claim[0][0] = state.claim[1][0] = -1
    scaled, raw = nonzero_numbers(state, 2)
    blank_names = (
        "hue=red",
        "beyond=red",
        "where[0]=pile",
        "where[1]=pile",
        "claim[0][of]=red",
        "claim[1][of]=red",
        "me=2",
    )
    order_names = [f"order[{place}]=+1" for place in range(3)]
    assert scaled == dict.fromkeys((*blank_names, *order_names), 1)
    order_names = {f"order[{place}]": 1 for place in range(3)}
    assert raw == {"king": -1, "claim[0][by]": -1, "claim[1][by]": -1, **order_names, "me": 2}


def test_counts_are_divided_by_their_maximum(state):
    state.count, state.debt, state.much, state.king = 5, -10, 1 << 19, -1
    scaled, raw = nonzero_numbers(state, 0)
    assert (scaled["count"], scaled["debt"], scaled["much"]) == (0.5, -0.5, 0.5)
    assert (raw["count"], raw["debt"], raw["much.high"]) == (5, -10, 16) and "much.low" not in raw
    state.much = -1
    scaled, raw = nonzero_numbers(state, 0)
    assert (raw["much.high"], raw["much.low"]) == (-1, 32767)


def test_names_are_one_hot(state):
    state.hue, state.maybe, state.beyond = Hue.GOLD, 1 + Hue.BLUE, 4
    scaled, raw = nonzero_numbers(state, 0)
    assert {name for name in scaled if name.startswith(("hue", "maybe", "beyond"))} == {
        "hue=gold",
        "maybe=blue",
        "beyond=4",
    }
    assert (raw["hue"], raw["maybe"], raw["beyond"]) == (2, 2, 4)


def test_seats_are_relative_to_the_observer(state):
    state.king, state.heir, state.pending = 0, 1 + 2, 0b101
    state.friends[1], state.table[1][0][Hue.RED] = 0b011, 2
    for seat, king, heir, pending, friend_name, friends, table in (
        (0, "me", "+2", {"me", "+2"}, "+1", {"me", "+1"}, "me"),
        (1, "+2", "+1", {"+1", "+2"}, "me", {"me", "+2"}, "+2"),
        (2, "+1", "me", {"me", "+1"}, "+2", {"+1", "+2"}, "+1"),
    ):
        scaled, raw = nonzero_numbers(state, seat)
        members = {f"pending:{name}" for name in pending} | {f"friends[{friend_name}]:{name}" for name in friends}
        for numbers in (scaled, raw):
            assert {name for name in numbers if ":" in name} == members
        assert {f"king={king}", f"heir={heir}"} <= scaled.keys() and scaled[f"table[1][{table}][red]"] == 0.6667
        distance = {"me": 0, "+1": 1, "+2": 2}
        assert raw.get("king", 0) == distance[king] and raw["heir"] == 1 + distance[heir]
        assert raw[f"table[1][{table}][red]"] == 2


def test_places_are_not_relative(state):
    state.order = [2, 0, 1, 0]
    for seat, names in ((0, ["+2", "me", "+1"]), (1, ["+1", "+2", "me"]), (2, ["me", "+1", "+2"])):
        scaled, raw = nonzero_numbers(state, seat)
        assert [name for name in scaled if "order" in name] == [
            f"order[{place}]={name}" for place, name in enumerate(names)
        ]
        distance = {"me": 0, "+1": 1, "+2": 2}
        assert [raw.get(f"order[{place}]", 0) for place in range(3)] == [distance[name] for name in names]


def test_seats_may_come_after_other_values(state):
    state.where = [1, 2 + 0]
    for seat, where in ((0, "me"), (1, "+2"), (2, "+1")):
        scaled, raw = nonzero_numbers(state, seat)
        assert {name for name in scaled if name.startswith("where")} == {"where[0]=row", f"where[1]={where}"}
        assert (raw["where[0]"], raw["where[1]"]) == (1, 2 + {"me": 0, "+1": 1, "+2": 2}[where])
    maximum = dict(zip(Encoder(Kinds, 3).raw_names, Encoder(Kinds, 3).raw_most.tolist(), strict=True))
    assert (
        AllKinds.fields["where"].most,
        maximum["where[0]"],
        maximum["claim[0][by]"],
        maximum["claim[0][worth]"],
    ) == (5, 4, 2, 8)


def test_each_place_of_an_axis_may_have_its_own_meaning(state):
    state.claim = [[2, Hue.GOLD, 4], [-1, Hue.BLUE, 0]]
    scaled, raw = nonzero_numbers(state, 1)
    claims = {name: x for name, x in scaled.items() if name.startswith("claim")}
    assert claims == {"claim[0][by]=+1": 1, "claim[0][of]=gold": 1, "claim[0][worth]": 0.5, "claim[1][of]=blue": 1}
    claims = {name: x for name, x in raw.items() if name.startswith("claim")}
    expected = {"claim[0][by]": 1, "claim[0][of]": 2, "claim[0][worth]": 4, "claim[1][by]": -1, "claim[1][of]": 1}
    assert claims == expected
    assert (AllKinds.fields["claim"].least, AllKinds.fields["claim"].most) == (-1, 8)


def test_only_own_private_rows_and_no_secrets_are_shown(state):
    state.mine = [[1, 0, 0], [0, 2, 0], [0, 0, 3], [4, 4, 4]]
    state.known[1] = [0, 0, 1 + Hue.BLUE, 0]
    state.deck, state.work, state.code = [9, 9, 9], [1] * 5, 77
    scaled, raw = nonzero_numbers(state, 1)
    assert {name for name in scaled if name.startswith(("mine", "known"))} == {"mine[blue]", "known[+1]=blue"}
    assert raw["mine[blue]"] == 2 and raw["known[+1]"] == 2
    assert not [name for name in [*Encoder(Kinds, 3).names, *raw] if name.startswith(("deck", "work", "code", "vari"))]


def test_given_rows_are_filled(state):
    encoder = Encoder(Kinds, 3)
    row, raw = np.full((2, encoder.size), 7, np.float32), np.full((2, encoder.raw_size), 7, np.int16)
    assert encoder.encode(state, 1, row[1]).base is row and (row[0] == 7).all()
    assert (row[1] == encoder.encode(state, 1)).all() and row.dtype == np.float32
    assert (encoder.raw(state, 1, raw[1]) == encoder.raw(state, 1)).all() and (raw[0] == 7).all()


def test_invalid_arguments_are_rejected(state):
    with pytest.raises(ValueError, match="kinds is for 2, 3, 4 players, not 5"):
        Encoder(Kinds, 5)
    for seat, players in ((3, 3), (-1, 3), (0, 4)):
        with pytest.raises(ValueError, match=f"of 3 players.*{players}"):
            Encoder(Kinds, players).encode(state, seat)


@pytest.fixture
def cleared_caches():
    """Clear the caches of encoders, before and after the test."""

    def forget():
        for cached in (observation_forms, write_source, observation._compile_source, get_encoder):
            cached.cache_clear()

    forget()
    yield
    forget()


def check_is_detected(game, players):
    """Check that an encoder that reveals too much is detected."""
    encoder, position, rng = Encoder(game, players), Position(game, players), random.Random(1)
    with pytest.raises(AssertionError, match="reveal to seat"):
        while not position.over:
            seat = rng.choice(position.actors)
            position.apply(seat, rng.choice(position.legal(seat)))
            check_numbers_keep_secrets(encoder, position, rng.randrange(players), rng.randrange(1 << 30))


@pytest.mark.parametrize("name", ["cardinal", "necklace", "puppet", "sealed_bids"])
def test_a_leaked_secret_is_detected(name, cleared_caches, monkeypatch):
    monkeypatch.setattr(observation, "VISIBLE_KINDS", ("public", "private", "secret"))
    game = find_game(name)
    if any(f.visible == "secret" for f in game.State.stored):
        check_is_detected(game, game.players[-1])


@pytest.mark.parametrize("name", ["cardinal", "necklace", "puppet", "sealed_bids"])
def test_a_leaked_hand_is_detected(name, cleared_caches, monkeypatch):
    write = observation.FieldPart.code
    monkeypatch.setattr(
        observation.FieldPart,
        "code",
        lambda part, start, players: [
            line.replace("[seat]", f"[(seat + 1) % {players}]") for line in write(part, start, players)
        ],
    )
    game = find_game(name)
    check_is_detected(game, game.players[-1])


def test_the_documentation_page_is_up_to_date():
    assert observation.DOCS_PAGE.read_text(encoding="utf-8") == render_page(), (
        "run python -m courtly.adapters.observation to update it"
    )


def test_an_array_of_another_kind_is_not_filled():
    game = find_game("sealed_bids")
    encoder, state = get_encoder(game, 2), game.State(players=2)
    for out in (np.zeros(encoder.size, np.int16), np.zeros(encoder.size + 1, np.float32)):
        with pytest.raises(ValueError, match="out must be float32 of shape"):
            encoder.encode(state, 0, out)


def test_the_program_writes_the_page(monkeypatch):
    written = []
    monkeypatch.setattr(Path, "write_text", lambda path, text, **_: written.append((path, text)))
    runpy.run_path(observation.__file__, run_name="__main__")
    assert written == [(observation.DOCS_PAGE, observation.DOCS_PAGE.read_text("utf-8"))]

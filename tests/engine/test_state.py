import struct

import pytest

from courtly.engine.state import StateBase, i8, i16, i32, seats


class Sample(StateBase):
    players = i8(option=(2, 3))
    turn = i16()
    hand = i8(3, ("a", "b"), private=True)
    deck = i32(2, secret=True)
    tally = i8(2, scratch=True)
    late = i8()


def test_a_blank_record_holds_zeros_and_its_options():
    s = Sample(players=3)
    assert (s.players, s.turn, s.hand, s.deck, s.late) == (3, 0, [[0, 0], [0, 0], [0, 0]], [0, 0], 0)
    assert Sample().players == 2


@pytest.mark.parametrize(
    ("options", "message"), [({"players": 5}, "players may be one of"), ({"wind": 1}, "unknown options: wind")]
)
def test_options_that_are_not_offered_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Sample(**options)


def test_a_record_packs_and_unpacks():
    s = Sample()
    s.turn, s.hand[1][1], s.deck[0], s.tally[0] = -300, 7, 1 << 30, 9
    t = Sample.unpack(s.pack())
    assert t == s and t.tally == [0, 0]


def test_the_packed_bytes_are_the_prefix_of_the_native_layout():
    s = Sample()
    s.turn, s.hand[2][0], s.deck[1], s.late = 515, -5, -99, 3
    layout = Sample.layout()
    import numpy as np

    row = np.frombuffer(s.pack().ljust(layout.itemsize, b"\0"), layout)[0]
    assert (row["turn"], row["hand"][2][0], row["deck"][1], row["late"]) == (515, -5, -99, 3)


def test_a_value_out_of_range_is_reported():
    s = Sample()
    s.hand[0][1] = 200
    with pytest.raises(OverflowError, match="hand"):
        s.pack()
    assert struct.calcsize("@b") == 1


def test_only_changed_fields_are_checked():
    checked_state = Sample()
    state = checked_state.copy()
    state.fit(checked_state)
    state.hand[1][1] = 127
    state.fit(checked_state)
    state.hand[1][1] = 128
    with pytest.raises(OverflowError, match="hand"):
        state.fit(checked_state)
    state.fit(state.copy())  # it was so before


def test_a_copy_shares_nothing():
    state = Sample()
    for f in Sample.fields.values():
        copy = state.copy()
        value = getattr(copy, f.name)
        while isinstance(value, list) and isinstance(value[0], list):
            value = value[-1]
        if isinstance(value, list):
            value[-1] += 1
        else:
            setattr(copy, f.name, value + 1)
        assert getattr(state, f.name) != getattr(copy, f.name), f.name


def test_views_show_what_is_declared():
    s = Sample()
    s.hand[1][0] = 4
    assert s.view(1)["hand"] == [None, [4, 0], None]
    assert s.view()["hand"] == [None, None, None]
    assert "deck" not in s.view(1) and "tally" not in s.view(1)


def test_a_view_is_a_copy():
    s = Sample()
    s.view(0)["hand"][0][0] = 9
    assert s.hand[0][0] == 0


def test_hidden_fields_of_a_view_are_blank():
    s = Sample()
    s.hand = [[1, 2], [3, 4], [5, 6]]
    s.deck[0] = 8
    assert Sample.from_view(s.view(1)).hand == [[0, 0], [3, 4], [0, 0]]
    assert Sample.from_view(s.view(1)).deck == [0, 0]


def test_scratch_is_not_compared():
    a, b = Sample(), Sample()
    a.tally[0] = 1
    assert a == b
    b.late = 1
    assert a != b


@pytest.mark.parametrize(
    "declaration",
    [
        dict(private=True),
        dict(private=True, secret=True, axes=(2,)),
        dict(option=(1,), axes=(2,)),
        dict(then=seats(3)),
        dict(of=("a", "b"), then=seats(3), most=4),
        dict(each=(i8(), i8())),
        dict(each=(i8(), i8()), axes=(2, 3)),
        dict(each=(i8(), i8(2)), axes=(2,)),
        dict(each=(i8(), i8()), axes=(2,), most=3),
    ],
)
def test_invalid_declarations_are_rejected(declaration):
    axes = declaration.pop("axes", ())
    with pytest.raises(TypeError):
        i8(*axes, **declaration)


def test_a_state_has_no_hash():
    """It is mutable, so a set could not find it."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(StateBase())


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        (dict(none=-1), "none needs of, and must be 0 or -1"),
        (dict(of=("a", "b"), none=3), "none needs of, and must be 0 or -1"),
        (dict(least=1), "least needs most, and must be below it"),
        (dict(least=3, most=3), "least needs most, and must be below it"),
    ],
)
def test_contradicting_declarations_are_refused(declaration, message):
    with pytest.raises(TypeError, match=message):
        i8(2, **declaration)


def test_a_state_that_fits_is_named_by_its_type():
    """Such as one with a field of the wrong type, which struct refuses."""
    assert Sample(players=2)._misfit() == "Sample"

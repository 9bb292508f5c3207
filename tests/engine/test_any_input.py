"""Properties that hold for any declaration, values and text, searched by Hypothesis."""

import contextlib
import json

from hypothesis import given
from hypothesis import strategies as st

from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.engine.moves import Moves, UnknownMoveError
from courtly.engine.position import CommandRefusedError
from courtly.engine.state import StateBase, i8, i16, i32
from courtly.engine.transcript import write_record

KINDS = {1: i8, 2: i16, 4: i32}
shapes = st.lists(st.integers(1, 4), max_size=3).map(tuple)
fields = st.lists(
    st.tuples(st.sampled_from(sorted(KINDS)), shapes, st.sampled_from(["public", "private", "secret", "scratch"])),
    min_size=1,
    max_size=8,
)


def nested(draw, shape, bound):
    return [nested(draw, shape[1:], bound) for _ in range(shape[0])] if shape else draw(st.integers(-bound, bound - 1))


@st.composite
def records(draw):
    fields_by_name = {
        f"f{i}": KINDS[size](
            *shape, **({visible: True} if visible != "public" and (shape or visible != "private") else {})
        )
        for i, (size, shape, visible) in enumerate(draw(fields))
    }
    record = type("Made", (StateBase,), fields_by_name)()
    for name, field in type(record).fields.items():
        setattr(record, name, nested(draw, field.shape, 1 << 8 * field.size - 1))
    return record


@given(records())
def test_any_record_packs_and_unpacks(record):
    unpacked = type(record).unpack(record.pack())
    assert unpacked == record
    assert all(getattr(unpacked, f.name) == getattr(type(record)(), f.name) for f in record.scratch)


@given(records())
def test_any_record_has_the_bytes_of_its_native_layout(record):
    import numpy as np

    layout = record.layout()
    row = np.frombuffer(record.pack().ljust(layout.itemsize, b"\0"), layout)[0]
    for f in record.stored:
        assert row[f.name].tolist() == getattr(record, f.name)


@given(records(), st.integers(0, 3))
def test_any_view_shows_own_rows_and_nothing_secret(record, seat):
    view = json.loads(json.dumps(record.view(seat)))
    for f in record.stored:
        if f.visible == "secret":
            assert f.name not in view
        elif f.visible == "private":
            assert view[f.name] == [row if n == seat else None for n, row in enumerate(getattr(record, f.name))]
        else:
            assert view[f.name] == getattr(record, f.name)


axes = st.one_of(
    st.integers(1, 5), st.builds(range, st.integers(-2, 2), st.integers(3, 6)), st.just(("ruby", "amber", "pearl"))
)
verbs = st.lists(st.lists(axes, max_size=3), min_size=1, max_size=5)


@given(verbs, st.integers(0, 4))
def test_any_move_round_trips_as_number_and_text(axes_by_verb, events):
    tables = {f"v{i}": {f"a{k}": axis for k, axis in enumerate(args)} for i, args in enumerate(axes_by_verb)}
    names = list(tables)
    chance = {name: tables.pop(name) for name in names[: min(events, len(names) - 1)]}
    moves = Moves(chance=chance, **tables)
    verb, *indexes = moves.columns
    for move in range(moves.total):
        decoded = moves.decode(move)
        assert moves.encode(decoded.verb, **decoded.args) == moves.read(moves.words(move)) == move
        assert verb[move] == moves.first[decoded.verb]
        values = [tuple(range(a)) if isinstance(a, int) else tuple(a) for a in moves.args[decoded.verb].values()]
        assert [v[i[move]] for v, i in zip(values, indexes, strict=False)] == list(decoded.args.values())
        assert (move < moves.count) == (decoded.verb in tables)


@given(st.text(max_size=60))
def test_any_text_is_a_move_or_rejected(text):
    moves = find_game("sealed_bids").moves
    with contextlib.suppress(UnknownMoveError):
        assert 0 <= moves.read(text) < moves.total


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["ply", "seat", "moves", "event", "undo", "chance", "players", "options", "seed"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(st.integers(0, 40), json_values)
def test_any_line_of_a_record_is_read_or_reported(number, value):
    match = new_match(find_game("sealed_bids"), seed=11)
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    lines = write_record(match).splitlines()
    number %= len(lines)
    lines[number] = json.dumps(value)
    try:
        transcript.check("\n".join(lines))
    except transcript.InvalidRecordError as error:
        assert 1 <= error.line <= len(lines)


@given(
    st.integers(-9, 9),
    st.one_of(
        st.integers(),
        st.text(max_size=12),
        st.lists(st.one_of(st.integers(), st.booleans(), st.none(), st.text(max_size=3)), max_size=3),
    ),
)
def test_any_command_is_executed_or_rejected_without_effect(seat, moves):
    match = new_match(find_game("sealed_bids"), seed=12)
    state_before = match.state.copy()
    try:
        match.play(seat, moves)
    except CommandRefusedError as error:
        json.dumps(error.args_)
        assert match.state == state_before

import json
import pickle

import pytest

from courtly.engine.moves import Moves, UnknownMoveError, public_argument
from courtly.engine.state import seats

MOVES = Moves(
    keep=dict(face=range(1, 7)),
    shift=dict(giver=range(1, 4), receiver=range(1, 4), pips=2),
    give=dict(target=seats(3), gem=("ruby", "amber")),
    pass_={},
    chance=dict(die=dict(face=range(1, 7))),
)


def test_ids_run_in_order_and_events_come_last():
    assert (MOVES.keep, MOVES.shift, MOVES.give, MOVES.pass_, MOVES.die) == (0, 6, 24, 30, 31)
    assert (MOVES.count, MOVES.total) == (31, 37)


@pytest.mark.parametrize("move", range(37))
def test_every_move_round_trips(move):
    decoded = MOVES.decode(move)
    assert decoded.id == move == MOVES.encode(decoded.verb, **decoded.args) == MOVES.read(MOVES.words(move))


def test_tables_hold_indexes():
    verb, x, y, z = MOVES.columns
    move = MOVES.encode("shift", giver=3, receiver=1, pips=1)
    assert (verb[move], x[move], y[move], z[move]) == (MOVES.shift, 2, 0, 1)


def test_a_written_row_becomes_a_list():
    def open_faces(dice, moves):
        for i, face in enumerate(dice):
            moves[i] = MOVES.keep + face
        return len(dice)

    assert MOVES.listed(open_faces, [1, 4]) == [MOVES.keep + 1, MOVES.keep + 4]
    assert MOVES.listed(open_faces, []) == []


def test_moves_have_texts():
    move = MOVES.decode(25)
    assert (
        move == 25
        and move.verb == "give"
        and move.args == {"target": 0, "gem": "amber"}
        and str(move) == "give target=0 gem=amber"
    )
    assert (
        pickle.loads(pickle.dumps(move)).args == move.args and json.dumps(move) == "25" and json.dumps(move.as_json())
    )
    with pytest.raises(TypeError):
        move.args["gem"] = "jade"
    assert MOVES.words(25) == "give target=0 gem=amber"
    assert MOVES.read("give 0 amber") == 25 and MOVES.read("pass") == MOVES.pass_


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly", "unknown verb 'fly'"),
        ("keep", "keep takes face, not nothing"),
        ("keep 7", "face is '7', not one of 1, 2"),
        ("give 0 pearl", "gem is 'pearl'"),
        ("keep pips=3", "not pips"),
        ("pass now", "takes nothing"),
        ("", "unknown verb ''"),
    ],
)
def test_invalid_texts_are_rejected(text, message):
    with pytest.raises(UnknownMoveError, match=message):
        MOVES.read(text)


@pytest.mark.parametrize("move", [-1, 37])
def test_ids_out_of_range_are_rejected(move):
    with pytest.raises(UnknownMoveError):
        MOVES.decode(move)


def test_a_verb_that_reveals_a_secret_is_replaced():
    moves = Moves(pay=dict(of=2), forgo=dict(of=2), keep={}, hidden=dict(pay="decide", forgo="decide"))
    assert [moves.unseen(move) for move in range(moves.count)] == [("decide", None)] * 4 + [("keep", None)]
    assert moves.decode(3).verb == "forgo"


def test_public_arguments_of_a_private_move_are_shown():
    moves = Moves(chance=dict(draw=dict(player=public_argument(seats(2)), card=3)))
    assert moves.unseen(moves.encode("draw", player=1, card=2)) == ("draw", {"player": 1})
    assert moves.describe(chance=True)["draw"]["args"]["player"] == {"values": [0, 1], "seat": True}


def test_invalid_declarations_are_rejected():
    with pytest.raises(TypeError, match="three"):
        Moves(a=dict(b=1, c=1, d=1, e=1))
    with pytest.raises(TypeError, match="twice"):
        Moves(a={}, chance=dict(a={}))
    with pytest.raises(TypeError, match="unknown verbs: give"):
        Moves(a={}, hidden=dict(give="take"))
    with pytest.raises(TypeError, match="a: a hidden verb"):
        Moves(a=dict(b=public_argument(2)), hidden=dict(a="do"))
    with pytest.raises(AttributeError, match="no attribute"):
        assert MOVES.fly


def test_moves_are_described_for_json():
    assert MOVES.describe(chance=False)["give"] == {
        "first": 24,
        "args": {"target": {"values": [0, 1, 2], "seat": True}, "gem": {"values": ["ruby", "amber"], "seat": False}},
    }
    assert list(MOVES.describe(chance=True)) == ["die"]


def test_a_move_is_encoded_with_exactly_its_arguments():
    with pytest.raises(UnknownMoveError, match="give takes target, gem, not target"):
        MOVES.encode("give", target=1)
    with pytest.raises(UnknownMoveError, match="pass takes nothing, not face"):
        MOVES.encode("pass", face=1)

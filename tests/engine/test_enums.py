"""Named numbers: in a state, in moves, in a game's description, and as constants of the compiler."""

import json
import random
import types

import pytest
from compiler_harness import Both

from courtly.engine.enums import NamedInt
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import new_match
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8


class Gem(NamedInt):
    RUBY, BLUE_AMBER, PEARL = range(3)


class State(StateBase):
    best = i8(of=Gem)
    stones = i8(2, Gem)


def test_names_are_plain_numbers_and_a_sequence():
    assert Gem.BLUE_AMBER == 1 and type(Gem.PEARL) is int
    assert tuple(Gem) == ("ruby", "blue_amber", "pearl") and len(Gem) == 3 and Gem[1] == "blue_amber"
    with pytest.raises(AttributeError):
        _ = Gem.JADE


@pytest.mark.parametrize("numbers", [{"A": 1, "B": 0}, {"A": 1, "B": 2}, {"A": 0, "B": 0}, {"A": 0, "B": 2}])
def test_names_count_from_zero(numbers):
    with pytest.raises(TypeError, match="Bad: the members must be numbered"):
        types.new_class("Bad", (NamedInt,), exec_body=lambda body: body.update(numbers))


def test_named_numbers_name_a_field_and_an_axis():
    best, stones = State.fields["best"], State.fields["stones"]
    assert best.names == ("ruby", "blue_amber", "pearl") and stones.names == ()
    assert stones.shape == (2, 3) and stones.axes == (2, ("ruby", "blue_amber", "pearl"))
    moves = Moves(give=dict(gem=Gem))
    assert moves.words(moves.give + Gem.PEARL) == "give gem=pearl"


@pytest.mark.parametrize("verb", ["count", "hidden", "read", "first"])
def test_a_verb_must_not_have_the_name_of_an_attribute_of_the_moves(verb):
    with pytest.raises(TypeError, match=verb):
        Moves(chance={verb: {}})


def test_names_are_in_a_games_description():
    game = find_game("sealed_bids")
    fields = json.loads(json.dumps(game.about()))["fields"]
    assert fields["phase"]["names"] == ["deal", "turn_up", "look", "looked", "choose", "answer", "over"]
    assert "names" not in fields["score"] and game.refusals == ("not-in-hand", "choose-first")
    match = new_match(game, seed=1)
    assert type(match.view()["state"]["phase"]) is int


@pytest.mark.parametrize("name", game_ids())
def test_values_of_named_fields_have_names(name):
    """At every moment of some games, the values of a field with names have names."""
    game, rng = find_game(name), random.Random(3)
    named_fields = [f for f in game.State.stored if f.names and not f.shape]
    for seed in range(2):
        match = new_match(game, seed=seed)
        for _ in range(400):
            if match.over:
                break
            for f in named_fields:
                number = getattr(match.state, f.name)
                names = len(f.names) + (f.then - 1 if f.then else 0)  # the last value may be the first seat
                assert number == f.none or 0 <= number < names, f.name
            seat = rng.choice(match.pending)
            match.play(seat, rng.choice(match.legal(seat)))


def test_the_compiler_sees_constants():
    names = {"GEMS": Gem, "MOVES": Moves(keep={}, give=dict(gem=Gem), pass_={})}
    both = Both("def f(a):\n    return GEMS.BLUE_AMBER + MOVES.give * 10 + MOVES.pass_ * 100", constants=names)
    assert both.check(0) == 1 + 10 + 400

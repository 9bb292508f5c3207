"""A position: the state of a game with everything that its rules derive from it."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from courtly.engine.constants import EVERYONE, NOBODY
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match, new_match
from courtly.engine.native.native_position import NativePosition
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import make_generator

BIDS = find_game("sealed_bids")


def dealt_position(game=BIDS, players=2, seed=7):
    """Return the first decision of a game."""
    position = Position(game, players)
    rng = make_generator(seed)
    while position.chance:
        position.happen(rng)
    return position


def test_a_game_is_played_from_its_beginning_to_its_end():
    position, rng, r = Position(BIDS, 3, {"looks": 0}), make_generator(7), random.Random(7)
    while not position.over:
        assert position.scores is None
        if position.chance:
            assert position.pending == () and position.actors == (NOBODY,)
            position.happen(rng)
        else:
            seat = r.choice(position.pending)
            assert position.outcomes() == []
            position.play(seat, r.choice(position.legal(seat)))
    assert len(position.scores) == position.players == 3 and position.actors == ()


def test_the_default_is_the_minimum_number_of_players():
    assert Position(BIDS).players == 2
    with pytest.raises(ValueError, match="2, 3, 4, 5 players, not 9"):
        Position(BIDS, 9)
    with pytest.raises(ValueError, match="looks"):
        Position(BIDS, 2, {"looks": 5})


@pytest.mark.parametrize("name", game_ids())
def test_scores_add_tie_breakers_to_points(name):
    game, rng = find_game(name), random.Random(2)
    options = {"round_limit": 20} if name == "petition" else {}
    position = Position(game, game.players[-1], options)
    assert len(position.points) == position.players
    while not position.over:
        seat = position.actors[0]
        position.apply(seat, rng.choice(position.legal(seat)))
    scores, points = position.scores, position.points
    if game.measures is None:
        assert points == scores
    for first_seat, second_seat in combinations(range(position.players), 2):
        assert (scores[first_seat] - scores[second_seat]) * (points[first_seat] - points[second_seat]) >= 0
    assert NativePosition(game, state=position.state).points == points


def test_integers_of_other_types_are_accepted():
    state = Position(BIDS, np.int64(3), {"looks": np.int8(0)}).state
    assert state == Position(BIDS, 3, {"looks": 0}).state and type(state.players) is type(state.looks) is int
    with pytest.raises(ValueError, match="players, not 2.0"):
        Position(BIDS, 2.0)
    with pytest.raises(ValueError, match="looks may be one of .*, not 0.0"):
        Position(BIDS, 2, {"looks": 0.0})


def test_moves_are_ids_with_a_text():
    position = dealt_position()
    [seat] = position.pending
    move = position.legal(seat)[0]
    assert move == move.id == BIDS.moves.read(str(move)) and f"{move}" == str(move) and isinstance(move.verb, str)
    for form in (move, int(move), str(move), [str(move)], [move]):
        twin = position.copy()
        twin.play(seat, form)
        assert twin.state != position.state


def test_random_events_have_integer_weights():
    position = Position(BIDS, 2)
    outcomes = position.outcomes()
    assert [str(event) for event, _ in outcomes][:2] == ["deal card=jester", "deal card=one"]
    assert [weight for _, weight in outcomes] == [2, 3, 3, 3, 3, 3, 3] and position.legal(NOBODY) == [
        event for event, _ in outcomes
    ]
    event, _ = outcomes[3]
    for form in (event, int(event), str(event)):
        twin = position.copy()
        assert twin.happen(form) == event
    assert position.copy().happen(make_generator(1)) == position.copy().happen(make_generator(1))


def test_impossible_events_are_rejected():
    position = Position(BIDS, 2)
    with pytest.raises(ValueError, match="prize worth=1 cannot happen"):
        position.happen("prize worth=1")
    with pytest.raises(ValueError, match="no random event is due"):
        dealt_position().happen(make_generator(1))


@pytest.mark.parametrize(
    ("seat", "moves", "error_id"),
    [
        (0, "fly", "error-unknown-move"),
        (0, 9999, "error-unknown-move"),
        (0, True, "error-unknown-move"),
        (0, [], "error-unknown-move"),
        (0, [None], "error-unknown-move"),
        (0, BIDS.moves.deal, "error-unknown-move"),
        (9, "ready", "error-unknown-seat"),
        (NOBODY, "ready", "error-unknown-seat"),
        (1, "skip", "error-not-your-turn"),
        (0, "ready", "error-illegal"),
    ],
)
def test_rejected_moves_change_nothing(seat, moves, error_id):
    position = dealt_position()
    packed_before = position.state.pack()
    with pytest.raises(CommandRefusedError) as error:
        position.play(seat, moves)
    assert error.value.id == error_id and position.state.pack() == packed_before


def test_several_moves_are_atomic():
    position = dealt_position()
    packed_before = position.state.pack()
    with pytest.raises(CommandRefusedError, match="error-unseen"):  # the card that the look shows is drawn first
        position.play(0, ["look target=1", "skip"])
    assert position.state.pack() == packed_before
    position.play(0, "skip")
    while position.chance:
        position.happen(make_generator(1))
    card = position.legal(1)[0]
    with pytest.raises(CommandRefusedError, match="error-illegal"):
        position.play(1, [card, "ready", "ready"])
    position.play(1, [card, "ready"])
    assert position.pending == (0,)


def test_a_view_has_only_what_a_seat_may_know():
    position = dealt_position()
    own_view, opponent_view, spectator_view = (position.view(seat) for seat in (0, 1, None))
    assert own_view["state"]["hand"][0] and own_view["state"]["hand"][1] is None and "deck" not in own_view["state"]
    assert (
        own_view["legal"][0] == position.legal(0)[0].as_json()
        and opponent_view["legal"] == spectator_view["legal"] == []
    )
    assert own_view["pending"] == [0] and spectator_view["seat"] is None


def test_a_sampled_world_is_indistinguishable():
    position = dealt_position(players=3)
    worlds = [position.imagine(0, make_generator(n)) for n in range(20)]
    assert all(world.view(0) == position.view(0) and world.key(0) == position.key(0) for world in worlds)
    assert len({world.key(1) for world in worlds}) > 10, "others' hands are sampled"
    assert position.key(0) != position.key(1) and position.key(None) == position.imagine(None, make_generator(1)).key(
        None
    )


def test_a_view_is_sufficient_to_sample_worlds():
    position = dealt_position(players=3)
    from_view = Position.from_view(BIDS, position.view(0))
    assert from_view.legal(0) == position.legal(0)
    assert from_view.imagine(0, make_generator(5)).state == position.imagine(0, make_generator(5)).state


def test_copies_are_independent():
    position = dealt_position()
    twin = position.copy()
    twin.play(0, twin.legal(0)[0])
    assert twin.state != position.state and position.state == dealt_position().state


def test_a_move_has_an_audience():
    position = dealt_position()
    look = BIDS.moves.read("look target=1")
    assert position.audience(0, look) == EVERYONE
    position.apply(0, look)
    seen_card = position.legal(NOBODY)[0]
    assert position.audience(NOBODY, seen_card) == 0b01, "the looking seat"


def test_the_last_ready_reveals_every_card():
    position = dealt_position()
    position.play(0, "skip")
    while position.chance:
        position.happen(make_generator(1))
    for seat in (0, 1):
        position.play(seat, position.legal(seat)[0])
        ready = BIDS.moves.read("ready")
        assert position.reveals(seat, ready) == (0, EVERYONE)[seat]
        position.play(seat, ready)


@pytest.mark.parametrize(
    ("scores", "utility"),
    [
        ([3, 8], [-1, 1]),
        ([5, 5], [0, 0]),
        ([0, 4, 2], [-1, 1, 0]),
        ([7, 7, 2], [Fraction(1, 2), Fraction(1, 2), -1]),
        ([1, 2, 3, 4], [-1, Fraction(-1, 3), Fraction(1, 3), 1]),
        ([9, 0, 0, 0, 4], [1, Fraction(-1, 2), Fraction(-1, 2), Fraction(-1, 2), Fraction(1, 2)]),
        ([2, 2, 2, 2, 2], [0, 0, 0, 0, 0]),
    ],
)
def test_utility_is_the_place_and_equals_share(scores, utility):
    position = Position(BIDS, len(scores))
    assert position.utility is None
    position.state.pending = 0
    for seat, score in enumerate(scores):
        position.state.score[seat] = score
    assert position.utility == utility and sum(position.utility) == 0


def test_decisions_and_events_are_counted():
    position = dealt_position()
    assert (position.decisions, position.events) == (0, 7)
    twin = position.copy()
    twin.play(0, "skip")
    for copied in (twin.copy(), twin.now(), twin.imagine(1, make_generator(1))):
        assert (copied.decisions, copied.events) == (1, 7)
    assert position.decisions == 0 == Position.from_view(BIDS, position.view(0)).events


def test_undone_moves_do_not_count():
    match = new_match(BIDS, players=2, seed=7)
    match.play(0, "skip")
    for _ in range(BIDS.bounds["decisions"]):
        match.play(0, match.legal(0)[0])
        assert match.decisions == 2
        match.undo(0)
        assert match.decisions == 1
    assert match.events == 7 and Match.replay(BIDS, 2, {}, match.source, match.entries).decisions == 1


def test_a_match_is_a_position_with_a_journal():
    match = new_match(BIDS, players=2, seed=7)
    assert isinstance(match, Position) and type(match.now()) is Position and not match.chance
    position = match.now()
    match.play(0, "skip")
    position.play(0, "skip")
    assert match.state == position.state and str(match.moves.decode(match.entries[-1].move)) == "skip"

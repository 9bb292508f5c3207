"""Native positions never crash. (The property tests of every game check that they equal interpreted ones.)"""

import threading

import numpy as np
import pytest

from courtly.engine.constants import NOBODY
from courtly.engine.errors import RulesError
from courtly.engine.game import BoundsError, Game, find_game
from courtly.engine.native import loader
from courtly.engine.native.native_position import NativePosition, make_fastest_position
from courtly.engine.native.single_position_driver import FAULT, INVALID_REQUEST
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import make_generator

BIDS = find_game("sealed_bids")


def dealt_position(players=2, seed=7):
    position, rng = NativePosition(BIDS, players), make_generator(seed)
    while position.chance:
        position.happen(rng)
    return position


@pytest.mark.parametrize(
    ("seat", "moves", "error_id"),
    [
        (0, "fly", "error-unknown-move"),
        (0, 9999, "error-unknown-move"),
        (0, -1, "error-unknown-move"),
        (0, 1 << 80, "error-unknown-move"),
        (0, True, "error-unknown-move"),
        (0, 1.0, "error-unknown-move"),
        (0, [], "error-unknown-move"),
        (0, BIDS.moves.deal, "error-unknown-move"),
        (9, 0, "error-unknown-seat"),
        (1 << 80, 0, "error-unknown-seat"),
        (NOBODY, 0, "error-unknown-seat"),
        (1, BIDS.moves.skip, "error-not-your-turn"),
        (0, BIDS.moves.ready, "error-illegal"),
    ],
)
def test_rejected_moves_change_nothing(seat, moves, error_id):
    position = dealt_position()
    packed_before = position.packed
    with pytest.raises(CommandRefusedError if type(moves) is not float else (CommandRefusedError, TypeError)) as error:
        position.play(seat, moves)
    assert type(moves) is float or error.value.id == error_id
    assert position.packed == packed_before and position.decisions == 0


def test_a_finished_game_rejects_calls():
    position, rng = dealt_position(), make_generator(1)
    while not position.over:
        seat = position.actors[0]
        position.happen(rng) if seat == NOBODY else position.play(seat, position.legal(seat)[0])
    assert position.legal(0) == position.legal_ids(0) == position.outcomes() == [] and position.scores
    assert position.outcome_ids() == ([], [])
    with pytest.raises(CommandRefusedError, match="error-over"):
        position.play(0, 0)
    with pytest.raises(ValueError, match="no random event is due"):
        position.happen(rng)


def test_illegal_moves_are_never_executed_by_machine_code():
    for seat, move in ((0, 1 << 40), (0, -5), (NOBODY, 1 << 40), (5, 0)):
        position = dealt_position()
        try:
            position.apply(seat, move)
        except (RulesError, ValueError):
            continue
        twin = Position(BIDS, state=dealt_position().state)  # otherwise it has the result of the interpreted rules
        twin.apply(seat, move)
        assert position.state == twin.state


@pytest.mark.parametrize("seat", [-2, 2, 6, 1 << 40, 1 << 80])
@pytest.mark.parametrize("kind", [NativePosition, Position])
def test_invalid_seats_are_rejected(kind, seat):
    """Machine code has no bounds checks, and chance's bit of `pending` is where a seat's would be."""
    for position in (kind(BIDS, 2), kind(BIDS, state=dealt_position().state)):
        rng = make_generator(1)
        for method, *arguments in (
            (position.legal,),
            (position.legal_ids,),
            (position.view,),
            (position.key,),
            (position.imagine, rng),
            (position.audience, 0),
            (position.reveals, 0),
        ):
            with pytest.raises(ValueError, match=f"there is no seat {seat} at a table for 2"):
                method(seat, *arguments)


@pytest.mark.parametrize("kind", [NativePosition, Position])
def test_invalid_moves_are_rejected(kind):
    position, (count, total) = kind(BIDS, state=dealt_position().state), (BIDS.moves.count, BIDS.moves.total)
    for seat, move in ((0, -1), (0, count), (0, 1 << 40), (0, 1 << 80), (NOBODY, count - 1), (NOBODY, total)):
        for method in (position.audience, position.reveals):
            with pytest.raises(ValueError, match=f"{move} is not {'an event' if seat < 0 else 'a move'}"):
                method(seat, move)
    for method in (position.view, position.key, lambda seat: position.imagine(seat, make_generator(1))):
        with pytest.raises(ValueError, match="there is no seat -1"):
            method(NOBODY)


def test_the_state_is_a_copy_until_it_is_assigned():
    position = dealt_position()
    state = position.state
    state.score[0] = 5
    assert position.state.score[0] == 0 and position.view(0)["state"]["score"][0] == 0
    position.state = state
    assert position.state.score[0] == 5 == position.array["score"][0][0]
    second_position = NativePosition(BIDS, state=BIDS.State.unpack(position.packed))
    assert second_position.state == state and second_position.pending == position.pending


def test_a_view_is_sufficient_to_sample_worlds():
    position = dealt_position(3)
    from_view = NativePosition.from_view(BIDS, position.view(0))
    assert from_view.legal(0) == position.legal(0)
    assert from_view.imagine(0, make_generator(5)).state == position.imagine(0, make_generator(5)).state


def test_unsupported_options_and_players_are_rejected():
    with pytest.raises(ValueError, match="2, 3, 4, 5 players, not 9"):
        NativePosition(BIDS, 9)
    with pytest.raises(ValueError, match="looks"):
        NativePosition(BIDS, 2, {"looks": 5})
    assert NativePosition(BIDS).players == 2 and NativePosition(BIDS, 3, {"looks": 0}).state.looks == 0


def test_a_game_that_is_too_long_is_reported():
    position = dealt_position()
    position.decisions = BIDS.bounds["decisions"]
    with pytest.raises(BoundsError, match="decisions"):
        position.play(0, position.legal(0)[0])
    position = NativePosition(BIDS, 2)
    position.events = BIDS.bounds["events"]
    with pytest.raises(BoundsError, match="events"):
        position.apply(NOBODY, position.outcome_ids()[0][0])


@pytest.mark.parametrize("method", ["play", "apply"])
def test_impossible_pending_seats_are_reported(method):
    position = dealt_position()
    position._make_move = lambda address, seat, move: 9 + FAULT
    with pytest.raises(RulesError, match="`pending` is 9, which is neither a set of seats of this table nor CHANCE"):
        getattr(position, method)(0, position.legal(0)[0])
    assert position.decisions == 0


def test_threads_do_not_share_rows():
    failed_threads = []

    def play(number):
        for game in range(30):
            native, interpreted = NativePosition(BIDS, 3), Position(BIDS, 3)
            rngs = make_generator(number, game), make_generator(number, game)
            while not interpreted.over:
                if interpreted.chance:
                    native.happen(rngs[0])
                    interpreted.happen(rngs[1])
                    continue
                seat = interpreted.pending[-1]
                if native.legal(seat) != interpreted.legal(seat):
                    failed_threads.append(number)
                    return
                for position in (native, interpreted):
                    position.play(seat, interpreted.legal(seat)[-1])

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed_threads


def test_without_a_compiler_the_game_is_interpreted_with_a_warning(monkeypatch):
    assert type(make_fastest_position(BIDS, 3)) is NativePosition
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    with pytest.warns(RuntimeWarning, match="several times slower: COURTLY_NATIVE=0 turns the compiler off"):
        assert type(make_fastest_position(BIDS, 3)) is Position


def test_without_a_compiler_there_are_no_native_rules(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    game = Game("sealed_bids")  # not cached
    with pytest.raises(loader.CompilerUnavailableError, match="need machine code: COURTLY_NATIVE=0 turns the compiler"):
        NativePosition(game, 2)


@pytest.mark.parametrize("move", [None, 1 << 80])
def test_what_is_not_a_number_of_64_bits_is_not_applied(move):
    dealt, begun = dealt_position(), NativePosition(BIDS, 2)
    for position, seat in ((dealt, 0), (begun, NOBODY)):
        packed_before = position.packed
        with pytest.raises(RulesError):
            position.apply(seat, move)
        assert position.packed == packed_before and position.decisions == 0
    assert begun.events == 0


def test_a_seat_is_a_whole_number_and_a_move_may_be_one_of_numpy():
    position = NativePosition(find_game("puppet"), 3)
    while position.chance:
        position.happen(make_generator(1))
    [move, *_] = position.legal_ids(position.pending[0])
    packed_before = position.packed
    for seat in (0.7, "0"):
        with pytest.raises((CommandRefusedError, TypeError)):
            position.play(seat, move)
    assert position.packed == packed_before
    twin = position.copy()
    position.play(position.pending[0], move)
    twin.play(twin.pending[0], np.int64(move))
    assert position.packed == twin.packed


def test_an_invalid_table_is_rejected_whatever_was_cached():
    game = find_game("petition")
    NativePosition(game, 2, {"round_limit": 20})
    for players, options in ((2, {"round_limit": 20.0}), (2, {"round_limit": [20]}), (2.0, {}), ([2], {})):
        with pytest.raises((ValueError, TypeError)):
            NativePosition(game, players, options)


def test_what_machine_code_refuses_is_done_by_the_interpreted_rules():
    position, twin = dealt_position(), Position(BIDS, state=dealt_position().state)
    position._list_ids = lambda *_: []
    assert position.legal_ids(0) == twin.legal_ids(0)
    begun, begun_twin = NativePosition(BIDS, 2), Position(BIDS, 2)
    begun._ask_natively = lambda *_: INVALID_REQUEST
    assert begun.outcome_ids() == begun_twin.outcome_ids()
    begun_twin.apply(NOBODY, begun.happen(make_generator(3)))
    assert begun.state == begun_twin.state and begun.events == 1


def test_impossible_pending_seats_after_an_event_are_reported():
    position = NativePosition(BIDS, 2)
    event = position.outcome_ids()[0][0]
    position._ask_natively = lambda *_: event << 16 | 1 << 5
    with pytest.raises(RulesError, match="`pending` is 32, which is neither a set of seats of this table nor CHANCE"):
        position.apply(NOBODY, event)
    assert position.events == 0

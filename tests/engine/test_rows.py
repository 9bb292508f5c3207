"""Memory that Python shares with machine code."""

import subprocess
import sys

import numpy as np
import pytest

from courtly.engine.game import find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.compiler.entry_point import argument_type_of, operands_of
from courtly.engine.native.compiler.types import INT, RecordType, RowType
from courtly.engine.native.rows import (
    address_of,
    make_bytes,
    make_records,
    make_row,
    make_states,
    make_table,
    mask_visible,
)
from courtly.engine.position import Position

GAME = find_game("sealed_bids")


def test_rows_begin_with_zeros_or_the_given_numbers():
    assert make_row(3).tolist() == [0, 0, 0] and make_row([5, -7]).tolist() == [5, -7]
    assert make_row(0).tolist() == make_row([]).tolist() == []
    assert make_table(2, 3).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("name", game_ids())
def test_states_are_laid_out_as_numpy_reads_them(name):
    game = find_game(name)
    packed = Position(game, game.players[-1]).state.pack()
    records, (states, words) = make_records(game.State, 3), make_states(game.State, 3)
    size = game.State.layout().itemsize
    assert records.shape == (3, size) and states.shape == (3, -(-size // 8) * 8) and words.nbytes == states.nbytes
    records.cast("B")[size : size + len(packed)] = packed
    array = np.frombuffer(records, game.State.layout())
    assert array["players"].tolist() == [0, game.players[-1], 0]
    states.cast("B")[: len(packed)] = packed
    assert bytes(words)[: len(packed)] == packed


@pytest.mark.parametrize("name", game_ids())
def test_a_mask_shows_what_a_seat_sees(name):
    game = find_game(name)
    every_bit = game.State.unpack(b"\xff" * game.State.packing.size)
    for seat in (None, *range(game.players[-1])):
        seen = game.State.from_view(every_bit.view(seat)).pack()
        assert mask_visible(game.State, seat) == seen


def test_views_are_passed_by_their_address_and_lengths():
    table, states = make_table(2, 3), make_states(GAME.State, 4)[0]
    size = states.shape[1]
    assert argument_type_of(table) == RowType(INT, (-1, -1)) and operands_of(table) == (address_of(table), 2, 3)
    assert argument_type_of(states) == RowType(RecordType(size), (-1,)) and operands_of(states)[1:] == (4,)
    assert argument_type_of(states.cast("B")) == RecordType(4 * size)
    assert operands_of(states.cast("B")[size:]) == (address_of(states) + size,)
    numbers = np.arange(5)
    assert address_of(numbers) == numbers.ctypes.data and address_of(make_row(0)) > 0


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (make_row(6)[::2], "found one with gaps"),
        (make_row(2).cast("B").cast("d"), "found format d with 1 dimensions"),
        (make_bytes(8).cast("B", (2, 2, 2)), "found format B with 3 dimensions"),
    ],
)
def test_other_views_are_refused(view, message):
    with pytest.raises(TypeError, match=message):
        argument_type_of(view)


def test_read_only_memory_is_refused():
    driver = loader.load_driver(GAME, loader.CompiledBackend())
    with pytest.raises(TypeError, match="not writable"):
        driver.begin(memoryview(bytes(100)))


def test_views_that_overlap_are_refused():
    driver = loader.load_driver(GAME, loader.CompiledBackend())
    moves, state = make_row(GAME.room), make_records(GAME.State, 1).cast("B")
    with pytest.raises(ValueError, match="step: arguments 2 and 3 overlap in memory: pass a copy"):
        driver.step(state, make_row(9), moves, moves[1:])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory by RLIMIT_DATA")
def test_missing_memory_is_a_memory_error():
    program = (
        "from courtly.bots.runtime.worker_process import limit_memory\n"
        "from courtly.engine.native.rows import make_row\n"
        "limit_memory(1)\n"
        "make_row(1 << 20)"
    )
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert process.stderr.splitlines()[-1].startswith("MemoryError: 8388608 bytes for machine code: ")

"""What Python passes to machine code, and what it gets back."""

import gc
import sys
import threading

import numpy as np
import pytest
from compiler_harness import Both

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.native.compiler.entry_point import argument_type_of, operands_of
from courtly.engine.native.compiler.types import FLOAT, INT, OWN, RecordType, RowType

GAME = find_game("sealed_bids")


def test_types_of_arguments():
    states = np.zeros(3, GAME.State.layout())
    size = states.itemsize
    assert argument_type_of(5) == argument_type_of(True) == argument_type_of(np.int64(5)) == INT
    assert argument_type_of(0.5) == FLOAT
    assert argument_type_of(states) == RowType(RecordType(size), (-1,))
    assert argument_type_of(states[0]) == RecordType(size)
    assert argument_type_of(np.zeros((2, 3), np.int16)) == RowType("i16", (-1, -1))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("text", "expected a number or an array, found 'text'"),
        (None, "expected a number or an array, found None"),
        (np.zeros(3, np.complex128), "expected an array of int8, .*, found complex128"),
        (np.zeros((4, 4), np.int64)[:, 1], "found one with gaps"),
    ],
)
def test_other_arguments_are_refused(argument, message):
    with pytest.raises(TypeError, match=message):
        argument_type_of(argument)


def test_an_array_is_passed_by_its_address():
    rows = np.zeros((2, 3), np.int64)
    address, *lengths = operands_of(rows)
    assert lengths == [2, 3] and address == rows.ctypes.data
    states = np.zeros(2, GAME.State.layout())
    assert operands_of(states[1]) == (states.ctypes.data + states.itemsize,)


@pytest.mark.parametrize("operands", [(), (1, 2), ("1",), (1.5,), (None,)])
def test_wrong_operands_raise_an_error(operands):
    function = Both("def f(a):\n    return a").compiled
    with pytest.raises(TypeError):
        function(*operands)
    with pytest.raises(OverflowError):
        function(1 << 70)
    assert function(-7) == -7


def test_a_driver_is_compiled_for_other_types_as_well():
    driver = loader.load_driver(GAME, loader.CompiledBackend())
    for dtype in (np.int64, np.int32):
        states, rng, moves, weights = loader.make_arrays(GAME, 1)
        driver.begin(states[0])
        out = np.zeros(8, dtype)
        assert driver.share_victory(states[0], moves, out) == 0


def test_a_bound_call_keeps_its_arrays_in_memory():
    driver = loader.load_driver(GAME, loader.CompiledBackend())

    def bind():
        states, rng, moves, weights = loader.make_arrays(GAME, 1)
        return driver.describe_move.bind(states[0:1][0], 0, 0, moves)

    calls = [bind() for _ in range(50)]
    gc.collect()
    assert {call() for call in calls} == {0}


def test_arrays_that_overlap_are_refused():
    driver = loader.load_driver(GAME, loader.CompiledBackend())
    states, rng, moves, weights = loader.make_arrays(GAME, 1)
    for row, other in ((moves, moves), (moves, moves[1:]), (moves[1:], moves)):
        with pytest.raises(ValueError, match="step: arguments 2 and 3 overlap in memory: pass a copy"):
            driver.step(states[0], rng, row, other)


def test_machine_code_releases_the_gil():
    """Another thread goes on while a long call runs."""
    driver = loader.load_driver(GAME, loader.CompiledBackend())
    states, rng, moves, weights = loader.make_arrays(GAME, 2)
    states["players"] = 2
    finals, counts, shares = np.zeros(20_000, states.dtype), np.zeros(2, np.int64), np.zeros(8, np.int64)
    arguments = states, finals, 1, 0, 20_000, rng, moves, weights, counts, shares
    driver.playouts.function(*arguments)
    results = []
    thread = threading.Thread(target=lambda: results.append(driver.playouts(*arguments)))
    rounds = 0
    thread.start()
    while thread.is_alive():
        rounds += 1
    thread.join()
    assert results == [20_000] and rounds > 0


DRIVER = """
ENTRY_POINTS = ("multiples",)


def multiples(number, n, row):
    for i in range(n):
        row[i] = i * number
    return n
"""


@pytest.fixture
def list_multiples(tmp_path, monkeypatch):
    """A function (number, count) that returns the items at the multiples of a number."""
    (tmp_path / "listing_driver.py").write_text(DRIVER)
    monkeypatch.syspath_prepend(tmp_path)
    entry_point = loader.load_driver(GAME, loader.CompiledBackend(), "listing_driver").multiples
    return entry_point.list_function_for((INT, INT, RowType(INT, (100,), OWN)), ITEMS)


ITEMS = tuple([i] for i in range(10))


def test_a_function_may_return_a_list(list_multiples):
    assert list_multiples(3, 4) == [[0], [3], [6], [9]]
    assert list_multiples(0, 99) == [[0]] * 99
    assert list_multiples(1, 0) == list_multiples(1, -5) == []


@pytest.mark.parametrize("number", [5, -1])
def test_a_list_of_missing_items_is_an_error(list_multiples, number):
    with pytest.raises(IndexError):
        list_multiples(number, 3)
    assert list_multiples(1, 2) == [[0], [1]]


def test_a_list_counts_its_references(list_multiples):
    counts = [sys.getrefcount(item) for item in ITEMS]
    for _ in range(100):
        list_multiples(1, 10)
        with pytest.raises(IndexError):
            list_multiples(1, 11)
    assert [sys.getrefcount(item) for item in ITEMS] == counts

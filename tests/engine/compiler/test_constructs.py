"""Every construct of the dialect, compiled and interpreted, on edge values."""

from itertools import product

import numpy as np
import pytest
from compiler_harness import EDGES, GAME, Both, State, make_namespace, make_state

from courtly.adapters.atomic import atomic_add, atomic_read, atomic_write, spin_pause
from courtly.engine.native.compiler.program import Program, lay_out_record
from courtly.engine.native.compiler.types import wrap

PAIRS = [*product(EDGES, EDGES)]


def fits(number):
    """Return whether a result needs no more than 64 bits, which the dialect promises."""
    return -(1 << 63) <= number < 1 << 63


@pytest.mark.parametrize("operator", ["+", "-", "*", "&", "|", "^"])
def test_arithmetic(operator):
    both = Both(f"def f(a, b):\n    return a {operator} b", examples=(0, 0))
    for a, b in PAIRS:
        if fits(both.interpreted(a, b)):
            both.check(a, b)


@pytest.mark.parametrize("operator", ["//", "%"])
def test_division_rounds_down(operator):
    both = Both(f"def f(a, b):\n    return a {operator} b", examples=(0, 0))
    for a, b in PAIRS:
        if b:
            both.check(a, b)
    assert both.run(7, 1)[1][0] == (7 if operator == "//" else 0)


@pytest.mark.parametrize("operator", ["//", "%"])
@pytest.mark.parametrize("divisor", [1, 2, 3, 8, 60, -1, -2, -7, 1 << 20])
def test_division_by_a_constant(operator, divisor):
    both = Both(f"def f(a):\n    return a {operator} {divisor}")
    for a in EDGES:
        both.check(a)


@pytest.mark.parametrize("operator", ["//", "%"])
def test_division_by_zero_is_zero_and_does_not_end_the_process(operator):
    both = Both(f"def f(a, b):\n    return a {operator} b", examples=(0, 0))
    assert [both.compiled(a, 0) for a in EDGES] == [0] * len(EDGES)
    assert both.compiled(-(1 << 63), -1) == (-(1 << 63) if operator == "//" else 0)
    assert Both(f"def f(a):\n    return a {operator} 0").compiled(5) == 0


@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_shifts(operator):
    both = Both(f"def f(a, b):\n    return a {operator} b", examples=(0, 0))
    for a, b in product(EDGES, (0, 1, 5, 31, 40)):
        if fits(both.interpreted(a, b)):
            both.check(a, b)


@pytest.mark.parametrize("expression", ["-a", "+a", "~a", "abs(a)", "not a", "-(not a)", "+(a > 3)", "~(a > 3)"])
def test_unary_operators(expression):
    both = Both(f"def f(a):\n    return {expression}")
    for a in EDGES:
        both.check(a)


@pytest.mark.parametrize(
    "expression",
    [
        *(f"a {comparison} b" for comparison in ("==", "!=", "<", "<=", ">", ">=")),
        "a < b < 7",
        "a < b >= 2 != a",
        "0 <= a < b == 10",
        "a and b",
        "a or b",
        "a and b and 5",
        "a or b or -1",
        "a and (b or 7)",
        "(a or b) and (b or a)",
        "a > 0 and b > 0",
        "a > 0 or not b",
        "not (a > 0 and b > 0)",
        "a > 0 and b",
        "(a > b) + (b > a) * 2",
        "(a > 3) & (b > 3) | (a < b)",
        "(a > 3) ^ (b > 3)",
        "min(a, b)",
        "max(a, b, 3)",
        "min(a > 3, b)",
        "a if b else 3",
        "(a > b) if a else b",
        "a if a > b else b if b > 3 else -a",
        "1 if a > 0 and b > 0 else 0",
        "True + a",
        "a == True",
        "0 and a",
        "1 or a",
        "1 and a",
        "0 or a",
        "a and 0 and b",
        "a or 1 or b",
        "a if 1 else b",
        "a if 0 else b",
    ],
)
def test_conditions_and_values(expression):
    both = Both(f"def f(a, b):\n    return {expression}", examples=(0, 0))
    for a, b in PAIRS:
        both.check(a, b)


def test_each_part_of_a_condition_is_evaluated_once_and_only_if_needed():
    both = Both(
        """
def count(row, i, result):
    row[i] += 1
    return result

def f(a, b, row):
    n = 0
    if count(row, 0, a) < count(row, 1, b) < count(row, 2, 7) and count(row, 3, a) or count(row, 4, b):
        n += 1
    n += 2 * (count(row, 5, a) and count(row, 6, b))
    n += 4 * (count(row, 5, a) or count(row, 6, b))
    while count(row, 7, n) > 100 and count(row, 8, n) % 7:
        n -= 1
    return n
""",
        examples=(0, 0, np.zeros(9, np.int64)),
    )
    for a, b in PAIRS:
        if abs(a) < 1000 and abs(b) < 1000:
            both.check(a, b, np.zeros(9, np.int64))


@pytest.mark.parametrize("bounds", ["a", "a, b", "a, b, 2", "a, b, -3", "a, b, c", "0, a, 1 if c > 0 else -1"])
def test_loops_over_ranges(bounds):
    both = Both(
        f"""
def f(a, b, c, row):
    n = 0
    i = -5
    for i in range({bounds}):
        if n < 8:
            row[n] = i
        n += 1
        if n == 20:
            break
        if i % 3 == 0:
            continue
        row[9] += i
    return i * 100 + n
""",
        examples=(0, 0, 0, np.zeros(10, np.int64)),
    )
    for a, b, c in product((-7, -1, 0, 1, 2, 9), (-4, 0, 3, 11), (-3, -1, 1, 4)):
        both.check(a, b, c, np.zeros(10, np.int64))


def test_the_bounds_of_a_loop_are_read_once_and_its_variable_may_be_assigned():
    both = Both(
        """
def f(a):
    n = a
    total = 0
    for i in range(n):
        n += 5
        i = i * 2
        total = total * 3 + i
    return total * 1000 + n
"""
    )
    for a in (0, 1, 2, 9):
        both.check(a)


def test_while_loops_breaks_and_early_returns():
    both = Both(
        """
def inner(a):
    while True:
        a += 3
        if a > 50:
            return a
        if a % 7 == 0:
            break
    return -a

def f(a, b):
    n = 0
    while a < b:
        a += 1
        if a % 2:
            continue
        for k in range(b):
            if k > a:
                break
            n += k
            if n > 900:
                return n
        n += inner(a)
    pass
    return n
""",
        examples=(0, 0),
    )
    for a, b in product((-9, 0, 3, 8), (-1, 0, 5, 12, 30)):
        both.check(a, b)


def test_a_variable_that_is_first_assigned_further_below():
    both = Both(
        """
def f(a):
    n = 0
    for i in range(a):
        if i > 0:
            n += before * 2
        before = i
    return n
"""
    )
    for a in (0, 1, 2, 9):
        both.check(a)


def test_assignments_to_several_targets():
    both = Both(
        """
def two(a, b):
    return b, a * 2

def f(a, b, row):
    a, b = b, a
    row[0], row[1] = a, b
    row[2] = row[3] = a - b
    a, b = two(a, b)
    row[b & 3], a = a, b
    c: int = a
    return c * 7 + b
""",
        examples=(0, 0, np.zeros(4, np.int64)),
    )
    for a, b in product((-3, 0, 1, 2, 300), (0, 5, -6)):
        both.check(a, b, np.zeros(4, np.int64))


def test_rows_may_be_exchanged():
    both = Both(
        """
def f(rows, n):
    here = rows[0]
    there = rows[1]
    for i in range(n):
        there[i % 3] = here[0] + i
        here, there = there, here
    return here[0]
""",
        examples=(np.zeros((2, 3), np.int64), 0),
    )
    for n in range(6):
        both.check(np.arange(6).reshape(2, 3), n)


def test_a_local_name_hides_a_global_one():
    both = Both(
        "K = 5\n\ndef g(K):\n    return K + 1\n\ndef f(a):\n    max = a * 2\n    return g(a) * 10 + K + max", name="f"
    )
    both.check(3)


def test_elements_of_every_width_wrap_around_when_they_are_stored():
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8):
        both = Both("def f(row, a):\n    row[1] = a\n    return row[1]", examples=(np.zeros(3, dtype), 0))
        for a in EDGES:
            row = np.zeros(3, dtype)
            address = row.__array_interface__["data"][0]
            assert both.compiled(address, 3, a) == row[1] == np.array(a).astype(dtype), (dtype, a)
            assert row[0] == row[2] == 0


def test_fields_of_every_width_wrap_around_when_they_are_stored():
    both = Both("def f(s, a):\n    s.signed = a\n    s.wide = a\n    s.row[2] = a\n    return 0", examples=("state", 0))
    for a in EDGES:
        array = np.zeros(1, State.layout())
        both.compiled(array.__array_interface__["data"][0], a)
        assert array["signed"][0] == wrap(a, 16) and array["wide"][0] == wrap(a, 32), a
        assert array["row"][0].tolist() == [0, 0, wrap(a, 8), 0, 0]


def test_fields():
    both = Both(
        """
def add(row, n):
    total = 0
    for i in range(len(row)):
        row[i] += n
        total += row[i]
    return total

def f(s, a):
    s.small += 1
    s.signed = -s.small
    s.table[a][1] = s.table[a - 1][3] + 5
    line = s.table[a]
    line[0] -= 2
    n = add(s.row, 2) + add(line, 1) + add(s.table[0], 3)
    s.hidden[s.pending & 3] ^= n
    s.work[a] = n
    s.wide = s.work[a] * len(s.table) + len(s.table[0])
    return n + s.wide
""",
        examples=("state", 0),
    )
    state = make_state(pending=3, small=4, row=[1, 2, 3, 4, 5], table=[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    for a in (1, 2):
        both.check(state, a)
    assert state.small == 4


def test_the_layout_of_a_state_is_that_of_numpy():
    offsets, size = lay_out_record(State)
    layout = State.layout()
    assert size == layout.itemsize and offsets == {name: layout.fields[name][1] for name in layout.names}


def test_tables():
    tables = {
        "NARROW": (1, -128, 127),
        "WIDE": (0, 1 << 40, -5),
        "ROWS": ((1, 2), (3, 4), (500, -600)),
        "CUBE": (((1, 2), (3, 4)), ((5, 6), (7, 8))),
    }
    both = Both(
        "def f(a):\n"
        "    row = ROWS[a]\n"
        "    n = len(ROWS) * 100 + len(CUBE[0])\n"
        "    return NARROW[a] + WIDE[a] + row[1] + CUBE[a & 1][a >> 1][0] + NARROW[-1] + ROWS[-2][-1] + n",
        constants=tables,
    )
    for a in range(3):
        both.check(a)
    kinds = Program(GAME)
    assert [kinds.array(tables[name]).row.element for name in ("NARROW", "WIDE", "ROWS")] == ["i8", "i64", "i16"]


def test_rows_of_unknown_length():
    both = Both(
        """
def total(row):
    n = 0
    for i in range(len(row)):
        n += row[i]
    return n

def f(cube, flat):
    n = total(flat)
    for i in range(len(cube)):
        for k in range(len(cube[0])):
            n = n * 3 + total(cube[i][k])
            cube[i][k][0] = n & 255
    return n + len(cube[0][0]) * 1000
""",
        examples=(np.zeros((1, 1, 1), np.int64), np.zeros(1, np.int64)),
    )
    for shape in ((1, 1, 1), (2, 3, 4), (0, 2, 2)):
        both.check(np.arange(np.prod(shape)).reshape(shape), np.arange(5)) if shape[0] else None


def test_shapes_of_arrays():
    both = Both("def f(a):\n    return a.shape[0] * 100 + a.shape[1]", examples=(np.zeros((2, 3), np.int64),))
    assert both.compiled(0, 4, 7) == 407


def test_states_in_an_array_are_copied():
    both = Both(
        "def f(states):\n    states[0] = states[1]\n    states[0].small += 1\n    s = states[2]\n    s.row[0] = 9\n"
        "    return states[0].small",
        examples=(np.zeros(3, State.layout()),),
    )
    states = np.zeros(3, State.layout())
    states["small"] = 1, 5, 7
    assert both.compiled(states.__array_interface__["data"][0], 3) == 6
    assert states["small"].tolist() == [6, 5, 7] and states["row"][:, 0].tolist() == [0, 0, 9]


def test_floats():
    both = Both(
        """
def f(a, b, row, out):
    x = a / 4
    y = 1.5 * b - x
    row[0] = y
    row[1] = -x
    row[2] += 2
    n = int(y)
    if y > 3 or x == 2.0:
        n += 1
    z = min(x, y) + max(x, 1) if a > 3 else abs(y)
    out[0] = z
    return n
""",
        examples=(0, 0.0, np.zeros(3), np.zeros(1)),
    )
    for a, b in product((-9, 0, 3, 8, 1 << 40), (0.0, 0.1, -7.25, 1e9)):
        both.check(a, b, np.arange(3.0), np.zeros(1))


def test_float32_keeps_its_precision_in_every_step():
    both = Both(
        """
def f(row, scale):
    x = row[0]
    for i in range(len(row)):
        row[i] *= scale[i]
        x += row[i]
    row[0] = x
    return 0
""",
        examples=(np.zeros(3, np.float32), np.zeros(3, np.float32)),
    )
    random = np.random.default_rng(1)
    for _ in range(50):
        row, scale = (random.normal(size=6).astype(np.float32) for _ in range(2))
        expected = row * scale
        x = row[0]
        for product_ in expected:
            x = np.float32(x + product_)
        both.compiled(row.__array_interface__["data"][0], 6, scale.__array_interface__["data"][0], 6)
        assert row[0] == x and (row[1:] == expected[1:]).all()


def test_a_function_may_return_a_float_or_nothing():
    both = Both("def half(a):\n    return a / 2\n\ndef f(a):\n    return int(half(a) * 10)")
    for a in (1, 5, -3):
        both.check(a)
    assert Both("def f(a):\n    return a / 2").compiled(5) == 2.5
    assert Both("def f(row):\n    row[0] = 3", examples=(np.zeros(1, np.int64),)).check(np.zeros(1, np.int64)) == 0


def test_numbers_wrap_around_at_64_bits_outside_of_rules():
    source = "def f(a):\n    for _ in range(9):\n        a = a * 0x2545F4914F6CDD1D + 12345\n    return a"
    both = Both(source, constants={"__name__": "courtly.engine.rng"})
    for a in EDGES:
        assert both.compiled(a) == wrap(make_namespace(source)["f"](a))


def test_a_variable_that_becomes_a_float_is_one_from_the_start():
    both = Both(
        """
def f(a, row):
    x = a
    for i in range(3):
        row[i] = x
        x = x / 2
    return int(x * 8)
""",
        examples=(0, np.zeros(3)),
    )
    for a in (0, 1, 5, -9):
        both.check(a, np.zeros(3))


def test_numbers_of_different_kinds_in_one_variable():
    """Float32, float and whole numbers; what is stored has the precision of the row."""
    both = Both(
        """
def f(a, single, double):
    x = single[0]
    if a > 0:
        x = double[0]
    elif a < -5:
        x = a
    single[1] = x
    double[1] = x + a / 4
    double[2] = single[1]
    return int(+x * 4) + bool(x) * 100 + (1000 if x else 0) + bool(a) * 10_000 + int(a > 3)
""",
        examples=(0, np.zeros(2, np.float32), np.zeros(3)),
    )
    for a, x in product((-7, -1, 0, 4), (0.0, 0.5, -2.25)):
        both.check(a, np.array([x, 0], np.float32), np.array([2 * x, 0, 0]))


def test_a_variable_for_rows_of_several_lengths():
    both = Both(
        """
def total(row):
    n = 0
    for i in range(len(row)):
        n += row[i]
    return n

def f(s, a):
    row = s.work
    if a > 0:
        row = s.hidden
    row[1] += a
    return total(row) * 10 + len(row)
""",
        examples=("state", 0),
    )
    state = make_state(hidden=[1, 2, 3, 4], work=[0, 0, 0, 0, 0, 0])
    for a in (-3, 0, 7):
        both.check(state, a)


@pytest.mark.parametrize(
    "condition", ["0 and a > 3", "1 or a > 3", "2 > 3 > a", "a > 3 and (0 and a)", "not (1 or a)", "0 or 0 and a"]
)
def test_conditions_that_are_known_when_they_are_compiled(condition):
    both = Both(
        f"""
def f(a):
    n = 1
    if {condition}:
        n = 2
    while {condition}:
        return 7
    return n
"""
    )
    for a in (0, 9):
        both.check(a)


def test_atomic_operations():
    both = Both(
        """
def f(row, a):
    atomic_write(row, 1, a)
    before = atomic_add(row, 2, atomic_read(row, 1))
    spin_pause()
    return before
""",
        examples=(np.zeros(3, np.int64), 0),
        constants={f.__name__: f for f in (atomic_read, atomic_write, atomic_add, spin_pause)},
    )
    assert both.check(np.array([1, 2, 30]), 7) == 30

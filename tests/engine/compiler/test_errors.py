"""What cannot be compiled is refused with the author's file, line and function."""

import numpy as np
import pytest
from compiler_harness import Both, State

from courtly.adapters.atomic import atomic_read
from courtly.engine.enums import NamedInt
from courtly.engine.native.compiler.types import CompileError

EXAMPLES = 0, np.zeros(2, np.int64), np.zeros((2, 3), np.int64), np.zeros(1, State.layout())


class Suit(NamedInt):
    CLUBS, SPADES = range(2)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a = [1, 2]", "List is not in the dialect"),
        ("a = a ** 2", "Pow is not in the dialect"),
        ("a = a in (1, 2)", "In is not in the dialect"),
        ("a = missing", "the name missing is not defined"),
        ("a = missing(a)", "the name missing is not defined"),
        ("a = a.small", "there is no a.small"),
        ("a = a[0]", "expected a row, found a whole number: a"),
        ("a = row", "a holds a whole number here and a row of numbers there"),
        ("a = row[0:2]", "is not a place in memory; use one index in each bracket"),
        ("a = row[1.5]", "expected a whole number, found a float: 1.5"),
        ("row[0] = 0.5", "expected a whole number, found a float"),
        ("a = row + 1", "expected a number, found a row of numbers in row + 1"),
        ("a = len(a)", "expected a row, found a whole number"),
        ("a = max(a)", "max does not take 1 arguments"),
        ("a = f(a, row, key=1)", "without keyword arguments"),
        ("a = 'text'", "constant 'text': expected a number"),
        ("a = 1 << 70", "expected a shift by 0 to 63 bits, found 70"),
        ("a = 99999999999999999999", "does not fit into 64 bits"),
        ("a, b = 1, 2, 3", "expected 2 values, found 3"),
        ("a = nothing(a)", "a is assigned nothing"),
        ("a = other(a, 3)", "other takes 1 arguments, found 2"),
        ("a = int", "the name int is not defined"),
        ("a = row[0] / 2 // 1", "FloorDiv of floats is not in the dialect"),
        ("for i in row: pass", "expected a loop over a range"),
        ("while a:\n        break\n    else:\n        a = 1", "a loop has no else"),
        ("a + 1", "a + 1 has no effect"),
        ("with a: pass", "With is not in the dialect"),
        ("del a", "Delete is not in the dialect"),
        ("a = (lambda: 1)()", "only functions by their names"),
        ("a = other", "other is not a value"),
        ("a = other(nothing(a))", "an argument of other is nothing"),
        ("a = nothing(a) if a else a", "nothing(a) if a else a is not a value"),
        ("a = -row", "expected a number, found a row of numbers"),
        ("a = 1 if row else 2", "a row of numbers is neither true nor false"),
        ("a = row.shape[1]", "there is no row.shape[1]"),
        ("a = states[0]", "a holds a whole number here and a state there"),
        ("states[0] = a", "expected a state, found a whole number"),
        ("rows[0] = row", "a row cannot be assigned; assign its elements one by one"),
        ("a, b = other(a)", "expected 2 numbers: a, b = other(a)"),
        ("return row", "expected to return a number, found a row of numbers"),
        ("b: int", "b: int assigns nothing"),
        ("for i in range(0, a, 0): pass", "expected a step other than 0"),
        ("a = Suit.HEARTS", "there is no Suit.HEARTS"),
        ("a = Suit(a)", "Suit is not a function of the dialect"),
        ("a = states", "a holds a whole number here and a row of states there"),
        ("a = atomic_read(a, 0)", "expected a row of 64-bit numbers, found a whole number"),
        ("a = atomic_read(row, row)", "expected a whole number, found a row of numbers"),
    ],
)
def test_a_line_that_cannot_be_compiled(line, reason):
    source = f"""
def nothing(a):
    pass

def other(a):
    return a

def f(a, row, rows, states):
    a += 1
    {line}
    return a
"""
    with pytest.raises(CompileError) as error:
        Both(source, examples=EXAMPLES, constants={"Suit": Suit, "atomic_read": atomic_read})
    assert reason in str(error.value)
    assert str(error.value).startswith("<example>:") and "f: " in str(error.value)
    assert error.value.line == 10 or "else" in line, error.value


def test_an_entry_point_with_another_number_of_arguments():
    with pytest.raises(CompileError, match="expected 1 arguments, found 2"):
        Both("def f(a):\n    return a", examples=(0, 0))


def test_a_table_whose_rows_have_different_lengths():
    with pytest.raises(ValueError, match="expected rows of one length in the table"):
        Both("def f(a):\n    return TABLE[a][0]", constants={"TABLE": ((1, 2), (3,))})

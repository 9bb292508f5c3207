"""The checked rows and arrays used by the property tests raise errors."""

import ast

import pytest

from courtly.engine.native.sanitizer import CheckedInterpretedBackend, make_checked_rows, rewrite_source


def test_rows_and_arrays_raise_errors():
    """Otherwise the property tests could not fail."""
    row, array = make_checked_rows([[1, 2], [3, 4]], -128, 127), CheckedInterpretedBackend().array((1, (2, 3)))
    assert row[1][1] == 4 and array[1][0] == 2
    for access in (
        lambda: row[-1],
        lambda: row[0][-1],
        lambda: row[2],
        lambda: row[0].__setitem__(-1, 0),
        lambda: array[-1],
        lambda: array[1][-1],
        lambda: array[2],
    ):
        with pytest.raises(IndexError):
            access()
    with pytest.raises(OverflowError):
        row[0][0] = 128
    row[0][0] = -128


def test_a_function_inside_another_one_is_left_as_it_is():
    def inner(s):
        return s

    assert rewrite_source(inner, ast.NodeTransformer()) is inner

"""The subset of parameter combinations that is tested by default."""

from itertools import product

import pytest


def each_value_once(*parameters):
    """Return all combinations for `parametrize`. By default only as few run as are needed for each value to occur; with
    --long all run.
    """
    default_rows = {tuple(index % len(values) for values in parameters) for index in range(max(map(len, parameters)))}
    rows = product(*(range(len(values)) for values in parameters))
    return [
        pytest.param(
            *(values[index] for values, index in zip(parameters, row, strict=True)),
            marks=[] if row in default_rows else pytest.mark.long,
        )
        for row in rows
    ]

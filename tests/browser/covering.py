"""The subset of parameter combinations that is tested by default."""

from itertools import product

import pytest


def each_once(*kinds):
    """Return all combinations for `parametrize`. By default only as few run as are needed for each value to occur; with
    --long all run.
    """
    daily = {tuple(n % len(values) for values in kinds) for n in range(max(map(len, kinds)))}
    return [
        pytest.param(
            *(values[n] for values, n in zip(kinds, row, strict=True)), marks=[] if row in daily else pytest.mark.long
        )
        for row in product(*(range(len(values)) for values in kinds))
    ]

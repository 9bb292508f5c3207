"""Which of all combinations are looked at every day."""

from itertools import product

import pytest


def each_once(*kinds):
    """All combinations, for `parametrize`: every day as few as let each value occur, with --long all of them."""
    daily = {tuple(n % len(values) for values in kinds) for n in range(max(map(len, kinds)))}
    return [
        pytest.param(
            *(values[n] for values, n in zip(kinds, row, strict=True)), marks=[] if row in daily else pytest.mark.long
        )
        for row in product(*(range(len(values)) for values in kinds))
    ]

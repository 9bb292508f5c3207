"""Joins batches, so that a test can compare the games of a whole plan."""

import numpy as np

from courtly.lab.batch import PER_GAME_FIELDS, Batch


def join_batches(batches):
    """Return consecutive batches as one batch. Raises IndexError if there is none."""
    parts = list(batches)
    return Batch(
        parts[0].first, *(np.concatenate([getattr(batch, name) for batch in parts]) for name in PER_GAME_FIELDS)
    )

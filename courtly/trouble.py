"""What may be told of an exception."""
from __future__ import annotations

import traceback


def where(error: BaseException) -> str:
    """Its kind and its place, but not its message: that may speak of cards that whoever reads the log must not know."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join([type(error).__name__, *(f"{frame.name}, {frame.filename}:{frame.lineno}" for frame in reversed(frames))])

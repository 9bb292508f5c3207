"""What may be told of an exception: not its message, for that may speak of cards that whoever reads the log must not
know."""

from __future__ import annotations

import traceback


def describe_place(error: BaseException) -> str:
    """Its kind and its place, in a line."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(
        [type(error).__name__, *(f"{frame.name}, {frame.filename}:{frame.lineno}" for frame in reversed(frames))]
    )


def format_traceback(error: BaseException) -> str:
    """As Python shows it, less the message; first what it came of, if anything."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{format_traceback(earlier)}\nand then\n" if earlier else ""
    calls = "".join(traceback.format_tb(error.__traceback__))
    return f"{before}Traceback (most recent call last):\n{calls}{type(error).__name__}"

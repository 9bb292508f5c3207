"""Descriptions of exceptions without their messages: a message may name hidden cards, and logs are not secret."""

from __future__ import annotations

import traceback


def describe_place(error: BaseException) -> str:
    """Return the type of an exception and the lines that it passed, innermost first, in a single line."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(
        [type(error).__name__, *(f"{frame.name}, {frame.filename}:{frame.lineno}" for frame in reversed(frames))]
    )


def format_traceback(error: BaseException) -> str:
    """Return the traceback as Python formats it, without the messages, preceded by those of its causes."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{format_traceback(earlier)}\nand then\n" if earlier else ""
    calls = "".join(traceback.format_tb(error.__traceback__))
    return f"{before}Traceback (most recent call last):\n{calls}{type(error).__name__}"

"""Doors of the research world: the same games through the interfaces that others have agreed on. Nothing here knows
any game. What it needs comes with `pip install "courtly[research]"`.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def require_research_extra() -> Iterator[None]:
    """Around imports: ModuleNotFoundError says how to get what is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        raise ModuleNotFoundError(f'there is no {name}: pip install "courtly[research]"', name=name) from None

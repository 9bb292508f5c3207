"""Adapters that offer every Courtly game through the interfaces of research libraries.

They contain no code for a particular game. `pip install "courtly[research]"` installs the libraries that they need.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def require_research_extra() -> Iterator[None]:
    """Wrap imports of optional libraries, so that a missing one names the extra that installs it.

    Raises:
        ModuleNotFoundError: An import in the `with` block failed. The message names the missing package and the pip
            command.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        raise ModuleNotFoundError(f'{name} is not installed: pip install "courtly[research]"', name=name) from None

"""What a house asks of its other processes, where there are none: see peers.py."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any


class SingleProcess:
    """A house of one process: there is nobody to tell, and everything is its own to do."""

    duty = True  # is it this process that does what one does for all?
    several = False  # can there be other processes?

    @property
    def connected(self) -> bool:
        """Does it hear the others?"""
        return True

    def publish(self, kind: str, **what: object) -> None:
        """Something has happened here, and is kept."""

    def here(self, table: Any) -> None:
        """Who is at a table by this process may have changed."""

    def elsewhere(self, table_id: str) -> dict[str, dict[str, bool]]:
        """Who is at a table by other processes: of each, those who sit there, and "" if anybody is. True: a page of
        theirs is in sight."""
        return {}

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        """Is this for us to do? Nobody else does it meanwhile."""
        return nullcontext(True)

    def reviewing(self, table_id: str) -> bool:
        """Does another process say that it analyses the game of this table?"""
        return False

    def drive(self, table: Any) -> AbstractAsyncContextManager[bool]:
        """The same of the bots at a table."""
        return nullcontext(True)

    def opening(self, lately: Callable[[], Awaitable[bool]]) -> AbstractAsyncContextManager[bool]:
        """Was the house closed until now? `lately`: it was open a moment ago."""
        return nullcontext(True)

    async def lag(self) -> int:
        """Return by how many milliseconds the time of the other processes is ahead of this one's; 0 if they do not
        say."""
        return 0

    async def close(self) -> None:
        """Say goodbye."""

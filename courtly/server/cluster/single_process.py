"""The interface to the other processes of a server, for a server with one process; see peer_sync.py."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any


class SingleProcess:
    """The interface to the other processes of a server, for a server with one process.

    PeerSync overrides it for several processes.
    """

    has_duty = True  # whether this process holds the singleton duty: flags, notifications and other work done once
    has_peers = False  # whether there can be other processes

    @property
    def is_connected(self) -> bool:
        """Whether this process receives the notifications of the others."""
        return True

    def publish(self, kind: str, **payload: object) -> None:
        """Notify the other processes of a committed change."""

    def publish_presence(self, table: Any) -> None:
        """Notify the other processes if the set of guests who are connected to a table here has changed."""

    def guests_elsewhere(self, table_id: str) -> dict[str, dict[str, bool]]:
        """Return which guests are connected to a table at other processes.

        For each process, the dict contains the connected players, and "" if any client is connected. The value is True
        if one of the guest's pages is visible.
        """
        return {}

    def claim(self, name: str) -> AbstractAsyncContextManager[bool]:
        """Try to acquire a lock for a block. Yields whether this process has it and may do the work."""
        return nullcontext(True)

    def is_reviewing(self, table_id: str) -> bool:
        """Return whether another process is reviewing the game of a table."""
        return False

    def claim_bots(self, table: Any) -> AbstractAsyncContextManager[bool]:
        """Try to acquire the right to move a table's bots, like `claim`."""
        return nullcontext(True)

    def claim_opening(self, was_serving: Callable[[], Awaitable[bool]]) -> AbstractAsyncContextManager[bool]:
        """Enter the startup block. Yields whether no process was serving before.

        `was_serving` returns whether one was serving a moment ago.
        """
        return nullcontext(True)

    async def measure_lag(self) -> int:
        """Return by how many milliseconds the clocks of the other processes are ahead; 0 if that is unknown."""
        return 0

    async def close(self) -> None:
        """Tell the other processes that this one ends."""

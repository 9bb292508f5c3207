"""Guests and their browsers: which cookies are good, which connections a guest has, and how all of them end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from courtly.server.persistence import player_history, repository
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.security.signed_tokens import COOKIE_NAME, Signatures


class GuestSessions:
    """The guests of this server, as far as they were ever signed out or deleted.

    A guest's cookie names a session epoch. Signing out all browsers begins the next epoch, so older cookies fail.

    Args:
        key: Signs cookies and links.
        publish_epoch: Notifies the other processes of a guest's new epoch.
    """

    def __init__(self, writer: GroupCommitWriter, key: str, publish_epoch: Callable[[str, int], None]):
        self.signatures = Signatures(key)
        self.epochs: dict[str, int] = {}  # guest -> session epoch, where it is not 0
        self.deletions: set[str] = set()  # digests of the guests whose data were deleted
        self._writer = writer
        self._publish_epoch = publish_epoch
        self._connections: dict[str, set[Callable[[], None]]] = {}  # guest -> what ends each connection

    async def load(self) -> None:
        self.epochs = await self._writer.do(player_history.load_session_epochs)
        self.deletions = await self._writer.do(player_history.load_deletion_digests)

    def identify(self, request: HTTPConnection) -> str | None:
        """Return the guest whose cookie a request carries; None without a valid one."""
        claim = self.signatures.read_cookie(request.cookies.get(COOKIE_NAME))
        return claim[0] if claim and self.is_valid(*claim) else None

    def is_valid(self, guest: str, epoch: int) -> bool:
        """Return whether a signature for this guest and epoch is still good.

        A later epoch than the known one was begun by another process whose notification has not come yet. After the
        guest's data were deleted, no signature is good.
        """
        if self.deletions and repository.digest_of(guest) in self.deletions:
            return False
        if epoch > self.epochs.get(guest, 0):
            self.begin_epoch(guest, epoch)
        return epoch == self.epochs.get(guest, 0)

    def sign_cookie(self, guest: str) -> str:
        """Return a signed cookie of the guest's current epoch."""
        return self.signatures.sign_cookie(guest, self.epochs.get(guest, 0))

    @contextmanager
    def register_connection(self, guest: str | None, end: Callable[[], None]) -> Iterator[None]:
        """Register a connection; `end` is called when all of this guest's connections have to end."""
        connections = self._connections.setdefault(guest or "", set())
        connections.add(end)
        try:
            yield
        finally:
            connections.discard(end)
            if not connections:
                self._connections.pop(guest or "", None)

    async def sign_out(self, guest: str) -> None:
        """Sign all browsers of a guest out."""
        epoch = await self._writer.do(lambda c: player_history.start_session_epoch(c, guest))
        self._publish_epoch(guest, epoch)
        self.begin_epoch(guest, epoch)

    def begin_epoch(self, guest: str, epoch: int) -> None:
        """End the connections of a guest whose session epoch has become this one."""
        self.epochs[guest] = max(epoch, self.epochs.get(guest, 0))
        self._end_connections(guest)

    def note_deletions(self, digests: set[str]) -> None:
        """End the connections of guests whose data were deleted."""
        new_digests = digests - self.deletions
        self.deletions |= new_digests
        for guest in [
            guest for guest in self._connections if new_digests and repository.digest_of(guest) in new_digests
        ]:
            self._end_connections(guest)

    def _end_connections(self, guest: str) -> None:
        for end in list(self._connections.get(guest, ())):
            end()

    async def load_name(self, guest: str) -> str:
        """Return the name that a guest has given; empty without one."""
        return (await self._writer.do(lambda c: repository.load_names(c, [guest]))).get(guest, "")

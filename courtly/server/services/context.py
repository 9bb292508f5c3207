"""What the services ask of the application that they belong to."""

from __future__ import annotations

from typing import Protocol

from courtly.bots.runtime.bot_service import BotService
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.security.signed_tokens import Signatures
from courtly.server.settings import Settings
from courtly.server.tables.table import LiveTable


class ServiceContext(Protocol):
    """The application, as far as services use it. It is imported by nothing below it, so no import leads in a circle.

    `peers` are the other processes, `pool` the processes in which bots think.
    """

    settings: Settings
    writer: GroupCommitWriter
    signatures: Signatures
    peers: SingleProcess
    pool: BotService

    async def name(self, guest: str) -> str: ...

    def tables_of(self, guest: str) -> list[LiveTable]: ...

    async def take_up_mine(self, guest: str | None) -> None: ...

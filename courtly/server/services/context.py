"""What the services use of the application that they belong to."""

from __future__ import annotations

from typing import Protocol

from courtly.bots.runtime.bot_service import BotService
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.services.guest_sessions import GuestSessions
from courtly.server.settings import Settings
from courtly.server.tables.registry import TableRegistry


class ServiceContext(Protocol):
    """The application, as far as services use it. The application imports the services, so they cannot import it."""

    settings: Settings
    writer: GroupCommitWriter
    guests: GuestSessions
    tables: TableRegistry
    peers: SingleProcess
    bots: BotService

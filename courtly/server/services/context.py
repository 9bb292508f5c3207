"""The interface through which services use the application."""

from __future__ import annotations

from typing import Protocol

from courtly.bots.runtime.bot_service import BotService
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.services.guest_sessions import GuestSessions
from courtly.server.settings import Settings
from courtly.server.tables.registry import TableRegistry


class ServiceContext(Protocol):
    """The parts of Application that services use. Services cannot import Application, because it imports them."""

    settings: Settings
    writer: GroupCommitWriter
    guests: GuestSessions
    tables: TableRegistry
    peers: SingleProcess
    bots: BotService

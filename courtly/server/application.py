"""The application: the objects that all requests of one server process share."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from typing import Any

from courtly.bots.registry import RANDOM, SQUIRE
from courtly.bots.runtime.bot_service import BotService
from courtly.server.assets.bundle import AssetBundle
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.persistence import repository
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.security.rate_limits import ConcurrencyLimit, GuestAndAddressLimit, TokenBucket
from courtly.server.services.analysis_jobs import AnalysisJobs
from courtly.server.services.chat import Chat
from courtly.server.services.guest_sessions import GuestSessions
from courtly.server.services.hints import HintService
from courtly.server.services.replay_cache import ReplayCache
from courtly.server.services.share_images import ShareImages
from courtly.server.services.turn_notifications import TurnNotifications
from courtly.server.settings import Settings
from courtly.server.tables.lobby_feed import LobbyFeed
from courtly.server.tables.registry import TableRegistry
from courtly.server.tables.response_cache import ResponseCache
from courtly.server.tables.table import LiveTable, Subscriber
from courtly.session import schemas
from courtly.session.clocks import ClockPause


async def do_nothing() -> None:
    """Do nothing."""


class Application:
    """The writer, the tables, the guests, the services and the limits of one process. `Application.open` makes one."""

    def __init__(self, settings: Settings, writer: GroupCommitWriter, assets: AssetBundle, key: str):
        self.settings = settings
        self.writer = writer
        self.assets = assets
        self.peers = SingleProcess()  # the other processes, if there are any
        self.closures: list[ClockPause] = []  # when the server was closed while clocks ran
        self.bots = BotService(settings.bot_workers, settings.bot_limit, self._publish_bot_change)
        self.tables = TableRegistry(settings, writer, self, self.closures)
        self.lobby = LobbyFeed(self.tables.by_id.values, self.tables.tables_of_guest)
        self.guests = GuestSessions(writer, key, lambda guest, epoch: self.peers.publish("epoch", g=guest, n=epoch))
        self.responses = ResponseCache()
        # services
        self.analysis_jobs = AnalysisJobs(self)
        self.chat = Chat(self)
        self.hints = HintService(self.bots, settings)
        self.replays = ReplayCache(settings)
        self.share_images = ShareImages(settings, assets)
        self.turn_notifications = TurnNotifications(self)
        # limits
        people = settings.people_per_address
        self.command_limit = GuestAndAddressLimit(
            settings.commands_per_second, 3 * settings.commands_per_second, people
        )
        self.table_limit = TokenBucket(settings.tables_per_minute / 60, 2 * settings.tables_per_minute)
        self.export_limit = GuestAndAddressLimit(1 / 60, 3, people)
        self.mail_limit = TokenBucket(1 / 600, 5)  # to addresses that are not confirmed
        self.socket_limit = ConcurrencyLimit(settings.sockets_per_guest, people, settings.sockets)
        self.address_limits = {  # what an address may do at all processes together
            "commands": self.command_limit.addresses,
            "tables": self.table_limit,
            "chat_messages": self.chat.rate_limit.addresses,
            "hints": self.hints.rate_limit.addresses,
            "replays": self.replays.request_limit.addresses,
            "exports": self.export_limit.addresses,
            "mails": self.mail_limit,
        }
        # set by the actions that own the timers
        self.schedule_bots: Callable[[LiveTable], None] = lambda table: None
        self.schedule_flags: Callable[[LiveTable], None] = lambda table: None
        self.schedule_numbers: Callable[[LiveTable], None] = lambda table: None
        self.check_flags: Callable[[], Coroutine[Any, Any, None]] = do_nothing
        self.reload_closures: Callable[[], Coroutine[Any, Any, None]] = do_nothing

    @classmethod
    async def open(cls, settings: Settings, writer: GroupCommitWriter, assets: AssetBundle) -> Application:
        """Return an application with the unfinished tables of the database."""
        key = await writer.do(lambda c: repository.get_or_create_setting(c, "signing-key", secrets.token_hex(32)))
        stored_tables = await writer.do(
            lambda c: repository.load_tables(c, repository.load_unfinished(c, settings.tables))
        )
        application = cls(settings, writer, assets, key)
        await application.guests.load()
        for row, seats in stored_tables.values():
            application.tables.add(LiveTable(row, seats))
        return application

    async def close(self) -> None:
        self.tables.close()
        await self.peers.close()
        await self.turn_notifications.close()
        await self.chat.close()
        await self.analysis_jobs.close()
        await self.hints.close()  # before the bots, which it asks
        await self.bots.close()
        await self.replays.close()
        self.writer.close()

    def _publish_bot_change(self, game: str) -> None:
        """Publish the tables of a game once it is known whether its bots can search."""
        for table in self.tables.by_id.values():
            if table.row.game == game:
                table.publish_table()

    # --- TableEvents: what the registry calls -------------------------------------------------------------------------

    def configure(self, table: LiveTable) -> None:
        table.grace = self.settings.grace
        table.closures = self.closures
        table.peer_guests = self.peers.guests_elsewhere(table.row.id)
        table.notify_presence = lambda: self.peers.publish_presence(table)
        table.hint_obstacle = lambda: self.hints.find_obstacle(table.row.game)
        table.find_replacement = lambda bot: self._replacement(table.row.game, bot)

    def _replacement(self, game: str, bot: str) -> schemas.Replacement | None:
        reason = self.bots.find_obstacle(game, bot)
        return (
            {"bot": RANDOM if self.bots.find_obstacle(game, SQUIRE) else SQUIRE, "reason": reason} if reason else None
        )

    def handle_seat_change(self, table: LiveTable) -> None:
        self.peers.publish_presence(table)

    def schedule_exchange(self, table: LiveTable) -> None:
        self.schedule_numbers(table)

    def schedule_timers(self, table: LiveTable) -> None:
        self.schedule_flags(table)
        self.schedule_bots(table)

    def handle_reload(self, table: LiveTable, has_ended: bool) -> None:
        if has_ended:
            self.chat.send_all_to_players(table)
        self.lobby.schedule_update()
        self.turn_notifications.notify_due(table)

    def send_chat(self, table: LiveTable, subscriber: Subscriber) -> None:
        self.chat.send_newest(table, subscriber)

    def handle_removal(self, table: LiveTable) -> None:
        self.lobby.schedule_update()

    def publish_change(self, table_id: str) -> None:
        self.peers.publish("table", t=table_id)

"""Notifications of players who are away that it is their turn, by mail or by a webhook.

A player gets one message for each table until they look at it. The message is stored before it is sent, and retried
with growing pauses. After the last retry, a mail is given up and a webhook switched off, with a log entry. Moves never
wait for notifications. Links in messages sign no browser in. Of several processes, the one with the singleton duty
sends all notifications; the others only know the guests' settings.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.game import UnknownGameError, find_game
from courtly.engine.position import CommandRefusedError
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import repository
from courtly.server.persistence.repository import NotificationSetting
from courtly.server.services.context import ServiceContext
from courtly.server.services.notification_delivery import DeliveryMethod, NotificationDelivery, TurnMessage
from courtly.server.services.webhook_client import DeliveryError
from courtly.server.tables.table import LiveTable

if TYPE_CHECKING:
    from courtly.i18n.catalog import Catalog

RETRY_DELAYS_S = (0.0, 10.0, 60.0, 300.0, 1800.0, 7200.0)  # seconds before each try of a mail, or of a webhook

log = logging.getLogger("courtly.server")
sleep = asyncio.sleep  # tests replace it


class TurnNotifications:
    """Sends turn notifications while it is active, from `begin` to `rest`.

    Callers call `look` after any change of a table, and `seen` when a guest looks at it.
    """

    def __init__(self, context: ServiceContext):
        self.context = context
        self.post = NotificationDelivery(context.settings)
        self.reach: dict[str, NotificationSetting] = {}  # guest -> notification settings
        self._told: dict[str, set[str]] = {}  # table -> guests whose message was sent or is being sent
        self._wishes: dict[str, NotificationSetting] = {}  # guest -> new settings that are being tested
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._dropping: set[asyncio.Task[None]] = set()
        self._beginning: asyncio.Task[None] | None = None  # not None while this process sends notifications
        self._later: set[str] = set()  # tables that are checked again when a player's grace is over

    async def learn(self) -> None:
        """Load the notification settings of all guests from the database."""
        if self.post.ways:
            self.reach = {
                reach.guest_id: reach for reach in await self.context.writer.do(repository.load_notification_settings)
            }

    async def begin(self) -> None:
        """Start sending notifications, with those that are stored and not sent yet."""
        if not self.post.ways:
            return
        kept = await self.context.writer.do(repository.load_pending_notifications)
        self._told.clear()  # another process may have deleted some meanwhile
        for table, guest in [*kept, *self._tasks]:
            self._told.setdefault(table, set()).add(guest)
        self._beginning = asyncio.create_task(self._look_everywhere())

    def rest(self) -> None:
        """Stop sending notifications, because another process does so from now on."""
        for task in [*self._tasks.values(), *([self._beginning] if self._beginning else [])]:
            task.cancel()
        self._told.clear()
        self._beginning = None

    async def close(self) -> None:
        tasks = [*self._tasks.values(), *self._dropping, *([self._beginning] if self._beginning else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.post.close()

    async def _look_everywhere(self) -> None:
        for guest in list(self.reach):
            await self.context.tables.load_of_guest(guest)
            for table in self.context.tables.of_guest(guest):
                self.look(table)

    # --- recipients ---------------------------------------------------------------------------------------------------

    def look(self, table: LiveTable) -> None:
        """Notify all players of a table who are away and whose turn it is. After the game, delete its notifications."""
        told = self._told.get(table.row.id, set())
        if table.status == "over":
            self._drop({(table.row.id, guest) for guest in told})
        elif self.reach and self._beginning:
            for guest in self._due(table) - told:
                self._told.setdefault(table.row.id, set()).add(guest)
                self._tasks[table.row.id, guest] = asyncio.create_task(self._tell(table, guest))

    def look_later(self, table: LiveTable) -> None:
        """Call `look` after the grace. Callers use this when a page was closed or hidden."""
        if self.reach and self._beginning and table.status == "playing" and table.row.id not in self._later:
            self._later.add(table.row.id)
            asyncio.get_running_loop().call_later(table.grace, self._look_again, table)

    def _look_again(self, table: LiveTable) -> None:
        self._later.discard(table.row.id)
        self.look(table)

    def seen(self, table: LiveTable, guest: str | None) -> None:
        """Delete a guest's notification for a table, because the guest looks at it. The next turn sends a new one."""
        if guest and guest in self._told.get(table.row.id, ()):
            self._drop({(table.row.id, guest)})

    def _drop(self, notices: set[tuple[str, str]]) -> None:
        """Cancel and delete notifications."""
        for table, guest in notices:
            self._untell(table, guest)
            if task := self._tasks.pop((table, guest), None):
                task.cancel()
        if notices:
            dropping = asyncio.create_task(self._drop_kept(notices))
            self._dropping.add(dropping)
            dropping.add_done_callback(self._dropping.discard)

    async def _drop_kept(self, notices: set[tuple[str, str]]) -> None:
        try:
            await self.context.writer.do(lambda c: repository.delete_notifications(c, notices))
        except SQLAlchemyError as error:
            log.error("notifications not deleted: the database refused: %s", database_reason(error))

    def _untell(self, table: str, guest: str) -> None:
        told = self._told.get(table, set())
        told.discard(guest)
        if not told:
            self._told.pop(table, None)

    def _due(self, table: LiveTable, way: DeliveryMethod | None = None) -> set[str]:
        """Return the guests whose turn it is, without a visible page of this table, that can be reached.

        `way` restricts the result to one delivery method; None: any method.
        """
        waited = table.waited_for - table.attentive()
        ways = {way} if way else set(self.post.ways)
        return {guest for guest in waited if guest in self.reach and self.post.can(self.reach[guest]) & ways}

    # --- sending ------------------------------------------------------------------------------------------------------

    async def _tell(self, table: LiveTable, guest: str) -> None:
        """Deliver a notification and store that it was sent, or delete it if it is not needed any more."""
        key = table.row.id, guest
        try:
            if await self._deliver(table, guest):
                await self.context.writer.do(lambda c: repository.save_notification(c, *key))
                log.info("table %s: turn notification done", table.row.id)
            else:  # it is not the guest's turn any more
                await self.context.writer.do(lambda c: repository.delete_notifications(c, [key]))
                self._untell(*key)
        except SQLAlchemyError as error:
            log.error("notification of table %s: the database refused: %s", table.row.id, database_reason(error))
        except CommandRefusedError:  # the guest's data were deleted meanwhile
            self._untell(*key)
        finally:
            if self._tasks.get(key) is asyncio.current_task():
                del self._tasks[key]

    async def _deliver(self, table: LiveTable, guest: str) -> bool:
        """Send a notification by all methods of a guest at once. Returns False if it is not needed any more."""
        await sleep(RETRY_DELAYS_S[0])
        if guest not in self._due(table):
            return False
        if not await self.context.writer.do(lambda c: repository.open_notification(c, table.row.id, guest)):
            return True
        ways = {"mail": self._deliver_mail, "hook": self._deliver_hook}
        done = await asyncio.gather(*(ways[way](table, guest) for way in self.post.can(self.reach[guest])))
        return any(done)

    async def _deliver_mail(self, table: LiveTable, guest: str) -> bool:
        """Send a mail, with retries.

        Returns True if it was sent, or given up after the last retry; False if it is not the guest's turn any more.
        """
        trouble = ""
        for pause in (0.0, *RETRY_DELAYS_S[1:]):
            await sleep(pause)
            if guest not in self._due(table, "mail"):
                return False
            reach = self.reach[guest]
            try:
                await self.post.send_mail(reach, self._notice(table, reach))
                return True
            except DeliveryError as why:
                trouble = str(why)
                log.info("table %s: mail not delivered: %s", table.row.id, trouble)
        log.warning("table %s: mail given up: %s", table.row.id, trouble)
        return True  # False would start a new notification at the next move

    async def _deliver_hook(self, table: LiveTable, guest: str) -> bool:
        """Send a message to a webhook, with retries.

        A webhook gets one message at a time, whatever the number of tables. It is switched off after as many failures
        in a row as RETRY_DELAYS_S has entries.

        Returns True if the message was sent or the webhook is switched off; False if it is not the guest's turn any
        more.
        """
        while guest in self._due(table, "hook"):
            reach = self.reach[guest]
            async with self.post.webhooks.turn(str(reach.webhook_url)) as receiver:
                if self.reach.get(guest) != reach or guest not in self._due(table, "hook"):
                    continue
                try:
                    await self.post.send_hook(reach, self._notice(table, reach), receiver, RETRY_DELAYS_S[1:])
                    return True
                except DeliveryError as why:
                    log.info("table %s: webhook message not delivered: %s", table.row.id, why)
                    if receiver.failures >= len(RETRY_DELAYS_S):
                        log.warning("webhook switched off after %d failures in a row: %s", receiver.failures, why)
                        self.post.webhooks.forget(str(reach.webhook_url))
                        await self.keep(replace(reach, webhook_disabled=1))
                        return True
        reach = self.reach.get(guest, NotificationSetting(guest))
        return bool(reach.webhook_disabled)

    def _notice(self, table: LiveTable, reach: NotificationSetting) -> TurnMessage:
        texts = self._texts(reach, table.row.game)
        link = f"{self.post.address}/t/{table.row.id}"
        stop = self.context.guests.signatures.mail("stop", reach.guest_id, str(reach.email)) if reach.email else ""
        page = f"{self.post.address}/mail/{stop}"
        return TurnMessage(
            game=table.row.game,
            table=table.row.id,
            line=texts.say("notice-turn", game=texts.say(table.row.game)),
            text=texts.say("notice-mail", game=texts.say(table.row.game), link=link, stop=page),
            link=link,
            stop=stop and f"{self.post.address}/api/mail/{stop}",
        )

    @staticmethod
    def _texts(reach: NotificationSetting, game: str = "") -> Catalog:
        from courtly.i18n.catalog import Catalog

        try:
            folders = [find_game(game).folder] if game else []
        except UnknownGameError:
            folders = []
        return Catalog(reach.language, *folders)

    # --- settings -----------------------------------------------------------------------------------------------------

    async def ask(self, reach: NotificationSetting) -> None:
        """Send a confirmation link to a new mail address. Raises DeliveryError if that fails."""
        texts = self._texts(reach)
        token = self.context.guests.signatures.mail("confirm", reach.guest_id, str(reach.email))
        link = f"{self.post.address}/mail/{token}"
        line, text = texts.say("notice-confirm"), texts.say("notice-confirm-mail", link=link)
        await self.post.send_mail(reach, TurnMessage("", "", line, text, link, ""))

    async def greet(self, reach: NotificationSetting) -> None:
        """Send a first message to a new webhook. Raises DeliveryError if that fails."""
        line = self._texts(reach).say("notice-hook")
        await self.post.send_hook(reach, TurnMessage("", "", line, line, self.post.address, ""))

    async def change(self, reach: NotificationSetting, greeted: bool) -> None:
        """Test new settings of a guest and store them.

        Args:
            reach: The new settings.
            greeted: Whether the webhook needs no first message, because there is none or it was tested before.

        Raises:
            CommandRefusedError: A message cannot be delivered, the settings were changed again meanwhile, or the
                guest's data were deleted meanwhile.
        """
        self._wishes[reach.guest_id] = reach
        way: DeliveryMethod = "hook"
        try:
            if not greeted:
                await self.greet(reach)
            way = "mail"
            if reach.email and not reach.email_confirmed:
                await self.ask(reach)
        except DeliveryError as why:
            raise CommandRefusedError(f"error-{way}", why="silent", status=why.status) from None
        finally:
            newest = self._wishes.get(reach.guest_id) is reach
            if newest:
                del self._wishes[reach.guest_id]
        if not newest:
            raise CommandRefusedError("error-stale")
        await self.keep(reach)

    async def forget(self, guest: str) -> None:
        """Delete all settings and notifications of a guest, and cancel messages that are being sent."""
        self._wishes.pop(guest, None)
        self.reach.pop(guest, None)
        tasks = [self._tasks[key] for key in self._tasks if key[1] == guest]
        self._drop({(table, guest) for table, told in self._told.items() if guest in told})
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.keep(NotificationSetting(guest))

    async def keep(self, reach: NotificationSetting) -> None:
        """Store a guest's settings, or delete them if they name neither a mail address nor a webhook."""
        await self.context.writer.do(lambda c: repository.save_notification_setting(c, reach))
        if reach.email or reach.webhook_url:
            self.reach[reach.guest_id] = reach
        else:
            self.reach.pop(reach.guest_id, None)
        self.context.peers.publish("reach")

    async def follow(self, token: str, do: bool) -> tuple[str, str]:
        """Return the purpose of a link in a mail ("confirm" or "stop") and the address. With `do`, carry it out.

        Raises CommandRefusedError if the link is invalid.
        """
        found = self.context.guests.signatures.read_mail(token)
        reach = self.reach.get(found[1]) if found else None
        if found is None or found[0] == "confirm" and (reach is None or reach.email != found[2]):
            raise CommandRefusedError("error-link-mail")
        what, _, mail = found
        if do and reach and reach.email == mail:
            await self.keep(replace(reach, email_confirmed=1) if what == "confirm" else replace(reach, email=None))
        return what, mail

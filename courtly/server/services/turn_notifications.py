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
from courtly.server.persistence.timeouts import STORAGE_RETRY_DELAY_S
from courtly.server.services.context import ServiceContext
from courtly.server.services.notification_delivery import (
    CHANNEL_ERRORS,
    DeliveryChannel,
    NotificationDelivery,
    TurnMessage,
)
from courtly.server.services.webhook_client import DeliveryError
from courtly.server.tables.table import LiveTable

if TYPE_CHECKING:
    from courtly.i18n.catalog import Catalog

RETRY_DELAYS_S = (0.0, 10.0, 60.0, 300.0, 1800.0, 7200.0)  # seconds before each try of a mail, or of a webhook

log = logging.getLogger("courtly.server")
sleep = asyncio.sleep  # tests replace it


class TurnNotifications:
    """Sends turn notifications while it is active, from `activate` to `deactivate`.

    Callers call `notify_due` after any change of a table, and `withdraw` when a guest looks at it.
    """

    def __init__(self, context: ServiceContext):
        self.context = context
        self.delivery = NotificationDelivery(context.settings)
        self.settings: dict[str, NotificationSetting] = {}  # guest -> notification settings
        self._notified: dict[str, set[str]] = {}  # table -> guests whose message was sent or is being sent
        self._untested: dict[str, NotificationSetting] = {}  # guest -> new settings that are being tested
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._dropping: set[asyncio.Task[None]] = set()
        self._activation: asyncio.Task[None] | None = None  # not None while this process sends notifications
        self._in_grace: set[str] = set()  # tables that are checked again when a player's grace is over

    async def load_settings(self) -> None:
        """Load the notification settings of all guests from the database."""
        if self.delivery.channels:
            self.settings = {
                setting.guest_id: setting
                for setting in await self.context.writer.do(repository.load_notification_settings)
            }

    async def activate(self) -> None:
        """Start sending notifications, with those that are stored and not sent yet."""
        if not self.delivery.channels:
            return
        pending = await self.context.writer.do(repository.load_pending_notifications)
        self._notified.clear()  # another process may have deleted some meanwhile
        for table, guest in [*pending, *self._tasks]:
            self._notified.setdefault(table, set()).add(guest)
        self._activation = asyncio.create_task(self._notify_all_tables())

    def deactivate(self) -> None:
        """Stop sending notifications, because another process does so from now on."""
        for task in [*self._tasks.values(), *([self._activation] if self._activation else [])]:
            task.cancel()
        self._notified.clear()
        self._activation = None

    async def close(self) -> None:
        tasks = [*self._tasks.values(), *self._dropping, *([self._activation] if self._activation else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.delivery.close()

    async def _notify_all_tables(self) -> None:
        for guest in list(self.settings):
            while not await self._load_tables(guest):
                await sleep(STORAGE_RETRY_DELAY_S)
            for table in self.context.tables.tables_of_guest(guest):
                self.notify_due(table)

    async def _load_tables(self, guest: str) -> bool:
        """Load a guest's tables. Returns False if the database refuses."""
        try:
            await self.context.tables.load_tables_of_guest(guest)
        except SQLAlchemyError as error:
            log.error("notifications delayed: the database refused: %s", database_reason(error))
            return False
        return True

    # --- recipients ---------------------------------------------------------------------------------------------------

    def notify_due(self, table: LiveTable) -> None:
        """Notify all players of a table who are away and whose turn it is. After the game, delete its notifications."""
        notified = self._notified.get(table.row.id, set())
        if table.status == "over":
            self._drop({(table.row.id, guest) for guest in notified})
        elif self.settings and self._activation:
            for guest in self._due_guests(table) - notified:
                self._notified.setdefault(table.row.id, set()).add(guest)
                self._tasks[table.row.id, guest] = asyncio.create_task(self._notify(table, guest))

    def notify_after_grace(self, table: LiveTable) -> None:
        """Call `notify_due` after the grace. Callers use this when a page was closed or hidden."""
        if self.settings and self._activation and table.status == "playing" and table.row.id not in self._in_grace:
            self._in_grace.add(table.row.id)
            asyncio.get_running_loop().call_later(table.grace, self._end_grace, table)

    def _end_grace(self, table: LiveTable) -> None:
        self._in_grace.discard(table.row.id)
        self.notify_due(table)

    def withdraw(self, table: LiveTable, guest: str | None) -> None:
        """Delete a guest's notification for a table, because the guest looks at it. The next turn sends a new one."""
        if guest and guest in self._notified.get(table.row.id, ()):
            self._drop({(table.row.id, guest)})

    def _drop(self, keys: set[tuple[str, str]]) -> None:
        """Cancel and delete notifications."""
        for table, guest in keys:
            self._forget_notified(table, guest)
            if task := self._tasks.pop((table, guest), None):
                task.cancel()
        if keys:
            deletion = asyncio.create_task(self._delete_stored(keys))
            self._dropping.add(deletion)
            deletion.add_done_callback(self._dropping.discard)

    async def _delete_stored(self, notices: set[tuple[str, str]]) -> None:
        try:
            await self.context.writer.do(lambda c: repository.delete_notifications(c, notices))
        except SQLAlchemyError as error:
            log.error("notifications not deleted: the database refused: %s", database_reason(error))

    def _forget_notified(self, table: str, guest: str) -> None:
        notified = self._notified.get(table, set())
        notified.discard(guest)
        if not notified:
            self._notified.pop(table, None)

    def _due_guests(self, table: LiveTable, channel: DeliveryChannel | None = None) -> set[str]:
        """Return the guests whose turn it is, without a visible page of this table, that can be reached.

        `channel` restricts the result to one channel; None: any channel.
        """
        absent_guests = table.guests_to_move - table.attentive_guests()
        channels = {channel} if channel else set(self.delivery.channels)
        return {
            guest
            for guest in absent_guests
            if guest in self.settings and self.delivery.usable_channels(self.settings[guest]) & channels
        }

    # --- sending ------------------------------------------------------------------------------------------------------

    async def _notify(self, table: LiveTable, guest: str) -> None:
        """Deliver a notification and store that it was sent, or delete it if it is not needed any more."""
        key = table.row.id, guest
        try:
            if await self._deliver(table, guest):
                await self.context.writer.do(lambda c: repository.save_notification(c, *key))
                log.info("table %s: turn notification done", table.row.id)
            else:  # it is not the guest's turn any more
                await self.context.writer.do(lambda c: repository.delete_notifications(c, [key]))
                self._forget_notified(*key)
        except SQLAlchemyError as error:
            log.error("notification of table %s: the database refused: %s", table.row.id, database_reason(error))
        except CommandRefusedError:  # the guest's data were deleted meanwhile
            self._forget_notified(*key)
        finally:
            if self._tasks.get(key) is asyncio.current_task():
                del self._tasks[key]

    async def _deliver(self, table: LiveTable, guest: str) -> bool:
        """Send a notification by all methods of a guest at once. Returns False if it is not needed any more."""
        await sleep(RETRY_DELAYS_S[0])
        if guest not in self._due_guests(table):
            return False
        if not await self.context.writer.do(lambda c: repository.open_notification(c, table.row.id, guest)):
            return True
        deliver = {"email": self._deliver_mail, "webhook": self._deliver_to_webhook}
        results = await asyncio.gather(
            *(deliver[channel](table, guest) for channel in self.delivery.usable_channels(self.settings[guest]))
        )
        return any(results)

    async def _deliver_mail(self, table: LiveTable, guest: str) -> bool:
        """Send a mail, with retries.

        Returns True if it was sent, or given up after the last retry; False if it is not the guest's turn any more.
        """
        reason = ""
        for pause in (0.0, *RETRY_DELAYS_S[1:]):
            await sleep(pause)
            if guest not in self._due_guests(table, "email"):
                return False
            setting = self.settings[guest]
            try:
                await self.delivery.send_mail(setting, self._make_message(table, setting))
                return True
            except DeliveryError as error:
                reason = str(error)
                log.info("table %s: mail not delivered: %s", table.row.id, reason)
        log.warning("table %s: mail given up: %s", table.row.id, reason)
        return True  # False would start a new notification at the next move

    async def _deliver_to_webhook(self, table: LiveTable, guest: str) -> bool:
        """Send a message to a webhook, with retries.

        A webhook gets one message at a time, whatever the number of tables. It is switched off after as many failures
        in a row as RETRY_DELAYS_S has entries.

        Returns True if the message was sent or the webhook is switched off; False if it is not the guest's turn any
        more.
        """
        while guest in self._due_guests(table, "webhook"):
            setting = self.settings[guest]
            async with self.delivery.webhooks.turn(str(setting.webhook_url)) as receiver:
                if self.settings.get(guest) != setting or guest not in self._due_guests(table, "webhook"):
                    continue
                try:
                    await self.delivery.send_to_webhook(
                        setting, self._make_message(table, setting), receiver, RETRY_DELAYS_S[1:]
                    )
                    return True
                except DeliveryError as error:
                    log.info("table %s: webhook message not delivered: %s", table.row.id, error)
                    if receiver.failures >= len(RETRY_DELAYS_S):
                        log.warning("webhook switched off after %d failures in a row: %s", receiver.failures, error)
                        self.delivery.webhooks.forget(str(setting.webhook_url))
                        await self.store(replace(setting, webhook_disabled=1))
                        return True
        setting = self.settings.get(guest, NotificationSetting(guest))
        return bool(setting.webhook_disabled)

    def _make_message(self, table: LiveTable, setting: NotificationSetting) -> TurnMessage:
        texts = self._texts(setting, table.row.game)
        link = f"{self.delivery.address}/t/{table.row.id}"
        stop = (
            self.context.guests.signatures.mail_token("stop", setting.guest_id, str(setting.email))
            if setting.email
            else ""
        )
        page = f"{self.delivery.address}/mail/{stop}"
        return TurnMessage(
            game=table.row.game,
            table=table.row.id,
            line=texts.format("notification-turn", game=texts.format(table.row.game)),
            text=texts.format("notification-mail", game=texts.format(table.row.game), link=link, stop=page),
            link=link,
            stop=stop and f"{self.delivery.address}/api/mail/{stop}",
        )

    @staticmethod
    def _texts(setting: NotificationSetting, game: str = "") -> Catalog:
        from courtly.i18n.catalog import Catalog

        try:
            folders = [find_game(game).folder] if game else []
        except UnknownGameError:
            folders = []
        return Catalog(setting.language, *folders)

    # --- settings -----------------------------------------------------------------------------------------------------

    async def send_confirmation(self, setting: NotificationSetting) -> None:
        """Send a confirmation link to a new mail address. Raises DeliveryError if that fails."""
        texts = self._texts(setting)
        token = self.context.guests.signatures.mail_token("confirm", setting.guest_id, str(setting.email))
        link = f"{self.delivery.address}/mail/{token}"
        line, text = texts.format("notification-confirm"), texts.format("notification-confirm-mail", link=link)
        await self.delivery.send_mail(setting, TurnMessage("", "", line, text, link, ""))

    async def send_first_message(self, setting: NotificationSetting) -> None:
        """Send a first message to a new webhook. Raises DeliveryError if that fails."""
        line = self._texts(setting).format("notification-webhook")
        await self.delivery.send_to_webhook(setting, TurnMessage("", "", line, line, self.delivery.address, ""))

    async def test_and_store(self, setting: NotificationSetting, is_tested: bool) -> None:
        """Test new settings of a guest and store them.

        Args:
            setting: The new settings. greeted: Whether the webhook needs no first message, because there is none or it
            was tested before.

        Raises:
            CommandRefusedError: A message cannot be delivered, the settings were changed again meanwhile, or the
                guest's data were deleted meanwhile.
        """
        self._untested[setting.guest_id] = setting
        channel: DeliveryChannel = "webhook"
        try:
            if not is_tested:
                await self.send_first_message(setting)
            channel = "email"
            if setting.email and not setting.email_confirmed:
                await self.send_confirmation(setting)
        except DeliveryError as error:
            raise CommandRefusedError(CHANNEL_ERRORS[channel], why="silent", status=error.status) from None
        finally:
            newest = self._untested.get(setting.guest_id) is setting
            if newest:
                del self._untested[setting.guest_id]
        if not newest:
            raise CommandRefusedError("error-stale")
        await self.store(setting)

    async def forget(self, guest: str) -> None:
        """Delete all settings and notifications of a guest, and cancel messages that are being sent."""
        self._untested.pop(guest, None)
        self.settings.pop(guest, None)
        tasks = [self._tasks[key] for key in self._tasks if key[1] == guest]
        self._drop({(table, guest) for table, notified in self._notified.items() if guest in notified})
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.store(NotificationSetting(guest))

    async def store(self, setting: NotificationSetting) -> None:
        """Store a guest's settings, or delete them if they name neither a mail address nor a webhook."""
        await self.context.writer.do(lambda c: repository.save_notification_setting(c, setting))
        if setting.email or setting.webhook_url:
            self.settings[setting.guest_id] = setting
        else:
            self.settings.pop(setting.guest_id, None)
        self.context.peers.publish("notification_settings")

    async def use_mail_link(self, token: str, carry_out: bool) -> tuple[str, str]:
        """Return the purpose of a link in a mail ("confirm" or "stop") and the address. `carry_out`: do what it asks.

        Raises CommandRefusedError if the link is invalid.
        """
        claim = self.context.guests.signatures.read_mail_token(token)
        setting = self.settings.get(claim[1]) if claim else None
        if claim is None or claim[0] == "confirm" and (setting is None or setting.email != claim[2]):
            raise CommandRefusedError("error-link-mail")
        action, _, email = claim
        if carry_out and setting and setting.email == email:
            await self.store(
                replace(setting, email_confirmed=1) if action == "confirm" else replace(setting, email=None)
            )
        return action, email

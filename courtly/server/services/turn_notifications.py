"""Word to people who are not here that it is their turn: by mail, or by a request to an address of theirs (a webhook).

For each person and game there is one message until they look. It is kept before it is sent and tried again with growing
pauses; then a mail is given up, and a webhook switched off, with a line in the log. No move waits for it. Its links
sign nobody in. Of several processes one tells all people; the others know how people want to be told.
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

RETRY_DELAYS_S = (0.0, 10.0, 60.0, 300.0, 1800.0, 7200.0)  # seconds before each try: of a mail, or of all to a webhook

log = logging.getLogger("courtly.server")
sleep = asyncio.sleep  # tests have a clock of their own


class TurnNotifications:
    """`look` after anything at a table has changed; `seen` when somebody comes to it. Nobody is told before it
    `begin`s."""

    def __init__(self, context: ServiceContext):
        self.context = context
        self.post = NotificationDelivery(context.settings)
        self.reach: dict[str, NotificationSetting] = {}  # guest -> how to be told
        self._told: dict[str, set[str]] = {}  # table -> guests to whom a message is sent, or on its way
        self._wishes: dict[str, NotificationSetting] = {}  # guest -> how to be told, while that is tried out
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._dropping: set[asyncio.Task[None]] = set()
        self._beginning: asyncio.Task[None] | None = None  # while this process tells people
        self._later: set[str] = set()  # tables that are looked at once a player's grace is over

    async def learn(self) -> None:
        """How people want to be told, as it is kept."""
        if self.post.ways:
            self.reach = {
                reach.guest: reach for reach in await self.context.writer.do(repository.load_notification_settings)
            }

    async def begin(self) -> None:
        """Take up what is kept; what was not sent is sent now."""
        if not self.post.ways:
            return
        kept = await self.context.writer.do(repository.load_pending_notifications)
        self._told.clear()  # another process may have dropped some meanwhile
        for table, guest in [*kept, *self._tasks]:
            self._told.setdefault(table, set()).add(guest)
        self._beginning = asyncio.create_task(self._look_everywhere())

    def rest(self) -> None:
        """Another process tells people from now on."""
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

    # --- who is to be told --------------------------------------------------------------------------------------------

    def look(self, table: LiveTable) -> None:
        """Tell everybody who is not here and can move now."""
        told = self._told.get(table.row.id, set())
        if table.status == "over":
            self._drop({(table.row.id, guest) for guest in told})
        elif self.reach and self._beginning:
            for guest in self._due(table) - told:
                self._told.setdefault(table.row.id, set()).add(guest)
                self._tasks[table.row.id, guest] = asyncio.create_task(self._tell(table, guest))

    def look_later(self, table: LiveTable) -> None:
        """A page has gone, or is hidden now: look once its player has had time to come back."""
        if self.reach and self._beginning and table.status == "playing" and table.row.id not in self._later:
            self._later.add(table.row.id)
            asyncio.get_running_loop().call_later(table.grace, self._look_again, table)

    def _look_again(self, table: LiveTable) -> None:
        self._later.discard(table.row.id)
        self.look(table)

    def seen(self, table: LiveTable, guest: str | None) -> None:
        """This person has looked at the table: at the next turn there is a message again."""
        if guest and guest in self._told.get(table.row.id, ()):
            self._drop({(table.row.id, guest)})

    def _drop(self, notices: set[tuple[str, str]]) -> None:
        """These are done with."""
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
            log.error("notices: the database refused: %s", database_reason(error))

    def _untell(self, table: str, guest: str) -> None:
        told = self._told.get(table, set())
        told.discard(guest)
        if not told:
            self._told.pop(table, None)

    def _due(self, table: LiveTable, way: DeliveryMethod | None = None) -> set[str]:
        """Return the guests that can move, have no page with this table in sight, and can be reached in this way; in
        any, if None."""
        waited = table.waited_for - table.attentive()
        ways = {way} if way else set(self.post.ways)
        return {guest for guest in waited if guest in self.reach and self.post.can(self.reach[guest]) & ways}

    # --- telling ------------------------------------------------------------------------------------------------------

    async def _tell(self, table: LiveTable, guest: str) -> None:
        key = table.row.id, guest
        try:
            if await self._deliver(table, guest):
                await self.context.writer.do(lambda c: repository.save_notification(c, *key))
                log.info("table %s: somebody who is not here is told", table.row.id)
            else:  # it is not this person's turn any more
                await self.context.writer.do(lambda c: repository.delete_notifications(c, [key]))
                self._untell(*key)
        except SQLAlchemyError as error:
            log.error("notices of table %s: the database refused: %s", table.row.id, database_reason(error))
        except CommandRefusedError:  # this person's data were deleted meanwhile
            self._untell(*key)
        finally:
            if self._tasks.get(key) is asyncio.current_task():
                del self._tasks[key]

    async def _deliver(self, table: LiveTable, guest: str) -> bool:
        """Send in every way there is, all at once. False: nothing was sent, and nothing is to be."""
        await sleep(RETRY_DELAYS_S[0])
        if guest not in self._due(table):
            return False
        if not await self.context.writer.do(lambda c: repository.open_notification(c, table.row.id, guest)):
            return True
        ways = {"mail": self._deliver_mail, "hook": self._deliver_hook}
        done = await asyncio.gather(*(ways[way](table, guest) for way in self.post.can(self.reach[guest])))
        return any(done)

    async def _deliver_mail(self, table: LiveTable, guest: str) -> bool:
        """Return whether it was sent, or given up after the last pause; False: it is not this guest's turn any more."""
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
                log.info("table %s: a notice is not delivered, mail: %s", table.row.id, trouble)
        log.warning("table %s: a notice is given up, mail: %s", table.row.id, trouble)
        return True  # or it would be tried again at every move

    async def _deliver_hook(self, table: LiveTable, guest: str) -> bool:
        """Return whether it was sent, or the webhook switched off; False: it is not this person's turn any more.

        A webhook gets one message at a time, whatever the number of tables, and is switched off after as many failures
        in a row as there are PAUSES.
        """
        while guest in self._due(table, "hook"):
            reach = self.reach[guest]
            async with self.post.webhooks.turn(str(reach.hook)) as receiver:
                if self.reach.get(guest) != reach or guest not in self._due(table, "hook"):
                    continue
                try:
                    await self.post.send_hook(reach, self._notice(table, reach), receiver, RETRY_DELAYS_S[1:])
                    return True
                except DeliveryError as why:
                    log.info("table %s: a notice is not delivered, hook: %s", table.row.id, why)
                    if receiver.failures >= len(RETRY_DELAYS_S):
                        log.warning(
                            "a webhook is switched off after %d failures in a row, last: %s", receiver.failures, why
                        )
                        self.post.webhooks.forget(str(reach.hook))
                        await self.keep(replace(reach, silent=1))
                        return True
        reach = self.reach.get(guest, NotificationSetting(guest))
        return bool(reach.silent)

    def _notice(self, table: LiveTable, reach: NotificationSetting) -> TurnMessage:
        texts = self._texts(reach, table.row.game)
        link = f"{self.post.address}/t/{table.row.id}"
        stop = self.context.guests.signatures.mail("stop", reach.guest, str(reach.mail)) if reach.mail else ""
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

    # --- how people are told ------------------------------------------------------------------------------------------

    async def ask(self, reach: NotificationSetting) -> None:
        """Have whoever reads mail there say yes. DeliveryError if it cannot be sent."""
        texts = self._texts(reach)
        link = (
            f"{self.post.address}/mail/{self.context.guests.signatures.mail('confirm', reach.guest, str(reach.mail))}"
        )
        line, text = texts.say("notice-confirm"), texts.say("notice-confirm-mail", link=link)
        await self.post.send_mail(reach, TurnMessage("", "", line, text, link, ""))

    async def greet(self, reach: NotificationSetting) -> None:
        """A first message to a hook. DeliveryError if it cannot be sent."""
        line = self._texts(reach).say("notice-hook")
        await self.post.send_hook(reach, TurnMessage("", "", line, line, self.post.address, ""))

    async def change(self, reach: NotificationSetting, greeted: bool) -> None:
        """From now on so, once it was tried out; `greeted`: its hook was before. CommandRefusedError if it cannot be,
        or if something else was wished for meanwhile, or its person forgotten."""
        self._wishes[reach.guest] = reach
        way: DeliveryMethod = "hook"
        try:
            if not greeted:
                await self.greet(reach)
            way = "mail"
            if reach.mail and not reach.confirmed:
                await self.ask(reach)
        except DeliveryError as why:
            raise CommandRefusedError(f"error-{way}", why="silent", status=why.status) from None
        finally:
            newest = self._wishes.get(reach.guest) is reach
            if newest:
                del self._wishes[reach.guest]
        if not newest:
            raise CommandRefusedError("error-stale")
        await self.keep(reach)

    async def forget(self, guest: str) -> None:
        """Of this person nothing is known any more, and nothing that is on its way is kept."""
        self._wishes.pop(guest, None)
        self.reach.pop(guest, None)
        tasks = [self._tasks[key] for key in self._tasks if key[1] == guest]
        self._drop({(table, guest) for table, told in self._told.items() if guest in told})
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.keep(NotificationSetting(guest))

    async def keep(self, reach: NotificationSetting) -> None:
        """From now on so, or not at all."""
        await self.context.writer.do(lambda c: repository.save_notification_setting(c, reach))
        if reach.mail or reach.hook:
            self.reach[reach.guest] = reach
        else:
            self.reach.pop(reach.guest, None)
        self.context.peers.publish("reach")

    async def follow(self, token: str, do: bool) -> tuple[str, str]:
        """What a link in a mail is for, confirm or stop, and the address. CommandRefusedError if it is false."""
        found = self.context.guests.signatures.read_mail(token)
        reach = self.reach.get(found[1]) if found else None
        if found is None or found[0] == "confirm" and (reach is None or reach.mail != found[2]):
            raise CommandRefusedError("error-link-mail")
        what, _, mail = found
        if do and reach and reach.mail == mail:
            await self.keep(replace(reach, confirmed=1) if what == "confirm" else replace(reach, mail=None))
        return what, mail

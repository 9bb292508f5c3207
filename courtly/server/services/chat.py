"""What people say at a table: words of their own, and courtesies, which each reader gets in the language of the page.
It is kept with the table, and told when it is on disk.

Who sits at the table is heard by everybody. Who looks on is heard by those who look on, and by the players once the
game is over: nobody shall be told what to do. That somebody looks on at all does not show before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import asdict
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import CommandRefusedError
from courtly.server.messaging.send_queue import encode
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import repository
from courtly.server.persistence.repository import ChatMessage, RevisionConflictError
from courtly.server.schemas.requests import PostChat
from courtly.server.security.rate_limits import GuestAndAddressLimit, TokenBucket
from courtly.server.services.context import ServiceContext
from courtly.server.tables.table import LiveTable, Subscriber
from courtly.server.timekeeping import now
from courtly.session import schemas
from courtly.session.text_cleaning import clean_text

PAGE_SIZE = 50  # sayings told at once; those before them are asked for
SPECTATOR_SHARE = 3  # all who look on at a table say together at most as much as so many people

log = logging.getLogger("courtly.server")

T = TypeVar("T")


class Chat:
    """`say` keeps and tells, `read` gives what was said."""

    def __init__(self, context: ServiceContext):
        self.context = context
        rate = context.settings.sayings_per_minute / 60
        self.people = GuestAndAddressLimit(rate, 15 * rate, context.settings.people_per_address)
        self.galleries = TokenBucket(SPECTATOR_SHARE * rate, SPECTATOR_SHARE * 15 * rate)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def say(self, table: LiveTable, guest: str, wish: PostChat, address: str) -> schemas.ChatMessage:
        """Somebody here says something. CommandRefusedError where the host wants quiet, and of those who say too
        much."""
        if (wish.text is None) == (wish.courtesy is None):
            raise CommandRefusedError("error-malformed", where="text", problem="one_of_two")
        text = None if wish.text is None else clean_text(wish.text)
        if table.gone:
            raise CommandRefusedError("error-unknown-table")
        if table.row.quiet:
            raise CommandRefusedError("error-quiet")
        seat = table.voice(guest)
        if not self.people.take(guest, address) or (seat is None and not self.galleries.take(table.row.id)):
            raise CommandRefusedError("error-too-fast")
        name = await self.context.guests.name(guest) if seat is None else table.seats[seat].name
        said = ChatMessage(now(), guest, seat, name, wish.courtesy, text)
        # shielded: who hangs up in the middle has said it all the same, and the others are told
        return self._told(await asyncio.shield(self._task(self._keep(table, said))), guest)

    async def _keep(self, table: LiveTable, said: ChatMessage) -> ChatMessage:
        try:
            kept = await self.context.writer.do(lambda c: repository.save_chat_message(c, table.row.id, said))
        except RevisionConflictError:
            raise CommandRefusedError("error-quiet") from None
        self.context.peers.publish("said", t=table.row.id, saying=asdict(kept))
        self.tell(table, kept)
        return kept

    def tell(self, table: LiveTable, kept: ChatMessage) -> None:
        """It is kept: tell those here who may hear it."""
        for listener in table.listeners:
            if kept.seat is not None or self._hears_all(table, listener.guest):
                told = self._told(kept, listener.guest)
                listener.outbox.put(encode({"type": "said", "saying": told}))

    async def read(self, table: LiveTable, guest: str | None, before: int | None = None) -> schemas.ChatPage:
        """The last sayings that this guest may hear, or the last before a time, the oldest first."""
        gallery = self._hears_all(table, guest)
        found = await self.context.writer.do(
            lambda c: repository.load_chat_messages(c, table.row.id, gallery, before, PAGE_SIZE + 1)
        )
        return {"sayings": [self._told(said, guest) for said in found[-PAGE_SIZE:]], "more": len(found) > PAGE_SIZE}

    def _hears_all(self, table: LiveTable, guest: str | None) -> bool:
        """Also those who look on?"""
        return table.status == "over" or not table.held(guest)

    def _told(self, said: ChatMessage, reader: str | None) -> schemas.ChatMessage:
        return {
            "at": said.at,
            "seat": said.seat,
            "name": said.name,
            "by": self.context.guests.signatures.alias(reader, said.guest),
            "you": said.guest == reader,
            "courtesy": said.courtesy,
            "text": said.text,
        }

    def greet(self, table: LiveTable, *listeners: Subscriber) -> None:
        """Tell these what was said so far, if anything was: they have come, or may hear more than before."""
        for listener in listeners:
            self._task(self._greet(table, listener))

    async def _greet(self, table: LiveTable, listener: Subscriber) -> None:
        try:
            talk = await self.read(table, listener.guest)
        except SQLAlchemyError as error:
            log.error("what was said at table %s: the database refused: %s", table.row.id, database_reason(error))
            return
        if talk["sayings"]:
            listener.outbox.put(encode({"type": "talk", **talk}))

    def over(self, table: LiveTable) -> None:
        """The game is over: the players hear what those have said who looked on."""
        self.greet(table, *(listener for listener in table.listeners if table.held(listener.guest)))

    def _task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # or it might be forgotten while it runs
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

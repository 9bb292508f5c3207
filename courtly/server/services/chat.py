"""The chat of a table: free text, and canned messages, which each client shows in its own language.

Messages are stored with the table, and sent to clients after the commit. Players' messages reach everyone. Spectators'
messages reach spectators only until the game ends, so that they cannot coach and players do not learn of them.
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

PAGE_SIZE = 50  # messages in one response
SPECTATOR_SHARE = 3  # the rate limit of all spectators of a table together, in multiples of one guest's

log = logging.getLogger("courtly.server")

T = TypeVar("T")


class Chat:
    """Stores chat messages and sends them to clients."""

    def __init__(self, context: ServiceContext):
        self.context = context
        rate = context.settings.chat_messages_per_minute / 60
        self.rate_limit = GuestAndAddressLimit(rate, 15 * rate, context.settings.people_per_address)
        self.spectator_limit = TokenBucket(SPECTATOR_SHARE * rate, SPECTATOR_SHARE * 15 * rate)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def post(self, table: LiveTable, guest: str, body: PostChat, address: str) -> schemas.ChatMessage:
        """Post a guest's message and return it.

        Raises CommandRefusedError if the message is invalid, the table was removed, the chat is muted, or the guest,
        the address or the table's spectators have posted too much.
        """
        if (body.text is None) == (body.canned_message is None):
            raise CommandRefusedError("error-malformed", where="text", problem="one_of_two")
        text = None if body.text is None else clean_text(body.text)
        if table.is_removed:
            raise CommandRefusedError("error-unknown-table")
        if table.row.chat_muted:
            raise CommandRefusedError("error-chat-muted")
        seat = table.main_seat(guest)
        if not self.rate_limit.take(guest, address) or (seat is None and not self.spectator_limit.take(table.row.id)):
            raise CommandRefusedError("error-too-fast")
        name = await self.context.guests.load_name(guest) if seat is None else table.seats[seat].name
        message = ChatMessage(now(), guest, seat, name, body.canned_message, text)
        # shielded: the message is stored and sent even if the client disconnects meanwhile
        return self._message_for(await asyncio.shield(self._start_task(self._store(table, message))), guest)

    async def _store(self, table: LiveTable, message: ChatMessage) -> ChatMessage:
        try:
            stored = await self.context.writer.do(lambda c: repository.save_chat_message(c, table.row.id, message))
        except RevisionConflictError:
            raise CommandRefusedError("error-chat-muted") from None
        self.context.peers.publish("chat_message", t=table.row.id, message=asdict(stored))
        self.publish(table, stored)
        return stored

    def publish(self, table: LiveTable, message: ChatMessage) -> None:
        """Send a stored message to the connected clients that may read it."""
        for subscriber in table.subscribers:
            if message.seat is not None or self._may_read_all(table, subscriber.guest):
                payload = self._message_for(message, subscriber.guest)
                subscriber.outbox.put(encode({"type": "chat_message", "message": payload}))

    async def read(self, table: LiveTable, guest: str | None, before: int | None = None) -> schemas.ChatPage:
        """Return the newest messages that a guest may read, or the newest before a time, the oldest first."""
        with_spectators = self._may_read_all(table, guest)
        messages = await self.context.writer.do(
            lambda c: repository.load_chat_messages(c, table.row.id, with_spectators, before, PAGE_SIZE + 1)
        )
        return {
            "messages": [self._message_for(message, guest) for message in messages[-PAGE_SIZE:]],
            "more": len(messages) > PAGE_SIZE,
        }

    def _may_read_all(self, table: LiveTable, guest: str | None) -> bool:
        """Return whether a guest may read the spectators' messages."""
        return table.status == "over" or not table.seats_of(guest)

    def _message_for(self, message: ChatMessage, reader: str | None) -> schemas.ChatMessage:
        """Return a message as sent to one reader."""
        return {
            "sent_at": message.sent_at,
            "seat": message.seat,
            "name": message.name,
            "author": self.context.guests.signatures.alias(reader, message.guest_id),
            "you": message.guest_id == reader,
            "canned_message": message.canned_message,
            "text": message.text,
        }

    def send_newest(self, table: LiveTable, *subscribers: Subscriber) -> None:
        """Send the newest messages to clients that have connected, or that may now read more than before."""
        for subscriber in subscribers:
            self._start_task(self._send_newest(table, subscriber))

    async def _send_newest(self, table: LiveTable, subscriber: Subscriber) -> None:
        try:
            page = await self.read(table, subscriber.guest)
        except SQLAlchemyError as error:
            log.error("chat of table %s not read: the database refused: %s", table.row.id, database_reason(error))
            return
        if page["messages"]:
            subscriber.outbox.put(encode({"type": "chat_page", **page}))

    def send_all_to_players(self, table: LiveTable) -> None:
        """Send the chat with the spectators' messages to the players, after the end of the game."""
        self.send_newest(table, *(subscriber for subscriber in table.subscribers if table.seats_of(subscriber.guest)))

    def _start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # asyncio keeps only a weak reference to a task
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

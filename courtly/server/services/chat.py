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
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import CommandRefusedError
from courtly.server.messaging.send_queue import encode
from courtly.server.observability.log_setup import reason
from courtly.server.persistence import repository
from courtly.server.persistence.repository import Conflict, Saying
from courtly.server.schemas.requests import Say
from courtly.server.security.rate_limits import Bucket, Share
from courtly.server.tables.table import Listener, Table
from courtly.server.timekeeping import now
from courtly.session import schemas
from courtly.session.text_cleaning import clean_text

if TYPE_CHECKING:
    from courtly.server.application import House

SHOWN = 50  # sayings told at once; those before them are asked for
GALLERY = 3  # all who look on at a table say together at most as much as so many people

log = logging.getLogger("courtly.server")

T = TypeVar("T")


class Talk:
    """`say` keeps and tells, `read` gives what was said."""

    def __init__(self, house: House):
        self.house = house
        rate = house.settings.sayings_per_minute / 60
        self.people = Share(rate, 15 * rate, house.settings.people_per_address)
        self.galleries = Bucket(GALLERY * rate, GALLERY * 15 * rate)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def say(self, table: Table, guest: str, wish: Say, address: str) -> schemas.Saying:
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
        name = await self.house.name(guest) if seat is None else table.seats[seat].name
        said = Saying(now(), guest, seat, name, wish.courtesy, text)
        # shielded: who hangs up in the middle has said it all the same, and the others are told
        return self._told(await asyncio.shield(self._task(self._keep(table, said))), guest)

    async def _keep(self, table: Table, said: Saying) -> Saying:
        try:
            kept = await self.house.writer.do(lambda c: repository.keep_saying(c, table.row.id, said))
        except Conflict:
            raise CommandRefusedError("error-quiet") from None
        self.house.peers.tell("said", t=table.row.id, saying=asdict(kept))
        self.tell(table, kept)
        return kept

    def tell(self, table: Table, kept: Saying) -> None:
        """It is kept: tell those here who may hear it."""
        for listener in table.listeners:
            if kept.seat is not None or self._hears_all(table, listener.guest):
                told = self._told(kept, listener.guest)
                listener.outbox.put(encode({"type": "said", "saying": told}))

    async def read(self, table: Table, guest: str | None, before: int | None = None) -> schemas.Talk:
        """The last sayings that this guest may hear, or the last before a time, the oldest first."""
        gallery = self._hears_all(table, guest)
        found = await self.house.writer.do(
            lambda c: repository.load_sayings(c, table.row.id, gallery, before, SHOWN + 1)
        )
        return {"sayings": [self._told(said, guest) for said in found[-SHOWN:]], "more": len(found) > SHOWN}

    def _hears_all(self, table: Table, guest: str | None) -> bool:
        """Also those who look on?"""
        return table.status == "over" or not table.held(guest)

    def _told(self, said: Saying, reader: str | None) -> schemas.Saying:
        return {
            "at": said.at,
            "seat": said.seat,
            "name": said.name,
            "by": self.house.signatures.alias(reader, said.guest),
            "you": said.guest == reader,
            "courtesy": said.courtesy,
            "text": said.text,
        }

    def greet(self, table: Table, *listeners: Listener) -> None:
        """Tell these what was said so far, if anything was: they have come, or may hear more than before."""
        for listener in listeners:
            self._task(self._greet(table, listener))

    async def _greet(self, table: Table, listener: Listener) -> None:
        try:
            talk = await self.read(table, listener.guest)
        except SQLAlchemyError as error:
            log.error("what was said at table %s: the database refused: %s", table.row.id, reason(error))
            return
        if talk["sayings"]:
            listener.outbox.put(encode({"type": "talk", **talk}))

    def over(self, table: Table) -> None:
        """The game is over: the players hear what those have said who looked on."""
        self.greet(table, *(listener for listener in table.listeners if table.held(listener.guest)))

    def _task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # or it might be forgotten while it runs
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)

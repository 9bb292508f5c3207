"""The browser's files of the last versions, in the database: while one version takes the place of another on many
servers, a page of either may ask any server for its files. Of one server on SQLite nobody asks for those of another."""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import time
from functools import partial

from sqlalchemy import Connection, delete, select
from sqlalchemy.exc import SQLAlchemyError

from courtly.server.assets.bundle import File, Statics
from courtly.server.observability.log_setup import reason
from courtly.server.persistence.group_commit import Writer
from courtly.server.persistence.repository import insert_new
from courtly.server.persistence.schema import EDITIONS, FILES
from courtly.server.timekeeping import now

KEPT = 3  # versions
REMEMBERED = 500  # files of others in memory
FRESH = 0.25  # seconds for which it is known which files there are
BUSY = 60_000  # ms in which whoever began to keep a version has done so
AGAIN = 5.0  # seconds before another try, where the database refuses

EDITION = re.compile(r"[0-9a-f]{16}")

log = logging.getLogger("courtly.server")


class Editions:
    """Made once the house is open. What is kept is written file by file, so that no move waits for it; and read one by
    one, whoever asks for how many: of files that are nowhere the database hears four times a second."""

    def __init__(self, writer: Writer, statics: Statics):
        self.writer = writer
        self.statics = statics
        self._known: dict[tuple[str, str], File] = {}
        self._there: set[tuple[str, str]] = set()
        self._looked = -FRESH
        self._reading = asyncio.Lock()
        shared = writer.engine.dialect.name == "postgresql" and not statics.dev
        self._keeping = asyncio.create_task(self._keep()) if shared else None

    def close(self) -> None:
        if self._keeping:
            self._keeping.cancel()

    async def find(self, edition: str, path: str) -> File | None:
        """A file of another version."""
        if not self._keeping or not EDITION.fullmatch(edition) or "\0" in path:  # which no database takes
            return None
        key = edition, path
        if key in self._known:
            return self._known[key]
        async with self._reading:
            if key not in self._known and await self._is_there(key):
                found = await self.writer.do(lambda c: _load(c, edition, path))
                if found is not None:
                    self._known[key] = found
                if len(self._known) > REMEMBERED:
                    del self._known[next(iter(self._known))]
            return self._known.get(key)

    async def _is_there(self, key: tuple[str, str]) -> bool:
        """It may be on its way."""
        if key not in self._there and time.monotonic() - self._looked >= FRESH:
            self._there = await self.writer.do(_list)
            self._looked = time.monotonic()
        return key in self._there

    async def _keep(self) -> None:
        edition = self.statics.hash
        while True:
            try:
                there = await self.writer.do(partial(_begin, edition=edition, at=now()))
                if there is not None:
                    for path in self.statics.files.keys() - there:
                        await self.writer.do(partial(_save, edition=edition, path=path, file=self.statics.files[path]))
                    return
                await asyncio.sleep(BUSY / 1000)  # whoever is at it may not come to its end
            except SQLAlchemyError as error:
                log.error("the files of this version are not kept for others yet: %s", reason(error))
                await asyncio.sleep(AGAIN)


def _begin(connection: Connection, edition: str, at: int) -> set[str] | None:
    """What is kept of a version already; None: another process is just at it. A new one takes the place of the
    oldest."""
    e = EDITIONS.c
    made = insert_new(connection, EDITIONS).returning(e.hash)
    if connection.execute(made, {"hash": edition, "since": at}).first() is None:
        fresh = connection.execute(
            select(e.hash).where(e.hash == edition, e.since.between(at - BUSY, at + BUSY))
        ).first()
        paths = connection.execute(select(FILES.c.path).where(FILES.c.hash == edition))
        return None if fresh else set(paths.scalars())
    newest = select(e.hash).order_by(e.since.desc()).limit(KEPT)
    connection.execute(delete(EDITIONS).where(e.hash.not_in(newest)))
    return set()


def _save(connection: Connection, edition: str, path: str, file: File) -> None:
    body = {"packed": int(file.packed is not None), "body": file.packed or file.plain}
    connection.execute(insert_new(connection, FILES), {"hash": edition, "path": path, "type": file.type, **body})


def _list(connection: Connection) -> set[tuple[str, str]]:
    """The files of all versions."""
    return {(row.hash, row.path) for row in connection.execute(select(FILES.c.hash, FILES.c.path))}


def _load(connection: Connection, edition: str, path: str) -> File | None:
    found = connection.execute(select(FILES).where(FILES.c.hash == edition, FILES.c.path == path)).first()
    if found is None:
        return None
    plain = gzip.decompress(found.body) if found.packed else found.body
    return File(found.type, plain, found.body if found.packed else None)

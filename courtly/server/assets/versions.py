"""Browser files of the newest versions of Courtly, stored in the database.

During a rolling upgrade, a page of one version may request its files from a process of another version. With SQLite
there is only one process, so nothing is stored.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import time
from functools import partial

from sqlalchemy import Connection, delete, select
from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import CommandRefusedError
from courtly.server.assets.asset import Asset
from courtly.server.assets.bundle import AssetBundle
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.repository import insert_new
from courtly.server.persistence.schema import ASSET_FILES, ASSET_VERSIONS
from courtly.server.timekeeping import now

MAX_VERSIONS = 3
MAX_CACHED_ASSETS = 500  # files of other versions in memory
INDEX_TTL_S = 0.25  # seconds for which the list of stored files is cached
SAVE_TIMEOUT_MS = 60_000  # milliseconds for a process to store a version; afterwards another process may continue
RETRY_DELAY_S = 5.0  # seconds before a retry after a database error

VERSION_PATTERN = re.compile(r"[0-9a-f]{16}")

log = logging.getLogger("courtly.server")


class AssetVersions:
    """The stored browser files. Creating it starts to store the files of this version.

    Files are written one by one, so that moves do not wait long for the database thread. They are also read one by one;
    requests for unknown files query the database at most once in INDEX_TTL_S.
    """

    def __init__(self, writer: GroupCommitWriter, statics: AssetBundle):
        self.writer = writer
        self.statics = statics
        self._cached_files: dict[tuple[str, str], Asset] = {}
        self._stored_keys: set[tuple[str, str]] = set()
        self._index_read_at = -INDEX_TTL_S
        self._read_lock = asyncio.Lock()
        is_shared = writer.engine.dialect.name == "postgresql" and not statics.dev
        self._store_task = asyncio.create_task(self._store_version()) if is_shared else None

    def close(self) -> None:
        if self._store_task:
            self._store_task.cancel()

    async def find(self, edition: str, path: str) -> Asset | None:
        """Return a file of another version; None if it is not stored."""
        if not self._store_task or not VERSION_PATTERN.fullmatch(edition) or "\0" in path:  # PostgreSQL rejects NUL
            return None
        key = edition, path
        if key in self._cached_files:
            return self._cached_files[key]
        async with self._read_lock:
            if key not in self._cached_files and await self._is_stored(key):
                asset = await self.writer.do(lambda c: _load(c, edition, path))
                if asset is not None:
                    self._cached_files[key] = asset
                if len(self._cached_files) > MAX_CACHED_ASSETS:
                    del self._cached_files[next(iter(self._cached_files))]
            return self._cached_files.get(key)

    async def _is_stored(self, key: tuple[str, str]) -> bool:
        """Return whether a file is stored, as far as the cached list knows. Refreshes the list if it is too old."""
        if key not in self._stored_keys and time.monotonic() - self._index_read_at >= INDEX_TTL_S:
            self._stored_keys = await self.writer.do(_list)
            self._index_read_at = time.monotonic()
        return key in self._stored_keys

    async def _store_version(self) -> None:
        """Store the files of this version, unless another process does so."""
        edition = self.statics.hash
        while True:
            try:
                stored_paths = await self.writer.do(partial(_claim_version, edition=edition, at=now()))
                if stored_paths is not None:
                    for path in self.statics.paths():
                        if path not in stored_paths and (file := await self._find(path)):
                            await self.writer.do(partial(_save, edition=edition, path=path, file=file))
                    return
                await asyncio.sleep(SAVE_TIMEOUT_MS / 1000)  # the other process may end before it is done
            except SQLAlchemyError as error:
                log.error("browser files of this version are not stored yet: %s", database_reason(error))
                await asyncio.sleep(RETRY_DELAY_S)

    async def _find(self, path: str) -> Asset | None:
        """Return a file of this version; None for a game that cannot be compiled here."""
        try:
            return await self.statics.find(path)
        except CommandRefusedError:
            return None


def _claim_version(connection: Connection, edition: str, at: int) -> set[str] | None:
    """Claim the storing of a version. A new version replaces the oldest one.

    Returns the paths that are stored already, or None if another process is storing the version.
    """
    e = ASSET_VERSIONS.c
    insertion = insert_new(connection, ASSET_VERSIONS).returning(e.hash)
    if connection.execute(insertion, {"hash": edition, "added_at": at}).first() is None:
        inserted = connection.execute(
            select(e.hash).where(e.hash == edition, e.added_at.between(at - SAVE_TIMEOUT_MS, at + SAVE_TIMEOUT_MS))
        ).first()
        paths = connection.execute(select(ASSET_FILES.c.path).where(ASSET_FILES.c.hash == edition))
        return None if inserted else set(paths.scalars())
    newest = select(e.hash).order_by(e.added_at.desc()).limit(MAX_VERSIONS)
    connection.execute(delete(ASSET_VERSIONS).where(e.hash.not_in(newest)))
    return set()


def _save(connection: Connection, edition: str, path: str, file: Asset) -> None:
    body = {"is_compressed": int(file.packed is not None), "body": file.packed or file.plain}
    connection.execute(insert_new(connection, ASSET_FILES), {"hash": edition, "path": path, "type": file.type, **body})


def _list(connection: Connection) -> set[tuple[str, str]]:
    """Return version and path of all stored files."""
    return {(row.hash, row.path) for row in connection.execute(select(ASSET_FILES.c.hash, ASSET_FILES.c.path))}


def _load(connection: Connection, edition: str, path: str) -> Asset | None:
    row = connection.execute(
        select(ASSET_FILES).where(ASSET_FILES.c.hash == edition, ASSET_FILES.c.path == path)
    ).first()
    if row is None:
        return None
    plain = gzip.decompress(row.body) if row.is_compressed else row.body
    return Asset(row.type, plain, row.body if row.is_compressed else None)

"""`courtly serve --dev`, for authors: what they save is seen at once in every open page. Nothing of this exists
otherwise."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from pathlib import Path

from fastapi import APIRouter, WebSocket

from courtly.engine.game import find_game, game_ids
from courtly.server.api import described
from courtly.server.house import House
from courtly.server.outbox import Outbox
from courtly.server.sockets import connected
from courtly.server.statics import PACKED, TYPES

LOOK = 0.4  # seconds between looks at the files
SHOWN = TYPES.keys() - PACKED  # what browsers load
RULES = {".py", ".toml", ".json"}  # what is read when the server starts

dev = APIRouter()
log = logging.getLogger("courtly.server")


class Workshop:
    """Looks at the files of the house and its games. `pages`: where those that are open are told; `changed`: a file
    that the server has read and that is another by now."""

    def __init__(self, house: House):
        self.house = house
        self.run = secrets.token_hex(4)  # another server, other rules
        self.pages: set[Outbox] = set()
        self.changed = ""
        self._watching = asyncio.create_task(self._watch())

    def close(self) -> None:
        self._watching.cancel()

    async def _watch(self) -> None:
        known = await asyncio.to_thread(self._files)
        while True:
            await asyncio.sleep(LOOK)
            now = await asyncio.to_thread(self._files)
            changed = {path for path, _ in known.items() ^ now.items()}
            if not changed:
                continue
            try:
                self._tell(changed)
                known = now
            except OSError:  # it is just being written: look again
                pass

    def _files(self) -> dict[Path, tuple[int, int]]:
        """When each was written, and its size."""
        found = {}
        for folder in (self.house.statics.web, *(find_game(game).folder for game in game_ids())):
            for path in folder.rglob("*"):
                if path.suffix in SHOWN | RULES and (stat := _stat(path)):
                    found[path] = stat
        return found

    def _tell(self, changed: set[Path]) -> None:
        rules = sorted(str(path) for path in changed if path.suffix in RULES)
        if rules:
            self.changed = rules[0]
            log.warning("%s has changed: start the server again", ", ".join(rules))
        if any(path.suffix in SHOWN for path in changed):
            self.house.statics.read()
            described.cache_clear()
        for page in self.pages:
            self.greet(page)

    def greet(self, page: Outbox) -> None:
        """Tell a page what it cannot know."""
        page.put(json.dumps({"type": "page", "hash": self.house.statics.hash}))
        page.put(json.dumps({"type": "rules", "run": self.run, "changed": self.changed}))


def _stat(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:  # gone meanwhile
        return None
    return stat.st_mtime_ns, stat.st_size


@dev.websocket("/ws/dev")
async def pages(socket: WebSocket) -> None:
    """Every open page has this socket beside its own."""
    workshop: Workshop = socket.app.state.workshop
    async with connected(socket) as connection:
        if connection is None:
            return
        workshop.pages.add(connection.outbox)
        workshop.greet(connection.outbox)

        async def listen() -> int:
            while True:
                await connection.read()

        try:
            await connection.run(listen)
        finally:
            workshop.pages.discard(connection.outbox)

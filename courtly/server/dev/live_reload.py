"""Live reload of `courtly serve --dev`: open pages show saved files at once. It is not active without `--dev`."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fastapi import APIRouter
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from courtly.engine.game import UnknownGameError, find_external_packages, find_game, find_package_folder, game_ids
from courtly.server.application import Application
from courtly.server.assets.asset import INCOMPRESSIBLE_SUFFIXES, MEDIA_TYPES
from courtly.server.http.routes.games import describe_games
from courtly.server.messaging.send_queue import SendQueue
from courtly.server.realtime.websockets import SocketEndpoint, accept_connection

POLL_INTERVAL_S = 0.4  # seconds between checks of the files
BROWSER_SUFFIXES = MEDIA_TYPES.keys() - INCOMPRESSIBLE_SUFFIXES  # files that browsers load
SERVER_SUFFIXES = {".py", ".toml", ".json"}  # files that the server reads at its start
LOAD_PROGRAM = (
    "import sys; from courtly.engine.game import Game, load_game\n"
    "for game in map(load_game, sys.argv[1:]):\n    if not isinstance(game, Game): print(game)"
)

dev = APIRouter()
log = logging.getLogger("courtly.server")


class LiveReload:
    """A task that watches the files of Courtly and of all games.

    Attributes:
        restart: Restarts the server.
        run: A random id of this server run. A page that sees another id knows that the server was restarted.
        pages: The queues of all open pages.
        changed: The changed file because of which the server restarts; empty: none.
        load_error: The reason why the changed rules cannot be loaded; empty: none.
    """

    def __init__(self, application: Application, restart: Callable[[], None]):
        self.application = application
        self.restart = restart
        self.run = secrets.token_hex(4)  # another server, other rules
        self.pages: set[SendQueue] = set()
        self.changed = self.load_error = ""
        self._watch_task = asyncio.create_task(self._watch())

    def close(self) -> None:
        self._watch_task.cancel()

    async def _watch(self) -> None:
        known_files = await asyncio.to_thread(self._files)
        with suppress(OSError):  # one may have been saved after the server read it
            await self._reload_changed({path for path in known_files if path.suffix in BROWSER_SUFFIXES})
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            now = await asyncio.to_thread(self._files)
            changed = {path for path, _ in known_files.items() ^ now.items()}
            if not changed:
                continue
            try:
                await self._reload_changed(changed)
                known_files = now
            except OSError:  # a file is being written; the next check tries again
                pass

    def _files(self) -> dict[Path, tuple[int, int]]:
        """Return modification time and size of each watched file."""
        stamps = {}
        for folder in (self.application.assets.web, *game_folders()):
            for path in folder.rglob("*"):
                if path.suffix in BROWSER_SUFFIXES | SERVER_SUFFIXES and (stat := _stamp(path)):
                    stamps[path] = stat
        return stamps

    async def _reload_changed(self, changed: set[Path]) -> None:
        """Handle changed files.

        Browser files are read again at once. Changed rules restart the server, which then continues all games, as soon
        as they can be loaded.
        """
        if any(path.suffix in BROWSER_SUFFIXES for path in changed):
            self.application.assets.read()
            describe_games.cache_clear()
        rules = sorted(path for path in changed if path.suffix in SERVER_SUFFIXES)
        if rules:
            self.load_error = await _load_errors(rules)
            self.changed = "" if self.load_error else str(rules[0])
            if self.load_error:
                log.warning("changed rules cannot be loaded, the server keeps the old ones: %s", self.load_error)
            else:
                log.warning("changed: %s: restarting the server", ", ".join(map(str, rules)))
        for page in self.pages:
            self.send_state(page)
        if self.changed:
            self.restart()

    def send_state(self, page: SendQueue) -> None:
        """Send a page the hash of the browser files, and the state of the rules."""
        page.put(json.dumps({"type": "page", "hash": self.application.assets.hash}))
        page.put(json.dumps({"type": "rules", "run": self.run, "changed": self.changed, "wrong": self.load_error}))


def game_folders() -> dict[Path, str]:
    """Return the folders of all games, each with its package. Includes games that cannot be loaded."""
    packages = {}
    for package in (*(find_game(game).package for game in game_ids()), *find_external_packages().values()):
        with suppress(UnknownGameError):
            packages[find_package_folder(package)] = package
    return packages


async def _load_errors(files: list[Path]) -> str:
    """Load the games to which these files belong, in another process. Returns the error message; empty: none."""
    packages = {package for folder, package in game_folders().items() if any(folder in file.parents for file in files)}
    trial = await asyncio.create_subprocess_exec(sys.executable, "-c", LOAD_PROGRAM, *sorted(packages), stdout=PIPE)
    output, _ = await trial.communicate()
    return output.decode().strip()


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return modification time and size of a file; None if it does not exist."""
    try:
        stat = path.stat()
    except OSError:  # the file was deleted meanwhile
        return None
    return stat.st_mtime_ns, stat.st_size


async def serve_page_socket(socket: WebSocket) -> None:
    """Serve /ws/dev, which every page opens in `--dev` beside its own WebSocket."""
    live_reload: LiveReload = socket.app.state.live_reload
    async with accept_connection(socket) as connection:
        if connection is None:
            return
        live_reload.pages.add(connection.outbox)
        live_reload.send_state(connection.outbox)

        async def listen() -> int:
            while True:
                await connection.read()

        try:
            await connection.run(listen)
        finally:
            live_reload.pages.discard(connection.outbox)


LIVE_RELOAD_ROUTE = WebSocketRoute("/ws/dev", SocketEndpoint(serve_page_socket))

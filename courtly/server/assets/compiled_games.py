"""The games as WebAssembly, as files for browsers.

Each is compiled when a browser first asks for it, in a process of its own. The files are kept on disk
(bots/browser_files.py), so that this happens once for each version of a game.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import sys
from collections.abc import Iterator
from functools import cache
from subprocess import DEVNULL, PIPE

from courtly.bots.browser_files import BrowserFiles, find_stored_files, hash_sources, read_output
from courtly.bots.registry import BOT_LEVELS, load_win_rates
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native.loader import find_obstacle
from courtly.engine.position import CommandRefusedError
from courtly.engine.scenarios.lesson import LESSON_FILE, load_lesson
from courtly.i18n.titles import read_title
from courtly.server.assets.asset import JSON_TYPE, Asset, compress, json_bytes
from courtly.session import schemas

AHEAD_NICENESS = 19  # of processes that compile what no browser waits for
PROGRAM = sys.executable, "-m", "courtly.bots.browser_files"
FOLDER = "web/compiled/"
CODE_TYPE = "application/wasm"
CODE_SUFFIX, DESCRIPTION_SUFFIX, LESSON_SUFFIX = ".wasm", ".json", "-lesson.json"

log = logging.getLogger("courtly.server")


def describe_game(game: Game) -> schemas.GameInfo:
    """Return a game's description for a page without a server, with the bots that play in the browser."""
    win_rates = load_win_rates(game)
    bots: list[schemas.BotLevel] = [
        {"name": name, "ready": True, "wins": win_rates.get(name, {})} for name in BOT_LEVELS
    ]
    return {**game.about(), "bots": bots, "help_available": False}


def list_game(game: Game, board_files: list[str]) -> schemas.OfflineGame:
    """Return what a page without a server needs to know of a game before it is chosen."""
    return {
        "id": game.id,
        "lesson": (game.folder / LESSON_FILE).exists(),
        "titles": {language: read_title(game.folder, game.id, language) for language in LANGUAGES},
        "board_files": board_files,
    }


class CompiledGames:
    """The files of all games.

    Attributes:
        hash: A hash of everything that they depend on.
        paths: Their paths: for each game GAME.wasm and GAME.json, and GAME-lesson.json if it has a lesson.
    """

    def __init__(self) -> None:
        self._games = {game: find_game(game) for game in game_ids()}
        sources = [f"{game} {hash_sources(rules)} {hash_lesson(rules)}" for game, rules in self._games.items()]
        self.hash = hashlib.sha256("\n".join(sources).encode()).hexdigest()
        self.paths = list(self._list_paths())
        self._tasks: dict[str, asyncio.Task[dict[str, Asset]]] = {}
        self._compile_task: asyncio.Task[None] | None = None

    def _list_paths(self) -> Iterator[str]:
        for game, rules in self._games.items():
            yield f"{FOLDER}{game}{CODE_SUFFIX}"
            yield f"{FOLDER}{game}{DESCRIPTION_SUFFIX}"
            if (rules.folder / LESSON_FILE).exists():
                yield f"{FOLDER}{game}{LESSON_SUFFIX}"

    async def find(self, path: str) -> Asset | None:
        """Return a file; None if there is no such file.

        Raises:
            CommandRefusedError: `error-no-machine-code` or `error-uncompiled`: the game cannot be compiled.
        """
        if path not in self.paths:
            return None
        if path.endswith(LESSON_SUFFIX):
            game = path.removeprefix(FOLDER).removesuffix(LESSON_SUFFIX)
            return await asyncio.to_thread(make_lesson_asset, self._games[game])
        game = path.removeprefix(FOLDER).rpartition(".")[0]
        return (await asyncio.shield(self._start_loading(game)))[path]

    def _start_loading(self, game: str, niceness: int = 0) -> asyncio.Task[dict[str, Asset]]:
        """Return the task that loads or compiles a game. A new one begins if the last one may succeed now."""
        task = self._tasks.get(game)
        if task is None or task.done() and (task.cancelled() or _may_be_repeated(task.exception())):
            task = self._tasks[game] = asyncio.create_task(self._load(game, niceness))
        return task

    def compile_ahead(self) -> None:
        """Compile all games in the background, one after the other."""

        async def compile_each() -> None:
            for game in self._games:
                with contextlib.suppress(CommandRefusedError, OSError):
                    await asyncio.shield(self._start_loading(game, AHEAD_NICENESS))

        self._compile_task = asyncio.create_task(compile_each())

    async def close(self) -> None:
        """End all compilations."""
        tasks = [*self._tasks.values(), *([self._compile_task] if self._compile_task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks, self._compile_task = {}, None

    async def _load(self, game: str, niceness: int) -> dict[str, Asset]:
        files = await asyncio.to_thread(find_stored_files, self._games[game])
        return make_assets(game, files or await self._compile(game, niceness))

    async def _compile(self, game: str, niceness: int) -> BrowserFiles:
        if find_obstacle():
            raise CommandRefusedError("error-no-machine-code")
        program = *PROGRAM, game, str(niceness)
        process = await asyncio.create_subprocess_exec(*program, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
        try:
            output, errors = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
        if process.returncode and process.returncode < 0:  # also with Ctrl-C, which ends the server and its processes
            raise ChildProcessError(f"the compilation of {game} was ended by signal {-process.returncode}")
        if process.returncode:
            log.error("%s cannot be played in browsers: %s", game, errors.decode(errors="replace").strip())
            raise CommandRefusedError("error-uncompiled", game=game)
        return read_output(output)


def _may_be_repeated(error: BaseException | None) -> bool:
    """Return whether a failure may have passed: the system had no process or ended it, or no files and no compiler."""
    return isinstance(error, OSError) or isinstance(error, CommandRefusedError) and error.id == "error-no-machine-code"


def hash_lesson(game: Game) -> str:
    """Return a hash of a game's lesson; "" if it has none."""
    file = game.folder / LESSON_FILE
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""


@cache
def make_lesson_asset(game: Game) -> Asset:
    """Return the file with the lesson of a game that has one."""
    lesson = load_lesson(game)
    assert lesson
    return compress(JSON_TYPE, json_bytes(lesson.describe()))


def make_assets(game: str, files: BrowserFiles) -> dict[str, Asset]:
    """Return the files of a game by path."""
    return {
        f"{FOLDER}{game}{CODE_SUFFIX}": compress(CODE_TYPE, files.code),
        f"{FOLDER}{game}{DESCRIPTION_SUFFIX}": compress(JSON_TYPE, files.description),
    }

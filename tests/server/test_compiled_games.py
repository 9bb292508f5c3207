"""The games as WebAssembly, which a server compiles when a browser asks for them."""

import asyncio
import json
import logging
import re
import sys

import pytest
from guests import Server

from courtly.bots import browser_files
from courtly.bots.browser_files import BrowserFiles, find_stored_files, load_or_compile_files
from courtly.bots.registry import BOT_LEVELS
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.dialect_check import DialectError
from courtly.engine.position import CommandRefusedError
from courtly.server.assets import compiled_games
from courtly.server.assets.bundle import GAME_FILES_FOLDER, GAME_LIST
from courtly.server.assets.compiled_games import FOLDER, CompiledGames
from courtly.server.errors import STATUS_BY_ID

GAME = "sealed_bids"  # compiles quickly
MAGIC = b"\0asm"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder for compiled code."""
    monkeypatch.setenv("COURTLY_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def only_sealed_bids(monkeypatch):
    monkeypatch.setattr(compiled_games, "game_ids", lambda: [GAME])


def base_of(guest):
    return "/s/" + re.search(r"/s/([^/]+)/", guest.get("/").body.decode())[1]


def test_a_browser_gets_a_compiled_game(cache, tmp_path):
    with Server(tmp_path / "data", COURTLY_NATIVE="1") as server:
        guest = server.guest()
        base = base_of(guest)
        code = guest.get(f"{base}/{FOLDER}{GAME}.wasm")
        assert code.status == 200 and code.body.startswith(MAGIC)
        assert code.headers["content-type"] == "application/wasm" and "immutable" in code.headers["cache-control"]
        description = guest.get(f"{base}/{FOLDER}{GAME}.json").json
        assert description["game"] == GAME and [*description["search"]["levels"]] == [*BOT_LEVELS]
        games = guest.get(f"{base}/{GAME_LIST}").json
        assert [game["id"] for game in games] == list(game_ids())
        infos = [guest.get(f"{base}/{GAME_FILES_FOLDER}{game['id']}.json").json for game in games]
        assert {bot["ready"] for info in infos for bot in info["bots"]} == {True}
        assert next(game["titles"] for game in games if game["id"] == GAME) == {"en": "Sealed bids", "ja": "伏せ札競り"}
        for path in {path for game in games for path in game["board_files"]}:
            assert guest.get(f"{base}/{path}").status == 200
        assert guest.get(f"{base}/{FOLDER}whist.wasm").error == "error-unknown-page"
        assert guest.get(f"{base}/{FOLDER}../{GAME}.wasm").error == "error-unknown-page"
    assert find_stored_files(find_game(GAME)).code == code.body


def test_without_a_compiler_the_browser_learns_why(cache, tmp_path):
    with Server(tmp_path / "data") as server:
        guest = server.guest()
        response = guest.get(f"{base_of(guest)}/{FOLDER}{GAME}.wasm")
        assert response.status == STATUS_BY_ID["error-no-machine-code"] and response.error == "error-no-machine-code"
        load_or_compile_files(find_game(GAME))  # by another process
        assert guest.get(f"{base_of(guest)}/{FOLDER}{GAME}.wasm").body.startswith(MAGIC)


def test_a_release_carries_the_files_for_servers_without_a_compiler(cache, only_sealed_bids, tmp_path, monkeypatch):
    monkeypatch.setattr(browser_files, "SHIPPED_FOLDER", tmp_path / "shipped")
    monkeypatch.setattr(browser_files, "game_ids", lambda: [GAME])
    game = find_game(GAME)
    browser_files.is_shipped.cache_clear()
    assert find_stored_files(game) is None and not browser_files.is_shipped(GAME)
    browser_files.write_shipped_files(tmp_path / "shipped")
    browser_files.is_shipped.cache_clear()
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    assert load_or_compile_files(game) == find_stored_files(game) and browser_files.is_shipped(GAME)
    assert find_stored_files(game).code.startswith(MAGIC)
    browser_files.is_shipped.cache_clear()
    monkeypatch.setattr(browser_files, "hash_rules", lambda game: "changed rules")
    assert find_stored_files(game) is None and not browser_files.is_shipped(GAME)
    browser_files.is_shipped.cache_clear()


SHIPPED = """
from pathlib import Path
from courtly.bots import browser_files
browser_files.SHIPPED_FOLDER = Path({folder!r})
"""


def test_browsers_give_hints_where_the_server_cannot(cache, tmp_path, monkeypatch):
    """With the files that a release carries, a table without machine code is no table without hints."""
    monkeypatch.setattr(browser_files, "game_ids", lambda: [GAME])
    browser_files.write_shipped_files(tmp_path / "shipped")
    with Server(tmp_path / "data", first=SHIPPED.format(folder=str(tmp_path / "shipped"))) as server:
        guest = server.guest()
        assert guest.get(f"/api/games/{GAME}").json["help_available"] is True
        table = guest.open("me", "local", help_consent=True)
        assert guest.table(table)["help"] == "on"
        asked = {"seat": 0, "seq": guest.view(table, 0)["seq"], "hints": True}
        assert guest.command(table, "advise", asked).error == "error-no-machine-code"
        assert guest.get(f"{base_of(guest)}/{FOLDER}{GAME}.wasm").body.startswith(MAGIC)


def test_a_game_is_compiled_once_for_all_who_wait(cache, only_sealed_bids, monkeypatch):
    started = []

    async def compile_slowly(games, game, niceness):
        started.append((game, niceness))
        if len(started) == 1:
            await asyncio.sleep(0.05)
        else:
            await asyncio.Event().wait()
        return BrowserFiles(MAGIC, b"{}")

    monkeypatch.setattr(CompiledGames, "_compile", compile_slowly)

    async def run():
        games = CompiledGames()
        games.compile_ahead()
        files = await asyncio.gather(*(games.find(f"{FOLDER}{GAME}.wasm") for _ in range(9)))
        assert {file.plain for file in files} == {MAGIC}
        await games.close()
        waiting = asyncio.ensure_future(games.find(f"{FOLDER}{GAME}.wasm"))
        while len(started) < 2:
            await asyncio.sleep(0.001)
        await games.close()  # while one waits
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(run())
    assert len(started) == 2


def test_a_failed_compilation_is_logged_and_may_not_be_repeated(cache, only_sealed_bids, monkeypatch, caplog):
    """A game that cannot be compiled fails once; a system without room for a process may have room later."""
    programs = []
    monkeypatch.setattr(compiled_games, "PROGRAM", (sys.executable, "-c", "import sys; sys.exit('rules.py:1: wrong')"))

    async def start(*program, **options):
        programs.append(program)
        if len(programs) == 1:
            raise OSError("no room for a process")
        return await create(*program, **options)

    create = asyncio.create_subprocess_exec
    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)

    async def run():
        games = CompiledGames()
        with pytest.raises(OSError):
            await games.find(f"{FOLDER}{GAME}.json")
        for _ in range(2):
            with pytest.raises(CommandRefusedError, match="error-uncompiled"):
                await games.find(f"{FOLDER}{GAME}.json")
        games.compile_ahead()
        await games._compile_task
        await games.close()

    with caplog.at_level(logging.ERROR, "courtly.server"):
        asyncio.run(run())
    assert len(programs) == 2 and "rules.py:1: wrong" in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals that end a process")
def test_a_compilation_that_is_ended_from_outside_may_be_repeated(cache, only_sealed_bids, monkeypatch, caplog):
    """Ctrl-C ends a server and its processes; this says nothing about the rules."""
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"

    async def run():
        games = CompiledGames()
        with monkeypatch.context() as patched:
            patched.setattr(compiled_games, "PROGRAM", (sys.executable, "-c", kill))
            games.compile_ahead()
            await games._compile_task
            with pytest.raises(ChildProcessError, match=f"{GAME} was ended by signal 15"):
                await games.find(f"{FOLDER}{GAME}.json")
        assert await games.find(f"{FOLDER}{GAME}.json")
        await games.close()

    with caplog.at_level(logging.ERROR, "courtly.server"):
        asyncio.run(run())
    assert not caplog.records


def test_the_program_stores_and_prints_the_files(cache, monkeypatch, capfdbinary):
    monkeypatch.setattr(browser_files.sys, "argv", ["browser_files", GAME, "0"])
    browser_files.main()
    files = browser_files.read_output(capfdbinary.readouterr().out)
    assert files == find_stored_files(find_game(GAME))
    assert files.code.startswith(MAGIC) and json.loads(files.description)["game"] == GAME


def test_the_program_names_what_cannot_be_compiled(cache, monkeypatch):
    def refuse(game):
        raise DialectError(game, [])

    monkeypatch.setattr(browser_files.sys, "argv", ["browser_files", GAME, "0"])
    monkeypatch.setattr(browser_files, "compile_with_search", refuse)
    with pytest.raises(SystemExit) as exit:
        browser_files.main()
    assert exit.value.code and GAME in str(exit.value.code)


def test_the_hash_follows_the_rules(monkeypatch):
    game = find_game(GAME)
    before = browser_files.hash_sources(game)
    assert browser_files.hash_sources(game) == before
    monkeypatch.setattr(browser_files, "hash_rules", lambda game: "other rules")
    assert browser_files.hash_sources(game) != before


def test_the_hash_knows_whether_there_is_a_compiler(monkeypatch):
    def refuse(package):
        raise browser_files.importlib.metadata.PackageNotFoundError(package)

    game = find_game(GAME)
    before = browser_files.hash_sources(game)
    monkeypatch.setattr(browser_files.importlib.metadata, "version", refuse)
    assert browser_files.hash_sources(game) != before


def test_a_compilation_ends_with_its_server(cache, only_sealed_bids, monkeypatch):
    processes = []
    monkeypatch.setattr(compiled_games, "PROGRAM", (sys.executable, "-c", "import time; time.sleep(600)"))

    async def start(*program, **options):
        processes.append(await create(*program, **options))
        return processes[0]

    create = asyncio.create_subprocess_exec
    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)

    async def run():
        games = CompiledGames()
        games.compile_ahead()
        while not processes:
            await asyncio.sleep(0.01)
        await games.close()
        await processes[0].wait()

    asyncio.run(run())
    assert processes[0].returncode != 0

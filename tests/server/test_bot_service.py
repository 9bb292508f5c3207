"""Bots whose processes fail: the squire plays instead, and the log says why. The processes are fakes."""

import asyncio
import logging

import pytest

from courtly.bots.registry import SQUIRE
from courtly.bots.runtime.bot_service import MAX_SEARCH_FAILURES, BotService
from courtly.bots.runtime.worker_pool import BotError
from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import make_generator

GAME = "puppet"


class Workers:
    """Worker processes that load every bot but those in `broken`, and give the answers in `moves`, by bot."""

    def __init__(self, broken=(), **moves):
        self.broken, self.moves, self.loaded = broken, moves, []

    async def load(self, game, bot, _limit):
        self.loaded.append((game, bot))
        if bot in self.broken:
            raise BotError("no memory")

    async def ask(self, question, *_, **__):
        move = self.moves.get(question["bot"])
        if move is None:
            raise BotError("it failed")
        return {"move": move}

    async def close(self):
        """There is no process."""


@pytest.fixture(autouse=True)
def compiler(monkeypatch):
    monkeypatch.setattr(loader, "is_available", lambda: True)
    monkeypatch.setattr(loader, "find_obstacle", lambda **_: "")


@pytest.fixture
def view():
    position, rng = Position(find_game(GAME), 2), make_generator(5)
    while position.chance:
        position.happen(rng)
    return position.view(position.pending[0])


def run_service(script, quick, search=None, compile=None):
    """Run a script with a service, and return the games whose search changed."""
    changed = []

    async def run():
        service = BotService(1, 1.0, changed.append)
        service._quick_workers, service._search_workers = quick, search or Workers()
        service._compiler = compile or Workers()
        await script(service)
        await service.close()

    asyncio.run(run())
    return changed


def test_searches_are_compiled_ahead_one_after_another():
    compiler = Workers(broken=("knight",))  # a failure does not stop the others

    async def script(service):
        service.compile_ahead([GAME, "petition"])
        await service._compile_task
        with pytest.raises(BotError, match="no memory"):
            await service.wait_until_compiled(GAME)

    run_service(script, Workers(), compile=compiler)
    assert compiler.loaded == [(GAME, "knight"), ("petition", "knight")]


def test_without_a_compiler_nothing_is_compiled_ahead(monkeypatch, caplog):
    monkeypatch.setattr(loader, "find_obstacle", lambda **_: "llvmlite is not installed")
    compiler = Workers()

    async def script(service):
        service.compile_ahead([GAME])

    run_service(script, Workers(), compile=compiler)
    assert (
        not compiler.loaded
        and "squires play in place of knights and masters, and the server reviews no games: llvmlite" in caplog.text
    )


@pytest.mark.parametrize("part", ["search", "compile"])
def test_a_search_that_cannot_be_loaded_is_not_used(part, caplog, view):
    move = view["legal"][-1]["id"]

    async def script(service):
        await service.prepare(GAME, ["knight"])
        await service._loading_searches[GAME]
        assert service.find_obstacle(GAME, "knight") == "broken"
        assert await service.choose(GAME, "knight", view, 7) == move

    changed = run_service(script, Workers(squire=move), **{part: Workers(broken=("knight",))})
    assert changed == [GAME] and "search of puppet unusable: no memory; the squire plays instead" in caplog.text


def test_a_bot_that_cannot_be_loaded_is_reported(caplog):
    async def script(service):
        await service.prepare(GAME, ["page"])

    run_service(script, Workers(broken=("page",)))
    assert "loading bot page of puppet failed: no memory" in caplog.text


def test_a_search_that_fails_repeatedly_is_no_longer_used(caplog, view):
    move, illegal = view["legal"][-1]["id"], 99

    async def script(service):
        await service.prepare(GAME, ["knight"])
        await service._loading_searches[GAME]
        for _ in range(MAX_SEARCH_FAILURES):
            assert service.find_obstacle(GAME, "knight") is None
            assert await service.choose(GAME, "knight", view, 7) == move
        assert service.find_obstacle(GAME, "knight") == "broken"

    changed = run_service(script, Workers(squire=move), Workers(knight=illegal))
    assert changed == [GAME, GAME]  # it was ready, and then broken
    assert "bot knight of puppet failed: it chose a move that is not legal; playing the squire's" in caplog.text
    assert f"search of puppet failed {MAX_SEARCH_FAILURES} times in a row" in caplog.text


def test_a_random_move_replaces_a_squire_that_fails(caplog, view):
    async def script(service):
        assert await service.choose(GAME, SQUIRE, view, 7) in [move["id"] for move in view["legal"]]

    with caplog.at_level(logging.ERROR):
        run_service(script, Workers())
    assert "bot squire of puppet failed: it failed; playing a random move" in caplog.text

"""Bots at a table, by a clock that the test rings: what is chosen in secret takes no time, and what is seen does not
depend on how much that was."""

import asyncio
from contextlib import asynccontextmanager
from itertools import count

import pytest

from courtly.engine.native import loader
from courtly.server.actions import bot_decision, bot_driver, seating
from courtly.server.actions.game_commands import Command, run_command
from courtly.server.application import Application
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.schemas.requests import NewTable
from courtly.server.settings import Settings
from courtly.server.tables.table import Subscriber

NEVER = 99
SECRET_BIDS, LOOKS = {"looks": 0}, {"looks": 1}
keys = map(str, count())


class Clock:
    """Time passes when it is rung."""

    def __init__(self):
        self.asked, self._waiting = [], []

    async def sleep(self, seconds):
        self.asked.append(seconds)
        self._waiting.append(asyncio.get_running_loop().create_future())
        await self._waiting[-1]

    def ring(self):
        for waiting in self._waiting:
            waiting.set_result(None)
        self._waiting.clear()


class Pool:
    """Bots that change their mind so often, by seat, and then are ready. NEVER: they never come to an answer after
    the first `answers`; `squires`: unless they are squires, who are ready at once."""

    def __init__(self, changes, answers=0, squires=False):
        self.changes, self.answers, self.squires = changes, answers, squires
        self.asked = dict.fromkeys(changes, 0)
        self.thought = asyncio.Event()

    async def prepare(self, _game, _bots):
        """They are always ready to think."""

    def arm(self, _game):
        """Nothing has to be compiled."""

    def hindrance(self, _game, _bot):
        """Nothing keeps them from it."""

    async def choose(self, _game, bot, view, _seed):
        seat = view["seat"]
        self.asked[seat] += 1
        squire = self.squires and bot == "squire"
        if self.changes[seat] == NEVER and not squire and self.asked[seat] > self.answers:
            await self.thought.wait()
        secret = [move["id"] for move in view["legal"] if move["verb"] == "choose"]
        changes = 0 if squire and self.changes[seat] == NEVER else self.changes[seat]
        return secret[0] if secret and self.asked[seat] <= changes else view["legal"][-1]["id"]

    async def close(self):
        self.thought.set()


async def until(meets):
    while not meets():
        await asyncio.sleep(0.001)


@asynccontextmanager
async def played(tmp_path, monkeypatch, pool, *kinds, options=SECRET_BIDS):
    """A table of sealed bids where the guest "ada" has the seats that are "me": with its clock."""
    settings = Settings(tmp_path, database=f"sqlite:///{tmp_path / next(keys)}.db", bot_pause=1.0, predictable=True)
    application = await Application.open(settings, GroupCommitWriter(open_database(settings.database_url)), None)
    application.bots, clock = pool, Clock()
    monkeypatch.setattr(loader, "is_available", lambda: True)  # nothing is compiled: the pool is not the house's own
    monkeypatch.setattr(bot_driver, "sleep", clock.sleep)
    bot_driver.start_bots(application)
    try:
        seats = [{"kind": kind} if kind in ("me", "bot") else {"kind": "bot", "bot": kind} for kind in kinds]
        wish = NewTable(game="sealed_bids", players=len(kinds), options=options, seats=seats)
        yield application, await seating.open_table(application, "ada", wish, "hands of several kinds"), clock
    finally:
        await application.close()


def seen(table, seat=None):
    """What spectators have seen done since the prize was turned up."""
    cues = table.match.view(seat, 0)["cues"]
    last = max(n for n, cue in enumerate(cues) if cue["verb"] == "prize")
    return [(cue["seat"], cue["verb"]) for cue in cues[last + 1 :]]


async def ready(application, table):
    """Ada chooses and says that she is ready."""
    for verb in ("choose", "ready"):
        view = table.match.view(0)
        move = next(move["id"] for move in view["legal"] if move["verb"] == verb)
        await run_command(application, table, "ada", Command(0, view["seq"], (move,)), next(keys))


class Ears:
    """Everything that is sent to somebody, byte for byte."""

    def __init__(self):
        self.heard = []
        self.put = self.heard.append


def test_nobody_can_tell_how_often_a_bot_chose_in_secret(tmp_path, monkeypatch):
    async def game(changes):
        pool = Pool(changes)
        async with played(tmp_path, monkeypatch, pool, "me", "bot", "bot") as (_, table, clock):
            ears = [Ears(), Ears()]
            for listener, guest in zip(ears, ("ada", None), strict=True):
                table.attend(Subscriber(guest, listener, {}))
            await until(lambda: all(pool.asked[seat] == changes[seat] + 1 for seat in changes))
            chosen = [sum(entry.seat == seat for entry in table.match.entries) for seat in changes]
            assert chosen == [*changes.values()], "at once, while nobody's clock has moved"
            assert seen(table) == seen(table, 0) == [] and clock.asked == [bot_driver.SIMULTANEOUS_PAUSE_FACTOR * 1.0]
            clock.ring()
            await until(lambda: len(seen(table)) == 2)
            assert seen(table) == [(1, "ready"), (2, "ready")] and len(clock.asked) == 1
            return [ear.heard for ear in ears]

    first, *others = [asyncio.run(game({1: one, 2: other})) for one in (1, 4) for other in (1, 4)]
    assert all(heard == first for heard in others) and all(len(heard) == 2 for heard in first)


def test_what_is_decided_is_not_lost_when_others_decide_first(tmp_path, monkeypatch):
    async def game():
        pool = Pool({1: 1, 2: 1})
        async with played(tmp_path, monkeypatch, pool, "me", "bot", "bot") as (application, table, clock):
            await until(lambda: pool.asked == {1: 2, 2: 2})
            await ready(application, table)  # both have thought, and now hear of Ada
            clock.ring()
            await until(lambda: len(seen(table)) >= 3)
            assert seen(table)[:3] == [(0, "ready"), (1, "ready"), (2, "ready")]

    asyncio.run(game())


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_who_decides_with_others_and_does_not_think_to_the_end_is_hurried(tmp_path, monkeypatch, answers):
    async def game():
        pool = Pool({1: NEVER, 2: NEVER}, answers)
        async with played(tmp_path, monkeypatch, pool, "me", "bot", "bot") as (_, table, clock):
            await until(lambda: pool.asked == {1: answers + 1, 2: answers + 1})
            clock.ring()
            await until(lambda: len(seen(table)) == 2)
            assert seen(table) == [(1, "ready"), (2, "ready")]

    asyncio.run(game())


def test_who_decides_alone_may_think_longer(tmp_path, monkeypatch):
    """For a whole time more, or several: the clock does not tell how long it was."""

    async def game():
        pool = Pool({0: NEVER, 1: 0})
        async with played(tmp_path, monkeypatch, pool, "bot", "me", options=LOOKS) as (_, table, clock):
            await until(lambda: pool.asked[0] == 1)
            for times in (1, 2):
                assert clock.asked == [1.0] * times
                clock.ring()
                await until(lambda times=times: len(clock.asked) == times + 1)
                assert seen(table) == []
            pool.thought.set()
            await asyncio.sleep(0.05)
            assert seen(table) == []
            clock.ring()
            await until(lambda: seen(table))
            assert seen(table)[0][0] == 0

    asyncio.run(game())


def test_a_master_takes_its_time_whatever_it_decides(tmp_path, monkeypatch):
    async def game(*kinds, options):
        async with played(tmp_path, monkeypatch, Pool({0: 0, 1: 0, 2: 0}), *kinds, options=options) as (_, _, clock):
            await until(lambda: clock.asked)
            return clock.asked[0]

    assert asyncio.run(game("knight", "me", options=LOOKS)) == 1.0
    assert asyncio.run(game("master", "me", options=LOOKS)) == bot_driver.LEVEL_PAUSE_FACTORS["master"]
    assert (
        asyncio.run(game("me", "knight", "master", options=SECRET_BIDS))
        == bot_driver.SIMULTANEOUS_PAUSE_FACTOR * bot_driver.LEVEL_PAUSE_FACTORS["master"]
    )


def test_what_a_search_has_not_decided_when_the_time_is_nearly_over_the_squire_decides(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_decision, "SEARCH_TIME_FRACTION", 0.01)

    async def game():
        pool = Pool({1: NEVER, 2: 1}, squires=True)
        async with played(tmp_path, monkeypatch, pool, "me", "master", "squire") as (_, table, clock):
            await until(lambda: pool.asked == {1: 4, 2: 2})  # twice the squire, for a choice and that it is ready
            chosen = [sum(entry.seat == seat for entry in table.match.entries) for seat in (1, 2)]
            assert (
                chosen == [1, 1]
                and clock.asked == [bot_driver.SIMULTANEOUS_PAUSE_FACTOR * bot_driver.LEVEL_PAUSE_FACTORS["master"]]
                and seen(table) == []
            )
            clock.ring()
            await until(lambda: len(seen(table)) == 2)
            assert seen(table) == [(1, "ready"), (2, "ready")]

    asyncio.run(game())


def test_a_bot_that_never_makes_up_its_mind_is_hurried(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_decision, "MAX_HIDDEN_MOVES", 3)

    async def game():
        pool = Pool({0: 4, 1: 0})
        async with played(tmp_path, monkeypatch, pool, "bot", "me") as (_, table, clock):
            await until(lambda: pool.asked[0] == 3)
            clock.ring()
            await until(lambda: seen(table))
            assert seen(table) == [(0, "ready")]

    asyncio.run(game())

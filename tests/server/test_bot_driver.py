"""Bots at a table, with a clock controlled by the test. Secret choices take no visible time, and what others see does
not depend on how many there were.
"""

import asyncio
from contextlib import asynccontextmanager
from itertools import count

import predictable
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
    """A fake clock: pending sleeps end at `ring`."""

    def __init__(self):
        self.pauses, self._waiting = [], []

    async def sleep(self, seconds):
        self.pauses.append(seconds)
        self._waiting.append(asyncio.get_running_loop().create_future())
        await self._waiting[-1]

    def ring(self):
        for waiting in self._waiting:
            waiting.set_result(None)
        self._waiting.clear()


class FakeBots:
    """Bots that change their secret choice `changes` times, by seat, and then are ready. With NEVER they stop answering
    after the first `answers`; with `squires`, squires are ready at once.
    """

    def __init__(self, changes, answers=0, squires=False):
        self.changes, self.answers, self.squires = changes, answers, squires
        self.requests = dict.fromkeys(changes, 0)
        self.released = asyncio.Event()

    async def prepare(self, _game, _bots):
        """The bots are always available."""

    def load_search(self, _game):
        """Nothing is compiled."""

    def find_obstacle(self, _game, _bot):
        """No bot is unavailable."""

    async def choose(self, _game, bot, view, _seed):
        seat = view["seat"]
        self.requests[seat] += 1
        squire = self.squires and bot == "squire"
        if self.changes[seat] == NEVER and not squire and self.requests[seat] > self.answers:
            await self.released.wait()
        secret = [move["id"] for move in view["legal"] if move["verb"] == "choose"]
        changes = 0 if squire and self.changes[seat] == NEVER else self.changes[seat]
        return secret[0] if secret and self.requests[seat] <= changes else view["legal"][-1]["id"]

    async def close(self):
        self.released.set()


async def wait_until(condition):
    while not condition():
        await asyncio.sleep(0.001)


@asynccontextmanager
async def bot_table(tmp_path, monkeypatch, bots, *kinds, options=SECRET_BIDS):
    """Open a table of sealed bids at which the guest "ada" has the "me" seats; yield it with its clock."""
    settings = Settings(tmp_path, database=f"sqlite:///{tmp_path / next(keys)}.db", bot_pause=1.0)
    application = await Application.open(settings, GroupCommitWriter(open_database(settings.database_url)), None)
    application.bots, clock = bots, Clock()
    monkeypatch.setattr(loader, "is_available", lambda: True)  # nothing is compiled, since the pool is a fake
    monkeypatch.setattr(bot_driver, "sleep", clock.sleep)
    monkeypatch.setattr(seating, "draw_table", predictable.draw_table)
    predictable.seed.set("hands of several kinds")
    predictable.table_counts.clear()
    bot_driver.start_bots(application)
    try:
        seats = [{"kind": kind} if kind in ("me", "bot") else {"kind": "bot", "bot": kind} for kind in kinds]
        request = NewTable(game="sealed_bids", players=len(kinds), options=options, seats=seats)
        yield application, await seating.open_table(application, "ada", request), clock
    finally:
        await application.close()


def visible_events(table, seat=None):
    """Return what spectators have seen since the last prize was turned up."""
    cues = table.match.view(seat, 0)["cues"]
    last = max(n for n, cue in enumerate(cues) if cue["verb"] == "prize")
    return [(cue["seat"], cue["verb"]) for cue in cues[last + 1 :]]


async def declare_ready(application, table):
    """Ada chooses and declares that she is ready."""
    for verb in ("choose", "ready"):
        view = table.match.view(0)
        move = next(move["id"] for move in view["legal"] if move["verb"] == verb)
        await run_command(application, table, "ada", Command(0, view["seq"], (move,)), next(keys))


class Recorder:
    """Records everything sent to a subscriber, byte for byte."""

    def __init__(self):
        self.messages = []
        self.put = self.messages.append


def test_how_often_a_bot_chose_in_secret_is_not_visible(tmp_path, monkeypatch):
    async def game(changes):
        bots = FakeBots(changes)
        async with bot_table(tmp_path, monkeypatch, bots, "me", "bot", "bot") as (_, table, clock):
            recorders = [Recorder(), Recorder()]
            for listener, guest in zip(recorders, ("ada", None), strict=True):
                table.add_subscriber(Subscriber(guest, listener, {}))
            await wait_until(lambda: all(bots.requests[seat] == changes[seat] + 1 for seat in changes))
            choice_counts = [sum(entry.seat == seat for entry in table.match.entries) for seat in changes]
            assert choice_counts == [*changes.values()], "immediately, while no seat's clock has advanced"
            assert visible_events(table) == visible_events(table, 0) == [] and clock.pauses == [
                bot_driver.SIMULTANEOUS_PAUSE_FACTOR * 1.0
            ]
            clock.ring()
            await wait_until(lambda: len(visible_events(table)) == 2)
            assert visible_events(table) == [(1, "ready"), (2, "ready")] and len(clock.pauses) == 1
            return [recorder.messages for recorder in recorders]

    first, *others = [
        asyncio.run(game({1: first_changes, 2: second_changes}))
        for first_changes in (1, 4)
        for second_changes in (1, 4)
    ]
    assert all(messages == first for messages in others) and all(len(messages) == 2 for messages in first)


def test_a_decision_is_kept_when_others_decide_first(tmp_path, monkeypatch):
    async def game():
        bots = FakeBots({1: 1, 2: 1})
        async with bot_table(tmp_path, monkeypatch, bots, "me", "bot", "bot") as (application, table, clock):
            await wait_until(lambda: bots.requests == {1: 2, 2: 2})
            await declare_ready(application, table)  # both have decided before they learn of Ada's move
            clock.ring()
            await wait_until(lambda: len(visible_events(table)) >= 3)
            assert visible_events(table)[:3] == [(0, "ready"), (1, "ready"), (2, "ready")]

    asyncio.run(game())


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_a_bot_that_decides_with_others_is_interrupted_at_the_end_of_its_time(tmp_path, monkeypatch, answers):
    async def game():
        bots = FakeBots({1: NEVER, 2: NEVER}, answers)
        async with bot_table(tmp_path, monkeypatch, bots, "me", "bot", "bot") as (_, table, clock):
            await wait_until(lambda: bots.requests == {1: answers + 1, 2: answers + 1})
            clock.ring()
            await wait_until(lambda: len(visible_events(table)) == 2)
            assert visible_events(table) == [(1, "ready"), (2, "ready")]

    asyncio.run(game())


def test_a_bot_that_decides_alone_may_think_longer(tmp_path, monkeypatch):
    """The bot gets the pause again, several times if needed, so that the delay does not reveal its thinking time."""

    async def game():
        bots = FakeBots({0: NEVER, 1: 0})
        async with bot_table(tmp_path, monkeypatch, bots, "bot", "me", options=LOOKS) as (_, table, clock):
            await wait_until(lambda: bots.requests[0] == 1)
            for times in (1, 2):
                assert clock.pauses == [1.0] * times
                clock.ring()
                await wait_until(lambda times=times: len(clock.pauses) == times + 1)
                assert visible_events(table) == []
            bots.released.set()
            await asyncio.sleep(0.05)
            assert visible_events(table) == []
            clock.ring()
            await wait_until(lambda: visible_events(table))
            assert visible_events(table)[0][0] == 0

    asyncio.run(game())


def test_a_master_takes_a_longer_pause_for_every_decision(tmp_path, monkeypatch):
    async def game(*kinds, options):
        async with bot_table(tmp_path, monkeypatch, FakeBots({0: 0, 1: 0, 2: 0}), *kinds, options=options) as (
            _,
            _,
            clock,
        ):
            await wait_until(lambda: clock.pauses)
            return clock.pauses[0]

    assert asyncio.run(game("knight", "me", options=LOOKS)) == 1.0
    assert asyncio.run(game("master", "me", options=LOOKS)) == bot_driver.LEVEL_PAUSE_FACTORS["master"]
    assert (
        asyncio.run(game("me", "knight", "master", options=SECRET_BIDS))
        == bot_driver.SIMULTANEOUS_PAUSE_FACTOR * bot_driver.LEVEL_PAUSE_FACTORS["master"]
    )


def test_the_squire_decides_when_a_search_has_used_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_decision, "SEARCH_TIME_FRACTION", 0.01)

    async def game():
        bots = FakeBots({1: NEVER, 2: 1}, squires=True)
        async with bot_table(tmp_path, monkeypatch, bots, "me", "master", "squire") as (_, table, clock):
            # the squire is asked twice: for a choice, and for ready
            await wait_until(lambda: bots.requests == {1: 4, 2: 2})
            choice_counts = [sum(entry.seat == seat for entry in table.match.entries) for seat in (1, 2)]
            assert (
                choice_counts == [1, 1]
                and clock.pauses == [bot_driver.SIMULTANEOUS_PAUSE_FACTOR * bot_driver.LEVEL_PAUSE_FACTORS["master"]]
                and visible_events(table) == []
            )
            clock.ring()
            await wait_until(lambda: len(visible_events(table)) == 2)
            assert visible_events(table) == [(1, "ready"), (2, "ready")]

    asyncio.run(game())


def test_a_bot_that_keeps_changing_its_choice_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_decision, "MAX_HIDDEN_MOVES", 3)

    async def game():
        bots = FakeBots({0: 4, 1: 0})
        async with bot_table(tmp_path, monkeypatch, bots, "bot", "me") as (_, table, clock):
            await wait_until(lambda: bots.requests[0] == 3)
            clock.ring()
            await wait_until(lambda: visible_events(table))
            assert visible_events(table) == [(0, "ready")]

    asyncio.run(game())

"""Sockets that receive arbitrary messages, in two worlds that differ in what the sender cannot know. Every byte sent
back must be the same in both, nothing may fail, and acknowledged moves are in the journal.
"""

import asyncio
import json
import os
import random
import time
from collections import Counter
from contextlib import asynccontextmanager

import pytest

from courtly.engine.rng import CommittedChance
from courtly.server.actions import seating
from courtly.server.actions.game_commands import Command, run_command
from courtly.server.app import make_app
from courtly.server.assets.bundle import AssetBundle
from courtly.server.persistence import repository
from courtly.server.persistence.engine import open_database
from courtly.server.schemas.requests import NewTable
from courtly.server.settings import WEB, Settings
from courtly.server.timekeeping import TIMEKEEPER

A_DAY, LONG = 4_000, 1_000_000  # messages
AT_A_TABLE = 250
PLAYERS = 3
HAND = 3
DEALT_ELSEWHERE = range(HAND, PLAYERS * HAND)  # the plies that deal cards to players other than the first
ADA, BEN, CLEO, EVE = "ada-guest-000001", "ben-guest-000001", "cleo-guest-00001", "eve-guest-000001"


class TwinChance:
    """Chance that deals the same public cards and the same cards to the first player in both worlds, and different ones
    to others.
    """

    @staticmethod
    def choose(source, ply, event, weights):
        secret = source.secret if ply in DEALT_ELSEWHERE else source.secret[:-1]
        return REAL(CommittedChance(secret, source.table, source.nonces, source.counted), ply, event, weights)

    @staticmethod
    def commitment(secret):
        return REAL_COMMITMENT(secret[:-1])  # reveals nothing


REAL, REAL_COMMITMENT = CommittedChance.choose, CommittedChance.commitment


class Socket:
    """A client of the application without a network. `heard` has all messages it received."""

    def __init__(self, app, path, cookie):
        self.heard = []
        self._incoming = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._awaited = {}
        headers = [(b"host", b"localhost"), (b"cookie", f"courtly={cookie}".encode())]
        scope = {"type": "websocket", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}
        scope |= {"scheme": "ws", "subprotocols": [], "client": ("192.0.2.1", 1), "server": ("localhost", 80)}
        self._task = asyncio.create_task(app(scope | {"asgi": {"version": "3.0"}}, self._incoming.get, self._sent))

    async def _sent(self, message):
        self.heard.append(message)
        for key in [key for key in self._awaited if key in message.get("text", "")]:
            self._awaited.pop(key).set_result(None)

    def say(self, said):
        kind = "text" if isinstance(said, str) else "bytes"
        self._incoming.put_nowait({"type": "websocket.receive", kind: said})

    async def settled(self, number):
        """Wait until all messages sent are answered."""
        key = f"settled-{number}-"
        done = self._awaited[key] = asyncio.get_running_loop().create_future()
        self.say(json.dumps({"type": "foresee", "key": key, "seat": 0, "seq": 0, "moves": [0]}))
        async with asyncio.timeout(60):
            await asyncio.wait([done, self._task], return_when=asyncio.FIRST_COMPLETED)
        assert done.done(), self.heard[-3:]

    async def close(self):
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task


class World:
    """A server of its own. `mark` is the byte in which its secrets differ from those of the other world."""

    def __init__(self, app, mark):
        self.app, self.application, self.mark = app, app.state.application, mark
        self.sockets = {}
        self.acknowledged = {}  # idempotency key -> the guest whose command it was, at this table

    def cookie(self, guest):
        return self.application.guests.signatures.cookie(guest)

    async def open(self, table, secret):
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        wish = {"game": "sealed_bids", "players": PLAYERS, "options": {"looks": 0}, "seats": seats}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(seating, "draw_table", lambda: (table, (secret + bytes([self.mark])).hex()))
            self.table = await seating.open_table(self.application, ADA, NewTable.model_validate(wish))
        for guest in (BEN, CLEO):
            await seating.sit(self.application, self.table, guest, None, "", None)
        self.acknowledged.clear()
        self.others = random.Random(secret.hex() + str(self.mark))

    def connect(self, guest, since):
        made = self.sockets[guest] = Socket(self.app, f"/ws/tables/{self.table.row.id}", self.cookie(guest))
        made.say(json.dumps({"type": "hello", "since": since}))

    async def ben_decides(self, ready):
        """Make secret choices that other guests must not notice, except for the final ready."""
        for _ in range(self.others.randrange(1, 4)):
            view = self.table.playing().view(1, 0)
            choices = [move["id"] for move in view["legal"] if move["verb"] == "choose"]
            if choices:
                await self._by_ben(view["seq"], self.others.choice(choices))
        view = self.table.playing().view(1, 0)
        if ready:
            await self._by_ben(view["seq"], *(move["id"] for move in view["legal"] if move["verb"] == "ready"))

    async def _by_ben(self, seq, *moves):
        if moves:
            await run_command(self.application, self.table, BEN, Command(1, seq, moves), os.urandom(8).hex())

    async def kept(self):
        """Return the stored journal, and Ada's commands in it."""
        table = self.table.row.id
        entries = await self.application.writer.do(lambda c: repository.load_entries(c, table))
        assert entries == list(self.table.playing().entries)
        for key, guest in self.acknowledged.items():
            found = await self.application.writer.do(
                lambda c, k=key, g=guest: repository.find_submission(c, table, g, k)
            )
            assert found and found.journal_length <= len(entries), key
        return entries

    async def end(self):
        self.application.tables.drop(self.table)


@asynccontextmanager
async def worlds(folder, statics):
    made = []
    for mark in (0, 1):
        (folder / str(mark)).mkdir()
        endless = {"outbox": 100_000, "commands_per_second": 1e12, "tables_per_guest": 10**9}
        settings = Settings(folder / str(mark), compile_ahead=False, grace=0, **endless)
        engine = open_database(settings.database_url)
        with engine.begin() as connection:
            repository.get_or_create_setting(connection, "signing-key", "00" * 32)
        made.append(make_app(settings, engine, statics))
    one, other = made
    async with one.router.lifespan_context(one), other.router.lifespan_context(other):
        yield World(one, 0), World(other, 1)


def malformed_message(rng):
    """Return a message that our client never sends."""
    whole = json.dumps({"type": "play", "key": "k", "seat": 0, "seq": 0, "moves": [1]})
    return rng.choice(
        (
            "",
            "[" * rng.randrange(1, 3000),
            "null",
            '"play"',
            whole[: rng.randrange(len(whole))],
            "".join(chr(rng.randrange(1, 0xD000)) for _ in range(rng.randrange(1, 50))),
            rng.randbytes(rng.randrange(60)),
            whole.encode(),
            whole.encode("utf-16"),
            '{"type":"hello","since":' + '{"a":' * rng.randrange(1, 500) + "0}",
            whole.replace("[1]", "[" + "9" * rng.randrange(1, 5000) + "]"),
            whole.replace('"seat": 0', '"seat": NaN'),
            whole.replace('"k"', '"\\ud800"'),
            whole.replace('"seat": 0', '"seat": 0, "seat": 1'),
            "\x00" + whole,
        )
    )


ODD = (-1, 3, 7, 99, 1 << 31, 1 << 40, 0.5, "0", None, True, [], {})


def message(rng, view, keys):
    """Return a message: valid, stale, for another seat, or malformed."""
    if rng.random() < 0.15:
        return malformed_message(rng)
    kind = rng.choices(("play", "undo", "foresee", "resync", "ping", "hello", "other"), (8, 3, 8, 2, 1, 1, 1))[0]
    said = {"type": kind}
    if kind == "hello":
        said |= {"since": {rng.choice(("0", "1", "null", "x")): rng.randrange(30)}, "page": rng.choice(("x", None))}
    if kind in ("play", "undo", "foresee"):
        key = rng.choice(keys) if keys and rng.random() < 0.1 else f"{rng.getrandbits(64):x}"
        keys.append(key)
        legal = [move["id"] for move in view["legal"]] or [0]
        many = rng.choice((1, 1, 1, 2, 3))
        moves = [rng.choice(legal) if rng.random() < 0.8 else rng.randrange(40) for _ in range(many)]
        seat = 0 if rng.random() < 0.85 else rng.choice((1, 2))
        seq = view["seq"] if rng.random() < 0.8 else rng.randrange(view["seq"] + 5)
        said |= {"key": key, "seat": seat, "seq": seq} | ({} if kind == "undo" else {"moves": moves})
    if rng.random() < 0.1:
        said[rng.choice(("type", "key", "seat", "seq", "moves", "since", "extra"))] = rng.choice(ODD)
    if rng.random() < 0.03:
        said.pop(rng.choice(list(said)))
    return json.dumps(said)


async def fuzz(folder, messages, seed):
    rng, said, told = random.Random(seed), 0, Counter()
    async with worlds(folder, AssetBundle(WEB)) as both:
        while said < messages:
            secret, table = rng.randbytes(31), f"t{said}"
            for world in both:
                await world.open(table, secret)
            hands = [tuple(tuple(row) for row in world.table.playing().state.hand) for world in both]
            said += await at_a_table(rng, both, told)
            told["worlds that differ"] += hands[0] != hands[1]
            for world in both:
                await world.end()
    return said, told


async def at_a_table(rng, both, told):
    """Play a game in which all but one player decide, so that nothing is shown until the end."""
    said, keys, since = 0, [], {}
    while said < AT_A_TABLE:
        for guest in (ADA, EVE):
            if rng.random() < 0.3 or guest not in both[0].sockets:
                await everywhere(both, hang_up, guest, told)
                for world in both:
                    world.connect(guest, since)
                await everywhere(both, settle, guest, said)
                since = {"0": rng.randrange(20), "null": rng.randrange(20)} if rng.random() < 0.5 else {}
            views = [world.table.playing().view(0 if guest == ADA else None, 0) for world in both]
            assert views[0] == views[1]
            for _ in range(rng.randrange(1, 25)):
                one = message(rng, views[0], keys)
                said += 1
                for world in both:
                    world.sockets[guest].say(one)
            await everywhere(both, settle, guest, said)
        if rng.random() < 0.3:
            ready = rng.random() < 0.2
            for world in both:
                await world.ben_decides(ready)
    journals = []
    for guest in (ADA, EVE):
        await everywhere(both, settle, guest, -1)
        await everywhere(both, hang_up, guest, told)
    for world in both:
        journals.append([entry._replace(ply=0, batch=0) for entry in await world.kept() if entry.seat == 0])
    assert [entry.move for entry in journals[0]] == [entry.move for entry in journals[1]]
    told["moves of hers"] += len(journals[0])
    told["acknowledged"] += len(both[0].acknowledged)
    return said


async def everywhere(both, act, guest, *more):
    """Act in both worlds, and check that the same messages are received."""
    for world in both:
        await act(world, guest, *more)
    if act is hang_up and guest in both[0].sockets:
        one, other = (world.sockets.pop(guest) for world in both)
        assert one.heard == other.heard
        for message in one.heard:
            if "text" in message:
                heard = json.loads(message["text"])
                if heard["type"] == "done":
                    for world in both:
                        world.acknowledged[heard["key"]] = guest
                more[0][heard["error"]["id"] if heard["type"] == "error" else heard["type"]] += 1


async def settle(world, guest, number):
    if guest in world.sockets:
        await world.sockets[guest].settled(number)


async def hang_up(world, guest, _):
    if guest in world.sockets:
        await world.sockets[guest].close()


@pytest.mark.timeout(7200)
def test_arbitrary_socket_messages(tmp_path, monkeypatch, long, capsys):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.setattr(CommittedChance, "choose", TwinChance.choose)
    monkeypatch.setattr(CommittedChance, "commitment", staticmethod(TwinChance.commitment))
    monkeypatch.setattr(TIMEKEEPER, "now", lambda: 1_800_000_000_000)  # both servers use the same time of day
    began = time.monotonic()
    said, told = asyncio.run(fuzz(tmp_path, LONG if long else A_DAY, seed=1))
    if long:
        with capsys.disabled():
            print(f"\n{said} messages in {time.monotonic() - began:.0f} s: {dict(told)}")
    assert not {"error-server", "error-storage", "error-unsure", "error-rules", "error-damaged"} & told.keys()
    assert told["acknowledged"] > said / 100, told
    assert told["worlds that differ"] > 0.9 * said / AT_A_TABLE / 2
    expected = {"done", "view", "table", "foreseen", "error-malformed", "error-stale", "error-not-yours", "error-key"}
    assert expected | {"error-illegal", "error-unknown-move", "error-no-undo"} <= told.keys(), told

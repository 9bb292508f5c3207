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

DAILY_MESSAGES, LONG_RUN_MESSAGES = 4_000, 1_000_000  # messages
MESSAGES_PER_TABLE = 250
PLAYERS = 3
HAND = 3
PLIES_DEALT_TO_OTHERS = range(HAND, PLAYERS * HAND)  # the plies that deal cards to players other than the first
ADA, BEN, CLEO, EVE = "ada-guest-000001", "ben-guest-000001", "cleo-guest-00001", "eve-guest-000001"


class TwinChance:
    """Chance that deals the same public cards and the same cards to the first player in both worlds, and different ones
    to others.
    """

    @staticmethod
    def choose(source, ply, event, weights):
        secret = source.secret if ply in PLIES_DEALT_TO_OTHERS else source.secret[:-1]
        return REAL_CHOOSE(CommittedChance(secret, source.table, source.nonces, source.counted), ply, event, weights)

    @staticmethod
    def commitment(secret):
        return REAL_COMMITMENT(secret[:-1])  # reveals nothing


REAL_CHOOSE, REAL_COMMITMENT = CommittedChance.choose, CommittedChance.commitment


class Socket:
    """A client of the application without a network. `messages` has all messages it received."""

    def __init__(self, app, path, cookie):
        self.messages = []
        self._incoming = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._awaited = {}
        headers = [(b"host", b"localhost"), (b"cookie", f"courtly={cookie}".encode())]
        scope = {"type": "websocket", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}
        scope |= {"scheme": "ws", "subprotocols": [], "client": ("192.0.2.1", 1), "server": ("localhost", 80)}
        self._task = asyncio.create_task(app(scope | {"asgi": {"version": "3.0"}}, self._incoming.get, self._receive))

    async def _receive(self, message):
        self.messages.append(message)
        for key in [key for key in self._awaited if key in message.get("text", "")]:
            self._awaited.pop(key).set_result(None)

    def send_raw(self, content):
        kind = "text" if isinstance(content, str) else "bytes"
        self._incoming.put_nowait({"type": "websocket.receive", kind: content})

    async def wait_until_answered(self, number):
        """Wait until all messages sent are answered."""
        key = f"settled-{number}-"
        answered = self._awaited[key] = asyncio.get_running_loop().create_future()
        self.send_raw(json.dumps({"type": "preview", "key": key, "seat": 0, "seq": 0, "moves": [0]}))
        async with asyncio.timeout(60):
            await asyncio.wait([answered, self._task], return_when=asyncio.FIRST_COMPLETED)
        assert answered.done(), self.messages[-3:]

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
        return self.application.guests.signatures.sign_cookie(guest)

    async def open(self, table, secret):
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        request = {"game": "sealed_bids", "players": PLAYERS, "options": {"looks": 0}, "seats": seats}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(seating, "draw_table", lambda: (table, (secret + bytes([self.mark])).hex()))
            self.table = await seating.open_table(self.application, ADA, NewTable.model_validate(request))
        for guest in (BEN, CLEO):
            await seating.sit(self.application, self.table, guest, None, "", None)
        self.acknowledged.clear()
        self.others = random.Random(secret.hex() + str(self.mark))

    def connect(self, guest, since):
        socket = self.sockets[guest] = Socket(self.app, f"/ws/tables/{self.table.row.id}", self.cookie(guest))
        socket.send_raw(json.dumps({"type": "hello", "since": since}))

    async def play_secretly_as_ben(self, ready):
        """Make secret choices that other guests must not notice, except for the final ready."""
        for _ in range(self.others.randrange(1, 4)):
            view = self.table.require_match().view(1, 0)
            choices = [move["id"] for move in view["legal"] if move["verb"] == "choose"]
            if choices:
                await self._play_as_ben(view["seq"], self.others.choice(choices))
        view = self.table.require_match().view(1, 0)
        if ready:
            await self._play_as_ben(view["seq"], *(move["id"] for move in view["legal"] if move["verb"] == "ready"))

    async def _play_as_ben(self, seq, *moves):
        if moves:
            await run_command(self.application, self.table, BEN, Command(1, seq, moves), os.urandom(8).hex())

    async def read_journal(self):
        """Return the stored journal, and Ada's commands in it."""
        table = self.table.row.id
        entries = await self.application.writer.do(lambda c: repository.load_entries(c, table))
        assert entries == list(self.table.require_match().entries)
        for key, guest in self.acknowledged.items():
            submission = await self.application.writer.do(
                lambda c, k=key, g=guest: repository.find_submission(c, table, g, k)
            )
            assert submission and submission.journal_length <= len(entries), key
        return entries

    async def end(self):
        self.application.tables.drop(self.table)


@asynccontextmanager
async def worlds(folder, statics):
    apps = []
    for mark in (0, 1):
        (folder / str(mark)).mkdir()
        no_limits = {"max_queued_messages": 100_000, "commands_per_second": 1e12, "tables_per_guest": 10**9}
        settings = Settings(folder / str(mark), compile_ahead=False, grace=0, **no_limits)
        engine = open_database(settings.database_url)
        with engine.begin() as connection:
            repository.get_or_create_setting(connection, "signing-key", "00" * 32)
        apps.append(make_app(settings, engine, statics))
    one, other = apps
    async with one.router.lifespan_context(one), other.router.lifespan_context(other):
        yield World(one, 0), World(other, 1)


def malformed_message(rng):
    """Return a message that our client never sends."""
    valid = json.dumps({"type": "play", "key": "k", "seat": 0, "seq": 0, "moves": [1]})
    return rng.choice(
        (
            "",
            "[" * rng.randrange(1, 3000),
            "null",
            '"play"',
            valid[: rng.randrange(len(valid))],
            "".join(chr(rng.randrange(1, 0xD000)) for _ in range(rng.randrange(1, 50))),
            rng.randbytes(rng.randrange(60)),
            valid.encode(),
            valid.encode("utf-16"),
            '{"type":"hello","since":' + '{"a":' * rng.randrange(1, 500) + "0}",
            valid.replace("[1]", "[" + "9" * rng.randrange(1, 5000) + "]"),
            valid.replace('"seat": 0', '"seat": NaN'),
            valid.replace('"k"', '"\\ud800"'),
            valid.replace('"seat": 0', '"seat": 0, "seat": 1'),
            "\x00" + valid,
        )
    )


INVALID_VALUES = (-1, 3, 7, 99, 1 << 31, 1 << 40, 0.5, "0", None, True, [], {})


def message(rng, view, keys):
    """Return a message: valid, stale, for another seat, or malformed."""
    if rng.random() < 0.15:
        return malformed_message(rng)
    kind = rng.choices(("play", "undo", "preview", "resync", "ping", "hello", "other"), (8, 3, 8, 2, 1, 1, 1))[0]
    content = {"type": kind}
    if kind == "hello":
        content |= {"since": {rng.choice(("0", "1", "null", "x")): rng.randrange(30)}, "page": rng.choice(("x", None))}
    if kind in ("play", "undo", "preview"):
        key = rng.choice(keys) if keys and rng.random() < 0.1 else f"{rng.getrandbits(64):x}"
        keys.append(key)
        legal = [move["id"] for move in view["legal"]] or [0]
        move_count = rng.choice((1, 1, 1, 2, 3))
        moves = [rng.choice(legal) if rng.random() < 0.8 else rng.randrange(40) for _ in range(move_count)]
        seat = 0 if rng.random() < 0.85 else rng.choice((1, 2))
        seq = view["seq"] if rng.random() < 0.8 else rng.randrange(view["seq"] + 5)
        content |= {"key": key, "seat": seat, "seq": seq} | ({} if kind == "undo" else {"moves": moves})
    if rng.random() < 0.1:
        content[rng.choice(("type", "key", "seat", "seq", "moves", "since", "extra"))] = rng.choice(INVALID_VALUES)
    if rng.random() < 0.03:
        content.pop(rng.choice(list(content)))
    return json.dumps(content)


async def fuzz(folder, messages, seed):
    rng, message_count, answer_counts = random.Random(seed), 0, Counter()
    async with worlds(folder, AssetBundle(WEB)) as both_worlds:
        while message_count < messages:
            secret, table = rng.randbytes(31), f"t{message_count}"
            for world in both_worlds:
                await world.open(table, secret)
            hands = [tuple(tuple(row) for row in world.table.require_match().state.hand) for world in both_worlds]
            message_count += await play_a_table(rng, both_worlds, answer_counts)
            answer_counts["worlds that differ"] += hands[0] != hands[1]
            for world in both_worlds:
                await world.end()
    return message_count, answer_counts


async def play_a_table(rng, both_worlds, answer_counts):
    """Play a game in which all but one player decide, so that nothing is shown until the end."""
    message_count, keys, since = 0, [], {}
    while message_count < MESSAGES_PER_TABLE:
        for guest in (ADA, EVE):
            if rng.random() < 0.3 or guest not in both_worlds[0].sockets:
                await act_in_both(both_worlds, disconnect, guest, answer_counts)
                for world in both_worlds:
                    world.connect(guest, since)
                await act_in_both(both_worlds, settle, guest, message_count)
                since = {"0": rng.randrange(20), "null": rng.randrange(20)} if rng.random() < 0.5 else {}
            views = [world.table.require_match().view(0 if guest == ADA else None, 0) for world in both_worlds]
            assert views[0] == views[1]
            for _ in range(rng.randrange(1, 25)):
                text = message(rng, views[0], keys)
                message_count += 1
                for world in both_worlds:
                    world.sockets[guest].send_raw(text)
            await act_in_both(both_worlds, settle, guest, message_count)
        if rng.random() < 0.3:
            ready = rng.random() < 0.2
            for world in both_worlds:
                await world.play_secretly_as_ben(ready)
    journals = []
    for guest in (ADA, EVE):
        await act_in_both(both_worlds, settle, guest, -1)
        await act_in_both(both_worlds, disconnect, guest, answer_counts)
    for world in both_worlds:
        journals.append([entry._replace(ply=0, batch=0) for entry in await world.read_journal() if entry.seat == 0])
    assert [entry.move for entry in journals[0]] == [entry.move for entry in journals[1]]
    answer_counts["her moves"] += len(journals[0])
    answer_counts["acknowledged"] += len(both_worlds[0].acknowledged)
    return message_count


async def act_in_both(both_worlds, act, guest, *arguments):
    """Act in both worlds, and check that the same messages are received."""
    for world in both_worlds:
        await act(world, guest, *arguments)
    if act is disconnect and guest in both_worlds[0].sockets:
        one, other = (world.sockets.pop(guest) for world in both_worlds)
        assert one.messages == other.messages
        for message in one.messages:
            if "text" in message:
                answer = json.loads(message["text"])
                if answer["type"] == "done":
                    for world in both_worlds:
                        world.acknowledged[answer["key"]] = guest
                arguments[0][answer["error"]["id"] if answer["type"] == "error" else answer["type"]] += 1


async def settle(world, guest, number):
    if guest in world.sockets:
        await world.sockets[guest].wait_until_answered(number)


async def disconnect(world, guest, _):
    if guest in world.sockets:
        await world.sockets[guest].close()


@pytest.mark.timeout(7200)
def test_arbitrary_messages_reveal_nothing_and_break_nothing(tmp_path, monkeypatch, long, capsys):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.setattr(CommittedChance, "choose", TwinChance.choose)
    monkeypatch.setattr(CommittedChance, "commitment", staticmethod(TwinChance.commitment))
    monkeypatch.setattr(TIMEKEEPER, "now", lambda: 1_800_000_000_000)  # both servers use the same time of day
    start = time.monotonic()
    message_count, answer_counts = asyncio.run(fuzz(tmp_path, LONG_RUN_MESSAGES if long else DAILY_MESSAGES, seed=1))
    if long:
        with capsys.disabled():
            print(f"\n{message_count} messages in {time.monotonic() - start:.0f} s: {dict(answer_counts)}")
    assert not {"error-server", "error-storage", "error-unsure", "error-rules", "error-damaged"} & answer_counts.keys()
    assert answer_counts["acknowledged"] > message_count / 100, answer_counts
    assert answer_counts["worlds that differ"] > 0.9 * message_count / MESSAGES_PER_TABLE / 2
    expected = {"done", "view", "table", "preview", "error-malformed", "error-stale", "error-not-yours", "error-key"}
    assert expected | {"error-illegal", "error-unknown-move", "error-no-undo"} <= answer_counts.keys(), answer_counts

"""Several server processes on one PostgreSQL: pages show what other processes did, and games survive the death of a
process.
"""

import asyncio
import getpass
import hashlib
import json
import random
import secrets
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from http.client import HTTPException
from itertools import count, pairwise, product
from pathlib import Path

import psycopg
import pytest
from accelerated_time import ACCELERATED_TIME, SHORT_HEARTBEAT_GAP, SUSPENSION_S, remaining_time_ms, suspend
from analysis_worker_stub import controlled_worker, started_analyses
from databases import POSTGRESQL, shared_server
from external_programs import find_program, free_port, running
from guests import SECRET_BIDS, Connection, Guest, Server, fresh_key, wait_until
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError
from starlette.requests import HTTPConnection
from starlette.responses import Response
from websockets.exceptions import ConnectionClosed, WebSocketException

from courtly.engine.position import CommandRefusedError
from courtly.server.actions import game_commands, seating
from courtly.server.actions.game_commands import Command, run_command
from courtly.server.application import Application
from courtly.server.cluster import advisory_locks, pg_notify
from courtly.server.http.routes import account
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.schemas.requests import MakeMoves, NewTable, PostChat
from courtly.server.services import analysis_jobs
from courtly.server.settings import Settings
from courtly.server.sync.peer_event_handlers import PeerEventHandlers
from courtly.server.sync.peer_sync import SINGLETON_LOCK, PeerSync
from courtly.server.tables.table import LiveTable, Subscriber

pytestmark = POSTGRESQL
TIMEOUT_S = 20  # seconds: an upper limit, not the expected time


@pytest.fixture
def database():
    """The address of an empty database."""
    return shared_server().create_database()


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory):
    """Two processes, for tests that kill none."""
    folder, address = tmp_path_factory.mktemp("servers"), shared_server().create_database()
    with start_server(folder, address) as one, start_server(folder, address) as other:
        yield one, other
        for server in (one, other):
            server.stop()
            assert tracebacks(server) == []


def start_server(folder, database, **settings):
    server = Server(folder, COURTLY_DATABASE=database, **settings)
    server.database = database
    return server


def tracebacks(server):
    """Return the tracebacks in a server's log, each with what follows it."""
    starts = [index for index, line in enumerate(server.log) if "Traceback" in line]
    return ["".join(server.log[max(start - 1, 0) : end]) for start, end in pairwise([*starts, None])]


def as_client_of(server, guest):
    """Return the same guest as a client of this process."""
    client = Guest(server, cookie=False)
    client.cookie = guest.cookie
    return client


def journal(database, table):
    """Return seats and moves in the order of the journal, after checking that no ply is missing."""
    with psycopg.connect(database.replace("+psycopg", "")) as connection:
        query = "SELECT ply, seat, move FROM journal WHERE table_id = %s ORDER BY ply"
        rows = connection.execute(query, (table,)).fetchall()
    assert [ply for ply, _, _ in rows] == list(range(len(rows)))
    return [(seat, move) for _, seat, move in rows]


class Player(threading.Thread):
    """Plays a seat over a socket until the game is over. When the connection breaks, the client connects to the next
    process that answers, and resends what was not acknowledged with the same key.
    """

    def __init__(self, guest, table, seat, processes):
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.processes = guest, table, seat, processes
        self.rng = random.Random(seat)
        self.acknowledged, self.cues, self.error, self.over = [], [], None, threading.Event()
        self.unacknowledged = None
        self.start()

    def run(self):
        try:
            while not self.over.is_set():
                for server in self.processes():
                    try:
                        self.play(as_client_of(server, self.guest))
                        break
                    except (OSError, HTTPException, WebSocketException, EOFError):
                        time.sleep(0.05)
        except Exception as error:  # reported to the test's thread
            self.error = error

    def play(self, guest):
        view = None
        with guest.connect(self.table, since={str(self.seat): len(self.cues)}) as connection:
            if self.unacknowledged:
                connection.send(**self.unacknowledged)
            while True:
                message = connection.receive()
                if message["type"] == "done":
                    assert message["key"] == self.unacknowledged["key"]
                    self.acknowledged.append(self.unacknowledged["moves"][0])
                    self.unacknowledged = None
                elif message["type"] == "error" and not (
                    self.unacknowledged and message.get("key") == self.unacknowledged["key"]
                ):
                    assert message["error"]["id"] == "error-storage", (
                        message
                    )  # the content of the message is not known yet
                elif message["type"] == "error" and message["error"]["id"] in ("error-storage", "error-unsure"):
                    time.sleep(0.2)
                    connection.send(**self.unacknowledged)
                elif message["type"] == "error":
                    assert message["error"]["id"] in ("error-stale", "error-not-your-turn"), message
                    view = self.unacknowledged = None
                    connection.send(type="resync")
                elif message["type"] == "view" and message["view"]["seat"] == self.seat:
                    view = message["view"]
                    self.cues[len(self.cues) :] = [cue for cue in view["cues"] if cue["n"] >= len(self.cues)]
                if view and view["over"] and not self.unacknowledged:
                    self.over.set()
                    return
                if view and view["legal"] and not self.unacknowledged:
                    command = {"seat": self.seat, "seq": view["seq"], "moves": [self.rng.choice(view["legal"])["id"]]}
                    self.unacknowledged = {"type": "play", "key": fresh_key(), **command}
                    connection.send(**self.unacknowledged)
                    view = None


def seat_ada_and_ben(one, other, *kinds, **options):
    """Return Ada, who has opened a table at one process, Ben, who has sat down through the other, and the table."""
    ada, ben = one.guest("Ada"), other.guest("Ben")
    table = ada.open("me", "open", *kinds, **options)
    wait_until(lambda: any(info["id"] == table for info in ben.get("/api/tables").json["open"]))
    assert ben.command(table, "sit").status == 200
    return ada, ben, table


def check_game(database, table, players):
    """Check that acknowledged moves are in the journal, once, and that all clients saw the same."""
    for player in players:
        wait_until(lambda player=player: player.over.is_set() or player.error, TIMEOUT_S)
        assert player.error is None
    entries = journal(database, table)
    for player in players:
        assert [move for seat, move in entries if seat == player.seat] == player.acknowledged
    assert [cue["n"] for player in players for cue in player.cues] == [
        n for player in players for n in range(len(player.cues))
    ]
    assert [cue["seat"] for cue in players[0].cues] == [cue["seat"] for cue in players[1].cues]


# --- playing ----------------------------------------------------------------------------------------------------------


def test_two_people_and_a_bot_play_by_two_processes(two_servers):
    one, other = two_servers
    ada, ben, table = seat_ada_and_ben(one, other, "bot", game="petition", options={})
    players = [Player(ada, table, 0, lambda: [one]), Player(ben, table, 1, lambda: [other])]
    check_game(one.database, table, players)
    wait_until(lambda: [guest.table(table)["status"] for guest in (ada, ben)] == ["over", "over"])
    assert ada.view(table) == ben.view(table)


def test_secret_choices_do_not_leak_through_the_other_process(two_servers):
    """Ben, a spectator through the other process, receives the same whatever Ada chooses."""
    one, other = two_servers
    silences = []
    for choice in (0, -1):
        ada, ben, table = seat_ada_and_ben(one, other, options=SECRET_BIDS)
        with as_client_of(other, ben).connect(table) as connection, other.guest().connect(table) as spectator:
            connection.drop_pending()
            spectator.drop_pending()
            view = ada.view(table, 0)
            choice_id = [move["id"] for move in view["legal"] if move["verb"] == "choose"][choice]
            assert ada.play(table, 0, view["seq"], choice_id).status == 200
            wait_until(lambda ada=ada, table=table: as_client_of(other, ada).view(table, 0) == ada.view(table, 0))
            silences.append([connection.is_silent(), spectator.is_silent()])
    assert silences == [[True, True]] * 2


def test_events_at_a_table_are_shown_by_the_other_process(two_servers):
    """Presence, names, colours, votes, chat, host, and the end of a table."""
    one, other = two_servers
    ada, ben, table = seat_ada_and_ben(one, other, "open", game="petition", options={})
    with ada.connect(table) as connection:
        wait_until(lambda: [seat["connected"] for seat in ben.table(table)["seats"]] == [True, False, False])
        with ben.connect(table) as bens_connection:
            connection.wait("table")
            wait_until(lambda: ada.table(table)["seats"][1]["connected"])
            assert ben.request("PUT", "/api/me", {"name": "Benjamin"}).status == 200
            wait_until(lambda: ada.table(table)["seats"][1]["name"] == "Benjamin")
            assert ben.command(table, "chat", {"text": "Good evening"}).status == 200
            assert connection.wait("chat_message")["message"]["text"] == "Good evening"
            assert ada.command(table, "chat", {"canned_message": "hello"}).status == 200
            while bens_connection.wait("chat_message")["message"]["canned_message"] != "hello":
                pass
            assert ada.command(table, "chat-muted", {"chat_muted": True}).status == 200
            wait_until(lambda: ben.table(table)["chat_muted"])
            assert ben.command(table, "chat", {"text": "Oh"}).error == "error-chat-muted"
            assert ben.command(table, "colour", {"colour": "sable"}).status == 200
            wait_until(lambda: ada.table(table)["seats"][1]["colour"] == "sable")
        wait_until(lambda: not ada.table(table)["seats"][1]["connected"])
    assert ada.command(table, "leave").status == 200
    wait_until(lambda: ben.table(table)["host"])
    assert ben.command(table, "leave").status == 200
    wait_until(lambda: as_client_of(one, ben).get(f"/api/tables/{table}").status == 404)


def test_votes_are_counted_over_processes(two_servers):
    """Two votes through different processes bring a substitute; the player can take the seat back through either."""
    one, other = two_servers
    ada, ben, table = seat_ada_and_ben(one, other, "open", game="petition", options={})
    cleo = one.guest("Cleo")
    assert cleo.command(table, "sit").status == 200
    with ada.connect(table), ben.connect(table):
        wait_until(lambda: [s["connected"] for s in ada.table(table)["seats"]] == [True, True, False])
        wait_until(lambda: [s["connected"] for s in ben.table(table)["seats"]] == [True, True, False])
        assert ada.command(table, "substitute", {"seat": 2}).json["seats"][2]["votes"] == 1
        wait_until(lambda: ben.table(table)["seats"][2]["votes"] == 1)
        assert ben.command(table, "substitute", {"seat": 2}).json["seats"][2]["substitute"]
        wait_until(lambda: ada.table(table)["seats"][2]["substitute"])
        assert as_client_of(other, cleo).command(table, "take-seat-back", {"seat": 2}).status == 200
        wait_until(lambda: ada.table(table)["seats"][2]["substitute"] is None)


def test_the_lobby_shows_tables_of_another_process(two_servers):
    one, other = two_servers
    ada, ben = one.guest("Ada"), other.guest("Ben")
    with Connection(ben, "/ws/lobby") as lobby:
        table = ada.open("me", "open", game="petition", options={})
        while table not in [info["id"] for info in lobby.wait("tables")["open"]]:
            pass
        cleo = one.guest("Cleo")
        assert cleo.command(table, "sit").status == 200
        while table not in [info["id"] for info in lobby.wait("tables")["live"]]:
            pass


def test_signing_out_at_one_process_closes_sockets_of_the_other(two_servers):
    """Open sockets are closed, too."""
    one, other = two_servers
    ada = one.guest("Ada")
    table = ada.open("me", "local")
    other_device = as_client_of(other, ada)
    with other_device.connect(table) as connection:
        connection.wait("view")
        assert ada.post("/api/me/sign-out").status == 200
        with pytest.raises(ConnectionClosed, match="4401"):
            while True:
                connection.receive()
    assert other_device.get("/api/me/games").error == "error-no-cookie"
    assert as_client_of(other, ada).get("/api/me/games").status == 200


def test_a_rematch_is_announced_by_the_other_process(two_servers):
    one, other = two_servers
    ada = one.guest("Ada")
    table = ada.open("me", "random")
    with as_client_of(other, ada).connect(table) as connection:
        while not (view := ada.view(table, 0))["over"]:
            if view["legal"]:
                ada.play(table, 0, view["seq"], view["legal"][0]["id"])
        rematch = ada.command(table, "rematch").json["id"]
        while connection.wait("table")["table"]["rematch_id"] != rematch:
            pass
        assert as_client_of(other, ada).table(rematch)["status"] == "playing"


def test_a_signed_out_cookie_is_unknown_to_every_process(two_servers):
    one, other = two_servers
    ada = one.guest("Ada")
    other_device = as_client_of(other, ada)
    assert ada.post("/api/me/sign-out").status == 200
    wait_until(lambda: other_device.request("PUT", "/api/me", {"name": "Eve"}).error == "error-no-cookie")


LOCK_HOLDER = """SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid::bigint << 32 | objid::bigint = %s
    AND application_name <> ''"""  # a new connection may be listed before its name is set


def addresses_of_two_processes(database: str) -> list[str]:
    """Return the address of this database for two processes that `whose` can distinguish."""
    names = [make_url(database).update_query_dict({"application_name": name}) for name in ("0", "1")]
    return [name.render_as_string(hide_password=False) for name in names]


def holder_of(database: str, claim: str) -> int:
    """Return which of the two processes holds a claim."""
    with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as connection:
        return int(wait_until(lambda: connection.execute(LOCK_HOLDER, (advisory_locks.lock_id(claim),)).fetchone())[0])


def test_one_process_sends_turn_notifications_and_another_after_a_kill(tmp_path, database, webhook):
    """One notification for each turn, whichever process opened the game; the setting is changed at the other one."""
    settings = {"COURTLY_ADDRESS": "https://games.example", "COURTLY_ALLOW_LOCAL_WEBHOOKS": "1"}
    servers = [start_server(tmp_path, url, **settings) for url in addresses_of_two_processes(database)]
    try:
        ada, ben = servers[0].guest("Ada"), servers[0].guest("Ben")
        request = {"language": "en", "webhook": webhook.url, "webhook_format": "json"}
        assert as_client_of(servers[1], ada).request("PUT", "/api/me/notifications", request).status == 200
        holder_of(database, SINGLETON_LOCK)
        tables = [open_waiting_table(as_client_of(server, ada), as_client_of(server, ben)) for server in servers]
        wait_until(lambda: len(webhook.requests) == 3)  # the first one is a greeting
        time.sleep(1)
        assert len(webhook.requests) == 3 and len(set(tables)) == 2
        holder = holder_of(database, SINGLETON_LOCK)
        servers[holder].kill()
        survivor = servers[1 - holder]
        open_waiting_table(as_client_of(survivor, ada), as_client_of(survivor, ben))
        wait_until(lambda: len(webhook.requests) == 4)
    finally:
        for server in servers:
            server.kill()


def test_an_analysis_is_made_once_and_taken_over_after_a_kill(tmp_path, database):
    """It need not be requested again."""
    folder = tmp_path / "stub"
    folder.mkdir()
    servers = [start_server(tmp_path, database, first=controlled_worker(folder), COURTLY_NATIVE="1") for _ in range(2)]
    guests = [server.guest() for server in servers]
    working_state = {"state": "working", "judged": 0, "total": 2, "ahead": 0}
    try:
        tables = [guests[0].open("bot", "bot") for _ in range(2)]
        for guest, table in product(guests, tables):
            with guest.connect(table) as connection:
                connection.view_where(lambda view: view["over"])
        with ThreadPoolExecutor() as threads:
            list(threads.map(lambda guest: guest.command(tables[0], "review"), guests))
        wait_until(lambda: all(guest.table(tables[0])["review"] == working_state for guest in guests))
        (folder / "go").touch()
        wait_until(lambda: all(guest.table(tables[0])["review"]["state"] == "ready" for guest in guests))
        assert [guest.get(f"/api/tables/{tables[0]}/review").json["form"] for guest in guests] == [1, 1]
        time.sleep(2 * analysis_jobs.QUEUE_POLL_S)  # the process without the claim polls again
        assert len(started_analyses(folder)) == 1

        (folder / "go").unlink()
        assert guests[0].command(tables[1], "review").status == 200
        wait_until(lambda: guests[1].table(tables[1])["review"] == working_state)
        assert guests[1].command(tables[1], "review").status == 200
        servers[0].kill()
        wait_until(lambda: guests[1].table(tables[1])["review"] != working_state, TIMEOUT_S)
        (folder / "go").touch()
        wait_until(lambda: guests[1].table(tables[1])["review"]["state"] == "ready", TIMEOUT_S)
    finally:
        for server in servers:
            server.kill()


def open_waiting_table(ada, ben):
    """Open a table where both players are pending and absent."""
    table = ada.open("me", "open")
    assert ben.command(table, "sit").status == 200
    return table


# --- missed notifications ---------------------------------------------------------------------------------------------


class MessageRecorder:
    """Records the messages sent to a guest at a table."""

    def __init__(self, table, guest):
        self.messages = []
        subscriber = Subscriber(guest, self, {})
        table.add_subscriber(subscriber)
        table.send_all_views(subscriber)

    def put(self, text):
        self.messages.append(json.loads(text))

    def cues(self, seat):
        """Return the numbers of the cues in the order received."""
        views = [message["view"] for message in self.messages if message["type"] == "view"]
        return [cue["n"] for view in views if view["seat"] == seat for cue in view["cues"]]


class ProcessPair:
    """Two servers in this process, and a table of Ada and Ben that is in memory in both."""

    def __init__(self, applications):
        self.applications, self.keys = applications, map(str, count())

    async def begin(self):
        seats = [{"kind": "me"}, {"kind": "open"}]
        request = NewTable(game="sealed_bids", players=2, options=SECRET_BIDS, seats=seats)
        table = await seating.open_table(self.applications[0], "ada", request)
        await seating.sit(self.applications[0], table, "ben", None, "")
        self.tables = [await application.tables.get(table.row.id) for application in self.applications]
        self.recorder = MessageRecorder(self.tables[1], "ben")

    async def play(self, number=0):
        """Make a move of a pending seat through the first server."""
        table = self.tables[0]
        seat = table.match.pending[number % len(table.match.pending)]
        move = table.match.view(seat)["legal"][-1]["id"]
        guest = ("ada", "ben")[seat]
        await run_command(self.applications[0], table, guest, Command(seat, None, (move,)), next(self.keys))

    async def stop_notifications(self, monkeypatch):
        """From now on the first server sends no notifications, and the second neither processes received ones nor
        checks for missed ones.
        """

        async def nothing(*_):
            pass

        monkeypatch.setattr(self.applications[0].peers, "publish", lambda kind, **fields: None)
        monkeypatch.setattr(PeerEventHandlers, "_refresh", nothing)
        async with asyncio.timeout(TIMEOUT_S):
            while self.applications[1].peers._events._tasks:
                await asyncio.sleep(0.01)

    async def wait_until_equal(self):
        """Wait until the second server has the moves of the first and Ben has received each cue once."""
        async with asyncio.timeout(TIMEOUT_S):
            one, other = self.tables
            while other.match is None or one.match.entries != other.match.entries:
                await asyncio.sleep(0.01)
        assert self.recorder.cues(1) == list(range(other.match.seq(1)))


@pytest.fixture
def pair(database, tmp_path):
    """Run a test with a pair."""

    def run(test):
        async def run_both():
            applications = []
            async with AsyncExitStack() as exit_stack:
                for _ in range(2):
                    engine = open_database(database)
                    application = await Application.open(
                        Settings(tmp_path, database=database), GroupCommitWriter(engine), None
                    )
                    exit_stack.push_async_callback(application.close)
                    await PeerSync.join(application, engine)
                    applications.append(application)
                process_pair = ProcessPair(applications)
                await process_pair.begin()
                await test(process_pair)

        asyncio.run(run_both())

    return run


def test_entries_follow_without_the_database(pair, monkeypatch):
    async def test(pair):
        await pair.wait_until_equal()
        monkeypatch.setattr(pair.applications[1], "writer", None)
        for _ in range(6):
            await pair.play()
        await pair.wait_until_equal()
        monkeypatch.undo()

    pair(test)


def test_missed_entries_are_read_from_the_database(pair, monkeypatch):
    """A notification is lost, so the next one leaves a gap."""

    async def test(pair):
        await pair.wait_until_equal()
        monkeypatch.setattr(pair.applications[0].peers, "publish", lambda kind, **fields: None)
        await pair.play()
        monkeypatch.undo()
        await pair.play()
        await pair.wait_until_equal()

    pair(test)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_move_made_while_a_game_is_loaded_is_shown(pair, monkeypatch, is_known):
    """A notification arrives after the journal was read and before the match is created."""

    async def test(pair):
        await pair.wait_until_equal()
        application, table = pair.applications[1], pair.tables[1]
        table.subscribers.clear()
        application.tables.drop(table)
        if is_known:
            application.tables.add(LiveTable(table.row, table.seats))
        do, arrived = application.writer.do, asyncio.Event()
        load, loaded = repository.load_whole_table, []

        def load_whole_table(*args):
            loaded.append(load(*args))
            return loaded[-1]

        async def play_after_loading(*work):
            rows = await do(*work)  # also those of tasks in the background
            if not arrived.is_set() and any(rows is loaded_rows for loaded_rows in loaded):
                await pair.play()
                await asyncio.wait_for(arrived.wait(), TIMEOUT_S)
            return rows

        receive = application.peers.handle_notification
        monkeypatch.setattr(
            application.peers,
            "handle_notification",
            lambda *message: [receive(*message), message[1] == "moves" and arrived.set()],
        )
        monkeypatch.setattr(application.writer, "do", play_after_loading)
        monkeypatch.setattr(repository, "load_whole_table", load_whole_table)
        await application.tables.get(table.row.id)
        async with asyncio.timeout(TIMEOUT_S):
            while application.tables.by_id[table.row.id].match.entries != pair.tables[0].match.entries:
                await asyncio.sleep(0.01)
        assert loaded and arrived.is_set()

    pair(test)


def next_move_ends_game(table):
    """Return whether the next move of `Pair.play` ends the game."""
    match = table.match.copy()
    seat = match.pending[0]
    match.play(seat, [match.view(seat)["legal"][-1]["id"]], at=0)
    return match.over


@pytest.mark.parametrize("is_known", [True, False])
def test_the_last_move_made_while_a_table_is_read_ends_the_game(pair, monkeypatch, is_known):
    """The table is read, a move is made, then the journal is read."""

    async def test(pair):
        await pair.wait_until_equal()
        while not next_move_ends_game(pair.tables[0]):
            await pair.play()
        await pair.wait_until_equal()
        await pair.stop_notifications(monkeypatch)
        application, table = pair.applications[1], pair.tables[1]
        if not is_known:
            table.subscribers.clear()
            application.tables.drop(table)
        loop, seats = asyncio.get_running_loop(), repository._load_seats

        def play_before_loading(*arguments):
            monkeypatch.setattr(repository, "_load_seats", seats)
            asyncio.run_coroutine_threadsafe(pair.play(), loop).result(TIMEOUT_S)
            return seats(*arguments)

        monkeypatch.setattr(repository, "_load_seats", play_before_loading)
        if is_known:
            async with table.lock:
                await application.tables.reload(table)
        else:
            table = await application.tables.get(table.row.id)
        assert table.match.over and table.row.ended_at == pair.tables[0].row.ended_at and table.status == "over"

    pair(test)


def test_a_move_made_between_the_statements_of_a_load_is_no_damage(pair, monkeypatch):
    """The journal is read, a move is made, then the rest is read."""

    async def test(pair):
        await pair.wait_until_equal()
        await pair.play()
        await pair.wait_until_equal()
        await pair.stop_notifications(monkeypatch)
        loop, load_journal, moves = asyncio.get_running_loop(), repository._load_journal, []

        def play_after_loading(*arguments):
            journal = load_journal(*arguments)
            monkeypatch.setattr(repository, "_load_journal", load_journal)
            moves.append(asyncio.run_coroutine_threadsafe(pair.play(), loop).result(TIMEOUT_S))
            return journal

        application, table = pair.applications[1], pair.tables[1]
        table.subscribers.clear()
        application.tables.drop(table)
        monkeypatch.setattr(repository, "_load_journal", play_after_loading)
        table = await application.tables.get(table.row.id)
        assert moves and not table.problem and table.match

    pair(test)


def test_the_end_is_announced_if_the_notification_is_too_long(pair, monkeypatch):
    """For a game that no client watches through the other process."""

    async def test(pair):
        await pair.wait_until_equal()
        while not next_move_ends_game(pair.tables[0]):
            await pair.play()
        await pair.wait_until_equal()
        table = pair.tables[1]
        table.subscribers.clear()
        table.last_used_at -= 1000
        monkeypatch.setattr(pg_notify, "MAX_PAYLOAD_BYTES", 50)
        await pair.play()
        async with asyncio.timeout(TIMEOUT_S):
            while table.status != "over":
                await asyncio.sleep(0.01)
        assert table.row.ended_at == pair.tables[0].row.ended_at

    pair(test)


def test_a_process_that_lost_a_race_reads_only_new_entries(pair, monkeypatch):
    """A long game is not replayed when another process was first."""

    async def test(pair):
        await pair.wait_until_equal()
        await pair.stop_notifications(monkeypatch)
        monkeypatch.setattr(LiveTable, "iter_replay", None)
        for _ in range(4):
            await pair.play()
            table = pair.tables[1]
            assert table.match.pending == (0, 1), "it has received no notification"
            move = table.match.view(1)["legal"][-1]["id"]
            await run_command(pair.applications[1], table, "ben", Command(1, None, (move,)), next(pair.keys))
            await pair.wait_until_equal()

    pair(test)


def test_commands_succeed_at_a_process_with_stale_state(pair, monkeypatch):
    """Ada and Ben act through one process and continue through another that has not been notified."""

    async def test(pair):
        await pair.wait_until_equal()
        monkeypatch.setattr(pair.applications[0].peers, "publish", lambda kind, **fields: None)
        monkeypatch.setattr(pair.applications[1].peers, "publish", lambda kind, **fields: None)
        one, other = pair.applications
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        for players in (2, 3):
            request = NewTable(game="sealed_bids", players=players, options=SECRET_BIDS, seats=seats[:players])
            table_at_one = await seating.open_table(one, "ada", request)
            table_at_other = await other.tables.get(table_at_one.row.id)
            if players == 3:
                await seating.sit(one, table_at_one, "cleo", 2, "")
                await seating.leave(other, table_at_other, "cleo", None)
                await seating.set_seat(one, table_at_one, "ada", 2, "bot", "random")
            ticket, _ = await seating.make_seat_link(one, table_at_one, "ada", 0)
            assert (await seating.use_seat_link(one, ticket, "anna"))[0].row.id == table_at_one.row.id
            ticket, _ = await seating.make_seat_link(one, table_at_one, "anna", 0)
            assert (await seating.use_seat_link(other, ticket, "ada"))[0].row.id == table_at_one.row.id
            await seating.sit(one, table_at_one, "ben", None, "")
            for seat, guest in enumerate(("ada", "ben")):  # begun, unknown to the other process
                move = table_at_one.match.view(seat)["legal"][0]["id"]
                await run_command(
                    other, table_at_other, guest, Command(seat, table_at_one.match.seq(seat), (move,)), next(pair.keys)
                )
            for seat, guest in enumerate(("ada", "ben")):  # now the first process has not been notified
                view = table_at_other.match.view(seat)
                move = next(m["id"] for m in view["legal"] if m["verb"] == "ready")
                seq = None if seat else view["seq"]  # Ben sees Ada's moves
                await run_command(one, table_at_one, guest, Command(seat, seq, (move,)), next(pair.keys))
            with pytest.raises(CommandRefusedError, match="error-stale"):
                await run_command(other, table_at_other, "ada", Command(0, 0, (move,)), next(pair.keys))
            assert table_at_other.match.entries == table_at_one.match.entries

    pair(test)


def test_requests_succeed_at_a_process_with_stale_state(pair, monkeypatch):
    """Two requests of one page may reach two processes that share a listening socket."""

    async def test(pair):
        await pair.wait_until_equal()
        await pair.stop_notifications(monkeypatch)
        one, other = pair.applications
        request = NewTable(game="sealed_bids", players=2, options=SECRET_BIDS, seats=[{"kind": "me"}, {"kind": "open"}])
        table_at_one = await seating.open_table(one, "ada", request)
        table_at_other = await other.tables.get(table_at_one.row.id)

        async def post_message(text):
            return await seating.run_with_refresh(
                other, table_at_other, lambda: other.chat.post(table_at_other, "ben", PostChat(text=text), "192.0.2.1")
            )

        await seating.sit(one, table_at_one, "ben", None, "")
        assert (await game_commands.load_view(other, table_at_other, "ben", 1, 0))["seat"] == 1
        moves = [table_at_other.match.view(1)["legal"][0]["id"]]
        table_at_other.seats = (table_at_one.seats[0], replace(table_at_one.seats[1], guest_id=None))
        table_at_other.row = replace(
            table_at_other.row, revision=table_at_other.row.revision - 1
        )  # as if it had not been notified
        assert await game_commands.preview_moves(
            other, table_at_other, "ben", MakeMoves(seat=1, seq=table_at_other.match.seq(1), moves=moves)
        )
        table_at_other.row = replace(table_at_other.row, revision=table_at_other.row.revision - 1, host="somebody")
        await seating.set_chat_muted(other, table_at_other, "ada", True)
        await seating.set_chat_muted(one, table_at_one, "ada", False)
        assert (await post_message("Good evening"))["text"] == "Good evening"
        await seating.set_chat_muted(one, table_at_one, "ada", True)
        with pytest.raises(CommandRefusedError, match="error-chat-muted"):
            await post_message("Oh")

        while not next_move_ends_game(pair.tables[0]):
            await pair.play()
        table = pair.tables[1]
        await other.tables.revalidate(table)
        await pair.play()
        assert (await game_commands.require_finished_match(other, table)).over and table.status == "over"

    pair(test)


def request_with_cookie(cookie):
    """Return a request by a browser with this cookie."""
    scope = {"type": "http", "path": "/", "headers": [(b"cookie", f"courtly={cookie}".encode())], "query_string": b""}
    return HTTPConnection(scope | {"server": ("localhost", 80)})


def test_a_new_cookie_is_accepted_before_the_sign_out_is_announced(pair, monkeypatch):
    """By the guest's new cookie, by a link to a seat, and by an identity link."""

    async def test(pair):
        await pair.wait_until_equal()
        await pair.stop_notifications(monkeypatch)
        one, other = pair.applications
        table = pair.tables[0].row.id
        old_cookie = one.guests.sign_cookie("ada")
        assert other.guests.identify(request_with_cookie(old_cookie)) == "ada"
        closed_connections = []
        with other.guests.register_connection("ada", lambda: closed_connections.append("ada")):
            await one.guests.sign_out("ada")
            assert other.guests.identify(
                request_with_cookie(one.guests.sign_cookie("ada"))
            ) == "ada" and closed_connections == ["ada"]
        assert other.guests.identify(request_with_cookie(old_cookie)) is None and other.guests.sign_cookie(
            "ada"
        ) == one.guests.sign_cookie("ada")

        await one.guests.sign_out("ben")
        ticket, _ = await seating.make_seat_link(one, pair.tables[0], "ben", 1)
        assert (await seating.use_seat_link(other, ticket, "bea"))[0].row.id == table

        await one.guests.sign_out("cleo")
        link = await one.writer.do(lambda c: player_history.open_identity_link(c, "cleo"))
        response = Response()
        await account.use_identity_link(
            one.guests.signatures.identity_link_token("cleo", link), request_with_cookie(""), response, other, None
        )
        assert one.guests.sign_cookie("cleo") in response.headers["set-cookie"]

        request = NewTable(game="sealed_bids", players=2, options=SECRET_BIDS, seats=[{"kind": "me"}, {"kind": "open"}])
        table_at_one = await seating.open_table(one, "dora", request)
        await other.tables.get(table_at_one.row.id)
        await seating.sit(one, table_at_one, "ada", None, "")
        ticket, _ = await seating.make_seat_link(one, table_at_one, "ada", 1)
        assert (await seating.use_seat_link(other, ticket, "anna"))[0].row.id == table_at_one.row.id

    pair(test)


def test_a_replaced_journal_is_read_from_its_beginning(pair, monkeypatch, database):
    """As after the database was replaced by an older one."""

    async def test(pair):
        await pair.wait_until_equal()
        await pair.play()
        await pair.wait_until_equal()
        monkeypatch.setattr(pair.applications[0].peers, "publish", lambda kind, **fields: None)
        with psycopg.connect(database.replace("+psycopg", "")) as connection:
            connection.execute("DELETE FROM journal WHERE ply = (SELECT max(ply) FROM journal)")
            connection.execute("DELETE FROM idempotency_key WHERE journal_length > (SELECT max(ply) + 1 FROM journal)")
        table = pair.tables[1]
        length = len(table.match.entries)
        async with table.lock:
            await pair.applications[1].tables.reload(table)
        assert len(table.match.entries) == length - 1

    pair(test)


def test_entries_too_long_for_a_notification_are_read(pair, monkeypatch):
    async def test(pair):
        await pair.wait_until_equal()
        monkeypatch.setattr(pg_notify, "MAX_PAYLOAD_BYTES", 50)
        await pair.play()
        await pair.wait_until_equal()

    pair(test)


def test_closed_connections_lose_nothing(pair, database):
    """All connections of both processes are closed: notifications are lost, and the move itself reconnects."""

    async def test(pair):
        await pair.wait_until_equal()
        for _ in range(3):
            with psycopg.connect(database.replace("+psycopg", "")) as connection:
                other_backends = (
                    "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                )
                connection.execute(f"SELECT pg_terminate_backend(pid) {other_backends}")
            await pair.play()
            await pair.wait_until_equal()

    pair(test)


def test_a_silent_peer_is_considered_dead(pair, monkeypatch):
    """When the process is heard again, everything missed is checked."""
    monkeypatch.setattr(pg_notify, "PEER_TIMEOUT_S", 2.5)

    async def test(pair):
        one, other = pair.applications
        async with asyncio.timeout(TIMEOUT_S):
            while "ben" not in pair.tables[0].connected_guests():
                await asyncio.sleep(0.01)
            original_publish = other.peers._channel.publish
            monkeypatch.setattr(other.peers._channel, "publish", lambda kind, **fields: None)
            while "ben" in pair.tables[0].connected_guests():
                await asyncio.sleep(0.01)
            monkeypatch.setattr(other.peers._channel, "publish", original_publish)
            while "ben" not in pair.tables[0].connected_guests():
                await asyncio.sleep(0.01)

    pair(test)


def test_two_processes_do_not_double_a_rate_limit(pair):
    """The other process learns the use with the next heartbeat."""

    async def test(pair):
        one, other = pair.applications
        unused_address, busy_address = "192.0.2.1", "192.0.2.2"
        guests = [f"{n}" for n in range(10)]
        async with asyncio.timeout(TIMEOUT_S):
            assert [one.table_limit.take(busy_address) for _ in range(61)] == [True] * 60 + [False]
            while other.table_limit.take(busy_address):
                await asyncio.sleep(pg_notify.HEARTBEAT_INTERVAL_S / 2)
            assert other.table_limit.take(unused_address)

            assert all(one.socket_limit.take(guests[n % 10], busy_address) for n in range(320))
            while other.socket_limit.take("anybody", busy_address):
                other.socket_limit.release("anybody", busy_address)
                await asyncio.sleep(0.05)
            assert other.socket_limit.take("anybody", unused_address)
            for n in range(300):
                one.socket_limit.release(guests[n % 10], busy_address)
            while not other.socket_limit.take("anybody", busy_address):
                await asyncio.sleep(0.05)
            for n in range(300):
                one.socket_limit.take(guests[n % 10], busy_address)
            while other.socket_limit.take("anybody", busy_address):
                other.socket_limit.release("anybody", busy_address)
                await asyncio.sleep(0.05)
            await one.peers.close()
            while not other.socket_limit.take("anybody", busy_address):
                await asyncio.sleep(0.05)

    pair(test)


def test_one_process_holds_a_claim(pair):
    async def test(pair):
        async with asyncio.timeout(TIMEOUT_S):
            while [application.peers.has_duty for application in pair.applications].count(True) != 1:
                await asyncio.sleep(0.01)
            first = next(application for application in pair.applications if application.peers.has_duty)
            other = next(application for application in pair.applications if application is not first)
            async with first.peers.claim("anything") as first_claim, other.peers.claim("anything") as other_claim:
                assert (first_claim, other_claim) == (True, False)
            await first.peers.close()
            while not other.peers.has_duty:
                await asyncio.sleep(0.01)

    pair(test)


def test_a_process_that_starts_with_the_database_waits_for_its_peers(database):
    """The earlier processes have lost their connections and reconnect a moment later."""

    async def test():
        one, other = (advisory_locks.AdvisoryLocks(database.replace("+psycopg", "")) for _ in range(2))
        other_backends = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        async with one.claim_opening(lambda: answer_with(True)) as is_first:
            assert is_first
        with psycopg.connect(database.replace("+psycopg", "")) as connection:
            connection.execute(f"SELECT pg_terminate_backend(pid) {other_backends}")

        async def reconnect():
            await asyncio.sleep(pg_notify.HEARTBEAT_INTERVAL_S)
            while not await one.acquire("anything"):
                await asyncio.sleep(0.05)

        reconnection = asyncio.create_task(reconnect())
        async with other.claim_opening(lambda: answer_with(True)) as is_first:
            assert not is_first
        await reconnection
        for locks in (one, other):
            await locks.close()
        with psycopg.connect(database.replace("+psycopg", ""), autocommit=True) as connection:
            still_open = f"SELECT 1 {other_backends} AND datname = current_database()"
            while connection.execute(still_open).fetchone():  # the database has not noticed yet that they closed
                await asyncio.sleep(0.05)
        async with advisory_locks.AdvisoryLocks(database.replace("+psycopg", "")).claim_opening(
            lambda: answer_with(False)
        ) as is_first:
            assert is_first

    asyncio.run(test())


async def answer_with(value):
    return value


def test_startup_waits_for_the_database_before_deciding_it_is_alone(database, monkeypatch):
    async def test():
        attempts = []

        async def connect_at_third_attempt(url):
            if len(attempts) == 2:
                return await pg_notify.connect(url)
            attempts.append(url)
            raise psycopg.OperationalError("the database is starting up")

        monkeypatch.setattr(advisory_locks, "connect", connect_at_third_attempt)
        locks = advisory_locks.AdvisoryLocks(database.replace("+psycopg", ""))
        async with locks.claim_opening(lambda: answer_with(False)) as is_first:
            assert is_first
        await locks.close()

    asyncio.run(test())


# --- killed and hanging processes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("victim", [0, 1])
def test_play_continues_after_a_kill(victim, tmp_path, database):
    """kill -9 of either process while two people and a bot play: both play on through the other."""
    servers = [start_server(tmp_path, database, COURTLY_BOT_PAUSE="0.02") for _ in range(2)]

    def running_servers(first):
        return [s for s in servers[first:] + servers[:first] if s.process.poll() is None]

    try:
        ada, ben, table = seat_ada_and_ben(*servers, "bot", game="petition", options={})
        players = [Player(ada, table, 0, lambda: running_servers(0)), Player(ben, table, 1, lambda: running_servers(1))]
        wait_until(lambda: min(len(player.acknowledged) for player in players) > 2)
        servers[victim].kill()
        check_game(database, table, players)
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], []]


def test_a_flag_falls_once_if_the_deciding_process_is_killed(tmp_path, database):
    """kill -9 of the process whose bot decides for a player whose time has run out: the other decides, neither too
    early nor twice, and a restarted process computes the same clocks.
    """
    settings = {"first": ACCELERATED_TIME, "FAST": "60", "SINCE": str(time.time()), "COURTLY_BOT_PAUSE": "1.5"}
    servers = [start_server(tmp_path, url, **settings) for url in addresses_of_two_processes(database)]
    try:
        guests = [server.guest() for server in servers]
        table = guests[0].open("me", "open", game="petition", options={}, clock={"minutes": 1, "seconds": 60})
        assert guests[1].command(table, "sit").status == 200
        wait_until(lambda: guests[0].table(table)["status"] == "playing")
        view_before = guests[0].view(table)
        (seat,) = view_before["pending"]
        connections = [guest.connect(table) for guest in guests]  # the table is in the memory of both
        victim = holder_of(database, f"bots {table}")
        servers[victim].kill()
        survivor, connection = guests[1 - victim], connections[1 - victim]
        connection.view_where(lambda view: view["seq"] > view_before["seq"])
        wait_until(lambda: survivor.table(table)["clocks"]["seats"][seat]["timeouts"])
        restarted_server = start_server(tmp_path, database, **settings)
        servers.append(restarted_server)
        wait_until(lambda: as_client_of(restarted_server, survivor).view(table) == survivor.view(table))
        engine = open_database(database)
        with engine.connect() as connection_to_database:
            entries = repository.load_entries(connection_to_database, table)
        engine.dispose()
        start_ms, *decision_times = [entry.at for i, entry in enumerate(entries) if not i or entry.seat >= 0]
        assert decision_times[0] - start_ms >= 120_000  # the bank and the free time of the first decision
        assert all(b - a >= 60_000 for a, b in pairwise(decision_times[:3])), "afterwards a bot has the seat"
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], [], []]


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_the_database_is_started_again_and_play_goes_on(mode, tmp_path, database):
    servers = [start_server(tmp_path, database, COURTLY_BOT_PAUSE="0.02") for _ in range(2)]
    try:
        ada, ben, table = seat_ada_and_ben(*servers, "bot", game="petition", options={})
        players = [Player(ada, table, 0, lambda: servers[:1]), Player(ben, table, 1, lambda: servers[1:])]
        wait_until(lambda: min(len(player.acknowledged) for player in players) > 2)
        shared_server().restart(mode)
        check_game(database, table, players)
        with as_client_of(servers[0], ben).connect(table):  # the two receive each other's notifications again
            wait_until(lambda: ben.table(table)["seats"][1]["connected"], TIMEOUT_S)
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], []]


def test_bots_of_a_process_that_hangs_are_driven_by_another(tmp_path, database):
    """The hanging process's session keeps the claim; the other does not wait forever."""
    short_overdue_time = "import courtly.server.sync.peer_sync as peers; peers.BOT_OVERDUE_S = 0.5"
    settings = {"COURTLY_BOT_LIMIT": "0.5", "COURTLY_BOT_PAUSE": "2"}
    servers = [start_server(tmp_path, database, first=short_overdue_time, **settings) for _ in range(2)]
    try:
        one, other = servers
        ada = one.guest("Ada")
        table = ada.open("me", "bot", "bot", game="petition", options={})
        with as_client_of(other, ada).connect(table), ada.connect(table):
            while ada.view(table)["pending"] == [0]:  # then a bot thinks for two seconds
                view = ada.view(table, 0)
                assert ada.play(table, 0, view["seq"], view["legal"][-1]["id"]).status == 200
            length = len(journal(database, table))
            one.process.send_signal(signal.SIGSTOP)
            wait_until(lambda: len(journal(database, table)) > length, TIMEOUT_S)
            one.process.send_signal(signal.SIGCONT)
            wait_until(
                lambda: ada.view(table) == as_client_of(other, ada).view(table), TIMEOUT_S
            )  # it receives what it has missed
    finally:
        for server in servers:
            server.kill()


SHORT_PEER_TIMEOUT = "from courtly.server.cluster import pg_notify as channel; channel.PEER_TIMEOUT_S = 2.5"


def test_another_process_takes_over_while_one_hangs(tmp_path, database, webhook):
    """Its session keeps the claim indefinitely: a flag at an unloaded table still falls, and players are notified of
    their turn; when the process resumes, nothing is done twice.
    """
    since = str(time.time())
    settings = {"COURTLY_ADDRESS": "https://games.example", "COURTLY_ALLOW_LOCAL_WEBHOOKS": "1"}
    accelerated_settings = settings | {
        "first": f"{ACCELERATED_TIME}\n{SHORT_PEER_TIMEOUT}",
        "FAST": "60",
        "SINCE": since,
    }
    with start_server(tmp_path, database, **accelerated_settings) as first_server:
        ada, ben = first_server.guest("Ada"), first_server.guest("Ben")
        request = {"language": "en", "webhook": webhook.url, "webhook_format": "json"}
        assert ben.request("PUT", "/api/me/notifications", request).status == 200
        table = ada.open("me", "open", game="petition", options={}, clock={"minutes": 5, "seconds": 60})
        assert ben.command(table, "sit").status == 200
        first_server.stop()
    length, greeting_count = len(journal(database, table)), len(webhook.requests)
    servers = [start_server(tmp_path, url, **accelerated_settings) for url in addresses_of_two_processes(database)]
    try:
        holder = holder_of(database, SINGLETON_LOCK)
        servers[holder].process.send_signal(signal.SIGSTOP)
        survivor = servers[1 - holder]
        wait_until(lambda: len(journal(database, table)) > length)
        second_table = open_waiting_table(as_client_of(survivor, ada), as_client_of(survivor, ben))

        def notifications():
            return [
                notification
                for _, _, notification in webhook.requests[greeting_count:]
                if notification["table"] == second_table
            ]

        wait_until(notifications)
        servers[holder].process.send_signal(signal.SIGCONT)
        wait_until(
            lambda: (
                as_client_of(servers[holder], ada).view(table)["seq"] == as_client_of(survivor, ada).view(table)["seq"]
            )
        )
        time.sleep(1)
        assert len(notifications()) == 1 and journal(database, table)
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], []]


def test_both_processes_give_back_the_time_in_which_neither_ran(tmp_path, database):
    servers = [start_server(tmp_path, database, first=SHORT_HEARTBEAT_GAP) for _ in range(2)]
    try:
        ada, ben, table = seat_ada_and_ben(*servers, clock={"minutes": 5, "seconds": 10})
        wait_until(lambda: all(guest.table(table)["clocks"] for guest in (ada, ben)))
        start_ms, remaining_before = remaining_time_ms(ada, table)
        suspended_ms = suspend(SUSPENSION_S, *(server.process for server in servers))
        wait_until(lambda: all("did not run for" in "".join(server.log) for server in servers))

        def is_given_back(guest):
            end_ms, remaining_after = remaining_time_ms(guest, table)
            return remaining_before - remaining_after <= end_ms - start_ms - suspended_ms + 100

        def is_stored():
            with engine.connect() as connection:
                return (
                    sum(pause.until - pause.since for pause in repository.load_pauses(connection, None))
                    >= suspended_ms - 100
                )

        engine = open_database(database)
        wait_until(is_stored, TIMEOUT_S)
        engine.dispose()
        wait_until(lambda: is_given_back(ada) and is_given_back(ben), TIMEOUT_S)
        new_server = start_server(tmp_path, database, first=SHORT_HEARTBEAT_GAP)
        servers.append(new_server)
        wait_until(lambda: is_given_back(as_client_of(new_server, ada)), TIMEOUT_S)
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], [], []]


def test_a_process_whose_clock_is_wrong_takes_the_time_of_the_others(tmp_path, database):
    shifted_clock = """
import time; time_ns = time.time_ns
time.time_ns = lambda: time_ns() + {} * 10**9
"""
    servers = [start_server(tmp_path, database)]
    try:
        for seconds in (3600, -86400):
            servers.append(start_server(tmp_path, database, first=shifted_clock.format(seconds)))
        ada, ben, table = seat_ada_and_ben(*servers[:2], clock={"minutes": 5, "seconds": 10})
        wait_until(lambda: all(as_client_of(server, ada).table(table)["clocks"] for server in servers))
        times = [remaining_time_ms(as_client_of(server, ada), table) for server in servers]
        assert max(now for now, _ in times) - min(now for now, _ in times) < 60_000
        assert min(remaining for _, remaining in times) > 240_000
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], [], []]


def test_an_analysis_by_a_process_that_hangs_is_made_by_another(tmp_path, database):
    folder = tmp_path / "stub"
    folder.mkdir()
    first = f"{controlled_worker(folder)}\n{SHORT_PEER_TIMEOUT}"
    servers = [start_server(tmp_path, database, first=first, COURTLY_NATIVE="1") for _ in range(2)]
    try:
        one, other = (server.guest() for server in servers)
        table = one.open("bot", "bot")
        with one.connect(table) as connection:
            connection.view_where(lambda view: view["over"])
        assert one.command(table, "review").status == 200
        wait_until(lambda: started_analyses(folder))
        servers[0].process.send_signal(signal.SIGSTOP)
        assert other.command(table, "review").status == 200
        wait_until(lambda: len(started_analyses(folder)) == 2)
        (folder / "go").touch()
        wait_until(lambda: other.table(table)["review"]["state"] == "ready")
        servers[0].process.send_signal(signal.SIGCONT)
        wait_until(lambda: one.table(table)["review"]["state"] == "ready")
        assert one.get(f"/api/tables/{table}/review").json["form"] == 1
    finally:
        for server in servers:
            server.kill()
    assert [tracebacks(server) for server in servers] == [[], []]


def test_players_connected_to_a_killed_process_are_absent(tmp_path, database):
    servers = [start_server(tmp_path, database) for _ in range(2)]
    try:
        ada, ben, table = seat_ada_and_ben(*servers, game="petition", options={})
        with ada.connect(table), ben.connect(table):
            wait_until(lambda: ada.table(table)["seats"][1]["connected"])
            servers[1].kill()
            wait_until(lambda: not ada.table(table)["seats"][1]["connected"], TIMEOUT_S)
    finally:
        for server in servers:
            server.kill()


# --- connection pooler ----------------------------------------------------------------------------------------------

POOLER = """
[databases]
* = host={host} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
{user_line}
"""


@contextmanager
def run_pooler(folder, database, mode):
    """Return the address of the same database through PgBouncer."""
    direct, port, ini = make_url(database), free_port(), folder / "pooler.ini"
    host = direct.query["host"]
    user_line = f"user = {Path(host).owner()}" if getpass.getuser() == "root" else ""  # PgBouncer refuses root
    ini.write_text(POOLER.format(host=host, user=direct.username, port=port, mode=mode, user_line=user_line))
    with running([find_program("pgbouncer"), str(ini)], port, folder):
        yield direct.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_server_behind_a_pooler(mode, tmp_path, database):
    """Session features bypass the pooler: both processes receive notifications, and one of them drives the bot."""
    with run_pooler(tmp_path, database, mode) as address:
        servers = [start_server(tmp_path / "data", address, COURTLY_DATABASE_DIRECT=database) for _ in range(2)]
        try:
            ada, ben, table = seat_ada_and_ben(*servers, "bot", game="petition", options={})
            players = [Player(ada, table, 0, lambda: servers[:1]), Player(ben, table, 1, lambda: servers[1:])]
            check_game(database, table, players)
        finally:
            for server in servers:
                server.kill()
    assert [tracebacks(server) for server in servers] == [[], []]


def test_a_failed_heartbeat_is_retried(monkeypatch, caplog):
    """Otherwise other processes would consider this one dead while it continues."""
    monkeypatch.setattr(pg_notify, "HEARTBEAT_INTERVAL_S", 0)
    beats = []

    class EnoughError(Exception):
        pass

    class MessageRecorder:
        def heartbeat_fields(self):
            return {}

        async def do_periodic_work(self):
            beats.append(1)
            if len(beats) == 3:
                raise EnoughError
            raise OperationalError("LOCK TABLE pending_notification", {}, Exception("canceled"))

    async def run_heartbeats():
        with pytest.raises(EnoughError):
            await pg_notify.NotifyChannel("", MessageRecorder())._send_heartbeats()

    asyncio.run(run_heartbeats())
    assert "work of each second failed" in caplog.text


def draw_number():
    """Return a random number and its SHA-256."""
    number = secrets.token_bytes(32)
    return number.hex(), hashlib.sha256(number).hexdigest()


def send_number(guest, table, seat, number):
    return guest.command(table, "number", {"seat": seat, "nonce": number})


def open_pledged_table(one, other):
    """Return a table where Ada and Ben, through different processes, have sent their pledges: (id, guests, numbers)."""
    ada, ben = one.guest("Ada"), other.guest("Ben")
    adas_number, bens_number = draw_number(), draw_number()
    table = ada.open("me", "open", pledge=adas_number[1])
    wait_until(lambda: ben.get(f"/api/tables/{table}").status == 200)
    assert ben.command(table, "sit", {"pledge": bens_number[1]}).json["commitment"] == ada.table(table)["commitment"]
    wait_until(lambda: all(seat["pledge"] for seat in ada.table(table)["seats"]))
    return table, (ada, ben), (adas_number[0], bens_number[0])


def test_numbers_that_come_by_two_processes_at_once_begin_one_game(two_servers):
    with ThreadPoolExecutor(2) as threads:
        for _ in range(8):
            table, guests, numbers = open_pledged_table(*two_servers)
            responses = list(
                threads.map(
                    lambda n, table=table, guests=guests, numbers=numbers: send_number(guests[n], table, n, numbers[n]),
                    (0, 1),
                )
            )
            assert [response.status for response in responses] == [200, 200]
            for guest in guests:
                state = wait_until(
                    lambda guest=guest, table=table: (t := guest.table(table))["status"] == "playing" and t
                )
                assert state["nonces"] == list(numbers) and state["redraws"] == 0
            assert journal(two_servers[0].database, table)[0][0] == -1, "no event is duplicated or missing"
            views = [guest.view(table, seat) for seat, guest in enumerate(guests)]
            assert all(view["legal"] for view in views), "both processes can play it"


def test_an_exchange_continues_after_the_process_with_a_number_is_killed(tmp_path, database):
    short_timeout = "from courtly.session import number_exchange as numbers; numbers.NUMBER_TIMEOUT_S = 2"
    one, other = (Server(tmp_path, first=short_timeout, COURTLY_DATABASE=database) for _ in range(2))
    try:
        table, (ada, ben), numbers = open_pledged_table(one, other)
        assert send_number(ada, table, 0, numbers[0]).json["status"] == "waiting"
        wait_until(lambda: ben.table(table)["nonces"][0] == numbers[0])
        one.kill()
        state = wait_until(lambda: (t := ben.table(table))["redraws"] and t)
        assert [seat["kind"] for seat in state["seats"]] == ["person", "open"], "whose number is missing"
        assert state["status"] == "waiting" and state["nonces"] == ["", ""]
        assert send_number(ben, table, 1, numbers[1]).error == "error-not-yours"
        other.stop()
        assert not [line for line in other.log if "Traceback" in line]
    finally:
        for server in (one, other):
            server.kill()

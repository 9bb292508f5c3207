"""Each error that /openapi.json lists, provoked over HTTP or a socket, with its status."""

import json
import re
import sqlite3
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest
from guests import PATIENCE, Connection, Guest, Response, Server, fresh_key, move

from courtly.server.errors import STATUS_BY_ID

# Simulates a damaged disk, wrong rules and a missing compiler, depending on the client or the game.
SIMULATED_FAULTS = """
import sys
from sqlalchemy.exc import OperationalError
from courtly.engine.game import find_game
from courtly.server.persistence import repository as store
from courtly.bots.runtime.bot_service import BotService
from courtly.bots.runtime.worker_pool import BotError
from courtly.server.services.hints import HintService
from courtly.server.assets import compiled_games
from courtly.server.errors import CommitUncertainError

ERRORS_BY_NAME = {"Bug": LookupError(), "Disk": OperationalError("", {}, Exception()), "Cut": CommitUncertainError(
  "", {}, Exception())}
OBSTACLES = {"necklace": "broken"}
save, apply, find_bot_obstacle = store.save_name, find_game("sealed_bids").rules.apply, BotService.find_obstacle
find_hint_obstacle, ask = HintService.find_obstacle, BotService.ask

def save_name(connection, guest, name):
    if name in ERRORS_BY_NAME:
        raise ERRORS_BY_NAME[name]
    save(connection, guest, name)

def apply_or_fail(s, seat, move):
    if s.players == 4 and seat >= 0:
        raise IndexError
    return apply(s, seat, move)

store.save_name, find_game("sealed_bids").rules.apply = save_name, apply_or_fail
BotService.find_obstacle = lambda self, game, bot: OBSTACLES.get(game) or find_bot_obstacle(self, game, bot)
HintService.find_obstacle = lambda self, game: None if game in OBSTACLES else find_hint_obstacle(self, game)

async def ask_or_fail(self, want, *arguments):
    if want == "simple-move":
        raise BotError("nothing")
    return await ask(self, want, *arguments)

BotService.ask = ask_or_fail
compiled_games.find_stored_files, compiled_games.find_obstacle = (lambda game: None), (lambda: "")
compiled_games.PROGRAM = (sys.executable, "-c", "import sys; sys.exit('rules.py:1: wrong')")
"""


class Scene:
    """A server with guests, and tables in every state."""

    def __init__(self, server, ada, damaged, old):
        self.server, self.ada, self.damaged, self.old = server, ada, damaged, old
        self.ben = server.guest("Ben")
        self.waiting = ada.open("me", "open")
        self.over = ada.open("me", "local")
        while pending := ada.view(self.over)["pending"]:
            view = ada.view(self.over, pending[0])
            ada.play(self.over, pending[0], view["seq"], view["legal"][-1]["id"])
        self.record = ada.get(f"/api/tables/{self.over}/record").body

    def pair(self):
        """Open a table at which Ada and Ben have to choose."""
        table = self.ada.open("me", "open")
        assert self.ben.command(table, "sit").status == 200
        return table

    def stranger(self):
        return self.server.guest()

    def set_name(self, name):
        return self.ada.request("PUT", "/api/me", {"name": name})

    def set_notification(self, **setting):
        return self.ada.request("PUT", "/api/me/notifications", {"language": "en", **setting})

    def open_table(self, **fields):
        default_fields = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}
        return self.ada.post("/api/tables", default_fields | fields)

    def post_record(self, **header_fields):
        """Send a record with a changed header."""
        first, _, rest = self.record.partition(b"\n")
        return self.ada.request(
            "POST", "/api/replay", raw=json.dumps(json.loads(first) | header_fields).encode() + b"\n" + rest
        )

    def play(self, *verbs, seq=0, table=None, **options):
        table = table or self.ada.open("me", "local", options={"looks": 1})
        view = self.ada.view(table, 0)
        return self.ada.play(table, 0, view["seq"] + seq, *(move(view, verb) for verb in verbs), **options)

    def request_advice(self, game, **options):
        table = self.ada.open("me", "local", game=game, options=None, **options)
        seat = self.ada.view(table)["pending"][0]
        return self.ada.command(table, "advise", {"seat": seat, "seq": self.ada.view(table, seat)["seq"]})

    def repeat_until_refused(self, send):
        while (response := send()).status == 200:
            pass
        return response


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    limits = {"COURTLY_GRACE": "600", "COURTLY_TABLES_PER_GUEST": "50", "COURTLY_SOCKETS_PER_GUEST": "2"}
    with Server(data) as server:
        ada = server.guest("Ada")
        damaged, old = (ada.open("me", "local") for _ in range(2))
        view = ada.view(damaged, 0)
        ada.play(damaged, 0, view["seq"], move(view, "choose"))
        server.stop()
    with closing(sqlite3.connect(data / "courtly.db", isolation_level=None)) as database:
        database.execute("UPDATE journal SET move = move + 1 WHERE table_id = ? AND ply = 2", [damaged])
        database.execute("UPDATE game_table SET version = 77 WHERE id = ?", [old])
    with Server(data, first=SIMULATED_FAULTS, **limits) as server:
        ada.server = server
        yield Scene(server, ada, damaged, old)


def reuse_a_key(scene):
    table, key = scene.ada.open("me", "local"), fresh_key()
    assert scene.play("choose", table=table, key=key).status == 200
    return scene.play("ready", table=table, key=key)


def move_after_ready(scene):
    table = scene.pair()
    scene.play("choose", table=table)
    assert scene.play("ready", table=table).status == 200
    return scene.ada.play(table, 0, scene.ada.view(table, 0)["seq"], 0)


def ready_without_a_choice(scene):
    table = scene.pair()
    ready = scene.ada.get("/api/games/sealed_bids").json["moves"]["ready"]["first"]
    return scene.ada.play(table, 0, scene.ada.view(table, 0)["seq"], ready)


def preview_a_look(scene):
    table = scene.ada.open("me", "local", options={"looks": 1})
    view = scene.ada.view(table, 0)
    request = {"seat": 0, "seq": view["seq"], "moves": [move(view, "look")]}
    return scene.ada.command(table, "preview", request)


def use_a_link_twice(scene):
    path = scene.ada.post("/api/me/identity-link").json["path"].replace("/g/", "/api/identity-link/")
    assert scene.stranger().post(path).status == 200
    return scene.stranger().post(path)


def move_of_a_substituted_player(scene):
    table = scene.pair()
    assert scene.ben.command(table, "leave").status == 200
    return scene.ben.play(table, 1, scene.ben.view(table, 1)["seq"], 0)


def replace_a_present_player(scene):
    table = scene.pair()
    with scene.ben.connect(table) as connection:
        connection.view()
        return scene.ada.command(table, "substitute", {"seat": 1})


def post_to_a_muted_chat(scene):
    table = scene.pair()
    assert scene.ada.command(table, "chat-muted", {"chat_muted": True}).status == 200
    return scene.ben.command(table, "chat", {"text": "bla"})


def open_too_many_tables(scene):
    guest = scene.stranger()
    request = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}
    return scene.repeat_until_refused(lambda: guest.post("/api/tables", request))


def open_too_many_sockets(scene):
    guest = scene.stranger()
    with ExitStack() as exit_stack:
        while (message := exit_stack.enter_context(Connection(guest, "/ws/lobby")).receive())["type"] != "error":
            pass
    return message


def request_a_game_that_cannot_be_compiled(scene):
    base = re.search(r"/s/[^/]+", scene.ada.get("/").body.decode())[0]
    return scene.ada.get(f"{base}/web/compiled/sealed_bids.wasm")


def request_interrupted_by_a_stop(scene):
    with Server(scene.server.data / "another") as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        connection.putrequest("POST", "/api/tables")
        connection.putheader("content-length", "100")
        connection.endheaders(b"{")
        server.guest()  # is answered after the signal has arrived
        server.process.terminate()
        response = connection.getresponse()
        return Response(response.status, response.headers, response.read())


PROVOCATIONS = {
    "error-malformed": lambda scene: scene.ada.post("/api/tables", {}),
    "error-name": lambda scene: scene.set_name(""),
    "error-mail": lambda scene: scene.set_notification(email="ada@home.example"),
    "error-webhook": lambda scene: scene.set_notification(webhook="https://home.example"),
    "error-text": lambda scene: scene.ada.command(scene.over, "chat", {"text": "\u202e"}),
    "error-options": lambda scene: scene.open_table(preset="hard"),
    "error-record": lambda scene: scene.post_record(chance=5),
    "error-record-game": lambda scene: scene.post_record(game="whist"),
    "error-record-version": lambda scene: scene.post_record(version=77),
    "error-seats": lambda scene: scene.open_table(players=3),
    "error-too-large": lambda scene: scene.ada.request("POST", "/api/replay", raw=bytes(2 << 20)),
    "error-no-cookie": lambda scene: Guest(scene.server, cookie=False).get("/api/me/games"),
    "error-not-yours": lambda scene: scene.ben.get(f"/api/tables/{scene.pair()}/view?seat=0"),
    "error-not-host": lambda scene: scene.ben.command(scene.waiting, "seat", {"seat": 1, "kind": "bot"}),
    "error-elsewhere": lambda scene: scene.ada.post("/api/tables", headers={"origin": "https://evil.example"}),
    "error-unknown-game": lambda scene: scene.ada.get("/api/games/ludo"),
    "error-unknown-table": lambda scene: scene.ada.get("/api/tables/nowhere1"),
    "error-unknown-page": lambda scene: scene.ada.get("/nowhere"),
    "error-link-false": lambda scene: scene.ada.get("/api/identity-link/x"),
    "error-link-used": use_a_link_twice,
    "error-link-mail": lambda scene: scene.ada.get("/api/mail/x"),
    "error-unknown-method": lambda scene: scene.ada.request("PUT", "/api/tables"),
    "error-host": lambda scene: scene.ada.get("/api/me", headers={"host": "evil.example"}),
    "error-unknown-seat": lambda scene: scene.ada.get(f"/api/tables/{scene.pair()}/view?seat=5"),
    "error-unknown-move": lambda scene: scene.ada.play(t := scene.pair(), 0, scene.ada.view(t, 0)["seq"], 999),
    "error-unknown-bot": lambda scene: scene.open_table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "genius"}]),
    "error-stale": lambda scene: scene.play("look", seq=1),
    "error-illegal": ready_without_a_choice,
    "error-unseen": lambda scene: scene.play("look", "look"),
    "error-unforeseen": preview_a_look,
    "error-not-your-turn": move_after_ready,
    "error-no-undo": lambda scene: scene.ada.undo(t := scene.pair(), 0, scene.ada.view(t, 0)["seq"]),
    "error-over": lambda scene: scene.ada.command(scene.over, "leave"),
    "error-not-over": lambda scene: scene.ada.get(f"/api/tables/{scene.pair()}/record"),
    "error-not-reviewed": lambda scene: scene.ada.get(f"/api/tables/{scene.over}/review"),
    "error-no-machine-code": lambda scene: scene.ada.command(scene.over, "review"),
    "error-not-started": lambda scene: scene.ada.get(f"/api/tables/{scene.waiting}/view"),
    "error-started": lambda scene: scene.stranger().command(scene.pair(), "sit"),
    "error-seat-taken": lambda scene: scene.ben.command(scene.waiting, "sit", {"seat": 0}),
    "error-number": lambda scene: scene.ada.command(scene.waiting, "number", {"seat": 0, "nonce": "ab" * 16}),
    "error-seated": lambda scene: scene.ada.command(scene.waiting, "sit"),
    "error-substitute": move_of_a_substituted_player,
    "error-no-substitute": lambda scene: scene.ada.command(scene.pair(), "take-seat-back", {"seat": 0}),
    "error-not-away": replace_a_present_player,
    "error-grace": lambda scene: scene.ada.command(scene.pair(), "substitute", {"seat": 1}),
    "error-no-help": lambda scene: scene.request_advice("sealed_bids"),
    "error-no-advice": lambda scene: scene.request_advice("necklace", help_consent=True),
    "error-chat-muted": post_to_a_muted_chat,
    "error-key": reuse_a_key,
    "error-damaged": lambda scene: scene.ada.get(f"/api/tables/{scene.damaged}/view"),
    "error-rules": lambda scene: scene.play("choose", table=scene.ada.open("me", "local", "local", "local")),
    "error-version": lambda scene: scene.ada.get(f"/api/tables/{scene.old}/view"),
    "error-too-fast": lambda scene: scene.repeat_until_refused(
        lambda: scene.ben.command(scene.over, "chat", {"text": "bla"})
    ),
    "error-too-many-tables": open_too_many_tables,
    "error-too-many-sockets": open_too_many_sockets,
    "error-server": lambda scene: scene.set_name("Bug"),
    "error-uncompiled": request_a_game_that_cannot_be_compiled,
    "error-restart": request_interrupted_by_a_stop,
    "error-storage": lambda scene: scene.set_name("Disk"),
    "error-unsure": lambda scene: scene.set_name("Cut"),
}


@pytest.mark.parametrize("error", STATUS_BY_ID)
def test_an_error_is_reported(scene, error):
    answer = PROVOCATIONS[error](scene)
    if isinstance(answer, dict):
        assert answer["error"]["id"] == error
    else:
        assert (answer.status, answer.error) == (STATUS_BY_ID[error], error), answer.body


def test_all_listed_errors_are_tested(scene):
    default_response = scene.ada.get("/openapi.json").json["paths"]["/api/v1/tables"]["post"]["responses"]["default"]
    listed = default_response["content"]["application/json"]["schema"]["properties"]["error"]["properties"]["id"][
        "enum"
    ]
    assert set(listed) == PROVOCATIONS.keys()

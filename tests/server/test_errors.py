"""Each error that /openapi.json lists, provoked over HTTP or a socket, with its status."""

import json
import sqlite3
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest
from guests import PATIENCE, Answer, Guest, Line, Server, fresh_key, move

from courtly.server.errors import STATUS_BY_ID

# Simulates a damaged disk, wrong rules and a missing compiler, depending on the client or the game.
FIRST = """
from sqlalchemy.exc import OperationalError
from courtly.engine.game import find_game
from courtly.server.persistence import repository as store
from courtly.bots.runtime.bot_service import BotService
from courtly.bots.runtime.worker_pool import BotError
from courtly.server.services.hints import HintService
from courtly.server.errors import CommitUncertainError

WRONG = {"Bug": LookupError(), "Disk": OperationalError("", {}, Exception()), "Cut": CommitUncertainError(
  "", {}, Exception())}
HINDERED = {"necklace": "broken"}
save, apply, hindrance = store.save_name, find_game("sealed_bids").rules.apply, BotService.hindrance
missing, ask = HintService.hindrance, BotService.ask

def save_name(connection, guest, name):
    if name in WRONG:
        raise WRONG[name]
    save(connection, guest, name)

def apply_or_fail(s, seat, move):
    if s.players == 4 and seat >= 0:
        raise IndexError
    return apply(s, seat, move)

store.save_name, find_game("sealed_bids").rules.apply = save_name, apply_or_fail
BotService.hindrance = lambda self, game, bot: HINDERED.get(game) or hindrance(self, game, bot)
HintService.hindrance = lambda self, game: None if game in HINDERED else missing(self, game)

async def ask_or_fail(self, want, *more):
    if want == "simple-move":
        raise BotError("nothing")
    return await ask(self, want, *more)

BotService.ask = ask_or_fail
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
        assert self.ben.at(table, "sit").status == 200
        return table

    def stranger(self):
        return self.server.guest()

    def named(self, name):
        return self.ada.ask("PUT", "/api/me", {"name": name})

    def reached(self, **way):
        return self.ada.ask("PUT", "/api/me/reach", {"language": "en", **way})

    def wish(self, **other):
        usual = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}
        return self.ada.post("/api/tables", usual | other)

    def bring(self, **head):
        """Send a record with a changed header."""
        first, _, rest = self.record.partition(b"\n")
        return self.ada.ask("POST", "/api/replay", raw=json.dumps(json.loads(first) | head).encode() + b"\n" + rest)

    def play(self, *verbs, seq=0, table=None, **more):
        table = table or self.ada.open("me", "local", options={"looks": 1})
        view = self.ada.view(table, 0)
        return self.ada.play(table, 0, view["seq"] + seq, *(move(view, verb) for verb in verbs), **more)

    def advised(self, game, **more):
        table = self.ada.open("me", "local", game=game, options=None, **more)
        seat = self.ada.view(table)["pending"][0]
        return self.ada.at(table, "advise", {"seat": seat, "seq": self.ada.view(table, seat)["seq"]})

    def again_and_again(self, ask):
        while (answer := ask()).status == 200:
            pass
        return answer


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    few = {"COURTLY_GRACE": "600", "COURTLY_TABLES_PER_GUEST": "50", "COURTLY_SOCKETS_PER_GUEST": "2"}
    with Server(data) as server:
        ada = server.guest("Ada")
        damaged, old = (ada.open("me", "local") for _ in range(2))
        view = ada.view(damaged, 0)
        ada.play(damaged, 0, view["seq"], move(view, "choose"))
        server.stop()
    with closing(sqlite3.connect(data / "courtly.db", isolation_level=None)) as database:
        database.execute("UPDATE journal SET move = move + 1 WHERE table_id = ? AND ply = 2", [damaged])
        database.execute("UPDATE game_table SET version = 77 WHERE id = ?", [old])
    with Server(data, first=FIRST, **few) as server:
        ada.server = server
        yield Scene(server, ada, damaged, old)


def key_of_another(town):
    table, key = town.ada.open("me", "local"), fresh_key()
    assert town.play("choose", table=table, key=key).status == 200
    return town.play("ready", table=table, key=key)


def one_who_is_done(town):
    table = town.pair()
    town.play("choose", table=table)
    assert town.play("ready", table=table).status == 200
    return town.ada.play(table, 0, town.ada.view(table, 0)["seq"], 0)


def unready(town):
    table = town.pair()
    ready = town.ada.get("/api/games/sealed_bids").json["moves"]["ready"]["first"]
    return town.ada.play(table, 0, town.ada.view(table, 0)["seq"], ready)


def look_foreseen(town):
    table = town.ada.open("me", "local", options={"looks": 1})
    view = town.ada.view(table, 0)
    wish = {"seat": 0, "seq": view["seq"], "moves": [move(view, "look")]}
    return town.ada.at(table, "foresee", wish)


def two_with_one_link(town):
    path = town.ada.post("/api/me/carry").json["path"].replace("/g/", "/api/carry/")
    assert town.stranger().post(path).status == 200
    return town.stranger().post(path)


def one_whom_a_bot_plays_for(town):
    table = town.pair()
    assert town.ben.at(table, "leave").status == 200
    return town.ben.play(table, 1, town.ben.view(table, 1)["seq"], 0)


def one_who_is_here(town):
    table = town.pair()
    with town.ben.line(table) as line:
        line.view()
        return town.ada.at(table, "standin", {"seat": 1})


def one_who_wants_silence(town):
    table = town.pair()
    assert town.ada.at(table, "quiet", {"quiet": True}).status == 200
    return town.ben.at(table, "talk", {"text": "bla"})


def many_tables(town):
    guest = town.stranger()
    wish = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}
    return town.again_and_again(lambda: guest.post("/api/tables", wish))


def many_sockets(town):
    guest = town.stranger()
    with ExitStack() as lines:
        while (heard := lines.enter_context(Line(guest, "/ws/lobby")).hear())["type"] != "error":
            pass
    return heard


def one_that_a_stop_cuts_off(town):
    with Server(town.server.data / "another") as server:
        made = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        made.putrequest("POST", "/api/tables")
        made.putheader("content-length", "100")
        made.endheaders(b"{")
        server.guest()  # is answered after the signal has arrived
        server.process.terminate()
        told = made.getresponse()
        return Answer(told.status, told.headers, told.read())


PROVOKED = {
    "error-malformed": lambda town: town.ada.post("/api/tables", {}),
    "error-name": lambda town: town.named(""),
    "error-mail": lambda town: town.reached(mail="ada@home.example"),
    "error-hook": lambda town: town.reached(hook="https://home.example"),
    "error-text": lambda town: town.ada.at(town.over, "talk", {"text": "\u202e"}),
    "error-options": lambda town: town.wish(preset="hard"),
    "error-record": lambda town: town.bring(chance=5),
    "error-record-game": lambda town: town.bring(game="whist"),
    "error-record-version": lambda town: town.bring(version=77),
    "error-seats": lambda town: town.wish(players=3),
    "error-too-large": lambda town: town.ada.ask("POST", "/api/replay", raw=bytes(2 << 20)),
    "error-no-cookie": lambda town: Guest(town.server, cookie=False).get("/api/me/games"),
    "error-not-yours": lambda town: town.ben.get(f"/api/tables/{town.pair()}/view?seat=0"),
    "error-not-host": lambda town: town.ben.at(town.waiting, "seat", {"seat": 1, "kind": "bot"}),
    "error-elsewhere": lambda town: town.ada.post("/api/tables", headers={"origin": "https://evil.example"}),
    "error-unknown-game": lambda town: town.ada.get("/api/games/ludo"),
    "error-unknown-table": lambda town: town.ada.get("/api/tables/nowhere1"),
    "error-unknown-page": lambda town: town.ada.get("/nowhere"),
    "error-link-false": lambda town: town.ada.get("/api/carry/x"),
    "error-link-used": two_with_one_link,
    "error-link-mail": lambda town: town.ada.get("/api/mail/x"),
    "error-unknown-method": lambda town: town.ada.ask("PUT", "/api/tables"),
    "error-host": lambda town: town.ada.get("/api/me", headers={"host": "evil.example"}),
    "error-unknown-seat": lambda town: town.ada.get(f"/api/tables/{town.pair()}/view?seat=5"),
    "error-unknown-move": lambda town: town.ada.play(t := town.pair(), 0, town.ada.view(t, 0)["seq"], 999),
    "error-unknown-bot": lambda town: town.wish(seats=[{"kind": "me"}, {"kind": "bot", "bot": "genius"}]),
    "error-stale": lambda town: town.play("look", seq=1),
    "error-illegal": unready,
    "error-unseen": lambda town: town.play("look", "look"),
    "error-unforeseen": look_foreseen,
    "error-not-your-turn": one_who_is_done,
    "error-no-undo": lambda town: town.ada.undo(t := town.pair(), 0, town.ada.view(t, 0)["seq"]),
    "error-over": lambda town: town.ada.at(town.over, "leave"),
    "error-not-over": lambda town: town.ada.get(f"/api/tables/{town.pair()}/record"),
    "error-not-reviewed": lambda town: town.ada.get(f"/api/tables/{town.over}/review"),
    "error-no-machine-code": lambda town: town.ada.at(town.over, "review"),
    "error-not-started": lambda town: town.ada.get(f"/api/tables/{town.waiting}/view"),
    "error-started": lambda town: town.stranger().at(town.pair(), "sit"),
    "error-seat-taken": lambda town: town.ben.at(town.waiting, "sit", {"seat": 0}),
    "error-number": lambda town: town.ada.at(town.waiting, "number", {"seat": 0, "nonce": "ab" * 16}),
    "error-seated": lambda town: town.ada.at(town.waiting, "sit"),
    "error-standin": one_whom_a_bot_plays_for,
    "error-no-standin": lambda town: town.ada.at(town.pair(), "back", {"seat": 0}),
    "error-not-away": one_who_is_here,
    "error-grace": lambda town: town.ada.at(town.pair(), "standin", {"seat": 1}),
    "error-no-help": lambda town: town.advised("sealed_bids"),
    "error-no-advice": lambda town: town.advised("necklace", help=True),
    "error-quiet": one_who_wants_silence,
    "error-key": key_of_another,
    "error-damaged": lambda town: town.ada.get(f"/api/tables/{town.damaged}/view"),
    "error-rules": lambda town: town.play("choose", table=town.ada.open("me", "local", "local", "local")),
    "error-version": lambda town: town.ada.get(f"/api/tables/{town.old}/view"),
    "error-too-fast": lambda town: town.again_and_again(lambda: town.ben.at(town.over, "talk", {"text": "bla"})),
    "error-too-many-tables": many_tables,
    "error-too-many-sockets": many_sockets,
    "error-server": lambda town: town.named("Bug"),
    "error-restart": one_that_a_stop_cuts_off,
    "error-storage": lambda town: town.named("Disk"),
    "error-unsure": lambda town: town.named("Cut"),
}


@pytest.mark.parametrize("error", STATUS_BY_ID)
def test_an_error_is_reported(town, error):
    told = PROVOKED[error](town)
    if isinstance(told, dict):
        assert told["error"]["id"] == error
    else:
        assert (told.status, told.error) == (STATUS_BY_ID[error], error), told.body


def test_all_listed_errors_are_tested(town):
    answers = town.ada.get("/openapi.json").json["paths"]["/api/tables"]["post"]["responses"]["default"]
    listed = answers["content"]["application/json"]["schema"]["properties"]["error"]["properties"]["id"]["enum"]
    assert set(listed) == PROVOKED.keys()

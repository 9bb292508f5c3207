"""kill -9 under load: acknowledged moves are stored exactly once, and clients reconnect."""

import random
import sqlite3
import threading
import time
from http.client import HTTPException

from guests import Connection, Server, fresh_key, until
from websockets.exceptions import WebSocketException

TABLES = 4
BETWEEN = 10  # minimum number of moves acknowledged between two kills


class Player(threading.Thread):
    """Plays both seats of a table on one device, game after game, and resends every command until it is answered."""

    def __init__(self, server, number, stop):
        super().__init__()
        self.guest, self.number, self.stop = server.guest(), number, stop
        self.rng = random.Random(number)
        self.made = {}  # table -> (seat, move) in the order of acknowledgement
        self.failed = None
        self.resent = 0

    def run(self):
        try:
            while not self.stop.is_set():
                self.game()
        except Exception as error:  # reported to the test's thread
            self.failed = error

    def again(self, act):
        """Return the result of `act`, retrying until the server answers."""
        while True:
            try:
                return act()
            except (OSError, HTTPException, WebSocketException):
                self.resent += 1
                time.sleep(0.02)

    def game(self):
        wish = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "local"}]}
        table = self.again(lambda: self.guest.post("/api/tables", wish)).json["id"]
        made = self.made[table] = []
        make = self.by_socket if self.number % 2 else self.by_http
        while not self.stop.is_set():
            public = self.again(lambda: self.guest.view(table))
            if public["over"]:
                return
            seat = self.rng.choice(public["pending"])
            view = self.again(lambda seat=seat: self.guest.view(table, seat))
            move = self.rng.choice(view["legal"])["id"]
            key = fresh_key()
            self.again(lambda view=view, move=move, key=key: make(table, view, move, key))
            made.append((view["seat"], move))

    def by_http(self, table, view, move, key):
        answer = self.guest.play(table, view["seat"], view["seq"], move, key=key)
        assert answer.status == 200, answer.json
        assert answer.json["cues"][0]["n"] == view["seq"]

    def by_socket(self, table, view, move, key):
        with self.guest.connect(table, since={str(view["seat"]): view["seq"]}) as connection:
            connection.play(view, move, key=key)
            while (message := connection.receive())["type"] != "done":
                assert message["type"] != "error", message


def moves_of(players):
    return sum(len(made) for player in players for made in list(player.made.values()))


def journal(file):
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT table_id, ply, seat, move FROM journal ORDER BY table_id, ply").fetchall()
    found, plies = {}, {}
    for table, ply, seat, move in rows:
        plies.setdefault(table, []).append(ply)
        if seat >= 0:
            found.setdefault(table, []).append((seat, move))
    assert all(p == list(range(len(p))) for p in plies.values()), "no ply is missing"
    return found


def test_no_acknowledged_move_is_lost_or_made_twice(tmp_path, long):
    server, stop = Server(tmp_path), threading.Event()
    players = [Player(server, number, stop) for number in range(TABLES)]
    watched = players[0].guest.open("me", "open")
    watcher = players[0].guest.connect(watched)
    for player in players:
        player.start()
    try:
        for _ in range(10 if long else 4):
            before = moves_of(players)
            until(lambda before=before: moves_of(players) > before + BETWEEN, timeout=20)
            time.sleep(random.random() / 20)
            acknowledged = [
                (player, table, len(made)) for player in players for table, made in list(player.made.items())
            ]
            server.kill()
            found = journal(tmp_path / "courtly.db")
            for player, table, count in acknowledged:
                assert found.get(table, [])[:count] == player.made[table][:count]
            server = Server(tmp_path, port=server.port)
        time.sleep(0.3)
    finally:
        stop.set()
        for player in players:
            player.join(20)
        watcher.close()
        server.kill()
    assert [player.failed for player in players] == [None] * TABLES
    made = {table: moves for player in players for table, moves in player.made.items() if moves}
    assert journal(tmp_path / "courtly.db") == made
    assert all(player.resent for player in players), "each kill was under load"


def test_game_goes_on_tomorrow(tmp_path):
    with Server(tmp_path, COURTLY_BOT_PAUSE="60") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "bot", options={"looks": 1})
        bots_turn = ada.open("me", "bot")
        before, told = ada.view(table, 0), ada.table(table)
        stopped = server.stop()
    assert stopped == 0
    with Server(tmp_path, port=server.port) as server:
        assert [t["id"] for t in ada.get("/api/tables").json["mine"]] == [bots_turn, table]
        assert ada.get("/api/me").json["name"] == "Ada"
        assert ada.table(table) == told and ada.view(table, 0) == before
        with Connection(ada, "/ws/lobby") as lobby:
            assert lobby.receive()["mine"][1]["id"] == table
        until(lambda: ada.view(bots_turn)["pending"] == [0])
        assert ada.play(table, 0, before["seq"], before["legal"][0]["id"]).status == 200

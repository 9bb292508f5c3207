"""kill -9 under load: acknowledged moves are stored exactly once, and clients reconnect."""

import random
import sqlite3
import threading
import time
from http.client import HTTPException

from guests import Connection, Server, fresh_key, wait_until
from websockets.exceptions import WebSocketException

TABLES = 4
MIN_MOVES_BETWEEN_KILLS = 10  # minimum number of moves acknowledged between two kills


class Player(threading.Thread):
    """Plays both seats of a table on one device, game after game, and resends every command until it is answered."""

    def __init__(self, server, number, stop):
        super().__init__()
        self.guest, self.number, self.stop = server.guest(), number, stop
        self.rng = random.Random(number)
        self.acknowledged = {}  # table -> (seat, move) in the order of acknowledgement
        self.error = None
        self.resend_count = 0

    def run(self):
        try:
            while not self.stop.is_set():
                self.game()
        except Exception as error:  # reported to the test's thread
            self.error = error

    def retry(self, act):
        """Return the result of `act`, retrying until the server answers."""
        while True:
            try:
                return act()
            except (OSError, HTTPException, WebSocketException):
                self.resend_count += 1
                time.sleep(0.02)

    def game(self):
        request = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "local"}]}
        table = self.retry(lambda: self.guest.post("/api/tables", request)).json["id"]
        moves = self.acknowledged[table] = []
        send_move = self.by_socket if self.number % 2 else self.by_http
        while not self.stop.is_set():
            public_view = self.retry(lambda: self.guest.view(table))
            if public_view["over"]:
                return
            seat = self.rng.choice(public_view["pending"])
            view = self.retry(lambda seat=seat: self.guest.view(table, seat))
            move = self.rng.choice(view["legal"])["id"]
            key = fresh_key()
            self.retry(lambda view=view, move=move, key=key: send_move(table, view, move, key))
            moves.append((view["seat"], move))

    def by_http(self, table, view, move, key):
        response = self.guest.play(table, view["seat"], view["seq"], move, key=key)
        assert response.status == 200, response.json
        assert response.json["cues"][0]["n"] == view["seq"]

    def by_socket(self, table, view, move, key):
        with self.guest.connect(table, since={str(view["seat"]): view["seq"]}) as connection:
            connection.play(view, move, key=key)
            while (message := connection.receive())["type"] != "done":
                assert message["type"] != "error", message


def count_moves(players):
    return sum(len(moves) for player in players for moves in list(player.acknowledged.values()))


def read_journal(file):
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT table_id, ply, seat, move FROM journal ORDER BY table_id, ply").fetchall()
    moves, plies = {}, {}
    for table, ply, seat, move in rows:
        plies.setdefault(table, []).append(ply)
        if seat >= 0:
            moves.setdefault(table, []).append((seat, move))
    assert all(p == list(range(len(p))) for p in plies.values()), "no ply is missing"
    return moves


def test_no_acknowledged_move_is_lost_or_made_twice(tmp_path, long):
    server, stop = Server(tmp_path), threading.Event()
    players = [Player(server, number, stop) for number in range(TABLES)]
    watched_table = players[0].guest.open("me", "open")
    watcher = players[0].guest.connect(watched_table)
    for player in players:
        player.start()
    try:
        for _ in range(10 if long else 4):
            count_before = count_moves(players)
            wait_until(
                lambda count_before=count_before: count_moves(players) > count_before + MIN_MOVES_BETWEEN_KILLS,
                timeout=20,
            )
            time.sleep(random.random() / 20)
            counts = [
                (player, table, len(acknowledged_moves))
                for player in players
                for table, acknowledged_moves in list(player.acknowledged.items())
            ]
            server.kill()
            stored_moves = read_journal(tmp_path / "courtly.db")
            for player, table, count in counts:
                assert stored_moves.get(table, [])[:count] == player.acknowledged[table][:count]
            server = Server(tmp_path, port=server.port)
        time.sleep(0.3)
    finally:
        stop.set()
        for player in players:
            player.join(20)
        watcher.close()
        server.kill()
    assert [player.error for player in players] == [None] * TABLES
    acknowledged = {table: moves for player in players for table, moves in player.acknowledged.items() if moves}
    assert read_journal(tmp_path / "courtly.db") == acknowledged
    assert all(player.resend_count for player in players), "each kill was under load"


def test_a_game_continues_after_a_restart_of_the_server(tmp_path):
    with Server(tmp_path, COURTLY_BOT_PAUSE="60") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "bot", options={"looks": 1})
        bots_turn = ada.open("me", "bot")
        view_before, table_before = ada.view(table, 0), ada.table(table)
        stopped = server.stop()
    assert stopped == 0
    with Server(tmp_path, port=server.port) as server:
        assert [t["id"] for t in ada.get("/api/tables").json["mine"]] == [bots_turn, table]
        assert ada.get("/api/me").json["name"] == "Ada"
        assert ada.table(table) == table_before and ada.view(table, 0) == view_before
        with Connection(ada, "/ws/lobby") as lobby:
            assert lobby.receive()["mine"][1]["id"] == table
        wait_until(lambda: ada.view(bots_turn)["pending"] == [0])
        assert ada.play(table, 0, view_before["seq"], view_before["legal"][0]["id"]).status == 200

"""The draws at a live table do not depend on moves that were undone."""

import hashlib
import hmac
import random

import predictable
import pytest
from databases import KINDS, empty_database
from guests import Server

from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import CommittedChance
from courtly.engine.transcript import write_record
from courtly.server.persistence import repository
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.integrity_check import check_table
from courtly.session.seat import Seat

OLDER_VERSION = """
import dataclasses
from courtly.server.persistence import repository as store; from courtly.server.tables import table as tables
replace, source_of, insert_table = dataclasses.replace, store.source_of, store.insert_table
tables.source_of = lambda row, seats: source_of(replace(row, counted="entries"), seats)
store.insert_table = lambda c, row, seats, entries: insert_table(c, replace(row, counted="entries"), seats, entries)
"""
SEED_HEADERS = {"courtly-secret": "one"}


def decide(guests, table, detours=0):
    """Make one move of a pending seat, after `detours` moves that are undone if possible. Return False at the end."""
    if guests[0].table(table)["status"] == "over":
        return False
    seat, view = next((n, view) for n, guest in enumerate(guests) if (view := guest.view(table, n))["legal"])
    for _ in range(detours):
        after = guests[seat].play(table, seat, view["seq"], view["legal"][0]["id"]).json
        if not after["undo"]:
            return True
        view = guests[seat].undo(table, seat, after["seq"]).json
    assert guests[seat].play(table, seat, view["seq"], view["legal"][0]["id"]).status == 200
    return True


def play_game(guests, table, detours=0):
    """Play a game to its end. Return its record, the record's data on chance, and its draws."""
    while decide(guests, table, detours):
        pass
    record = guests[0].get(f"/api/tables/{table}/record").body.decode()
    assert transcript.check(record).over
    draws = guests[0].get(f"/api/tables/{table}/draws").json
    assert is_drawn(guests[0].table(table), draws)
    return record, transcript.read_head(record)["chance"], draws


def is_drawn(table, draws):
    """Return whether each draw follows from its number."""
    secret, nonces = bytes.fromhex(table["secret"]), ",".join(table["nonces"])
    for draw in draws:
        text = f"{table['id']}|{nonces}|{draw['draw']}|0"
        number = int.from_bytes(hmac.new(secret, text.encode(), hashlib.sha256).digest()[:8], "big")
        shares = [move for move, n in zip(draw["moves"], draw["weights"], strict=True) for _ in range(n)]
        if shares[number % len(shares)] != draw["move"]:
            return False
    return True


def test_undone_moves_do_not_change_the_draws(tmp_path):
    """The same secret, without and with undone moves."""
    games = []
    for name, detours in (("plain", 0), ("back", 2)):
        with Server(tmp_path / name, first=predictable.INSTALL) as server:
            ada = server.guest("Ada")
            table = ada.open("me", "local", options={"looks": 0}, headers=SEED_HEADERS)
            record, chance, draws = play_game((ada, ada), table, detours)
            assert chance["counted"] == "events" and [draw["draw"] for draw in draws] == list(range(len(draws)))
            games.append((record.count('"undo"'), [draw["move"] for draw in draws], [draw["ply"] for draw in draws]))
            assert server.stop() == 0
    plain, back = games
    assert plain[0] == 0 < back[0] and plain[2] != back[2]
    assert plain[1] == back[1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_started_by_an_older_version_keeps_its_numbering(tmp_path, kind):
    """A table that was waiting then, and a rematch, count draws by events."""
    address = empty_database(kind, tmp_path)
    with Server(tmp_path, first=OLDER_VERSION, COURTLY_DATABASE=address) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "local")
        for _ in range(3):
            decide((ada, ada), table, 2)
        waiting = ada.open("me", "open")
        server.kill()
    with Server(tmp_path, COURTLY_DATABASE=address) as server:
        ada.server = ben.server = server
        _, chance, draws = play_game((ada, ada), table, 2)
        assert "counted" not in chance and [draw["draw"] for draw in draws] == [draw["ply"] for draw in draws]
        assert [draw["draw"] for draw in draws] != list(range(len(draws)))
        assert ben.command(waiting, "sit").json["status"] == "playing"
        for guests, new_table in (((ada, ben), waiting), ((ada, ada), ada.command(table, "rematch").json["id"])):
            _, chance, draws = play_game(guests, new_table, 1)
            assert chance["counted"] == "events" and [draw["draw"] for draw in draws] == list(range(len(draws)))
        assert server.stop() == 0


@pytest.mark.parametrize("ended", [False, True])
def test_games_of_an_older_schema_keep_their_draws(address, ended):
    """Games that started before pledges existed, and before draws were counted by events."""
    secret, nonces, options = "5a" * 32, ["aa", "bb"], {"looks": 0}
    game = find_game("sealed_bids")
    match = Match(game, 2, options, CommittedChance(bytes.fromhex(secret), "older", nonces, "entries"), at=7)
    r = random.Random(3)
    while not match.over and (ended or len(match.entries) < 40):
        seat = r.choice(match.pending)
        match.play(seat, r.choice(match.legal(seat)), at=8)
        if match.can_undo(seat) and r.random() < 0.5:
            match.undo(seat, at=9)
    engine = open_database(address)
    with engine.begin() as connection:
        table_fields = (game.id, game.version, 2, options, False, "ada", secret, 1)
        table_row = repository.TableRow("older", *table_fields, started_at=2, ended_at=3 if match.over else None)
        seats = [Seat(n, "person", guest, guest, nonce=nonces[n]) for n, guest in enumerate(("ada", "ben"))]
        repository.insert_table(connection, table_row, seats, match.entries)
        repository.insert_table(connection, repository.TableRow("waits", *table_fields), seats, ())
    with engine.connect() as connection:
        row, seats, entries, _ = repository.load_table(connection, "older")
        assert (row.counted, row.redraws, [seat.pledge for seat in seats]) == ("entries", 0, [None, None])
        replayed = Match.replay(game, row.players, row.options, repository.source_of(row, seats), entries)
        assert replayed.entries == match.entries and replayed.state == match.state
        assert check_table(connection, "older") is None and check_table(connection, "waits") is None
        assert "counted" not in transcript.read_head(write_record(replayed))["chance"] and transcript.check(
            write_record(replayed)
        )
        waiting, *_ = repository.load_table(connection, "waits")
        assert waiting.started_at is None and waiting.counted == "entries", "it is decided at the start of a game"
    engine.dispose()

"""Opening tables, sitting down, leaving, substitutes, links, rematches, the lobby."""

import hashlib

import pytest
from guests import Connection, Guest, Server, wait_until


def ids(tables):
    return [table["id"] for table in tables]


def test_a_table_waits_until_every_seat_is_taken(ada, ben):
    table = ada.open("me", "open", nonce="aa")
    state = ada.table(table)
    assert (
        state["status"] == "waiting"
        and state["host"]
        and state["seats"][0]["you"]
        and state["seats"][1]["kind"] == "open"
    )
    assert state["options"] == {"looks": 0} and state["secret"] is None
    assert ada.get(f"/api/tables/{table}/view").error == "error-not-started"
    state = ben.command(table, "sit", {"nonce": "bb"}).json
    assert state["status"] == "playing" and not state["host"] and state["nonces"] == ["aa", "bb"]
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Ben"] and state["seats"][1]["you"]


def test_a_table_against_bots_starts_at_once(ada):
    table = ada.open("me", "bot", "bot")
    assert ada.table(table)["status"] == "playing"
    assert [seat["bot"] for seat in ada.table(table)["seats"]] == [None, "random", "random"]


def test_several_players_at_one_device(ada):
    seats = [{"kind": "me"}, {"kind": "local", "name": "あだ"}]
    table = ada.post("/api/tables", {"game": "sealed_bids", "players": 2, "seats": seats}).json
    assert [(seat["kind"], seat["name"], seat["you"]) for seat in table["seats"]] == [
        ("person", "Ada", True),
        ("local", "あだ", True),
    ]
    with ada.connect(table["id"]) as connection:
        assert [connection.view()["seat"], connection.view()["seat"]] == [0, 1]


@pytest.mark.parametrize(
    "change, error",
    [
        ({"game": "ludo"}, "error-unknown-game"),
        ({"players": 3}, "error-seats"),
        ({"preset": "hard"}, "error-options"),
        ({"options": {"looks": 7}}, "error-options"),
        ({"options": {"magic": 1}}, "error-options"),
        ({"nonce": "XYZ"}, "error-malformed"),
        ({"seats": [{"kind": "me"}, {"kind": "me"}]}, "error-seats"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "genius"}]}, "error-unknown-bot"),
        ({"seats": [{"kind": "me"}, {"kind": "local", "name": "a\u202eb"}]}, "error-name"),
        ({"players": 6, "seats": [{"kind": "open"}] * 6}, "error-options"),
        ({"players": "2"}, "error-malformed"),
        ({"colour": "red"}, "error-malformed"),
        ({"options": {"looks": "0"}}, "error-malformed"),
    ],
)
def test_an_invalid_table_is_rejected(ada, change, error):
    request = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]} | change
    tables_before = ids(ada.get("/api/tables").json["mine"])
    assert ada.post("/api/tables", request).error == error
    assert ids(ada.get("/api/tables").json["mine"]) == tables_before


def test_a_seat_is_taken_once(ada, ben, cleo):
    table = ada.open("me", "open", "open")
    assert ada.command(table, "sit").error == "error-seated"
    assert ben.command(table, "sit", {"seat": 0}).error == "error-seat-taken"
    assert ben.command(table, "sit", {"seat": 5}).error == "error-unknown-seat"
    assert ben.command(table, "sit", {"seat": 2}).status == 200
    assert cleo.command(table, "sit", {"seat": 2}).error == "error-seat-taken"
    assert cleo.command(table, "sit").status == 200
    assert cleo.command(table, "leave").json["seats"][1]["substitute"] == "random"
    assert Guest(ada.server).command(table, "sit").error == "error-started"


def test_leaving_before_the_start_opens_the_seat(ada, ben):
    table = ada.open("me", "open", "open")
    ben.command(table, "sit")
    assert ada.command(table, "leave").json["seats"][0] == {
        "seat": 0,
        "kind": "open",
        "name": "",
        "bot": None,
        "you": False,
        "connected": False,
        "grace_seconds": 0,
        "substitute": None,
        "votes": 0,
        "replacement": None,
        "help_consent": False,
        "pledge": None,
        "colour": "gules",
    }
    assert ben.table(table)["host"], "a remaining player becomes host"
    with ada.connect(table) as connection:
        connection.wait("table")
        ben.command(table, "leave")
        assert connection.wait("error")["error"]["id"] == "error-unknown-table"
    assert ada.get(f"/api/tables/{table}").status == 404


def test_the_host_fills_and_opens_seats(ada, ben):
    table = ada.open("me", "open", "open")
    assert ben.command(table, "seat", {"seat": 1, "kind": "bot"}).error == "error-not-host"
    assert ada.command(table, "seat", {"seat": 1, "kind": "bot"}).json["seats"][1]["bot"] == "random"
    assert ada.command(table, "seat", {"seat": 1, "kind": "open"}).json["seats"][1]["kind"] == "open"
    assert ada.command(table, "seat", {"seat": 0, "kind": "bot"}).error == "error-seat-taken"
    ada.command(table, "seat", {"seat": 1, "kind": "bot"})
    assert ada.command(table, "seat", {"seat": 2, "kind": "bot"}).json["status"] == "playing"
    assert ada.command(table, "seat", {"seat": 2, "kind": "open"}).error == "error-started"


def test_an_unknown_table_is_not_found(ada):
    for path in ("/api/tables/nowhere", "/api/tables/nowhere/view", "/api/tables/" + "x" * 500, "/api/tables/%00"):
        assert ada.get(path).status == 404 and ada.get(path).error == "error-unknown-table"
    with Connection(ada, "/ws/tables/nowhere") as connection:
        connection.send(type="hello")
        assert connection.receive()["error"]["id"] == "error-unknown-table"
        with pytest.raises(Exception, match="4404"):
            connection.receive()


def test_a_private_table_is_found_only_by_its_link(ada, ben):
    table = ada.open("me", "open", private=True)
    assert table not in ids(ben.get("/api/tables").json["open"]) and table in ids(ada.get("/api/tables").json["mine"])
    ben.command(table, "sit")
    assert table not in ids(Guest(ada.server).get("/api/tables").json["live"])
    assert ben.table(table)["private"]


def test_the_lobby_is_notified(ada, ben):
    with Connection(ben, "/ws/lobby") as lobby:
        assert lobby.receive()["type"] == "tables"
        table = ada.open("me", "open")
        assert table in ids(wait_until(lambda: lobby.wait("tables"))["open"])
        ben.command(table, "sit")
        message = lobby.wait("tables")
        assert (
            table not in ids(message["open"]) and table in ids(message["mine"]) and table not in ids(message["live"])
        ), "once"
        assert table in ids(Guest(ada.server).get("/api/tables").json["live"])


def test_lobby_messages_depend_on_the_guest(ada, ben, cleo):
    with (
        Connection(ada, "/ws/lobby") as host,
        Connection(ben, "/ws/lobby") as guest,
        Connection(cleo, "/ws/lobby") as stranger,
    ):
        table = ada.open("me", "open", "open")
        ben.command(table, "sit")

        def listed_seats(connection, name):
            """Return whether the table is listed as theirs, and their seats, once two players sit there."""
            table_info = next((t for t in connection.wait("tables")[name] if t["id"] == table), None)
            if table_info and [seat["kind"] for seat in table_info["seats"]] == ["person", "person", "open"]:
                return table_info["host"], [seat["you"] for seat in table_info["seats"]]
            return None

        assert wait_until(lambda: listed_seats(host, "mine")) == (True, [True, False, False])
        assert wait_until(lambda: listed_seats(guest, "mine")) == (False, [False, True, False])
        assert wait_until(lambda: listed_seats(stranger, "open")) == (False, [False, False, False])


def test_a_substitute_plays_until_the_player_returns(ada, ben, pair):
    with ada.connect(pair) as connection:
        connection.drop_pending()
        assert ben.command(pair, "leave", {"seat": 0}).error == "error-not-yours"
        ben.command(pair, "leave")
        assert connection.wait("table")["table"]["seats"][1]["substitute"] == "random"
        wait_until(lambda: ada.view(pair)["pending"] == [0])
        view = ben.view(pair, 1)
        assert ben.play(pair, 1, view["seq"], 0).error == "error-substitute"
        assert ben.command(pair, "take-seat-back", {"seat": 0}).error == "error-not-yours"
        assert ben.command(pair, "take-seat-back", {"seat": 1}).json["seats"][1]["substitute"] is None
        assert ben.command(pair, "take-seat-back", {"seat": 1}).error == "error-no-substitute"


def test_present_players_vote_for_a_substitute(ada, ben, cleo):
    table = ada.open("me", "open", "open")
    ben.command(table, "sit")
    cleo.command(table, "sit")
    with ada.connect(table) as adas_connection, ben.connect(table) as bens_connection:
        with cleo.connect(table) as cleos_connection:
            cleos_connection.wait("table")
            assert ada.command(table, "substitute", {"seat": 2}).error == "error-not-away"
        wait_until(lambda: not ada.table(table)["seats"][2]["connected"])
        assert Guest(ada.server).command(table, "substitute", {"seat": 2}).error == "error-not-yours"
        assert ada.command(table, "substitute", {"seat": 2}).json["seats"][2]["votes"] == 1
        assert ada.command(table, "substitute", {"seat": 2}).json["seats"][2]["substitute"] is None, (
            "each guest has one vote"
        )
        assert ben.command(table, "substitute", {"seat": 2}).json["seats"][2]["substitute"] == "random"
        adas_connection.close()
        bens_connection.close()


def test_a_player_may_come_back_within_the_grace_period(tmp_path):
    with Server(tmp_path, COURTLY_GRACE="600") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.command(table, "sit")
        with ada.connect(table) as connection:
            assert 590 < ada.table(table)["seats"][1]["grace_seconds"] <= 600, (
                "a player who has not come yet has the same time"
            )
            with ben.connect(table) as bens_connection:
                bens_connection.wait("table")
                assert (
                    ada.table(table)["seats"][1]["grace_seconds"] == 0
                    and ada.command(table, "substitute", {"seat": 1}).error == "error-not-away"
                )
            absent_seat = wait_until(
                lambda: next(
                    (seat for seat in [connection.wait("table")["table"]["seats"][1]] if not seat["connected"]), None
                )
            )
            assert 590 < absent_seat["grace_seconds"] <= 600
            response = ada.command(table, "substitute", {"seat": 1})
            assert response.error == "error-grace" and 590 < response.json["error"]["args"]["seconds"] <= 600
            assert ada.table(table)["seats"][1]["substitute"] is None


def test_the_end_of_the_grace_period_is_announced(tmp_path):
    with Server(tmp_path, COURTLY_GRACE="0.3") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.command(table, "sit")
        with ada.connect(table) as connection:
            with ben.connect(table):
                while not connection.wait("table")["table"]["seats"][1]["connected"]:
                    pass
            while (seat := connection.wait("table")["table"]["seats"][1])["connected"] or seat["grace_seconds"]:
                pass
            assert ada.command(table, "substitute", {"seat": 1}).json["seats"][1]["substitute"] == "random"


def test_coming_back_ends_the_vote(ada, ben, cleo):
    table = ada.open("me", "open", "open")
    ben.command(table, "sit")
    cleo.command(table, "sit")
    with ada.connect(table), ben.connect(table):
        wait_until(lambda: sum(seat["connected"] for seat in ada.table(table)["seats"]) == 2)
        assert ada.command(table, "substitute", {"seat": 2}).json["seats"][2]["votes"] == 1
        with cleo.connect(table) as connection:
            assert connection.wait("table")["table"]["seats"][2]["votes"] == 0


def seat_link(guest, table, seat=0):
    """Return a link to this seat, as its page requests it, and the token that reclaims the seat."""
    response = guest.command(table, "seat-link", {"seat": seat}).json
    return response["path"].replace("/j/", "/api/seat-link/"), response["reclaim_token"]


def test_a_seat_link_works_once(ada, ben, pair):
    path, _ = seat_link(ada, pair)
    assert ben.command(pair, "seat-link", {"seat": 0}).error == "error-not-yours"
    phone, stranger = Guest(ada.server), Guest(ada.server)
    assert phone.get(path).json == {"table": pair, "name": "Ada", "you": False}
    with ada.connect(pair) as connection:
        connection.drop_pending()
        assert phone.post(path).json["seats"][0]["you"]
        assert (
            phone.table(pair)["seats"][0]["you"]
            and phone.table(pair)["host"]
            and not ada.table(pair)["seats"][0]["you"]
        )
        assert connection.view_where(lambda view: view["seat"] is None), "the old device becomes a spectator"
    assert phone.get(path).json["you"] and phone.post(path).json["id"] == pair, "the new device can use it again"
    for response in (stranger.get(path), stranger.post(path)):
        assert response.json == {"error": {"id": "error-link-used", "args": {"table": pair}}}
    assert not stranger.table(pair)["seats"][0]["you"], "other guests cannot use it again"
    assert ada.get("/api/seat-link/forged").error == ada.post("/api/seat-link/forged").error == "error-link-false"


@pytest.mark.parametrize("change", ["its creator left", "the host opened the seat"])
def test_a_seat_link_is_invalid_after_the_player_changed(server, ada, ben, cleo, change):
    table = ada.open("me", "open", "open")
    ben.command(table, "sit")
    path, token = seat_link(ben, table, 1)
    if change == "its creator left":
        ben.command(table, "leave")
    else:
        ada.command(table, "seat", {"seat": 1, "kind": "open"})
    assert cleo.command(table, "sit").json["seats"][1]["you"]
    assert server.guest().post(path).error == "error-link-used"
    assert ben.command(table, "reclaim", {"reclaim_token": token}).error == "error-not-yours"
    assert cleo.table(table)["seats"][1]["you"]


def test_link_scanners_do_not_use_up_a_link(ada, pair):
    path, _ = seat_link(ada, pair)
    table_before = ada.table(pair)
    for scanner in (Guest(ada.server, cookie=False), Guest(ada.server)):
        for page in (path.replace("/api/seat-link/", "/j/"), path):
            for method in ("GET", "HEAD", "GET"):
                scanner.request(method, page, headers={"accept": "text/html"})
    assert scanner.get(path.replace("/api/seat-link/", "/j/"), headers={"accept": "text/html"}).status == 200
    assert Guest(ada.server, cookie=False).post(path).error == "error-no-cookie"
    assert ada.table(pair) == table_before and table_before["seats"][0]["you"]
    assert Guest(ada.server).post(path).json["seats"][0]["you"]


def test_the_creator_of_a_link_can_reclaim_the_seat_once(server, ada, ben, pair):
    path, token = seat_link(ada, pair)
    reclaim_request = {"reclaim_token": token}
    assert ada.command(pair, "reclaim", reclaim_request).error == "error-not-yours", "the link was not used"
    thief = server.guest("Eve")
    assert thief.post(path).status == 200
    other_path, thiefs_token = seat_link(thief, pair)  # created before it is used, and invalid after it
    for guest, body in (
        (ben, reclaim_request),
        (thief, reclaim_request),
        (ada, {"reclaim_token": token + "x"}),
        (ada, {"reclaim_token": thiefs_token}),
    ):
        assert guest.command(pair, "reclaim", body).error == "error-not-yours"
    table = ada.command(pair, "reclaim", reclaim_request).json
    assert table["host"] and (table["seats"][0]["you"], table["seats"][0]["name"]) == (True, "Ada")
    assert ada.view(pair, 0)["seat"] == 0 and not thief.table(pair)["seats"][0]["you"]
    assert thief.command(pair, "reclaim", {"reclaim_token": thiefs_token}).error == "error-not-yours"
    assert thief.post(other_path).error == "error-link-used"
    assert ada.command(pair, "reclaim", reclaim_request).error == "error-not-yours"


def test_a_reclaimed_seat_is_played_again_and_a_local_one_is_local(server, ada):
    table = ada.open("me", "local")
    path, token = seat_link(ada, table, 1)
    phone = server.guest("Eve")
    assert phone.post(path).status == 200 and phone.command(table, "leave").status == 200
    assert ada.table(table)["seats"][1]["substitute"]
    seat = ada.command(table, "reclaim", {"reclaim_token": token}).json["seats"][1]
    assert (seat["kind"], seat["substitute"], seat["you"]) == ("local", None, True)
    path, token = seat_link(ada, table, 1)
    assert phone.post(path).status == 200
    play_to_the_end(table, ada, phone)
    assert ada.command(table, "reclaim", {"reclaim_token": token}).error == "error-over"


@pytest.mark.parametrize("change", ["left", "carried on"])
def test_a_seat_that_changed_hands_again_is_not_reclaimed(server, ada, cleo, change):
    table = ada.open("me", "open", "open")
    path, token = seat_link(ada, table)
    phone = server.guest()
    assert cleo.command(table, "sit", {"seat": 1}).status == 200 and phone.post(path).status == 200
    if change == "left":
        assert (
            phone.command(table, "leave").status == 200
            and server.guest().command(table, "sit", {"seat": 0}).status == 200
        )
    else:
        assert server.guest().post(seat_link(phone, table)[0]).status == 200
    assert ada.command(table, "reclaim", {"reclaim_token": token}).error == "error-not-yours"


def play_to_the_end(table, *players):
    """Play to the end. `players` are guests in the order of their seats."""
    while not (view := players[0].view(table))["over"]:
        for seat in view["pending"]:
            own_view = players[seat].view(table, seat)
            if own_view["legal"]:
                assert players[seat].play(table, seat, own_view["seq"], own_view["legal"][-1]["id"]).status == 200
    return view


def test_the_end_of_a_game_shows_the_secret_and_gives_the_record(ada, ben, pair):
    from courtly.engine import transcript

    assert ada.get(f"/api/tables/{pair}/record").error == "error-not-over"
    commitment = ada.table(pair)["commitment"]
    with ada.connect(pair) as connection:
        last_view = play_to_the_end(pair, ada, ben)
        table_info = wait_until(lambda: (t := connection.wait("table")["table"])["status"] == "over" and t)
    assert hashlib.sha256(bytes.fromhex(table_info["secret"])).hexdigest() == commitment
    record = Guest(ada.server).get(f"/api/tables/{pair}/record").body.decode()
    assert transcript.check(record).scores == last_view["scores"]
    assert '"seats": ["Ada", "Ben"]' in record.splitlines()[0]
    assert ada.command(pair, "leave").error == "error-over"
    assert pair not in ids(ada.get("/api/tables").json["mine"])


def test_a_rematch_is_one_table_for_all_players(ada, ben, cleo, pair):
    assert ada.command(pair, "rematch").error == "error-not-over"
    play_to_the_end(pair, ada, ben)
    assert cleo.command(pair, "rematch").error == "error-not-yours"
    with ben.connect(pair) as connection:
        connection.drop_pending()
        rematch = ada.command(pair, "rematch").json
        assert connection.wait("table")["table"]["rematch_id"] == rematch["id"]
    assert ben.command(pair, "rematch").json["id"] == rematch["id"] != pair
    assert rematch["status"] == "playing" and [seat["name"] for seat in rematch["seats"]] == ["Ada", "Ben"]
    assert rematch["commitment"] != ada.table(pair)["commitment"]

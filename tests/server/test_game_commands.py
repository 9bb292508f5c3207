"""Moves over HTTP and the socket: executed once, in order, visible to the right audiences, with clear errors."""

import json
import threading

import pytest
from guests import Connection, Guest, fresh_key, move


def choose_and_declare_ready(guest, table, seat):
    """Choose the first card and declare ready. Return the view."""
    view = guest.view(table, seat)
    card = next(m["id"] for m in view["legal"] if m["verb"] == "choose")
    view = guest.play(table, seat, view["seq"], card).json
    return guest.play(table, seat, view["seq"], move(view, "ready")).json


# --- visibility ------------------------------------------------------------------------------------------------------


def test_a_seat_gets_its_own_view(ada, pair):
    view = ada.view(pair, 0)
    assert view.keys() == {"seat", "seq", "state", "pending", "legal", "undo", "over", "scores", "cues"}
    assert view["seat"] == 0 and view["pending"] == [0, 1] and not view["undo"] and view["scores"] is None
    assert view["seq"] == len(view["cues"]) and [cue["n"] for cue in view["cues"]] == list(range(view["seq"]))
    assert ada.view(pair, 0, since=3)["cues"] == view["cues"][3:]
    assert view["state"]["hand"][0] and view["state"]["hand"][1] is None and "deck" not in view["state"]


def test_a_spectator_sees_no_private_rows(server, ada, pair):
    spectator = Guest(server, cookie=False)
    for view in (spectator.view(pair), ada.view(pair)):
        assert view["seat"] is None and view["legal"] == [] and not view["undo"]
        assert all(row is None for field in ("hand", "choice", "answer", "known") for row in view["state"][field])
        assert all(cue["args"] is None for cue in view["cues"] if cue["verb"] == "deal")


def test_seats_of_others_are_closed(server, ada, ben, pair):
    assert ada.get(f"/api/tables/{pair}/view?seat=1").error == "error-not-yours"
    assert Guest(server, cookie=False).get(f"/api/tables/{pair}/view?seat=0").error == "error-not-yours"
    assert ada.get(f"/api/tables/{pair}/view?seat=5").error == "error-unknown-seat"
    assert ada.get(f"/api/tables/{pair}/view?seat=x").error == "error-malformed"
    seq = ada.view(pair, 0)["seq"]
    response = ben.play(pair, 0, seq, 0)
    assert response.status == 403 and response.error == "error-not-yours"
    assert Guest(server, cookie=False).play(pair, 0, seq, 0).status == 401


def test_secret_choices_send_nothing_to_others(ada, ben, cleo, pair):
    with ben.connect(pair) as other, cleo.connect(pair) as spectator:
        views_before = other.view(), spectator.view()
        other.drop_pending()
        spectator.drop_pending()
        view = ada.view(pair, 0)
        for _ in range(3):
            view = ada.play(pair, 0, view["seq"], move(view, "choose")).json
        assert view["undo"] and ada.undo(pair, 0, view["seq"]).status == 200
        assert other.is_silent() and spectator.is_silent()
        for guest, seat, view_before in ((ben, 1, views_before[0]), (cleo, None, views_before[1])):
            view_after = guest.view(pair, seat)
            assert json.dumps(view_after) == json.dumps(view_before), "nothing changed, not even the sequence number"


def test_message_lengths_reveal_nothing(ada, ben, pair):
    """Ben's message has the same length whichever card Ada is ready with."""
    view, lengths = ada.view(pair, 0), set()
    for n in range(8):
        choose = [m["id"] for m in view["legal"] if m["verb"] == "choose"]
        view = ada.play(pair, 0, view["seq"], choose[n % len(choose)], _ready_move(ada)).json
        with ben.connect(pair, since={"1": view["seq"] - 1}) as connection:
            connection.wait("table")
            text = connection.socket.recv(5)
        if json.loads(text)["view"]["seq"] > 9:  # from here on the sequence number has two digits
            lengths.add(len(text))
        view = ada.undo(pair, 0, view["seq"]).json
    assert len(lengths) == 1


def test_two_players_choose_at_once_without_a_conflict(ada, ben, pair):
    views = ada.view(pair, 0), ben.view(pair, 1)
    assert ada.play(pair, 0, views[0]["seq"], move(views[0], "choose")).status == 200
    assert ben.play(pair, 1, views[1]["seq"], move(views[1], "choose")).status == 200, (
        "another seat's choice does not make it stale"
    )


# --- atomicity and idempotency ----------------------------------------------------------------------------------------


def test_moves_are_made_in_order_or_not_at_all(ada, pair):
    view = ada.view(pair, 0)
    choose, ready = move(view, "choose"), _ready_move(ada)
    response = ada.play(pair, 0, view["seq"], ready, choose)
    assert response.status == 409 and response.json["error"] == {
        "id": "error-illegal",
        "args": {"move": {"id": ready, "verb": "ready", "args": {}}, "reason": "sealed_bids-refusal-choose-first"},
    }
    assert ada.view(pair, 0) == view | {"cues": ada.view(pair, 0)["cues"]}
    after = ada.play(pair, 0, view["seq"], choose, ready).json
    assert [cue["verb"] for cue in after["cues"]] == ["choose", "ready"] and after["pending"] == [1]


def _ready_move(guest):
    return guest.get("/api/games/sealed_bids").json["moves"]["ready"]["first"]


def test_the_same_key_again_gives_the_same_answer(ada, ben, pair):
    view, key = ada.view(pair, 0), fresh_key()
    first_response = ada.play(pair, 0, view["seq"], move(view, "choose"), key=key)
    choose_and_declare_ready(ben, pair, 1)
    second_response = ada.play(pair, 0, view["seq"], move(view, "choose"), key=key)
    assert second_response.status == 200 and second_response.body == first_response.body
    assert ada.view(pair, 0)["seq"] == first_response.json["seq"] + 1, "executed once, and Ben is ready"
    other_response = ada.play(pair, 0, view["seq"], _ready_move(ada), key=key)
    assert other_response.status == 409 and other_response.error == "error-key"
    assert ada.play(pair, 0, ada.view(pair, 0)["seq"], move(ada.view(pair, 0), "choose"), key=key).error == "error-key"


def test_taking_back_twice_with_one_key_takes_back_once(ada, pair):
    view, key = ada.view(pair, 0), fresh_key()
    for _ in range(2):
        view = ada.play(pair, 0, view["seq"], move(view, "choose")).json
    first, second = (ada.undo(pair, 0, view["seq"], key=key) for _ in range(2))
    assert first.json == second.json and ada.view(pair, 0)["seq"] == view["seq"] + 1
    assert first.json["cues"] == [{"n": view["seq"], "seat": 0, "verb": "undo", "args": {"count": 1}}]


def test_of_two_tabs_that_move_at_once_one_succeeds(ada, pair):
    with ada.connect(pair) as left_tab, ada.connect(pair) as right_tab:
        views = left_tab.view(), right_tab.view()
        cards = [m["id"] for m in views[0]["legal"]]
        keys = left_tab.play(views[0], cards[0]), right_tab.play(views[1], cards[-1])
        outcomes = [_wait_for_outcome(left_tab), _wait_for_outcome(right_tab)]
        assert sorted(outcome["type"] for outcome in outcomes) == ["done", "error"]
        assert {outcome["key"] for outcome in outcomes} == set(keys)
        assert next(outcome for outcome in outcomes if outcome["type"] == "error")["error"]["id"] == "error-stale"
    assert ada.view(pair, 0)["seq"] == views[0]["seq"] + 1


def _wait_for_outcome(connection):
    while True:
        message = connection.receive()
        if message["type"] in ("done", "error"):
            return message


def test_of_eight_concurrent_moves_one_succeeds(ada, pair):
    view = ada.view(pair, 0)
    cards, responses = [m["id"] for m in view["legal"]], []
    threads = [
        threading.Thread(target=lambda n=n: responses.append(ada.play(pair, 0, view["seq"], cards[n % len(cards)])))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(response.status for response in responses) == [200] + [409] * 7
    assert {response.error for response in responses} == {None, "error-stale"}
    assert ada.view(pair, 0)["seq"] == view["seq"] + 1


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_ends_at_moves_of_others(ada, ben, pair):
    view = ada.view(pair, 0)
    assert ada.undo(pair, 0, view["seq"]).error == "error-no-undo"
    view_after_choice = ada.play(pair, 0, view["seq"], move(view, "choose")).json
    assert ada.undo(pair, 0, view["seq"]).error == "error-stale"
    view_after_undo = ada.undo(pair, 0, view_after_choice["seq"]).json
    assert view_after_undo["state"] == view["state"] and view_after_undo["cues"][-1]["verb"] == "undo"
    view_after_ready = choose_and_declare_ready(ada, pair, 0)
    choose_and_declare_ready(ben, pair, 1)
    assert not ada.view(pair, 0)["undo"]
    assert ada.undo(pair, 0, view_after_ready["seq"] + 1).status == 409


# --- errors -----------------------------------------------------------------------------------------------------------


def test_stale_and_illegal_moves_are_rejected_over_http(ada, ben, pair):
    view = ada.view(pair, 0)
    assert ada.play(pair, 0, view["seq"] - 1, 0).error == "error-stale"
    assert ada.play(pair, 0, view["seq"] + 1, 0).error == "error-stale"
    assert ada.play(pair, 0, view["seq"], 999).json["error"] == {"id": "error-unknown-move", "args": {"move": "999"}}
    choose_and_declare_ready(ada, pair, 0)
    assert ada.play(pair, 0, ada.view(pair, 0)["seq"], 0).error == "error-not-your-turn"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"seat": 0}',
        b'{"seat": "0", "seq": 0, "moves": [1]}',
        b'{"seat": 0, "seq": 0, "moves": []}',
        b'{"seat": 0, "seq": 0, "moves": [1.5]}',
        b'{"seat": 0, "seq": 0, "moves": [true]}',
        b"\xff\xfe",
        b"[" * 20_000,
        b'{"seat": 0, "seq": 0, "moves": [' + b"1," * 500 + b"1]}",
        b'{"seat": 0, "seq": ' + b"9" * 5000 + b', "moves": [1]}',
        b'{"seat": 0, "seq": 0, "moves": [1], "more": 1}',
    ],
)
def test_malformed_moves_are_rejected_over_http(ada, pair, raw):
    view_before = ada.view(pair, 0)
    response = ada.post(f"/api/tables/{pair}/moves", raw=raw, headers={"Idempotency-Key": "k"})
    assert (
        response.status == 400
        and response.error == "error-malformed"
        and response.json["error"]["args"].keys() == {"where", "problem"}
    )
    assert ada.view(pair, 0) == view_before


def test_an_idempotency_key_is_required_and_short(ada, pair):
    body = {"seat": 0, "seq": 0, "moves": [0]}
    assert ada.post(f"/api/tables/{pair}/moves", body).error == "error-malformed"
    assert ada.post(f"/api/tables/{pair}/moves", body, headers={"Idempotency-Key": "k" * 65}).error == "error-malformed"


def test_a_socket_stays_open_after_bad_messages(ada, ben, pair):
    with ben.connect(pair) as connection:
        view = connection.view()
        for text in (
            "",
            "{",
            "null",
            "[]",
            '"play"',
            '{"type": "dance"}',
            '{"type": "play"}',
            "[" * 10_000,
            '{"type": "play", "key": "k", "seat": true}',
            '{"type": "play", "key": "\\ud800", "seat": 1, "seq": 1, "moves": [1]}',
        ):
            connection.socket.send(text)
            assert connection.wait("error")["error"]["id"] == "error-malformed"
        connection.socket.send(b"\xff\x00")
        assert connection.wait("error")["error"]["id"] == "error-malformed"
        for change, error in (
            ({"seat": 0}, "error-not-yours"),
            ({"seq": view["seq"] + 1}, "error-stale"),
            ({"moves": [999]}, "error-unknown-move"),
            ({"moves": [_ready_move(ben)]}, "error-illegal"),
            ({"seat": 5}, "error-unknown-seat"),
        ):
            connection.send(
                **{"type": "play", "key": "k1", "seat": 1, "seq": view["seq"], "moves": [view["legal"][0]["id"]]}
                | change
            )
            refusal = connection.wait("error")
            assert refusal["error"]["id"] == error and refusal["key"] == "k1"
        key = connection.play(view)
        assert connection.wait("done")["key"] == key
        assert connection.view()["seq"] == view["seq"] + 1


def test_spectators_socket_cannot_play(server, pair):
    with Guest(server, cookie=False).connect(pair) as connection:
        view = connection.view()
        connection.send(type="play", key="k", seat=0, seq=view["seq"], moves=[0])
        assert connection.wait("error")["error"]["id"] == "error-no-cookie"


def test_hello_comes_first(ada, pair):
    with Connection(ada, f"/ws/tables/{pair}") as connection:
        connection.send(type="resync")
        assert connection.receive()["error"]["id"] == "error-malformed"
        connection.send(type="hello")
        assert connection.receive()["type"] == "table"


@pytest.mark.parametrize("path", ["/ws/lobby", "/ws/tables/{pair}"])
def test_a_ping_is_answered(ada, pair, path):
    with Connection(ada, path.format(pair=pair)) as connection:
        connection.send(type="ping")  # also before the hello
        connection.wait("pong")
        connection.send(type="hello")
        connection.send(type="ping")
        connection.wait("pong")


def test_nothing_is_played_after_the_end(ada):
    table = ada.post(
        "/api/tables",
        {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "local"}], "options": {"looks": 0}},
    ).json["id"]
    while not (view := ada.view(table))["over"]:
        seat = view["pending"][0]
        own_view = ada.view(table, seat)
        ada.play(table, seat, own_view["seq"], own_view["legal"][-1]["id"])
    own_view = ada.view(table, 0)
    assert own_view["scores"] and not own_view["undo"]
    assert ada.play(table, 0, own_view["seq"], 0).error == "error-over"
    assert ada.undo(table, 0, own_view["seq"]).error == "error-over", "the secret is public, so no new rolls"


# --- preview ---------------------------------------------------------------------------------------------------------


def test_preview_changes_nothing(ada, ben, cleo, pair):
    view, ready = ada.view(pair, 0), _ready_move(ada)
    request = {"seat": 0, "seq": view["seq"], "moves": [move(view, "choose"), ready]}
    with ada.connect(pair) as own, ben.connect(pair) as other, cleo.connect(pair) as spectator:
        for connection in (own, other, spectator):
            connection.drop_pending()
        response = ada.command(pair, "preview", request)
        assert response.status == 200 and [cue["verb"] for cue in response.json["cues"]] == ["choose", "ready"]
        own.send(type="preview", key="k", **request)
        assert own.receive() == {"type": "preview", "key": "k", "view": response.json}
        assert own.is_silent() and other.is_silent() and spectator.is_silent()
    assert ada.view(pair, 0) == view
    assert ada.play(pair, 0, view["seq"], *request["moves"]).json == response.json, (
        "the same view as after the real moves"
    )


def test_preview_is_rejected_as_moves_are(server, ada, ben, pair):
    view, ready = ada.view(pair, 0), _ready_move(ada)
    request = {"seat": 0, "seq": view["seq"], "moves": [move(view, "choose")]}
    assert ada.command(pair, "preview", request | {"seq": view["seq"] + 1}).error == "error-stale"
    assert ada.command(pair, "preview", request | {"moves": [ready]}).error == "error-illegal"
    assert ada.command(pair, "preview", request | {"moves": []}).error == "error-malformed"
    assert ben.command(pair, "preview", request).error == "error-not-yours"
    assert Guest(server, cookie=False).command(pair, "preview", request).error == "error-no-cookie"
    with ben.connect(pair) as connection:
        connection.send(type="preview", key="k", **request)
        assert connection.wait("error") == {
            "type": "error",
            "key": "k",
            "error": {"id": "error-not-yours", "args": {"seat": 0}},
        }


def test_a_look_cannot_be_previewed(ada):
    table = ada.open("me", "local", options={"looks": 1})
    view = ada.view(table, 0)
    response = ada.command(table, "preview", {"seat": 0, "seq": view["seq"], "moves": [move(view, "look")]})
    assert response.status == 409 and response.error == "error-unforeseen"


# --- the socket ------------------------------------------------------------------------------------------------------


def test_done_comes_before_the_view(ada, pair):
    with ada.connect(pair) as connection:
        view = connection.view()
        connection.drop_pending()
        connection.play(view)
        assert connection.receive()["type"] == "done" and connection.receive()["type"] == "view"


def test_socket_repeats_an_answer(ada, pair):
    with ada.connect(pair) as connection:
        view = connection.view()
        key = connection.play(view)
        connection.wait("done")
    with ada.connect(pair) as connection:
        connection.view()
        connection.play(view, key=key)
        assert connection.wait("done")["key"] == key
    assert ada.view(pair, 0)["seq"] == view["seq"] + 1


def test_a_reconnecting_player_gets_the_missed_events(ada, ben, pair):
    with ben.connect(pair) as connection:
        view_before = connection.view()
    choose_and_declare_ready(ada, pair, 0)
    choose_and_declare_ready(ben, pair, 1)
    with ben.connect(pair, since={"1": view_before["seq"]}) as connection:
        view = connection.view()
        assert [cue["n"] for cue in view["cues"]] == list(range(view_before["seq"], view["seq"])) and view[
            "cues"
        ] == ben.view(pair, 1, view_before["seq"])["cues"]
        assert {"choose", "ready"} <= {cue["verb"] for cue in view["cues"]}
        connection.send(type="resync")
        assert len(connection.view()["cues"]) == view["seq"], "a full snapshot"
    with ben.connect(pair, since={"1": 10_000}) as connection:
        assert connection.view()["cues"] == []


def test_each_view_continues_where_the_last_one_ended(ada, ben, pair):
    with ben.connect(pair) as connection:
        events = connection.view()["cues"]
        choose_and_declare_ready(ada, pair, 0)
        choose_and_declare_ready(ben, pair, 1)
        connection.view_where(lambda view: events.extend(view["cues"]) or any(view["state"]["shown"]))
        assert [event["n"] for event in events] == list(range(len(events)))


def test_a_guest_who_sits_down_gets_the_seats_view(ada, ben):
    table = ada.open("me", "open")
    with ben.connect(table) as connection:
        connection.wait("table")
        ben.command(table, "sit")
        assert connection.view()["seat"] == 1


def test_pages_of_other_sites_are_rejected(ada, pair):
    for origin in ("http://evil.example", f"http://localhost:{ada.server.port + 1}", "null", "http://["):
        with pytest.raises(Exception, match="403"):
            Connection(ada, f"/ws/tables/{pair}", headers={"origin": origin})
        assert ada.post("/api/tables", {}, headers={"origin": origin}).error == "error-elsewhere"
    Connection(ada, f"/ws/tables/{pair}", headers={"origin": ada.server.url}).close()
    assert ada.post("/api/tables", {}, headers={"origin": ada.server.url}).error == "error-malformed"


def test_an_old_key_reveals_nothing_after_the_seat_was_given_away(server, ada, ben, pair):
    view, key = ada.view(pair, 0), fresh_key()
    assert ada.play(pair, 0, view["seq"], move(view, "choose"), key=key).status == 200
    other = Guest(server)
    other.post(ada.command(pair, "seat-link", {"seat": 0}).json["path"].replace("/j/", "/api/seat-link/"))
    assert other.view(pair, 0)["seat"] == 0, "another guest holds the seat"
    response = ada.play(pair, 0, view["seq"], move(view, "choose"), key=key)
    assert response.status == 403 and response.error == "error-not-yours"


def test_repeated_resyncs_are_answered(ada, pair):
    with ada.connect(pair) as connection:
        first = connection.view()
        for _ in range(5):
            connection.send(type="resync")
        assert [connection.view() for _ in range(5)] == [first] * 5

"""Moves over HTTP and the socket: executed once, in order, visible to the right audiences, with clear errors."""

import json
import threading

import pytest
from guests import Guest, Line, fresh_key, move


def chosen(guest, table, seat):
    """Choose the first card and declare ready. Return the view."""
    view = guest.view(table, seat)
    card = next(m["id"] for m in view["legal"] if m["verb"] == "choose")
    view = guest.play(table, seat, view["seq"], card).json
    return guest.play(table, seat, view["seq"], move(view, "ready")).json


# --- visibility ------------------------------------------------------------------------------------------------------


def test_view_of_a_seat(ada, pair):
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
    answer = ben.play(pair, 0, seq, 0)
    assert answer.status == 403 and answer.error == "error-not-yours"
    assert Guest(server, cookie=False).play(pair, 0, seq, 0).status == 401


def test_secret_choices_send_nothing_to_others(ada, ben, cleo, pair):
    with ben.line(pair) as other, cleo.line(pair) as spectator:
        before = other.view(), spectator.view()
        other.silence()
        spectator.silence()
        view = ada.view(pair, 0)
        for _ in range(3):
            view = ada.play(pair, 0, view["seq"], move(view, "choose")).json
        assert view["undo"] and ada.undo(pair, 0, view["seq"]).status == 200
        assert other.nothing() and spectator.nothing()
        for guest, seat, earlier in ((ben, 1, before[0]), (cleo, None, before[1])):
            later = guest.view(pair, seat)
            assert json.dumps(later) == json.dumps(earlier), "nothing changed, not even the sequence number"


def test_message_lengths_reveal_nothing(ada, ben, pair):
    """Ben's message has the same length whichever card Ada is ready with."""
    view, lengths = ada.view(pair, 0), set()
    for n in range(8):
        choose = [m["id"] for m in view["legal"] if m["verb"] == "choose"]
        view = ada.play(pair, 0, view["seq"], choose[n % len(choose)], _ready(ada)).json
        with ben.line(pair, since={"1": view["seq"] - 1}) as line:
            line.wait("table")
            text = line.socket.recv(5)
        if json.loads(text)["view"]["seq"] > 9:  # from here on the sequence number has two digits
            lengths.add(len(text))
        view = ada.undo(pair, 0, view["seq"]).json
    assert len(lengths) == 1


def test_two_choose_at_once_without_colliding(ada, ben, pair):
    views = ada.view(pair, 0), ben.view(pair, 1)
    assert ada.play(pair, 0, views[0]["seq"], move(views[0], "choose")).status == 200
    assert ben.play(pair, 1, views[1]["seq"], move(views[1], "choose")).status == 200, (
        "another seat's choice does not make it stale"
    )


# --- atomicity and idempotency ----------------------------------------------------------------------------------------


def test_moves_are_made_in_order_or_not_at_all(ada, pair):
    view = ada.view(pair, 0)
    choose, ready = move(view, "choose"), _ready(ada)
    answer = ada.play(pair, 0, view["seq"], ready, choose)
    assert answer.status == 409 and answer.json["error"] == {
        "id": "error-illegal",
        "args": {"move": {"id": ready, "verb": "ready", "args": {}}, "reason": "sealed_bids-refusal-choose-first"},
    }
    assert ada.view(pair, 0) == view | {"cues": ada.view(pair, 0)["cues"]}
    after = ada.play(pair, 0, view["seq"], choose, ready).json
    assert [cue["verb"] for cue in after["cues"]] == ["choose", "ready"] and after["pending"] == [1]


def _ready(guest):
    return guest.get("/api/games/sealed_bids").json["moves"]["ready"]["first"]


def test_the_same_key_again_gives_the_same_answer(ada, ben, pair):
    view, key = ada.view(pair, 0), fresh_key()
    first = ada.play(pair, 0, view["seq"], move(view, "choose"), key=key)
    chosen(ben, pair, 1)
    again = ada.play(pair, 0, view["seq"], move(view, "choose"), key=key)
    assert again.status == 200 and again.body == first.body
    assert ada.view(pair, 0)["seq"] == first.json["seq"] + 1, "executed once, and Ben is ready"
    other = ada.play(pair, 0, view["seq"], _ready(ada), key=key)
    assert other.status == 409 and other.error == "error-key"
    assert ada.play(pair, 0, ada.view(pair, 0)["seq"], move(ada.view(pair, 0), "choose"), key=key).error == "error-key"


def test_taking_back_twice_with_one_key_takes_back_once(ada, pair):
    view, key = ada.view(pair, 0), fresh_key()
    for _ in range(2):
        view = ada.play(pair, 0, view["seq"], move(view, "choose")).json
    first, again = (ada.undo(pair, 0, view["seq"], key=key) for _ in range(2))
    assert first.json == again.json and ada.view(pair, 0)["seq"] == view["seq"] + 1
    assert first.json["cues"] == [{"n": view["seq"], "seat": 0, "verb": "undo", "args": {"count": 1}}]


def test_two_tabs_one_wins(ada, pair):
    with ada.line(pair) as left, ada.line(pair) as right:
        views = left.view(), right.view()
        cards = [m["id"] for m in views[0]["legal"]]
        keys = left.play(views[0], cards[0]), right.play(views[1], cards[-1])
        ends = [_settled(left), _settled(right)]
        assert sorted(end["type"] for end in ends) == ["done", "error"]
        assert {end["key"] for end in ends} == set(keys)
        assert next(end for end in ends if end["type"] == "error")["error"]["id"] == "error-stale"
    assert ada.view(pair, 0)["seq"] == views[0]["seq"] + 1


def _settled(line):
    while True:
        message = line.hear()
        if message["type"] in ("done", "error"):
            return message


def test_many_writers_of_one_ply(ada, pair):
    view = ada.view(pair, 0)
    cards, answers = [m["id"] for m in view["legal"]], []
    threads = [
        threading.Thread(target=lambda n=n: answers.append(ada.play(pair, 0, view["seq"], cards[n % len(cards)])))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [200] + [409] * 7
    assert {answer.error for answer in answers} == {None, "error-stale"}
    assert ada.view(pair, 0)["seq"] == view["seq"] + 1


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_reaches_back_to_what_others_did(ada, ben, pair):
    view = ada.view(pair, 0)
    assert ada.undo(pair, 0, view["seq"]).error == "error-no-undo"
    after = ada.play(pair, 0, view["seq"], move(view, "choose")).json
    assert ada.undo(pair, 0, view["seq"]).error == "error-stale"
    back = ada.undo(pair, 0, after["seq"]).json
    assert back["state"] == view["state"] and back["cues"][-1]["verb"] == "undo"
    seen = chosen(ada, pair, 0)
    chosen(ben, pair, 1)
    assert not ada.view(pair, 0)["undo"]
    assert ada.undo(pair, 0, seen["seq"] + 1).status == 409


# --- errors -----------------------------------------------------------------------------------------------------------


def test_stale_and_illegal_over_http(ada, ben, pair):
    view = ada.view(pair, 0)
    assert ada.play(pair, 0, view["seq"] - 1, 0).error == "error-stale"
    assert ada.play(pair, 0, view["seq"] + 1, 0).error == "error-stale"
    assert ada.play(pair, 0, view["seq"], 999).json["error"] == {"id": "error-unknown-move", "args": {"move": "999"}}
    chosen(ada, pair, 0)
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
def test_malformed_over_http(ada, pair, raw):
    before = ada.view(pair, 0)
    answer = ada.post(f"/api/tables/{pair}/moves", raw=raw, headers={"Idempotency-Key": "k"})
    assert (
        answer.status == 400
        and answer.error == "error-malformed"
        and answer.json["error"]["args"].keys() == {"where", "problem"}
    )
    assert ada.view(pair, 0) == before


def test_key_is_needed_and_short(ada, pair):
    body = {"seat": 0, "seq": 0, "moves": [0]}
    assert ada.post(f"/api/tables/{pair}/moves", body).error == "error-malformed"
    assert ada.post(f"/api/tables/{pair}/moves", body, headers={"Idempotency-Key": "k" * 65}).error == "error-malformed"


def test_bad_messages_keep_the_socket(ada, ben, pair):
    with ben.line(pair) as line:
        view = line.view()
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
            line.socket.send(text)
            assert line.wait("error")["error"]["id"] == "error-malformed"
        line.socket.send(b"\xff\x00")
        assert line.wait("error")["error"]["id"] == "error-malformed"
        for change, error in (
            ({"seat": 0}, "error-not-yours"),
            ({"seq": view["seq"] + 1}, "error-stale"),
            ({"moves": [999]}, "error-unknown-move"),
            ({"moves": [_ready(ben)]}, "error-illegal"),
            ({"seat": 5}, "error-unknown-seat"),
        ):
            line.send(
                **{"type": "play", "key": "k1", "seat": 1, "seq": view["seq"], "moves": [view["legal"][0]["id"]]}
                | change
            )
            refused = line.wait("error")
            assert refused["error"]["id"] == error and refused["key"] == "k1"
        key = line.play(view)
        assert line.wait("done")["key"] == key
        assert line.view()["seq"] == view["seq"] + 1


def test_spectators_socket_cannot_play(server, pair):
    with Guest(server, cookie=False).line(pair) as line:
        view = line.view()
        line.send(type="play", key="k", seat=0, seq=view["seq"], moves=[0])
        assert line.wait("error")["error"]["id"] == "error-no-cookie"


def test_hello_comes_first(ada, pair):
    with Line(ada, f"/ws/tables/{pair}") as line:
        line.send(type="resync")
        assert line.hear()["error"]["id"] == "error-malformed"
        line.send(type="hello")
        assert line.hear()["type"] == "table"


@pytest.mark.parametrize("path", ["/ws/lobby", "/ws/tables/{pair}"])
def test_a_ping_is_answered(ada, pair, path):
    with Line(ada, path.format(pair=pair)) as line:
        line.send(type="ping")  # also before the hello
        line.wait("pong")
        line.send(type="hello")
        line.send(type="ping")
        line.wait("pong")


def test_nothing_is_played_after_the_end(ada):
    table = ada.post(
        "/api/tables",
        {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "local"}], "options": {"looks": 0}},
    ).json["id"]
    while not (view := ada.view(table))["over"]:
        seat = view["pending"][0]
        mine = ada.view(table, seat)
        ada.play(table, seat, mine["seq"], mine["legal"][-1]["id"])
    mine = ada.view(table, 0)
    assert mine["scores"] and not mine["undo"]
    assert ada.play(table, 0, mine["seq"], 0).error == "error-over"
    assert ada.undo(table, 0, mine["seq"]).error == "error-over", "the secret is public, so no new rolls"


# --- foresee ---------------------------------------------------------------------------------------------------------


def test_foresee_changes_nothing(ada, ben, cleo, pair):
    view, ready = ada.view(pair, 0), _ready(ada)
    wish = {"seat": 0, "seq": view["seq"], "moves": [move(view, "choose"), ready]}
    with ada.line(pair) as own, ben.line(pair) as other, cleo.line(pair) as spectator:
        for line in (own, other, spectator):
            line.silence()
        answer = ada.at(pair, "foresee", wish)
        assert answer.status == 200 and [cue["verb"] for cue in answer.json["cues"]] == ["choose", "ready"]
        own.send(type="foresee", key="k", **wish)
        assert own.hear() == {"type": "foreseen", "key": "k", "view": answer.json}
        assert own.nothing() and other.nothing() and spectator.nothing()
    assert ada.view(pair, 0) == view
    assert ada.play(pair, 0, view["seq"], *wish["moves"]).json == answer.json, "the same view as after the real moves"


def test_foresee_is_rejected_as_moves_are(server, ada, ben, pair):
    view, ready = ada.view(pair, 0), _ready(ada)
    wish = {"seat": 0, "seq": view["seq"], "moves": [move(view, "choose")]}
    assert ada.at(pair, "foresee", wish | {"seq": view["seq"] + 1}).error == "error-stale"
    assert ada.at(pair, "foresee", wish | {"moves": [ready]}).error == "error-illegal"
    assert ada.at(pair, "foresee", wish | {"moves": []}).error == "error-malformed"
    assert ben.at(pair, "foresee", wish).error == "error-not-yours"
    assert Guest(server, cookie=False).at(pair, "foresee", wish).error == "error-no-cookie"
    with ben.line(pair) as line:
        line.send(type="foresee", key="k", **wish)
        assert line.wait("error") == {
            "type": "error",
            "key": "k",
            "error": {"id": "error-not-yours", "args": {"seat": 0}},
        }


def test_a_look_cannot_be_foreseen(ada):
    table = ada.open("me", "local", options={"looks": 1})
    view = ada.view(table, 0)
    answer = ada.at(table, "foresee", {"seat": 0, "seq": view["seq"], "moves": [move(view, "look")]})
    assert answer.status == 409 and answer.error == "error-unforeseen"


# --- the socket ------------------------------------------------------------------------------------------------------


def test_done_comes_before_the_view(ada, pair):
    with ada.line(pair) as line:
        view = line.view()
        line.silence()
        line.play(view)
        assert line.hear()["type"] == "done" and line.hear()["type"] == "view"


def test_socket_repeats_an_answer(ada, pair):
    with ada.line(pair) as line:
        view = line.view()
        key = line.play(view)
        line.wait("done")
    with ada.line(pair) as line:
        line.view()
        line.play(view, key=key)
        assert line.wait("done")["key"] == key
    assert ada.view(pair, 0)["seq"] == view["seq"] + 1


def test_coming_back_gives_what_was_missed(ada, ben, pair):
    with ben.line(pair) as line:
        seen = line.view()
    chosen(ada, pair, 0)
    chosen(ben, pair, 1)
    with ben.line(pair, since={"1": seen["seq"]}) as line:
        view = line.view()
        assert [cue["n"] for cue in view["cues"]] == list(range(seen["seq"], view["seq"])) and view["cues"] == ben.view(
            pair, 1, seen["seq"]
        )["cues"]
        assert {"choose", "ready"} <= {cue["verb"] for cue in view["cues"]}
        line.send(type="resync")
        assert len(line.view()["cues"]) == view["seq"], "a full snapshot"
    with ben.line(pair, since={"1": 10_000}) as line:
        assert line.view()["cues"] == []


def test_each_view_continues_where_the_last_one_ended(ada, ben, pair):
    with ben.line(pair) as line:
        heard = line.view()["cues"]
        chosen(ada, pair, 0)
        chosen(ben, pair, 1)
        line.view_where(lambda view: heard.extend(view["cues"]) or any(view["state"]["shown"]))
        assert [cue["n"] for cue in heard] == list(range(len(heard)))


def test_a_guest_who_sits_down_gets_the_seats_view(ada, ben):
    table = ada.open("me", "open")
    with ben.line(table) as line:
        line.wait("table")
        ben.at(table, "sit")
        assert line.view()["seat"] == 1


def test_pages_of_other_sites_are_rejected(ada, pair):
    for origin in ("http://evil.example", f"http://localhost:{ada.server.port + 1}", "null", "http://["):
        with pytest.raises(Exception, match="403"):
            Line(ada, f"/ws/tables/{pair}", headers={"origin": origin})
        assert ada.post("/api/tables", {}, headers={"origin": origin}).error == "error-elsewhere"
    Line(ada, f"/ws/tables/{pair}", headers={"origin": ada.server.url}).close()
    assert ada.post("/api/tables", {}, headers={"origin": ada.server.url}).error == "error-malformed"


def test_an_old_key_reveals_nothing_after_the_seat_was_given_away(server, ada, ben, pair):
    view, key = ada.view(pair, 0), fresh_key()
    assert ada.play(pair, 0, view["seq"], move(view, "choose"), key=key).status == 200
    other = Guest(server)
    other.post(ada.at(pair, "ticket", {"seat": 0}).json["path"].replace("/j/", "/api/seat/"))
    assert other.view(pair, 0)["seat"] == 0, "another guest holds the seat"
    again = ada.play(pair, 0, view["seq"], move(view, "choose"), key=key)
    assert again.status == 403 and again.error == "error-not-yours"


def test_resync_again_and_again_from_a_socket_that_reads(ada, pair):
    with ada.line(pair) as line:
        first = line.view()
        for _ in range(5):
            line.send(type="resync")
        assert [line.view() for _ in range(5)] == [first] * 5

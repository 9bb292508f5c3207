"""Rate limits: people do not reach them, runaway programs do, and other clients are served as before."""

import contextlib
import json
import socket
import time

import pytest
from guests import Connection, Server, wait_until
from websockets.exceptions import ConnectionClosed

from courtly.server.security.rate_limits import REFUSAL_DELAY_S, TokenBucket


def test_a_token_bucket_refills(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    bucket = TokenBucket(rate=2, burst=3)
    assert [bucket.take("ada") for _ in range(4)] == [True, True, True, False]
    assert bucket.take("ben")
    now[0] = 1.0
    assert [bucket.take("ada") for _ in range(3)] == [True, True, False]


def test_heavy_use_at_other_processes_counts(monkeypatch):
    """Only heavy use is reported, and the debt is at most one burst."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    own_bucket, other_bucket = TokenBucket(rate=20, burst=30), TokenBucket(rate=20, burst=30)
    assert own_bucket.heavy_senders() == {}, "reports start with the first call"
    assert all(own_bucket.take("ada") for _ in range(25)) and own_bucket.take("ben") and own_bucket.take("ben")
    assert own_bucket.heavy_senders() == {"ada": 25, "ben": 2} and own_bucket.heavy_senders() == {}
    assert own_bucket.take("ben") and own_bucket.heavy_senders() == {}
    for sender, n in {"ada": 25, "cleo": 1000}.items():
        other_bucket.spend(sender, n)
    assert [other_bucket.take("ada") for _ in range(6)] == [True] * 5 + [False] and not other_bucket.take("cleo")
    now[0] = 1.6
    assert other_bucket.take("cleo")


def test_a_token_bucket_remembers_a_bounded_number_of_senders():
    from courtly.server.security import rate_limits

    bucket = TokenBucket(1, 1)
    for n in range(rate_limits.MAX_SENDERS + 10):
        bucket.take(str(n))
    assert len(bucket._tokens) == rate_limits.MAX_SENDERS and not bucket.take(str(rate_limits.MAX_SENDERS + 9))


def test_a_large_request_body_is_rejected(ada):
    response = ada.request("PUT", "/api/me", {"name": "x" * 70_000})
    assert response.status == 413 and response.json["error"] == {"id": "error-too-large", "args": {"limit": 65536}}
    assert ada.get("/api/me").json["name"] == "Ada"


def test_a_large_message_closes_only_its_own_connection(ada, ben, pair):
    with ada.connect(pair) as connection, ben.connect(pair) as other:
        connection.wait("table")
        with pytest.raises(ConnectionClosed, match="1009"):
            connection.socket.send("x" * 70_000)
            while True:
                connection.receive()
        wait_until(lambda: not other.wait("table")["table"]["seats"][0]["connected"])


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory):
    environment = {
        "COURTLY_COMMANDS_PER_SECOND": "10",
        "COURTLY_TABLES_PER_MINUTE": "5",
        "COURTLY_TABLES_PER_GUEST": "3",
        "COURTLY_SOCKETS_PER_GUEST": "2",
        "COURTLY_MAX_QUEUED_MESSAGES": "20",
    }
    with Server(tmp_path_factory.mktemp("data"), **environment) as server:
        yield server


def test_commands_are_rate_limited(strict_server):
    ada, ben = strict_server.guest(), strict_server.guest()
    with Connection(ada, "/ws/lobby") as connection:
        responses = [ada.get("/api/me")]
        while responses[-1].status == 200:
            responses.append(ada.get("/api/me"))
        assert len(responses) > 28 and responses[-1].status == 429 and responses[-1].error == "error-too-fast"
        assert ben.get("/api/me").status == 200

        def is_refused():
            for _ in range(10):  # not more requests at once than there may be pending answers
                connection.send(type="resync")
            with contextlib.suppress(TimeoutError):
                return connection.receive(0.2).get("error", {}).get("id") == "error-too-fast"

        wait_until(is_refused)
        wait_until(lambda: ada.get("/api/me").status == 200)  # the limit recovers


def test_pages_and_sockets_are_rate_limited(strict_server):
    """Each of them queries the database for a table, so guessing is limited."""
    ada, ben = strict_server.guest(), strict_server.guest()
    html = {"accept": "text/html"}
    wait_until(lambda: ada.get("/t/nosuchtable", headers=html).status == 429)
    wait_until(lambda: ada.get("/api/seat-link/nosuchticket").status == 429)  # meanwhile one more may be allowed

    def is_refused():
        with Connection(ada, "/ws/lobby") as connection:
            return connection.receive().get("error", {}).get("id") == "error-too-fast"

    wait_until(is_refused)
    assert ben.get("/t/nosuchtable", headers=html).status == 200


def test_open_tables_are_limited_per_guest_and_per_address(strict_server):
    ada, ben = strict_server.guest(), strict_server.guest()
    request = {"game": "sealed_bids", "players": 2, "seats": [{"kind": "me"}, {"kind": "open"}]}
    responses = [ada.post("/api/tables", request) for _ in range(3)]
    assert [response.status for response in responses] == [200] * 3
    assert ada.post("/api/tables", request).error == "error-too-many-tables"
    assert ada.command(responses[0].json["id"], "leave").status in (200, 404)
    assert ada.post("/api/tables", request).status == 200
    wait_until(lambda: ben.post("/api/tables", request).error == "error-too-fast")


def test_sockets_are_limited_per_guest(strict_server):
    ada = strict_server.guest()
    with Connection(ada, "/ws/lobby") as first, Connection(ada, "/ws/lobby"):
        with Connection(ada, "/ws/lobby") as third, pytest.raises(ConnectionClosed, match="1013"):
            assert third.receive()["error"]["id"] == "error-too-many-sockets"
            third.receive()
        first.close()

        def is_admitted():
            with Connection(ada, "/ws/lobby") as third:
                return third.receive()["type"] == "tables"

        wait_until(is_admitted)


def test_a_slow_reader_is_disconnected_and_delays_no_other(tmp_path):
    with Server(tmp_path, COURTLY_MAX_QUEUED_MESSAGES="20") as server:
        ada, ben = server.guest(), server.guest()
        table = ada.open("me", "open")
        ben.command(table, "sit")
        with ada.connect(table) as connection, open_unread_socket(server, ben, f"/ws/tables/{table}") as unread_socket:
            wait_until(lambda: connection.wait("table")["table"]["seats"][1]["connected"])
            with contextlib.suppress(OSError):  # until the operating system's buffers are full
                while ada.table(table)["seats"][1]["connected"]:
                    unread_socket.sendall(100 * frame({"type": "resync"}))
            assert not connection.wait("table")["table"]["seats"][1]["connected"]
            view = ada.view(table, 0)
            connection.play(view)
            assert connection.wait("done")
            with ben.connect(table) as new_connection:
                assert new_connection.view()["seat"] == 1, "a client that returns receives a snapshot"


LARGE_SNAPSHOT = """
import sys
from courtly.server.tables import table as tables
as_text = tables.view_message
def large(view):
    print("a snapshot is made", file=sys.stderr)
    return as_text(view)[:-1] + ', "more": "' + 2_000_000 * "x" + '"}'
tables.view_message = large
"""


def test_sockets_that_read_nothing_share_one_snapshot(tmp_path):
    with Server(tmp_path, first=LARGE_SNAPSHOT) as server, contextlib.ExitStack() as open_sockets:
        ada, ben = server.guest(), server.guest()
        table = ada.open("me", "open")
        ben.command(table, "sit")
        for _ in range(5):
            unread_socket = open_sockets.enter_context(open_unread_socket(server, ben, f"/ws/tables/{table}"))
            unread_socket.sendall(20 * frame({"type": "resync"}))
        wait_until(lambda: ada.table(table)["seats"][1]["connected"])
        time.sleep(1)
        assert ada.table(table)["seats"][1]["connected"], "no socket is closed for a full queue"
        assert sum("a snapshot is made" in line for line in server.log) == 1


def open_unread_socket(server, guest, path):
    """Open a socket that sends "hello" and then reads nothing."""
    connection = socket.create_connection(("localhost", server.port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost:{server.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nCookie: {guest.cookie}\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert b"101" in connection.recv(12)
    connection.sendall(frame({"type": "hello"}))
    return connection


def frame(message):
    """Return a masked text frame with a zero mask."""
    body = json.dumps(message).encode()
    return bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body


def test_an_invalid_setting_is_reported(tmp_path):
    with pytest.raises(AssertionError, match="COURTLY_BOT_PAUSE: expected a number, found 'soon'"):
        Server(tmp_path, COURTLY_BOT_PAUSE="soon")


def test_a_port_in_use_is_reported(server, tmp_path):
    with pytest.raises(AssertionError, match="in use"):
        Server(tmp_path, port=server.port)


def test_a_rejected_sender_is_delayed(strict_server):
    """The server delays a sender that does not slow down; otherwise rejections alone would use a core."""
    ada = strict_server.guest()
    while ada.get("/api/me").status == 200:
        pass
    start = time.monotonic()
    statuses = [ada.get("/api/me").status for _ in range(8)]
    assert statuses.count(429) * REFUSAL_DELAY_S <= time.monotonic() - start
    assert 429 in statuses
    with Connection(strict_server.guest(), "/ws/lobby") as connection:
        connection.wait("tables")
        start, refusals = time.monotonic(), 0
        while refusals < 4:
            for _ in range(10):  # not more requests at once than there may be pending answers
                connection.send(type="resync")
            with contextlib.suppress(TimeoutError):
                while True:
                    refusals += connection.receive(0.2).get("type") == "error"
        assert (refusals - 1) * REFUSAL_DELAY_S <= time.monotonic() - start

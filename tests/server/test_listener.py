"""Misbehaving clients: silence, incomplete requests, too many connections, foreign host names."""

import contextlib
import multiprocessing
import os
import select
import signal
import socket
import subprocess
import sys
import time

import pytest
from guests import PATIENCE, Connection, Guest, Server, until
from websockets.exceptions import ConnectionClosed

from courtly.server.http.middleware.request_guard import AllowedHosts
from courtly.server.process import listener
from courtly.server.process.listener import ListeningSocket, fit_descriptor_limit
from courtly.server.security.rate_limits import ConcurrencyLimit, GuestAndAddressLimit, network_of
from courtly.server.settings import Settings

resource = pytest.importorskip("resource", reason="this system has no limit on open files")

HURRY = "import courtly.server.process.listener as listener; listener.REQUEST_TIMEOUT_S = 1"  # shorter, to save time
HALF = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: a\r\nX-",
    "half a body": b"PUT /api/me HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    "half a handshake": b"GET /ws/lobby HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    "half a head after an answer": b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\nGET / HT",
}
HANDSHAKE = (
    b"GET /ws/lobby HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


@pytest.fixture(scope="module")
def hurried(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("data"), first=HURRY) as server:
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def opened(server, said=b""):
    made = socket.create_connection(("127.0.0.1", server.port))
    made.sendall(said)
    made.settimeout(20)
    return made


def all_of(connection):
    """Return what is received until the connection closes."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while some := connection.recv(65536):
            heard += some
    return heard


def test_incomplete_requests_time_out(hurried):
    with contextlib.ExitStack() as stack:
        silent = {how: stack.enter_context(opened(hurried, said)) for how, said in HALF.items()}
        for how, connection in silent.items():
            told = all_of(connection)
            assert (b"200" in told) == how.endswith("answer"), how
            assert b"error" not in told[-200:], how


def test_a_request_sent_byte_by_byte_times_out(hurried):
    with opened(hurried, b"GET / HTTP/1.1\r\nX: ") as slow, contextlib.suppress(ConnectionError):
        began = time.monotonic()
        while not select.select([slow], [], [], 0.1)[0]:
            slow.sendall(b"x")
            assert time.monotonic() - began < 20
        assert slow.recv(10) == b""


def test_half_a_body_is_not_taken_for_the_whole(hurried):
    ada = hurried.guest("Ada")
    name = b'{"name": "Eve"}'
    head = f"PUT /api/me HTTP/1.1\r\nHost: a\r\nCookie: {ada.cookie}\r\nContent-Type: application/json\r\n"
    with opened(hurried, head.encode() + b"Content-Length: 1000\r\n\r\n" + name) as cut:
        cut.shutdown(socket.SHUT_WR)
        all_of(cut)
    assert ada.get("/api/me").json["name"] == "Ada"


def test_an_idle_socket_stays_open(hurried):
    """The timeout applies to the request, not to the socket it opened."""
    ada = hurried.guest()
    with Connection(ada, "/ws/lobby") as connection, opened(hurried) as silent:
        connection.receive()
        all_of(silent)
        ada.open("me", "open")
        assert connection.receive()["type"] == "tables"


def test_an_endless_fragmented_message_is_cut_off(hurried):
    first, more, last = (bytes([kind, 0x80, 0, 0, 0, 0]) for kind in (0x01, 0x00, 0x80))
    for many, answer in ((500, b"error-malformed"), (5000, (1009).to_bytes(2, "big"))):
        with opened(hurried, HANDSHAKE + b"\r\n") as pieces:
            heard = pieces.recv(65536)
            pieces.sendall(first + many * more + last)
            while answer not in heard:
                heard += (some := pieces.recv(65536))
                assert some, heard


def test_invalid_utf8_closes_the_socket_without_a_traceback(hurried):
    with opened(hurried, HANDSHAKE + b"\r\n") as odd:
        odd.recv(65536)
        odd.sendall(b"\x81\x81\0\0\0\0\xff")
        assert (1007).to_bytes(2, "big") in all_of(odd)


def test_many_host_names_do_not_fill_the_log(tmp_path):
    with Server(tmp_path) as server:
        for number in range(50):
            with opened(
                server, f"GET / HTTP/1.1\r\nHost: a{number}.example\r\nConnection: close\r\n\r\n".encode()
            ) as one:
                assert b" 421 " in all_of(one)
        assert server.stop() == 0
    assert len([line for line in server.log if "COURTLY_HOSTS" in line]) <= 2 * 10  # a minute may end meanwhile


@pytest.mark.parametrize("more", [b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", 200 * b"X: y\r\n"])
def test_a_handshake_that_cannot_be_read_is_not_left_open(hurried, more):
    with opened(hurried, HANDSHAKE + more + b"\r\n") as odd:
        assert b"101" not in all_of(odd)


def test_two_lengths_are_refused(hurried):
    body = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/games HTTP/1.1\r\nHost: a\r\n\r\n"
    with opened(hurried, b"POST /api/tables HTTP/1.1\r\nHost: a\r\n" + body) as both:
        told = all_of(both)
        assert told.startswith(b"HTTP/1.1 400") and b"two_lengths" in told and told.count(b"HTTP/1.1") == 1


# --- too many connections --------------------------------------------------------------------------------------------


def crowd(server, most, silent):
    """Open `most` silent connections. Others are served meanwhile, and the log stays short."""
    ada = server.guest("Ada")
    table = ada.open("me", "local")
    with ada.connect(table) as connection, contextlib.ExitStack() as stack:
        connection.drop_pending()
        for _ in range(silent):
            with contextlib.suppress(OSError):
                stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 5))
        served = []
        for _ in range(20):
            began = time.monotonic()
            assert ada.get("/api/me").status == 200
            served.append(time.monotonic() - began)
        view = ada.view(table, 0)
        connection.play(view)
        connection.wait("done")
        with Connection(server.guest(), "/ws/lobby") as another:
            assert another.receive()["type"] == "tables"
        assert len(os.listdir(f"/proc/{server.process.pid}/fd")) < most
        return served


def limited(most):
    return f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))"


LINUX = pytest.mark.skipif(
    not os.path.exists("/proc/self/fd"), reason="only Linux lists the open files of a process, in /proc"
)


@LINUX
def test_silent_connections_do_not_block_others(tmp_path):
    with Server(tmp_path, first=limited(150)) as server:
        crowd(server, 150, 300)
        assert server.stop() == 0
        assert len(server.log) <= 10 and "Traceback" not in "".join(server.log), server.log[:5]
        assert "150 open files are allowed: at most 43 sockets" in server.log[0]


@LINUX
@pytest.mark.long
def test_600_silent_connections_at_400_descriptors(tmp_path, capsys):
    with Server(tmp_path, first=limited(400)) as server:
        served = sorted(crowd(server, 400, 600))
        time.sleep(listener.REQUEST_TIMEOUT_S + 2)
        left = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        assert server.stop() == 0
        assert left < 100 and len(server.log) <= 100 and "Traceback" not in "".join(server.log)
        with capsys.disabled():
            print(f"\nothers: {1000 * served[10]:.1f} ms, at worst {1000 * served[-1]:.1f} ms; {len(server.log)} lines")


HUNGRY = """
import os, signal
held = []
def eat(*_):
    try:
        while True: held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
def spit(*_):
    while held: os.close(held.pop())
signal.signal(signal.SIGUSR1, eat)
signal.signal(signal.SIGUSR2, spit)
"""


@LINUX
def test_connections_are_rejected_at_the_descriptor_limit(tmp_path):
    """Whatever holds the descriptors, existing connections are served, and new ones are accepted again later."""
    with Server(tmp_path, first=f"{limited(150)}\n{HUNGRY}") as server:
        ada = server.guest()
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()

            def full():
                server.process.send_signal(signal.SIGUSR1)
                return turned_away(server)

            until(full)
            connection.play(view)
            assert connection.wait("done")
            assert all(turned_away(server) for _ in range(20))
            server.process.send_signal(signal.SIGUSR2)
            until(lambda: not turned_away(server))
            assert ada.get("/api/me").status == 200
        assert server.stop() == 0, "".join(server.log)
        assert len(server.log) <= 10 and "Traceback" not in "".join(server.log), server.log[:5]


def turned_away(server):
    with opened(server, b"GET /api/games HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as made:
        return all_of(made) == b""


def test_the_descriptor_limit_is_raised_or_the_connection_limit_lowered(monkeypatch, tmp_path):
    held = [(1024, 100_000)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: held[0])
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: held.__setitem__(0, given))
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == 5000 and held[0][0] > 5000
    held[0] = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == 5000 and listener.descriptor_limit() is None
    held[0] = (1024, 1024)
    assert (
        fit_descriptor_limit(Settings(tmp_path)).sockets
        == 1024 - listener.RESERVED_DESCRIPTORS - listener.MIN_REQUEST_CONNECTIONS
    )
    held[0] = (400, 400)
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == (400 - listener.RESERVED_DESCRIPTORS) // 2
    held[0] = (64, 100_000)
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == 5000


@pytest.mark.parametrize(
    ("most", "environment", "needed"), [(64, {}, 96), (95, {}, 96), (120, {"COURTLY_BOT_WORKERS": "20"}, 168)]
)
def test_a_server_that_may_open_too_few_files_does_not_start(tmp_path, most, environment, needed):
    """It used to print its address and then close every connection without an answer."""
    program = f"{limited(most)}\nfrom courtly.cli import main; main()"
    given = ["serve", "--port", "0", "--no-browser", "--data", str(tmp_path / "data")]
    ended = subprocess.run(
        [sys.executable, "-c", program, *given],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (ended.returncode, ended.stdout) == (1, "") and not (tmp_path / "data").exists()
    assert f"{most} open files are allowed, and at least {needed} are needed" in ended.stderr
    assert "ulimit -n" in ended.stderr and ended.stderr.count("\n") == 1


def test_a_server_that_may_open_just_enough_files_answers(tmp_path):
    with Server(tmp_path, first=limited(96)) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "bot")
        with ada.connect(table) as connection, Connection(ada, "/ws/lobby") as lobby:
            assert connection.view() and lobby.receive()
            # as many connections as a browser opens
            held = [opened(server, b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\n") for _ in range(6)]
            assert all(one.recv(12) == b"HTTP/1.1 200" for one in held)
            for one in held:
                one.close()
        assert server.stop() == 0 and "Traceback" not in "".join(server.log)


def accepts(listening, answer):
    made, _ = listening.accept()
    answer.send(made.recv(2))


def test_a_listening_socket_is_passed_to_a_process():
    with ListeningSocket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        here, there = multiprocessing.Pipe()
        other = multiprocessing.get_context("spawn").Process(target=accepts, args=(listening, there))
        other.start()
        with socket.create_connection(listening.getsockname()) as made:
            made.sendall(b"hi")
            assert here.recv() == b"hi"
        other.join()


# --- host names ------------------------------------------------------------------------------------------------------


def test_foreign_host_names_are_rejected(tmp_path):
    known = AllowedHosts(
        Settings(tmp_path, address="https://games.example", hosts="Other.example, third.example")
    ).known
    ours = "games.example", "GAMES.example:443", "other.example", "third.example:8000", "localhost:8000", "kitchen:8000"
    ours += "kitchen.local", "kitchen.lan:80", "192.168.0.7:8000", "[fe80::1]:8000", "127.0.0.1", "", "games.example."
    assert [host for host in ours if not known(host)] == []
    theirs = "evil.example", "games.example.evil.example", "127.0.0.1.evil.example", "[::1", "local.example", "a@b.c"
    assert [host for host in theirs if known(host)] == []
    assert AllowedHosts(Settings(tmp_path, hosts="*")).known("evil.example")


def test_dns_rebinding_gets_no_data(hurried):
    ada = hurried.guest()
    answer = ada.get("/api/me", headers={"Host": "evil.example"})
    assert answer.status == 421 and answer.json["error"] == {"id": "error-host", "args": {"host": "evil.example"}}
    with opened(hurried, HANDSHAKE.replace(b"Host: a", b"Host: evil.example") + b"\r\n") as elsewhere:
        assert all_of(elsewhere).startswith(b"HTTP/1.1 403")
    until(lambda: [line for line in hurried.log if "COURTLY_HOSTS" in line])
    assert sum("COURTLY_HOSTS" in line for line in hurried.log) == 1


# --- addresses ------------------------------------------------------------------------------------------------------


def test_the_network_of_an_address():
    assert network_of("192.0.2.7") == network_of("::ffff:192.0.2.7") != network_of("192.0.2.8")
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:0:0:1") != network_of("2001:db8:0:1::1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2") and network_of("") == ""


def test_new_cookies_do_not_circumvent_a_limit():
    share = GuestAndAddressLimit(rate=0, burst=3, people=2)
    assert [share.take(f"guest {n}", "192.0.2.1") for n in range(8)] == [True] * 6 + [False] * 2
    assert [share.take("ada", "192.0.2.2") for _ in range(4)] == [True] * 3 + [False]
    assert [share.take("ben", "192.0.2.2") for _ in range(4)] == [True] * 3 + [False], "rejections take no token"
    places = ConcurrencyLimit(each=2, people=2, most=7)
    assert [places.take(f"guest {n}", "192.0.2.1") for n in range(5)] == [True] * 4 + [False]
    assert [places.take("ada", "192.0.2.2") for _ in range(3)] == [True, True, False]
    assert places.take("ben", "192.0.2.3") and not places.take("cleo", "192.0.2.4")
    places.give_back("guest 0", "192.0.2.1")
    assert places.take("guest 9", "192.0.2.1") and places.taken == 7


def test_sockets_of_one_address_behind_a_proxy(tmp_path):
    """Forwarded addresses are trusted only from a configured proxy."""
    few = {"COURTLY_SOCKETS_PER_GUEST": "2", "COURTLY_PEOPLE_PER_ADDRESS": "2"}
    for proxies, from_elsewhere in (("10.0.0.1, 127.0.0.0/8", True), ("", False), ("10.0.0.1", False)):
        with Server(tmp_path, COURTLY_PROXIES=proxies, **few) as server, contextlib.ExitStack() as stack:
            for _ in range(4):
                line = stack.enter_context(from_address(server, "2001:db8::1"))
                assert line.receive()["type"] == "tables"
            for address, admitted in (("2001:db8::2", False), ("192.0.2.1", from_elsewhere)):
                with from_address(server, address) as line:
                    assert line.receive()["type"] == ("tables" if admitted else "error")
            assert server.stop() == 0
            warned = [line for line in server.log if "COURTLY_PROXIES" in line]
            assert len(warned) == (not from_elsewhere)


def from_address(server, address):
    guest = Guest(server, cookie=False)
    guest.get("/api/me", headers={"X-Forwarded-For": address})
    return Connection(guest, "/ws/lobby", headers={"X-Forwarded-For": address})


def test_ten_players_behind_one_address_can_play(tmp_path):
    """With the default limits, ten fast players, each with the lobby and two tables open."""
    usual = Settings(tmp_path)
    limits = (
        "commands_per_second",
        "tables_per_minute",
        "sockets_per_guest",
        "people_per_address",
        "sayings_per_minute",
    )
    environment = {f"COURTLY_{name.upper()}": str(getattr(usual, name)) for name in limits}
    with Server(tmp_path, **environment) as server, contextlib.ExitStack() as stack:
        people = [server.guest(f"Guest {n}") for n in range(10)]
        for one, other in zip(people[::2], people[1::2], strict=True):
            for _ in range(2):
                table = one.open("me", "open")
                assert other.command(table, "sit").status == 200
                for guest in (one, other):
                    assert stack.enter_context(Connection(guest, "/ws/lobby")).receive()["type"] == "tables"
                    line = stack.enter_context(guest.connect(table))
                    line.play(line.view_where(lambda view: view["legal"]))
                    assert line.wait("done")
                    assert guest.command(table, "talk", {"courtesy": "luck"}).status == 200
        for guest in people:
            assert {guest.get("/api/tables").status for _ in range(30)} == {200}


def test_an_invalid_proxy_setting_is_reported(tmp_path):
    with pytest.raises(AssertionError, match="COURTLY_PROXIES.*'caddy'"):
        Server(tmp_path, COURTLY_PROXIES="127.0.0.1, caddy")


# --- signing out ----------------------------------------------------------------------------------------------------


def another_device(server, guest):
    other = Guest(server, cookie=False)
    other.cookie = guest.cookie
    return other


def test_signed_out_everywhere_else(server, ada, ben):
    table = ada.open("me", "open")
    stolen, thief = another_device(server, ada), server.guest()
    seat = stolen.command(table, "ticket", {"seat": 0}).json["path"].replace("/j/", "/api/seat/")
    self = stolen.post("/api/me/carry").json["path"].rpartition("/")[2]
    with stolen.connect(table) as connection, ben.connect(table) as other:
        connection.wait("table")
        other.wait("table")
        before = ada.get("/api/me").json
        assert ada.post("/api/me/sign-out").json == before
        with pytest.raises(ConnectionClosed, match="4401"):
            while True:
                connection.receive()
        assert other.wait("table", 5)
    assert stolen.get("/api/me/games").error == "error-no-cookie"
    assert stolen.command(table, "leave").error == "error-no-cookie"
    with stolen.connect(table) as connection:
        assert not connection.wait("table")["table"]["seats"][0]["you"]
    assert thief.post(f"/api/carry/{self}").status == 404
    assert thief.post(seat).error == "error-link-used"
    assert ada.get("/api/me").json == before and ada.table(table)["seats"][0]["you"]
    fresh = ada.command(table, "ticket", {"seat": 0}).json["path"].replace("/j/", "/api/seat/")
    assert fresh != seat and thief.post(fresh).json["seats"][0]["you"]


def test_signed_out_for_good(tmp_path):
    """The signing-out survives restarts, in both orders."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        first = another_device(server, ada)
        ada.post("/api/me/sign-out")
        second = another_device(server, ada)
        ada.post("/api/me/sign-out")
        server.stop()
    with Server(tmp_path, port=server.port):
        assert ada.get("/api/me").json["name"] == "Ada"
        for old in (first, second):
            assert old.get("/api/me/games").error == "error-no-cookie"
            assert old.get("/api/me").json["name"] == ""

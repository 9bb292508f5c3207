"""Misbehaving clients: silence, incomplete requests, too many connections, foreign host names."""

import contextlib
import errno
import multiprocessing
import os
import select
import signal
import socket
import subprocess
import sys
import time
from unittest.mock import Mock

import pytest
from guests import PATIENCE, Connection, Guest, Server, wait_until
from websockets.exceptions import ConnectionClosed

from courtly.server.http.middleware.request_guard import AllowedHosts
from courtly.server.process import listener
from courtly.server.process.graceful_close import GracefulWebSocketProtocol
from courtly.server.process.listener import ListeningSocket, TimedH11Protocol, fit_descriptor_limit
from courtly.server.security.rate_limits import ConcurrencyLimit, GuestAndAddressLimit, network_of
from courtly.server.settings import Settings

resource = pytest.importorskip("resource", reason="Windows has no limit on open files, which the tests lower")

SHORT_REQUEST_TIMEOUT = (
    "import courtly.server.process.listener as listener; listener.REQUEST_TIMEOUT_S = 1"  # shorter, to save time
)
INCOMPLETE_REQUESTS = {
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
def impatient_server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("data"), first=SHORT_REQUEST_TIMEOUT) as server:
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def open_socket(server, content=b""):
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.sendall(content)
    connection.settimeout(20)
    return connection


def read_to_end(connection):
    """Return what is received until the connection closes."""
    content = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            content += chunk
    return content


def test_incomplete_requests_time_out(impatient_server):
    with contextlib.ExitStack() as stack:
        connections = {
            kind: stack.enter_context(open_socket(impatient_server, content))
            for kind, content in INCOMPLETE_REQUESTS.items()
        }
        for kind, connection in connections.items():
            response = read_to_end(connection)
            assert (b"200" in response) == kind.endswith("answer"), kind
            assert b"error" not in response[-200:], kind


def test_a_request_sent_byte_by_byte_times_out(impatient_server):
    with open_socket(impatient_server, b"GET / HTTP/1.1\r\nX: ") as slow, contextlib.suppress(ConnectionError):
        start = time.monotonic()
        while not select.select([slow], [], [], 0.1)[0]:
            slow.sendall(b"x")
            assert time.monotonic() - start < 20
        assert slow.recv(10) == b""


def test_half_a_body_is_not_taken_for_the_whole(impatient_server):
    ada = impatient_server.guest("Ada")
    name = b'{"name": "Eve"}'
    headers = f"PUT /api/me HTTP/1.1\r\nHost: a\r\nCookie: {ada.cookie}\r\nContent-Type: application/json\r\n"
    with open_socket(impatient_server, headers.encode() + b"Content-Length: 1000\r\n\r\n" + name) as connection:
        connection.shutdown(socket.SHUT_WR)
        read_to_end(connection)
    assert ada.get("/api/me").json["name"] == "Ada"


def test_an_idle_socket_stays_open(impatient_server):
    """The timeout applies to the request, not to the socket it opened."""
    ada = impatient_server.guest()
    with Connection(ada, "/ws/lobby") as connection, open_socket(impatient_server) as silent:
        connection.receive()
        read_to_end(silent)
        ada.open("me", "open")
        assert connection.receive()["type"] == "tables"


def test_an_endless_fragmented_message_is_cut_off(impatient_server):
    first, middle, last = (bytes([kind, 0x80, 0, 0, 0, 0]) for kind in (0x01, 0x00, 0x80))
    for fragment_count, expected in ((500, b"error-malformed"), (5000, (1009).to_bytes(2, "big"))):
        with open_socket(impatient_server, HANDSHAKE + b"\r\n") as connection:
            received = connection.recv(65536)
            connection.sendall(first + fragment_count * middle + last)
            while expected not in received:
                received += (chunk := connection.recv(65536))
                assert chunk, received


def test_invalid_utf8_closes_the_socket_without_a_traceback(impatient_server):
    with open_socket(impatient_server, HANDSHAKE + b"\r\n") as connection:
        connection.recv(65536)
        connection.sendall(b"\x81\x81\0\0\0\0\xff")
        assert (1007).to_bytes(2, "big") in read_to_end(connection)


def test_many_host_names_do_not_fill_the_log(tmp_path):
    with Server(tmp_path) as server:
        for number in range(50):
            with open_socket(
                server, f"GET / HTTP/1.1\r\nHost: a{number}.example\r\nConnection: close\r\n\r\n".encode()
            ) as connection:
                assert b" 421 " in read_to_end(connection)
        assert server.stop() == 0
    assert len([line for line in server.log if "COURTLY_HOSTS" in line]) <= 2 * 10  # a minute may end meanwhile


@pytest.mark.parametrize("header", [b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", 200 * b"X: y\r\n"])
def test_a_handshake_that_cannot_be_read_is_not_left_open(impatient_server, header):
    with open_socket(impatient_server, HANDSHAKE + header + b"\r\n") as connection:
        assert b"101" not in read_to_end(connection)


def test_two_lengths_are_refused(impatient_server):
    body = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/games HTTP/1.1\r\nHost: a\r\n\r\n"
    with open_socket(impatient_server, b"POST /api/tables HTTP/1.1\r\nHost: a\r\n" + body) as connection:
        response = read_to_end(connection)
        assert response.startswith(b"HTTP/1.1 400") and b"two_lengths" in response and response.count(b"HTTP/1.1") == 1


# --- too many connections --------------------------------------------------------------------------------------------


def open_silent_connections(server, max_descriptors, count):
    """Open `count` silent connections. Others are served meanwhile, and the log stays short."""
    ada = server.guest("Ada")
    table = ada.open("me", "local")
    with ada.connect(table) as connection, contextlib.ExitStack() as stack:
        connection.drop_pending()
        for _ in range(count):
            with contextlib.suppress(OSError):
                stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 5))
        durations_s = []
        for _ in range(20):
            start = time.monotonic()
            assert ada.get("/api/me").status == 200
            durations_s.append(time.monotonic() - start)
        view = ada.view(table, 0)
        connection.play(view)
        connection.wait("done")
        with Connection(server.guest(), "/ws/lobby") as lobby:
            assert lobby.receive()["type"] == "tables"
        assert len(os.listdir(f"/proc/{server.process.pid}/fd")) < max_descriptors
        return durations_s


def limit_open_files(count):
    return f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({count}, {count}))"


NEEDS_PROC = pytest.mark.skipif(
    not os.path.exists("/proc/self/fd"), reason="only Linux lists the open files of a process, in /proc"
)


@NEEDS_PROC
def test_silent_connections_do_not_block_others(tmp_path):
    with Server(tmp_path, first=limit_open_files(150)) as server:
        open_silent_connections(server, 150, 300)
        assert server.stop() == 0
        assert len(server.log) <= 10 and "Traceback" not in "".join(server.log), server.log[:5]
        assert "150 open files are allowed: at most 43 sockets" in server.log[0]


@NEEDS_PROC
@pytest.mark.long
def test_600_silent_connections_at_400_descriptors(tmp_path, capsys):
    with Server(tmp_path, first=limit_open_files(400)) as server:
        durations_s = sorted(open_silent_connections(server, 400, 600))
        time.sleep(listener.REQUEST_TIMEOUT_S + 2)
        open_descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        assert server.stop() == 0
        assert open_descriptors < 100 and len(server.log) <= 100 and "Traceback" not in "".join(server.log)
        with capsys.disabled():
            median_ms, max_ms = 1000 * durations_s[10], 1000 * durations_s[-1]
            print(f"\nothers: {median_ms:.1f} ms, at worst {max_ms:.1f} ms; {len(server.log)} lines")


DESCRIPTOR_HOG = """
import os, signal
descriptors = []
def hog(*_):
    try:
        while True: descriptors.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
def release(*_):
    while descriptors: os.close(descriptors.pop())
signal.signal(signal.SIGUSR1, hog)
signal.signal(signal.SIGUSR2, release)
"""


@NEEDS_PROC
def test_connections_are_rejected_at_the_descriptor_limit(tmp_path):
    """Whatever holds the descriptors, existing connections are served, and new ones are accepted again later."""
    with Server(tmp_path, first=f"{limit_open_files(150)}\n{DESCRIPTOR_HOG}") as server:
        ada = server.guest()
        table = ada.open("me", "local")
        with ada.connect(table) as connection:
            view = connection.view()

            def is_full():
                server.process.send_signal(signal.SIGUSR1)
                return is_rejected(server)

            wait_until(is_full)
            connection.play(view)
            assert connection.wait("done")
            assert all(is_rejected(server) for _ in range(20))
            server.process.send_signal(signal.SIGUSR2)
            wait_until(lambda: not is_rejected(server))
            assert ada.get("/api/me").status == 200
        assert server.stop() == 0, "".join(server.log)
        assert len(server.log) <= 10 and "Traceback" not in "".join(server.log), server.log[:5]


def is_rejected(server):
    with open_socket(server, b"GET /api/games HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as connection:
        return read_to_end(connection) == b""


def test_the_descriptor_limit_is_raised_or_the_connection_limit_lowered(monkeypatch, tmp_path):
    limits = [(1024, 100_000)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[0])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.__setitem__(0, limit))
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == 5000 and limits[0][0] > 5000
    limits[0] = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == 5000 and listener.descriptor_limit() is None
    limits[0] = (1024, 1024)
    assert (
        fit_descriptor_limit(Settings(tmp_path)).sockets
        == 1024 - listener.RESERVED_DESCRIPTORS - listener.MIN_REQUEST_CONNECTIONS
    )
    limits[0] = (400, 400)
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == (400 - listener.RESERVED_DESCRIPTORS) // 2
    limits[0] = (64, 100_000)
    assert fit_descriptor_limit(Settings(tmp_path)).sockets == 5000

    def refuse(*_):
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)  # some systems have further limits
    limits[0] = (1024, 100_000)
    assert (
        fit_descriptor_limit(Settings(tmp_path)).sockets
        == 1024 - listener.RESERVED_DESCRIPTORS - listener.MIN_REQUEST_CONNECTIONS
    )


@pytest.mark.parametrize(
    ("limit", "environment", "needed"), [(64, {}, 96), (95, {}, 96), (120, {"COURTLY_BOT_WORKERS": "20"}, 168)]
)
def test_a_server_that_may_open_too_few_files_does_not_start(tmp_path, limit, environment, needed):
    """It used to print its address and then close every connection without an answer."""
    program = f"{limit_open_files(limit)}\nfrom courtly.cli import main; main()"
    arguments = ["serve", "--port", "0", "--no-browser", "--data", str(tmp_path / "data")]
    process = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (process.returncode, process.stdout) == (1, "") and not (tmp_path / "data").exists()
    assert f"{limit} open files are allowed, and at least {needed} are needed" in process.stderr
    assert "ulimit -n" in process.stderr and process.stderr.count("\n") == 1


def test_a_server_that_may_open_just_enough_files_answers(tmp_path):
    with Server(tmp_path, first=limit_open_files(96)) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "bot")
        with ada.connect(table) as connection, Connection(ada, "/ws/lobby") as lobby:
            assert connection.view() and lobby.receive()
            # as many connections as a browser opens
            connections = [open_socket(server, b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\n") for _ in range(6)]
            assert all(browser_connection.recv(12) == b"HTTP/1.1 200" for browser_connection in connections)
            for browser_connection in connections:
                browser_connection.close()
        assert server.stop() == 0 and "Traceback" not in "".join(server.log)


def accept_and_send(listener, pipe):
    connection, _ = listener.accept()
    pipe.send(connection.recv(2))


def test_a_listening_socket_is_passed_to_a_process():
    with ListeningSocket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening_socket:
        listening_socket.bind(("127.0.0.1", 0))
        listening_socket.listen()
        parent_pipe, child_pipe = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(
            target=accept_and_send, args=(listening_socket, child_pipe)
        )
        process.start()
        with socket.create_connection(listening_socket.getsockname()) as connection:
            connection.sendall(b"hi")
            assert parent_pipe.recv() == b"hi"
        process.join()


# --- host names ------------------------------------------------------------------------------------------------------


def test_foreign_host_names_are_rejected(tmp_path):
    is_known = AllowedHosts(
        Settings(tmp_path, address="https://games.example", hosts="Other.example, third.example")
    ).is_allowed
    own_hosts = (
        "games.example",
        "GAMES.example:443",
        "other.example",
        "third.example:8000",
        "localhost:8000",
        "kitchen:8000",
    )
    own_hosts += (
        "kitchen.local",
        "kitchen.lan:80",
        "192.168.0.7:8000",
        "[fe80::1]:8000",
        "127.0.0.1",
        "",
        "games.example.",
    )
    assert [host for host in own_hosts if not is_known(host)] == []
    foreign_hosts = (
        "evil.example",
        "games.example.evil.example",
        "127.0.0.1.evil.example",
        "[::1",
        "local.example",
        "a@b.c",
    )
    assert [host for host in foreign_hosts if is_known(host)] == []
    assert AllowedHosts(Settings(tmp_path, hosts="*")).is_allowed("evil.example")


def test_dns_rebinding_gets_no_data(impatient_server):
    ada = impatient_server.guest()
    response = ada.get("/api/me", headers={"Host": "evil.example"})
    assert response.status == 421 and response.json["error"] == {"id": "error-host", "args": {"host": "evil.example"}}
    with open_socket(impatient_server, HANDSHAKE.replace(b"Host: a", b"Host: evil.example") + b"\r\n") as connection:
        assert read_to_end(connection).startswith(b"HTTP/1.1 403")
    wait_until(lambda: [line for line in impatient_server.log if "COURTLY_HOSTS" in line])
    assert sum("COURTLY_HOSTS" in line for line in impatient_server.log) == 1


# --- addresses ------------------------------------------------------------------------------------------------------


def test_addresses_of_one_network_are_counted_together():
    assert network_of("192.0.2.7") == network_of("::ffff:192.0.2.7") != network_of("192.0.2.8")
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:0:0:1") != network_of("2001:db8:0:1::1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2") and network_of("") == ""


def test_new_cookies_do_not_circumvent_a_limit():
    rate_limit = GuestAndAddressLimit(rate=0, burst=3, people=2)
    assert [rate_limit.take(f"guest {n}", "192.0.2.1") for n in range(8)] == [True] * 6 + [False] * 2
    assert [rate_limit.take("ada", "192.0.2.2") for _ in range(4)] == [True] * 3 + [False]
    assert [rate_limit.take("ben", "192.0.2.2") for _ in range(4)] == [True] * 3 + [False], "rejections take no token"
    concurrency_limit = ConcurrencyLimit(per_guest=2, people=2, total=7)
    assert [concurrency_limit.take(f"guest {n}", "192.0.2.1") for n in range(5)] == [True] * 4 + [False]
    assert [concurrency_limit.take("ada", "192.0.2.2") for _ in range(3)] == [True, True, False]
    assert concurrency_limit.take("ben", "192.0.2.3") and not concurrency_limit.take("cleo", "192.0.2.4")
    concurrency_limit.release("guest 0", "192.0.2.1")
    assert concurrency_limit.take("guest 9", "192.0.2.1") and concurrency_limit.open_count == 7


def test_forwarded_addresses_are_counted_if_the_proxy_is_trusted(tmp_path):
    """Forwarded addresses are trusted only from a configured proxy."""
    limits = {"COURTLY_SOCKETS_PER_GUEST": "2", "COURTLY_PEOPLE_PER_ADDRESS": "2"}
    for proxies, trusted in (("10.0.0.1, 127.0.0.0/8", True), ("", False), ("10.0.0.1", False)):
        with Server(tmp_path, COURTLY_PROXIES=proxies, **limits) as server, contextlib.ExitStack() as stack:
            for _ in range(4):
                connection = stack.enter_context(connect_from(server, "2001:db8::1"))
                assert connection.receive()["type"] == "tables"
            for address, admitted in (("2001:db8::2", False), ("192.0.2.1", trusted)):
                with connect_from(server, address) as connection:
                    assert connection.receive()["type"] == ("tables" if admitted else "error")
            assert server.stop() == 0
            warnings = [line for line in server.log if "COURTLY_PROXIES" in line]
            assert len(warnings) == (not trusted)


def connect_from(server, address):
    guest = Guest(server, cookie=False)
    guest.get("/api/me", headers={"X-Forwarded-For": address})
    return Connection(guest, "/ws/lobby", headers={"X-Forwarded-For": address})


def test_ten_players_behind_one_address_can_play(tmp_path):
    """With the default limits, ten fast players, each with the lobby and two tables open."""
    default_settings = Settings(tmp_path)
    limits = (
        "commands_per_second",
        "tables_per_minute",
        "sockets_per_guest",
        "people_per_address",
        "chat_messages_per_minute",
    )
    environment = {f"COURTLY_{name.upper()}": str(getattr(default_settings, name)) for name in limits}
    with Server(tmp_path, **environment) as server, contextlib.ExitStack() as stack:
        guests = [server.guest(f"Guest {n}") for n in range(10)]
        for host, other in zip(guests[::2], guests[1::2], strict=True):
            for _ in range(2):
                table = host.open("me", "open")
                assert other.command(table, "sit").status == 200
                for guest in (host, other):
                    assert stack.enter_context(Connection(guest, "/ws/lobby")).receive()["type"] == "tables"
                    connection = stack.enter_context(guest.connect(table))
                    connection.play(connection.view_where(lambda view: view["legal"]))
                    assert connection.wait("done")
                    assert guest.command(table, "chat", {"canned_message": "luck"}).status == 200
        for guest in guests:
            assert {guest.get("/api/tables").status for _ in range(30)} == {200}


def test_an_invalid_proxy_setting_is_reported(tmp_path):
    with pytest.raises(AssertionError, match="COURTLY_PROXIES.*'caddy'"):
        Server(tmp_path, COURTLY_PROXIES="127.0.0.1, caddy")


# --- signing out ----------------------------------------------------------------------------------------------------


def same_guest(server, guest):
    copy = Guest(server, cookie=False)
    copy.cookie = guest.cookie
    return copy


def test_signing_out_ends_the_access_of_other_devices(server, ada, ben):
    table = ada.open("me", "open")
    stolen, thief = same_guest(server, ada), server.guest()
    seat_link = stolen.command(table, "seat-link", {"seat": 0}).json["path"].replace("/j/", "/api/seat-link/")
    ticket = stolen.post("/api/me/identity-link").json["path"].rpartition("/")[2]
    with stolen.connect(table) as connection, ben.connect(table) as other:
        connection.wait("table")
        other.wait("table")
        account_before = ada.get("/api/me").json
        assert ada.post("/api/me/sign-out").json == account_before
        with pytest.raises(ConnectionClosed, match="4401"):
            while True:
                connection.receive()
        assert other.wait("table", 5)
    assert stolen.get("/api/me/games").error == "error-no-cookie"
    assert stolen.command(table, "leave").error == "error-no-cookie"
    with stolen.connect(table) as connection:
        assert not connection.wait("table")["table"]["seats"][0]["you"]
    assert thief.post(f"/api/identity-link/{ticket}").status == 404
    assert thief.post(seat_link).error == "error-link-used"
    assert ada.get("/api/me").json == account_before and ada.table(table)["seats"][0]["you"]
    new_link = ada.command(table, "seat-link", {"seat": 0}).json["path"].replace("/j/", "/api/seat-link/")
    assert new_link != seat_link and thief.post(new_link).json["seats"][0]["you"]


def test_signing_out_survives_restarts(tmp_path):
    """The signing-out survives restarts, in both orders."""
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        first = same_guest(server, ada)
        ada.post("/api/me/sign-out")
        second = same_guest(server, ada)
        ada.post("/api/me/sign-out")
        server.stop()
    with Server(tmp_path, port=server.port):
        assert ada.get("/api/me").json["name"] == "Ada"
        for old_guest in (first, second):
            assert old_guest.get("/api/me/games").error == "error-no-cookie"
            assert old_guest.get("/api/me").json["name"] == ""


# --- connections and timers, with parts of their objects ------------------------------------------------------------


@pytest.mark.parametrize(("second_error", "expected"), [(errno.ENFILE, OSError), (errno.ECONNABORTED, BlockingIOError)])
def test_a_connection_that_cannot_even_be_rejected_is_left_to_asyncio(monkeypatch, second_error, expected):
    """No descriptor is free, or the client has gone meanwhile."""
    errors = [errno.EMFILE, second_error]

    def accept(_):
        raise OSError(errors.pop(0), "refused")

    monkeypatch.setattr(socket.socket, "accept", accept)
    with ListeningSocket(socket.AF_INET, socket.SOCK_STREAM) as listening_socket, pytest.raises(OSError) as refused:
        listening_socket.accept()
    assert type(refused.value) is expected and not errors


def test_a_client_that_still_reads_its_answer_has_more_time():
    protocol, transport, timers = TimedH11Protocol.__new__(TimedH11Protocol), Mock(), Mock()
    protocol.transport, protocol.loop = transport, timers
    transport.is_closing.return_value = False
    transport.get_write_buffer_size.return_value = 5
    protocol._handle_timeout()
    assert timers.call_later.call_count == 1 and not transport.abort.called
    transport.get_write_buffer_size.return_value = 0
    protocol._handle_timeout()
    assert transport.abort.called and protocol not in TimedH11Protocol.waiting


def test_a_websocket_whose_close_was_sent_is_closed_at_shutdown():
    protocol = GracefulWebSocketProtocol.__new__(GracefulWebSocketProtocol)
    protocol.close_sent, protocol.transport, protocol.queue = True, Mock(), Mock()
    protocol.close_timer = protocol.ping_timer = protocol.pong_timer = None
    protocol.shutdown()
    assert protocol.transport.close.called and not protocol.queue.put_nowait.called

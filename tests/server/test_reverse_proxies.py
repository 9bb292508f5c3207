"""The configurations of Caddy and nginx, with the real programs."""

import getpass
import re
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from databases import POSTGRESQL, shared_server
from external_programs import find_program, free_port, running
from guests import Connection, Guest, Server, wait_until
from websockets.exceptions import WebSocketException

DEPLOY = Path(__file__).parents[2] / "deploy"


def caddy(folder, port, servers):
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace(":games.example}", f":http://127.0.0.1:{port}}}").replace(
        "127.0.0.1:8001 127.0.0.1:8002", servers
    )
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text)
    return [find_program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def nginx(folder, port, servers):
    text = (DEPLOY / "nginx.conf").read_text()
    one, two = servers.split()
    text = text.replace("127.0.0.1:8001", one).replace("127.0.0.1:8002", two)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    (folder / "nginx.conf").write_text(
        f"daemon off; user {getpass.getuser()}; pid {folder}/pid; error_log stderr; worker_processes 1;\n"
        f"events {{}}\nhttp {{ access_log off; "
        + " ".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        + f"\n{text}\n}}\n"
    )
    return [find_program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def proxied_settings(address):
    """Return the settings of a server behind a proxy."""
    return {"COURTLY_DATABASE": address, "COURTLY_PROXIES": "127.0.0.1"}


@pytest.fixture(scope="module")
def pair_of_servers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    address = shared_server().create_database()
    with ExitStack() as exit_stack:
        servers = [Server(folder, **proxied_settings(address)) for _ in range(2)]
        exit_stack.callback(lambda: [server.kill() for server in servers])
        yield servers, address


def retry(act):
    """Call `act` until it gets an answer, and return that."""
    end = time.monotonic() + 60
    while True:
        try:
            return act()
        except (OSError, WebSocketException):
            assert time.monotonic() < end
            time.sleep(0.1)


class Browser(Guest):
    """A client that also returns the cookies of the proxy."""

    def __init__(self, server, name):
        self.cookies = {}
        super().__init__(server, name)

    def request(self, *arguments, **options):
        response = super().request(*arguments, **options)
        for cookie in response.headers.get_all("set-cookie") or ():
            self.cookies[cookie.partition("=")[0]] = cookie.partition(";")[0]
        self.cookie = "; ".join(self.cookies.values())
        return response

    def open_socket(self, table):
        """Open a socket as a page does."""
        connection = Connection(self, f"/ws/tables/{table}", headers={"origin": self.server.url})
        connection.send(type="hello")
        return connection


@POSTGRESQL
@pytest.mark.parametrize("front", [caddy, nginx])
def test_a_game_through_a_proxy(tmp_path, pair_of_servers, front):
    """Commands and sockets work through the proxy. When the server of a table is killed, the other takes over."""
    servers, address = pair_of_servers
    port = free_port()
    command = front(tmp_path, port, " ".join(f"127.0.0.1:{server.port}" for server in servers))
    with running(command, port, tmp_path) as proxy:
        wait_until(lambda: Guest(proxy, cookie=False).get("/healthz").status == 200)
        ada = Browser(proxy, "Ada")
        table = ada.open("me", "local")
        response = ada.get(f"/t/{table}", headers={"accept": "text/html"})
        assert response.status == 200
        for path in re.findall(rb'(?:href|src)="(/s/[^"]+)"', response.body):  # either server may answer
            assert ada.get(path.decode()).status == 200
        with ada.open_socket(table) as connection:
            connection.play(connection.view_where(lambda view: view["legal"]))
            connection.wait("done")
        for path in ("/metrics", "/readyz"):
            assert ada.get(path).status == 404
        assert ada.post(f"/api/tables/{table}/chat", {"text": "x" * 70_000}).status == 413
        for n, server in enumerate(servers):  # one after the other is down
            with retry(lambda: ada.open_socket(table)) as connection:
                connection.view_where(lambda view: view["legal"])
                server.stop()
                wait_until(lambda: ada.get("/api/games").status == 200)
            with retry(lambda: ada.open_socket(table)) as connection:
                connection.play(connection.view_where(lambda view: view["legal"]))
                connection.wait("done")
            servers[n] = Server(server.data, port=server.port, **proxied_settings(address))
            wait_until(lambda n=n: Guest(servers[n], cookie=False).get("/readyz").status == 200)
            assert not [line for line in server.log if "COURTLY_" in line], "the proxy's forwarded headers are trusted"

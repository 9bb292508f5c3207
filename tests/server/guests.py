"""A real server process, and clients that talk to it over real sockets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import get_args

from fork_server import ForkedServer
from websockets.sync.client import connect

from courtly.session.schemas import Kind

SERVE = """
import os, sys; from pathlib import Path; from courtly.server.process.serve import serve
if again := serve(port=int(sys.argv[1]), data=Path(sys.argv[2])):
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:-2], str(again), sys.argv[2]])
"""
NEEDS_NEW_PROCESS = {"PYTHONPATH", "COURTLY_DEV"}  # a server with one of these needs a new process
FAST = {
    "COURTLY_BOT_PAUSE": "0",
    "COURTLY_GRACE": "0",
    "COURTLY_NATIVE": "0",
    "COURTLY_COMPILE_AHEAD": "0",
    "COURTLY_COMMANDS_PER_SECOND": "5000",
    "COURTLY_TABLES_PER_MINUTE": "60000",
}
PATIENCE = 60  # seconds: on a busy machine slowness is not an error
SECRET_BIDS = {"looks": 0}  # sealed bids without looks: all choose simultaneously from the start


class Server:
    """A server process. `log` collects the lines of its standard error. The process runs the program `first` before the
    server.
    """

    def __init__(self, data: Path, port: int = 0, first: str = "", **environment: str):
        self.data = data
        program, arguments = f"{first}\n{SERVE}", [str(port), str(data)]
        process_environment = os.environ | FAST | environment
        if sys.platform == "linux" and not first and not environment.keys() & NEEDS_NEW_PROCESS:
            self.process = ForkedServer(program, arguments, process_environment)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=process_environment,
                text=True,
            )
        first_line = self.process.stdout.readline()
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not first_line:
            self.process.wait()
            self._reader.join()
            raise AssertionError("".join(self.log))
        self.url = first_line.split()[-1].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])

    def _read(self) -> None:
        for line in self.process.stderr:
            self.log.append(line)

    def guest(self, name: str = "") -> Guest:
        return Guest(self, name)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Stop the server as Ctrl-C does, and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_) -> None:
        if self.process.poll() is None:
            self.kill()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Response:
    def __init__(self, status: int, headers, body: bytes):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self) -> str | None:
        return self.json["error"]["id"] if self.status >= 400 else None


class Guest:
    """A client with a guest's cookie; `cookie=False`: not yet."""

    def __init__(self, server: Server, name: str = "", cookie: bool = True):
        self.server = server
        self.cookie: str | None = None
        self._opener = urllib.request.build_opener(NoRedirect)
        if cookie:
            self.get("/api/me")
        if name:
            assert self.request("PUT", "/api/me", {"name": name}).status == 200

    def request(self, method: str, path: str, body=None, headers=(), raw: bytes | None = None) -> Response:
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.url + path, data, dict(headers), method=method)
        if data is not None:
            request.add_header("content-type", "application/json")
        if self.cookie:
            request.add_header("cookie", self.cookie)
        try:
            response = self._opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            if response.headers["set-cookie"]:
                self.cookie = response.headers["set-cookie"].partition(";")[0]
            return Response(response.status, response.headers, response.read())

    def get(self, path: str, **options) -> Response:
        return self.request("GET", path, **options)

    def post(self, path: str, body=None, **options) -> Response:
        return self.request("POST", path, {} if body is None else body, **options)

    def open(self, *kinds: str, game: str = "sealed_bids", options=SECRET_BIDS, headers=(), **fields) -> str:
        """Open a table with these seats and return its id. Any other kind is the name of a bot."""
        seats = [
            {"kind": kind} if kind in get_args(Kind) or kind == "me" else {"kind": "bot", "bot": kind} for kind in kinds
        ]
        response = self.post(
            "/api/tables",
            {"game": game, "players": len(seats), "seats": seats, "options": options, **fields},
            headers=headers,
        )
        assert response.status == 200, response.json
        return response.json["id"]

    def table(self, table: str):
        return self.get(f"/api/tables/{table}").json

    def command(self, table: str, name: str, body=None) -> Response:
        """Send a command about a table: sit, leave, seat, …"""
        return self.post(f"/api/tables/{table}/{name}", body)

    def view(self, table: str, seat: int | None = None, since: int = 0):
        response = self.get(f"/api/tables/{table}/view?seat={'' if seat is None else seat}&since={since}")
        return response.json

    def play(self, table: str, seat: int, seq: int, *moves: int, key: str = "") -> Response:
        return self.post(
            f"/api/tables/{table}/moves",
            {"seat": seat, "seq": seq, "moves": moves},
            headers={"Idempotency-Key": key or fresh_key()},
        )

    def undo(self, table: str, seat: int, seq: int, key: str = "") -> Response:
        return self.post(
            f"/api/tables/{table}/undo", {"seat": seat, "seq": seq}, headers={"Idempotency-Key": key or fresh_key()}
        )

    def connect(self, table: str, since=None, **fields) -> Connection:
        """Open a socket at a table and send "hello"."""
        connection = Connection(self, f"/ws/tables/{table}")
        connection.send(type="hello", since=since or {}, **fields)
        return connection


class Connection:
    """A socket. Messages are received in order; `wait` skips those of other types."""

    def __init__(self, guest: Guest, path: str, **options):
        headers = {"cookie": guest.cookie} if guest.cookie else {}
        headers |= options.pop("headers", {})
        self._exit_stack = ExitStack()
        address = f"ws{guest.server.url[4:]}{path}"
        self.socket = self._exit_stack.enter_context(
            connect(address, additional_headers=headers, proxy=None, close_timeout=1, **options)
        )

    def send(self, **message) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = PATIENCE):
        return json.loads(self.socket.recv(timeout))

    def wait(self, type: str, timeout: float = PATIENCE):
        while True:
            message = self.receive(timeout)
            if message["type"] == type:
                return message

    def view(self, timeout: float = PATIENCE):
        return self.wait("view", timeout)["view"]

    def view_where(self, condition):
        """Return the first view that meets the condition."""
        while True:
            view = self.view()
            if condition(view):
                return view

    def is_silent(self, within: float = 0.3) -> bool:
        """Return whether nothing arrives for a while."""
        try:
            self.socket.recv(within)
            return False
        except TimeoutError:
            return True

    def drop_pending(self) -> None:
        """Receive and drop all messages in transit."""
        while not self.is_silent(0.2):
            pass

    def play(self, view, *moves: int, key: str = "") -> str:
        key = key or fresh_key()
        self.send(type="play", key=key, seat=view["seat"], seq=view["seq"], moves=moves or [view["legal"][0]["id"]])
        return key

    def close(self) -> None:
        self._exit_stack.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_) -> None:
        self.close()


def fresh_key() -> str:
    return os.urandom(8).hex()


def wait_until(condition, timeout: float = PATIENCE):
    """Return what `condition` returns once it is true."""
    end = time.monotonic() + timeout
    while not (result := condition()):
        assert time.monotonic() < end, f"timeout after {timeout} s"
        time.sleep(0.02)
    return result


def move(view, verb: str, **args) -> int:
    """Return the id of the legal move with this verb and arguments."""
    return next(m["id"] for m in view["legal"] if m["verb"] == verb and args.items() <= m["args"].items())

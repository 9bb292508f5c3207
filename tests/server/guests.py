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

from nursery import Nursling
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
        surroundings = os.environ | FAST | environment
        if sys.platform == "linux" and not first and not environment.keys() & NEEDS_NEW_PROCESS:
            self.process = Nursling(program, arguments, surroundings)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=surroundings,
                text=True,
            )
        said = self.process.stdout.readline()
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not said:
            self.process.wait()
            self._reader.join()
            raise AssertionError("".join(self.log))
        self.url = said.split()[-1].rstrip("/")
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


class Answer:
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
            assert self.ask("PUT", "/api/me", {"name": name}).status == 200

    def ask(self, method: str, path: str, body=None, headers=(), raw: bytes | None = None) -> Answer:
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.url + path, data, dict(headers), method=method)
        if data is not None:
            request.add_header("content-type", "application/json")
        if self.cookie:
            request.add_header("cookie", self.cookie)
        try:
            answer = self._opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            if answer.headers["set-cookie"]:
                self.cookie = answer.headers["set-cookie"].partition(";")[0]
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path: str, **more) -> Answer:
        return self.ask("GET", path, **more)

    def post(self, path: str, body=None, **more) -> Answer:
        return self.ask("POST", path, {} if body is None else body, **more)

    def open(self, *kinds: str, game: str = "sealed_bids", options=SECRET_BIDS, headers=(), **more) -> str:
        """Open a table with these seats and return its id. Any other kind is the name of a bot."""
        seats = [
            {"kind": kind} if kind in get_args(Kind) or kind == "me" else {"kind": "bot", "bot": kind} for kind in kinds
        ]
        answer = self.post(
            "/api/tables",
            {"game": game, "players": len(seats), "seats": seats, "options": options, **more},
            headers=headers,
        )
        assert answer.status == 200, answer.json
        return answer.json["id"]

    def table(self, table: str):
        return self.get(f"/api/tables/{table}").json

    def at(self, table: str, what: str, body=None) -> Answer:
        """Send a command about a table: sit, leave, seat, …"""
        return self.post(f"/api/tables/{table}/{what}", body)

    def view(self, table: str, seat: int | None = None, since: int = 0):
        answer = self.get(f"/api/tables/{table}/view?seat={'' if seat is None else seat}&since={since}")
        return answer.json

    def play(self, table: str, seat: int, seq: int, *moves: int, key: str = "") -> Answer:
        return self.post(
            f"/api/tables/{table}/moves",
            {"seat": seat, "seq": seq, "moves": moves},
            headers={"Idempotency-Key": key or fresh_key()},
        )

    def undo(self, table: str, seat: int, seq: int, key: str = "") -> Answer:
        return self.post(
            f"/api/tables/{table}/undo", {"seat": seat, "seq": seq}, headers={"Idempotency-Key": key or fresh_key()}
        )

    def line(self, table: str, since=None, **more) -> Line:
        """Open a socket at a table and send "hello"."""
        line = Line(self, f"/ws/tables/{table}")
        line.send(type="hello", since=since or {}, **more)
        return line


class Line:
    """A socket. Messages are received in order; `wait` skips those of other types."""

    def __init__(self, guest: Guest, path: str, **more):
        headers = {"cookie": guest.cookie} if guest.cookie else {}
        headers |= more.pop("headers", {})
        self._ending = ExitStack()
        address = f"ws{guest.server.url[4:]}{path}"
        self.socket = self._ending.enter_context(
            connect(address, additional_headers=headers, proxy=None, close_timeout=1, **more)
        )

    def send(self, **message) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, timeout: float = PATIENCE):
        return json.loads(self.socket.recv(timeout))

    def wait(self, type: str, timeout: float = PATIENCE):
        while True:
            message = self.hear(timeout)
            if message["type"] == type:
                return message

    def view(self, timeout: float = PATIENCE):
        return self.wait("view", timeout)["view"]

    def view_where(self, meets):
        """Return the first view that meets a condition."""
        while True:
            view = self.view()
            if meets(view):
                return view

    def nothing(self, within: float = 0.3) -> bool:
        """Return whether nothing arrives for a while."""
        try:
            self.socket.recv(within)
            return False
        except TimeoutError:
            return True

    def silence(self) -> None:
        """Receive and drop all messages in transit."""
        while not self.nothing(0.2):
            pass

    def play(self, view, *moves: int, key: str = "") -> str:
        key = key or fresh_key()
        self.send(type="play", key=key, seat=view["seat"], seq=view["seq"], moves=moves or [view["legal"][0]["id"]])
        return key

    def close(self) -> None:
        self._ending.close()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_) -> None:
        self.close()


def fresh_key() -> str:
    return os.urandom(8).hex()


def until(meets, timeout: float = PATIENCE):
    """Return what `meets` returns once it is true."""
    end = time.monotonic() + timeout
    while not (found := meets()):
        assert time.monotonic() < end, f"timeout after {timeout} s"
        time.sleep(0.02)
    return found


def move(view, verb: str, **args) -> int:
    """Return the id of the legal move with this verb and arguments."""
    return next(m["id"] for m in view["legal"] if m["verb"] == verb and args.items() <= m["args"].items())

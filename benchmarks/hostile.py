"""Measures how much one hostile guest slows down other players.

    python benchmarks/hostile.py [NAME …] [--seconds 20] [--json]

For each attack, the benchmark starts a server on the loopback interface with the default limits and a temporary data
folder. A player from one address makes four moves per second and requests a hint every few moves; an attacker, in its
own process and from another address, carries out the attack. Printed are the latencies of the player's moves and hints,
compared with those just before the attack, and the memory of the server's process.

Targets: a move p99 of at most 100 ms, a hint of at most twice the time before the attack, less than 400 MB.

To add an attack, write a generator function and decorate it with `attack`: the part before `yield` is its preparation,
the part after it, while `left` is true, is the attack.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import multiprocessing
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from local_server import Server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from courtly.engine.match import new_match
from courtly.engine.transcript import write_record

PLAYER, ATTACKER = "127.0.0.2", "127.0.0.3"  # their source addresses
MOVE_INTERVAL_S = 0.25
MOVES_PER_HINT = 8
PREPARING_S = 180  # limit for the preparation of an attack
PATIENCE_S = 10  # how long a rate-limited command of the preparation is retried
LIMIT_COMMANDS_PER_S = 20  # the server's default limit for a guest
SLOW_NAME = "slow.example"  # its DNS lookup fails after 20 s
SERVE = f"""
import os, socket, time, sys
from pathlib import Path
resolve = socket.getaddrinfo
def getaddrinfo(host, *args, **kwargs):
    if isinstance(host, str) and host.endswith({SLOW_NAME!r}) and getaddrinfo.slow:
        time.sleep(20)
        raise socket.gaierror(-2, "no such name")
    return resolve("127.0.0.1" if isinstance(host, str) and host.endswith({SLOW_NAME!r}) else host, *args, **kwargs)
getaddrinfo.slow = False
socket.getaddrinfo = getaddrinfo
def wait():
    getaddrinfo.slow = bool(sys.stdin.readline())
    sys.stdin.read()
    os._exit(0)  # the benchmark process has ended
import threading
threading.Thread(target=wait, daemon=True).start()
from courtly.server.process.serve import serve
serve(port=0, data=Path(sys.argv[1]))
"""
SETTINGS = {
    "COURTLY_ADDRESS": "https://games.example",
    "COURTLY_ALLOW_LOCAL_WEBHOOKS": "1",
    "COURTLY_COMPILE_AHEAD": "0",
    "COURTLY_MAIL_FROM": "games@games.example",
}


class Time:
    """The remaining time of an attack, which begins when everything is prepared. It is true until the end."""

    def __init__(self) -> None:
        self.end = float("inf")

    def __bool__(self) -> bool:
        return time.monotonic() < self.end

    def wait(self) -> None:
        """Sleep until the end."""
        time.sleep(max(0.0, self.end - time.monotonic()))


Attack = Callable[["Sender", Time], Iterator[None]]
ATTACKS: dict[str, Attack] = {}


def attack(function: Attack) -> Attack:
    """Decorator: register an attack under the name of its function."""
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


class Sender:
    """A guest that connects from one loopback address."""

    retries = False  # whether to retry rate-limited commands for PATIENCE_S

    def __init__(self, url: str, source: str):
        self.url, self.source, self.cookie = url, source, ""
        self._connection: http.client.HTTPConnection | None = None
        self.request("GET", "/api/me")

    def request(self, method: str, path: str, body: object = None, key: str = "", raw: bytes | None = None) -> Any:
        """Send a request and return the JSON response, or {} if it is not JSON. `status` is the status of the last
        response."""
        response, end = self._request_once(method, path, body, key, raw), time.monotonic() + PATIENCE_S
        while self.retries and self.status == 429 and time.monotonic() < end:
            time.sleep(2 / LIMIT_COMMANDS_PER_S)
            response = self._request_once(method, path, body, key, raw)
        return response

    def _request_once(self, method: str, path: str, body: object, key: str, raw: bytes | None) -> Any:
        if self._connection is None:
            address = urlsplit(self.url)
            self._connection = http.client.HTTPConnection(
                str(address.hostname), address.port, timeout=120, source_address=(self.source, 0)
            )
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", "idempotency-key": key or secrets.token_hex(8)}
        if self.cookie:
            headers["cookie"] = self.cookie
        try:
            self._connection.request(method, path, data, headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection, self.status = None, 0
            return {}
        self.status = response.status
        if set_cookie := response.headers["set-cookie"]:
            self.cookie = set_cookie.partition(";")[0]
        try:
            return json.loads(content)
        except ValueError:
            return {}

    def open(self, game: str, *kinds: str, **options: object) -> str:
        """Return the id of a new table, "" if it was refused."""
        seats = [{"kind": kind} for kind in kinds]
        body = {"game": game, "players": len(seats), "seats": seats, **options}
        return str(self.request("POST", "/api/tables", body).get("id", ""))

    def view(self, table: str, seat: int) -> Any:
        return self.request("GET", f"/api/tables/{table}/view?seat={seat}&since=1000000")

    def move(self, table: str, view: Any, *moves: int, key: str = "") -> Any:
        body = {"seat": view["seat"], "seq": view["seq"], "moves": moves}
        return self.request("POST", f"/api/tables/{table}/moves", body, key)

    def hint(self, table: str, view: Any) -> bool:
        """Request a hint and return whether the search gave it. The squire answers until the search is compiled."""
        body = {"seat": view["seat"], "seq": view["seq"], "hints": True}
        return bool(self.request("POST", f"/api/tables/{table}/advise", body).get("wins"))

    def socket(self, path: str, **options: Any) -> Any:
        server = urlsplit(self.url)
        connection = socket.create_connection((server.hostname, server.port), source_address=(self.source, 0))
        address = f"ws{self.url[4:]}{path}"
        return connect(
            address, sock=connection, additional_headers={"cookie": self.cookie}, compression=None, **options
        )


class Player:
    """Plays both seats of one table after another, with hints, and measures the latencies."""

    def __init__(self, url: str):
        self.sender, self.rng = Sender(url, PLAYER), random.Random(1)
        self.moves: list[float] = []
        self.hints: list[float] = []
        self.failure_count = 0
        self.has_hint = False  # whether the search has given a hint

    def run(self, end: float) -> None:
        while time.monotonic() < end:
            table = self.sender.open("puppet", "me", "local", help_consent=True)
            self._play(table, end)

    def _play(self, table: str, end: float) -> None:
        for n in itertools.count():
            views = [self.sender.view(table, seat) for seat in range(2)]
            view = next((view for view in views if view.get("legal")), None)
            if view is None or time.monotonic() > end:
                return
            if n % MOVES_PER_HINT == 1:
                start_time = time.monotonic()
                hinted = self.sender.hint(table, view)
                self.hints.append(time.monotonic() - start_time)
                self.failure_count += not hinted
                self.has_hint |= hinted
            start_time = time.monotonic()
            self.sender.move(table, view, self.rng.choice(view["legal"])["id"])
            self.moves.append(time.monotonic() - start_time)
            self.failure_count += self.sender.status != 200
            time.sleep(max(0.0, MOVE_INTERVAL_S - (time.monotonic() - start_time)))


# --- attacks ----------------------------------------------------------------------------------------------------------


def _play_to_end(sender: Sender, game: str, within: float = 120.0) -> str:
    """Play both seats of a game to its end, as fast as the limits allow."""
    table, rng, end = sender.open(game, "me", "local"), random.Random(2), time.monotonic() + within
    while time.monotonic() < end:
        for seat in range(2):
            view = sender.view(table, seat)
            if view.get("over"):
                return table
            while view.get("legal"):
                view = sender.move(table, view, rng.choice(view["legal"])["id"])
    return table


@attack
def do_and_undo(sender: Sender, left: Time) -> Iterator[None]:
    """A batch of moves that repeatedly returns to its start, then a request for the whole history of the table."""
    table, rng = sender.open("necklace", "me", "local"), random.Random(3)
    loop: list[int] = []
    while not loop:  # until the sale, in which cards can be laid and taken back
        for seat in range(2):
            view = sender.view(table, seat)
            verbs = {move["verb"]: move["id"] for move in view.get("legal", [])}
            if "lay" in verbs:
                sender.move(table, view, verbs["lay"])
                undo_moves = {move["verb"]: move["id"] for move in sender.view(table, seat).get("legal", [])}
                if "clear" in undo_moves:
                    loop = [undo_moves["clear"], verbs["lay"]] * 50
            elif view.get("legal"):
                sender.move(table, view, rng.choice(view["legal"])["id"])
    yield
    while left:
        for seat in range(2):
            view = sender.view(table, seat)
            if "clear" in {move["verb"] for move in view.get("legal", [])}:
                after = sender.move(table, view, *loop)
                sender.request("POST", f"/api/tables/{table}/undo", {"seat": seat, "seq": after.get("seq", 0)})
        sender.request("GET", f"/api/tables/{table}/view?seat=0&since=0")


@attack
def same_command(sender: Sender, left: Time) -> Iterator[None]:
    """One command repeated with the same key, on three connections."""
    table = sender.open("necklace", "me", "local")
    view = next(view for seat in range(2) if (view := sender.view(table, seat)).get("legal"))
    move, key = view["legal"][0]["id"], secrets.token_hex(8)
    sender.move(table, view, move, key=key)
    yield

    def send_again() -> None:
        other = Sender(sender.url, ATTACKER)
        other.cookie = sender.cookie
        while left:
            other.move(table, view, move, key=key)

    _run_together(send_again, 3)


@attack
def sockets_that_read_nothing(sender: Sender, left: Time) -> Iterator[None]:
    """Eight sockets at a finished game request all views again and read none of them."""
    table = _play_to_end(sender, "necklace")
    yield
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(sender.socket(f"/ws/tables/{table}", max_queue=1)) for _ in range(8)]
        for client in sockets:
            with contextlib.suppress(ConnectionClosed):
                client.send(json.dumps({"type": "hello"}))
        while left:
            for client in sockets:
                with contextlib.suppress(ConnectionClosed):
                    client.send(json.dumps({"type": "resync"}))
            time.sleep(1 / LIMIT_COMMANDS_PER_S)


@attack
def reviews(sender: Sender, left: Time) -> Iterator[None]:
    """Reviews of all of the guest's finished games at the same time."""
    tables = [_play_to_end(sender, "puppet") for _ in range(4)]
    yield
    for table in tables:
        sender.request("POST", f"/api/tables/{table}/review")
    left.wait()


@attack
def hints(sender: Sender, left: Time) -> Iterator[None]:
    """Six guests from one address request hints continuously."""
    guests = [Sender(sender.url, ATTACKER) for _ in range(6)]
    table = sender.open("cardinal", "me", "local", "local", help_consent=True)
    view = next(view for seat in range(3) if (view := sender.view(table, seat)).get("legal"))
    while not sender.hint(table, view):  # the search is being compiled
        time.sleep(1)
    yield

    def ask(guest: Sender) -> None:
        rng, table = random.Random(4), ""
        while left:
            table = table or guest.open("cardinal", "me", "local", "local", help_consent=True)
            for seat in range(3):
                view = guest.view(table, seat) if table else {}
                if view.get("legal"):
                    guest.hint(table, view)
                    guest.move(table, view, rng.choice(view["legal"])["id"])
                elif view.get("over"):
                    table = ""

    _run_together(ask, guests)


class Receiver:
    """The attacker's web server: it accepts requests normally until it is `hostile`, then calls `answer`."""

    def __init__(self, answer_client: Callable[[socket.socket], None]):
        self._answer_client, self.hostile = answer_client, threading.Event()
        self._server = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            threading.Thread(target=self._serve, args=(self._server.accept()[0],), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            client.recv(65536)
            if self.hostile.is_set():
                self._answer_client(client)
            else:
                client.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")


def _set_webhook(sender: Sender, hook: str, tables: int) -> list[str]:
    """Set the guest's webhook; return tables at which it is that guest's turn once another sits down."""
    sender.request("PUT", "/api/me/notifications", {"language": "en", "webhook": hook})
    return [sender.open("puppet", "me", "open") for _ in range(tables)]


def _take_seats(url: str, tables: list[str]) -> None:
    other = Sender(url, ATTACKER)
    for table in tables:
        other.request("POST", f"/api/tables/{table}/sit", {})


def _webhook(answer_client: Callable[[socket.socket], None], tables: int) -> Attack:
    def run(sender: Sender, left: Time) -> Iterator[None]:
        receiver = Receiver(answer_client)
        table_ids = _set_webhook(sender, f"http://127.0.0.1:{receiver.port}/", tables)
        yield
        receiver.hostile.set()
        _take_seats(sender.url, table_ids)
        left.wait()

    return run


def _endless_hints(client: socket.socket) -> None:
    while True:
        client.sendall(b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" * 100)


ATTACKS["webhook-that-hangs"] = _webhook(lambda _: time.sleep(60), 45)
ATTACKS["webhook-without-end"] = _webhook(_endless_hints, 10)


@attack
def names_that_hang(sender: Sender, left: Time) -> Iterator[None]:
    """Eight guests, each with a webhook whose DNS lookup takes 20 s."""
    port = Receiver(lambda _: None).port
    guests = [Sender(sender.url, ATTACKER) for _ in range(8)]
    table_ids = [_set_webhook(guest, f"http://g{n}.{SLOW_NAME}:{port}/", 2) for n, guest in enumerate(guests)]
    yield
    _take_seats(sender.url, list(itertools.chain(*table_ids)))
    left.wait()


@attack
def mail_that_hangs(sender: Sender, left: Time) -> Iterator[None]:
    """The mail server accepts connections and never responds."""
    guests = [Sender(sender.url, ATTACKER) for _ in range(8)]
    yield

    def ask(guest: Sender) -> None:
        guest.request(
            "PUT", "/api/me/notifications", {"language": "en", "email": f"{secrets.token_hex(4)}@home.example"}
        )

    _run_together(ask, guests)
    left.wait()


@attack
def long_records(sender: Sender, left: Time) -> Iterator[None]:
    """A record with the maximum of undos, posted five times at the same time."""
    record = _long_record()
    yield

    def post(_: int) -> None:
        other = Sender(sender.url, ATTACKER)
        while left:
            other.request("POST", "/api/replay", raw=record)

    _run_together(post, range(5))


def _long_record() -> bytes:
    from courtly.engine.game import find_game
    from courtly.engine.match import UNDO_LIMIT_MOVES

    match, rng = new_match(find_game("puppet"), players=2, seed=5), random.Random(5)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, rng.choice(match.legal(seat)))
        if match.can_undo(seat) and rng.random() < 0.98:
            match.undo(seat)
    assert sum(entry.undo for entry in match.entries) > UNDO_LIMIT_MOVES
    return write_record(match).encode()


def _run_together(work: Callable[..., None], times: Any) -> None:
    threads = (
        [threading.Thread(target=work) for _ in range(times)]
        if isinstance(times, int)
        else [threading.Thread(target=work, args=(argument,)) for argument in times]
    )
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- measuring --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def start_server() -> Iterator[tuple[Server, Any]]:
    """Start a server with the default limits; provide it and its standard input, on which a line makes the slow name
    slow."""
    silent = socket.create_server(("127.0.0.1", 0), backlog=100)
    settings = SETTINGS | {"COURTLY_MAIL": f"smtp://127.0.0.1:{silent.getsockname()[1]}"}
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", SERVE, data],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | settings,
        )
        try:
            assert process.stdout is not None
            words = process.stdout.readline().split()
            yield (
                Server(next(word for word in words if word.startswith("http")).rstrip("/"), process.pid),
                process.stdin,
            )
        finally:
            process.terminate()
            process.wait(60)


def _attack(name: str, url: str, seconds: float, ready: Any, start: Any) -> None:
    os.nice(19)  # a real attacker has its own machine: lowest priority here
    left = Time()
    Sender.retries = True
    steps = ATTACKS[name](Sender(url, ATTACKER), left)
    next(steps)
    ready.set()
    start.wait()
    Sender.retries = False
    left.end = time.monotonic() + seconds
    next(steps, None)


def measure_attack(name: str, seconds: float) -> dict[str, Any]:
    """Measure the player before and during an attack, each for the same time."""
    context = multiprocessing.get_context("spawn")
    ready, start = context.Event(), context.Event()
    with start_server() as (server, line):
        attacker = context.Process(target=_attack, args=(name, server.url, seconds, ready, start), daemon=True)
        attacker.start()
        player, end = Player(server.url), time.monotonic() + PREPARING_S
        while not player.has_hint or not ready.is_set():  # warm-up
            player.run(time.monotonic() + 2)
            if time.monotonic() > end or not attacker.is_alive():
                raise SystemExit(f"{name}: the preparation failed or took more than {PREPARING_S} s")
        quiet = _measure_player(server, player, seconds)
        line.write("\n")
        line.flush()
        start.set()
        figures = _measure_player(server, player, seconds)
        attacker.terminate()
        attacker.join()
    return figures | {"quiet": quiet}


def _measure_player(server: Server, player: Player, seconds: float) -> dict[str, Any]:
    player.moves.clear()
    player.hints.clear()
    player.failure_count, peak, is_over = 0, [0.0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.2):
            peak.append(server.memory() or 0.0)

    watcher = threading.Thread(target=watch)
    watcher.start()
    player.run(time.monotonic() + seconds)
    is_over.set()
    watcher.join()
    times = sorted(player.moves)
    return {
        "moves": len(times),
        "p50_ms": round(1000 * times[len(times) // 2], 1),
        "p99_ms": round(1000 * times[min(len(times) - 1, int(len(times) * 0.99))], 1),
        "hint_ms": round(1000 * statistics.median(player.hints), 1) if player.hints else None,
        "failed": player.failure_count,
        "memory_mb": max(peak),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"attacks (default: all): {', '.join(ATTACKS)}")
    parser.add_argument("--seconds", type=float, default=20, help="length of each attack, and of the time before it")
    parser.add_argument("--json", action="store_true", help="print a JSON object per line")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in ATTACKS]:
        parser.error(f"no attack is called {unknown[0]}: expected one of {', '.join(ATTACKS)}")
    for name in arguments.names or ATTACKS:
        r = measure_attack(name, arguments.seconds)
        before, hint = r["quiet"], r["hint_ms"]
        if arguments.json:
            print(json.dumps({"attack": name} | r), flush=True)
            continue
        ratio = f" ({hint / before['hint_ms']:.1f} × before)" if before["hint_ms"] and hint else ""
        print(
            f"{name:26} {r['moves']:4} moves, p50 {r['p50_ms']} ms, p99 {r['p99_ms']} ms ({before['p99_ms']} before);"
            f" hint {hint} ms{ratio}; {r['failed']} failed; {r['memory_mb']} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Starts a server for a benchmark, on the loopback interface with a temporary data folder, and a proxy before it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))
from databases import postgresql

__all__ = ["UNLIMITED_SETTINGS", "Server", "start_server", "start_http2_proxy", "postgresql"]

UNLIMITED_SETTINGS = {
    "COURTLY_COMMANDS_PER_SECOND": "1e9",
    "COURTLY_TABLES_PER_MINUTE": "1e9",
    "COURTLY_SOCKETS": "100000",
    "COURTLY_SOCKETS_PER_GUEST": "100000",
    "COURTLY_TABLES": "100000",
}


class Server(NamedTuple):
    """A running server."""

    url: str
    pid: int

    def request(self, cookie: str, method: str, path: str, body: object = None, within: float = 30) -> tuple[Any, str]:
        """Send a request and return its JSON response and the guest's cookie."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", "cookie": cookie, "idempotency-key": secrets.token_hex(8)}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=within) as response:
            return json.load(response), (response.headers["set-cookie"] or cookie).partition(";")[0]

    def table(self, table: str) -> str:
        """Return the address of a table's WebSocket."""
        return f"ws{self.url[4:]}/ws/tables/{table}"

    def cpu_seconds(self) -> float:
        """Return the processor time of the server in seconds."""
        with open(f"/proc/{self.pid}/stat", encoding="utf-8") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float | None:
        """Return the resident memory (RSS) in MB, or None without /proc."""
        try:
            with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
                return round(next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024, 1)
        except OSError:
            return None

    def proportional(self) -> float | None:
        """Return the proportional memory (PSS) in MB, or None without /proc."""
        try:
            with open(f"/proc/{self.pid}/smaps_rollup", encoding="utf-8") as file:
                return round(next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024, 1)
        except OSError:
            return None


@contextmanager
def start_server(**settings: str) -> Iterator[Server]:
    """Start a server, provide it once it listens, and end it."""
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [sys.executable, "-u", "-m", "courtly", "serve", "--port", "0", "--data", data, "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | settings,
        )
        try:
            assert server.stdout is not None
            yield Server(
                next(word for word in server.stdout.readline().split() if word.startswith("http")).rstrip("/"),
                server.pid,
            )
        finally:
            server.terminate()
            server.wait(30)


@contextmanager
def start_http2_proxy(url: str) -> Iterator[tuple[str, str]]:
    """Start a proxy with TLS and HTTP/2, and provide its address and the option by which Chromium trusts it.

    With `--ignore-certificate-errors`, Chromium would keep no file in its cache."""
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
        command = f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout {key} -out {certificate}"
        subprocess.run(command.split(), check=True, stderr=subprocess.DEVNULL)
        public = subprocess.check_output(["openssl", "pkey", "-in", key, "-pubout", "-outform", "der"])
        trust = base64.b64encode(hashlib.sha256(public).digest()).decode()
        script = Path(__file__).parent / "http2.mjs"
        before = subprocess.Popen(
            ["node", script, str(urlsplit(url).port), key, certificate], stdout=subprocess.PIPE, text=True
        )
        try:
            assert before.stdout is not None
            address = f"https://localhost:{before.stdout.readline().strip()}"
            yield address, f"--ignore-certificate-errors-spki-list={trust}"
        finally:
            before.terminate()
            before.wait(30)

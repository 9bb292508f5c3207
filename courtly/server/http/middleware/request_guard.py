"""Checks that every request passes, and headers that every response gets.

The middleware rejects requests for other host names, bodies that are too large and commands from pages of other sites.
It also answers requests that are cancelled because the server stops.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import time
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from courtly.engine.position import CommandRefusedError
from courtly.server.errors import STATUS_BY_ID, as_json
from courtly.server.http.body_reader import register_body_reader
from courtly.server.settings import Settings, split_names

MAX_BODY_BYTES = 64 * 1024  # bytes of a request's body, or of a WebSocket message
MAX_BODY_BYTES_BY_PATH = {"/api/replay": 1024 * 1024}  # the body is the record of a whole game
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOCAL_DOMAINS = ("local", "localhost", "lan", "internal", "home.arpa")  # cannot be registered in the public DNS
HOST_LOG_WINDOW_S, MAX_HOST_LOGS = 60.0, 10  # at most this number of log entries about other hosts in the window
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

log = logging.getLogger("courtly.server")


def is_cross_site(headers: Headers) -> bool:
    """Return whether a request comes from a page of another site. Clients other than browsers send no Origin header."""
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != headers.get("host", "")
    except ValueError:  # an invalid origin, which no browser sends
        return True


class AllowedHosts:
    """The host names that the server answers to.

    The check prevents DNS rebinding, in which a foreign page's name resolves to this server. Such a name is in the
    public DNS, so IP addresses and local names are safe and always accepted.
    """

    def __init__(self, settings: Settings):
        own_hosts = {
            urlsplit(settings.address).hostname or "",
            socket.gethostname().lower(),
            *split_names(settings.hosts),
        }
        self._any = "*" in own_hosts
        self._own_hosts = own_hosts
        self.is_allowed = lru_cache(1000)(self._is_allowed)

    def _is_allowed(self, host: str) -> bool:
        if self._any or not host:  # every browser sends a host
            return True
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._own_hosts or "." not in name or any(name.endswith(f".{end}") for end in LOCAL_DOMAINS):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class RequestGuard:
    """ASGI middleware. It answers invalid requests itself: 400, 403, 413, 421, and 503 while the server stops."""

    def __init__(self, app: ASGIApp, settings: Settings):
        self.app = app
        self._hosts = AllowedHosts(settings)
        self._proxy_logged = False  # whether an unknown proxy was logged
        # begin of the current log window, and requests for other hosts in it
        self._log_window_start, self._host_log_count = 0.0, 0

    def _check(self, scope: Scope) -> None:
        """Raise CommandRefusedError if a request is for another host or has two lengths.

        A proxy and this server could read two lengths differently (request smuggling).
        """
        headers = Headers(scope=scope)
        host = headers.get("host", "")[:300]
        if not self._hosts.is_allowed(host):
            self._log_host(host)
            raise CommandRefusedError("error-host", host=host)
        if "content-length" in headers and "transfer-encoding" in headers:
            raise CommandRefusedError("error-malformed", where="body", problem="two_lengths")
        # behind a trusted proxy, uvicorn has replaced the client's address with one from the header
        if not self._proxy_logged and "x-forwarded-for" in headers and not _is_known_proxy_chain(scope, headers):
            self._proxy_logged = True
            log.warning(
                "unknown proxy: all its clients count as one address; if it is yours, name it in COURTLY_PROXIES"
            )

    def _log_host(self, host: str) -> None:
        """Log a request for another host, up to MAX_HOST_LOGS in a window: a client can invent any number of hosts."""
        now = time.monotonic()
        if now - self._log_window_start > HOST_LOG_WINDOW_S:
            self._log_window_start, self._host_log_count = now, 0
        self._host_log_count += 1
        if self._host_log_count <= MAX_HOST_LOGS:
            log.warning(
                "refused a request for host %.100r: if it is a name of this server, add it to COURTLY_HOSTS", host
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            try:
                self._check(scope)
            except CommandRefusedError:
                await send({"type": "websocket.close"})  # before it is accepted: 403
                return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        is_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", DATA_POLICY)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check(scope)
            if scope["method"] not in ("GET", "HEAD"):
                if is_cross_site(Headers(scope=scope)):
                    raise CommandRefusedError("error-elsewhere")
                register_body_reader(scope)
                body = await _read_body(receive, MAX_BODY_BYTES_BY_PATH.get(scope["path"], MAX_BODY_BYTES))
                if body is None:
                    return
                receive = _replay_body(body, receive)
            await self.app(scope, receive, send_with_headers)
        except CommandRefusedError as refused:
            await _closing_response(refused)(scope, receive, send_with_headers)
            return
        except asyncio.CancelledError:  # the server stops
            if not is_started:
                await _closing_response(CommandRefusedError("error-restart"))(scope, receive, send_with_headers)
            raise


def _closing_response(refused: CommandRefusedError) -> JSONResponse:
    """Return an error response that closes the connection."""
    return JSONResponse(as_json(refused), STATUS_BY_ID[refused.id], {"connection": "close"})


def _is_known_proxy_chain(scope: Scope, headers: Headers) -> bool:
    """Return whether the client's address stands in X-Forwarded-For, as uvicorn sets it for trusted proxies."""
    return any(scope["client"] and scope["client"][0] in chain for chain in headers.getlist("x-forwarded-for"))


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the body of a request; None if the client disconnects before its end.

    Raises CommandRefusedError if the body is longer than `limit` bytes.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > limit:
            raise CommandRefusedError("error-too-large", limit=limit)
        if not message.get("more_body"):
            return bytes(body)


def _replay_body(body: bytes, receive_next: Receive) -> Receive:
    """Return an ASGI receiver that returns the body `body`, and after it the messages of `receive_next`."""
    waiting = [body]

    async def receive() -> Message:
        return {"type": "http.request", "body": waiting.pop(), "more_body": False} if waiting else await receive_next()

    return receive

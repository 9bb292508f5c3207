"""What every request passes through: it is meant for this server, its size has a bound, pages of other sites command
nothing, every answer has its headers, and a request that the server's end cuts off is answered."""

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

MAX_BODY_BYTES = 64 * 1024  # bytes of a request's body, or of a message on a socket
MAX_BODY_BYTES_BY_PATH = {"/api/replay": 1024 * 1024}  # of whole games
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOCAL_DOMAINS = ("local", "localhost", "lan", "internal", "home.arpa")  # what ends in these is nobody's in the world
HOST_LOG_WINDOW_S, MAX_HOST_LOGS = 60.0, 10  # so many requests for other hosts are told of in so many seconds
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

log = logging.getLogger("courtly.server")


def is_cross_site(headers: Headers) -> bool:
    """Does this come from a page of another site? Programs that are no browser send no origin."""
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != headers.get("host", "")
    except ValueError:  # no browser says such a thing
        return True


class AllowedHosts:
    """The names that this server goes by. A page elsewhere may have its own name lead here, to be taken for ours: no
    such name is a number, or known at home alone."""

    def __init__(self, settings: Settings):
        ours = {urlsplit(settings.address).hostname or "", socket.gethostname().lower(), *split_names(settings.hosts)}
        self._any = "*" in ours
        self._ours = ours
        self.known = lru_cache(1000)(self._known)

    def _known(self, host: str) -> bool:
        if self._any or not host:  # who says none is no browser
            return True
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._ours or "." not in name or any(name.endswith(f".{end}") for end in LOCAL_DOMAINS):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class RequestGuard:
    """ASGI middleware. Answers 400, 403, 413, 421 and, where the server stops meanwhile, 503 by itself."""

    def __init__(self, app: ASGIApp, settings: Settings):
        self.app = app
        self._hosts = AllowedHosts(settings)
        self._told = False  # of a proxy that nobody named
        self._since, self._named = 0.0, 0  # of this minute: how many requests for others were told of

    def _check(self, scope: Scope) -> None:
        """Refused if it is for somebody else, or two servers could understand it differently."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")[:300]
        if not self._hosts.known(host):
            self._tell_of(host)
            raise CommandRefusedError("error-host", host=host)
        if "content-length" in headers and "transfer-encoding" in headers:
            raise CommandRefusedError("error-malformed", where="body", problem="two_lengths")
        # of a proxy that is believed, who asks is somebody whom it named
        if not self._told and "x-forwarded-for" in headers and not _is_known_proxy_chain(scope, headers):
            self._told = True  # once is enough
            log.warning("a proxy passes requests on that COURTLY_PROXIES does not name: all count as one address")

    def _tell_of(self, host: str) -> None:
        """Of a few: somebody may think of names without end."""
        now = time.monotonic()
        if now - self._since > HOST_LOG_WINDOW_S:
            self._since, self._named = now, 0
        self._named += 1
        if self._named <= MAX_HOST_LOGS:
            log.warning(
                "a request for %.100r is refused: if people reach this server so, name it in COURTLY_HOSTS", host
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

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
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
            if not started:
                await _closing_response(CommandRefusedError("error-restart"))(scope, receive, send_with_headers)
            raise


def _closing_response(refused: CommandRefusedError) -> JSONResponse:
    """Return an answer after which the connection ends."""
    return JSONResponse(as_json(refused), STATUS_BY_ID[refused.id], {"connection": "close"})


def _is_known_proxy_chain(scope: Scope, headers: Headers) -> bool:
    return any(scope["client"] and scope["client"][0] in named for named in headers.getlist("x-forwarded-for"))


async def _read_body(receive: Receive, limit: int) -> bytes | None:
    """The whole body; None if whoever sent it has gone before its end. CommandRefusedError if it is too large."""
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


def _replay_body(body: bytes, then: Receive) -> Receive:
    """Return a receiver that gives a body that was read already, and then what comes after it."""
    waiting = [body]

    async def receive() -> Message:
        return {"type": "http.request", "body": waiting.pop(), "more_body": False} if waiting else await then()

    return receive

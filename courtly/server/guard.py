"""What every request passes through: a bound on its size, no commands from other sites' pages, and headers on every
answer."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from courtly.engine.position import Refused
from courtly.server.refusals import STATUS, as_json

BODY = 64 * 1024  # bytes of a request's body, or of a message on a socket
LONGER = {"/api/replay": 1024 * 1024}  # of whole games
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"


def foreign(headers: Headers) -> bool:
    """Does this come from a page of another site? Programs that are no browser send no origin."""
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


class Guard:
    """ASGI middleware. Answers 413 and 403 by itself."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", DATA_POLICY)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            if scope["method"] not in ("GET", "HEAD"):
                if foreign(Headers(scope=scope)):
                    raise Refused("error-elsewhere")
                receive = _again(await _body(receive, LONGER.get(scope["path"], BODY)))
        except Refused as refused:
            answer = JSONResponse(as_json(refused), STATUS[refused.id], {"connection": "close"})
            await answer(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)


async def _body(receive: Receive, limit: int) -> bytes:
    """The whole body. Refused if it is too large."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > limit:
            raise Refused("error-too-large", limit=limit)
        if not message.get("more_body"):
            return bytes(body)


def _again(body: bytes) -> Receive:
    """A receiver that gives a body that was read already."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    return receive

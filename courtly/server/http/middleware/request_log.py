"""Request ids, request metrics and the request log: the outermost middleware for requests and WebSockets.

Each request gets an id. Log entries that it causes contain the id, and the response returns it in `x-request-id`. The
request log, if configured, contains paths in which tokens and links are replaced by the name of the parameter, and no
query strings.
"""

from __future__ import annotations

import logging
import re
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from courtly.server.observability import metrics
from courtly.server.observability.log_setup import REQUEST_ID

REQUEST_ID_HEADER = "x-request-id"
REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9_.:-]{1,64}")  # ids accepted from a proxy
LOGGED_PARAMETER_PATTERN = re.compile(r"[\w-]{1,64}")  # other text could imitate a log entry
LOGGED_PARAMETERS = {"table", "table_id", "game", "seat"}  # path parameters that grant no access and name no guest

log = logging.getLogger("courtly.requests")


class RequestLog:
    """ASGI middleware that assigns request ids, counts requests and logs them."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        sent_id = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        request = sent_id if REQUEST_ID_PATTERN.fullmatch(sent_id) else secrets.token_hex(8)
        REQUEST_ID.set(request)
        start_time, status = time.monotonic(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        async def receive_logged() -> Message:
            nonlocal status
            message = await receive()
            if message["type"] == "websocket.disconnect":
                status = status or message.get("code", 1000)
            return message

        try:
            await self.app(scope, receive_logged, send_with_id)
        finally:
            duration_s = time.monotonic() - start_time
            if scope["type"] == "http":
                metrics.observe_request(status, duration_s)
            if log.isEnabledFor(logging.INFO):
                method = scope.get("method", "SOCKET")
                log.info("%s %s: %d after %.0f ms", method, loggable_path(scope), status, 1000 * duration_s)


def loggable_path(scope: Scope) -> str:
    """Return the path of a request without secret parameters; "(unknown)" if no route matches."""
    route = scope.get("route")  # set by FastAPI's router, not by Starlette's
    if route is None:
        route = next((page for page in scope["app"].routes if page.matches(scope)[0] == Match.FULL), None)
    if route is None or not hasattr(route, "path"):  # no match, or a group of routes
        return "(unknown)"
    parameters = {name: str(value) for name, value in scope.get("path_params", {}).items() if name in LOGGED_PARAMETERS}
    shown_parameters = {name: value for name, value in parameters.items() if LOGGED_PARAMETER_PATTERN.fullmatch(value)}
    return re.sub(r"\{(\w+)(:\w+)?\}", lambda part: shown_parameters.get(part[1], f"{{{part[1]}}}"), route.path)

"""Health checks and metrics for the server's operator.

They are for programs on the server's side of the proxy. No response contains data of a game or a guest.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from contextlib import suppress

from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import Connection, text, update
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from courtly.engine.position import CommandRefusedError
from courtly.server.application import Application
from courtly.server.http.dependencies import application_of
from courtly.server.observability import metrics
from courtly.server.persistence.engine import REVISIONS, VERSION_TABLE
from courtly.server.persistence.repository import insert_new
from courtly.server.persistence.schema import SETTINGS

DATABASE_TIMEOUT_S = 2.0  # seconds for the database to answer
READINESS_TTL_S = 1.0  # seconds for which a result is cached, so that frequent checks do not load the database
PROBE_SETTING = "written"  # name of the setting that is written to test whether the database is writable
NO_STORE = {"cache-control": "no-store"}


class Health:
    """The readiness check of one process."""

    def __init__(self, application: Application):
        self.application = application
        self._lock = asyncio.Lock()
        self._readiness: dict[str, bool] = {}
        self._cached_until = 0.0

    async def ready(self) -> dict[str, bool]:
        """Return for each requirement whether it is met: database, migrations and connection to other processes."""
        async with self._lock:
            if time.monotonic() >= self._cached_until:
                self._readiness = await self._check_dependencies()
                self._cached_until = time.monotonic() + READINESS_TTL_S
            return self._readiness

    async def _check_dependencies(self) -> dict[str, bool]:
        form = ""
        with suppress(SQLAlchemyError, TimeoutError):
            async with asyncio.timeout(DATABASE_TIMEOUT_S):
                form = await self.application.writer.do(_write_and_read)
        # a newer revision, made by a newer version of Courtly, also works with this one
        return {
            "database": bool(form),
            "migrations": form >= REVISIONS[-1],
            "others": self.application.peers.is_connected,
        }


def _write_and_read(connection: Connection) -> str:
    """Return the revision of the database schema, after a write: with a full disk, reads still succeed."""
    # SQLite writes nothing if the value stays the same
    probe_row = {"name": PROBE_SETTING, "value": str(time.time_ns())}
    connection.execute(insert_new(connection, SETTINGS), probe_row)
    connection.execute(update(SETTINGS).where(SETTINGS.c.name == PROBE_SETTING).values(probe_row))
    return str(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar())


async def alive(_request: Request) -> Response:
    """Answer /healthz: 200 while the event loop runs."""
    return JSONResponse({"alive": True}, headers=NO_STORE)


async def ready(request: Request) -> Response:
    """Answer /readyz: 200 if every requirement is met, otherwise 503."""
    health: Health = request.app.state.health
    requirements = await health.ready()
    return JSONResponse(requirements, 200 if all(requirements.values()) else 503, NO_STORE)


async def metrics_page(request: Request) -> Response:
    """Answer /metrics: 404 if no token is configured, 401 if the request has another token."""
    token = application_of(request).settings.metrics
    if not token:
        raise CommandRefusedError("error-unknown-page")
    if not hmac.compare_digest(request.headers.get("authorization", "").encode(), f"Bearer {token}".encode()):
        return Response(status_code=401, headers={"www-authenticate": "Bearer"})
    return Response(metrics.exposition(), media_type=CONTENT_TYPE_LATEST, headers=NO_STORE)


async def sample_metrics(application: Application) -> None:
    """Update the gauges of this process every SAMPLE_INTERVAL_S seconds until cancelled."""
    while True:
        metrics.SOCKETS.set(application.socket_limit.open_count)
        statuses = [table.status for table in application.tables.by_id.values()]
        for status in ("waiting", "playing", "over"):
            metrics.TABLES.labels(status).set(statuses.count(status))
        metrics.WAITING_WRITES.set(application.writer.waiting)
        outboxes = [
            subscriber.outbox for table in application.tables.by_id.values() for subscriber in table.subscribers
        ]
        outboxes += [outbox for _, outbox in application.lobby.watchers]
        metrics.LONGEST_SEND_QUEUE.set(max((outbox.length for outbox in outboxes), default=0))
        await asyncio.sleep(metrics.SAMPLE_INTERVAL_S)


HEALTH_ROUTES = [Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics_page)]

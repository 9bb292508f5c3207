"""The FastAPI application: its routes, error handlers, startup and shutdown."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.routing import Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from courtly import __version__
from courtly.engine.game import game_ids
from courtly.engine.position import CommandRefusedError
from courtly.server.actions.bot_driver import start_bots
from courtly.server.actions.flag_timers import FlagTimers
from courtly.server.actions.number_exchange_timers import NumberExchangeTimers
from courtly.server.application import Application
from courtly.server.assets.bundle import AssetBundle
from courtly.server.assets.versions import AssetVersions
from courtly.server.dev.inspector import INSPECTOR_ROUTES, inspector
from courtly.server.dev.live_reload import LIVE_RELOAD_ROUTE, LiveReload, dev
from courtly.server.errors import STATUS_BY_ID, as_json, storage_refusal
from courtly.server.http.api import API_ROUTERS
from courtly.server.http.api_version import resolve_version
from courtly.server.http.middleware.request_guard import RequestGuard
from courtly.server.http.middleware.request_log import RequestLog
from courtly.server.http.openapi_page import OPENAPI_ROUTES, describe
from courtly.server.http.routes.health import HEALTH_ROUTES, Health, sample_metrics
from courtly.server.http.routes.lessons import LESSON_ROUTES
from courtly.server.http.routes.pages import PAGE_ROUTES, render_app_page, wants_html
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.timeouts import STORAGE_RETRY_DELAY_S
from courtly.server.realtime.websockets import SOCKET_ROUTES
from courtly.server.schemas.requests import malformed_arguments
from courtly.server.security.rate_limits import REFUSAL_DELAY_S
from courtly.server.settings import Settings
from courtly.server.sync.peer_sync import PeerSync

MAX_STARTUP_TRIES = 20
# Thresholds of the garbage collector. The server creates few reference cycles but many small objects (views); with
# Python's default thresholds, the collector took a quarter of the time of a move.
GC_THRESHOLDS = (20_000, 20, 50)

T = TypeVar("T")

log = logging.getLogger("courtly.server")

API_DESCRIPTION = (
    "Five court games to play with friends and bots. Responses contain message ids and parameters, not sentences."
)


async def retry_while_unavailable(work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `work`, retrying while the database refuses: it may still be starting.

    Waits STORAGE_RETRY_DELAY_S before each retry. Raises SQLAlchemyError after MAX_STARTUP_TRIES retries.
    """
    for _ in range(MAX_STARTUP_TRIES):
        try:
            return await work()
        except SQLAlchemyError as error:
            log.error("startup waits for the database: %s", database_reason(error))
            await asyncio.sleep(STORAGE_RETRY_DELAY_S)
    return await work()


class _WebApp(FastAPI):
    """A FastAPI application that passes WebSockets to `sockets`, past the HTTP middleware.

    The HTTP middleware would otherwise keep its objects for each WebSocket for as long as it is open.
    """

    sockets: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection.

        The messages of failed startups and shutdowns are emptied: `make_app` logs these failures, and the exception's
        own text may contain stored values.
        """

        async def send_without_text(message: Message) -> None:
            await send({**message, "message": ""} if message["type"].endswith(".failed") else message)

        scope = resolve_version(scope)
        if scope["type"] == "websocket":
            scope["app"] = self
            await self.sockets(scope, receive, send)
        else:
            await super().__call__(scope, receive, send_without_text if scope["type"] == "lifespan" else send)

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI description that `/openapi.json` serves."""
        return describe(self)


def make_app(
    settings: Settings, engine: Engine, statics: AssetBundle, restart: Callable[[], None] = lambda: None
) -> FastAPI:
    """Return the application.

    Args:
        settings: The settings of this process.
        engine: An open database whose schema is up to date.
        statics: The files that browsers load.
        restart: Stops the server and starts a new one on the same port; used with `--dev`.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with open_application(app):
                yield
        except SQLAlchemyError as error:
            log.error("startup or shutdown failed: the database refused: %s", database_reason(error))
            raise
        except Exception:
            log.exception("startup or shutdown failed")
            raise

    @asynccontextmanager
    async def open_application(app: FastAPI) -> AsyncIterator[None]:
        writer = GroupCommitWriter(engine)
        application = app.state.application = await retry_while_unavailable(
            lambda: Application.open(settings, writer, statics)
        )
        await retry_while_unavailable(application.turn_notifications.load_settings)
        await PeerSync.join(application, engine)
        if application.peers.has_duty:
            await application.turn_notifications.activate()
        app.state.health, app.state.editions = Health(application), AssetVersions(application.writer, statics)
        metrics_task = asyncio.create_task(sample_metrics(application)) if settings.metrics else None
        start_bots(application)
        exchange = NumberExchangeTimers(application)
        flags = await retry_while_unavailable(lambda: FlagTimers.start(application))
        if settings.compile_ahead and not settings.dev:  # with --dev the rules change often
            application.bots.compile_ahead(game_ids())
            statics.compiled.compile_ahead()
        live_reload = app.state.live_reload = LiveReload(application, restart) if settings.dev else None
        gc.set_threshold(*GC_THRESHOLDS)
        gc.collect()
        gc.freeze()  # objects created so far are permanent; the collector need not scan them again
        try:
            yield
        finally:
            app.state.editions.close()
            if metrics_task:
                metrics_task.cancel()
            if live_reload:
                live_reload.close()
            await exchange.close()
            await flags.close()
            await statics.compiled.close()
            await application.close()

    app = _WebApp(
        title="Courtly",
        version=__version__,
        description=API_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        routes=[*PAGE_ROUTES, *LESSON_ROUTES, *OPENAPI_ROUTES, *HEALTH_ROUTES, *SOCKET_ROUTES],
    )
    for router in API_ROUTERS:
        app.include_router(router)
    if settings.dev:
        app.include_router(dev)
        app.include_router(inspector)
        app.router.routes += [*INSPECTOR_ROUTES, LIVE_RELOAD_ROUTE]
    app.sockets = RequestLog(
        RequestGuard(Router([*SOCKET_ROUTES, LIVE_RELOAD_ROUTE] if settings.dev else SOCKET_ROUTES), settings)
    )
    app.add_middleware(RequestGuard, settings=settings)
    app.add_middleware(RequestLog)
    app.add_exception_handler(CommandRefusedError, _handle_refusal)
    app.add_exception_handler(RequestValidationError, _handle_malformed)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(SQLAlchemyError, _handle_storage_error)
    app.add_exception_handler(Exception, _handle_unexpected_error)
    return app


def _error_response(request: Request, refused: CommandRefusedError) -> Response:
    """Return the error response: an HTML page for a browser, JSON for any other client."""
    status = STATUS_BY_ID[refused.id]
    response = render_app_page(request, status) if wants_html(request) else JSONResponse(as_json(refused), status)
    response.headers.add_vary_header("accept")
    return response


async def _handle_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, CommandRefusedError)
    response = _error_response(request, error)
    if response.status_code == 429:
        await asyncio.sleep(REFUSAL_DELAY_S)
        response.headers["retry-after"] = "1"
    return response


async def _handle_malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _error_response(request, CommandRefusedError("error-malformed", **malformed_arguments(list(error.errors()))))


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    refusals = {404: CommandRefusedError("error-unknown-page"), 405: CommandRefusedError("error-unknown-method")}
    return _error_response(
        request,
        refusals.get(error.status_code, CommandRefusedError("error-malformed", where="body", problem="unreadable")),
    )


async def _handle_storage_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, SQLAlchemyError)
    log.error("the database refused: %s", database_reason(error))
    return _error_response(request, storage_refusal(error))


async def _handle_unexpected_error(request: Request, _error: Exception) -> Response:
    return _error_response(request, CommandRefusedError("error-server"))

"""The application: routes, errors, and what is opened and closed with it."""

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
from courtly.server.actions.bot_driver import drive_bots
from courtly.server.actions.flag_timers import Flags
from courtly.server.actions.number_exchange_timers import Exchange
from courtly.server.application import RETRY, House
from courtly.server.assets.bundle import Statics
from courtly.server.assets.versions import Editions
from courtly.server.dev.inspector import INSPECTOR, inspector
from courtly.server.dev.live_reload import SOCKET, Workshop, dev
from courtly.server.errors import STATUS, as_json, unkept
from courtly.server.http import lessons
from courtly.server.http.account import router as me
from courtly.server.http.api import api
from courtly.server.http.health import HEALTH, Health
from courtly.server.http.middleware.request_guard import Guard
from courtly.server.http.middleware.request_log import Requests
from courtly.server.http.notification_settings import reach
from courtly.server.http.openapi_page import REFERENCE, describe
from courtly.server.http.pages import PAGES, for_people, show
from courtly.server.observability import metrics
from courtly.server.observability.log_setup import reason
from courtly.server.persistence.group_commit import Writer
from courtly.server.realtime.websockets import SOCKETS
from courtly.server.schemas.requests import where_wrong
from courtly.server.security.rate_limits import REFUSAL_DELAY_S
from courtly.server.settings import Settings
from courtly.server.sync.peer_sync import Peers

TRIES = 20  # to open the house
# How much is made, and how often, until Python looks for what nobody needs any more. Hardly anything goes in circles
# here, and views are so many small things that looking as often as Python does took a quarter of a move's time.
SELDOM = (20_000, 20, 50)

T = TypeVar("T")

log = logging.getLogger("courtly.server")

ABOUT = "Five games of the royal court at one table. Answers carry message ids and parameters, never prose."


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """What it gives. A database that refuses while the house is opened may only be starting itself."""
    for _ in range(TRIES):
        try:
            return await work()
        except SQLAlchemyError as error:
            log.error("the house waits: the database refused: %s", reason(error))
            await asyncio.sleep(RETRY)
    return await work()


class _Application(FastAPI):
    """Sockets go their own way: what answers requests would be wrapped around each for as long as it is open."""

    sockets: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What goes wrong while the house is opened or closed is told below, in our words: not once more with all that
        the exception says."""

        async def said(message: Message) -> None:
            await send({**message, "message": ""} if message["type"].endswith(".failed") else message)

        if scope["type"] == "websocket":
            scope["app"] = self
            await self.sockets(scope, receive, send)
        else:
            await super().__call__(scope, receive, said if scope["type"] == "lifespan" else send)

    def openapi(self) -> dict[str, Any]:
        """What `/openapi.json` says."""
        return describe(self)


def make_app(settings: Settings, engine: Engine, statics: Statics, again: Callable[[], None] = lambda: None) -> FastAPI:
    """The application over an open database. `again` has the server end and start again."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with open_house(app):
                yield
        except SQLAlchemyError as error:
            log.error("the house stays closed: the database refused: %s", reason(error))
            raise
        except Exception:
            log.exception("the house cannot be opened, or closed")
            raise

    @asynccontextmanager
    async def open_house(app: FastAPI) -> AsyncIterator[None]:
        writer = Writer(engine)
        house = app.state.house = await patiently(lambda: House.opened(settings, writer, statics))
        await patiently(house.notices.learn)
        await Peers.joined(house, engine)
        if house.peers.duty:
            await house.notices.begin()
        app.state.health, app.state.editions = Health(house), Editions(house.writer, statics)
        measuring = asyncio.create_task(metrics.look(house)) if settings.metrics else None
        drive_bots(house)
        exchange = Exchange(house)
        flags = await patiently(lambda: Flags.raised(house))
        if settings.compile_ahead and not settings.dev:  # an author's rules change all the time
            house.pool.compile_ahead(game_ids())
        workshop = app.state.workshop = Workshop(house, again) if settings.dev else None
        gc.set_threshold(*SELDOM)
        gc.collect()
        gc.freeze()  # all that is there by now stays: to look through it for garbage again would halt play each time
        try:
            yield
        finally:
            app.state.editions.close()
            if measuring:
                measuring.cancel()
            if workshop:
                workshop.close()
            await exchange.close()
            await flags.close()
            await house.close()

    app = _Application(
        title="Courtly",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        routes=[*PAGES, *lessons.PAGES, *REFERENCE, *HEALTH, *SOCKETS],
    )
    app.include_router(api)
    app.include_router(me)
    app.include_router(reach)
    app.include_router(lessons.lessons)
    if settings.dev:
        app.include_router(dev)
        app.include_router(inspector)
        app.router.routes += [*INSPECTOR, SOCKET]
    app.sockets = Requests(Guard(Router([*SOCKETS, SOCKET] if settings.dev else SOCKETS), settings))
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(Requests)
    app.add_exception_handler(CommandRefusedError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(SQLAlchemyError, _storage)
    app.add_exception_handler(Exception, _broken)
    return app


def _answer(request: Request, refused: CommandRefusedError) -> Response:
    """A page for people, JSON for programs."""
    status = STATUS[refused.id]
    answer = show(request, status) if for_people(request) else JSONResponse(as_json(refused), status)
    answer.headers["vary"] = "accept"
    return answer


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, CommandRefusedError)
    answer = _answer(request, error)
    if answer.status_code == 429:
        await asyncio.sleep(REFUSAL_DELAY_S)
        answer.headers["retry-after"] = "1"
    return answer


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _answer(request, CommandRefusedError("error-malformed", **where_wrong(list(error.errors()))))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = {404: CommandRefusedError("error-unknown-page"), 405: CommandRefusedError("error-unknown-method")}
    return _answer(
        request,
        known.get(error.status_code, CommandRefusedError("error-malformed", where="body", problem="unreadable")),
    )


async def _storage(request: Request, error: Exception) -> Response:
    assert isinstance(error, SQLAlchemyError)
    log.error("the database refused: %s", reason(error))
    return _answer(request, unkept(error))


async def _broken(request: Request, _error: Exception) -> Response:
    return _answer(request, CommandRefusedError("error-server"))

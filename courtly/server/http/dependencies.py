"""What HTTP endpoints take as parameters: the application, the guest of the cookie, the table of the path."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Header, Query, Request, Response
from pydantic import BeforeValidator
from starlette.requests import HTTPConnection

from courtly.engine.position import CommandRefusedError
from courtly.server.application import Application
from courtly.server.schemas.requests import Key
from courtly.server.security.signed_tokens import COOKIE_AGE_S, COOKIE_NAME
from courtly.server.tables.table import LiveTable


def application_of(request: Request) -> Application:
    application: Application = request.app.state.application
    return application


# FastAPI calls each dependency that is no coroutine in a thread of its own: several hops for every request.


async def _application_dependency(request: Request) -> Application:
    return application_of(request)


def client_address(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


async def rate_limited_guest(request: Request) -> str | None:
    """The guest whose cookie came along, if any. CommandRefusedError if that guest, or an address, asks too often."""
    application = application_of(request)
    guest = application.guests.identify(request)
    if not application.command_limit.take(guest, client_address(request)):
        raise CommandRefusedError("error-too-fast")
    return guest


async def require_guest(guest: Annotated[str | None, Depends(rate_limited_guest)]) -> str:
    """The guest. CommandRefusedError without a cookie."""
    if guest is None:
        raise CommandRefusedError("error-no-cookie")
    return guest


def set_cookie(application: Application, request: Request, response: Response, guest: str) -> None:
    response.set_cookie(
        COOKIE_NAME,
        application.guests.cookie(guest),
        max_age=COOKIE_AGE_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )


async def find_table(
    table_id: str,
    application: Annotated[Application, Depends(_application_dependency)],
    _: Annotated[str | None, Depends(rate_limited_guest)],
) -> LiveTable:
    return await application.tables.get(table_id)


ApplicationDep = Annotated[Application, Depends(_application_dependency)]
MaybeGuestDep = Annotated[str | None, Depends(rate_limited_guest)]
GuestDep = Annotated[str, Depends(require_guest)]
TableDep = Annotated[LiveTable, Depends(find_table)]
SeatParam = Annotated[int | None, BeforeValidator(lambda text: None if text in ("", "null") else text)]
ViewpointParam = Annotated[
    int | Literal["all"] | None, BeforeValidator(lambda text: None if text in ("", "null") else text)
]
TimeParam = Annotated[int, Query(ge=0, lt=1 << 63)]  # milliseconds since 1970, as a database can hold them
IdempotencyKey = Annotated[Key, Header(alias="Idempotency-Key")]

"""Dependencies and parameter types of the HTTP endpoints: application, guest, table, seat, time, idempotency key."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Header, Query, Request, Response
from pydantic import BeforeValidator
from starlette.requests import HTTPConnection

from courtly.engine.position import CommandRefusedError
from courtly.server.application import Application
from courtly.server.schemas.requests import Key
from courtly.server.security.rate_limits import network_of
from courtly.server.security.signed_tokens import COOKIE_AGE_S, COOKIE_NAME
from courtly.server.tables.table import LiveTable


def application_of(request: Request) -> Application:
    application: Application = request.app.state.application
    return application


# Dependencies are coroutines: FastAPI calls any other function in a thread, which costs several switches per request.


async def _application_dependency(request: Request) -> Application:
    return application_of(request)


def client_address(request: HTTPConnection) -> str:
    """Return the IP address of a client; empty if it is unknown."""
    return request.client.host if request.client else ""


async def rate_limited_guest(request: Request) -> str | None:
    """Return the guest of the request's cookie, or None without a valid cookie.

    Raises CommandRefusedError if the guest or the address has sent too many requests.
    """
    application = application_of(request)
    guest = application.guests.identify(request)
    if not application.command_limit.take(guest, client_address(request)):
        raise CommandRefusedError("error-too-fast")
    return guest


async def require_guest(guest: Annotated[str | None, Depends(rate_limited_guest)]) -> str:
    """Return the guest of the request's cookie. Raises CommandRefusedError without a valid cookie."""
    if guest is None:
        raise CommandRefusedError("error-no-cookie")
    return guest


def set_cookie(application: Application, request: Request, response: Response, guest: str) -> None:
    """Set the cookie that identifies a guest."""
    response.set_cookie(
        COOKIE_NAME,
        application.guests.sign_cookie(guest),
        max_age=COOKIE_AGE_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )


def limit_openings(application: Application, request: Request) -> None:
    """Raise CommandRefusedError if the client's address has opened too many tables."""
    if not application.table_limit.take(network_of(client_address(request))):
        raise CommandRefusedError("error-too-fast")


async def find_table(
    table_id: str,
    application: Annotated[Application, Depends(_application_dependency)],
    _: Annotated[str | None, Depends(rate_limited_guest)],
) -> LiveTable:
    """Return the table of the path. Raises CommandRefusedError if it does not exist."""
    return await application.tables.get(table_id)


ApplicationDep = Annotated[Application, Depends(_application_dependency)]
MaybeGuestDep = Annotated[str | None, Depends(rate_limited_guest)]
GuestDep = Annotated[str, Depends(require_guest)]
TableDep = Annotated[LiveTable, Depends(find_table)]
SeatParam = Annotated[int | None, BeforeValidator(lambda text: None if text in ("", "null") else text)]
ViewpointParam = Annotated[
    int | Literal["all"] | None, BeforeValidator(lambda text: None if text in ("", "null") else text)
]
TimeParam = Annotated[int, Query(ge=0, lt=1 << 63)]  # milliseconds since 1970; fits into a column of 64 bits
IdempotencyKey = Annotated[Key, Header(alias="Idempotency-Key")]

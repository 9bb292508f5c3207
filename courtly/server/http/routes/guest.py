"""The HTTP API of a guest's identity: id and name."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from courtly.server.actions import seating
from courtly.server.http.dependencies import ApplicationDep, GuestDep, MaybeGuestDep, set_cookie
from courtly.server.persistence import repository
from courtly.server.schemas.requests import SetName
from courtly.server.security.signed_tokens import new_guest_id
from courtly.session import schemas
from courtly.session.text_cleaning import clean_name

router = APIRouter(prefix="/api")


@router.get("/me", tags=["guest"])
async def get_me(request: Request, response: Response, application: ApplicationDep, guest: MaybeGuestDep) -> schemas.Me:
    """Return the caller's id and name. Sets a cookie with a new id if the request has none."""
    if guest is None:
        guest = new_guest_id()
        set_cookie(application, request, response, guest)
    return {"id": guest, "name": await application.guests.load_name(guest)}


@router.put("/me", tags=["guest"])
async def set_name(body: SetName, application: ApplicationDep, guest: GuestDep) -> schemas.Me:
    """Set the caller's name: 1 to 24 characters, none of them invisible."""
    name = clean_name(body.name)
    await application.writer.do(lambda c: repository.save_name(c, guest, name))
    application.peers.publish("guest", g=guest)
    seating.rename_guest(application, guest, name)
    return {"id": guest, "name": name}

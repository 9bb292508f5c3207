"""How I am told that it is my turn when I am not here: what can be chosen, and the links in mails."""

from __future__ import annotations

from fastapi import APIRouter, Request

from courtly.engine.position import CommandRefusedError
from courtly.server.application import House
from courtly.server.http.api import Anyone, Guest, The, address
from courtly.server.persistence.repository import Reach
from courtly.server.schemas.requests import ReachWish
from courtly.server.security.rate_limits import household
from courtly.server.services.notification_delivery import is_mail
from courtly.server.services.webhook_client import is_hook
from courtly.session import schemas

reach = APIRouter(prefix="/api")


def _told(house: House, mine: Reach) -> schemas.Reach:
    return {
        "ways": list(house.notices.post.ways),
        "mail": mine.mail,
        "confirmed": bool(mine.confirmed),
        "hook": mine.hook,
        "form": mine.form,
        "silent": bool(mine.silent),
    }


@reach.get("/me/reach", tags=["guest"])
async def look(house: The, guest: Guest) -> schemas.Reach:
    """How I am told, and in what ways this server could."""
    return _told(house, house.notices.reach.get(guest, Reach(guest)))


@reach.put("/me/reach", tags=["guest"])
async def change(wish: ReachWish, request: Request, house: The, guest: Guest) -> schemas.Reach:
    """Be told so from now on. A new mail address is sent a link that confirms it; a new hook gets a first message at
    once, and is refused if it takes none."""
    notices, before = house.notices, house.notices.reach.get(guest, Reach(guest))
    for way, given, reads in (("mail", wish.mail, is_mail), ("hook", wish.hook, is_hook)):
        if given and way not in notices.post.ways:
            raise CommandRefusedError(f"error-{way}", why="off")
        if given and not reads(given):
            raise CommandRefusedError(f"error-{way}", why="form")
    same = wish.mail == before.mail
    mine = Reach(guest, wish.language, wish.mail or None, before.confirmed if same else 0, wish.hook or None, wish.form)
    greeted = not mine.hook or (mine.hook, mine.form, 0) == (before.hook, before.form, before.silent)
    senders = {guest, household(address(request)), mine.mail or guest}
    if not (same and greeted) and not all(map(house.letters.take, senders)):
        raise CommandRefusedError("error-too-fast")
    await notices.change(mine, greeted)
    return _told(house, mine)


@reach.get("/mail/{token}", tags=["guest"])
async def read(token: str, house: The, _: Anyone) -> schemas.MailLink:
    """What a link in a mail is for. Nothing is done: programs that look into mails follow links."""
    what, mail = await house.notices.follow(token, do=False)
    return {"what": what, "mail": mail}


@reach.post("/mail/{token}", tags=["guest"])
async def follow(token: str, house: The, _: Anyone) -> schemas.MailLink:
    """Do it: confirm the address, or send no more to it."""
    what, mail = await house.notices.follow(token, do=True)
    return {"what": what, "mail": mail}

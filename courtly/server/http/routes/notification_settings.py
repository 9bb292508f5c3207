"""The HTTP API of notifications about a guest's turn: settings, and the links in mails."""

from __future__ import annotations

from fastapi import APIRouter, Request

from courtly.engine.position import CommandRefusedError
from courtly.server.application import Application
from courtly.server.http.dependencies import ApplicationDep, GuestDep, MaybeGuestDep, client_address
from courtly.server.persistence.repository import NotificationSetting
from courtly.server.schemas.requests import SetNotifications
from courtly.server.security.rate_limits import network_of
from courtly.server.services.notification_delivery import is_mail
from courtly.server.services.webhook_client import is_hook
from courtly.session import schemas

router = APIRouter(prefix="/api")


def _settings_response(application: Application, mine: NotificationSetting) -> schemas.NotificationSettings:
    return {
        "ways": list(application.turn_notifications.post.ways),
        "mail": mine.email,
        "confirmed": bool(mine.email_confirmed),
        "hook": mine.webhook_url,
        "form": mine.webhook_format,
        "silent": bool(mine.webhook_disabled),
    }


@router.get("/me/reach", tags=["guest"])
async def get_settings(application: ApplicationDep, guest: GuestDep) -> schemas.NotificationSettings:
    """Return the caller's notification settings, and the ways in which this server can notify."""
    return _settings_response(application, application.turn_notifications.reach.get(guest, NotificationSetting(guest)))


@router.put("/me/reach", tags=["guest"])
async def change_settings(
    wish: SetNotifications, request: Request, application: ApplicationDep, guest: GuestDep
) -> schemas.NotificationSettings:
    """Change the caller's notification settings.

    The server sends a confirmation link to a new mail address, and a first message to a new hook. A hook that does not
    accept the message is refused.
    """
    notices, before = (
        application.turn_notifications,
        application.turn_notifications.reach.get(guest, NotificationSetting(guest)),
    )
    for way, given, reads in (("mail", wish.mail, is_mail), ("hook", wish.hook, is_hook)):
        if given and way not in notices.post.ways:
            raise CommandRefusedError(f"error-{way}", why="off")
        if given and not reads(given):
            raise CommandRefusedError(f"error-{way}", why="form")
    same = wish.mail == before.email
    mine = NotificationSetting(
        guest, wish.language, wish.mail or None, before.email_confirmed if same else 0, wish.hook or None, wish.form
    )
    greeted = not mine.webhook_url or (mine.webhook_url, mine.webhook_format, 0) == (
        before.webhook_url,
        before.webhook_format,
        before.webhook_disabled,
    )
    senders = {guest, network_of(client_address(request)), mine.email or guest}
    if not (same and greeted) and not all(map(application.mail_limit.take, senders)):
        raise CommandRefusedError("error-too-fast")
    await notices.change(mine, greeted)
    return _settings_response(application, mine)


@router.get("/mail/{token}", tags=["guest"])
async def describe_mail_link(token: str, application: ApplicationDep, _: MaybeGuestDep) -> schemas.MailLink:
    """Return the purpose of a link in a mail. Changes nothing, because mail scanners open links."""
    what, mail = await application.turn_notifications.follow(token, do=False)
    return {"what": what, "mail": mail}


@router.post("/mail/{token}", tags=["guest"])
async def use_mail_link(token: str, application: ApplicationDep, _: MaybeGuestDep) -> schemas.MailLink:
    """Carry out the purpose of a link in a mail: confirm the address, or stop sending to it."""
    what, mail = await application.turn_notifications.follow(token, do=True)
    return {"what": what, "mail": mail}

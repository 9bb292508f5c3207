"""The HTTP API of notifications about a guest's turn: settings, and the links in mails."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request

from courtly.engine.position import CommandRefusedError
from courtly.server.application import Application
from courtly.server.http.dependencies import ApplicationDep, GuestDep, MaybeGuestDep, client_address
from courtly.server.persistence.repository import NotificationSetting
from courtly.server.schemas.requests import SetNotifications
from courtly.server.security.rate_limits import network_of
from courtly.server.services.notification_delivery import CHANNEL_ERRORS, DeliveryChannel, is_mail
from courtly.server.services.webhook_client import is_hook
from courtly.session import schemas

router = APIRouter(prefix="/api")


def _settings_response(application: Application, setting: NotificationSetting) -> schemas.NotificationSettings:
    return {
        "channels": list(application.turn_notifications.delivery.channels),
        "email": setting.email,
        "email_confirmed": bool(setting.email_confirmed),
        "webhook": setting.webhook_url,
        "webhook_format": setting.webhook_format,
        "webhook_disabled": bool(setting.webhook_disabled),
    }


@router.get("/me/notifications", tags=["guest"])
async def get_settings(application: ApplicationDep, guest: GuestDep) -> schemas.NotificationSettings:
    """Return the caller's notification settings, and the channels through which this server can notify."""
    return _settings_response(
        application, application.turn_notifications.settings.get(guest, NotificationSetting(guest))
    )


@router.put("/me/notifications", tags=["guest"])
async def change_settings(
    body: SetNotifications, request: Request, application: ApplicationDep, guest: GuestDep
) -> schemas.NotificationSettings:
    """Change the caller's notification settings.

    The server sends a confirmation link to a new mail address, and a first message to a new webhook. A webhook that
    does not accept the message is refused.
    """
    notices, before = (
        application.turn_notifications,
        application.turn_notifications.settings.get(guest, NotificationSetting(guest)),
    )
    channels: tuple[tuple[DeliveryChannel, str | None, Callable[[str], bool]], ...] = (
        ("email", body.email, is_mail),
        ("webhook", body.webhook, is_hook),
    )
    for channel, address, is_valid in channels:
        if address and channel not in notices.delivery.channels:
            raise CommandRefusedError(CHANNEL_ERRORS[channel], why="off")
        if address and not is_valid(address):
            raise CommandRefusedError(CHANNEL_ERRORS[channel], why="form")
    same = body.email == before.email
    new_setting = NotificationSetting(
        guest,
        body.language,
        body.email or None,
        before.email_confirmed if same else 0,
        body.webhook or None,
        body.webhook_format,
    )
    is_tested = not new_setting.webhook_url or (new_setting.webhook_url, new_setting.webhook_format, 0) == (
        before.webhook_url,
        before.webhook_format,
        before.webhook_disabled,
    )
    senders = {guest, network_of(client_address(request)), new_setting.email or guest}
    if not (same and is_tested) and not all(map(application.mail_limit.take, senders)):
        raise CommandRefusedError("error-too-fast")
    await notices.test_and_store(new_setting, is_tested)
    return _settings_response(application, new_setting)


@router.get("/mail/{token}", tags=["guest"])
async def describe_mail_link(token: str, application: ApplicationDep, _: MaybeGuestDep) -> schemas.MailLink:
    """Return the purpose of a link in a mail. Changes nothing, because mail scanners open links."""
    action, email = await application.turn_notifications.use_mail_link(token, carry_out=False)
    return {"action": action, "email": email}


@router.post("/mail/{token}", tags=["guest"])
async def use_mail_link(token: str, application: ApplicationDep, _: MaybeGuestDep) -> schemas.MailLink:
    """Carry out the purpose of a link in a mail: confirm the address, or stop sending to it."""
    action, email = await application.turn_notifications.use_mail_link(token, carry_out=True)
    return {"action": action, "email": email}

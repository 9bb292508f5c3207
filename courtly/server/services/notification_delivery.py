"""Delivery of notifications by mail, or to a webhook in the format of its service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from courtly.server.persistence.repository import NotificationSetting
from courtly.server.services.webhook_client import DeliveryError, Receiver, Webhooks
from courtly.server.settings import Settings

MAIL_TIMEOUT_S = 15.0
MAX_MAILS = 8  # concurrent deliveries
MAIL_MAX_CHARACTERS = 254  # characters of an address
REQUIRED_MODULES = ("aiosmtplib", "httpcore", "fluent.runtime")  # courtly[notices]

DeliveryChannel = Literal["email", "webhook"]
CHANNEL_ERRORS: dict[DeliveryChannel, str] = {"email": "error-mail", "webhook": "error-webhook"}


class TurnMessage(NamedTuple):
    """A message to a guest.

    `line` is a one-line summary, `text` the body of a mail, and `stop` the URL that ends these mails (empty: none).
    """

    game: str
    table: str
    line: str
    text: str
    link: str
    stop: str


def _topic(notice: TurnMessage, hook: str) -> dict[str, Any]:
    return {"topic": urlsplit(hook).path.strip("/"), "message": notice.line, "click": notice.link}


WEBHOOK_FORMATS: dict[str, Callable[[TurnMessage, str], dict[str, Any]]] = {
    "json": lambda notice, _: {"game": notice.game, "table": notice.table, "text": notice.line, "link": notice.link},
    "discord": lambda notice, _: {"content": f"{notice.line}\n{notice.link}"},
    "slack": lambda notice, _: {"text": f"{notice.line}\n{notice.link}"},
    "ntfy": _topic,
}


class NotificationDelivery:
    """Sends notifications. `channels` lists those that the installed modules and the settings allow."""

    def __init__(self, settings: Settings):
        self.address = settings.address.rstrip("/")
        self.mail, self.sender = urlsplit(settings.mail), settings.mail_from
        able = bool(self.address) and all(find_spec(name) for name in REQUIRED_MODULES)
        channels: tuple[DeliveryChannel, ...] = ("email", "webhook") if settings.mail else ("webhook",)
        self.channels = channels if able else ()
        self.webhooks = Webhooks(settings.allow_local_webhooks)
        self._mails = asyncio.Semaphore(MAX_MAILS)

    def usable_channels(self, setting: NotificationSetting) -> set[DeliveryChannel]:
        """Return the channels that a guest has chosen, confirmed and not disabled, and that this server supports."""
        is_chosen = {
            "email": bool(setting.email and setting.email_confirmed),
            "webhook": bool(setting.webhook_url and not setting.webhook_disabled),
        }
        return {channel for channel in self.channels if is_chosen[channel]}

    async def send_mail(self, setting: NotificationSetting, notice: TurnMessage) -> None:
        """Send a mail. Raises DeliveryError if the mail server does not accept it within MAIL_TIMEOUT_S."""
        async with self._mails:
            try:
                async with asyncio.timeout(MAIL_TIMEOUT_S):
                    await self._send_mail_to(str(setting.email), notice)
            except TimeoutError:
                raise DeliveryError(f"no answer within {MAIL_TIMEOUT_S:g} s") from None

    async def send_to_webhook(
        self,
        setting: NotificationSetting,
        notice: TurnMessage,
        receiver: Receiver | None = None,
        pauses_s: Sequence[float] = (),
    ) -> None:
        """Send a message to a webhook. Raises DeliveryError on failure. `receiver`, `pauses_s`: see Webhooks.send."""
        url = str(setting.webhook_url)
        body = WEBHOOK_FORMATS[setting.webhook_format](notice, url)
        if setting.webhook_format == "ntfy":  # ntfy accepts JSON only at its root path
            parts = urlsplit(url)
            url = f"{parts.scheme}://{parts.netloc}/"
        await self.webhooks.send(url, body, receiver, pauses_s)

    async def close(self) -> None:
        await self.webhooks.close()

    async def _send_mail_to(self, to: str, notice: TurnMessage) -> None:
        import aiosmtplib

        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.sender, to, notice.line
        mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain=urlsplit(self.address).hostname)
        mail["Auto-Submitted"] = "auto-generated"
        if notice.stop:
            mail["List-Unsubscribe"], mail["List-Unsubscribe-Post"] = f"<{notice.stop}>", "List-Unsubscribe=One-Click"
        mail.set_content(notice.text)
        server = self.mail
        try:
            await aiosmtplib.send(
                mail,
                hostname=server.hostname,
                port=server.port,
                username=unquote(server.username) if server.username else None,
                password=unquote(server.password) if server.password else None,
                use_tls=server.scheme == "smtps",
                timeout=MAIL_TIMEOUT_S,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            raise DeliveryError(str(error)) from error


def is_mail(text: str) -> bool:
    """Return whether a text is a mail address."""
    try:
        address = Address(addr_spec=text)
    except Exception:  # the parser may raise any exception
        return False
    return bool(address.username) and "." in address.domain and text.isascii() and len(text) <= MAIL_MAX_CHARACTERS

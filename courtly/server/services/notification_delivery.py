"""Sends a message by mail, or to a webhook in the form that its service reads."""

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
MAX_MAILS = 8  # sent at the same time
MAIL_MAX_CHARACTERS = 254  # of an address
REQUIRED_MODULES = ("aiosmtplib", "httpcore", "fluent.runtime")  # courtly[notices]

DeliveryMethod = Literal["mail", "hook"]
WebhookFormat = Literal["json", "discord", "slack", "ntfy"]


class TurnMessage(NamedTuple):
    """`line` says it all; `text` is a mail's; `stop` is where to go to get no more of them."""

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
    """`ways`: what this server can do, with what is installed and set."""

    def __init__(self, settings: Settings):
        self.address = settings.address.rstrip("/")
        self.mail, self.sender = urlsplit(settings.mail), settings.mail_from
        able = bool(self.address) and all(find_spec(name) for name in REQUIRED_MODULES)
        ways: tuple[DeliveryMethod, ...] = ("mail", "hook") if settings.mail else ("hook",)
        self.ways = ways if able else ()
        self.webhooks = Webhooks(settings.hooks_inside)
        self._mails = asyncio.Semaphore(MAX_MAILS)

    def can(self, reach: NotificationSetting) -> set[DeliveryMethod]:
        """In what ways this person is to be told."""
        wanted = {"mail": bool(reach.mail and reach.confirmed), "hook": bool(reach.hook and not reach.silent)}
        return {way for way in self.ways if wanted[way]}

    async def send_mail(self, reach: NotificationSetting, notice: TurnMessage) -> None:
        """DeliveryError says why it was not delivered."""
        async with self._mails:
            try:
                async with asyncio.timeout(MAIL_TIMEOUT_S):
                    await self._mail(str(reach.mail), notice)
            except TimeoutError:
                raise DeliveryError(f"no answer within {MAIL_TIMEOUT_S:g} s") from None

    async def send_hook(
        self,
        reach: NotificationSetting,
        notice: TurnMessage,
        receiver: Receiver | None = None,
        pauses_s: Sequence[float] = (),
    ) -> None:
        """DeliveryError says why it was not delivered. `receiver`, `pauses_s`: see Webhooks.send."""
        url = str(reach.hook)
        body = WEBHOOK_FORMATS[reach.form](notice, url)
        if reach.form == "ntfy":  # it takes JSON at its root
            parts = urlsplit(url)
            url = f"{parts.scheme}://{parts.netloc}/"
        await self.webhooks.send(url, body, receiver, pauses_s)

    async def close(self) -> None:
        await self.webhooks.close()

    async def _mail(self, to: str, notice: TurnMessage) -> None:
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
        except (aiosmtplib.SMTPException, OSError) as wrong:
            raise DeliveryError(str(wrong)) from wrong


def is_mail(text: str) -> bool:
    try:
        address = Address(addr_spec=text)
    except Exception:  # whatever its parser stumbles over
        return False
    return bool(address.username) and "." in address.domain and text.isascii() and len(text) <= MAIL_MAX_CHARACTERS

"""Sending a message: by mail, or as a request to an address that somebody has given (a webhook)."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
import ssl
from collections.abc import Callable, Iterable
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from courtly.server.settings import Settings
from courtly.server.store import Reach

if TYPE_CHECKING:
    import httpcore

WITHIN = 15.0  # seconds for a message
LONGEST = {"mail": 254, "hook": 500}  # characters of an address
INTERNET = ipaddress.IPv6Network("2000::/3")  # of which parts are for tunnels, or for books
TUNNELS = [ipaddress.IPv6Network(net) for net in ("2001::/23", "2002::/16", "3fff::/20")]
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # where a network without IPv4 finds it
NEEDED = ("aiosmtplib", "httpcore", "fluent.runtime")  # courtly[notices]

Way = Literal["mail", "hook"]
Form = Literal["json", "discord", "slack", "ntfy"]


class Undelivered(Exception):
    """Why, for the log. `status`: what was answered to a request; 0: nothing."""

    def __init__(self, why: str, status: int = 0):
        super().__init__(why)
        self.status = status


class Notice(NamedTuple):
    """`line` says it all; `text` is a mail's; `stop` is where to go to get no more of them."""

    game: str
    table: str
    line: str
    text: str
    link: str
    stop: str


def _topic(notice: Notice, hook: str) -> dict[str, Any]:
    return {"topic": urlsplit(hook).path.strip("/"), "message": notice.line, "click": notice.link}


FORMS: dict[str, Callable[[Notice, str], dict[str, Any]]] = {
    "json": lambda notice, _: {"game": notice.game, "table": notice.table, "text": notice.line, "link": notice.link},
    "discord": lambda notice, _: {"content": f"{notice.line}\n{notice.link}"},
    "slack": lambda notice, _: {"text": f"{notice.line}\n{notice.link}"},
    "ntfy": _topic,
}


class Post:
    """`ways`: what this server can do, with what is installed and set."""

    def __init__(self, settings: Settings):
        self.address = settings.address.rstrip("/")
        self.mail, self.sender, self.inside = urlsplit(settings.mail), settings.mail_from, settings.hooks_inside
        able = bool(self.address) and all(find_spec(name) for name in NEEDED)
        ways: tuple[Way, ...] = ("mail", "hook") if settings.mail else ("hook",)
        self.ways = ways if able else ()
        self._pool: httpcore.AsyncConnectionPool | None = None

    def can(self, reach: Reach) -> set[Way]:
        """In what ways this person is to be told."""
        wanted = {"mail": bool(reach.mail and reach.confirmed), "hook": bool(reach.hook)}
        return {way for way in self.ways if wanted[way]}

    async def send(self, way: Way, reach: Reach, notice: Notice) -> None:
        """Undelivered says why it could not be."""
        try:
            async with asyncio.timeout(WITHIN):
                if way == "mail":
                    await self._mail(str(reach.mail), notice)
                else:
                    await self._request(str(reach.hook), reach.form, notice)
        except TimeoutError:
            raise Undelivered("no answer in time") from None

    async def close(self) -> None:
        if self._pool:
            await self._pool.aclose()

    async def _mail(self, to: str, notice: Notice) -> None:
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
                timeout=WITHIN,
            )
        except (aiosmtplib.SMTPException, OSError) as wrong:
            raise Undelivered(str(wrong)) from wrong

    async def _request(self, hook: str, form: str, notice: Notice) -> None:
        import httpcore

        url = urlsplit(hook)
        if self._pool is None:
            self._pool = httpcore.AsyncConnectionPool(
                ssl_context=ssl.create_default_context(), network_backend=_outside(self.inside)
            )
        if form == "ntfy":  # it takes JSON at its root
            hook = f"{url.scheme}://{url.netloc}/"
        body = json.dumps(FORMS[form](notice, url.geturl()), ensure_ascii=False).encode()
        try:
            async with self._pool.stream(
                "POST", hook, headers={"content-type": "application/json", "user-agent": "courtly"}, content=body
            ) as answer:
                if not 200 <= answer.status < 300:
                    raise Undelivered(f"answered {answer.status}", answer.status)
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as wrong:
            raise Undelivered(str(wrong)) from wrong


def _outside(inside: bool) -> Any:
    """Connections to the world alone: an address that somebody gives must not reach what is open to this machine only.
    The name is asked for once, so that the address that was looked at is the one that is taken."""
    import httpcore

    class Outside(httpcore.AnyIOBackend):
        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> Any:
            try:
                found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except UnicodeError:  # a part of it is empty, or too long
                raise OSError("that is no name of a machine") from None
            addresses = [str(entry[4][0]) for entry in found]
            if not inside and not all(map(is_outside, addresses)):
                raise OSError("that address is not open to the world")
            return await super().connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    return Outside()


def is_outside(text: str) -> bool:
    """Does this address lead to the world, and not, by whatever way, to what is near?"""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        v4 = ipaddress.IPv4Address(address.packed[-4:]) if address in NAT64 else address.ipv4_mapped
        if v4 is None:
            return address.is_global and address in INTERNET and not any(address in net for net in TUNNELS)
        address = v4
    return address.is_global and not address.is_multicast


def is_mail(text: str) -> bool:
    try:
        address = Address(addr_spec=text)
    except Exception:  # whatever its parser stumbles over
        return False
    return bool(address.username) and "." in address.domain and text.isascii() and len(text) <= LONGEST["mail"]


def is_hook(text: str) -> bool:
    try:
        url = urlsplit(text)
        return (
            url.scheme in ("http", "https")
            and bool(url.hostname)
            and url.port != 0
            and text.isascii()
            and text.isprintable()
            and " " not in text
            and len(text) <= LONGEST["hook"]
        )
    except ValueError:
        return False

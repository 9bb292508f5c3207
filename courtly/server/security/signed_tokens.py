"""Who is asking: guests by a signed cookie, and links that carry a seat to another device."""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime
from hashlib import sha256

from itsdangerous import BadData, BadSignature, Signer, TimestampSigner, URLSafeTimedSerializer

from courtly.server.timekeeping import now

COOKIE_NAME = "courtly"
COOKIE_AGE_S = 400 * 24 * 3600  # seconds; browsers keep none longer
TICKET_AGE_S = 24 * 3600
RECALL_AGE_S = 2 * TICKET_AGE_S  # from when the ticket was made: a day at least after it was used
CONFIRM_AGE_S = 7 * 24 * 3600
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that is read as something else


class _ServerTimeSigner(TimestampSigner):
    """Sign with the server's time, which a step of the system's clock does not change."""

    def get_timestamp(self) -> int:
        return now() // 1000


def _is_fresh(made: datetime, age_s: int) -> bool:
    """Return whether a signature is at most `age_s` old. After a restart with a corrected clock it may have been made
    as long in the future."""
    return abs(now() / 1000 - made.timestamp()) <= age_s


class Signatures:
    """Cookies and links signed with the server's key."""

    def __init__(self, key: str):
        self._key = key.encode()
        self._guests = Signer(key, salt="courtly.guest", digest_method=sha256)
        self._tickets = _ServerTimeSigner(key, salt="courtly.ticket", digest_method=sha256)
        self._recalls, self._carriers, self._mails = (
            URLSafeTimedSerializer(
                key, salt=f"courtly.{purpose}", signer=_ServerTimeSigner, signer_kwargs={"digest_method": sha256}
            )
            for purpose in ("recall", "carrier", "mail")
        )

    def cookie(self, guest: str, era: int = 0) -> str:
        """`era`: how often all other browsers of this guest were signed out."""
        return self._guests.sign(f"{guest}:{era}" if era else guest).decode()

    def guest(self, cookie: str | None) -> tuple[str, int] | None:
        """Whose cookie this is, and of what era; None if it is nobody's."""
        try:
            guest, _, era = self._guests.unsign(cookie or "").decode().partition(":")
            return guest, int(era or 0)
        except (BadSignature, ValueError):
            return None

    def alias(self, reader: str | None, guest: str) -> str:
        """What a reader knows a guest by: the same at every table, and another one for every reader."""
        return hmac.digest(self._key, f"courtly.alias|{reader or ''}|{guest}".encode(), "sha256")[:8].hex()

    def ticket(self, table: str, seat: int, carried: int, era: int = 0) -> str:
        """Good once: using it raises the number of times the seat was carried. And in this era of who gives it."""
        return self._tickets.sign(f"{table}-{seat}-{carried}" + (f"-{era}" if era else "")).decode()

    def read_ticket(self, ticket: str) -> tuple[str, int, int, int] | None:
        """Table, seat, number of times carried and era; None if the ticket is false or too old."""
        try:
            signed, made = self._tickets.unsign(ticket, return_timestamp=True)
            table, seat, carried, *era = signed.decode().split("-")
            read = table, int(seat), int(carried), int(era[0]) if era else 0
        except (BadSignature, ValueError):
            return None
        return read if _is_fresh(made, TICKET_AGE_S) else None

    def recall(self, table: str, seat: int, carried: int, guest: str) -> str:
        """Return a token by which this guest can take the seat back while it has been carried this many times."""
        return str(self._recalls.dumps([table, seat, carried, guest]))

    def read_recall(self, token: str) -> tuple[str, int, int, str] | None:
        """Return table, seat, number of times carried and guest; None if the token is forged or too old."""
        try:
            (table, seat, carried, guest), made = self._recalls.loads(token, return_timestamp=True)
        except (BadData, ValueError):
            return None
        return (table, seat, carried, guest) if _is_fresh(made, RECALL_AGE_S) else None

    def carrier(self, guest: str, link: int) -> str:
        """Good once, for a day: by which another browser becomes this guest's."""
        return str(self._carriers.dumps([guest, link]))

    def read_carrier(self, ticket: str) -> tuple[str, int] | None:
        """Guest and number of the link; None if it is false or too old."""
        try:
            (guest, link), made = self._carriers.loads(ticket, return_timestamp=True)
        except (BadData, ValueError):
            return None
        return (guest, link) if _is_fresh(made, TICKET_AGE_S) else None

    def mail(self, what: str, guest: str, mail: str) -> str:
        """What a link in a mail to that address says: "confirm", or "stop"."""
        return str(self._mails.dumps([what, guest, mail]))

    def read_mail(self, token: str) -> tuple[str, str, str] | None:
        """The same, read; None if it is false, or asks to confirm and is too old."""
        try:
            (what, guest, mail), made = self._mails.loads(token, return_timestamp=True)
        except (BadData, ValueError):
            return None
        return None if what == "confirm" and not _is_fresh(made, CONFIRM_AGE_S) else (what, guest, mail)


def new_guest() -> str:
    return secrets.token_urlsafe(12)


def new_table_id() -> str:
    """Who does not know a private table does not find it."""
    return random_table_id(secrets.token_bytes(32))


def random_table_id(random: bytes) -> str:
    """Eight characters, about 2**39 of them."""
    number = int.from_bytes(random, "big")
    return "".join(ID_ALPHABET[number // len(ID_ALPHABET) ** i % len(ID_ALPHABET)] for i in range(8))

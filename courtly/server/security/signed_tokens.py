"""Signed cookies that identify guests, and signed tokens in links."""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime
from hashlib import sha256

from itsdangerous import BadData, BadSignature, Signer, TimestampSigner, URLSafeTimedSerializer

from courtly.server.timekeeping import now

COOKIE_NAME = "courtly"
COOKIE_AGE_S = 400 * 24 * 3600  # the longest age that browsers accept
TICKET_AGE_S = 24 * 3600
RECALL_AGE_S = 2 * TICKET_AGE_S  # after the ticket was made, and so at least a day after it was used
CONFIRM_AGE_S = 7 * 24 * 3600
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike


class _ServerTimeSigner(TimestampSigner):
    """A signer that uses the server's time, which does not jump when the system clock is set."""

    def get_timestamp(self) -> int:
        return now() // 1000


def _is_fresh(signed_at: datetime, age_s: int) -> bool:
    """Return whether a signature is at most `age_s` seconds old.

    A signature from the future is accepted for the same time: the clock may have been set back before a restart.
    """
    return abs(now() / 1000 - signed_at.timestamp()) <= age_s


class Signatures:
    """Cookies and tokens signed with the server's key."""

    def __init__(self, key: str):
        self._key = key.encode()
        self._guests = Signer(key, salt="courtly.guest", digest_method=sha256)
        self._tickets = _ServerTimeSigner(key, salt="courtly.ticket", digest_method=sha256)
        self._reclaim_tokens, self._carriers, self._mails = (
            URLSafeTimedSerializer(
                key, salt=f"courtly.{purpose}", signer=_ServerTimeSigner, signer_kwargs={"digest_method": sha256}
            )
            for purpose in ("reclaim", "carrier", "mail")
        )

    def sign_cookie(self, guest: str, epoch: int = 0) -> str:
        """Return a guest's cookie. `epoch` is the number of times that the guest signed out all other browsers."""
        return self._guests.sign(f"{guest}:{epoch}" if epoch else guest).decode()

    def read_cookie(self, cookie: str | None) -> tuple[str, int] | None:
        """Return the guest and the epoch of a cookie; None if there is no cookie or it is forged."""
        try:
            guest, _, epoch = self._guests.unsign(cookie or "").decode().partition(":")
            return guest, int(epoch or 0)
        except (BadSignature, ValueError):
            return None

    def alias(self, reader: str | None, guest: str) -> str:
        """Return the id by which `reader` knows `guest`: the same at every table, and different for each reader."""
        return hmac.digest(self._key, f"courtly.alias|{reader or ''}|{guest}".encode(), "sha256")[:8].hex()

    def seat_link_token(self, table: str, seat: int, transfer_count: int, epoch: int = 0) -> str:
        """Return the token of a link that moves a seat to another device.

        The token works once, because its use increases the seat's `transfer_count`. It also becomes invalid when the
        epoch of the guest who made it changes.
        """
        return self._tickets.sign(f"{table}-{seat}-{transfer_count}" + (f"-{epoch}" if epoch else "")).decode()

    def read_seat_link_token(self, ticket: str) -> tuple[str, int, int, int] | None:
        """Return table, seat, `transfer_count` and epoch; None if the token is forged or too old."""
        try:
            signed, signed_at = self._tickets.unsign(ticket, return_timestamp=True)
            table, seat, transfer_count, *epoch = signed.decode().split("-")
            read = table, int(seat), int(transfer_count), int(epoch[0]) if epoch else 0
        except (BadSignature, ValueError):
            return None
        return read if _is_fresh(signed_at, TICKET_AGE_S) else None

    def reclaim_token(self, table: str, seat: int, transfer_count: int, guest: str) -> str:
        """Return a token with which a guest can take back a seat, as long as `transfer_count` has not changed."""
        return str(self._reclaim_tokens.dumps([table, seat, transfer_count, guest]))

    def read_reclaim_token(self, token: str) -> tuple[str, int, int, str] | None:
        """Return table, seat, `transfer_count` and guest; None if the token is forged or too old."""
        try:
            (table, seat, transfer_count, guest), made_at = self._reclaim_tokens.loads(token, return_timestamp=True)
        except (BadData, ValueError):
            return None
        return (table, seat, transfer_count, guest) if _is_fresh(made_at, RECALL_AGE_S) else None

    def identity_link_token(self, guest: str, link: int) -> str:
        """Return the token of an identity link, which signs another browser in as `guest`. It is valid for a day."""
        return str(self._carriers.dumps([guest, link]))

    def read_identity_link_token(self, ticket: str) -> tuple[str, int] | None:
        """Return the guest and the number of an identity link; None if the token is forged or too old."""
        try:
            (guest, link), signed_at = self._carriers.loads(ticket, return_timestamp=True)
        except (BadData, ValueError):
            return None
        return (guest, link) if _is_fresh(signed_at, TICKET_AGE_S) else None

    def mail_token(self, purpose: str, guest: str, mail: str) -> str:
        """Return the token of a link in a mail to the address `mail`. `purpose` is "confirm" or "stop"."""
        return str(self._mails.dumps([purpose, guest, mail]))

    def read_mail_token(self, token: str) -> tuple[str, str, str] | None:
        """Return purpose, guest and address of a mail's token; None if it is forged, or a "confirm" that is too old."""
        try:
            (purpose, guest, mail), signed_at = self._mails.loads(token, return_timestamp=True)
        except (BadData, ValueError):
            return None
        return None if purpose == "confirm" and not _is_fresh(signed_at, CONFIRM_AGE_S) else (purpose, guest, mail)


def new_guest_id() -> str:
    """Return a random guest id."""
    return secrets.token_urlsafe(12)


def new_table_id() -> str:
    """Return a random table id, which cannot be guessed."""
    return random_table_id(secrets.token_bytes(32))


def new_secret() -> str:
    """Return the random secret of a new table, 32 bytes in hexadecimal."""
    return secrets.token_hex(32)


def random_table_id(random: bytes) -> str:
    """Return a table id made from random bytes: 8 characters, about 2**39 possible ids."""
    number = int.from_bytes(random, "big")
    return "".join(ID_ALPHABET[number // len(ID_ALPHABET) ** i % len(ID_ALPHABET)] for i in range(8))

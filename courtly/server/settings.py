"""Server settings.

Each field except `data` is read from an environment variable: COURTLY_ and the field's name in capitals, such as
COURTLY_BOT_WORKERS=4. `data` is an option of `courtly serve`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

PARSERS: dict[str, Callable[[str], str | float | int | bool]] = {
    "str": str,
    "float": float,
    "int": int,
    "bool": lambda text: text not in ("", "0"),
}
WEB_SCHEMES, MAIL_SCHEMES = ("http", "https"), ("smtp", "smtps")
SQLITE, POSTGRESQL = "sqlite", "postgresql+psycopg"  # SQLAlchemy driver names
HOST_PATTERN = re.compile(r"\*|[a-z0-9-]+(\.[a-z0-9-]+)*")
WEB = Path(__file__).parent.parent / "web"


def is_utf8(path: Path) -> bool:
    """Return whether a path is valid UTF-8. SQLAlchemy accepts no other paths."""
    return not any("\ud800" <= c <= "\udfff" for c in str(path))


def shown_path(path: Path) -> str:
    """Return a path as text, with each byte that is not valid UTF-8 escaped, such as \\xff."""
    return os.fsencode(path).decode(errors="backslashreplace")


def split_names(text: str) -> list[str]:
    """Return the names in a comma-separated list, lower-case and without spaces around them."""
    return [name.strip().lower() for name in text.split(",") if name.strip()]


def parse_database_address(text: str) -> str:
    """Return a database address in the form that SQLAlchemy reads.

    Raises ValueError if the text is not an address, if it names another kind of database, or if psycopg is not
    installed. The error message does not contain the password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError("not an address such as postgresql://name:password@server/database") from None
    if url.drivername in ("postgres", "postgresql"):  # SQLAlchemy would choose psycopg2 for these
        url = url.set(drivername=POSTGRESQL)
    if url.drivername not in (SQLITE, POSTGRESQL):
        raise ValueError(f"expected sqlite: or postgresql: at the beginning, found {url.drivername}:")
    try:
        url.get_dialect().import_dbapi()
    except ImportError:
        raise ValueError("PostgreSQL needs psycopg: pip install 'courtly[postgres]'") from None
    return url.render_as_string(hide_password=False)


@dataclass(frozen=True)
class Settings:
    data: Path  # folder of the SQLite database
    database: str = ""  # database address, such as postgresql://…; empty: SQLite in `data`
    # The same database without the pooler (such as PgBouncer) that `database` leads through. Used for session state:
    # LISTEN, advisory locks and migrations.
    database_direct: str = ""
    workers: int = 1  # server processes; several need PostgreSQL
    dev: bool = False  # for rules authors: open pages reload when a file is saved, see live_reload.py
    bot_pause: float = 0.7  # seconds between a bot's decisions; 0: no pause, which reveals how long the bot searched
    bot_limit: float = 5.0  # seconds after which a bot is stopped; the server then plays a squire's move instead
    bot_workers: int = 2  # processes for bots that search, and the same number for all other bots
    compile_ahead: bool = True  # compile all games after the start, at low priority; false: compile on first use
    hint_workers: int = 1  # processes that compute hints
    hint_limit: float = 30.0  # seconds after which a hint is given up
    hints_per_second: float = 1.0  # hints of one guest; burst: ten seconds' worth
    grace: float = 60.0  # seconds for which a player may be away before a substitute can take the seat
    # an address (of IPv6: one /64) may send as much as this number of guests, such as a family or a school class
    people_per_address: int = 10
    commands_per_second: float = 20.0  # commands of one guest; burst: three seconds' worth
    chat_messages_per_minute: float = 20.0  # chat messages of one guest; burst: 15 seconds' worth
    tables_per_minute: float = 30.0  # new tables of one address; burst: two minutes' worth
    tables_per_guest: int = 100  # unfinished games of one guest
    tables: int = 20_000  # tables in memory
    sockets: int = 5_000  # WebSockets of one process; lowered to fit the limit of open files
    sockets_per_guest: int = 32
    review_simulations: int = 800  # simulations for each analysed move of a review
    review_limit: float = 1800.0  # seconds after which a review is given up
    address: str = ""  # public address of this server, such as https://games.example, for links in messages
    # Further host names that the server answers to, such as games.example,www.games.example; *: any. The server always
    # answers to the name in `address`, the machine's name, IP addresses and local-network names, see request_guard.py.
    hosts: str = ""
    # Trusted proxies, such as 127.0.0.1,10.0.0.0/8. X-Forwarded-For and X-Forwarded-Proto are honoured only from these
    # addresses; all clients behind any other proxy count as one address.
    proxies: str = ""
    mail: str = ""  # mail server, such as smtp://name:password@mail.example:587, or smtps://…
    mail_from: str = ""  # sender of mails
    allow_local_webhooks: bool = False  # allow webhooks to addresses of this machine and its network
    max_queued_messages: int = 100  # messages that may wait for a slow client before it is disconnected
    log_level: str = "warning"  # debug, info, warning or error, see log_setup.py
    log_json: bool = False  # write each log entry as a JSON object on one line
    log_requests: bool = False  # log each request, without tokens and links that give access; see request_log.py
    metrics: str = ""  # bearer token that may read /metrics; empty: /metrics does not exist

    @property
    def database_url(self) -> str:
        return self.database or str(URL.create("sqlite", database=str(self.data / "courtly.db")))

    @classmethod
    def from_environment(cls, data: Path) -> Settings:
        """Return settings read from the environment and checked. Raises ValueError that names the invalid variable."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            text = os.environ.get(f"COURTLY_{field.name.upper()}")
            if text is None or field.name == "data":
                continue
            try:
                values[field.name] = PARSERS[str(field.type)](text)
            except ValueError:
                expected = "a whole number" if field.type == "int" else "a number"
                raise ValueError(f"COURTLY_{field.name.upper()}: expected {expected}, found {text!r}") from None
        for name in ("database", "database_direct"):
            if values.get(name):
                try:
                    values[name] = parse_database_address(values[name])
                except ValueError as error:
                    raise ValueError(f"COURTLY_{name.upper()}: {error}") from None
        settings = cls(data, **values)
        settings.check()
        return settings

    def check(self) -> None:
        """Raise ValueError if a setting is invalid or if two settings contradict each other."""
        if not self.database and not is_utf8(self.data):
            raise ValueError(f"{shown_path(self.data)}: the folder's name is not UTF-8; choose another with --data")
        if self.workers < 1:
            raise ValueError(f"expected 1 or more worker processes, found {self.workers}")
        if self.workers > 1 and not self.database.startswith("postgresql"):
            raise ValueError(
                f"{self.workers} processes need PostgreSQL, such as COURTLY_DATABASE=postgresql://…; "
                "SQLite serves only one process"
            )
        if self.workers > 1 and sys.platform == "win32":
            raise ValueError(f"{self.workers} processes cannot share a port on Windows: expected COURTLY_WORKERS=1")
        both = (self.database, self.database_direct)
        if self.database_direct and not all(url.startswith("postgresql") for url in both):
            raise ValueError(
                "COURTLY_DATABASE_DIRECT needs COURTLY_DATABASE; both must be PostgreSQL addresses, "
                "COURTLY_DATABASE the one of the pooler"
            )
        if self.workers > 1 and self.dev:
            raise ValueError("--dev runs in one process: leave --workers out")
        for name, text, schemes in (("ADDRESS", self.address, WEB_SCHEMES), ("MAIL", self.mail, MAIL_SCHEMES)):
            url = urlsplit(text)
            if text and not (url.scheme in schemes and url.hostname):
                expected = " or ".join(f"{scheme}://" for scheme in schemes)
                raise ValueError(f"COURTLY_{name}: expected {expected} and the name of a server, found {text!r}")
        for host in split_names(self.hosts):
            if not HOST_PATTERN.fullmatch(host):
                raise ValueError(
                    f"COURTLY_HOSTS: expected a host name such as games.example, found {host!r}; "
                    "write an international name as xn--…"
                )
        for proxy in split_names(self.proxies):
            try:
                ip_network(proxy)
            except ValueError as error:
                raise ValueError(f"COURTLY_PROXIES: {error}") from None
        if self.mail and not (self.mail_from and self.address):
            raise ValueError("COURTLY_MAIL also needs COURTLY_MAIL_FROM and COURTLY_ADDRESS")

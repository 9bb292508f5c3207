"""What can be set. Every field but `data`, which is an option of `courtly serve`, can be given in the environment as
COURTLY_ and its name in capitals, such as COURTLY_BOT_WORKERS=4."""

from __future__ import annotations

import os
import re
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
SQLITE, POSTGRESQL = "sqlite", "postgresql+psycopg"  # SQLAlchemy's names
HOST_PATTERN = re.compile(r"\*|[a-z0-9-]+(\.[a-z0-9-]+)*")
WEB = Path(__file__).parent.parent / "web"


def is_utf8(path: Path) -> bool:
    """Return whether every byte of a path is part of a character: SQLAlchemy takes no other."""
    return not any("\ud800" <= c <= "\udfff" for c in str(path))


def shown_path(path: Path) -> str:
    """Return a path with each byte that is no part of a character as an escape, such as \\xff."""
    return os.fsencode(path).decode(errors="backslashreplace")


def split_names(text: str) -> list[str]:
    """Those that are listed with commas between them."""
    return [name.strip().lower() for name in text.split(",") if name.strip()]


def parse_database_address(text: str) -> str:
    """Of a database, as SQLAlchemy reads it. ValueError if it is none, or cannot be had; it does not repeat the
    password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError("not an address such as postgresql://name:password@server/database") from None
    if url.drivername in ("postgres", "postgresql"):  # which would be that of another driver
        url = url.set(drivername=POSTGRESQL)
    if url.drivername not in (SQLITE, POSTGRESQL):
        raise ValueError(f"begins with {url.drivername}:, and not with sqlite: or postgresql:")
    try:
        url.get_dialect().import_dbapi()
    except ImportError:
        raise ValueError("PostgreSQL needs psycopg: pip install 'courtly[postgres]'") from None
    return url.render_as_string(hide_password=False)


@dataclass(frozen=True)
class Settings:
    data: Path  # folder of the database
    database: str = ""  # such as postgresql://…; empty: SQLite in `data`
    # where that leads through a pooler, such as PgBouncer: the same database without it, for what belongs to a session
    database_direct: str = ""
    workers: int = 1  # processes that serve; several need PostgreSQL
    dev: bool = False  # for authors: pages follow their files when these are saved, see live_reload.py
    # seconds between a bot's decisions, so that people can follow; 0: none, and its thoughts show
    bot_pause: float = 0.7
    bot_limit: float = 5.0  # seconds after which a bot is stopped and a squire's move made in its place
    bot_workers: int = 2  # processes for bots that search, and as many for all others
    compile_ahead: bool = True  # all games' searches from the start, at low priority; else where they are wanted
    help_workers: int = 1  # processes that think for people who want help
    help_limit: float = 30.0  # seconds after which they are stopped
    questions_per_second: float = 1.0  # of one person who wants help; ten seconds' worth may come at once
    grace: float = 60.0  # seconds in which who has closed the page may come back before a bot can stand in
    # all who are behind one address (of IPv6: one /64) may do as much as so many people: a family, or a class at school
    people_per_address: int = 10
    commands_per_second: float = 20.0  # of one person; three seconds' worth may come at once
    sayings_per_minute: float = 20.0  # of one person at tables; a quarter of a minute's worth may come at once
    tables_per_minute: float = 30.0  # new tables from one address; two minutes' worth may come at once
    tables_per_guest: int = 100  # unfinished games one person may be in
    tables: int = 20_000  # games in memory
    sockets: int = 5_000  # connections altogether; fewer where the system lets a process open less
    sockets_per_guest: int = 32
    review_simulations: int = 800  # of each move that is looked into when a finished game is analysed
    review_limit: float = 1800.0  # seconds after which that is given up
    address: str = ""  # where people reach this server, such as https://games.example: for links in messages
    # other names that people reach it by, such as games.example,www.games.example; *: any. The name in `address`, this
    # machine's own, addresses in numbers and names that only a home network has are known anyway, see request_guard.py
    hosts: str = ""
    # proxies in front of this server, such as 127.0.0.1,10.0.0.0/8: whom they say that they speak for, and whether they
    # are reached by https, is believed; else all who come through one count as one address
    proxies: str = ""
    mail: str = ""  # the server that mail is sent by, such as smtp://name:password@mail.example:587, or smtps://
    mail_from: str = ""  # whom it is from
    hooks_inside: bool = False  # messages may be sent to addresses of this machine and its network, too
    predictable: bool = False  # for tests: whoever opens a table may name what is dealt there, see table_seeds.py
    outbox: int = 100  # messages that may wait for a slow reader before it is dropped
    log_level: str = "warning"  # debug, info, warning or error, see log_setup.py
    log_json: bool = False  # each entry of the log is a JSON object on a line
    log_requests: bool = False  # the log says what was asked, without what may seat somebody; see request_log.py
    metrics: str = ""  # what a program says, as its bearer token, that may read /metrics; empty: none may

    @property
    def database_url(self) -> str:
        return self.database or str(URL.create("sqlite", database=str(self.data / "courtly.db")))

    @classmethod
    def from_environment(cls, data: Path) -> Settings:
        """ValueError names a variable that cannot be read."""
        given: dict[str, Any] = {}
        for field in fields(cls):
            text = os.environ.get(f"COURTLY_{field.name.upper()}")
            if text is None or field.name == "data":
                continue
            try:
                given[field.name] = PARSERS[str(field.type)](text)
            except ValueError:
                raise ValueError(f"COURTLY_{field.name.upper()}: {text!r} is not a number") from None
        for name in ("database", "database_direct"):
            if given.get(name):
                try:
                    given[name] = parse_database_address(given[name])
                except ValueError as why:
                    raise ValueError(f"COURTLY_{name.upper()}: {why}") from None
        settings = cls(data, **given)
        settings.check()
        return settings

    def check(self) -> None:
        """ValueError says which settings do not go together."""
        if not self.database and not is_utf8(self.data):
            raise ValueError(f"{shown_path(self.data)}: the folder's name is not UTF-8, choose another by --data")
        if self.workers < 1:
            raise ValueError(f"{self.workers} processes cannot serve: 1, or more")
        if self.workers > 1 and not self.database.startswith("postgresql"):
            raise ValueError(
                f"{self.workers} processes need PostgreSQL, such as COURTLY_DATABASE=postgresql://…; "
                "one is right for SQLite"
            )
        both = (self.database, self.database_direct)
        if self.database_direct and not all(url.startswith("postgresql") for url in both):
            raise ValueError("COURTLY_DATABASE_DIRECT is for PostgreSQL with a pooler, which COURTLY_DATABASE leads to")
        if self.workers > 1 and self.dev:
            raise ValueError("one process is enough for an author: leave --workers out")
        for name, text, schemes in (("ADDRESS", self.address, WEB_SCHEMES), ("MAIL", self.mail, MAIL_SCHEMES)):
            url = urlsplit(text)
            if text and not (url.scheme in schemes and url.hostname):
                raise ValueError(
                    f"COURTLY_{name}: {text!r} does not begin with {' or '.join(schemes)} and name a server"
                )
        for host in split_names(self.hosts):
            if not HOST_PATTERN.fullmatch(host):
                raise ValueError(
                    f"COURTLY_HOSTS: {host!r} is no name such as games.example (xn--… where it has others)"
                )
        for proxy in split_names(self.proxies):
            try:
                ip_network(proxy)
            except ValueError as why:
                raise ValueError(f"COURTLY_PROXIES: {why}") from None
        if self.mail and not (self.mail_from and self.address):
            raise ValueError("COURTLY_MAIL needs COURTLY_MAIL_FROM and COURTLY_ADDRESS too")

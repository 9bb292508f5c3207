"""A table without a server: of a lesson, of a record, or in a browser that plays offline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from courtly.engine.match import Match
from courtly.session import schemas


def make_detached_table(match: Match, names: Sequence[str], you: int | None = None) -> schemas.TableInfo:
    """Return the description of a table that exists only in the answer."""
    return {
        "id": "",
        "game": match.game.id,
        "version": match.game.version,
        "options": match.options,
        "players": match.players,
        "status": "over" if match.over else "playing",
        "private": True,
        "host": False,
        "help": "off",
        "clock": None,
        "clocks": None,
        "chat_muted": True,
        "seats": [
            {
                "seat": seat,
                "kind": "person",
                "name": name,
                "bot": None,
                "you": seat == you,
                "connected": True,
                "grace_seconds": 0,
                "substitute": None,
                "votes": 0,
                "replacement": None,
                "help_consent": False,
                "pledge": None,
                "colour": get_args(schemas.SeatColor)[seat],
            }
            for seat, name in enumerate(names)
        ],
        "commitment": "",
        "redraws": 0,
        "secret": None,
        "nonces": [],
        "rematch_id": None,
        "review": None,
        "problem": None,
        "created_at": "",
    }

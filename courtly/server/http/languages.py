"""The language that a client prefers."""

from __future__ import annotations

from starlette.requests import Request

from courtly.engine.constants import LANGUAGES


def preferred_language(request: Request) -> str:
    """Return the first of LANGUAGES that the header Accept-Language names; the first of all if it names none.

    The page does the same with `navigator.languages` (user-settings.js). Browsers list languages by preference.
    """
    header = request.headers.get("accept-language", "")
    tags = (part.split(";")[0].strip().split("-")[0].lower() for part in header.split(","))
    return next((tag for tag in tags if tag in LANGUAGES), LANGUAGES[0])

"""What a link shows where it is shared: the game and who plays it, the moment of a finished game in words, and a
picture. In the language that whoever fetches it asks for, English if none."""

from __future__ import annotations

from html import escape
from typing import Any

from starlette.requests import Request

from courtly.engine.game import LANGUAGES, UnknownGame, find_game
from courtly.engine.match import Match
from courtly.server.house import House
from courtly.server.tables import Table

HERE = b"{{preview}}"  # in a page


def preview(request: Request, house: House) -> bytes:
    """The lines of a page's head that tell of it."""
    table = house.tables.get(request.path_params.get("table", ""))
    game = table.row.game if table else ""
    title, text = _told(table, _language(request), request.query_params.get("ply", "")) if table else ("Courtly", "")
    picture = f"games/{game}/board/art/preview.png"
    if picture not in house.statics.files:
        picture = "web/preview.png"
    told = {
        "og:site_name": "Courtly",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:image": f"{request.base_url}s/{house.statics.hash}/{picture}",
    }
    lines = [f'<meta property="{name}" content="{escape(content)}">' for name, content in told.items() if content]
    return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">']).encode()


def _language(request: Request) -> str:
    wanted = request.headers.get("accept-language", "").split(",")[0].strip()[:2]
    return wanted if wanted in LANGUAGES else LANGUAGES[0]


def _told(table: Table, language: str, ply: str) -> tuple[str, str]:
    """A title and a sentence; the names alone where nothing here speaks (courtly[review] is not installed)."""
    try:
        from courtly.review.said import DEVICES, Words

        words: Any = Words(find_game(table.row.game), language)
    except (ImportError, UnknownGame):
        return "Courtly", " · ".join(seat.name for seat in table.seats if seat.name)
    names = [seat.name or words.say(f"device-{DEVICES[seat.seat]}") for seat in table.seats]
    title = f"{words.say(table.row.game)} – {words.say('courtly')}"
    match = table.match
    if table.status == "waiting":
        text = words.say("waiting-for-players")
    elif match is None or not match.over:
        text = " · ".join(names)
    elif ply.isdecimal() and len(ply) < 9:
        text = _moment(match, int(ply), words, names)
    else:
        text = " · ".join(f"{name} {score}" for name, score in zip(names, match.scores or [], strict=True))
    return title, text


def _moment(match: Match, ply: int, words: Any, names: list[str]) -> str:
    """What was done last when the journal of a finished game was so long."""
    done = [entry for entry in match.entries[:ply] if entry.seat >= 0 and not entry.undo]
    if not done:
        return f"{' · '.join(names)}: {words.say('replay-start')}"
    seat, move = done[-1].seat, match.moves.decode(done[-1].move).as_json()
    told = words.tell(seat, move, names)
    return told if names[seat] in told else f"{names[seat]}{words.say('colon')}{told}"

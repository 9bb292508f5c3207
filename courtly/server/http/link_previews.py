"""Link previews (Open Graph tags) of the pages.

A preview of a table shows the game and its players; for a finished game, the moment that the link names, as text and
as an image. They are in the language that the client prefers.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING

from starlette.requests import Request

from courtly.engine.constants import LANGUAGES
from courtly.engine.game import UnknownGameError, find_game
from courtly.engine.match import Entry, Match
from courtly.engine.position import CommandRefusedError
from courtly.rendering.share_image import GameMoment, PlayerLine, points_of, points_text
from courtly.server.actions.game_commands import require_finished_match
from courtly.server.application import Application
from courtly.server.http.languages import preferred_language
from courtly.server.services import share_images
from courtly.server.tables.table import LiveTable
from courtly.session.seat_colors import assign_colors

if TYPE_CHECKING:
    from courtly.review.text import GameTexts

PREVIEW_PLACEHOLDER = b"{{preview}}"  # replaced by the tags when a page is served


def preview_tags(request: Request, application: Application) -> bytes:
    """Return the `<meta>` elements for the head of a page."""
    table = application.tables.by_id.get(request.path_params.get("table", ""))
    language = preferred_language(request)
    title, text = (
        _title_and_sentence(table, language, request.query_params.get("ply", "")) if table else ("Courtly", "")
    )
    properties = {
        "og:site_name": "Courtly",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:image": str(request.base_url)
        + _image_address(application, table, language, request.query_params.get("ply", "")),
    }
    lines = [f'<meta property="{name}" content="{escape(content)}">' for name, content in properties.items() if content]
    return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">']).encode()


def _image_address(application: Application, table: LiveTable | None, language: str, ply: str) -> str:
    """Return the path of the image: the moment of a finished game, or a picture of the game or of Courtly."""
    match = table.match if table else None
    if table and match and match.over and share_images.AVAILABLE:
        return f"t/{table.row.id}/moment.png?ply={_requested_ply(match, ply)}&language={language}"
    preview_path = f"games/{table.row.game if table else ''}/board/art/preview.png"
    return (
        f"s/{application.assets.hash}/{preview_path if preview_path in application.assets.files else 'web/preview.png'}"
    )


def _requested_ply(match: Match, ply: str) -> int:
    """Return the ply that a link names, at most the length of the journal; the end of the journal if it names none."""
    last = len(match.entries)
    return min(int(ply), last) if ply.isdecimal() and len(ply) < 9 else last


async def share_image(application: Application, table: LiveTable, language: str, ply: str, requester: str) -> bytes:
    """Return the PNG image of a moment of a finished game.

    Raises CommandRefusedError if the game is not over or if courtly[pictures] is not installed.
    """
    match = await require_finished_match(application, table)
    if not share_images.AVAILABLE:
        raise CommandRefusedError("error-unknown-page")
    language, shown_ply = language if language in LANGUAGES else LANGUAGES[0], _requested_ply(match, ply)
    key = (
        table.row.id,
        shown_ply,
        language,
        tuple(seat.name for seat in table.seats),
    )  # so that no cached image shows a deleted name
    cached = await application.share_images.find(key, requester)
    return cached or await application.share_images.draw(key, await _spectator_view(table, match, shown_ply, language))


async def _spectator_view(table: LiveTable, past: Match, shown_ply: int, language: str) -> GameMoment:
    from courtly.review.text import GameTexts

    words, match = GameTexts(past.game, language), await share_images.match_at(past, shown_ply)
    names, counted = _names(table, words), points_of(match)
    ranks = match.scores or counted
    players = [
        PlayerLine(name, colour, points_text(words, points), bool(ranks) and rank == max(ranks))
        for name, colour, points, rank in zip_longest(names, assign_colors(table.seats), counted, ranks)
    ]
    return GameMoment(
        past.game.id, words.format(past.game.id), _sentence(match, words, names), players, shown_ply / len(past.entries)
    )


def _title_and_sentence(table: LiveTable, language: str, ply: str) -> tuple[str, str]:
    """Return the title and the sentence of a preview; only the names if courtly[review] is not installed."""
    try:
        from courtly.review.text import GameTexts

        words = GameTexts(find_game(table.row.game), language)
    except (ImportError, UnknownGameError):
        return "Courtly", " · ".join(seat.name for seat in table.seats if seat.name)
    names = _names(table, words)
    title = f"{words.format(table.row.game)} – {words.format('courtly')}"
    match = table.match
    if table.status == "waiting":
        text = words.format("waiting-for-players")
    elif match is None or not match.over:
        text = " · ".join(names)
    elif ply.isdecimal() and len(ply) < 9:
        text = _moment(match, int(ply), words, names)
    else:
        text = _result(match, words, names)
    return title, text


def _result(match: Match, words: GameTexts, names: list[str]) -> str:
    """Return the winner, and all players with their points as the game states them, if they have any."""
    players = [f"{name} {points_text(words, points)}" for name, points in zip(names, points_of(match), strict=False)]
    return words.format("sentence-gap").join(
        [_sentence(match, words, names), *([" · ".join(players)] if players else [])]
    )


def _names(table: LiveTable, words: GameTexts) -> list[str]:
    from courtly.review.text import SEAT_DEVICES

    return [seat.name or words.format(f"device-{SEAT_DEVICES[seat.seat]}") for seat in table.seats]


def _moment(match: Match, ply: int, words: GameTexts, names: list[str]) -> str:
    """Return a sentence about the last move before `ply`, or about the start if there was none."""
    return _last_move_text(match.entries[:ply], match, words, names) or (
        f"{' · '.join(names)}: {words.format('replay-start')}"
    )


def _sentence(match: Match, words: GameTexts, names: list[str]) -> str:
    """Return a sentence about the result of a match that is over, otherwise about its last move."""
    if not match.over:
        return _last_move_text(match.entries, match, words, names) or words.format("replay-start")
    scores = match.scores or []
    winners = [name for name, score in zip(names, scores, strict=True) if score == max(scores)]
    return words.format("draw", names=" · ".join(winners)) if len(winners) > 1 else words.format("won", name=winners[0])


def _last_move_text(entries: Sequence[Entry], match: Match, words: GameTexts, names: list[str]) -> str:
    """Return a sentence about the last move of `entries`; empty if there is no move."""
    last = next((entry for entry in reversed(entries) if entry.seat >= 0 and not entry.undo), None)
    if last is None:
        return ""
    seat, move = last.seat, match.moves.decode(last.move).as_json()
    sentence = words.describe_move(seat, move, names)
    return sentence if names[seat] in sentence else f"{names[seat]}{words.format('colon')}{sentence}"

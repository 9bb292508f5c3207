"""The image of a position for shared links: the title, the last cue, the standing of each player, and the progress of
the game. It needs courtly[pictures]."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Protocol

from courtly.engine.position import Position

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from courtly.review.text import GameTexts

SIZE, DOOR, PLACE = (1200, 630), (342, 70, 858, 630), (24, 70)
LEFT, RIGHT, BOTTOM = 580, 1152, 600
MAX_LINES = 3  # of the text of the last cue
FONT_FAMILIES = {"serif": ("Serif", "Mincho", "Sans", "Signs"), "sans": ("Sans", "Gothic", "Signs")}
FONT_FACE_RULE = re.compile(
    r"font-family:Courtly " r"(\w+);font-weight:(\d+);[^}]*?src:url\(([^)]+)\)[^}]*?unicode-range:([^}]+)}"
)
UNICODE_RANGE = re.compile(r"U\+([0-9a-f]+)(?:-([0-9a-f]+))?")
COLOR_VARIABLE = re.compile(r"--([\w-]+): (?:var\(--light, )?(#[0-9a-f]{6})(?:\) var\(--dark, (#[0-9a-f]{6})\))?;")
# A unit that is not broken across lines: a word, or a CJK character with the punctuation after it.
UNBREAKABLE = re.compile(r"\s*(?:[⺀-￯]|[^\s⺀-￯]+)[、。，．）」』！？]*")


class PlayerLine(NamedTuple):
    name: str
    colour: str  # of the coat of arms
    points: str  # "" before anything is counted
    leads: bool


class GameMoment(NamedTuple):
    game: str
    title: str
    sentence: str
    players: Sequence[PlayerLine]
    progress: float  # share of the game that has been played, from 0 to 1


def points_of(match: Position) -> list[int]:
    """Return the players' points; an empty list if the game has no points yet."""
    count = getattr(match.game.measures, "points", None)
    if count is None:
        return match.scores or []
    points = [0] * match.players
    count(match.state, points)
    return points if any(points) else []


def points_text(words: GameTexts, points: int | None) -> str:
    """Return points as text in the game's own words, if it has a text for them; "" for None."""
    if points is None:
        return ""
    text = f"{words.game.id}-standing"
    return words.format(text, points=points, tens=points // 10, ones=points % 10) if words.has(text) else str(points)


class AssetContent(Protocol):
    """A file of the web page."""

    @property
    def plain(self) -> bytes: ...


class AssetSource(Protocol):
    """The files of the web page, by path."""

    @property
    def files(self) -> Mapping[str, AssetContent]: ...


class TextPainter:
    """Draws text with the fonts of the web page. Each character is drawn with the first font that contains it."""

    def __init__(self, statics: AssetSource, draw: ImageDraw):
        self.statics, self.draw = statics, draw

    def split_by_font(self, text: str, face: str, weight: int, size: int) -> Iterator[tuple[str, FreeTypeFont]]:
        font_files = _font_files(self.statics.files["web/fonts/fonts.css"].plain)
        fonts = [
            font
            for name in FONT_FAMILIES[face]
            for font in font_files.get((name, weight), font_files.get((name, 400), []))
        ]
        files = ((sign, next((file for file, signs in fonts if ord(sign) in signs), "")) for sign in text)
        for file, signs in groupby(files, lambda sign_and_file: sign_and_file[1]):
            if file:
                yield "".join(sign for sign, _ in signs), _font(self.statics.files[f"web/fonts/{file}"].plain, size)

    def width(self, text: str, face: str, weight: int, size: int) -> float:
        return sum(font.getlength(run) for run, font in self.split_by_font(text, face, weight, size))

    def write(
        self, x: float, y: float, text: str, colour: str, face: str, weight: int, size: int, width: float
    ) -> None:
        """Draw text on the baseline y, from x to the right. If it is wider than `width`, it is made smaller, and then
        truncated."""
        while size > 20 and self.width(text, face, weight, size) > width:
            size -= 2
        while self.width(text, face, weight, size) > width:
            text = text.rstrip("…")[:-1] + "…"
        for run, font in self.split_by_font(text, face, weight, size):
            self.draw.text((x, y), run, colour, font, anchor="ls")
            x += font.getlength(run)

    def lines(self, text: str, face: str, weight: int, size: int, width: float) -> list[str]:
        broken_lines = [""]
        for word in UNBREAKABLE.findall(text):
            if broken_lines[-1] and self.width(broken_lines[-1] + word, face, weight, size) > width:
                broken_lines.append("")
            broken_lines[-1] += word if broken_lines[-1] else word.lstrip()
        if len(broken_lines) > MAX_LINES:
            broken_lines[MAX_LINES - 1] += " …"
        return broken_lines[:MAX_LINES]


def render_png(statics: AssetSource, moment: GameMoment) -> bytes:
    """Return the image as PNG."""
    buffer = io.BytesIO()
    paint_moment(statics, moment).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def paint_moment(statics: AssetSource, moment: GameMoment) -> Image:
    """Return the image, in RGB and of the size SIZE."""
    from PIL import Image, ImageDraw

    colour = _dark_colors(statics)
    game_picture = _game_picture(statics, moment.game)
    picture = Image.new("RGB", SIZE, game_picture.getpixel((0, 0)))
    picture.paste(game_picture, PLACE)
    draw = ImageDraw.Draw(picture)
    pen, text_width = TextPainter(statics, draw), RIGHT - LEFT
    pen.write(LEFT, 96, moment.title, colour["word"], "serif", 700, 54, text_width)
    draw.rounded_rectangle((LEFT, 124, RIGHT, 132), 4, colour["line"])
    draw.rounded_rectangle((LEFT, 124, LEFT + max(8, text_width * moment.progress), 132), 4, colour["gold"])
    lines = pen.lines(moment.sentence, "sans", 400, 32, text_width - 48)
    foot = 164 + 28 + 46 * len(lines)
    draw.rounded_rectangle((LEFT, 164, RIGHT, foot), 12, colour["parchment"])
    for number, line in enumerate(lines):
        pen.write(LEFT + 24, 212 + 46 * number, line, colour["ink"], "sans", 400, 32, text_width - 48)
    row = min(58, (BOTTOM - foot - 12) // len(moment.players))
    for number, player in enumerate(moment.players):
        base = foot + 12 + row * (number + 1) - row // 4
        draw.rounded_rectangle((LEFT, base - 26, LEFT + 26, base + 6), 7, colour[player.colour], colour["word"], 2)
        weight, tint = (700, colour["gold"]) if player.leads else (400, colour["word"])
        size = min(32, row - 12)
        name_end = RIGHT - pen.width(player.points, "sans", weight, size)
        pen.write(LEFT + 44, base, player.name, tint, "sans", weight, size, name_end - LEFT - 64)
        pen.write(name_end, base, player.points, tint, "sans", weight, size, text_width)
    return picture


def _game_picture(statics: AssetSource, game: str) -> Image:
    """Return the game's preview image without its margins."""
    from PIL import Image

    file = statics.files.get(f"games/{game}/board/art/preview.png") or statics.files["web/preview.png"]
    return Image.open(io.BytesIO(file.plain)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS).crop(DOOR)


def _dark_colors(statics: AssetSource) -> dict[str, str]:
    """Return the colours of the page's dark theme, by name."""
    text = statics.files["web/style/tokens.css"].plain.decode()
    return {name: dark or light for name, light, dark in COLOR_VARIABLE.findall(text)}


@lru_cache(2)
def _font_files(css: bytes) -> dict[tuple[str, int], list[tuple[str, frozenset[int]]]]:
    """Return the font files of each face and weight, with the characters that they contain."""
    files_by_face: dict[tuple[str, int], list[tuple[str, frozenset[int]]]] = {}
    for name, weight, file, ranges in FONT_FACE_RULE.findall(css.decode()):
        files_by_face.setdefault((name, int(weight)), []).append(
            (file, frozenset(_covered_characters(UNICODE_RANGE.findall(ranges))))
        )
    return files_by_face


def _covered_characters(ranges: Iterable[tuple[str, str]]) -> Iterator[int]:
    for first, last in ranges:
        yield from range(int(first, 16), int(last or first, 16) + 1)


@lru_cache(128)
def _font(plain: bytes, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(io.BytesIO(plain), size)

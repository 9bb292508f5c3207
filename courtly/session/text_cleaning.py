"""The cleaning of names and chat messages that others will see."""

from __future__ import annotations

import unicodedata

from courtly.engine.position import CommandRefusedError

MAX_NAME_CHARACTERS = 24  # in Unicode code points
MAX_TEXT_CHARACTERS = 500

JOINERS = {0x200C, 0x200D}  # used between letters of some scripts, and in emoji
TAGS = range(0xE0020, 0xE0080)  # used in the flags of regions
FLAG = "\N{WAVING BLACK FLAG}"  # the base of such a flag
VISIBLE = "LNPS"  # major Unicode categories of visible characters
VIRAMA = 9  # canonical combining class
# The default-ignorable code points of categories L and M, except the selectors, and other code points whose glyph is
# blank: braille, a musical notehead, Egyptian and Khitan fillers. `_is_allowed` handles category Cf.
BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x13441, 0x13442, 0x16FE4, 0x1D159}
SELECTORS = {*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}  # variation selectors
KEYCAP = "\N{COMBINING ENCLOSING KEYCAP}"


def clean_name(name: str) -> str:
    """Return a name as it will be shown: in NFC, trimmed, without invisible characters.

    Raises CommandRefusedError if nothing is left, if it is too long, or if it contains characters that could disturb
    the text around it.
    """
    if len(name) > 20 * MAX_NAME_CHARACTERS:  # enough for any text that becomes a valid name by normalization
        raise CommandRefusedError("error-name", why="long")
    name = _without_blanks(name).strip()
    if not name:
        raise CommandRefusedError("error-name", why="empty")
    if len(name) > MAX_NAME_CHARACTERS:
        raise CommandRefusedError("error-name", why="long")
    if not all(_is_allowed(c) for c in name) or not any(unicodedata.category(c)[0] in VISIBLE for c in name):
        raise CommandRefusedError("error-name", why="characters")
    return name


def clean_text(text: str) -> str:
    """Return a chat message as it will be shown: in NFC, on one line, without characters that could disturb the text
    around it. Raises CommandRefusedError if nothing is left, or it is too long."""
    if len(text) > 20 * MAX_TEXT_CHARACTERS:
        raise CommandRefusedError("error-text", why="long")
    text = "".join(c for c in " ".join(text.split()) if _is_allowed(c))
    text = " ".join(_without_blanks(text).split())
    if not any(unicodedata.category(c)[0] in VISIBLE for c in text):
        raise CommandRefusedError("error-text", why="empty")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise CommandRefusedError("error-text", why="long")
    return text


def _is_allowed(c: str) -> bool:
    category = unicodedata.category(c)
    if category == "Cf":  # formatting: bidirectional controls and other invisible characters
        return ord(c) in JOINERS or ord(c) in TAGS
    return category[0] != "C" and category not in ("Zl", "Zp")


def _without_blanks(text: str) -> str:
    """Return the text in NFC without characters that are invisible at their place.

    Joiners stay where they change the rendering: in emoji, and in scripts whose letters join. Variation selectors stay
    after a character that can have variants, and tags stay in flags.
    """
    text = "".join(c for c in text if ord(c) not in BLANKS)
    visible: list[str] = []
    for index, c in enumerate(text):
        before, after = visible[-1] if visible else "", text[index + 1 : index + 2]
        if (
            (ord(c) in JOINERS and not _is_joined(before, after))
            or (ord(c) in SELECTORS and not _has_variants(before, after))
            or (ord(c) in TAGS and before != FLAG and (not before or ord(before) not in TAGS))
        ):
            continue
        visible.append(c)
    return unicodedata.normalize("NFC", "".join(visible))


def _is_joined(before: str, after: str) -> bool:
    """Return True if a joiner between these two characters can change the rendering; "" is an end of the text."""
    return bool(before) and (unicodedata.combining(before) == VIRAMA or (_can_join(before) and _can_join(after)))


def _can_join(c: str) -> bool:
    """Return True for a symbol, a mark, or a letter of a script that may have joined letters."""
    category = unicodedata.category(c) if c else ""
    letter = category == "Lo" and unicodedata.east_asian_width(c) == "N"
    return letter or category in ("So", "Sk", "Sm", "Mn", "Mc", "Me")


def _has_variants(before: str, after: str) -> bool:
    """Return True if a variation selector between these two characters can change the rendering."""
    if not before or before.isascii():
        return bool(before) and after == KEYCAP
    category = unicodedata.category(before)
    return category[0] in VISIBLE and category not in ("Lu", "Ll", "Lt")

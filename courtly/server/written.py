"""What people write, names and sayings, as it is shown to others."""

from __future__ import annotations

import unicodedata

from courtly.engine.position import Refused

NAME_LENGTH = 24  # characters, as Unicode counts them
TEXT_LENGTH = 500

JOINERS = {0x200C, 0x200D}  # between letters of some scripts, and within emoji
TAGS = range(0xE0020, 0xE0080)  # within the flags of regions
VISIBLE = "LNPS"  # major Unicode categories that put something on the screen


def clean_name(name: str) -> str:
    """A name as it will be shown: NFC, trimmed. Refused if it is empty, too long, or holds what could upset the text
    around it."""
    if len(name) > 20 * NAME_LENGTH:  # long enough for anything that normalizes to a name
        raise Refused("error-name", why="long")
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise Refused("error-name", why="empty")
    if len(name) > NAME_LENGTH:
        raise Refused("error-name", why="long")
    if not all(_allowed(c) for c in name) or not any(unicodedata.category(c)[0] in VISIBLE for c in name):
        raise Refused("error-name", why="characters")
    return name


def clean_text(text: str) -> str:
    """What somebody says, as it will be shown: NFC, on one line, without what could upset the text around it. Refused
    if nothing is left, or it is too long."""
    if len(text) > 20 * TEXT_LENGTH:
        raise Refused("error-text", why="long")
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    text = "".join(c for c in text if _allowed(c)).strip()
    if not any(unicodedata.category(c)[0] in VISIBLE for c in text):
        raise Refused("error-text", why="empty")
    if len(text) > TEXT_LENGTH:
        raise Refused("error-text", why="long")
    return text


def _allowed(c: str) -> bool:
    category = unicodedata.category(c)
    if category == "Cf":  # formatting: bidirectional controls and other invisible characters
        return ord(c) in JOINERS or ord(c) in TAGS
    return category[0] != "C" and category not in ("Zl", "Zp")

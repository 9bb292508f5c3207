"""Escaping of text from outside, such as names, headers and files, before it is printed or logged."""

from __future__ import annotations

import json
import unicodedata

JOINERS = "\u200c\u200d"  # formatting characters that scripts and emoji need


def escape_invisible(text: str, allowed: str = "\n\t") -> str:
    """Return the text with control, bidirectional and other invisible characters replaced by JSON escapes, such as
    \\u001b for ESC, so that it cannot control the terminal. The characters of `allowed` are not replaced."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(json.dumps(c)[1:-1] if _is_invisible(c) and c not in allowed else c for c in text)


def _is_invisible(c: str) -> bool:
    category = unicodedata.category(c)
    return c not in JOINERS and (category in ("Cc", "Cf", "Cs") or category in ("Zl", "Zp"))

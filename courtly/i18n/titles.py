"""The titles of games; reading them needs no Fluent library."""

from __future__ import annotations

import re
from pathlib import Path


def read_title(folder: Path, game: str, language: str) -> str:
    """Return a game's title from the catalogue of this language in its folder, or its id if there is none.

    Args:
        folder: The game's folder.
        game: Its id.
    """
    file = folder / f"{language}.ftl"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    title = re.search(rf"^{re.escape(game)} *= *(.+?) *$", text, re.MULTILINE)
    return title[1] if title else game

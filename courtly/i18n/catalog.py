"""Texts from the Fluent catalogues, for Python programs that print them. The browser reads the catalogues itself."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from fluent.runtime import FluentBundle, FluentResource

SHELL_FOLDER = Path(__file__).parent.parent / "web"


class Catalog:
    """The texts of the shell and of the given folders in one language."""

    def __init__(self, language: str, *folders: Path):
        self.bundle = FluentBundle([language], use_isolating=False)
        for folder in (SHELL_FOLDER, *folders):
            file = folder / f"{language}.ftl"
            if file.exists():
                self.bundle.add_resource(_read_resource(file, file.stat().st_mtime_ns))

    def has(self, text: str) -> bool:
        """Return True if the catalogue has this text, or this "text.attribute"."""
        return self._pattern(text) is not None

    def format(self, text: str, **args: Any) -> str:
        """Return a text, or "text.attribute", formatted with these arguments; its own name if it is missing."""
        pattern = self._pattern(text)
        return text if pattern is None else str(self.bundle.format_pattern(pattern, args)[0])

    def _pattern(self, text: str) -> Any:
        name, _, attribute = text.partition(".")
        if not self.bundle.has_message(name):
            return None
        message = self.bundle.get_message(name)
        return message.attributes.get(attribute) if attribute else message.value


@lru_cache(maxsize=64)
def _read_resource(file: Path, _modified_ns: int) -> Any:
    """Return the parsed catalogue, a Resource of fluent.syntax.

    Parsing takes about 50 ms, so it is repeated only if the file was modified.
    """
    return FluentResource(file.read_text(encoding="utf-8"))

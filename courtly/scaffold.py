"""Creates a package with a new game to modify: the game of docs/a-whole-game.md under another name."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from courtly.engine.errors import CourtlyError
from courtly.engine.game import UnknownGameError, find_game

PACKAGE_FOLDER = Path(__file__).parent
TEMPLATE_FOLDER = PACKAGE_FOLDER / "template"
TEMPLATE_ID, TEMPLATE_TITLE, TEMPLATE_JAPANESE_TITLE = "favours", "Favours", "寵愛"
SHELL_TEXT_NAME = re.compile(r"^[a-z]\w*", re.M)  # the first word of the ids of the web interface's texts


class ScaffoldError(CourtlyError, ValueError):
    """A game of this name cannot be created here. The message says why."""


def make_game(name: str, parent: Path, japanese: str | None = None) -> Path:
    """Create a folder `name` in `parent`, with a package of that name, and return it. If that fails, nothing is
    created.

    Args:
        name: Name of the package and id of the game.
        parent: The parent folder.
        japanese: The game's Japanese title. Default: the English title, which is derived from the name.

    Raises:
        ScaffoldError: The name or title is not valid or in use.
        OSError: The folder cannot be written.
    """
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name):
        raise ScaffoldError(f"{name!r} is not a valid name: use 1 to 40 of a-z, 0-9 and _, beginning with a letter")
    folder = parent / name
    if folder.exists():
        raise ScaffoldError(f"{folder} already exists; choose another name, or remove it")
    _require_free(name)
    title = name.replace("_", " ").strip().capitalize()
    words = {
        TEMPLATE_ID: name,
        TEMPLATE_TITLE: title,
        TEMPLATE_JAPANESE_TITLE: _require_title(title if japanese is None else japanese),
    }
    folder.mkdir()
    for file in _template_files():
        target = folder / _substitute(file.relative_to(TEMPLATE_FOLDER).as_posix(), words)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_substitute(file.read_text(encoding="utf-8"), words), encoding="utf-8", newline="\n")
    return folder


def _template_files() -> list[Path]:
    return [path for path in sorted(TEMPLATE_FOLDER.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]


def _substitute(text: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda match: words[match[0]], text)


def _require_free(name: str) -> None:
    """Raise ScaffoldError if the name cannot be a package, a game id and the prefix of the game's text ids."""
    if keyword.iskeyword(name):
        raise ScaffoldError(f"{name!r} is a Python keyword; choose another name")
    if name in SHELL_TEXT_NAME.findall((PACKAGE_FOLDER / "web" / "en.ftl").read_text(encoding="utf-8")):
        raise ScaffoldError(f"ids of the web interface's texts begin with {name!r}; choose another name")
    try:
        find_game(name)
    except UnknownGameError:
        pass
    else:
        raise ScaffoldError(f"a game {name!r} already exists; choose another name")
    tests = TEMPLATE_FOLDER / "tests"
    if name in {path.stem for path in (tests, *tests.iterdir())} or importlib.util.find_spec(name):
        raise ScaffoldError(f"a Python module {name!r} already exists; choose another name")


def _require_title(text: str) -> str:
    """Return the title without surrounding spaces. Raises ScaffoldError unless a catalogue can hold it in a line."""
    if not text.strip() or not text.isprintable() or set(text) & set("{}"):
        raise ScaffoldError(f"{text!r} is not a valid title: it must be one line without {{ and }}")
    return text.strip()

"""A package with a new game to change: the one that docs/a-whole-game.md builds, under a name of one's own."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from courtly.engine.errors import CourtlyError
from courtly.engine.game import UnknownGameError, find_game

PACKAGE_FOLDER = Path(__file__).parent
TEMPLATE_FOLDER = PACKAGE_FOLDER / "template"
TEMPLATE_ID, TEMPLATE_TITLE, TEMPLATE_JAPANESE_TITLE = "favours", "Favours", "寵愛"  # what the game there is called
SHELL_TEXT_NAME = re.compile(r"^[a-z]\w*", re.M)  # how the page's own texts begin


class ScaffoldError(CourtlyError, ValueError):
    """There can be no game of that name here: says why."""


def make_game(name: str, within: Path, japanese: str | None = None) -> Path:
    """A folder `name`, with a package of that name in it. Its title in English is made of its name; in Japanese it is
    the same unless one is given. ScaffoldError or OSError if it cannot be made; then nothing is changed."""
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name):
        raise ScaffoldError(f"{name!r} is no name for a game: small letters, digits and _, at most 40, a letter first")
    folder = within / name
    if folder.exists():
        raise ScaffoldError(f"{folder} is there already, and is left as it is")
    _require_free(name)
    title = name.replace("_", " ").strip().capitalize()
    words = {
        TEMPLATE_ID: name,
        TEMPLATE_TITLE: title,
        TEMPLATE_JAPANESE_TITLE: _require_title(title if japanese is None else japanese),
    }
    folder.mkdir()
    for file in _template_files():
        there = folder / _substitute(file.relative_to(TEMPLATE_FOLDER).as_posix(), words)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(_substitute(file.read_text(encoding="utf-8"), words), encoding="utf-8", newline="\n")
    return folder


def _template_files() -> list[Path]:
    return [path for path in sorted(TEMPLATE_FOLDER.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]


def _substitute(text: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _require_free(name: str) -> None:
    """It becomes the name of a package and of a game, and the beginning of all its texts."""
    if keyword.iskeyword(name):
        raise ScaffoldError(f"{name!r} is a word of Python's own")
    if name in SHELL_TEXT_NAME.findall((PACKAGE_FOLDER / "web" / "en.ftl").read_text(encoding="utf-8")):
        raise ScaffoldError(f"{name!r} is how some of the page's own texts begin")
    try:
        find_game(name)
    except UnknownGameError:
        pass
    else:
        raise ScaffoldError(f"there is a game {name!r} already")
    tests = TEMPLATE_FOLDER / "tests"
    if name in {path.stem for path in (tests, *tests.iterdir())} or importlib.util.find_spec(name):
        raise ScaffoldError(f"there is a module {name!r} already")


def _require_title(text: str) -> str:
    """One that a line of a catalogue can hold."""
    if not text.strip() or not text.isprintable() or set(text) & set("{}"):
        raise ScaffoldError(f"{text!r} is no title: one line, without {{ and }}")
    return text.strip()

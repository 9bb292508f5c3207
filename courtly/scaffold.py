"""A package with a new game to change: the one that docs/a-whole-game.md builds, under a name of one's own."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from courtly.engine.game import UnknownGame, find_game

HERE = Path(__file__).parent
TEMPLATE = HERE / "template"
ID, TITLE, JAPANESE = "favours", "Favours", "寵愛"  # what the game there is called
SHELL = re.compile(r"^[a-z]\w*", re.M)  # how the page's own texts begin


class CannotBe(ValueError):
    """There can be no game of that name here: says why."""


def make(name: str, within: Path, japanese: str | None = None) -> Path:
    """A folder `name`, with a package of that name in it. Its title in English is made of its name; in Japanese it is
    the same unless one is given. CannotBe or OSError if it cannot be made; then nothing is changed."""
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name):
        raise CannotBe(f"{name!r} is no name for a game: small letters, digits and _, at most 40, a letter first")
    folder = within / name
    if folder.exists():
        raise CannotBe(f"{folder} is there already, and is left as it is")
    _is_free(name)
    title = name.replace("_", " ").strip().capitalize()
    words = {ID: name, TITLE: title, JAPANESE: _title(title if japanese is None else japanese)}
    folder.mkdir()
    for file in _files():
        there = folder / _renamed(file.relative_to(TEMPLATE).as_posix(), words)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(_renamed(file.read_text(encoding="utf-8"), words), encoding="utf-8", newline="\n")
    return folder


def _files() -> list[Path]:
    return [path for path in sorted(TEMPLATE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]


def _renamed(text: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _is_free(name: str) -> None:
    """It becomes the name of a package and of a game, and the beginning of all its texts."""
    if keyword.iskeyword(name):
        raise CannotBe(f"{name!r} is a word of Python's own")
    if name in SHELL.findall((HERE / "web" / "en.ftl").read_text(encoding="utf-8")):
        raise CannotBe(f"{name!r} is how some of the page's own texts begin")
    try:
        find_game(name)
    except UnknownGame:
        pass
    else:
        raise CannotBe(f"there is a game {name!r} already")
    tests = TEMPLATE / "tests"
    if name in {path.stem for path in (tests, *tests.iterdir())} or importlib.util.find_spec(name):
        raise CannotBe(f"there is a module {name!r} already")


def _title(text: str) -> str:
    """One that a line of a catalogue can hold."""
    if not text.strip() or not text.isprintable() or set(text) & set("{}"):
        raise CannotBe(f"{text!r} is no title: one line, without {{ and }}")
    return text.strip()

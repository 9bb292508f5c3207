"""The Python files that the offline page needs, as one zip archive.

The same files give the same bytes. Games of other packages are included, with the entry points under which they are
installed.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import typing_extensions

from courtly.engine.game import GAMES_PACKAGE, find_game, game_ids

PACKAGE_FOLDER = Path(__file__).parents[2]
BUNDLED_PARTS = ("engine", "bots", "games", "offline", "session")
BUNDLED_SUFFIXES = {".py", ".toml", ".json"}
EXCLUDED_FOLDERS = {"board", "search", "__pycache__"}


@cache
def build_archive() -> bytes:
    """Return the zip archive."""
    external_games = [game for game in map(find_game, game_ids()) if not game.package.startswith(f"{GAMES_PACKAGE}.")]
    contents = io.BytesIO()
    with zipfile.ZipFile(contents, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, content: bytes) -> None:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)

        for path in [
            PACKAGE_FOLDER / "__init__.py",
            *(path for part in BUNDLED_PARTS for path in _files(PACKAGE_FOLDER / part)),
        ]:
            add(f"courtly/{path.relative_to(PACKAGE_FOLDER).as_posix()}", path.read_bytes())
        add("typing_extensions.py", Path(typing_extensions.__file__).read_bytes())
        for game in external_games:
            for path in _files(game.folder):
                add(f"{game.package.replace('.', '/')}/{path.relative_to(game.folder).as_posix()}", path.read_bytes())
        entry_points = "".join(f"{game.id} = {game.package}\n" for game in external_games)
        add("games-0.dist-info/entry_points.txt", f"[{GAMES_PACKAGE}]\n{entry_points}".encode())
    return contents.getvalue()


def _files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
        if path.suffix in BUNDLED_SUFFIXES and not EXCLUDED_FOLDERS & set(path.relative_to(root).parts):
            yield path

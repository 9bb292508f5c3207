"""The files with which a browser plays a game: its WebAssembly and what JavaScript needs to know of it, kept on disk.

Released packages carry these files (`SHIPPED_FOLDER`), so that browsers can play where the server has no compiler.

`python -m courtly.bots.browser_files GAME NICENESS` compiles them with this nice value, stores them, and writes them to
standard output, so that a server can leave the work to another process.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from courtly.bots.webassembly import compile_with_search
from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native.compiler.installation import CompilerUnavailableError
from courtly.engine.native.compiler.object_cache import load_or_compile, read_stored
from courtly.engine.native.dialect_check import DialectError
from courtly.engine.native.loader import find_cache_home
from courtly.engine.native.module_loader import hash_files, hash_rules

FILE_NAME = "browser"
SHIPPED_FOLDER = Path(__file__).parent / "shipped"  # tools/release.py writes it


class BrowserFiles(NamedTuple):
    """The files of a game: `code`, a WebAssembly module, and its `description` as JSON."""

    code: bytes
    description: bytes


def hash_sources(game: Game) -> str:
    """Return a hash of everything that the files depend on; it is the same on every machine."""
    try:
        compiler = importlib.metadata.version("llvmlite")
    except importlib.metadata.PackageNotFoundError:
        compiler = ""
    return hashlib.sha256(f"{compiler} {_hash_rules_and_search(game)}".encode()).hexdigest()


def _hash_rules_and_search(game: Game) -> str:
    bots = Path(__file__).parent
    files = sorted([*bots.glob("*"), *bots.glob("search/*")], key=str)
    return hashlib.sha256(f"{hash_rules(game)} {hash_files(*files)}".encode()).hexdigest()


def load_or_compile_files(game: Game) -> BrowserFiles:
    """Return the files, which are compiled only if they are neither stored nor shipped.

    Raises:
        DialectError, RulesError, ObjectFileError, CompilerUnavailableError: As `compile_with_search`.
    """
    shipped = read_stored(SHIPPED_FOLDER / _shipped_name(game))
    return _unpack(shipped or load_or_compile(_folder(game), FILE_NAME, lambda: _compile(game)))


def find_stored_files(game: Game) -> BrowserFiles | None:
    """Return the files if they are stored or shipped."""
    stored = read_stored(_folder(game) / FILE_NAME) or read_stored(SHIPPED_FOLDER / _shipped_name(game))
    return _unpack(stored) if stored is not None else None


@cache
def is_shipped(game: str) -> bool:
    """Return True if this installation carries the files of a game, so that its browsers can compute hints."""
    return (SHIPPED_FOLDER / _shipped_name(find_game(game))).exists()


def write_shipped_files(folder: Path) -> list[Path]:
    """Compile all games and write their files, as a release carries them, to a folder. Returns the paths.

    Raises:
        DialectError, RulesError, ObjectFileError, CompilerUnavailableError: As `compile_with_search`.
    """
    games = [find_game(name) for name in game_ids()]
    for game in games:
        _store(folder, game)
    return [folder / _shipped_name(game) for game in games]


def _store(folder: Path, game: Game) -> None:
    load_or_compile(
        folder, _shipped_name(game), lambda: load_or_compile(_folder(game), FILE_NAME, lambda: _compile(game))
    )


def _shipped_name(game: Game) -> str:
    return f"{game.id}-{_hash_rules_and_search(game)[:16]}"


def read_output(output: bytes) -> BrowserFiles:
    """Return the files that this program wrote to standard output."""
    return _unpack(output)


def _folder(game: Game) -> Path:
    return find_cache_home() / f"{game.id}-browser-{hash_sources(game)[:16]}"


def _compile(game: Game) -> bytes:
    module = compile_with_search(game)
    description = json.dumps(module.description, ensure_ascii=False, separators=(",", ":")).encode()
    return description + b"\0" + module.code  # JSON has no byte 0


def _unpack(stored: bytes) -> BrowserFiles:
    description, _, code = stored.partition(b"\0")
    return BrowserFiles(code, description)


def main() -> None:
    with contextlib.suppress(AttributeError, OSError):  # Windows has no nice values
        os.nice(int(sys.argv[2]))
    game = find_game(sys.argv[1])
    try:
        sys.stdout.buffer.write(load_or_compile(_folder(game), FILE_NAME, lambda: _compile(game)))
    except (DialectError, RulesError, CompilerUnavailableError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

"""Replacement of a game's component file: the game is imported from a copy of its folder with another file.

Tables, move ids and machine code are derived from the numbers when a game is imported. Games with another file are
therefore played in separate processes that import the changed folder; this works for any game of any package. Their
machine code is cached separately, because the file is part of the cache key.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from courtly.engine import game as games
from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game
from courtly.lab.plan import Components

NON_COMPONENT_FILES = ("game.toml", "lesson.toml", "learned.json", "chances.json")  # data of other kinds
COMPONENT_FILES = ("components.toml", "components.json")


class InvalidComponentsError(CourtlyError, ValueError):
    """A component file does not fit the game. The message says why in one line."""


class ComponentsRejectedError(InvalidComponentsError):
    """A component file has the right form, but the rules reject it."""


def read_components(file: Path) -> dict[str, Any]:
    """Return the content of a component file. Raises InvalidComponentsError if it cannot be read or is not a table."""
    try:
        text = file.read_text(encoding="utf-8")
        content = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise InvalidComponentsError(f"{file}: {error.strerror}") from None
    except ValueError as error:  # invalid TOML, JSON or UTF-8
        raise InvalidComponentsError(f"{file}: {error}") from None
    if not isinstance(content, dict):
        raise InvalidComponentsError(f"{file}: expected a table at the top level")
    return content


def find_replaced_file(game: str, folder: Path, file: Path) -> Path:
    """Return the file that `file` replaces: the one of the same name, else the component file of the same type.

    Args:
        game: The game's id, for messages.
        folder: The game's folder.
        file: The other component file.

    Raises:
        InvalidComponentsError: The game has no such file.
    """
    component_files = [
        f for f in sorted(folder.iterdir()) if f.suffix in (".toml", ".json") and f.name not in NON_COMPONENT_FILES
    ]
    for name in (file.name, *(d for d in COMPONENT_FILES if d.endswith(file.suffix))):
        if folder / name in component_files:
            return folder / name
    file_names = ", ".join(f.name for f in component_files) or "none"
    raise InvalidComponentsError(f"{file}: {game} has no component file of that name and type; it has {file_names}")


def check_components(game: str, folder: Path, file: Path) -> Path:
    """Return the file of a game's folder that `file` replaces, after comparing their form.

    Args:
        game: The game's id, for messages.
        folder: The game's folder.
        file: The other component file.

    Raises:
        InvalidComponentsError: The game has no such file, or `file` cannot be read or has another form.
    """
    other, own_file = read_components(file), find_replaced_file(game, folder, file)
    for error in _find_mismatches(read_components(own_file), other):
        raise InvalidComponentsError(f"{file}: {error}")
    return own_file


def _find_mismatches(own: Mapping[str, Any], other: Mapping[str, Any], part: str = "") -> Iterator[str]:
    """Yield each difference in form: the same parts with the same keys are required."""
    for key in [key for key in own if key not in other]:
        yield f"{part}{key} is missing"
    for key in [key for key in other if key not in own]:
        yield f"{part}{key} is unknown; expected one of {', '.join(own)}"
    siblings = [item for item in own.values() if isinstance(item, dict)]
    for key in [key for key in own if key in other]:
        value = other[key]
        if not part and isinstance(own[key], dict) and isinstance(value, dict):
            yield from _find_mismatches(own[key], value, f"{key}.")
        else:
            yield from _check_value(
                siblings if part and isinstance(own[key], dict) else [own[key]], value, f"{part}{key}"
            )


def _check_value(examples: list[Any], value: Any, location: str) -> Iterator[str]:
    """Yield each difference in form of a value from the `examples` at the same place of the game's own file. An
    entry of a list or table may have any key that one of its siblings has, and must have the keys that all of them
    have."""
    if not examples:
        return
    if not any(_kind_name(value) == _kind_name(example) for example in examples):
        form = _kind_name(value) if isinstance(value, dict | list) else repr(value)
        yield f"{location} is {form}, not {' or '.join(dict.fromkeys(map(_kind_name, examples)))}"
    elif isinstance(value, dict):
        tables = [example for example in examples if isinstance(example, dict)]
        for key in dict.fromkeys(key for example in tables for key in example):
            if key not in value and all(key in example for example in tables):
                yield f"{location}.{key} is missing"
        for key, item in value.items():
            if not (siblings := [example[key] for example in tables if key in example]):
                yield f"{location}.{key} is unknown; others have {', '.join(sorted({k for t in tables for k in t}))}"
            yield from _check_value(siblings, item, f"{location}.{key}")
    elif isinstance(value, list):
        inside = [item for example in examples if isinstance(example, list) for item in example]
        for i, item in enumerate(value):
            yield from _check_value(inside, item, f"{location}[{i}]")


def _kind_name(value: Any) -> str:
    kinds = {bool: "true or false", int: "a whole number", str: "a text", list: "a list", dict: "a table"}
    return kinds.get(type(value), "a number")


def load_components(game: Game, file: Path) -> Components:
    """Read a component file for a game.

    Args:
        game: The game.
        file: The file.

    Returns:
        Its text, with the name of the game's file that it replaces.

    Raises:
        InvalidComponentsError: The file cannot be read or has another form than the game's own.
    """
    return Components(check_components(game.id, game.folder, file).name, file.read_text(encoding="utf-8"))


def own_components(game: Game) -> Components:
    """Return the game's own component file. Raises InvalidComponentsError if it has none of the usual names."""
    for name in COMPONENT_FILES:
        if (game.folder / name).exists():
            return Components(name, (game.folder / name).read_text(encoding="utf-8"))
    raise InvalidComponentsError(
        f"{game.id} has no {' or '.join(COMPONENT_FILES)}: name its component file with --components"
    )


@contextmanager
def name_file_in_errors(file: Path | str | None) -> Iterator[None]:
    """Name this file in a ComponentsRejectedError that the `with` block raises."""
    try:
        yield
    except ComponentsRejectedError as error:
        raise InvalidComponentsError(f"{file}: {error}") from error


# --- in the process that plays ----------------------------------------------------------------------------------------


class PackageFinder(importlib.abc.MetaPathFinder):
    """An import finder that loads one package from another folder."""

    def __init__(self, package: str, folder: Path):
        self.package, self.folder = package, folder

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Return the package's spec in the other folder; None for other modules."""
        if name != self.package:
            return None
        start = self.folder / "__init__.py"
        if start.exists():
            return importlib.util.spec_from_file_location(name, start, submodule_search_locations=[str(self.folder)])
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(self.folder)]
        return spec


class ComponentOverride:
    """Plays a game with one component file after another, in a process that plays nothing else."""

    def __init__(self, name: str, file: str):
        """Copy the game's folder.

        Args:
            name: The game's id.
            file: Name of the file in the game's folder that is replaced.
        """
        game = games.find_game(name)
        self.name, self.package, self.file = name, game.package, file
        self.temporary_folder = tempfile.TemporaryDirectory(prefix=f"{name}-")
        self.folder = Path(self.temporary_folder.name) / game.folder.name
        self.folder.mkdir()
        for item in game.folder.iterdir():
            if item.name not in (file, "__pycache__"):
                _link_or_copy(item, self.folder / item.name)
        self.cloak = PackageFinder(self.package, self.folder)
        sys.meta_path.insert(0, self.cloak)

    def apply(self, text: str) -> Game:
        """Import the game with these components and return it. Raises ComponentsRejectedError if its rules reject
        them."""
        (self.folder / self.file).write_text(text, encoding="utf-8")
        self._forget()
        game = Game(self.package)
        try:
            _ = game.options, game.policy, game.facts_module, game.components
        except Exception as error:
            message = f"{error}".partition("\n")[0].removeprefix(f"{self.folder / self.file}: ")
            plain = isinstance(error, ValueError) and message
            raise ComponentsRejectedError(
                message if plain else f"the rules fail on it: {type(error).__name__}: {message}"
            ) from error
        games.register(game)
        return game

    def restore(self) -> None:
        """Restore the game's own components."""
        sys.meta_path.remove(self.cloak)
        self._forget()
        games.register(Game(self.package))
        self.temporary_folder.cleanup()

    def _forget(self) -> None:
        for module in [m for m in sys.modules if m == self.package or m.startswith(f"{self.package}.")]:
            del sys.modules[module]
        importlib.invalidate_caches()


_applied: dict[str, tuple[Components, ComponentOverride]] = {}


def has_components(name: str, components: Components | None) -> bool:
    """Return whether this process plays the game with these components (None: its own)."""
    applied = _applied.get(name)
    return (applied and applied[0]) == components


def switch_components(name: str, components: Components | None) -> bool:
    """Play a game with these components from now on in this process.

    Args:
        name: The game's id.
        components: The components; None for the game's own.

    Returns:
        Whether that is a change.

    Raises:
        InvalidComponentsError: The rules reject the components.
    """
    if has_components(name, components):
        return False
    if name in _applied:
        _applied.pop(name)[1].restore()
    if components:
        wardrobe = ComponentOverride(name, components.file)
        try:
            wardrobe.apply(components.text)
        except InvalidComponentsError:
            wardrobe.restore()
            raise
        _applied[name] = components, wardrobe
    return True


def _link_or_copy(item: Path, to: Path) -> None:
    """Make a symbolic link, or a copy where links are not available."""
    try:
        to.symlink_to(item, target_is_directory=item.is_dir())
    except OSError:
        (shutil.copytree if item.is_dir() else shutil.copy2)(item, to)

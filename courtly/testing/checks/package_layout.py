"""Checks of the layout of a game's folder (docs/writing-a-game.md), which is the same for all games."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from courtly.engine.constants import LANGUAGES
from courtly.engine.finding import Finding
from courtly.engine.game import RULES_FUNCTIONS, Game
from courtly.engine.state import Seats
from courtly.testing.failure_location import find_line

STANDARD_FILES = {
    "game.toml",
    "rules.py",
    *(f"{language}.ftl" for language in LANGUAGES),
    "__init__.py",
    "table.py",
    "worlds.py",
    "refusals.py",
    "facts.py",
    "policy.py",
    "measures.py",
    "chances.json",
    "bot.py",
    "position.py",
    "lesson.toml",
    "components.toml",
    "components.json",
    "rules.en.md",
    "rules.ja.md",
    "board",
}
DATA_SUFFIXES = {".toml", ".json"}
TOP_MODULES = {
    "facts",
    "policy",
    "measures",
    "bot",
    "position",
}  # modules that import the rules; the rules must not import them
JS_IMPORT = re.compile(r'\bfrom "(\.[^"]+)"')


def find_layout_errors(game: Game) -> Iterator[Finding]:
    """Yield each deviation of a game's folder from the standard layout."""
    files = {path.name: path for path in game.folder.iterdir() if path.name != "__pycache__"}
    for name, problem in game.list_warnings():
        preset = re.match("the preset (.+?) is", problem)
        begins = rf"\[presets\.{re.escape(preset[1])}\]" if preset else "colour ="
        line = find_line(game.folder / name, f"^{begins}") if name == "game.toml" else 1
        yield Finding(game.folder / name, line, problem)
    rules = game.folder / "rules.py"
    for name in RULES_FUNCTIONS:
        if not callable(getattr(game.rules, name, None)):
            yield Finding(rules, 1, f"rules.py has no {name}")
    max_players = game.players[-1]
    for field in game.State.stored:
        if field.visible == "private" and (not isinstance(field.axes[0], Seats) or field.shape[0] < max_players):
            problem = (
                f"{field.name} is private: its first axis must be seats({max_players}), a row for each possible seat"
            )
            yield Finding(*_field_location(game, field.name), problem)
        if not field.declared and field.name != "pending":
            problem = f"{field.name} must declare what its numbers mean: of=, bits=, most= or key=True"
            yield Finding(*_field_location(game, field.name), problem)
    source = {path.stem: path.read_text(encoding="utf-8") for path in files.values() if path.suffix == ".py"}
    leads = {name: imported_modules(text, game.package) & source.keys() for name, text in source.items()}
    for name in sorted(_reachable_modules("rules", leads) & TOP_MODULES):
        by = next(module for module in sorted(_reachable_modules("rules", leads) | {"rules"}) if name in leads[module])
        yield Finding(
            files[f"{by}.py"],
            find_line(files[f"{by}.py"], rf"import.*\b{name}\b|\b{name} import"),
            f"the rules must not import {name}",
        )
    used = set[str]().union(*leads.values())
    for name, path in files.items():
        is_standard = name in STANDARD_FILES
        chapter = path.suffix == ".py" and path.stem in used
        data = path.suffix in DATA_SUFFIXES and any(name in text for text in source.values())
        if not (is_standard or chapter or data):
            yield Finding(path, 1, f"{name} is not part of a game's folder, and no module of the game uses it")
    if "board" in files:
        yield from find_board_layout_errors(files["board"])


def _field_location(game: Game, field: str) -> tuple[Path, int]:
    """Return file and line of a field's declaration."""
    pattern = rf"^\s+{field} = i\d+\("
    files = [game.folder / "table.py", game.folder / "rules.py"]
    file = next(
        (file for file in files if file.exists() and re.search(pattern, file.read_text("utf-8"), re.M)), files[1]
    )
    return file, find_line(file, pattern)


def imported_modules(source: str, package: str) -> set[str]:
    """Return the modules of the package that a module imports."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{package}."):
            modules.add(str(node.module).removeprefix(f"{package}."))
    return modules


def _reachable_modules(name: str, leads: dict[str, set[str]]) -> set[str]:
    """Return the modules that a module imports, directly or indirectly."""
    reached, waiting = set[str](), [name]
    while waiting:
        unseen = leads[waiting.pop()] - reached
        reached |= unseen
        waiting += unseen
    return reached


def find_board_layout_errors(board: Path) -> Iterator[Finding]:
    """Yield files of the board that `board.js` does not reach by imports, except `board.css` and pictures in `art`."""
    files = {path.relative_to(board).as_posix(): path for path in board.rglob("*") if path.is_file()}
    waiting, reached = ["board.js"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in files and name not in reached:
            reached.add(name)
            imports = JS_IMPORT.findall(files[name].read_text(encoding="utf-8"))
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in imports]
    if "board.js" not in files:
        yield Finding(board / "board.js", 1, "board.js is missing")
        return
    for name in sorted(files.keys() - reached - {"board.css"}):
        if not name.startswith("art/"):
            yield Finding(files[name], 1, f"board.js does not import {name}, directly or indirectly")

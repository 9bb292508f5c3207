"""One plan for every game's folder (docs/writing-a-game.md): who knows one game finds everything in another."""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path

from courtly.engine.game import CONTRACT, Game

MUST = {"game.toml", "rules.py", "en.ftl", "ja.ftl"}
MAY = {
    "__init__.py",
    "table.py",
    "knowledge.py",
    "refusals.py",
    "shown.py",
    "bot.py",
    "components.toml",
    "components.json",
    "rules.en.md",
    "rules.ja.md",
    "board",
}
DATA = {".toml", ".json"}
LAST = {"shown", "bot"}  # they lead to the rules; nothing in the rules leads to them
IMPORT = re.compile(r'\bfrom "(\.[^"]+)"')


def the_folder_has_the_plan(game: Game) -> None:
    found = {path.name: path for path in game.folder.iterdir() if path.name != "__pycache__"}
    missing = MUST - found.keys()
    assert not missing, f"{game.folder} has no {', '.join(sorted(missing))}"
    lacks = [name for name in CONTRACT if not callable(getattr(game.rules, name, None))]
    assert not lacks, f"rules.py has no {', '.join(lacks)}"
    source = {path.stem: path.read_text(encoding="utf-8") for path in found.values() if path.suffix == ".py"}
    leads = {name: imported(text, game.package) & source.keys() for name, text in source.items()}
    wrong = sorted(_from("rules", leads) & LAST)
    assert not wrong, f"the rules lead to {', '.join(wrong)}"
    used = set[str]().union(*leads.values())
    for name, path in found.items():
        known = name in MUST | MAY
        chapter = path.suffix == ".py" and path.stem in used
        data = path.suffix in DATA and any(name in text for text in source.values())
        assert known or chapter or data, f"{name} is not in the plan of a game's folder, and no module of it uses it"
    if "board" in found:
        the_board_has_a_door(found["board"])


def imported(source: str, package: str) -> set[str]:
    """The modules of the package that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{package}."):
            found.add(str(node.module).removeprefix(f"{package}."))
    return found


def _from(name: str, leads: dict[str, set[str]]) -> set[str]:
    """The modules that this one leads to."""
    found, waiting = set[str](), [name]
    while waiting:
        new = leads[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def the_board_has_a_door(board: Path) -> None:
    """All that a browser runs is led to from `board.js`; the one style is `board.css`; pictures lie in `art`."""
    files = {path.relative_to(board).as_posix(): path for path in board.rglob("*") if path.is_file()}
    waiting, reached = ["board.js"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in files and name not in reached:
            reached.add(name)
            asked = IMPORT.findall(files[name].read_text(encoding="utf-8"))
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in asked]
    assert "board.js" in files, f"{board} has no board.js"
    stray = [name for name in files if name not in reached | {"board.css"} and not name.startswith("art/")]
    assert not stray, f"nothing leads to {', '.join(sorted(stray))} from board.js"

"""The browser's modules have layers: each imports only modules of its own layer or below, and there are no cycles."""

import posixpath
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

WEB = Path(__file__).parents[1] / "courtly" / "web"
LAYERS = [
    "vendor",
    "core",
    "board-sdk engine",
    "bots",
    "components",
    "game-view local",
    "pages dev",
    "offline",
    "router.js",
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names.split()}
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{1,2}/[^"']+\.js)["']""")
COMMENT = re.compile(r"/\*.*?\*/", re.S)  # type imports in comments are not loaded


def imports():
    """Return `{file: imported files}`, both as paths below courtly/web."""
    imports_by_file = {}
    for file in sorted(WEB.rglob("*.js")):
        path = file.relative_to(WEB).as_posix()
        if not path.startswith("vendor/"):
            targets = IMPORT.findall(COMMENT.sub("", file.read_text(encoding="utf-8")))
            imports_by_file[path] = {
                posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) for target in targets
            }
    return imports_by_file


IMPORTS = imports()


def test_every_imported_file_exists():
    assert {t for targets in IMPORTS.values() for t in targets if not (WEB / t).is_file()} == set()


def test_each_module_imports_only_lower_layers():
    level = {path: LEVEL[path.partition("/")[0]] for path in {*IMPORTS, *(t for ts in IMPORTS.values() for t in ts)}}
    upward = [(path, target) for path, targets in IMPORTS.items() for target in targets if level[target] > level[path]]
    assert upward == []


def test_imports_have_no_cycles():
    try:
        TopologicalSorter(IMPORTS).prepare()
    except CycleError as cycle:
        raise AssertionError(" -> ".join(cycle.args[1])) from None


CUSTOM_PROPERTY = re.compile(r"(--[\w-]+)\s*:")
THEME = {"--word", "--word-soft", "--tint"}  # a board gives its papers and players other colours


def test_boards_give_no_property_of_the_page_another_meaning():
    """A board's property with the name of one of the page would have the page's value where the board sets none."""
    page, boards = (
        {path: set(CUSTOM_PROPERTY.findall(path.read_text(encoding="utf-8"))) for path in paths}
        for paths in (WEB.rglob("*.css"), (WEB.parent / "games").glob("*/board/board.css"))
    )
    assert len(boards) == 5
    of_the_page = set().union(*page.values()) - THEME
    assert {path.parts[-3]: names & of_the_page for path, names in boards.items() if names & of_the_page} == {}

"""docs/a-whole-game.md shows the files of the game that `courtly new` makes. `python tests/guide_page.py` copies them
there.

The name of the file is above each block. A file may be shown in parts; each part begins with the first line of its
block.
"""

import re
from pathlib import Path

from courtly.scaffold import TEMPLATE_FOLDER

PAGE = Path(__file__).parent.parent / "docs" / "a-whole-game.md"
BLOCK = re.compile(r"^(\*\*`([^`]+)`\*\*[^\n]*\n\n```\w+\n)(.*?)^```$", re.S | re.M)


def shown_files(page):
    """Return the names of the files on the page."""
    return {block[2] for block in BLOCK.finditer(page)}


def updated_page(page):
    """Return the page with current files."""
    starts = {}
    for block in BLOCK.finditer(page):
        first = block[3].split("\n", 1)[0] + "\n"
        start = f"\n{_file(block[2])}".index(f"\n{first}")
        starts.setdefault(block[2], []).append(start)

    def fill(block):
        start, *later = starts[block[2]]
        starts[block[2]] = later
        return block[1] + _file(block[2])[start : later[0] if later else None].rstrip("\n") + "\n```"

    return BLOCK.sub(fill, page)


def _file(name):
    return (TEMPLATE_FOLDER / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    PAGE.write_text(updated_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

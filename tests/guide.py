"""The package that docs/a-whole-game.md makes from nothing, taken out of that page."""

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "a-whole-game.md"
FILES = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", re.S | re.M)


def write(folder):
    for name, text in FILES.findall(PAGE.read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "favours" / "__init__.py").touch()
    return folder

"""Lines that the formatter of JavaScript and CSS does not change (comments, templates) are not too long, either."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WIDTH = 120
WRITTEN_BY_TOOLS = re.compile(r"/vendor/|/icons\.js$|/web/core/api-types\.js$|/web/fonts/")
FILES = [
    path
    for pattern in ("courtly/**/*.js", "courtly/**/*.css", "examples/**/*.js", "examples/**/*.css", "tests/**/*.js")
    for path in sorted(ROOT.glob(pattern))
    if not WRITTEN_BY_TOOLS.search(path.as_posix())
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_line_is_too_long(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > WIDTH] == []

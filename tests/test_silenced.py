"""Skipped tests and silenced checks have a reason: in pytest's message, or in a comment beside or above."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    file for part in ("courtly", "tests", "tools", "benchmarks", "examples") for file in (ROOT / part).rglob("*.py")
)
SILENCE = re.compile(
    r"#\s*(?:type: ignore|noqa|fmt: (?:skip|off)|pragma: no cover)\b(?:\[[\w, -]*\]|: ?[A-Z0-9, ]+)?(.*)"
)
BASES = ("pytest", "pytest.mark")
MAY_SKIP = {"skip": 0, "skipif": 1, "xfail": 1, "importorskip": 1}  # number of arguments that may precede the reason


def silenced(text):
    """Return the lines in which a check is silenced without a reason beside it or in a comment above."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if (found := SILENCE.search(line)) and not found[1].strip(" #()"):
            above = [before for before in reversed(lines[:i]) if not SILENCE.search(before)][:1]
            if not above or not above[0].strip().startswith("#"):
                yield i + 1


def skipped(text):
    """Return the lines in which tests are skipped without a reason."""
    tree = ast.parse(text)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in MAY_SKIP and ast.unparse(node.value) in BASES:
            call = calls.get(id(node))
            told = call and (
                len(call.args) > MAY_SKIP[node.attr] or any(word.arg == "reason" for word in call.keywords)
            )
            if not told:
                yield node.lineno


@pytest.mark.parametrize("which", [silenced, skipped])
def test_every_skip_and_silence_has_a_reason(which):
    found = {str(file.relative_to(ROOT)): [*which(file.read_text("utf-8"))] for file in FILES}
    assert {file: lines for file, lines in found.items() if lines} == {}


def test_a_missing_reason_is_detected():
    assert [
        *silenced("x = 1  # type: ignore[misc]\n# so\ny = 2  # noqa: E402\nz = 3  # noqa: N801  (their name)\n")
    ] == [1]
    texts = [
        "pytest.importorskip('jax')",
        "@pytest.mark.skip\ndef f(): pass",
        "@pytest.mark.skipif(True)\ndef f(): pass",
    ]
    assert [[*skipped(text)] for text in texts] == [[1], [1], [1]]
    assert not [*skipped("pytest.skip('there is none')\npytest.importorskip('jax', reason='so')")]

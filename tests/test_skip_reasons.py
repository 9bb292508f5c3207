"""Skipped tests and silenced checks have a reason: in pytest's message, or in a comment beside or above. What a reason
tells people to install exists.
"""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    file for part in ("courtly", "tests", "tools", "benchmarks", "examples") for file in (ROOT / part).rglob("*.py")
)
SILENCE = re.compile(
    r"#\s*(?:type: ignore|noqa|fmt: (?:skip|off)|pragma: no cover)\b(?:\[[\w, -]*\]|: ?[A-Z0-9, ]+)?(.*)"
)
EXTRAS = re.compile(r"courtly\[([a-z,]+)\]")
TEXT_SUFFIXES = {".ftl", ".js", ".md", ".py", ".toml"}
BASES = ("pytest", "pytest.mark")
SKIP_ARGUMENTS = {
    "skip": 0,
    "skipif": 1,
    "xfail": 1,
    "importorskip": 1,
}  # number of arguments that may precede the reason


def unexplained_silences(text):
    """Return the lines in which a check is silenced without a reason beside it or in a comment above."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if (match := SILENCE.search(line)) and not match[1].strip(" #()"):
            above = [earlier for earlier in reversed(lines[:i]) if not SILENCE.search(earlier)][:1]
            if not above or not above[0].strip().startswith("#"):
                yield i + 1


def unexplained_skips(text):
    """Return the lines in which tests are skipped without a reason."""
    tree = ast.parse(text)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SKIP_ARGUMENTS and ast.unparse(node.value) in BASES:
            call = calls.get(id(node))
            has_reason = call and (
                len(call.args) > SKIP_ARGUMENTS[node.attr] or any(keyword.arg == "reason" for keyword in call.keywords)
            )
            if not has_reason:
                yield node.lineno


@pytest.mark.parametrize("check", [unexplained_silences, unexplained_skips])
def test_every_skip_and_silence_has_a_reason(check):
    lines_by_file = {str(file.relative_to(ROOT)): [*check(file.read_text("utf-8"))] for file in FILES}
    assert {file: lines for file, lines in lines_by_file.items() if lines} == {}


def test_a_missing_reason_is_detected():
    assert [
        *unexplained_silences(
            "x = 1  # type: ignore[misc]\n# so\ny = 2  # noqa: E402\nz = 3  # noqa: N801  (their name)\n"
        )
    ] == [1]
    texts = [
        "pytest.importorskip('jax')",
        "@pytest.mark.skip\ndef f(): pass",
        "@pytest.mark.skipif(True)\ndef f(): pass",
    ]
    assert [[*unexplained_skips(text)] for text in texts] == [[1], [1], [1]]
    assert not [*unexplained_skips("pytest.skip('there is none')\npytest.importorskip('jax', reason='so')")]


def unknown_extras(text, known):
    """Return the extras that a text tells people to install and that do not exist."""
    return {extra for named in EXTRAS.findall(text) for extra in named.split(",")} - known


def test_every_extra_that_is_named_can_be_installed():
    known = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])
    files = [
        file
        for part in ("courtly", "tests", "tools", "benchmarks", "examples", "docs", "deploy")
        for file in (ROOT / part).rglob("*")
        if file.suffix in TEXT_SUFFIXES and file != Path(__file__) and not {"vendor", "_build"} & {*file.parts}
    ]
    files += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml", "Makefile")]
    unknown_by_file = {file: unknown_extras(file.read_text("utf-8"), known) for file in files}
    assert {str(file): unknown for file, unknown in unknown_by_file.items() if unknown} == {}
    assert unknown_extras('pip install "courtly[native,mail]"', known) == {"mail"}

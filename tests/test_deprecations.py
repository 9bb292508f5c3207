"""What is deprecated names its replacement and the release that removes it, and is gone by then: docs/upgrades.md."""

import ast
import re
import warnings
from pathlib import Path

import pytest

from courtly import __version__

PACKAGE = Path(__file__).parent.parent / "courtly"
MESSAGE = re.compile(r"use .+; will be removed in (\d+)\.(\d+)")


def deprecation_messages(source):
    """Yield line and message (None: not a literal) of each `@deprecated(…)` and each `deprecated=…` of a command."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            is_decorator = ast.unparse(node.func).rpartition(".")[2] == "deprecated"
            values = [
                *(node.args[:1] if is_decorator else ()),
                *(k.value for k in node.keywords if k.arg == "deprecated"),
            ]
            for value in values:
                yield node.lineno, value.value if isinstance(value, ast.Constant) else None


def faulty_deprecations(source, version):
    """Return the lines whose message is incomplete, or whose name has to be gone in this version."""
    release = tuple(map(int, re.findall(r"\d+", version)[:2]))
    for line, message in deprecation_messages(source):
        match = MESSAGE.fullmatch(str(message))
        if not match or tuple(map(int, match.groups())) <= release:
            yield line


def test_deprecated_names_say_what_to_use_and_until_when():
    files = sorted(PACKAGE.rglob("*.py"))
    faulty = {str(file): [*faulty_deprecations(file.read_text("utf-8"), __version__)] for file in files}
    assert len(faulty) > 100 and {file: lines for file, lines in faulty.items() if lines} == {}


EXAMPLE = """
@deprecated("use find_game; will be removed in 0.3")
def game(): ...
@click.command(deprecated="use site; will be removed in 1.0")
def export(): ...
"""


@pytest.mark.parametrize("version, expected", [("0.2.9", []), ("0.3.0", [2]), ("1.0.0", [2, 4])])
def test_a_deprecated_name_has_to_go_in_time(version, expected):
    assert [*faulty_deprecations(EXAMPLE, version)] == expected


@pytest.mark.parametrize("text", ['"old"', '"use x"', '"will be removed in 9.0"', "TEXT"])
def test_an_incomplete_message_is_found(text):
    assert [*faulty_deprecations(f"@typing_extensions.deprecated({text})\ndef f(): ...", "0.1.0")] == [1]


def test_the_decorator_warns_its_caller():
    from typing_extensions import deprecated

    @deprecated("use len; will be removed in 9.0")
    def count(items):
        return len(items)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert count([1, 2]) == 2
    (warning,) = caught
    assert warning.category is DeprecationWarning and warning.filename == __file__

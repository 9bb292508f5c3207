"""Every exception of the project derives from CourtlyError, has a unique name, and is in that class's docstring."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from courtly.engine.errors import CourtlyError

PACKAGE = Path(__file__).parents[1] / "courtly"


def exceptions_in(files):
    """Return `{name: [(file, names of the bases)]}` of all classes that are exceptions by name or base."""
    exceptions = defaultdict(list)
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
                if any(name.endswith(("Error", "Exception")) for name in [node.name, *bases]):
                    exceptions[node.name].append((file.relative_to(PACKAGE).as_posix(), bases))
    return exceptions


EXCEPTIONS = exceptions_in(f for f in PACKAGE.rglob("*.py") if "template" not in f.parts)


def test_no_two_exceptions_share_a_name():
    assert {name: places for name, places in EXCEPTIONS.items() if len(places) > 1} == {}


def test_all_exceptions_derive_from_one_base():
    derived = {"CourtlyError"}
    while newly_derived := {
        name
        for name, places in EXCEPTIONS.items()
        if name not in derived and any(derived & set(bases) for _, bases in places)
    }:
        derived |= newly_derived
    assert {name: places for name, places in EXCEPTIONS.items() if name not in derived} == {}


def test_the_docstring_of_the_base_lists_all_exceptions():
    listed = set(re.findall(r"\b\w+Error\b", CourtlyError.__doc__))
    assert listed == set(EXCEPTIONS) - {"CourtlyError"}


def test_all_names_of_exceptions_end_in_error():
    assert [name for name in EXCEPTIONS if not name.endswith("Error")] == []

"""The docstrings of the package name parameters and attributes that exist."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import courtly

PACKAGE = Path(courtly.__file__).parent
SECTION = re.compile(r"[A-Z]\w*:")
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
ENTRY = re.compile(r"((?:\*{0,2}\w+(?:, | and )?)+):")


def names_in_section(docstring, title):
    """Return the names that a section of a docstring explains, such as `a` and `b` in "    a, b: The bounds."."""
    names, inside, indent = [], False, None
    for line in docstring.splitlines():
        if SECTION.fullmatch(line):
            inside, indent = line == f"{title}:", None
        elif inside and line.strip():
            depth = len(line) - len(line.lstrip())
            indent = indent or depth
            if depth == indent and (entry := ENTRY.match(line.strip())):
                names += [name.strip("*") for name in re.split(", | and ", entry[1]) if name]
    return names


def parameters(function):
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in every if argument}


def is_stored(node, kind):
    return isinstance(node, kind) and isinstance(node.ctx, ast.Store)


def own_attributes(node):
    """Return what a class defines in its body, or assigns as an attribute in a method."""
    names = set()
    for part in node.body:
        if isinstance(part, FUNCTIONS):
            names.add(part.name)
            names |= {part.attr for part in ast.walk(part) if is_stored(part, ast.Attribute)}
        else:
            names |= {part.id for part in ast.walk(part) if is_stored(part, ast.Name)}
    return names


def definitions():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                yield path, node


def test_sections_of_docstrings_name_what_exists():
    nodes = [*definitions()]
    classes = defaultdict(list)  # a name may be that of several classes
    for _, node in nodes:
        if isinstance(node, ast.ClassDef):
            classes[node.name].append(node)

    def attributes(node):
        names = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases}
        bases = [base for name in names for base in classes[name] if base is not node]
        return own_attributes(node).union(*map(attributes, bases))

    unknown, count = [], 0
    for path, node in nodes:
        docstring = ast.get_docstring(node) or ""
        is_class = isinstance(node, ast.ClassDef)
        constructors = [part for part in node.body if getattr(part, "name", "") in ("__init__", "__new__")]
        known = {
            "Args": (attributes(node) if is_class and not constructors else set()).union(
                *map(parameters, constructors if is_class else [node])
            ),
            "Attributes": attributes(node) if is_class else set(),
        }
        for title, names in known.items():
            explained = names_in_section(docstring, title)
            count += len(explained)
            place = f"{path.relative_to(PACKAGE.parent)}:{node.lineno} {node.name}"
            unknown += [f"{place}: {title} has {name}" for name in explained if name not in names]
    assert count > 100
    assert unknown == [], "\n".join(unknown)


def test_names_in_a_section_are_found():
    docstring = """Summary.

Args:
    low, high: The bounds,
        of the range.
    *rest: More values.

Returns:
    value: A number.
"""
    assert names_in_section(docstring, "Args") == ["low", "high", "rest"]
    assert names_in_section(docstring, "Attributes") == []

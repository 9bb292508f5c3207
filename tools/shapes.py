"""Generates the JavaScript types of the API, courtly/web/core/api-types.js, from the schemas of engine, review and
session.

python tools/shapes.py            write the file
python tools/shapes.py --check    fail if the file is outdated
"""

from __future__ import annotations

import ast
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = [ROOT / "courtly" / file for file in ("engine/schemas.py", "review/schemas.py", "session/schemas.py")]
OUTPUT = ROOT / "courtly" / "web" / "core" / "api-types.js"
WIDTH = 120
HEAD = """// Written by tools/shapes.py from schemas.py of courtly/engine, /review and /session. Nothing here runs.
// What they mean: docs/protocol.md.
"""
PLAIN = {"int": "number", "float": "number", "str": "string", "bool": "boolean", "None": "null", "Any": "any"}


def render_types() -> str:
    """Return the text of api-types.js."""
    bodies = [ast.parse(path.read_text(encoding="utf-8")).body for path in SOURCES]
    aliases = [
        _typedef(node.targets[0].id, _type(node.value))
        for body in bodies
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    fields: dict[str, list[tuple[str, str]]] = {}
    typedefs: dict[str, str] = {}
    for body in bodies:
        for node in body:
            if isinstance(node, ast.ClassDef):
                [base] = [_type(base) for base in node.bases]
                fields[node.name] = [*fields.get(base, ()), *_fields(node)]
                typedefs.pop(base, None)  # the extending type contains its fields
                typedefs[node.name] = _typedef(node.name, fields[node.name], ast.get_docstring(node) or "")
    return "\n".join([HEAD, *aliases, *typedefs.values(), "export {};\n"])


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for line in node.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            may_be_missing = (
                isinstance(line.annotation, ast.Subscript) and _type(line.annotation.value) == "NotRequired"
            )
            yield line.target.id + "?" * may_be_missing, _type(line.annotation)


def _type(node: ast.expr) -> str:
    """Return an annotation as a TypeScript type. Raises ValueError if it has no equivalent."""
    match node:
        case ast.Name(id=name):
            return PLAIN.get(name, name)
        case ast.Constant(value=None):
            return "null"
        case ast.Attribute(attr=name):  # a type of another schema module
            return name
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_type(left)} | {_type(right)}"
        case ast.Subscript(value=ast.Name(id="list"), slice=of):
            return f"({_type(of)})[]" if isinstance(of, ast.BinOp) else f"{_type(of)}[]"
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[key, value])):
            return f"Record<{_type(key)}, {_type(value)}>"
        case ast.Subscript(value=ast.Name(id="NotRequired"), slice=of):
            return _type(of)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=of):
            return " | ".join(
                json.dumps(ast.literal_eval(value)) for value in (of.elts if isinstance(of, ast.Tuple) else [of])
            )
    raise ValueError(f"line {node.lineno}: {ast.unparse(node)} has no TypeScript equivalent")


def _typedef(name: str, of: str | list[tuple[str, str]], description: str = "") -> str:
    """Return a JSDoc typedef: an alias, or an object type with these fields."""
    if isinstance(of, str):
        return f"/** @typedef {{{of}}} {name} */"
    lines = [" * @typedef {{"]
    for i, (field, type_) in enumerate(of):
        part = f"{field}: {type_}" + ("," if i + 1 < len(of) else f"}}}} {name}")
        if len(lines[-1]) + 1 + len(part) > WIDTH:
            lines.append(" *  ")
        lines[-1] += part if lines[-1].endswith("{{") else f" {part}"
    comment = textwrap.wrap(description, WIDTH, initial_indent=" * ", subsequent_indent=" * ")
    return "\n".join(["\n/**", *comment, *lines, " */"])


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        is_current = OUTPUT.read_text(encoding="utf-8") == render_types()
        sys.exit(0 if is_current else f"{OUTPUT.relative_to(ROOT)} is outdated: run python tools/shapes.py")
    OUTPUT.write_text(render_types(), encoding="utf-8")

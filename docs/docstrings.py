"""Plain docstrings as reStructuredText, for Sphinx."""

import re

SECTION = re.compile(r"^(Args|Attributes|Examples?|Note|Raises|Returns|Yields):$")
CODE = re.compile(r"``.+?``|`([^`]+)`", re.S)
MARKUP = re.compile(r"[\\*|]|(?<=\w)_\b(?!\w)")
BULLET = re.compile(r"^(- |\d+\. )")
FIELD = "Alias for field number"


def _text(text):
    """Write text so that only its code is marked up."""
    pieces, at = [], 0
    for code in CODE.finditer(text):
        pieces.append(MARKUP.sub(r"\\\g<0>", text[at : code.start()]))
        inner = (code[1] or code[0].strip("`")).strip()
        is_adjacent = [
            "\\ " if neighbour and not neighbour.isspace() and neighbour not in "()[]{}.,:;!?'\"-/" else ""
            for neighbour in (text[code.start() - 1 : code.start()], text[code.end() : code.end() + 1])
        ]
        pieces.append(f"{is_adjacent[0]}``{inner}``{is_adjacent[1]}")
        at = code.end()
    return "".join([*pieces, MARKUP.sub(r"\\\g<0>", text[at:])])


def _indent(line):
    return len(line) - len(line.lstrip())


def _table(rows):
    """Return a table in Markdown as a list of rows, the second of which is the line below its head."""
    cells = [[_text(cell.strip()) for cell in re.split(r"(?<!\\)\|", row.strip()[1:-1])] for row in rows]
    done = [".. list-table::", "   :header-rows: 1", ""]
    for row in (cells[0], *cells[2:]):
        done += [f"   {'* -' if not n else '  -'} {cell}" for n, cell in enumerate(row)]
    return [*done, ""]


def convert_lines(lines):
    """Return a docstring's lines as reStructuredText: its paragraphs, its sections, and its indented blocks as code."""
    blocks = []  # of lines that stand together
    for line in lines:
        if line.strip():
            if not blocks or not blocks[-1]:
                blocks.append([])
            blocks[-1].append(line.rstrip())
        elif blocks and blocks[-1]:
            blocks.append([])
    output = []
    section = False
    literal = False
    for block in filter(None, blocks):
        if _indent(block[0]):
            if section:
                output += [*_text("\n".join(block)).split("\n"), ""]
                continue
            output += [*([] if literal else ["::", ""]), *block, ""]
            literal = True
            continue
        literal = False
        if all(line.startswith("|") for line in block):
            output += _table(block)
            continue
        section = bool(SECTION.match(block[0]))
        if section:
            output += [block[0], *_text("\n".join(block[1:])).split("\n"), ""]
            continue
        # lines of one paragraph; where it turns into a list or an indented block, that stands by itself
        at = next((n for n, line in enumerate(block) if n and (_indent(line) or BULLET.match(line))), len(block))
        if BULLET.match(block[0]):
            at = 0
        output += [*_text("\n".join(block[:at])).split("\n"), ""] if at else []
        rest = block[at:]
        if rest and BULLET.match(rest[0]):
            items = [line if BULLET.match(line) or _indent(line) else f"  {line}" for line in rest]
            output += [*_text("\n".join(items)).split("\n"), ""]
        elif rest:
            code = next((n for n, line in enumerate(rest) if not _indent(line)), len(rest))
            output += ["::", "", *rest[:code], ""]
            output += convert_lines(rest[code:])
            literal = code == len(rest)
    return output


def process(_app, _what, _name, _obj, _options, lines):
    lines[:] = convert_lines(lines)


def skip(_app, _what, _name, obj, skipped, _options):
    """Leave out what Python itself says of the fields of a named tuple."""
    return True if (getattr(obj, "__doc__", None) or "").startswith(FIELD) else skipped

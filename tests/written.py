"""One record, written in many ways, and what every reader of records must make of each."""

import json

MARK = b"\xef\xbb\xbf"

# name: how the bytes of a record in order are changed, and the line that is wrong then (0: none)
WAYS = {
    "as it is": (lambda raw: raw, 0),
    "a byte order mark": (lambda raw: MARK + raw, 0),
    "a blank last line": (lambda raw: raw + b"\n", 0),
    "blank lines everywhere": (lambda raw: b"\n \t\n" + raw.replace(b"\n", b"\n\n  \n"), 0),
    "a mark before a blank line": (lambda raw: MARK + b"\n" + raw, 0),
    "no line feed at the end": (lambda raw: raw.rstrip(b"\n"), 0),
    "lines ended as on Windows": (lambda raw: raw.replace(b"\n", b"\r\n"), 0),
    "spaces around lines": (lambda raw: b" " + raw.replace(b"\n", b"\t\n "), 0),
    "line separators in a name": (lambda raw: named(raw, "a\u2028b\u0085c"), 0),
    "a byte that is no text in a name": (lambda raw: named(raw, "@@").replace(b"@@", b"\xff\xfe"), 0),
    "a number that JSON has not": (lambda raw: second(raw, b'{"ply": NaN}'), 2),
    "a line that is no JSON": (lambda raw: second(raw, b"{"), 2),
    "a line that is no object": (lambda raw: second(raw, b"[]"), 2),
    "blank lines before a wrong one": (lambda raw: b"\n\n" + second(raw, b"{"), 4),
    "a line after the end": (lambda raw: raw + b'{"ply": 1}\n', -1),
}


def named(raw, name):
    """Raw characters in the name of seat 0."""
    first, _, rest = raw.partition(b"\n")
    head = json.loads(first) | {"seats": [name]}
    return json.dumps(head, ensure_ascii=False).encode() + b"\n" + rest


def second(raw, line):
    """Another second line."""
    first, _, rest = raw.partition(b"\n")
    return first + b"\n" + line + b"\n" + rest.partition(b"\n")[2]


def line_of(raw, way):
    """The number of the wrong line; 0: none."""
    change, line = WAYS[way]
    return change(raw), len(raw.splitlines()) + 1 if line < 0 else line

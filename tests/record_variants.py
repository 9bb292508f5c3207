"""A record, written in many ways, and how every reader of records must treat each."""

import json

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# name: how the bytes of a valid record are changed, and the resulting wrong line (0: none)
VARIANTS = {
    "as it is": (lambda raw: raw, 0),
    "a byte order mark": (lambda raw: BYTE_ORDER_MARK + raw, 0),
    "a blank last line": (lambda raw: raw + b"\n", 0),
    "blank lines everywhere": (lambda raw: b"\n \t\n" + raw.replace(b"\n", b"\n\n  \n"), 0),
    "a mark before a blank line": (lambda raw: BYTE_ORDER_MARK + b"\n" + raw, 0),
    "no line feed at the end": (lambda raw: raw.rstrip(b"\n"), 0),
    "lines ended as on Windows": (lambda raw: raw.replace(b"\n", b"\r\n"), 0),
    "spaces around lines": (lambda raw: b" " + raw.replace(b"\n", b"\t\n "), 0),
    "line separators in a name": (lambda raw: replace_name(raw, "a\u2028b\u0085c"), 0),
    "a byte that is no text in a name": (lambda raw: replace_name(raw, "@@").replace(b"@@", b"\xff\xfe"), 0),
    "a number that JSON does not have": (lambda raw: replace_second_line(raw, b'{"ply": NaN}'), 2),
    "a line that is no JSON": (lambda raw: replace_second_line(raw, b"{"), 2),
    "a line that is no object": (lambda raw: replace_second_line(raw, b"[]"), 2),
    "blank lines before a wrong one": (lambda raw: b"\n\n" + replace_second_line(raw, b"{"), 4),
    "a line after the end": (lambda raw: raw + b'{"ply": 1}\n', -1),
}


def replace_name(raw, name):
    """Replace the name of seat 0 by these characters."""
    first, _, rest = raw.partition(b"\n")
    head = json.loads(first) | {"seats": [name]}
    return json.dumps(head, ensure_ascii=False).encode() + b"\n" + rest


def replace_second_line(raw, line):
    """Replace the second line."""
    first, _, rest = raw.partition(b"\n")
    return first + b"\n" + line + b"\n" + rest.partition(b"\n")[2]


def apply_variant(raw, variant):
    """Return the changed record and the number of its wrong line; 0: none."""
    change, line = VARIANTS[variant]
    return change(raw), len(raw.splitlines()) + 1 if line < 0 else line

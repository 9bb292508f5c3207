"""Find words that CONTRIBUTING.md keeps out of comments, docstrings, messages and documentation.

    python tools/plain_words.py [FILE …]

Without arguments every Python, JavaScript, CSS and Markdown file that git lists is read. Texts of the interface and
rules pages are not read, since they speak to players. Of tests only comments and docstrings are read: other strings are
what a test is about.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE = r"\b(?:the|a|this|one|another|old|whole) houses?\b|\bhouse's\b"
PERSONS = r"(?:who|whom|whoever|whomever|somebody|anybody|nobody|everybody)(?:'s)?\b"
ACTOR = "name the actor: client, server, player, caller …"
BANNED = {
    r"\banew\b": "again",
    r"\b(?:by|in|for|of|after|with) so many\b|\bso many (?:of|times|seconds|games)\b": "name the quantity",
    r"\b(?:is|are|was|were|be|been|being) told\b": "say what tells it: 'the server sends …'",
    r"\b(?:is|are|was|were|be|been) said\b": "say what says it, or where it stands",
    r"\bas it were\b": "leave it out",
    r"\bshall\b": "must, or the present tense",
    r"\bheeds?\b": "follow, read",
    r"\bthere(?:of|with|by|upon)\b": "of it",
    r"\bas (?:it|they) (?:must|should)\b|\bwhat it (?:should|must)\b": "say what is expected",
    HOUSE: "server",
    r"\b(?:never|nor|neither|only then|so) (?:is|are|does|do|has|have|can|may) (?:it|they|he|she|a|the|there)\b": (
        "subject before verb"
    ),
    rf"^{PERSONS} |[.!:;(–] {PERSONS} ": ACTOR,
    rf"\b(?:and|or|but|to|of|by|for|from|with|than|that|where|if|when|as|what|how) {PERSONS} ": ACTOR,
    r"\b(?:somebody|anybody|nobody|whoever|whomever)\b": ACTOR,
}
PATTERNS = [(re.compile(pattern, re.IGNORECASE | re.MULTILINE), advice) for pattern, advice in BANNED.items()]


def python_texts(source: str, strings: bool) -> Iterator[tuple[int, str]]:
    """Yield line and text of the comments and docstrings of a Python file; `strings`: of every string with spaces."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            if strings or id(node) in docstrings:
                yield node.lineno, node.value


def script_texts(source: str, _strings: bool) -> Iterator[tuple[int, str]]:
    """Yield line and text of each comment of a JavaScript or CSS file."""
    for comment in re.finditer(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", source, re.DOTALL):
        yield (
            source.count("\n", 0, comment.start()) + 1,
            re.sub(r"^\s*(?:\*|//|/\*\*?) ?", "", comment[0], flags=re.MULTILINE),
        )


def page_texts(source: str, _strings: bool) -> Iterator[tuple[int, str]]:
    """Yield line and text of what stands outside the code blocks of a Markdown page."""
    text = re.sub(
        r"^```.*?^```|`[^`\n]+`", lambda code: "x" + "\n" * code[0].count("\n"), source, flags=re.DOTALL | re.MULTILINE
    )
    yield 1, text


NOT_READ = re.compile(r"rules\.(?:en|ja)\.md$|^docs/play(?:\.ja)?\.md$|/vendor/")
READERS = {".py": python_texts, ".js": script_texts, ".css": script_texts, ".md": page_texts}


def find_banned(file: Path) -> Iterator[str]:
    """Yield a line for each word that is kept out."""
    shown_path = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
    for first, text in READERS[file.suffix](file.read_text("utf-8"), ROOT / "tests" not in file.parents):
        reported_spans: list[tuple[int, int]] = []
        for pattern, advice in PATTERNS:
            for match in pattern.finditer(text):
                number = first + text.count("\n", 0, match.start())
                if match[0].isupper() or pattern.pattern == HOUSE and "/games/" in str(file):
                    continue  # a constant of the rules; buildings on a board
                if any(first <= match.start() < last for first, last in reported_spans):
                    continue
                reported_spans.append(match.span())
                yield f"{shown_path}:{number}: {' '.join(match[0].split())!r}: {advice}"


def main(names: list[str]) -> int:
    tracked_names = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, text=True, capture_output=True, check=True
    ).stdout.split("\n")
    tracked_names = [name for name in tracked_names if not NOT_READ.search(name)]
    files = [Path(name).resolve() for name in names] or [ROOT / name for name in tracked_names if name]
    lines = [line for file in files if file.suffix in READERS and file.exists() for line in find_banned(file)]
    print("\n".join(lines))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Locates failures: every failed check is reported at a line of the game author's files."""

from __future__ import annotations

import linecache
import re
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from courtly.engine.errors import CourtlyError, RulesError
from courtly.engine.finding import Finding
from courtly.engine.native.dialect_check import DialectError


class CheckFailedError(CourtlyError, AssertionError):
    """A check found faults, listed in `found`."""

    def __init__(self, found: Iterable[Finding]):
        self.found = list(found)
        super().__init__("\n".join(map(str, self.found)))


class PropertyFailedError(CourtlyError, AssertionError):
    """A property of the game does not hold; `function` of the game is the place to fix it."""

    def __init__(self, function: Any, said: str):
        self.place = Path(function.__code__.co_filename), function.__code__.co_firstlineno
        super().__init__(said)


def require_no_findings(found: Iterable[Finding]) -> None:
    """Raise CheckFailedError if there are findings."""
    if found := list(found):
        raise CheckFailedError(found)


def find_line(file: Path, pattern: str, start: int = 1) -> int:
    """Return the number of the first line from `start` on that matches `pattern`; `start` if none does."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return next((number for number, line in enumerate(lines, 1) if number >= start and re.search(pattern, line)), start)


def locate_findings(wrong: BaseException, folders: list[Path]) -> list[Finding]:
    """Return an exception as findings in the author's folders, the first of which is the game's."""
    if isinstance(wrong, CheckFailedError | DialectError):
        return wrong.found
    said = one_line_message(wrong)
    if isinstance(wrong, PropertyFailedError):
        return [Finding(*wrong.place, said)]
    if isinstance(wrong, RulesError) and wrong.line:
        place, _, number = wrong.line.rpartition(":")
        return [Finding(Path(place), int(number), said)]
    file, line = _author_location(wrong, folders) or (folders[0] / "rules.py", 1)
    if not str(wrong) and isinstance(wrong, AssertionError):
        said = linecache.getline(str(file), line).strip()
    return [Finding(file, line, said)]


def one_line_message(wrong: BaseException) -> str:
    """Return the first line of an exception's message, preceded by its type unless a check raised it."""
    if isinstance(wrong, SyntaxError):
        return str(wrong.msg)
    said = (wrong.said if isinstance(wrong, RulesError) else str(wrong)).strip().partition("\n")[0]
    return said if isinstance(wrong, AssertionError | RulesError) else f"{type(wrong).__name__}: {said}"


def _author_location(wrong: BaseException, folders: list[Path]) -> tuple[Path, int] | None:
    """Return the file and line of the author's code that led to the exception, or of the author's file that cannot be
    read; None if there is no such place."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(wrong.__traceback__)]
    if isinstance(wrong, (OSError, SyntaxError)):
        places.append((str(wrong.filename), getattr(wrong, "lineno", 1)))
    theirs = [
        (Path(name), line or 1) for name, line in places if any(folder in Path(name).parents for folder in folders)
    ]
    return theirs[-1] if theirs else None

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
    """A check found faults, listed in `findings`."""

    def __init__(self, findings: Iterable[Finding]):
        self.findings = list(findings)
        super().__init__("\n".join(map(str, self.findings)))


class PropertyFailedError(CourtlyError, AssertionError):
    """A property of the game does not hold; `function` of the game is the place to fix it."""

    def __init__(self, function: Any, problem: str):
        self.place = Path(function.__code__.co_filename), function.__code__.co_firstlineno
        super().__init__(problem)


def require_no_findings(findings: Iterable[Finding]) -> None:
    """Raise CheckFailedError if there are findings."""
    if findings := list(findings):
        raise CheckFailedError(findings)


def find_line(file: Path, pattern: str, start: int = 1) -> int:
    """Return the number of the first line from `start` on that matches `pattern`; `start` if none does."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return next((number for number, line in enumerate(lines, 1) if number >= start and re.search(pattern, line)), start)


def locate_findings(error: BaseException, folders: list[Path]) -> list[Finding]:
    """Return an exception as findings in the author's folders, the first of which is the game's."""
    if isinstance(error, CheckFailedError | DialectError):
        return error.findings
    message = one_line_message(error)
    if isinstance(error, PropertyFailedError):
        return [Finding(*error.place, message)]
    if isinstance(error, RulesError) and error.line:
        place, _, number = error.line.rpartition(":")
        return [Finding(Path(place), int(number), message)]
    file, line = _author_location(error, folders) or (folders[0] / "rules.py", 1)
    if not str(error) and isinstance(error, AssertionError):
        message = linecache.getline(str(file), line).strip()
    return [Finding(file, line, message)]


def one_line_message(error: BaseException) -> str:
    """Return the first line of an exception's message, preceded by its type unless a check raised it."""
    if isinstance(error, SyntaxError):
        return str(error.msg)
    message = (error.description if isinstance(error, RulesError) else str(error)).strip().partition("\n")[0]
    return message if isinstance(error, AssertionError | RulesError) else f"{type(error).__name__}: {message}"


def _author_location(error: BaseException, folders: list[Path]) -> tuple[Path, int] | None:
    """Return the file and line of the author's code that led to the exception, or of the author's file that cannot be
    read; None if there is no such place."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, (OSError, SyntaxError)):
        places.append((str(error.filename), getattr(error, "lineno", 1)))
    own_places = [
        (Path(name), line or 1) for name, line in places if any(folder in Path(name).parents for folder in folders)
    ]
    return own_places[-1] if own_places else None

"""What stands beside the tests of a game, in their folder. All of it is optional.

- `invariants.py`: `check(state)` raises AssertionError where something is not as it always is.
- `traceless.py`: TRACELESS, public acts that leave nothing to be seen: verb to reason.
- `reason_for_few_secrets.py`: SELDOM, why only few positions have something hidden: then fewer worlds that differ are
enough.
- `unseen.py`: UNSEEN, hidden fields of which nobody has a right guess: field to reason.
- `mistakes.py`: MISTAKES and RARE (see mutation.py).
- `position.py`, `*.toml`: scenarios (see scenario.py).
- `golden/*.jsonl`: records of whole games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from courtly.engine.finding import Finding
from courtly.engine.scenarios.files import load_module
from courtly.testing.failure_location import CheckFailedError

TEST_FOLDERS: dict[str, Path | None] = {}  # where the tests of each game stand: GameTests or `courtly check` tells


def resource_file(game: str, name: str) -> Path:
    """The file beside a game's tests that holds this module."""
    return (TEST_FOLDERS.get(game) or Path()) / f"{name}.py"


@cache
def read_value(game: str, name: str, what: str, otherwise: Any) -> Any:
    """What a module beside a game's tests calls so; `otherwise` if there is no such thing."""
    found = TEST_FOLDERS.get(game) and load_module(resource_file(game, name))
    if found and what != "RARE" and not hasattr(found, what):
        raise CheckFailedError([Finding(resource_file(game, name), 1, f"{name}.py has no {what}")])
    return getattr(found, what, otherwise)


def _accept_any(state: Any) -> None:
    """Where no invariants are known, they hold."""


def invariants(game: str) -> Callable[[Any], None]:
    check: Callable[[Any], None] = read_value(game, "invariants", "check", _accept_any)
    return check


def traceless(game: str) -> dict[str, str]:
    return read_value(game, "traceless", "TRACELESS", None) or {}


def reason_for_few_secrets(game: str) -> str:
    """Return why a game that hides something does so in few positions; "" if it usually does."""
    reason: str = read_value(game, "seldom", "SELDOM", "")
    return reason


def unseen(game: str) -> dict[str, str]:
    return read_value(game, "unseen", "UNSEEN", None) or {}


def mistakes(game: str, rare: bool = False) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(read_value(game, "mistakes", "RARE" if rare else "MISTAKES", ()))


def scenarios(game: str) -> list[Path]:
    return _files(game, "*.toml")


def records(game: str) -> list[Path]:
    return _files(game, "golden/*.jsonl")


def _files(game: str, pattern: str) -> list[Path]:
    folder = TEST_FOLDERS.get(game)
    return sorted(folder.glob(pattern)) if folder else []

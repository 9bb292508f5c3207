"""Optional files in the folder of a game's tests.

- `invariants.py`: `check(state)` raises AssertionError if an invariant does not hold.
- `traceless_moves.py`: TRACELESS_MOVES, verbs of public moves that leave no visible trace, with the reasons.
- `few_secrets.py`: REASON_FOR_FEW_SECRETS, why only few positions have hidden information; tests then accept fewer
  differing worlds.
- `uninferable_fields.py`: UNINFERABLE_FIELDS, hidden fields whose distribution no seat can infer, with the reasons.
- `mistakes.py`: MISTAKES and RARE (see mutation.py).
- `*.toml`: scenarios, and `position.py`: `complete`, which completes their positions (see scenario_checks.py).
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

TEST_FOLDERS: dict[str, Path | None] = {}  # folder of each game's tests, set by GameTests or `courtly check`


def resource_file(game: str, name: str) -> Path:
    """Return the path of this module in the folder of a game's tests."""
    return (TEST_FOLDERS.get(game) or Path()) / f"{name}.py"


@cache
def read_value(game: str, name: str, attribute: str, otherwise: Any) -> Any:
    """Return the attribute `attribute` of the module `name` beside a game's tests, or `otherwise` if there is no such
    module.

    Raises:
        CheckFailedError: The module does not define it (except RARE, which is optional).
    """
    module = TEST_FOLDERS.get(game) and load_module(resource_file(game, name))
    if module and attribute != "RARE" and not hasattr(module, attribute):
        raise CheckFailedError([Finding(resource_file(game, name), 1, f"{name}.py has no {attribute}")])
    return getattr(module, attribute, otherwise)


def _accept_any(state: Any) -> None:
    """Accept any state: the default without invariants."""


def invariants(game: str) -> Callable[[Any], None]:
    """Return the function that checks a game's invariants."""
    check: Callable[[Any], None] = read_value(game, "invariants", "check", _accept_any)
    return check


def traceless_moves(game: str) -> dict[str, str]:
    """Return the verbs of public moves that leave no visible trace, with the reasons."""
    return read_value(game, "traceless_moves", "TRACELESS_MOVES", None) or {}


def reason_for_few_secrets(game: str) -> str:
    """Return why only few positions of a game have hidden information; "" if it has them often."""
    reason: str = read_value(game, "few_secrets", "REASON_FOR_FEW_SECRETS", "")
    return reason


def uninferable_fields(game: str) -> dict[str, str]:
    """Return the hidden fields whose distribution no seat can infer, with the reasons."""
    return read_value(game, "uninferable_fields", "UNINFERABLE_FIELDS", None) or {}


def mistakes(game: str, rare: bool = False) -> tuple[tuple[str, str, str, str], ...]:
    """Return the mutations of a game's rules as (what is wrong, file, old text, new text); the rare ones if `rare`."""
    return tuple(read_value(game, "mistakes", "RARE" if rare else "MISTAKES", ()))


def scenarios(game: str) -> list[Path]:
    """Return a game's scenario files."""
    return _files(game, "*.toml")


def records(game: str) -> list[Path]:
    """Return a game's records."""
    return _files(game, "golden/*.jsonl")


def _files(game: str, pattern: str) -> list[Path]:
    folder = TEST_FOLDERS.get(game)
    return sorted(folder.glob(pattern)) if folder else []

"""Amounts in the log: what a move or event has changed of the public numbers that LOGGED of `facts.py` names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from courtly.engine import schemas
from courtly.engine.constants import NOBODY
from courtly.engine.facts import Logged
from courtly.engine.state import Seats, StateType


def check_logged(logged: Sequence[Logged], state: StateType, verbs: Sequence[str]) -> None:
    """Check LOGGED of a game.

    Raises:
        ValueError: A field, its names or a verb do not fit. What the log says must be public.
    """
    for name, names, only_verbs, revealed_after in logged:
        field = state.fields.get(name)
        if field is None or field.visible != "public":
            raise ValueError(f"facts.py: LOGGED names {name}, which is not a public field of State")
        if len(field.axes) > 2 or field.axes and not isinstance(field.axes[0], Seats):
            raise ValueError(f"facts.py: LOGGED names {name}; expected one number, or one or a row for each seat")
        if len(names) != (field.shape[1] if len(field.shape) > 1 else 1):
            raise ValueError(f"facts.py: LOGGED has {len(names)} names for {name}; expected one for each number")
        if revealed_after and (len(field.axes) < 2 or "phase" not in state.fields):
            raise ValueError(f"facts.py: LOGGED reveals {name}; expected a row for each seat, and a field named phase")
        if unknown := set(only_verbs) - set(verbs):
            raise ValueError(f"facts.py: LOGGED names {', '.join(sorted(unknown))}; expected moves or events")


def read_numbers(logged: Sequence[Logged], state: Any) -> list[Any]:
    """Return a copy of the logged fields: each a number, or a row for each seat; the phase for what is revealed."""
    copies = []
    for field, _, _, revealed_after in logged:
        value = getattr(state, "phase" if revealed_after else field)
        if isinstance(value, list):
            value = [row[:] for row in value] if isinstance(value[0], list) else value[:]
        copies.append(value)
    return copies


def find_changes(
    logged: Sequence[Logged], before: list[Any], state: Any, seat: int, verb: str
) -> tuple[schemas.Change, ...]:
    """Return what a move has changed.

    Args:
        logged: LOGGED of the game.
        before: The numbers before it, from `read_numbers`.
        state: The state after it.
        seat: The seat that has moved; NOBODY for a random event.
        verb: The verb of the move or event.
    """
    changes: list[schemas.Change] = []
    for (field, names, verbs, revealed_after), old in zip(logged, before, strict=True):
        new = getattr(state, field)
        if new == old or verbs and verb not in verbs:
            continue
        if revealed_after:
            if old in revealed_after and state.phase not in revealed_after:
                changes += [
                    {"seat": owner, "name": name, "n": number, "revealed": True}
                    for owner, row in enumerate(new)
                    for name, number in zip(names, row, strict=True)
                    if number
                ]
            continue
        if not isinstance(new, list):
            if seat != NOBODY:
                changes.append({"seat": seat, "name": names[0], "n": new - old})
            continue
        for owner, (old_row, new_row) in enumerate(zip(old, new, strict=True)):
            pairs = zip(old_row, new_row, strict=True) if isinstance(new_row, list) else ((old_row, new_row),)
            changes += [
                {"seat": owner, "name": name, "n": now - then}
                for name, (then, now) in zip(names, pairs, strict=True)
                if now != then
            ]
    return tuple(changes)

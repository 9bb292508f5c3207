"""Checks of a game's `policy.py`, whose numbers the search uses unchecked."""

from __future__ import annotations

import random
from typing import Any

from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.position import WEIGHT_SUM_LIMIT
from courtly.engine.state import StateBase
from courtly.testing.checks.properties import RandomGame, other_world
from courtly.testing.failure_location import PropertyFailedError

DRIVER = "courtly.bots.policy"
WIN_VALUE = 1000  # value of a won game


class PolicyProbe:
    """A policy in one form, interpreted or native."""

    def __init__(self, game: Game, form: loader.InterpretedBackend | loader.CompiledBackend | None):
        self.game, self.driver = game, loader.load_driver(game, form, DRIVER)

    def priors(self, state: StateBase, seat: int, r: random.Random) -> tuple[list[int], list[int], int]:
        """Return the legal moves, their weights ([] if the policy has no opinion), and the reported sum."""
        buffer_size = self.game.room
        moves, out = self._row(buffer_size, r), self._row(buffer_size + POLICY_NOTES_LENGTH, r)
        n = self._ask(self.driver.weigh, "priors", state, seat, moves, out)
        return [*map(int, moves[:n])], [*map(int, out[: n if out[n] else 0])], int(out[n])

    def value(self, state: StateBase, r: random.Random) -> list[int]:
        """Return the value of each seat; [] if the policy has no opinion."""
        out = self._row(MAX_SEATS + POLICY_NOTES_LENGTH, r)
        has_opinion = self._ask(self.driver.appraise, "value", state, out)
        if has_opinion not in (0, 1):
            self.fail("value", f"value must return 1, or 0 for no opinion, not {has_opinion}")
        return [*map(int, out[: state.players * has_opinion])]

    def fail(self, name: str, problem: str) -> None:
        """Raise PropertyFailedError at this function of the policy."""
        raise PropertyFailedError(getattr(self.game.policy, name, self.game.rules.legal), problem)

    def _row(self, n: int, r: random.Random) -> Any:
        """Return a buffer filled with random numbers: the policy must not depend on its content."""
        row = [r.randrange(-99, 99) for _ in range(n)]
        if not self.driver.native:
            return row
        import numpy as np

        return np.array(row, np.int64)

    def _ask(self, function: Any, name: str, state: StateBase, *rest: Any) -> int:
        before = state.pack()
        if self.driver.native:
            records = loader.make_arrays(self.game, 1)[0]
            stored = records.view("u1")[: len(before)]
            stored[:] = list(before)
            number, after = function(records[0], *rest), stored.tobytes()
        else:
            twin = state.copy()
            number, after = function(twin, *rest), twin.pack()
        if after != before:
            self.fail(name, f"{name} changes the state")
        return int(number)


def check_policy_uses_view_only(probe: PolicyProbe, play: RandomGame, seat: int, r: random.Random) -> bool:
    """Check that a policy's weights are in range and depend only on what the seat sees: they must be the same in
    another world, and with random numbers in hidden fields. Return whether the policy has an opinion."""
    moves, weights, total = opinion = probe.priors(play.state, seat, r)
    if total and (min(weights) < 0 or sum(weights) != total or total >= WEIGHT_SUM_LIMIT):
        probe.fail(
            "priors",
            f"weights must be at least 0, with the returned sum below {WEIGHT_SUM_LIMIT}: {weights}, sum {total}",
        )
    for state in (other_world(play, seat, r.randrange(1 << 30)).state, scramble_hidden(play.state, seat, r)):
        if probe.priors(state, seat, r) != opinion:
            problem = f"the weights of {len(moves)} moves depend on what seat {seat} cannot see"
            probe.fail("priors", problem)
    return check_policy_values(probe, play, r) or total > 0


def check_policy_values(probe: PolicyProbe, play: RandomGame, r: random.Random) -> bool:
    """Check that a policy's values are in range. Return whether it has values."""
    values = probe.value(play.state, r)
    if any(not 0 <= n <= WIN_VALUE for n in values):
        probe.fail("value", f"values must be from 0 to {WIN_VALUE}, not {values}")
    return bool(values)


def scramble_hidden(state: StateBase, seat: int, r: random.Random) -> StateBase:
    """Return a copy of a state with random numbers in the fields that the seat cannot see."""

    def scramble(value: Any) -> Any:
        return [scramble(x) for x in value] if isinstance(value, list) else r.randrange(-99, 99)

    twin = state.copy()
    for field in state.stored:
        value = getattr(twin, field.name)
        if field.visible == "secret":
            setattr(twin, field.name, scramble(value))
        elif field.visible == "private":
            setattr(twin, field.name, [row if other == seat else scramble(row) for other, row in enumerate(value)])
    return twin

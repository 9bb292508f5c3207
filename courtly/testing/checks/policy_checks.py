"""What must hold of a game's `policy.py`: the search asks it millions of times, and believes it."""

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
WIN_VALUE = 1000  # the value of a game that is won


class PolicyProbe:
    """A policy in one form."""

    def __init__(self, game: Game, form: loader.InterpretedBackend | loader.CompiledBackend | None):
        self.game, self.driver = game, loader.load_driver(game, form, DRIVER)

    def priors(self, state: StateBase, seat: int, r: random.Random) -> tuple[list[int], list[int], int]:
        """The legal moves, how much it prefers each, and the sum that it tells; no numbers where that is 0."""
        room = self.game.room
        moves, out = self._row(room, r), self._row(room + POLICY_NOTES_LENGTH, r)
        n = self._ask(self.driver.weigh, "priors", state, seat, moves, out)
        return [*map(int, moves[:n])], [*map(int, out[: n if out[n] else 0])], int(out[n])

    def value(self, state: StateBase, r: random.Random) -> list[int]:
        """What each seat may expect; nothing if it has nothing to say."""
        out = self._row(MAX_SEATS + POLICY_NOTES_LENGTH, r)
        told = self._ask(self.driver.appraise, "value", state, out)
        if told not in (0, 1):
            self.fail("value", f"value returns 1, or 0 where it has nothing to say, not {told}")
        return [*map(int, out[: state.players * told])]

    def fail(self, name: str, said: str) -> None:
        raise PropertyFailedError(getattr(self.game.policy, name, self.game.rules.legal), said)

    def _row(self, n: int, r: random.Random) -> Any:
        """Whatever was there before it is asked must make no difference."""
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
            told, after = function(records[0], *rest), stored.tobytes()
        else:
            twin = state.copy()
            told, after = function(twin, *rest), twin.pack()
        if after != before:
            self.fail(name, f"{name} changes the position")
        return int(told)


def check_policy_uses_view_only(says: PolicyProbe, play: RandomGame, seat: int, r: random.Random) -> bool:
    """What a policy prefers depends on what the seat sees and on nothing else: it is the same in another world, and
    with rubbish where the seat cannot see. Its numbers are such as the search can use. Has it anything to say?"""
    moves, weights, total = found = says.priors(play.state, seat, r)
    if total and (min(weights) < 0 or sum(weights) != total or total >= WEIGHT_SUM_LIMIT):
        says.fail(
            "priors", f"weights are 0 or more and below {WEIGHT_SUM_LIMIT} together, not {weights}, told as {total}"
        )
    for state in (other_world(play, seat, r.randrange(1 << 30)).state, scramble_hidden(play.state, seat, r)):
        if says.priors(state, seat, r) != found:
            said = f"of {len(moves)} moves the policy prefers others when what seat {seat} cannot see is different"
            says.fail("priors", said)
    return check_policy_values(says, play, r) or total > 0


def check_policy_values(says: PolicyProbe, play: RandomGame, r: random.Random) -> bool:
    """Are values such as the search can use, if there are any?"""
    values = says.value(play.state, r)
    if any(not 0 <= n <= WIN_VALUE for n in values):
        says.fail("value", f"values are 0 to {WIN_VALUE}, not {values}")
    return bool(values)


def scramble_hidden(state: StateBase, seat: int, r: random.Random) -> StateBase:
    """The same in the eyes of a seat, and any numbers where it cannot see."""

    def over(value: Any) -> Any:
        return [over(x) for x in value] if isinstance(value, list) else r.randrange(-99, 99)

    twin = state.copy()
    for field in state.stored:
        value = getattr(twin, field.name)
        if field.visible == "secret":
            setattr(twin, field.name, over(value))
        elif field.visible == "private":
            setattr(twin, field.name, [row if other == seat else over(row) for other, row in enumerate(value)])
    return twin

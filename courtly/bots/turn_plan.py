"""The plan of a hint, in games whose policy computes decisions exactly: the moves that belong together, and what they
lead to.

All plans are simulated in the same imagined worlds, in which the player makes the best move at each decision. `AIM` of
the game's facts.py is the verb of the moves that a turn is played for, such as claiming a character.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, NamedTuple

from courtly.bots.search.search import MAX_NOTES, NOTES_PER_SIMULATION, Pause
from courtly.bots.turn_driver import MAX_TURN_MOVES, TURN_HEAD
from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.rows import make_row, pack_state
from courtly.engine.rng import make_generator
from courtly.engine.schemas import PositionView, Reason

DRIVER = "courtly.bots.turn_driver"
TURNS_PER_PLAN = 20  # the number of simulated turns
MAX_AIMS = 3
MIN_AIM_SHARE = 0.1  # of the turns; a less likely aim is left out
MIN_PERCENT, MAX_PERCENT = 5, 95  # so few turns cannot show that something is impossible or certain
SIMULATIONS = 1000  # determines the working memory, as in a search
LINE_LENGTH = TURN_HEAD + MAX_TURN_MOVES
NOTES_LENGTH = min(NOTES_PER_SIMULATION * SIMULATIONS, MAX_NOTES)


class TurnPlan(NamedTuple):
    """The moves of a turn until chance decides, the first one included, and how many of the simulated turns end with
    each of the moves that the turn is played for."""

    moves: tuple[int, ...]
    aims: Counter[int]
    turns: int


def has_plans(game: Game) -> bool:
    """Return True if hints for the game can have plans."""
    return hasattr(game.policy, "solve") and len(find_aims(game)) > 0


def find_aims(game: Game) -> range:
    """Return the ids of the moves that a turn is played for; none if the game declares no such moves."""
    ids = [move for move in range(game.moves.count) if game.moves.decode(move).verb == game.aim]
    return range(ids[0], ids[-1] + 1) if ids else range(0)


def plan_turn(
    game: Game, view: PositionView, move: int, number: int, turns: int = TURNS_PER_PLAN, pause: Pause | None = None
) -> TurnPlan:
    """Return the plan that begins with a move.

    Args:
        game: The game, which has plans.
        view: The view of the seat.
        move: Its first move.
        number: The seed of the simulations.
        turns: How many turns to simulate.
        pause: Called after each of them.
    """
    driver, state = _load_driver(game), game.State.from_view(view["state"])
    row: Any = make_row if driver.native else lambda length: [0] * length
    notes = row(NOTES_LENGTH)
    notes[0] = NOTES_LENGTH
    moves, out, line = row(game.room), row(game.room + MAX_SEATS), row(LINE_LENGTH)
    aims, found = find_aims(game), Counter[int]()
    for world in range(turns):
        rng = make_generator(number, world)
        states, generator = (pack_state(state), make_row(rng)) if driver.native else ([state.copy()], rng)
        driver.play_turn(states, view["seat"], move, aims.start, len(aims), generator, moves, out, notes, line)
        found[line[TURN_HEAD + line[0] - 1]] += 1
        if pause:
            pause()
    reached = Counter({aim: found[aim] for aim in aims if aim in found})
    return TurnPlan(tuple(line[TURN_HEAD : TURN_HEAD + line[1]]), reached, turns)


def explain_plan(game: Game, plan: TurnPlan) -> list[Reason]:
    """Return the moves that follow the first one before chance decides, and the moves that the turn most likely leads
    to."""
    reasons: list[Reason] = []
    following = [move.as_json() for move in game.moves.named(plan.moves[1:])]
    if following:
        reasons.append({"id": "help-plan", "args": {"moves": following}})
    aims = [
        {"move": game.moves.decode(aim).as_json(), "percent": _limit_percent(round(100 * count / plan.turns))}
        for aim, count in sorted(plan.aims.items(), key=lambda item: (-item[1], item[0]))
        if aim not in plan.moves and count >= MIN_AIM_SHARE * plan.turns
    ]
    if aims:
        reasons.append({"id": "help-aims", "args": {"aims": aims[:MAX_AIMS]}})
    return reasons


def _limit_percent(percent: int) -> int:
    return min(max(percent, MIN_PERCENT), MAX_PERCENT)


@cache
def _load_driver(game: Game) -> Any:
    return loader.load_driver(game, None if loader.is_usable() else loader.InterpretedBackend(), DRIVER)

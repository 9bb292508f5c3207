"""The plan of a hint, in games whose policy computes decisions exactly: the moves that belong together, and what they
lead to.

All plans are simulated in the same imagined worlds, in which the player makes the best move at each decision. `AIM` of
the game's facts.py is the verb of the moves that a turn is played for, such as claiming a character.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

from courtly.bots.search.search import EXACT_DRIVER, MAX_NOTES, NOTES_PER_SIMULATION, Pause
from courtly.bots.shares import shares_to_percents
from courtly.bots.turn_driver import AFTER_CHANCE, TURN_OVER
from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.rows import make_row, pack_state
from courtly.engine.rng import make_generator
from courtly.engine.schemas import PositionView, Reason

DRIVER = "courtly.bots.turn_driver"
MAX_TURNS = 400  # simulated for a plan
MAX_SOLUTIONS = 150  # decisions solved for a plan; after them, the turn that has begun is the last one
MAX_TURN_MOVES = 100
MAX_AIMS = 3
MIN_AIM_SHARE = 0.1  # of the turns; a less likely aim is left out
CONFIDENCE_95_FACTOR = 1.96  # half the width of a 95 % interval, in standard errors
SIMULATIONS = 1000  # determines the working memory, as in a search
NOTES_LENGTH = min(NOTES_PER_SIMULATION * SIMULATIONS, MAX_NOTES)


class TurnPlan(NamedTuple):
    """The moves of a turn until chance decides, the first one included, and how many of the simulated turns end with
    each of the moves that the turn is played for."""

    moves: tuple[int, ...]
    aims: Mapping[int, int]
    turns: int


def has_plans(game: Game) -> bool:
    """Return True if hints for the game can have plans."""
    return hasattr(game.policy, "solve") and len(find_aims(game)) > 0


def find_aims(game: Game) -> range:
    """Return the ids of the moves that a turn is played for; none if the game declares no such moves."""
    ids = [move for move in range(game.moves.count) if game.moves.decode(move).verb == game.aim]
    return range(ids[0], ids[-1] + 1) if ids else range(0)


def plan_turn(
    game: Game, view: PositionView, move: int, number: int, turns: int = MAX_TURNS, pause: Pause | None = None
) -> TurnPlan:
    """Return the plan that begins with a move.

    Args:
        game: The game, which has plans.
        view: The view of the seat.
        move: Its first move.
        number: The seed of the simulations.
        turns: How many turns to simulate at most.
        pause: Called after each of them.
    """
    simulation = _TurnSimulation(game, view)
    counts: dict[int, int] = {}
    played: list[int] = []
    certain = done = 0
    while done < turns and len(simulation.best_moves) < MAX_SOLUTIONS:
        played, certain = simulation.play(move, number, done)
        done += 1
        if played[-1] in simulation.aims:
            counts[played[-1]] = counts.get(played[-1], 0) + 1
        if pause:
            pause()
    return TurnPlan(tuple(played[:certain]), counts, done)


def explain_plan(game: Game, plan: TurnPlan) -> list[Reason]:
    """Return the moves that follow the first one before chance decides, and the moves that the turn most likely leads
    to, with the share of the turns and its margin of error in percent."""
    reasons: list[Reason] = []
    following = [move.as_json() for move in game.moves.named(plan.moves[1:])]
    if following:
        reasons.append({"id": "help-plan", "args": {"moves": following}})
    likely = [
        (aim, _estimate_share(count, plan.turns))
        for aim, count in sorted(plan.aims.items(), key=lambda item: (-item[1], item[0]))
        if aim not in plan.moves and count >= MIN_AIM_SHARE * plan.turns
    ][:MAX_AIMS]
    percents = shares_to_percents([share for _, (share, _) in likely])
    aims = [
        {
            "move": game.moves.decode(aim).as_json(),
            "percent": percent,
            "margin": round(100 * CONFIDENCE_95_FACTOR * error),
        }
        for (aim, (_, error)), percent in zip(likely, percents, strict=True)
    ]
    if aims:
        reasons.append({"id": "help-aims", "args": {"aims": aims}})
    return reasons


def _estimate_share(count: int, turns: int) -> tuple[float, float]:
    """Return a share and its standard error, counting two more turns of each kind: so even what has always happened
    has one."""
    share = (count + 2) / (turns + 4)
    return share, sqrt(share * (1 - share) / (turns + 4))


class _TurnSimulation:
    """Plays turns of the seat of a view, and solves each decision once.

    Attributes:
        aims: The ids of the moves that a turn is played for.
        best_moves: The best move in each position, by the stored fields of its state.
    """

    def __init__(self, game: Game, view: PositionView):
        self.driver, self.exact_driver = _load_drivers(game)
        self.seat, self.aims = view["seat"], find_aims(game)
        self.state = game.State.from_view(view["state"])
        row: Any = make_row if self.driver.native else lambda length: [0] * length
        self.moves, self.out, self.notes = row(game.room), row(game.room + MAX_SEATS), row(NOTES_LENGTH)
        self.notes[0] = NOTES_LENGTH
        self.best_moves: dict[bytes, int] = {}

    def play(self, move: int, number: int, world: int) -> tuple[list[int], int]:
        """Play the turn that begins with a move, in an imagined world. Returns its moves, and how many of them come
        before the first random event."""
        states, rng = self._copy(self.state), make_generator(number, world)
        generator = make_row(rng) if self.driver.native else rng
        played, certain = list[int](), 0
        while True:
            first = int(not played)
            result = self.driver.continue_turn(states, self.seat, move, first, generator, self.moves, self.out)
            played.append(move)
            if result == AFTER_CHANCE and not certain:
                certain = len(played)
            if result == TURN_OVER or move in self.aims or len(played) == MAX_TURN_MOVES:
                return played, certain or len(played)
            move = self._find_best_move(states)

    def _find_best_move(self, states: Any) -> int:
        if self.driver.native:
            data = states.cast("B")
            key, known = bytes(data[: self.state.packing.size]), memoryview(bytearray(data))
        else:
            key, known = states[0].pack(), states[0].copy()
        if key not in self.best_moves:
            n = self.exact_driver.solve_decision(known, self.seat, self.moves, self.out, self.notes)
            self.best_moves[key] = int(self.moves[max(range(n), key=lambda i: self.out[i])])
        return self.best_moves[key]

    def _copy(self, state: Any) -> Any:
        return pack_state(state) if self.driver.native else [state.copy()]


@cache
def _load_drivers(game: Game) -> tuple[Any, Any]:
    backend = None if loader.is_usable() else loader.InterpretedBackend()
    return loader.load_driver(game, backend, DRIVER), loader.load_driver(game, backend, EXACT_DRIVER)

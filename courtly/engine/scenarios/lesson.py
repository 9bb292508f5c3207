"""A game's lesson: guided first steps on real positions.

The file `lesson.toml` in the game's folder has the form of a scenario, and the rules of the game play it:

    players = 2
    options = { first_player = 1 }      # optional

    [[step]]                            # 6 to 12; the learner has the first seat
    given = { phase = "ACTING", … }     # optional: start from this position; by default from the game's setup
    do = ["* die 6, die 5, die 2"]      # moves of others and random events before the step
    expect = { active = [6, 5, 2] }     # checks of the text, as in a scenario (legal, choices, refused …)
    say = "keep"                        # the text mygame-lesson-keep; its `.other` answers any other move
    show = ["active-6-0"]               # highlighted elements of the board, by data-key or data-at
    ask = ["keep 6, roll", "keep 5"]    # the accepted answers of the learner; the first one is suggested

A step without `ask` is only read. The checks after a step must hold for each of its answers.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from courtly.engine.game import Game
from courtly.engine.match import Match
from courtly.engine.moves import Move
from courtly.engine.rng import SeededChance, make_generator
from courtly.engine.scenarios.scenario import STEP_KEYS, Scenario, ScenarioError, errors_name_step, require_known_keys

LESSON_FILE = "lesson.toml"
LEARNER_SEAT = 0  # the seat of the learner
LESSON_KEYS = {"players", "options", "step"}
LESSON_STEP_KEYS = STEP_KEYS | {"given", "say", "show", "ask"}


@dataclass(frozen=True)
class LessonPoint:
    """The state of a learner's progress.

    Attributes:
        match: The position.
        step: The current step, from 0.
        done: The moves made in each step up to the current one.
        since: The step that gave the position.
        rest: The remaining moves of the answer that was begun; None if the learner made other moves.
    """

    match: Match
    step: int
    done: list[list[int]]
    since: int
    rest: list[Move] | None


class Lesson:
    """The lesson of a game. Raises ScenarioError if its file is invalid."""

    def __init__(self, game: Game):
        self.game = game
        data = tomllib.loads((game.folder / LESSON_FILE).read_text(encoding="utf-8"))
        require_known_keys(data, LESSON_KEYS, "lesson")
        self.players: int = data["players"]
        self.options: dict[str, int] = data.get("options", {})
        self.steps: list[dict[str, Any]] = data.get("step", [])
        if not self.steps:
            raise ScenarioError("a lesson needs at least one step")
        for number, step in enumerate(self.steps, start=1):
            with errors_name_step(number, ""):
                require_known_keys(step, LESSON_STEP_KEYS, "step of a lesson")
                if not step.get("say"):
                    raise ScenarioError("a step of a lesson needs `say`")

    def start_step(self, number: int) -> Scenario:
        """Return the position that this step gives, as a match that can be continued."""
        data: dict[str, Any] = {"title": LESSON_FILE, "players": self.players, "options": self.options}
        data |= {"given": self.steps[number].get("given", {}), "step": [{}]}
        with errors_name_step(number + 1, "given"):
            scenario = Scenario(self.game, data, self.game.complete if data["given"] else None)
        state = scenario.state
        scenario.position = Match(self.game, self.players, self.options, SeededChance(0), start=False, state=state)
        return scenario

    def accepted_moves(self, scenario: Scenario, number: int) -> list[list[int]]:
        """Return the answers that this step accepts, each a list of moves."""
        with errors_name_step(number + 1, "ask"):
            return [
                [move for _, move in scenario.read(f"{LEARNER_SEAT} {line}")]
                for line in self.steps[number].get("ask", ())
            ]

    def describe(self) -> dict[str, Any]:
        """Return the lesson as JSON, for a program that has the rules but does not read this format.

        Returns:
            `options`, those that differ from the defaults; `steps`, each with `say` and `show` as in the file; `state`,
            all fields of the position that the step gives, or None if it goes on from the previous one; `do`, the moves
            before the step, each with its seat; `ask`, the accepted answers, each a list of moves.

        Raises:
            ScenarioError: A step has an invalid position or move.
        """
        steps = []
        for number, step in enumerate(self.steps):
            is_start = number == 0 or "given" in step
            scenario = self.start_step(number if is_start else 0)
            start = scenario.state
            steps.append(
                {
                    "say": step["say"],
                    "show": step.get("show", []),
                    "state": {name: getattr(start, name) for name in start.fields} if is_start else None,
                    "do": [seat_and_move for line in step.get("do", []) for seat_and_move in scenario.read(line)],
                    "ask": self.accepted_moves(scenario, number),
                }
            )
        return {"options": self.options, "steps": steps}

    def played_until(self, text_key: str) -> list[list[int]]:
        """Return the moves, by step, that lead to the step with this `text_key` if the learner follows the suggestions.

        Raises KeyError if there is no such step.
        """
        target = {step["say"]: number for number, step in enumerate(self.steps)}[text_key]
        moves_by_step: list[list[int]] = [[]]
        while len(moves_by_step) <= target:
            rest = self.point_after(moves_by_step).rest
            moves_by_step = (
                self.point_after([*moves_by_step[:-1], [int(move) for move in rest]]).done
                if rest
                else [*moves_by_step, []]
            )
        return moves_by_step

    def point_after(self, moves_by_step: list[list[int]]) -> LessonPoint:
        """Return the progress after these moves, a list for each step.

        Moves that do not belong to the lesson, perhaps because it has changed, are dropped with all steps after them.
        Raises CommandRefusedError if the moves of the last step are not legal.
        """
        last = min(len(moves_by_step), len(self.steps)) - 1
        scenario, first_step, accepted_moves = self.start_step(0), 0, list[list[int]]()
        number, past = -1, True
        while past:
            number += 1
            step = self.steps[number]
            if number and "given" in step:
                scenario, first_step = self.start_step(number), number
            scenario.run_lines(step.get("do", []))
            accepted_ways = self.accepted_moves(scenario, number)
            step_moves = moves_by_step[number] if number <= last else []
            match = cast(Match, scenario.position)  # see start_step
            past = number < len(self.steps) - 1 and (step_moves in accepted_ways if accepted_ways else number < last)
            if not accepted_ways or not past and number < last:
                step_moves = []
            rest = _remaining_moves(match, accepted_ways, step_moves)
            for move in step_moves:
                match.check(LEARNER_SEAT, move)
                match.apply(LEARNER_SEAT, move)
            accepted_moves.append(step_moves)
        while rest is None and match.chance:
            match.happen(make_generator(0, len(match.entries)))
        return LessonPoint(match, number, accepted_moves, first_step, rest)


def _remaining_moves(match: Match, accepted_ways: list[list[int]], played: list[int]) -> list[Move] | None:
    """Return the remaining moves of the first answer that begins with `played`; None if there is none."""
    if not accepted_ways and not played:
        return []
    return next((match.moves.named(way[len(played) :]) for way in accepted_ways if way[: len(played)] == played), None)


@cache
def load_lesson(game: Game) -> Lesson | None:
    """Return the lesson of a game; None if it has none."""
    return Lesson(game) if (game.folder / LESSON_FILE).exists() else None

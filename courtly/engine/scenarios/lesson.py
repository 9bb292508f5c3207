"""A game's lesson: its first steps, shown and tried on real positions. It stands in `load_lesson.toml` of the game's
folder, in the form of the scenarios, and is played by the rules:

    players = 2
    options = { first_player = 1 }      # optional

    [[step]]                            # 6 to 12; the learner has the first seat
    given = { phase = "ACTING", … }     # optional: another position, from here on; at first the game just set up
    do = ["* die 6, die 5, die 2"]      # what happens before the step is told: others' moves, chance
    expect = { active = [6, 5, 2] }     # what the text says of it, as in a scenario (legal, choices, refused …)
    say = "keep"                        # the text mygame-lesson-keep; its `.other` is said of another move than asked
    show = ["active-6-0"]               # what is pointed at on the board, by its data-key or data-at
    ask = ["keep 6, roll", "keep 5"]    # what the learner is to do: any of these; the first is what is suggested

Without `ask` a step is read, and that is all. What follows after a step holds whichever of its ways was taken.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from courtly.engine.game import Game
from courtly.engine.match import Match
from courtly.engine.moves import Move
from courtly.engine.rng import SeededChance, make_generator
from courtly.engine.scenarios.scenario import STEP_KEYS, Scenario, ScenarioError, errors_name_step, require_known_keys

LESSON_FILE = "lesson.toml"
LEARNER_SEAT = 0  # their seat
LESSON_KEYS = {"players", "options", "step"}
LESSON_STEP_KEYS = STEP_KEYS | {"given", "say", "show", "ask"}


@dataclass(frozen=True)
class LessonPoint:
    """Where somebody is in a lesson: the position, the step (from 0), what was done in each up to it, the step in which
    the position was given, and what is left of the way that is suggested; None: they went another."""

    match: Match
    step: int
    done: list[list[int]]
    since: int
    rest: list[Move] | None


class Lesson:
    """ScenarioError if it makes no sense."""

    def __init__(self, game: Game):
        self.game = game
        data = tomllib.loads((game.folder / LESSON_FILE).read_text(encoding="utf-8"))
        require_known_keys(data, LESSON_KEYS, "lesson")
        self.players: int = data["players"]
        self.options: dict[str, int] = data.get("options", {})
        self.steps: list[dict[str, Any]] = data.get("step", [])
        if not self.steps:
            raise ScenarioError("a lesson has steps")
        for number, step in enumerate(self.steps, start=1):
            with errors_name_step(number, ""):
                require_known_keys(step, LESSON_STEP_KEYS, "step of a lesson")
                if not step.get("say"):
                    raise ScenarioError("a step of a lesson says something")

    def begin(self, number: int) -> Scenario:
        """The position that this step gives, as a game that can go on."""
        data: dict[str, Any] = {"title": LESSON_FILE, "players": self.players, "options": self.options}
        data |= {"given": self.steps[number].get("given", {}), "step": [{}]}
        with errors_name_step(number + 1, "given"):
            scenario = Scenario(self.game, data, self.game.complete if data["given"] else None)
        state = scenario.state
        scenario.position = Match(self.game, self.players, self.options, SeededChance(0), start=False, state=state)
        return scenario

    def ways(self, scenario: Scenario, number: int) -> list[list[int]]:
        """What may be done in this step."""
        with errors_name_step(number + 1, "ask"):
            return [
                [move for _, move in scenario.read(f"{LEARNER_SEAT} {line}")]
                for line in self.steps[number].get("ask", ())
            ]

    def reach(self, say: str) -> list[list[int]]:
        """What leads to the step that says this, done as is suggested. KeyError if there is none."""
        wanted = {step["say"]: number for number, step in enumerate(self.steps)}[say]
        done: list[list[int]] = [[]]
        while len(done) <= wanted:
            rest = self.stand(done).rest
            done = self.stand([*done[:-1], [int(move) for move in rest]]).done if rest else [*done, []]
        return done

    def stand(self, done: list[list[int]]) -> LessonPoint:
        """Where these moves lead, a list for each step. What does not belong to the lesson (it may have been another)
        is left out, with all after it. CommandRefusedError if the last of them are not legal."""
        last = min(len(done), len(self.steps)) - 1
        scenario, since, kept = self.begin(0), 0, list[list[int]]()
        for number, step in enumerate(self.steps):
            if number and "given" in step:
                scenario, since = self.begin(number), number
            scenario.do(step.get("do", []))
            ways = self.ways(scenario, number)
            made = done[number] if number <= last else []
            match = scenario.position
            assert isinstance(match, Match)
            past = number < len(self.steps) - 1 and (made in ways if ways else number < last)
            if not ways or not past and number < last:
                made = []
            rest = _remaining_moves(match, ways, made)
            for move in made:
                match.check(LEARNER_SEAT, move)
                match.apply(LEARNER_SEAT, move)
            kept.append(made)
            if past:
                continue
            while rest is None and match.chance:
                match.happen(make_generator(0, len(match.entries)))
            return LessonPoint(match, number, kept, since, rest)
        raise AssertionError("the last step is not passed")


def _remaining_moves(match: Match, ways: list[list[int]], made: list[int]) -> list[Move] | None:
    """What is left of the first way that begins so."""
    if not ways and not made:
        return []
    return next((match.moves.named(way[len(made) :]) for way in ways if way[: len(made)] == made), None)


@cache
def load_lesson(game: Game) -> Lesson | None:
    """The lesson of a game, if it has one."""
    return Lesson(game) if (game.folder / LESSON_FILE).exists() else None

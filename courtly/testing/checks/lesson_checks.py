"""Checks of a game's lesson (courtly/engine/scenarios/lesson.py), played along each of its ways."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from courtly.engine.constants import LANGUAGES
from courtly.engine.finding import Finding
from courtly.engine.game import Game
from courtly.engine.moves import UnknownMoveError
from courtly.engine.scenarios.files import load_module
from courtly.engine.scenarios.lesson import LEARNER_SEAT, LESSON_FILE, Lesson
from courtly.engine.scenarios.scenario import Scenario, ScenarioError, errors_name_step
from courtly.testing import resources
from courtly.testing.checks.scenario_checks import find_step_line
from courtly.testing.failure_location import CheckFailedError

ALLOWED_STEPS = range(6, 13)  # about five minutes
LESSON_VARIABLES = {"me", "rival", "third"}  # variables of its texts: the learner, the next seat, and the one after


def has_lesson(game: Game) -> bool:
    """Return whether the game has a lesson."""
    return (game.folder / LESSON_FILE).exists()


def check_lesson(game: Game) -> int:
    """Play a lesson and return the number of ways that were played. Raises CheckFailedError, with the line, if it does
    not hold."""
    path = game.folder / LESSON_FILE
    try:
        lesson = Lesson(game)
        if len(lesson.steps) not in ALLOWED_STEPS:
            raise ScenarioError(
                f"a lesson has {ALLOWED_STEPS[0]} to {ALLOWED_STEPS[-1]} steps, not {len(lesson.steps)}"
            )
        if lesson.steps[-1].get("ask"):
            with errors_name_step(len(lesson.steps), "ask"):
                raise ScenarioError("the last step must not ask for a move")
        text_ids = [step["say"] for step in lesson.steps]
        if len({*text_ids}) < len(text_ids):
            raise ScenarioError("two steps use the same text")
        return sum(
            _play_ways(lesson, number, _load_scenario(game, lesson, number))
            for number, step in enumerate(lesson.steps)
            if not number or "given" in step
        )
    except (ScenarioError, UnknownMoveError, tomllib.TOMLDecodeError, OverflowError) as error:
        raise CheckFailedError([Finding(path, find_step_line(path, error), str(error))]) from error


def _load_scenario(game: Game, lesson: Lesson, number: int) -> Scenario:
    """Return the scenario of a step, whose given position must also satisfy the tests' position.py."""
    scenario = lesson.start_step(number)
    position = lesson.steps[number].get("given")
    file = resources.resource_file(game.id, "position")
    contradicts = getattr(load_module(file), "complete", None)
    if position and contradicts:
        with errors_name_step(number + 1, "given"):
            data = {
                "title": LESSON_FILE,
                "players": lesson.players,
                "options": lesson.options,
                "given": position,
                "step": [{}],
            }
            Scenario(game, data, contradicts)
    return scenario


def _play_ways(lesson: Lesson, number: int, scenario: Scenario) -> int:
    """Play each way from this step until the next given position, and return their number."""
    step = lesson.steps[number]
    scenario.check_step(number + 1, step)
    ways = lesson.accepted_moves(scenario, number)
    position = scenario.position
    with errors_name_step(number + 1, "ask" if ways else "say"):
        if position.chance or position.over:
            raise ScenarioError(
                "a step is shown after the end of the game"
                if position.over
                else "a step is shown before a random event"
            )
        if ways and LEARNER_SEAT not in position.pending:
            raise ScenarioError("the step asks for a move, but it is not the learner's turn")
    has_next = number + 1 < len(lesson.steps) and "given" not in lesson.steps[number + 1]
    played = 0
    for way in ways or [[]]:
        scenario.position = position.copy()
        with errors_name_step(number + 1, "ask"):
            for move in way:
                scenario.make(LEARNER_SEAT, move)
        played += _play_ways(lesson, number + 1, scenario) if has_next else 1
    return played


def find_unknown_examples(game: Game) -> Iterator[Finding]:
    """Yield examples of the rules pages (`![…](lesson:keep)`) that name a step that the lesson does not have."""
    steps = {step["say"] for step in Lesson(game).steps}
    for language in LANGUAGES:
        path = game.folder / f"rules.{language}.md"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for number, line in enumerate(lines, start=1):
            for step in re.findall(r"\]\(lesson:([^)]*)\)", line):
                if step not in steps:
                    yield Finding(path, number, f"the lesson has no step {step}")


def lesson_texts(game: Game) -> dict[str, set[str]]:
    """Return the variables of a lesson's texts by id. The texts for other moves (`.other`) are optional."""
    steps = Lesson(game).steps if has_lesson(game) else []
    asking_ids = [step["say"] for step in steps if step.get("ask")]
    text_ids = [step["say"] for step in steps] + [f"{word}.other" for word in asking_ids]
    return {f"{game.id}-lesson-{word}": LESSON_VARIABLES for word in text_ids}

"""A game's lesson (courtly/engine/scenarios/lesson.py), played by the rules along each of its ways."""

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

ALLOWED_STEPS = range(6, 13)  # steps: about five minutes
LESSON_VARIABLES = {"me", "rival", "third"}  # what its texts may name: the learner, who sits next, and after them


def has_lesson(game: Game) -> bool:
    return (game.folder / LESSON_FILE).exists()


def check_lesson(game: Game) -> int:
    """CheckFailedError says which line does not hold. How many ways through its parts were played."""
    path = game.folder / LESSON_FILE
    try:
        lesson = Lesson(game)
        if len(lesson.steps) not in ALLOWED_STEPS:
            raise ScenarioError(
                f"a lesson has {ALLOWED_STEPS[0]} to {ALLOWED_STEPS[-1]} steps, not {len(lesson.steps)}"
            )
        if lesson.steps[-1].get("ask"):
            with errors_name_step(len(lesson.steps), "ask"):
                raise ScenarioError("at the end nothing is asked")
        said = [step["say"] for step in lesson.steps]
        if len({*said}) < len(said):
            raise ScenarioError("a text is said twice")
        return sum(
            _play_ways(lesson, number, _load_scenario(game, lesson, number))
            for number, step in enumerate(lesson.steps)
            if not number or "given" in step
        )
    except (ScenarioError, UnknownMoveError, tomllib.TOMLDecodeError, OverflowError) as wrong:
        raise CheckFailedError([Finding(path, find_step_line(path, wrong), str(wrong))]) from wrong


def _load_scenario(game: Game, lesson: Lesson, number: int) -> Scenario:
    """A position that the tests of the game find possible too."""
    scenario = lesson.begin(number)
    given = lesson.steps[number].get("given")
    file = resources.resource_file(game.id, "position")
    contradicts = getattr(load_module(file), "complete", None)
    if given and contradicts:
        with errors_name_step(number + 1, "given"):
            data = {
                "title": LESSON_FILE,
                "players": lesson.players,
                "options": lesson.options,
                "given": given,
                "step": [{}],
            }
            Scenario(game, data, contradicts)
    return scenario


def _play_ways(lesson: Lesson, number: int, scenario: Scenario) -> int:
    """From this step on, until another position is given: each way that can be taken."""
    step = lesson.steps[number]
    scenario.hold(number + 1, step)
    ways = lesson.ways(scenario, number)
    position = scenario.position
    with errors_name_step(number + 1, "ask" if ways else "say"):
        if position.chance or position.over:
            raise ScenarioError(
                "a step is told when the game is over" if position.over else "a step is told before chance acts"
            )
        if ways and LEARNER_SEAT not in position.pending:
            raise ScenarioError("the learner is asked, and it is not their turn")
    following = number + 1 < len(lesson.steps) and "given" not in lesson.steps[number + 1]
    played = 0
    for way in ways or [[]]:
        scenario.position = position.copy()
        with errors_name_step(number + 1, "ask"):
            for move in way:
                scenario.make(LEARNER_SEAT, move)
        played += _play_ways(lesson, number + 1, scenario) if following else 1
    return played


def find_unknown_examples(game: Game) -> Iterator[Finding]:
    """Steps that the rules to read show as examples (`![…](lesson:keep)`) and the lesson does not have."""
    steps = {step["say"] for step in Lesson(game).steps}
    for language in LANGUAGES:
        path = game.folder / f"rules.{language}.md"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for number, line in enumerate(lines, start=1):
            for step in re.findall(r"\]\(lesson:([^)]*)\)", line):
                if step not in steps:
                    yield Finding(path, number, f"the lesson has no step {step}")


def lesson_texts(game: Game) -> dict[str, set[str]]:
    """The texts of a lesson, and what they may name. What is said of another move than asked may be left to the
    shell."""
    steps = Lesson(game).steps if has_lesson(game) else []
    asked = [step["say"] for step in steps if step.get("ask")]
    said = [step["say"] for step in steps] + [f"{word}.other" for word in asked]
    return {f"{game.id}-lesson-{word}": LESSON_VARIABLES for word in said}

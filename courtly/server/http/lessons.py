"""Lessons (courtly/engine/scenarios/lesson.py). Nothing is kept here: who learns says what they have done so far, and
it is played again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from courtly.engine import schemas as engine_shapes
from courtly.engine.game import Game
from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.engine.scenarios.lesson import LEARNER_SEAT, Lesson, LessonPoint, load_lesson
from courtly.server.actions.seating import known_game
from courtly.server.http.api import Anyone
from courtly.server.http.pages import page
from courtly.server.schemas.requests import Message, Word
from courtly.session import schemas
from courtly.session.detached_table import nowhere

STEPS = 40  # at most
MOVES = 100  # of a step
RIVALS = "squire"

Number = Annotated[int, Field(ge=0, le=1 << 31)]

lessons = APIRouter(prefix="/api")


class Learn(Message):
    """What was done in each step up to the one that is asked for; or `at`: to the one that says this, all was done as
    is suggested. `foresee`: what would be seen after these moves."""

    done: Annotated[list[Annotated[list[Number], Field(max_length=MOVES)]], Field(max_length=STEPS)] = []
    at: Word = ""
    foresee: Annotated[list[Number], Field(max_length=MOVES)] = []


def _lesson(game: Game) -> Lesson:
    found = load_lesson(game)
    if found is None:
        raise CommandRefusedError("error-unknown-page")
    return found


@lessons.post("/games/{game}/lesson", tags=["games"])
async def learn(game: str, wish: Learn, _: Anyone) -> schemas.LessonStep:
    """A step of a game's lesson, after what the learner has done."""
    found = _lesson(known_game(game))
    try:
        stand = found.stand(found.reach(wish.at) if wish.at else wish.done)
    except KeyError:
        raise CommandRefusedError("error-unknown-page") from None
    match = stand.match
    foreseen = match.foresee(LEARNER_SEAT, wish.foresee) if wish.foresee else None
    asked = found.steps[stand.step]
    astray = stand.rest is None
    view = match.view(LEARNER_SEAT, 0)
    if astray or not asked.get("ask"):
        view["legal"] = []  # nothing is asked now
    view["undo"] = bool(stand.done[-1])
    return {
        "done": stand.done,
        "steps": len(found.steps),
        "since": stand.since,
        "say": asked["say"],
        "show": asked.get("show", []),
        "asks": bool(asked.get("ask")),
        "astray": astray,
        "next": _next(stand),
        "table": _table(match),
        "view": view,
        "foreseen": foreseen,
    }


def _table(match: Match) -> schemas.TableInfo:
    """The others are bots, who do what the lesson says."""
    table = nowhere(match, [""] * match.players, LEARNER_SEAT)
    for seat in table["seats"][LEARNER_SEAT + 1 :]:
        seat["kind"], seat["bot"] = "bot", RIVALS
    return table


def _next(stand: LessonPoint) -> engine_shapes.Move | None:
    return stand.rest[0].as_json() if stand.rest else None


async def shown(request: Request) -> Response:
    """The page, for the lesson of a game."""
    _lesson(known_game(request.path_params["learn"]))
    return await page(request)


PAGES = [Route("/learn/{learn}", shown)]

"""The HTTP API of lessons (courtly/engine/scenarios/lesson.py).

The server stores nothing: each request contains all moves of the learner, and the server replays them.
"""

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
from courtly.server.actions.seating import find_known_game
from courtly.server.http.dependencies import MaybeGuestDep
from courtly.server.http.routes.pages import app_page
from courtly.server.schemas.requests import RequestModel, ShortText
from courtly.session import schemas
from courtly.session.detached_table import make_detached_table

MAX_STEPS = 40
MAX_STEP_MOVES = 100  # moves in one step
RIVAL_BOT = "squire"

MoveNumber = Annotated[int, Field(ge=0, le=1 << 31)]

router = APIRouter(prefix="/api")


class LessonRequest(RequestModel):
    """A request for one step of a lesson.

    `done` lists the moves in each step up to the requested one. `at` instead names the message id of a step; the server
    then plays the suggested moves up to it. `preview_moves` asks for a preview of these moves.
    """

    done: Annotated[
        list[Annotated[list[MoveNumber], Field(max_length=MAX_STEP_MOVES)]], Field(max_length=MAX_STEPS)
    ] = []
    at: ShortText = ""
    preview_moves: Annotated[list[MoveNumber], Field(max_length=MAX_STEP_MOVES)] = []


def _lesson(game: Game) -> Lesson:
    lesson = load_lesson(game)
    if lesson is None:
        raise CommandRefusedError("error-unknown-page")
    return lesson


@router.post("/games/{game}/lesson", tags=["games"])
async def play_lesson_step(game: str, body: LessonRequest, _: MaybeGuestDep) -> schemas.LessonStep:
    """Return a step of a game's lesson, after the learner's moves."""
    lesson = _lesson(find_known_game(game))
    try:
        point = lesson.point_after(lesson.played_until(body.at) if body.at else body.done)
    except KeyError:
        raise CommandRefusedError("error-unknown-page") from None
    match = point.match
    preview = match.preview(LEARNER_SEAT, body.preview_moves) if body.preview_moves else None
    step = lesson.steps[point.step]
    off_script = point.rest is None
    view = match.view(LEARNER_SEAT, 0)
    if off_script or not step.get("ask"):
        view["legal"] = []  # the step asks for no move
    view["undo"] = bool(point.done[-1])
    return {
        "done": point.done,
        "steps": len(lesson.steps),
        "position_step": point.since,
        "text_key": step["say"],
        "highlights": step.get("show", []),
        "expects_move": bool(step.get("ask")),
        "off_script": off_script,
        "suggested_move": _next_rival_move(point),
        "table": _lesson_table(match),
        "view": view,
        "preview": preview,
    }


def _lesson_table(match: Match) -> schemas.TableInfo:
    """Return the table of a lesson. All other seats are shown as bots; their moves are those of the lesson."""
    table = make_detached_table(match, [""] * match.players, LEARNER_SEAT)
    for seat in table["seats"][LEARNER_SEAT + 1 :]:
        seat["kind"], seat["bot"] = "bot", RIVAL_BOT
    return table


def _next_rival_move(point: LessonPoint) -> engine_shapes.Move | None:
    return point.rest[0].as_json() if point.rest else None


async def lesson_page(request: Request) -> Response:
    """Return the app page for the lesson of a game."""
    _lesson(find_known_game(request.path_params["learn"]))
    return await app_page(request)


LESSON_ROUTES = [Route("/learn/{learn}", lesson_page)]

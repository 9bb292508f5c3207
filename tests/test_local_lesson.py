"""Lessons in a browser: node answers requests for steps as the server does."""

import asyncio
import json
import random
from functools import cache

import pytest
from node_program import copy_modules, needs_node
from test_local_match import answer_in_node

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game, game_ids
from courtly.engine.position import CommandRefusedError
from courtly.engine.scenarios.lesson import LEARNER_SEAT, load_lesson
from courtly.server.assets.compiled_games import make_lesson_asset
from courtly.server.http.routes.lessons import LessonRequest, play_lesson_step

GAMES = [game for game in game_ids() if load_lesson(find_game(game))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the modules of the page and the lessons."""
    path = tmp_path_factory.mktemp("lessons")
    copy_modules(path / "web")
    (path / "compiled").mkdir()
    for name in GAMES:
        (path / "compiled" / f"{name}-lesson.json").write_bytes(make_lesson_asset(find_game(name)).plain)
    return path


def answer_of_the_server(game, request):
    try:
        return {"answer": asyncio.run(play_lesson_step(game, LessonRequest(**request), None))}
    except CommandRefusedError as refused:
        return {"error": {"id": refused.id, "args": refused.args_}}


@cache
def list_requests(game):
    """Return requests for every step, along each accepted answer, and after a random move at each step."""
    lesson, rng = load_lesson(find_game(game)), random.Random(game)
    requests = [{}, {"at": "nothing"}, {"done": [[0], [1, 2], []]}, {"done": [[]] * 39}]
    for number, step in enumerate(lesson.steps):
        done = lesson.played_until(step["say"])
        requests += [{"at": step["say"]}, {"done": done}]
        accepted = lesson.accepted_moves(lesson.start_step(0), number)
        for answer in accepted:
            begun = [[*done[:-1], answer[:length]] for length in range(1, len(answer) + 1)]
            requests += [{"done": moves} for moves in begun]
            requests += [{"done": [*done[:-1], []], "preview_moves": answer[:1]}, {"done": [*done[:-1], answer, []]}]
        legal = list(lesson.point_after(done).match.legal(LEARNER_SEAT)) if accepted else []
        for move in rng.sample(legal, min(4, len(legal))):
            requests.append({"done": [*done[:-1], [int(move)]]})
    return requests


@needs_node
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_the_servers(folder, game):
    files = load_or_compile_files(find_game(game))
    (folder / "compiled" / f"{game}.wasm").write_bytes(files.code)
    (folder / "compiled" / f"{game}.json").write_bytes(files.description)
    requests = list_requests(game)
    found = answer_in_node(folder, [("lesson", game, request) for request in requests])
    for request, answer in zip(requests, found, strict=True):
        assert answer == json.loads(json.dumps(answer_of_the_server(game, request))), request
    assert {answer["answer"]["off_script"] for answer in found if "answer" in answer} == {True, False}
    assert {answer["error"]["id"] for answer in found if "error" in answer} >= {"error-unknown-page"}

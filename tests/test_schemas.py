"""Messages have the declared types and order, and the browser's types are generated from them."""

import importlib.util
import json
import random
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from courtly.bots.registry import BOT_LEVELS
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import new_match
from courtly.engine.schemas import GameInfo, PositionView, View
from courtly.server.http.routes.games import bot_levels
from courtly.session import schemas

GENERATOR = Path(__file__).parent.parent / "tools" / "shapes.py"


def matches_exactly(type_, value):
    """Return whether a value matches a type exactly: no missing or additional keys, the same order, no number for a
    boolean.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    adapter = TypeAdapter(type_)
    return adapter.dump_json(adapter.validate_python(json.loads(text), strict=True)).decode() == text


def test_types_are_matched_exactly():
    move = {"id": 1, "verb": "keep", "args": {"face": 4}}
    view = {"seat": None, "state": {"phase": 1}, "pending": [0], "legal": [move]}
    assert matches_exactly(PositionView, view)
    assert not matches_exactly(PositionView, view | {"deck": [1]}) and not matches_exactly(
        PositionView, view | {"legal": [move | {"weight": 1}]}
    )
    assert not matches_exactly(PositionView, dict(reversed(view.items())))
    for change in ({"seat": "0"}, {"pending": [True]}, {"state": None}):
        with pytest.raises(ValueError, match="validation error"):
            matches_exactly(PositionView, view | change)


@pytest.mark.parametrize("name", game_ids())
def test_every_games_description_matches_its_type(name):
    game = find_game(name)
    description = game.about()
    validated = TypeAdapter(GameInfo).validate_python(json.loads(json.dumps(description)), strict=True)
    assert validated == description, "the order is that of game.toml"
    match, r = new_match(game, seed=5), random.Random(5)
    for _ in range(60):
        if match.over:
            break
        seat = r.choice(match.pending)
        match.play(seat, r.choice(match.legal(seat)))
        if match.can_undo(seat) and r.random() < 0.3:
            match.undo(seat)
        for viewpoint in (*range(match.players), None):
            assert matches_exactly(View, match.view(viewpoint, 0)) and matches_exactly(
                PositionView, match.now().view(viewpoint)
            )


def test_the_server_adds_the_bots_of_a_game():
    game = find_game("petition")
    description = {**game.about(), "bots": bot_levels(game), "help_available": True}
    bots = TypeAdapter(schemas.GameInfo).validate_python(description, strict=True)["bots"]
    assert [bot["name"] for bot in bots] == [*BOT_LEVELS]


def test_the_browser_has_the_same_types():
    spec = importlib.util.spec_from_file_location("made_from_shapes", GENERATOR)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.OUTPUT.read_text(encoding="utf-8") == tool.render_types(), "run tools/shapes.py"

"""The HTTP API of the installed games: their descriptions."""

from __future__ import annotations

import json
from functools import cache

from fastapi import APIRouter, Request, Response

from courtly.bots.browser_files import is_shipped
from courtly.bots.registry import list_offered_bots, load_win_rates
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.server.actions import seating
from courtly.server.assets.asset import Asset, compress
from courtly.server.assets.bundle import asset_response
from courtly.server.http.dependencies import MaybeGuestDep
from courtly.session import schemas

router = APIRouter(prefix="/api")


@router.get("/games", tags=["games"], responses={200: {"model": list[schemas.GameInfo] | list[schemas.GameBrief]}})
async def list_games(request: Request, _: MaybeGuestDep, brief: bool = False) -> Response:
    """Return descriptions of all games. `brief` omits moves, events, fields and components, which only tables need."""
    return asset_response(request, describe_games(*game_ids(), brief=brief), "no-cache")


@router.get("/games/{game}", tags=["games"], responses={200: {"model": schemas.GameInfo}})
async def describe_one_game(game: str, request: Request, _: MaybeGuestDep) -> Response:
    """Return the description of a game: options, moves, events, fields of its state, components and bots."""
    return asset_response(request, describe_games(seating.find_known_game(game).id, is_single=True), "no-cache")


def bot_levels(game: Game) -> list[schemas.BotLevel]:
    win_rates = load_win_rates(game)
    return [{"name": name, "ready": ready, "wins": win_rates.get(name, {})} for name, ready in list_offered_bots(game)]


TABLE_ONLY_PARTS = ("moves", "events", "fields", "components")  # parts of a description that only tables need


@cache
def describe_games(*games: str, is_single: bool = False, brief: bool = False) -> Asset:
    """Return the descriptions of games as JSON: a list, or a single object if `is_single`. `brief` omits some parts."""
    descriptions: list[schemas.GameInfo] = [
        {**game.about(), "bots": bot_levels(game), "help_available": loader.is_available() or is_shipped(game.id)}
        for game in map(find_game, games)
    ]
    left_out = TABLE_ONLY_PARTS if brief else ()
    shown_descriptions = [
        {part: value for part, value in description.items() if part not in left_out} for description in descriptions
    ]
    return compress(
        "application/json",
        json.dumps(
            shown_descriptions[0] if is_single else shown_descriptions, ensure_ascii=False, separators=(",", ":")
        ).encode(),
    )

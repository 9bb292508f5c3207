"""Checks of array bounds: sanitized rules (engine/native/sanitizer.py), which check every access, play the same moves
interpreted and native, and must agree after each."""

from __future__ import annotations

import random
from typing import Any

from courtly.bots.registry import RANDOM, SQUIRE, find_bot, is_search_bot
from courtly.engine.constants import NOBODY
from courtly.engine.errors import find_bound
from courtly.engine.game import BoundsError, Game
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedInterpretedBackend, CheckedRow, make_checked_state
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.testing.checks.native_equivalence import LockstepGames

SANITIZED_FORM: dict[str, Any] = {"copy": make_checked_state, "row": CheckedRow}


def load_sanitized_drivers(game: Game) -> tuple[Any, Any]:
    """Return a game's sanitized drivers, interpreted and native."""
    cached = loader.cache_folder(game, loader.PLAYOUT_DRIVER)
    checked = loader.CompiledBackend(cached, is_checked=True)
    return loader.load_driver(game, CheckedInterpretedBackend()), loader.load_driver(game, checked)


def play_sanitized(interpreted: Any, checked: Any, players: int, options: dict[str, int], number: int) -> None:
    """Play one game of heuristic bots, with an occasional random move so that games differ."""
    game: Game = interpreted.game
    r = random.Random(number)
    choose = find_bot(game, RANDOM if is_search_bot(game, SQUIRE) else SQUIRE)
    pair = LockstepGames(interpreted, checked, game.State(players=players, **options), number, **SANITIZED_FORM)
    bot_rngs = [make_generator(number, seat) for seat in range(players)]
    state, length = pair.state, 0
    position, longest = Position(game, state=state), game.bounds["decisions"] + game.bounds["events"]
    while not position.over:
        seat = position.actors[0]
        legal: list[int] = [*position.legal(seat)]
        if seat == NOBODY:
            weights = [weight for _, weight in position.outcomes()]
            draw = r.choices(range(len(legal)), weights)[0]
            move, draw, total = legal[draw], sum(weights[:draw]), sum(weights)
        else:
            move = choose(game, position.view(seat), bot_rngs[seat]) if r.random() < 0.95 else r.choice(legal)
            draw, total = legal.index(move), len(legal)
        if length % 16 == 0:
            pair.look(seat, move, length // 16 % (players + 1) - 1)
        pair.force_draw(draw, total)
        assert pair.step() == move
        length += 1
        if length > longest:
            raise BoundsError(
                game.id, "the game does not end within its bounds", length, line=find_bound(game.folder, "decisions")
            )
    pair.look(0, 0, NOBODY)

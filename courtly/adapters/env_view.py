"""What environments need of a position: observations, masks of legal moves, and bots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box, Dict

from courtly.adapters.observation import get_encoder
from courtly.bots.registry import POLICY, RANDOM, find_bot, has_move_policy, slip_interval, warm_up_bot
from courtly.engine.constants import POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.native_position import NativePosition
from courtly.engine.native.rows import address_of
from courtly.engine.position import Position
from courtly.engine.rng import Row, draw_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRIVER = "courtly.adapters.env_driver"
ChooseMove = Callable[[Position, int, Row], int]  # (position, seat, random stream) -> move


@cache
def _load_driver(game: Game) -> Any:
    """Return the driver's functions, compiled for the types that `EnvView` passes. They take addresses and lengths."""
    driver = loader.load_driver(game, driver=DRIVER, nogil=False)
    states = np.zeros(1, game.State.layout())
    moves, floats, mask = np.zeros(1, np.int64), np.zeros(1, np.float32), np.zeros(1, np.int8)
    example_arguments = {"look": (states, 0, floats, floats), "offer": (states, 0, moves, mask)}
    if has_move_policy(game):
        example_arguments["prefer"] = states, 0, moves, moves
    return loader.Driver(**{name: getattr(driver, name).function(*args) for name, args in example_arguments.items()})


class EnvView:
    """Observations, masks and bots of one game for one number of players. Each environment has its own instance."""

    def __init__(self, game: Game, players: int):
        self.players = players
        self.game, self.encoder, self.count = game, get_encoder(game, players), game.moves.count
        self.size, self.scale = self.encoder.size, self.encoder.scale
        self.moves, self.weights = np.zeros(game.room, np.int64), np.zeros(game.room + POLICY_NOTES_LENGTH, np.int64)
        if loader.is_usable():
            self.native = _load_driver(game)
            # the address and the length of each array, for machine code
            self._scale_row, self._moves_row = _row(self.scale), _row(self.moves)
            self._weights_row = _row(self.weights)

    def __reduce__(self) -> tuple[Any, ...]:
        return EnvView, (self.game, self.players)

    def space(self) -> Dict:
        """Return a new observation space for one agent: a Dict of `observation` and `action_mask`. Each has its own
        random stream."""
        return Dict(
            {"observation": Box(-1, 1, (self.size,), np.float32), "action_mask": Box(0, 1, (self.count,), np.int8)}
        )

    def observation(self, position: Position, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees: float32, shape (size,). Raises ValueError if there is no such seat."""
        if isinstance(position, NativePosition):
            if not 0 <= seat < position.players:
                raise ValueError(f"there is no seat {seat} in a game of {position.players} players")
            out = np.zeros(self.size, np.float32)
            self.native.look(position.address, 1, seat, *_row(out), *self._scale_row)
            return out
        return self.encoder.encode(position.state, seat)

    def mask(self, position: Position, seat: int) -> NDArray[np.int8]:
        """Return a 1 for each legal move of the seat: int8, shape (moves,)."""
        out = np.zeros(self.count, np.int8)
        if isinstance(position, NativePosition):
            self.native.offer(position.address, 1, seat, *self._moves_row, *_row(out))
        else:
            out[[int(move) for move in position.legal(seat)]] = 1
        return out

    def make_player(self, name: str) -> ChooseMove:
        """Return a bot by its name (courtly.bots), compiled. Raises UnknownBotError, which lists the bots, if there is
        none."""
        bot, game = find_bot(self.game, name), self.game
        if name == RANDOM:
            return choose_random
        if name.partition(":")[0] == POLICY and loader.is_usable():
            return self._make_policy_player(slip_interval(name))
        warm_up_bot(bot)
        return lambda position, seat, rng: bot(game, position.view(seat), rng)

    def _make_policy_player(self, count: int) -> ChooseMove:
        """Return the compiled policy as a player. It reads only what its seat may see (`courtly check` verifies
        that)."""
        prefer, rows = self.native.prefer, (*self._moves_row, *self._weights_row)

        def follow(position: Position, seat: int, rng: Row) -> int:
            assert isinstance(position, NativePosition)
            if not (count and draw_below(rng, count) == 0):
                move: int = prefer(position.address, 1, seat, *rows)
                if move >= 0:
                    return move
            return choose_random(position, seat, rng)

        return follow


def _row(array: NDArray[Any]) -> tuple[int, int]:
    """Return the address and the length of an array."""
    return address_of(array), len(array)


def choose_random(position: Position, seat: int, rng: Row) -> int:
    """Return a legal move, drawn uniformly."""
    moves = position.legal(seat)
    return moves[draw_below(rng, len(moves))]


def contains_action(space: Any, action: object) -> bool:
    """Return whether an action is in a Gymnasium space. Older versions of NumPy raise an error for huge numbers."""
    try:
        return bool(space.contains(action))
    except OverflowError:
        return False

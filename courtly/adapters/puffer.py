"""Many games side by side as an environment of PufferLib 3: one hero in each, whom actions are given for.

    from courtly.adapters.puffer import HeroPufferEnv

    envs = HeroPufferEnv("necklace", 1024, players=3, opponents="policy", threads=2)
    seen, _ = envs.reset(seed=1)
    seen, rewards, terminals, truncations, infos = envs.step(actions)

What games, opponents, limits and threads are is told in arrays.py. A row is the float32 observation and behind it the
mask, a 1 for each move that is legal: `seen[:, envs.size:]`. A game that is over begins anew in the same step; the
reward is the hero's place then, from 1 to -1, and -1 for a move that is not legal. `infos` tells of the games that
ended by then how many, and their mean length and reward.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pufferlib
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from courtly.adapters.arrays import CUT, ENDED, ILLEGAL, BatchedGames, Network
from courtly.engine.game import Game, find_game


class HeroPufferEnv(pufferlib.PufferEnv):  # type: ignore[misc]  # PufferLib has no types
    """`buf` and `seed` are PufferLib's; what stands last are the game's options. UnknownGameError if there is no such
    game; ValueError as of `BatchedGames`."""

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1024,
        players: int | None = None,
        opponents: str | Network = "random",
        seat: int = 0,
        *,
        limit: int | None = None,
        threads: int = 1,
        buf: Any = None,
        seed: int = 0,
        **options: int,
    ):
        found = game if isinstance(game, Game) else find_game(game)
        given: Any = opponents
        self.arrays = arrays = BatchedGames(
            found, num_envs, players, options, heroes=(seat,), opponents=given, limit=limit, threads=threads
        )
        self.seat, self.seed, self.size = seat, seed, arrays.encoder.size
        moves = found.moves.count
        self.single_observation_space = Box(-1, 1, (self.size + moves,), np.float32)
        self.single_action_space = Discrete(moves)
        self.num_agents = num_envs
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], list[dict[str, float]]]:
        """Begin the first games of a seed."""
        self.arrays.reset(self.seed if seed is None else seed)
        return self._shown(), []

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, list[dict[str, float]]]:
        """A move in each game."""
        arrays = self.arrays
        arrays.step(np.ravel(actions))
        ends = arrays.over > 0
        infos = []
        if count := int(ends.sum()):
            length, reward = arrays.lengths[ends, 2].mean(), arrays.rewards[ends, self.seat].mean()
            infos.append({"games": float(count), "episode_length": float(length), "episode_return": float(reward)})
        return self._shown(), self.rewards, self.terminals, self.truncations, infos

    def _shown(self) -> NDArray[np.float32]:
        """What is told lies in PufferLib's own arrays, which may be another process's too."""
        arrays = self.arrays
        self.observations[:, : self.size] = arrays.observation
        self.observations[:, self.size :] = arrays.mask
        self.rewards[:] = arrays.rewards[:, self.seat]
        self.terminals[:] = (arrays.over == ENDED) | (arrays.over == ILLEGAL)
        self.truncations[:] = arrays.over == CUT
        shown: NDArray[np.float32] = self.observations
        return shown

    def close(self) -> None:
        self.arrays.close()

"""Many games stepped together as an environment of PufferLib 3, with one hero in each game.

    from courtly.adapters.puffer import HeroPufferEnv

    envs = HeroPufferEnv("necklace", 1024, players=3, opponents="policy", threads=2)
    seen, _ = envs.reset(seed=1)
    seen, rewards, terminals, truncations, infos = envs.step(actions)

arrays.py describes games, opponents, limits and threads. A row is the float32 observation followed by the mask, a 1 for
each legal move: `seen[:, envs.size:]`. A game that is over begins again in the same step; its reward is the hero's
place, from 1 to -1, or -1 for an illegal move. `infos` has the number of games that ended in this step, and their mean
length and reward.
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
    """`num_envs` games, each with one hero that the caller plays."""

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
        """Allocate the games. No game begins before `reset`.

        Args:
            game: The game or its id.
            num_envs: Number of games.
            players: Default: the fewest that the game allows.
            opponents: "random", "policy" or a network, as in `BatchedGames`.
            seat: The hero's seat.
            limit: Decisions after which a game is cut. Default: the maximum that the game declares.
            threads: Threads that share each step.
            buf: PufferLib's shared buffers.
            seed: Seed of a `reset` that is called without one.
            **options: The game's table options.

        Raises:
            UnknownGameError: There is no such game.
            ValueError: As by `BatchedGames`.
        """
        loaded_game = game if isinstance(game, Game) else find_game(game)
        opponent_spec: Any = opponents
        self.arrays = arrays = BatchedGames(
            loaded_game,
            num_envs,
            players,
            options,
            heroes=(seat,),
            opponents=opponent_spec,
            limit=limit,
            threads=threads,
        )
        self.seat, self.seed, self.size = seat, seed, arrays.encoder.size
        moves = loaded_game.moves.count
        self.single_observation_space = Box(-1, 1, (self.size + moves,), np.float32)
        self.single_action_space = Discrete(moves)
        self.num_agents = num_envs
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], list[dict[str, float]]]:
        """Begin the first games of a seed. Return observations (float32, shape (num_envs, size + moves)) and []."""
        self.arrays.reset(self.seed if seed is None else seed)
        return self._observe(), []

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, list[dict[str, float]]]:
        """Apply a move in each game.

        Args:
            actions: Move ids, num_envs integers.

        Returns:
            Observations (float32, shape (num_envs, size + moves)), rewards (float32), terminals and truncations (bool),
                each of shape (num_envs,), and a list with at most one dictionary.

        Raises:
            ValueError: `actions` has another size or dtype.
        """
        arrays = self.arrays
        arrays.step(np.ravel(actions))
        ends = arrays.over > 0
        infos = []
        if count := int(ends.sum()):
            length, reward = arrays.lengths[ends, 2].mean(), arrays.rewards[ends, self.seat].mean()
            infos.append({"games": float(count), "episode_length": float(length), "episode_return": float(reward)})
        return self._observe(), self.rewards, self.terminals, self.truncations, infos

    def _observe(self) -> NDArray[np.float32]:
        """Copy the results into PufferLib's arrays, which another process may share, and return the observations."""
        arrays = self.arrays
        self.observations[:, : self.size] = arrays.observation
        self.observations[:, self.size :] = arrays.mask
        self.rewards[:] = arrays.rewards[:, self.seat]
        self.terminals[:] = (arrays.over == ENDED) | (arrays.over == ILLEGAL)
        self.truncations[:] = arrays.over == CUT
        observations: NDArray[np.float32] = self.observations
        return observations

    def close(self) -> None:
        """End the threads."""
        self.arrays.close()

"""Many games stepped together as a `gymnasium.vector.VectorEnv`.

    envs = CourtlyVectorEnv("necklace", 1024, players=3, heroes=(0,), opponents="policy", threads=2)
    seen, info = envs.reset(seed=1)
    seen, rewards, terminated, truncated, info = envs.step(actions)

arrays.py describes games, heroes, opponents, limits and threads; `envs.arrays` are its arrays. `seen["observation"]` is
what the seat to move sees, `seen["action_mask"]` its legal moves. A reward is that of the seat that has just moved: 0,
or its place from 1 to -1 when the game is over. With several heroes, `info["rewards"]` has a column for each seat and
`info["seat"]` the seat to move.

A game that is over begins again in the same step (`AutoresetMode.SAME_STEP`). As in Gymnasium, `info["final_obs"]` and
`info["final_info"]` describe its end: the first has what the seat that decided last sees, with no legal moves; the
second has `rewards`, `decisions` and `game`, the game's number within the seed. An illegal move ends a game with reward
-1 for the seat that made it. A game that exceeds `limit` is truncated. Actions that are not one integer for each game
raise ValueError and change nothing.

`gymnasium.make_vec` calls `make_hero_vector_env` for the games registered by gymnasium.py.

With `copy=False` the returned arrays are those of `envs.arrays`, which the next step overwrites. puffer.py is the
equivalent for PufferLib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from courtly.adapters import require_research_extra
from courtly.engine.game import Game, find_game

with require_research_extra():
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from courtly.adapters.arrays import CUT, ENDED, ILLEGAL, BatchedGames, ObservationKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Seen = dict[str, NDArray[Any]]
    Base = VectorEnv[Seen, NDArray[Any], NDArray[Any]]
else:
    Base = VectorEnv


class CourtlyVectorEnv(Base):
    """`num_envs` games as a vector environment."""

    def __init__(
        self, game: str | Game, num_envs: int = 1, players: int | None = None, *, copy: bool = True, **arguments: Any
    ):
        """Allocate the games. No game begins before `reset`.

        Args:
            game: The game or its id.
            num_envs: Number of games.
            players: Default: the fewest that the game allows.
            copy: Return copies of the arrays. False returns the arrays that the next step overwrites.
            **arguments: Further arguments of `BatchedGames`.

        Raises:
            UnknownGameError: There is no such game.
            ValueError: As by `BatchedGames`.
        """
        loaded_game = game if isinstance(game, Game) else find_game(game)
        self.arrays = arrays = BatchedGames(loaded_game, num_envs, players, **arguments)
        self.num_envs, self.copy = num_envs, copy
        self.metadata = {"name": loaded_game.id, "autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        encoder, moves = arrays.encoder, loaded_game.moves.count
        box: Box[Any] = Box(-1, 1, (encoder.size,), np.float32)
        if arrays.kind == "int16":
            box = Box(encoder.raw_least, encoder.raw_most, (encoder.raw_size,), np.int16)
        self.single_observation_space = Dict({"observation": box, "action_mask": Box(0, 1, (moves,), np.int8)})
        self.single_action_space = Discrete(moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin the first games of a seed.

        Args:
            seed: From 0 to 2**63 - 1; None draws one from the generator of the last seed.
            options: Ignored: table options are arguments of the constructor.

        Returns:
            Observations (`observation`: (num_envs, size); `action_mask`: int8, (num_envs, moves)) and `info` with
                `seat` (int64, (num_envs,)) and `rewards` (float32, (num_envs, players)).
        """
        super().reset(seed=seed)
        self.arrays.reset(int(self.np_random.integers(1 << 62)) if seed is None else seed)
        return self._observation(), {
            "seat": self._copied(self.arrays.seats),
            "rewards": self._copied(self.arrays.rewards),
        }

    def step(self, actions: NDArray[Any]) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Apply a move in each game.

        Args:
            actions: Move ids, shape (num_envs,), any integer dtype.

        Returns:
            Observations, rewards (float32), terminated and truncated (bool), each of shape (num_envs,), and `info`.

        Raises:
            ValueError: `actions` has another shape or dtype, or `reset` was not called.
        """
        arrays = self.arrays
        if actions is None:
            raise ValueError("step needs an action for each game; envs.arrays.step() draws random ones")
        movers, games = arrays.seats.copy(), arrays.games.copy()
        arrays.step(actions)
        over = arrays.over
        info: dict[str, Any] = {"seat": self._copied(arrays.seats), "rewards": self._copied(arrays.rewards)}
        if ends := np.flatnonzero(over).tolist():
            info |= self._final(ends, games)
        terminated = (over == ENDED) | (over == ILLEGAL)
        return self._observation(), arrays.rewards[self._rows, movers], terminated, over == CUT, info

    def _final(self, ends: list[int], games: NDArray[Any]) -> dict[str, Any]:
        arrays = self.arrays
        final_observations = np.full(self.num_envs, None, object)
        shut = np.zeros(arrays.mask.shape[1], np.int8)
        for i in ends:
            final_observations[i] = {"observation": arrays.last_observation[i].copy(), "action_mask": shut.copy()}
        is_over = arrays.over > 0
        final_info = {"rewards": arrays.rewards.copy(), "decisions": arrays.lengths[:, 2].copy(), "game": games}
        marks = {f"_{name}": is_over for name in final_info}
        return {
            "final_obs": final_observations,
            "_final_obs": is_over,
            "final_info": final_info | marks,
            "_final_info": is_over.copy(),
        }

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _observation(self) -> Seen:
        return {"observation": self._copied(self.arrays.observation), "action_mask": self._copied(self.arrays.mask)}

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.arrays.close()


def make_hero_vector_env(
    game: str,
    num_envs: int = 1,
    players: int | None = None,
    opponents: Any = "random",
    seat: int = 0,
    *,
    kind: ObservationKind = "float32",
    limit: int | None = None,
    threads: int = 1,
    copy: bool = True,
    **options: int,
) -> CourtlyVectorEnv:
    """Make a vector environment with one hero in each game; `gymnasium.make_vec` calls this.

    Args:
        game: The game's id.
        num_envs: Number of games.
        players: Default: the fewest that the game allows.
        opponents: "random", "policy" or a network. Other bots need `vectorization_mode="sync"`.
        seat: The hero's seat, the same in all games.
        kind: Form and dtype of the observations, "float32" or "int16".
        limit: Decisions after which a game is truncated. Default: the maximum that the game declares.
        threads: Threads that share each step.
        copy: Return copies of the arrays.
        **options: The game's table options.

    Raises:
        UnknownGameError: There is no such game.
        ValueError: As by `BatchedGames`.
    """
    return CourtlyVectorEnv(
        game,
        num_envs,
        players,
        options=options,
        heroes=(seat,),
        opponents=opponents,
        kind=kind,
        limit=limit,
        threads=threads,
        copy=copy,
    )

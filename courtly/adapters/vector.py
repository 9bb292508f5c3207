"""Many games side by side as a `gymnasium.vector.VectorEnv`.

    envs = CourtlyVectorEnv("necklace", 1024, players=3, heroes=(0,), opponents="policy", threads=2)
    seen, info = envs.reset(seed=1)
    seen, rewards, terminated, truncated, info = envs.step(actions)

What games, heroes, opponents, limits and threads are is told in arrays.py, whose arrays stand beneath: `envs.arrays`.
An observation is `seen["observation"]`, of the seat that is to move, with `seen["action_mask"]` of its legal moves. A
reward is that of the seat that has just moved: 0, or its place from 1 to -1 where the game is over. With several heroes
the others' stand in `info["rewards"]`, a column for each seat, and `info["seat"]` says who is to move.

A game that is over begins anew in the same step (`AutoresetMode.SAME_STEP`). Of its end tell `info["final_obs"]` and
`info["final_info"]`, as Gymnasium has them: the first holds what the seat sees of it that decided last, with no legal
moves; the other `rewards`, `decisions` and `game`, which one of the seed it was. A move that is not legal ends a game,
with -1 for who made it. Truncated is a game that went on for longer than `limit`. ValueError says what is wrong with
actions that are not one whole number for each game, and nothing is changed.

`make_hero_vector_env` is what `gymnasium.make_vec` calls for the games that it knows by their names (gymnasium.py).

With `copy=False` the arrays that are returned are those beneath, which the next step fills anew. PufferLib's kind of
environment is puffer.py.
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
    """`num_envs` games; everything but `copy` goes to `BatchedGames`. UnknownGameError if there is no such game;
    ValueError as there."""

    def __init__(
        self, game: str | Game, num_envs: int = 1, players: int | None = None, *, copy: bool = True, **more: Any
    ):
        found = game if isinstance(game, Game) else find_game(game)
        self.arrays = arrays = BatchedGames(found, num_envs, players, **more)
        self.num_envs, self.copy = num_envs, copy
        self.metadata = {"name": found.id, "autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        seen, moves = arrays.encoder, found.moves.count
        box: Box[Any] = Box(-1, 1, (seen.size,), np.float32)
        if arrays.kind == "int16":
            box = Box(seen.raw_least, seen.raw_most, (seen.raw_size,), np.int16)
        self.single_observation_space = Dict({"observation": box, "action_mask": Box(0, 1, (moves,), np.int8)})
        self.single_action_space = Discrete(moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin the first games of a seed; without one, of a seed drawn from the last one given. There are no
        `options` of a reset."""
        super().reset(seed=seed)
        self.arrays.reset(int(self.np_random.integers(1 << 62)) if seed is None else seed)
        return self._seen(), {"seat": self._own(self.arrays.seats), "rewards": self._own(self.arrays.rewards)}

    def step(self, actions: NDArray[Any]) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """A move in each game. ValueError if they are not `num_envs` whole numbers."""
        arrays = self.arrays
        if actions is None:
            raise ValueError("an action for each game is needed; arrays.step() draws them")
        moved, games = arrays.seats.copy(), arrays.games.copy()
        arrays.step(actions)
        over = arrays.over
        info: dict[str, Any] = {"seat": self._own(arrays.seats), "rewards": self._own(arrays.rewards)}
        if ends := np.flatnonzero(over).tolist():
            info |= self._final(ends, games)
        terminated = (over == ENDED) | (over == ILLEGAL)
        return self._seen(), arrays.rewards[self._rows, moved], terminated, over == CUT, info

    def _final(self, ends: list[int], games: NDArray[Any]) -> dict[str, Any]:
        arrays = self.arrays
        seen = np.full(self.num_envs, None, object)
        shut = np.zeros(arrays.mask.shape[1], np.int8)
        for i in ends:
            seen[i] = {"observation": arrays.last_observation[i].copy(), "action_mask": shut.copy()}
        is_over = arrays.over > 0
        told = {"rewards": arrays.rewards.copy(), "decisions": arrays.lengths[:, 2].copy(), "game": games}
        marks = {f"_{name}": is_over for name in told}
        return {"final_obs": seen, "_final_obs": is_over, "final_info": told | marks, "_final_info": is_over.copy()}

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _seen(self) -> Seen:
        return {"observation": self._own(self.arrays.observation), "action_mask": self._own(self.arrays.mask)}

    def close_extras(self, **kwargs: Any) -> None:
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
    """One seat of each game, as `HeroEnv` of gymnasium.py is one of a single game, and as there all else are the game's
    options. ValueError says what is not offered: here opponents are random, or follow the policy or a network, and the
    seat is the same in all games."""
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

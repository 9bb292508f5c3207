"""One seat of a game as a Gymnasium environment; bots play the other seats.

    import courtly.adapters.gymnasium

    env = gymnasium.make("courtly/Necklace-v4", players=3, opponents=("policy", "squire"))     # options by their names

An observation is a dictionary of `observation` (float32; observation.py describes each number) and `action_mask`
(int8). `info` contains the mask too. Actions are move ids: `env.unwrapped.game.moves.decode(action)` decodes one.

The reward comes with the last step: the seat's place from 1 (first) to -1 (last); tied seats share. `info["points"]`
then has each seat's points, without tie-breaks. An illegal action ends the game with reward -1 and `info["illegal"]`.
An action outside the space raises `gymnasium.error.InvalidAction`; a step after the end raises
`gymnasium.error.ResetNeeded`.

The opponents "random" and "policy" are compiled; all other bots receive the view of their seat.

    envs = gymnasium.make_vec("courtly/Necklace-v4", num_envs=1024, players=3, threads=2)     # compiled

makes the environment of vector.py with one hero. `vectorization_mode="sync"` makes separate environments of this module
instead, which accept any bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from courtly.adapters.env_view import EnvView, contains_action
from courtly.adapters.render import RENDER_MODES, SceneRenderer
from courtly.bots.registry import RANDOM
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.native_position import make_fastest_position
from courtly.engine.rng import make_generator

Observation = dict[str, NDArray[Any]]  # keys `observation` and `action_mask`


class HeroEnv(gymnasium.Env[Any, Any]):
    """A game in which the caller plays one seat, the hero."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str = "petition",
        players: int | None = None,
        opponents: str | Sequence[str] = RANDOM,
        seat: int | None = 0,
        render_mode: str | None = None,
        **options: int,
    ):
        """Make the environment. No game begins before `reset`.

        Args:
            game: The game's id.
            players: Default: the fewest that the game allows.
            opponents: A bot name (courtly.bots) for all other seats, or one per seat in turn order after the hero.
            seat: The hero's seat; None draws one for each game.
            render_mode: "ansi", "rgb_array" or None.
            **options: The game's table options.

        Raises:
            ValueError: An option, number of players, seat or render mode is not supported.
            UnknownGameError: There is no such game.
            UnknownBotError: There is no such bot; the message lists the bots.
        """
        self.game, self.options, self.render_mode = find_game(game), options, render_mode
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be one of {RENDER_MODES}, not {render_mode!r}")
        self.position = make_fastest_position(self.game, players, options)
        self.players = self.position.players
        if seat is not None and (not hasattr(seat, "__index__") or seat not in range(self.players)):
            raise ValueError(f"seat must be from 0 to {self.players - 1}, or None, not {seat!r}")
        self.hero_seat = None if seat is None else int(seat)
        names = (opponents,) * (self.players - 1) if isinstance(opponents, str) else tuple(opponents)
        if len(names) != self.players - 1:
            raise ValueError(f"{self.players} players need {self.players - 1} opponents, not {len(names)}")
        self._encoder = EnvView(self.game, self.players)
        self._names = names
        self._bots = [self._encoder.make_player(name) for name in names]
        self.observation_space, self.action_space = self._encoder.space(), Discrete(self.game.moves.count)
        self._mask: NDArray[np.int8] | None = None  # legal moves of the current decision
        self._scene: SceneRenderer | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_bots"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bots = [self._encoder.make_player(name) for name in self._names]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and advance it to the hero's first decision.

        Args:
            seed: Determines the game; None continues the random stream of the last seed.
            options: Ignored: table options are arguments of the constructor.

        Returns:
            The observation (`observation`: float32, shape (size,); `action_mask`: int8, shape (moves,)) and `info`.
        """
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62))
        self.seat = int(self.np_random.integers(self.players)) if self.hero_seat is None else self.hero_seat
        self._rng = make_generator(number)
        self._minds = [make_generator(number, 1 + k) for k in range(len(self._bots))]
        self.position = make_fastest_position(self.game, self.players, self.options)
        names = [f"player_{k}" for k in range(self.players)]
        self._scene = SceneRenderer(self.game, names, self.seat) if self.render_mode else None
        self._others_play()
        return self._observe()

    def _others_play(self) -> None:
        """Advance the game to the hero's next decision or to its end."""
        position, hero, count, scene = self.position, self.seat, self.players, self._scene
        while not position.over:
            if position.chance:
                if scene:
                    scene.happen(position, self._rng)
                else:
                    position.happen(self._rng)
                continue
            if hero in position.pending:
                return
            seat = position.pending[0]
            k = (seat - hero) % count - 1
            self._play(seat, self._bots[k](position, seat, self._minds[k]))

    def _play(self, seat: int, move: int) -> None:
        if self._scene:
            self._scene.before(self.position, seat, move)
        self.position.play(seat, move)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        mask = self._encoder.mask(self.position, self.seat)
        self._mask = None if self.position.over else mask.copy()  # the caller may write into the returned mask
        observation: Observation = {
            "observation": self._encoder.observation(self.position, self.seat),
            "action_mask": mask,
        }
        return observation, {"action_mask": mask, "seat": self.seat}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply the hero's move and advance the game to the hero's next decision or to its end.

        Args:
            action: A move id.

        Returns:
            Observation, reward, terminated, truncated (always False) and `info`.

        Raises:
            InvalidAction: `action` is outside the action space.
            ResetNeeded: The game is over or has not begun.
        """
        mask = self._mask
        if mask is None:
            raise ResetNeeded("the game is over, or has not begun: call reset()")
        if not contains_action(self.action_space, action):
            raise InvalidAction(f"{action!r} is not one of {self.action_space}")
        move = int(action)
        if not mask[move]:
            observation, info = self._observe()
            self._mask = None
            return observation, -1.0, True, False, info | {"illegal": True}
        self._play(self.seat, move)
        self._others_play()
        observation, info = self._observe()
        reward = self.position.utility
        if reward is not None:
            info["points"] = self.position.points
        return observation, 0.0 if reward is None else float(reward[self.seat]), reward is not None, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal: bool, shape (moves,). sb3-contrib calls this. Raises ResetNeeded before the
        first `reset`."""
        if not hasattr(self, "seat"):
            raise ResetNeeded("no game has begun: call reset() first")
        return self._encoder.mask(self.position, self.seat).astype(bool)

    def render(self) -> Any:
        """Return what the hero has seen: as sentences ("ansi"), as a picture ("rgb_array": uint8, shape (height, width,
        3)), or None without a render mode. Raises ResetNeeded before the first `reset`."""
        if self.render_mode is None:
            return None
        if self._scene is None:
            raise ResetNeeded("no game has begun: call reset() first")
        if self.render_mode == "ansi":
            return self._scene.text(self.position)
        return self._scene.picture(self.position, self.game.bounds["decisions"])


def env_id(game: str) -> str:
    """Return a game's id in Gymnasium's registry, such as courtly/Necklace-v4. Raises UnknownGameError if there is no
    such game."""
    return f"courtly/{game.title().replace('_', '')}-v{find_game(game).version}"


def register() -> None:
    """Register each installed game with Gymnasium."""
    for game in game_ids():
        gymnasium.register(
            env_id(game),
            entry_point=f"{__name__}:HeroEnv",
            vector_entry_point="courtly.adapters.vector:make_hero_vector_env",
            kwargs={"game": game},
        )


register()

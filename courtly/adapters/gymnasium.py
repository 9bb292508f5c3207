"""One seat of a game as a Gymnasium environment; bots have the others.

    import courtly.adapters.gymnasium

    env = gymnasium.make("courtly/Necklace-v4", players=3, opponents=("policy", "squire"))     # options by their names

An observation is a dictionary of `observation` (float32; observation.py says what each number is) and `action_mask`
(int8), which stands in `info` as well. Actions are the ids of moves: `env.unwrapped.game.moves.decode(action)` says
what one means. The reward comes at the end: the seat's place as a number from 1, the first, to -1, the last, equals
sharing; `info["points"]` has each seat's points then, without what breaks ties. An action that is not legal ends the
game with -1, and `info["illegal"]` says so; what is no action at all raises `gymnasium.error.InvalidAction`, and a step
in a game that is over `gymnasium.error.ResetNeeded`.

"random" and "policy" are machine code here; all other bots are told what their seats see.

    envs = gymnasium.make_vec("courtly/Necklace-v4", num_envs=1024, players=3, threads=2)     # all of it machine code

is `heroes` of vector.py; `vectorization_mode="sync"` asks for as many of these instead, and so for any bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from courtly.adapters.env_view import EnvView
from courtly.adapters.render import RENDER_MODES, SceneRenderer
from courtly.bots.registry import RANDOM
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.native_position import make_fastest_position
from courtly.engine.rng import make_generator

Observation = dict[str, NDArray[Any]]  # `observation` and `action_mask`


class HeroEnv(gymnasium.Env[Any, Any]):
    """`game`: its id. `players`: default the fewest. `opponents`: the name of a bot (courtly.bots) for all other seats,
    or one for each, in the order of their turns from the hero on. `seat`: the hero's; None: drawn for each game.

    ValueError if an option, a number of players or a seat is not offered; UnknownBotError lists the bots there are.
    """

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
        self.game, self.options, self.render_mode = find_game(game), options, render_mode
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {RENDER_MODES}, not {render_mode!r}")
        self.position = make_fastest_position(self.game, players, options)
        self.players = self.position.players
        if seat is not None and (not hasattr(seat, "__index__") or seat not in range(self.players)):
            raise ValueError(f"seat is one of 0 to {self.players - 1}, or None, not {seat!r}")
        self.wanted = None if seat is None else int(seat)
        names = (opponents,) * (self.players - 1) if isinstance(opponents, str) else tuple(opponents)
        if len(names) != self.players - 1:
            raise ValueError(f"{self.players} players need {self.players - 1} opponents, not {len(names)}")
        self._eyes = EnvView(self.game, self.players)
        self._names = names
        self._bots = [self._eyes.make_player(name) for name in names]
        self.observation_space, self.action_space = self._eyes.space(), Discrete(self.game.moves.count)
        self._mask: NDArray[np.int8] | None = None  # of the decision that is due
        self._scene: SceneRenderer | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_bots"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._bots = [self._eyes.make_player(name) for name in self._names]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game; with a seed, the game of this number. `options` says nothing here: those of the game are given
        when the environment is made."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62))
        self.seat = int(self.np_random.integers(self.players)) if self.wanted is None else self.wanted
        self._rng = make_generator(number)
        self._minds = [make_generator(number, 1 + k) for k in range(len(self._bots))]
        self.position = make_fastest_position(self.game, self.players, self.options)
        names = [f"player_{k}" for k in range(self.players)]
        self._scene = SceneRenderer(self.game, names, self.seat) if self.render_mode else None
        self._others_play()
        return self._shown()

    def _others_play(self) -> None:
        """Until the hero is to decide."""
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

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        mask = self._eyes.mask(self.position, self.seat)
        self._mask = None if self.position.over else mask.copy()  # what others hold they may write into
        seen: Observation = {"observation": self._eyes.observation(self.position, self.seat), "action_mask": mask}
        return seen, {"action_mask": mask, "seat": self.seat}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        mask = self._mask
        if mask is None:
            raise ResetNeeded("the game is over, or has not begun: call reset()")
        if not self.action_space.contains(action):
            raise InvalidAction(f"{action!r} is not one of {self.action_space}")
        move = int(action)
        if not mask[move]:
            seen, info = self._shown()
            self._mask = None
            return seen, -1.0, True, False, info | {"illegal": True}
        self._play(self.seat, move)
        self._others_play()
        seen, info = self._shown()
        reward = self.position.utility
        if reward is not None:
            info["points"] = self.position.points
        return seen, 0.0 if reward is None else float(reward[self.seat]), reward is not None, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as sb3-contrib asks for it."""
        if not hasattr(self, "seat"):
            raise ResetNeeded("no game has begun: call reset()")
        return self._eyes.mask(self.position, self.seat).astype(bool)

    def render(self) -> Any:
        """What the hero is told: in sentences ("ansi"), or as a picture ("rgb_array")."""
        if self.render_mode is None:
            return None
        if self._scene is None:
            raise ResetNeeded("no game has begun: call reset()")
        if self.render_mode == "ansi":
            return self._scene.text(self.position)
        return self._scene.picture(self.position, self.game.bounds["decisions"])


def env_id(game: str) -> str:
    """courtly/Necklace-v4."""
    return f"courtly/{game.title().replace('_', '')}-v{find_game(game).version}"


def register() -> None:
    """Each game that is installed, in Gymnasium's registry."""
    for game in game_ids():
        gymnasium.register(
            env_id(game),
            entry_point=f"{__name__}:HeroEnv",
            vector_entry_point="courtly.adapters.vector:make_hero_vector_env",
            kwargs={"game": game},
        )


register()

"""Every game as a PettingZoo AEC environment: one agent acts after another.

    from courtly.adapters import pettingzoo as courtly_zoo

    env = courtly_zoo.env("petition", players=3, round_limit=20)       # options by their names
    env = pettingzoo.make("aec", "courtly/petition-v1", players=3)     # the same, after this import

Agents are "player_0", "player_1" and so on, in the order of the seats. Simultaneous choices are made one after another,
from the lowest seat up, and are hidden until all are made. An observation is a dictionary of `observation` (float32;
observation.py describes each number) and `action_mask` (int8). `infos` contains the mask too. Actions are move ids:
`env.unwrapped.game.moves.decode(action)` decodes one.

Rewards come at the end: each seat's place from 1 (first) to -1 (last); tied seats share, and the sum is 0. `infos` then
has the agent's `points`, without tie-breaks. After `max_cycles` decisions (default: the maximum that the game declares)
the game is truncated with all rewards 0. An illegal action ends the game with -1 for the agent that chose it (`env`) or
raises ValueError (`raw_env`).
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from courtly.adapters.env_view import EnvView, contains_action
from courtly.adapters.render import RENDER_MODES, SceneRenderer
from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.native_position import make_fastest_position
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import make_generator


def env(game: str = "petition", **arguments: Any) -> WrappedEnv:
    """Return `raw_env(game, **given)` with PettingZoo's usual wrappers: an illegal action ends the game."""
    return WrappedEnv(raw_env(game, **arguments))


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801  (PettingZoo's name for it)
    """The environment without wrappers."""

    def __init__(
        self,
        game: str = "petition",
        players: int | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: int,
    ):
        """Make the environment. No game begins before `reset`.

        Args:
            game: The game's id.
            players: Default: the fewest that the game allows.
            render_mode: "ansi", "human", "rgb_array" or None.
            max_cycles: Decisions after which a game is truncated. Default: the maximum that the game declares.
            **options: The game's table options.

        Raises:
            ValueError: An option, number of players, render mode or `max_cycles` is not supported.
            UnknownGameError: There is no such game.
        """
        super().__init__()
        self.game, self.options, self.render_mode = find_game(game), options, render_mode
        self.metadata = {
            "name": f"courtly_{game}_v{self.game.version}",
            "render_modes": [*RENDER_MODES, "human"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *RENDER_MODES, "human"):
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)} and human, not {render_mode!r}")
        self.position = make_fastest_position(self.game, players, options)
        self.players = self.position.players
        self.max_cycles = self.game.bounds["decisions"] if max_cycles is None else max_cycles
        if not isinstance(self.max_cycles, int) or self.max_cycles < 1:
            raise ValueError(f"max_cycles must be a whole number, at least 1, not {max_cycles!r}")
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._encoder = EnvView(self.game, self.players)
        self._observation_spaces: dict[str, Dict] = {agent: self._encoder.space() for agent in self.possible_agents}
        self.state_space = Box(0, 255, (self.game.State.packing.size,), np.uint8)
        self._action_spaces = {agent: Discrete(self.game.moves.count) for agent in self.possible_agents}
        self._scene = SceneRenderer(self.game, self.possible_agents) if render_mode else None
        self.np_random: Any = None

    def observation_space(self, agent: str) -> Any:
        """Return the agent's observation space: a Dict of `observation` and `action_mask`."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the agent's action space: a Discrete of all moves."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game and advance it to its first decision.

        Args:
            seed: Determines the game; None continues the random stream of the last seed.
            options: Ignored: table options are arguments of the constructor.
        """
        if seed is not None or self.np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        self._rng = make_generator(int(self.np_random.integers(1 << 62)))
        self.position = make_fastest_position(self.game, self.players, self.options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # PettingZoo's; it remains set after a game that was abandoned
        if self._scene:
            self._scene.begin()
        self._to_decision()

    def _to_decision(self) -> None:
        """Let random events happen until an agent has to decide, and select that agent; or end the game."""
        position = self.position
        while position.chance:
            if self._scene:
                self._scene.happen(position, self._rng)
            else:
                position.happen(self._rng)
        if position.over:
            self._end(self.terminations, map(float, position.utility or ()))
            for agent, points in zip(self.possible_agents, position.points, strict=True):
                self.infos[agent] = {"points": points}
        elif position.decisions >= self.max_cycles:
            self._end(self.truncations, (0.0 for _ in self.agents))
        else:
            self._seat = seat = position.pending[0]
            self.agent_selection = agent = self.possible_agents[seat]
            self._mask = mask = self._encoder.mask(position, seat)
            self.infos[agent] = {"action_mask": mask.copy()}  # the caller may write into the mask

    def _end(self, flags: dict[str, bool], rewards: Any) -> None:
        self._seat = NOBODY
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            flags[agent], self.rewards[agent] = True, reward
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what this agent sees now. The mask of an agent that is not to act is all zeros."""
        position, seat = self.position, self._seats[agent]
        mask = self._mask.copy() if seat == self._seat else np.zeros(self._encoder.count, np.int8)
        return {"observation": self._encoder.observation(position, seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Apply the selected agent's move and advance to the next decision.

        Args:
            action: A move id; None for an agent whose game is over.

        Raises:
            ValueError: The action is not legal; the game is unchanged.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seat
        try:
            if isinstance(action, bool | np.bool_):
                raise TypeError("no number")
            move = index(action)
            if self._scene:
                self._scene.before(self.position, seat, *self.position.check(seat, move))
            self.position.play(seat, move)
        except (CommandRefusedError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{action!r} is not legal: {error}") from None
        self.infos[agent] = {}
        self._to_decision()

    def allows(self, action: int) -> bool:
        """Return whether the action is legal for the selected agent."""
        return bool(self._mask[int(action)])

    def lose(self) -> None:
        """End the game after an illegal action, as PettingZoo's TerminateIllegalWrapper does: reward -1 for the
        selected agent."""
        agent, self._seat = self.agent_selection, NOBODY
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = -1.0
        self.infos[agent] = {}
        self._accumulate_rewards()
        self._deads_step_first()

    def state(self) -> Any:
        """Return the whole packed state, including secrets: uint8, shape (bytes,), readable by `State.unpack`."""
        return np.frombuffer(self.position.packed, np.uint8)

    def render(self) -> Any:
        """Render what spectators see: return it as sentences ("ansi") or as a picture ("rgb_array": uint8, shape
        (height, width, 3)), or print it ("human")."""
        if self._scene is None:
            return None
        if self.render_mode == "rgb_array":
            return self._scene.picture(self.position, self.max_cycles)
        text = self._scene.text(self.position)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


class WrappedEnv(wrappers.OrderEnforcingWrapper[str, Any, Any]):
    """TerminateIllegalWrapper, AssertOutOfBoundsWrapper and OrderEnforcingWrapper in one class, since the nested
    wrappers take several times as long as the games."""

    env: raw_env

    # Direct access, faster than the wrappers' __getattr__; before `reset`, it raises AttributeError as theirs does.
    agents = property(lambda self: self.env.agents)
    agent_selection = property(lambda self: self.env.agent_selection)
    terminations = property(lambda self: self.env.terminations)
    truncations = property(lambda self: self.env.truncations)

    def last(self, observe: bool = True) -> Any:
        """Return observation, reward, termination, truncation and info of the selected agent."""
        _ = self.agents  # raises AttributeError before `reset`
        return self.env.last(observe)

    def step(self, action: Any) -> None:
        """Apply an action. An illegal one ends the game; one outside the action space raises AssertionError."""
        inner_env = self.env
        if self._has_reset and inner_env.agents:
            agent = inner_env.agent_selection
            is_done = inner_env.terminations[agent] or inner_env.truncations[agent]
            inside = is_done and action is None or contains_action(inner_env.action_space(agent), action)
            assert inside, "action is not in action space"
            if not is_done and not inner_env.allows(action):
                EnvLogger.warn_on_illegal_move()
                self._has_updated = True
                inner_env.lose()
                return
        super().step(action)


def register() -> None:
    """Register each installed game with PettingZoo, which has a registry since version 1.27."""
    if not hasattr(pettingzoo, "register"):
        return
    for name in game_ids():
        pettingzoo.register("aec", f"courtly/{name}-v{find_game(name).version}", env, kwargs={"game": name})


register()

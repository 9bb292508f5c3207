"""Every game as a PettingZoo environment: PettingZoo's own test suites, and further tests."""

import importlib
import pickle
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers
from PIL import Image

from courtly.adapters import pettingzoo as zoo
from courtly.adapters.observation import get_encoder
from courtly.adapters.render import SceneRenderer
from courtly.engine.game import find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.testing.checks.properties import random_positions

states = importlib.import_module("pettingzoo.test.state_test")  # the package has a function of that name
TABLES = [(name, players) for name in game_ids() for players in find_game(name).players]
SHORT_OPTIONS = {"petition": {"round_limit": 20}}
every_table = pytest.mark.parametrize(("name", "players"), TABLES)
every_game = pytest.mark.parametrize("name", game_ids())
# PettingZoo's warnings about environments with masks, which it suppresses only for its own
KNOWN_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros",  # for agents that are terminated
)


def play_random_moves(env, seed, max_steps=10**6, rng=None, final_infos=None):
    """Return the result of random legal moves: the agents that acted, and each agent's last reward."""
    rng = rng or random.Random(5)
    env.reset(seed=seed)
    actions_made, rewards = [], {}
    for agent in env.agent_iter(max_steps):
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] = reward
        if terminated or truncated:
            if final_infos is not None:
                final_infos[agent] = info
            env.step(None)
            continue
        assert (info["action_mask"] == observation["action_mask"]).all()
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        actions_made.append((agent, action))
        env.step(action)
    return actions_made, rewards


@every_table
def test_the_suite_of_the_interface(name, players, long):
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        api_test(zoo.env(name, players=players), num_cycles=1000 if long else 20)
    caught_warnings = {
        str(warning.message) for warning in caught_warnings if not str(warning.message).startswith(KNOWN_WARNINGS)
    }
    assert not caught_warnings


@every_table
def test_the_suite_of_seeds(name, players, long):
    seed_test(lambda: zoo.env(name, players=players), num_cycles=500 if long else 15)


@every_table
def test_the_render_suite(name, players):
    render_test(lambda **arguments: zoo.env(name, players=players, **arguments))


@every_table
def test_the_suite_of_states(name, players):
    """The whole suite except for parallel environments, in which all agents act simultaneously."""
    env = zoo.env(name, players=players)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        states.test_state_space(env)
        states.test_state(env, num_cycles=10)
    env.reset(seed=1)
    assert bytes(env.state()) == env.unwrapped.position.packed


def test_a_game_is_truncated_after_max_cycles():
    """PettingZoo's suite for this requires a parallel environment."""
    env = zoo.env("necklace", max_cycles=5)
    actions_made, rewards = play_random_moves(env, 1)
    assert len(actions_made) == 5 and set(rewards.values()) == {0.0} and not env.agents


@every_table
def test_whole_games_and_their_rewards(name, players):
    env = zoo.env(name, players=players, **SHORT_OPTIONS.get(name, {}))
    final_infos = {}
    actions_made, rewards = play_random_moves(env, 3, final_infos=final_infos)
    assert {agent for agent, _ in actions_made} == set(rewards) == set(env.possible_agents) and not env.agents
    position = env.unwrapped.position
    assert [final_infos[agent]["points"] for agent in env.possible_agents] == position.points
    assert [rewards[agent] for agent in env.possible_agents] == [*map(float, position.utility)]
    assert position.decisions == len(actions_made)


@every_game
def test_agents_see_what_their_seats_see(name):
    game, env, rng = find_game(name), zoo.env(name), random.Random(1)
    env.reset(seed=4)
    encoder = get_encoder(game, game.players[0])
    for agent in env.agent_iter(40):
        position, seat = env.unwrapped.position, env.possible_agents.index(agent)
        if position.over:
            break
        assert seat == min(position.pending)
        for k, other in enumerate(env.possible_agents):
            observation = env.observe(other)
            assert np.array_equal(observation["observation"], encoder.encode(position.state, k))
            assert env.observation_space(other).contains(observation)
            assert [*np.flatnonzero(observation["action_mask"])] == (sorted(position.legal(k)) if k == seat else [])
        env.step(rng.choice(position.legal(seat)))


def env_in_pettingzoo_wrappers(name, **arguments):
    """Return the environment in PettingZoo's own wrappers."""
    env = wrappers.TerminateIllegalWrapper(zoo.raw_env(name, **arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def responses_to(env, actions):
    """Return the environment's answers to these actions, until no agent is left."""
    env.reset(seed=9)
    responses = []
    for action in actions:
        if not env.agents:
            break
        agent = env.agent_selection
        observation, reward, terminated, truncated, _ = env.last()
        responses.append((agent, observation["observation"].tobytes(), reward, terminated, truncated))
        if not (terminated or truncated) and isinstance(action, float):
            action = int(np.flatnonzero(observation["action_mask"])[int(action)])
        try:
            env.step(action)
        except (AssertionError, ValueError) as error:
            responses.append((type(error), str(error)))
            env.step(None if terminated or truncated else int(np.flatnonzero(observation["action_mask"])[0]))
    return responses, env.agents


@pytest.mark.parametrize("number", range(40))
def test_one_wrapper_equals_three_of_pettingzoo(number):
    """Legal actions (0.0: the first legal one), None, and numbers inside and outside the space, before and after the
    end.
    """
    rng = random.Random(number)
    actions = [rng.choice([0.0] * 12 + [None, 5, rng.randrange(229), -1, 10**6]) for _ in range(60)]
    arguments = {"players": rng.choice((2, 3)), "max_cycles": rng.choice((None, 9))}
    assert responses_to(zoo.env("necklace", **arguments), actions) == responses_to(
        env_in_pettingzoo_wrappers("necklace", **arguments), actions
    )


@every_game
def test_an_illegal_action_ends_the_game_and_its_player_loses(name):
    env = zoo.env(name)
    env.reset(seed=1)
    observation = env.last()[0]
    offender = env.agent_selection
    env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, truncated, _ = env.last()
        assert terminated and truncated
        env.step(None)
    assert rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents} and not env.agents
    assert play_random_moves(env, 2, 30)[0], "the next game starts"


@pytest.mark.parametrize("action", [None, "keep", 1.5, -1, 1 << 70, [1, 2], np.nan, np.inf])
def test_invalid_actions_are_reported(action):
    for make_env, error in ((zoo.env, AssertionError), (zoo.raw_env, ValueError)):
        env = make_env("puppet")
        env.reset(seed=1)
        state_before = env.state().tobytes()
        if make_env is zoo.raw_env and action == 1.5:
            action = 238.5  # the integer part is not legal
        with pytest.raises(error):
            env.step(action)
        assert env.state().tobytes() == state_before


def test_terminated_agents_do_nothing():
    env = zoo.env("puppet", max_cycles=1)
    play_random_moves(env, 1, 1)
    with pytest.raises(ValueError, match="dead"):
        env.step(0)
    env.step(None)
    env.step(None)
    assert not env.agents
    env.step(None)  # PettingZoo warns, and nothing happens


def test_calls_before_a_reset_are_rejected():
    env = zoo.env("puppet")
    for name in ("agents", "agent_selection", "terminations", "truncations", "rewards", "infos", "num_agents"):
        with pytest.raises(AttributeError, match="before reset"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="before reset"):
        env.last()


def test_unsupported_arguments_are_rejected():
    for arguments in ({"players": 9}, {"round_limit": 3}, {"unheard": 1}, {"render_mode": "smell"}):
        with pytest.raises(ValueError, match="9|3|unheard|smell"):
            zoo.env("petition", **arguments)
    assert zoo.env("petition", players=3, round_limit=20).unwrapped.position.state.round_limit == 20


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry: 1.27 is the first")
@every_game
def test_environments_are_registered_and_survive_pickling(name):
    env = pettingzoo.make("aec", f"courtly/{name}-v{find_game(name).version}", players=find_game(name).players[-1])
    unpickled = pickle.loads(pickle.dumps(env.unwrapped))
    assert (
        unpickled.players == find_game(name).players[-1]
        and play_random_moves(unpickled, 1, 3)[0] == play_random_moves(env.unwrapped, 1, 3)[0]
    )


def test_without_a_registry_nothing_is_registered(monkeypatch):
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    zoo.register()


def test_games_without_a_compiler_are_the_same(monkeypatch):
    native_results = play_random_moves(zoo.env("necklace", players=3), 5, 200, random.Random(3))
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    with pytest.warns(RuntimeWarning, match="interpreted"):
        env = zoo.env("necklace", players=3)
        assert play_random_moves(env, 5, 200, random.Random(3)) == native_results
    assert type(env.unwrapped.position) is Position


# --- rendering -------------------------------------------------------------------------------------------------------


@every_game
def test_rendering_reveals_no_secrets(name):
    """The same for audiences of two worlds that they cannot distinguish, including the moves made."""
    game, rng, compared = find_game(name), random.Random(7), 0
    players = game.players[-1]
    for position in random_positions(game, players, rng):
        if compared > 40:
            break
        if rng.random() < 0.7:
            continue
        audience = rng.choice((*range(players), None))
        scene = SceneRenderer(game, [f"player_{seat}" for seat in range(players)], audience)
        world = position.imagine(audience, make_generator(rng.randrange(1 << 30)))
        assert scene.text(world) == scene.text(position)
        compared += 1


def test_secret_moves_are_rendered_without_their_arguments():
    game = find_game("necklace")
    env = zoo.raw_env("necklace", render_mode="ansi", players=2)
    env.reset(seed=1)
    position = env.position
    other_scene = SceneRenderer(game, ["A", "B"], 1)
    own_scene = SceneRenderer(game, ["A", "B"], 0)
    buy = position.legal(position.pending[0])[0]
    for scene in (other_scene, own_scene):
        scene.before(position, position.pending[0], buy)
    assert list(other_scene.sentences) == list(own_scene.sentences)
    show_position = next(
        p for p in random_positions(game, 2, random.Random(1)) if p.state.phase == game.rules.Phase.SHOW
    )
    lay_move = next(move for move in show_position.legal(0) if move.verb != "commit")
    for scene in (other_scene, own_scene):
        scene.begin()
        scene.before(show_position, 0, lay_move)
    assert not other_scene.sentences and own_scene.sentences


def test_a_picture_uses_our_fonts():
    env = zoo.env("newtown", render_mode="rgb_array")
    play_random_moves(env, 1, 30)
    picture = env.render()
    assert picture.shape == (630, 1200, 3) and len(Image.fromarray(picture).getcolors(1 << 20)) > 50


def test_human_rendering_is_printed(capsys):
    env = zoo.env("puppet", render_mode="human")
    play_random_moves(env, 1, 30)
    capsys.readouterr()
    assert env.render() is None and "Puppet Kingdom" in capsys.readouterr().out
    assert zoo.env("puppet").unwrapped.render() is None


def test_writing_into_a_mask_changes_nothing():
    env = zoo.env("puppet")
    env.reset(seed=1)
    observation, *_, info = env.last()
    [legal, *_], [illegal, *_] = (
        np.flatnonzero(observation["action_mask"]),
        np.flatnonzero(observation["action_mask"] == 0),
    )
    observation["action_mask"][:] = info["action_mask"][:] = 0
    env.step(int(legal))
    assert not any(env.terminations.values())
    env.reset(seed=1)
    loser = env.agent_selection
    observation, *_, info = env.last()
    observation["action_mask"][:] = info["action_mask"][:] = 1
    env.step(int(illegal))
    assert env.rewards[loser] == -1 and "action_mask" not in env.infos[loser]


def test_an_action_is_an_integer():
    env = zoo.raw_env("puppet")
    env.reset(seed=1)
    legal, state_before = env.position.legal_ids(0)[0], env.state().tobytes()
    for action in (legal + 0.5, float(legal), str(legal), np.float32(legal), True, None):
        with pytest.raises(ValueError, match="is not legal"):
            env.step(action)
    assert env.state().tobytes() == state_before
    env.step(np.int8(legal) if legal < 128 else np.int64(legal))


@pytest.mark.parametrize("max_cycles", [0, -1, 2.5, "a"])
def test_max_cycles_must_be_positive(max_cycles):
    with pytest.raises(ValueError, match="max_cycles"):
        zoo.env("puppet", max_cycles=max_cycles)

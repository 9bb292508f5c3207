"""Copies in the middle of a game, by deepcopy or pickle, have the same state, continue equally and are independent."""

import copy
import multiprocessing
import pickle
import random

import numpy as np
import pytest

from courtly.adapters import gymnasium as courtly_gym
from courtly.adapters import pettingzoo as courtly_zoo
from courtly.adapters.observation import get_encoder
from courtly.adapters.vector import CourtlyVectorEnv
from courtly.bots.registry import has_move_policy
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.match import Match, new_match
from courtly.engine.native.native_position import NativePosition
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.engine.transcript import write_record

# --- subjects in the middle of a game, and functions that continue them and return the result -------------------------


def _position(kind):
    def make_subject(name):
        position, rng = kind(find_game(name), find_game(name).players[-1]), make_generator(3)
        _play(position, rng, random.Random(1), 12)
        return position, rng

    return make_subject


def _play(position, rng, rng_of_moves, max_steps):
    results = []
    for _ in range(max_steps):
        results.append((position.packed, position.pending, position.scores, position.points, position._ply))
        results.append([[*map(int, position.legal(seat))] for seat in (*range(position.players), None)])
        if position.over:
            break
        if position.chance:
            position.happen(rng)
        else:
            seat = rng_of_moves.choice(position.pending)
            position.play(seat, rng_of_moves.choice(position.legal(seat)))
    return results


def _continue_position(subject):
    position, rng = subject
    results = _play(position, rng, random.Random(2), 40)
    if isinstance(position, Match):
        seats = (*range(position.players), None)
        results += [position.entries, write_record(position), [position.cues(seat) for seat in seats]]
        results += [position.can_undo(seat) for seat in seats]
    return results


def _match(name):
    match = new_match(find_game(name), find_game(name).players[-1], seed=5)
    _play(match, None, random.Random(1), 12)
    match.noticed_at = "some time"
    return match, None


def _hero(name):
    opponents = ["policy" if has_move_policy(find_game(name)) else "random", "random"]
    if name == "puppet":
        opponents = ["squire"]
    players = find_game(name).players[0]
    env = courtly_gym.HeroEnv(name, opponents=[opponents[k % len(opponents)] for k in range(players - 1)])
    env.reset(seed=4)
    _step(env, random.Random(1), 3)
    return env


def _step(env, rng, max_steps):
    results = []
    for _ in range(max_steps):
        legal = np.flatnonzero(env.action_masks())
        if not len(legal):
            break
        observation, reward, over, _, info = env.step(int(rng.choice(legal)))
        results.append(
            (observation["observation"].tolist(), observation["action_mask"].tolist(), reward, over, info.get("points"))
        )
    return results


def _continue_hero(env):
    results = _step(env, random.Random(2), 20)
    env.reset()
    return [*results, env.position.packed, *_step(env, random.Random(2), 3)]


def _zoo(make_env):
    def make_subject(name):
        env = make_env(name, players=find_game(name).players[-1])
        env.reset(seed=7)
        _turns(env, random.Random(1), 5)
        return env

    return make_subject


def _turns(env, rng, max_steps):
    results = []
    for _ in range(max_steps):
        if not env.agents:
            break
        observation, reward, terminated, truncated, info = env.last()
        mask = observation["action_mask"]
        results.append(
            (env.agent_selection, observation["observation"].tolist(), mask.tolist(), reward, terminated, truncated)
        )
        results.append((info.get("points"), env.unwrapped.position.packed))
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(mask))))
    return results


def _continue_zoo(env):
    results = _turns(env, random.Random(2), 40)
    env.reset()
    return [*results, *_turns(env, random.Random(2), 3)]


def _games(name):
    game = find_game(name)
    network = [(np.ones((get_encoder(game, game.players[0]).size, game.moves.count)), np.arange(game.moves.count) / 9)]
    envs = CourtlyVectorEnv(name, 5, heroes=(0,), opponents=network, sampled=True, threads=2)
    envs.reset(seed=3)
    _steps(envs, 7)
    return envs


def _steps(envs, max_steps):
    results = []
    for _ in range(max_steps):
        observation, rewards, terminated, truncated, info = envs.step(envs.arrays.sample().copy())
        step_arrays = (
            *observation.values(),
            rewards,
            terminated,
            truncated,
            info["seat"],
            info["rewards"],
            envs.arrays.games,
        )
        results.append([array.tolist() for array in step_arrays])
        results.append(envs.arrays.states.tobytes())
    return results


def _continue_games(envs):
    results = _steps(envs, 20)
    envs.reset()
    return [*results, *_steps(envs, 2)]


SUBJECTS = {
    "Position": (_position(Position), _continue_position),
    "NativePosition": (_position(NativePosition), _continue_position),
    "Match": (_match, _continue_position),
    "Gymnasium": (_hero, _continue_hero),
    "PettingZoo": (_zoo(courtly_zoo.env), _continue_zoo),
    "PettingZoo, raw": (_zoo(courtly_zoo.raw_env), _continue_zoo),
    "Games": (_games, _continue_games),
}
every_subject = pytest.mark.parametrize("kind", SUBJECTS)
every_game = pytest.mark.parametrize("name", game_ids())


def _continue_pickled(kind, pickled):
    return SUBJECTS[kind][1](pickle.loads(pickled))


# --- tests -----------------------------------------------------------------------------------------------------------


@every_subject
@every_game
def test_a_copy_continues_like_the_original_and_independently(name, kind):
    make, continue_subject = SUBJECTS[kind]
    original, expected = make(name), continue_subject(make(name))
    copied, pickled = copy.deepcopy(original), pickle.dumps(original)
    assert continue_subject(copied) == expected
    unpickled = pickle.loads(pickled)
    assert continue_subject(original) == expected  # the copy, which was continued first, did not affect it
    assert continue_subject(unpickled) == expected and _continue_pickled(kind, pickled) == expected


def test_a_spawned_process_continues_equally():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for name in ("sealed_bids", "puppet"):
            for kind, (make, continue_subject) in SUBJECTS.items():
                original = make(name)
                assert pool.apply(_continue_pickled, (kind, pickle.dumps(original))) == continue_subject(original), (
                    name,
                    kind,
                )


def test_a_copy_has_the_same_game_object_found_by_package_if_necessary():
    game = find_game("puppet")
    assert copy.deepcopy(game) is copy.copy(game) is pickle.loads(pickle.dumps(game)) is game
    unpickled = pickle.loads(pickle.dumps(Game("courtly.games.puppet")))
    assert unpickled is game


def test_copies_of_checked_positions_are_checked():
    position = CheckedPosition(find_game("puppet"))
    assert copy.deepcopy(position).rules is position.rules is not find_game("puppet").rules


def test_copy_copy_is_independent_of_the_original():
    for kind in (Position, NativePosition):
        position, rng = SUBJECTS[kind.__name__][0]("puppet")
        packed_before = position.packed
        _play(copy.copy(position), rng, random.Random(2), 5)
        assert position.packed == packed_before and type(copy.copy(position)) is kind


def test_closed_games_stay_closed_in_a_copy():
    envs = _games("sealed_bids")
    envs.close()
    with pytest.raises(ValueError, match="closed"):
        copy.deepcopy(envs).arrays.reset(1)


def test_rendering_is_the_same():
    env = courtly_zoo.env("puppet", players=2, render_mode="ansi")
    env.reset(seed=7)
    _turns(env, random.Random(1), 5)
    assert copy.deepcopy(env).render() == pickle.loads(pickle.dumps(env)).render() == env.render()


def test_wrapped_and_registered_environments_are_copied_too():
    import gymnasium

    env = gymnasium.make(courtly_gym.env_id("puppet"))
    _, info = env.reset(seed=1)
    action = int(np.flatnonzero(info["action_mask"])[0])
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        copied.step(action)
        assert copied.unwrapped.position.packed != env.unwrapped.position.packed

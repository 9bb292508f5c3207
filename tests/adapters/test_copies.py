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
    def made(name):
        position, rng = kind(find_game(name), find_game(name).players[-1]), make_generator(3)
        _play(position, rng, random.Random(1), 12)
        return position, rng

    return made


def _play(position, rng, r, most):
    shown = []
    for _ in range(most):
        shown.append((position.packed, position.pending, position.scores, position.points, position._ply))
        shown.append([[*map(int, position.legal(seat))] for seat in (*range(position.players), None)])
        if position.over:
            break
        if position.chance:
            position.happen(rng)
        else:
            seat = r.choice(position.pending)
            position.play(seat, r.choice(position.legal(seat)))
    return shown


def _go_on(subject):
    position, rng = subject
    shown = _play(position, rng, random.Random(2), 40)
    if isinstance(position, Match):
        seats = (*range(position.players), None)
        shown += [position.entries, write_record(position), [position.cues(seat) for seat in seats]]
        shown += [position.can_undo(seat) for seat in seats]
    return shown


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


def _step(env, r, most):
    shown = []
    for _ in range(most):
        legal = np.flatnonzero(env.action_masks())
        if not len(legal):
            break
        seen, reward, over, _, info = env.step(int(r.choice(legal)))
        shown.append((seen["observation"].tolist(), seen["action_mask"].tolist(), reward, over, info.get("points")))
    return shown


def _hero_goes_on(env):
    shown = _step(env, random.Random(2), 20)
    env.reset()
    return [*shown, env.position.packed, *_step(env, random.Random(2), 3)]


def _zoo(made):
    def begun(name):
        env = made(name, players=find_game(name).players[-1])
        env.reset(seed=7)
        _turns(env, random.Random(1), 5)
        return env

    return begun


def _turns(env, r, most):
    shown = []
    for _ in range(most):
        if not env.agents:
            break
        seen, reward, terminated, truncated, info = env.last()
        mask = seen["action_mask"]
        shown.append((env.agent_selection, seen["observation"].tolist(), mask.tolist(), reward, terminated, truncated))
        shown.append((info.get("points"), env.unwrapped.position.packed))
        env.step(None if terminated or truncated else int(r.choice(np.flatnonzero(mask))))
    return shown


def _zoo_goes_on(env):
    shown = _turns(env, random.Random(2), 40)
    env.reset()
    return [*shown, *_turns(env, random.Random(2), 3)]


def _games(name):
    game = find_game(name)
    network = [(np.ones((get_encoder(game, game.players[0]).size, game.moves.count)), np.arange(game.moves.count) / 9)]
    envs = CourtlyVectorEnv(name, 5, heroes=(0,), opponents=network, sampled=True, threads=2)
    envs.reset(seed=3)
    _steps(envs, 7)
    return envs


def _steps(envs, most):
    shown = []
    for _ in range(most):
        seen, rewards, ended, cut, info = envs.step(envs.arrays.sample().copy())
        told = (*seen.values(), rewards, ended, cut, info["seat"], info["rewards"], envs.arrays.games)
        shown.append([array.tolist() for array in told])
        shown.append(envs.arrays.states.tobytes())
    return shown


def _games_go_on(envs):
    shown = _steps(envs, 20)
    envs.reset()
    return [*shown, *_steps(envs, 2)]


SUBJECTS = {
    "Position": (_position(Position), _go_on),
    "NativePosition": (_position(NativePosition), _go_on),
    "Match": (_match, _go_on),
    "Gymnasium": (_hero, _hero_goes_on),
    "PettingZoo": (_zoo(courtly_zoo.env), _zoo_goes_on),
    "PettingZoo, raw": (_zoo(courtly_zoo.raw_env), _zoo_goes_on),
    "Games": (_games, _games_go_on),
}
every_subject = pytest.mark.parametrize("kind", SUBJECTS)
every_game = pytest.mark.parametrize("name", game_ids())


def _gone_on(kind, pickled):
    return SUBJECTS[kind][1](pickle.loads(pickled))


# --- tests -----------------------------------------------------------------------------------------------------------


@every_subject
@every_game
def test_a_copy_continues_like_the_original_and_independently(name, kind):
    make, go_on = SUBJECTS[kind]
    original, expected = make(name), go_on(make(name))
    copied, pickled = copy.deepcopy(original), pickle.dumps(original)
    assert go_on(copied) == expected
    again = pickle.loads(pickled)
    assert go_on(original) == expected  # the copy, which was continued first, did not affect it
    assert go_on(again) == expected and _gone_on(kind, pickled) == expected


def test_a_spawned_process_continues_equally():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for name in ("sealed_bids", "puppet"):
            for kind, (make, go_on) in SUBJECTS.items():
                original = make(name)
                assert pool.apply(_gone_on, (kind, pickle.dumps(original))) == go_on(original), (name, kind)


def test_a_copy_has_the_same_game_object_found_by_package_if_necessary():
    game = find_game("puppet")
    assert copy.deepcopy(game) is copy.copy(game) is pickle.loads(pickle.dumps(game)) is game
    other = pickle.loads(pickle.dumps(Game("courtly.games.puppet")))
    assert other is game


def test_copies_of_checked_positions_are_checked():
    position = CheckedPosition(find_game("puppet"))
    assert copy.deepcopy(position).rules is position.rules is not find_game("puppet").rules


def test_copy_copy_is_independent_of_the_original():
    for kind in (Position, NativePosition):
        position, rng = SUBJECTS[kind.__name__][0]("puppet")
        before = position.packed
        _play(copy.copy(position), rng, random.Random(2), 5)
        assert position.packed == before and type(copy.copy(position)) is kind


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
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(action)
        assert other.unwrapped.position.packed != env.unwrapped.position.packed

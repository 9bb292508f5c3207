"""Many games for PufferLib (courtly/adapters/puffer.py). The games themselves are tested in test_arrays.py."""

import importlib
import importlib.util

import numpy as np
import pytest

from courtly.adapters.arrays import BatchedGames
from courtly.engine.game import find_game

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pufferlib") is None,
    reason="PufferLib is not installed: it needs older libraries than the other suites, see docs/research.md",
)


@pytest.fixture
def puffer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # importing it creates a link in the current folder
    return importlib.import_module("courtly.adapters.puffer")


def assert_same(envs, arrays, seat):
    assert (envs.observations[:, : envs.size] == arrays.observation).all()
    assert (envs.observations[:, envs.size :] == arrays.mask).all()
    assert (envs.rewards == arrays.rewards[:, seat]).all() and (envs.terminals == (arrays.over > 0)).all()
    assert not envs.truncations.any() and envs.observation_space.contains(envs.observations)


@pytest.mark.parametrize(("name", "opponents"), [("necklace", "policy"), ("puppet", "random")])
def test_the_games_equal_those_of_the_arrays(puffer, name, opponents):
    game, rng, ended = find_game(name), np.random.default_rng(1), 0
    envs = puffer.HeroPufferEnv(name, 16, 2, opponents, seat=1, threads=2)
    arrays = BatchedGames(game, 16, 2, heroes=(1,), opponents=opponents)
    assert envs.reset(seed=3)[0] is envs.observations
    arrays.reset(3)
    for step in range(150):
        assert_same(envs, arrays, 1)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in arrays.mask])
        if step == 7:
            actions[0] = np.flatnonzero(arrays.mask[0] == 0)[0]
        *_, infos = envs.step(actions)
        arrays.step(actions)
        ended += sum(info["games"] for info in infos)
    assert ended > 4


def test_pufferlibs_own_loop_steps_them(puffer):
    vector = importlib.import_module("pufferlib.vector")
    kwargs = dict(game="puppet", num_envs=8, threads=1)
    envs = vector.make(puffer.HeroPufferEnv, env_kwargs=kwargs, num_envs=2, backend=vector.Serial)
    envs.async_reset(1)
    for _ in range(50):
        observations, rewards, terminals, *_ = envs.recv()
        assert observations.shape[0] == 16 == len(rewards) == len(terminals)
        size = envs.driver_env.size
        envs.send(np.array([np.flatnonzero(row)[0] for row in observations[:, size:]], np.int32))
    envs.close()

"""Many games in parallel for Gymnasium (courtly/adapters/vector.py). test_arrays.py tests the games themselves."""

import subprocess
import sys

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from courtly.adapters.vector import CourtlyVectorEnv
from courtly.engine.game import UnknownGameError, find_game, game_ids

every_table = pytest.mark.parametrize(
    ("name", "players"), [(name, players) for name in game_ids() for players in find_game(name).players]
)


def play(envs, steps, seed=3):
    """Return the results of this number of steps with drawn moves."""
    results = [envs.reset(seed=seed)]
    for _ in range(steps):
        results.append(envs.step(envs.unwrapped.arrays.sample().copy()))
    return results


@pytest.mark.parametrize("kind", ["float32", "int16"])
@every_table
def test_observations_are_in_their_spaces(name, players, kind):
    envs = CourtlyVectorEnv(name, 5, players, kind=kind)
    assert isinstance(envs, VectorEnv) and envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    for observation, *_ in play(envs, 40):
        assert envs.observation_space.contains(observation)
        assert all(
            envs.single_observation_space.contains({key: rows[i] for key, rows in observation.items()})
            for i in range(5)
        )
    assert envs.action_space.contains(envs.arrays.sample())


@every_table
def test_the_same_seed_gives_the_same_games(name, players):
    results, other_results = (play(CourtlyVectorEnv(name, 4, players, threads=threads), 40) for threads in (1, 2))
    assert all(data_equivalence(a, b) for a, b in zip(results, other_results, strict=True))
    assert not data_equivalence(results[0], play(CourtlyVectorEnv(name, 4, players), 0, seed=4)[0])


def test_a_reset_without_a_seed_continues_reproducibly():
    def second(seed):
        envs = CourtlyVectorEnv("sealed_bids", 2)
        envs.reset(seed=seed)
        envs.reset()
        return envs.arrays.states.tobytes()

    assert second(1) == second(1) != second(2)


def test_rewards_are_of_the_acting_seat_and_the_end_is_reported():
    envs = CourtlyVectorEnv("sealed_bids", 4, 3)
    observation, info = envs.reset(seed=1)
    ended = 0
    for _ in range(100):
        acting_seats = info["seat"]
        games_before = envs.arrays.games.copy()
        observation, rewards, terminated, truncated, info = envs.step(envs.arrays.sample())
        assert rewards.tolist() == [info["rewards"][i, seat] for i, seat in enumerate(acting_seats)]
        assert not truncated.any() and rewards.dtype == np.float32
        assert terminated.any() == ("final_obs" in info)
        for i in np.flatnonzero(terminated):
            final_observation, final_info = info["final_obs"][i], info["final_info"]
            assert (
                envs.single_observation_space.contains(final_observation) and not final_observation["action_mask"].any()
            )
            assert (
                final_info["game"][i] == games_before[i] == envs.arrays.games[i] - 4 and final_info["decisions"][i] > 0
            )
            assert abs(final_info["rewards"][i].sum()) < 1e-6 and final_info["rewards"][i].any()
            ended += 1
        if terminated.any():
            assert (info["_final_obs"] == terminated).all() and (info["_final_info"] == terminated).all()
    assert ended > 4


def test_a_hero_gets_its_place_if_others_end_the_game():
    envs = CourtlyVectorEnv("sealed_bids", 8, 2, heroes=(0,))
    observation, info = envs.reset(seed=1)
    places = []
    for _ in range(200):
        assert not info["seat"].any()
        observation, rewards, terminated, _, info = envs.step(envs.arrays.sample())
        places += rewards[terminated].tolist()
        assert not rewards[~terminated].any()
    assert {-1, 1} <= set(places) <= {-1, 0, 1}


def test_illegal_actions_terminate_and_long_games_are_truncated():
    envs = CourtlyVectorEnv("puppet", 3, limit=5)
    envs.reset(seed=1)
    _, rewards, terminated, truncated, _ = envs.step(
        np.array([-1, envs.single_action_space.n, envs.arrays.sample()[2]])
    )
    assert terminated.tolist() == [True, True, False] and rewards.tolist() == [-1, -1, 0] and not truncated.any()
    for _ in range(4):
        _, rewards, terminated, truncated, info = envs.step(envs.arrays.sample())
    assert truncated.tolist() == [False, False, True] and not terminated.any() and not rewards.any()
    assert info["_final_obs"].tolist() == [False, False, True]
    with pytest.raises(ValueError, match="3 whole numbers"):
        envs.step(np.zeros(3))


def test_copies_are_independent_of_the_arrays():
    copying, shared = CourtlyVectorEnv("puppet", 2), CourtlyVectorEnv("puppet", 2, copy=False)
    for envs in (copying, shared):
        observation, _ = envs.reset(seed=1)
        observation_before = {key: rows.copy() for key, rows in observation.items()}
        envs.step(envs.arrays.sample())
        is_unchanged = (observation["observation"] == observation_before["observation"]).all()
        assert is_unchanged == (envs is copying) and (observation["observation"] is shared.arrays.observation) == (
            envs is shared
        )


def test_gymnasiums_wrappers_work():
    envs = RecordEpisodeStatistics(CourtlyVectorEnv("sealed_bids", 4, heroes=(0,)))
    results = play(envs, 60)
    lengths = [info["episode"]["l"][info["_episode"]] for *_, info in results if "episode" in info]
    assert lengths and all(n > 0 for row in lengths for n in row)
    list_results = play(DictInfoToList(CourtlyVectorEnv("sealed_bids", 3)), 30)
    assert all(len(info) == 3 for *_, info in list_results) and any(
        "final_obs" in item for *_, info in list_results for item in info
    )


def test_unsupported_arguments_are_reported():
    with pytest.raises(UnknownGameError, match="there is no game 'chess'"):
        CourtlyVectorEnv("chess")
    with pytest.raises(ValueError, match="petition is for 2, 3, 4, 5 players, not 6"):
        CourtlyVectorEnv("petition", 2, 6)


@pytest.mark.parametrize("missing", ["gymnasium", "llvmlite", "numpy"])
def test_missing_packages_give_a_one_line_error(missing):
    program = f"""
import sys
import courtly
assert not {{"numpy", "llvmlite", "gymnasium"}} & sys.modules.keys()
sys.modules[{missing!r}] = None                # as if it were not installed
import courtly.adapters.{"vector" if missing == "gymnasium" else "arrays"}
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.splitlines()[-1] == (
        f'ModuleNotFoundError: {missing} is not installed: pip install "courtly[research]"'
    )


def test_actions_are_needed():
    games = CourtlyVectorEnv("sealed_bids", 2)
    games.reset(seed=1)
    states_before = games.arrays.states.tobytes()
    with pytest.raises(ValueError, match="an action for each game"):
        games.step(None)
    assert games.arrays.states.tobytes() == states_before

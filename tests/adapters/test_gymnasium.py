"""One seat of every game as a Gymnasium environment: Gymnasium's own test suites, and further tests."""

import random
import re
import warnings
from pathlib import Path
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match
from gymnasium.wrappers import PassiveEnvChecker
from packaging.version import Version

from courtly.adapters.env_view import EnvView, contains_action
from courtly.adapters.gymnasium import HeroEnv, env_id
from courtly.adapters.observation import get_encoder
from courtly.adapters.render import PageFiles, SceneRenderer
from courtly.adapters.vector import CourtlyVectorEnv
from courtly.bots.registry import UnknownBotError, find_bot, has_move_policy
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.native_position import NativePosition
from courtly.engine.rng import make_generator

TABLES = [(name, players) for name in game_ids() for players in find_game(name).players]
SHORT_OPTIONS = {"petition": {"round_limit": 20}}
every_table = pytest.mark.parametrize(("name", "players"), TABLES)
every_game = pytest.mark.parametrize("name", game_ids())
# Gymnasium's warnings about every environment not made by `make`, and about those made by it
KNOWN_WARNINGS = ("It seems that you", "Not able to test alternative render modes")


def bots_of(name):
    """Return the bots that are machine code."""
    return ["random", "policy", "policy:3"] if has_move_policy(find_game(name)) else ["random"]


def play_random_moves(env, seed, max_steps=10**6, rng=None):
    """Return the result of random legal moves."""
    rng = rng or random.Random(5)
    observation, info = env.reset(seed=seed)
    steps = []
    while len(steps) < max_steps:
        assert env.observation_space.contains(observation) and (observation["action_mask"] == info["action_mask"]).all()
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        steps.append((action, observation["observation"].tobytes(), reward))
        if terminated or truncated:
            assert info["points"] == env.unwrapped.position.points
            break
    return steps


@every_table
def test_environments_pass_gymnasiums_suites(name, players, long):
    """`check_env` acts at random and mostly illegally, so the games end soon."""
    envs = [gymnasium.make(env_id(name), players=players, render_mode="ansi", seat=None) for _ in range(3)]
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        check_env(envs[0].unwrapped, skip_render_check=False)
        skip_render = Version(gymnasium.__version__) < Version("1.4")  # before, it compares pictures only
        steps = 100 if long else 10
        check_environments_match(envs[1], envs[2], steps, skip_render=skip_render, info_comparison="equivalence")
    messages = {str(warning.message) for warning in caught_warnings}
    assert not [text for text in messages if not any(prefix in text for prefix in KNOWN_WARNINGS)]


@every_table
def test_whole_games_under_the_passive_checker(name, players):
    env = HeroEnv(name, players, bots_of(name)[-1], seat=players - 1, **SHORT_OPTIONS.get(name, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steps = play_random_moves(PassiveEnvChecker(env), 3)
    assert [reward for _, _, reward in steps[:-1]] == [0.0] * (len(steps) - 1)
    assert steps[-1][2] == float(env.position.utility[players - 1])
    with pytest.raises(ResetNeeded):
        env.step(0)


@every_game
def test_the_hero_sees_what_its_seat_sees(name):
    game = find_game(name)
    players = game.players[-1]
    env, encoder = HeroEnv(name, players, seat=1), get_encoder(game, players)
    observation, info = env.reset(seed=2)
    for _ in range(30):
        if env.position.over:
            break
        assert info["seat"] == 1 and 1 in env.position.pending
        assert np.array_equal(observation["observation"], encoder.encode(env.position.state, 1))
        assert [*np.flatnonzero(observation["action_mask"])] == sorted(env.position.legal(1))
        assert (env.action_masks() == observation["action_mask"].astype(bool)).all()
        observation, _, _, _, info = env.step(env.position.legal(1)[0])


@every_game
def test_native_bots_play_like_bots_that_get_a_view(name):
    game, rng_of_moves = find_game(name), random.Random(4)
    players = game.players[-1]
    position, rng, checked = NativePosition(game, players), make_generator(1), 0
    env_view = EnvView(game, players)
    bot_pairs = [
        (env_view.make_player(bot), find_bot(game, bot), make_generator(2), make_generator(2)) for bot in bots_of(name)
    ]
    while not position.over and checked < 60:
        if position.chance:
            position.happen(rng)
            continue
        seat = rng_of_moves.choice(position.pending)
        if rng_of_moves.random() < 0.5:
            for native_player, view_bot, native_rng, view_rng in bot_pairs:
                assert (
                    native_player(position, seat, native_rng) == view_bot(game, position.view(seat), view_rng)
                    and native_rng == view_rng
                )
            checked += 1
        position.play(seat, rng_of_moves.choice(position.legal(seat)))


def test_opponents_are_given_by_name_one_for_each_seat():
    env = HeroEnv("necklace", 3, ("squire", "policy"), seat=2)
    assert play_random_moves(env, 1, 10) == play_random_moves(
        HeroEnv("necklace", 3, ["squire", "policy"], seat=2), 1, 10
    )
    assert play_random_moves(env, 1, 10) != play_random_moves(
        HeroEnv("necklace", 3, ["policy", "squire"], seat=2), 1, 10
    )
    with pytest.raises(ValueError, match="2 opponents, not 1"):
        HeroEnv("necklace", 3, ("squire",))
    with pytest.raises(UnknownBotError, match="petition has no bot 'policy'"):
        HeroEnv("petition", opponents="policy")  # its policy solves turns and has no move weights
    with pytest.raises(UnknownBotError):
        HeroEnv("necklace", 3, "jester")


def test_unsupported_arguments_are_rejected():
    for arguments in (
        {"players": 9},
        {"round_limit": 3},
        {"unheard": 1},
        {"render_mode": "smell"},
        {"seat": 2},
        {"seat": 0.0},
    ):
        with pytest.raises(ValueError, match="9|3|unheard|smell|seat"):
            HeroEnv("petition", **arguments)


def test_a_seat_can_be_drawn():
    env = HeroEnv("puppet", 3, seat=None)
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(20)]
    assert set(seats) == {0, 1, 2} and seats == [env.reset(seed=seed)[1]["seat"] for seed in range(20)]


@every_game
def test_an_illegal_action_ends_the_game_and_loses(name):
    env = HeroEnv(name)
    observation, _ = env.reset(seed=1)
    packed_before = env.position.packed
    _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(observation["action_mask"] == 0)[-1]))
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert env.position.packed == packed_before
    with pytest.raises(ResetNeeded):
        env.step(0)
    assert play_random_moves(env, 2, 5)


def test_a_number_that_numpy_cannot_hold_is_no_action():
    """Older versions of NumPy raise an error for it."""

    def refuse(action):
        raise OverflowError("Python int too large to convert to C long")

    assert not contains_action(SimpleNamespace(contains=refuse), 1 << 70)
    assert contains_action(gymnasium.spaces.Discrete(3), 2)


@pytest.mark.parametrize("action", [None, "keep", 1.5, -1, 1 << 70, [1, 2], np.nan, True, np.float32(1)])
def test_invalid_actions_are_reported(action):
    env = HeroEnv("puppet")
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    packed_before = env.position.packed
    try:
        env.step(action)
    except InvalidAction:
        assert env.position.packed == packed_before
    else:
        assert action is True, "Gymnasium's Discrete accepts a bool"


@every_game
def test_environments_render_as_text_and_picture(name):
    for mode in ("ansi", "rgb_array"):
        env = gymnasium.make(env_id(name), render_mode=mode, seat=0)
        play_random_moves(env, 1, 4)
        rendering = env.render()
        assert isinstance(rendering, str) if mode == "ansi" else rendering.shape == (630, 1200, 3)
    if not env.unwrapped.position.over:
        hero = HeroEnv(name, render_mode="ansi")
        hero.reset(seed=1)
        assert all(f"\n  {move.id} " in hero.render() for move in hero.position.legal(0))


def test_games_without_a_compiler_are_the_same(monkeypatch):
    native_steps = play_random_moves(HeroEnv("necklace", 3, "policy"), 5, 60)
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    with pytest.warns(RuntimeWarning, match="interpreted"):
        assert play_random_moves(HeroEnv("necklace", 3, "policy"), 5, 60) == native_steps


@pytest.mark.parametrize("section", ["PettingZoo", "Gymnasium"])
def test_programs_of_the_documentation_run(section):
    page = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
    [program] = re.findall(rf"^## {section}\n\n```python\n(.*?)```", page, re.M | re.S)
    exec(compile(program, section, "exec"), {})


def test_vectorized_environments_are_machine_code():
    single_env = gymnasium.make(env_id("necklace"), players=3, opponents="policy", thin_deck=1)
    envs = gymnasium.make_vec(
        env_id("necklace"), num_envs=8, players=3, opponents="policy", seat=1, threads=2, thin_deck=1
    )
    assert isinstance(envs, CourtlyVectorEnv) and envs.spec.id == env_id("necklace") and envs.arrays.heroes == (1,)
    assert (
        envs.single_observation_space == single_env.observation_space
        and envs.single_action_space == single_env.action_space
    )
    observation, info = envs.reset(seed=5)
    same_envs = CourtlyVectorEnv("necklace", 8, 3, options={"thin_deck": 1}, heroes=(1,), opponents="policy")
    assert data_equivalence((observation, info), same_envs.reset(seed=5)) and (info["seat"] == 1).all()
    sync_envs = gymnasium.make_vec(env_id("necklace"), num_envs=2, vectorization_mode="sync", opponents="squire")
    assert isinstance(sync_envs, gymnasium.vector.SyncVectorEnv)
    for arguments in (dict(seat=None), dict(opponents="squire"), dict(opponents=("policy",)), dict(fat_deck=1)):
        with pytest.raises(ValueError):
            gymnasium.make_vec(env_id("necklace"), num_envs=2, **arguments)


def test_writing_into_a_mask_changes_nothing():
    """Also in the mask of `info`, which may be the same array."""
    hero = HeroEnv("necklace")
    observation, _ = hero.reset(seed=1)
    [legal, *_], [illegal, *_] = (
        np.flatnonzero(observation["action_mask"]),
        np.flatnonzero(observation["action_mask"] == 0),
    )
    observation["action_mask"][:] = 0
    assert not hero.step(int(legal))[-1].get("illegal")
    observation, info = hero.reset(seed=1)
    observation["action_mask"][:] = info["action_mask"][:] = 1
    _, reward, terminated, _, info = hero.step(int(illegal))
    assert (reward, terminated, info["illegal"]) == (-1, True, True)


def test_there_is_no_observation_before_a_reset():
    for method in (HeroEnv("puppet", render_mode="ansi").render, HeroEnv("puppet").action_masks):
        with pytest.raises(ResetNeeded):
            method()


def test_nothing_is_rendered_without_a_mode():
    env = HeroEnv("sealed_bids")
    env.reset(seed=1)
    assert env.render() is None


def test_the_end_of_a_game_is_rendered_with_its_winners():
    game, rng = find_game("sealed_bids"), make_generator(1)
    position, renderer = NativePosition(game, 2), SceneRenderer(game, ["Ada", "Ben"])
    assert "Ada" in renderer.status_text(first_decision(game))
    while not position.over:
        if position.chance:
            position.happen(rng)
        else:
            position.play(position.pending[0], position.legal_ids(position.pending[0])[-1])
    winners = [
        name for name, score in zip(["Ada", "Ben"], position.scores, strict=True) if score == max(position.scores)
    ]
    text = renderer.status_text(position)
    assert all((name in text) == (name in winners) for name in ("Ada", "Ben"))


def first_decision(game):
    position, rng = NativePosition(game, 2), make_generator(1)
    while position.chance:
        position.happen(rng)
    return position


def test_a_seat_that_does_not_exist_sees_nothing():
    view, position = EnvView(find_game("sealed_bids"), 2), NativePosition(find_game("sealed_bids"), 2)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"there is no seat {seat} in a game of 2 players"):
            view.observation(position, seat)


def test_files_of_the_page_are_read_when_they_are_needed():
    files = PageFiles()
    assert list(files) == [] and "web/nothing.js" not in files
    assert files["web/courtly.webmanifest"].plain and list(files) == ["web/courtly.webmanifest"] and len(files) == 1

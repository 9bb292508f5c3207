"""Many games on a graphics card (courtly/adapters/cuda_vector.py), by the processor in its place: with the same
actions, the same numbers as in arrays.py.
"""

import numpy as np
import pytest
from processor_device import InterpretedDevice, ProcessorDevice

from courtly.adapters.arrays import BatchedGames
from courtly.adapters.cuda import DRIVER, StateColumns
from courtly.adapters.cuda_device import why_unavailable
from courtly.adapters.cuda_vector import CUT, ENDED, ILLEGAL, RUNNING, STUCK, CudaGames, step_parameters
from courtly.adapters.observation import get_encoder
from courtly.bots.registry import has_move_policy
from courtly.engine.game import find_game, game_ids
from courtly.engine.native.compiler.cuda_kernel import compile_kernel
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate

ARRAYS = ("observation", "last_observation", "mask", "seats", "rewards", "over", "games", "lengths")
STEPS, GAMES = 150, 5
NO_CARD = why_unavailable()


def read(array):
    """Return the content of an array on a device."""
    return array.read() if hasattr(array, "read") else array


def compare(games, expected, choose_every=3, steps=STEPS):
    """Step both with the same actions; every third time the games draw their own. Return all values of `over`."""
    rng = np.random.default_rng(1)
    games.reset(3)
    expected.reset(3)
    seen = set()
    for step in range(steps):
        for name in ARRAYS:
            np.testing.assert_array_equal(read(getattr(games, name)), getattr(expected, name), f"{step}: {name}")
        seen |= {*expected.over.tolist()}
        if step % choose_every == 0:
            games.step()
            expected.step()
        else:
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in expected.mask])
            actions[step % len(actions)] = (-1, 0, 1 << 40)[step % 3] if step % 5 == 0 else actions[step % len(actions)]
            games.step(actions)
            expected.step(actions)
    return seen


@pytest.mark.parametrize("kind", ["float32", "int16"])
@pytest.mark.parametrize("name", game_ids())
def test_the_numbers_are_those_of_the_processor(name, kind):
    game = find_game(name)
    arguments = {"players": game.players[-1], "kind": kind, "limit": min(40, game.bounds["decisions"])}
    games = CudaGames(game, GAMES, device=ProcessorDevice(), **arguments)
    assert compare(games, BatchedGames(game, GAMES, **arguments)) >= {RUNNING, ILLEGAL}


@pytest.mark.parametrize("name", game_ids())
def test_opponents_play_as_on_the_processor(name):
    game = find_game(name)
    for opponents in ("random", "policy") if has_move_policy(game) else ("random",):
        arguments = {"players": game.players[0], "heroes": (game.players[0] - 1,), "opponents": opponents}
        games = CudaGames(game, GAMES, device=ProcessorDevice(), **arguments)
        compare(games, BatchedGames(game, GAMES, **arguments), steps=40)


@pytest.mark.parametrize(("opponents", "kind"), [("policy", "float32"), ("random", "int16")])
def test_an_interpreted_kernel_steps_the_same(opponents, kind):
    """Machine code cannot be observed, so that this also shows which lines of the kernel run."""
    game = find_game("puppet")
    arguments = {"players": 2, "heroes": (1,), "opponents": opponents, "kind": kind, "limit": 9}
    games = CudaGames(game, 3, device=InterpretedDevice(), **arguments)
    assert compare(games, BatchedGames(game, 3, **arguments), steps=14) >= {RUNNING, ILLEGAL, CUT}


def test_an_interpreted_kernel_ends_games_with_the_same_rewards():
    game = find_game("sealed_bids")
    games, expected = CudaGames(game, 2, 2, device=InterpretedDevice()), BatchedGames(game, 2, 2)
    assert ENDED in compare(games, expected, choose_every=1, steps=40)


def test_whole_games_are_those_of_simulate():
    game = find_game("sealed_bids")
    games = CudaGames(game, 20, 3, device=ProcessorDevice())
    games.reset(9)
    decisions = {}
    while len(decisions) < 20:
        before = games.games.read()
        games.step()
        ended = np.flatnonzero(games.over.read() == ENDED)
        decisions |= {int(before[i]): int(read(games.lengths)[i, 2]) for i in ended if before[i] < 20}
    assert sum(decisions.values()) == simulate(Plan("sealed_bids", 3, 20, 9, {}, None), cores=1)["decisions"]


def test_a_game_at_its_limit_is_cut():
    game = find_game("sealed_bids")
    games = CudaGames(game, 3, 2, limit=2, device=ProcessorDevice())
    games.reset(1)
    games.step()
    games.step()
    assert games.over.read().tolist() == [CUT] * 3 and read(games.lengths)[:, 2].tolist() == [2] * 3


@pytest.mark.parametrize("device", [ProcessorDevice, InterpretedDevice])
def test_rules_that_fail_are_told_for_their_game(monkeypatch, device):
    game = find_game("sealed_bids")
    monkeypatch.setitem(game.bounds, "moves", 1)  # fewer than a seat may have
    games = CudaGames(game, 3, 2, device=device())
    games.reset(1)
    assert games.over.read().tolist() == [STUCK] * 3


def test_unsupported_arguments_are_rejected():
    game, device = find_game("sealed_bids"), ProcessorDevice()
    for arguments, message in (
        ({"n": 0}, "n must be at least 1"),
        ({"players": 99}, "players"),
        ({"heroes": (7,)}, "heroes must be seats"),
        ({"heroes": 3}, "heroes must be"),
        ({"opponents": "squire"}, "opponents on a graphics card"),
        ({"kind": "float16"}, "kind must be"),
        ({"limit": 0}, "limit must be"),
        ({"options": {"nothing": 1}}, "nothing"),
    ):
        with pytest.raises(ValueError, match=message):
            CudaGames(game, **{"n": 2, "device": device} | arguments)
    games = CudaGames(game, 2, device=device)
    with pytest.raises(ValueError, match="call reset before"):
        games.step()
    for seed in (-1, 1 << 63, 0.5):
        with pytest.raises(ValueError, match="seed"):
            games.reset(seed)
    games.reset()
    before = games.games.read(), read(games.mask).copy()
    for actions in (np.zeros(3, int), np.zeros((2, 1), int), np.zeros(2), np.zeros(2, np.int32)):
        with pytest.raises(ValueError, match="expected 2 int64 numbers"):
            games.step(actions)
    assert (games.games.read() == before[0]).all() and (read(games.mask) == before[1]).all()


@pytest.mark.parametrize("name", game_ids())
def test_a_program_is_compiled_without_a_card(name):
    game, players = find_game(name), find_game(name).players[-1]
    settings = {"heroes": tuple(range(players)), "opponents": "random", "limit": game.bounds["decisions"]}
    parameters = step_parameters(StateColumns(game), get_encoder(game, players), "int16", **settings)
    ptx = compile_kernel(game, DRIVER, "step_column", parameters).decode()
    assert ptx.count(".visible .entry step_column_kernel(") == 1 and ".extern" not in ptx


@pytest.mark.skipif(bool(NO_CARD), reason=f"needs a graphics card: {NO_CARD}")
@pytest.mark.parametrize("name", game_ids())
def test_a_card_gives_the_numbers_of_the_processor(name):
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'courtly[learn]'")
    game = find_game(name)
    games, expected = CudaGames(game, 300, kind="int16"), BatchedGames(game, 300, kind="int16")
    games.reset(3)
    expected.reset(3)
    shared = {name: torch.from_dlpack(getattr(games, name)) for name in ARRAYS}
    for step in range(STEPS):
        for name in ARRAYS:
            np.testing.assert_array_equal(shared[name].cpu().numpy(), getattr(expected, name), f"{step}: {name}")
        actions = expected.sample().copy()
        expected.step(actions)
        games.step(torch.from_numpy(actions).cuda())

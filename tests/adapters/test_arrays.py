"""Many games in parallel in native arrays (courtly/adapters/arrays.py), compared with interpreted positions."""

import gc
import os
import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from courtly.adapters.arrays import CUT, ENDED, ILLEGAL, RUNNING, BatchedGames
from courtly.adapters.batch_driver import UNDONE
from courtly.adapters.observation import get_encoder
from courtly.adapters.thread_team import ThreadTeam, make_team_words
from courtly.bots import policy
from courtly.engine.constants import POLICY_NOTES_LENGTH
from courtly.engine.errors import RulesError
from courtly.engine.game import find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.rng import draw_below, make_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate
from courtly.testing.checks.properties import random_options

SEED = 11
TABLES = [(name, players) for name in game_ids() for players in find_game(name).players]
for_each_game = pytest.mark.parametrize("name", game_ids())
for_each_table = pytest.mark.parametrize(("name", "players"), TABLES)


class Reference:
    """Games played by the interpreted rules in parallel to `arrays`. `choose(position, seat, rng)` decides for seats
    that are not heroes.
    """

    def __init__(self, arrays, options=None, choose=None):
        self.arrays, self.options, self.choose = arrays, options, choose
        self.encoder = get_encoder(arrays.game, arrays.players)
        self.ends = [None] * arrays.n
        self.games = [*range(arrays.n)]
        self.running_games = [self.start_game(number) for number in self.games]

    def start_game(self, number):
        position, rng = Position(self.arrays.game, self.arrays.players, self.options), make_generator(SEED, number)
        self.advance(position, rng)
        return position, rng

    def advance(self, position, rng):
        while not position.over:
            if position.chance:
                position.happen(rng)
            elif position.pending[0] in self.arrays.heroes:
                break
            else:
                seat = position.pending[0]
                position.play(seat, self.choose(position, seat, rng))

    def step(self, actions):
        """Make the actions that the arrays drew here, too."""
        for i, action in enumerate(actions):
            position, rng = self.running_games[i]
            seat = position.pending[0]
            legal = position.legal(seat)
            assert legal[draw_below(rng, len(legal))] == action
            position.play(seat, int(action))
            self.advance(position, rng)
            self.ends[i] = (position, seat) if position.over else None
            while position.over:
                self.games[i] += self.arrays.n
                position, rng = self.running_games[i] = self.start_game(self.games[i])

    def compare(self):
        arrays, size = self.arrays, self.arrays.game.State.packing.size
        states = arrays.states.view(np.uint8).reshape(arrays.n + 1, -1)
        is_raw = arrays.kind == "int16"
        for i, (position, _) in enumerate(self.running_games):
            seat = position.pending[0]
            legal = position.legal(seat)
            assert states[i, :size].tobytes() == position.state.pack() and arrays.seats[i] == seat
            assert arrays.choices[i, : arrays.counts[i]].tolist() == legal
            assert np.flatnonzero(arrays.mask[i]).tolist() == sorted(legal)
            encode = self.encoder.raw if is_raw else self.encoder.encode
            assert (arrays.observation[i] == encode(position.state, seat)).all()
            assert arrays.games[i] == self.games[i]
            assert arrays.lengths[i, :2].tolist() == [position.decisions, position.events]
            if self.ends[i] is None:
                assert arrays.over[i] == RUNNING and not arrays.rewards[i].any()
            else:
                end, last_seat = self.ends[i]
                assert arrays.over[i] == ENDED and arrays.lengths[i, 2] == end.decisions
                assert arrays.rewards[i].tolist() == [float(np.float32(place)) for place in end.utility]
                assert (arrays.last_observation[i] == encode(end.state, last_seat)).all()


def compare_with_reference(arrays, steps, **reference_options):
    reference = Reference(arrays, **reference_options)
    arrays.reset(SEED)
    reference.compare()
    for _ in range(steps):
        actions = arrays.sample().copy()
        arrays.step(actions)
        reference.step(actions)
        reference.compare()
    return reference


@for_each_table
@pytest.mark.parametrize("kind", ["int16", "float32"])
def test_games_equal_those_of_the_rules_step_by_step(name, players, kind, pytestconfig):
    game = find_game(name)
    options = random_options(game, random.Random(f"{players} {kind}"))
    arrays = BatchedGames(game, 3, players, options, kind=kind, threads=2)
    compare_with_reference(arrays, 2000 if pytestconfig.getoption("--long") else 60, options=options)


@pytest.mark.parametrize("name", ["petition", "necklace"])
def test_games_equal_those_of_the_simulator(name):
    game = find_game(name)
    arrays, game_count = BatchedGames(game, 8, kind="int16"), 24
    arrays.reset(SEED)
    lengths, wins = {}, np.zeros(arrays.players)
    while len(lengths) < game_count:
        games_before = arrays.games.copy()
        arrays.step(arrays.sample())
        for i in np.flatnonzero(arrays.over):
            if games_before[i] < game_count:
                lengths[games_before[i]] = arrays.lengths[i, 2]
                is_best = arrays.rewards[i] == arrays.rewards[i].max()
                wins += is_best / is_best.sum()
    report = simulate(Plan(name, arrays.players, game_count, SEED, {}, None), cores=1)
    assert report["decisions"] == sum(lengths.values())
    assert report["wins"] == [round(w, 3) for w in wins]


def play_and_record(name, n, threads, games, **options):
    """Return, for each of the first games of a seed, its lengths, its rewards and a digest of its last observation."""
    arrays = BatchedGames(find_game(name), n, threads=threads, **options)
    arrays.reset(SEED)
    results = {}
    while len(results) < games:
        games_before = arrays.games.copy()
        arrays.step(arrays.sample())
        for i in np.flatnonzero(arrays.over):
            if games_before[i] < games:
                results[int(games_before[i])] = (
                    int(arrays.lengths[i, 2]),
                    arrays.rewards[i].tolist(),
                    arrays.last_observation[i].tobytes(),
                )
    return results


def test_a_step_without_actions_draws_them():
    stepped_with_actions, stepped_without = (
        BatchedGames(find_game("puppet"), 5, threads=2),
        BatchedGames(find_game("puppet"), 5),
    )
    stepped_with_actions.reset(SEED)
    stepped_without.reset(SEED)
    for _ in range(100):
        stepped_with_actions.step(stepped_with_actions.sample())
        stepped_without.step()
        assert (
            stepped_with_actions.states.tobytes() == stepped_without.states.tobytes()
            and (stepped_with_actions.over == stepped_without.over).all()
        )


def test_threads_end_with_their_games():
    other_threads = {*threading.enumerate()}
    arrays, closed_arrays = (BatchedGames(find_game("puppet"), 4, threads=3) for _ in range(2))
    own_threads = {*threading.enumerate()} - other_threads
    arrays.reset(1)
    assert len(own_threads) == 4
    closed_arrays.close()
    with pytest.raises(ValueError, match="call reset before"):
        closed_arrays.step()
    del arrays
    gc.collect()
    for thread in own_threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in own_threads)


def test_waiting_threads_use_no_cpu():
    arrays = BatchedGames(find_game("puppet"), 64, threads=2)
    arrays.reset(1)
    time.sleep(0.1)
    cpu_time_before = time.process_time()
    time.sleep(0.4)
    assert time.process_time() - cpu_time_before < 0.1
    arrays.step()


FORK_PROGRAM = """
import os
from courtly.adapters.arrays import BatchedGames
from courtly.engine.game import find_game

def played(arrays, steps):
    for _ in range(steps):
        arrays.step()
    return arrays.states.tobytes()

one, two = (BatchedGames(find_game("puppet"), 99, threads=threads) for threads in (1, 2))
one.reset(1)
two.reset(1)
assert played(one, 20) == played(two, 20)
for _ in range(3):
    child = os.fork()
    wanted = played(one, 20)  # in both, with a thread for each or without
    assert played(two, 20) == wanted
    if not child:
        os._exit(7)
    assert os.waitpid(child, 0)[1] >> 8 == 7
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork, and the test is about threads after one")
def test_a_forked_process_continues_and_python_exits_while_a_thread_waits():
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK_PROGRAM], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_errors_in_all_threads_are_reported():
    arrays = BatchedGames(find_game("petition"), 8, options={"first_player": 1}, heroes=(1,), limit=1, threads=3)
    for _ in range(2):
        with pytest.raises(RulesError, match="game .* cannot go on"):
            arrays.reset(SEED)
        with pytest.raises(ValueError, match="call reset before"):
            arrays.step()


@pytest.mark.parametrize("kind", ["int16", "float32"])
def test_threads_do_not_change_the_results(kind):
    """Whichever thread plays which games."""
    n = 107
    arrays_by_threads = [BatchedGames(find_game("puppet"), n, kind=kind, threads=threads) for threads in (1, 2, 3, 8)]
    for arrays in arrays_by_threads:
        arrays.reset(SEED)
    for step in range(120):
        digests = set()
        for arrays in arrays_by_threads:
            arrays.step()
            shown_arrays = (
                arrays.observation,
                arrays.mask,
                arrays.rewards,
                arrays.over,
                arrays.last_observation,
                arrays.games,
            )
            digests.add(b"".join(a.tobytes() for a in (*shown_arrays, arrays.states, arrays.lengths, arrays._rngs)))
            if step % 40 == 0:
                time.sleep(0.01)  # until threads sleep
        assert len(digests) == 1


@pytest.mark.parametrize("name", ["puppet", "necklace"])
def test_a_game_does_not_depend_on_threads_or_the_number_of_games(name):
    results = play_and_record(name, 1, 1, 6)
    assert play_and_record(name, 4, 1, 6) == play_and_record(name, 4, 3, 6) == play_and_record(name, 6, 2, 6) == results
    heroes = dict(heroes=(1,), opponents="policy")
    assert play_and_record(name, 5, 2, 6, **heroes) == play_and_record(name, 2, 1, 6, **heroes)


@pytest.mark.parametrize("name", ["necklace", "sealed_bids"])
def test_opponents_play_at_random(name):
    def choose(position, seat, rng):
        legal = position.legal(seat)
        return legal[draw_below(rng, len(legal))]

    game = find_game(name)
    compare_with_reference(BatchedGames(game, 2, heroes=(1,)), 40, choose=choose)


@pytest.mark.parametrize("name", ["puppet", "necklace"])
def test_opponents_follow_the_policy(name):
    game = find_game(name)

    def choose(position, seat, rng):
        moves = [*map(int, position.legal(seat))]
        weights = [0] * (game.room + POLICY_NOTES_LENGTH)
        return policy._load_driver(game).choose_move(position.state, seat, moves, len(moves), weights, rng)

    arrays = BatchedGames(game, 2, heroes=(0,), opponents="policy", kind="int16")
    compare_with_reference(arrays, 30, choose=choose)


def network(game, players, hidden, r):
    sizes = [get_encoder(game, players).size, *hidden, game.moves.count]
    return [(r.normal(size=(a, b)), r.normal(size=b)) for a, b in zip(sizes, sizes[1:], strict=False)]


@pytest.mark.parametrize("hidden", [(), (16,), (24, 8)])
def test_opponents_follow_a_network(hidden):
    game, r = find_game("sealed_bids"), np.random.default_rng(3)
    players = game.players[-1]
    layers = network(game, players, hidden, r)

    def choose(position, seat, rng):
        x = get_encoder(game, players).encode(position.state, seat).astype(np.float64)
        for k, (weights, constants) in enumerate(layers):
            x = (np.maximum(x, 0) if k else x) @ weights + constants
        legal = position.legal(seat)
        return max(legal, key=lambda move: x[move])

    compare_with_reference(BatchedGames(game, 2, players, heroes=(0,), opponents=layers), 40, choose=choose)


def test_a_network_may_be_followed_at_random():
    game = find_game("puppet")
    sizes = get_encoder(game, 2).size, game.moves.count
    uniform_network = [(np.zeros(sizes), np.zeros(sizes[1]))]
    results = play_and_record("puppet", 3, 1, 6, heroes=(0,), opponents=uniform_network, sampled=True)
    assert results == play_and_record("puppet", 2, 2, 6, heroes=(0,), opponents=uniform_network, sampled=True)
    assert results != play_and_record("puppet", 2, 2, 6, heroes=(0,), opponents=uniform_network), (
        "otherwise it always plays the first move"
    )


@pytest.mark.parametrize("kind", ["int16", "float32"])
def test_arrays_stay_where_they_are(kind):
    arrays = BatchedGames(find_game("puppet"), 4, kind=kind)
    arrays.reset(1)
    shared = [np.from_dlpack(a) for a in (arrays.observation, arrays.mask, arrays.rewards)]
    assert all(a.ctypes.data % 64 == 0 for a in shared)  # otherwise JAX would copy them
    observation_before = shared[0].copy()
    arrays.step(arrays.sample())
    assert (shared[0] != observation_before).any()
    assert (shared[0] == arrays.observation).all() and shared[0].ctypes.data == arrays.observation.ctypes.data


def test_torch_sees_the_same_numbers():
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'courtly[learn]'")
    arrays = BatchedGames(find_game("puppet"), 4)
    arrays.reset(1)
    shared = torch.from_numpy(arrays.observation)
    actions = torch.from_numpy(arrays.mask).float().multinomial(1).squeeze(1)
    arrays.step(actions)
    assert shared.data_ptr() == arrays.observation.ctypes.data and (shared.numpy() == arrays.observation).all()
    learns = torch.nn.Linear(arrays.encoder.size, arrays.mask.shape[1])  # a network may learn meanwhile
    BatchedGames(find_game("puppet"), 4, heroes=(0,), opponents=[(learns.weight.T, learns.bias)]).reset(1)


def test_jax_sees_the_same_numbers():
    jax = pytest.importorskip("jax", reason="jax is not installed: pip install 'courtly[bench]'")
    batches = [
        BatchedGames(find_game(name), n, kind=kind)
        for name in ("puppet", "petition")
        for kind, n in (("float32", 3), ("int16", 7))
    ]
    for batch in batches:
        batch.reset(1)
        for array in (batch.observation, batch.mask, batch.choices, batch.rewards, batch.over, batch.last_observation):
            shared = jax.dlpack.from_dlpack(array)
            assert shared.unsafe_buffer_pointer() == array.ctypes.data and (np.asarray(shared) == array).all()


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(players=2.0), "the number of players must be a whole number, not 2.0"),
        (dict(options={"merchant_jitter": 0.0}), "merchant_jitter may be one of .*, not 0.0"),
        (dict(heroes=(0.0,)), "a seat must be a whole number, not 0.0"),
        (dict(limit=20.0), "limit must be a whole number, not 20.0"),
        (dict(n=2.0), "the number of games must be a whole number, not 2.0"),
        (dict(threads="2"), "the number of threads must be a whole number, not '2'"),
        (dict(players=9), "necklace is for 2, 3, 4 players, not 9"),
        (dict(options={"thin_deck": 7}), "thin_deck may be one of"),
        (dict(options={"fat_deck": 1}), "unknown options: fat_deck"),
        (dict(heroes=(2,)), "seats from 0 to 1"),
        (dict(heroes=()), "seats from 0 to 1"),
        (dict(heroes=(-1,)), "seats from 0 to 1"),
        (dict(kind="float64"), "'float32' or 'int16', not 'float64'"),
        (dict(opponents="squire"), "or a network, not 'squire'"),
        (dict(opponents=[]), "or a network, not"),
        (dict(opponents=[(np.zeros((3, 252)), np.zeros(252))]), r"layer 0 .* must have shapes \(870, 252\)"),
        (dict(opponents=[(np.zeros((870, 252)), np.zeros(7))]), r"layer 0 .* must have shapes \(870, 252\)"),
        (dict(limit=0), "from 1 to 5085 decisions, not 0"),
        (dict(threads=0), "n and threads must be at least 1"),
        (dict(n=0), "n and threads must be at least 1"),
    ],
)
def test_unsupported_arguments_are_reported(arguments, message):
    arguments = {"n": 2, **arguments}
    with pytest.raises(ValueError, match=message):
        BatchedGames(find_game("necklace"), **arguments)


def test_a_game_without_a_policy_has_no_policy_opponents():
    with pytest.raises(ValueError, match="petition has no policy"):
        BatchedGames(find_game("petition"), 1, opponents="policy")


def test_invalid_steps_change_nothing():
    arrays = BatchedGames(find_game("puppet"), 3)
    with pytest.raises(ValueError, match="call reset before"):
        arrays.step([0, 0, 0])
    for invalid in (-1, 1.5, 1 << 63, "1", None):
        with pytest.raises(ValueError, match="a seed must be"):
            arrays.reset(invalid)
    arrays.reset(1)
    states_before = arrays.states.tobytes()
    for invalid in ([0, 0], [[0, 0, 0]], 0, [0.0, 1, 2], [True] * 3, ["a", "b", "c"], [None] * 3, [1 << 70, 0, 0]):
        with pytest.raises(ValueError, match="actions must be 3 whole numbers, not"):
            arrays.step(invalid)
    assert arrays.states.tobytes() == states_before


@pytest.mark.parametrize("case", ["not open", "below", "beyond", "far beyond", "an event"])
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint64])
def test_an_illegal_action_ends_its_game(case, dtype):
    game = find_game("puppet")
    arrays = BatchedGames(game, 3, 3)
    arrays.reset(SEED)
    actions = arrays.sample().astype(dtype)
    illegal_action = int(np.flatnonzero(arrays.mask[1] == 0)[0])
    actions[1] = np.array(
        {
            "not open": illegal_action,
            "below": -1,
            "beyond": game.moves.total,
            "far beyond": 2**31 - 1,
            "an event": game.moves.count,
        }[case]
    ).astype(dtype)
    seat, observation_before = arrays.seats[1], arrays.observation[1].copy()
    arrays.step(actions)
    assert arrays.over.tolist() == [RUNNING, ILLEGAL, RUNNING]
    assert arrays.rewards[1].tolist() == [-1 if k == seat else 0.5 for k in range(3)]
    assert (arrays.last_observation[1] == observation_before).all() and arrays.games.tolist() == [0, 4, 2]
    arrays.step(arrays.sample())
    assert not arrays.rewards.any()


@for_each_game
def test_writing_into_the_arrays_makes_no_move_legal(name):
    """The arrays are shared with the caller, and machine code has no bounds checks."""
    n, game = 8, find_game(name)
    players, rng = game.players[-1], np.random.default_rng(2)
    untouched, overwritten = (BatchedGames(game, n, players) for _ in range(2))
    for arrays in (untouched, overwritten):
        arrays.reset(SEED)
    with pytest.raises(ValueError, match="read-only"):
        overwritten.states["pending"][0] = 0
    for step in range(60):
        shown_arrays = (
            overwritten.choices,
            overwritten.counts,
            overwritten.seats,
            overwritten.rewards,
            overwritten.over,
            overwritten.observation,
        )
        for array in shown_arrays:
            array[:] = np.iinfo(array.dtype).max if array.dtype.kind == "i" else np.nan
        overwritten.mask[:] = 1
        actions = untouched.sample().copy()
        assert (overwritten.sample() == actions).all()
        if step % 3:
            actions[step % n] = rng.integers(game.moves.count)
        for arrays in (untouched, overwritten):
            arrays.step(actions if step % 2 else None)
        assert overwritten.states.tobytes() == untouched.states.tobytes()
        for name in ("counts", "seats", "rewards", "over", "observation", "last_observation", "games", "lengths"):
            assert (getattr(overwritten, name) == getattr(untouched, name)).all()
        assert (
            overwritten.choices[0, : overwritten.counts[0]].tolist()
            == untouched.choices[0, : untouched.counts[0]].tolist()
        )
    for arrays in (untouched, overwritten):
        arrays.reset(SEED)
    assert (overwritten.mask == untouched.mask).all()


def test_a_game_that_is_too_long_is_truncated():
    arrays = BatchedGames(find_game("necklace"), 2, limit=20)
    arrays.reset(SEED)
    for step in range(1, 61):
        arrays.step(arrays.sample())
        is_truncated = step % 20 == 0
        assert arrays.over.tolist() == [CUT if is_truncated else RUNNING] * 2 and not arrays.rewards.any()
        assert arrays.lengths[:, 0].tolist() == [step % 20] * 2
    assert arrays.games.tolist() == [6, 7] and arrays.lengths[:, 2].tolist() == [20, 20]


def test_heroes_that_never_decide_are_reported():
    arrays = BatchedGames(find_game("petition"), 2, options={"first_player": 1}, heroes=(1,), limit=1)
    with pytest.raises(RulesError, match="cannot go on, or no hero ever has a decision"):
        arrays.reset(SEED)


@for_each_game
def test_any_action_keeps_the_invariants(name, pytestconfig):
    """Legal and illegal actions, of all sizes."""
    game, rng = find_game(name), np.random.default_rng(5)
    step_count = 1_000_000 // len(game_ids()) if pytestconfig.getoption("--long") else 6000
    n = 64
    for players in game.players:
        arrays = BatchedGames(game, n, players, kind="int16" if players % 2 else "float32", threads=2)
        encoder, size = arrays.encoder, game.State.packing.size
        arrays.reset(SEED)
        steps_made = 0
        while steps_made < step_count // len(game.players):
            sampled = arrays.sample().copy()
            other_actions = np.array(
                [-(1 << 62), -1, 0, game.moves.count, game.moves.total, 1 << 62, *rng.integers(0, game.moves.total, 9)]
            )
            is_replaced = rng.random(n) < 0.05
            actions = np.where(is_replaced, rng.choice(other_actions, n), sampled)
            legal = [0 <= a < game.moves.count and arrays.mask[i, a] == 1 for i, a in enumerate(actions)]
            seats = arrays.seats.copy()
            arrays.step(actions)
            steps_made += n
            assert ((arrays.over == ILLEGAL) == ~np.array(legal)).all() and not (arrays.over == CUT).any()
            assert np.abs(arrays.rewards).max() <= 1 and np.abs(arrays.rewards.sum(axis=1)).max() < 1e-6
            assert (arrays.rewards[np.arange(n), seats][~np.array(legal)] == -1).all()
            for numbers in (arrays.observation, arrays.last_observation):
                if arrays.kind == "float32":
                    assert np.abs(numbers).max() <= 1
                elif numbers is arrays.observation:
                    assert (numbers >= encoder.raw_least).all() and (numbers <= encoder.raw_most).all()
            assert (arrays.mask.sum(axis=1) == arrays.counts).all() and arrays.counts.min() > 0
            i = int(rng.integers(n))
            position = Position(game, state=game.State.unpack(arrays.states[i : i + 1].tobytes()[:size]))
            assert np.flatnonzero(arrays.mask[i]).tolist() == sorted(position.legal(int(arrays.seats[i])))


def test_two_threads_do_not_step_the_same_games():
    """One of them gets an error; otherwise they would deadlock."""
    arrays = BatchedGames(find_game("puppet"), 64)
    arrays.reset(SEED)
    with arrays._threads._step_lock, pytest.raises(RuntimeError, match="another thread"):  # while another thread steps
        arrays.step()
    arrays.step()


def test_the_lengths_of_games_are_counted():
    arrays = BatchedGames(find_game("puppet"), 2, limit=5)
    arrays.reset(SEED)
    for row in (arrays.lengths, arrays.games):
        with pytest.raises(ValueError, match="read-only"):
            row[:] = 0
    for _ in range(5):
        arrays.step()
    assert (arrays.over == CUT).all() and arrays.games.tolist() == [2, 3]


def test_closed_arrays_do_not_start_again():
    arrays = BatchedGames(find_game("puppet"), 2)
    arrays.close()
    with pytest.raises(ValueError, match="closed"):
        arrays.reset(SEED)


@pytest.mark.parametrize(
    "arguments", [{"heroes": 1}, {"heroes": None}, {"opponents": None}, {"heroes": np.array([0, 5])}]
)
def test_invalid_heroes_and_opponents_are_rejected(arguments):
    with pytest.raises(ValueError, match="heroes must be|opponents must be"):
        BatchedGames(find_game("puppet"), 2, **arguments)


def test_heroes_may_be_numpy_integers():
    assert BatchedGames(find_game("puppet"), 2, 3, heroes=np.array([0, 2])).heroes == (0, 2)


def test_a_step_waits_for_the_threads_of_an_interrupted_one():
    words = make_team_words(8, 1)
    team = ThreadTeam([lambda: None], words)
    words[UNDONE] = 1
    threading.Timer(0.01, words.__setitem__, (UNDONE, 0)).start()
    assert team.step(0, 0) == -1 and not words[UNDONE]

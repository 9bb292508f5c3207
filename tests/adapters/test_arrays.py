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
from courtly.adapters.observation import get_encoder
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
of_games = pytest.mark.parametrize("name", game_ids())
of_tables = pytest.mark.parametrize(("name", "players"), TABLES)


class Reference:
    """Games played by the interpreted rules in parallel to `arrays`. `choose(position, seat, rng)` decides for seats
    that are not heroes.
    """

    def __init__(self, arrays, options=None, choose=None):
        self.arrays, self.options, self.choose = arrays, options, choose
        self.seen = get_encoder(arrays.game, arrays.players)
        self.ends = [None] * arrays.n
        self.games = [*range(arrays.n)]
        self.played = [self.begun(number) for number in self.games]

    def begun(self, number):
        position, rng = Position(self.arrays.game, self.arrays.players, self.options), make_generator(SEED, number)
        self.go_on(position, rng)
        return position, rng

    def go_on(self, position, rng):
        while not position.over:
            if position.chance:
                position.happen(rng)
            elif position.pending[0] in self.arrays.heroes:
                break
            else:
                seat = position.pending[0]
                position.play(seat, self.choose(position, seat, rng))

    def step(self, drawn):
        """Make the actions that the arrays drew here, too."""
        for i, action in enumerate(drawn):
            position, rng = self.played[i]
            seat = position.pending[0]
            legal = position.legal(seat)
            assert legal[draw_below(rng, len(legal))] == action
            position.play(seat, int(action))
            self.go_on(position, rng)
            self.ends[i] = (position, seat) if position.over else None
            while position.over:
                self.games[i] += self.arrays.n
                position, rng = self.played[i] = self.begun(self.games[i])

    def compare(self):
        arrays, size = self.arrays, self.arrays.game.State.packing.size
        states = arrays.states.view(np.uint8).reshape(arrays.n + 1, -1)
        raw = arrays.kind == "int16"
        for i, (position, _) in enumerate(self.played):
            seat = position.pending[0]
            legal = position.legal(seat)
            assert states[i, :size].tobytes() == position.state.pack() and arrays.seats[i] == seat
            assert arrays.choices[i, : arrays.counts[i]].tolist() == legal
            assert np.flatnonzero(arrays.mask[i]).tolist() == sorted(legal)
            look = self.seen.raw if raw else self.seen.encode
            assert (arrays.observation[i] == look(position.state, seat)).all()
            assert arrays.games[i] == self.games[i]
            assert arrays.lengths[i, :2].tolist() == [position.decisions, position.events]
            if self.ends[i] is None:
                assert arrays.over[i] == RUNNING and not arrays.rewards[i].any()
            else:
                end, last = self.ends[i]
                assert arrays.over[i] == ENDED and arrays.lengths[i, 2] == end.decisions
                assert arrays.rewards[i].tolist() == [float(np.float32(place)) for place in end.utility]
                assert (arrays.last_observation[i] == look(end.state, last)).all()


def compare_with_reference(arrays, steps, **more):
    reference = Reference(arrays, **more)
    arrays.reset(SEED)
    reference.compare()
    for _ in range(steps):
        drawn = arrays.sample().copy()
        arrays.step(drawn)
        reference.step(drawn)
        reference.compare()
    return reference


@of_tables
@pytest.mark.parametrize("kind", ["int16", "float32"])
def test_games_equal_those_of_the_rules_step_by_step(name, players, kind, pytestconfig):
    game = find_game(name)
    options = random_options(game, random.Random(f"{players} {kind}"))
    arrays = BatchedGames(game, 3, players, options, kind=kind, threads=2)
    compare_with_reference(arrays, 2000 if pytestconfig.getoption("--long") else 60, options=options)


@pytest.mark.parametrize("name", ["petition", "necklace"])
def test_games_equal_those_of_the_simulator(name):
    game = find_game(name)
    arrays, wanted = BatchedGames(game, 8, kind="int16"), 24
    arrays.reset(SEED)
    lengths, wins = {}, np.zeros(arrays.players)
    while len(lengths) < wanted:
        before = arrays.games.copy()
        arrays.step(arrays.sample())
        for i in np.flatnonzero(arrays.over):
            if before[i] < wanted:
                lengths[before[i]] = arrays.lengths[i, 2]
                best = arrays.rewards[i] == arrays.rewards[i].max()
                wins += best / best.sum()
    told = simulate(Plan(name, arrays.players, wanted, SEED, {}, None), cores=1)
    assert told["decisions"] == sum(lengths.values())
    assert told["wins"] == [round(w, 3) for w in wins]


def journal(name, n, threads, games, **more):
    """Return, for each of the first games of a seed, its lengths, its rewards and a digest of its last observation."""
    arrays = BatchedGames(find_game(name), n, threads=threads, **more)
    arrays.reset(SEED)
    told = {}
    while len(told) < games:
        before = arrays.games.copy()
        arrays.step(arrays.sample())
        for i in np.flatnonzero(arrays.over):
            if before[i] < games:
                told[int(before[i])] = (
                    int(arrays.lengths[i, 2]),
                    arrays.rewards[i].tolist(),
                    arrays.last_observation[i].tobytes(),
                )
    return told


def test_a_step_without_actions_draws_them():
    told, drawn = BatchedGames(find_game("puppet"), 5, threads=2), BatchedGames(find_game("puppet"), 5)
    told.reset(SEED)
    drawn.reset(SEED)
    for _ in range(100):
        told.step(told.sample())
        drawn.step()
        assert told.states.tobytes() == drawn.states.tobytes() and (told.over == drawn.over).all()


def test_threads_end_with_their_games():
    others = {*threading.enumerate()}
    arrays, closed = (BatchedGames(find_game("puppet"), 4, threads=3) for _ in range(2))
    ours = {*threading.enumerate()} - others
    arrays.reset(1)
    assert len(ours) == 4
    closed.close()
    with pytest.raises(ValueError, match="call reset before"):
        closed.step()
    del arrays
    gc.collect()
    for thread in ours:
        thread.join(20)
    assert not any(thread.is_alive() for thread in ours)


def test_waiting_threads_use_no_cpu():
    arrays = BatchedGames(find_game("puppet"), 64, threads=2)
    arrays.reset(1)
    time.sleep(0.1)
    before = time.process_time()
    time.sleep(0.4)
    assert time.process_time() - before < 0.1
    arrays.step()


PROGRAM = """
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_continues_and_python_exits_while_a_thread_waits():
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


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
    crews = [BatchedGames(find_game("puppet"), n, kind=kind, threads=threads) for threads in (1, 2, 3, 8)]
    for arrays in crews:
        arrays.reset(SEED)
    for step in range(120):
        told = set()
        for arrays in crews:
            arrays.step()
            shown = arrays.observation, arrays.mask, arrays.rewards, arrays.over, arrays.last_observation, arrays.games
            told.add(b"".join(a.tobytes() for a in (*shown, arrays.states, arrays.lengths, arrays._rngs)))
            if step % 40 == 0:
                time.sleep(0.01)  # until threads sleep
        assert len(told) == 1


@pytest.mark.parametrize("name", ["puppet", "necklace"])
def test_a_game_does_not_depend_on_threads_or_the_number_of_games(name):
    one = journal(name, 1, 1, 6)
    assert journal(name, 4, 1, 6) == journal(name, 4, 3, 6) == journal(name, 6, 2, 6) == one
    heroes = dict(heroes=(1,), opponents="policy")
    assert journal(name, 5, 2, 6, **heroes) == journal(name, 2, 1, 6, **heroes)


@pytest.mark.parametrize("name", ["necklace", "sealed_bids"])
def test_opponents_at_random(name):
    def choose(position, seat, rng):
        legal = position.legal(seat)
        return legal[draw_below(rng, len(legal))]

    game = find_game(name)
    compare_with_reference(BatchedGames(game, 2, heroes=(1,)), 40, choose=choose)


@pytest.mark.parametrize("name", ["puppet", "necklace"])
def test_opponents_that_follow_the_policy(name):
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
def test_opponents_that_ask_a_network(hidden):
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
    flat = [(np.zeros(sizes), np.zeros(sizes[1]))]
    told = journal("puppet", 3, 1, 6, heroes=(0,), opponents=flat, sampled=True)
    assert told == journal("puppet", 2, 2, 6, heroes=(0,), opponents=flat, sampled=True)
    assert told != journal("puppet", 2, 2, 6, heroes=(0,), opponents=flat), "otherwise it always plays the first move"


@pytest.mark.parametrize("kind", ["int16", "float32"])
def test_arrays_stay_where_they_are(kind):
    arrays = BatchedGames(find_game("puppet"), 4, kind=kind)
    arrays.reset(1)
    shared = [np.from_dlpack(a) for a in (arrays.observation, arrays.mask, arrays.rewards)]
    assert all(a.ctypes.data % 64 == 0 for a in shared)  # otherwise JAX would copy them
    before = shared[0].copy()
    arrays.step(arrays.sample())
    assert (shared[0] != before).any()
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
    arrays = [
        BatchedGames(find_game(name), n, kind=kind)
        for name in ("puppet", "petition")
        for kind, n in (("float32", 3), ("int16", 7))
    ]
    for made in arrays:
        made.reset(1)
        for array in (made.observation, made.mask, made.choices, made.rewards, made.over, made.last_observation):
            shared = jax.dlpack.from_dlpack(array)
            assert shared.unsafe_buffer_pointer() == array.ctypes.data and (np.asarray(shared) == array).all()


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "wrong"),
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
def test_unsupported_arguments_are_reported(given, wrong):
    given = {"n": 2, **given}
    with pytest.raises(ValueError, match=wrong):
        BatchedGames(find_game("necklace"), **given)


def test_a_game_without_a_policy_has_no_policy_opponents():
    with pytest.raises(ValueError, match="petition has no policy"):
        BatchedGames(find_game("petition"), 1, opponents="policy")


def test_invalid_steps_change_nothing():
    arrays = BatchedGames(find_game("puppet"), 3)
    with pytest.raises(ValueError, match="call reset before"):
        arrays.step([0, 0, 0])
    for wrong in (-1, 1.5, 1 << 63, "1", None):
        with pytest.raises(ValueError, match="a seed must be"):
            arrays.reset(wrong)
    arrays.reset(1)
    before = arrays.states.tobytes()
    for wrong in ([0, 0], [[0, 0, 0]], 0, [0.0, 1, 2], [True] * 3, ["a", "b", "c"], [None] * 3, [1 << 70, 0, 0]):
        with pytest.raises(ValueError, match="actions must be 3 whole numbers, not"):
            arrays.step(wrong)
    assert arrays.states.tobytes() == before


@pytest.mark.parametrize("wrong", ["not open", "below", "beyond", "far beyond", "an event"])
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint64])
def test_an_illegal_action_ends_its_game(wrong, kind):
    game = find_game("puppet")
    arrays = BatchedGames(game, 3, 3)
    arrays.reset(SEED)
    actions = arrays.sample().astype(kind)
    shut = int(np.flatnonzero(arrays.mask[1] == 0)[0])
    actions[1] = np.array(
        {
            "not open": shut,
            "below": -1,
            "beyond": game.moves.total,
            "far beyond": 2**31 - 1,
            "an event": game.moves.count,
        }[wrong]
    ).astype(kind)
    seat, before = arrays.seats[1], arrays.observation[1].copy()
    arrays.step(actions)
    assert arrays.over.tolist() == [RUNNING, ILLEGAL, RUNNING]
    assert arrays.rewards[1].tolist() == [-1 if k == seat else 0.5 for k in range(3)]
    assert (arrays.last_observation[1] == before).all() and arrays.games.tolist() == [0, 4, 2]
    arrays.step(arrays.sample())
    assert not arrays.rewards.any()


@of_games
def test_writing_into_the_arrays_makes_no_move_legal(name):
    """The arrays are shared with the caller, and machine code has no bounds checks."""
    n, game = 8, find_game(name)
    players, r = game.players[-1], np.random.default_rng(2)
    kept, spoilt = (BatchedGames(game, n, players) for _ in range(2))
    for arrays in (kept, spoilt):
        arrays.reset(SEED)
    with pytest.raises(ValueError, match="read-only"):
        spoilt.states["pending"][0] = 0
    for step in range(60):
        shown = spoilt.choices, spoilt.counts, spoilt.seats, spoilt.rewards, spoilt.over, spoilt.observation
        for array in shown:
            array[:] = np.iinfo(array.dtype).max if array.dtype.kind == "i" else np.nan
        spoilt.mask[:] = 1
        actions = kept.sample().copy()
        assert (spoilt.sample() == actions).all()
        if step % 3:
            actions[step % n] = r.integers(game.moves.count)
        for arrays in (kept, spoilt):
            arrays.step(actions if step % 2 else None)
        assert spoilt.states.tobytes() == kept.states.tobytes()
        for name in ("counts", "seats", "rewards", "over", "observation", "last_observation", "games", "lengths"):
            assert (getattr(spoilt, name) == getattr(kept, name)).all()
        assert spoilt.choices[0, : spoilt.counts[0]].tolist() == kept.choices[0, : kept.counts[0]].tolist()
    for arrays in (kept, spoilt):
        arrays.reset(SEED)
    assert (spoilt.mask == kept.mask).all()


def test_a_game_that_is_too_long_is_truncated():
    arrays = BatchedGames(find_game("necklace"), 2, limit=20)
    arrays.reset(SEED)
    for at in range(1, 61):
        arrays.step(arrays.sample())
        cut = at % 20 == 0
        assert arrays.over.tolist() == [CUT if cut else RUNNING] * 2 and not arrays.rewards.any()
        assert arrays.lengths[:, 0].tolist() == [at % 20] * 2
    assert arrays.games.tolist() == [6, 7] and arrays.lengths[:, 2].tolist() == [20, 20]


def test_heroes_that_never_decide_are_reported():
    arrays = BatchedGames(find_game("petition"), 2, options={"first_player": 1}, heroes=(1,), limit=1)
    with pytest.raises(RulesError, match="cannot go on, or no hero ever has a decision"):
        arrays.reset(SEED)


@of_games
def test_any_action_keeps_the_invariants(name, pytestconfig):
    """Legal and illegal actions, of all sizes."""
    game, r = find_game(name), np.random.default_rng(5)
    wanted = 1_000_000 // len(game_ids()) if pytestconfig.getoption("--long") else 6000
    n = 64
    for players in game.players:
        arrays = BatchedGames(game, n, players, kind="int16" if players % 2 else "float32", threads=2)
        seen, size = arrays.encoder, game.State.packing.size
        arrays.reset(SEED)
        tried = 0
        while tried < wanted // len(game.players):
            drawn = arrays.sample().copy()
            others = np.array(
                [-(1 << 62), -1, 0, game.moves.count, game.moves.total, 1 << 62, *r.integers(0, game.moves.total, 9)]
            )
            wild = r.random(n) < 0.05
            actions = np.where(wild, r.choice(others, n), drawn)
            legal = [0 <= a < game.moves.count and arrays.mask[i, a] == 1 for i, a in enumerate(actions)]
            seats = arrays.seats.copy()
            arrays.step(actions)
            tried += n
            assert ((arrays.over == ILLEGAL) == ~np.array(legal)).all() and not (arrays.over == CUT).any()
            assert np.abs(arrays.rewards).max() <= 1 and np.abs(arrays.rewards.sum(axis=1)).max() < 1e-6
            assert (arrays.rewards[np.arange(n), seats][~np.array(legal)] == -1).all()
            for shown in (arrays.observation, arrays.last_observation):
                if arrays.kind == "float32":
                    assert np.abs(shown).max() <= 1
                elif shown is arrays.observation:
                    assert (shown >= seen.raw_least).all() and (shown <= seen.raw_most).all()
            assert (arrays.mask.sum(axis=1) == arrays.counts).all() and arrays.counts.min() > 0
            i = int(r.integers(n))
            position = Position(game, state=game.State.unpack(arrays.states[i : i + 1].tobytes()[:size]))
            assert np.flatnonzero(arrays.mask[i]).tolist() == sorted(position.legal(int(arrays.seats[i])))


def test_two_threads_do_not_step_the_same_games():
    """One of them gets an error; otherwise they would deadlock."""
    arrays = BatchedGames(find_game("puppet"), 64)
    arrays.reset(SEED)
    with arrays._crew._one, pytest.raises(RuntimeError, match="another thread"):  # while another thread steps
        arrays.step()
    arrays.step()


def test_lengths_of_games():
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


@pytest.mark.parametrize("given", [{"heroes": 1}, {"heroes": None}, {"opponents": None}, {"heroes": np.array([0, 5])}])
def test_invalid_heroes_and_opponents_are_rejected(given):
    with pytest.raises(ValueError, match="heroes must be|opponents must be"):
        BatchedGames(find_game("puppet"), 2, **given)


def test_heroes_may_be_numpy_integers():
    assert BatchedGames(find_game("puppet"), 2, 3, heroes=np.array([0, 2])).heroes == (0, 2)

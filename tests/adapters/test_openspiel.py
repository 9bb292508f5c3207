"""Every game through OpenSpiel: OpenSpiel's own test suites, and that players get exactly the information they may
have.
"""

import pickle
import random
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl.testing import absltest
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import get_all_states, mcts

from courtly.adapters import openspiel
from courtly.adapters.openspiel import GameLine, NativeEvaluator
from courtly.engine.game import Game, _load_games, find_game, game_ids, register
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance, make_generator

TINY = Path(__file__).parents[2] / "examples" / "tiny_court"
QUICK = {"petition": {"round_limit": 20}}  # random play lasts hundreds of rounds
TABLES = [(name, players) for name in game_ids() for players in find_game(name).players]
TABLES += [("tiny_court", players) for players in (2, 3)]
HIDDEN = [(name, players) for name, players in TABLES if name == "tiny_court" or find_game(name).hidden]


def daily(tables):
    """Return each game with the minimum and maximum number of players; with --long with every number."""
    counts = {name: [players for other, players in tables if other == name] for name, _ in tables}
    return [
        pytest.param(name, n, marks=[] if n in (counts[name][0], counts[name][-1]) else pytest.mark.long)
        for name, n in tables
    ]


suites = pytest.mark.parametrize(("name", "players"), TABLES)  # OpenSpiel's own, always all
tables = pytest.mark.parametrize(("name", "players"), daily(TABLES))
hidden = pytest.mark.parametrize(("name", "players"), daily(HIDDEN))


@pytest.fixture(scope="module", autouse=True)
def tiny_court():
    """Register the tiny court, only for this file."""
    sys.path.insert(0, str(TINY))
    register(Game("tiny_court"))
    openspiel.register(find_game("tiny_court"))
    yield
    del _load_games()["tiny_court"]
    sys.path.remove(str(TINY))


def load(name, players, **options):
    return pyspiel.load_game(f"courtly_{name}", {"players": players, **options})


def quick(name, players):
    return load(name, players, **QUICK.get(name, {}))


def anything(state, r):
    """Return a uniformly random legal action or outcome."""
    return r.choice(state.legal_actions())


def somewhere(game, r, most=300):
    """Return a state of a random game at which a player decides."""
    while True:
        state = game.new_initial_state()
        for _ in range(r.randrange(most)):
            if state.is_terminal():
                break
            state.apply_action(anything(state, r))
        while not state.is_terminal() and state.is_chance_node():
            state.apply_action(anything(state, r))
        if not state.is_terminal():
            return state


def decisions(game, r, games):
    """Yield the states of some random games at which a player decides."""
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                yield state
            state.apply_action(anything(state, r))


# --- OpenSpiel's own suites -------------------------------------------------------------------------------------------


@suites
def test_random_games_pass_openspiels_checks(name, players, long):
    pyspiel.random_sim_test(quick(name, players), num_sims=20 if long else 1, serialize=True, verbose=False)


@pytest.mark.long
def test_a_game_of_thousands_of_moves_passes_openspiels_checks():
    """With more players it is longer still: OpenSpiel stores every state with its own history, so its memory is
    quadratic in a game's length.
    """
    pyspiel.random_sim_test(load("petition", 2), num_sims=1, serialize=True, verbose=False)


class Table:
    """The interface that OpenSpiel's suite needs."""

    @classmethod
    def setUpClass(cls):
        random.seed(1)
        cls.game = quick(*cls.table)
        super().setUpClass()


for _table in TABLES:
    _called = "TestPartOfTheTree{}{}".format(*_table)
    globals()[_called] = type(
        _called, (Table, api_test.EnforceAPIOnPartialTreeBase), {"table": _table, "game_name": _called}
    )


class TestAllOfTheTree(Table, api_test.EnforceAPIOnFullTreeBase):
    table = ("tiny_court", 2)
    game_name = "tiny_court"

    @classmethod
    def setUpClass(cls):
        api_test.TOTAL_NUM_STATES["tiny_court"] = (10, 48, 108)  # deals, offers, two bids
        api_test.PERFECT_RECALL_NUM_STATES["tiny_court"] = 12  # for each player, a courtier and an honour
        super().setUpClass()


def test_the_suite_is_openspiels():
    assert issubclass(api_test.EnforceAPIOnFullTreeBase, absltest.TestCase)
    assert len([name for name in globals() if name.startswith("TestPartOfTheTree")]) == len(TABLES)


# --- information states -----------------------------------------------------------------------------------------------


def told(match, watcher, since):
    """Return the cues that this audience received from a number on, and its present view."""
    seat = None if watcher == match.players else watcher
    return [tuple(cue.items()) for cue in match.cues(seat, since)], match.view(seat)["state"]


def check_siblings(game, r):
    """For any two actions at a state, check that a seat's information states differ afterwards if and only if it saw
    different things. Return how often they did and did not.
    """
    state, match = game.new_initial_state(), Match(game.courtly, game.num_players(), None, SeededChance(1), start=False)
    count = [0, 0]
    for _ in range(r.randrange(200)):
        actions = state.legal_actions()
        if not actions:
            break
        first = game.courtly.moves.count if state.is_chance_node() else 0
        actor = -1 if state.is_chance_node() else state.current_player()
        if len(actions) > 1 and r.random() < 0.3:
            ways = []
            for action in r.sample(actions, 2):
                there, at = state.child(action), match.copy()
                at.apply(actor, first + action)
                ways.append((there, at))
            for watcher in range(game.num_players()):
                since = match.seq(watcher)
                same = told(ways[0][1], watcher, since) == told(ways[1][1], watcher, since)
                assert same == (
                    ways[0][0].information_state_string(watcher) == ways[1][0].information_state_string(watcher)
                )
                count[same] += 1
        action = anything(state, r)
        match.apply(actor, first + action)
        state.apply_action(action)
    return count


@tables
def test_information_states_differ_exactly_if_observations_differ(name, players, long):
    game, r, count = load(name, players), random.Random(3), [0, 0]
    for _ in range(200 if long else 8):
        count = [a + b for a, b in zip(count, check_siblings(game, r), strict=True)]
    assert count[0] and (count[1] or not game.courtly.hidden)


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("_tell", lambda self, seat, move, audience: GameLine.__dict__["_tell_well"](self, seat, move, -1)),
        ("_tell", lambda self, seat, move, audience: GameLine.__dict__["_tell_well"](self, seat, move, audience & 1)),
        ("_show", lambda self, learn, before: None),
    ],
    ids=["all see all", "only the first sees it", "no seat sees what is shown"],
)
def test_too_much_or_too_little_information_is_detected(monkeypatch, method, fault):
    monkeypatch.setattr(GameLine, "_tell_well", GameLine._tell, raising=False)
    monkeypatch.setattr(GameLine, method, fault)
    game, r = load("sealed_bids", 3), random.Random(3)
    with pytest.raises(AssertionError):
        for _ in range(50):
            check_siblings(game, r)


@pytest.mark.parametrize("honours", [1, 2])
def test_information_states_of_the_tiny_court_are_exact(honours):
    """For every state and seat, what its match showed it and its information state determine each other."""
    game = load("tiny_court", 2, honours=honours)
    begun = Match(game.courtly, 2, {"honours": honours}, SeededChance(1), start=False)
    by_string, by_telling = {}, {}

    def walk(state, match, tellings):
        for seat in range(2):
            key, telling = state.information_state_string(seat), tuple(tellings[seat])
            assert by_string.setdefault(key, telling) == telling
            assert by_telling.setdefault((seat, telling), key) == key
        for action in state.legal_actions():
            actor = -1 if state.is_chance_node() else state.current_player()
            there = match.copy()
            there.apply(actor, action + (game.courtly.moves.count if actor < 0 else 0))
            news = [str(told(there, seat, match.seq(seat))) for seat in range(2)]
            walk(state.child(action), there, [[*before, new] for before, new in zip(tellings, news, strict=True)])

    walk(game.new_initial_state(), begun, [[], []])
    assert len(by_string) > 50


# --- sampled worlds ---------------------------------------------------------------------------------------------------


def check_worlds(state, seat, r):
    """Check that a sampled world is the same for its seat, and that its views for others do not depend on the true
    state.
    """
    number, other = r.random(), state.resample_from_infostate(seat, r.random)
    for world in (other, other.resample_from_infostate(seat, r.random)):
        assert world.current_player() == state.current_player() and world.history() == []
        assert world.information_state_string(seat) == state.information_state_string(seat)
        assert world.observation_string(seat) == state.observation_string(seat)
        assert world.observation_tensor(seat) == state.observation_tensor(seat)
        assert world.legal_actions(seat) == state.legal_actions(seat)
    others = ~(1 << seat) & ~(1 << state.num_players())
    other.line.heard = other.line.heard.append(others, "\nchance something that this seat was not told")
    one, two = (world.resample_from_infostate(seat, lambda: number) for world in (state, other))
    assert str(one) == str(two)
    for watcher in range(state.num_players()):
        assert one.information_state_string(watcher) == two.information_state_string(watcher)
    return str(other) != str(state)


@hidden
def test_a_resampled_world_is_the_same_to_its_seat_and_independent_of_the_true_one(name, players, long):
    game, r, varied = load(name, players), random.Random(5), 0
    for _ in range(200 if long else 12):
        varied += check_worlds(somewhere(game, r), r.randrange(players), r)
    for state in decisions(game, r, 200):  # also hides information only for moments, as in a secret choice
        if varied:
            return
        if any(str(state.resample_from_infostate(seat, r.random)) != str(state) for seat in range(players)):
            varied += sum(check_worlds(state, seat, r) for seat in range(players))
    assert varied


@pytest.mark.parametrize(
    "fault",
    [
        lambda self, seat, number: GameLine(self.position.imagine(seat, make_generator(number)), self.heard),
        lambda self, seat, number: GameLine(self.position.imagine((seat + 1) % 3, make_generator(number)), self.heard),
    ],
    ids=["the others remember the real world", "the world of another seat"],
)
def test_a_wrong_or_leaking_world_is_detected(monkeypatch, fault):
    monkeypatch.setattr(GameLine, "imagine", fault)
    game, r = load("sealed_bids", 3), random.Random(5)
    with pytest.raises(AssertionError):
        for _ in range(50):
            check_worlds(somewhere(game, r), r.randrange(3), r)


@pytest.mark.parametrize("player", [-1, 2, 9, 1 << 40])
def test_invalid_players_have_no_information_state(player):
    game = quick("necklace", 2)
    state = somewhere(game, random.Random(6))
    observer = game.make_py_observer()
    for ask in (
        lambda: state.resample_from_infostate(player, lambda: 0.5),
        lambda: observer.set_from(state, player),
        lambda: observer.string_from(state, player),
    ):
        with pytest.raises(pyspiel.SpielError, match=f"there is no player {player}"):
            ask()


@hidden
def test_a_resampled_world_can_be_played_to_its_end_and_stored(name, players):
    game, r = quick(name, players), random.Random(6)
    world = somewhere(game, r).resample_from_infostate(players - 1, r.random)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, world))
    while not world.is_terminal():
        action = anything(world, r)
        world.apply_action(action)
        again.apply_action(action)
    assert again.is_terminal() and str(again) == str(world) and again.returns() == world.returns()


# --- states ----------------------------------------------------------------------------------------------------------


@tables
def test_copies_are_independent_and_serialization_round_trips(name, players):
    game, r = quick(name, players), random.Random(7)

    def everything(state):
        strings = [(state.information_state_string(p), state.observation_string(p)) for p in range(players)]
        return str(state), strings, state.history(), state.legal_actions(), state.current_player()

    for _ in range(6):
        state = somewhere(game, r)
        before = everything(state)
        stored, copied = pickle.dumps(state), state.clone()
        for _ in range(20):
            if not copied.is_terminal():
                copied.apply_action(anything(copied, r))
        after = everything(copied)
        assert after != before == everything(state)
        again = pickle.loads(stored)
        assert everything(again) == before
        while not state.is_terminal():
            action = anything(state, r)
            state.apply_action(action)
            again.apply_action(action)
            assert str(again) == str(state)
        assert everything(again) == everything(state) and everything(copied) == after


@pytest.mark.parametrize("when", ["at once", "in the end"])
def test_stored_states_share_their_cues(when):
    """OpenSpiel stores every state of a game: three times as many need about three times the memory, not nine times."""

    def taken(many):
        game, r = load("petition", 3), random.Random(1)
        kept, unasked = [game.new_initial_state()], []
        tracemalloc.start()
        try:
            while len(kept) < many:
                state = kept[-1].child(anything(kept[-1], r))
                kept.append(state)
                if not state.is_chance_node():
                    unasked.append(state)
                while unasked and (when == "at once" or len(kept) == many):
                    asked = unasked.pop(0)
                    assert asked.information_state_string(0) != asked.information_state_string(1)
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    taken(2)  # memory that all states of a game share
    assert taken(1500) < 5 * taken(500)


@tables
def test_chances_are_exact_and_returns_follow_places(name, players):
    game, r = quick(name, players), random.Random(8)
    for _ in range(2):
        state, match = (
            game.new_initial_state(),
            Match(game.courtly, players, QUICK.get(name), SeededChance(1), start=False),
        )
        while not state.is_terminal():
            assert state.returns() == [0.0] * players
            first, actor = 0, state.current_player()
            if state.is_chance_node():
                outcomes = dict(match.outcomes())
                first, whole = game.courtly.moves.count, sum(outcomes.values())
                assert dict(state.chance_outcomes()) == {
                    m - first: float(Fraction(w, whole)) for m, w in outcomes.items()
                }
                actor = -1
            else:
                assert state.legal_actions() == sorted(match.legal(actor)) and actor == min(match.pending)
                assert all(state.action_to_string(actor, m) == str(m) for m in match.legal(actor))
            action = anything(state, r)
            match.apply(actor, first + action)
            state.apply_action(action)
        assert state.returns() == [float(place) for place in match.utility]
        assert [np.argmax(state.returns())] == [np.argmax(match.scores)]


@tables
def test_invalid_actions_are_rejected_without_effect(name, players):
    game, r = quick(name, players), random.Random(9)
    for state in (game.new_initial_state(), *(somewhere(game, r) for _ in range(3))):
        before, legal = str(state), set(state.legal_actions())
        for action in (*range(-3, 300), 10**6, -(10**6)):
            if action not in legal:
                with pytest.raises(pyspiel.SpielError):
                    state.apply_action(action)
        for wrong in ("bid", 1.5, None, [1]):
            with pytest.raises(TypeError):
                state.apply_action(wrong)
        for words in (-1, 10**6):
            with pytest.raises(pyspiel.SpielError):
                state.action_to_string(0, words)
        assert (str(state), set(state.legal_actions())) == (before, legal)
        if not state.is_chance_node():
            assert all(state.legal_actions(p) == [] for p in range(players) if p != state.current_player())
    while not state.is_terminal():
        state.apply_action(anything(state, r))
    for action in (0, 1):
        with pytest.raises(pyspiel.SpielError, match="is over"):
            state.apply_action(action)
    assert state.legal_actions() == [] and state.current_player() == pyspiel.PlayerId.TERMINAL


@pytest.mark.parametrize(
    "said",
    [
        "courtly_petition(players=9)",
        "courtly_petition(players=0)",
        "courtly_petition(round_limit=7)",
        "courtly_petition(colour=1)",
        "courtly_petition(players=two)",
        "courtly_nowhere",
    ],
)
def test_unsupported_tables_are_rejected(said):
    with pytest.raises(RuntimeError):
        pyspiel.load_game(said)


def test_all_installed_games_are_registered_with_options_and_bounds():
    for name in game_ids():
        game, ours = pyspiel.load_game(f"courtly_{name}"), find_game(name)
        assert game.get_parameters() == {"players": ours.players[0]} | {k: v[0] for k, v in ours.options.items()}
        assert game.max_game_length() == ours.bounds["decisions"]
        assert game.max_chance_nodes_in_history() == ours.bounds["events"]
        assert game.num_distinct_actions() == ours.moves.count
        assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)


# --- bots ------------------------------------------------------------------------------------------------------------


def test_the_evaluator_returns_the_value_of_random_play():
    game = load("tiny_court", 2)

    def worth(state):
        if state.is_terminal():
            return np.array(state.returns())
        ways = state.chance_outcomes() if state.is_chance_node() else [(a, 1 / 3) for a in state.legal_actions()]
        return sum(chance * worth(state.child(action)) for action, chance in ways)

    state = game.new_initial_state()
    for action in (2, 0, 4, 0):  # the lord, the page; the crown; no coin
        assert np.allclose(NativeEvaluator(game, 20_000, 3).evaluate(state), worth(state), atol=0.03)
        state.apply_action(action)
    begun = game.new_initial_state()
    one, two, other = (NativeEvaluator(game, 7, number).evaluate(begun) for number in (3, 3, 4))
    assert one.tolist() == two.tolist() and abs(one.sum()) < 1e-9 and one.tolist() != other.tolist()
    assert NativeEvaluator(game).prior(state) == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]


def test_openspiels_searches_play():
    game = quick("petition", 2)
    state, r = somewhere(game, random.Random(1)), np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 50, NativeEvaluator(game), random_state=r)
    assert bot.step(state) in state.legal_actions()
    assert native_searcher(game).mcts_search(state).best_child().action in state.legal_actions()


def native_searcher(game):
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 5, 100, False, 1, False)


STEP = """
import pyspiel
from open_spiel.python.games import kuhn_poker, tic_tac_toe

game, evaluator = pyspiel.load_game({name!r}), pyspiel.RandomRolloutEvaluator(1, 1)
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
bot = {bot}
print("begun", flush=True)
bot.step(state)
"""


@pytest.mark.parametrize(
    ("name", "bot"),
    [
        ("python_tic_tac_toe", "pyspiel.MCTSBot(game, evaluator, 2.0, 5, 100, False, 1, False)"),
        (
            "python_kuhn_poker",
            "pyspiel.ISMCTSBot(1, evaluator, 2.0, 5, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)",
        ),
    ],
)
def test_openspiels_cpp_bots_crash_with_python_games(name, bot):
    """So our games are not tested with them. If this test fails, OpenSpiel has fixed the crash: then test them with our
    games, too, and remove the note from docs/research.md.
    """
    ran = subprocess.run([sys.executable, "-c", STEP.format(name=name, bot=bot)], capture_output=True, text=True)
    assert ran.returncode < 0 and ran.stdout == "begun\n", ran.stderr


def test_bots_and_the_learning_environment_play_to_the_end():
    game = load("tiny_court", 3)
    assert (
        sum(
            pyspiel.evaluate_bots(
                game.new_initial_state(), [pyspiel.make_uniform_random_bot(p, p) for p in range(3)], 1
            )
        )
        == 0
    )
    env = rl_environment.Environment(
        load("puppet", 2, round_limit=30), chance_event_sampler=rl_environment.ChanceEventSampler(1)
    )
    r, step = random.Random(1), env.reset()
    while not step.last():
        seen = step.observations
        assert len(seen["info_state"][0]) == env.observation_spec()["info_state"][0]
        step = env.step([r.choice(seen["legal_actions"][seen["current_player"]])])
    assert sum(step.rewards) == 0


def test_states_of_the_tiny_court_are_distinct():
    states = get_all_states.get_all_states(load("tiny_court", 2), -1, True, True)
    assert len(states) == 166 == len({(str(state), state.history_str()) for state in states.values()})


def test_an_evaluator_is_thread_safe():
    """In its own process, because it used to crash the interpreter."""
    program = """
import threading, pyspiel
from courtly.adapters.openspiel import NativeEvaluator
game = pyspiel.load_game("courtly_puppet")
state, evaluator, found = game.new_initial_state(), NativeEvaluator(game, 20), []
def ask(state):
    found.extend(evaluator.evaluate(state) for _ in range(200))
threads = [threading.Thread(target=ask, args=(state.clone(),)) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 600 and all(abs(sum(one)) < 1e-9 for one in found)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stderr


def test_an_evaluator_rejects_unsupported_games():
    necklace, puppet = load("necklace", 2), load("puppet", 2)
    with pytest.raises(pyspiel.SpielError, match="is for necklace, not for"):
        NativeEvaluator(necklace).evaluate(puppet.new_initial_state())
    for few in (0, -1):
        with pytest.raises(pyspiel.SpielError, match="at least 1"):
            NativeEvaluator(necklace, few)


def test_a_game_is_unpickled_in_a_process_without_it():
    game = load("necklace", 3, tie_break=1)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game) and again.num_players() == 3
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).new_initial_state().current_player())"
    ended = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(game), capture_output=True)
    assert ended.stdout.split() == [str(game.new_initial_state().current_player()).encode()], ended.stderr


def test_unsupported_information_state_tensors_are_rejected():
    with pytest.raises(pyspiel.SpielError, match="too long"):
        load("necklace", 2).new_initial_state().information_state_tensor(0)


def test_a_player_may_be_a_numpy_integer():
    state = load("puppet", 2).new_initial_state()
    assert state.observation_string(np.int64(1)) == state.observation_string(1)
    assert state.observation_tensor(np.int64(1)) == state.observation_tensor(1)
    with pytest.raises(TypeError):
        state.observation_tensor(1.0)

"""Drivers do the same interpreted and as machine code."""

import random
from functools import partial
from itertools import islice, product

import numpy as np
import pytest
from interpreted_drivers import load_interpreted

from courtly.adapters import arrays, batch_driver, env_view
from courtly.adapters.arrays import CUT, ENDED, ILLEGAL, RUNNING, BatchedGames
from courtly.adapters.batch_driver import ASLEEP, WORDS_PER_LINE
from courtly.adapters.env_view import EnvView
from courtly.adapters.observation import get_encoder
from courtly.adapters.thread_team import ThreadTeam
from courtly.bots import move_explanations
from courtly.bots.search import exact_driver
from courtly.engine.constants import NOBODY
from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.native.module_loader import FACTS_DRIVER
from courtly.engine.native.native_position import POSITION_DRIVER, NativePosition
from courtly.engine.native.single_position_driver import FAULT, INVALID_REQUEST, Operation
from courtly.engine.position import Position
from courtly.engine.rng import draw_word, make_generator
from courtly.lab import train_value
from courtly.lab.plan import Plan
from courtly.lab.runs import measured_playout_driver
from courtly.lab.runs.batch_runner import MeasuringRunner
from courtly.lab.runs.native_runner import NativeRunner
from courtly.lab.strength.match_runner import NativeTable
from courtly.testing.checks.facts_checks import CompiledFacts
from courtly.testing.checks.properties import random_positions


@pytest.mark.parametrize("bots", [None, ("policy", "policy")])
def test_playouts(bots):
    plan = Plan("puppet", 2, 2, 5, {}, bots)
    results = [
        NativeRunner(load(find_game(plan.game), driver=plan.driver), plan).play(3, 2)
        for load in (loader.load_driver, load_interpreted)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("bots", [None, ("policy", "policy:3", "random")])
def test_measured_playouts(bots):
    plan = Plan("puppet", 3, 2, 5, {}, bots)
    game = find_game(plan.game)
    (batch, log), (interpreted_batch, interpreted_log) = (
        MeasuringRunner(load(game, driver=measured_playout_driver.__name__), plan).measure(3, 2, decisions=True)
        for load in (loader.load_driver, load_interpreted)
    )
    assert np.array_equal(log, interpreted_log)
    for name in batch._fields:
        assert np.array_equal(getattr(batch, name), getattr(interpreted_batch, name)), name


@pytest.mark.parametrize("simulations", [0, 2])
def test_games_of_self_play(simulations, monkeypatch):
    compiled = train_value.play_games("puppet", 2, simulations, 40, 1, 1, 0.1)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    interpreted = train_value.play_games("puppet", 2, simulations, 40, 1, 1, 0.1)
    assert all(map(np.array_equal, compiled, interpreted))


@pytest.mark.parametrize("bounds", [dict(decisions=5, events=5), dict(moves=1)], ids=["too long", "too many moves"])
def test_self_play_reports_a_game_beyond_its_bounds(bounds, monkeypatch):
    game = Game("courtly.games.puppet")
    game.bounds.update(bounds)
    monkeypatch.setattr(train_value, "find_game", lambda name: game)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    with pytest.raises(RulesError, match="from game 40 of seed 1: a native game does not end within its bounds"):
        train_value.play_games("puppet", 2, 0, 40, 1, 1, 0.0)


def test_self_play_reports_a_game_without_events(change_game, monkeypatch):
    start = "def chance(s, moves, weights):\n"
    game = change_game(("rules.py", start, f"{start}    return 0\n"), game=find_game("puppet"))
    monkeypatch.setattr(train_value, "find_game", lambda name: game)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    with pytest.raises(RulesError, match="from game 40 of seed 1: a native game does not end within its bounds"):
        train_value.play_games("puppet", 2, 0, 40, 1, 1, 0.0)


def test_matches(monkeypatch):
    """Bots of each kind, one of which plays in Python; then a world of the last position."""
    game, bots = find_game("puppet"), ("random", "policy:3", "squire")

    def play():
        table = NativeTable(game)
        table.set_initial_state(game.State(players=3))
        outcome = table.play(7, 2, bots)
        table.set_initial_state(game.State.unpack(table.words[2].tobytes()))
        table.imagine(1, 2, 7, 4)
        return outcome._replace(thinking=[n for n, _, _ in outcome.thinking]), game.State.unpack(
            table.words[2].tobytes()
        )

    compiled = play()
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    assert play() == compiled


@pytest.mark.parametrize("name", ["petition", "sealed_bids"])
def test_operations_on_single_positions(name):
    """Of each position in a game: all answers, and what follows from an invalid move."""
    game, rng = find_game(name), make_generator(3)
    driver = loader.load_driver(game, loader.InterpretedBackend(), POSITION_DRIVER)
    position, moves = NativePosition(game, 2), [0] * game.room
    state = position.state
    while not position.over:
        rows = [[0] * max(game.room, len(rng)) for _ in range(3)]
        for seat in range(2):
            n = driver.list_moves([state], seat, moves)
            assert moves[:n] == position.legal_ids(seat)
            assert driver.make_move([state], seat, game.moves.total, moves) == INVALID_REQUEST
        if position.chance:
            n = driver.run_operation([state], rows, Operation.OUTCOMES, NOBODY, 0)
            assert (rows[0][:n], rows[1][:n]) == position.outcome_ids()
            assert driver.run_operation([state], rows, Operation.EVENT, NOBODY, -1) == INVALID_REQUEST
            twin, word = rng.copy(), draw_word(rng)
            event = position.happen(twin)
            assert driver.run_operation([state], rows, Operation.HAPPEN, NOBODY, word) >> 16 == event
        else:
            seat = position.pending[0]
            move = position.legal_ids(seat)[draw_word(rng) % len(position.legal_ids(seat))]
            for operation, ask in ((Operation.AUDIENCE, position.audience), (Operation.REVEALS, position.reveals)):
                assert driver.run_operation([state], rows, operation, seat, move) == ask(seat, move)
            position.play(seat, move)
            assert driver.make_move([state], seat, move, moves) == state.pending
        assert state == position.state
        if not position.chance:
            world, rows[2][: len(rng)] = state.copy(), make_generator(5)
            driver.run_operation([world], rows, Operation.IMAGINE, 1, 0)
            assert world == position.imagine(1, make_generator(5)).state
    driver.run_operation([state], rows, Operation.SCORES, 0, 0)
    assert rows[0][:2] == position.scores


def find_positions(game, players, seed):
    """Yield every position of a random game before its end."""
    return random_positions(game, players, random.Random(seed))


@pytest.mark.parametrize("name", ["puppet", "sealed_bids"])
def test_reasons_of_refusals(name):
    """Python asks the rules for them; WebAssembly asks this driver."""
    game, refusals = find_game(name), set()
    find_refusal = load_refusal_driver(game)
    for position in islice(find_positions(game, 3, 2), 60):
        for seat in position.pending:
            for move in {*range(game.moves.count)} - {*position.legal(seat)}:
                number = find_refusal([position.state.copy()], seat, move)
                assert (game.refusals[number] if number >= 0 else None) == position.reason(seat, move)
                refusals.add(number)
    assert len(refusals) > 1


def test_a_game_without_reasons_of_refusals_gives_none(change_game):
    game = change_game(("rules.py", "def refusal(s", "def unused(s"))
    position = next(position for position in find_positions(game, 2, 2) if not position.chance)
    assert load_refusal_driver(game)([position.state], position.pending[0], game.moves.ready) == -1
    assert position.reason(position.pending[0], game.moves.ready) is None


def load_refusal_driver(game):
    driver = loader.ModuleLoader(game, loader.InterpretedBackend(), POSITION_DRIVER).module(POSITION_DRIVER)
    return driver.find_refusal


@pytest.mark.parametrize("name", ["puppet", "necklace"])
def test_facts(name):
    game = find_game(name)
    compiled, driver = CompiledFacts(game), loader.load_driver(game, loader.InterpretedBackend(), FACTS_DRIVER)
    for position in islice(find_positions(game, 3, 2), 0, 120, 10):
        for seat, number in ((0, 0), (None, NOBODY)):
            state, facts = game.State.from_view(position.view(seat)["state"]), game.Facts()
            driver.find_facts([state.copy()], number, facts, [0] * game.room)
            assert [*facts.numbers()] == compiled.find(state, number)


@pytest.mark.parametrize("name", ["puppet", "petition"])
def test_continuations_after_a_move(name, monkeypatch):
    """Petition's policy cannot play the other seats."""
    game = find_game(name)
    driver = loader.load_driver(game, loader.InterpretedBackend(), move_explanations.DRIVER)
    for position in islice(find_positions(game, 2, 2), 10, 250, 30):
        for seat, turns in product(position.pending, (1, move_explanations.LATER_TURNS)):
            view, move = position.view(seat), position.legal_ids(seat)[-1]
            compiled = move_explanations._play_continuation(game, view, move, 1, 2, turns)
            with monkeypatch.context() as patch:
                patch.setattr(move_explanations, "_load_driver", lambda game: driver)
                assert move_explanations._play_continuation(game, view, move, 1, 2, turns) == compiled
            assert (compiled.later_counts is None) == (name == "petition")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        moves[0] = MOVES.skip", "        moves[0] = MOVES.deal"),
        ("        n = 1\n        for other", "        n = 99\n        for other"),
    ],
)
def test_lists_of_moves_that_are_invalid(change_game, old, new):
    game = change_game(("rules.py", old, new))
    driver, moves, position = load_position_driver(game), [0] * 200, Position(game, 2, {"looks": 1})
    while position.chance:
        position.happen(make_generator(1))
    assert driver.list_moves([position.state], 0, moves) == INVALID_REQUEST
    assert driver.make_move([position.state], 0, game.moves.skip, moves) == INVALID_REQUEST


def test_a_move_after_which_no_player_of_the_table_is_to_move(change_game):
    game = change_game(("rules.py", "    s.pending = everyone(s)\n    s.target = 0\n", "    s.pending = 1 << 4\n"))
    driver, position = load_position_driver(game), Position(game, 2, {"looks": 1})
    while position.chance:
        position.happen(make_generator(1))
    assert driver.make_move([position.state], 0, game.moves.skip, [0] * game.room) == (1 << 4) + FAULT


@pytest.mark.parametrize(
    ("old", "new"),
    [("            weights[n] = weight\n", "            weights[n] = 0\n"), ("(MOVES.deal if", "(MOVES.skip if")],
    ids=["no weight", "no event"],
)
def test_lists_of_events_that_are_invalid(change_game, old, new):
    game = change_game(("rules.py", old, new))
    driver, position = load_position_driver(game), Position(game, 2)
    rows, before = [[0] * game.room for _ in range(3)], position.state.copy()
    for operation, event in ((Operation.HAPPEN, 1), (Operation.EVENT, game.moves.deal)):
        assert driver.run_operation([position.state], rows, operation, NOBODY, event) == INVALID_REQUEST
    assert position.state == before


def load_position_driver(game):
    return loader.load_driver(game, loader.InterpretedBackend(), POSITION_DRIVER)


def test_environments():
    """Observations, masks and the policy's moves of each position in a game."""
    game, rng = find_game("puppet"), make_generator(3)
    view, position = EnvView(game, 2), NativePosition(game, 2)
    follow = view.make_player("policy")
    driver = load_interpreted(game, driver=env_view.DRIVER)
    while not position.over:
        if position.chance:
            position.happen(rng)
            continue
        states, seat = position.array, position.pending[0]
        for other in range(2):
            out, mask = np.zeros(view.size, np.float32), np.zeros(view.count, np.int8)
            driver.look(states, other, out, view.scale)
            assert driver.offer(states, other, view.moves, mask) == mask.sum()
            assert np.array_equal(out, view.observation(position, other))
            assert np.array_equal(mask, view.mask(position, other))
        move = driver.prefer(states, seat, view.moves, view.weights)
        assert move in (-1, follow(position, seat, rng))
        position.play(seat, position.legal_ids(seat)[draw_word(rng) % len(position.legal_ids(seat))])


class TeamOfOne(ThreadTeam):
    """A team whose first thread does the work of both."""

    def __init__(self, works, words):
        super().__init__(works[:1], words)
        self.second_work, self.words = works[1], words


def network(size, moves):
    rng = np.random.default_rng(1)
    return [(rng.normal(size=(size, 8)), rng.normal(size=8)), (rng.normal(size=(8, moves)), rng.normal(size=moves))]


@pytest.mark.parametrize(
    ("opponents", "kind"), [("random", "int16"), ("policy", "float32"), ("best", "int16"), ("sampled", "float32")]
)
def test_batched_games(opponents, kind, monkeypatch):
    game = find_game("puppet")
    size, moves = get_encoder(game, 2).size, game.moves.count
    options = dict(kind=kind, heroes=[1], threads=2, sampled=opponents == "sampled")
    options["limit"] = 9 if kind == "int16" else None
    options["opponents"] = network(size, moves) if opponents in ("best", "sampled") else opponents
    monkeypatch.setattr(arrays, "ThreadTeam", TeamOfOne)
    compiled = BatchedGames(game, 5, 2, **options)
    monkeypatch.setattr(arrays, "load_driver", partial(load_interpreted, driver="courtly.adapters.batch_driver"))
    interpreted = BatchedGames(game, 5, 2, **options)
    for games in (compiled, interpreted):
        games.reset(11)
    over, step, ending = {RUNNING}, 0, CUT if kind == "int16" else ENDED
    while not {ILLEGAL, ending} <= over:
        for games in (compiled, interpreted):
            actions = games.sample().copy()
            if step == 3:
                actions[0] = np.flatnonzero(games.mask[0] == 0)[0]
            games.step(None if step == 5 else actions)
        for ours, theirs in zip(interpreted._state_arrays, compiled._state_arrays, strict=True):
            assert ours.tobytes() == theirs.tobytes()
        over |= {*interpreted.over.tolist()}
        step += 1
    team = interpreted._threads
    team.words[ASLEEP + WORDS_PER_LINE] = 0
    team.second_work()  # finds no block left, waits for a step, and sleeps
    assert team.words[ASLEEP + WORDS_PER_LINE] == 1


@pytest.fixture
def interpreted_batches(monkeypatch):
    monkeypatch.setattr(arrays, "ThreadTeam", TeamOfOne)
    monkeypatch.setattr(arrays, "load_driver", partial(load_interpreted, driver="courtly.adapters.batch_driver"))


def test_games_in_which_no_hero_decides_are_reported(interpreted_batches, monkeypatch):
    """The first seat decides alone, which is the only decision before the limit."""
    monkeypatch.setattr(batch_driver, "MAX_SKIPPED_GAMES", 3)
    games = BatchedGames(find_game("sealed_bids"), 2, 2, threads=2, heroes=[1], opponents="random", limit=1)
    with pytest.raises(RulesError, match="cannot go on, or no hero ever has a decision"):
        games.reset(1)


def test_a_network_without_numbers_plays_legal_moves(interpreted_batches):
    game = find_game("sealed_bids")
    usual = network(get_encoder(game, 2).size, game.moves.count)
    layers = [tuple(np.full_like(numbers, np.nan) for numbers in layer) for layer in usual]
    games = BatchedGames(game, 2, 2, threads=2, heroes=[1], opponents=layers, sampled=True)
    games.reset(1)
    for _ in range(4):
        games.step()
        assert ILLEGAL not in games.over and games.mask.any(axis=1).all()


def imagine_worlds(game, state, doubts):
    """Return the worlds of these numbers, as a match of bots imagines them for seat 1."""
    table = NativeTable(game)
    worlds = []
    for world in range(12):
        table.set_initial_state(state)
        table.imagine(1, doubts, 7, world)
        worlds.append(game.State.unpack(table.words[2].tobytes()))
    return worlds


def test_worlds_that_the_policy_does_not_believe_are_dealt_again(monkeypatch):
    game = find_game("puppet")
    state = next(p.state for p in find_positions(game, 3, 2) if all(p.state.picked[:3]) and p.pending == (1,))
    worlds = imagine_worlds(game, state, 3)
    assert worlds != imagine_worlds(game, state, 0)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    assert imagine_worlds(game, state, 3) == worlds


def test_a_game_without_beliefs_deals_no_world_again(monkeypatch):
    game = find_game("sealed_bids")
    state = next(position.state for position in find_positions(game, 3, 2) if position.pending == (0, 1, 2))
    worlds = imagine_worlds(game, state, 0)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    assert imagine_worlds(game, state, 3) == worlds


def test_a_game_without_an_exact_solution_leaves_the_values_as_they_are():
    game = find_game("sealed_bids")
    position = next(position for position in find_positions(game, 3, 2) if not position.chance)
    [seat, *_] = position.pending
    name = exact_driver.__name__
    driver = loader.ModuleLoader(game, loader.InterpretedBackend(), name).module(name)
    moves, out = [0] * game.room, [-5] * game.room
    n = driver.solve_decision(position.state, seat, moves, out, [0] * 9)
    assert moves[:n] == position.legal_ids(seat) and out == [-5] * game.room
    assert not driver.solve(position.state, seat, moves, n, out, [0] * 9)


def test_self_play_of_a_game_without_traits_notes_none(change_game, monkeypatch):
    changes = [("policy.py", old, old.replace("traits", "list_traits")) for old in ("def traits(s", "n = traits(s")]
    game = change_game(*changes, game=find_game("puppet"))
    monkeypatch.setattr(train_value, "find_game", lambda name: game)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    traits, finals = train_value.play_games("puppet", 2, 0, 40, 1, 1, 0.0)
    assert len(traits) and len(finals) == 1
    assert {*traits[:, 0]} == {40} and {*traits[:, 1]} == {0, 1} and not traits[:, 2:].any()


def test_a_game_without_a_policy_prefers_nothing():
    game, rng = find_game("sealed_bids"), make_generator(3)
    view, position = EnvView(game, 2), NativePosition(game, 2)
    while position.chance:
        position.happen(rng)
    driver = load_interpreted(game, driver=env_view.DRIVER)
    assert driver.prefer(position.array, 0, view.moves, view.weights) == -1

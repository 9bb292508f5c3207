"""The search bot that every game has: its input, its answers, and that an answer is the same everywhere."""

import random
from functools import partial
from math import sqrt

import numpy as np
import pytest

from courtly.bots.registry import UnknownBotError, find_bot
from courtly.bots.search import tree
from courtly.bots.search.search import TREE_DRIVER, Search, load_search_settings
from courtly.bots.search.tree import hash_view
from courtly.engine.game import find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.testing.checks.properties import RandomGame, check_search_uses_view_only
from courtly.testing.failure_location import PropertyFailedError

BIDS = find_game("sealed_bids")
REAL_GAMES = [name for name in game_ids() if name != BIDS.id]


def decisions(game, players, number, least=2):
    """Yield the views of pending seats in a random game."""
    play = RandomGame(game, players, random.Random(number))
    while not play.over:
        for seat in play.pending:
            view = play.view(seat)
            if len(view["legal"]) >= least:
                yield play, view
        play.apply(*play.next())


@pytest.mark.parametrize("name", game_ids())
def test_the_search_plays_every_game(name):
    game = find_game(name)
    search = Search(game, 3, loader.InterpretedBackend())
    for _, (_, view) in zip(range(5), decisions(game, game.players[-1], 1), strict=False):
        assert search(game, view, make_generator(1)) in {move["id"] for move in view["legal"]}


def test_the_same_seed_gives_the_same_answer():
    search, other_search = (Search(BIDS, 30, loader.InterpretedBackend()) for _ in range(2))
    same_as_other_seed = set()
    for _, view in decisions(BIDS, 3, 2):
        assert search.think(view, 5) == other_search.think(view, 5)
        same_as_other_seed.add(search.think(view, 5).lines == search.think(view, 6).lines)
    assert False in same_as_other_seed


def test_every_simulation_is_counted():
    for play, view in decisions(BIDS, 3, 3):
        result = Search(BIDS, 40, loader.InterpretedBackend()).think(view, 1)
        assert sum(line.visits for line in result.lines) == 40 and result.full == 0
        assert {line.move for line in result.lines} == {move["id"] for move in view["legal"]}
        assert sum(result.wins) == pytest.approx(1)
        weighted_wins = sum(line.visits * line.wins for line in result.lines)
        assert weighted_wins == pytest.approx(40 * result.wins[view["seat"]])
        assert play.state.view(view["seat"]) == view["state"]


def test_a_full_table_stops_the_growth_but_not_the_search():
    view = next(view for _, view in decisions(BIDS, 3, 4, least=3))
    result = Search(BIDS, 200, loader.InterpretedBackend(), room=12 * len(view["legal"])).think(view, 1)
    assert result.full and result.nodes < 12 and sum(line.visits for line in result.lines) == 200


@pytest.mark.parametrize("name", ["search:0", "search:", "search:many", "search:-3", "search:10000000", "searching"])
def test_invalid_search_names_are_rejected(name):
    with pytest.raises(UnknownBotError, match=name):
        find_bot(BIDS, name)


def test_without_machine_code_the_search_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    with pytest.raises(UnknownBotError, match="COURTLY_NATIVE=0 turns the compiler off"):
        find_bot(BIDS, "search:77")


def test_machine_code_gives_the_same_answer():
    compiled, interpreted = Search(BIDS, 60), Search(BIDS, 60, loader.InterpretedBackend())
    for number in range(2):
        for _, view in decisions(BIDS, 2 + number, number):
            assert compiled.think(view, 7) == interpreted.think(view, 7)


@pytest.mark.parametrize("name", [BIDS.id, *(pytest.param(name, marks=pytest.mark.long) for name in REAL_GAMES)])
def test_no_index_is_out_of_range(name):
    """In machine code, an index below 0 or beyond the end would be read without an error."""
    game = find_game(name)
    search, checked = (
        Search(game, 40),
        Search(game, 40, loader.CompiledBackend(loader.cache_folder(game, TREE_DRIVER), is_checked=True)),
    )
    for _, (_, view) in zip(range(20), decisions(game, game.players[-1], 7), strict=False):
        assert search.think(view, 1) == checked.think(view, 1)


@pytest.mark.parametrize("change_count", (1, 2, 3))
def test_different_positions_have_different_keys(change_count):
    """Pairs of states with small numbers in bytes, of which `things` differ, as when a card moves from one hand to
    another. The keys of 200,000 such pairs, computed as machine code does with overflowing words, are distinct.
    """
    cases, size, generator = 200_000, 12, np.random.default_rng(change_count)
    states = generator.integers(0, 4, (8 * size, cases), dtype=np.uint8)
    changed_states, columns = states.copy(), np.arange(cases)
    for _ in range(change_count):
        changed_states[generator.integers(0, 8 * size, cases), columns] += 1
        changed_states[generator.integers(0, 8 * size, cases), columns] -= 1
    with np.errstate(over="ignore"):
        first, second = (
            hash_view(None, [None, np.ascontiguousarray(rows.T).view(np.int64).T], [[-1] * size], 0)
            for rows in (states, changed_states)
        )
    assert not ((first == second) & (states != changed_states).any(axis=0)).any()


def test_a_search_that_peeks_is_detected():
    """A search that uses the true state instead of sampling a world."""
    peeking = Search(BIDS, 30, loader.InterpretedBackend())
    peeking.driver.search.__globals__["determinize"] = lambda s, seat, rng: None
    honest, r = Search(BIDS, 30, loader.InterpretedBackend()), random.Random(1)
    detected = 0
    for play, view in decisions(BIDS, 3, 5):
        assert check_search_uses_view_only(honest, play, view["seat"], 3)
        try:
            check_search_uses_view_only(peeking, play, view["seat"], r.randrange(1000))
        except PropertyFailedError:
            detected += 1
    assert detected > 3


def test_parallel_trees_are_added_up():
    view = next(view for _, view in decisions(BIDS, 3, 6, least=3))
    one_tree, two_trees, repeated = (
        Search(BIDS, 41, loader.InterpretedBackend(), trees=trees).think(view, 9) for trees in (1, 2, 2)
    )
    assert two_trees == repeated and sum(line.visits for line in two_trees.lines) == 41
    assert two_trees.lines != one_tree.lines and sum(two_trees.wins) == pytest.approx(1)


def test_worlds_that_the_policy_rejects_are_resampled():
    view, asked_seats = next(view for _, view in decisions(BIDS, 3, 6, least=3)), []
    for belief, times in ((1000, 10), (0, 70)):
        search = Search(BIDS, 10, loader.InterpretedBackend(), dials=load_search_settings(BIDS)._replace(doubts=7))
        search.driver.search.__globals__["belief"] = lambda s, seat, result=belief: asked_seats.append(seat) or result
        assert len(search.think(view, 9).lines) == len(view["legal"])
        assert asked_seats == [view["seat"]] * times
        asked_seats.clear()


@pytest.mark.parametrize(
    ("name", "deals"),
    [
        (BIDS.id, 40),
        *(pytest.param(name, 60, marks=pytest.mark.long) for name in REAL_GAMES if find_game(name).about()["hidden"]),
    ],
)
def test_seeing_hidden_information_would_help(name, deals):
    """Otherwise the fairness tests would have no power. A seat that sees everything wins significantly more often."""
    game = find_game(name)
    honest, cheat = Search(game, 300), Search(game, 300, dials=load_search_settings(game)._replace(peeks=1))
    win_share, players = 0.0, game.players[0]
    for deal in range(deals):
        for cheater in range(players):
            position, generator = Position(game, players), make_generator(3, deal)
            while not position.over:
                if position.chance:
                    position.happen(generator)
                    continue
                seat = next((seat for seat in position.pending if seat != cheater), cheater)
                legal = position.legal_ids(seat)
                if len(legal) > 1 and seat == cheater:
                    move = cheat.ponder(position.state, seat, legal, deal).lines[0].move
                else:
                    move = honest(game, position.view(seat), make_generator(deal))
                position.play(seat, move)
            best = max(position.scores)
            win_share += (position.scores[cheater] == best) / position.scores.count(best)
    assert win_share > deals + 2 * sqrt(deals * (players - 1) / players), f"{win_share} of {deals * players}"


@pytest.mark.parametrize("trees", [1, 3])
def test_pauses_change_nothing(trees):
    views, pauses = [view for _, view in decisions(BIDS, 3, 6, least=3)], []
    search = Search(BIDS, 100, loader.InterpretedBackend(), trees=trees)
    for view in views:
        move = view["legal"][0]["id"]
        for search_function in (partial(search.think, view, 9), partial(search.chances, view, move, 9)):
            count_before = len(pauses)
            assert search_function(lambda: pauses.append(1)) == search_function()
            assert len(pauses) > count_before


def test_a_search_without_a_choice_is_refused():
    search, position = Search(BIDS, 1, loader.InterpretedBackend()), Position(BIDS, 2, {"looks": 1})
    rng = make_generator(1)
    while position.chance:
        position.happen(rng)
    for view in (position.view(), position.view(1)):
        with pytest.raises(ValueError, match="there is nothing to choose"):
            search.think(view, 1)
    with pytest.raises(ValueError, match="that is nothing to choose"):
        search.tally(position.view(0), 999, 1)


def test_two_nodes_with_the_same_key_do_not_share_their_moves():
    nodes, moved, tally = [0] * 64, [0] * 64, [0] * tree.TALLIES
    position = Position(BIDS, 2, {"looks": 1})

    def visit(count):
        return tree.visit_node(position.state, 0, [0] * 5, count, [0] * 99, nodes, moved, tally, 7)

    slot = visit(2)
    assert slot >= 0 and visit(2) == slot and visit(3) == -1
    assert nodes[slot + tree.VISITS] == 2


def test_a_world_begins_as_the_state():
    states = np.array([1, 2])
    tree.reset_world(states)
    assert states.tolist() == [1, 1]

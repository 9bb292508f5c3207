"""The search bot that every game has: its input, its answers, and that an answer is the same everywhere."""

import random
from functools import partial
from math import sqrt

import numpy as np
import pytest

from courtly.bots.registry import UnknownBotError, find_bot
from courtly.bots.search.search import TREE_DRIVER, Search, load_search_settings
from courtly.bots.search.tree import hash_view
from courtly.engine.game import find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedCompiledBackend
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.testing.checks.properties import RandomGame, check_search_uses_view_only
from courtly.testing.failure_location import PropertyFailedError

BIDS = find_game("sealed_bids")
REAL = [name for name in game_ids() if name != BIDS.id]


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
def test_it_plays_every_game(name):
    game = find_game(name)
    search = Search(game, 3, loader.InterpretedBackend())
    for _, (_, view) in zip(range(5), decisions(game, game.players[-1], 1), strict=False):
        assert search(game, view, make_generator(1)) in {move["id"] for move in view["legal"]}


def test_the_same_seed_gives_the_same_answer():
    search, again = (Search(BIDS, 30, loader.InterpretedBackend()) for _ in range(2))
    luck = set()
    for _, view in decisions(BIDS, 3, 2):
        assert search.think(view, 5) == again.think(view, 5)
        luck.add(search.think(view, 5).lines == search.think(view, 6).lines)
    assert False in luck


def test_every_simulation_is_counted():
    for play, view in decisions(BIDS, 3, 3):
        thought = Search(BIDS, 40, loader.InterpretedBackend()).think(view, 1)
        assert sum(line.visits for line in thought.lines) == 40 and thought.full == 0
        assert {line.move for line in thought.lines} == {move["id"] for move in view["legal"]}
        assert sum(thought.wins) == pytest.approx(1)
        mine = sum(line.visits * line.wins for line in thought.lines)
        assert mine == pytest.approx(40 * thought.wins[view["seat"]])
        assert play.state.view(view["seat"]) == view["state"]


def test_a_full_table_stops_the_growth_but_not_the_search():
    view = next(view for _, view in decisions(BIDS, 3, 4, least=3))
    thought = Search(BIDS, 200, loader.InterpretedBackend(), room=12 * len(view["legal"])).think(view, 1)
    assert thought.full and thought.nodes < 12 and sum(line.visits for line in thought.lines) == 200


@pytest.mark.parametrize("name", ["search:0", "search:", "search:many", "search:-3", "search:10000000", "searching"])
def test_invalid_search_names_are_rejected(name):
    with pytest.raises(UnknownBotError, match=name):
        find_bot(BIDS, name)


def test_without_machine_code_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(loader, "is_available", lambda: False)
    with pytest.raises(UnknownBotError, match="courtly.native"):
        find_bot(BIDS, "search:77")


def test_machine_code_gives_the_same_answer():
    fast, slow = Search(BIDS, 60), Search(BIDS, 60, loader.InterpretedBackend())
    for number in range(2):
        for _, view in decisions(BIDS, 2 + number, number):
            assert fast.think(view, 7) == slow.think(view, 7)


@pytest.mark.parametrize("name", [BIDS.id, *(pytest.param(name, marks=pytest.mark.long) for name in REAL)])
def test_no_index_is_out_of_range(name):
    """In machine code, an index below 0 or beyond the end would be read without an error."""
    game = find_game(name)
    search, checked = (
        Search(game, 40),
        Search(game, 40, CheckedCompiledBackend(game, loader.cache_folder(game, TREE_DRIVER))),
    )
    for _, (_, view) in zip(range(20), decisions(game, game.players[-1], 7), strict=False):
        assert search.think(view, 1) == checked.think(view, 1)


@pytest.mark.parametrize("things", (1, 2, 3))
def test_different_positions_have_different_keys(things):
    """Pairs of states with small numbers in bytes, of which `things` differ, as when a card moves from one hand to
    another. The keys of 200,000 such pairs, computed as machine code does with overflowing words, are distinct.
    """
    cases, size, luck = 200_000, 12, np.random.default_rng(things)
    here = luck.integers(0, 4, (8 * size, cases), dtype=np.uint8)
    there, each = here.copy(), np.arange(cases)
    for _ in range(things):
        there[luck.integers(0, 8 * size, cases), each] += 1
        there[luck.integers(0, 8 * size, cases), each] -= 1
    with np.errstate(over="ignore"):
        first, second = (
            hash_view(None, [None, np.ascontiguousarray(rows.T).view(np.int64).T], [[-1] * size], 0)
            for rows in (here, there)
        )
    assert not ((first == second) & (here != there).any(axis=0)).any()


def test_a_search_that_peeks_is_detected():
    """A search that uses the true state instead of sampling a world."""
    peeking = Search(BIDS, 30, loader.InterpretedBackend())
    peeking.driver.search.__globals__["determinize"] = lambda s, seat, rng: None
    honest, r = Search(BIDS, 30, loader.InterpretedBackend()), random.Random(1)
    noticed = 0
    for play, view in decisions(BIDS, 3, 5):
        assert check_search_uses_view_only(honest, play, view["seat"], 3)
        try:
            check_search_uses_view_only(peeking, play, view["seat"], r.randrange(1000))
        except PropertyFailedError:
            noticed += 1
    assert noticed > 3


def test_parallel_trees_are_added_up():
    view = next(view for _, view in decisions(BIDS, 3, 6, least=3))
    one, two, again = (Search(BIDS, 41, loader.InterpretedBackend(), trees=trees).think(view, 9) for trees in (1, 2, 2))
    assert two == again and sum(line.visits for line in two.lines) == 41
    assert two.lines != one.lines and sum(two.wins) == pytest.approx(1)


def test_worlds_that_the_policy_rejects_are_resampled():
    view, asked = next(view for _, view in decisions(BIDS, 3, 6, least=3)), []
    for believed, times in ((1000, 10), (0, 70)):
        search = Search(BIDS, 10, loader.InterpretedBackend(), dials=load_search_settings(BIDS)._replace(doubts=7))
        search.driver.search.__globals__["belief"] = lambda s, seat, said=believed: asked.append(seat) or said
        assert len(search.think(view, 9).lines) == len(view["legal"])
        assert asked == [view["seat"]] * times
        asked.clear()


@pytest.mark.parametrize(
    ("name", "deals"),
    [
        (BIDS.id, 40),
        *(pytest.param(name, 60, marks=pytest.mark.long) for name in REAL if find_game(name).about()["hidden"]),
    ],
)
def test_seeing_hidden_information_would_help(name, deals):
    """Otherwise the fairness tests would have no power. A seat that sees everything wins significantly more often."""
    game = find_game(name)
    honest, cheat = Search(game, 300), Search(game, 300, dials=load_search_settings(game)._replace(peeks=1))
    won, players = 0.0, game.players[0]
    for deal in range(deals):
        for cheater in range(players):
            position, luck = Position(game, players), make_generator(3, deal)
            while not position.over:
                if position.chance:
                    position.happen(luck)
                    continue
                seat = next((seat for seat in position.pending if seat != cheater), cheater)
                legal = position.legal_ids(seat)
                if len(legal) > 1 and seat == cheater:
                    move = cheat.ponder(position.state, seat, legal, deal).lines[0].move
                else:
                    move = honest(game, position.view(seat), make_generator(deal))
                position.play(seat, move)
            best = max(position.scores)
            won += (position.scores[cheater] == best) / position.scores.count(best)
    assert won > deals + 2 * sqrt(deals * (players - 1) / players), f"{won} of {deals * players}"


@pytest.mark.parametrize("trees", [1, 3])
def test_pauses_change_nothing(trees):
    views, paused = [view for _, view in decisions(BIDS, 3, 6, least=3)], []
    search = Search(BIDS, 100, loader.InterpretedBackend(), trees=trees)
    for view in views:
        move = view["legal"][0]["id"]
        for told in (partial(search.think, view, 9), partial(search.chances, view, move, 9)):
            before = len(paused)
            assert told(lambda: paused.append(1)) == told()
            assert len(paused) > before

"""Cards laid openly for a sale: public for good, counted by bots, and never laid by them."""

from pathlib import Path

import pytest

from courtly.bots.registry import find_bot
from courtly.bots.search.search import Search
from courtly.engine.game import find_game
from courtly.engine.match import CommandRefusedError, new_match
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.engine.scenarios.files import read_scenario
from courtly.games.necklace.bot import Show, with_what_is_seen
from courtly.games.necklace.cards import SHOWABLE, Card
from courtly.games.necklace.table import MOVES, VERB

GAME = find_game("necklace")
OPEN_MOVES = range(MOVES.lay_open, MOVES.banker_open + 1)


def at_the_show(*moves):
    """Return the position of show-openly.toml after some moves."""
    position = Position(GAME, state=read_scenario(GAME, Path(__file__).with_name("show-openly.toml")).state.copy())
    for seat, move in moves:
        position.apply(seat, move)
    return position


def test_an_open_card_cannot_be_taken_back():
    match = at_the_sale()
    seat = match.pending[0]
    face_down = next(move for move in match.legal(seat) if VERB[move] == MOVES.lay)
    match.play(seat, face_down)
    assert match.can_undo(seat) == 1
    match.undo(seat)
    match.play(seat, face_down + MOVES.lay_open - MOVES.lay)
    assert match.can_undo(seat) == 0
    with pytest.raises(CommandRefusedError):
        match.undo(seat)
    assert match.legal(seat)[-1] != MOVES.clear and MOVES.clear not in match.legal(seat), "no card lies face down"


def at_the_sale():
    """Return a match in which a player may lay a gem card."""
    for seed in range(20):
        match, squire = new_match(GAME, players=2, seed=seed), find_bot(GAME, "squire")
        rng = make_generator(seed)
        while not match.over:
            seat = match.pending[0]
            if any(VERB[move] == MOVES.lay for move in match.legal(seat)):
                return match
            match.play(seat, squire(GAME, match.view(seat), rng))
    raise AssertionError("no game had a sale")


def test_bots_lay_cards_face_down_and_do_not_simulate_open_ones():
    view = at_the_show().view(0)
    squire = find_bot(GAME, "squire")
    assert squire(GAME, view, make_generator(1)) not in OPEN_MOVES
    lines = Search(GAME, 60).think(view, 1).lines
    assert {line.move for line in lines} == {move["id"] for move in view["legal"]}
    assert sum(line.visits for line in lines) == 60
    assert not any(line.visits for line in lines if line.move in OPEN_MOVES)


def test_hints_cover_open_cards():
    view = at_the_show().view(0)
    chances = Search(GAME, 40).tally(view, MOVES.lay_open + Card.RUBY_1, 1)
    assert sum(chances[0]) == pytest.approx(1)


def test_the_squire_counts_open_cards():
    position = at_the_show((0, MOVES.lay_open + Card.RUBY_1), (0, MOVES.king_open), (0, MOVES.ring_open))
    show = with_what_is_seen(position.state, 0, Show([1, 0, 0, 2]))
    assert (show.stones, show.rings, show.king) == ([2, 0, 0, 2], [1, 0, 0, 0], 0)


def test_others_know_an_open_card_and_their_worlds_keep_it():
    position = at_the_show((0, MOVES.lay_open + Card.EMERALD_2))
    for seat in (1, 2, None):
        view = position.view(seat)
        assert view["state"]["openly"][0][SHOWABLE.index("emerald_2")] == 1
        assert (
            GAME.facts(view)["unseen"][Card.EMERALD_2]
            == GAME.facts(at_the_show().view(seat))["unseen"][Card.EMERALD_2] - 1
        )

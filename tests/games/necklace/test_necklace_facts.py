"""The facts of Queen's Necklace agree with the rules."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.necklace.cards import GEM_KINDS, GEM_OF, KINDS, RINGS_AT, SHOWABLE, SHOWN, STONES, Card, Gem
from courtly.games.necklace.purchase import begin_turn
from courtly.games.necklace.table import MOVES, Phase
from courtly.testing.checks.properties import random_positions

GAME = find_game("necklace")


def facts(position, seat=None):
    return GAME.facts(position.view(seat))


def test_the_clock_is_right_about_every_draw():
    draws = random.Random(2)
    for players in 3 * GAME.players:
        for play in random_positions(GAME, players, draws):
            if play.state.phase in (Phase.REFILL, Phase.ASTROLOGER):
                events, due = [event.verb for event, _ in play.outcomes()], facts(play)["clock"]
                assert (due is not None and due[0] == 0) == ("merchant" in events)
                assert (due is not None and due[1] == 0) == (events == ["merchant"])
                assert due is None or 0 <= due[0] <= due[1]


def test_a_trays_value_is_its_income():
    sold = 0
    for seed in range(6):
        said = {}
        for play in random_positions(GAME, 3, random.Random(seed)):
            s = play.state
            if s.phase == Phase.SHOW:
                for seat in range(3):
                    said[seat] = facts(play, seat)["tray"]["gems"]
            elif s.phase == Phase.SETTLING and said and s.alchemist < 0:
                for seat, tray in said.items():
                    for gem, (stones, least, most) in enumerate(tray):
                        pounds = s.income[s.sales][seat][gem]
                        if pounds and stones == s.stones[seat][gem]:  # nothing was laid since
                            sold += 1
                            assert least <= pounds <= most
                said = {}
    assert sold > 10


def test_the_facts_of_a_sale_match_its_settlement():
    seen = set()
    for seed in range(12):
        for play in random_positions(GAME, 4, random.Random(seed)):
            s = play.state
            if s.phase != Phase.SETTLING:
                continue
            [event] = [event for event, _ in play.outcomes()]
            told = facts(play)["sale"]
            seen.add(event.verb)
            if event.verb == "stops":
                assert told[Gem.names.index(event.args["gem"])]["stopped"]
            elif event.verb == "sells":
                assert not told[Gem.names.index(event.args["gem"])]["stopped"]
            else:
                assert any(
                    event.args["player"] in gem["pay"] and gem["wearer"] == event.args["wearer"] and gem["void"]
                    for gem in told
                )
    assert {"stops", "sells"} <= seen


@pytest.mark.parametrize(
    ("hand", "budget", "pays"),
    [
        ({"courtier": 1}, 10, 1),
        ({"courtier": 1}, 9, 0),
        ({"courtier": 2}, 7, 1),
        ({"favorite": 1}, 10, 0),
        ({"courtier": 1}, 13, 0),
    ],
)
def test_courtiers_pay_for_the_necklace_that_is_too_dear(hand, budget, pays):
    position = dealt(row=["queens_necklace"], hand=hand, budget=budget)
    assert facts(position, 0)["courtier"] == pays
    assert facts(position, 1)["courtier"] == facts(position)["courtier"] == 0
    if pays:
        for _ in range(hand["courtier"]):
            position.play(0, "courtier")
        assert position.legal(0)[0].verb == "buy"


def test_a_courtier_taken_this_turn_does_not_pay_yet():
    position = dealt(row=["queens_necklace"], hand={"courtier": 1}, budget=10, influence_needs_turn_start=1)
    assert facts(position, 0)["courtier"] == 1
    position.state.fresh[0][Card.COURTIER] = 1
    assert facts(position, 0)["courtier"] == 0


def dealt(*, row, hand, budget, **options):
    """Return a position at which seat 0 begins its turn with this hand and these cards on offer."""
    position = Position(GAME, 2, options)
    s = position.state
    for slot, card in enumerate(row):
        s.row[slot] = Card.names.index(card)
    for card, n in hand.items():
        s.hand[0][Card.names.index(card)] = n
    begin_turn(s, 0)
    s.budget = budget
    return position


def test_what_a_seat_has_not_seen_is_in_the_deck_or_in_a_hand():
    for play in random_positions(GAME, 4, random.Random(3)):
        s = play.state
        seat = play.r.randrange(4)
        told = facts(play, seat)["unseen"]
        for card in range(KINDS):
            hidden = sum(s.hand[other][card] - s.known[seat][other][card] for other in range(4) if other != seat)
            assert told[card] == s.deck[card] + hidden


def test_taking_a_card_back_keeps_the_others_that_may_stay():
    taken = 0
    for play in random_positions(GAME, 3, random.Random(7)):
        for seat in play.pending if play.state.phase == Phase.SHOW else ():
            told = facts(play, seat)["tray"]
            tray = play.state.tray[seat]
            assert [sum(tray), *told["left"]].count(-1) == 0
            assert sum(told["left"]) + sum(tray) == play.state.size[seat]
            for piece, moves in told["back"].items():
                after = play.now()
                after.play(seat, moves)
                at = SHOWABLE.index(piece)
                row = after.state.tray[seat]
                assert row[at] == tray[at] - 1
                lost = [k for k in range(SHOWN) if k != at and row[k] < tray[k]]
                assert all(k >= GEM_KINDS and MOVES.lay + k not in after.legal(seat) for k in lost)
                taken += 1
    assert taken > 10


def test_the_reasons_of_each_income():
    seen = set()
    for seed in range(12):
        for play in random_positions(GAME, 4, random.Random(seed)):
            s = play.state
            if s.phase != Phase.SETTLING:
                continue
            told = facts(play)
            for gem, sale in enumerate(told["sale"]):
                for seat, why in enumerate(sale["why"]):
                    pounds, each = s.income[told["open"]][seat][gem], s.price[gem] + told["bankers"][seat]
                    counted = s.stones[seat][gem] + (s.shown[seat][RINGS_AT + gem] if why == "rings" else 0)
                    assert (why in ("stones", "rings", "sold")) == (pounds > 0)
                    assert why not in ("stones", "rings") or pounds == counted * each
                    assert (why == "nothing") <= (s.stones[seat][gem] == 0)
                    seen.add(why)
    assert {"nothing", "stopped", "less", "stones", "rings"} <= seen


def test_a_card_costs_the_shown_price_and_then_the_next_one():
    bought = fell = 0
    for play in random_positions(GAME, 3, random.Random(7)):
        s, told = play.state, facts(play)
        for slot, prices in enumerate(told["prices"]):
            assert (prices is None) == (s.row[slot] < 0)
        for move in play.legal(s.active) if tuple(play.pending) == (s.active,) else ():
            if move.verb == "buy":
                done = play.copy()
                done.play(s.active, move)
                bought += 1
                assert told["spending"]
                assert s.budget - done.state.budget == told["prices"][move.args["slot"] - 1][0]
            elif move.verb == "end":
                done = play.copy()
                done.play(s.active, move)
                for slot, prices in enumerate(told["prices"]):
                    if prices:
                        fell += 1
                        assert (facts(done)["prices"][slot] or [None])[0] == (prices[1] if prices[1:] else None)
    assert bought > 10 and fell > 10


def test_possible_stones_of_a_hand_are_exact():
    for play in random_positions(GAME, 4, random.Random(3)):
        seat = play.state.active
        told = facts(play, seat)
        for other, row in enumerate(told["more"]):
            for gem, more in enumerate(row):
                there = sum(STONES[k] * play.state.hand[other][k] for k in range(GEM_KINDS) if GEM_OF[k] == gem)
                assert there >= told["stones"][other][gem] and (more or there == told["stones"][other][gem])
        assert told["more"][seat] == [0] * 4
        for gem, seats in enumerate(told["ahead"]):
            most = max(row[gem] for row in told["stones"])
            assert seats == [n for n, row in enumerate(told["stones"]) if row[gem] == most > 0]

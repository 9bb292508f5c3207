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
    rng = random.Random(2)
    for players in 3 * GAME.players:
        for position in random_positions(GAME, players, rng):
            if position.state.phase in (Phase.REFILL, Phase.ASTROLOGER):
                events, clock = [event.verb for event, _ in position.outcomes()], facts(position)["clock"]
                assert (clock is not None and clock[0] == 0) == ("merchant" in events)
                assert (clock is not None and clock[1] == 0) == (events == ["merchant"])
                assert clock is None or 0 <= clock[0] <= clock[1]


def test_a_trays_value_is_its_income():
    compared = 0
    for seed in range(6):
        trays = {}
        for position in random_positions(GAME, 3, random.Random(seed)):
            s = position.state
            if s.phase == Phase.SHOW:
                for seat in range(3):
                    trays[seat] = facts(position, seat)["tray"]["gems"]
            elif s.phase == Phase.SETTLING and trays and s.alchemist < 0:
                for seat, tray in trays.items():
                    for gem, (stones, lowest, highest) in enumerate(tray):
                        pounds = s.income[s.sales][seat][gem]
                        if pounds and stones == s.stones[seat][gem]:  # nothing was laid since
                            compared += 1
                            assert lowest <= pounds <= highest
                trays = {}
    assert compared > 10


def test_the_facts_of_a_sale_match_its_settlement():
    verbs = set()
    for seed in range(12):
        for position in random_positions(GAME, 4, random.Random(seed)):
            s = position.state
            if s.phase != Phase.SETTLING:
                continue
            [event] = [event for event, _ in position.outcomes()]
            sale = facts(position)["sale"]
            verbs.add(event.verb)
            if event.verb == "stops":
                assert sale[Gem.names.index(event.args["gem"])]["stopped"]
            elif event.verb == "sells":
                assert not sale[Gem.names.index(event.args["gem"])]["stopped"]
            else:
                assert any(
                    event.args["player"] in gem["pay"] and gem["wearer"] == event.args["wearer"] and gem["void"]
                    for gem in sale
                )
    assert {"stops", "sells"} <= verbs


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
    for position in random_positions(GAME, 4, random.Random(3)):
        s = position.state
        seat = position.r.randrange(4)
        unseen = facts(position, seat)["unseen"]
        for card in range(KINDS):
            hidden = sum(s.hand[other][card] - s.known[seat][other][card] for other in range(4) if other != seat)
            assert unseen[card] == s.deck[card] + hidden


def test_taking_a_card_back_keeps_the_others_that_may_stay():
    checked = 0
    for position in random_positions(GAME, 3, random.Random(7)):
        for seat in position.pending if position.state.phase == Phase.SHOW else ():
            tray_facts = facts(position, seat)["tray"]
            tray = position.state.tray[seat]
            assert [sum(tray), *tray_facts["left"]].count(-1) == 0
            assert sum(tray_facts["left"]) + sum(tray) == position.state.size[seat]
            for piece, moves in tray_facts["back"].items():
                position_after = position.now()
                position_after.play(seat, moves)
                index = SHOWABLE.index(piece)
                row = position_after.state.tray[seat]
                assert row[index] == tray[index] - 1
                removed_pieces = [k for k in range(SHOWN) if k != index and row[k] < tray[k]]
                assert all(k >= GEM_KINDS and MOVES.lay + k not in position_after.legal(seat) for k in removed_pieces)
                checked += 1
    assert checked > 10


def test_the_reasons_of_each_income():
    reasons = set()
    for seed in range(12):
        for position in random_positions(GAME, 4, random.Random(seed)):
            s = position.state
            if s.phase != Phase.SETTLING:
                continue
            sale_facts = facts(position)
            for gem, sale in enumerate(sale_facts["sale"]):
                for seat, reason in enumerate(sale["why"]):
                    pounds, stone_price = (
                        s.income[sale_facts["open"]][seat][gem],
                        s.price[gem] + sale_facts["bankers"][seat],
                    )
                    count = s.stones[seat][gem] + (s.shown[seat][RINGS_AT + gem] if reason == "rings" else 0)
                    assert (reason in ("stones", "rings", "sold")) == (pounds > 0)
                    assert reason not in ("stones", "rings") or pounds == count * stone_price
                    assert (reason == "nothing") <= (s.stones[seat][gem] == 0)
                    reasons.add(reason)
    assert {"nothing", "stopped", "less", "stones", "rings"} <= reasons


def test_a_card_costs_the_shown_price_and_then_the_next_one():
    bought_cards = price_falls = 0
    for position in random_positions(GAME, 3, random.Random(7)):
        s, table_facts = position.state, facts(position)
        for slot, prices in enumerate(table_facts["prices"]):
            assert (prices == []) == (s.row[slot] < 0)
        for move in position.legal(s.active) if tuple(position.pending) == (s.active,) else ():
            if move.verb == "buy":
                position_after = position.copy()
                position_after.play(s.active, move)
                bought_cards += 1
                assert table_facts["spending"]
                assert s.budget - position_after.state.budget == table_facts["prices"][move.args["slot"] - 1][0]
            elif move.verb == "end":
                position_after = position.copy()
                position_after.play(s.active, move)
                for slot, prices in enumerate(table_facts["prices"]):
                    if prices:
                        price_falls += 1
                        assert facts(position_after)["prices"][slot][:1] == prices[1:]
    assert bought_cards > 10 and price_falls > 10


def test_possible_stones_of_a_hand_are_exact():
    for position in random_positions(GAME, 4, random.Random(3)):
        seat = position.state.active
        hand_facts = facts(position, seat)
        for other, row in enumerate(hand_facts["more"]):
            for gem, may_have_more in enumerate(row):
                stones = sum(STONES[k] * position.state.hand[other][k] for k in range(GEM_KINDS) if GEM_OF[k] == gem)
                assert stones >= hand_facts["stones"][other][gem] and (
                    may_have_more or stones == hand_facts["stones"][other][gem]
                )
        assert hand_facts["more"][seat] == [0] * 4
        for gem, seats in enumerate(hand_facts["ahead"]):
            highest = max(row[gem] for row in hand_facts["stones"])
            assert seats == [n for n, row in enumerate(hand_facts["stones"]) if row[gem] == highest > 0]


def test_a_seat_leads_in_the_gems_of_which_it_knows_no_hand_with_as_many_stones():
    compared = 0
    for position in random_positions(GAME, 3, random.Random(4)):
        for seat in range(3):
            stones, leads = GAME.count(position.state, seat)[2:]
            held = facts(position, seat)["stones"]
            own, rivals = held[seat], held[:seat] + held[seat + 1 :]
            assert stones == sum(own)
            assert leads == sum(own[gem] > max(rival[gem] for rival in rivals) for gem in range(len(Gem)))
            compared += leads
    assert compared > 10

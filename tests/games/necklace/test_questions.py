"""Which players are asked whether to use a card follows from public information."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.games.necklace.cards import Card
from courtly.games.necklace.hands import may_hold
from courtly.games.necklace.table import Phase
from courtly.testing.checks.mutation import make_mutant
from courtly.testing.checks.properties import random_positions


def check_that_decisions_follow_from_public_information(game, number):
    """Check that exactly the players who could hold the card, judged from a spectator's view, are asked."""
    card_by_phase = {Phase.QUEEN: Card.QUEEN, Phase.CARDINAL: Card.CARDINAL, Phase.ALCHEMIST: Card.ALCHEMIST}
    phase = None
    for position in random_positions(game, 2 + number % 3, random.Random(number)):
        s = position.state
        if s.phase in card_by_phase and phase != Phase.ALCHEMIST:
            public_state = game.State.from_view(s.view(None))
            may_hold_card = [may_hold(public_state, seat, card_by_phase[s.phase]) for seat in range(s.players)]
            for seat in range(s.players):
                assert may_hold_card[seat] or not s.pending >> seat & 1, (
                    f"seat {seat} is asked, but cannot hold the card"
                )
            if s.phase == Phase.ALCHEMIST:
                clockwise = [(s.active + n) % s.players for n in range(s.players)]
                first = next(seat for seat in clockwise if may_hold_card[seat] and any(public_state.stones[seat][:3]))
                assert s.pending == 1 << first, f"seat {first} is not asked, but may hold the card"
        phase = s.phase


def test_all_players_who_could_hold_the_card_are_asked():
    for number in range(12):
        check_that_decisions_follow_from_public_information(find_game("necklace"), number)


def test_asking_only_the_alchemists_holder_is_detected():
    mutant = (
        "only who holds the alchemist is asked",
        "sale.py",
        "and may_hold(s, seat, Card.ALCHEMIST)",
        "and s.hand[seat][Card.ALCHEMIST]",
    )
    with pytest.raises(AssertionError, match="asked"):
        for number in range(200):
            check_that_decisions_follow_from_public_information(make_mutant(find_game("necklace"), mutant), number)

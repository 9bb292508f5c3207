"""Invariants of sealed bids."""

from sealed_bids.rules import COPIES, KINDS


def check(s):
    for card in range(KINDS):
        assert s.deck[card] + s.gone[card] + sum(hand[card] for hand in s.hand) == COPIES[card], (
            "the number of cards is constant"
        )
    for seat in range(s.players):
        assert sum(s.hand[seat]) == s.size[seat]
        for other in range(s.players):
            for card in range(KINDS):
                assert s.known[seat][other][card] <= s.hand[other][card], "knowledge is true"

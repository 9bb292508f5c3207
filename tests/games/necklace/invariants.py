"""Invariants of Queen's Necklace."""

from courtly.games.necklace.cards import (
    COUNT,
    EMPTY,
    GEM_KINDS,
    GEM_OF,
    KINDS,
    KING_AT,
    MERCHANTS,
    NECKLACE_AT,
    RINGS_AT,
    RUNGS,
    SHOWN,
    SHOWN_CARD,
    THIN,
    Card,
)
from courtly.games.necklace.position import lies_openly
from courtly.games.necklace.sale import event_of
from courtly.games.necklace.table import MOVES, VERB, Phase, X, Y


def check(s):
    cards_are_somewhere(s)
    for seat in range(s.players):
        hand_is_counted(s, seat)
        knowledge_is_true(s, seat)
        show_is_allowed(s, s.openly[seat], COUNT)
        laid_cards = [covered + openly for covered, openly in zip(s.tray[seat], s.openly[seat], strict=True)]
        show_is_allowed(s, laid_cards, [n + lies_openly(s, seat, card) for card, n in enumerate(s.hand[seat])])
        show_is_allowed(s, s.shown[seat], COUNT)
        assert s.phase == Phase.SHOW or not any(laid_cards), "cards lie on the table only during a show"
    for seat in range(s.players, 4):
        assert not any(s.hand[seat]) and not any(s.seen[seat]) and not s.size[seat], "an unused seat has cards"
    for slot in range(5):
        assert s.row[slot] == EMPTY or slot < s.row_size and 0 <= s.rung[slot] < RUNGS
    assert s.merchants == s.sales + sum(s.held) + merchant_at_work(s), (
        "each merchant has had a sale, is postponed, or is at work"
    )
    assert sum(s.score[: s.players]) == sum(
        map(sum, (seat for sale in s.income[: s.sales] for seat in sale))
    ) + earned_now(s)
    assert all(sum(sale) == 0 for sale in s.gifts), "gifts add up to zero"


def cards_are_somewhere(s):
    for card in range(KINDS):
        on_offer = s.row.count(card) + (s.offered == card)
        held = sum(s.hand[seat][card] + lies_openly(s, seat, card) for seat in range(s.players))
        assert s.deck[card] + s.discard[card] + on_offer + held == COUNT[card], f"card {card}"
    assert s.pile == sum(s.deck) >= 0
    if s.phase >= Phase.OPENING:
        assert s.pile == s.left - (MERCHANTS - s.merchants) + THIN[s.thin_deck]
        assert sorted(s.fashion) == [0, 1, 2, 3]


def hand_is_counted(s, seat):
    hand, seen = s.hand[seat], s.seen[seat]
    assert sum(hand) == s.size[seat] and s.unknown[seat] == s.size[seat] - sum(seen) >= 0
    assert all(0 <= a <= b for a, b in zip(seen, hand, strict=True)), "public knowledge is true"
    is_held = hand[Card.QUEENS_NECKLACE] == 1 == seen[Card.QUEENS_NECKLACE]
    assert (s.necklace == seat) == (is_held or lies_openly(s, seat, Card.QUEENS_NECKLACE) == 1), (
        "the wearer of the necklace holds it"
    )
    assert not hand[Card.ASTROLOGER]
    for gem in range(4):
        assert sum(hand[card] for card in range(GEM_KINDS) if GEM_OF[card] == gem) <= s.at_most[seat][gem]


def knowledge_is_true(s, seat):
    for other in range(s.players):
        for card in range(KINDS):
            if other != seat:
                assert s.seen[other][card] <= s.known[seat][other][card] <= s.hand[other][card], (
                    "a player's knowledge is true"
                )


def show_is_allowed(s, laid, cards):
    assert not any(
        laid[RINGS_AT + gem] + laid[KING_AT + gem] + laid[NECKLACE_AT + gem]
        and not any(laid[card] for card in range(GEM_KINDS) if GEM_OF[card] == gem)
        for gem in range(4)
    ), "each card lies with its gem"
    assert sum(laid[KING_AT : KING_AT + 4]) < 2 and sum(laid[NECKLACE_AT : NECKLACE_AT + 4]) < 2
    for card in range(KINDS):
        assert sum(laid[i] for i in range(SHOWN) if SHOWN_CARD[i] == card) <= cards[card]


def merchant_at_work(s):
    return int(s.phase in (Phase.CARDINAL, Phase.SHOW, Phase.ALCHEMIST, Phase.SETTLING))


def earned_now(s):
    """Return the income so far of a sale that is being settled."""
    if s.phase != Phase.SETTLING:
        return 0
    events = [event_of(s, step) for step in range(s.step)]
    return sum(s.income[s.sales][X[event]][Y[event]] for event in events if event >= 0 and VERB[event] == MOVES.sells)

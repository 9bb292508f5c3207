"""Positions of Queen's Necklace, completed from the fields that a scenario names.

Cards that are in no hand, not on offer and not discarded are in the deck. If the scenario gives the number of cards
left there, the surplus counts as discarded, gems first. Each seat knows only its own hand, except for the necklace.
"""

from courtly.engine.constants import CHANCE
from courtly.games.necklace.cards import BUDGET, COUNT, GEM_KINDS, KINDS, MERCHANTS, NECKLACE_AT, SHOWN_CARD, THIN, Card
from courtly.games.necklace.hands import tell
from courtly.games.necklace.table import Phase, Story


def complete(s, given):
    if not given:
        return
    if "phase" not in given:
        raise ValueError("a position has a phase")
    if "fashion" not in given:
        for gem in range(4):
            s.fashion[gem] = gem
    if "budget" not in given:
        s.budget = BUDGET
    if "back" not in given:
        s.back = Phase.TURN_ENDS
    s.step = 0
    for seat in range(s.players):
        s.size[seat] = sum(s.hand[seat])
        worn = s.hand[seat][Card.QUEENS_NECKLACE] or any(s.openly[seat][NECKLACE_AT : NECKLACE_AT + 4])
        s.seen[seat][Card.QUEENS_NECKLACE] = s.hand[seat][Card.QUEENS_NECKLACE]
        s.unknown[seat] = s.size[seat] - sum(s.seen[seat])
        if worn:
            s.necklace = seat
        for other in range(s.players):
            if other != seat:
                for card in range(KINDS):
                    s.known[other][seat][card] = max(s.known[other][seat][card], s.seen[seat][card])
    tell_story(s)
    fill_deck(s, given)
    if "pending" not in given:
        s.pending = who_moves(s)


def tell_story(s):
    """Write a story for the hands: every publicly known card came publicly."""
    for seat in range(s.players):
        for card in range(KINDS):
            for _ in range(s.seen[seat][card] + lies_openly(s, seat, card)):
                tell(s, Story.COME, seat, card)
        for _ in range(s.unknown[seat]):
            tell(s, Story.DRAWN, seat, 0)


def lies_openly(s, seat, card):
    """Return how many cards of a kind this seat has laid openly."""
    return sum(n for piece, n in enumerate(s.openly[seat]) if SHOWN_CARD[piece] == card)


def fill_deck(s, given):
    for card in range(KINDS):
        held = sum(s.hand[seat][card] + lies_openly(s, seat, card) for seat in range(s.players))
        s.deck[card] = COUNT[card] - s.discard[card] - s.row.count(card) - held - (s.offered == card)
        if s.deck[card] < 0:
            raise ValueError(f"there are not that many of card {card}")
    wanted = s.left - (MERCHANTS - s.merchants) + THIN[s.thin_deck]
    if "left" not in given:
        s.left += sum(s.deck) - wanted
    elif "discard" not in given:
        for _ in range(sum(s.deck) - wanted):
            gems = range(GEM_KINDS) if any(s.deck[:GEM_KINDS]) else range(KINDS)
            card = max(gems, key=lambda card: s.deck[card])
            s.deck[card] -= 1
            s.discard[card] += 1
    s.pile = sum(s.deck)


def who_moves(s):
    if s.phase == Phase.REFILL:
        return CHANCE
    if s.phase == Phase.SHOW:
        return sum(1 << seat for seat in range(s.players) if s.size[seat] or any(s.openly[seat]))
    if s.phase == Phase.ALCHEMIST:
        raise ValueError("say who is pending")
    return 1 << s.active

"""A second model of what can be known of hands, from the moves as one observer sees them: which hands are possible now?

It uses none of the fields that the rules keep for this. A history is a list of events in hands, and `possible` searches
for a way to undo it from given hands. Cards that were seen to come and go leave no choice; cards stolen or drawn unseen
do.
"""

from courtly.engine.constants import NOBODY
from courtly.games.necklace.cards import GEM_KINDS, GEM_OF, KINDS, SHOWN, SHOWN_CARD, Card
from courtly.games.necklace.rules import audience
from courtly.games.necklace.table import MOVES, PLAYED, VERB, X, Y


class History:
    """What one observer (-1: a spectator) has seen of the hands."""

    def __init__(self, observer):
        self.observer = observer
        self.events = []

    def add_move(self, before, after, seat, move):
        """Add a move. `before` and `after` are the true states, of which only what the observer sees is used."""
        verb, add = VERB[move], self.events.append
        audience_mask = audience(before, seat, move)
        sees = audience_mask < 0 or self.observer >= 0 and audience_mask >> self.observer & 1
        if verb == MOVES.deal:
            add(("gain", before.target, X[move]) if sees else ("hidden", before.target))
        elif verb == MOVES.draw and X[move] != Card.ASTROLOGER:
            add(("gain", before.active, X[move]) if sees else ("hidden", before.active))
        elif verb == MOVES.steal and X[move] == Card.MUSKETEER:
            add(("lose", before.giver, Card.MUSKETEER))
        elif verb == MOVES.steal:
            add(("move", before.giver, before.taker, X[move]) if sees else ("stolen", before.giver, before.taker))
        elif verb == MOVES.buy and Y[move] != Card.ASTROLOGER:
            add(("gain", seat, Y[move]))
        elif verb == MOVES.commit and after.phase != before.phase:
            for player in range(before.players):
                for i in range(SHOWN):
                    covered = after.shown[player][i] - before.openly[player][i]
                    self.events += [("lose", player, SHOWN_CARD[i])] * covered
        elif MOVES.lay_open <= move <= MOVES.banker_open:
            add(("lose", seat, SHOWN_CARD[move - MOVES.lay_open]))
        elif verb == MOVES.show_hand:
            add(("none", seat, before.gem))
            if self.observer == before.active:
                add(("look", seat, tuple(before.hand[seat])))
        elif seat != NOBODY and PLAYED[move] >= 0:
            self.events += [("lose", seat, PLAYED[move])] * (3 if verb == MOVES.musketeers else 1)
            if verb == MOVES.musketeers:
                add(
                    ("move", before.necklace, seat, Card.QUEENS_NECKLACE)
                    if before.necklace >= 0
                    else ("gain", seat, Card.QUEENS_NECKLACE)
                )
            elif verb == MOVES.take:
                add(("gain", seat, before.offered))
            elif verb == MOVES.confessor and self.observer == seat:
                add(("look", X[move], tuple(before.hand[X[move]])))

    def is_possible(self, hands):
        """Return whether these hands are consistent with the history."""
        return _can_undo([list(hand) for hand in hands], self.events, len(self.events))


def _can_undo(hands, events, n):
    while n:
        n -= 1
        kind, seat, *rest = events[n]
        hand = hands[seat]
        if kind == "lose":
            hand[rest[0]] += 1
        elif kind == "gain":
            hand[rest[0]] -= 1
            if hand[rest[0]] < 0:
                return False
        elif kind == "move":
            taker, card = rest
            hands[taker][card] -= 1
            hand[card] += 1
            if hands[taker][card] < 0:
                return False
        elif kind == "none":
            if any(hand[card] for card in range(GEM_KINDS) if GEM_OF[card] == rest[0]):
                return False
        elif kind == "look":
            if tuple(hand) != rest[0]:
                return False
        else:
            source, target = (seat, rest[0]) if kind == "stolen" else (None, seat)
            return any(
                _can_undo(_hands_before_draw(hands, source, target, card), events, n)
                for card in range(KINDS)
                if hands[target][card]
                and card
                not in (
                    Card.MUSKETEER if source is not None else Card.ASTROLOGER,
                    Card.QUEENS_NECKLACE,
                    Card.ASTROLOGER,
                )
            )
    return not any(map(any, hands))


def _hands_before_draw(hands, source, target, card):
    """Return the hands before a card came to `target`, from `source` or from the deck."""
    hands = [hand[:] for hand in hands]
    hands[target][card] -= 1
    if source is not None:
        hands[source][card] += 1
    return hands

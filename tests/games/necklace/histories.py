"""A second account of what can be known of hands, from the stream of moves as one observer is told them: which hands
can there be now?

It knows nothing of the fields that the rules keep for this. A history is a list of what happened to hands, and
`possible` looks for a way to take it all back from given hands: cards that were seen to come and go leave no choice,
those stolen or drawn unseen do.
"""

from courtly.engine.game import NOBODY
from courtly.games.necklace.rules import (
    ASTROLOGER,
    BUY,
    COMMIT,
    CONFESSOR,
    DEAL,
    DRAW,
    GEM,
    GEM_KINDS,
    KINDS,
    MUSKETEER,
    MUSKETEERS,
    NECKLACE,
    PLAY_CONFESSOR,
    SHOW_HAND,
    SHOWN,
    SHOWN_CARD,
    STEAL,
    TAKE,
    VERB,
    X,
    Y,
    audience,
    played,
)


class History:
    """What one observer (-1: a spectator) has seen happen to hands."""

    def __init__(self, observer):
        self.observer = observer
        self.events = []

    def tell(self, before, after, seat, move):
        """`before` and `after` are the true states; only what the observer is told of the move is used."""
        verb, note = VERB[move], self.events.append
        told = audience(before, seat, move)
        sees = told < 0 or self.observer >= 0 and told >> self.observer & 1
        if verb == DEAL:
            note(("gain", before.target, X[move]) if sees else ("hidden", before.target))
        elif verb == DRAW and X[move] != ASTROLOGER:
            note(("gain", before.active, X[move]) if sees else ("hidden", before.active))
        elif verb == STEAL and X[move] == MUSKETEER:
            note(("lose", before.giver, MUSKETEER))
        elif verb == STEAL:
            note(("move", before.giver, before.taker, X[move]) if sees else ("stolen", before.giver, before.taker))
        elif verb == BUY and Y[move] != ASTROLOGER:
            note(("gain", seat, Y[move]))
        elif verb == COMMIT and after.phase != before.phase:
            for player in range(before.players):
                for i in range(SHOWN):
                    self.events += [("lose", player, SHOWN_CARD[i])] * after.shown[player][i]
        elif verb == SHOW_HAND:
            note(("none", seat, before.gem))
            if self.observer == before.active:
                note(("look", seat, tuple(before.hand[seat])))
        elif seat != NOBODY and played(move) >= 0:
            self.events += [("lose", seat, played(move))] * (3 if verb == MUSKETEERS else 1)
            if verb == MUSKETEERS:
                note(("move", before.necklace, seat, NECKLACE) if before.necklace >= 0 else ("gain", seat, NECKLACE))
            elif verb == TAKE:
                note(("gain", seat, before.offered))
            elif verb == PLAY_CONFESSOR and self.observer == seat:
                note(("look", X[move], tuple(before.hand[X[move]])))
            assert verb != CONFESSOR

    def possible(self, hands):
        """Could these be the hands, after all that happened?"""
        return _back([list(hand) for hand in hands], self.events, len(self.events))


def _back(hands, events, n):
    while n:
        n -= 1
        what, seat, *rest = events[n]
        hand = hands[seat]
        if what == "lose":
            hand[rest[0]] += 1
        elif what == "gain":
            hand[rest[0]] -= 1
            if hand[rest[0]] < 0:
                return False
        elif what == "move":
            taker, card = rest
            hands[taker][card] -= 1
            hand[card] += 1
            if hands[taker][card] < 0:
                return False
        elif what == "none":
            if any(hand[card] for card in range(GEM_KINDS) if GEM[card] == rest[0]):
                return False
        elif what == "look":
            if tuple(hand) != rest[0]:
                return False
        else:
            source, target = (seat, rest[0]) if what == "stolen" else (None, seat)
            return any(
                _back(_without(hands, source, target, card), events, n)
                for card in range(KINDS)
                if hands[target][card]
                and card not in (MUSKETEER if source is not None else ASTROLOGER, NECKLACE, ASTROLOGER)
            )
    return not any(map(any, hands))


def _without(hands, source, target, card):
    """The hands before a card came to `target`, from `source` or from nowhere."""
    hands = [hand[:] for hand in hands]
    hands[target][card] -= 1
    if source is not None:
        hands[source][card] += 1
    return hands

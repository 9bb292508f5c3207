"""What an observer remembers of hands it does not see: a seat, by its rows of `known`, `suspects` and `parted`, or everybody, by `seen`,
`suspected` and `public_parted`. Their rows are passed to these functions.

A card that a thief took unseen may be any that its owner held: the `suspects` of a theft say how many of each kind (and of the cards
that nobody could name) may be the one. So `known` is what is certain even if the thief took one of these, and `known` and `taken`
together are the cards that owner and thieves have between them. Cards of a kind are alike: one that is laid open counts as one that was
known, and if it came to the hand after the theft, rather as that. Where the thief lays open a card that may be the stolen one or may
not, its kind is marked in `parted`.
"""
from courtly.games.necklace.table import COUNT, HIDDEN, KINDS, MUSKETEER, NECKLACE, SLOTS, SPENT, UNNAMED


def taken(s, suspects, seat, card):
    """How many of these cards thieves may have taken from a seat: each theft another one."""
    n = 0
    for theft in range(s.thefts):
        if s.robbed[theft] == seat and suspects[theft][card] > n:
            n += 1
    return n


def keep(s, known, suspects, parted, seat, card, n):
    """A seat and the thieves who robbed it have n of these cards now."""
    for theft in range(s.thefts):
        if s.robbed[theft] == seat and suspects[theft][card] > n:
            suspects[theft][card] = n
            if n == 0 and parted[theft] >> card & 1:
                parted[theft] -= 1 << card
    known[seat][card] = n - taken(s, suspects, seat, card)


def unsettled(s, suspects, theft):
    """Is it unknown what was stolen?"""
    for card in range(HIDDEN):
        if suspects[theft][card]:
            return True
    return False


def unnamed(s, known, suspects, seat):
    """Cards of a seat, and of those that may have been stolen from it, that cannot be named."""
    n = s.size[seat]
    for card in range(KINDS):
        n -= known[seat][card]
    if s.thefts:
        for card in range(KINDS):
            n -= taken(s, suspects, seat, card)
        for theft in range(s.thefts):
            if s.robbed[theft] == seat and unsettled(s, suspects, theft):
                n += 1
    return n


def loot(s, suspects, parted, theft, seat):
    """May this seat still hold what it stole in this theft?"""
    return s.robber[theft] == seat and not parted[theft] >> SPENT & 1 and unsettled(s, suspects, theft)


def unaccounted(s, known, suspects, knower, card):
    """How many of these cards are nowhere that the observer knows of. `knower` -1: everybody."""
    n = COUNT[card] - s.discard[card] - (s.offered == card)
    for slot in range(SLOTS):
        n -= s.row[slot] == card
    for seat in range(s.players):
        n -= s.hand[seat][card] if seat == knower else known[seat][card] + taken(s, suspects, seat, card)
    return n


def drop(s, known, suspects, parted, knower, seat, card, before):
    """A card leaves a hand under the observer's eyes, who has seen `before` others of its kind leave without knowing of them. Was it
    unknown that this hand had it? The hand still counts it."""
    n = known[seat][card] + (taken(s, suspects, seat, card) if s.thefts else 0)
    if n:
        keep(s, known, suspects, parted, seat, card, n - 1)
        if s.thefts:
            settle(s, known, suspects, parted)
        return False
    if s.thefts:
        drop_unnamed(s, known, suspects, parted, seat, card, unaccounted(s, known, suspects, knower, card) - before)
        settle(s, known, suspects, parted)
    return True


def drop_unnamed(s, known, suspects, parted, seat, card, elsewhere):
    """A card leaves that was not known in this hand: the loot of a theft, or one of those nobody could name, if there are any more."""
    rest = unnamed(s, known, suspects, seat) - 1
    candidates = 0
    last = 0
    for theft in range(s.thefts):
        if suspects[theft][card] and loot(s, suspects, parted, theft, seat):
            parted[theft] |= 1 << card
            candidates += 1
            last = theft
        if s.robbed[theft] == seat and suspects[theft][UNNAMED] > rest:
            suspects[theft][UNNAMED] = max(rest, 0)
    if candidates == 1 and elsewhere <= 0:
        parted[last] = 1 << card
        spend_loot(s, known, suspects, parted, last)
        suspects[last][UNNAMED] = 0
    if rest == 0:
        for theft in range(s.thefts):
            if loot(s, suspects, parted, theft, seat):
                spend_loot(s, known, suspects, parted, theft)


def spend_loot(s, known, suspects, parted, theft):
    """The thief cannot hold it any more: it was laid open, or could not be named."""
    giver = s.robbed[theft]
    unfold(s, known, suspects, giver)
    for card in range(KINDS):
        if not parted[theft] >> card & 1:
            suspects[theft][card] = 0
    parted[theft] |= 1 << SPENT
    fold(s, known, suspects, giver)


def settle(s, known, suspects, parted):
    """A theft of which one kind of card alone is suspected is known."""
    theft = 0
    while theft < s.thefts:
        kind = settled_as(suspects, theft)
        if kind < 0:
            theft += 1
            continue
        giver = s.robbed[theft]
        held = not parted[theft] >> SPENT & 1 and (kind == UNNAMED or not parted[theft] >> kind & 1)
        unfold(s, known, suspects, giver)
        suspects[theft][kind] = 0
        parted[theft] = 0
        if kind < KINDS:
            known[giver][kind] -= 1
        fold(s, known, suspects, giver)
        if kind < KINDS and held:
            known[s.robber[theft]][kind] += 1
        theft = 0


def settled_as(suspects, theft):
    """The only kind that is suspected; -1."""
    kind = -1
    for card in range(HIDDEN):
        if suspects[theft][card]:
            if kind >= 0:
                return -1
            kind = card
    return kind


def unfold(s, known, suspects, seat):
    """For a moment `known` counts what thieves may have taken too."""
    for card in range(KINDS):
        known[seat][card] += taken(s, suspects, seat, card)


def fold(s, known, suspects, seat):
    for card in range(KINDS):
        for theft in range(s.thefts):
            if s.robbed[theft] == seat and suspects[theft][card] > known[seat][card]:
                suspects[theft][card] = known[seat][card]
        known[seat][card] -= taken(s, suspects, seat, card)


def forget_theft(s, known, suspects, parted, theft):
    """Each of its suspects may be gone for good."""
    giver = s.robbed[theft]
    unfold(s, known, suspects, giver)
    for card in range(HIDDEN):
        if suspects[theft][card] and card < KINDS:
            known[giver][card] -= 1
        suspects[theft][card] = 0
    parted[theft] = 0
    fold(s, known, suspects, giver)


def rob(s, known, suspects, parted, theft):
    """The newest theft, for those who do not see the card. It cannot be a musketeer or the necklace, which would be shown. What the
    giver in turn may have stolen is forgotten, as far as it is uncertain."""
    giver = s.robbed[theft]
    for earlier in range(theft):
        if loot(s, suspects, parted, earlier, giver):
            forget_theft(s, known, suspects, parted, earlier)
    spare = unnamed(s, known, suspects, giver)
    unfold(s, known, suspects, giver)
    for card in range(KINDS):
        if card != NECKLACE and card != MUSKETEER:
            suspects[theft][card] = known[giver][card]
    suspects[theft][UNNAMED] = spare
    fold(s, known, suspects, giver)
    settle(s, known, suspects, parted)

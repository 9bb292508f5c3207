"""The turn, its first part: influence. The active player may play blue cards and three musketeers."""

from courtly.engine.game import CHANCE, NOBODY
from courtly.games.necklace.cards import BUDGET, EMPTY, GEM_KINDS, GEM_OF, Card
from courtly.games.necklace.hands import gain_seen, lack, look_at_hand, move_seen, move_unseen, spend
from courtly.games.necklace.table import MOVES, Phase


def begin_turn(s, seat):
    s.active = seat
    s.budget = BUDGET
    s.bought = 0
    s.phase = Phase.INFLUENCE
    s.pending = 1 << seat


def playable(s, seat, card):
    """A blue card taken this turn may have to wait for the next."""
    return s.hand[seat][card] > s.fresh[seat][card]


def legal_influence(s, seat, moves, n):
    hand = s.hand[seat]
    if hand[Card.COURTIER] and playable(s, seat, Card.COURTIER):
        moves[n] = MOVES.courtier
        n += 1
    if hand[Card.FAVORITE] and playable(s, seat, Card.FAVORITE):
        for gem in range(4):
            moves[n] = MOVES.favorite + gem
            n += 1
    if (
        hand[Card.MUSKETEER] > 2
        and s.necklace != seat
        and (s.necklace != NOBODY or s.trio_scope and necklace_slot(s) != EMPTY)
    ):
        moves[n] = MOVES.musketeers
        n += 1
    if hand[Card.CONFESSOR] and playable(s, seat, Card.CONFESSOR):
        n = legal_targets(s, seat, MOVES.confessor, moves, n)
    if hand[Card.THIEF] and playable(s, seat, Card.THIEF):
        n = legal_targets(s, seat, MOVES.thief, moves, n)
    if hand[Card.FORGER] and playable(s, seat, Card.FORGER):
        for target in range(s.players):
            if target != seat and s.size[target]:
                for gem in range(4):
                    moves[n] = MOVES.forger + target * 4 + gem
                    n += 1
    return n


def legal_targets(s, seat, first, moves, n):
    """Opponents with at least one card."""
    for target in range(s.players):
        if target != seat and s.size[target]:
            moves[n] = first + target
            n += 1
    return n


def come_into_fashion(s, gem):
    """A gem moves to the first place; those that were before it move back one place."""
    carried = gem
    for at in range(4):
        before = s.fashion[at]
        s.fashion[at] = carried
        if before == gem:
            return
        carried = before


def necklace_slot(s):
    for slot in range(s.row_size):
        if s.row[slot] == Card.QUEENS_NECKLACE:
            return slot
    return EMPTY


def fetch_necklace(s, seat):
    """The first of three musketeers is discarded: they bring the queen's necklace."""
    for _ in range(2):
        spend(s, seat, Card.MUSKETEER)
    if s.necklace != NOBODY:
        move_seen(s, s.necklace, seat, Card.QUEENS_NECKLACE)
    else:
        slot = necklace_slot(s)
        s.row[slot] = EMPTY
        s.rung[slot] = 0
        gain_seen(s, seat, Card.QUEENS_NECKLACE)


# --- the forger -------------------------------------------------------------------------------------------------------


def forge(s, target, gem):
    s.target = target
    s.gem = gem
    s.phase = Phase.FORGER
    s.pending = 1 << target


def holds_gem(s, seat, gem):
    for card in range(GEM_KINDS):
        if GEM_OF[card] == gem and s.hand[seat][card]:
            return True
    return False


def legal_reply(s, seat, moves):
    """One gem card of that kind, the target's choice; the hand is shown only if there is none."""
    n = 0
    if s.hand[seat][Card.MUSKETEER]:
        moves[0] = MOVES.cancel
        n = 1
    if not holds_gem(s, seat, s.gem):
        moves[n] = MOVES.show_hand
        return n + 1
    for card in range(GEM_KINDS):
        if GEM_OF[card] == s.gem and s.hand[seat][card]:
            moves[n] = MOVES.discard + card
            n += 1
    return n


def reply_to_forger(s, seat, verb):
    if verb == MOVES.show_hand:
        look_at_hand(s, s.active, seat)
        lack(s, seat, s.gem)
    s.phase = Phase.INFLUENCE
    s.pending = 1 << s.active


# --- the thief --------------------------------------------------------------------------------------------------------


def send_thief(s, seat, target):
    s.taker = seat
    s.giver = target
    s.phase = Phase.THIEF
    s.pending = CHANCE


def steal(s, card):
    """A musketeer arrests the thief: it is discarded, and the draw goes the other way."""
    if card == Card.MUSKETEER:
        spend(s, s.giver, card)
        other = s.giver
        s.giver = s.taker
        s.taker = other
        if s.size[s.giver]:
            return
    elif card == Card.QUEENS_NECKLACE:
        move_seen(s, s.giver, s.taker, card)
    else:
        move_unseen(s, s.giver, s.taker, card)
        if s.influence_needs_turn_start and s.taker == s.active:
            s.fresh[s.active][card] += 1
    s.phase = Phase.INFLUENCE
    s.pending = 1 << s.active

"""The first part of the turn, influence: the active player can play blue cards and three musketeers."""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.stdlib.common import enter_phase
from courtly.games.necklace.cards import COURTIER_MONEY, EMPTY, GEM_KINDS, GEM_OF, Card
from courtly.games.necklace.hands import gain_seen, lack, look_at_hand, move_seen, move_unseen, spend
from courtly.games.necklace.purchase import clear_slot, slot_of
from courtly.games.necklace.table import AIMED, INFLUENCE, INFLUENCES, MOVES, NAMED, PLAYED, Phase


def playable(s, seat, card):
    """Return True if a seat can play a blue card, or three musketeers.

    By the option `influence_needs_turn_start`, a blue card taken this turn must wait. Three musketeers need the queen's
    necklace at an opponent or in the row; by `trio_scope`, only at an opponent.
    """
    if card != Card.MUSKETEER:
        return s.hand[seat][card] > s.fresh[seat][card]
    if s.necklace == NOBODY:
        return s.hand[seat][card] > 2 and s.trio_scope and slot_of(s, Card.QUEENS_NECKLACE) != EMPTY
    return s.hand[seat][card] > 2 and s.necklace != seat


def legal_influence(s, seat, moves, n):
    """List the influence moves. Cards that are aimed at an opponent need one with cards."""
    for i in range(INFLUENCES):
        if playable(s, seat, PLAYED[INFLUENCE[i]]):
            for target in range(s.players if AIMED[i] else 1):
                if not AIMED[i] or target != seat and s.size[target]:
                    for gem in range(NAMED[i]):
                        moves[n] = INFLUENCE[i] + target * NAMED[i] + gem
                        n += 1
    return n


def influence(s, seat, verb, x, y):
    if verb == MOVES.confessor:
        look_at_hand(s, seat, x)
    elif verb == MOVES.courtier:
        s.budget += COURTIER_MONEY
    elif verb == MOVES.forger:
        forge(s, x, y)
    elif verb == MOVES.favorite:
        come_into_fashion(s, x)
    elif verb == MOVES.thief:
        send_thief(s, seat, x)
    else:
        fetch_necklace(s, seat)


def come_into_fashion(s, gem):
    """Move a gem to the first place of fashion; those that were before it move back one place."""
    carried = gem
    for at in range(4):
        before = s.fashion[at]
        s.fashion[at] = carried
        if before == gem:
            return
        carried = before


def fetch_necklace(s, seat):
    """Discard two more musketeers (`apply` has discarded the first), and fetch the queen's necklace."""
    for _ in range(2):
        spend(s, seat, Card.MUSKETEER)
    if s.necklace != NOBODY:
        move_seen(s, s.necklace, seat, Card.QUEENS_NECKLACE)
    else:
        clear_slot(s, slot_of(s, Card.QUEENS_NECKLACE))
        gain_seen(s, seat, Card.QUEENS_NECKLACE)


# --- the forger -------------------------------------------------------------------------------------------------------


def forge(s, target, gem):
    s.target = target
    s.gem = gem
    enter_phase(s, Phase.FORGER, 1 << target)


def legal_reply(s, seat, moves):
    """List the answers to the forger: a musketeer, or a gem card of that kind at the target's choice. The target shows
    its hand only if it has no such card."""
    musketeer = s.hand[seat][Card.MUSKETEER] > 0
    moves[0] = MOVES.cancel
    n = 1 if musketeer else 0
    for card in range(GEM_KINDS):
        if GEM_OF[card] == s.gem and s.hand[seat][card]:
            moves[n] = MOVES.discard + card
            n += 1
    if n == musketeer:
        moves[n] = MOVES.show_hand
        n += 1
    return n


def reply_to_forger(s, seat, verb):
    if verb == MOVES.show_hand:
        look_at_hand(s, s.active, seat)
        lack(s, seat, s.gem)
    enter_phase(s, Phase.INFLUENCE, 1 << s.active)


# --- the thief --------------------------------------------------------------------------------------------------------


def send_thief(s, seat, target):
    s.taker = seat
    s.giver = target
    enter_phase(s, Phase.THIEF, CHANCE)


def steal(s, card):
    """Give the drawn card to the taker. If it is a musketeer, it arrests the thief: it is discarded, and the draw is
    repeated in the other direction."""
    if card == Card.MUSKETEER:
        spend(s, s.giver, card)
        s.giver, s.taker = s.taker, s.giver
        if s.size[s.giver]:
            return
    elif card == Card.QUEENS_NECKLACE:
        move_seen(s, s.giver, s.taker, card)
    else:
        move_unseen(s, s.giver, s.taker, card)
        if s.influence_needs_turn_start and s.taker == s.active:
            s.fresh[s.active][card] += 1
    enter_phase(s, Phase.INFLUENCE, 1 << s.active)

"""To Court the King: why a move is not legal."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.games.petition.dice import count_active
from courtly.games.petition.table import MOVES, VERB, Card, Phase, X, Y, Z


class Refusal(NamedInt):
    (
        NOT_YOUR_TURN,
        NO_SUCH_DIE,
        ONLY_ADDED,
        KEEP_FIRST,
        NOTHING_TO_ROLL,
        DICE_LEFT,
        NOT_OWNED,
        ALREADY_USED,
        NO_DICE_LEFT,
        NOT_ROLLED_YET,
        NOT_BEFORE_ROLL,
        POWER_IN_USE,
        NO_POWER_IN_USE,
        TOO_HIGH,
        TOO_LOW,
        NO_CHANGE,
        TWO_DICE,
        NOT_ASIDE,
        WRONG_SUM,
        NOT_ASCENDING,
        CLAIM_NOW,
        KEEP_ALL_FIRST,
        NOTHING_CLAIMED_NOW,
        REQUIREMENT,
        NONE_LEFT,
        ALREADY_OWNED,
        NEEDS_FOOL,
        HAS_FOOL,
        KING_TAKEN,
        ONLY_IN_LAST_ROUND,
        TOO_LATE,
    ) = range(31)


CARD_OF = tuple(
    Card.names.index(m.args.get("card", m.verb)) if m.args.get("card", m.verb) in Card else NOBODY
    for m in (MOVES.decode(i) for i in range(MOVES.total))
)  # the character whose power a move uses; NOBODY for none


def refusal(s, seat, move):
    """Return why a move is not legal: the reason that a player would name first."""
    if not s.pending >> seat & 1:
        return Refusal.NOT_YOUR_TURN
    verb = VERB[move]
    if verb == MOVES.claim:
        return refusal_of_claim(s, X[move])
    if s.phase == Phase.CLAIMING:
        return Refusal.CLAIM_NOW
    if verb == MOVES.pass_:
        return Refusal.NOTHING_CLAIMED_NOW if s.final else Refusal.KEEP_ALL_FIRST
    if verb == MOVES.concede:
        return Refusal.TOO_LATE if s.final else Refusal.ONLY_IN_LAST_ROUND
    if verb == MOVES.done:
        return Refusal.NO_POWER_IN_USE
    if s.phase > Phase.ACTING:
        return refusal_of_step(s, verb, X[move])
    if verb == MOVES.turn:
        return Refusal.NO_POWER_IN_USE
    if CARD_OF[move] != NOBODY:
        return refusal_of_power(s, CARD_OF[move], verb, X[move], Y[move], Z[move])
    if s.phase == Phase.BEFORE:
        return Refusal.NOT_ROLLED_YET
    if verb == MOVES.keep:
        return Refusal.NO_SUCH_DIE
    if verb == MOVES.roll:
        return Refusal.KEEP_FIRST if count_active(s) else Refusal.NOTHING_TO_ROLL
    return Refusal.DICE_LEFT


def refusal_of_claim(s, card):
    own = s.owns[s.seat]
    if s.final:
        return Refusal.NOTHING_CLAIMED_NOW
    if s.phase != Phase.CLAIMING:
        return Refusal.KEEP_ALL_FIRST
    if card == Card.CHARLATAN:
        return Refusal.NEEDS_FOOL
    if own[card]:
        return Refusal.HAS_FOOL if card == Card.FOOL else Refusal.ALREADY_OWNED
    if not s.supply[card]:
        return Refusal.KING_TAKEN if card == Card.KING else Refusal.NONE_LEFT
    return Refusal.REQUIREMENT


def refusal_of_step(s, verb, face):
    """Return why a move is not legal during a power."""
    taking = (verb == MOVES.merchant and s.phase == Phase.MERCHANT) or (
        verb == MOVES.alchemist and s.phase == Phase.ALCHEMIST
    )
    raising = (verb == MOVES.noblewoman and s.phase == Phase.NOBLEWOMAN) or (
        verb == MOVES.nobleman and s.phase == Phase.NOBLEMAN
    )
    if (taking or raising) and not s.active[face]:
        return Refusal.NO_SUCH_DIE
    if raising:
        return Refusal.TOO_HIGH
    if taking:
        return Refusal.WRONG_SUM
    if verb == MOVES.turn and s.phase >= Phase.ALCHEMIST:
        return Refusal.NOT_ASCENDING if face < s.last_turned else Refusal.WRONG_SUM
    return Refusal.POWER_IN_USE


def refusal_of_power(s, card, verb, x, y, z):
    if not s.owns[s.seat][card]:
        return Refusal.NOT_OWNED
    if s.used[card]:
        return Refusal.ALREADY_USED
    if verb == MOVES.add or verb == MOVES.queen:
        return Refusal.NOT_BEFORE_ROLL if s.phase == Phase.BEFORE and not s.early_powers else Refusal.NO_DICE_LEFT
    if s.phase == Phase.BEFORE:
        return Refusal.NOT_ROLLED_YET
    if not s.active[x]:
        return Refusal.NO_SUCH_DIE
    if verb == MOVES.fool:
        return Refusal.ONLY_ADDED
    if verb == MOVES.philosopher:
        return refusal_of_shift(s, x, y, z + 1)
    if verb == MOVES.astronomer and not s.aside[y]:
        return Refusal.NOT_ASIDE
    if verb == MOVES.astronomer or verb == MOVES.magician:
        return Refusal.NO_CHANGE
    return Refusal.WRONG_SUM if verb == MOVES.alchemist else Refusal.TOO_HIGH


def refusal_of_shift(s, giver, receiver, pips):
    if count_active(s) < 2:
        return Refusal.TWO_DICE
    if s.active[receiver] < (2 if giver == receiver else 1):
        return Refusal.NO_SUCH_DIE
    if pips > giver:
        return Refusal.TOO_LOW
    if receiver + pips > 5:
        return Refusal.TOO_HIGH
    return Refusal.NO_CHANGE

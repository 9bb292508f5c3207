"""To Court the King: why a move is not legal, the reason a player would name first."""

from courtly.engine.game import NOBODY
from courtly.games.petition.table import *
from courtly.games.petition.table import count_active

REFUSALS = (
    "not-your-turn",
    "no-such-die",
    "keep-first",
    "nothing-to-roll",
    "dice-left",
    "not-owned",
    "already-used",
    "no-dice-left",
    "not-rolled-yet",
    "not-before-roll",
    "power-in-use",
    "no-power-in-use",
    "too-high",
    "too-low",
    "no-change",
    "two-dice",
    "not-aside",
    "wrong-sum",
    "not-ascending",
    "claim-now",
    "keep-all-first",
    "nothing-claimed-now",
    "requirement",
    "none-left",
    "already-owned",
    "needs-fool",
    "has-fool",
    "king-taken",
    "only-in-last-round",
    "too-late",
)
(
    NOT_YOUR_TURN,
    NO_SUCH_DIE,
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
) = range(len(REFUSALS))
CARD_OF = tuple(
    CARDS.index(m.args.get("card", m.verb)) if m.args.get("card", m.verb) in CARDS else NOBODY
    for m in (MOVES.decode(i) for i in range(MOVES.total))
)  # whose power a move uses; NOBODY: none


def refusal(s, seat, move):
    """Why a move is not legal: the reason a player would name first."""
    if not s.pending >> seat & 1:
        return NOT_YOUR_TURN
    verb = VERB[move]
    if verb == CLAIM:
        return refusal_of_claim(s, X[move])
    if s.phase == CLAIMING:
        return CLAIM_NOW
    if verb == PASS:
        return NOTHING_CLAIMED_NOW if s.final else KEEP_ALL_FIRST
    if verb == CONCEDE:
        return TOO_LATE if s.final else ONLY_IN_LAST_ROUND
    if verb == DONE:
        return NO_POWER_IN_USE
    if s.phase > ACTING:
        return refusal_of_step(s, verb, X[move])
    if verb == TURN:
        return NO_POWER_IN_USE
    if CARD_OF[move] != NOBODY:
        return refusal_of_power(s, CARD_OF[move], verb, X[move], Y[move], Z[move])
    if s.phase == BEFORE:
        return NOT_ROLLED_YET
    if verb == KEEP:
        return NO_SUCH_DIE
    if verb == ROLL:
        return KEEP_FIRST if count_active(s) else NOTHING_TO_ROLL
    return DICE_LEFT


def refusal_of_claim(s, card):
    own = s.owns[s.seat]
    if s.final:
        return NOTHING_CLAIMED_NOW
    if s.phase != CLAIMING:
        return KEEP_ALL_FIRST
    if card == CHARLATAN:
        return NEEDS_FOOL
    if own[card]:
        return HAS_FOOL if card == FOOL else ALREADY_OWNED
    if not s.supply[card]:
        return KING_TAKEN if card == KING else NONE_LEFT
    return REQUIREMENT


def refusal_of_step(s, verb, face):
    """In the middle of a power."""
    taking = (verb == RE_ROLL_SOME and s.phase == MERCHANT_TAKES) or (verb == TAKE and s.phase == ALCHEMIST_TAKES)
    raising = (verb == RAISE_BY_1 and s.phase == NOBLEWOMAN_RAISES) or (
        verb == RAISE_BY_2 and s.phase == NOBLEMAN_RAISES
    )
    if (taking or raising) and not s.active[face]:
        return NO_SUCH_DIE
    if raising:
        return TOO_HIGH
    if taking:
        return WRONG_SUM
    if verb == TURN and s.phase >= ALCHEMIST_TAKES:
        return NOT_ASCENDING if face < s.last_turned else WRONG_SUM
    return POWER_IN_USE


def refusal_of_power(s, card, verb, x, y, z):
    if not s.owns[s.seat][card]:
        return NOT_OWNED
    if s.used[card]:
        return ALREADY_USED
    if verb == ADD or verb == ADD_ANY:
        return NOT_BEFORE_ROLL if s.phase == BEFORE and not s.early_powers else NO_DICE_LEFT
    if s.phase == BEFORE:
        return NOT_ROLLED_YET
    if not s.active[x]:
        return NO_SUCH_DIE
    if verb == SHIFT:
        return refusal_of_shift(s, x, y, z + 1)
    if verb == COPY and not s.aside[y]:
        return NOT_ASIDE
    if verb == COPY or verb == CHANGE:
        return NO_CHANGE
    return WRONG_SUM if verb == TAKE else TOO_HIGH


def refusal_of_shift(s, giver, receiver, pips):
    if count_active(s) < 2:
        return TWO_DICE
    if s.active[receiver] < (2 if giver == receiver else 1):
        return NO_SUCH_DIE
    if pips > giver:
        return TOO_LOW
    if receiver + pips > 5:
        return TOO_HIGH
    return NO_CHANGE

"""Puppet Kingdom: why a move is not legal."""

from courtly.engine.game import NOBODY
from courtly.games.puppet.servants import card, lap
from courtly.games.puppet.table import (
    ACTING,
    BUY,
    CLEAR,
    DECLINE,
    DRAFTING,
    ELEPHANT,
    FORGO,
    FOUNDATION,
    GAIN,
    GENERAL,
    HERMIT,
    IMP,
    KEEP,
    MOVES,
    NAME_KILL,
    NAME_STEAL,
    OWNED,
    PAY,
    PRINCESS,
    PRODUCES,
    PUTTING,
    REAPER,
    REVEAL,
    REVEALING,
    ROB,
    ROW,
    STEALING,
    STOLEN,
    TAKE,
    TAXED,
    TAXING,
    VERB,
    X,
    Y,
)

REFUSALS = (
    "not-your-turn",
    "draft-first",
    "not-in-hand",
    "not-face-down",
    "reveal-first",
    "already-revealed",
    "not-now",
    "effect-done",
    "effect-stolen",
    "other-servant",
    "put-first",
    "no-such-amount",
    "yourself",
    "no-card-down",
    "lies-open",
    "not-in-play",
    "not-enough",
    "not-in-row",
    "you-are-parent",
    "parent-has-none",
    "steal-first",
    "nothing-stolen",
    "took-already",
    "bought-already",
    "too-dear",
    "no-tax-now",
    "tax-first",
    "not-yours",
    "no-tax-due",
    "decided-already",
)
(
    NOT_YOUR_TURN,
    DRAFT_FIRST,
    NOT_IN_HAND,
    NOT_FACE_DOWN,
    REVEAL_FIRST,
    ALREADY_REVEALED,
    NOT_NOW,
    EFFECT_DONE,
    EFFECT_STOLEN,
    OTHER_SERVANT,
    PUT_FIRST,
    NO_SUCH_AMOUNT,
    YOURSELF,
    NO_CARD_DOWN,
    LIES_OPEN,
    NOT_IN_PLAY,
    NOT_ENOUGH,
    NOT_IN_ROW,
    YOU_ARE_PARENT,
    PARENT_HAS_NONE,
    STEAL_FIRST,
    NOTHING_STOLEN,
    TOOK_ALREADY,
    BOUGHT_ALREADY,
    TOO_DEAR,
    NO_TAX_NOW,
    TAX_FIRST,
    NOT_YOURS,
    NO_TAX_DUE,
    DECIDED_ALREADY,
) = range(len(REFUSALS))
EFFECTS = {
    "kill": REAPER,
    "steal": IMP,
    "offer": ELEPHANT,
    "clear": FOUNDATION,
    "lead": GENERAL,
    "look": HERMIT,
    "rob": PRINCESS,
}
SERVANT_OF = tuple(
    PRODUCES.index(X[i]) if verb == GAIN else EFFECTS.get(MOVES.decode(i).verb, NOBODY) for i, verb in enumerate(VERB)
)


def refusal(s, seat, move):
    """Why a move is not legal: the reason a player would name first."""
    verb = VERB[move]
    if not s.pending >> seat & 1:
        return NOT_YOUR_TURN
    if s.phase == DRAFTING:
        return NOT_IN_HAND if verb == KEEP else DRAFT_FIRST
    if s.phase == TAXING:
        return refusal_of_tax(s, seat, verb, X[move])
    if verb == PAY or verb == FORGO:
        return NO_TAX_NOW
    if s.phase == REVEALING:
        return NOT_FACE_DOWN if verb == REVEAL else REVEAL_FIRST
    if s.phase == PUTTING:
        return PUT_FIRST
    if verb == REVEAL:
        return ALREADY_REVEALED
    if SERVANT_OF[move] != NOBODY:
        return refusal_of_effect(s, seat, verb, X[move], Y[move], SERVANT_OF[move])
    if verb == DECLINE:
        return NOTHING_STOLEN
    if s.phase == STEALING:
        return STEAL_FIRST
    return refusal_of_act(s, verb, X[move])


def refusal_of_tax(s, seat, verb, building):
    if verb != PAY and verb != FORGO:
        return TAX_FIRST
    if s.place[building] != OWNED + seat:
        return NOT_YOURS
    if not TAXED[s.cards][building]:
        return NO_TAX_DUE
    return DECIDED_ALREADY if s.plan[seat][building] else NOT_ENOUGH


def refusal_of_act(s, verb, x):
    if verb == TAKE:
        return TOOK_ALREADY
    if verb != BUY:
        return NOT_NOW
    if s.bought:
        return BOUGHT_ALREADY
    return TOO_DEAR if s.place[x] == ROW else NOT_IN_ROW


def refusal_of_effect(s, seat, verb, x, y, servant):
    if s.phase == ACTING and s.used:
        return EFFECT_STOLEN if s.fate[s.seat][lap(s)] == STOLEN else EFFECT_DONE
    if servant != card(s):
        return OTHER_SERVANT
    if verb == NAME_KILL or verb == NAME_STEAL:
        return refusal_of_name(s, seat, x, y)
    if verb == CLEAR:
        return NOT_IN_ROW
    if verb == ROB:
        return YOU_ARE_PARENT if seat == s.parent else PARENT_HAS_NONE
    return NO_SUCH_AMOUNT if verb == GAIN else NOT_ENOUGH


def refusal_of_name(s, seat, target, servant):
    if target == seat:
        return YOURSELF
    if target >= s.players or not s.facedown[target]:
        return NO_CARD_DOWN
    return LIES_OPEN if s.open[servant] else NOT_IN_PLAY

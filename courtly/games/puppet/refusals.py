"""Puppet Kingdom: why a move is not legal."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.games.puppet.cards import Servant
from courtly.games.puppet.servants import card, lap
from courtly.games.puppet.table import MOVES, PRODUCES, TAXED, VERB, Fate, Phase, Place, X, Y


class Refusal(NamedInt):
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
    ) = range(30)


EFFECTS = {
    "kill": Servant.REAPER,
    "steal": Servant.IMP,
    "offer": Servant.ELEPHANT,
    "clear": Servant.FOUNDATION,
    "lead": Servant.GENERAL,
    "look": Servant.HERMIT,
    "rob": Servant.PRINCESS,
}
SERVANT_OF = tuple(
    PRODUCES.index(X[i]) if verb == MOVES.gain else EFFECTS.get(MOVES.decode(i).verb, NOBODY)
    for i, verb in enumerate(VERB)
)


def refusal(s, seat, move):
    """Return why a move is not legal: the reason that a player would name first."""
    verb = VERB[move]
    if not s.pending >> seat & 1:
        return Refusal.NOT_YOUR_TURN
    if s.phase == Phase.DRAFTING:
        return Refusal.NOT_IN_HAND if verb == MOVES.keep else Refusal.DRAFT_FIRST
    if s.phase == Phase.TAXING:
        return refusal_of_tax(s, seat, verb, X[move])
    if verb == MOVES.pay or verb == MOVES.forgo:
        return Refusal.NO_TAX_NOW
    if s.phase == Phase.REVEALING:
        return Refusal.NOT_FACE_DOWN if verb == MOVES.reveal else Refusal.REVEAL_FIRST
    if s.phase == Phase.PUTTING:
        return Refusal.PUT_FIRST
    if verb == MOVES.reveal:
        return Refusal.ALREADY_REVEALED
    if SERVANT_OF[move] != NOBODY:
        return refusal_of_effect(s, seat, verb, X[move], Y[move], SERVANT_OF[move])
    if verb == MOVES.decline:
        return Refusal.NOTHING_STOLEN
    if s.phase == Phase.STEALING:
        return Refusal.STEAL_FIRST
    return refusal_of_act(s, verb, X[move])


def refusal_of_tax(s, seat, verb, building):
    if verb != MOVES.pay and verb != MOVES.forgo:
        return Refusal.TAX_FIRST
    if s.place[building] != Place.OWNED + seat:
        return Refusal.NOT_YOURS
    if not TAXED[s.cards][building]:
        return Refusal.NO_TAX_DUE
    return Refusal.DECIDED_ALREADY if s.plan[seat][building] else Refusal.NOT_ENOUGH


def refusal_of_act(s, verb, x):
    if verb == MOVES.take:
        return Refusal.TOOK_ALREADY
    if verb != MOVES.buy:
        return Refusal.NOT_NOW
    if s.bought:
        return Refusal.BOUGHT_ALREADY
    return Refusal.TOO_DEAR if s.place[x] == Place.ROW else Refusal.NOT_IN_ROW


def refusal_of_effect(s, seat, verb, x, y, servant):
    if s.phase == Phase.ACTING and s.used:
        return Refusal.EFFECT_STOLEN if s.fate[s.seat][lap(s)] == Fate.STOLEN else Refusal.EFFECT_DONE
    if servant != card(s):
        return Refusal.OTHER_SERVANT
    if verb == MOVES.kill or verb == MOVES.steal:
        return refusal_of_name(s, seat, x, y)
    if verb == MOVES.clear:
        return Refusal.NOT_IN_ROW
    if verb == MOVES.rob:
        return Refusal.YOU_ARE_PARENT if seat == s.parent else Refusal.PARENT_HAS_NONE
    return Refusal.NO_SUCH_AMOUNT if verb == MOVES.gain else Refusal.NOT_ENOUGH


def refusal_of_name(s, seat, target, servant):
    if target == seat:
        return Refusal.YOURSELF
    if target >= s.players or not s.facedown[target]:
        return Refusal.NO_CARD_DOWN
    return Refusal.LIES_OPEN if s.open[servant] else Refusal.NOT_IN_PLAY

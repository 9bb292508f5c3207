"""Reasons why a player cannot give a card this way."""

from favours.table import MOVES, VERB, Phase, Refusal, X


def refusal(s, seat, move):
    if s.phase == Phase.GIVING and not s.hand[seat][X[move]]:
        return Refusal.NOT_IN_HAND
    if s.phase == Phase.GIVING and VERB[move] == MOVES.hide and s.hidden[seat] == s.secrets:
        return Refusal.NO_SECRETS
    return -1

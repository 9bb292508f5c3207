"""Reasons why a bid cannot be made."""

from levee.table import MOVES, VERB, Phase, Refusal, X, Y


def refusal(s, seat, move):
    if s.phase == Phase.BIDDING and VERB[move] == MOVES.bid and s.behind[seat][X[move]] <= Y[move]:
        return Refusal.TOO_FEW_DICE
    return -1

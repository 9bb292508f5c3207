"""The numbers of Sealed bids that the log names: points, the cards in hands when they are dealt, and the round."""

from courtly.engine.facts import Logged

LOGGED = (
    Logged("score", ("points",)),
    Logged("size", ("cards",), verbs=("deal",)),
    Logged("rounds", ("rounds",), verbs=("answer",)),
)

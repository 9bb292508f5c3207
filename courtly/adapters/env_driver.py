"""What an environment asks of one position: a driver (courtly.engine.native.loader) beside
courtly/engine/native/single_position_driver.py."""

from courtly.engine.rules_interface import legal, priors

ENTRY_POINTS = ("look", "offer", "prefer")
SOURCE_WRITER = ("courtly.adapters.observation", "write_source")  # what takes the place of `scaled`


def scaled(s, seat, out):
    """What a seat sees; see observation.py."""


def look(states, seat, out, scale):
    """What a seat sees, into zeros."""
    scaled(states[0], seat, out)
    for i in range(len(scale)):
        out[i] *= scale[i]
    return 0


def offer(states, seat, moves, mask):
    """The moves that are open to a seat, a 1 for each into zeros; how many they are."""
    n = legal(states[0], seat, moves)
    for i in range(n):
        mask[moves[i]] = 1
    return n


def prefer(states, seat, moves, weights):
    """The first of the moves that the policy prefers most; -1 where it has nothing to say."""
    s = states[0]
    n = legal(s, seat, moves)
    if priors(s, seat, moves, n, weights) == 0:
        return -1
    best = 0
    for i in range(n):
        if weights[i] > weights[best]:
            best = i
    return moves[best]

"""Games in which each seat has a bot of its own: a driver (courtly.engine.native.loader).

Those that play at random or by the policy play here; at the decisions of all others it comes back, to ask for a move.
`states` are four: two for whoever is asked to think with, the game that is played, a blank one or what a seat sees.
`counts` are three: decisions, random events, and the seat that is asked.
"""

from courtly.engine.constants import CHANCE
from courtly.engine.native.playout_driver import apply_random_event, lowest_pending_seat, share_victory
from courtly.engine.rng import draw_below, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, belief, determinize, legal, setup
from courtly.lab.runs.measured_playout_driver import choose_move

ENTRY_POINTS = ("begin", "imagine", "go_on", "reckon")
ASK_PYTHON = -1  # how a seat chooses that is asked; for the others it is a Chooser
DECISIONS, EVENTS, SEAT = 0, 1, 2
WORLD_STREAM = 15 << 28  # the stream of a world, apart from those of seats


def seed_streams(states, luck, minds, number, deal):
    """The same deal has the same luck, and each seat its own."""
    seed_generator(luck, number, deal)
    for seat in range(states[2].players):
        seed_generator(minds[seat], number, (seat + 1 << 28) + deal)


def begin(states, luck, minds, number, deal, counts):
    """A game before its first decision or event."""
    states[2] = states[3]
    seed_streams(states, luck, minds, number, deal)
    counts[DECISIONS] = 0
    counts[EVENTS] = 0
    setup(states[2])


def imagine(states, seat, doubts, luck, minds, number, world, counts):
    """A world as this seat may believe it to be that sees what `states[3]` shows; the same number has the same one."""
    states[2] = states[3]
    s = states[2]
    seed_generator(luck, number, WORLD_STREAM + world)
    determinize(s, seat, luck)
    for _ in range(doubts):
        if draw_below(luck, 1000) < belief(s, seat):
            break
        determinize(s, seat, luck)
    seed_streams(states, luck, minds, number, world)
    counts[DECISIONS] = 0
    counts[EVENTS] = 0
    counts[SEAT] = seat


def go_on(states, move, kinds, luck, minds, moves, weights, counts, chosen):
    """Let the seat that was asked make this move, if there is one, and go on until another is. Returns how many legal
    moves that has, all in `moves`; 0 at the end; -1 if the game does not end as it must. `chosen` counts each seat's
    decisions with a choice."""
    s = states[2]
    if move >= 0:
        counts[DECISIONS] += 1
        apply(s, counts[SEAT], move)
    while s.pending > 0:
        if counts[DECISIONS] > BOUNDS[0] or counts[EVENTS] > BOUNDS[1]:
            return -1
        if s.pending == CHANCE:
            counts[EVENTS] += 1
            if apply_random_event(s, luck, moves, weights) < 0:
                return -1
            continue
        seat = lowest_pending_seat(s)
        n = legal(s, seat, moves)
        if n < 1 or n > BOUNDS[2]:
            return -1
        best = moves[0]
        if n > 1:
            chosen[seat] += 1
            if kinds[seat] == ASK_PYTHON:
                counts[SEAT] = seat
                return n
            best = choose_move(s, seat, kinds[seat], moves, n, weights, luck, minds[seat])
        counts[DECISIONS] += 1
        apply(s, seat, best)
    return 0 if counts[DECISIONS] <= BOUNDS[0] and counts[EVENTS] <= BOUNDS[1] else -1


def reckon(states, moves, wins, points):
    """Of a game that is over what each seat has of the victory, in 60ths, and its score."""
    share_victory(states[2], moves, wins)
    for seat in range(states[2].players):
        points[seat] = moves[seat]

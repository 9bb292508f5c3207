"""The facts for the board about the houses that can be built now, and about the one that is being built."""

from courtly.engine.constants import NOBODY
from courtly.engine.facts import FactsBase, number, up_to
from courtly.games.newtown.building import filling, gems_on, hand_key, legal_building, reckon, rest, start
from courtly.games.newtown.table import (
    FOOT,
    FROM_BUILDING,
    LARGEST_SIZE,
    LAST_SCORE,
    MOVES,
    PENTHOUSE_CUBES,
    PLAIN,
    SEATS,
    STAGES,
    VERB,
    Attic,
    Colour,
    Ruleset,
    X,
    Y,
)


class Laying(FactsBase):
    """The house being built, if the largest blocks come first."""

    stages = number(up_to(STAGES), 2)  # the form and the key of the blocks of each
    laid = number()  # the key of the blocks laid in the present stage
    rest = number()  # the key of those to come


class Offer(FactsBase):
    """A house that can be built now, with the largest blocks."""

    move = number()
    points = number(FROM_BUILDING)
    sum = number()
    others = number(SEATS)  # the points of lines and squares to other seats
    loser = number()  # the owner who would lose the house; NOBODY: none
    gems = number()
    resident = number()  # 1: a resident could be chosen
    stages = number(up_to(STAGES), 2)  # the form and the key of the blocks of each


def describe_laying(s, seat, out):
    out.laid = s.laid
    out.rest = list_stages(s, seat, out.stages)


def list_stages(s, seat, stages):
    """List the stages of the house being built, if the largest blocks come first: forms, and the keys of their blocks.
    Returns the key of the blocks to come."""
    n = s.stages[s.house]
    for i in range(n):
        stages[i][0] = s.wall_form[s.house][i]
        stages[i][1] = s.walls[s.house][i]
    hand = hand_key(s, seat)
    key = rest(s, hand, s.top, s.room, s.laid)
    stages[n][0] = s.plan
    stages[n][1] = s.laid + key
    if s.attic != Attic.TO_COME:
        return key
    four = filling(hand - key, LARGEST_SIZE, PENTHOUSE_CUBES, 0, 0, 0, Attic.NONE)
    stages[n][0] = PLAIN[s.plan]
    stages[n + 1][0] = s.plan
    stages[n + 1][1] = four
    return key + four


def list_offers(s, seat, out, moves):
    """List the houses that this seat can build. This changes what is being built in the state."""
    n = 0
    for i in range(legal_building(s, seat, moves)):
        verb = VERB[moves[i]]
        if verb == MOVES.build or verb == MOVES.extend or verb == MOVES.take_over:
            describe_offer(s, seat, moves[i], out.offers[n])
            n += 1


def describe_offer(s, seat, move, out):
    """Describe what this house would bring: points by source, points of lines and squares to others, gems, the owner
    who would lose it, and whether a resident could be chosen."""
    new = VERB[move] == MOVES.build
    land = s.craftsman[seat]
    slot = s.houses[land] if new else X[move]
    form = X[move] if new else Y[move]
    start(s, seat, slot, form)
    if s.ruleset == Ruleset.ORIGINAL:
        s.pips[Colour.BLACK] += FOOT[form] + 1  # which `start` has spent
    reckon(s, seat)
    out.move = move
    out.sum = 0
    for source in range(LAST_SCORE):
        out.points[source] = s.latest[seat][source]
        out.sum += s.latest[seat][source]
    for other in range(s.players):
        out.others[other] = 0
        if other != seat:
            for source in range(LAST_SCORE):
                out.others[other] += s.latest[other][source]
    out.loser = s.owner[2 * land + slot] if VERB[move] == MOVES.take_over else NOBODY
    out.gems = gems_on(s, land) if new else 0
    out.resident = 1 if new and s.resident_shown else 0
    list_stages(s, seat, out.stages)

"""The original rules of May 2018, as far as they are known: arrival, a new tree, drafting dice, walking, buying; and an
extra round by vote.

Unknown details are filled in: prices, which craftsmen may share a land, and the vote. Building, points and the final
scoring are those of the simple rules, except for the price in black pips (building.py). There are no land cards; bonus
squares give gems.
"""

from courtly.games.newtown.building import join, split
from courtly.games.newtown.components import KING
from courtly.games.newtown.dice import ALL_WHITE, lift, total
from courtly.games.newtown.holdings import ask, gain_block, happen, in_stock
from courtly.games.newtown.table import (
    INTO_KINGS_LAND,
    KING_NUMBER,
    LAND_COUNT,
    MOVES,
    NEAR,
    ROUNDS,
    TREE_TOKENS,
    Colour,
    Event,
    Phase,
    Step,
    Vote,
)

FAR = 99

# --- arrival ----------------------------------------------------------------------------------------------------------


def arrive(s):
    """Place the craftsmen before the first round: each player throws three dice and places the craftsman on the sum; if
    another craftsman stands there, the dice are thrown again."""
    if s.turn == s.players:
        s.turn = 0
        prepare(s)
        return
    seat = (s.first + s.turn) % s.players
    if s.seat != seat or s.white[seat][0] == 0 or occupied_by_other(s, seat, total(s, seat) - 3):
        s.seat = seat
        lift(s, ALL_WHITE)
    else:
        s.craftsman[seat] = total(s, seat) - 3
        s.turn += 1


def occupied_by_other(s, seat, land):
    """Return True if another craftsman stands on this land. The King's land admits any number."""
    if land == KING:
        return False
    for other in range(s.players):
        if other != seat and s.craftsman[other] == land:
            return True
    return False


# --- preparation ------------------------------------------------------------------------------------------------------


def rank(s, seat):
    return s.craftsman[seat] + 3 if s.craftsman[seat] != KING else KING_NUMBER + s.arrived[seat]


def prepare(s):
    """Set the order of the players by the lands of their craftsmen, give the blocks, and let the first player plant a
    tree."""
    for seat in range(s.players):
        at = seat
        while at > 0 and rank(s, s.order[at - 1]) > rank(s, seat):
            s.order[at] = s.order[at - 1]
            at -= 1
        s.order[at] = seat
    for i in range(s.players):
        seat = s.order[i]
        gain_block(s, seat, i)
        if s.owned[seat]:
            gain_block(s, seat, min(6, s.owned[seat]) - 1)
    s.first = s.order[0]
    s.seat = s.first
    if planted(s) < TREE_TOKENS:
        s.step = Step.PREPARATION
        s.sown = 0
    else:
        fill_pool(s)


def planted(s):
    """Return the number of trees from the box, without the King's tree."""
    trees = 0
    for land in range(KING):
        trees += s.tree[land]
    return trees


def sow(s, face):
    s.sown += face + 1
    s.sowing -= 1
    if s.sowing == 0:
        if 3 <= s.sown <= 18:
            s.tree[s.sown - 3] = 1
        fill_pool(s)


# --- drafting ---------------------------------------------------------------------------------------------------------


def fill_pool(s):
    """Throw the dice of all players together."""
    s.filling = 6 * s.players
    s.step = Step.DRAFT
    s.turn = 0
    for seat in range(s.players):
        for i in range(3):
            s.white[seat][i] = 0
            s.times[seat][i] = 1
            s.coloured[seat][i] = 0
            s.used[seat][i] = 0


def pool_colour(s):
    """Return the colour of the next die: white first."""
    done = 6 * s.players - s.filling
    return 0 if done < 3 * s.players else 1 + (done - 3 * s.players) // s.players


def draft_on(s):
    """Let the next player draft a die, in the order of the round, six times each."""
    if s.turn < 6 * s.players:
        s.seat = s.order[s.turn % s.players]
        ask(s, Phase.DRAFTING, s.seat)
    else:
        s.turn = 0
        begin_original_turn(s)


def lacks(s, seat, colour):
    """Return True if this player still needs a die of this colour."""
    return s.white[seat][2] == 0 if colour == 0 else s.coloured[seat][colour - 1] == 0


def legal_drafting(s, seat, moves):
    n = 0
    for colour in range(4):
        if lacks(s, seat, colour):
            for face in range(6):
                if s.pool[colour][face]:
                    moves[n] = MOVES.draft + colour * 6 + face
                    n += 1
    return n


def draft(s, seat, colour, face):
    s.pool[colour][face] -= 1
    if colour:
        s.coloured[seat][colour - 1] = face + 1
    else:
        i = 0
        while s.white[seat][i]:
            i += 1
        s.white[seat][i] = face + 1
    s.turn += 1


# --- walking ----------------------------------------------------------------------------------------------------------


def begin_original_turn(s):
    s.seat = s.order[s.turn]
    s.turns += 1
    s.built = 0
    for i in range(3):
        s.pips[i] = s.coloured[s.seat][i]
    s.step = Step.WALK


def measure(s, seat):
    """Write to `s.distance` the least green pips to each land. Entering the King's land costs two, any other land
    one."""
    for land in range(LAND_COUNT):
        s.distance[land] = FAR
    s.distance[s.craftsman[seat]] = 0
    shorter = 1
    while shorter:
        shorter = 0
        for land in range(LAND_COUNT):
            price = INTO_KINGS_LAND if land == KING else 1
            for i in range(4):
                other = s.land_at[NEAR[s.map][s.place[land]][i]]
                if s.distance[other] + price < s.distance[land]:
                    s.distance[land] = s.distance[other] + price
                    shorter = 1


def legal_walking(s, seat, moves):
    measure(s, seat)
    moves[0] = MOVES.stay
    n = 1
    for land in range(LAND_COUNT):
        if 0 < s.distance[land] <= s.pips[Colour.GREEN] and not occupied_by_other(s, seat, land):
            moves[n] = MOVES.walk + land
            n += 1
    return n


def walk(s, seat, land):
    """Walk to a land. Only the land at the end of the way gives its block, in the size of the round."""
    measure(s, seat)
    s.pips[Colour.GREEN] -= s.distance[land]
    s.craftsman[seat] = land
    s.arrived[seat] = 0
    if land == KING:
        latest = 0
        for other in range(s.players):
            latest = max(latest, s.arrived[other])
        s.arrived[seat] = latest + 1
    if s.tree[land]:
        gain_block(s, seat, s.round - 1)
    leave_walk(s)


def leave_walk(s):
    if s.step == Step.WALK:
        s.step = Step.MANAGEMENT
    else:
        next_turn(s)


def next_turn(s):
    """Begin the turn of the next player, the next round, the vote after the last round, or the final scoring."""
    s.turn += 1
    if s.turn < s.players:
        begin_original_turn(s)
        return
    s.turn = 0
    if s.round < ROUNDS:
        s.round += 1
        prepare(s)
    elif s.round > ROUNDS:
        s.step = Step.COUNTING
    else:
        s.step = Step.VOTE


# --- buying -----------------------------------------------------------------------------------------------------------


def legal_managing(s, seat, moves):
    """List the purchases: a block costs its size in red pips, a new roll of one white die costs one."""
    moves[0] = MOVES.finish
    n = 1
    for size in range(min(6, s.pips[Colour.RED])):
        if in_stock(s, size):
            moves[n] = MOVES.buy + size
            n += 1
    if s.pips[Colour.RED]:
        for die in range(3):
            moves[n] = MOVES.again + die
            n += 1
    return n


# --- the extra round --------------------------------------------------------------------------------------------------


def vote_on(s):
    """Ask the next player. The extra round needs more than half of the votes."""
    if s.turn < s.players:
        s.seat = s.order[s.turn]
        ask(s, Phase.VOTING, s.seat)
        return
    yes = 0
    for seat in range(s.players):
        yes += s.votes[seat] == Vote.YES
    s.turn = 0
    if yes * 2 > s.players:
        s.round += 1
        prepare(s)
    else:
        s.step = Step.COUNTING


# --- the course of a round --------------------------------------------------------------------------------------------


def take_original_turns(s):
    """Continue a round of the original rules. Parts without pips are skipped. The caller handles the final scoring."""
    if s.step == Step.ARRIVING:
        arrive(s)
    elif s.step == Step.PREPARATION:
        if s.sowing:
            happen(s, Event.SOW)
        else:
            ask(s, Phase.PLANTING, s.seat)
    elif s.step == Step.DRAFT:
        if s.filling:
            happen(s, Event.POOL)
        else:
            draft_on(s)
    elif s.step == Step.WALK or s.step == Step.SECOND_WALK:
        if s.pips[Colour.GREEN]:
            ask(s, Phase.WALKING, s.seat)
        else:
            leave_walk(s)
    elif s.step == Step.MANAGEMENT:
        if s.pips[Colour.RED]:
            ask(s, Phase.MANAGING, s.seat)
        else:
            s.step = Step.CONSTRUCTION
    else:
        vote_on(s)


def legal_original(s, seat, moves):
    if s.phase == Phase.DRAFTING:
        return legal_drafting(s, seat, moves)
    if s.phase == Phase.WALKING:
        return legal_walking(s, seat, moves)
    if s.phase == Phase.MANAGING:
        return legal_managing(s, seat, moves)
    if s.phase == Phase.PLANTING:
        return all_of(MOVES.plant, 3, moves)
    return all_of(MOVES.vote, 2, moves)


def all_of(first, n, moves):
    for i in range(n):
        moves[i] = first + i
    return n


def do_original(s, seat, verb, x, y):
    if verb == MOVES.draft:
        draft(s, seat, x, y)
    elif verb == MOVES.walk:
        walk(s, seat, x)
    elif verb == MOVES.stay:
        leave_walk(s)
    elif verb == MOVES.buy:
        s.pips[Colour.RED] -= x + 1
        gain_block(s, seat, x)
    elif verb == MOVES.again:
        s.pips[Colour.RED] -= 1
        lift(s, 1 << x)
    elif verb == MOVES.split:
        split(s, seat, x, y)
    elif verb == MOVES.join:
        join(s, seat, x, y)
    elif verb == MOVES.plant:
        s.sowing = x + 2
    else:
        s.votes[seat] = Vote.NO + x
        s.turn += 1

"""Information-set Monte-Carlo tree search with the rules of any game, for the view of one seat. It is a driver
(courtly.engine.native.loader).

Each simulation deals again what the seat cannot see, descends the tree, adds a node, plays to the end of the game, and
adds each mover's reward to its decisions on the way. A node is an information set of its mover: decisions that look the
same to the mover share a node, whatever the world and the order of moves that led there, and simultaneous choices do
not see each other. The legal moves of a seat depend only on what it sees, so a node has the same moves in every world,
and all of them are available at each visit. When a table is full, the tree stops growing, and nothing is removed.

If the game has a policy, the search uses it: nodes explore moves with high priors first, playouts draw their moves from
the priors, a simulation that is long enough ends with the policy's value, and worlds are dealt again if the other seats
would hardly have made their choices in them.

All numbers are integers, except for one square root, which gives the same result on every machine. All rows are flat:

    nodes   a hash table with NODE_WIDTH numbers for each node: KEY, VISITS (0: free), FIRST (its moves in `moved`),
            MOVES (their number)
    moved   three numbers for each move of each node: how often it was made, the sum of the mover's rewards, its prior
    habits  the mean reward of each move of each seat in all simulations; behind these, two for each: how often it was
            made, the sum of the rewards
    path    the moves in `moved` that led down the tree, each with its mover
    done    the habits of this simulation
    tally   numbers in use (NODES, MOVED), simulations without space (FULL), the sum and the number of the differences
            between the seats' scores (MARGINS, COMPARED), 1 after the first call (BEGUN)
    wins    each seat's victories in 60ths, then the searching seat's own by each move of the root
    dials   see `SearchSettings` of search.py
"""

import hashlib
from itertools import accumulate
from math import sqrt

from courtly.engine.constants import CHANCE, MAX_SEATS, NOBODY
from courtly.engine.rng import WORD_MASK, draw_below, draw_word, index_by_weight, pick_weighted
from courtly.engine.rules_interface import (
    apply,
    belief,
    chance,
    considered,
    determinize,
    legal,
    priors,
    recall,
    scores,
    value,
)

ENTRY_POINTS = ("search",)
LOWEST_SEAT_BY_MASK = tuple((mask & -mask).bit_length() - 1 for mask in range(CHANCE << 1))
NODE_WIDTH, KEY, VISITS, FIRST, MOVES = 4, 0, 1, 2, 3
NODES, MOVED, FULL, MARGINS, COMPARED, BEGUN, TALLIES = range(7)
EDGE_WIDTH, TIMES, BROUGHT, SHARE = 3, 0, 1, 2
CURIOSITY, TRUST, TRIES, WHIM, PLACE, LONGEST, PULL, DRAWS, HORIZON, ONLY, PEEKS, DOUBTS, DIALS = range(13)
HASH_STEP, HASH_FACTOR = 0x9E3779B97F4A7, 0x2545F4914F6CDD1D
LUCK_MULTIPLIER = 0x915F77F5  # multiplier of a congruential generator that derives further numbers from one
REWARD_SCALE = 1 << 16  # the best reward: a victory by a large margin; 0 is the worst
HARMONIC_NUMBERS = (
    0,
    *accumulate(REWARD_SCALE // n for n in range(1, 1 << 12)),
)  # 1 + 1/2 + … + 1/n, which grows like the logarithm
LOGARITHM_OF_1024 = 454_261  # by how much the logarithm grows if its argument is multiplied by 1024


def reset_world(states):
    """Reset the world to the state that the seat sees."""
    states[1] = states[0]


def _reset_world_interpreted(states):
    states[1] = states[0].copy()


def hash_view(states, words, masks, seat):
    """Return a hash of what a seat sees of the world and of the seat itself. It is a sum over all words, each mixed
    with its place, so that the additions do not depend on each other."""
    world = words[1]
    seen = masks[seat]
    h = seat
    place = 0
    for i in range(len(seen)):
        h += mix_bits((world[i] & seen[i]) + place)
        place += HASH_STEP
    return h


def mix_bits(h):
    """Return a mix in which every bit depends on all bits of the argument, so that differences in two words do not
    cancel."""
    for _ in range(2):
        h = (h ^ h >> 32 & WORD_MASK) * HASH_FACTOR
    return h ^ h >> 32 & WORD_MASK


def _hash_view_interpreted(states, _words, _masks, seat):
    seen = states[1].from_view(states[1].view(seat)).pack()
    return int.from_bytes(hashlib.blake2b(seen + bytes([seat]), digest_size=8).digest(), "big", signed=True)


# The loader (loader.py) uses these forms without compilation. mypy has no type for function attributes.
reset_world.interpreted = _reset_world_interpreted  # type: ignore[attr-defined]
hash_view.interpreted = _hash_view_interpreted  # type: ignore[attr-defined]


def estimate_logarithm(n):
    return (
        HARMONIC_NUMBERS[n]
        if n < len(HARMONIC_NUMBERS)
        else HARMONIC_NUMBERS[min(n >> 10, len(HARMONIC_NUMBERS) - 1)] + LOGARITHM_OF_1024
    )


def apply_random_event(s, rng, moves, weights):
    n = chance(s, moves, weights)
    apply(s, NOBODY, moves[pick_weighted(rng, weights, n)])


def find_slot(nodes, h):
    """Return the slot of a node in the table, or the free slot for it."""
    last = len(nodes) // NODE_WIDTH - 1
    at = h & last
    while nodes[at * NODE_WIDTH + VISITS] and nodes[at * NODE_WIDTH + KEY] != h:
        at = at + 1 & last
    return at * NODE_WIDTH


def visit_node(s, mover, moves, n, weights, nodes, moved, tally, h):
    """Return the slot of the node with this key, which has n moves. Create it if necessary; return -1 if there is no
    space."""
    at = find_slot(nodes, h)
    if nodes[at + VISITS] == 0:
        if 2 * (tally[NODES] + 1) * NODE_WIDTH > len(nodes) or tally[MOVED] + EDGE_WIDTH * n > len(moved):
            tally[FULL] += 1
            return -1
        nodes[at + KEY] = h
        nodes[at + FIRST] = tally[MOVED]
        nodes[at + MOVES] = n
        all_ = priors(s, mover, moves, n, weights)
        for i in range(n):
            edge = tally[MOVED] + EDGE_WIDTH * i
            moved[edge + TIMES] = 0
            moved[edge + BROUGHT] = 0
            moved[edge + SHARE] = weights[i] * REWARD_SCALE // all_ if all_ > 0 else 0
        tally[MOVED] += EDGE_WIDTH * n
        tally[NODES] += 1
    elif nodes[at + MOVES] != n:  # a hash collision with another node
        return -1
    nodes[at + VISITS] += 1
    return at


def habit_index(seat, move, total):
    return seat * total + move


def reset_habits(habits):
    """Reset the habits: each move counts as made once with a reward of one half."""
    count = len(habits) // 3
    for i in range(count):
        habits[i] = REWARD_SCALE // 2
        habits[count + 2 * i] = 1
        habits[count + 2 * i + 1] = REWARD_SCALE // 2


def select_move(moves, n, mover, total, first, visits, moved, habits, dials, rng):
    """Return the index of the move to explore: one with high rewards, few visits, or a high prior. Before its first
    visit, a move is judged by its rewards elsewhere."""
    trust = dials[TRUST]
    curious = dials[CURIOSITY]
    grown = estimate_logarithm(visits)
    pull = int(dials[PULL] * sqrt(visits))
    never = int(curious * sqrt(grown / (trust * REWARD_SCALE)))
    best = 0
    most = -1
    start = draw_below(rng, n)  # a random one among equals
    for k in range(n):
        i = k + start if k + start < n else k + start - n
        edge = first + EDGE_WIDTH * i
        times = moved[edge + TIMES]
        elsewhere = habits[habit_index(mover, moves[i], total)]
        if times == 0:  # the same as below without a division
            hope = elsewhere + never + pull * moved[edge + SHARE] // REWARD_SCALE
        else:
            all_ = times + trust
            hope = (moved[edge + BROUGHT] + trust * elsewhere) // all_
            hope += int(curious * sqrt(grown / (all_ * REWARD_SCALE)))
            hope += pull * moved[edge + SHARE] // (REWARD_SCALE * (1 + times))
        if hope > most:
            most = hope
            best = i
    return best


def choose_playout_move(s, moves, n, mover, total, weights, habits, dials, rng):
    """Return the index of a playout move: the one with the best habit of a few candidates, or a random one. The policy
    proposes the candidates, if it has priors."""
    all_ = priors(s, mover, moves, n, weights) if dials[DRAWS] > 0 else 0
    tries = (
        1
        if dials[WHIM] > 0 and draw_below(rng, REWARD_SCALE) < dials[WHIM]
        else dials[DRAWS]
        if all_ > 0
        else dials[TRIES]
    )
    best = 0
    if all_ > 0:
        for _ in range(tries):
            i = index_by_weight(weights, n, draw_below(rng, all_))
            best = max(best, habits[habit_index(mover, moves[i], total)] << 16 | i)  # without a branch
    else:
        luck = draw_word(rng)
        for _ in range(tries):
            i = luck * n >> 32
            best = max(best, habits[habit_index(mover, moves[i], total)] << 16 | i)
            luck = luck * LUCK_MULTIPLIER + 1 & WORD_MASK
    return best & 0xFFFF


def compute_rewards(s, row, gains, tally, wins, place):
    """Write each seat's reward, from 0 to REWARD_SCALE: for its placement, and for its lead over the best other seat,
    or its deficit. If the game was cut off, only the lead counts."""
    n = s.players
    for seat in range(n):
        row[seat] = 0
    scores(s, row)
    top = row[0]
    for seat in range(1, n):
        top = max(top, row[seat])
    winners = 0
    for seat in range(n):
        winners += row[seat] == top
    for seat in range(n):
        beaten = 0
        margin = 0
        rivals = 0
        for other in range(n):
            if other != seat:
                ahead = row[seat] - row[other]
                beaten += (ahead > 0) - (ahead < 0)
                margin = ahead if rivals == 0 else min(margin, ahead)
                rivals += 1
        tally[MARGINS] += abs(margin)
        tally[COMPARED] += 1
        usually = tally[MARGINS] // tally[COMPARED] + 1
        gains[seat] = (REWARD_SCALE + REWARD_SCALE * margin // (usually + abs(margin))) // 2
        if s.pending == 0:
            gains[seat] = (
                place * (REWARD_SCALE + REWARD_SCALE * beaten // max(rivals, 1)) // 2
                + (REWARD_SCALE - place) * gains[seat]
            ) // REWARD_SCALE
            if row[seat] == top:
                wins[seat] += 60 // winners


def backpropagate(gains, moved, habits, path, depth, done, length):
    """Add the mover's reward to each decision of the simulation."""
    for k in range(depth):
        moved[path[2 * k] + TIMES] += 1
        moved[path[2 * k] + BROUGHT] += gains[path[2 * k + 1]]
    for k in range(length):
        at = done[k] // MAX_SEATS
        often = len(habits) // 3 + 2 * at
        habits[often] += 1
        habits[often + 1] += gains[done[k] % MAX_SEATS]
        habits[at] = habits[often + 1] // habits[often]


def search(
    states, words, masks, seat, count, total, rng, moves, weights,
    gains, nodes, moved, habits, path, done, tally, wins, dials,
):  # fmt: skip  # in two lines, like in `_SearchTree`
    """Run `count` simulations, in addition to those of earlier calls with the same rows. `tally` must be zeros at the
    first call.

    `states[0]` is the position as the seat sees it, with more than one legal move; `states[1]` holds the world. `words`
    are their bytes, and `masks` the bits of these that each seat sees. `total` is the number of moves of the game.
    """
    if tally[BEGUN] == 0:
        tally[BEGUN] = 1
        reset_habits(habits)
        if dials[PEEKS] == 0:
            recall(states[0], seat)
    for _ in range(count):
        reset_world(states)
        s = states[1]
        if dials[PEEKS] == 0:
            determinize(s, seat, rng)
            for _ in range(dials[DOUBTS]):
                if draw_below(rng, 1000) < belief(s, seat):
                    break
                determinize(s, seat, rng)
        before = wins[seat]
        depth = 0
        length = 0
        steps = 0
        grows = True
        seen = 0  # 1 if the simulation ended with the policy's value
        while s.pending > 0 and steps < dials[LONGEST]:
            if length > 0 and length >= dials[HORIZON]:  # a policy may have a value only after events
                seen = value(s, weights)
                if seen:
                    break
            steps += 1
            if s.pending == CHANCE:
                apply_random_event(s, rng, moves, weights)
                continue
            mover = seat if s.pending >> seat & 1 else LOWEST_SEAT_BY_MASK[s.pending]
            n = legal(s, mover, moves)
            if n < 1:
                break
            i = 0
            if n > 1:
                at = -1
                some = considered(s, mover, moves, n)
                if grows and 2 * depth < len(path):
                    h = hash_view(states, words, masks, mover)
                    at = visit_node(s, mover, moves, n, weights, nodes, moved, tally, h)
                if at < 0:
                    grows = False
                    i = choose_playout_move(s, moves, some, mover, total, weights, habits, dials, rng)
                else:
                    grows = nodes[at + VISITS] > 1
                    i = select_move(
                        moves, some, mover, total, nodes[at + FIRST], nodes[at + VISITS], moved, habits, dials, rng
                    )
                    if depth == 0 and dials[ONLY] >= 0:
                        i = dials[ONLY]
                    path[2 * depth] = nodes[at + FIRST] + EDGE_WIDTH * i
                    path[2 * depth + 1] = mover
                    depth += 1
                if length < len(done):
                    done[length] = habit_index(mover, moves[i], total) * MAX_SEATS + mover
                    length += 1
            apply(s, mover, moves[i])
        if seen == 0:
            compute_rewards(s, weights, gains, tally, wins, dials[PLACE])
        for k in range(s.players * seen):
            gains[k] = weights[k] * REWARD_SCALE // 1000
        backpropagate(gains, moved, habits, path, depth, done, length)
        if path[0] // EDGE_WIDTH < len(wins) - MAX_SEATS:  # the moves of the root are the first in `moved`
            wins[MAX_SEATS + path[0] // EDGE_WIDTH] += wins[seat] - before

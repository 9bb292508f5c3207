"""Information-set Monte-Carlo tree search by any game's rules, for one seat's view: a driver
(courtly.engine.native.loader).

Every simulation deals anew what the seat cannot see, walks down the tree, adds a node, plays on to the end, and tells
each decision on the way what its own mover got. A node is what its mover knows: decisions that look the same to whoever
makes them are one, in whatever world and order they came about, and choices made at once do not see each other. What a
seat may do follows from what it sees, so a node's moves are the same in every world, and each is available at every
visit. When a table is full the tree grows no more, and nothing is forgotten.

Where a game has a policy, it is followed: in the tree moves that it prefers are looked into first, playouts draw from
it, a simulation that has gone far enough ends with its value, and worlds in which the others chose what they would
hardly choose are seldom.

Whole numbers, but for one square root, which is the same on every machine. All rows are flat:

    nodes   a table by hash, WIDTH numbers each: KEY, VISITS (0: free), FIRST (of its moves in `moved`), MOVES (number)
    moved   of each move of a node three: how often it was made, what its mover got by it in all, and the policy
    habits  what each move of each seat brought on average in all simulations; behind these, of each two: how often it
            was made, what it brought in all
    path    the moves in `moved` that led down the tree, each with its mover
    done    the habits of this simulation
    tally   how much is in use (NODES, MOVED), simulations without room (FULL), by how much seats were ahead or behind,
            in all and how often (MARGINS, COMPARED), 1 after the first call (BEGUN)
    wins    each seat's victories in 60ths, then the searcher's own by each move of the root
    dials   see `Dials`
"""

import hashlib
from itertools import accumulate
from math import sqrt

from courtly.engine.game import CHANCE, MOST_SEATS, NOBODY
from courtly.engine.rng import MASK, below, pick, place, word
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

TOP = ("search",)
LOWEST = tuple((mask & -mask).bit_length() - 1 for mask in range(CHANCE << 1))
WIDTH, KEY, VISITS, FIRST, MOVES = 4, 0, 1, 2, 3
NODES, MOVED, FULL, MARGINS, COMPARED, BEGUN, TALLIES = range(7)
EDGE, TIMES, BROUGHT, SHARE = 3, 0, 1, 2
CURIOSITY, TRUST, TRIES, WHIM, PLACE, LONGEST, PULL, DRAWS, HORIZON, ONLY, PEEKS, DOUBTS, DIALS = range(13)
STEP, FACTOR = 0x9E3779B97F4A7, 0x2545F4914F6CDD1D
SPREAD = 0x915F77F5  # makes many numbers of one
ONE = 1 << 16  # the best reward: to win, and far ahead; 0 is the worst
LOG = (0, *accumulate(ONE // n for n in range(1, 1 << 12)))  # 1 + 1/2 + … + 1/n, which grows as the logarithm
TENFOLD = 454_261  # by which the logarithm is greater of a number 1024 times as great


def renew(states):
    """The world is as the seat sees it."""
    states[1] = states[0]


def _renew(states):
    states[1] = states[0].copy()


def key(states, words, masks, seat):
    """What a seat sees of the world, and that it is the one to decide, as a number: a sum over all words, each mixed
    with its place, so that none waits for another."""
    world = words[1]
    seen = masks[seat]
    h = seat
    place = 0
    for i in range(len(seen)):
        h += stir((world[i] & seen[i]) + place)
        place += STEP
    return h


def stir(h):
    """Every bit of it becomes all: what differs in one word is never made up for in another."""
    for _ in range(2):
        h = (h ^ h >> 32 & MASK) * FACTOR
    return h ^ h >> 32 & MASK


def _key(states, _words, _masks, seat):
    seen = states[1].from_view(states[1].view(seat)).pack()
    return int.from_bytes(hashlib.blake2b(seen + bytes([seat]), digest_size=8).digest(), "big", signed=True)


# The loader (loader.py) takes these forms where nothing is compiled. Python lets a function carry attributes; mypy has
# no type for one that does.
renew.interpreted = _renew  # type: ignore[attr-defined]
key.interpreted = _key  # type: ignore[attr-defined]


def logarithm(n):
    return LOG[n] if n < len(LOG) else LOG[min(n >> 10, len(LOG) - 1)] + TENFOLD


def happen(s, rng, moves, weights):
    n = chance(s, moves, weights)
    apply(s, NOBODY, moves[pick(rng, weights, n)])


def place_of(nodes, h):
    """Where a node is in the table, or the free place for it."""
    last = len(nodes) // WIDTH - 1
    at = h & last
    while nodes[at * WIDTH + VISITS] and nodes[at * WIDTH + KEY] != h:
        at = at + 1 & last
    return at * WIDTH


def visit(s, mover, moves, n, weights, nodes, moved, tally, h):
    """The node of this key, with n moves; -1 if there is none and no room for it."""
    at = place_of(nodes, h)
    if nodes[at + VISITS] == 0:
        if 2 * (tally[NODES] + 1) * WIDTH > len(nodes) or tally[MOVED] + EDGE * n > len(moved):
            tally[FULL] += 1
            return -1
        nodes[at + KEY] = h
        nodes[at + FIRST] = tally[MOVED]
        nodes[at + MOVES] = n
        all_ = priors(s, mover, moves, n, weights)
        for i in range(n):
            edge = tally[MOVED] + EDGE * i
            moved[edge + TIMES] = 0
            moved[edge + BROUGHT] = 0
            moved[edge + SHARE] = weights[i] * ONE // all_ if all_ > 0 else 0
        tally[MOVED] += EDGE * n
        tally[NODES] += 1
    elif nodes[at + MOVES] != n:  # another node of the same key
        return -1
    nodes[at + VISITS] += 1
    return at


def habit(seat, move, total):
    return seat * total + move


def forget(habits):
    """Of no move it is known what it brings: as if each had been made once, and had brought half."""
    count = len(habits) // 3
    for i in range(count):
        habits[i] = ONE // 2
        habits[count + 2 * i] = 1
        habits[count + 2 * i + 1] = ONE // 2


def promising(moves, n, mover, total, first, visits, moved, habits, dials, rng):
    """Which move of a node to look into: one that brought much, or was made seldom, or that the policy prefers. Before
    it was made at all, what it brings elsewhere counts for it."""
    trust = dials[TRUST]
    curious = dials[CURIOSITY]
    grown = logarithm(visits)
    pull = int(dials[PULL] * sqrt(visits))
    never = int(curious * sqrt(grown / (trust * ONE)))
    best = 0
    most = -1
    start = below(rng, n)  # among equals any
    for k in range(n):
        i = k + start if k + start < n else k + start - n
        edge = first + EDGE * i
        times = moved[edge + TIMES]
        elsewhere = habits[habit(mover, moves[i], total)]
        if times == 0:  # as below, without a division
            hope = elsewhere + never + pull * moved[edge + SHARE] // ONE
        else:
            all_ = times + trust
            hope = (moved[edge + BROUGHT] + trust * elsewhere) // all_
            hope += int(curious * sqrt(grown / (all_ * ONE)))
            hope += pull * moved[edge + SHARE] // (ONE * (1 + times))
        if hope > most:
            most = hope
            best = i
    return best


def usual(s, moves, n, mover, total, weights, habits, dials, rng):
    """A move of a playout: the best of a few by what such moves brought, or any. The policy, if it has something to
    say, names these few."""
    all_ = priors(s, mover, moves, n, weights) if dials[DRAWS] > 0 else 0
    tries = 1 if dials[WHIM] > 0 and below(rng, ONE) < dials[WHIM] else dials[DRAWS] if all_ > 0 else dials[TRIES]
    best = 0
    if all_ > 0:
        for _ in range(tries):
            i = place(weights, n, below(rng, all_))
            best = max(best, habits[habit(mover, moves[i], total)] << 16 | i)  # without a branch
    else:
        luck = word(rng)
        for _ in range(tries):
            i = luck * n >> 32
            best = max(best, habits[habit(mover, moves[i], total)] << 16 | i)
            luck = luck * SPREAD + 1 & MASK
    return best & 0xFFFF


def reward(s, row, gains, tally, wins, place):
    """What each seat gets, from 0 to ONE: for its place, and for how far it is ahead of the best of the others or
    behind. Of a game that was cut off the scores as they stand tell only that."""
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
        gains[seat] = (ONE + ONE * margin // (usually + abs(margin))) // 2
        if s.pending == 0:
            gains[seat] = (place * (ONE + ONE * beaten // max(rivals, 1)) // 2 + (ONE - place) * gains[seat]) // ONE
            if row[seat] == top:
                wins[seat] += 60 // winners


def learn(gains, moved, habits, path, depth, done, length):
    """Each decision is told what its mover got."""
    for k in range(depth):
        moved[path[2 * k] + TIMES] += 1
        moved[path[2 * k] + BROUGHT] += gains[path[2 * k + 1]]
    for k in range(length):
        at = done[k] // MOST_SEATS
        often = len(habits) // 3 + 2 * at
        habits[often] += 1
        habits[often + 1] += gains[done[k] % MOST_SEATS]
        habits[at] = habits[often + 1] // habits[often]


def search(
    states, words, masks, seat, count, total, rng, moves, weights,
    gains, nodes, moved, habits, path, done, tally, wins, dials,
):  # fmt: skip  # in two lines, as `Search._search` gives them
    """So many simulations, after those of the calls before with the same rows; a first call has a `tally` of zeros.
    `states[0]` is the position as the seat sees it, with more than one move for it; `states[1]` is the world, `words`
    their bytes, `masks` which of these each seat sees; `total` is how many moves there are."""
    if tally[BEGUN] == 0:
        tally[BEGUN] = 1
        forget(habits)
        if dials[PEEKS] == 0:
            recall(states[0], seat)
    for _ in range(count):
        renew(states)
        s = states[1]
        if dials[PEEKS] == 0:
            determinize(s, seat, rng)
            for _ in range(dials[DOUBTS]):
                if below(rng, 1000) < belief(s, seat):
                    break
                determinize(s, seat, rng)
        before = wins[seat]
        depth = 0
        length = 0
        steps = 0
        grows = True
        seen = 0  # was the end told by the policy's value?
        while s.pending > 0 and steps < dials[LONGEST]:
            if length > 0 and length >= dials[HORIZON]:  # after events too: a policy may wait for a quiet position
                seen = value(s, weights)
                if seen:
                    break
            steps += 1
            if s.pending == CHANCE:
                happen(s, rng, moves, weights)
                continue
            mover = seat if s.pending >> seat & 1 else LOWEST[s.pending]
            n = legal(s, mover, moves)
            if n < 1:
                break
            i = 0
            if n > 1:
                at = -1
                some = considered(s, mover, moves, n)
                if grows and 2 * depth < len(path):
                    h = key(states, words, masks, mover)
                    at = visit(s, mover, moves, n, weights, nodes, moved, tally, h)
                if at < 0:
                    grows = False
                    i = usual(s, moves, some, mover, total, weights, habits, dials, rng)
                else:
                    grows = nodes[at + VISITS] > 1
                    i = promising(
                        moves, some, mover, total, nodes[at + FIRST], nodes[at + VISITS], moved, habits, dials, rng
                    )
                    if depth == 0 and dials[ONLY] >= 0:
                        i = dials[ONLY]
                    path[2 * depth] = nodes[at + FIRST] + EDGE * i
                    path[2 * depth + 1] = mover
                    depth += 1
                if length < len(done):
                    done[length] = habit(mover, moves[i], total) * MOST_SEATS + mover
                    length += 1
            apply(s, mover, moves[i])
        if seen == 0:
            reward(s, weights, gains, tally, wins, dials[PLACE])
        for k in range(s.players * seen):
            gains[k] = weights[k] * ONE // 1000
        learn(gains, moved, habits, path, depth, done, length)
        if path[0] // EDGE < len(wins) - MOST_SEATS:  # the root's moves are the first in `moved`
            wins[MOST_SEATS + path[0] // EDGE] += wins[seat] - before

"""Many games side by side in native arrays: a driver (courtly.engine.native.loader) in the dialect of
playout_driver.py, but for the numbers of observations, rewards and networks. What the arrays are is told in arrays.py.

A game is over for one of these reasons, which `over` says of every step: it has ended, it was cut because it went on
for too long, or what was chosen was not legal.

Who may do what is read from `offers`, which nobody is shown: into the arrays that are, anything may have been written.

Threads share the work of a step without asking the system: the first lays it out, and whoever comes takes of it, block
by block, each its own first and then what is left of others'. So no game waits for a thread that sleeps or is gone, and
all end together. What they tell each other stands in `words`, rows of `WORDS_PER_LINE` numbers, each row apart from
the others in the memory.
"""

from math import exp

from courtly.adapters.atomic import atomic_add, atomic_read, atomic_write, spin_pause
from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.native.playout_driver import choose_preferred, lowest_pending_seat
from courtly.engine.rng import draw_below, draw_word, pick_weighted, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, chance, legal, scores, setup

ENTRY_POINTS = ("advance", "sample")
SOURCE_WRITER = ("courtly.adapters.observation", "write_source")  # what takes the places of `scaled` and `raw`
RUNNING, ENDED, CUT, ILLEGAL = range(4)
BEGIN, MOVE, DRAW = range(3)  # what `advance` is to do
RANDOM, POLICY, BEST, SAMPLED = range(4)  # how opponents choose: the last two by a network
SEAT, COUNT, MOVES = range(3)  # in `offers`: who is to move, how many moves there are, and where they begin
MAX_SKIPPED_GAMES = 1000  # games in a row in which no hero has anything to decide
WORDS_PER_LINE = 16  # whole numbers, two cache lines
# in `words`: the round, what it asks for, the seed, how many games a block has; how many blocks are not done yet, and
# which game could not go on, plus 1; then of each thread how many blocks of its own are left, how many it has, which is
# the first of them, and whether it sleeps
ROUND, TASK, NUMBER, SIZE = range(4)
UNDONE, STUCK = WORDS_PER_LINE, WORDS_PER_LINE + 1
LEFT, OWN, FIRST, ASLEEP = range(2 * WORDS_PER_LINE, 2 * WORDS_PER_LINE + 4)
SPIN_LIMIT = 10_000  # how often a thread looks whether there is more to do, before it sleeps: some 0.1 ms
HELP_CHECK_SPINS = 1000  # and how often whether another goes on, before it helps: games are slow to change the core


def scaled(s, seat, out):
    """What a seat sees; see observation.py."""


def raw(s, seat, out):
    """The same as whole numbers."""


def advance(
    who,
    words,
    heroes,
    opponents,
    limit,
    actions,
    states,
    rngs,
    games,
    lengths,
    moves,
    weights,
    offers,
    choices,
    counts,
    seats,
    mask,
    floats,
    scale,
    raws,
    last_floats,
    last_raws,
    rewards,
    over,
    net,
    layers,
    room,
):
    """Thread 0: a step, done when it returns; or else, if another thread is held up, when no block is UNDONE. Any other
    thread: its share of each step, until there has been none for a while."""
    threads = len(words) // WORDS_PER_LINE - 2
    last_round = words[ROUND] - 1
    if who == 0:
        blocks = 0
        for k in range(threads):
            blocks += words[OWN + k * WORDS_PER_LINE]
        atomic_write(words, UNDONE, blocks)
        for k in range(threads):
            atomic_write(words, LEFT + k * WORDS_PER_LINE, words[OWN + k * WORDS_PER_LINE])
        atomic_add(words, ROUND, 1)
    while True:
        looks = 0
        while who > 0 and atomic_read(words, ROUND) == last_round:
            looks += 1
            if looks > SPIN_LIMIT:
                atomic_write(words, ASLEEP + who * WORDS_PER_LINE, 1)
                return
            spin_pause()
        last_round = atomic_read(words, ROUND)
        done = 0
        for k in range(who, who + threads):
            whose = k % threads * WORDS_PER_LINE
            looks = 0
            left = atomic_read(words, LEFT + whose)
            while k > who and left > 0 and looks < HELP_CHECK_SPINS:
                spin_pause()
                looks += 1
                if atomic_read(words, LEFT + whose) != left:
                    left = atomic_read(words, LEFT + whose)
                    looks = 0
            while True:
                left = atomic_add(words, LEFT + whose, -1)
                if left < 1:
                    break
                size = words[SIZE]
                first = (words[FIRST + whose] + words[OWN + whose] - left) * size
                at = decide(
                    first,
                    min(first + size, len(seats)),
                    words[TASK],
                    words[NUMBER],
                    heroes,
                    opponents,
                    limit,
                    actions,
                    states,
                    rngs,
                    games,
                    lengths,
                    moves,
                    weights,
                    offers,
                    choices,
                    counts,
                    seats,
                    mask,
                    floats,
                    scale,
                    raws,
                    last_floats,
                    last_raws,
                    rewards,
                    over,
                    net,
                    layers,
                    room,
                )
                if at >= 0:
                    atomic_write(words, STUCK, at + 1)
                done += 1
        atomic_add(words, UNDONE, -done)
        if who == 0:
            looks = 0
            while atomic_read(words, UNDONE) > 0 and looks < SPIN_LIMIT:
                looks += 1
                spin_pause()
            return


def decide(
    first,
    last,
    task,
    number,
    heroes,
    opponents,
    limit,
    actions,
    states,
    rngs,
    games,
    lengths,
    moves,
    weights,
    offers,
    choices,
    counts,
    seats,
    mask,
    floats,
    scale,
    raws,
    last_floats,
    last_raws,
    rewards,
    over,
    net,
    layers,
    room,
):
    """One decision in each of the games first to last - 1: that of `actions`, or one drawn; or else they begin. Who is
    over begins again. Returns -1, or which game cannot go on."""
    for i in range(first, last):
        s = states[i]
        rng = rngs[i]
        length = lengths[i]
        offer = offers[i]
        seat = offer[SEAT]
        move = actions[i]
        tries = 0
        over[i] = RUNNING
        for k in range(s.players):
            rewards[i][k] = 0
        if task == DRAW:
            move = offer[MOVES + draw_below(rng, offer[COUNT])]
        if task == BEGIN:
            games[i] = i
            length[2] = 0
            begin(states, i, rng, number, i, length)
            move = -1
            for k in range(mask.shape[1]):
                mask[i][k] = 0
        elif task == MOVE and not is_offered(offer, move):
            over[i] = ILLEGAL
            for k in range(s.players):
                rewards[i][k] = 1 / (s.players - 1)
            rewards[i][seat] = -1
            move = -1
        else:
            length[0] += 1
        while True:
            if move >= 0:
                apply(s, seat, move)
            if s.pending == 0 or over[i] == ILLEGAL and tries == 0 or length[0] >= limit or length[1] > BOUNDS[1]:
                if tries == 0 and task != BEGIN:
                    if over[i] == RUNNING:
                        over[i] = CUT
                        if s.pending == 0:
                            over[i] = ENDED
                            write_places(s, moves, rewards[i])
                    observe(s, offer[SEAT], i, last_floats, scale, last_raws)
                    length[2] = length[0]
                tries += 1
                if tries > MAX_SKIPPED_GAMES:
                    return i
                games[i] += len(seats)
                begin(states, i, rng, number, games[i], length)
                move = -1
                continue
            seat = lowest_pending_seat(s)
            if s.pending == CHANCE:
                n = chance(s, moves, weights)
                at = pick_weighted(rng, weights, n)
                if n < 1 or weights[at] < 1:
                    return i
                seat = NOBODY
                move = moves[at]
                length[1] += 1
                continue
            n = legal(s, seat, moves)
            if n < 1 or n > BOUNDS[2] or seat >= s.players:
                return i
            if heroes >> seat & 1:
                break
            length[0] += 1
            if opponents == RANDOM:
                move = moves[draw_below(rng, n)]
            elif opponents == POLICY:
                move = choose_preferred(s, seat, moves, n, weights, rng)
            else:
                move = choose_by_network(s, seat, moves, n, opponents, rng, scale, net, layers, room)
        row = mask[i]
        shown = choices[i]
        for k in range(MOVES, MOVES + offer[COUNT]):
            row[offer[k]] = 0
        for k in range(n):
            offer[MOVES + k] = moves[k]
            shown[k] = moves[k]
            row[moves[k]] = 1
        offer[SEAT] = seat
        offer[COUNT] = n
        seats[i] = seat
        counts[i] = n
        observe(s, seat, i, floats, scale, raws)
    return -1


def is_offered(offer, move):
    """Is this one of its moves?"""
    found = False
    for k in range(MOVES, MOVES + offer[COUNT]):
        found |= offer[k] == move
    return found


def begin(states, i, rng, number, game, length):
    """Game so-and-so of a seed, the one that `courtly simulate` plays under that number, if all move at random."""
    states[i] = states[len(states) - 1]  # the last one is blank, its options set
    seed_generator(rng, number, game)
    setup(states[i])
    length[0] = 0
    length[1] = 0


def write_places(s, out, rewards):
    """Each seat's place as a number from 1, alone before all others, to -1; their sum is 0."""
    scores(s, out)
    n = s.players
    for a in range(n):
        ahead = 0
        for b in range(n):
            ahead += (out[a] > out[b]) - (out[a] < out[b])
        rewards[a] = ahead / (n - 1)


def observe(s, seat, i, floats, scale, raws):
    """What a seat sees, in those forms that there is room for."""
    if len(floats):
        write_view(s, seat, floats[i], scale, floats.shape[1])
    if len(raws):
        raw(s, seat, raws[i])


def write_view(s, seat, row, scale, size):
    for k in range(size):
        row[k] = 0
    scaled(s, seat, row)
    for k in range(len(scale)):
        row[k] *= scale[k]


def choose_by_network(s, seat, moves, n, how, rng, scale, net, layers, room):
    """What a network chooses. `net`: for each layer, the constants and then the weights, input by input; of the last
    one, move by move. `layers`: how many numbers go in and come out of each. `room`: two rows."""
    here = room[0]
    there = room[1]
    write_view(s, seat, here, scale, layers[0])
    at = 0
    for layer in range(1, len(layers) - 1):
        wide = layers[layer]
        for j in range(wide):
            there[j] = net[at + j]
        at += wide
        for i in range(layers[layer - 1]):
            x = here[i]
            if x != 0:
                for j in range(wide):
                    there[j] += x * net[at + j]
            at += wide
        for j in range(wide):
            if there[j] < 0:
                there[j] = 0
        here, there = there, here
    deep = layers[len(layers) - 2]
    wide = layers[len(layers) - 1]
    best = 0
    for k in range(n):
        x = net[at + moves[k]]
        row = at + wide + moves[k] * deep
        for i in range(deep):
            x += here[i] * net[row + i]
        there[k] = x
        if x > there[best]:
            best = k
    if how == BEST:
        return moves[best]
    top = there[best]
    total = 0.0
    for k in range(n):
        there[k] = exp(there[k] - top)
        total += there[k]
    left = total * draw_word(rng) / 4294967296.0
    for k in range(n):
        left -= there[k]
        if left < 0:
            return moves[k]
    return moves[best]


def sample(first, last, rngs, offers, actions):
    """A legal action for each game, drawn from its own random numbers: so it plays the game that `courtly simulate`
    plays."""
    for i in range(first, last):
        actions[i] = offers[i][MOVES + draw_below(rngs[i], offers[i][COUNT])]

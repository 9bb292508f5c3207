"""The values of pieces on the board: cloisters in countries, cardinals in alliances, cloisters in chains.

The values are recomputed whenever a placed piece can change them, so that the state always holds the result of a
scoring now.
"""

from courtly.games.cardinal.map import DEGREE, NEAR, PACTS, PACTS_OF, PARTNERS, SITES

CLOISTERS = 20  # of each player
SHORTEST = 4  # least number of cloisters in a chain
LONGEST = 2 * SHORTEST - 1  # a longer chain scores like two
ALL_SITES = len(SITES)
# steps of the search for chains, in addition to the bits of the cloisters 0 to 19
TURN = 1 << CLOISTERS  # return to the start of the chain, and extend it at its other end
CLOSE = 2 << CLOISTERS  # the chain is complete
DROP = 4 << CLOISTERS  # the cloister is in no chain
FULL = TURN - 1
MEMORY = 128  # size of the search's transposition table
LOW = CLOISTERS * 2 - 3  # a prime; the powers of two up to 2**20 have different remainders
# the exponent of the power with this remainder
BIT = tuple(next((i for i in range(CLOISTERS) if (1 << i) % LOW == rest), 0) for rest in range(LOW))


# --- cloisters in a country -------------------------------------------------------------------------------------------


def count_country(s, country):
    """Compute the points of a country: the leader scores all its cloisters; every other seat scores as many as the next
    better seat has there."""
    total = 0
    for seat in range(s.players):
        total += s.cloisters[country][seat]
    for seat in range(s.players):
        mine = s.cloisters[country][seat]
        points = 0
        if mine:
            points = total
            for other in range(s.players):
                theirs = s.cloisters[country][other]
                if mine < theirs < points:
                    points = theirs
        s.country_points[seat][country] = points


# --- cardinals in alliances -------------------------------------------------------------------------------------------


def find_leaders(s, country):
    """Find the seats with the most cardinals in a country; none if there are no cardinals."""
    most = 1
    leaders = 0
    for seat in range(s.players):
        here = s.cardinals[country][seat]
        if here > most:
            most = here
            leaders = 0
        if here == most:
            leaders |= 1 << seat
    s.leaders[country] = leaders


def count_alliances(s, country):
    """Compute the points of the alliances of a country: a seat that leads in both countries scores all cardinals of
    both."""
    find_leaders(s, country)
    for i in range(PACTS[country]):
        pact = PACTS_OF[country][i]
        a = PARTNERS[pact][0]
        b = PARTNERS[pact][1]
        both = s.leaders[a] & s.leaders[b]
        points = s.standing[a] + s.standing[b]
        for seat in range(s.players):
            s.alliance_points[seat][pact] = points if both >> seat & 1 else 0


# --- cloisters in chains ----------------------------------------------------------------------------------------------
# A chain is a path along roads through at least four cloisters of a seat, each at most once. The score is the greatest
# number of cloisters in chains without a common cloister. Only cloisters that are joined to the new one can change it.


def count_chains(s, seat, site):
    """Recompute the best chains of all cloisters that are joined to a new one on this site."""
    n = gather(s, seat, site)
    if n >= SHORTEST:
        for i in range(n):
            if s.link[s.member[i]]:
                s.chain_points[seat] -= 1
        s.chain_points[seat] += search(s, n)
        if n > LONGEST:
            join(s, n)
        for i in range(n):
            s.link[s.member[i]] = s.member[s.best[i] - 1] + 1 if s.best[i] else 0
    for i in range(n):
        s.number[s.member[i]] = 0


def gather(s, seat, site):
    """Number the cloisters joined to this one, in s.member; s.near has the bits of each one's neighbours. Returns how
    many there are."""
    mark = seat + 1
    s.member[0] = site
    s.number[site] = 1
    n = 1
    i = 0
    while i < n:
        here = s.member[i]
        bits = 0
        for k in range(DEGREE[here]):
            there = NEAR[here][k]
            if s.owner[there] == mark:
                if s.number[there] == 0:
                    s.member[n] = there
                    n += 1
                    s.number[there] = n
                bits |= 1 << s.number[there] - 1
        s.near[i] = bits
        i += 1
    return n


def search(s, n):
    """Return the greatest number of cloisters in chains. s.best has, for each cloister, its predecessor + 1; for the
    first of a chain, itself + 1.

    The search is depth-first: the cloister with the fewest remaining neighbours begins a chain, which is extended at
    one end, then at the other; or the cloister is dropped.
    """
    best = 0
    for i in range(n):
        s.best[i] = 0
    for i in range(MEMORY if n > LONGEST else 0):
        s.seen[i] = 0
    depth = between(s, 0, (1 << n) - 1, 0, 0)
    while depth >= 0:
        steps = s.steps[depth]
        if steps == 0:
            depth -= 1
        else:
            step = steps & -steps
            s.steps[depth] = steps - step
            depth = grow(s, depth, step, n - best)
            if s.spare[depth] == 0 and s.length[depth] == 0 and size(s.used[depth]) > best:
                best = size(s.used[depth])
                for i in range(n):
                    s.best[i] = s.came[i] + 1 if s.used[depth] >> i & 1 else 0
                if best == n:
                    return best
    return best


def size(bits):
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


def between(s, depth, free, used, lost):
    """Process a position without a chain in progress: begin one, or drop a cloister. Groups that are too small for a
    chain are dropped at once."""
    rest = free
    fewest = CLOISTERS
    root = 0
    while rest:
        piece = rest & -rest
        edge = piece
        while edge:
            bit = edge & -edge
            more = s.near[BIT[bit % LOW]] & free & ~piece
            piece |= more
            edge = edge - bit | more
        rest &= ~piece
        count = size(piece)
        if count < SHORTEST:
            free -= piece
            lost += count
    rest = free
    while rest:
        bit = rest & -rest
        rest -= bit
        neighbours = size(s.near[BIT[bit % LOW]] & free)
        if neighbours < fewest:
            fewest = neighbours
            root = bit
    s.spare[depth] = free
    s.used[depth] = used
    s.lost[depth] = lost
    s.length[depth] = 0
    s.steps[depth] = root | DROP if root and is_new(s, free, lost, lost + size(free | used)) else 0
    s.tip[depth] = BIT[root % LOW]
    return depth


def is_new(s, free, lost, n):
    """Return True if this position was not searched before with as few or fewer dropped cloisters, as far as the table
    remembers."""
    if n <= LONGEST:
        return True
    at = (free * 0x9E3779B1 >> 16) % MEMORY
    if s.seen[at] & FULL == free and s.seen[at] >> CLOISTERS <= lost:
        return False
    s.seen[at] = lost << CLOISTERS | free
    return True


def grow(s, depth, step, spare):
    """Take one step from the position at this depth. Returns the next depth, or the same one if the step would drop
    `spare` or more cloisters in total."""
    free = s.spare[depth]
    used = s.used[depth]
    lost = s.lost[depth]
    tip = s.tip[depth]
    length = s.length[depth]
    if lost >= spare:
        s.steps[depth] = 0
        return depth
    after = depth + 1
    if step == DROP:
        return between(s, after, free & ~(1 << tip), used, lost + 1)
    if step == CLOSE:
        return between(s, after, free, used, lost)
    s.lost[after] = lost
    if step == TURN:
        root = s.root[depth]
        s.spare[after] = free
        s.used[after] = used
        s.root[after] = root
        s.first[after] = CLOISTERS
        s.tip[after] = root
        s.length[after] = length
        s.steps[after] = s.near[root] & free & -(2 << s.first[depth])
        return after
    new = BIT[step % LOW]
    s.spare[after] = free - step
    s.used[after] = used | step
    s.tip[after] = new
    s.length[after] = length + 1
    if length == 0:
        s.came[new] = new
        s.root[after] = new
        s.first[after] = CLOISTERS
    else:
        s.came[new] = tip
        s.root[after] = s.root[depth]
        s.first[after] = new if length == 1 else s.first[depth]
    steps = s.near[new] & s.spare[after] if length + 1 < LONGEST else 0
    if (
        length
        and length + 1 < LONGEST
        and s.first[after] < CLOISTERS
        and s.near[s.root[after]] & s.spare[after] & -(2 << s.first[after])
    ):
        steps |= TURN
    if length + 1 >= SHORTEST:
        steps |= CLOSE
    s.steps[after] = steps
    return after


# Chains longer than LONGEST were found in parts. Parts whose ends are neighbours are one chain.


def join(s, n):
    """Join chains whose ends are neighbours, as long as there are any."""
    for i in range(n):
        for k in range(n):
            if s.near[i] >> k & 1 and is_end(s, n, i) and is_end(s, n, k) and first_of(s, i) != first_of(s, k):
                reverse(s, k)
                s.best[k] = i + 1


def is_end(s, n, i):
    """Return True if this cloister is in a chain and has at most one neighbour in it."""
    if s.best[i] == 0:
        return False
    roads = 0
    for k in range(n):
        if k != i and (s.best[k] == i + 1 or s.best[i] == k + 1):
            roads += 1
    return roads < 2


def first_of(s, i):
    while s.best[i] != i + 1:
        i = s.best[i] - 1
    return i


def reverse(s, i):
    """Reverse a chain so that it begins with this cloister."""
    before = i
    after = s.best[i] - 1
    s.best[i] = i + 1
    while after != i:
        before = i
        i = after
        after = s.best[i] - 1
        s.best[i] = before + 1

"""The roads of the board of Web of Power, and random connected sites on them."""

from courtly.games.cardinal.map import BOARD, SITES

ROADS = [(SITES.index(road["a"]), SITES.index(road["b"])) for road in BOARD["roads"]]


def neighbours(roads):
    near = {}
    for a, b in roads:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


def joined(rng, most, near):
    """Return connected sites in the order in which they were reached."""
    found = [rng.choice(sorted(near))]
    wanted = rng.randint(4, most)
    while len(found) < wanted:
        edge = [b for a in found for b in near[a] if b not in found]
        if not edge:
            break
        found.append(rng.choice(edge))
    return found

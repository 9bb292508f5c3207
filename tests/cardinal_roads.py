"""The roads of the board of Web of Power, and random connected sites on them."""

from courtly.games.cardinal.map import BOARD, SITES

ROADS = [(SITES.index(road["a"]), SITES.index(road["b"])) for road in BOARD["roads"]]


def neighbours(roads):
    near = {}
    for a, b in roads:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


def random_connected_sites(rng, max_count, near):
    """Return connected sites in the order in which they were reached."""
    sites = [rng.choice(sorted(near))]
    count = rng.randint(4, max_count)
    while len(sites) < count:
        edge = [b for a in sites for b in near[a] if b not in sites]
        if not edge:
            break
        sites.append(rng.choice(edge))
    return sites

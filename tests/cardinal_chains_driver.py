"""A driver that places a cloister of seat 0 in Web of Power and returns the points of its chains."""

from courtly.games.cardinal.scoring import count_chains

ENTRY_POINTS = ("place_last",)


def place_last(states, site):
    """Place a cloister at a site."""
    s = states[0]
    s.owner[site] = 1
    count_chains(s, 0, site)
    return s.chain_points[0]

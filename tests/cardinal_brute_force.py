"""Scores computed in a slow and simple way, from the text of the rules only."""

from functools import cache


def chain_bonus(sites, roads, shortest=4):
    """Return the maximum number of cloisters in disjoint simple paths of at least `shortest`, by trying every set of
    sites that a path can have.
    """
    near = {a: {b for pair in roads if a in pair for b in pair if b != a and b in sites} for a in sites}
    order = sorted(sites)
    paths = {a: set() for a in order}

    def walk(path, seen):
        if len(path) >= shortest:
            paths[min(seen)].add(frozenset(seen))
        for b in near[path[-1]] - seen:
            walk([*path, b], seen | {b})

    for a in order:
        walk([a], frozenset([a]))

    @cache
    def best(rest):
        if not rest:
            return 0
        first = min(rest)
        return max([best(rest - {first}), *(len(path) + best(rest - path) for path in paths[first] if path <= rest)])

    return best(frozenset(sites))


def country_points(counts):
    """Return each player's points in a country with these cloisters."""
    levels = sorted({n for n in counts if n}, reverse=True)
    return [0 if n == 0 else sum(counts) if n == levels[0] else levels[levels.index(n) - 1] for n in counts]


def alliance_points(a, b):
    """Return each player's points for an alliance of two countries with these cardinals."""
    return [sum(a) + sum(b) if x and y and x == max(a) and y == max(b) else 0 for x, y in zip(a, b, strict=True)]

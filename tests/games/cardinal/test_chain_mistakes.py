"""Mistakes in the search for chains are detected by brute force."""

import random

import pytest
from cardinal_brute_force import chain_bonus
from cardinal_roads import ROADS, neighbours, random_connected_sites

from courtly.engine.game import find_game
from courtly.testing.checks.mutation import make_mutant

CHAIN_MISTAKES = [
    (
        "chains never turn back to grow at their other end",
        "scoring.py",
        "        steps |= TURN\n",
        "        steps |= 0\n",
    ),
    ("no cloister is ever left out of a chain", "scoring.py", "root | DROP if root", "root if root"),
    (
        "what is remembered of the search ignores what was lost",
        "scoring.py",
        " and s.seen[at] >> CLOISTERS <= lost:",
        ":",
    ),
    ("chains have at most six", "scoring.py", "2 * SHORTEST - 1 ", "2 * SHORTEST - 2 "),
    ("a search gives up one cloister too early", "scoring.py", "    if lost >= spare:", "    if lost + 1 >= spare:"),
]


def find_wrong_chain(game):
    """Return sites for which a game's chain bonus differs from brute force, or None."""
    rng = random.Random(1)
    neighbours_of = neighbours(ROADS)
    for _ in range(1500):
        sites = random_connected_sites(rng, 13, neighbours_of)
        s = game.State(players=3)
        for site in sites:
            s.owner[site] = 1
        game.rules.count_chains(s, 0, sites[0])
        if s.chain_points[0] != chain_bonus(sites, ROADS):
            return sites
    return None


@pytest.mark.parametrize("mutant", CHAIN_MISTAKES, ids=lambda m: m[0])
def test_a_mistake_in_the_search_is_caught(mutant):
    assert find_wrong_chain(make_mutant(find_game("cardinal"), mutant))

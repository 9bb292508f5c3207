"""Chains against brute force, on this board and others, interpreted and native."""

import random

import pytest
from cardinal_brute_force import chain_bonus
from cardinal_roads import ROADS, neighbours, random_connected_sites

from courtly.engine.game import find_game
from courtly.engine.native import loader as native_loader
from courtly.games.cardinal import rules as r
from courtly.games.cardinal import scoring
from courtly.games.cardinal.map import SITES

GAME = find_game("cardinal")


def scattered_sites(rng, max_sites=20):
    return rng.sample(range(r.ALL_SITES), rng.randint(4, max_sites))


def chain_points(sites):
    s = GAME.State(players=3)
    for site in sites:
        s.owner[site] = 1
        r.count_chains(s, 0, site)
    assert not any(s.number), "the scratch array is not cleared"
    return s.chain_points[0]


def test_chains_are_optimal(long):
    rng = random.Random(1)
    near = neighbours(ROADS)
    for _ in range(6000 if long else 500):
        sites = scattered_sites(rng) if rng.random() < 0.4 else random_connected_sites(rng, 13, near)
        rng.shuffle(sites)
        assert chain_points(sites) == chain_bonus(sites, ROADS), [SITES[i] for i in sites]


def test_the_longest_path_is_not_always_the_best():
    """W12 c and e, which do not occur on this board; the roads are made for them."""
    assert chain_bonus(range(7), [(0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6)]) == 5
    assert chain_bonus(range(8), [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (2, 5)]) == 8


@pytest.fixture
def replace_roads():
    """Return a function that replaces the roads between the sites of the board."""
    original = scoring.NEAR, scoring.DEGREE

    def set_roads(roads):
        near = neighbours(roads)
        scoring.NEAR = tuple(tuple(near.get(site, ())) for site in range(r.ALL_SITES))
        scoring.DEGREE = tuple(map(len, scoring.NEAR))

    yield set_roads
    scoring.NEAR, scoring.DEGREE = original


def test_chains_on_any_roads(replace_roads, long):
    """Trees, grids, dense and sparse graphs: the search does not depend on the shape of the map."""
    rng = random.Random(2)
    star = [(0, i) for i in range(1, 5)] + [(i, 5 + i) for i in range(1, 5)]
    replace_roads([(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (2, 5)])
    assert chain_points(range(8)) == 8
    replace_roads(star)
    assert chain_points(range(9)) == chain_bonus(range(9), star)
    for number in range(600 if long else 80):
        density = rng.choice((0.2, 0.3, 0.5, 0.8))
        n = rng.randint(5, 10 if density < 0.4 else 7)
        roads = [(a, b) for a in range(n) for b in range(a) if rng.random() < density or b == a - 1 and number % 2]
        replace_roads(roads)
        sites = list(range(n))
        rng.shuffle(sites)
        assert chain_points(sites) == chain_bonus(sites, roads), roads


def test_a_long_path_is_shown_as_one_chain():
    """The search finds chains in parts of at most seven sites and joins them."""
    path = ["EN1", "EN2", "EN4", "EN5", "FR1", "FR2", "FR3", "BU1", "BU2", "BU4", "IT1", "SW4"]
    for order_seed in range(30):
        sites = [SITES.index(name) for name in path]
        random.Random(order_seed).shuffle(sites)
        s = GAME.State(players=3)
        for site in sites:
            s.owner[site] = 1
            r.count_chains(s, 0, site)
        assert s.chain_points[0] == 12
        assert sum(s.link[site] == site + 1 for site in sites) == 1, "one chain has one beginning"


def test_machine_code_finds_optimal_chains_of_twenty():
    """In machine code, with as many cloisters as a player has."""
    driver = native_loader.load_driver(GAME, driver="cardinal_chains_driver")
    rng = random.Random(3)
    near = neighbours(ROADS)
    for _ in range(60):
        sites = random_connected_sites(rng, 20, near)
        states = native_loader.make_arrays(GAME, 1)[0]
        states["owner"][0, sites[:-1]] = 1
        assert driver.place_last(states, sites[-1]) == chain_points(sites)

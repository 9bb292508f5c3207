"""Mistakes in the rules that would leak a card or break a rule; the properties of every game, or brute force, notice each of them."""
import random

import pytest
from cardinal_brute import chain_bonus
from mutants import caught, mutated
from test_chains import ROADS, joined, neighbours

from courtly.engine.game import find_game

MUTANTS = [
    ("hands are public", "table.py", "hand = i8(PLAYERS, TYPES, private=True)", "hand = i8(PLAYERS, TYPES)"),
    ("the deck is public", "table.py", "deck = i8(TYPES, secret=True)", "deck = i8(TYPES)"),
    ("what was drawn is public", "table.py", "drawn = i8(PLAYERS, TYPES, private=True)", "drawn = i8(PLAYERS, TYPES)"),
    ("the next player draws from another's hand", "rules.py", "    s.hand[s.refilling][colour] += 1\n", "    s.hand[(s.refilling + 1) % s.players][colour] += 1\n"),
    ("cards that all saw taken are forgotten when one is played", "rules.py", "            s.shown[seat][colour] -= 1\n", "            s.shown[seat][colour] += 0\n"),
    ("determinize looks into the deck", "rules.py", "        s.deck[colour] = s.rest[colour]\n", "        s.rest[colour] += 0\n"),
    ("determinize forgets what was seen taken", "rules.py", "                s.hand[other][colour] = s.shown[other][colour]\n", "                s.hand[other][colour] = 0\n"),
    ("determinize forgets what this player drew", "rules.py", "                s.deck[colour] -= s.drawn[seat][colour]\n", "                s.deck[colour] -= 0\n"),
    ("what is legal depends on the next player's hand", "rules.py", "    if c:\n        moves[n] = DISCARD + a * all_one + b * one + c\n",
     "    if c and s.hand[(seat + 1) % s.players][0]:\n        moves[n] = DISCARD + a * all_one + b * one + c\n"),
    ("the turned-up card depends on a hand", "rules.py", "    s.open[at] = colour + 1\n", "    s.open[at] = colour + 1\n    s.country = s.hand[0][0]\n"),
    ("the cap is not kept", "payment.py", "cardinal = (cardinals > 0) & (standing < top)", "cardinal = (cardinals > 0) & (standing <= top)"),
    ("a cap that the turn's own cloister raises is not seen", "rules.py", "    s.top[country] = max(s.top[country], s.cloisters[country][seat])\n", "    s.top[country] = max(s.top[country], 1)\n"),
    ("discards are lost", "rules.py", "        s.discards[colour] += 1\n", "        s.discards[colour] += 0\n"),
    ("the reshuffle keeps the discards", "rules.py", "        s.discards[colour] = 0\n", "        s.discards[colour] += 0\n"),
    ("the second player scores what he has himself", "scoring.py", "                    points = theirs\n", "                    points = mine\n"),
    ("alliances pay who leads in one country", "scoring.py", "both = s.leaders[a] & s.leaders[b]", "both = s.leaders[a] | s.leaders[b]"),
    ("chains of three count", "scoring.py", "SHORTEST = 4 ", "SHORTEST = 3 "),
    ("interim points are counted twice", "rules.py", "    s.scored = 1\n    score_countries(s)\n", "    s.scored = 1\n    score_countries(s)\n    score_countries(s)\n"),
    ("chains are not scored", "rules.py", "        s.score[seat] += s.chain_points[seat]\n", ""),
]

OF_CHAINS = [
    ("chains never turn back to grow at their other end", "scoring.py", "        todo |= TURN\n", "        todo |= 0\n"),
    ("no cloister is ever left out of a chain", "scoring.py", "root | DROP if root", "root if root"),
    ("what is remembered of the search ignores what was lost", "scoring.py", " and s.seen[at] >> CLOISTERS <= lost:", ":"),
    ("chains have at most six", "scoring.py", "2 * SHORTEST - 1 ", "2 * SHORTEST - 2 "),
    ("a search gives up one cloister too early", "scoring.py", "    if lost >= spare:", "    if lost + 1 >= spare:"),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m[0])
def test_a_mistake_is_caught(mutant):
    assert caught(find_game("cardinal"), mutant, 6000)


def test_the_rules_themselves_pass():
    assert not caught(find_game("cardinal"), ("nothing", "rules.py", "def setup(s):", "def setup(s):"), 1500)


def wrong_chain(game):
    """Sites for which a game counts chains other than brute force does, if any are found."""
    rng = random.Random(1)
    near = neighbours(ROADS)
    for _ in range(1500):
        sites = joined(rng, 13, near)
        s = game.State(players=3)
        for site in sites:
            s.owner[site] = 1
        game.rules.count_chains(s, 0, sites[0])
        if s.chain_points[0] != chain_bonus(sites, ROADS):
            return sites
    return None


@pytest.mark.parametrize("mutant", OF_CHAINS, ids=lambda m: m[0])
def test_a_mistake_in_the_search_is_caught(mutant):
    assert wrong_chain(mutated(find_game("cardinal"), mutant))

"""Terms of the policy: a chain that is completed, an alliance that is won."""

import random

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.games.cardinal import policy, rules
from courtly.games.cardinal.map import DEGREE, NEAR, PARTNERS, TYPE_OF
from courtly.games.cardinal.rules import COUNTRY_OF, MOVES, VERB, Phase, Z
from courtly.testing.checks.policy_checks import PolicyProbe
from courtly.testing.checks.properties import random_positions

GAME = find_game("cardinal")
SAYS = PolicyProbe(GAME, loader.InterpretedBackend())


def beginning():
    """Return the first turn of a game, with an empty hand."""
    play = next(play for play in random_positions(GAME, 3, random.Random(1)) if play.state.phase == Phase.CHOOSING)
    for colour in range(rules.COLOURS):
        play.state.hand[play.pending[0]][colour] = 0
    return play.state, play.pending[0]


def best(state, seat):
    """Return the preferred first placement: the verb, and the site or country."""
    moves, weights, _ = SAYS.priors(state, seat, random.Random(2))
    move = moves[weights.index(max(weights))]
    return VERB[move], Z[move]


def roads(site):
    return NEAR[site][: DEGREE[site]]


def test_a_chain_is_completed():
    tried = 0
    threes = [(a, b, c) for a in range(rules.ALL_SITES) for b in roads(a) for c in roads(b) if c != a]
    for a, b, c in threes[::7]:
        state, seat = beginning()
        for site in (a, b, c):
            rules.place_cloister(state, seat, site)
        state.hand[seat][TYPE_OF[COUNTRY_OF[c]]] = 1
        fourth = {there for site in (a, b, c) for there in roads(site)} - {a, b, c}
        if any(COUNTRY_OF[site] == COUNTRY_OF[c] for site in fourth):
            verb, site = best(state, seat)
            assert verb == MOVES.cloister and site in fourth
            tried += 1
    assert tried


def test_a_cardinal_is_worth_more_where_it_wins_an_alliance():
    for country, ally in PARTNERS:
        weight = []
        for leads in (False, True):
            state, seat = beginning()
            for there in (country, ally):
                rules.place_cloister(state, (seat + 1) % 3, rules.FIRST[there])
            if leads:
                rules.place_cardinal(state, seat, ally)
            state.hand[seat][TYPE_OF[country]] = 1
            moves, weights, _ = SAYS.priors(state, seat, random.Random(2))
            weight += [
                weight
                for move, weight in zip(moves, weights, strict=True)
                if VERB[move] == MOVES.cardinal and Z[move] == country
            ]
        assert weight[1] > weight[0]


def test_a_leading_player_has_a_higher_value_and_there_is_none_within_a_turn():
    spoke = 0
    for play in random_positions(GAME, 3, random.Random(5)):
        state = play.state.copy()
        values = SAYS.value(state, random.Random(6))
        assert (values == []) == (state.phase != Phase.CHOOSING)
        if values and spoke < 20:
            for seat in range(3):
                richer = state.copy()
                richer.score[seat] += 20
                assert SAYS.value(richer, random.Random(7))[seat] > min(values[seat], 999)
                spoke += 1
    assert spoke


def test_a_value_includes_turns_left_in_the_round():
    """Of two equal players, the one who has not had a turn before a scoring has the higher value."""
    for players in GAME.players:
        for start in range(players):
            state = GAME.State(players=players)
            state.phase, state.start = Phase.CHOOSING, start
            for moved in range(players):
                state.seat = (start + moved) % players
                had = []
                for seat in range(players):
                    out = [0] * 1000
                    assert policy.traits(state, seat, out, 0) == policy.TRAITS
                    had.append(out[14])
                order = [(start + k) % players for k in range(players)]
                assert [had[seat] for seat in order] == [1] * moved + [0] * (players - moved)
                policy.value(state, told := [0] * 1000)
                if 0 < moved < players:
                    assert min(told[seat] for seat in order[moved:]) > max(told[seat] for seat in order[:moved])

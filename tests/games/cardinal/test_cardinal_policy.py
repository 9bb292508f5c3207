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
PROBE = PolicyProbe(GAME, loader.InterpretedBackend())


def first_turn():
    """Return the first turn of a game, with an empty hand."""
    position = next(
        position for position in random_positions(GAME, 3, random.Random(1)) if position.state.phase == Phase.CHOOSING
    )
    for colour in range(rules.COLOURS):
        position.state.hand[position.pending[0]][colour] = 0
    return position.state, position.pending[0]


def preferred_placement(state, seat):
    """Return the preferred first placement: the verb, and the site or country."""
    moves, weights, _ = PROBE.priors(state, seat, random.Random(2))
    move = moves[weights.index(max(weights))]
    return VERB[move], Z[move]


def roads(site):
    return NEAR[site][: DEGREE[site]]


def test_a_chain_is_completed():
    completions = 0
    threes = [(a, b, c) for a in range(rules.ALL_SITES) for b in roads(a) for c in roads(b) if c != a]
    for a, b, c in threes[::7]:
        state, seat = first_turn()
        for site in (a, b, c):
            rules.place_cloister(state, seat, site)
        state.hand[seat][TYPE_OF[COUNTRY_OF[c]]] = 1
        fourth_sites = {neighbour for site in (a, b, c) for neighbour in roads(site)} - {a, b, c}
        if any(COUNTRY_OF[site] == COUNTRY_OF[c] for site in fourth_sites):
            verb, site = preferred_placement(state, seat)
            assert verb == MOVES.cloister and site in fourth_sites
            completions += 1
    assert completions


def test_a_cardinal_is_worth_more_where_it_wins_an_alliance():
    for country, ally in PARTNERS:
        weight = []
        for leads_in_ally in (False, True):
            state, seat = first_turn()
            for place in (country, ally):
                rules.place_cloister(state, (seat + 1) % 3, rules.FIRST[place])
            if leads_in_ally:
                rules.place_cardinal(state, seat, ally)
            state.hand[seat][TYPE_OF[country]] = 1
            moves, weights, _ = PROBE.priors(state, seat, random.Random(2))
            weight += [
                weight
                for move, weight in zip(moves, weights, strict=True)
                if VERB[move] == MOVES.cardinal and Z[move] == country
            ]
        assert weight[1] > weight[0]


def test_a_leading_player_has_a_higher_value_and_there_is_none_within_a_turn():
    comparisons = 0
    for position in random_positions(GAME, 3, random.Random(5)):
        state = position.state.copy()
        values = PROBE.value(state, random.Random(6))
        assert (values == []) == (state.phase != Phase.CHOOSING)
        if values and comparisons < 20:
            for seat in range(3):
                richer = state.copy()
                richer.score[seat] += 20
                assert PROBE.value(richer, random.Random(7))[seat] > min(values[seat], 999)
                comparisons += 1
    assert comparisons


def test_a_value_includes_turns_left_in_the_round():
    """Of two equal players, the one who has not had a turn before a scoring has the higher value."""
    for players in GAME.players:
        for start in range(players):
            state = GAME.State(players=players)
            state.phase, state.start = Phase.CHOOSING, start
            for turns_taken in range(players):
                state.seat = (start + turns_taken) % players
                had_turn = []
                for seat in range(players):
                    output = [0] * 1000
                    assert policy.traits(state, seat, output, 0) == policy.TRAITS
                    had_turn.append(output[14])
                order = [(start + k) % players for k in range(players)]
                assert [had_turn[seat] for seat in order] == [1] * turns_taken + [0] * (players - turns_taken)
                policy.value(state, values := [0] * 1000)
                if 0 < turns_taken < players:
                    assert min(values[seat] for seat in order[turns_taken:]) > max(
                        values[seat] for seat in order[:turns_taken]
                    )

"""Web of Power (Michael Schacht, 2000): the rules, in the order of a turn: play or discard cards, place pieces, refill
the hand.

A set of cards consists of a pair and a single card; either may be missing. A pair of equal cards is a joker. The choice
of the set includes the first piece, which determines the country. The deck is a multiset: a card is drawn when it is
taken. map.py has the board, scoring.py the values of pieces, and worlds.py what each seat knows about the cards.
"""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.stdlib.common import enter_phase
from courtly.games.cardinal.map import COMPONENTS as COMPONENTS
from courtly.games.cardinal.map import COUNT, COUNTRY_OF, END, FIRST, HAND, OPEN, REMOVED, TYPE_OF
from courtly.games.cardinal.payment import A_CARDINAL, A_CLOISTER, fewest, fitting, openings, pieces
from courtly.games.cardinal.refusals import Refusal as Refusal
from courtly.games.cardinal.refusals import refusal as refusal
from courtly.games.cardinal.scoring import CLOISTERS, count_alliances, count_chains, count_country
from courtly.games.cardinal.table import (
    ALL_ALLIANCES,
    ALL_COUNTRIES,
    ALL_SITES,
    BEST_FIRST,
    CARDINALS,
    COLOURS,
    MOVES,
    VERB,
    Phase,
    X,
    Y,
    Z,
)
from courtly.games.cardinal.table import State as State
from courtly.games.cardinal.worlds import audience as audience
from courtly.games.cardinal.worlds import determinize as determinize
from courtly.games.cardinal.worlds import remember_draw, remember_laid, remember_reshuffle
from courtly.games.cardinal.worlds import reveals as reveals


def setup(s):
    for colour in range(COLOURS):
        s.deck[colour] = COUNT[colour] - REMOVED[s.players]
        s.rest[colour] = s.deck[colour]
        s.deck_left += s.deck[colour]
    for seat in range(s.players):
        s.cloisters_left[seat] = CLOISTERS
        s.cardinals_left[seat] = CARDINALS
    for country in range(ALL_COUNTRIES):
        s.free[country] = END[country] - FIRST[country]
    s.seat = NOBODY
    enter_phase(s, Phase.STARTING, CHANCE)


def chance(s, moves, weights):
    if s.phase == Phase.STARTING:
        return starters(s, moves, weights)
    if s.phase == Phase.DEALING:
        return cards(s, MOVES.deal, moves, weights)
    if s.phase == Phase.DRAWING:
        return cards(s, MOVES.drawn, moves, weights)
    if s.phase == Phase.TURNING_UP:
        return cards(s, MOVES.turn_up, moves, weights)
    weights[0] = 1
    if s.phase == Phase.SHUFFLING:
        moves[0] = MOVES.reshuffle
    elif s.phase == Phase.RUN_OUT:
        moves[0] = MOVES.run_out
    elif s.phase == Phase.INTERIM:
        moves[0] = MOVES.interim
    else:
        moves[0] = MOVES.final
    return 1


def starters(s, moves, weights):
    for seat in range(s.players):
        moves[seat] = MOVES.begins + seat
        weights[seat] = 1
    if s.first_player:
        moves[0] = MOVES.begins + (s.first_player - 1) % s.players
        return 1
    return s.players


def cards(s, event, moves, weights):
    n = 0
    for colour in range(COLOURS):
        if s.deck[colour]:
            moves[n] = event + colour
            weights[n] = s.deck[colour]
            n += 1
    return n


# --- legal moves ------------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    if s.pending != 1 << seat:
        return 0
    if s.phase == Phase.CHOOSING:
        return discards(s, seat, moves, plays(s, seat, moves))
    if s.phase == Phase.PLACING:
        return seconds(s, seat, moves)
    return sources(s, moves)


def plays(s, seat, moves):
    """List the sets of cards of the hand with the first pieces that they pay for, if the rest of the set can be used
    too."""
    n = 0
    hand = s.hand[seat]
    pair = 0
    for colour in range(COLOURS):
        if hand[colour] > 1:
            pair = colour + 1
    for country in range(ALL_COUNTRIES):
        colour = TYPE_OF[country]
        can = openings(s, seat, country) if pair or hand[colour] else 0
        if can:
            if hand[colour]:
                n = offer(s, 0, colour + 1, country, can, moves, n)
            if pair:
                n = offer(s, pair, 0, country, fitting(s, pair, 0, colour, can), moves, n)
                if hand[colour] > 2 * (colour + 1 == pair):
                    n = offer(s, pair, colour + 1, country, fitting(s, pair, colour + 1, colour, can), moves, n)
    return n


def offer(s, pair, single, country, can, moves, n):
    bill = pair * (COLOURS + 1) + single
    if can & A_CLOISTER:
        first = MOVES.cloister + bill * ALL_SITES
        owner = s.owner
        for site in range(FIRST[country], END[country]):
            moves[n] = first + site  # without a branch: 1.5 times as fast
            n += owner[site] == 0
    moves[n] = MOVES.cardinal + bill * ALL_COUNTRIES + country
    n += can >> 2 & 1
    return n


def discards(s, seat, moves, n):
    """List the choices of up to three cards to discard, in the order of their colours, each choice once."""
    a = b = c = 0
    for card in range(COLOURS, 0, -1):
        for _ in range(s.hand[seat][card - 1]):
            c = b
            b = a
            a = card
    one = COLOURS + 1
    all_one = one * one
    if a:
        moves[n] = MOVES.discard + a * all_one
        n += 1
    if b > a:
        moves[n] = MOVES.discard + b * all_one
        n += 1
    if c > b:
        moves[n] = MOVES.discard + c * all_one
        n += 1
    if s.discard_max == 1:
        return n
    if b:
        moves[n] = MOVES.discard + a * all_one + b * one
        n += 1
    if c > b:
        moves[n] = MOVES.discard + a * all_one + c * one
        n += 1
    if c and b > a:
        moves[n] = MOVES.discard + b * all_one + c * one
        n += 1
    if c:
        moves[n] = MOVES.discard + a * all_one + b * one + c
        n += 1
    return n


def seconds(s, seat, moves):
    n = 0
    country = s.country
    can = openings(s, seat, country)
    if can & A_CLOISTER:
        for site in range(FIRST[country], END[country]):
            if s.owner[site] == 0:
                moves[n] = MOVES.second_cloister + site
                n += 1
    if can & A_CARDINAL:
        moves[n] = MOVES.second_cardinal + country
        n += 1
    if s.may_stop:
        moves[n] = MOVES.done
        n += 1
    return n


def sources(s, moves):
    n = 0
    for i in range(OPEN):
        if s.open[i] and not (i and s.open[i] == s.open[i - 1]):
            moves[n] = MOVES.take + s.open[i] - 1
            n += 1
    if s.deck_left:
        moves[n] = MOVES.draw
        n += 1
    return n


# --- the turn ---------------------------------------------------------------------------------------------------------


def apply(s, seat, move):
    verb = VERB[move]
    if verb == MOVES.cloister:
        play_cloister(s, seat, X[move], Y[move], Z[move])
    elif verb == MOVES.cardinal:
        play_cardinal(s, seat, X[move], Y[move], Z[move])
    elif verb == MOVES.take:
        take(s, seat, X[move])
    elif verb == MOVES.draw:
        enter_phase(s, Phase.DRAWING, CHANCE)
    elif verb == MOVES.discard:
        discard(s, seat, X[move], Y[move], Z[move])
    elif verb == MOVES.second_cloister:
        place_cloister(s, seat, X[move])
        refill(s)
    elif verb == MOVES.second_cardinal:
        place_cardinal(s, seat, X[move])
        refill(s)
    elif verb == MOVES.done:
        refill(s)
    else:
        happen(s, verb, X[move])


def happen(s, verb, x):
    """Carry out a random event, or an event that only notifies the audiences."""
    if verb == MOVES.drawn:
        draw(s, x)
        refill(s)
    elif verb == MOVES.turn_up:
        turn_up(s, x)
    elif verb == MOVES.deal:
        deal(s, x)
    elif verb == MOVES.begins:
        s.start = x
        s.refilling = x
        s.phase = Phase.DEALING
    elif verb == MOVES.reshuffle:
        reshuffle(s)
    elif verb == MOVES.run_out:
        s.exhaustions = 2
        refill(s)
    elif verb == MOVES.interim:
        score_interim(s)
    else:
        score_final(s)


def deal(s, colour):
    draw(s, colour)
    s.refilling = (s.refilling + 1) % s.players
    if s.size[s.refilling] == HAND:
        top_up(s)


def spend(s, seat, card):
    """Move a card (its colour + 1) from a hand to the discards."""
    if card:
        colour = card - 1
        s.hand[seat][colour] -= 1
        s.size[seat] -= 1
        s.discards[colour] += 1
        remember_laid(s, seat, colour)


def pay(s, seat, pair, single):
    spend(s, seat, pair)
    spend(s, seat, pair)
    spend(s, seat, single)


def play_cloister(s, seat, pair, single, site):
    pay(s, seat, pair, single)
    country = COUNTRY_OF[site]
    opened = s.top[country]
    place_cloister(s, seat, site)
    if opened:
        go_on(s, seat, pair, single, country)
    else:
        refill(s)


def play_cardinal(s, seat, pair, single, country):
    pay(s, seat, pair, single)
    place_cardinal(s, seat, country)
    go_on(s, seat, pair, single, country)


def go_on(s, seat, pair, single, country):
    """Begin the second piece, if the cards pay for one and there is a place for it."""
    colour = TYPE_OF[country]
    if pieces(pair, single, colour) == 2 and openings(s, seat, country):
        s.country = country
        s.may_stop = 1 if fewest(s, pair, single, colour) == 1 else 0
        s.phase = Phase.PLACING
    else:
        refill(s)


def place_cloister(s, seat, site):
    country = COUNTRY_OF[site]
    s.owner[site] = seat + 1
    s.free[country] -= 1
    s.cloisters_left[seat] -= 1
    s.cloisters[country][seat] += 1
    s.top[country] = max(s.top[country], s.cloisters[country][seat])
    count_country(s, country)
    count_chains(s, seat, site)


def place_cardinal(s, seat, country):
    s.cardinals_left[seat] -= 1
    s.cardinals[country][seat] += 1
    s.standing[country] += 1
    count_alliances(s, country)


def discard(s, seat, first, second, third):
    spend(s, seat, first)
    spend(s, seat, second)
    spend(s, seat, third)
    refill(s)


def refill(s):
    """Draw until the hand is full, as long as there are cards; then fill the open cards."""
    s.country = 0
    s.may_stop = 0
    s.refilling = s.seat
    s.to_draw = HAND - s.size[s.seat]
    if s.exhaustions and s.deck_left < s.to_draw:
        s.to_draw = min(s.to_draw, s.deck_left + has_open(s))
    if not runs_out(s):
        if s.to_draw:
            enter_phase(s, Phase.REFILLING, 1 << s.seat)
        else:
            top_up(s)


def runs_out(s):
    """If the last card has just left the deck, begin that event. Returns True then."""
    if s.deck_left or s.exhaustions == 2:
        return False
    enter_phase(s, Phase.RUN_OUT if s.exhaustions else Phase.SHUFFLING, CHANCE)
    return True


def has_open(s):
    cards = 0
    for i in range(OPEN):
        cards += s.open[i] > 0
    return cards


def take(s, seat, colour):
    at = 0
    while s.open[at] != colour + 1:
        at += 1
    s.open[at] = 0
    s.hand[seat][colour] += 1
    s.shown[seat][colour] += 1
    s.size[seat] += 1
    refill(s)


def draw(s, colour):
    """Move a card from the deck into the hand that is being filled."""
    leave_deck(s, colour)
    s.hand[s.refilling][colour] += 1
    s.size[s.refilling] += 1
    remember_draw(s, s.refilling, colour)


def leave_deck(s, colour):
    s.deck[colour] -= 1
    s.deck_left -= 1


def top_up(s):
    if not runs_out(s):
        if s.deck_left and has_open(s) < OPEN:
            enter_phase(s, Phase.TURNING_UP, CHANCE)
        else:
            end_turn(s)


def turn_up(s, colour):
    leave_deck(s, colour)
    s.rest[colour] -= 1
    at = 0
    while s.open[at]:
        at += 1
    s.open[at] = colour + 1
    top_up(s)


def reshuffle(s):
    """Turn the discards into the new deck."""
    s.exhaustions = 1
    remember_reshuffle(s)
    for colour in range(COLOURS):
        s.deck[colour] = s.discards[colour]
        s.deck_left += s.discards[colour]
        s.discards[colour] = 0
    if s.interim:
        s.phase = Phase.INTERIM
    else:
        refill(s)


def end_turn(s):
    if s.seat == NOBODY:
        s.seat = s.start
    else:
        s.turn += 1
        s.seat = (s.seat + 1) % s.players
    begin_turn(s)


def begin_turn(s):
    """Begin a turn. A scoring comes first if the turn reaches the start player for the first time after the deck has
    run out: the interim scoring after the first time, the final one after the second."""
    s.refilling = s.seat
    s.pending = CHANCE
    if s.seat == s.start and s.exhaustions and s.scored == 0:
        s.phase = Phase.INTERIM
    elif s.seat == s.start and s.exhaustions == 2:
        s.phase = Phase.FINAL
    else:
        enter_phase(s, Phase.CHOOSING, 1 << s.seat)


# --- scoring ----------------------------------------------------------------------------------------------------------


def score_countries(s):
    for seat in range(s.players):
        for country in range(ALL_COUNTRIES):
            s.score[seat] += s.country_points[seat][country]


def score_interim(s):
    s.scored = 1
    score_countries(s)
    for seat in range(s.players):
        for country in range(ALL_COUNTRIES):
            s.interim_points[seat][country] = s.country_points[seat][country]
    if s.interim:
        refill(s)
    else:
        begin_turn(s)


def score_final(s):
    s.scored = 2
    score_countries(s)
    for seat in range(s.players):
        for alliance in range(ALL_ALLIANCES):
            s.score[seat] += s.alliance_points[seat][alliance]
        s.score[seat] += s.chain_points[seat]
    enter_phase(s, Phase.OVER, 0)


def scores(s, out):
    """Write the scores. On a tie, the seat with more pieces left wins."""
    for seat in range(s.players):
        out[seat] = s.score[seat] * BEST_FIRST + s.cloisters_left[seat] + s.cardinals_left[seat]

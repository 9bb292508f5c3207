"""Web of Power against the text of its rules: an independent enumeration of turns; and statistics of whole games."""

import random
from collections import Counter
from itertools import combinations

import pytest
from cardinal_brute_force import alliance_points, country_points

from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.games.cardinal import rules as r
from courtly.games.cardinal.map import PARTNERS
from courtly.testing.checks.properties import RandomGame

GAME = find_game("cardinal")
M = r.MOVES


def random_game(players, rng, is_finished=lambda s: False, options=None):
    """Yield the states of a random game before each move, with the move; the last state with None."""
    game = RandomGame(GAME, players, rng, options or {})
    while not game.over and not is_finished(game.state):
        seat, move = game.next()
        yield game.state, seat, move
        game.apply(seat, move)
    yield game.state, NOBODY, None


def legal(s, seat):
    return Position(GAME, state=s).legal(seat)


# --- an independent enumeration of placements, from the text of the rules ---------------------------------------------


def payments(cards, options):
    """Return (colour, or None for any; number of pieces) for each payment that uses all these cards."""
    ordered, joker = sorted(cards), options.get("joker_own_colour", 1)
    if len(ordered) == 1:
        return {(ordered[0], 1)}
    if len(ordered) == 2 and ordered[0] == ordered[1]:
        return {(ordered[0], 2)} | {(c, 1) for c in range(r.COLOURS) if joker or c != ordered[0]}
    if len(ordered) == 3 and len(set(ordered)) < 3:
        pair = ordered[1]
        single = ordered[0] if ordered[0] != pair else ordered[2]
        return {(single, 2)} if joker or single != pair else set()
    return set()


def placements(s, seat, country, count):
    """Return every set of pieces, (sites, cardinals), that `count` successive placements in one country can be."""
    is_empty = not any(s.owner[i] for i in range(r.ALL_SITES) if r.COUNTRY_OF[i] == country)
    if is_empty and count > 1:
        return set()
    free_sites = [i for i in range(r.ALL_SITES) if r.COUNTRY_OF[i] == country and not s.owner[i]]
    pieces_placed = set()

    def place(sites, cardinals):
        if len(sites) + cardinals == count:
            pieces_placed.add((frozenset(sites), cardinals))
            return
        if s.cloisters_left[seat] > len(sites):
            for site in free_sites:
                if site not in sites:
                    place([*sites, site], cardinals)
        owned = Counter(o for i, o in enumerate(s.owner) if o and r.COUNTRY_OF[i] == country)
        owned[seat + 1] += len(sites)
        standing = sum(s.cardinals[country]) + cardinals
        if not is_empty and s.cardinals_left[seat] > cardinals and standing < max(owned.values()):
            place(sites, cardinals + 1)

    place([], 0)
    return pieces_placed


def turns_by_the_text(s, seat, options):
    """Return every (cards used, country, sites, cardinals) of a turn."""
    hand = [c for c in range(r.COLOURS) for _ in range(s.hand[seat][c])]
    turns = set()
    for size in (1, 2, 3):
        for cards in set(combinations(hand, size)):
            for colour, count in payments(cards, options):
                for country in range(r.ALL_COUNTRIES):
                    if r.TYPE_OF[country] == colour:
                        counts = range(1, count + 1) if options.get("underplace") else [count]
                        turns |= {(cards, country, *p) for n in counts for p in placements(s, seat, country, n)}
    return turns


def turns_by_the_rules(s, seat):
    turns = set()

    def follow(state, cards, country, sites, cardinals):
        if state.phase != r.Phase.PLACING:
            turns.add((cards, country, frozenset(sites), cardinals))
            return
        for move in legal(state, seat):
            after = state.copy()
            r.apply(after, seat, move)
            verb, x = r.VERB[move], r.X[move]
            follow(
                after,
                cards,
                country,
                sites | {x} if verb == r.MOVES.second_cloister else sites,
                cardinals + (verb == r.MOVES.second_cardinal),
            )

    for move in legal(s, seat):
        verb, pair, single, place = r.VERB[move], r.X[move], r.Y[move], r.Z[move]
        if verb in (r.MOVES.cloister, r.MOVES.cardinal):
            after = s.copy()
            r.apply(after, seat, move)
            cards = tuple(sorted([pair - 1] * 2 * (pair > 0) + [single - 1] * (single > 0)))
            if verb == r.MOVES.cloister:
                follow(after, cards, r.COUNTRY_OF[place], {place}, 0)
            else:
                follow(after, cards, place, frozenset(), 1)
    return turns


OPTIONS = [{}, {"joker_own_colour": 0}, {"underplace": 1}, {"joker_own_colour": 0, "underplace": 1}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_placements_match_the_text_of_the_rules(options, long):
    rng = random.Random(11)
    compared = 0
    while compared < (4000 if long else 120):
        for s, seat, _ in random_game(rng.choice(GAME.players), rng, options=options):
            if s.phase == r.Phase.CHOOSING and rng.random() < 0.15:
                for pieces_left in (s.cloisters_left, s.cardinals_left):  # pieces seldom run out in a random game
                    if rng.random() < 0.3:
                        pieces_left[seat] = min(pieces_left[seat], rng.randrange(3))
                for colour in range(r.COLOURS):
                    s.hand[seat][colour] = 0
                for _ in range(r.HAND):
                    s.hand[seat][rng.randrange(r.COLOURS)] += 1
                assert turns_by_the_rules(s, seat) == turns_by_the_text(s, seat, options)
                compared += 1
                break


def test_the_first_turn_of_an_example_has_73_placements():
    """W10: the empty board with red, red, green."""
    s = next(s for s, _, _ in random_game(3, random.Random(1)) if s.phase == r.Phase.CHOOSING)
    s.hand[s.seat] = [2, 1, 0, 0, 0]
    verbs = [r.VERB[m] for m in legal(s, s.seat)]
    assert Counter(verbs) == {r.MOVES.cloister: 73, r.MOVES.discard: 5}


def test_every_illegal_move_has_a_reason():
    rng = random.Random(12)
    for players in GAME.players:
        for s, seat, _ in random_game(
            players, rng, options={"joker_own_colour": players % 2, "discard_max": 3 - 2 * (players % 2)}
        ):
            if seat != NOBODY and rng.random() < 0.05:
                possible = set(legal(s, seat))
                for move in range(M.count):
                    if move not in possible:
                        assert 0 <= r.refusal(s, seat, move) < len(r.Refusal), M.words(move)


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("at_once", (0, 1))
def test_a_game_has_two_scorings(players, at_once):
    """There is one interim and one final scoring, points change only then, and the new deck has the right size."""
    rng = random.Random(players)
    for _ in range(6):
        scorings, exhausted_turn, deck_checked = [], None, False
        for s, _, move in random_game(players, rng, options={"interim": at_once}):
            verb = None if move is None else r.VERB[move]
            if verb in (r.MOVES.interim, r.MOVES.final):
                scorings.append((verb, s.turn))
                exhausted_turn = s.turn if verb == r.MOVES.interim and at_once else exhausted_turn
            if verb == r.MOVES.reshuffle:
                exhausted_turn = s.turn
            if exhausted_turn is not None and not deck_checked and s.turn == exhausted_turn + 1:
                assert s.deck_left == {3: 34, 4: 36, 5: 38}[players] and not any(s.discards)
                deck_checked = True
            if verb is not None and verb != r.MOVES.interim and verb != r.MOVES.final:
                score_before = s.score[:]
            assert verb in (r.MOVES.interim, r.MOVES.final, None) or s.score == score_before
        assert [verb for verb, _ in scorings] == [r.MOVES.interim, r.MOVES.final] and deck_checked
        assert all(turn % players == 0 for verb, turn in scorings if not (at_once and verb == r.MOVES.interim))
        assert scorings[1][1] - exhausted_turn >= 12


def test_games_have_the_expected_lengths():
    """Ranges around the results of simulations; a failure is a hint, not a proof of an error."""
    rng = random.Random(3)
    for players, min_turns, max_turns in ((3, 27, 66), (4, 32, 72), (5, 35, 80)):
        for _ in range(10):
            *_, (s, _, _) = random_game(players, rng)
            assert min_turns <= s.turn <= max_turns and s.turn % players == 0


def test_a_countrys_points_follow_from_any_counts():
    """W8 needs nine sites, so the counts are set directly."""
    rng = random.Random(4)
    cases = [[4, 2, 2, 1, 0], [3, 0, 0, 0, 0]] + [[rng.randrange(6) for _ in range(5)] for _ in range(300)]
    for counts in cases:
        s = GAME.State(players=5)
        s.cloisters[0] = counts[:]
        r.count_country(s, 0)
        assert [row[0] for row in s.country_points] == country_points(counts)
    assert country_points([4, 2, 2, 1]) == [9, 4, 4, 2] and country_points([3, 0, 0]) == [3, 0, 0]


def test_an_alliances_points_follow_from_any_counts():
    rng = random.Random(5)
    for _ in range(300):
        s = GAME.State(players=5)
        for country in range(r.ALL_COUNTRIES):
            for seat in range(5):
                s.cardinals[country][seat] = rng.choice((0, 0, 0, 1, 1, 2, 3))
            s.standing[country] = sum(s.cardinals[country])
        for country in range(r.ALL_COUNTRIES):
            r.count_alliances(s, country)
        for pact, (a, b) in enumerate(PARTNERS):
            assert [row[pact] for row in s.alliance_points] == alliance_points(s.cardinals[a], s.cardinals[b])


def test_ties_are_broken_by_pieces_left():
    s = GAME.State(players=3)
    s.score, s.cloisters_left, s.cardinals_left = [61, 61, 61, 0, 0], [4, 3, 5, 0, 0], [0, 2, 0, 0, 0]
    scores = [0] * 5
    r.scores(s, scores)
    assert scores[1] == scores[2] > scores[0]


def test_worlds_after_the_reshuffle_respect_the_discards():
    """Right after the reshuffle all players know the deck, and therefore the union of the other hands."""
    rng = random.Random(6)
    for _ in range(20):
        for s, _, move in random_game(4, rng):
            if move is not None and r.VERB[move] == r.MOVES.reshuffle:
                state_after = s.copy()
                r.apply(state_after, NOBODY, move)
                for seat in (0, 3, NOBODY):
                    world = state_after.copy()
                    r.determinize(world, seat, make_generator(rng.randrange(1 << 30)))
                    assert world.deck == state_after.deck


@pytest.mark.parametrize("players", GAME.players)
def test_only_the_drawing_player_sees_the_card(players):
    rng = random.Random(7)
    match = new_match(GAME, players=players, seed=players)
    while not match.over:
        match.play(match.pending[0], rng.choice(match.legal(match.pending[0])).id)
    draw_cues = [
        [cue for cue in match.view(seat, 0)["cues"] if cue["verb"] in ("deal", "drawn")]
        for seat in (*range(players), None)
    ]
    cues_with_cards = [[cue for cue in seat_cues if cue["args"]] for seat, seat_cues in enumerate(draw_cues)]
    assert (
        not cues_with_cards[players]
        and sum(map(len, cues_with_cards)) == len(draw_cues[0])
        and all(len(seat_cues) > 2 for seat_cues in cues_with_cards[:players])
    )


def test_public_cards_of_a_hand_were_taken_from_the_open_cards():
    rng = random.Random(8)
    previous = None
    for s, _, move in random_game(4, rng):
        if previous:
            verb, shown_before = previous
            added = sum(map(sum, s.shown)) - shown_before
            assert added == 1 if verb == r.MOVES.take else added <= 0
        previous = move is not None and (r.VERB[move], sum(map(sum, s.shown)))

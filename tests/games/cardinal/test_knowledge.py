"""Sampled worlds of Web of Power are consistent with the history and have the right frequencies.

The reference is an independent model that uses only what is public at a table: deals, cards taken, played or drawn,
cards turned up, and the reshuffle. It assumes that players choose at random among the cards they took unseen,
and play cards that everyone saw them take first. On tiny decks, whole games are replayed at random, and those with the
same observations are kept. On real decks the probabilities are computed event by event.
"""

import random
from collections import Counter, defaultdict
from math import sqrt

import pytest

from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.games.cardinal import rules as r

GAME = find_game("cardinal")


def deck_of(counts, players):
    s = GAME.State(players=players)
    r.setup(s)
    s.deck = [*counts, *[0] * (r.COLOURS - len(counts))]
    s.rest = s.deck[:]
    s.deck_left = sum(counts)
    return s


def cards_of(move):
    verb, a, b, c = r.VERB[move], r.X[move], r.Y[move], r.Z[move]
    if verb == r.MOVES.discard:
        return [card - 1 for card in (a, b, c) if card]
    if verb in (r.MOVES.cloister, r.MOVES.cardinal):
        return [card - 1 for card in (a, a, b) if card]
    return []


def random_game_histories(s, rng):
    """Play a random game. Yield (state, public history of its cards so far with the colour of every card) at every
    coming decision.
    """
    history = []
    position = Position(GAME, state=s)
    while not position.over:
        if position.chance:
            seat, outcomes = NOBODY, position.outcomes()
            [move] = rng.choices([event for event, _ in outcomes], [weight for _, weight in outcomes])
        else:
            yield s, history
            seat, legal = s.seat, position.legal(s.seat)
            discards = [move for move in legal if move.verb == "discard"]
            move = rng.choice(discards if discards and rng.random() < 0.6 else legal)
        verb, x = r.VERB[move], r.X[move]
        history += [("lay", seat, colour) for colour in cards_of(move)]
        if verb in (r.MOVES.deal, r.MOVES.drawn):
            history.append(("draw", s.refilling, x))
        elif verb == r.MOVES.take:
            history.append(("take", seat, x))
        elif verb == r.MOVES.turn_up:
            history.append(("up", NOBODY, x))
        elif verb == r.MOVES.reshuffle:
            history.append(("shuffle", NOBODY, 0))
        r.apply(s, seat, move)


def worlds(s, seat, number, count):
    rng = make_generator(number)
    for _ in range(count):
        world = s.copy()
        r.determinize(world, seat, rng)
        yield world


# --- whole games of tiny decks, replayed ------------------------------------------------------------------------------


def replay_history(card_counts, history, players, observer, rng):
    """Replay a game with this public history. Return the hands at its end and the likelihood of the cards turned up and
    of the observer's draws, or None as soon as a card is played that is not there.
    """
    deck, discards = list(card_counts), [0] * len(card_counts)
    seen_cards, unseen_cards = [[] for _ in range(players)], [[] for _ in range(players)]
    likelihood = 1.0
    for event, seat, colour in history:
        if event == "shuffle":
            deck, discards = discards, [0] * len(card_counts)
        elif event == "up" or event == "draw" and seat == observer:
            likelihood *= deck[colour] / sum(deck)
            if not likelihood:
                return None
        elif event == "draw":
            (colour,) = rng.choices(range(len(deck)), deck)
        if event in ("up", "draw"):
            deck[colour] -= 1
        if event == "draw":
            unseen_cards[seat].append(colour)
        elif event == "take":
            seen_cards[seat].append(colour)
        elif event == "lay":
            discards[colour] += 1
            if colour in seen_cards[seat]:
                seen_cards[seat].remove(colour)
            elif seat == observer:
                unseen_cards[seat].remove(colour)
            elif unseen_cards[seat].pop(rng.randrange(len(unseen_cards[seat]))) != colour:
                return None
    return tuple(tuple(sorted(a + b)) for a, b in zip(seen_cards, unseen_cards, strict=True)), likelihood


def hands(world):
    return tuple(tuple(c for c in range(r.COLOURS) for _ in range(row[c])) for row in world.hand[: world.players])


@pytest.mark.parametrize("card_counts", [(7, 6), (8, 5)], ids=str)
def test_worlds_are_as_frequent_as_in_replayed_games(card_counts, long):
    rng = random.Random(card_counts[0])
    compared = 0
    while compared < (40 if long else 4):
        for s, history in random_game_histories(deck_of(card_counts, 3), rng):
            since_reshuffle = history[history.index(("shuffle", NOBODY, 0)) :] if s.exhaustions else []
            if sum(event == "lay" for event, _, _ in since_reshuffle) < 3 or len(history) > 40:
                continue
            observer = rng.choice((NOBODY, 0, 1, 2))
            replayed_weights, squares = Counter(), 0.0
            for _ in range(8000):
                if outcome := replay_history(card_counts, history, 3, observer, rng):
                    replayed_weights[outcome[0]] += outcome[1]
                    squares += outcome[1] ** 2
            if not squares or (effective_size := replayed_weights.total() ** 2 / squares) < 60:
                break
            sampled_counts = Counter(hands(world) for world in worlds(s, observer, rng.randrange(1 << 30), 800))
            for outcome in {*replayed_weights, *sampled_counts}:
                replayed_share, sampled_share = (
                    replayed_weights[outcome] / replayed_weights.total(),
                    sampled_counts[outcome] / sampled_counts.total(),
                )
                pooled = (replayed_share * effective_size + sampled_share * 800) / (effective_size + 800)
                assert (
                    abs(replayed_share - sampled_share)
                    < 4.5 * sqrt(pooled * (1 - pooled) * (1 / effective_size + 1 / 800)) + 0.01
                ), (outcome, replayed_share, sampled_share)
            compared += 1
            break


# --- real decks, computed ---------------------------------------------------------------------------------------------


def one_fewer(pool, colour):
    return pool[:colour] + (pool[colour] - 1,) + pool[colour + 1 :]


def possible_pasts(history, players, observer, card_counts):
    """Return the possible pasts, {(old cards, fresh cards, old slots, fresh slots of each player): probability}, and
    the cards that all saw each player take.
    """
    seen_taken = [Counter() for _ in range(players)]
    discards, turned_up = Counter(), Counter()
    own_cards = Counter()
    pasts = {((0,) * r.COLOURS, tuple(card_counts), (0,) * players, (0,) * players): 1.0}
    for event, seat, colour in history:
        next_pasts = defaultdict(float)
        if event == "take":
            seen_taken[seat][colour] += 1
            turned_up[colour] -= 1
            continue
        if event == "lay":
            discards[colour] += 1
            if seen_taken[seat][colour]:
                seen_taken[seat][colour] -= 1
                continue
        if event == "shuffle":
            old = tuple(
                card_counts[c]
                - discards[c]
                - turned_up[c]
                - own_cards[c]
                - sum(seen_taken[q][c] for q in range(players))
                for c in range(r.COLOURS)
            )
            ((_, remaining, _, slots),) = pasts
            assert remaining == old, "the first deck is exhausted"
            pasts = {(old, tuple(discards[c] for c in range(r.COLOURS)), slots, (0,) * players): 1.0}
            discards.clear()
            continue
        if event == "up":
            turned_up[colour] += 1
        if seat == observer and seat != NOBODY:
            own_cards[colour] += 1 if event == "draw" else -1
        for (old, fresh, old_slots, fresh_slots), p in pasts.items():
            if event == "up" or event == "draw" and seat == observer:
                if fresh[colour]:
                    in_deck = sum(fresh)
                    next_pasts[old, one_fewer(fresh, colour), old_slots, fresh_slots] += p * fresh[colour] / in_deck
            elif event == "draw":
                next_pasts[
                    old, fresh, old_slots, fresh_slots[:seat] + (fresh_slots[seat] + 1,) + fresh_slots[seat + 1 :]
                ] += p
            elif seat == observer:
                next_pasts[old, fresh, old_slots, fresh_slots] += p
            else:
                slots = old_slots[seat] + fresh_slots[seat]
                if old_slots[seat] and old[colour]:
                    next_pasts[one_fewer(old, colour), fresh, one_fewer(old_slots, seat), fresh_slots] += (
                        p * old_slots[seat] / slots * old[colour] / sum(old)
                    )
                if fresh_slots[seat] and fresh[colour]:
                    next_pasts[old, one_fewer(fresh, colour), old_slots, one_fewer(fresh_slots, seat)] += (
                        p * fresh_slots[seat] / slots * fresh[colour] / sum(fresh)
                    )
        total_weight = sum(next_pasts.values())
        assert total_weight, "the true past is possible"
        pasts = {key: p / total_weight for key, p in next_pasts.items()}
    return pasts, seen_taken


def expected_hands(pasts, seen_taken, players, observer):
    """Return the expected number of cards of each colour in each other hand."""
    expected = {q: [float(seen_taken[q][c]) for c in range(r.COLOURS)] for q in range(players) if q != observer}
    for (old, fresh, old_slots, fresh_slots), p in pasts.items():
        for q, row in expected.items():
            for c in range(r.COLOURS):
                if old_slots[q]:
                    row[c] += p * old_slots[q] * old[c] / sum(old)
                if fresh_slots[q]:
                    row[c] += p * fresh_slots[q] * fresh[c] / sum(fresh)
    return expected


def is_possible_world(world, pasts, seen_taken, observer):
    """Return whether some past leads to these hands: each player's unseen cards must split into the right numbers of
    old and fresh ones.
    """
    others = [q for q in range(world.players) if q != observer]
    unseen = [tuple(world.hand[q][c] - seen_taken[q][c] for c in range(r.COLOURS)) for q in others]

    def can_split(i, remaining, slots):
        """Return whether the other players from the i-th on can hold exactly the remaining old cards."""
        if i == len(others):
            return not any(remaining)
        return any(
            can_split(i + 1, tuple(a - b for a, b in zip(remaining, old_cards, strict=True)), slots)
            for old_cards in subsets(unseen[i], slots[others[i]])
            if all(b <= a for a, b in zip(remaining, old_cards, strict=True))
        )

    return min(map(min, unseen)) >= 0 and any(
        all(sum(row) == key[2][q] + key[3][q] for q, row in zip(others, unseen, strict=True))
        and can_split(0, key[0], key[2])
        for key in pasts
    )


def subsets(row, size):
    if not row:
        return [()] if size == 0 else []
    return [(n, *rest) for n in range(min(row[0], size) + 1) for rest in subsets(row[1:], size - n)]


@pytest.mark.parametrize("players", GAME.players)
def test_worlds_of_real_games_are_possible_and_have_the_right_frequencies(players, long):
    rng = random.Random(players)
    compared = ambiguous = 0
    card_counts = [n - r.REMOVED[players] for n in r.COUNT]
    for _ in range(60 if long else 3):
        for s, history in random_game_histories(deck_of(card_counts, players), rng):
            if rng.random() > (0.08 if s.exhaustions else 0.03):
                continue
            observer = rng.choice((NOBODY, *range(players)))
            pasts, seen_taken = possible_pasts(history, players, observer, card_counts)
            world_count = 300
            sums = {q: [0] * r.COLOURS for q in range(players) if q != observer}
            for i, world in enumerate(worlds(s, observer, rng.randrange(1 << 30), world_count)):
                if i < 30:
                    assert is_possible_world(world, pasts, seen_taken, observer), f"no history leaves {world.hand}"
                for q, row in sums.items():
                    for c in range(r.COLOURS):
                        row[c] += world.hand[q][c]
            for q, row in expected_hands(pasts, seen_taken, players, observer).items():
                for c, mean in enumerate(row):
                    sampled_mean = sums[q][c] / world_count
                    assert abs(sampled_mean - mean) < 5 * sqrt(max(mean - int(mean), 0.02) / world_count) + 0.05, (
                        q,
                        c,
                        sampled_mean,
                        mean,
                        len(pasts),
                    )
            compared += 1
            ambiguous += len(pasts) > 1
    assert compared > 6 and ambiguous > 2


def test_a_hand_implied_by_the_history_is_always_dealt():
    """A player who has drawn nothing since the reshuffle holds cards of the first deck. With one other such hand and
    one's own, they are known exactly.
    """
    rng = random.Random(9)
    implied_hands = 0
    while implied_hands < 3:
        for s, history in random_game_histories(deck_of([n - r.REMOVED[3] for n in r.COUNT], 3), rng):
            if not s.exhaustions or history[-1][0] == "shuffle":
                continue
            pasts, seen_taken = possible_pasts(history, 3, 0, [n - r.REMOVED[3] for n in r.COUNT])
            (old, _, old_slots, fresh_slots), *other_pasts = pasts
            if not other_pasts and fresh_slots[1] == 0 and sum(old) == old_slots[1] > 0:
                implied_hands += 1
                assert all(world.hand[1] == s.hand[1] for world in worlds(s, 0, implied_hands, 200))

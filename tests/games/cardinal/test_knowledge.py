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


def games(s, rng):
    """Play a random game. Yield (state, public history of its cards so far with the colour of every card) at every
    coming decision.
    """
    said = []
    position = Position(GAME, state=s)
    while not position.over:
        if position.chance:
            seat, outcomes = NOBODY, position.outcomes()
            [move] = rng.choices([event for event, _ in outcomes], [weight for _, weight in outcomes])
        else:
            yield s, said
            seat, legal = s.seat, position.legal(s.seat)
            spending = [move for move in legal if move.verb == "discard"]
            move = rng.choice(spending if spending and rng.random() < 0.6 else legal)
        verb, x = r.VERB[move], r.X[move]
        said += [("lay", seat, colour) for colour in cards_of(move)]
        if verb in (r.MOVES.deal, r.MOVES.drawn):
            said.append(("draw", s.refilling, x))
        elif verb == r.MOVES.take:
            said.append(("take", seat, x))
        elif verb == r.MOVES.turn_up:
            said.append(("up", NOBODY, x))
        elif verb == r.MOVES.reshuffle:
            said.append(("shuffle", NOBODY, 0))
        r.apply(s, seat, move)


def worlds(s, seat, number, count):
    rng = make_generator(number)
    for _ in range(count):
        world = s.copy()
        r.determinize(world, seat, rng)
        yield world


# --- whole games of tiny decks, replayed ------------------------------------------------------------------------------


def again(total, said, players, me, rng):
    """Replay a game with this public history. Return the hands at its end and the likelihood of the cards turned up and
    of the observer's draws, or None as soon as a card is played that is not there.
    """
    deck, gone = list(total), [0] * len(total)
    seen, unseen = [[] for _ in range(players)], [[] for _ in range(players)]
    likely = 1.0
    for what, seat, colour in said:
        if what == "shuffle":
            deck, gone = gone, [0] * len(total)
        elif what == "up" or what == "draw" and seat == me:
            likely *= deck[colour] / sum(deck)
            if not likely:
                return None
        elif what == "draw":
            (colour,) = rng.choices(range(len(deck)), deck)
        if what in ("up", "draw"):
            deck[colour] -= 1
        if what == "draw":
            unseen[seat].append(colour)
        elif what == "take":
            seen[seat].append(colour)
        elif what == "lay":
            gone[colour] += 1
            if colour in seen[seat]:
                seen[seat].remove(colour)
            elif seat == me:
                unseen[seat].remove(colour)
            elif unseen[seat].pop(rng.randrange(len(unseen[seat]))) != colour:
                return None
    return tuple(tuple(sorted(a + b)) for a, b in zip(seen, unseen, strict=True)), likely


def hands(world):
    return tuple(tuple(c for c in range(r.COLOURS) for _ in range(row[c])) for row in world.hand[: world.players])


@pytest.mark.parametrize("total", [(7, 6), (8, 5)], ids=str)
def test_worlds_are_as_frequent_as_in_replayed_games(total, long):
    rng = random.Random(total[0])
    compared = 0
    while compared < (40 if long else 4):
        for s, said in games(deck_of(total, 3), rng):
            later = said[said.index(("shuffle", NOBODY, 0)) :] if s.exhaustions else []
            if sum(what == "lay" for what, _, _ in later) < 3 or len(said) > 40:
                continue
            me = rng.choice((NOBODY, 0, 1, 2))
            true, squares = Counter(), 0.0
            for _ in range(8000):
                if found := again(total, said, 3, me, rng):
                    true[found[0]] += found[1]
                    squares += found[1] ** 2
            if not squares or (enough := true.total() ** 2 / squares) < 60:
                break
            mine = Counter(hands(world) for world in worlds(s, me, rng.randrange(1 << 30), 800))
            for found in {*true, *mine}:
                p, q = true[found] / true.total(), mine[found] / mine.total()
                both = (p * enough + q * 800) / (enough + 800)
                assert abs(p - q) < 4.5 * sqrt(both * (1 - both) * (1 / enough + 1 / 800)) + 0.01, (found, p, q)
            compared += 1
            break


# --- real decks, computed ---------------------------------------------------------------------------------------------


def less(pool, colour):
    return pool[:colour] + (pool[colour] - 1,) + pool[colour + 1 :]


def pasts(said, players, me, total):
    """Return the possible pasts, {(old cards, fresh cards, old slots, fresh slots of each player): probability}, and
    the cards that all saw each player take.
    """
    shown = [Counter() for _ in range(players)]
    gone, up = Counter(), Counter()
    mine = Counter()
    may = {((0,) * r.COLOURS, tuple(total), (0,) * players, (0,) * players): 1.0}
    for what, seat, colour in said:
        after = defaultdict(float)
        if what == "take":
            shown[seat][colour] += 1
            up[colour] -= 1
            continue
        if what == "lay":
            gone[colour] += 1
            if shown[seat][colour]:
                shown[seat][colour] -= 1
                continue
        if what == "shuffle":
            old = tuple(
                total[c] - gone[c] - up[c] - mine[c] - sum(shown[q][c] for q in range(players))
                for c in range(r.COLOURS)
            )
            ((_, left, _, slots),) = may
            assert left == old, "the first deck is exhausted"
            may = {(old, tuple(gone[c] for c in range(r.COLOURS)), slots, (0,) * players): 1.0}
            gone.clear()
            continue
        if what == "up":
            up[colour] += 1
        if seat == me and seat != NOBODY:
            mine[colour] += 1 if what == "draw" else -1
        for (old, fresh, old_slots, fresh_slots), p in may.items():
            if what == "up" or what == "draw" and seat == me:
                if fresh[colour]:
                    in_deck = sum(fresh)
                    after[old, less(fresh, colour), old_slots, fresh_slots] += p * fresh[colour] / in_deck
            elif what == "draw":
                after[
                    old, fresh, old_slots, fresh_slots[:seat] + (fresh_slots[seat] + 1,) + fresh_slots[seat + 1 :]
                ] += p
            elif seat == me:
                after[old, fresh, old_slots, fresh_slots] += p
            else:
                slots = old_slots[seat] + fresh_slots[seat]
                if old_slots[seat] and old[colour]:
                    after[less(old, colour), fresh, less(old_slots, seat), fresh_slots] += (
                        p * old_slots[seat] / slots * old[colour] / sum(old)
                    )
                if fresh_slots[seat] and fresh[colour]:
                    after[old, less(fresh, colour), old_slots, less(fresh_slots, seat)] += (
                        p * fresh_slots[seat] / slots * fresh[colour] / sum(fresh)
                    )
        whole = sum(after.values())
        assert whole, "the true past is possible"
        may = {key: p / whole for key, p in after.items()}
    return may, shown


def expected_hands(may, shown, players, me):
    """Return the expected number of cards of each colour in each other hand."""
    held = {q: [float(shown[q][c]) for c in range(r.COLOURS)] for q in range(players) if q != me}
    for (old, fresh, old_slots, fresh_slots), p in may.items():
        for q, row in held.items():
            for c in range(r.COLOURS):
                if old_slots[q]:
                    row[c] += p * old_slots[q] * old[c] / sum(old)
                if fresh_slots[q]:
                    row[c] += p * fresh_slots[q] * fresh[c] / sum(fresh)
    return held


def can_be(world, may, shown, me):
    """Return whether some past leads to these hands: each player's unseen cards must split into the right numbers of
    old and fresh ones.
    """
    others = [q for q in range(world.players) if q != me]
    unseen = [tuple(world.hand[q][c] - shown[q][c] for c in range(r.COLOURS)) for q in others]

    def part(i, left, slots):
        """Return whether the other players from the i-th on can hold exactly the remaining old cards."""
        if i == len(others):
            return not any(left)
        return any(
            part(i + 1, tuple(a - b for a, b in zip(left, taken, strict=True)), slots)
            for taken in subsets(unseen[i], slots[others[i]])
            if all(b <= a for a, b in zip(left, taken, strict=True))
        )

    return min(map(min, unseen)) >= 0 and any(
        all(sum(row) == key[2][q] + key[3][q] for q, row in zip(others, unseen, strict=True))
        and part(0, key[0], key[2])
        for key in may
    )


def subsets(row, size):
    if not row:
        return [()] if size == 0 else []
    return [(n, *rest) for n in range(min(row[0], size) + 1) for rest in subsets(row[1:], size - n)]


@pytest.mark.parametrize("players", GAME.players)
def test_worlds_of_real_games_are_possible_and_have_the_right_frequencies(players, long):
    rng = random.Random(players)
    compared = doubtful = 0
    total = [n - r.REMOVED[players] for n in r.COUNT]
    for _ in range(60 if long else 3):
        for s, said in games(deck_of(total, players), rng):
            if rng.random() > (0.08 if s.exhaustions else 0.03):
                continue
            me = rng.choice((NOBODY, *range(players)))
            may, shown = pasts(said, players, me, total)
            number = 300
            sums = {q: [0] * r.COLOURS for q in range(players) if q != me}
            for i, world in enumerate(worlds(s, me, rng.randrange(1 << 30), number)):
                if i < 30:
                    assert can_be(world, may, shown, me), f"no history leaves {world.hand}"
                for q, row in sums.items():
                    for c in range(r.COLOURS):
                        row[c] += world.hand[q][c]
            for q, row in expected_hands(may, shown, players, me).items():
                for c, mean in enumerate(row):
                    found = sums[q][c] / number
                    assert abs(found - mean) < 5 * sqrt(max(mean - int(mean), 0.02) / number) + 0.05, (
                        q,
                        c,
                        found,
                        mean,
                        len(may),
                    )
            compared += 1
            doubtful += len(may) > 1
    assert compared > 6 and doubtful > 2


def test_a_hand_implied_by_the_history_is_always_dealt():
    """A player who has drawn nothing since the reshuffle holds cards of the first deck. With one other such hand and
    one's own, they are known exactly.
    """
    rng = random.Random(9)
    found = 0
    while found < 3:
        for s, said in games(deck_of([n - r.REMOVED[3] for n in r.COUNT], 3), rng):
            if not s.exhaustions or said[-1][0] == "shuffle":
                continue
            may, shown = pasts(said, 3, 0, [n - r.REMOVED[3] for n in r.COUNT])
            (old, _, old_slots, fresh_slots), *more = may
            if not more and fresh_slots[1] == 0 and sum(old) == old_slots[1] > 0:
                found += 1
                assert all(world.hand[1] == s.hand[1] for world in worlds(s, 0, found, 200))

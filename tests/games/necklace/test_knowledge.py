"""A seat's knowledge of hands: sampled worlds are compared with the histories that are consistent with its
observations.
"""

import random
from collections import Counter

import pytest
from necklace_histories import History

from courtly.engine.constants import NOBODY, SPECTATOR
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.necklace import worlds
from courtly.games.necklace.cards import COUNT, GEM_KINDS, GEM_OF, KINDS, MERCHANTS, Card, Gem
from courtly.games.necklace.hands import gain_seen, gain_unseen, lack, look_at_hand, move_unseen, spend
from courtly.games.necklace.position import lies_openly
from courtly.games.necklace.sale import lay_openly
from courtly.games.necklace.story import UNITS
from courtly.games.necklace.table import MOVES, STORIES, VERB, Phase
from courtly.testing.checks.belief_check import Histories, total_variation
from courtly.testing.checks.properties import RandomGame, check_position_keeps_secrets, other_world
from courtly.testing.resources import invariants

GAME = find_game("necklace")
CHECK = invariants("necklace")
SEATS = 3


# --- short stories: whole histories, without those that the observer rules out
# -----------------------------------------


class Story:
    """Events in the hands of three players, and what `observer` saw of them. The steps are:
        ("come", seat, card)        visible to all
        ("drawn", seat)             visible to its owner only
        ("gone", seat, card)        discarded
        ("open", seat, card)        a gem card, laid openly for a sale
        ("stolen", giver, taker)    the card is visible to these two only
        ("look", seat, who)         `who` sees the whole hand
        ("none", seat, gem)         the hand has none of this gem
    `chosen` lists the cards that were really drawn or stolen, in this order.
    """

    def __init__(self, steps, chosen, observer):
        self.steps, self.observer = steps, observer
        self.truth = self.play(iter(chosen))

    def play(self, chosen, r=None, seen=None):
        """Return the hands, the observations and the weight, or None as soon as an observation differs from `seen`.
        Cards of chance are `chosen`, or drawn with `r`.
        """
        deck, hands, told, weight = list(COUNT), [[0] * KINDS for _ in range(SEATS)], [], 1.0
        for what, seat, *rest in self.steps:
            hand = hands[seat]
            if what == "come":
                weight *= deck[rest[0]] / sum(deck)
                deck[rest[0]] -= 1
                hand[rest[0]] += 1
            elif what in ("gone", "open"):
                if not hand[rest[0]]:
                    return None
                hand[rest[0]] -= 1
            elif what == "none":
                if any(hand[card] for card in range(GEM_KINDS) if GEM_OF[card] == rest[0]):
                    return None
            elif what == "look":
                if self.observer == rest[0]:
                    told.append(tuple(hand))
            else:
                source, target = (hand, hands[rest[0]]) if what == "stolen" else (deck, hand)
                sees = self.observer in (seat, *rest)
                if r is None:
                    card = next(chosen)
                elif sees:  # the observed card, with its probability
                    card = seen[len(told)]
                    weight *= source[card] / sum(source)
                else:
                    card = r.choices(range(KINDS), source)[0]
                if not source[card] or card in (
                    (Card.MUSKETEER, Card.QUEENS_NECKLACE)
                    if what == "stolen"
                    else (Card.ASTROLOGER, Card.QUEENS_NECKLACE)
                ):
                    return None
                source[card] -= 1
                target[card] += 1
                if sees:
                    told.append(card)
            if seen is not None and told != seen[: len(told)]:
                return None
        return hands, told, weight

    def believed(self, r, count):
        """Return hands of whole histories with the observer's observations."""
        _, seen, _ = self.truth
        found = []
        while len(found) < count:
            if played := self.play(None, r, seen):
                found.append(played)
        return [hands for hands, _, weight in r.choices(found, [weight for _, _, weight in found], k=count)]

    def position(self, chosen):
        """Return the resulting position."""
        position = Position(GAME, SEATS)
        s = position.state
        chosen = iter(chosen)
        for what, seat, *rest in self.steps:
            if what == "come":
                gain_seen(s, seat, rest[0])
            elif what == "drawn":
                gain_unseen(s, seat, next(chosen))
            elif what == "gone":
                spend(s, seat, rest[0])
            elif what == "open":
                lay_openly(s, seat, rest[0])
                s.merchants = 1
            elif what == "stolen":
                move_unseen(s, seat, rest[0], next(chosen))
            elif what == "look":
                look_at_hand(s, rest[0], seat)
            else:
                lack(s, seat, rest[0])
        s.phase, s.pending, s.active = (Phase.SHOW, 7, 0) if s.merchants else (Phase.INFLUENCE, 1, 0)
        s.fashion = [0, 1, 2, 3]
        for card in range(KINDS):
            held = sum(s.hand[seat][card] + lies_openly(s, seat, card) for seat in range(SEATS))
            s.deck[card] = COUNT[card] - s.discard[card] - held
        s.pile = sum(s.deck)
        s.left = s.pile + MERCHANTS - s.merchants
        CHECK(s)
        return position


HOLDS_RINGS = [("come", 2, Card.RING), ("come", 2, Card.RING), ("drawn", 2), ("drawn", 2), ("drawn", 1)]
HOLDS_RUBIES = [("come", 2, Card.RUBY_2), ("come", 2, Card.RUBY_2), ("drawn", 2), ("drawn", 2), ("drawn", 1)]
ALL_KNOWN = [("come", 2, Card.RING), ("come", 2, Card.KING), ("come", 2, Card.AMBER_1), ("come", 2, Card.AMBER_1)]
THEFT = ("stolen", 2, 1)
TALES = {
    "one of two known rings": ([*HOLDS_RINGS, THEFT], [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING]),
    "one of two known rings, and the other is laid open": (
        [*HOLDS_RINGS, THEFT, ("gone", 2, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "both rings are laid open by their owner": (
        [*HOLDS_RINGS, THEFT, ("gone", 2, Card.RING), ("gone", 2, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RUBY_1],
    ),
    "the thief lays a ring open": (
        [*HOLDS_RINGS, THEFT, ("gone", 1, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "one known and three unknown": (
        [("come", 2, Card.KING), ("drawn", 2), ("drawn", 2), ("drawn", 2), ("drawn", 1), THEFT],
        [Card.RUBY_1, Card.RUBY_1, Card.RING, Card.RING, Card.KING],
    ),
    "a whole known hand": ([*ALL_KNOWN, ("drawn", 1), THEFT], [Card.RUBY_1, Card.AMBER_1]),
    "the thief has nothing else": ([*ALL_KNOWN, THEFT], [Card.KING]),
    "a ring is bought afterwards": (
        [*HOLDS_RINGS, THEFT, ("come", 2, Card.RING), ("come", 1, Card.RING), ("gone", 1, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "the loot is stolen in turn": (
        [*HOLDS_RINGS, THEFT, ("stolen", 1, 0)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING, Card.RING],
    ),
    "the victim takes one back": (
        [*ALL_KNOWN, ("drawn", 1), THEFT, ("stolen", 1, 2)],
        [Card.RUBY_1, Card.KING, Card.KING],
    ),
    "two thieves rob one hand": (
        [*ALL_KNOWN, ("drawn", 1), ("drawn", 0), THEFT, ("stolen", 2, 0)],
        [Card.RUBY_1, Card.RUBY_2, Card.KING, Card.RING],
    ),
    "two thieves, and the rest is laid open": (
        [
            *ALL_KNOWN,
            ("drawn", 1),
            ("drawn", 0),
            THEFT,
            ("stolen", 2, 0),
            ("gone", 2, Card.AMBER_1),
            ("gone", 2, Card.AMBER_1),
        ],
        [Card.RUBY_1, Card.RUBY_2, Card.KING, Card.RING],
    ),
    "a confessor sees what is missing": (
        [*HOLDS_RINGS, THEFT, ("look", 2, 0)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "a confessor sees what has come": (
        [("come", 2, Card.RING), ("come", 2, Card.KING), ("drawn", 1), THEFT, ("look", 1, 0)],
        [Card.RUBY_1, Card.KING],
    ),
    "looked at before, and after": (
        [("come", 2, Card.RING), ("drawn", 2), ("look", 2, 0), ("drawn", 1), THEFT, ("look", 2, 0)],
        [Card.KING, Card.RUBY_1, Card.KING],
    ),
    "one of two known rubies, and the other is laid openly": (
        [*HOLDS_RUBIES, THEFT, ("open", 2, Card.RUBY_2)],
        [Card.RUBY_1, Card.AMBER_1, Card.RING, Card.RUBY_2],
    ),
    "a forger finds no ruby at the thief's": (
        [
            ("come", 2, Card.RUBY_1),
            ("come", 2, Card.RUBY_2),
            ("come", 2, Card.KING),
            ("drawn", 1),
            THEFT,
            ("none", 1, Gem.RUBY),
        ],
        [Card.RING, Card.KING],
    ),
    "a forger found no ruby before": (
        [("come", 2, Card.KING), ("drawn", 2), ("drawn", 2), ("none", 2, Gem.RUBY), THEFT],
        [Card.RING, Card.AMBER_1, Card.AMBER_1],
    ),
}


@pytest.mark.parametrize("observer", [-1, 0, 1, 2])
@pytest.mark.parametrize("name", TALES)
def test_worlds_are_as_likely_as_their_histories(name, observer):
    steps, chosen = TALES[name]
    tale, r = Story(steps, chosen, observer), random.Random(5)
    position = tale.position(chosen)
    assert position.state.hand[:SEATS] == tale.truth[0]
    believed = tale.believed(r, 1000)
    worlds = [other_world(position, observer, number).state.hand[:SEATS] for number in range(500)]
    for seat in range(SEATS):
        for card in range(KINDS):
            one, other = (Counter(hands[seat][card] for hands in some) for some in (believed, worlds))
            assert total_variation(one, other) < 0.08, (
                f"{Card[card]} at seat {seat}: histories {dict(one)}, worlds {dict(other)}"
            )
    for number in range(3):
        CHECK(check_position_keeps_secrets(position, observer, number).state)


def test_at_most_one_of_two_known_rings_is_stolen():
    """Two of four cards are rings. The thief has one of them in half of the worlds or slightly more, since it was not a
    musketeer.
    """
    steps, chosen = TALES["one of two known rings"]
    position = Story(steps, chosen, 0).position(chosen)
    worlds = [other_world(position, 0, number).state for number in range(600)]
    assert all(world.hand[1][Card.RING] + world.hand[2][Card.RING] >= 2 for world in worlds)
    hidden = [
        COUNT[card] - 2 * (card == Card.RING)
        for card in range(KINDS)
        if card not in (Card.ASTROLOGER, Card.QUEENS_NECKLACE)
    ]
    unknown_are_rings = 5 / sum(hidden)
    no_musketeer = 1 - COUNT[Card.MUSKETEER] / sum(hidden)
    left_with_one = 2 / (2 + 2 * no_musketeer) * (1 - unknown_are_rings) ** 2
    assert sum(world.hand[2][Card.RING] == 1 for world in worlds) / 600 == pytest.approx(left_with_one, abs=0.06)


# --- along random games -----------------------------------------------------------------------------------------------


class Thieving(RandomGame):
    """A random game in which influence cards are played whenever possible, thieves first."""

    def next(self):
        seat, move = super().next()
        if seat != NOBODY and self.state.phase == Phase.INFLUENCE and self.r.random() < 0.8:
            blue = [m for m in self.legal(seat) if MOVES.confessor <= m <= MOVES.musketeers]
            thieves = [m for m in blue if VERB[m] == MOVES.thief]
            move = self.r.choice(thieves or blue or [move])
        return seat, move


def impossible_worlds(games):
    """Return, by number of thefts so far, the worlds that contradict the observer's history, and all worlds."""
    found, made = Counter(), Counter()
    for number in games:
        play = Thieving(GAME, 3 + number % 2, random.Random(number), {})
        histories = [History(observer) for observer in range(-1, play.state.players)]
        while not play.over:
            before = play.state.copy()
            seat, move = play.next()
            play.apply(seat, move)
            for history in histories:
                history.add_move(before, play.state, seat, move)
            if play.r.random() < (0.1 if play.state.thefts else 0.02):
                for history in histories:
                    assert history.is_possible(play.state.hand[: play.state.players]), "the true hands are possible"
                    world = other_world(play, history.observer, play.r.randrange(1 << 30)).state
                    CHECK(world)
                    made[play.state.thefts] += 1
                    found[play.state.thefts] += not history.is_possible(world.hand[: world.players])
    return found, made


def test_worlds_are_consistent_with_the_history(long):
    found, made = impossible_worlds(range(100 if long else 5))
    assert min(made[thefts] for thefts in range(4)) > 10
    assert sum(found.values()) <= sum(made.values()) // 500, (found, made)


BEGINNING = [
    (what, seat, *card)
    for seat in range(SEATS)
    for what, *card in [
        ("come", Card.THIEF),
        ("come", Card.RING),
        ("come", (Card.RUBY_1, Card.RUBY_2, Card.AMBER_1)[seat]),
        ("drawn",),
        ("drawn",),
    ]
]


def short_game(r):
    """Three players with a thief each, two known cards and two unknown ones."""
    drawn = iter(
        r.sample(
            [
                Card.RUBY_1,
                Card.RUBY_2,
                Card.AMBER_1,
                Card.KING,
                Card.MUSKETEER,
                Card.CONFESSOR,
                Card.EMERALD_1,
                Card.DIAMOND_2,
            ],
            6,
        )
    )
    s = Story(BEGINNING, chosen := list(drawn), NOBODY).position(chosen).state
    for slot, card in enumerate([Card.DIAMOND_1, Card.EMERALD_1, Card.CONFESSOR, Card.AMBER_1, Card.RUBY_1]):
        s.row[slot] = card
        s.deck[card] -= 1
        s.pile -= 1
        s.left -= 1
    CHECK(s)
    play = Thieving(GAME, SEATS, r, {})
    play.state = s
    return play


def test_worlds_have_the_right_frequencies_after_thefts(long):
    r, compared, total = random.Random(7), 0, 0.0
    while compared < (4000 if long else 250):
        play = short_game(r)
        seat = r.randrange(-1, SEATS)
        histories = Histories(play, seat, 400)
        histories.positions = [other_world(play, seat, number) for number in range(400)]
        for number in range(24):
            if not histories.step():
                break
            if number % 4 or not play.state.thefts:
                continue
            worlds = [other_world(play, seat, r.randrange(1 << 30)) for _ in range(200)]
            for other in range(SEATS):
                for card in range(KINDS):
                    one, two = (
                        Counter(position.state.hand[other][card] for position in some)
                        for some in (histories.positions, worlds)
                    )
                    if len(one | two) > 1:
                        compared, total = compared + 1, total + total_variation(one, two)
                        assert total_variation(one, two) < 0.25, (
                            f"{Card[card]} at seat {other}, for {seat}: {dict(one)}, worlds {dict(two)}"
                        )
    assert total / compared < 0.05


def test_of_too_many_explanations_a_weighted_sample_is_kept(monkeypatch):
    found, r = 0, random.Random(5)
    for _ in range(40):
        play = Thieving(GAME, 4, r, {})
        while not play.over and found < 5:
            play.apply(*play.next())
            s = play.state.copy()
            worlds.gather(s, SPECTATOR)
            worlds.weigh_stories(s, SPECTATOR)
            if s.ways > STORIES and r.random() < 0.2:
                found += 1
                all_ = []
                with monkeypatch.context() as m:
                    m.setattr(worlds, "meet", lambda s, chance, each, all_=all_: all_.append((tuple(s.guess), chance)))
                    worlds.go_through(s, SPECTATOR, 0, worlds.KEEP)
                assert len(all_) == s.ways and s.stories == STORIES
                best = max(chance for _, chance in all_)
                exact = {guesses: 2 ** ((chance - best) / UNITS) for guesses, chance in all_}
                for theft in range(s.thefts):
                    wanted, kept = Counter(), Counter()
                    for guesses, chance in exact.items():
                        wanted[guesses[theft]] += chance / sum(exact.values())
                    for taken in s.taken:
                        kept[taken // (KINDS + 1) ** (s.thefts - 1 - theft) % (KINDS + 1)] += 1 / STORIES
                    assert sum(abs(wanted[card] - kept[card]) for card in wanted | kept) / 2 < (0.05, 0.1)[theft > 0]
        if found == 5:
            return
    raise AssertionError("no game had enough thefts")
